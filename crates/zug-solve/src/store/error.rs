//! Why a database was refused.

use crate::solve::SolveError;
use crate::space::IndexError;
use std::path::{Path, PathBuf};
use zug_core::container::ContainerError;
use zug_core::files::FileError;

/// A database that could not be read or written: which file, and what is wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A stage file is damaged, cut off, newer, or not what was asked for.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A working file could not be read or written.
    #[error(transparent)]
    Work(#[from] SolveError),
    /// The game's layout cannot be indexed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The bytes are there but do not fit together.
    #[error("{}: {what}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The positions of a stage are not in the database (yet).
    #[error("{}: stage {stage} is not in this database; build the rest of it first", folder.display())]
    Missing {
        /// The database.
        folder: PathBuf,
        /// The stage.
        stage: String,
    },
}

impl StoreError {
    /// An error about a file.
    pub(crate) fn refused(path: &Path, what: impl Into<String>) -> StoreError {
        StoreError::Refused { path: path.to_path_buf(), what: what.into() }
    }
}
