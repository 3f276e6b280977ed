//! Which evaluation does a player use? The one that its option `model` names.

use super::Learned;
use crate::models::{self, AnyModel};
use crate::patterns::PatternModel;
use crate::thesis::{MobilityAndCorners, ThesisModel};
use crate::{HandEvaluator, Move, Othello, Position};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, Weak};
use zug_core::{Evaluator, Guide, Scale, Spec, TextError};

/// Any of the evaluations that a player may use.
pub enum AnyGuide {
    /// Made by hand; the only one for small boards.
    Hand(HandEvaluator),
    /// Mobility and corners alone, a mark to measure others by.
    Plain(Learned<MobilityAndCorners>),
    /// A sum of table cells.
    Patterns(Learned<PatternModel>),
    /// A discriminant of the thesis.
    Thesis(Learned<ThesisModel>),
}

/// The word for the evaluation made by hand.
const HAND: &str = "hand";
/// The word for mobility and corners.
const PLAIN: &str = "mobility-and-corners";

impl AnyGuide {
    /// The evaluation that a spec of a player asks for: `model=NAME` or `model=FILE`, and the
    /// shipped model when it asks for none.
    pub fn choose(game: &Othello, spec: &Spec) -> Result<Arc<AnyGuide>, TextError> {
        let asked = spec.get("model");
        let refuse = |why: String| {
            let expected = "a model of this game for 'model'".to_string();
            TextError { line: None, byte: spec.name.len() + 1, expected, found: why }
        };
        if game.size() != 8 && asked.is_some_and(|name| name != HAND) {
            return Err(refuse(format!("a board of {0}x{0}, which has none", game.size())));
        }
        let hand = || Arc::new(AnyGuide::Hand(HandEvaluator::new(game)));
        match asked {
            Some(HAND) => Ok(hand()),
            Some(PLAIN) => {
                Ok(Arc::new(AnyGuide::Plain(Learned::new(Arc::new(MobilityAndCorners)))))
            }
            Some(name) => opened(name).map_err(refuse),
            None if game.size() == 8 && !models::SHIPPED.is_empty() => {
                opened(models::SHIPPED[0].name).map_err(refuse)
            }
            None => Ok(hand()),
        }
    }

    fn guide(&self) -> &dyn Guide<Othello> {
        match self {
            AnyGuide::Hand(guide) => guide,
            AnyGuide::Plain(guide) => guide,
            AnyGuide::Patterns(guide) => guide,
            AnyGuide::Thesis(guide) => guide,
        }
    }
}

/// Opens a model, once for all players that use it at the same time: the players of a match have
/// the same one, and it is large.
fn opened(name: &str) -> Result<Arc<AnyGuide>, String> {
    static OPEN: LazyLock<Mutex<HashMap<String, Weak<AnyGuide>>>> = LazyLock::new(Mutex::default);
    let mut open = OPEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(guide) = open.get(name).and_then(Weak::upgrade) {
        return Ok(guide);
    }
    let guide = match models::open_model(name).map_err(|e| e.to_string())? {
        AnyModel::Patterns(model) => AnyGuide::Patterns(Learned::new(Arc::new(model))),
        AnyModel::Thesis(model) => AnyGuide::Thesis(Learned::new(Arc::new(*model))),
    };
    let guide = Arc::new(guide);
    open.insert(name.to_string(), Arc::downgrade(&guide));
    Ok(guide)
}

impl Evaluator<Othello> for AnyGuide {
    fn scale(&self) -> Scale {
        self.guide().scale()
    }

    fn evaluate(&self, game: &Othello, position: &Position) -> i32 {
        // Written out: this is asked millions of times a second.
        match self {
            AnyGuide::Hand(guide) => guide.evaluate(game, position),
            AnyGuide::Plain(guide) => guide.evaluate(game, position),
            AnyGuide::Patterns(guide) => guide.evaluate(game, position),
            AnyGuide::Thesis(guide) => guide.evaluate(game, position),
        }
    }
}

impl Guide<Othello> for AnyGuide {
    fn promise(&self, game: &Othello, position: &Position, mv: Move) -> i32 {
        self.guide().promise(game, position, mv)
    }

    fn reducible(&self, game: &Othello, position: &Position, mv: Move) -> bool {
        self.guide().reducible(game, position, mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(size: u8, spec: &str) -> Result<Arc<AnyGuide>, TextError> {
        let game = Othello::with_size(size).unwrap();
        AnyGuide::choose(&game, &Spec::parse(spec).unwrap())
    }

    #[test]
    fn a_player_names_its_evaluation() {
        assert!(matches!(*choose(8, "zug:model=hand").unwrap(), AnyGuide::Hand(_)));
        let plain = choose(8, "zug:model=mobility-and-corners").unwrap();
        assert!(matches!(*plain, AnyGuide::Plain(_)));
        assert!(matches!(*choose(6, "zug").unwrap(), AnyGuide::Hand(_)));
        for (size, spec) in [(8, "zug:model=nothing"), (8, "zug:model=x.zug"), (6, "zug:model=a")] {
            let error = choose(size, spec).err().unwrap().to_string();
            assert!(error.contains("'model'"), "{error}");
        }
    }
}
