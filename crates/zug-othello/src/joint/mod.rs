//! All cells of all pattern tables fitted together: examples in, a
//! [`PatternModel`](crate::patterns::PatternModel) and a report out.
//!
//! | module | answers |
//! |---|---|
//! | [`data`] | how do ten million boards fit into memory, and which cells do they touch? |
//! | [`fit`](mod@fit) | which model explains the examples best? |
//! | [`errors`] | how far are values from labels? |
//! | [`win`] | which chance to win does a value mean? |
//! | [`compare`] | how well does the model rank positions, beside other features? |
//! | [`report`] | all of that for one fit, and on which tables it rests |
//! | [`search`](mod@search) | which patterns make the error smallest? |
//! | [`shapes`] | which sets of squares could be patterns? |

pub mod compare;
pub mod data;
mod error;
pub mod errors;
pub mod fit;
pub mod report;
pub mod search;
pub mod shapes;
#[cfg(test)]
mod tests;
pub mod win;

pub use compare::{Compared, plain_features};
pub use data::{Examples, Split, Weighting};
pub use error::JointError;
pub use fit::{DEFAULT_PATTERNS, JointOptions, fit, fit_compared, fit_split};
pub use report::JointReport;
pub use search::{Search, SearchOptions, search, search_split};
