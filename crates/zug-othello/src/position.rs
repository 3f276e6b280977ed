//! A position: the discs of both sides and who is to move, and how it is written on one line.
//!
//! Written: one character a square from a1, b1, … row by row, `X` black, `O` white, `-` empty,
//! then a space and the side to move. Read: also `*`, `B`, `#` and `●` for black, `W` and `○` for
//! white, `.` and `_` for empty, small letters, blanks and slashes between the rows, and the two
//! common ways with digits (`.01` for empty, black, white, and `012` for empty, black, white)
//! where it is clear which of them is meant.

use crate::bits::{self, Squares};
use crate::mv::Move;
use zug_core::{Side, TextError};

/// Discs and side to move. No square holds two discs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    own: Squares,
    other: Squares,
    to_move: Side,
}

impl Position {
    /// A position of these discs; `None` if a square would hold two.
    #[must_use]
    pub const fn new(black: Squares, white: Squares, to_move: Side) -> Option<Position> {
        if black & white != 0 {
            return None;
        }
        Some(match to_move {
            Side::First => Position { own: black, other: white, to_move },
            Side::Second => Position { own: white, other: black, to_move },
        })
    }

    /// The discs of the side to move.
    #[inline]
    #[must_use]
    pub const fn own(&self) -> Squares {
        self.own
    }

    /// The discs of the side that moved last.
    #[inline]
    #[must_use]
    pub const fn other(&self) -> Squares {
        self.other
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// The discs of a side.
    #[must_use]
    pub fn discs(&self, side: Side) -> Squares {
        if side == self.to_move { self.own } else { self.other }
    }

    /// Both sides' discs.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Squares {
        self.own | self.other
    }

    /// Black's discs minus white's.
    #[must_use]
    pub fn lead(&self) -> i32 {
        self.discs(Side::First).count_ones() as i32 - self.discs(Side::Second).count_ones() as i32
    }

    /// The position after the side to move has placed a disc or passed. Whether the move was
    /// legal is not asked; one that turns nothing over just places the disc, and one on an
    /// occupied square counts as a pass.
    #[inline]
    pub const fn play(&mut self, mv: Move) {
        let mut placed = 0;
        let mut flipped = 0;
        if let Some(square) = mv.square()
            && self.occupied() >> square & 1 == 0
        {
            placed = 1 << square;
            flipped = bits::flips(square, self.own, self.other);
        }
        *self = Position {
            own: self.other ^ flipped,
            other: self.own ^ flipped ^ placed,
            to_move: self.to_move.other(),
        };
    }

    /// The image under a symmetry of a board of this size (see [`bits::symmetric_image`]).
    #[must_use]
    pub const fn symmetric_image(&self, symmetry: usize, size: u8) -> Position {
        Position {
            own: bits::symmetric_image(symmetry, size, self.own),
            other: bits::symmetric_image(symmetry, size, self.other),
            to_move: self.to_move,
        }
    }

    /// Writes the squares without the side to move.
    #[must_use]
    pub fn write_squares(&self, size: u8, letters: Letters) -> String {
        let (black, white) = (self.discs(Side::First), self.discs(Side::Second));
        bits::each(bits::board(size))
            .map(|s| match (black >> s & 1, white >> s & 1) {
                (1, _) => letters.black,
                (_, 1) => letters.white,
                _ => letters.empty,
            })
            .collect()
    }

    /// Writes squares and side to move on one line.
    #[must_use]
    pub fn write(&self, size: u8) -> String {
        let letters = Letters::default();
        let side = match self.to_move {
            Side::First => letters.black,
            Side::Second => letters.white,
        };
        format!("{} {side}", self.write_squares(size, letters))
    }

    /// Reads squares and side to move; see the module for what is understood.
    pub fn read(size: u8, text: &str) -> Result<Position, TextError> {
        let squares = read_squares(size, text)?;
        let rest = &text[squares.end..];
        let word = rest.trim();
        let byte = squares.end + (rest.len() - rest.trim_start().len());
        let side = match (word.to_lowercase().as_str(), squares.digits) {
            ("x" | "*" | "b" | "#" | "●" | "black", _) => Side::First,
            ("o" | "w" | "○" | "white", _) => Side::Second,
            ("0", Some(Digits::BlackIsZero)) | ("1", Some(Digits::BlackIsOne)) => Side::First,
            ("1", Some(Digits::BlackIsZero)) | ("2", Some(Digits::BlackIsOne)) => Side::Second,
            ("", _) => {
                return Err(TextError::new(byte, "the side to move, X or O", "the end"));
            }
            _ => {
                let expected = "the side to move, X or O, and nothing more";
                return Err(TextError::new(byte, expected, format!("'{word}'")));
            }
        };
        Ok(Position::new(squares.black, squares.white, side).expect("each square is read once"))
    }
}

/// The characters of a written board.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    /// For a black disc.
    pub black: char,
    /// For a white disc.
    pub white: char,
    /// For an empty square.
    pub empty: char,
}

impl Default for Letters {
    fn default() -> Letters {
        Letters { black: 'X', white: 'O', empty: '-' }
    }
}

/// A board that was read, and where its text ended.
struct ReadSquares {
    black: Squares,
    white: Squares,
    digits: Option<Digits>,
    end: usize,
}

/// Which digits mean what.
#[derive(Clone, Copy, PartialEq)]
enum Digits {
    /// `0` black, `1` white.
    BlackIsZero,
    /// `0` empty, `1` black, `2` white.
    BlackIsOne,
}

fn read_squares(size: u8, text: &str) -> Result<ReadSquares, TextError> {
    let wanted = usize::from(size) * usize::from(size);
    let mut found: Vec<(usize, char)> = Vec::with_capacity(wanted);
    let mut end = text.len();
    for (byte, c) in text.char_indices() {
        if found.len() == wanted {
            end = byte;
            break;
        }
        if c.is_whitespace() || c == '/' {
            continue;
        }
        if !"XxOo-*Bb#●Ww○._012".contains(c) {
            let expected = format!("a square ({} of {wanted}), X, O or -", found.len() + 1);
            return Err(TextError::new(byte, expected, format!("'{c}'")));
        }
        found.push((byte, c));
    }
    if found.len() < wanted {
        let expected = format!("{wanted} squares");
        return Err(TextError::new(text.len(), expected, format!("{}", found.len())));
    }
    let digits = digits_of(&found)?;
    let (mut black, mut white) = (0, 0);
    for (square, &(_, c)) in bits::each(bits::board(size)).zip(&found) {
        match (c, digits) {
            ('0', Some(Digits::BlackIsZero)) | ('1', Some(Digits::BlackIsOne)) => {
                black |= 1 << square;
            }
            ('1', Some(Digits::BlackIsZero)) | ('2', _) => white |= 1 << square,
            ('X' | 'x' | '*' | 'B' | 'b' | '#' | '●', _) => black |= 1 << square,
            ('O' | 'o' | 'W' | 'w' | '○', _) => white |= 1 << square,
            _ => {}
        }
    }
    Ok(ReadSquares { black, white, digits, end })
}

/// Which way of digits a board is written in; an error if that is not clear.
fn digits_of(found: &[(usize, char)]) -> Result<Option<Digits>, TextError> {
    let Some(&(byte, first)) = found.iter().find(|(_, c)| c.is_ascii_digit()) else {
        return Ok(None);
    };
    let has = |wanted: &str| found.iter().any(|&(_, c)| wanted.contains(c));
    let digits = if has("XxOo*Bb#●Ww○") {
        None
    } else {
        match (has("._-"), has("0"), has("2")) {
            (true, _, false) => Some(Digits::BlackIsZero),
            (false, _, true) | (true, false, true) => Some(Digits::BlackIsOne),
            (true, true, true) | (false, _, false) => None,
        }
    };
    let expected = "digits that are clear (0 and 1 with . for empty, or 0, 1 and 2), or X, O and -";
    digits.map(Some).ok_or_else(|| TextError::new(byte, expected, format!("'{first}'")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, black: &[u32], white: &[u32], side: Side) {
        let set = |squares: &[u32]| squares.iter().fold(0, |s, q| s | 1u64 << q);
        let read = Position::read(4, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(Some(read), Position::new(set(black), set(white), side), "{text}");
    }

    #[test]
    fn common_ways_of_writing_a_board_are_understood() {
        for text in [
            "-----OX--XO----- X",
            "-----ox--xo-----x",
            "---- -O*- -*O- ---- *",
            "..../.WB./.BW./.... black",
            "_____○●__●○_____ ●",
            ".....10..01..... 0",
            "0000021001200000 1",
            "-----10--01----- X",
        ] {
            check(text, &[10, 17], &[9, 18], Side::First);
        }
        check(".....10..01..... 1", &[10, 17], &[9, 18], Side::Second);
        check("-----OX--XO----- O", &[10, 17], &[9, 18], Side::Second);
    }

    #[test]
    fn what_is_unclear_or_wrong_is_refused_with_its_place() {
        let bad = |text: &str| Position::read(4, text).unwrap_err();
        assert_eq!(bad("").byte, 0);
        assert_eq!(bad("-----OX--XO---").found, "14");
        assert_eq!(bad("-----OX?-XO----- X").byte, 7);
        assert_eq!(bad("-----OX--XO-----").byte, 16);
        assert_eq!(bad("-----OX--XO----- X X").byte, 17);
        // Are the zeros empty or black?
        assert_eq!(bad("0101010101010101 X").byte, 0);
        assert_eq!(bad("-----10--0O----- X").byte, 5);
        assert_eq!(bad("-----10--02----- X").byte, 5);
    }

    #[test]
    fn no_square_holds_two_discs() {
        assert_eq!(Position::new(3, 2, Side::First), None);
    }

    proptest! {
        #[test]
        fn positions_survive_being_written_and_read(
            a: u64, b: u64, first: bool, size in prop_oneof![Just(4u8), Just(6), Just(8)],
        ) {
            let side = if first { Side::First } else { Side::Second };
            let board = bits::board(size);
            let position = Position::new(a & b & board, a & !b & board, side).unwrap();
            prop_assert_eq!(Position::read(size, &position.write(size)), Ok(position));
        }

        #[test]
        fn reading_never_panics(text in ".{0,80}") {
            let _ = Position::read(8, &text);
        }
    }
}
