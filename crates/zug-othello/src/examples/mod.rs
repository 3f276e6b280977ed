//! Positions with labels, from which evaluations are learned.
//!
//! | module | answers |
//! |---|---|
//! | [`mod@file`] | how are examples kept, so that a hundred million need little memory? |
//! | [`sort`] | how are more examples than fit into memory sorted, and the same ones merged? |
//! | [`import`] | which games do record files hold, and which can examples come from? |
//! | [`tree`] | what is a position worth in the tree of all games? |
//! | [`labeller`] | who says what a position is worth, and how are millions asked about? |
//! | [`mod@label`] | from games to a file of examples |
//! | [`stats`] | what is in a file of examples? |
//! | [`openings`] | which openings are there? |
//! | [`player`] | who plays training games out, and labels what cannot be solved? |
//! | [`mod@generate`] | training games: openings played out by an engine |
//! | [`mod@correct`] | where did a side miss a better result, and how does the game go on then? |
//!
//! ```
//! use zug_othello::Board;
//! use zug_othello::examples::{Example, ExampleFile, ExampleWriter, MIXED, Source};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("examples.zug");
//! let start = Example {
//!     board: Board::START.canonical(),
//!     score: 0,
//!     source: Source::Tree,
//!     fold: MIXED,
//!     count: 2,
//! };
//! let mut writer = ExampleWriter::create(&path, &ExampleFile::new_header())?;
//! writer.push(start)?;
//! writer.commit()?;
//!
//! let file = ExampleFile::open(&path)?;
//! assert_eq!((file.len(), file.count(4)), (1, 1));
//! assert_eq!(file.chunk(4, 0..1)?, [start]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod codec;
pub mod correct;
mod error;
pub mod file;
pub mod generate;
pub mod import;
pub(crate) mod journalled;
pub mod label;
pub mod labeller;
pub mod openings;
pub mod player;
pub mod sort;
pub mod stats;
#[cfg(test)]
pub(crate) mod testing;
pub mod tree;

pub use error::ExampleError;
pub use file::{ExampleFile, ExampleWriter};
pub use sort::{Merged, Sorter};

use crate::Board;

/// How a label was found, from the least to the most trustworthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Source {
    /// The result of the game in which the position was met.
    Game = 0,
    /// The NegaMax value in the tree of all games.
    Tree = 1,
    /// A search that did not see the end.
    Search = 2,
    /// A search to the end: no error is possible.
    Exact = 3,
}

impl Source {
    /// All, from the least to the most trustworthy.
    pub const ALL: [Source; 4] = [Source::Game, Source::Tree, Source::Search, Source::Exact];

    /// In a word, for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Source::Game => "game",
            Source::Tree => "tree",
            Source::Search => "search",
            Source::Exact => "exact",
        }
    }
}

/// The fold of a position that was met in games of several folds: it may be learned from, but says
/// nothing about games not seen.
pub const MIXED: u8 = u8::MAX;

/// Games are dealt out to so many folds.
pub const FOLDS: u8 = 20;

/// A position with its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The position, as the mover sees it, in its canonical image.
    pub board: Board,
    /// The final disc difference for the mover, -64 to 64, empty squares to the winner.
    pub score: i8,
    /// How that was found.
    pub source: Source,
    /// The fold of its games, below [`FOLDS`], or [`MIXED`].
    pub fold: u8,
    /// How often it was met.
    pub count: u32,
}

impl Example {
    /// The order in files: by disc count, then by board.
    #[must_use]
    pub fn key(&self) -> (u32, Board) {
        (self.board.discs(), self.board)
    }

    /// Takes in what is known of the same position from elsewhere: counts add up, folds mix, and
    /// the more trustworthy label wins; of two equally good ones the higher, as in a tree where the
    /// mover chooses.
    pub fn absorb(&mut self, same: &Example) {
        if (same.source, same.score) > (self.source, self.score) {
            (self.source, self.score) = (same.source, same.score);
        }
        if same.fold != self.fold {
            self.fold = MIXED;
        }
        self.count = self.count.saturating_add(same.count);
    }
}
