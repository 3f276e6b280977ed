//! How does the cost of solving grow with the empty squares?
//!
//! Positions of the program's own games, some of each number of empty squares, are solved exactly;
//! the logarithm of the mean number of visited positions is nearly a line of the empty squares, and
//! its slope is the branching factor.

use crate::cli::BenchArgs;
use crate::stop;
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::Arc;
use zug_core::StopFlag;
use zug_core::seed::RngExt;
use zug_core::usage::thread_seconds;
use zug_othello::engine::Engine;
use zug_othello::patterns::PatternModel;
use zug_othello::probcut::shipped;
use zug_othello::solve::Solver;
use zug_othello::{AnyModel, Board, bits, open_model};

/// Random plies at the beginning of a game, so that no two are alike.
const RANDOM_PLIES: u32 = 10;
/// Plies that the games are played with.
const DEPTH: u32 = 4;

/// What positions with so many empty squares cost.
struct Step {
    empties: u32,
    nodes: Vec<f64>,
    seconds: f64,
}

impl Step {
    fn mean(&self) -> f64 {
        self.nodes.iter().sum::<f64>() / self.nodes.len().max(1) as f64
    }

    /// The mean of the logarithms, which one hard position does not rule.
    fn typical(&self) -> f64 {
        let sum: f64 = self.nodes.iter().map(|n| n.max(1.0).ln()).sum();
        (sum / self.nodes.len().max(1) as f64).exp()
    }
}

pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    let AnyModel::Patterns(model) = open_model("patterns")? else {
        bail!("the evaluation by patterns does not come with this program");
    };
    let (model, flag) = (Arc::new(model), stop::on_interrupt());
    let (empties, count): (RangeInclusive<u32>, u32) =
        if args.quick { (8..=11, 4) } else { (14..=24, 30) };
    let count = args.games.unwrap_or(count);
    let threads = usize::from(args.threads.unwrap_or(1));
    let mut solver =
        Solver::try_with_guide(512, Arc::clone(&model))?.cuts(shipped("patterns")).threads(threads);
    let mut steps = Vec::new();
    for empties in empties {
        let mut step = Step { empties, nodes: Vec::new(), seconds: 0.0 };
        for number in 0..count {
            let stream = u64::from(empties) << 32 | u64::from(number);
            let Some(board) = position(&model, empties, args.seed, stream, &flag) else {
                tell!("zug: stopped");
                return Ok(ExitCode::from(130));
            };
            solver.clear();
            let before = (thread_seconds(), std::time::Instant::now());
            let Some(solved) = solver.solve(board, -64, 64, &flag) else {
                tell!("zug: stopped");
                return Ok(ExitCode::from(130));
            };
            // One thread is measured by what it used, several by the clock.
            step.seconds += match threads {
                1 => thread_seconds() - before.0,
                _ => before.1.elapsed().as_secs_f64(),
            };
            step.nodes.push(solved.nodes as f64);
        }
        steps.push(step);
    }
    let of_means = slope(&steps, Step::mean);
    let of_typical = slope(&steps, Step::typical);
    let mut out = std::io::stdout().lock();
    if args.json {
        let rows: Vec<_> = steps
            .iter()
            .map(|s| {
                json!({
                    "empties": s.empties, "positions": s.nodes.len(), "mean_nodes": s.mean(),
                    "typical_nodes": s.typical(),
                    "mean_seconds": s.seconds / s.nodes.len().max(1) as f64,
                })
            })
            .collect();
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "experiment": "scaling", "seed": args.seed,
            "threads": threads, "rows": rows,
            "branching_factor": { "mean": of_means.exp(), "typical": of_typical.exp() },
        });
        writeln!(out, "{report:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        out,
        "{:>7} {:>9} {:>12} {:>14} {:>10}",
        "empties", "positions", "mean nodes", "typical nodes", "seconds"
    )?;
    for s in &steps {
        let (mean, typical) =
            (crate::terminal::count(s.mean() as u64), crate::terminal::count(s.typical() as u64));
        let seconds = s.seconds / s.nodes.len().max(1) as f64;
        writeln!(
            out,
            "{:>7} {:>9} {mean:>12} {typical:>14} {seconds:>10.4}",
            s.empties,
            s.nodes.len()
        )?;
    }
    let (mean, typical) = (of_means.exp(), of_typical.exp());
    writeln!(
        out,
        "one empty square more costs {mean:.2} times as much (mean), {typical:.2} times (typical)"
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The slope of the least-squares line of the logarithm.
fn slope(steps: &[Step], cost: fn(&Step) -> f64) -> f64 {
    let n = steps.len() as f64;
    let x = steps.iter().map(|s| f64::from(s.empties)).sum::<f64>() / n;
    let y = steps.iter().map(|s| cost(s).max(1.0).ln()).sum::<f64>() / n;
    let (mut above, mut below) = (0.0, 0.0);
    for step in steps {
        let dx = f64::from(step.empties) - x;
        above += dx * (cost(step).max(1.0).ln() - y);
        below += dx * dx;
    }
    if below > 0.0 { above / below } else { 0.0 }
}

/// A position of a game: random at first, then played a few plies ahead. `None` when stopped.
fn position(
    model: &Arc<PatternModel>,
    empties: u32,
    seed: u64,
    stream: u64,
    stop: &StopFlag,
) -> Option<Board> {
    let mut rng = zug_core::rng(seed, stream);
    let mut engine = Engine::new(Arc::clone(model), 2);
    loop {
        let mut board = Board::START;
        while !board.is_over() {
            if board.moves() == 0 {
                board = board.passed();
            } else if board.empties() == empties {
                return Some(board);
            } else if 60 - board.empties() < RANDOM_PLIES {
                let moves: Vec<u32> = bits::each(board.moves()).collect();
                board = board.after(moves[rng.random_range(0..moves.len())]);
            } else {
                let found = engine.search(board, DEPTH, 0, stop)?;
                board = board.after_move(found.best?);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_doubling_is_the_logarithm_of_two() {
        let step = |empties| Step { empties, nodes: vec![f64::from(1 << empties)], seconds: 0.0 };
        let steps: Vec<Step> = (8..14).map(step).collect();
        assert!((slope(&steps, Step::mean).exp() - 2.0).abs() < 1e-9);
        assert!((slope(&steps, Step::typical).exp() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn positions_have_the_empty_squares_asked_for_and_are_repeated_by_their_seed() {
        let AnyModel::Patterns(model) = open_model("patterns").unwrap() else { panic!() };
        let model = Arc::new(model);
        let at = |seed, stream| position(&model, 12, seed, stream, &StopFlag::new()).unwrap();
        assert_eq!(at(1, 1).empties(), 12);
        assert_eq!(at(1, 1), at(1, 1));
        assert_ne!(at(1, 1), at(1, 2));
    }
}
