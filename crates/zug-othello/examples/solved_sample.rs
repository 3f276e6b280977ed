//! Draws positions of held-out games from a file of examples, solves them, and writes them with
//! their scores as OBF, so that `zug eval` can tell the error of any model against the truth.
//!
//! ```text
//! cargo run --release -p zug-othello --example solved_sample -- \
//!     examples.zug held-out.obf --fold 0 --count 300 --discs 40,44,48,52,56 --seed 1
//! ```

use rayon::prelude::*;
use std::path::PathBuf;
use zug_core::seed::RngExt;
use zug_core::{Side, StopFlag, files, rng};
use zug_othello::examples::{Example, ExampleFile};
use zug_othello::records::obf::Problem;
use zug_othello::solve::Solver;
use zug_othello::{Move, Othello};

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let (mut paths, mut fold, mut count, mut seed) = (Vec::new(), 0u8, 300usize, 1u64);
    let mut discs: Vec<u32> = vec![44];
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
        match word.as_str() {
            "--fold" => fold = value()?.parse()?,
            "--count" => count = value()?.parse()?,
            "--seed" => seed = value()?.parse()?,
            "--discs" => discs = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            _ => paths.push(PathBuf::from(word)),
        }
    }
    let [examples, out] = paths.as_slice() else {
        return Err("expected a file of examples and a file to write".into());
    };
    let file = ExampleFile::open(examples)?;
    let mut text = String::new();
    for discs in discs {
        let chosen = sample(&file, discs, fold, count, seed)?;
        let solved: Vec<Problem> = chosen.par_iter().map_init(|| Solver::new(64), solve).collect();
        eprintln!("{discs} discs: {} positions", solved.len());
        for problem in solved {
            text.push_str(&problem.write(&Othello::default()));
            text.push('\n');
        }
    }
    files::write_atomically(out, text.as_bytes())?;
    Ok(())
}

/// Positions of one fold, each as likely as the others (reservoir sampling).
fn sample(
    file: &ExampleFile,
    discs: u32,
    fold: u8,
    count: usize,
    seed: u64,
) -> Result<Vec<Example>, Failure> {
    let mut rng = rng(seed, u64::from(discs));
    let (mut chosen, mut met) = (Vec::new(), 0);
    file.for_each(discs..=discs, |example| {
        if example.fold == fold && example.board.moves() != 0 {
            met += 1;
            if chosen.len() < count {
                chosen.push(example);
            } else if let Some(place) = chosen.get_mut(rng.random_range(0..met)) {
                *place = example;
            }
        }
    })?;
    Ok(chosen)
}

fn solve(solver: &mut Solver, example: &Example) -> Problem {
    let stop = StopFlag::new();
    let solved = solver.solve(example.board, -64, 64, &stop).expect("nobody stops it");
    let position = example.board.to_position(Side::First);
    Problem { position, values: vec![(solved.best.unwrap_or(Move::PASS), solved.score)] }
}
