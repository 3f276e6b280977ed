//! Learning by self-play, with the type of the game forgotten.
//!
//! A game that learns from its own play says so when it is opened, by adding a [`SelfPlay`] to its
//! [`GameEntry`](zug_core::GameEntry). `zug learn GAME td` then hands it a [`TdOrder`]; the work
//! happens in the folder of a run, which `zug runs` lists, shows and draws.

use crate::face::{Account, Named, TaskError};
use crate::report::Page;
use crate::weights::Weights;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zug_core::{Progress, StopFlag};

/// The task of a run of self-play, as its `run.toml` names it.
pub const TASK: &str = "td";

/// What is to be learned, and how.
#[derive(Clone, Debug, Default)]
pub struct TdOrder {
    /// One of [`AnySelfPlay::groups`]: a named configuration. Other choices change it.
    pub group: Option<String>,
    /// One of [`AnySelfPlay::methods`]; the configuration's own for `None`.
    pub method: Option<String>,
    /// One of [`AnySelfPlay::features`]; the configuration's own for `None`.
    pub features: Option<String>,
    /// How many times the same is learned from other random beginnings.
    pub experiments: Option<u32>,
    /// Games of each experiment.
    pub games: Option<u64>,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// The folder of the run.
    pub out: PathBuf,
    /// Go on with what an earlier process has left in the folder.
    pub resume: bool,
    /// What only some methods know, by name: see [`AnySelfPlay::options`].
    pub options: Vec<(String, String)>,
    /// The command line, for the header of what is written.
    pub command: String,
}

/// Which of the learned weights are looked at, and how.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The experiment of the run; the first for `None`.
    pub experiment: Option<String>,
    /// One type of positions, or two whose difference is shown; the game's own choice when empty.
    pub types: Vec<String>,
    /// After how many games; from two the change between them is shown. The last when empty.
    pub games: Vec<u64>,
    /// A model, by name or file, that the weights are compared with.
    pub against: Option<String>,
    /// The groups of weights; the game's own choice when empty.
    pub groups: Vec<String>,
    /// Is the text for a terminal that shows colours?
    pub colours: bool,
}

impl Look {
    /// Was anything asked for in particular?
    #[must_use]
    pub fn is_particular(&self) -> bool {
        let lists = self.types.len() + self.games.len() + self.groups.len();
        lists > 0 || self.experiment.is_some() || self.against.is_some()
    }
}

/// What one game can learn from its own play.
pub trait AnySelfPlay: Send + Sync {
    /// Named configurations, each a whole experiment; none for most games.
    fn groups(&self) -> Vec<Named>;

    /// The methods of learning, the default one first.
    fn methods(&self) -> Vec<Named>;

    /// The sets of features, the default one first.
    fn features(&self) -> Vec<Named>;

    /// The options (`--set KEY=VALUE`) with their defaults.
    fn options(&self) -> Vec<Named>;

    /// Learns, in the folder of a run.
    fn learn(
        &self,
        order: &TdOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError>;

    /// The page of a run, finished or not; `None` where the general one (a plot of each figure)
    /// will do.
    fn report(&self, folder: &Path) -> Result<Option<Page>, TaskError>;

    /// What a run that was stopped has come to; `None` where there is nothing to tell before the
    /// end.
    fn so_far(&self, _folder: &Path) -> Result<Option<Account>, TaskError> {
        Ok(None)
    }

    /// Shows the weights of a run, or of a model in a file; `None` where there are none to show.
    fn look(&self, _path: &Path, _look: &Look) -> Result<Option<Account>, TaskError> {
        Ok(None)
    }

    /// The weights of a run as boards and lists of numbers, at its end or as far as it is; `None`
    /// where there are none to show yet. Of the look everything but `against` and `colours` counts,
    /// and at most one type and one moment.
    fn weights(&self, _folder: &Path, _look: &Look) -> Result<Option<Weights>, TaskError> {
        Ok(None)
    }
}

/// What a [`GameEntry`](zug_core::GameEntry) carries when its game learns from its own play.
#[derive(Clone)]
pub struct SelfPlay(Arc<dyn AnySelfPlay>);

impl SelfPlay {
    /// From what the game can do.
    pub fn new(learner: impl AnySelfPlay + 'static) -> SelfPlay {
        SelfPlay(Arc::new(learner))
    }
}

impl std::ops::Deref for SelfPlay {
    type Target = dyn AnySelfPlay;
    fn deref(&self) -> &(dyn AnySelfPlay + 'static) {
        &*self.0
    }
}
