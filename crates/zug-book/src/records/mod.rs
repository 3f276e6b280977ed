//! What was played in this position before, how did it end, and whose games were they?
//!
//! Records of any game become one file that answers at once. A position is known by its key (see
//! [`places`](crate::places)), so other orders of moves and turned boards count as the same.
//!
//! | question | module |
//! |---|---|
//! | which files are meant by these paths? | [`collection`] |
//! | which games do they hold, and what is wrong with the others? | [`gather`], `replay` |
//! | how does the file come about, and how is it read? | [`mod@write`], [`index`] |
//! | which position is asked about? | [`question`] |
//! | what do the games say about it? | [`tally`], [`answer`] |
//! | how does the command line ask? | [`face`] |
//!
//! # The file
//!
//! ```text
//! lists, starts       for each position its games; where a bucket of positions begins
//! moves, move-starts  each game as ranks in the game's own order of moves, one byte a move
//! years, results, ratings, players, events, dates, files, numbers, begins
//!                     one number a game each; words by their number
//! words               players, events, dates, files, positions at the beginning
//! names               openings: key and name
//! check               a digest that shows whether keys and order of moves are still those
//! ```
//!
//! Positions are sorted by key into buckets of about sixty-four by the first bits; the next eight
//! tell most positions of a bucket apart. Which key an entry has is then found by playing one of its
//! games through: tens of microseconds buy six bytes a position. Most positions are met by one game only, and cost its number; one that more games met
//! has a list of games, as differences, together with what was played: the rank of the position
//! after the move among all that could follow, by key, which is the same whichever way the board is
//! turned. A game counts once for a position, the first time it comes by.

pub mod answer;
pub mod collection;
pub mod face;
pub mod gather;
pub mod index;
pub mod question;
mod replay;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod write;

pub use face::RecordExplorer;
pub use index::Index;

/// How the sections are to be understood.
pub const LAYOUT: &str = "records/1";

/// Small blocks make reading one list cheap.
const SMALL_BLOCK: usize = 16 << 10;
/// Positions in a bucket, about.
const BUCKET: usize = 64;

/// Appends a number, seven bits a byte, low ones first.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; `None` where the bytes end or it is too large.
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The bucket of a key, and what tells it apart there.
pub(crate) fn place_of(key: u64, bits: u32) -> (usize, u8) {
    let bucket = key.checked_shr(64 - bits).unwrap_or(0);
    (bucket as usize, (key << bits >> 56) as u8)
}
