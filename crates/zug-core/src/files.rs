//! How do bytes reach the disk so that a crash at any moment leaves either the old file or the new
//! one, and never half of each?
//!
//! * [`write_atomically`] and [`AtomicFile`] replace a whole file: the new bytes go to a temporary
//!   beside it, are flushed to the disk, and take the name in one step.
//! * [`Journal`] and [`read_journal`] add lines of JSON to the end of a file. A crash can tear only
//!   the last line; it is dropped when the file is next opened, and the reader says so.
//!
//! Every error names the file and what was being done to it.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest line that a journal may hold. Ours have a few hundred bytes; the bound keeps a file
/// of some other kind from being read into memory whole.
pub const MAX_JOURNAL_LINE: usize = 16 << 20;

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
}

impl FileError {
    /// Turns an [`io::Error`] into one that names the file: for `map_err`.
    pub fn io<'a>(
        action: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> FileError + 'a {
        move |source| FileError::Io { action, path: path.to_path_buf(), source }
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

/// Replaces a file in one step.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// let path = dir.path().join("status.toml");
/// zug_core::files::write_atomically(&path, b"state = \"running\"\n")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "state = \"running\"\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(FileError::io("write", path))?;
    file.commit()
}

/// A file that appears under its name only when it is complete. Dropped without
/// [`commit`](AtomicFile::commit), it leaves no trace.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    temporary: PathBuf,
    // `None` once committed, so that `drop` knows.
    file: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Begins a file that will be called `path`. Where that is a symbolic link, the file that it
    /// points to is replaced and the link stays; what is there and is no file is refused, since a
    /// rename would put a file in the place of a device.
    pub fn create(path: &Path) -> Result<AtomicFile, FileError> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let path = &end_of_links(path)?;
        if let Ok(there) = fs::metadata(path)
            && !there.is_file()
        {
            let what = if there.is_dir() { "a folder" } else { "no regular file" };
            let source = io::Error::new(io::ErrorKind::InvalidInput, format!("it is {what}"));
            return Err(FileError::Io { action: "write", path: path.to_path_buf(), source });
        }
        let name = path.file_name().ok_or_else(|| {
            let source = io::Error::new(io::ErrorKind::InvalidInput, "it has no file name");
            FileError::Io { action: "create", path: path.to_path_buf(), source }
        })?;
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{number}.{TEMPORARY}", std::process::id()));
            let temporary = path.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    let file = Some(BufWriter::with_capacity(1 << 16, file));
                    return Ok(AtomicFile { target: path.to_path_buf(), temporary, file });
                }
                // Left behind by a killed process that had the same number.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(source) => {
                    return Err(FileError::Io { action: "create", path: temporary, source });
                }
            }
        }
    }

    /// Makes the file last, and gives it its name.
    pub fn commit(mut self) -> Result<(), FileError> {
        self.writer().flush().map_err(FileError::io("write", &self.target))?;
        self.writer().get_ref().sync_all().map_err(FileError::io("flush", &self.target))?;
        fs::rename(&self.temporary, &self.target)
            .map_err(FileError::io("rename", &self.temporary))?;
        self.file = None;
        sync_folder_of(&self.target)
    }

    fn writer(&mut self) -> &mut BufWriter<File> {
        self.file.as_mut().expect("a committed file is consumed")
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Symbolic links that may lead to one another.
const MOST_LINKS: usize = 40;

/// The name at the end of a chain of symbolic links; it need not exist.
fn end_of_links(path: &Path) -> Result<PathBuf, FileError> {
    let mut end = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if !fs::symlink_metadata(&end).is_ok_and(|m| m.file_type().is_symlink()) {
            return Ok(end);
        }
        let next = fs::read_link(&end).map_err(FileError::io("follow", &end))?;
        // A relative link counts from the folder that it lies in.
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    let source = io::Error::new(io::ErrorKind::InvalidInput, "its links lead to one another");
    Err(FileError::Io { action: "follow", path: path.to_path_buf(), source })
}

/// The ending of temporaries.
const TEMPORARY: &str = "tmp";

/// Removes the temporaries that killed processes left in a folder. Call it only when no other
/// process writes there.
pub fn remove_temporaries(folder: &Path) -> Result<usize, FileError> {
    let mut removed = 0;
    for entry in fs::read_dir(folder).map_err(FileError::io("list", folder))? {
        let path = entry.map_err(FileError::io("list", folder))?.path();
        let hidden = path.file_name().is_some_and(|n| n.as_encoded_bytes().first() == Some(&b'.'));
        if hidden && path.extension().is_some_and(|e| e == TEMPORARY) {
            fs::remove_file(&path).map_err(FileError::io("remove", &path))?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Creates a folder and its parents, and makes its entry in the parent last.
pub fn create_folder(folder: &Path) -> Result<(), FileError> {
    fs::create_dir_all(folder).map_err(FileError::io("create", folder))?;
    sync_folder_of(folder)
}

/// A new name in a folder lasts only when the folder itself has been flushed.
fn sync_folder_of(path: &Path) -> Result<(), FileError> {
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    if cfg!(unix) {
        File::open(folder)
            .and_then(|f| f.sync_all())
            .map_err(FileError::io("flush the folder", folder))?;
    }
    Ok(())
}

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
        let mut line = serde_json::to_vec(entry)
            .map_err(|e| FileError::io("write", &self.path)(io::Error::other(e)))?;
        line.push(b'\n');
        // One call, so that a crash tears at most this line.
        self.file.write_all(&line).map_err(FileError::io("write", &self.path))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_given_up_half_way_leaves_the_old_one_and_no_trace() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        write_atomically(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(&[7; 1 << 20]).unwrap();
        assert_eq!(names(dir.path()).len(), 2);
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(dir.path()), ["a"]);
        write_atomically(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(dir.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_what_is_no_file_is_never_replaced() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("folder")).unwrap();
        symlink("folder/real", at("link")).unwrap();
        symlink("link", at("link2")).unwrap();
        for text in ["first", "second"] {
            write_atomically(&at("link2"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(at("folder/real")).unwrap(), text);
        }
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(at("link2")).unwrap().is_symlink());
        assert_eq!(names(&at("folder")), ["real"]);

        symlink("round", at("round")).unwrap();
        let message = write_atomically(&at("round"), b"x").unwrap_err().to_string();
        assert!(message.contains("lead to one another"), "{message}");
        let message = write_atomically(&at("folder"), b"x").unwrap_err().to_string();
        assert!(message.contains("it is a folder"), "{message}");
        let socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        let message = write_atomically(&at("socket"), b"x").unwrap_err().to_string();
        assert!(message.contains("no regular file"), "{message}");
        assert!(fs::metadata(at("socket")).unwrap().file_type().is_socket());
        drop(socket);
        assert_eq!(names(dir.path()), ["folder", "link", "link2", "round", "socket"]);
    }

    #[test]
    fn errors_name_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("missing").join("file.toml");
        let message = write_atomically(&path, b"x").unwrap_err().to_string();
        assert!(message.contains("file.toml") && message.contains("missing"), "{message}");
        let message = read_bounded(&path, 10).unwrap_err().to_string();
        assert!(message.starts_with("cannot open") && message.contains("file.toml"), "{message}");
        assert!(write_atomically(Path::new("/"), b"x").is_err());
    }

    #[test]
    fn files_that_are_too_long_or_no_text_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, b"one\ntwo\n\xff").unwrap();
        assert_eq!(read_bounded(&path, 9).unwrap().len(), 9);
        assert!(read_bounded(&path, 8).unwrap_err().to_string().contains("larger"));
        assert!(read_text(&path, 9).unwrap_err().to_string().contains("line 3"));
    }

    #[test]
    fn temporaries_of_killed_processes_are_swept_and_other_files_stay() {
        let dir = tempfile::tempdir().unwrap();
        for name in [".a.1-0.tmp", "a", "notes.tmp", ".hidden"] {
            fs::write(dir.path().join(name), b"").unwrap();
        }
        assert_eq!(remove_temporaries(dir.path()).unwrap(), 1);
        assert_eq!(names(dir.path()), [".hidden", "a", "notes.tmp"]);
    }

    #[test]
    fn a_broken_line_in_the_middle_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        fs::write(&path, b"1\nx\n3\n").unwrap();
        let message = read_journal::<u32>(&path).unwrap_err().to_string();
        assert!(message.contains("line 2"), "{message}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn a_journal_cut_anywhere_keeps_its_whole_lines_and_can_grow_on(
            entries in prop::collection::vec(".{0,40}", 1..20),
            cut in 0.0..1.0f64,
        ) {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("j");
            let mut ends = Vec::new();
            let mut journal = Journal::open(&path).unwrap();
            for entry in &entries {
                journal.append(entry).unwrap();
                ends.push(fs::metadata(&path).unwrap().len());
            }
            drop(journal);
            let length = (cut * (*ends.last().unwrap() + 1) as f64) as u64;
            OpenOptions::new().write(true).open(&path).unwrap().set_len(length).unwrap();

            let whole = ends.iter().filter(|&&e| e <= length).count();
            let torn = length > whole.checked_sub(1).map_or(0, |i| ends[i]);
            let read = read_journal::<String>(&path).unwrap();
            prop_assert_eq!(&read.entries[..], &entries[..whole]);
            prop_assert_eq!(read.note.is_some(), torn);

            let mut journal = Journal::open(&path).unwrap();
            prop_assert_eq!(journal.note().is_some(), torn);
            journal.append("more").unwrap();
            let read = read_journal::<String>(&path).unwrap();
            prop_assert_eq!(read.entries.len(), whole + 1);
            prop_assert_eq!(read.entries.last().unwrap(), "more");
            prop_assert_eq!(read.note, None);
        }
    }
}
