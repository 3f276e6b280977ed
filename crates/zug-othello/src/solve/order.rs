//! Which move should be tried first?
//!
//! The move that a table knows, then the one that leaves the opponent the fewest moves
//! (fastest-first): if it does refute, its refutation is the cheapest to prove. Moves to corners,
//! safe edges and odd quadrants break ties. Where there is a guide its value counts too.

use super::last::odd_quadrants;
use super::level::Level;
use crate::Board;
use crate::bits::{Squares, neighbours};

/// More moves than a side ever has.
pub(super) const MOST: usize = 40;

pub(super) const CORNERS: Squares = 0x8100_0000_0000_0081;

/// A move and where it leads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    pub board: Board,
    /// What the opponent may play then.
    pub replies: Squares,
    pub square: u8,
}

/// The moves of a position, at most so many, to be handed out best first.
pub(super) struct Candidates<const N: usize> {
    list: [Candidate; N],
    /// What speaks for a move, and in the lowest byte its place in the list.
    keys: [i64; N],
    len: usize,
    left: usize,
}

impl<const N: usize> Candidates<N> {
    /// None so far.
    #[inline(always)]
    pub fn new() -> Candidates<N> {
        Candidates { list: [Candidate::default(); N], keys: [0; N], len: 0, left: 0 }
    }

    /// Adds the moves of a position, not yet weighed.
    #[inline(always)]
    pub fn find<L: Level>(&mut self, level: L, board: Board, mut moves: Squares) {
        let empty = board.empty();
        for candidate in &mut self.list {
            if moves == 0 {
                break;
            }
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let next = board.played(square, level.flips(square, board.own, board.other));
            let replies = level.moves(next.own, next.other, empty & !(1 << square));
            *candidate = Candidate { board: next, replies, square: square as u8 };
            self.len += 1;
        }
    }

    /// The moves.
    #[inline(always)]
    pub fn all(&self) -> &[Candidate] {
        &self.list[..self.len]
    }

    /// Weighs the moves: by the table, by the squares, and by what `more` says.
    #[inline(always)]
    pub fn weigh(
        &mut self,
        empty: Squares,
        [first, second]: [u8; 2],
        mut more: impl FnMut(usize, &Candidate) -> i32,
    ) {
        let odd = odd_quadrants(empty);
        let list = &self.list[..self.len];
        for (place, (candidate, key)) in list.iter().zip(&mut self.keys).enumerate() {
            let weight = if candidate.square == first {
                1 << 30
            } else if candidate.square == second {
                1 << 29
            } else {
                weight(candidate, odd) + more(place, candidate)
            };
            *key = i64::from(weight) << 8 | place as i64;
        }
        self.left = self.len;
    }

    /// Takes a move out, if it is there.
    #[inline(always)]
    pub fn take(&mut self, square: u8) -> Option<Candidate> {
        let place = self.all().iter().position(|candidate| candidate.square == square)?;
        let taken = self.list[place];
        self.len -= 1;
        self.list[place] = self.list[self.len];
        Some(taken)
    }

    /// How many were not handed out yet.
    #[inline(always)]
    pub fn left(&self) -> usize {
        self.left
    }

    /// The best of those that were not handed out before, with its place among [`all`](Self::all).
    #[inline(always)]
    pub fn next(&mut self) -> Option<(usize, Candidate)> {
        let keys = &mut self.keys[..self.left];
        let last = *keys.last()?;
        let (mut best, mut at) = (last, keys.len() - 1);
        for (place, &key) in keys.iter().enumerate() {
            if key > best {
                (best, at) = (key, place);
            }
        }
        keys[at] = last;
        self.left -= 1;
        let place = (best & 255) as usize;
        Some((place, self.list[place]))
    }
}

/// What the squares tell about a move.
#[inline(always)]
fn weight(candidate: &Candidate, odd: Squares) -> i32 {
    // The opponent is to move.
    let mine = candidate.board.other;
    let empty = candidate.board.empty();
    let replies = candidate.replies;
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
