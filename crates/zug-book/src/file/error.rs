//! Why a book was refused.

use zug_core::container::{ContainerError, Problem};
use zug_core::files::FileError;

/// A book that could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The container as a whole.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// One block of it.
    #[error("{}", naming_the_block(error, section, *block, *blocks))]
    Block {
        /// The section.
        section: &'static str,
        /// The block, counted from 1.
        block: usize,
        /// How many the section has.
        blocks: usize,
        /// What is wrong with it.
        error: ContainerError,
    },
    /// The bytes are whole, but no book.
    #[error("{file}: section '{section}', byte {at}: {what}")]
    Content {
        /// The file.
        file: String,
        /// The section.
        section: &'static str,
        /// The byte of the unpacked section.
        at: usize,
        /// What is wrong there.
        what: String,
    },
    /// Written by a later version.
    #[error(
        "{file}: this book has the layout '{found}', and this program reads '{known}': a newer Zug is needed"
    )]
    Newer {
        /// The file.
        file: String,
        /// In the file.
        found: String,
        /// The latest we know.
        known: &'static str,
    },
    /// A file beside the book.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The error, with the block where it does not name it itself.
fn naming_the_block(error: &ContainerError, section: &str, block: usize, blocks: usize) -> String {
    let said = error.to_string();
    if said.contains("in section '") {
        return said;
    }
    format!("{said} (block {block} of {blocks} in section '{section}')")
}

impl BookError {
    /// Is the file broken, so that an older copy may help? (Not where it is missing, or made for
    /// something else.)
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            BookError::Container(e) => matches!(
                e.problem,
                Problem::NotAContainer
                    | Problem::Truncated
                    | Problem::Damaged { .. }
                    | Problem::NoSection { .. }
                    | Problem::TooLarge { .. }
                    | Problem::OutOfRange { .. }
            ),
            BookError::Block { .. } | BookError::Content { .. } => true,
            BookError::Newer { .. } | BookError::File(_) => false,
        }
    }
}
