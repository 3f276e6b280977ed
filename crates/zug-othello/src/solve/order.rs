//! Which move should be tried first?
//!
//! The move that a table knows, then the one that leaves the opponent the fewest moves
//! (fastest-first): if it does refute, its refutation is the cheapest to prove. Moves to corners,
//! safe edges and odd quadrants break ties. Where there is a guide its value counts too.

use super::last::odd_quadrants;
use super::level::Level;
use super::table::Known;
use crate::Board;
use crate::bits::{Squares, neighbours};

/// More moves than a side ever has.
const MOST: usize = 40;

const CORNERS: Squares = 0x8100_0000_0000_0081;

/// A move, where it leads, and what speaks for it.
#[derive(Clone, Copy, Default)]
pub(super) struct Candidate {
    pub board: Board,
    pub flips: Squares,
    pub square: u8,
    pub weight: i32,
}

/// The moves of a position, best first as far as they were asked for.
pub(super) struct Candidates {
    list: [Candidate; MOST],
    len: usize,
    next: usize,
}

impl Candidates {
    /// All moves of a position, not yet weighed.
    #[inline(always)]
    pub fn new<L: Level>(level: L, board: Board, mut moves: Squares) -> Candidates {
        let mut list = [Candidate::default(); MOST];
        let mut len = 0;
        while moves != 0 && len < MOST {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let flips = level.flips(square, board.own, board.other);
            let next = board.played(square, flips);
            list[len] = Candidate { board: next, flips, square: square as u8, weight: 0 };
            len += 1;
        }
        Candidates { list, len, next: 0 }
    }

    /// The moves.
    #[inline(always)]
    pub fn all(&mut self) -> &mut [Candidate] {
        &mut self.list[..self.len]
    }

    /// Weighs the moves by what the squares alone tell.
    #[inline(always)]
    pub fn weigh<L: Level>(&mut self, level: L, empty: Squares, known: Option<Known>) {
        let odd = odd_quadrants(empty);
        for candidate in self.all() {
            candidate.weight = weight(level, candidate, odd);
        }
        self.prefer(known);
    }

    /// Puts the moves of the table first.
    #[inline(always)]
    pub fn prefer(&mut self, known: Option<Known>) {
        if let Some(known) = known {
            for candidate in self.all() {
                if candidate.square == known.best[0] {
                    candidate.weight += 1 << 29;
                } else if candidate.square == known.best[1] {
                    candidate.weight += 1 << 28;
                }
            }
        }
    }

    /// The best of those that were not handed out before.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Candidate> {
        let rest = &mut self.list[self.next.min(self.len)..self.len];
        if rest.is_empty() {
            return None;
        }
        let mut best = 0;
        for at in 1..rest.len() {
            if rest[at].weight > rest[best].weight {
                best = at;
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
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
