//! Which chance to win does a value of the learned tables mean?
//!
//! The finished model plays games against itself, from random openings and with some random moves;
//! the curves through their results go into the header, where `zug eval` looks for them.

use super::game::opening;
use super::search::{best, random_move};
use crate::Board;
use crate::joint::data::{Examples, Group};
use crate::joint::win;
use crate::patterns::PatternModel;
use crate::solve::Solver;
use crate::solve::level::{Machine, at_level};
use rayon::prelude::*;
use zug_core::seed::RngExt;
use zug_core::{StopFlag, rng};

/// The note of a model's header that holds the curves.
pub const NOTE: &str = "win-curves";
/// So many last empty squares are solved.
const SOLVED: u32 = 8;

/// The curves as a note, from so many games; `None` when stopped.
pub fn note(model: &PatternModel, games: u64, seed: u64, stop: &StopFlag) -> Option<String> {
    let lists: Vec<Vec<(Board, i32)>> = (0..games)
        .into_par_iter()
        .map_init(|| Solver::new(1), |solver, game| play(model, seed, game, solver, stop))
        .collect::<Option<_>>()?;
    let mut groups: Vec<Group> = Vec::new();
    for discs in 5..64 {
        let of = || lists.iter().flatten().filter(|e| e.0.discs() == discs);
        let boards: Vec<Board> = of().map(|e| e.0).collect();
        if !boards.is_empty() {
            let scores: Vec<i8> = of().map(|e| e.1 as i8).collect();
            groups.push(Group { discs, boards, scores, weights: Vec::new() });
        }
    }
    let examples = Examples { groups };
    let value = |board| f64::from(model.discs(board));
    let curves = win::curves(&examples, &Examples::default(), model.phases(), value);
    let one = |c: &win::WinCurve| {
        format!("{}-{} {:.5} {:.5}", c.first_discs, c.last_discs, c.slope, c.offset)
    };
    Some(curves.iter().map(one).collect::<Vec<_>>().join("; "))
}

/// The positions of a game, each with the result for its side to move.
fn play(
    model: &PatternModel,
    seed: u64,
    game: u64,
    solver: &mut Solver,
    stop: &StopFlag,
) -> Option<Vec<(Board, i32)>> {
    if stop.is_set() {
        return None;
    }
    // Streams that no training game has.
    let mut rng = rng(!seed, game);
    let mut board = opening(rng.random_range(2..12), &mut rng);
    let (mut positions, mut view) = (Vec::new(), 1);
    let result = loop {
        if board.moves() == 0 {
            if board.replies() == 0 {
                break view * board.final_score();
            }
            (board, view) = (board.passed(), -view);
        }
        positions.push((board, view));
        let square = if rng.random_range(0..20) == 0 {
            random_move(board, &mut rng)
        } else if board.empties() <= SOLVED {
            let moves = solver.every_move(board, stop)?;
            let (mv, _) = moves.into_iter().max_by_key(|&(_, score)| score)?;
            mv.square()?
        } else {
            at_level!(Machine::detected(), l => best(l, model, board, 1).square)
        };
        (board, view) = (board.after(square), -view);
    };
    Some(positions.into_iter().map(|(board, view)| (board, view * result)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::judge::opponent;
    use super::*;

    #[test]
    fn a_better_value_is_a_better_chance() {
        let model = opponent("patterns").unwrap();
        let stop = StopFlag::new();
        let note = note(&model, 40, 1, &stop).unwrap();
        let slopes: Vec<f64> = note
            .split("; ")
            .map(|curve| curve.split(' ').nth(1).unwrap().parse().unwrap())
            .collect();
        assert!(slopes.len() >= 12, "{note}");
        assert!(slopes.iter().skip(4).all(|&slope| slope > 0.0), "{note}");
        assert_eq!(super::note(&model, 40, 1, &stop).unwrap(), note);
        stop.set();
        assert!(super::note(&model, 40, 1, &stop).is_none());
    }
}
