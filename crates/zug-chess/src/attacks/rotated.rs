//! The occupied squares in four orders, so that each line of the board lies in one byte.
//!
//! ```text
//! row r, column f     holds the square      a byte holds
//! normal              file f, rank r        a rank
//! turned              file r, rank f        a file
//! rising              file f, rank r + f    two diagonals parallel to a1-h8, together 8 squares
//! falling             file f, rank r - f    two diagonals parallel to a8-h1   (ranks modulo 8)
//! ```
//!
//! A byte and the square of the piece give the attacked squares by one look into a table of
//! 4 x 64 x 256 words, made when it is first needed. In the diagonal orders the table counts only
//! the diagonal on which the piece stands; what the other half of the byte holds does not matter.

use super::Sliders;
use cozy_chess::{BitBoard, Square};
use std::sync::LazyLock;

const NORMAL: usize = 0;
const TURNED: usize = 1;
const RISING: usize = 2;
const FALLING: usize = 3;

/// The steps along the line of each order.
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The bit of a square in an order.
const fn bit(order: usize, square: usize) -> usize {
    let (file, rank) = (square & 7, square >> 3);
    match order {
        NORMAL => 8 * rank + file,
        TURNED => 8 * file + rank,
        RISING => 8 * ((rank + 8 - file) & 7) + file,
        _ => 8 * ((rank + file) & 7) + file,
    }
}

static BITS: [[u8; 64]; 4] = {
    let mut bits = [[0; 64]; 4];
    let mut order = 0;
    while order < 4 {
        let mut square = 0;
        while square < 64 {
            bits[order][square] = bit(order, square) as u8;
            square += 1;
        }
        order += 1;
    }
    bits
};

/// What is attacked along a line, by order, square and the byte of the line.
static LINES: LazyLock<Vec<[[u64; 256]; 64]>> = LazyLock::new(|| {
    let mut lines = vec![[[0; 256]; 64]; 4];
    for (order, squares) in lines.iter_mut().enumerate() {
        for square in Square::ALL {
            for byte in 0..=u8::MAX {
                squares[square as usize][usize::from(byte)] = walk(order, square, byte).0;
            }
        }
    }
    lines
});

fn walk(order: usize, square: Square, byte: u8) -> BitBoard {
    let mut attacked = BitBoard::EMPTY;
    let (files, ranks) = STEPS[order];
    for sign in [1, -1] {
        let mut at = square;
        while let Some(next) = at.try_offset(sign * files, sign * ranks) {
            attacked |= next.bitboard();
            // Both squares lie in the same byte, at the places that the order gives them.
            if byte >> (bit(order, next as usize) & 7) & 1 == 1 {
                break;
            }
            at = next;
        }
    }
    attacked
}

/// The occupied squares in all four orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rotated([u64; 4]);

impl Rotated {
    fn line(&self, order: usize, square: Square) -> u64 {
        let square = square as usize;
        let byte = self.0[order] >> (BITS[order][square] & 56) & 255;
        LINES[order][square][byte as usize]
    }
}

impl Sliders for Rotated {
    fn toggle(&mut self, square: Square) {
        for (order, occupied) in self.0.iter_mut().enumerate() {
            *occupied ^= 1 << BITS[order][square as usize];
        }
    }

    fn rook(&self, square: Square) -> BitBoard {
        BitBoard(self.line(NORMAL, square) | self.line(TURNED, square))
    }

    fn bishop(&self, square: Square) -> BitBoard {
        BitBoard(self.line(RISING, square) | self.line(FALLING, square))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_holds_every_square_once_and_keeps_lines_in_a_byte() {
        for order in 0..4 {
            let all = BITS[order].iter().fold(0u64, |all, &bit| all | 1 << bit);
            assert_eq!(all, u64::MAX);
            let (files, ranks) = STEPS[order];
            for square in Square::ALL {
                if let Some(next) = square.try_offset(files, ranks) {
                    let (a, b) = (BITS[order][square as usize], BITS[order][next as usize]);
                    assert_eq!(a & 56, b & 56, "order {order}, {square} and {next}");
                }
            }
        }
    }

    #[test]
    fn the_orders_are_those_of_the_printed_tables() {
        let place = |order: usize, square: Square| usize::from(BITS[order][square as usize]);
        // Row 0 of the diagonal orders begins with the long diagonals' squares of the a-file.
        for (i, square) in [Square::A1, Square::B2, Square::C3, Square::H8].into_iter().enumerate()
        {
            assert_eq!(place(RISING, square), [0, 1, 2, 7][i]);
        }
        assert_eq!((place(TURNED, Square::A8), place(TURNED, Square::H1)), (7, 56));
        // Row 7 of the falling order: a8 down to h1, rank (7 - f).
        assert_eq!((place(FALLING, Square::A8), place(FALLING, Square::H1)), (56, 63));
    }
}
