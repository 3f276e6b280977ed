//! Boards as rows of bits, and the match test of the thesis.
//!
//! The point in column x and row y is bit N·y + x: two words hold 9×9, six hold 19×19.
//!
//! ```text
//! matches  ⇔  board.own & mask == pattern.own  and  board.theirs & mask == pattern.theirs
//! ```
//!
//! The mask has the pattern's stones and the point of the move, which must be empty. Moving a pattern by
//! dx and dy is a shift by N·dy + dx bits. Bits know nothing of the ends of rows: which shifts keep
//! all stones on the board is told by the pattern's own width and height, never by the bits.

use crate::board::Board;
use crate::colour::Colour;
use zug_core::Side;

/// A set of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Bits<W> {
        Bits([0; W])
    }
}

impl<const W: usize> Bits<W> {
    /// Adds the point of a number.
    pub fn set(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// All points moved to higher numbers.
    #[must_use]
    pub fn shifted(&self, by: usize) -> Bits<W> {
        let (words, bits) = (by / 64, by % 64);
        let mut out = [0; W];
        for (i, word) in out.iter_mut().enumerate().skip(words) {
            *word = self.0[i - words] << bits;
            if bits > 0 && i > words {
                *word |= self.0[i - words - 1] >> (64 - bits);
            }
        }
        Bits(out)
    }

    /// Is this what is left of `board` under `mask`?
    #[must_use]
    pub fn is_under(&self, mask: &Bits<W>, board: &Bits<W>) -> bool {
        self.0.iter().zip(&mask.0).zip(&board.0).all(|((own, mask), board)| board & mask == *own)
    }
}

/// The stones of a board, seen by the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BitBoard<const W: usize> {
    /// The mover's stones.
    pub own: Bits<W>,
    /// The opponent's.
    pub theirs: Bits<W>,
}

impl<const W: usize> BitBoard<W> {
    /// A board as this side sees it.
    #[must_use]
    pub fn of(board: &Board, side: Side) -> BitBoard<W> {
        let mut bits = BitBoard::default();
        for (i, p) in board.points().enumerate() {
            match board.at(p) {
                Colour::Empty | Colour::Border => {}
                colour if colour == Colour::of(side) => bits.own.set(i),
                _ => bits.theirs.set(i),
            }
        }
        bits
    }
}

/// Words that a board of some size needs.
#[must_use]
pub const fn words(size: usize) -> usize {
    (size * size).div_ceil(64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of<const W: usize>(points: &[usize]) -> Bits<W> {
        let mut bits = Bits::default();
        points.iter().for_each(|&p| bits.set(p));
        bits
    }

    proptest! {
        #[test]
        fn shifting_moves_every_point(
            points in proptest::collection::vec(0usize..200, 0..20),
            by in 0usize..180,
        ) {
            let moved: Vec<usize> = points.iter().map(|p| p + by).collect();
            prop_assert_eq!(of::<6>(&points).shifted(by), of::<6>(&moved));
        }
    }

    #[test]
    fn a_mask_hides_what_a_pattern_does_not_ask_for() {
        let (board, mask) = (of::<2>(&[3, 70, 80]), of::<2>(&[3, 4, 70]));
        assert!(of::<2>(&[3, 70]).is_under(&mask, &board));
        assert!(!of::<2>(&[3]).is_under(&mask, &board));
        assert!(!of::<2>(&[3, 4, 70]).is_under(&mask, &board));
        assert_eq!((words(9), words(19), words(13)), (2, 6, 3));
    }
}
