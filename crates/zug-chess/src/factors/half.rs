//! One side's pieces, on a board turned so that this side moves up.

use super::bits::*;
use cozy_chess::{Board, Color, Piece};

pub const PAWN: usize = 0;
pub const KNIGHT: usize = 1;
pub const BISHOP: usize = 2;
pub const ROOK: usize = 3;
pub const QUEEN: usize = 4;
pub const KING: usize = 5;

/// The men of both sides as one of them sees them.
#[derive(Clone, Copy)]
pub struct Half {
    /// Own men, pawn to king.
    pub own: [u64; 6],
    /// Enemy men, pawn to king.
    pub enemy: [u64; 6],
    pub own_all: u64,
    pub enemy_all: u64,
    pub occupied: u64,
    pub own_king: usize,
    pub enemy_king: usize,
    /// Is this side to move?
    pub to_move: bool,
    /// Castling rights: short, long.
    pub rights: [bool; 2],
}

impl Half {
    #[inline(always)]
    pub fn of(board: &Board, color: Color) -> Half {
        let turned = color == Color::Black;
        let turn = |b: u64| if turned { b.swap_bytes() } else { b };
        let (ours, theirs) = (turn(board.colors(color).0), turn(board.colors(!color).0));
        let (mut own, mut enemy) = ([0; 6], [0; 6]);
        for (i, piece) in Piece::ALL.into_iter().enumerate() {
            let pieces = turn(board.pieces(piece).0);
            own[i] = pieces & ours;
            enemy[i] = pieces & theirs;
        }
        let rights = board.castle_rights(color);
        Half {
            own,
            enemy,
            own_all: ours,
            enemy_all: theirs,
            occupied: ours | theirs,
            own_king: own[KING].trailing_zeros() as usize & 63,
            enemy_king: enemy[KING].trailing_zeros() as usize & 63,
            to_move: board.side_to_move() == color,
            rights: [rights.short.is_some(), rights.long.is_some()],
        }
    }

    /// Enemy pawns attack these squares.
    #[inline(always)]
    pub fn pawn_guarded(&self) -> u64 {
        attacks_down(self.enemy[PAWN])
    }

    /// Enemy pawns attack these squares, or can after moves.
    #[inline(always)]
    pub fn pawn_chased(&self) -> u64 {
        fill_down(self.pawn_guarded())
    }
}
