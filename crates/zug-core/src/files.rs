//! How do bytes reach the disk so that a crash at any moment leaves either the old file or the new
//! one, and never half of each?
//!
//! * [`write_atomically`] and [`AtomicFile`] replace a whole file: the new bytes go to a temporary
//!   beside it, are flushed to the disk, and take the name in one step.
//! * [`Journal`] and [`read_journal`] add lines of JSON to the end of a file. A crash can tear only
//!   the last line; it is dropped when the file is next opened, and the reader says so.
//!   [`SealedJournal`] does so for results that are believed later: each line proves itself.
//! * [`FileLock`] keeps two processes from the same file.
//! * [`Output`] is a file that a command makes: locked while it is made, never overwritten unasked.
//!
//! Every error names the file and what was being done to it.

mod atomic;
mod journal;
mod lock;
mod output;
mod sealed;

pub use atomic::{AtomicFile, remove_temporaries, write_atomically};
pub(crate) use journal::for_each_line;
pub use journal::{Journal, JournalContents, MAX_JOURNAL_LINE, read_journal};
pub use lock::{FileLock, is_held};
pub use output::Output;
pub use sealed::{SealedJournal, begins_with};

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A file that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// "read", "write", "rename", …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The bytes are there but make no sense.
    #[error("{}: line {line}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The bytes are there but are not those that were written.
    #[error("{}: byte {at}: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where, counted from 0.
        at: u64,
        /// What is wrong there.
        message: String,
    },
    /// Another process is at work.
    #[error(
        "{} is locked by {}, which works on it; wait until it has ended, or name another",
        path.display(),
        holder.map_or("another process".to_string(), |pid| format!("process {pid}"))
    )]
    Busy {
        /// The lock file.
        path: PathBuf,
        /// The process, where it could be read.
        holder: Option<u32>,
    },
    /// What is there must not be changed, or was made by something else.
    #[error("{}: {message}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why, and what can be done.
        message: String,
    },
}

impl FileError {
    /// Turns an [`io::Error`] into one that names the file: for `map_err`.
    pub fn io<'a>(
        action: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> FileError + 'a {
        move |source| FileError::Io { action, path: path.to_path_buf(), source }
    }

    /// Why a file is left as it is, in words.
    pub fn refused(path: &Path, message: impl Into<String>) -> FileError {
        FileError::Refused { path: path.to_path_buf(), message: message.into() }
    }
}

/// Reads a whole file that should not be larger than `most` bytes.
pub fn read_bounded(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let file = File::open(path).map_err(FileError::io("open", path))?;
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(FileError::io("read", path))?;
    if bytes.len() as u64 > most {
        let source = io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than the {most} bytes that it may have"),
        );
        return Err(FileError::Io { action: "read", path: path.to_path_buf(), source });
    }
    Ok(bytes)
}

/// Reads a whole text file of at most `most` bytes; the error names the line of a byte that is not
/// UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, FileError> {
    String::from_utf8(read_bounded(path, most)?).map_err(|e| {
        let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        FileError::Content {
            path: path.to_path_buf(),
            line: 1 + good.iter().filter(|&&b| b == b'\n').count(),
            message: "expected text in UTF-8".into(),
        }
    })
}

/// Creates a folder and its parents, and makes its entry in the parent last.
pub fn create_folder(folder: &Path) -> Result<(), FileError> {
    fs::create_dir_all(folder).map_err(FileError::io("create", folder))?;
    sync_folder_of(folder)
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A new name in a folder lasts only when the folder itself has been flushed.
fn sync_folder_of(path: &Path) -> Result<(), FileError> {
    let folder = folder_of(path);
    if cfg!(unix) {
        File::open(folder)
            .and_then(|f| f.sync_all())
            .map_err(FileError::io("flush the folder", folder))?;
    }
    Ok(())
}

/// Held while bytes are added to a file, so that a process which ends itself does not end in the
/// middle of a record.
static WRITING: Mutex<()> = Mutex::new(());

/// Adds bytes to a file: all of them as far as [`settle`] is concerned.
pub fn write_whole(file: &mut impl io::Write, bytes: &[u8]) -> io::Result<()> {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    file.write_all(bytes)
}

/// Waits, but not for long, until no record is half written; none is begun while the guard lives. To
/// be called before the process is ended by hand.
#[must_use]
pub fn settle(patience: Duration) -> Option<MutexGuard<'static, ()>> {
    let begun = Instant::now();
    loop {
        if let Ok(guard) = WRITING.try_lock() {
            return Some(guard);
        }
        if begun.elapsed() >= patience {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests;
