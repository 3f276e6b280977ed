//! Attacks and board symmetries as tables over squares numbered from 0 (a1) to 63 (h8).

use cozy_chess::{BitBoard, Square};

/// What a man is, as a small number.
pub(super) const KING: u8 = 0;
pub(super) const QUEEN: u8 = 1;
pub(super) const ROOK: u8 = 2;
pub(super) const BISHOP: u8 = 3;
pub(super) const KNIGHT: u8 = 4;
pub(super) const PAWN: u8 = 5;

/// Kinds of the layout that a passing pawn begins at.
pub(super) const PASSING: u8 = 12;

/// The colour of each kind of the layout: 0 White, 1 Black.
pub(super) const COLOR: [u8; 14] = [0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1];
/// What each kind of the layout is.
pub(super) const PIECE: [u8; 14] =
    [KING, KING, QUEEN, ROOK, BISHOP, KNIGHT, QUEEN, ROOK, BISHOP, KNIGHT, PAWN, PAWN, PAWN, PAWN];
/// The kind of the other colour.
pub(super) const PARTNER: [u8; 14] = [1, 0, 6, 7, 8, 9, 2, 3, 4, 5, 11, 10, 13, 12];
/// Kinds by colour and man (queen, rook, bishop, knight, pawn).
pub(super) const KIND: [[u8; 5]; 2] = [[2, 3, 4, 5, 10], [6, 7, 8, 9, 11]];

const fn steps<const N: usize>(deltas: [(i32, i32); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            let (file, rank) = (square % 8 + deltas[i].0, square / 8 + deltas[i].1);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square as usize] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// Where a king goes from each square.
pub(super) static KING_STEPS: [u64; 64] =
    steps([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);
/// Where a knight goes from each square.
pub(super) static KNIGHT_STEPS: [u64; 64] =
    steps([(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);
/// What a pawn attacks, by colour and square.
pub(super) static PAWN_ATTACKS: [[u64; 64]; 2] =
    [steps([(-1, 1), (1, 1)]), steps([(-1, -1), (1, -1)])];

/// The eight symmetries of the board: bit 0 swaps left and right, bit 1 top and bottom, bit 2
/// reflects on the diagonal from a1 to h8 first.
pub(super) static MAP: [[u8; 64]; 8] = {
    let mut maps = [[0; 64]; 8];
    let mut g = 0;
    while g < 8 {
        let mut square = 0;
        while square < 64 {
            let turned = if g & 4 != 0 { square % 8 * 8 + square / 8 } else { square };
            let flip = if g & 1 != 0 { 7 } else { 0 } ^ if g & 2 != 0 { 56 } else { 0 };
            maps[g][square] = (turned ^ flip) as u8;
            square += 1;
        }
        g += 1;
    }
    maps
};
/// Reflection on the diagonal from a1 to h8.
pub(super) const DIAGONAL: usize = 4;
/// Top becomes bottom.
pub(super) const UP_DOWN: usize = 2;

fn square(index: u8) -> Square {
    Square::index(usize::from(index & 63))
}

/// What a rook sees.
#[inline]
pub(super) fn rook(from: u8, occupied: u64) -> u64 {
    cozy_chess::get_rook_moves(square(from), BitBoard(occupied)).0
}

/// What a bishop sees.
#[inline]
pub(super) fn bishop(from: u8, occupied: u64) -> u64 {
    cozy_chess::get_bishop_moves(square(from), BitBoard(occupied)).0
}

/// The squares between two that lie on one line.
#[inline]
pub(super) fn between(a: u8, b: u8) -> u64 {
    cozy_chess::get_between_rays(square(a), square(b)).0
}

/// What an officer or a king sees.
#[inline]
pub(super) fn sight(piece: u8, from: u8, occupied: u64) -> u64 {
    match piece {
        KING => KING_STEPS[usize::from(from & 63)],
        QUEEN => rook(from, occupied) | bishop(from, occupied),
        ROOK => rook(from, occupied),
        BISHOP => bishop(from, occupied),
        KNIGHT => KNIGHT_STEPS[usize::from(from & 63)],
        _ => 0,
    }
}

/// The squares of a bitboard, ascending.
#[inline]
pub(super) fn squares(mut board: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (board != 0).then(|| {
            let square = board.trailing_zeros() as u8;
            board &= board - 1;
            square
        })
    })
}

/// One square as a bitboard.
#[inline]
pub(super) fn bit(square: u8) -> u64 {
    1 << (square & 63)
}
