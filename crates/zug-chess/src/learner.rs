//! Everything that chess learns from examples and tells of positions, behind the face that knows no
//! game.

mod evaluate;

use crate::factors::GROUPS;
use crate::model::Start;
use crate::models::{self, SHIPPED};
use crate::texel;
use evaluate::Judged;
use std::path::Path;
use zug_core::{Progress, StopFlag};
use zug_learn::face::{
    Account, AnyEvaluation, AnyLearner, Discordances, FitOrder, Named, Order, TaskError,
};
use zug_learn::td::face::Look;
use zug_learn::weights::Weights;

/// The learner of chess.
pub(crate) struct ChessLearner;

impl AnyLearner for ChessLearner {
    fn methods(&self) -> Vec<Named> {
        texel::learn::methods()
    }

    fn features(&self) -> Vec<Named> {
        GROUPS.iter().map(|group| Named::new(group.word, group.help)).collect()
    }

    fn models(&self) -> Vec<Named> {
        let shipped = SHIPPED.iter().map(|s| Named::new(s.name, s.help));
        let hand = "material, squares, reach, pawns and kings, weighed by hand";
        let starts = Start::ALL.map(|start| Named::new(start.word(), start.help()));
        shipped.chain([Named::new(models::HAND, hand)]).chain(starts).collect()
    }

    fn fit(
        &self,
        order: &FitOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        if let Some(result) = texel::learn::learn(order, progress, stop) {
            return result;
        }
        let methods = self.methods();
        let names = methods.iter().map(|m| m.name.as_str());
        Err(TaskError::unknown("method", &order.method, names))
    }

    fn discordance(
        &self,
        _: &Order,
        _: &dyn Progress,
        _: &StopFlag,
    ) -> Result<Discordances, TaskError> {
        Err(TaskError::Unfit(
            "the discordance of single features is measured for Othello only; 'zug eval chess \
             FILE' tells that of a model"
                .into(),
        ))
    }

    fn search_patterns(
        &self,
        _: &Order,
        _: &dyn Progress,
        _: &StopFlag,
    ) -> Result<Account, TaskError> {
        Err(TaskError::Unfit("chess has factors, not patterns to look for".into()))
    }

    fn weights(&self, folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
        texel::saved::weights(folder, look)
    }

    fn open(&self, model: Option<&str>) -> Result<Box<dyn AnyEvaluation>, TaskError> {
        let name = model.unwrap_or(models::default_name());
        let opened = models::open_with_header(name).map_err(TaskError::below)?;
        Ok(Box::new(Judged::new(name, opened)))
    }
}
