//! Exact values of positions by search, with the type of the game forgotten.
//!
//! A game whose late positions can be searched to the end says so when it is opened, by adding an
//! [`ExactSearch`] to its [`GameEntry`](crate::GameEntry). `zug solve` and `zug analyse` then work on
//! text and files, and know nothing of the game. (Games whose positions are all numbered have a
//! database instead.)

use crate::{StopFlag, TextError};
use std::error::Error;
use std::io::BufRead;
use std::sync::Arc;

/// An error of any kind, for people.
pub type AnyError = Box<dyn Error + Send + Sync>;

/// A position to solve, and what is said of it already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line of the file where it stands, from 1; `None` where there is no file.
    pub line: Option<usize>,
    /// The position in the game's notation.
    pub position: String,
    /// Who is to move.
    pub to_move: String,
    /// How many cells are empty: how far the end is.
    pub empties: u32,
    /// Moves with their values for the side to move, as the file states them.
    pub listed: Vec<(String, i32)>,
    /// Does the file state a value for every legal move?
    pub lists_all: bool,
}

impl Problem {
    /// The value that the file states: that of the best move.
    #[must_use]
    pub fn stated(&self) -> Option<i32> {
        self.listed.iter().map(|&(_, value)| value).max()
    }
}

/// What is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The score, the best move and the line.
    Score,
    /// Won, drawn or lost: the sign of the score alone is sure.
    Outcome,
    /// The score, and the score of every legal move.
    EveryMove,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The score for the side to move.
    pub score: i32,
    /// The best move; none when the game is over.
    pub best: Option<String>,
    /// What both sides should play, as far as it is known.
    pub line: Vec<String>,
    /// All legal moves with their scores, best first, where they were asked for.
    pub moves: Vec<(String, i32)>,
    /// Positions visited.
    pub nodes: u64,
}

/// What is known of a score that has not been found yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoFar {
    /// It is proven to be at least this, and at most that.
    pub bounds: (i32, i32),
    /// What it probably is.
    pub expected: Option<i32>,
}

impl SoFar {
    /// A search found that it is at least this.
    pub fn at_least(&mut self, score: i32, is_certain: bool) {
        if is_certain {
            self.bounds.0 = self.bounds.0.max(score);
        }
        self.expected = Some(self.expected.map_or(score, |expected| expected.max(score)));
    }

    /// A search found that it is at most this.
    pub fn at_most(&mut self, score: i32, is_certain: bool) {
        if is_certain {
            self.bounds.1 = self.bounds.1.min(score);
        }
        self.expected = Some(self.expected.map_or(score, |expected| expected.min(score)));
    }
}

/// How to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The size of the table in mebibytes.
    pub hash_mib: usize,
    /// Threads.
    pub threads: usize,
    /// The evaluation that orders moves, by name or file: the game's own choice for `None`.
    pub model: Option<String>,
}

/// Problems, one after the other. An error stands in the place of a broken one.
pub type Problems<'a> = Box<dyn Iterator<Item = Result<Problem, AnyError>> + 'a>;

/// What a game that can be searched to the end offers.
pub trait AnyExactSearch: Send + Sync {
    /// What scores count: `discs`.
    fn unit(&self) -> &'static str;

    /// A position from text, with or without values of moves.
    fn problem(&self, text: &str) -> Result<Problem, TextError>;

    /// The problems of a file; errors name the line.
    fn problems<'a>(&self, input: Box<dyn BufRead + 'a>) -> Problems<'a>;

    /// How many positions a searcher of one thread visits in a second on a usual machine.
    fn pace(&self) -> u64;

    /// Makes a searcher: the large table is allocated here.
    fn searcher(&self, settings: &Settings) -> Result<Box<dyn Searcher>, AnyError>;
}

/// Searches positions to the end.
pub trait Searcher: Send {
    /// Answers a question about a position in the game's notation; `None` when the flag was set
    /// first, or the [limit](Searcher::limit) was reached.
    fn solve(
        &mut self,
        position: &str,
        question: Question,
        stop: &StopFlag,
    ) -> Result<Option<Answer>, TextError>;

    /// What is known of the last position that [`solve`](Searcher::solve) gave up.
    fn so_far(&self) -> Option<SoFar> {
        None
    }

    /// Forgets what earlier positions have taught.
    fn clear(&mut self);

    /// From now on gives up ([`solve`](Searcher::solve) says `None`) after visiting about so many
    /// positions; the same ones on every run with one thread.
    fn limit(&mut self, positions: Option<u64>);
}

/// What a [`GameEntry`](crate::GameEntry) carries when its positions can be searched to the end.
#[derive(Clone)]
pub struct ExactSearch(Arc<dyn AnyExactSearch>);

impl ExactSearch {
    /// From what the game can do.
    pub fn new(search: impl AnyExactSearch + 'static) -> ExactSearch {
        ExactSearch(Arc::new(search))
    }
}

impl std::ops::Deref for ExactSearch {
    type Target = dyn AnyExactSearch;
    fn deref(&self) -> &(dyn AnyExactSearch + 'static) {
        &*self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_worth_its_best_move() {
        let mut problem = Problem {
            line: None,
            position: String::new(),
            to_move: String::new(),
            empties: 0,
            listed: vec![("a1".into(), -4), ("b2".into(), 2)],
            lists_all: true,
        };
        assert_eq!(problem.stated(), Some(2));
        problem.listed.clear();
        assert_eq!(problem.stated(), None);
    }
}
