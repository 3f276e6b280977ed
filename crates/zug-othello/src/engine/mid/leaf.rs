//! What are positions at the horizon worth, and those one or two plies before it?
//!
//! Nearly all positions of a search are here. No table, no list where none is needed, and the state
//! of a position is made only when it is evaluated.

use super::order::SQUARES_IN_ORDER;
use super::{INFINITE, Mid, Source};
use crate::Board;
use crate::engine::Evaluation;
use crate::solve::level::Level;

/// The value of a position at the horizon.
#[inline(always)]
pub(super) fn horizon<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    source: &Source<'_, E::State>,
) -> i32 {
    #[cfg(test)]
    if !mid.ordering {
        mid.shallowest = mid.shallowest.min(board.discs());
    }
    let empty = board.empty();
    let moves = level.moves(board.own, board.other, empty);
    let replies = level.moves(board.other, board.own, empty);
    if moves == 0 {
        if replies == 0 {
            return mid.final_value(board.final_score());
        }
        let state = mid.evaluation.passed(&source.state(mid.evaluation));
        return -mid.evaluation.value_knowing(board.passed(), &state, replies, moves);
    }
    mid.evaluation.value_knowing(board, &source.state(mid.evaluation), moves, replies)
}

/// The value one ply before the horizon, in the null window at `alpha`: every move is made and what
/// it leads to evaluated.
#[inline(always)]
pub(crate) fn one_ply<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    source: Source<'_, E::State>,
    alpha: i32,
) -> i32 {
    let empty = board.empty();
    let moves = level.moves(board.own, board.other, empty);
    if moves == 0 {
        if level.moves(board.other, board.own, empty) == 0 {
            return mid.final_value(board.final_score());
        }
        let state = source.state(mid.evaluation);
        return -level.mid_one(mid, board.passed(), Source::Pass(&state), -alpha - 1);
    }
    let state = source.state(mid.evaluation);
    let mut best = -INFINITE;
    for group in SQUARES_IN_ORDER {
        let mut part = moves & group;
        while part != 0 {
            let square = part.trailing_zeros();
            part &= part - 1;
            let flips = level.flips(square, board.own, board.other);
            let next = board.played(square, flips);
            mid.nodes += 1;
            let value = -horizon(level, mid, next, &Source::Move(&state, square, flips));
            if value > alpha {
                return value;
            }
            best = best.max(value);
        }
    }
    best
}

/// The value two plies before the horizon, in the null window at `alpha`: the moves that leave the
/// opponent the fewest replies first.
#[inline(always)]
pub(crate) fn two_plies<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    source: Source<'_, E::State>,
    alpha: i32,
) -> i32 {
    let empty = board.empty();
    let moves = level.moves(board.own, board.other, empty);
    if moves == 0 {
        if level.moves(board.other, board.own, empty) == 0 {
            return mid.final_value(board.final_score());
        }
        let state = source.state(mid.evaluation);
        return -level.mid_two(mid, board.passed(), Source::Pass(&state), -alpha - 1);
    }
    let state = source.state(mid.evaluation);
    let mut candidates = super::order::Candidates::new();
    candidates.find(level, board, moves);
    candidates.weigh(level, [super::NO_SQUARE; 2], |_, _| 0);
    let mut best = -INFINITE;
    while let Some(candidate) = candidates.next() {
        mid.nodes += 1;
        let source = candidate.source(board, &state);
        let value = -level.mid_one(mid, candidate.board, source, -alpha - 1);
        if value > alpha {
            return value;
        }
        best = best.max(value);
    }
    best
}
