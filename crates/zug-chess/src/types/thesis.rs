//! The 33 types of the thesis: endings, and otherwise the queens and the zones of both kings.
//!
//! Chapter 3.3 of the thesis. The borders of the zones are not given there; those of
//! [`Zones::default`] are ours, and can be set otherwise. Types are numbered from 0 in code and from
//! 1 in the text of the thesis: the start position is code 22, text 23.

use cozy_chess::{Board, Color, Piece};

/// The number of types.
pub const THESIS_TYPES: usize = 33;

/// Where the zones of the king begin and end. Rows and files are counted from the king's own side
/// and from the a-file, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zones {
    /// So many rows are the back of the board.
    pub low_rows: u8,
    /// At the back: files below are left, …
    pub low_left: u8,
    /// … and files from here on are right.
    pub low_right: u8,
    /// Further up: files below are left, …
    pub high_left: u8,
    /// … and files from here on are right; the rest is the centre.
    pub high_right: u8,
}

impl Default for Zones {
    /// Rows 1 and 2: a to c left, d to f middle, g and h right. Above: a and b left, g and h right,
    /// c to f centre.
    fn default() -> Zones {
        Zones { low_rows: 2, low_left: 3, low_right: 6, high_left: 2, high_right: 6 }
    }
}

impl Zones {
    pub(super) fn word(&self) -> String {
        let Zones { low_rows, low_left, low_right, high_left, high_right } = self;
        format!("{low_rows}-{low_left}-{low_right}-{high_left}-{high_right}")
    }

    pub(super) fn parse(word: &str) -> Result<Zones, String> {
        let bad = || {
            format!(
                "'{}' does not say where the zones of the king are; expected five numbers from 0 \
                 to 8 joined by '-', such as {}: the rows at the back, and there and above the \
                 file where the left ends and that where the right begins",
                zug_core::error::shorten(word),
                Zones::default().word()
            )
        };
        let numbers: Result<Vec<u8>, _> = word.split('-').map(str::parse::<u8>).collect();
        match numbers.as_deref() {
            Ok(&[low_rows, low_left, low_right, high_left, high_right])
                if [low_rows, low_left, low_right, high_left, high_right]
                    .iter()
                    .all(|&n| n <= 8)
                    && low_left <= low_right
                    && high_left <= high_right =>
            {
                Ok(Zones { low_rows, low_left, low_right, high_left, high_right })
            }
            _ => Err(bad()),
        }
    }

    /// The zone of a king: left 0, middle 1, right 2, centre 3.
    #[must_use]
    pub fn zone(&self, board: &Board, color: Color) -> u8 {
        let king = board.king(color);
        let (file, row) = (king.file() as u8, king.rank().relative_to(color) as u8);
        let low = row < self.low_rows;
        let (left, right) =
            if low { (self.low_left, self.low_right) } else { (self.high_left, self.high_right) };
        match file {
            file if file < left => 0,
            file if file >= right => 2,
            _ if low => 1,
            _ => 3,
        }
    }
}

/// The type of a position, 0 (ending) to 32.
///
/// ```
/// use zug_chess::{Position, types};
/// let code = types::thesis_type(Position::start().board(), &types::Zones::default());
/// assert_eq!((code, types::text_number(code)), (22, 23));
/// ```
#[must_use]
pub fn thesis_type(board: &Board, zones: &Zones) -> u8 {
    let pieces =
        board.pieces(Piece::Bishop) | board.pieces(Piece::Knight) | board.pieces(Piece::Rook);
    let queens = !board.pieces(Piece::Queen).is_empty();
    if pieces.len() < if queens { 3 } else { 6 } {
        return 0;
    }
    let (white, black) = (zones.zone(board, Color::White), zones.zone(board, Color::Black));
    1 + 16 * u8::from(queens) + 4 * white + black
}

/// The number by which the text of the thesis calls a type, 1 to 33.
#[must_use]
pub fn text_number(code: u8) -> u8 {
    code + 1
}

/// A type in words.
#[must_use]
pub fn describe(code: u8) -> String {
    const ZONES: [&str; 4] = ["left", "middle", "right", "centre"];
    if code == 0 {
        return "ending".into();
    }
    let rest = usize::from(code - 1);
    let queens = if rest >= 16 { "queens" } else { "no queens" };
    let (white, black) = (ZONES[rest / 4 % 4], ZONES[rest % 4]);
    format!("{queens}, white king {white}, black king {black}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn text_type(text: &str) -> u8 {
        text_number(thesis_type(fen::parse(text).unwrap().board(), &Zones::default()))
    }

    #[test]
    fn types_have_the_numbers_of_the_thesis() {
        for (text, number) in [
            (fen::START, 23),
            // Black, White and both have castled short.
            ("rnbq1rk1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", 24),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 w kq - 0 1", 27),
            ("rnbq1rk1/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1RK1 w - - 0 1", 28),
            ("2kr1bnr/pppppppp/8/8/8/8/PPPPPPPP/2KR1BNR w - - 0 1", 2),
            ("2krqbnr/pppppppp/8/8/8/8/PPPPPPPP/2KRQBNR w - - 0 1", 18),
            // A king in the centre, and one on the edge further up.
            ("rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ1BNR w kq - 0 1", 31),
            ("rnbqkbnr/pppppppp/8/8/7K/8/PPPPPPPP/RNBQ1BNR w kq - 0 1", 27),
            ("rnbqkbnr/pppppppp/8/8/1K6/8/PPPPPPPP/RNBQ1BNR w kq - 0 1", 19),
        ] {
            assert_eq!(text_type(text), number, "{text}");
        }
    }

    #[test]
    fn endings_begin_below_six_pieces_or_three_beside_a_queen() {
        for (text, ending) in [
            ("r1b1k1n1/pppp4/8/8/8/8/PPPP4/R1B1K3 w - - 0 1", true),
            ("r1b1k1n1/pppp4/8/8/8/8/PPPP4/R1B1KN2 w - - 0 1", false),
            ("r1bqk3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", true),
            ("r1bqk3/pppp4/8/8/8/8/PPPP4/4K1N1 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ] {
            assert_eq!(text_type(text) == 1, ending, "{text}");
        }
    }

    #[test]
    fn every_type_has_words_of_its_own() {
        let words: std::collections::HashSet<String> = (0..33).map(describe).collect();
        assert_eq!(words.len(), THESIS_TYPES);
        assert_eq!(describe(22), "queens, white king middle, black king middle");
    }

    #[test]
    fn zones_that_make_no_sense_are_refused() {
        assert!(Zones::parse("2-3-6-2-6").is_ok());
        for bad in ["", "2-3-6", "2-6-3-2-6", "9-3-6-2-6", "a-b-c-d-e"] {
            assert!(Zones::parse(bad).is_err(), "{bad}");
        }
    }
}
