//! Everything that Othello learns from examples, behind the face that knows no game.
//!
//! | module | answers |
//! |---|---|
//! | `data` | what is learned from, and with which settings? |
//! | `thesis` | the players of the thesis: fitted, written, told about |
//! | `joint` | the joint fit of all tables, in a folder that can be resumed |
//! | `pages` | how do the results look? |
//! | `evaluate` | what is a position worth, or each of a file? |

mod data;
mod evaluate;
mod joint;
mod pages;
mod thesis;

use crate::models::{self, SHIPPED};
use crate::selfplay::tables;
use crate::thesis::Method;
use evaluate::Judged;
use std::path::Path;
use zug_core::{Progress, StopFlag};
use zug_learn::face::{
    Account, AnyEvaluation, AnyLearner, Discordances, FitOrder, Named, Order, TaskError,
};
use zug_learn::td::face::Look;
use zug_learn::weights::Weights;

/// The name under which the evaluation that was written by hand is asked for.
const HAND: &str = "hand";
/// The name of the joint fit.
const JOINT: &str = "joint";

/// The learner of the full board.
pub(crate) struct OthelloLearner;

impl AnyLearner for OthelloLearner {
    fn methods(&self) -> Vec<Named> {
        let thesis = Method::ALL.into_iter().map(|method| {
            let how = match method {
                Method::Fisher => "linear discriminant",
                Method::Quadratic => "quadratic discriminant",
                Method::Logistic => "logistic regression",
                Method::FisherPlus => "linear discriminant, no weight against its feature's sign",
                Method::LogisticPlus => "logistic regression, no weight against its feature's sign",
            };
            let options =
                "--set held-out, labels, colours, decay, strength, prior, grouping, least-examples";
            Named::new(
                method.name(),
                format!("{} of the thesis: {how} ({options})", method.player()),
            )
        });
        let joint = "all cells of all pattern tables fitted together on the disc difference (--set \
                     loss, ridge, smooth, rarest, iterations, inner, tolerance, patience, knots, \
                     labels, weight-game, weight-tree, weight-search, weight-exact, count-power, \
                     most-count, clip, held-out, first-discs, last-discs, sample)";
        thesis.chain([Named::new(JOINT, joint)]).collect()
    }

    fn features(&self) -> Vec<Named> {
        thesis::features()
    }

    fn models(&self) -> Vec<Named> {
        let shipped = SHIPPED.iter().map(|s| Named::new(s.name, s.help));
        let hand = Named::new(HAND, "mobility, corners and their neighbours, weighed by hand");
        shipped.chain([hand]).collect()
    }

    fn fit(
        &self,
        order: &FitOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        if order.method == JOINT {
            return joint::learn(order, progress, stop);
        }
        match Method::ALL.into_iter().find(|m| m.name() == order.method) {
            Some(method) => thesis::learn(method, order, progress, stop),
            None => {
                let methods = self.methods();
                let names = methods.iter().map(|m| m.name.as_str());
                Err(TaskError::unknown("method", &order.method, names))
            }
        }
    }

    fn discordance(
        &self,
        order: &Order,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Discordances, TaskError> {
        thesis::measure(order, progress, stop)
    }

    fn search_patterns(
        &self,
        order: &Order,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        joint::look_for_patterns(order, progress, stop)
    }

    fn weights(&self, folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
        let model = folder.join(joint::MODEL);
        if !model.is_file() {
            return Ok(None);
        }
        tables::shown::of_model("at the end", &model, look).map(Some)
    }

    fn open(&self, model: Option<&str>) -> Result<Box<dyn AnyEvaluation>, TaskError> {
        let name = match (model, SHIPPED.first()) {
            (Some(name), _) => name,
            (None, Some(shipped)) => shipped.name,
            (None, None) => HAND,
        };
        Ok(Box::new(match name {
            HAND => Judged::by_hand(HAND),
            name => {
                Judged::by_model(name, models::open_with_header(name).map_err(TaskError::below)?)
            }
        }))
    }
}
