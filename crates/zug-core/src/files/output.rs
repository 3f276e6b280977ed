//! A file that a command makes.

use super::atomic::end_of_links;
use super::{FileError, FileLock};
use std::fs;
use std::path::{Path, PathBuf};

/// The right to make a file: while it lives, no other process makes the same one.
///
/// What is there already is never overwritten without being asked, since it may be hours of work.
#[derive(Debug)]
#[must_use]
pub struct Output {
    path: PathBuf,
    replace: bool,
    _lock: FileLock,
}

impl Output {
    /// Claims a file before the work on it begins. A file that is there is refused unless it is to be
    /// replaced.
    pub fn claim(path: &Path, replace: bool) -> Result<Output, FileError> {
        let refused = |message: String| Err(FileError::refused(path, message));
        if path.is_dir() {
            return refused("this is a folder; the name of a file is needed".into());
        }
        let folder = super::folder_of(path);
        if !folder.is_dir() {
            return refused(format!("there is no folder {}", folder.display()));
        }
        if fs::metadata(end_of_links(path)?).is_ok_and(|m| !m.is_file()) {
            return refused("it is no regular file".into());
        }
        let lock = FileLock::beside(path)?;
        if !replace && path.exists() {
            return refused(
                "this file is there already; --force replaces it, or choose another name".into(),
            );
        }
        Ok(Output { path: path.to_path_buf(), replace, _lock: lock })
    }

    /// The name of the file in which unfinished work is kept, `FILE.WHAT.part`. One that is there
    /// is work of an interrupted process: it is gone on with, or given up when the file is to be
    /// replaced, or refused.
    pub fn unfinished(&self, what: &str, resume: bool) -> Result<PathBuf, FileError> {
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{what}.part"));
        let part = self.path.with_file_name(name);
        if resume || !part.exists() {
            return Ok(part);
        }
        if !self.replace {
            return Err(FileError::refused(
                &part,
                "this is the work of an interrupted process: --resume goes on with it, --force \
                 begins again",
            ));
        }
        fs::remove_file(&part).map_err(FileError::io("remove", &part))?;
        Ok(part)
    }
}
