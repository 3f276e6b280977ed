//! How does a book reach the disk, small and safe?
//!
//! A container of kind *book* with one section for each column, since columns pack better than rows:
//!
//! | section | holds, for each node by ply and key |
//! |---|---|
//! | `book` | number of games, number of nodes |
//! | `keys` | the keys |
//! | `plies` | how much the ply grows from node to node |
//! | `flags` | side, result there or not, exact or not, alternative there or not |
//! | `results` | the results that are there |
//! | `counts` | games, wins, draws |
//! | `unknown` | games without a known result; only where there are any |
//! | `edges` | number of successors; how many nodes further each stands, and its games |
//! | `alternatives` | chance, depth and move of the alternatives that are there |
//! | `places` | the keys of the places after them |
//! | `texts` | the texts of moves that alternatives use |
//! | `roots` | where games begin |
//! | `names` | names of openings |
//!
//! Numbers are variable-length (seven bits a byte), keys are eight bytes. Every block carries a
//! checksum; a damaged one is refused by section and number. A reader checks all that the rest of the
//! crate relies on, so no file, however made, leads to a circle or a missing node.
//!
//! [`Book::save`](crate::Book::save) writes in one step and keeps the file before it as `FILE.bak`;
//! [`Book::open_or_last_good`](crate::Book::open_or_last_good) falls back on that when the file is damaged, and says so.

mod bytes;
mod decode;
mod encode;
mod error;
mod save;

pub use error::BookError;

/// The layout of the sections.
pub(crate) const LAYOUT: &str = "book/1";

/// The sections in the order of the file. The optional one is there only where it says anything.
pub const SECTIONS: [&str; 13] = [
    "book",
    "keys",
    "plies",
    "flags",
    "results",
    "counts",
    OPTIONAL,
    "edges",
    "alternatives",
    "places",
    "texts",
    "roots",
    "names",
];

/// The section that a book may lack: games without a known result.
pub const OPTIONAL: &str = "unknown";

/// More positions than this are refused: they would take gigabytes of memory.
pub const MAX_POSITIONS: u64 = 1 << 24;

#[cfg(test)]
mod tests;
