//! How good does a move look, looking a few plies ahead?
//!
//! Orders the moves of the few nodes with many empty squares: no table, no cuts, the evaluation at the
//! horizon.

use super::level::Level;
use super::order::{Candidates, MOST};
use super::search::Search;
use super::table::NO_SQUARE;
use crate::Board;
use crate::bits::each;
use crate::engine::{Evaluation, Unit, hundredths_of_discs};

/// The value of a position in hundredths of a disc, looking `depth` plies ahead.
#[inline(always)]
pub(super) fn glance<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let empty = board.empty();
    let moves = level.moves(board.own, board.other, empty);
    if moves == 0 {
        if level.moves(board.other, board.own, empty) == 0 {
            return 100 * board.final_score();
        }
        let state = search.guide.passed(state);
        return -level.glance(search, board.passed(), &state, depth, -beta, -alpha);
    }
    if depth == 0 {
        let replies = level.moves(board.other, board.own, empty);
        let value = search.guide.value_knowing(board, state, moves, replies);
        return match search.guide.unit() {
            Unit::Discs => value,
            unit => value / hundredths_of_discs(unit, 1),
        };
    }
    if depth == 1 {
        let mut best = i32::MIN;
        for square in each(moves) {
            search.nodes += 1;
            let flips = level.flips(square, board.own, board.other);
            let state = search.guide.played(state, square, flips);
            let next = board.played(square, flips);
            let value = -level.glance(search, next, &state, 0, -beta, -alpha);
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        return best;
    }
    let mut candidates = Candidates::<MOST>::new();
    candidates.find(level, board, moves);
    candidates.weigh(empty, [NO_SQUARE; 2], |_, _| 0);
    let mut best = i32::MIN;
    while let Some((_, next)) = candidates.next() {
        search.nodes += 1;
        let state = search.guide.played(state, next.square.into(), board.other ^ next.board.own);
        let value = -level.glance(search, next.board, &state, depth - 1, -beta, -alpha.max(best));
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    best
}
