//! How are weights learned from labelled positions?
//!
//! Positions of played games, each with the result of its game and perhaps the score of a search,
//! are fitted by logistic regression on the expected score: what chess programmers call Texel
//! tuning. The games may be one's own, played by a model that knew nothing: then everything that
//! the fitted model knows was learned here.
//!
//! | module | answers |
//! |---|---|
//! | [`mod@record`], [`mod@file`] | how are labelled positions kept? |
//! | [`stats`] | what is in a file of them? |
//! | [`import`], [`quiet`] | which positions of games that others played are examples? |
//! | [`mod@generate`] | who plays the games? |
//! | [`rows`] | how are positions kept in memory, as counts of factors? |
//! | [`mod@fit`], [`lbfgs`] | which weights explain the results best? |
//! | [`mod@learn`], [`worth`] | the whole of a fit, from files to a model in hundredths of a pawn |

mod compare;
mod error;
pub mod file;
pub mod fit;
pub mod generate;
pub mod import;
pub mod lbfgs;
pub mod learn;
mod options;
mod page;
pub mod quiet;
pub mod record;
pub mod rows;
pub(crate) mod saved;
pub mod stats;
pub mod worth;

pub use error::ExampleError;
pub use file::{ExampleFile, ExampleWriter};
pub use options::{ZERO, open_weights};
pub use record::{Example, FOLDS, GameResult, fold_of};
