//! Positions of all games in a file that answers at once.
//!
//! Positions with few stones come up in many games, and are listed: their keys in order, and for each
//! the games, plies and replies. Positions with many stones come up in one game or two, and a list of them
//! would be most of the file. Instead, for each point and colour there is a row of bits: in which games
//! was such a stone ever played there? The games that have all stones of the question are few, and are
//! played through. The same holds for corners.
//!
//! ```text
//! boards                    size, first game, games
//! years, winners            of each game
//! texts, text-starts        names, event, date, result and komi of each game, each with a 0 after it
//! moves, move-starts        codes of each game
//! stones-SIZE               rows of bits: 2 × point + colour
//! whole-keys, -fences       keys of positions with side to move, in order; every 4096th of them
//! whole-starts, -postings   for each key its part of the postings: (game, ply, reply) …
//! corner-…                  the same for corners
//! ```
//!
//! Postings are numbers of seven bits a byte: games as differences. The reply of a corner tells two
//! moves where the first is elsewhere, since either side may be asked about: see `CornerReply`.

mod names;
mod read;
mod whole;
mod write;

#[cfg(test)]
mod tests;

pub use read::Index;
pub use write::{to_bytes, write};

/// How the sections are to be understood.
pub const LAYOUT: &str = "go-explorer/1";

/// Positions with fewer stones are listed.
pub const LISTED: usize = 40;
/// Corners with fewer stones are listed.
pub const LISTED_IN_CORNER: usize = 20;
/// Keys between two fences.
pub(crate) const FENCE: usize = 4096;
/// Small blocks make reading one game cheap.
pub(crate) const SMALL_BLOCK: usize = 16 << 10;

/// The sections of one list, by its name.
pub(crate) fn section(list: &str, part: &str) -> String {
    format!("{list}-{part}")
}

/// Appends a number, seven bits a byte, low ones first.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; `None` where the bytes end or it is too large.
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(number).ok();
        }
    }
    None
}

/// What followed in a corner: the next move of the game, and where that is elsewhere the one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Local {
    /// A point, as the corner is looked at.
    At(u16),
    /// Elsewhere, or a pass.
    Elsewhere,
    /// The record ends.
    End,
    /// The corner has changed before this side could move.
    Gone,
}

impl Local {
    fn number(self, points: u32) -> u32 {
        match self {
            Local::At(code) => u32::from(code),
            Local::Elsewhere => points,
            Local::End => points + 1,
            Local::Gone => points + 2,
        }
    }

    fn of_number(number: u32, points: u32) -> Option<Local> {
        match number.checked_sub(points) {
            None => Some(Local::At(number as u16)),
            Some(0) => Some(Local::Elsewhere),
            Some(1) => Some(Local::End),
            Some(2) => Some(Local::Gone),
            Some(_) => None,
        }
    }
}

/// The reply of a corner: for the side to move when the corner became so, and for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CornerReply {
    pub first: Local,
    pub second: Local,
}

impl CornerReply {
    /// As one number; `points` are those of the board.
    pub fn number(self, points: usize) -> u32 {
        let points = points as u32;
        match self.first {
            Local::Elsewhere => points + 3 + self.second.number(points),
            first => first.number(points),
        }
    }

    /// From one number.
    pub fn of_number(number: u32, points: usize) -> Option<CornerReply> {
        let points = points as u32;
        match number.checked_sub(points + 3) {
            Some(second) => {
                let second = Local::of_number(second, points)?;
                Some(CornerReply { first: Local::Elsewhere, second })
            }
            None => {
                let first = Local::of_number(number, points)?;
                let sound = matches!(first, Local::At(_) | Local::End);
                sound.then_some(CornerReply { first, second: Local::Gone })
            }
        }
    }
}
