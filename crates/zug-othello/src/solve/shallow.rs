//! What is a position with few empty squares worth?
//!
//! Five empty squares are too few for a table, and for sorting moves: it costs more than it saves.
//! Moves into quadrants with an odd number of empty squares come first.

use super::last::odd_quadrants;
use super::level::Level;
use super::stable;
use crate::Board;

/// Up to so many empty squares, positions are searched without table and lists.
pub(super) const SHALLOW: u32 = 5;

/// The score of a position with at most [`SHALLOW`] empty squares, in the null window at `alpha`.
#[inline(always)]
pub(super) fn any<L: Level>(level: L, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
    let empty = board.empty();
    match empty.count_ones() {
        0 => board.final_score(),
        1 => super::last::one(board.own, empty.trailing_zeros()),
        2 => level.two(nodes, board, listed(empty), alpha),
        3 => level.three(nodes, board, listed(empty), alpha),
        4 => level.four(nodes, board, alpha),
        _ => level.shallow(nodes, board, alpha),
    }
}

/// Squares as bytes of a word.
fn listed(mut squares: u64) -> u32 {
    let (mut list, mut at) = (0, 0);
    while squares != 0 {
        list |= squares.trailing_zeros() << at;
        at += 8;
        squares &= squares - 1;
    }
    list
}

/// The score of a position with five empty squares, in the null window at `alpha`.
#[inline(always)]
pub(super) fn shallow<L: Level>(level: L, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
    let empty = board.empty();
    let empties = empty.count_ones();
    if let Some(bound) = stable::cut(board, empties, alpha) {
        return bound;
    }
    let moves = level.moves(board.own, board.other, empty);
    if moves == 0 {
        if level.moves(board.other, board.own, empty) == 0 {
            return board.final_score();
        }
        return -level.shallow(nodes, board.passed(), -alpha - 1);
    }
    let odd = odd_quadrants(empty);
    let mut best = -65;
    for mut part in [moves & odd, moves & !odd] {
        while part != 0 {
            let square = part.trailing_zeros();
            part &= part - 1;
            *nodes += 1;
            let next = board.played(square, level.flips(square, board.own, board.other));
            let score = if empties == 5 {
                -level.four(nodes, next, -alpha - 1)
            } else {
                -level.shallow(nodes, next, -alpha - 1)
            };
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}
