//! What is a run, where does it stand, and how does it go on after it was interrupted?
//!
//! A run (one job of learning or solving) is a folder:
//!
//! ```text
//! my-run/
//!   run.toml        everything needed to repeat it; written once
//!   status.toml     running, stopped, finished or failed; step and time
//!   metrics.jsonl   one line of figures a step, in order
//!   checkpoints/    the newest few states, each a container
//!   run.lock        held while a process works on the run
//! ```
//!
//! A process may be killed at any moment. [`Run::resume`] goes back to the newest good checkpoint
//! and drops the figures that were recorded after it, so that a run which was killed ten times
//! ends with the same files as one that was not.

mod config;

pub use config::{Difference, RunConfig};

use crate::checkpoint::{self, Checkpoint, CheckpointError, Checkpoints};
use crate::container::{ContainerError, Expect, Header, Kind, Writer};
use crate::files::{self, AtomicFile, FileError, FileLock, Journal};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many checkpoints a run keeps: the newest, and two to fall back on.
pub const KEEP_CHECKPOINTS: usize = 3;

const CONFIG: &str = "run.toml";
const STATUS: &str = "status.toml";
const METRICS: &str = "metrics.jsonl";
const CHECKPOINTS: &str = "checkpoints";
const LOCK: &str = "run.lock";
/// More than any `run.toml` of ours.
const MAX_TEXT: u64 = 1 << 20;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// A process works on it (or did, and was killed).
    Running,
    /// Ended when asked to; can be resumed.
    Stopped,
    /// Done.
    Finished,
    /// Ended with an error; can be resumed.
    Failed,
    /// Found by looking, never written: marked as running, but no process holds the lock.
    Interrupted,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Running => "running",
            State::Stopped => "stopped",
            State::Finished => "finished",
            State::Failed => "failed",
            State::Interrupted => "interrupted",
        })
    }
}

/// State, step and time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Where it stands.
    pub state: State,
    /// The step of the last checkpoint.
    pub step: u64,
    /// When this was written.
    pub updated: String,
    /// What a person should know: the error, say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// A run that could not be opened or written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A new run was to begin where there is one already.
    #[error("{} already holds a run; resume it, or choose another folder", .0.display())]
    Exists(PathBuf),
    /// There is none.
    #[error("{} holds no run (there is no {CONFIG} in it)", .0.display())]
    NotARun(PathBuf),
    /// It had checkpoints, and they are gone.
    #[error(
        "{}: the checkpoints of this run are gone (it had one of step {step}); nothing is left to \
         go on from, and --restart begins again",
        folder.display()
    )]
    NoCheckpoint {
        /// The run.
        folder: PathBuf,
        /// The step of the last one.
        step: u64,
    },
    /// Resumed with options that would change the result.
    #[error("the run in {} was made with other options: {}", folder.display(), list(differences))]
    Different {
        /// The run.
        folder: PathBuf,
        /// What differs.
        differences: Vec<Difference>,
    },
    /// One of its TOML files makes no sense.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

fn list(differences: &[Difference]) -> String {
    differences.iter().map(Difference::to_string).collect::<Vec<_>>().join("; ")
}

/// A run that this process works on.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    config: RunConfig,
    metrics: Journal,
    checkpoints: Checkpoints,
    status: Status,
    notes: Vec<String>,
    _lock: FileLock,
}

impl Run {
    /// Begins a run in a folder that holds none.
    pub fn create(folder: &Path, config: RunConfig) -> Result<Run, RunError> {
        files::create_folder(folder)?;
        let lock = FileLock::take(&folder.join(LOCK))?;
        if folder.join(CONFIG).exists() {
            return Err(RunError::Exists(folder.to_path_buf()));
        }
        let metrics = Journal::open(&folder.join(METRICS))?;
        let checkpoints = Checkpoints::open(&folder.join(CHECKPOINTS), KEEP_CHECKPOINTS)?;
        let status = Status {
            state: State::Running,
            step: 0,
            updated: utc_text(SystemTime::now()),
            message: String::new(),
        };
        write_toml(&folder.join(STATUS), &status)?;
        // Last, since it is what makes the folder a run.
        write_toml(&folder.join(CONFIG), &config)?;
        let (folder, notes) = (folder.to_path_buf(), Vec::new());
        Ok(Run { folder, config, metrics, checkpoints, status, notes, _lock: lock })
    }

    /// Goes on with a run from its newest good checkpoint, or from the beginning when none was saved.
    /// `given` is compared with what the run was begun with; `None` takes the run as it is.
    pub fn resume(
        folder: &Path,
        given: Option<&RunConfig>,
        layout: &str,
    ) -> Result<(Run, Option<Checkpoint>), RunError> {
        let config = read_config(folder)?;
        let differences = given.map(|g| config.differences(g)).unwrap_or_default();
        if !differences.is_empty() {
            return Err(RunError::Different { folder: folder.to_path_buf(), differences });
        }
        let lock = FileLock::take(&folder.join(LOCK))?;
        let mut notes = Vec::new();
        let running = env!("CARGO_PKG_VERSION");
        if config.version != running {
            notes.push(format!(
                "the run was begun with version {} and goes on with {running}: \
                 its result may differ from that of either",
                config.version
            ));
        }
        let checkpoints = Checkpoints::open(&folder.join(CHECKPOINTS), KEEP_CHECKPOINTS)?;
        files::remove_temporaries(folder)?;
        files::remove_temporaries(&folder.join(CHECKPOINTS))?;
        let expect = Expect::checkpoint(&config.game).layout(layout);
        let checkpoint = checkpoints.latest(&expect, &mut notes)?;
        let step = read_toml::<Status>(&folder.join(STATUS))?.step;
        if checkpoint.is_none() && step > 0 {
            return Err(RunError::NoCheckpoint { folder: folder.to_path_buf(), step });
        }

        let path = folder.join(METRICS);
        let metrics = Journal::open(&path)?;
        notes.extend(metrics.note().map(str::to_string));
        let metrics = match rewind(&path, checkpoint.as_ref().map(|c| c.step))? {
            0 => metrics,
            // The file was replaced; the open handle is that of the old one.
            dropped => {
                // Without a checkpoint the run begins anew, and its metrics with it.
                if checkpoint.is_some() {
                    notes.push(format!("{dropped} metrics from after the checkpoint are dropped"));
                }
                Journal::open(&path)?
            }
        };
        let status = Status {
            state: State::Running,
            step: checkpoint.as_ref().map_or(0, |c| c.step),
            updated: utc_text(SystemTime::now()),
            message: String::new(),
        };
        write_toml(&folder.join(STATUS), &status)?;
        let folder = folder.to_path_buf();
        let run = Run { folder, config, metrics, checkpoints, status, notes, _lock: lock };
        Ok((run, checkpoint))
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the run was begun with.
    #[must_use]
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// What was repaired or passed over on resuming, in words.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Adds figures: a line of `metrics.jsonl`. Record the figures of a step before its
    /// checkpoint is saved; those of later steps are dropped on resuming. `figures` must be a
    /// struct or a map.
    pub fn record(&mut self, step: u64, figures: &impl Serialize) -> Result<(), RunError> {
        let path = || self.folder.join(METRICS);
        let content = |message| RunError::Content { path: path(), message };
        let value = serde_json::to_value(figures).map_err(|e| content(e.to_string()))?;
        let serde_json::Value::Object(figures) = value else {
            return Err(content("expected figures with names".into()));
        };
        let mut line = serde_json::Map::from_iter([("step".to_string(), step.into())]);
        line.extend(figures.into_iter().filter(|(name, _)| name != "step"));
        Ok(self.metrics.append(&line)?)
    }

    /// Saves a checkpoint: `fill` writes its sections.
    pub fn checkpoint(
        &mut self,
        step: u64,
        layout: &str,
        fill: impl FnOnce(&mut Writer<AtomicFile>) -> Result<(), ContainerError>,
    ) -> Result<(), RunError> {
        let mut header = Header::new(Kind::Checkpoint, &self.config.game, layout);
        header.made.command = Some(self.config.command.join(" "));
        header.made.seed = Some(self.config.seed);
        header.made.data = self.config.data.clone();
        header.notes.insert("step".into(), step.to_string());
        self.checkpoints.save(step, &header, fill)?;
        self.status.step = step;
        self.set_state(State::Running, "")
    }

    /// Writes the state, with a message for people.
    pub fn set_state(&mut self, state: State, message: &str) -> Result<(), RunError> {
        self.status.state = state;
        self.status.message = message.to_string();
        self.status.updated = utc_text(SystemTime::now());
        write_toml(&self.folder.join(STATUS), &self.status)
    }
}

/// Drops the metrics of steps after `step` (all of them for `None`); tells how many.
fn rewind(path: &Path, step: Option<u64>) -> Result<usize, FileError> {
    #[derive(Deserialize)]
    struct Step {
        step: u64,
    }
    let (mut kept, mut dropped) = (Vec::new(), 0);
    files::for_each_line(path, |_, line| {
        let at: Step = serde_json::from_slice(line).map_err(|e| e.to_string())?;
        if step.is_some_and(|s| at.step <= s) {
            kept.extend_from_slice(line);
            kept.push(b'\n');
        } else {
            dropped += 1;
        }
        Ok(())
    })?;
    if dropped > 0 {
        let mut file = AtomicFile::create(path)?;
        file.write_all(&kept).map_err(FileError::io("write", path))?;
        file.commit()?;
    }
    Ok(dropped)
}

fn write_toml<T: Serialize>(path: &Path, value: &T) -> Result<(), RunError> {
    let text = toml::to_string(value)
        .map_err(|e| RunError::Content { path: path.to_path_buf(), message: e.to_string() })?;
    Ok(files::write_atomically(path, text.as_bytes())?)
}

fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, RunError> {
    let text = files::read_text(path, MAX_TEXT)?;
    toml::from_str(&text).map_err(|e| RunError::Content {
        path: path.to_path_buf(),
        message: e.to_string().trim_end().to_string(),
    })
}

fn read_config(folder: &Path) -> Result<RunConfig, RunError> {
    let path = folder.join(CONFIG);
    if !path.exists() {
        return Err(RunError::NotARun(folder.to_path_buf()));
    }
    read_toml(&path)
}

/// Makes a run whose checkpoints are all damaged or gone begin again when it is next resumed; says
/// which files were removed. Where one is good, nothing is done.
pub fn restart(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    read_config(folder)?;
    let _lock = FileLock::take(&folder.join(LOCK))?;
    let removed = checkpoint::give_up(folder)?;
    let checkpoints = folder.join(CHECKPOINTS);
    if !checkpoints.is_dir() || checkpoint::list(&checkpoints)?.is_empty() {
        let path = folder.join(STATUS);
        let status: Status = read_toml(&path)?;
        write_toml(&path, &Status { step: 0, ..status })?;
    }
    Ok(removed)
}

/// A run seen from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// Where it is.
    pub folder: PathBuf,
    /// What it was begun with.
    pub config: RunConfig,
    /// Where it stands; [`State::Interrupted`] when it claims to run and nobody works on it.
    pub status: Status,
}

/// Looks at a run without touching it.
pub fn inspect(folder: &Path) -> Result<RunSummary, RunError> {
    let config = read_config(folder)?;
    let mut status: Status = read_toml(&folder.join(STATUS))?;
    if status.state == State::Running && !files::is_held(&folder.join(LOCK)) {
        status.state = State::Interrupted;
    }
    Ok(RunSummary { folder: folder.to_path_buf(), config, status })
}

/// All runs in a folder, by name. One that cannot be read is an error in its place.
pub fn list_runs(folder: &Path) -> Result<Vec<Result<RunSummary, RunError>>, FileError> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(FileError::io("list", folder))? {
        let path = entry.map_err(FileError::io("list", folder))?.path();
        if path.join(CONFIG).exists() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders.iter().map(|f| inspect(f)).collect())
}

/// A moment as people and sorting programs like it: `2026-02-28T23:59:59Z`.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(951_782_400);
/// assert_eq!(zug_core::run::utc_text(moment), "2000-02-29T00:00:00Z");
/// ```
#[must_use]
pub fn utc_text(moment: SystemTime) -> String {
    let seconds = moment.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March, so that the leap day is the last of its year; an era of 400
    // years has 146097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests;
