//! Where a stone can lie, and what a player can do: points, moves, and their notation.
//!
//! Points are numbered on a grid of fixed width with a border, so that the four neighbours are
//! always at the same distances, whatever the size of the board, and no test for the edge is
//! needed:
//!
//! ```text
//!   0   1   2 …  19      border
//!  20  21  22 …  39      border, then the top row: x = 0 is 21
//!  40  41  42 …  59      the column at 40, 60, … is the border of both sides
//! ```

use std::fmt;
use zug_core::TextError;

/// Cells from one row to the next.
pub(crate) const STRIDE: usize = 20;
/// The largest board.
pub const MAX_SIZE: usize = 19;
/// The smallest board.
pub const MIN_SIZE: usize = 2;
/// Cells of the grid of the largest board, border included.
pub(crate) const CELLS: usize = (MAX_SIZE + 2) * STRIDE + 1;

/// A point of the board, of any size up to 19×19.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub(crate) u16);

impl Point {
    /// The point in column `x` (from the left) and row `y` (from the top), both from 0; `None`
    /// beyond 19×19.
    #[must_use]
    pub const fn new(x: usize, y: usize) -> Option<Point> {
        if x < MAX_SIZE && y < MAX_SIZE { Some(Point::at(x, y)) } else { None }
    }

    pub(crate) const fn at(x: usize, y: usize) -> Point {
        Point(((y + 1) * STRIDE + x + 1) as u16)
    }

    /// Column, from 0 on the left.
    #[must_use]
    pub const fn x(self) -> usize {
        (self.0 as usize - 1) % STRIDE
    }

    /// Row, from 0 at the top.
    #[must_use]
    pub const fn y(self) -> usize {
        (self.0 as usize - 1) / STRIDE - 1
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The neighbours up, left, right and down; some may be border.
    pub(crate) const fn neighbours(self) -> [Point; 4] {
        let s = STRIDE as u16;
        [Point(self.0 - s), Point(self.0 - 1), Point(self.0 + 1), Point(self.0 + s)]
    }

    /// The neighbours across the corners; some may be border.
    pub(crate) const fn diagonals(self) -> [Point; 4] {
        let s = STRIDE as u16;
        [Point(self.0 - s - 1), Point(self.0 - s + 1), Point(self.0 + s - 1), Point(self.0 + s + 1)]
    }

    /// The name of the point on a board of this size: columns A to T without I, rows from the
    /// bottom.
    #[must_use]
    pub fn name(self, size: usize) -> String {
        format!("{}{}", column_letter(self.x()), size - self.y())
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x(), self.y())
    }
}

/// The letter of a column: I is left out, since it looks like a 1.
#[must_use]
pub fn column_letter(x: usize) -> char {
    let skip = u8::from(x >= 8);
    char::from(b'A' + (x % 25) as u8 + skip)
}

/// Something a player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Put a stone here.
    Play(Point),
    /// Hand over the turn.
    Pass,
}

/// Reads the name of a point (`d4`, `Q16`) on a board of this size.
pub fn read_point(text: &str, size: usize) -> Result<Point, TextError> {
    let expected = || {
        let last = column_letter(size - 1);
        format!("a point from A1 to {last}{size} (columns without I)")
    };
    let mut chars = text.chars();
    let letter = chars.next().map_or(' ', |c| c.to_ascii_uppercase());
    let x = match letter {
        'A'..='H' => letter as usize - 'A' as usize,
        'J'..='T' => letter as usize - 'B' as usize,
        _ => return Err(TextError::new(0, expected(), quote(text))),
    };
    if x >= size {
        return Err(TextError::new(0, expected(), quote(text)));
    }
    let digits = chars.as_str();
    let row: usize = match digits.parse() {
        Ok(row) if digits.bytes().all(|b| b.is_ascii_digit()) => row,
        _ => return Err(TextError::new(1, expected(), quote(text))),
    };
    if row == 0 || row > size {
        return Err(TextError::new(1, expected(), quote(text)));
    }
    Ok(Point::at(x, size - row))
}

/// Reads a move without asking whether it is legal: a point, or `pass`.
pub fn read_move(text: &str, size: usize) -> Result<Move, TextError> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    match read_point(text, size) {
        Ok(point) => Ok(Move::Play(point)),
        Err(mut e) => {
            e.expected.push_str(" or 'pass'");
            Err(e)
        }
    }
}

pub(crate) fn quote(text: &str) -> String {
    if text.is_empty() { "nothing".to_string() } else { format!("'{text}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_survives_being_written_and_read() {
        for size in MIN_SIZE..=MAX_SIZE {
            for y in 0..size {
                for x in 0..size {
                    let p = Point::new(x, y).unwrap();
                    assert_eq!((p.x(), p.y()), (x, y));
                    assert_eq!(read_point(&p.name(size), size), Ok(p));
                    assert_eq!(read_point(&p.name(size).to_lowercase(), size), Ok(p));
                }
            }
        }
    }

    #[test]
    fn the_letter_i_is_no_column() {
        assert_eq!(Point::at(8, 0).name(19), "J19");
        assert!(read_point("I5", 19).is_err());
    }

    #[test]
    fn points_off_the_board_are_refused_with_their_place() {
        assert_eq!(read_point("K1", 9).unwrap_err().byte, 0);
        assert_eq!(read_point("A10", 9).unwrap_err().byte, 1);
        assert_eq!(read_point("A0", 9).unwrap_err().byte, 1);
        assert_eq!(read_point("A+1", 9).unwrap_err().byte, 1);
        assert_eq!(read_point("", 9).unwrap_err().byte, 0);
        assert_eq!(read_point("é4", 9).unwrap_err().byte, 0);
        assert_eq!(read_move(" PASS ", 9), Ok(Move::Pass));
    }
}
