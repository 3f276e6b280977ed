//! The file, and the good one before it.

use super::BookError;
use crate::graph::Book;
use std::fs;
use std::path::{Path, PathBuf};
use zug_core::files::{self, FileError};

impl Book {
    /// Replaces a file by this book in one step. What stood there is kept as `FILE.bak` if it was a
    /// whole book, else as `FILE.damaged`.
    pub fn save(&self, path: &Path) -> Result<(), BookError> {
        let bytes = self.to_bytes()?;
        if path.exists() {
            let aside = if Book::open(path, None).is_ok() { "bak" } else { "damaged" };
            let old = fs::read(path).map_err(FileError::io("read", path))?;
            files::write_atomically(&beside(path, aside), &old)?;
        }
        Ok(files::write_atomically(path, &bytes)?)
    }

    /// Opens a book or, if it is damaged, the one before it (`FILE.bak`), with a note that says so.
    /// A book that is missing, of another game or of a newer version is an error.
    pub fn open_or_last_good(
        path: &Path,
        spec: Option<&str>,
    ) -> Result<(Book, Option<String>), BookError> {
        let error = match Book::open(path, spec) {
            Ok(book) => return Ok((book, None)),
            Err(error) if !error.is_damage() => return Err(error),
            Err(error) => error,
        };
        let last_good = beside(path, "bak");
        match Book::open(&last_good, spec) {
            Ok(book) => {
                let note = format!("{error}; the book before it is used: {}", last_good.display());
                Ok((book, Some(note)))
            }
            Err(_) => Err(error),
        }
    }
}

/// The name with an ending added.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}
