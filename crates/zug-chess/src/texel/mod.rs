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
//! | [`journal`] | how does interrupted work go on? |

mod error;
pub mod file;
pub mod journal;
pub mod lbfgs;
pub mod record;

pub use error::ExampleError;
pub use file::{ExampleFile, ExampleWriter};
pub use record::{Example, FOLDS, GameResult, fold_of};
