//! Which process may write a file?
//!
//! A lock is a file that the operating system holds for a process and gives back when the process
//! ends, however it ends; so a killed process blocks nobody. In it stands the number of its holder,
//! for people. It goes away with the lock.

use super::FileError;
use super::atomic::end_of_links;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A lock that this process holds.
///
/// ```
/// use zug_core::files::FileLock;
/// # let dir = tempfile::tempdir()?;
/// let out = dir.path().join("games.txt");
/// let lock = FileLock::beside(&out)?;
/// let refused = FileLock::beside(&out).unwrap_err().to_string();
/// assert!(refused.contains(&format!("process {}", std::process::id())));
/// drop(lock);
/// assert!(FileLock::beside(&out).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct FileLock {
    path: PathBuf,
    // Given back by the operating system when the process ends.
    _file: File,
}

/// Somebody who only looks whether a lock is held has it for a moment.
const MOMENT: Duration = Duration::from_millis(200);

impl FileLock {
    /// Takes the lock of a file that is to be written, `FILE.lock`.
    pub fn beside(file: &Path) -> Result<FileLock, FileError> {
        FileLock::take(&lock_of(file)?)
    }

    /// Takes the lock of this name, or says who has it.
    pub fn take(path: &Path) -> Result<FileLock, FileError> {
        FileLock::wait(path, Some(MOMENT), &mut |_| {})
    }

    /// Waits for the lock of a file that is to be written.
    pub fn wait_beside(
        file: &Path,
        patience: Option<Duration>,
        waits: &mut dyn FnMut(&FileError),
    ) -> Result<FileLock, FileError> {
        FileLock::wait(&lock_of(file)?, patience, waits)
    }

    /// Takes the lock of this name as soon as it is free: as long as that takes, or so long at most.
    /// `waits` is called once when that is longer than a moment.
    pub fn wait(
        path: &Path,
        patience: Option<Duration>,
        waits: &mut dyn FnMut(&FileError),
    ) -> Result<FileLock, FileError> {
        let begun = Instant::now();
        let mut told = false;
        loop {
            let busy = match attempt(path)? {
                Attempt::Taken(lock) => return Ok(lock),
                Attempt::Vanished => continue,
                Attempt::Busy(holder) => FileError::Busy { path: path.to_path_buf(), holder },
            };
            if patience.is_some_and(|most| begun.elapsed() >= most) {
                return Err(busy);
            }
            if !told && begun.elapsed() > Duration::from_secs(1) {
                told = true;
                waits(&busy);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn lock_of(file: &Path) -> Result<PathBuf, FileError> {
    let mut name = end_of_links(file)?.into_os_string();
    name.push(".lock");
    Ok(PathBuf::from(name))
}

enum Attempt {
    Taken(FileLock),
    Busy(Option<u32>),
    /// Its holder removed it after we had opened it.
    Vanished,
}

fn attempt(path: &Path) -> Result<Attempt, FileError> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let mut file = file.map_err(FileError::io("open", path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let _ = file.take(32).read_to_string(&mut text);
            return Ok(Attempt::Busy(text.trim().parse().ok()));
        }
        // Some file systems have no locks; then there is nothing to check.
        Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(e)) => return Err(FileError::io("lock", path)(e)),
    }
    if !is_at(&file, path) {
        return Ok(Attempt::Vanished);
    }
    let number = format!("{}\n", std::process::id());
    let written = file.set_len(0).and_then(|()| file.write_all(number.as_bytes()));
    written.map_err(FileError::io("write", path))?;
    Ok(Attempt::Taken(FileLock { path: path.to_path_buf(), _file: file }))
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Removed while it is held; who opened it before finds that it is not at its name any more.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Is this open file still the one of this name?
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let which = |m: fs::Metadata| (m.dev(), m.ino());
        let (open, named) = (file.metadata().map(which), fs::metadata(path).map(which));
        matches!((open, named), (Ok(open), Ok(named)) if open == named)
    }
    // Elsewhere a file that somebody has open is not removed.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// Does a process hold the lock of this name?
#[must_use]
pub fn is_held(path: &Path) -> bool {
    File::open(path).is_ok_and(|f| matches!(f.try_lock_shared(), Err(TryLockError::WouldBlock)))
}
