//! An evaluation as data: a column of weights for each type of position.
//!
//! | module | answers |
//! |---|---|
//! | this | what is a position worth by these weights, and why? |
//! | [`start`] | which weights does learning begin with? |
//! | [`fast`] | the same value, as quick as can be |
//! | [`mod@file`] | how is a model stored? |
//! | [`page`], `chooser` | what do the weights look like? |
//! | [`look`] | what do they look like on a terminal? |
//!
//! ```
//! use zug_chess::{Position, model::{Model, Start}, types::Scheme};
//! let model = Model::start(Scheme::Phases, Start::KnightCap1);
//! assert_eq!(model.value(Position::start().board()), 0.0);
//! ```

mod chooser;
pub mod fast;
pub mod file;
pub mod look;
pub mod page;
pub mod shown;
pub mod start;

pub use fast::{Fast, FastEye};
pub use file::ModelError;
pub use start::Start;

use crate::factors::{self, FACTORS};
use crate::types::{Scheme, Shares, WHOLE};
use cozy_chess::Board;
use std::cell::RefCell;

/// Weights for every factor and every column of a scheme.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// How positions are given to columns.
    pub scheme: Scheme,
    /// In hundredths of a pawn; factor `f` of column `c` is at `c * FACTORS + f`.
    pub weights: Vec<f32>,
}

/// One factor of a position, with what it adds to the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The factor.
    pub factor: usize,
    /// White's count minus Black's.
    pub count: i16,
    /// The weight as it was learned, blended over the columns that share the position.
    pub weight: f64,
    /// The weight as it is played with: of each column rounded, times its parts of the position.
    /// [`PARTS`] of them are a hundredth of a pawn.
    pub played: i64,
}

/// How many parts of [`Part::played`] make a hundredth of a pawn.
pub const PARTS: i64 = (fast::STEPS * WHOLE) as i64;

impl Part {
    /// What the factor adds to the value of learned weights, in hundredths of a pawn.
    #[must_use]
    pub fn adds(&self) -> f64 {
        self.weight * f64::from(self.count)
    }

    /// What the factor adds to the value in play, [`PARTS`] to the hundredth of a pawn.
    #[must_use]
    pub fn product(&self) -> i64 {
        self.played * i64::from(self.count)
    }
}

impl Model {
    /// From weights in the order of [`Model::weights`]; `None` if they are too few or too many, or
    /// not finite.
    #[must_use]
    pub fn new(scheme: Scheme, weights: Vec<f32>) -> Option<Model> {
        let fits = weights.len() == scheme.columns() * FACTORS;
        (fits && weights.iter().all(|w| w.is_finite())).then_some(Model { scheme, weights })
    }

    /// All weights of one column.
    #[must_use]
    pub fn column(&self, column: usize) -> &[f32] {
        &self.weights[column * FACTORS..][..FACTORS]
    }

    /// The value for White, in hundredths of a pawn.
    #[must_use]
    pub fn value(&self, board: &Board) -> f64 {
        thread_local! {
            static COUNTS: RefCell<Vec<(u16, i16)>> = const { RefCell::new(Vec::new()) };
        }
        COUNTS.with_borrow_mut(|counts| {
            factors::count(board, counts);
            self.value_of(counts, self.scheme.shares(board))
        })
    }

    /// The value for White of counted factors.
    #[must_use]
    pub fn value_of(&self, counts: &[(u16, i16)], shares: Shares) -> f64 {
        let mut value = 0.0;
        for (column, parts) in shares.iter() {
            let weights = self.column(column);
            let sum: f64 = counts
                .iter()
                .map(|&(factor, n)| f64::from(weights[usize::from(factor)]) * f64::from(n))
                .sum();
            value += sum * f64::from(parts) / f64::from(WHOLE);
        }
        value
    }

    /// Every factor that is not balanced in a position, with its weight.
    #[must_use]
    pub fn parts(&self, board: &Board) -> Vec<Part> {
        let mut counts = Vec::new();
        factors::count(board, &mut counts);
        let shares = self.scheme.shares(board);
        let weight = |factor: usize| {
            let part = |(column, parts)| f64::from(self.column(column)[factor]) * f64::from(parts);
            shares.iter().map(part).sum::<f64>() / f64::from(WHOLE)
        };
        let played = |factor: usize| {
            let part = |(column, parts)| fast::rounded(self.column(column)[factor]) * parts;
            shares.iter().map(part).map(i64::from).sum::<i64>()
        };
        counts
            .into_iter()
            .map(|(factor, count)| {
                let factor = usize::from(factor);
                Part { factor, count, weight: weight(factor), played: played(factor) }
            })
            .collect()
    }

    /// The same for play.
    #[must_use]
    pub fn fast(&self) -> Fast {
        Fast::new(self)
    }
}

#[cfg(test)]
mod tests;
