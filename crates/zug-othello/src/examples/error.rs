//! Why examples could not be read or written.

use zug_core::container::ContainerError;
use zug_core::files::FileError;

/// Examples that could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExampleError {
    /// Games without an example in them.
    #[error("{0}")]
    NoExample(String),
    /// The container: damaged, cut off, of another kind or game.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The container is sound, but what it holds are no examples.
    #[error("{file}: example {index} with {discs} discs: {what}")]
    Content {
        /// The file.
        file: String,
        /// The disc count of the section.
        discs: u32,
        /// The number of the example in the section, from 0.
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
    /// More examples were asked for than there are.
    #[error(
        "{file}: there are {count} examples with {discs} discs; {begin} to {end} were asked for"
    )]
    OutOfRange {
        /// The file.
        file: String,
        /// The disc count.
        discs: u32,
        /// The first that was asked for.
        begin: u64,
        /// The one after the last.
        end: u64,
        /// What there is.
        count: u64,
    },
    /// An example that a file cannot hold.
    #[error("cannot write an example: {0}")]
    Unwritable(String),
    /// Examples must be written in their order, each position once.
    #[error("examples must be written in order, each position once: {0} came too late")]
    Unsorted(String),
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
