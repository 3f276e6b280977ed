//! Why a container was refused.

use super::Kind;
use crate::error::shorten;
use std::io;

/// A container that could not be read or written: which file, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct ContainerError {
    /// The file, or what stands for one.
    pub file: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with a container.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The first bytes are those of some other kind of file.
    #[error("this is no Zug file (it does not begin like one)")]
    NotAContainer,
    /// Written by a later version.
    #[error(
        "this file has format version {found}, and this program reads up to {known}: \
         a newer Zug is needed"
    )]
    NewerVersion {
        /// In the file.
        found: u32,
        /// The latest we know.
        known: u32,
    },
    /// The end is missing.
    #[error("the end of the file is missing: it was cut off, or never finished")]
    Truncated,
    /// A checksum does not fit, or the parts contradict each other.
    #[error("the file is damaged at byte {at}: {what}")]
    Damaged {
        /// Where.
        at: u64,
        /// What is wrong there.
        what: String,
    },
    /// Something else than was asked for.
    #[error("expected a {expected}, found a {found}")]
    WrongKind {
        /// Asked for.
        expected: Kind,
        /// In the file.
        found: Kind,
    },
    /// Made for another game.
    #[error("expected a file for '{expected}', found one for '{}'", shorten(found))]
    WrongGame {
        /// Asked for.
        expected: String,
        /// In the file.
        found: String,
    },
    /// The right kind for the right game, but arranged in a way that the reader does not know.
    #[error("expected the layout '{expected}', found '{}'", shorten(found))]
    WrongLayout {
        /// Asked for.
        expected: String,
        /// In the file.
        found: String,
    },
    /// A part that should be there is not.
    #[error("there is no section '{}' in it (it has: {present})", shorten(name))]
    NoSection {
        /// Asked for.
        name: String,
        /// The names that there are.
        present: String,
    },
    /// More bytes were asked for than there are.
    #[error("section '{section}' has {length} bytes; bytes {begin} to {end} were asked for")]
    OutOfRange {
        /// Of this section.
        section: String,
        /// First byte asked for.
        begin: u64,
        /// The byte after the last.
        end: u64,
        /// What there is.
        length: u64,
    },
    /// A part is larger than the reader allows.
    #[error("{what} has {length} bytes, more than the {most} allowed")]
    TooLarge {
        /// The part.
        what: String,
        /// Its size.
        length: u64,
        /// The bound.
        most: u64,
    },
    /// The writer was asked for something that the format cannot hold.
    #[error("cannot write: {0}")]
    Unwritable(String),
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file could not be created or renamed.
    #[error("{0}")]
    File(#[from] crate::files::FileError),
}

impl Problem {
    /// Names the file.
    pub(super) fn in_file(self, file: &str) -> ContainerError {
        ContainerError { file: file.to_string(), problem: self }
    }

    pub(super) fn damaged(at: u64, what: impl Into<String>) -> Problem {
        Problem::Damaged { at, what: what.into() }
    }
}
