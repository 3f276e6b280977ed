//! Played games as text: PGN, in and out.
//!
//! ```text
//! [Event "Café match"]            tags
//! [Result "1-0"]
//!
//! 1. e4 {a comment} e5 $1 (1... c5 2. Nf3) 2. Qh5 Ke7 3. Qxe5# 1-0
//! ```
//!
//! | item | answers |
//! |---|---|
//! | [`Reader`] | what games are in this stream? One at a time, in bounded memory |
//! | [`PgnGame`] | what was played and said, with all variations? |
//! | [`Pgn`] | the same as plain [`Record`](zug_core::Record)s of the workbench, or as [`Study`](zug_core::Study)s |
//!
//! Every move is checked against the rules. A game that breaks them, or the grammar, is reported
//! with its line, and reading goes on with the next game. Text is UTF-8, or Latin-1 where it is not.

mod format;
mod read;
mod split;
mod study;
mod write;

pub use format::Pgn;
pub use read::{PgnError, Reader};

use crate::position::Position;
use cozy_chess::Move;
use zug_core::{RecordResult, commands};

/// A game with its tags, comments and variations.
#[derive(Clone, Debug, PartialEq)]
pub struct PgnGame {
    /// Names and values in their order; `Result`, `FEN` and `SetUp` are not among them.
    pub tags: Vec<(String, String)>,
    /// Where the game begins.
    pub start: Position,
    /// The moves played, each with its alternatives.
    pub main: Variation,
    /// The result as the text states it.
    pub result: RecordResult,
}

/// A sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Variation {
    /// What is said before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<PgnMove>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    /// The move.
    pub mv: Move,
    /// Numeric annotation glyphs: 1 is "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!".
    pub nags: Vec<u8>,
    /// What is said after the move; white space is folded to single spaces.
    pub comments: Vec<String>,
    /// What could have been played instead of this move.
    pub variations: Vec<Variation>,
}

impl PgnMove {
    /// A move without remarks.
    #[must_use]
    pub fn new(mv: Move) -> PgnMove {
        PgnMove { mv, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// The value of a command inside a comment: `[%clk 0:01:30]`, `[%eval -0.4]`.
    #[must_use]
    pub fn command(&self, name: &str) -> Option<&str> {
        self.comments.iter().find_map(|comment| commands::value(comment, name))
    }
}

impl PgnGame {
    /// A game without moves, from the usual start position.
    #[must_use]
    pub fn new() -> PgnGame {
        PgnGame {
            tags: Vec::new(),
            start: Position::start(),
            main: Variation::default(),
            result: RecordResult::Unknown,
        }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str())
    }

    /// The positions of the main line, the first one included.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        let rest = self.main.moves.iter().map(move |m| {
            position.play(m.mv);
            position.clone()
        });
        std::iter::once(self.start.clone()).chain(rest)
    }
}

impl Default for PgnGame {
    fn default() -> PgnGame {
        PgnGame::new()
    }
}

/// White space folded to single spaces, none at the ends.
fn fold_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
