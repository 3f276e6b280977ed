//! What values positions while a player plays: its model, and above it what is known of endings that
//! only have to be won.
//!
//! Learners do without the latter: there every value must come from weights.

use super::super::evaluation::{Evaluation, Eye};
use super::super::mating;
use crate::HandMade;
use crate::model::{Fast, FastEye};
use crate::models::{self, AnyModel, OpenModelError};
use cozy_chess::{Board, Move};

/// The evaluation of a player.
#[derive(Clone)]
pub(super) struct Judge {
    pub model: PlayedModel,
    /// Is the way to the mate known?
    pub endings: bool,
}

/// A model made ready for play.
#[derive(Clone)]
pub(super) enum PlayedModel {
    Hand,
    Factors(Fast),
}

impl PlayedModel {
    /// Opens a model by its name or its file.
    pub fn open(name: &str) -> Result<PlayedModel, OpenModelError> {
        Ok(match models::open_model(name)? {
            AnyModel::Hand => PlayedModel::Hand,
            AnyModel::Factors(model) => PlayedModel::Factors(model.fast()),
        })
    }
}

/// What one thread of the player looks through.
pub(super) struct JudgeEye {
    model: ModelEye,
    endings: bool,
}

enum ModelEye {
    Hand,
    Factors(FastEye),
}

impl Evaluation for Judge {
    type Eye = JudgeEye;

    fn eye(&self) -> JudgeEye {
        let model = match &self.model {
            PlayedModel::Hand => ModelEye::Hand,
            PlayedModel::Factors(fast) => ModelEye::Factors(fast.eye()),
        };
        JudgeEye { model, endings: self.endings }
    }
}

impl Eye for JudgeEye {
    fn evaluate(&mut self, board: &Board) -> i32 {
        if self.endings
            && let Some(value) = mating::value(board)
        {
            return value;
        }
        match &mut self.model {
            ModelEye::Hand => HandMade.evaluate(board),
            ModelEye::Factors(eye) => eye.evaluate(board),
        }
    }

    fn played(&mut self, before: &Board, mv: Move) {
        if let ModelEye::Factors(eye) = &mut self.model {
            eye.played(before, mv);
        }
    }

    fn taken_back(&mut self) {
        if let ModelEye::Factors(eye) = &mut self.model {
            eye.taken_back();
        }
    }

    fn passed(&mut self) {
        if let ModelEye::Factors(eye) = &mut self.model {
            eye.passed();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Engine, Root, Settings, Wish};
    use super::*;
    use crate::fen;
    use std::sync::Arc;
    use zug_core::{Score, StopFlag};

    #[test]
    fn the_leaf_of_a_line_is_worth_the_score_where_the_way_to_the_mate_is_known() {
        let judge = Judge { model: PlayedModel::open("learned").unwrap(), endings: true };
        let mut eye = judge.eye();
        let settings = Settings { hash: 1 << 20, ..Settings::default() };
        let mut engine = Engine::new(Arc::new(judge), settings).unwrap();
        let mut known = 0;
        for text in [
            "8/8/3k4/8/8/2K5/8/5BN1 w - - 0 1",
            "8/8/3k4/8/8/2K5/8/5BN1 b - - 0 1",
            "8/3k4/8/8/3r4/8/5K2/7Q w - - 0 1",
            "8/8/4k3/8/8/2K2p2/8/5BB1 w - - 0 1",
            "5r2/3k4/8/8/8/8/3QK3/8 b - - 0 1",
        ] {
            engine.clear();
            let root = Root::new(fen::parse(text).unwrap());
            let wish = Wish { nodes: Some(6000), ..Wish::default() };
            let mut check = |found: &crate::engine::FoundLine| {
                let mut leaf = root.position.clone();
                found.moves.iter().for_each(|&mv| leaf.play(mv));
                let value = eye.evaluate(leaf.board());
                let own = if leaf.color() == root.position.color() { value } else { -value };
                let drawn = found.score == Score::DRAW;
                assert!(found.score.is_proven() || drawn || found.score == Score::estimate(own));
                known += u32::from(mating::value(leaf.board()) == Some(value));
            };
            let thought = engine.search(&root, &wish, &StopFlag::new(), &mut |thought| {
                thought.lines.iter().for_each(&mut check);
            });
            thought.lines.iter().for_each(check);
        }
        assert!(known > 20, "{known}");
    }
}
