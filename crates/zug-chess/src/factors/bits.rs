//! Sets of squares as 64 bits, a1 the lowest, and the steps between them.
//!
//! Factors are counted for one side at a time on a board that is turned so that this side moves up.
//! Turning is `swap_bytes`: rows are bytes. So no counting rule knows of colours, and a position
//! with colours exchanged counts the same by construction.
//!
//! Everything here is inlined always, so that it is compiled for the processor of whoever calls it
//! (see [`with_popcnt`](super::with_popcnt)).

use cozy_chess::{BitBoard, Square};

pub const FILE_A: u64 = 0x0101_0101_0101_0101;
pub const FILE_H: u64 = FILE_A << 7;
/// Files c to f.
pub const MIDDLE_FILES: u64 = 0x3c3c_3c3c_3c3c_3c3c;
pub const CENTRE_SQUARES: u64 = 0x0000_0018_1800_0000;
/// The squares of the colour of a1.
pub const DARK: u64 = crate::position::DARK_SQUARES.0;

/// The row, 0 to 7.
#[inline(always)]
pub const fn row(row: usize) -> u64 {
    0xff << (8 * row)
}

#[inline(always)]
pub const fn north(b: u64) -> u64 {
    b << 8
}

#[inline(always)]
pub const fn south(b: u64) -> u64 {
    b >> 8
}

#[inline(always)]
pub const fn sideways(b: u64) -> u64 {
    (b & !FILE_A) >> 1 | (b & !FILE_H) << 1
}

/// Attacks of pawns that move up.
#[inline(always)]
pub const fn attacks_up(b: u64) -> u64 {
    (b & !FILE_A) << 7 | (b & !FILE_H) << 9
}

/// Attacks of pawns that move down.
#[inline(always)]
pub const fn attacks_down(b: u64) -> u64 {
    (b & !FILE_A) >> 9 | (b & !FILE_H) >> 7
}

/// The set with everything below it.
#[inline(always)]
pub const fn fill_down(mut b: u64) -> u64 {
    b |= b >> 8;
    b |= b >> 16;
    b | b >> 32
}

/// The file of a square.
#[inline(always)]
pub const fn file_of(square: usize) -> u64 {
    FILE_A << (square & 7)
}

/// The files beside that of a square.
#[inline(always)]
pub const fn beside(square: usize) -> u64 {
    sideways(file_of(square))
}

/// The rows above that of a square.
#[inline(always)]
pub const fn above(square: usize) -> u64 {
    (!0xff_u64).wrapping_shl(square as u32 & 0x38)
}

/// The squares of a set, one after another.
#[inline(always)]
pub fn squares(set: u64) -> Squares {
    Squares(set)
}

/// Goes through the squares of a set. Not a closure: those are not inlined for certain.
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

#[inline(always)]
pub fn at(square: usize) -> Square {
    Square::index_const(square & 63)
}

#[inline(always)]
pub fn bishop(square: usize, occupied: u64) -> u64 {
    cozy_chess::get_bishop_moves(at(square), BitBoard(occupied)).0
}

#[inline(always)]
pub fn rook(square: usize, occupied: u64) -> u64 {
    cozy_chess::get_rook_moves(at(square), BitBoard(occupied)).0
}

#[inline(always)]
pub fn knight(square: usize) -> u64 {
    cozy_chess::get_knight_moves(at(square)).0
}

#[inline(always)]
pub fn king(square: usize) -> u64 {
    cozy_chess::get_king_moves(at(square)).0
}

#[inline(always)]
pub fn between(a: usize, b: usize) -> u64 {
    cozy_chess::get_between_rays(at(a), at(b)).0
}

#[inline(always)]
pub fn line(a: usize, b: usize) -> u64 {
    cozy_chess::get_line_rays(at(a), at(b)).0
}

/// Steps of a king from one square to another.
#[inline(always)]
pub const fn steps(a: usize, b: usize) -> usize {
    let files = (a & 7).abs_diff(b & 7);
    let rows = (a >> 3).abs_diff(b >> 3);
    if files > rows { files } else { rows }
}

/// The number of squares, as an index.
#[inline(always)]
pub const fn len(b: u64) -> usize {
    b.count_ones() as usize
}

/// The files of a king's wing: a to d, c to f or e to h.
#[inline(always)]
pub const fn wing(king: usize) -> u64 {
    match king & 7 {
        0..=2 => 0x0f0f_0f0f_0f0f_0f0f,
        3..=4 => MIDDLE_FILES,
        _ => 0xf0f0_f0f0_f0f0_f0f0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_do_not_wrap_around_the_edge() {
        assert_eq!(attacks_up(1), 1 << 9);
        assert_eq!(attacks_up(1 << 7), 1 << 14);
        assert_eq!(attacks_down(1 << 8), 1 << 1);
        assert_eq!(sideways(1 << 7), 1 << 6);
        assert_eq!(above(4), !0xff);
        assert_eq!(above(60), 0);
        assert_eq!(fill_down(1 << 63), FILE_H);
    }
}
