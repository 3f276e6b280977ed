//! All cells of all pattern tables fitted together: examples in, a
//! [`PatternModel`](crate::patterns::PatternModel) and a report out.
//!
//! | module | answers |
//! |---|---|
//! | [`data`] | how do ten million boards fit into memory, and which cells do they touch? |
//! | [`fit`](mod@fit) | which model explains the examples best? |
//! | [`report`] | how good is it, where, and on what does it rest? |

pub mod data;
mod error;
pub mod fit;
pub mod report;

pub use data::{Examples, Split, Weighting};
pub use error::JointError;
pub use fit::{DEFAULT_PATTERNS, JointOptions, fit, fit_split};
pub use report::JointReport;
