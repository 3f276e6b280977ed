//! How does a game get a learner? With its features, and whatever else it knows.
//!
//! ```
//! # use zug_core::{GameEntry, Symmetric};
//! use std::sync::Arc;
//! use zug_learn::td::face::SelfPlay;
//! use zug_learn::td::{NTuples, SelfPlayOf};
//! # fn open<G: Symmetric>(game: &G, entry: GameEntry) -> GameEntry {
//! let learner = SelfPlayOf::new(game, vec![Arc::new(NTuples::of_symmetric(game))]);
//! entry.with_extension(SelfPlay::new(learner))
//! # }
//! ```

use super::face::{AnySelfPlay, Look, TASK, TdOrder};
use super::features::SharedFeatures;
use super::judge::Truth;
use super::learner::{Finished, Learner, MODEL, summary};
use super::linear::{Linear, LinearError};
use super::page;
use super::settings::{Method, Settings};
use super::shown;
use super::state::LAYOUT;
use crate::face::{Account, Named, TaskError};
use crate::report::Page;
use crate::weights::Weights;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use zug_core::run::{Run, RunConfig, RunError, State};
use zug_core::{Evaluator, Game, Progress, StopFlag};

/// Finds out what moves are really worth; `None` where that cannot be known. May take seconds.
pub type OpenTruth<G> = Arc<dyn Fn(&G, &StopFlag) -> Option<Box<dyn Truth<G>>> + Send + Sync>;

/// The learner of one game.
#[derive(Clone)]
pub struct SelfPlayOf<G: Game> {
    game: G,
    features: Vec<SharedFeatures<G>>,
    truth: Option<OpenTruth<G>>,
    reference: Option<Arc<dyn Evaluator<G>>>,
    defaults: Settings,
}

impl<G: Game> SelfPlayOf<G> {
    /// A learner with these sets of features, the default one first; there is at least one.
    #[must_use]
    pub fn new(game: &G, features: Vec<SharedFeatures<G>>) -> SelfPlayOf<G> {
        debug_assert!(!features.is_empty());
        let (truth, reference) = (None, None);
        SelfPlayOf { game: game.clone(), features, truth, reference, defaults: Settings::default() }
    }

    /// Measured by the share of right moves.
    #[must_use]
    pub fn with_truth(mut self, truth: OpenTruth<G>) -> SelfPlayOf<G> {
        self.truth = Some(truth);
        self
    }

    /// Measured by games against this evaluation.
    #[must_use]
    pub fn with_reference(mut self, reference: Arc<dyn Evaluator<G>>) -> SelfPlayOf<G> {
        self.reference = Some(reference);
        self
    }

    /// With other defaults.
    #[must_use]
    pub fn with_defaults(mut self, change: impl FnOnce(&mut Settings)) -> SelfPlayOf<G> {
        change(&mut self.defaults);
        self
    }

    /// Opens a model that was learned here.
    pub fn open(&self, path: &Path) -> Result<Linear<G>, LinearError> {
        Linear::open(path, &self.game, &self.features)
    }

    /// The choices that an order makes.
    fn settings(&self, order: &TdOrder) -> Result<Settings, TaskError> {
        let mut settings = self.defaults.clone();
        if let Some(method) = &order.method {
            let known = self.methods();
            settings.method = method.parse().map_err(|_| {
                TaskError::unknown("method", method, known.iter().map(|n| n.name.as_str()))
            })?;
            if settings.method == Method::TdLeaf {
                // One ply would be TD(λ) with a delay.
                settings.depth = settings.depth.max(2);
            }
        }
        settings.games = order.games.unwrap_or(settings.games);
        for (name, value) in &order.options {
            settings.set(name, value)?;
        }
        settings.check()?;
        Ok(settings)
    }

    fn chosen(&self, order: &TdOrder) -> Result<&SharedFeatures<G>, TaskError> {
        let Some(name) = &order.features else { return Ok(&self.features[0]) };
        self.features.iter().find(|f| f.name() == name).ok_or_else(|| {
            TaskError::unknown("set of features", name, self.features.iter().map(|f| f.name()))
        })
    }

    fn begin(
        &self,
        order: &TdOrder,
        settings: &Settings,
        features: &SharedFeatures<G>,
    ) -> Result<(Run, Option<zug_core::checkpoint::Checkpoint>), RunError> {
        let mut config = RunConfig::new(TASK, self.game.spec(), order.seed);
        config.command = vec![order.command.clone()];
        // The result is the same for any number of threads.
        config.threads = 0;
        config.options = settings.values();
        config.options.insert("features".into(), features.signature());
        if !order.resume {
            return Ok((Run::create(&order.out, config)?, None));
        }
        match Run::resume(&order.out, Some(&config), LAYOUT) {
            Err(RunError::NotARun(_)) => Ok((Run::create(&order.out, config)?, None)),
            other => other,
        }
    }
}

impl<G: Game> AnySelfPlay for SelfPlayOf<G> {
    fn groups(&self) -> Vec<Named> {
        Vec::new()
    }

    fn methods(&self) -> Vec<Named> {
        vec![
            Named::new("td", "TD(λ): the positions of a game move towards what came after them"),
            Named::new("td-leaf", "TD-Leaf(λ): the leaves of their look-aheads do"),
        ]
    }

    fn features(&self) -> Vec<Named> {
        self.features.iter().map(|f| Named::new(f.name(), f.help())).collect()
    }

    fn options(&self) -> Vec<Named> {
        self.defaults.options()
    }

    fn learn(
        &self,
        order: &TdOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        if let Some(group) = &order.group {
            return Err(TaskError::unknown("group", group, []));
        }
        if order.experiments.is_some_and(|n| n > 1) {
            let what = "one experiment a run here: begin another run with another --seed";
            return Err(TaskError::Unfit(what.to_string()));
        }
        let settings = self.settings(order)?;
        let features = self.chosen(order)?;
        let (mut run, saved) = self.begin(order, &settings, features).map_err(TaskError::below)?;
        let notes = run.notes().to_vec();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(order.threads)
            .build()
            .map_err(TaskError::below)?;
        let work = || {
            progress.message("solving the game to judge by");
            let truth = self.truth.as_ref().and_then(|open| open(&self.game, stop));
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: true });
            }
            let learner = Learner {
                game: &self.game,
                features: features.clone(),
                settings: &settings,
                seed: order.seed,
                truth: truth.as_deref(),
                reference: self.reference.as_deref(),
            };
            learner.run(&mut run, saved.as_ref().map(|s| &s.container), progress, stop)
        };
        let result = pool.install(work);
        progress.finish();
        let (state, message) = match &result {
            Ok(_) => (State::Finished, String::new()),
            Err(TaskError::Stopped { .. }) => (State::Stopped, String::new()),
            Err(error) => (State::Failed, error.to_string()),
        };
        run.set_state(state, &message).map_err(TaskError::below)?;
        let Finished { model, figures } = result?;
        let mut text: String = notes.iter().map(|note| format!("note: {note}\n")).collect();
        text.push_str(&format!(
            "{}: {} games, {} features, {} of {} weights in use\n",
            self.game.title(),
            settings.games,
            features.name(),
            model.weights().iter().filter(|w| **w != 0.0).count(),
            model.weights().len(),
        ));
        text.push_str(&format!("{}\n", summary(&figures)));
        let model = order.out.join(MODEL).display().to_string();
        text.push_str(&format!("play against it with learned:model={model}"));
        let mut all = Map::new();
        all.insert("model".into(), model.into());
        all.insert("games".into(), settings.games.into());
        if let Ok(Value::Object(figures)) = serde_json::to_value(&figures) {
            all.extend(figures);
        }
        let page = self.report(&order.out)?.map(|page| page.html()).unwrap_or_default();
        Ok(Account { text, figures: all, page })
    }

    fn report(&self, folder: &Path) -> Result<Option<Page>, TaskError> {
        let model = self.open(&folder.join(MODEL)).ok();
        page::page(&self.game, folder, model.as_ref()).map(Some)
    }

    fn weights(&self, folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
        shown::weights(&self.game, &self.features, folder, look)
    }
}
