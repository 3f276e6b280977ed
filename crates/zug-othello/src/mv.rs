//! A move: a square, or the pass.

use std::fmt;

/// A move. Squares are numbered 8·row + column from a1 on every board size.
///
/// ```
/// use zug_othello::Move;
/// assert_eq!(Move::at(4, 5).unwrap().to_string(), "f5");
/// assert_eq!(Move::PASS.to_string(), "pass");
/// assert_eq!(Move::at(8, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// The pass, the only move of a side that cannot place a disc.
    pub const PASS: Move = Move(64);

    /// The move to a row (0 to 7, from the top) and column (0 to 7).
    #[must_use]
    pub const fn at(row: u8, column: u8) -> Option<Move> {
        if row < 8 && column < 8 { Some(Move(8 * row + column)) } else { None }
    }

    /// The move to a square from 0 to 63.
    #[must_use]
    pub const fn to_square(square: u32) -> Option<Move> {
        if square < 64 { Some(Move(square as u8)) } else { None }
    }

    /// The square, or `None` for the pass.
    #[must_use]
    pub const fn square(self) -> Option<u32> {
        if self.0 < 64 { Some(self.0 as u32) } else { None }
    }

    /// Is this the pass?
    #[must_use]
    pub const fn is_pass(self) -> bool {
        self.0 == 64
    }

    /// Reads a square (`f5`, `F5`) of a board with `size` rows from two bytes.
    #[must_use]
    pub(crate) fn from_ascii(column: u8, row: u8, size: u8) -> Option<Move> {
        let column = column.to_ascii_lowercase().checked_sub(b'a').filter(|&c| c < size)?;
        let row = row.checked_sub(b'1').filter(|&r| r < size)?;
        Move::at(row, column)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            None => f.write_str("pass"),
            Some(square) => {
                write!(f, "{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
            }
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
