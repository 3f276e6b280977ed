//! Why examples could not be read or written.

use zug_core::container::ContainerError;
use zug_core::files::FileError;

/// Examples that could not be read, written or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// The container: damaged, cut off, of another kind or game.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The container is sound, but what it holds are no examples.
    #[error("{file}: example {index}: {what}")]
    Content {
        /// The file.
        file: String,
        /// The number of the example, from 0.
        index: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The container is sound, but its sections are not those of a file of examples.
    #[error("{file}: section '{section}': {what}")]
    Section {
        /// The file.
        file: String,
        /// The section.
        section: String,
        /// What is wrong with it.
        what: String,
    },
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something else is wrong with what was asked for.
    #[error("{0}")]
    Other(String),
    /// The work was asked to stop; what is done is saved.
    #[error("stopped")]
    Stopped,
}
