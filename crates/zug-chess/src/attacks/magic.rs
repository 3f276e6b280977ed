//! The occupied squares in one order; lines are found by a multiplication (or a bit extraction).

use super::Sliders;
use cozy_chess::{BitBoard, Square, get_bishop_moves, get_rook_moves};

/// The occupied squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Magic(BitBoard);

impl Sliders for Magic {
    fn toggle(&mut self, square: Square) {
        self.0 ^= square.bitboard();
    }

    fn rook(&self, square: Square) -> BitBoard {
        get_rook_moves(square, self.0)
    }

    fn bishop(&self, square: Square) -> BitBoard {
        get_bishop_moves(square, self.0)
    }
}
