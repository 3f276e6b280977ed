//! From where can interrupted work go on?
//!
//! A folder of containers named after the step they were saved at. Each appears whole or not at
//! all; only the newest few are kept; a damaged one is set aside and the one before it is used.

use crate::container::{Container, ContainerError, Expect, Header, Writer};
use crate::files::{self, AtomicFile, FileError};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of checkpoints.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    keep: usize,
}

/// A checkpoint that was found good.
#[derive(Debug)]
pub struct Checkpoint {
    /// The step at which it was saved.
    pub step: u64,
    /// What was saved.
    pub container: Container,
}

/// What went wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The folder.
    #[error(transparent)]
    File(#[from] FileError),
    /// The container.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// There were some, and none of them is good: to begin again in silence would throw away all that
    /// was done.
    #[error(
        "{}: no checkpoint is good any more ({damaged}); nothing is left to go on from, and \
         --restart begins again",
        folder.display()
    )]
    NoneGood {
        /// The folder.
        folder: PathBuf,
        /// What was found instead.
        damaged: String,
    },
}

impl Checkpoints {
    /// Opens or creates a folder of which the newest `keep` checkpoints (at least one) are kept.
    pub fn open(folder: &Path, keep: usize) -> Result<Checkpoints, FileError> {
        files::create_folder(folder)?;
        Ok(Checkpoints { folder: folder.to_path_buf(), keep: keep.max(1) })
    }

    /// Saves a checkpoint: `fill` writes the sections. Older ones are removed once it is safe.
    pub fn save(
        &self,
        step: u64,
        header: &Header,
        fill: impl FnOnce(&mut Writer<AtomicFile>) -> Result<(), ContainerError>,
    ) -> Result<PathBuf, CheckpointError> {
        let path = self.folder.join(format!("{step:012}.{ENDING}"));
        let mut writer = Writer::create(&path, header)?;
        fill(&mut writer)?;
        writer.commit()?;
        let all = self.list()?;
        for (_, old) in &all[..all.len().saturating_sub(self.keep)] {
            fs::remove_file(old).map_err(FileError::io("remove", old))?;
        }
        Ok(path)
    }

    /// The checkpoints that are there, oldest first; not looked into.
    pub fn list(&self) -> Result<Vec<(u64, PathBuf)>, FileError> {
        list(&self.folder)
    }

    /// The newest good checkpoint. Damaged ones on the way are renamed (`….damaged`), logged, and told
    /// in `notes`; where no other is left that is an error. One of another game or layout is an error
    /// too, since older ones will be no better.
    pub fn latest(
        &self,
        expect: &Expect,
        notes: &mut Vec<String>,
    ) -> Result<Option<Checkpoint>, CheckpointError> {
        let before = notes.len();
        for (step, path) in self.list()?.into_iter().rev() {
            match open_whole(&path) {
                Ok(container) => {
                    container.check(expect)?;
                    if notes.len() > before {
                        let note = format!("the work goes on from the checkpoint of step {step}");
                        tracing::warn!("{}: {note}", self.folder.display());
                        notes.push(note);
                    }
                    return Ok(Some(Checkpoint { step, container }));
                }
                Err(error) => {
                    let aside = path.with_extension(DAMAGED);
                    fs::rename(&path, &aside).map_err(FileError::io("rename", &path))?;
                    let name = aside.file_name().unwrap_or_default().display();
                    let note = format!("a damaged checkpoint is set aside as {name}: {error}");
                    tracing::warn!("{note}");
                    notes.push(note);
                }
            }
        }
        let damaged = with_ending(&self.folder, DAMAGED)?;
        let names = damaged.iter().map(|(_, p)| p.file_name().unwrap_or_default().display());
        match damaged.is_empty() {
            true => Ok(None),
            false => Err(CheckpointError::NoneGood {
                folder: self.folder.clone(),
                damaged: names.map(|n| n.to_string()).collect::<Vec<_>>().join(", "),
            }),
        }
    }
}

const ENDING: &str = "zug";
const DAMAGED: &str = "damaged";

fn open_whole(path: &Path) -> Result<Container, ContainerError> {
    let container = Container::open(path, &Expect::anything())?;
    container.verify().map(|()| container)
}

/// Removes the checkpoints in a folder, and in those below it, of which none is good any more, so that
/// work can begin again there; says which. Where one is good, all stay.
pub fn give_up(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut removed = Vec::new();
    let io = |e| FileError::io("list", folder)(e);
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        // A link may lead out of the run, or back into it.
        if path.is_dir() && !path.is_symlink() {
            removed.extend(give_up(&path)?);
        }
    }
    let mut all = with_ending(folder, DAMAGED)?;
    let whole = list(folder)?;
    if !whole.iter().any(|(_, path)| open_whole(path).is_ok()) {
        all.extend(whole);
        for (_, path) in all {
            fs::remove_file(&path).map_err(FileError::io("remove", &path))?;
            removed.push(path);
        }
    }
    Ok(removed)
}

/// The checkpoints in a folder that somebody else looks after, oldest first; not looked into, and
/// nothing is created or moved.
pub fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, FileError> {
    with_ending(folder, ENDING)
}

/// The files in a folder that are called by a step, with this ending.
fn with_ending(folder: &Path, ending: &str) -> Result<Vec<(u64, PathBuf)>, FileError> {
    let io = |e| FileError::io("list", folder)(e);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let step = path.file_stem().and_then(|s| s.to_str()).and_then(|s| s.parse().ok());
        if let Some(step) = step.filter(|_| path.extension().is_some_and(|e| e == ending)) {
            found.push((step, path));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Kind;

    fn save(checkpoints: &Checkpoints, step: u64) -> PathBuf {
        let header = Header::new(Kind::Checkpoint, "othello", "count/1");
        checkpoints.save(step, &header, |w| w.array("count", &[step])).unwrap()
    }

    fn latest(checkpoints: &Checkpoints) -> (Option<u64>, usize) {
        let mut notes = Vec::new();
        let expect = Expect::checkpoint("othello").layout("count/1");
        let found = checkpoints.latest(&expect, &mut notes).unwrap();
        let step = found.map(|c| {
            let saved = c.container.section("count").unwrap().array::<u64>(1).unwrap()[0];
            assert_eq!(saved, c.step);
            saved
        });
        (step, notes.len())
    }

    #[test]
    fn the_newest_are_kept_and_the_newest_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::open(&dir.path().join("c"), 2).unwrap();
        assert_eq!(latest(&checkpoints), (None, 0));
        for step in [1, 9, 10, 2_000_000_000_000] {
            save(&checkpoints, step);
        }
        let steps: Vec<u64> = checkpoints.list().unwrap().into_iter().map(|(s, _)| s).collect();
        assert_eq!(steps, [10, 2_000_000_000_000]);
        assert_eq!(latest(&checkpoints), (Some(2_000_000_000_000), 0));
    }

    #[test]
    fn a_damaged_checkpoint_is_set_aside_for_the_one_before() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::open(dir.path(), 3).unwrap();
        save(&checkpoints, 1);
        let second = save(&checkpoints, 2);
        let mut bytes = fs::read(&second).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&second, &bytes).unwrap();
        assert_eq!(latest(&checkpoints), (Some(1), 2));
        assert_eq!(latest(&checkpoints), (Some(1), 0));
        assert!(second.with_extension("damaged").exists());
        assert!(give_up(dir.path()).unwrap().is_empty(), "one of them is good");
    }

    #[test]
    fn where_none_is_good_the_work_begins_again_only_when_asked() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("inner");
        let checkpoints = Checkpoints::open(&inner, 3).unwrap();
        fs::write(save(&checkpoints, 1), b"").unwrap();
        fs::write(save(&checkpoints, 2), b"no container").unwrap();
        let expect = Expect::checkpoint("othello").layout("count/1");
        for _ in 0..2 {
            let error = checkpoints.latest(&expect, &mut Vec::new()).err().unwrap().to_string();
            assert!(
                error.contains("000000000002.damaged") && error.contains("--restart"),
                "{error}"
            );
        }
        assert_eq!(give_up(dir.path()).unwrap().len(), 2);
        assert_eq!(latest(&checkpoints), (None, 0));
    }

    #[test]
    fn a_checkpoint_of_another_game_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::open(dir.path(), 3).unwrap();
        save(&checkpoints, 1);
        let wrong = checkpoints.latest(&Expect::checkpoint("chess"), &mut Vec::new());
        assert!(wrong.err().unwrap().to_string().contains("'chess'"));
    }
}
