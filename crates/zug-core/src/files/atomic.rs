//! Files that appear whole or not at all.

use super::lock::is_at;
use super::{FileError, folder_of, sync_folder_of};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

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
        sweep_once(path);
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{number}.{TEMPORARY}", std::process::id()));
            let temporary = path.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    // The lock says that somebody is writing, also to processes that cannot see our
                    // number (in another container, say). One of them may have been quicker.
                    let _ = file.try_lock();
                    if !is_at(&file, &temporary) {
                        continue;
                    }
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
pub(super) fn end_of_links(path: &Path) -> Result<PathBuf, FileError> {
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

/// Is this the name of one of our temporaries, `.NAME.PROCESS-NUMBER.tmp`?
fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
    let middle = name.strip_prefix('.').and_then(|n| n.strip_suffix(".tmp"));
    let numbers = middle.and_then(|n| n.rsplit_once('.')).and_then(|(_, n)| n.split_once('-'));
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    numbers.is_some_and(|(process, count)| is_number(process) && is_number(count))
}

/// Removes the temporaries that killed processes left in a folder; those of living ones are locked,
/// and stay.
pub fn remove_temporaries(folder: &Path) -> Result<usize, FileError> {
    let mut removed = 0;
    for entry in fs::read_dir(folder).map_err(FileError::io("list", folder))? {
        let path = entry.map_err(FileError::io("list", folder))?.path();
        if is_temporary(&path)
            && let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
            && is_at(&file, &path)
        {
            fs::remove_file(&path).map_err(FileError::io("remove", &path))?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Clears the folder of a file of what killed processes left, the first time that this process writes
/// there.
fn sweep_once(path: &Path) {
    static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let folder = folder_of(path);
    let is_new = SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_path_buf());
    if is_new {
        // What cannot be removed harms nobody.
        let _ = remove_temporaries(folder);
    }
}
