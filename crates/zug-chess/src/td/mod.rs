//! Learning to evaluate by temporal differences: the learner of FUSc#, whole.
//!
//! | question | module |
//! |---|---|
//! | by how much was each position of a game misjudged? | [`lesson`] |
//! | how large is a step, for each position type? | [`rates`] |
//! | what does the learner hold, and what does it make of a game? | [`student`] |
//! | what is remembered of a game, and how is it written down? | [`notes`], [`log`] |
//! | where are logs kept? | [`archive`] |
//! | may a game be learned from, and with which result? | [`validity`] |
//! | where do the captures from a position lead? | [`quiet`] |
//! | how is a game played, and against whom? | [`game`], [`opponents`] |
//! | which choices and which experiments are there? | [`config`] |
//! | how does learning go on after it was killed? | [`experiment`] |
//! | how strong is what was learned? | [`trials`] |
//! | what does a single step change? | [`step`] |
//! | how does a whole run go? | [`run`] |
//! | what has a run come to? | [`results`] |
//! | how does a player learn from the games that it is given? | [`session`] |
//! | what did it look like, game by game? | `page`, `tables`, `replay` |
//! | and move by move? | `viewer` |
//! | what has a player that learns come to? | `sessions` |
//! | which of its weights are looked at? | `look` |

pub mod archive;
pub mod config;
pub mod experiment;
pub mod game;
pub mod lesson;
pub mod log;
mod look;
pub mod notes;
pub mod opponents;
mod page;
pub mod quiet;
pub mod rates;
mod replay;
pub mod results;
pub mod run;
pub mod session;
mod sessions;
pub mod step;
pub mod student;
mod tables;
pub mod trials;
pub mod validity;
mod viewer;

#[cfg(test)]
mod tests;

use crate::model::Model;
use crate::models::{self, AnyModel};
use std::path::Path;
use zug_core::error::shorten;
use zug_core::{Progress, StopFlag};
use zug_learn::face::{Account, Named, TaskError};
use zug_learn::report::Page;
use zug_learn::td::face::{AnySelfPlay, Look, TdOrder};
use zug_learn::weights::Weights;

/// A model by its name or its file.
fn open_model(name: &str) -> Result<Model, TaskError> {
    // A word without dot and slash is meant as a name, and told as such.
    if name.contains(['.', '/', '\\']) && !Path::new(name).exists() {
        return Err(TaskError::Unfit(format!("there is no file '{}'", shorten(name))));
    }
    match models::open_model(name).map_err(TaskError::below)? {
        AnyModel::Factors(model) => Ok(model),
        AnyModel::Hand => {
            Err(TaskError::Unfit("the evaluation by hand has no weights to learn".to_string()))
        }
    }
}

/// What chess learns from its own play.
pub(crate) struct ChessSelfPlay;

impl AnySelfPlay for ChessSelfPlay {
    fn groups(&self) -> Vec<Named> {
        config::groups()
    }

    fn methods(&self) -> Vec<Named> {
        config::methods()
    }

    fn features(&self) -> Vec<Named> {
        config::features()
    }

    fn options(&self) -> Vec<Named> {
        config::options()
    }

    fn learn(
        &self,
        order: &TdOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        run::learn(order, progress, stop)
    }

    fn report(&self, folder: &Path) -> Result<Option<Page>, TaskError> {
        if session::is_session(folder) {
            return sessions::report(folder).map(Some);
        }
        run::report(folder)
    }

    fn so_far(&self, folder: &Path) -> Result<Option<Account>, TaskError> {
        run::so_far(folder)
    }

    fn look(&self, path: &Path, look: &Look) -> Result<Option<Account>, TaskError> {
        look::look(path, look)
    }

    fn weights(&self, folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
        look::weights(folder, look)
    }
}
