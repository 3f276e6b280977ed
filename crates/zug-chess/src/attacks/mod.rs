//! Which squares does a rook or bishop attack? Two ways to know, and a board that works with either.
//!
//! The thesis's engine kept the occupied squares in four orders and read attacks from a table by
//! the bits of a line ([`Rotated`]). Today one order and a multiplication do ([`Magic`], as in the
//! crate `cozy-chess`, on which everything else here stands). [`Plain`] is a small board with
//! moves made and taken back, which takes either; both must count the same move sequences.

mod magic;
mod plain;
mod rotated;

pub use magic::Magic;
pub use plain::Plain;
pub use rotated::Rotated;

use crate::position::Position;
use cozy_chess::{BitBoard, Square};

/// Knows the occupied squares, and what sliding pieces attack among them.
pub trait Sliders: Clone + Default {
    /// A square becomes occupied, or empty if it was occupied.
    fn toggle(&mut self, square: Square);

    /// What a rook on a square attacks, up to and including the first man on each line.
    fn rook(&self, square: Square) -> BitBoard;

    /// What a bishop attacks.
    fn bishop(&self, square: Square) -> BitBoard;
}

/// A way to find attacks, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attacks {
    /// One order, hashed by a multiplication.
    Magic,
    /// Four orders, read as they are.
    Rotated,
}

impl Attacks {
    /// All of them.
    pub const ALL: [Attacks; 2] = [Attacks::Magic, Attacks::Rotated];

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Attacks::Magic => "magic",
            Attacks::Rotated => "rotated",
        }
    }

    /// Counts the legal move sequences of `depth` plies by making moves and taking them back.
    ///
    /// ```
    /// use zug_chess::{Position, attacks::Attacks};
    /// assert_eq!(Attacks::Rotated.perft(&Position::start(), 3), 8902);
    /// ```
    #[must_use]
    pub fn perft(self, position: &Position, depth: u32) -> u64 {
        match self {
            Attacks::Magic => Plain::<Magic>::new(position).perft(depth),
            Attacks::Rotated => Plain::<Rotated>::new(position).perft(depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fen, perft};
    use proptest::prelude::*;

    /// What a slider attacks, step by step.
    fn walked(square: Square, occupied: BitBoard, steps: [(i8, i8); 4]) -> BitBoard {
        let mut attacked = BitBoard::EMPTY;
        for (files, ranks) in steps {
            let mut at = square;
            while let Some(next) = at.try_offset(files, ranks) {
                attacked |= next.bitboard();
                if occupied.has(next) {
                    break;
                }
                at = next;
            }
        }
        attacked
    }

    fn check<S: Sliders>(occupied: u64) {
        let mut sliders = S::default();
        for square in BitBoard(occupied) {
            sliders.toggle(square);
        }
        for square in Square::ALL {
            let rook = walked(square, BitBoard(occupied), [(1, 0), (-1, 0), (0, 1), (0, -1)]);
            let bishop = walked(square, BitBoard(occupied), [(1, 1), (-1, 1), (1, -1), (-1, -1)]);
            assert_eq!(sliders.rook(square), rook, "rook on {square}");
            assert_eq!(sliders.bishop(square), bishop, "bishop on {square}");
        }
        for square in BitBoard(occupied) {
            sliders.toggle(square);
        }
        assert_eq!(sliders.rook(Square::A1), S::default().rook(Square::A1));
    }

    proptest! {
        #[test]
        fn attacks_are_those_that_a_walk_along_the_lines_finds(occupied: u64, fewer: u64) {
            for occupied in [occupied, occupied & fewer, occupied | fewer] {
                check::<Rotated>(occupied);
                check::<Magic>(occupied);
            }
        }
    }

    #[test]
    fn both_count_the_same_sequences_as_the_rules() {
        for (text, depth) in [
            (fen::START, 4),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
            // Chess960: kings and rooks that pass through each other.
            ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 3),
            ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", 3),
            ("rkb2bnr/pp2pppp/2p1n3/3p4/q2P4/5NP1/PPP1PP1P/RKBNQBR1 w Aha - 1 9", 3),
        ] {
            let position = fen::parse(text).unwrap();
            for depth in 0..=depth {
                let counted = perft::count(position.board(), depth);
                for attacks in Attacks::ALL {
                    let name = attacks.name();
                    assert_eq!(attacks.perft(&position, depth), counted, "{name}, {depth}, {text}");
                }
            }
        }
    }
}
