//! Learning from the records of games, with the type of the game forgotten.
//!
//! A game that learns which moves good players make says so when it is opened, by adding a [`Records`]
//! to its [`GameEntry`](zug_core::GameEntry). `zug learn GAME patterns` then hands it a
//! [`RecordOrder`]. What comes out is a model, or a folder of a run with a model in it, which `zug runs`
//! lists, shows and draws.

use crate::face::{Account, Named, TaskError};
use crate::report::Page;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zug_core::{Progress, StopFlag};

/// The task of a run that learns from records, as its `run.toml` names it.
pub const TASK: &str = "patterns";

/// What is to be learned, and from what.
#[derive(Clone, Debug, Default)]
pub struct RecordOrder {
    /// One of [`AnyRecordLearner::methods`].
    pub method: String,
    /// One of the method's [experiments](AnyRecordLearner::experiments): a named configuration.
    pub experiment: Option<String>,
    /// Files, folders and archives of records.
    pub data: Vec<PathBuf>,
    /// Only games of this year and later.
    pub from: Option<u16>,
    /// Only games of this year and before.
    pub until: Option<u16>,
    /// Where the result goes: a folder or a file, as the method has it.
    pub out: PathBuf,
    /// Go on with what an earlier process has left.
    pub resume: bool,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// What only this method knows, by name: see [`AnyRecordLearner::options`].
    pub options: Vec<(String, String)>,
    /// The command line, for the header of what is written.
    pub command: String,
}

/// What one game can learn from records.
pub trait AnyRecordLearner: Send + Sync {
    /// The methods, the default one first.
    fn methods(&self) -> Vec<Named>;

    /// The named configurations of a method; none for most.
    fn experiments(&self, method: &str) -> Vec<Named>;

    /// The options (`--set KEY=VALUE`) of a method, with their defaults.
    fn options(&self, method: &str) -> Vec<Named>;

    /// Learns.
    fn learn(
        &self,
        order: &RecordOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError>;

    /// The page of a run, finished or not; `None` where the general one (a plot of each figure)
    /// will do.
    fn report(&self, folder: &Path) -> Result<Option<Page>, TaskError>;
}

/// What a [`GameEntry`](zug_core::GameEntry) carries when its game learns from records.
#[derive(Clone)]
pub struct Records(Arc<dyn AnyRecordLearner>);

impl Records {
    /// From what the game can do.
    pub fn new(learner: impl AnyRecordLearner + 'static) -> Records {
        Records(Arc::new(learner))
    }
}

impl std::ops::Deref for Records {
    type Target = dyn AnyRecordLearner;
    fn deref(&self) -> &(dyn AnyRecordLearner + 'static) {
        &*self.0
    }
}
