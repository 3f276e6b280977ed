//! What is a position with few empty squares worth?
//!
//! A table costs more than it saves here. With five empty squares so does sorting: moves into
//! quadrants with an odd number of empty squares come first. With six and seven the moves that leave
//! the opponent the fewest replies do.

use super::last::odd_quadrants;
use super::level::Level;
use super::order::CORNERS;
use super::stable;
use crate::Board;
use crate::bits::{Squares, each};

/// Up to so many empty squares, positions are searched without table.
pub(super) const SHALLOW: u32 = 7;
/// More moves than there are.
const MOST: usize = 8;

/// The score of a position with at most [`SHALLOW`] empty squares, in the null window at `alpha`.
#[inline(always)]
pub(super) fn any<L: Level>(level: L, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
    let empty = board.empty();
    match empty.count_ones() {
        0 => board.final_score(),
        1 => super::last::one(board.own, empty.trailing_zeros(), alpha),
        2 => level.two(nodes, board, listed(empty), alpha),
        3 => level.three(nodes, board, listed(empty), alpha),
        4 => level.four(nodes, board, alpha),
        empties => {
            let moves = level.moves(board.own, board.other, empty);
            if empties == 5 {
                level.five(nodes, board, moves, alpha)
            } else {
                level.few(nodes, board, moves, alpha)
            }
        }
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
pub(super) fn five<L: Level>(
    level: L,
    nodes: &mut u64,
    board: Board,
    moves: Squares,
    alpha: i32,
) -> i32 {
    let empty = board.empty();
    let empties = empty.count_ones();
    if let Some(bound) = stable::cut(board, empties, alpha) {
        return bound;
    }
    if moves == 0 {
        let replies = level.moves(board.other, board.own, empty);
        if replies == 0 {
            return board.final_score();
        }
        return -level.five(nodes, board.passed(), replies, -alpha - 1);
    }
    let odd = odd_quadrants(empty);
    let mut best = -65;
    for mut part in [moves & odd, moves & !odd] {
        while part != 0 {
            let square = part.trailing_zeros();
            part &= part - 1;
            *nodes += 1;
            let next = board.played(square, level.flips(square, board.own, board.other));
            let score = -level.four(nodes, next, -alpha - 1);
            if score > alpha {
                return score;
            }
            best = best.max(score);
        }
    }
    best
}

/// The score of a position with six or seven empty squares, in the null window at `alpha`.
#[inline(always)]
pub(super) fn few<L: Level>(
    level: L,
    nodes: &mut u64,
    board: Board,
    moves: Squares,
    alpha: i32,
) -> i32 {
    let empty = board.empty();
    let empties = empty.count_ones();
    if let Some(bound) = stable::cut(board, empties, alpha) {
        return bound;
    }
    if moves == 0 {
        let replies = level.moves(board.other, board.own, empty);
        if replies == 0 {
            return board.final_score();
        }
        return -level.few(nodes, board.passed(), replies, -alpha - 1);
    }
    let odd = odd_quadrants(empty);
    let mut best = -65;
    let mut list = [(Board::default(), 0); MOST];
    let mut keys = [u32::MAX; MOST];
    let mut len = 0;
    for square in each(moves) {
        let next = board.played(square, level.flips(square, board.own, board.other));
        let replies = level.moves(next.own, next.other, empty & !(1 << square));
        // A corner counts twice.
        let count = replies.count_ones() + (replies & CORNERS).count_ones();
        list[len % MOST] = (next, replies);
        keys[len % MOST] = count << 5 | u32::from(odd >> square & 1 == 0) << 4 | len as u32;
        len += 1;
    }
    for _ in 0..len {
        let mut least = 0;
        for at in 1..len {
            if keys[at % MOST] < keys[least % MOST] {
                least = at;
            }
        }
        let (next, replies) = list[keys[least % MOST] as usize % MOST];
        keys[least % MOST] = u32::MAX;
        *nodes += 1;
        let score = if empties == 6 {
            -level.five(nodes, next, replies, -alpha - 1)
        } else {
            -level.few(nodes, next, replies, -alpha - 1)
        };
        if score > alpha {
            return score;
        }
        best = best.max(score);
    }
    best
}
