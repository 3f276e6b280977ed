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

/// The evaluation of a player: a model, and above it what is known.
#[derive(Clone)]
pub(super) struct Judge<E = PlayedModel> {
    pub model: E,
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
pub(super) struct JudgeEye<I> {
    model: I,
    endings: bool,
}

impl<E: Evaluation> Evaluation for Judge<E> {
    type Eye = JudgeEye<E::Eye>;

    fn eye(&self) -> JudgeEye<E::Eye> {
        JudgeEye { model: self.model.eye(), endings: self.endings }
    }
}

impl<I: Eye> Eye for JudgeEye<I> {
    fn evaluate(&mut self, board: &Board) -> i32 {
        if self.endings
            && let Some(value) = mating::value(board)
        {
            return value;
        }
        self.model.evaluate(board)
    }

    fn begins(&mut self, root: &Board) {
        self.model.begins(root);
    }

    fn played(&mut self, before: &Board, mv: Move) {
        self.model.played(before, mv);
    }

    fn taken_back(&mut self) {
        self.model.taken_back();
    }

    fn passed(&mut self) {
        self.model.passed();
    }
}

/// One thread's view of a model.
pub(super) enum ModelEye {
    Hand(HandMade),
    Factors(FastEye),
}

impl Evaluation for PlayedModel {
    type Eye = ModelEye;

    fn eye(&self) -> ModelEye {
        match self {
            PlayedModel::Hand => ModelEye::Hand(HandMade),
            PlayedModel::Factors(fast) => ModelEye::Factors(fast.eye()),
        }
    }
}

/// Does the same with whichever eye there is.
macro_rules! whichever {
    ($self:ident, $eye:ident => $does:expr) => {
        match $self {
            ModelEye::Hand($eye) => $does,
            ModelEye::Factors($eye) => $does,
        }
    };
}

impl Eye for ModelEye {
    fn evaluate(&mut self, board: &Board) -> i32 {
        whichever!(self, eye => eye.evaluate(board))
    }

    fn begins(&mut self, root: &Board) {
        whichever!(self, eye => eye.begins(root));
    }

    fn played(&mut self, before: &Board, mv: Move) {
        whichever!(self, eye => eye.played(before, mv));
    }

    fn taken_back(&mut self) {
        whichever!(self, eye => eye.taken_back());
    }

    fn passed(&mut self) {
        whichever!(self, eye => eye.passed());
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Engine, Root, Settings, Wish};
    use super::*;
    use crate::fen;
    use std::sync::Arc;
    use zug_core::{Score, StopFlag};

    /// Follows the moves on a board of its own, and values that.
    struct Follower(Vec<Board>);

    /// The evaluation that it belongs to.
    struct Following;

    impl Evaluation for Following {
        type Eye = Follower;

        fn eye(&self) -> Follower {
            Follower(Vec::new())
        }
    }

    impl Eye for Follower {
        fn evaluate(&mut self, board: &Board) -> i32 {
            let own = self.0.last().expect("a search begins somewhere");
            assert!(own.same_position(board), "{own} is not {board}");
            HandMade.evaluate(own)
        }

        fn begins(&mut self, root: &Board) {
            self.0 = vec![root.clone()];
        }

        fn played(&mut self, before: &Board, mv: Move) {
            let mut board = self.0.last().expect("a search begins somewhere").clone();
            assert!(board.same_position(before), "{board} is not {before}");
            board.play_unchecked(mv);
            self.0.push(board);
        }

        fn taken_back(&mut self) {
            self.0.pop();
        }

        fn passed(&mut self) {
            let board = self.0.last().expect("a search begins somewhere");
            self.0.push(board.null_move().expect("passes are legal"));
        }
    }

    #[test]
    fn an_evaluation_that_follows_the_moves_hears_of_all_of_them() {
        let judge = Judge { model: Following, endings: true };
        let settings = Settings { hash: 1 << 20, ..Settings::default() };
        let mut engine = Engine::new(Arc::new(judge), settings).unwrap();
        for text in [fen::START, "8/8/3k4/8/8/2K5/4P3/5BN1 w - - 0 1"] {
            let root = Root::new(fen::parse(text).unwrap());
            let wish = Wish { nodes: Some(20_000), ..Wish::default() };
            let thought = engine.search(&root, &wish, &StopFlag::new(), &mut |_| {});
            assert!(thought.depth > 4, "{thought:?}");
        }
    }

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
