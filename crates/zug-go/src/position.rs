//! A position and its text: board, side to move, ko, captures, passes, moves played.
//!
//! ```text
//! 9/9/2X3O2/9/4X4/9/2O3X2/9/9 white ko=- caps=0,0 passes=0 moves=5
//! ```
//!
//! Rows from the top, `X` for Black, `O` for White, a number for so many empty points. `ko` is the
//! point that may not be retaken, `caps` are the stones captured by Black and by White, `passes`
//! the passes just played, `moves` the moves of the game so far. When reading, all after the side
//! may be left out, in any order; a dot is an empty point too.

use crate::board::Board;
use crate::colour::{Colour, letter};
use crate::point::{Move, Point, quote, read_point};
use std::fmt::Write as _;
use zug_core::{Side, TextError};

/// All that the rules need to go on, but for the history.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) to_move: Side,
    pub(crate) passes: u8,
    pub(crate) moves: u32,
}

impl Position {
    /// An empty board with Black to move.
    #[must_use]
    pub fn new(size: usize) -> Position {
        Position::from_board(Board::new(size), Side::First)
    }

    /// A board with this side to move.
    #[must_use]
    pub fn from_board(board: Board, to_move: Side) -> Position {
        Position { board, to_move, passes: 0, moves: 0 }
    }

    /// The stones.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// How many moves before this one were passes, without a stone between (0 to 2).
    #[must_use]
    pub fn passes(&self) -> usize {
        usize::from(self.passes)
    }

    /// Moves played since the game began.
    #[must_use]
    pub fn moves_played(&self) -> u32 {
        self.moves
    }

    /// Plays a move without asking whether it is legal; a stone on an occupied point counts as a
    /// pass.
    pub fn play(&mut self, mv: Move) {
        match mv {
            Move::Play(p) if self.board.at(p) == Colour::Empty => {
                self.board.play(p, self.to_move);
                self.passes = 0;
            }
            _ => {
                self.board.pass();
                self.passes = (self.passes + 1).min(2);
            }
        }
        self.to_move = self.to_move.other();
        self.moves = self.moves.saturating_add(1);
    }

    /// The position as text; see the [module](self).
    #[must_use]
    pub fn to_text(&self) -> String {
        let size = self.board.size();
        let mut out = String::new();
        for y in 0..size {
            if y > 0 {
                out.push('/');
            }
            let mut run = 0;
            for x in 0..size {
                match self.board.at(Point::at(x, y)) {
                    Colour::Empty => run += 1,
                    stone => {
                        flush(&mut out, &mut run);
                        out.push(letter(stone));
                    }
                }
            }
            flush(&mut out, &mut run);
        }
        let ko = self.board.ko().map_or("-".to_string(), |p| p.name(size));
        let [black, white] = Side::BOTH.map(|s| self.board.captures(s));
        let _ = write!(
            out,
            " {} ko={ko} caps={black},{white} passes={} moves={}",
            side_word(self.to_move),
            self.passes,
            self.moves
        );
        out
    }

    /// Reads a position on a board of this size.
    pub fn from_text(text: &str, size: usize) -> Result<Position, TextError> {
        let mut words = words(text);
        let (at, rows) = words.next().ok_or_else(|| {
            TextError::new(0, "the rows of the board, separated by '/'", "nothing")
        })?;
        let stones = read_rows(rows, at, size)?;
        let board = Board::with_stones(size, stones.iter().map(|&(_, p, side)| (p, side)))
            .map_err(|p| {
                let byte = stones.iter().find(|s| s.1 == p).map_or(at, |s| s.0);
                TextError::new(
                    byte,
                    "a stone whose chain has a liberty",
                    format!("{}, which has none", p.name(size)),
                )
            })?;
        let expected = "'black' or 'white' to move";
        let to_move = match words.next() {
            Some((byte, word)) => {
                read_side(word).ok_or_else(|| TextError::new(byte, expected, quote(word)))?
            }
            None => return Err(TextError::new(text.len(), expected, "the end of the text")),
        };
        let mut position = Position::from_board(board, to_move);
        for (byte, word) in words {
            position.read_field(byte, word, size)?;
        }
        if position.board.ko().is_some() && position.passes > 0 {
            return Err(TextError::new(text.len(), "no ko after a pass", "both"));
        }
        Ok(position)
    }

    fn read_field(&mut self, byte: usize, word: &str, size: usize) -> Result<(), TextError> {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let at = byte + key.len() + 1;
        let bad = |expected: &str| TextError::new(at, expected, quote(value));
        match key {
            "ko" if value == "-" => {}
            "ko" => {
                let p =
                    read_point(value, size).map_err(|e| TextError { byte: e.byte + at, ..e })?;
                if !self.board.set_ko(p, self.to_move) {
                    return Err(bad("a point where the side to move could retake a ko"));
                }
            }
            "caps" => {
                let expected = "two numbers of captured stones up to 9999, as in 3,0";
                let (b, w) = value.split_once(',').ok_or_else(|| bad(expected))?;
                let number = |t: &str| {
                    t.parse().ok().filter(|&n: &u16| n <= 9999).ok_or_else(|| bad(expected))
                };
                self.board.set_captures([number(b)?, number(w)?]);
            }
            "passes" => {
                self.passes = match value {
                    "0" => 0,
                    "1" => 1,
                    "2" => 2,
                    _ => return Err(bad("0, 1 or 2 passes")),
                };
            }
            "moves" => {
                let number = value.parse().ok().filter(|&n: &u32| n <= 1_000_000);
                self.moves = number.ok_or_else(|| bad("a number of moves up to 1000000"))?;
            }
            _ => {
                let expected = "ko=, caps=, passes= or moves=";
                return Err(TextError::new(byte, expected, quote(word)));
            }
        }
        Ok(())
    }
}

fn flush(out: &mut String, run: &mut usize) {
    if *run > 0 {
        let _ = write!(out, "{run}");
        *run = 0;
    }
}

/// What people call a side.
#[must_use]
pub const fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Reads a side: `black`, `white`, `b`, `w`, in any case.
#[must_use]
pub fn read_side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" | "x" => Some(Side::First),
        "w" | "white" | "o" => Some(Side::Second),
        _ => None,
    }
}

/// Words with the byte where each begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let begin = text.as_ptr() as usize;
    text.split_ascii_whitespace().map(move |word| (word.as_ptr() as usize - begin, word))
}

/// Stones with the byte where each stands.
fn read_rows(rows: &str, at: usize, size: usize) -> Result<Vec<(usize, Point, Side)>, TextError> {
    let mut stones = Vec::new();
    let mut byte = at;
    let mut count = 0;
    for (y, row) in rows.split('/').enumerate() {
        if y == size {
            return Err(TextError::new(byte, format!("{size} rows"), "another row"));
        }
        let mut x = 0;
        let mut run = 0;
        for (i, c) in row.char_indices() {
            let side = match c {
                '0'..='9' => {
                    run = run * 10 + (c as usize - '0' as usize);
                    if run > size {
                        let expected = format!("at most {size} empty points");
                        return Err(TextError::new(byte + i, expected, quote(row)));
                    }
                    continue;
                }
                '.' => None,
                'X' | 'x' | 'b' | 'B' => Some(Side::First),
                'O' | 'o' | 'w' | 'W' => Some(Side::Second),
                _ => {
                    let expected = "X, O, a dot or a number of empty points";
                    return Err(TextError::new(byte + i, expected, quote(&c.to_string())));
                }
            };
            x += run;
            run = 0;
            if x >= size {
                return Err(TextError::new(byte + i, format!("{size} points"), quote(row)));
            }
            if let Some(side) = side {
                stones.push((byte + i, Point::at(x, y), side));
            }
            x += 1;
        }
        if x + run != size {
            return Err(TextError::new(byte, format!("{size} points"), quote(row)));
        }
        byte += row.len() + 1;
        count = y + 1;
    }
    if count != size {
        let found = format!("{count}");
        return Err(TextError::new(byte.saturating_sub(1), format!("{size} rows"), found));
    }
    Ok(stones)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_says_all_that_matters() {
        let text = "1XO1/XO1O/1XO1/4 black ko=C3 caps=0,1 passes=0 moves=9";
        let position = Position::from_text(text, 4).unwrap();
        assert_eq!(position.to_text(), text);
        assert_eq!(position.board().ko(), Some(Point::at(2, 1)));
    }

    #[test]
    fn only_board_and_side_are_needed() {
        let position = Position::from_text("  ..X/3/O2   w ", 3).unwrap();
        assert_eq!(position.to_text(), "2X/3/O2 white ko=- caps=0,0 passes=0 moves=0");
    }

    #[test]
    fn bad_positions_are_refused_with_their_place() {
        for (text, byte) in [
            ("", 0),
            ("3/3 black", 3),
            ("3/3/3/3 black", 6),
            ("3/4/3 black", 2),
            ("3/2/3 black", 2),
            ("3/XXXX/3 black", 5),
            ("3/1z1/3 black", 3),
            ("3/99999999999999999999999/3 black", 2),
            ("3/3/3", 5),
            ("3/3/3 red", 6),
            ("3/3/3 black ko=A1", 15),
            ("3/3/3 black ko=Z9", 15),
            ("3/3/3 black caps=1", 17),
            ("3/3/3 black caps=1,99999", 17),
            ("3/3/3 black passes=3", 19),
            ("3/3/3 black moves=-1", 18),
            ("3/3/3 black luck=1", 12),
            ("XXX/XXX/XXX black", 0),
            ("OX1/X2/3 black", 0),
        ] {
            assert_eq!(Position::from_text(text, 3).unwrap_err().byte, byte, "{text}");
        }
        let ko_and_pass = "1XO1/XO1O/1XO1/4 black ko=C3 passes=1";
        assert!(Position::from_text(ko_and_pass, 4).is_err());
    }
}
