//! Everything that Othello learns from examples, behind the face that knows no game.
//!
//! | module | answers |
//! |---|---|
//! | `evaluate` | what is a position worth, or each of a file? |

mod evaluate;

use crate::models::{self, SHIPPED};
use evaluate::Judged;
use zug_core::{Progress, StopFlag};
use zug_learn::face::{
    Account, AnyEvaluation, AnyLearner, Discordances, FitOrder, Named, Order, TaskError,
};

/// The name under which the evaluation that was written by hand is asked for.
const HAND: &str = "hand";

/// The learner of the full board.
pub(crate) struct OthelloLearner;

impl AnyLearner for OthelloLearner {
    fn methods(&self) -> Vec<Named> {
        Vec::new()
    }

    fn features(&self) -> Vec<Named> {
        Vec::new()
    }

    fn models(&self) -> Vec<Named> {
        let shipped = SHIPPED.iter().map(|s| Named::new(s.name, s.help));
        shipped
            .chain([Named::new(HAND, "mobility, corners and their neighbours, weighted by hand")])
            .collect()
    }

    fn fit(&self, order: &FitOrder, _: &dyn Progress, _: &StopFlag) -> Result<Account, TaskError> {
        Err(unknown_method(&order.method, &self.methods()))
    }

    fn discordance(
        &self,
        _: &Order,
        _: &dyn Progress,
        _: &StopFlag,
    ) -> Result<Discordances, TaskError> {
        Err(TaskError::Unfit("no features".into()))
    }

    fn search_patterns(
        &self,
        _: &Order,
        _: &dyn Progress,
        _: &StopFlag,
    ) -> Result<Account, TaskError> {
        Err(TaskError::Unfit("no features".into()))
    }

    fn open(&self, model: Option<&str>) -> Result<Box<dyn AnyEvaluation>, TaskError> {
        let judged = match model {
            Some(HAND) => Judged::by_hand(HAND),
            None if SHIPPED.is_empty() => Judged::by_hand(HAND),
            None => Judged::by_model(
                SHIPPED[0].name,
                models::default_model().map_err(TaskError::below)?,
            ),
            Some(name) => {
                Judged::by_model(name, models::open_with_header(name).map_err(TaskError::below)?)
            }
        };
        Ok(Box::new(judged))
    }
}

fn unknown_method(name: &str, methods: &[Named]) -> TaskError {
    TaskError::unknown("method", name, methods.iter().map(|m| m.name.as_str()))
}
