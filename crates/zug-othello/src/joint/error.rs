//! What can go wrong in a fit of patterns.

use crate::examples::ExampleError;
use zug_core::TextError;
use zug_core::checkpoint::CheckpointError;
use zug_core::files::FileError;
use zug_learn::joint::TableError;

/// A fit that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum JointError {
    /// The examples.
    #[error(transparent)]
    Examples(#[from] ExampleError),
    /// The fit itself.
    #[error(transparent)]
    Fit(#[from] TableError),
    /// A list of patterns.
    #[error("in the patterns: {0}")]
    Patterns(#[from] TextError),
    /// A list of knots.
    #[error("the knots {0:?} are no rising disc counts up to 64")]
    Knots(Vec<u8>),
    /// An option that makes no sense.
    #[error("{name} is {value}; expected {expected}")]
    Option {
        /// Its name.
        name: &'static str,
        /// What it was given.
        value: String,
        /// What would do.
        expected: &'static str,
    },
    /// Nothing to learn from, or to judge by.
    #[error("no {what} examples in {files} with {first} to {last} discs{hint}")]
    NoExamples {
        /// Training or validation.
        what: &'static str,
        /// The files.
        files: String,
        /// The fewest discs looked for.
        first: u32,
        /// The most.
        last: u32,
        /// What may be the reason.
        hint: &'static str,
    },
    /// The folder of checkpoints.
    #[error(transparent)]
    File(#[from] FileError),
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}
