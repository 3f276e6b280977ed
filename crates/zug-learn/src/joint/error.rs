//! What can go wrong when table cells are fitted.

use zug_core::checkpoint::CheckpointError;
use zug_core::container::ContainerError;

/// What a source of examples may answer with.
pub type SourceError = Box<dyn std::error::Error + Send + Sync>;

/// A fit that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Nothing to learn from.
    #[error("there are no {0} examples")]
    NoExamples(&'static str),
    /// An option that makes no sense.
    #[error("{name} is {value}; expected {expected}")]
    Option {
        /// Its name.
        name: &'static str,
        /// What it was given.
        value: f64,
        /// What would do.
        expected: &'static str,
    },
    /// A row that makes no sense.
    #[error("chunk {chunk}, row {row}: {what}")]
    Row {
        /// The chunk.
        chunk: usize,
        /// The row in it, from 0.
        row: u64,
        /// What is wrong.
        what: String,
    },
    /// A chunk that makes no sense.
    #[error("chunk {chunk}: {what}")]
    Chunk {
        /// The chunk.
        chunk: usize,
        /// What is wrong.
        what: String,
    },
    /// Training and validation examples of different tables.
    #[error("the validation examples have {validation}, the training examples {training}")]
    Shapes {
        /// Cells, knots and cells a row of the one.
        training: String,
        /// And of the other.
        validation: String,
    },
    /// The sums grew beyond all numbers.
    #[error("iteration {step}: the {what} is {value}: the examples or options are too extreme")]
    Diverged {
        /// When.
        step: u64,
        /// What.
        what: &'static str,
        /// Infinity or no number.
        value: f64,
    },
    /// The saved state belongs to another fit.
    #[error("{file}: the checkpoint belongs to another fit: {what}")]
    OtherFit {
        /// The checkpoint.
        file: String,
        /// What differs.
        what: String,
    },
    /// The source of the examples.
    #[error("reading the examples: {0}")]
    Source(#[source] SourceError),
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A checkpoint's content.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// Asked to stop before there was anything to give back.
    #[error("stopped before the first iteration was done")]
    Stopped,
}
