//! Which move should be tried first?
//!
//! The moves that the table knows, then those that a short look likes best: the evaluation of where
//! they lead where that pays, and everywhere the replies that they leave the opponent.

use super::{Candidate, NO_SQUARE};
use crate::Board;
use crate::bits::{Squares, neighbours};
use crate::solve::level::Level;
use arrayvec::ArrayVec;

/// More moves than a side ever has.
const MOST: usize = 40;

const CORNERS: Squares = 0x8100_0000_0000_0081;
/// The squares beside corners.
const BESIDE_CORNERS: Squares = 0x42C3_0000_0000_C342;

/// Corners, the squares in between, and those beside corners.
pub(super) const SQUARES_IN_ORDER: [Squares; 3] =
    [CORNERS, !(CORNERS | BESIDE_CORNERS), BESIDE_CORNERS];

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

    /// Weighs the moves: by the table, by the squares, and by what `more` says in hundredths of a
    /// disc, knowing the replies.
    #[inline(always)]
    pub fn weigh<L: Level>(
        &mut self,
        level: L,
        [first, second]: [u8; 2],
        mut more: impl FnMut(&Candidate, Squares) -> i32,
    ) {
        for (place, candidate) in self.list.iter().enumerate() {
            let weight = if candidate.square == first {
                1 << 30
            } else if candidate.square == second && second != NO_SQUARE {
                1 << 29
            } else {
                // The opponent is to move.
                let Board { own: opponent, other: mine } = candidate.board;
                let replies = level.moves(opponent, mine, candidate.board.empty());
                by_squares(candidate, replies) + (more(candidate, replies) << 6)
            };
            self.keys.push(i64::from(weight) << 8 | place as i64);
        }
    }

    /// The best of those that were not handed out before.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Candidate> {
        let (mut best, mut place) = (*self.keys.first()?, 0);
        for (at, &key) in self.keys.iter().enumerate() {
            if key > best {
                (best, place) = (key, at);
            }
        }
        self.keys.swap_remove(place);
        Some(self.list[(best & 255) as usize])
    }
}

/// What the squares tell about a move, in 6400ths of a disc.
#[inline(always)]
fn by_squares(candidate: &Candidate, replies: Squares) -> i32 {
    let Board { other: mine, .. } = candidate.board;
    let empty = candidate.board.empty();
    let mobility = replies.count_ones() + (replies & CORNERS).count_ones();
    // Empty squares beside my discs are the opponent's moves to come.
    let potential = (neighbours(mine) & empty).count_ones();
    let corner = i32::from(CORNERS >> candidate.square & 1 == 1);
    let beside = i32::from(BESIDE_CORNERS >> candidate.square & 1 == 1);
    6400 * (4 * corner - beside) - 6400 * mobility as i32 - 1600 * potential as i32
}
