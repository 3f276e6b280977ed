//! Where are the logs of games kept? The last game under the name that the thesis gives it, so that a
//! learner finds it after it was killed, and all that were learned from beside it.

use super::log::{GameLog, LogError, MAX_FILE};
use std::path::{Path, PathBuf};
use zug_core::files::{FileError, create_folder, read_text, write_atomically};

/// The name of the file of the last game.
pub const LAST_GAME: &str = "rllastgame.rl";

/// A folder with the log of the last game, and of every game that was learned from with a running
/// number: the course of the weights stays on record.
#[derive(Clone, Debug)]
pub struct Archive {
    folder: PathBuf,
}

/// The name of a log that was set aside.
fn aside(number: u32) -> String {
    format!("rllastgame-{number}.rl")
}

/// Is it the name of a log that was set aside?
#[must_use]
pub fn is_aside(name: &str) -> bool {
    let number = name.strip_prefix("rllastgame-").and_then(|rest| rest.strip_suffix(".rl"));
    number.is_some_and(|n| n.parse::<u32>().is_ok_and(|n| aside(n) == name))
}

/// A log that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file.
    #[error(transparent)]
    File(#[from] FileError),
    /// What stands in it.
    #[error("{}: {error}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: LogError,
    },
}

impl Archive {
    /// An archive in a folder, made where there is none.
    pub fn open(folder: &Path) -> Result<Archive, FileError> {
        create_folder(folder)?;
        Ok(Archive { folder: folder.to_path_buf() })
    }

    /// Where the log of the last game is.
    #[must_use]
    pub fn last_path(&self) -> PathBuf {
        self.folder.join(LAST_GAME)
    }

    /// Where a game that was learned from is kept, counted from 1.
    #[must_use]
    pub fn path(&self, number: u64) -> PathBuf {
        self.folder.join("archive").join(format!("{number:06}.rl"))
    }

    /// Writes the log of the last game, whole or not at all.
    pub fn write_last(&self, log: &GameLog) -> Result<(), FileError> {
        write_atomically(&self.last_path(), log.write().as_bytes())
    }

    /// Keeps the log of a game that was learned from.
    pub fn keep(&self, number: u64, log: &GameLog) -> Result<(), FileError> {
        create_folder(&self.folder.join("archive"))?;
        write_atomically(&self.path(number), log.write().as_bytes())
    }

    /// Gives the log of the last game another name, one that is free, so that the next game does not
    /// overwrite it.
    pub fn set_aside(&self) -> Result<PathBuf, FileError> {
        let path = self.last_path();
        let free = (1..u32::MAX).map(|n| self.folder.join(aside(n))).find(|p| !p.exists());
        let free = free.unwrap_or_else(|| self.folder.join(aside(u32::MAX)));
        std::fs::rename(&path, &free).map_err(FileError::io("rename", &path))?;
        Ok(free)
    }

    /// The numbers of the games that were learned from and are kept, rising.
    pub fn numbers(&self) -> Result<Vec<u64>, FileError> {
        let folder = self.folder.join("archive");
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(FileError::io("list", &folder))? {
            let name = entry.map_err(FileError::io("list", &folder))?.file_name();
            let name = name.to_string_lossy();
            let number: Option<u64> = name.strip_suffix(".rl").and_then(|n| n.parse().ok());
            all.extend(number);
        }
        all.sort_unstable();
        Ok(all)
    }

    /// A game that was learned from, by its number.
    pub fn game(&self, number: u64, factors: usize) -> Result<GameLog, ArchiveError> {
        let path = self.path(number);
        let text = read_text(&path, MAX_FILE)?;
        GameLog::read(&text, factors).map_err(|error| ArchiveError::Log { path, error })
    }

    /// The result of a game that was learned from: 1, 0 or -1 for the learner. The weights, which are
    /// most of a log, are not looked at.
    pub fn result(&self, number: u64) -> Result<Option<i32>, FileError> {
        let text = read_text(&self.path(number), MAX_FILE)?;
        let mut lines = text.lines().rev().map(str::trim);
        let last = lines.find(|line| !line.is_empty() && !line.starts_with("//"));
        Ok(last.and_then(|line| line.parse().ok()).filter(|r| (-1..=1).contains(r)))
    }

    /// The last game, if there is one.
    pub fn last(&self, factors: usize) -> Result<Option<GameLog>, ArchiveError> {
        let path = self.last_path();
        if !path.exists() {
            return Ok(None);
        }
        let text = read_text(&path, MAX_FILE)?;
        let log = GameLog::read(&text, factors);
        log.map(Some).map_err(|error| ArchiveError::Log { path, error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::td::log::tests::sample;

    #[test]
    fn an_archive_keeps_the_last_game_and_all_that_were_learned_from() {
        let dir = tempfile::tempdir().unwrap();
        let archive = Archive::open(&dir.path().join("logs")).unwrap();
        assert!(archive.last(3).unwrap().is_none());
        let log = GameLog::read(&sample(), 3).unwrap();
        archive.write_last(&log).unwrap();
        archive.keep(8, &log).unwrap();
        assert_eq!(archive.last(3).unwrap().as_ref(), Some(&log));
        assert_eq!(archive.numbers().unwrap(), [8]);
        assert_eq!(archive.game(8, 3).unwrap(), log);
        assert!(archive.game(9, 3).is_err());
        assert_eq!(archive.result(8).unwrap(), Some(1));
        assert!(archive.path(8).ends_with("archive/000008.rl") && archive.path(8).exists());
        std::fs::write(archive.last_path(), "weiss").unwrap();
        let message = archive.last(3).unwrap_err().to_string();
        assert!(message.contains("rllastgame.rl: line 1"), "{message}");
    }

    #[test]
    fn a_log_that_is_set_aside_takes_the_place_of_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let archive = Archive::open(dir.path()).unwrap();
        for text in ["first", "second"] {
            std::fs::write(archive.last_path(), text).unwrap();
            let path = archive.set_aside().unwrap();
            assert!(is_aside(path.file_name().unwrap().to_str().unwrap()));
            assert_eq!(std::fs::read_to_string(path).unwrap(), text);
            assert!(!archive.last_path().exists());
        }
        assert_eq!(std::fs::read_to_string(dir.path().join("rllastgame-1.rl")).unwrap(), "first");
        assert!(archive.set_aside().is_err());
        for name in ["rllastgame.rl", "rllastgame-x.rl", "rllastgame-01.rl", "other-1.rl"] {
            assert!(!is_aside(name), "{name}");
        }
    }
}
