//! How long does the solver take for the positions of an OBF file, and are its scores right?
//!
//! `cargo run --release -p zug-othello --example solve_obf -- FILE.obf [MIB [FROM [COUNT]]]`

use std::fs::File;
use std::io::BufReader;
use std::time::Instant;
use zug_core::StopFlag;
use zug_othello::records::obf::Reader;
use zug_othello::solve::Solver;
use zug_othello::{Board, Othello};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected the name of an OBF file")?;
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (mib, from, count) = (number(256)?, number(0)?, number(usize::MAX)?);
    let mut solver = Solver::new(mib);
    let (mut nodes, mut wrong, mut seconds) = (0, 0, 0.0);
    let verbose = count <= 50;
    let problems = Reader::new(Othello::default(), BufReader::new(File::open(&file)?));
    for (index, problem) in problems.enumerate().skip(from).take(count) {
        let problem = problem?;
        let board = Board::from(&problem.position);
        let began = Instant::now();
        let solved = solver.solve(board, -64, 64, &StopFlag::new()).ok_or("stopped")?;
        let time = began.elapsed().as_secs_f64();
        seconds += time;
        nodes += solved.nodes;
        let expected = problem.value();
        let right = expected.is_none_or(|value| value == solved.score)
            && problem
                .values
                .iter()
                .find(|(mv, _)| Some(*mv) == solved.best)
                .is_none_or(|&(_, value)| value == solved.score);
        wrong += usize::from(!right);
        if verbose || !right {
            let line: Vec<String> = solved.line.iter().map(ToString::to_string).collect();
            println!(
                "{:3} {:2} empty {:+3} (expected {expected:?}) {time:8.3} s {:12} nodes {}{}",
                index + 1,
                board.empties(),
                solved.score,
                solved.nodes,
                line.concat(),
                if right { "" } else { "  WRONG" },
            );
        }
    }
    let rate = nodes as f64 / seconds / 1e6;
    println!("{wrong} wrong, {seconds:.3} s, {nodes} nodes, {rate:.1} M nodes/s");
    Ok(())
}
