//! A position of the full board as its mover sees it: own discs and the other side's.
//!
//! Search, labels and learned evaluations do not care which colour is to move. Leaving it out makes
//! a position two words, and two positions that differ only in colour the same.

use crate::bits::{self, Squares};
use crate::{Move, Position};
use zug_core::Side;

/// Own discs and the other side's on the 8×8 board. No square holds two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The discs of the side to move.
    pub own: Squares,
    /// The discs of the other side.
    pub other: Squares,
}

impl Board {
    /// The start of the game.
    pub const START: Board = Board { own: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36 };

    /// The empty squares.
    #[inline(always)]
    #[must_use]
    pub const fn empty(self) -> Squares {
        !(self.own | self.other)
    }

    /// How many squares are empty.
    #[inline(always)]
    #[must_use]
    pub const fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// How many squares are not.
    #[inline(always)]
    #[must_use]
    pub const fn discs(self) -> u32 {
        (self.own | self.other).count_ones()
    }

    /// The squares where the side to move may play.
    #[inline(always)]
    #[must_use]
    pub const fn moves(self) -> Squares {
        bits::moves(self.own, self.other, self.empty())
    }

    /// The squares where the other side could play if it were to move.
    #[inline(always)]
    #[must_use]
    pub const fn replies(self) -> Squares {
        bits::moves(self.other, self.own, self.empty())
    }

    /// The discs that a move to this square turns over; none when it is illegal.
    #[inline(always)]
    #[must_use]
    pub const fn flips(self, square: u32) -> Squares {
        bits::flips(square, self.own, self.other)
    }

    /// After a move to this square that turns over `flips`.
    #[inline(always)]
    #[must_use]
    pub const fn played(self, square: u32, flips: Squares) -> Board {
        Board { own: self.other ^ flips, other: self.own | flips | 1 << square }
    }

    /// After a legal move to this square.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, square: u32) -> Board {
        self.played(square, self.flips(square))
    }

    /// After a pass.
    #[inline(always)]
    #[must_use]
    pub const fn passed(self) -> Board {
        Board { own: self.other, other: self.own }
    }

    /// Can neither side move?
    #[must_use]
    pub const fn is_over(self) -> bool {
        self.moves() == 0 && self.replies() == 0
    }

    /// The disc difference for the side to move at the end of the game, the empty squares given to
    /// the winner.
    #[inline(always)]
    #[must_use]
    pub const fn final_score(self) -> i32 {
        let (own, other) = (self.own.count_ones() as i32, self.other.count_ones() as i32);
        let lead = own - other;
        lead + lead.signum() * (64 - own - other)
    }

    /// The image under one of the eight symmetries; see [`bits::symmetric_image`].
    #[inline]
    #[must_use]
    pub const fn image(self, symmetry: usize) -> Board {
        Board {
            own: bits::symmetric_image(symmetry, 8, self.own),
            other: bits::symmetric_image(symmetry, 8, self.other),
        }
    }

    /// The smallest of the eight images: the same for all positions that differ by a symmetry.
    #[must_use]
    pub fn canonical(self) -> Board {
        (1..8).map(|s| self.image(s)).fold(self, Board::min)
    }

    /// With black as the mover or not.
    #[must_use]
    pub fn to_position(self, to_move: Side) -> Position {
        let (black, white) = match to_move {
            Side::First => (self.own, self.other),
            Side::Second => (self.other, self.own),
        };
        Position::new(black, white, to_move).expect("no square holds two discs")
    }

    /// After a move of a record, pass or square.
    #[must_use]
    pub fn after_move(self, mv: Move) -> Board {
        mv.square().map_or(self.passed(), |square| self.after(square))
    }
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        Board { own: position.own(), other: position.other() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use zug_core::Game;

    #[test]
    fn a_board_follows_the_rules_of_the_game() {
        let game = Othello::default();
        for seed in 0..50 {
            let mut position = game.start();
            let mut board = Board::START;
            for mv in random_game(&game, seed, usize::MAX) {
                assert_eq!(board, Board::from(&position));
                assert_eq!(board.to_position(position.to_move()), position);
                assert!(!board.is_over());
                position.play(mv);
                board = board.after_move(mv);
            }
            assert!(board.is_over());
            let outcome = game.outcome(&position).unwrap();
            let margin = outcome.margin.unwrap_or(0.0) as i32;
            let won = outcome.winner == Some(position.to_move());
            assert_eq!(board.final_score(), if won { margin } else { -margin });
        }
    }

    #[test]
    fn images_share_one_canonical_board() {
        let board = Board::START.after(19).after(18).after(17);
        for symmetry in 0..8 {
            assert_eq!(board.image(symmetry).canonical(), board.canonical());
        }
    }
}
