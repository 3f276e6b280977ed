//! How good are the tables by now?
//!
//! Two measures that stay the same over a run and from run to run: a short match against a model
//! that does not change, and the distance from the exact values of some late positions. Nothing is
//! learned from either.

use super::game::opening;
use super::search::{best, random_move};
use crate::Board;
use crate::engine::Evaluation;
use crate::models::{AnyModel, open_model};
use crate::patterns::PatternModel;
use crate::solve::Solver;
use crate::solve::level::{Machine, at_level};
use rayon::prelude::*;
use zug_core::error::shorten;
use zug_core::seed::RngExt;
use zug_core::{StopFlag, rng};
use zug_learn::face::TaskError;

/// The seed of openings and positions: not that of the run, so that runs can be compared.
const SEED: u64 = 0x07E1_1099;
/// The length of an opening.
const PLIES: u32 = 8;
/// An opening may be worth so much to either side, in hundredths of a disc.
const FAIR: i32 = 300;
/// So many last empty squares are solved in a match.
const SOLVED: u32 = 8;
/// Late positions whose exact values are known (fewer for matches of fewer pairs), and their empty
/// squares.
const POSITIONS: u64 = 300;
const EMPTIES: u32 = 16;

/// What does not change.
pub struct Judge {
    opponent: PatternModel,
    depth: u32,
    openings: Vec<Board>,
    late: Vec<(Board, i32)>,
    reference: f64,
}

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The share of the points in the match.
    pub score: f64,
    /// Its standard error, from pair to pair.
    pub score_error: f64,
    /// The mean distance of values from exact ones, in discs.
    pub distance: f64,
}

impl Judge {
    /// Finds openings and positions; `None` when stopped.
    pub fn new(opponent: PatternModel, depth: u32, pairs: u64, stop: &StopFlag) -> Option<Judge> {
        let mut openings = Vec::new();
        let mut stream = 0;
        while (openings.len() as u64) < pairs {
            let board = opening(PLIES, &mut rng(SEED, stream));
            stream += 1;
            let value = at_level!(Machine::detected(), l => best(l, &opponent, board, 2).value);
            // Among the first openings many are fair; the bound keeps the search finite in any case.
            if value.abs() <= FAIR || stream > 100 * pairs {
                openings.push(board);
            }
        }
        let late = (0..pairs.min(POSITIONS))
            .into_par_iter()
            .map_init(
                || Solver::new(4),
                |solver, number| {
                    let board = late(&opponent, number);
                    Some((board, solver.value(board, stop)?.0))
                },
            )
            .collect::<Option<Vec<_>>>()?;
        let mut judge = Judge { opponent, depth, openings, late, reference: 0.0 };
        judge.reference = judge.distance(&judge.opponent);
        Some(judge)
    }

    /// The opponent's own mean distance from the exact values, in discs.
    pub fn reference(&self) -> f64 {
        self.reference
    }

    /// Measures a model; `None` when stopped.
    pub fn judge(&self, model: &PatternModel, stop: &StopFlag) -> Option<Judged> {
        let (score, score_error) =
            encounter(model, &self.opponent, &self.openings, self.depth, stop)?;
        Some(Judged { score, score_error, distance: self.distance(model) })
    }

    fn distance(&self, model: &PatternModel) -> f64 {
        let off = |&(board, exact): &(Board, i32)| {
            (f64::from(model.value(board, &model.state(board))) / 100.0 - f64::from(exact)).abs()
        };
        self.late.iter().map(off).sum::<f64>() / self.late.len() as f64
    }
}

/// Opens a model to be measured against.
pub fn opponent(name: &str) -> Result<PatternModel, TaskError> {
    match open_model(name).map_err(TaskError::below)? {
        AnyModel::Patterns(model) => Ok(model),
        AnyModel::Thesis(_) => Err(TaskError::Unfit(format!(
            "--set against={}: expected a model of pattern tables, and this is one of the thesis",
            shorten(name)
        ))),
    }
}

/// The share of the points that a model makes against another, each opening with both colours, and
/// its standard error from pair to pair; `None` when stopped.
pub fn encounter(
    model: &PatternModel,
    opponent: &PatternModel,
    openings: &[Board],
    depth: u32,
    stop: &StopFlag,
) -> Option<(f64, f64)> {
    let points: Vec<f64> = openings
        .par_iter()
        .map_init(
            || Solver::new(1),
            |solver, &board| {
                let first = play([model, opponent], board, depth, solver, stop)?;
                let second = play([opponent, model], board, depth, solver, stop)?;
                Some((points(first) + 1.0 - points(second)) / 2.0)
            },
        )
        .collect::<Option<_>>()?;
    let count = points.len() as f64;
    let score = points.iter().sum::<f64>() / count;
    let squares: f64 = points.iter().map(|p| (p - score) * (p - score)).sum();
    Some((score, (squares / (count - 1.0).max(1.0) / count).sqrt()))
}

fn points(result: i32) -> f64 {
    f64::from(result.signum()) / 2.0 + 0.5
}

/// A game from a position on, the first model to move; the result for it.
fn play(
    models: [&PatternModel; 2],
    mut board: Board,
    depth: u32,
    solver: &mut Solver,
    stop: &StopFlag,
) -> Option<i32> {
    if stop.is_set() {
        return None;
    }
    let mut mover = 0;
    let view = |mover: usize, score: i32| if mover == 0 { score } else { -score };
    loop {
        if board.moves() == 0 {
            if board.replies() == 0 {
                return Some(view(mover, board.final_score()));
            }
            (board, mover) = (board.passed(), 1 - mover);
        }
        if board.empties() <= SOLVED {
            return Some(view(mover, solver.value(board, stop)?.0));
        }
        let model = models[mover];
        let square = at_level!(Machine::detected(), l => best(l, model, board, depth).square);
        (board, mover) = (board.after(square), 1 - mover);
    }
}

/// A late position of a game in which one move of five is random.
fn late(model: &PatternModel, number: u64) -> Board {
    let mut rng = rng(SEED, (1 << 32) + number);
    'again: loop {
        let mut board = opening(PLIES, &mut rng);
        while board.empties() > EMPTIES {
            let square = if rng.random_range(0..5) == 0 {
                random_move(board, &mut rng)
            } else {
                at_level!(Machine::detected(), l => best(l, model, board, 1).square)
            };
            board = board.after(square);
            if board.moves() == 0 {
                board = board.passed();
                if board.moves() == 0 {
                    continue 'again;
                }
            }
        }
        return board;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_worth_half_against_itself_and_little_against_nothing() {
        let stop = StopFlag::new();
        let judge = Judge::new(opponent("patterns").unwrap(), 1, 20, &stop).unwrap();
        let same = judge.judge(&judge.opponent, &stop).unwrap();
        assert_eq!((same.score, same.score_error), (0.5, 0.0));
        assert_eq!(same.distance, judge.reference());
        assert!(same.distance < 10.0, "{}", same.distance);
        let (set, phases) = (judge.opponent.set().clone(), judge.opponent.phases().clone());
        let nothing = vec![0; judge.opponent.weights().len()];
        let nothing = PatternModel::new(set, phases, nothing).unwrap();
        let nothing = judge.judge(&nothing, &stop).unwrap();
        assert!(nothing.score < 0.3 && nothing.distance > same.distance, "{nothing:?}");
        stop.set();
        assert!(judge.judge(&judge.opponent, &stop).is_none());
    }

    #[test]
    fn only_pattern_models_are_measured_against() {
        let refuse = |name| opponent(name).err().unwrap().to_string();
        assert!(refuse("logistic").contains("of the thesis"));
        assert!(refuse("dreams").contains("'dreams'"));
    }
}
