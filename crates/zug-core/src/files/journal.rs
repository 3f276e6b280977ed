//! Files of JSON lines that grow at their end.

use super::{FileError, sync_folder_of, write_whole};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The longest line that a journal may hold. Ours have a few hundred bytes; the bound keeps a file
/// of some other kind from being read into memory whole.
pub const MAX_JOURNAL_LINE: usize = 16 << 20;

/// A file of JSON lines that grows at its end.
///
/// ```
/// use zug_core::files::{Journal, read_journal};
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("metrics.jsonl");
/// let mut journal = Journal::open(&path)?;
/// journal.append(&("depth", 8))?;
/// let read = read_journal::<(String, u32)>(&path)?;
/// assert_eq!(read.entries, [("depth".to_string(), 8)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    note: Option<String>,
}

impl Journal {
    /// Opens a journal, or begins it. A torn last line is cut off, since the next one would
    /// otherwise be glued to it; [`note`](Journal::note) tells.
    pub fn open(path: &Path) -> Result<Journal, FileError> {
        let fresh = !path.exists();
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(FileError::io("open", path))?;
        if fresh {
            sync_folder_of(path)?;
        }
        let torn = torn_bytes(&mut file).map_err(FileError::io("read", path))?;
        let mut note = None;
        if torn > 0 {
            let whole = file.metadata().map_err(FileError::io("read", path))?.len() - torn;
            file.set_len(whole).map_err(FileError::io("shorten", path))?;
            file.sync_all().map_err(FileError::io("flush", path))?;
            note = Some(torn_note(path, torn));
        }
        Ok(Journal { path: path.to_path_buf(), file, note })
    }

    /// What was repaired on opening, if anything.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Adds an entry; when this returns, it is on the disk.
    pub fn append<T: Serialize + ?Sized>(&mut self, entry: &T) -> Result<(), FileError> {
        let line = serde_json::to_vec(entry)
            .map_err(|e| FileError::io("write", &self.path)(io::Error::other(e)))?;
        self.append_line(line)
    }

    pub(super) fn append_line(&mut self, mut line: Vec<u8>) -> Result<(), FileError> {
        line.push(b'\n');
        // One call, so that a crash tears at most this line.
        write_whole(&mut self.file, &line).map_err(FileError::io("write", &self.path))?;
        self.file.sync_data().map_err(FileError::io("flush", &self.path))
    }
}

/// How many bytes stand after the last newline.
fn torn_bytes(file: &mut File) -> io::Result<u64> {
    const STEP: u64 = 4096;
    let length = file.metadata()?.len();
    let mut end = length;
    let mut buffer = [0; STEP as usize];
    while end > 0 {
        let begin = end.saturating_sub(STEP);
        let piece = &mut buffer[..(end - begin) as usize];
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(piece)?;
        if let Some(at) = piece.iter().rposition(|&b| b == b'\n') {
            return Ok(length - (begin + at as u64 + 1));
        }
        end = begin;
    }
    Ok(length)
}

fn torn_note(path: &Path, bytes: u64) -> String {
    format!("{}: the last line was cut off and is dropped ({bytes} bytes)", path.display())
}

/// What a journal holds.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalContents<T> {
    /// The entries in order.
    pub entries: Vec<T>,
    /// Set when the last line was torn and is not among them.
    pub note: Option<String>,
}

/// Reads a journal. A torn last line is dropped with a note; any other line that does not fit is an
/// error.
pub fn read_journal<T: DeserializeOwned>(path: &Path) -> Result<JournalContents<T>, FileError> {
    let mut contents = JournalContents { entries: Vec::new(), note: None };
    contents.note = for_each_line(path, |_, line| {
        let entry = serde_json::from_slice(line).map_err(|e| e.to_string())?;
        contents.entries.push(entry);
        Ok(())
    })?;
    Ok(contents)
}

/// Calls `use_line` with every whole line and its number; gives back a note when the last was torn.
pub(crate) fn for_each_line(
    path: &Path,
    mut use_line: impl FnMut(usize, &[u8]) -> Result<(), String>,
) -> Result<Option<String>, FileError> {
    let file = File::open(path).map_err(FileError::io("open", path))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let taken = (&mut reader)
            .take(MAX_JOURNAL_LINE as u64)
            .read_until(b'\n', &mut line)
            .map_err(FileError::io("read", path))?;
        if taken == 0 {
            break;
        }
        let bad = |message| FileError::Content { path: path.to_path_buf(), line: number, message };
        if line.last() != Some(&b'\n') {
            if taken == MAX_JOURNAL_LINE {
                return Err(bad(format!("longer than {MAX_JOURNAL_LINE} bytes")));
            }
            return Ok(Some(torn_note(path, taken as u64)));
        }
        line.pop();
        use_line(number, &line).map_err(bad)?;
    }
    Ok(None)
}
