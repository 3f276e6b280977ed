//! Which move should be tried first?
//!
//! The move that a table knows, then the one that leaves the opponent the fewest moves
//! (fastest-first): if it does refute, its refutation is the cheapest to prove. Moves to corners,
//! safe edges and odd quadrants break ties. Where there is a guide its value counts too.

use super::last::odd_quadrants;
use super::level::Level;
use crate::Board;
use crate::bits::{Squares, neighbours};
use arrayvec::ArrayVec;

/// More moves than a side ever has.
pub(super) const MOST: usize = 40;

const CORNERS: Squares = 0x8100_0000_0000_0081;

/// A move and where it leads.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub board: Board,
    pub square: u8,
}

/// The moves of a position, to be handed out best first.
pub(super) struct Candidates {
    list: ArrayVec<Candidate, MOST>,
    /// What speaks for a move, and in the lowest byte its place in the list.
    keys: ArrayVec<i64, MOST>,
}

impl Candidates {
    /// None so far.
    #[inline(always)]
    pub fn new() -> Candidates {
        Candidates { list: ArrayVec::new(), keys: ArrayVec::new() }
    }

    /// Adds the moves of a position, not yet weighed.
    #[inline(always)]
    pub fn find<L: Level>(&mut self, level: L, board: Board, mut moves: Squares) {
        while moves != 0 && !self.list.is_full() {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let next = board.played(square, level.flips(square, board.own, board.other));
            self.list.push(Candidate { board: next, square: square as u8 });
        }
    }

    /// The moves.
    #[inline(always)]
    pub fn all(&self) -> &[Candidate] {
        &self.list
    }

    /// Weighs the moves: by the table, by the squares, and by what `more` says.
    #[inline(always)]
    pub fn weigh<L: Level>(
        &mut self,
        level: L,
        empty: Squares,
        [first, second]: [u8; 2],
        mut more: impl FnMut(usize, &Candidate) -> i32,
    ) {
        let odd = odd_quadrants(empty);
        for (place, candidate) in self.list.iter().enumerate() {
            let weight = if candidate.square == first {
                1 << 30
            } else if candidate.square == second {
                1 << 29
            } else {
                weight(level, candidate, odd) + more(place, candidate)
            };
            self.keys.push(i64::from(weight) << 8 | place as i64);
        }
    }

    /// How many were not handed out yet.
    #[inline(always)]
    pub fn left(&self) -> usize {
        self.keys.len()
    }

    /// The best of those that were not handed out before, with its place among [`all`](Self::all).
    #[inline(always)]
    pub fn next(&mut self) -> Option<(usize, Candidate)> {
        let (mut best, mut place) = (*self.keys.first()?, 0);
        for (at, &key) in self.keys.iter().enumerate() {
            if key > best {
                (best, place) = (key, at);
            }
        }
        self.keys.swap_remove(place);
        let place = (best & 255) as usize;
        Some((place, self.list[place]))
    }
}

/// What the squares tell about a move.
#[inline(always)]
fn weight<L: Level>(level: L, candidate: &Candidate, odd: Squares) -> i32 {
    // The opponent is to move.
    let Board { own: opponent, other: mine } = candidate.board;
    let empty = candidate.board.empty();
    let replies = level.moves(opponent, mine, empty);
    // A corner counts twice.
    let mobility = replies.count_ones() + (replies & CORNERS).count_ones();
    // Empty squares beside my discs are the opponent's moves to come.
    let potential = (neighbours(mine) & empty).count_ones();
    let square = u32::from(candidate.square);
    -((mobility as i32) << 15) - ((potential as i32) << 5)
        + ((corner_stability(mine) as i32) << 11)
        + i32::from(odd >> square & 1 != 0) * (1 << 8)
        + i32::from(SQUARES[square as usize & 63])
}

/// Corners, and the discs beside them on the edges, which they make safe.
#[inline(always)]
fn corner_stability(discs: Squares) -> u32 {
    let corners = discs & CORNERS;
    let beside = (corners << 1 | corners >> 1) & 0x4200_0000_0000_0042;
    let above = (corners << 8 | corners >> 8) & 0x0081_0000_0000_8100;
    (corners | (beside | above) & discs).count_ones()
}

/// How good a square is by itself: corners first, the squares beside empty corners last.
static SQUARES: [i8; 64] = {
    let eighth: [[i8; 4]; 4] = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        table[square] = eighth[row][column];
        square += 1;
    }
    table
};
