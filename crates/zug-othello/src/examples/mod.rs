//! Positions with labels, from which evaluations are learned.

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
