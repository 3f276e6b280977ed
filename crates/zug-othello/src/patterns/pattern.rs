//! Which squares belong to a pattern, where else does it lie, and what is an instance?
//!
//! The instance of an image is written in base 3, the first square as the lowest digit: 0 for a
//! disc of the other side, 1 for empty, 2 for an own disc. Seen from the other side every digit d
//! becomes 2 - d, so an instance i of n squares becomes 3ⁿ - 1 - i.

use crate::Board;
use crate::bits;
use std::fmt;
use zug_core::TextError;

/// The most squares of a pattern: its instances must fit into 16 bits.
pub const MOST_SQUARES: usize = 10;

/// Patterns that have a name, and their squares.
pub const NAMED: &[(&str, &str)] = &[
    ("edge", "a1-h1"),
    ("row2", "a2-h2"),
    ("row3", "a3-h3"),
    ("row4", "a4-h4"),
    ("diagonal8", "a1-h8"),
    ("diagonal7", "a2-g8"),
    ("diagonal6", "a3-f8"),
    ("diagonal5", "a4-e8"),
    ("diagonal4", "a5-d8"),
    ("diagonal3", "a6-c8"),
    ("corner2x4", "a1-d1,a2-d2"),
    ("corner2x5", "a1-e1,a2-e2"),
    ("corner3x3", "a1-c1,a2-c2,a3-c3"),
    ("edge2x", "a1-h1,b2,g2"),
    ("triangle", "a1-d1,a2-c2,a3-b3,a4"),
];

/// A set of squares, with its images under the eight symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    placements: Vec<Vec<u8>>,
    /// Orders of the squares (places in a placement) under which the set maps onto itself, the
    /// plain order first.
    orders: Vec<Vec<u8>>,
}

impl Pattern {
    /// Reads a name (`edge`) or squares and straight runs of squares: `a1-d1,a2-d2`, `a1-h8,b1`.
    pub fn parse(text: &str) -> Result<Pattern, TextError> {
        let trimmed = text.trim();
        if let Some((_, squares)) = NAMED.iter().find(|(name, _)| *name == trimmed) {
            return Ok(Pattern::new(trimmed, &read_squares(squares)?));
        }
        let squares = read_squares(text)?;
        // As it will be written into lists and files: blanks and capitals mean nothing.
        let plain: String = text.split_whitespace().collect();
        Ok(Pattern::new(&plain.to_ascii_lowercase(), &squares))
    }

    fn new(text: &str, squares: &[u8]) -> Pattern {
        let mut placements: Vec<Vec<u8>> = Vec::new();
        let mut orders: Vec<Vec<u8>> = Vec::new();
        for symmetry in 0..8 {
            let image: Vec<u8> = squares.iter().map(|&s| mapped(symmetry, s)).collect();
            let set = set_of(&image);
            if set == set_of(squares) {
                let place = |s: &u8| squares.iter().position(|q| q == s).expect("the same set");
                let order: Vec<u8> = image.iter().map(|s| place(s) as u8).collect();
                if !orders.contains(&order) {
                    orders.push(order);
                }
            }
            if placements.iter().all(|p| set_of(p) != set) {
                placements.push(image);
            }
        }
        Pattern { text: text.to_string(), placements, orders }
    }

    /// How many squares it has.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // There is no pattern without squares.
    pub fn len(&self) -> usize {
        self.placements[0].len()
    }

    /// How many instances it has.
    #[must_use]
    pub fn instances(&self) -> usize {
        3usize.pow(self.len() as u32)
    }

    /// The squares of every image, those that were given first. The squares of all images are in
    /// corresponding order.
    #[must_use]
    pub fn placements(&self) -> &[Vec<u8>] {
        &self.placements
    }

    /// The instance that a board shows on one image.
    #[must_use]
    pub fn instance(&self, board: Board, placement: usize) -> usize {
        self.placements[placement].iter().rev().fold(0, |index, &square| {
            let digit = 1 + (board.own >> square & 1) - (board.other >> square & 1);
            3 * index + digit as usize
        })
    }

    /// The instance as the other side sees it.
    #[must_use]
    pub fn swapped(&self, instance: usize) -> usize {
        self.instances() - 1 - instance
    }

    /// For each instance the smallest of those that a symmetry of the pattern maps it to.
    #[must_use]
    pub fn representatives(&self) -> Vec<u16> {
        let powers: Vec<usize> = (0..self.len() as u32).map(|k| 3usize.pow(k)).collect();
        (0..self.instances())
            .map(|instance| {
                let image = |order: &Vec<u8>| -> usize {
                    let digit = |k: usize| instance / powers[k] % 3;
                    order.iter().enumerate().map(|(k, &at)| digit(k) * powers[at as usize]).sum()
                };
                self.orders.iter().map(image).min().expect("the plain order") as u16
            })
            .collect()
    }
}

/// The name or the squares, in small letters and without blanks.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn mapped(symmetry: usize, square: u8) -> u8 {
    bits::symmetric_image(symmetry, 8, 1 << square).trailing_zeros() as u8
}

fn set_of(squares: &[u8]) -> u64 {
    squares.iter().fold(0, |set, &s| set | 1 << s)
}

fn read_squares(text: &str) -> Result<Vec<u8>, TextError> {
    let mut squares: Vec<u8> = Vec::new();
    let mut byte = 0;
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let from = read_square(first, byte)?;
        let to = read_square(last, byte + part.len() - last.len())?;
        for square in run(from, to).ok_or_else(|| {
            TextError::new(byte, "a row, a column or a diagonal", format!("'{part}'"))
        })? {
            if squares.contains(&square) {
                let name = crate::Move::to_square(u32::from(square)).expect("on the board");
                return Err(TextError::new(byte, "each square once", format!("{name} again")));
            }
            squares.push(square);
        }
        byte += part.len() + 1;
    }
    if squares.len() > MOST_SQUARES {
        let expected = format!("at most {MOST_SQUARES} squares");
        return Err(TextError::new(0, expected, squares.len().to_string()));
    }
    Ok(squares)
}

fn read_square(text: &str, byte: usize) -> Result<u8, TextError> {
    let mv = match text.trim().as_bytes() {
        [column, row] => crate::Move::from_ascii(*column, *row, 8),
        _ => None,
    };
    let square = mv.and_then(crate::Move::square);
    square.map(|s| s as u8).ok_or_else(|| {
        let expected = "a square such as a1, a run such as a1-d1, or the name of a pattern";
        TextError::new(byte, expected, format!("'{}'", zug_core::error::shorten(text)))
    })
}

/// All squares from one to another, if they lie on a line.
fn run(from: u8, to: u8) -> Option<Vec<u8>> {
    let (row, column) = (i32::from(from / 8), i32::from(from % 8));
    let (down, right) = (i32::from(to / 8) - row, i32::from(to % 8) - column);
    if down != 0 && right != 0 && down.abs() != right.abs() {
        return None;
    }
    let square = |k: i32| 8 * (row + k * down.signum()) + column + k * right.signum();
    Some((0..=down.abs().max(right.abs())).map(|k| square(k) as u8).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_named_patterns_have_the_placements_of_their_symmetry() {
        let placements = |name| Pattern::parse(name).unwrap().placements().len();
        for (name, expected) in [
            ("edge", 4),
            ("row4", 4),
            ("diagonal8", 2),
            ("diagonal7", 4),
            ("diagonal3", 4),
            ("corner2x4", 8),
            ("corner2x5", 8),
            ("corner3x3", 4),
            ("edge2x", 4),
            ("triangle", 4),
        ] {
            assert_eq!(placements(name), expected, "{name}");
        }
        for (name, _) in NAMED {
            assert!(Pattern::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused_with_its_place() {
        let bad = |text: &str| Pattern::parse(text).unwrap_err();
        assert_eq!(bad("").byte, 0);
        assert_eq!(bad("a1-d1,i2").byte, 6);
        assert_eq!(bad("a1-d1,a2-d9").byte, 9);
        assert_eq!(bad("a1-b3").expected, "a row, a column or a diagonal");
        assert_eq!(bad("a1-d1,c1").found, "c1 again");
        assert_eq!(bad("a1-h1,a2-h2").found, "16");
    }

    proptest! {
        #[test]
        fn symmetric_boards_show_the_same_instances(
            a: u64, b: u64, which in 0..NAMED.len(), symmetry in 0usize..8,
        ) {
            let board = Board { own: a & b, other: a & !b };
            let pattern = Pattern::parse(NAMED[which].0).unwrap();
            let representatives = pattern.representatives();
            let all = |board: Board| {
                let mut all: Vec<u16> = (0..pattern.placements().len())
                    .map(|p| representatives[pattern.instance(board, p)])
                    .collect();
                all.sort_unstable();
                all
            };
            prop_assert_eq!(all(board), all(board.image(symmetry)));
            let swapped = pattern.instance(board.passed(), 0);
            prop_assert_eq!(swapped, pattern.swapped(pattern.instance(board, 0)));
        }

        #[test]
        fn reading_never_panics(text in ".{0,24}") {
            let _ = Pattern::parse(&text);
        }
    }
}
