//! Looking up what was played in a position, with the type of the game forgotten.
//!
//! A game whose records can be searched says so when it is opened, by adding an [`Explorer`] to its
//! [`GameEntry`](zug_core::GameEntry). `zug explore GAME` then hands over text and paths.

use crate::face::{Account, TaskError};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zug_core::{Progress, Record, StopFlag};

/// Which part of the board has to look as in the question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// One corner, by name; where the last move was made for `None`.
    Corner(Option<String>),
    /// A part that the game's notation names.
    Region(String),
}

/// Which games count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Not before this year.
    pub from: Option<u16>,
    /// Not after this year.
    pub until: Option<u16>,
}

/// The words that are asked of a player's name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameWords(Vec<String>);

impl NameWords {
    /// The words of a text, in small letters.
    #[must_use]
    pub fn new(text: &str) -> NameWords {
        NameWords(text.to_lowercase().split_whitespace().map(Into::into).collect())
    }

    /// Does a name have all of them, as words or as parts of words? One that nobody knows has none.
    #[must_use]
    pub fn fit(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        !name.is_empty() && self.0.iter().all(|word| name.contains(word.as_str()))
    }
}

/// The path, if it is one file of ours rather than records.
#[must_use]
pub fn the_index(data: &[PathBuf]) -> Option<&Path> {
    let [path] = data else { return None };
    let ours = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zug"));
    let begins_as_ours = || {
        let mut first = [0; 4];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        read.is_ok() && first == *b"\x89ZUG"
    };
    (path.is_file() && (ours || begins_as_ours())).then_some(path)
}

/// What is looked up.
#[derive(Clone, Debug, Default)]
pub struct ExploreOrder {
    /// Files, folders and archives of records, or one index.
    pub data: Vec<PathBuf>,
    /// A position, a list of moves, or `FILE:MOVE`.
    pub query: String,
    /// Which part of the board counts.
    pub part: Part,
    /// Do positions with the colours exchanged count too? The game's own choice for `None`.
    pub exchange: Option<bool>,
    /// Which games count.
    pub span: Span,
    /// Only games of a player whose name has these words.
    pub player: Option<String>,
    /// Files with names of openings.
    pub names: Vec<PathBuf>,
    /// How many moves are told.
    pub top: usize,
    /// How many games are named.
    pub games: usize,
    /// The latest of them, not those of the strongest players.
    pub latest: bool,
    /// How many moves the lines go on.
    pub depth: usize,
    /// Threads.
    pub threads: usize,
}

/// An index that is to be written.
#[derive(Clone, Debug, Default)]
pub struct IndexOrder {
    /// Files, folders and archives of records.
    pub data: Vec<PathBuf>,
    /// Where the index goes.
    pub out: PathBuf,
    /// Which games go in.
    pub span: Span,
    /// Points along an edge of the board; all for `None`.
    pub size: Option<usize>,
    /// Files with names of openings, which go in.
    pub names: Vec<PathBuf>,
    /// The command line, for the header.
    pub command: String,
}

/// What one game can look up.
pub trait AnyExplorer: Send + Sync {
    /// What was played in this position?
    fn explore(
        &self,
        order: &ExploreOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError>;

    /// Writes an index, which answers at once.
    fn index(
        &self,
        order: &IndexOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError>;

    /// A whole game of an index, by its number in an answer (`number`).
    fn game(&self, index: &Path, number: u32) -> Result<Record, TaskError> {
        let _ = (index, number);
        Err(TaskError::Unfit("this index does not hold whole games".to_string()))
    }

    /// Does one index hold games of all variants (boards of all sizes), or of one alone?
    fn spans_variants(&self) -> bool {
        false
    }
}

/// What a [`GameEntry`](zug_core::GameEntry) carries when records of its game can be searched.
#[derive(Clone)]
pub struct Explorer(Arc<dyn AnyExplorer>);

impl Explorer {
    /// From what the game can do.
    pub fn new(explorer: impl AnyExplorer + 'static) -> Explorer {
        Explorer(Arc::new(explorer))
    }
}

impl std::ops::Deref for Explorer {
    type Target = dyn AnyExplorer;
    fn deref(&self) -> &(dyn AnyExplorer + 'static) {
        &*self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_all_words_in_any_order_and_case() {
        let words = NameWords::new(" CHO  chik");
        assert!(words.fit("Cho Chikun") && words.fit("Chikun Cho"));
        assert!(!words.fit("Cho U") && !words.fit(""));
        assert!(NameWords::new(" ").fit("Ann") && !NameWords::new("").fit(""));
    }
}
