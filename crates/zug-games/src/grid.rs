//! Rectangular boards up to 64 fields: names of fields, and positions as text.
//!
//! Fields are numbered row by row from the top left; they are called as on a chess board, columns
//! a, b, c … from the left, rows 1, 2, 3 … from the bottom.
//!
//! A position is written row by row from the top, with a number for so many empty fields, and the
//! side to move at the end: `X1O/3/3 x`.

use zug_core::{Cell, Owner, Picture, Side, TextError};

/// A board of some width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Grid {
    pub(crate) fn fields(self) -> usize {
        self.width * self.height
    }

    pub(crate) fn all(self) -> u64 {
        if self.fields() == 64 { u64::MAX } else { (1 << self.fields()) - 1 }
    }

    pub(crate) fn name(self, field: usize) -> String {
        let column = char::from(b'a' + (field % self.width) as u8);
        format!("{column}{}", self.height - field / self.width)
    }

    /// Writes a position; `letters` stand for the pieces of the first and of the second side, in
    /// upper case on the board and in lower case for the side to move.
    pub(crate) fn write(self, boards: [u64; 2], side: Side, letters: [char; 2]) -> String {
        let mut out = String::new();
        for row in 0..self.height {
            if row > 0 {
                out.push('/');
            }
            let mut empty = 0;
            for column in 0..self.width {
                let field = row * self.width + column;
                let owner = boards.iter().position(|b| b >> field & 1 == 1);
                let Some(owner) = owner else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    out.push_str(&empty.to_string());
                    empty = 0;
                }
                out.push(letters[owner]);
            }
            if empty > 0 {
                out.push_str(&empty.to_string());
            }
        }
        out.push(' ');
        out.push(letters[side.index()].to_ascii_lowercase());
        out
    }

    /// Draws a position with a glyph and a letter for the pieces of each side.
    pub(crate) fn picture(
        self,
        boards: [u64; 2],
        glyphs: [char; 2],
        letters: [char; 2],
    ) -> Picture {
        let cell = |field: usize| {
            let owner = Side::BOTH.into_iter().find(|s| boards[s.index()] >> field & 1 == 1);
            owner.map_or(Cell::empty(), |side| Cell {
                owner: Owner::Piece(side),
                glyph: glyphs[side.index()],
                letter: letters[side.index()],
            })
        };
        let cells = (0..self.fields()).map(cell).collect();
        Picture::grid(self.width, self.height, cells, false)
    }

    /// Reads what [`write`](Grid::write) has written.
    pub(crate) fn read(
        self,
        text: &str,
        letters: [char; 2],
    ) -> Result<([u64; 2], Side), TextError> {
        let mut reader = Rows { grid: self, text, letters, boards: [0; 2], row: 0, column: 0 };
        let end = reader.rows()?;
        let rest = text[end..].trim();
        let side = letters.iter().position(|l| rest == l.to_ascii_lowercase().to_string());
        let side = side.ok_or_else(|| {
            let [a, b] = letters.map(|l| l.to_ascii_lowercase());
            TextError::new(end, format!("{a} or {b} as the side to move"), format!("'{rest}'"))
        })?;
        Ok((reader.boards, Side::BOTH[side]))
    }
}

struct Rows<'a> {
    grid: Grid,
    text: &'a str,
    letters: [char; 2],
    boards: [u64; 2],
    row: usize,
    column: usize,
}

impl Rows<'_> {
    /// Reads the rows and gives back the byte where they end.
    fn rows(&mut self) -> Result<usize, TextError> {
        let Grid { width, height } = self.grid;
        let mut chars = self.text.char_indices().peekable();
        while let Some((byte, c)) = chars.next() {
            if c == '/' {
                self.row_is_full(byte)?;
                self.row += 1;
                self.column = 0;
                if self.row == height {
                    return Err(TextError::new(byte, format!("{height} rows"), "'/'"));
                }
            } else if let Some(first) = c.to_digit(10) {
                let mut number = first as usize;
                while let Some(digit) = chars.peek().and_then(|(_, c)| c.to_digit(10)) {
                    number = (number * 10 + digit as usize).min(1000);
                    chars.next();
                }
                self.column += number;
            } else if let Some(owner) = self.letters.iter().position(|l| l.eq_ignore_ascii_case(&c))
            {
                if self.column < width {
                    self.boards[owner] |= 1 << (self.row * width + self.column);
                }
                self.column += 1;
            } else if c.is_whitespace() {
                self.row_is_full(byte)?;
                return self.rows_are_full(byte).map(|()| byte);
            } else {
                let [a, b] = self.letters;
                let expected = format!("{a}, {b}, a number of empty fields or '/'");
                return Err(TextError::new(byte, expected, format!("'{c}'")));
            }
            if self.column > width {
                let found = format!("{} in row {}", self.column, self.row + 1);
                return Err(TextError::new(byte, format!("{width} fields in a row"), found));
            }
        }
        self.row_is_full(self.text.len())?;
        self.rows_are_full(self.text.len()).map(|()| self.text.len())
    }

    fn row_is_full(&self, byte: usize) -> Result<(), TextError> {
        let width = self.grid.width;
        if self.column == width {
            return Ok(());
        }
        let found = format!("{} in row {}", self.column, self.row + 1);
        Err(TextError::new(byte, format!("{width} fields in a row"), found))
    }

    fn rows_are_full(&self, byte: usize) -> Result<(), TextError> {
        let height = self.grid.height;
        if self.row + 1 == height {
            return Ok(());
        }
        Err(TextError::new(byte, format!("{height} rows"), (self.row + 1).to_string()))
    }
}

/// The fields of a bitboard, ascending.
pub(crate) fn bits(mut board: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if board == 0 {
            return None;
        }
        let field = board.trailing_zeros() as usize;
        board &= board - 1;
        Some(field)
    })
}

/// The image of a bitboard under a field map.
pub(crate) fn map_board(map: &[u8], board: u64) -> u64 {
    bits(board).fold(0, |image, field| image | 1 << map[field])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_are_called_as_on_a_chess_board() {
        let grid = Grid { width: 4, height: 3 };
        assert_eq!([0, 3, 11].map(|f| grid.name(f)), ["a3", "d3", "d1"]);
    }

    #[test]
    fn broken_positions_are_refused_with_their_place() {
        let grid = Grid { width: 3, height: 3 };
        for (text, byte, expected) in [
            ("", 0, "3 fields in a row"),
            ("3/3", 3, "3 rows"),
            ("3/3/3/3 x", 5, "3 rows"),
            ("XXXX/3/3 x", 3, "3 fields in a row"),
            ("2/3/3 x", 1, "3 fields in a row"),
            ("99999999999999999999/3/3 x", 0, "3 fields in a row"),
            ("X?1/3/3 x", 1, "X, O, a number of empty fields or '/'"),
            ("3/3/3", 5, "x or o as the side to move"),
            ("3/3/3 z", 5, "x or o as the side to move"),
        ] {
            let error = grid.read(text, ['X', 'O']).unwrap_err();
            assert_eq!((error.byte, error.expected.as_str()), (byte, expected), "{text}");
        }
    }

    proptest! {
        #[test]
        fn positions_survive_being_written_and_read(
            width in 1usize..=8, height in 1usize..=8, a: u64, b: u64, second: bool
        ) {
            let grid = Grid { width, height };
            let boards = [a & grid.all(), b & !a & grid.all()];
            let side = Side::BOTH[usize::from(second)];
            let text = grid.write(boards, side, ['W', 'B']);
            prop_assert_eq!(grid.read(&text, ['W', 'B']), Ok((boards, side)));
        }

        #[test]
        fn no_text_makes_the_reader_fail(text in "\\PC{0,30}|[XO0-9/ xo]{0,20}") {
            let _ = Grid { width: 3, height: 3 }.read(&text, ['X', 'O']);
        }
    }
}
