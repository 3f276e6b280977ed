//! How long does the solver take for the positions of an OBF file, and are its scores right?
//!
//! `cargo run --release -p zug-othello --example solve -- FILE.obf [--threads N] [--first A]
//! [--last B] [--hash MIB] [--model NAME|none]`

use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;
use std::time::Instant;
use zug_core::StopFlag;
use zug_othello::engine::Evaluation;
use zug_othello::probcut::cuts_for;
use zug_othello::records::obf::{Problem, Reader};
use zug_othello::solve::{Solver, Unguided};
use zug_othello::{AnyModel, Board, Othello, open_model};

type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected the name of an OBF file")?;
    let (mut threads, mut first, mut last, mut hash) = (1, 1, usize::MAX, 512);
    let mut model = "patterns".to_string();
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("expected a value for {option}"))?;
        match option.as_str() {
            "--threads" => threads = value.parse()?,
            "--first" => first = value.parse()?,
            "--last" => last = value.parse()?,
            "--hash" => hash = value.parse()?,
            "--model" => model = value,
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    let problems = Reader::new(Othello::default(), BufReader::new(File::open(&file)?));
    let problems: Vec<(usize, Problem)> = (1..)
        .zip(problems)
        .filter(|(number, _)| (first..=last).contains(number))
        .map(|(number, problem)| Ok((number, problem?)))
        .collect::<Result<_, AnyError>>()?;
    match model.as_str() {
        "none" => run(Solver::try_with_guide(hash, Unguided)?.threads(threads), &problems),
        name => match open_model(name)? {
            AnyModel::Patterns(model) => {
                let cuts = cuts_for(name, model.unit(), None)?;
                let solver = Solver::try_with_guide(hash, Arc::new(model))?;
                run(solver.cuts(cuts).threads(threads), &problems)
            }
            AnyModel::Thesis(model) => {
                let cuts = cuts_for(name, model.unit(), None)?;
                let solver = Solver::try_with_guide(hash, Arc::new(*model))?;
                run(solver.cuts(cuts).threads(threads), &problems)
            }
        },
    }
}

fn run<E: Evaluation>(
    mut solver: Solver<E>,
    problems: &[(usize, Problem)],
) -> Result<(), AnyError> {
    let (mut nodes, mut wrong, mut seconds) = (0, 0, 0.0);
    for (number, problem) in problems {
        let board = Board::from(&problem.position);
        solver.clear();
        let began = Instant::now();
        let solved = solver.solve(board, -64, 64, &StopFlag::new()).ok_or("stopped")?;
        let time = began.elapsed().as_secs_f64();
        seconds += time;
        nodes += solved.nodes;
        let value = |mv| problem.values.iter().find(|(m, _)| Some(*m) == mv).map(|&(_, v)| v);
        let right = problem.value().is_none_or(|value| value == solved.score)
            && value(solved.best).is_none_or(|value| value == solved.score);
        wrong += usize::from(!right);
        let line: Vec<String> = solved.line.iter().map(ToString::to_string).collect();
        println!(
            "{number:4} {:2} empty {:+3} {} {time:8.3} s {:12} nodes {}",
            board.empties(),
            solved.score,
            if right { "right" } else { "WRONG" },
            solved.nodes,
            line.concat(),
        );
    }
    let rate = nodes as f64 / seconds / 1e6;
    println!("{wrong} wrong, {seconds:.3} s, {nodes} nodes, {rate:.1} M nodes/s");
    Ok(())
}
