//! What do people call this opening?
//!
//! A name belongs to a place, so it is found whichever way the board is turned and in whatever order
//! the moves came. The name of a line is that of the last named place on it: once a game has left
//! what has a name, it keeps the last one.
//!
//! A file of names has one opening a line, the name and its moves with a tab between:
//!
//! ```text
//! # comment
//! Tiger<TAB>f5d6c3d3c4f4f6
//! ```
//!
//! Moves are written with spaces or without, and with the numbers of PGN or without. Where there are
//! three columns, the first is the code of the opening and becomes part of its name, as in the tables of
//! the Encyclopaedia of Chess Openings (`eco`, `name`, `pgn`; a first line with these words is a heading).

use crate::places::Places;
use std::collections::BTreeMap;
use zug_core::{AnyGame, AnyLine};

/// Names of openings by their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(BTreeMap<u64, String>);

/// A line of a file of names that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: line {line}: {message}")]
pub struct NameError {
    /// The file.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// Names are for people; what is longer is something else.
pub const MAX_NAME: usize = 200;
/// The first line of a table with codes.
const HEADING: &str = "eco\tname\tpgn";
/// An opening has fewer moves.
const MAX_MOVES: usize = 1000;

impl Names {
    /// Reads a file of names; `file` is its name in errors. Where two lines name one place, the
    /// first holds: put the usual name first.
    pub fn read(
        text: &str,
        file: &str,
        game: &dyn AnyGame,
        places: &Places,
    ) -> Result<Names, NameError> {
        let mut names = Names::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_end();
            let heading = number == 0 && line == HEADING;
            if line.is_empty() || line.starts_with('#') || heading {
                continue;
            }
            let error = |message| NameError { file: file.to_string(), line: number + 1, message };
            let (name, moves) = line.split_once('\t').ok_or_else(|| {
                error("expected a name, a tab and moves; there is no tab".to_string())
            })?;
            let (name, moves) = match moves.split_once('\t') {
                Some((rest, moves)) => (format!("{} {}", name.trim(), rest.trim()), moves),
                None => (name.trim().to_string(), moves),
            };
            if !fits(&name) {
                let what = format!("expected a name of 1 to {MAX_NAME} bytes, without controls");
                return Err(error(what));
            }
            let played = play_all(game, moves).map_err(error)?;
            names.0.entry(places.key(&*played)).or_insert(name);
        }
        Ok(names)
    }

    /// Gives a place a name, if it has 1 to [`MAX_NAME`] bytes on one line; the old name goes.
    pub fn insert(&mut self, key: u64, name: &str) -> bool {
        let fits = fits(name);
        if fits {
            self.0.insert(key, name.to_string());
        }
        fits
    }

    /// Takes over names; where both have one, the other's holds.
    pub fn merge(&mut self, other: Names) {
        self.0.extend(other.0);
    }

    /// The name of a place.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<&str> {
        self.0.get(&key).map(String::as_str)
    }

    /// The name of the opening that a line took: that of its last named place.
    #[must_use]
    pub fn name_of(&self, places: &Places, line: &dyn AnyLine) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        let mut line = line.boxed_clone();
        loop {
            if let Some(name) = self.get(places.key(&*line)) {
                return Some(name);
            }
            if !line.undo() {
                return None;
            }
        }
    }

    /// All names, by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u64, &str)> {
        self.0.iter().map(|(&key, name)| (key, name.as_str()))
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Can this be a name?
fn fits(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && !name.contains(char::is_control)
}

/// Plays moves that are written with spaces or without, numbered (`1. e4 e5 2.Nf3`) or not.
pub(crate) fn play_all(game: &dyn AnyGame, moves: &str) -> Result<Box<dyn AnyLine>, String> {
    let mut line = game.new_line();
    for word in moves.split_whitespace() {
        let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = after.len() < word.len() && after.starts_with('.');
        let mut rest = if numbered { after.trim_start_matches('.') } else { word };
        while !rest.is_empty() {
            if line.ply() >= MAX_MOVES {
                return Err(format!("more than {MAX_MOVES} moves"));
            }
            // The longest legal move that the text begins with; a whole word first, as a game may
            // read more ways to write a move than it writes.
            if line.play(rest).is_ok() {
                break;
            }
            let begins = |mv: &String| {
                rest.get(..mv.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(mv))
            };
            let Some(mv) = line.legal_moves().into_iter().filter(begins).max_by_key(String::len)
            else {
                let shown: String = rest.chars().take(20).collect();
                return Err(format!(
                    "move {}: expected a legal move, found '{shown}'",
                    line.ply() + 1
                ));
            };
            line.play(&mv).map_err(|e| format!("move {}: {e}", line.ply() + 1))?;
            rest = &rest[mv.len()..];
        }
    }
    Ok(line)
}

#[cfg(test)]
mod tests;
