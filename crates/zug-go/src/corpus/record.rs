//! A played game, as small as learning needs it.

use crate::point::Point;
use crate::sgf::{MainLine, Tree};
use zug_core::{RecordResult, Side};

/// A game that Black began on an empty board, with alternating legal moves.
#[derive(Clone, Debug, PartialEq)]
pub struct GoRecord {
    /// The file, and the archive it lies in.
    pub name: String,
    /// Points along an edge.
    pub size: u8,
    /// The moves: column + size × row, or [`PASS`].
    codes: Box<[u16]>,
    /// The year in which it was played.
    pub year: Option<u16>,
    /// The date as the record writes it.
    pub date: String,
    /// The tournament.
    pub event: String,
    /// Who had Black and White.
    pub players: [String; 2],
    /// How strong they were.
    pub ranks: [Option<Rank>; 2],
    /// Who won, and by how much.
    pub result: RecordResult,
    /// Points for White, where the record tells them.
    pub komi: Option<f32>,
    /// How it ended where it was not counted: `resignation`, `time`, `forfeit`.
    pub termination: Option<&'static str>,
}

/// The code of a pass.
pub const PASS: u16 = u16::MAX;

/// How strong a player is: 30 kyu to 1 kyu are −29 to 0, amateur dans 1 to 9, professional dans from
/// 11 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(pub i8);

impl Rank {
    /// Reads `5k`, `3 dan`, `9p`, `2d?`; nothing of what is no rank.
    #[must_use]
    pub fn read(text: &str) -> Option<Rank> {
        let text = text.trim().to_ascii_lowercase();
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let number: i8 = text.get(..digits)?.parse().ok()?;
        match text[digits..].trim_start().bytes().next()? {
            b'k' if number <= 30 => Some(Rank(1 - number)),
            b'd' if (1..=10).contains(&number) => Some(Rank(number)),
            b'p' if (1..=12).contains(&number) => Some(Rank(10 + number)),
            _ => None,
        }
    }
}

impl GoRecord {
    /// From a main line that was [checked](super::reject::check), and the tree it was in.
    pub(super) fn new(name: String, line: &MainLine, tree: &Tree) -> GoRecord {
        let root = tree.root();
        let text = |key: &str| root.get(key).map(|p| p.simple_text()).unwrap_or_default();
        let size = line.size as u16;
        let date = text("DT");
        GoRecord {
            name,
            size: line.size as u8,
            codes: line
                .moves
                .iter()
                .map(|m| m.at.map_or(PASS, |at| u16::from(at.x) + size * u16::from(at.y)))
                .collect(),
            year: year_of(&date),
            date,
            event: text("EV"),
            players: [text("PB"), text("PW")],
            ranks: [Rank::read(&text("BR")), Rank::read(&text("WR"))],
            result: line.result,
            komi: line.usable_komi(),
            termination: line.termination,
        }
    }

    /// A game of these moves that nobody has a record of.
    #[must_use]
    pub fn of_moves(size: usize, moves: &[Option<Point>]) -> GoRecord {
        let code = |p: Point| (p.x() + size * p.y()) as u16;
        GoRecord {
            name: String::new(),
            size: size as u8,
            codes: moves.iter().map(|m| m.map_or(PASS, code)).collect(),
            year: None,
            date: String::new(),
            event: String::new(),
            players: [String::new(), String::new()],
            ranks: [None, None],
            result: RecordResult::Unknown,
            komi: None,
            termination: None,
        }
    }

    /// Points along an edge.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The moves as they are kept.
    #[must_use]
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// The moves, Black first; `None` is a pass.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Option<Point>> + '_ {
        let size = self.size();
        self.codes.iter().map(move |&code| decode(code, size))
    }

    /// The winner, where one is known.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        match self.result {
            RecordResult::Known { winner, .. } => winner,
            RecordResult::Unknown => None,
        }
    }

    /// By how many points the game was won, where it was counted.
    #[must_use]
    pub fn margin(&self) -> Option<f32> {
        match self.result {
            RecordResult::Known { margin, .. } if self.termination.is_none() => margin,
            _ => None,
        }
    }

    /// The moves as seen in the mirror that makes them smallest: equal for games that are the same
    /// but for turning and mirroring.
    #[must_use]
    pub fn normal_codes(&self) -> Vec<u16> {
        let size = u16::from(self.size);
        let image = |symmetry: usize| -> Vec<u16> {
            let map = |&code: &u16| match code {
                PASS => PASS,
                _ => map_code(symmetry, size, code),
            };
            self.codes.iter().map(map).collect()
        };
        (0..8).map(image).min().unwrap_or_default()
    }
}

/// The point of a code.
#[must_use]
pub fn decode(code: u16, size: usize) -> Option<Point> {
    (code != PASS).then(|| Point::at(usize::from(code) % size, usize::from(code) / size))
}

/// The image of a point: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 exchanges rows
/// and columns, last.
#[must_use]
pub const fn map_code(symmetry: usize, size: u16, code: u16) -> u16 {
    let (mut x, mut y) = (code % size, code / size);
    if symmetry & 1 != 0 {
        x = size - 1 - x;
    }
    if symmetry & 2 != 0 {
        y = size - 1 - y;
    }
    if symmetry & 4 != 0 { y + size * x } else { x + size * y }
}

/// The first number of four digits.
fn year_of(date: &str) -> Option<u16> {
    date.split(|c: char| !c.is_ascii_digit())
        .find(|word| word.len() == 4)
        .and_then(|word| word.parse().ok())
        .filter(|year| (1000..3000).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_ordered() {
        let read = |t| Rank::read(t).unwrap();
        assert!(read("30k") < read("5k") && read("5k") < read("1 kyu") && read("1k") < read("1d"));
        assert!(read("7 dan") < read("1p") && read("1p") < read("9p"));
        for bad in ["", "k", "strong", "2205", "99k", "0d", "-1d"] {
            assert_eq!(Rank::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn years_are_found_in_dates() {
        assert_eq!(year_of("2008-03-03,04"), Some(2008));
        assert_eq!(year_of("before 1651"), Some(1651));
        assert_eq!(year_of("12.5.1999"), Some(1999));
        assert_eq!(year_of("?"), None);
    }

    #[test]
    fn images_have_the_same_normal_form() {
        let moves: Vec<Option<Point>> =
            [(2, 3), (6, 2), (1, 7)].iter().map(|&(x, y)| Point::new(x, y)).collect();
        let record = GoRecord::of_moves(9, &moves);
        for symmetry in 0..8 {
            let codes = record.codes.iter().map(|&c| map_code(symmetry, 9, c)).collect();
            let image = GoRecord { codes, ..record.clone() };
            assert_eq!(image.normal_codes(), record.normal_codes());
        }
    }
}
