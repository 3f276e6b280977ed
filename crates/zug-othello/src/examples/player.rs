//! Who plays training games out, finds mistakes in them, and labels positions that cannot be solved?
//!
//! An engine over any evaluation: a learned model, or the one made by hand, which is there before
//! anything was learned.

use super::ExampleError;
use super::labeller::Labeller;
use super::tree::Level;
use crate::engine::{Engine, Evaluation, Fair, Found, Unit, balanced};
use crate::models::{self, AnyModel, OpenModelError};
use crate::patterns::PatternModel;
use crate::tempo::Tempo;
use crate::thesis::{Hand, ThesisModel};
use crate::{Board, Move};
use std::sync::Arc;
use zug_core::{Progress, StopFlag};

/// An evaluation that was chosen by its name. Cheap to share.
#[derive(Clone)]
pub enum Judge {
    /// Made by hand.
    Hand(Arc<Hand>),
    /// A sum of table cells.
    Patterns(Arc<PatternModel>),
    /// A discriminant of the thesis.
    Thesis(Arc<ThesisModel>),
}

/// The word for the evaluation made by hand.
pub const HAND: &str = "hand";

impl Judge {
    /// The evaluation made by hand.
    #[must_use]
    pub fn hand() -> Judge {
        Judge::Hand(Arc::new(Hand::default()))
    }

    /// Opens a model by its name or file; `None` is the shipped one, or the one made by hand where
    /// none is shipped.
    pub fn open(name: Option<&str>) -> Result<Judge, OpenModelError> {
        let opened = match name {
            Some(HAND) => return Ok(Judge::hand()),
            Some(name) => models::open_model(name)?,
            None if models::SHIPPED.is_empty() => return Ok(Judge::hand()),
            None => models::default_model()?.model,
        };
        Ok(match opened {
            AnyModel::Patterns(model) => Judge::Patterns(Arc::new(model)),
            AnyModel::Thesis(model) => Judge::Thesis(Arc::from(model)),
        })
    }

    /// What its values mean.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self {
            Judge::Hand(hand) => hand.unit(),
            Judge::Patterns(model) => model.unit(),
            Judge::Thesis(model) => model.unit(),
        }
    }

    /// What its values have had taken off.
    #[must_use]
    pub fn tempo(&self) -> &Tempo {
        match self {
            Judge::Hand(hand) => hand.tempo(),
            Judge::Patterns(model) => model.tempo(),
            Judge::Thesis(model) => model.tempo(),
        }
    }

    /// An engine that uses it.
    #[must_use]
    pub fn engine(&self, hash_mib: usize) -> Box<dyn Thinker> {
        match self {
            Judge::Hand(hand) => Box::new(Engine::new(Arc::clone(hand), hash_mib)),
            Judge::Patterns(model) => Box::new(Engine::new(Arc::clone(model), hash_mib)),
            Judge::Thesis(model) => Box::new(Engine::new(Arc::clone(model), hash_mib)),
        }
    }

    /// [Fair openings](balanced) by its judgement, found on so many threads: the same ones on any
    /// number.
    pub fn fair_openings(
        &self,
        fair: Fair,
        count: usize,
        seed: u64,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Vec<Vec<Move>>, ExampleError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .build()
            .map_err(|e| ExampleError::Other(format!("cannot start threads: {e}")))?;
        let found = pool.install(|| match self {
            Judge::Hand(hand) => balanced(hand, fair, count, seed, progress, stop),
            Judge::Patterns(model) => balanced(model, fair, count, seed, progress, stop),
            Judge::Thesis(model) => balanced(model, fair, count, seed, progress, stop),
        });
        found.ok_or(ExampleError::Stopped)
    }
}

/// An engine whose evaluation is forgotten.
pub trait Thinker: Send {
    /// Forgets earlier searches, so that the next does not depend on them.
    fn forget(&mut self);

    /// Looks so many plies ahead, or to the end where at most `exact` squares are empty; `None` when
    /// stopped.
    fn think(&mut self, board: Board, depth: u32, exact: u32, stop: &StopFlag) -> Option<Found>;
}

impl<E: Evaluation> Thinker for Engine<E> {
    fn forget(&mut self) {
        Engine::forget(self);
    }

    fn think(&mut self, board: Board, depth: u32, exact: u32, stop: &StopFlag) -> Option<Found> {
        self.search(board, depth, exact, stop)
    }
}

/// Chooses the moves of a training game.
pub trait Chooser: Send {
    /// A new game begins: what is chosen in it must not depend on earlier ones.
    fn begin(&mut self);

    /// The move in a position in which the side to move has one; `None` only when asked to stop.
    fn choose(&mut self, board: Board, stop: &StopFlag) -> Option<Move>;
}

/// Makes a chooser for a thread.
pub type NewChooser<'a> = dyn Fn() -> Box<dyn Chooser> + Sync + 'a;

/// An engine at a fixed depth, which plays perfectly from some number of empty squares on.
pub struct EngineChooser {
    engine: Box<dyn Thinker>,
    depth: u32,
    exact: u32,
}

impl EngineChooser {
    /// Looks `depth` plies ahead (at least one), and to the end with at most `exact` empty squares.
    #[must_use]
    pub fn new(engine: Box<dyn Thinker>, depth: u32, exact: u32) -> EngineChooser {
        EngineChooser { engine, depth: depth.max(1), exact }
    }
}

impl Chooser for EngineChooser {
    fn begin(&mut self) {
        self.engine.forget();
    }

    fn choose(&mut self, board: Board, stop: &StopFlag) -> Option<Move> {
        let found = self.engine.think(board, self.depth, self.exact, stop)?;
        found.best
    }
}

/// Labels by a search that need not see the end. Its evaluation counts discs.
pub struct SearchLabeller {
    engine: Box<dyn Thinker>,
    depth: u32,
}

impl SearchLabeller {
    /// Looks so many plies ahead; `None` when the evaluation does not count discs.
    #[must_use]
    pub fn new(judge: &Judge, depth: u32, hash_mib: usize) -> Option<SearchLabeller> {
        let engine = judge.engine(hash_mib);
        (judge.unit() == Unit::Discs).then_some(SearchLabeller { engine, depth })
    }
}

impl Labeller for SearchLabeller {
    fn begin(&mut self) {
        self.engine.forget();
    }

    fn label(&mut self, board: Board, _: &Level, stop: &StopFlag) -> Option<i8> {
        let found = self.engine.think(board, self.depth, 0, stop)?;
        let discs = |value: i32| (f64::from(value) / 100.0).round().clamp(-64.0, 64.0) as i32;
        Some(found.exact.unwrap_or_else(|| discs(found.value)) as i8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_labels_are_discs_and_exact_at_the_end() {
        let mut labeller = SearchLabeller::new(&Judge::hand(), 3, 1).unwrap();
        let stop = StopFlag::new();
        labeller.begin();
        let start = labeller.label(Board::START, &Level::default(), &stop).unwrap();
        assert!((-30..=30).contains(&start));
        let late = super::super::labeller::tests::late_boards(30, 3);
        for board in late {
            let label = labeller.label(board, &Level::default(), &stop).unwrap();
            assert_eq!(i32::from(label), super::super::labeller::tests::plain(board));
        }
    }

    #[test]
    fn unknown_models_are_refused() {
        assert!(matches!(Judge::open(Some("hand")), Ok(Judge::Hand(_))));
        assert!(Judge::open(Some("dreams")).is_err());
    }
}
