//! What the players ask of a database.

use crate::database::Database;
use crate::index::Index;
use crate::solve::Table;
use crate::store::Measure;
use crate::value::{Code, Value};
use std::path::Path;
use std::sync::Arc;
use zug_core::{Game, Indexed, PlayerError, StopFlag};

/// The values of all positions of a solved game.
pub trait Values<G: Indexed>: Send + Sync {
    /// How positions are numbered.
    fn index(&self) -> &Index<G>;

    /// What a slot holds.
    fn code(&self, slot: u64) -> Result<Code, PlayerError>;

    /// What the values tell.
    fn measure(&self) -> Measure {
        Measure::Dtm
    }

    /// What tells these values from all others, if anything does.
    fn digest(&self) -> Option<String> {
        None
    }

    /// Where the values are outcomes alone: those of a stage with plies to the next conversion,
    /// computed when they are first asked for. `None` where that takes looking at more slots than
    /// `most`.
    fn conversions(
        &self,
        stage: usize,
        most: u64,
        threads: usize,
        stop: &StopFlag,
    ) -> Result<Option<Arc<Table>>, PlayerError> {
        let _ = (stage, most, threads, stop);
        Ok(None)
    }

    /// Where tables that were computed from the values may be kept, if anywhere.
    fn folder(&self) -> Option<&Path> {
        None
    }

    /// The value of a position for its side to move.
    fn value(&self, position: &G::Position) -> Result<Value, PlayerError> {
        let game = self.index().game();
        if let Some(value) = ended(game, position) {
            return Ok(value);
        }
        let unknown = || {
            let text = game.write_position(position);
            PlayerError::Unsupported(format!("the database does not hold {text}"))
        };
        let slot = self.index().index_of(position).ok_or_else(unknown)?;
        self.code(slot)?.value().ok_or_else(unknown)
    }
}

/// The value of a position where the game has ended.
pub(crate) fn ended<G: Game>(game: &G, position: &G::Position) -> Option<Value> {
    game.outcome(position).map(|outcome| match outcome.winner {
        None => Value::Draw,
        Some(winner) if winner == game.to_move(position) => Value::Win(0),
        Some(_) => Value::Loss(0),
    })
}

/// A move with what it leads to.
#[derive(Clone, Debug)]
pub struct Ranked<G: Game> {
    /// The move.
    pub mv: G::Move,
    /// The position after it.
    pub next: G::Position,
    /// What the move is worth for whoever makes it.
    pub value: Value,
    /// Does the game end with it?
    pub ends: bool,
    /// Does it lead to another stage, from which there is no way back?
    pub converts: bool,
}

/// The values of some legal moves, in their order, as the metric of the values counts.
pub fn survey<G: Indexed>(
    values: &dyn Values<G>,
    position: &G::Position,
    moves: &[G::Move],
) -> Result<Vec<Ranked<G>>, PlayerError> {
    let (game, measure) = (values.index().game(), values.measure());
    // Distances to the end of the game do not care about stages.
    let stage_of = |position: &G::Position| match measure {
        Measure::Dtm => None,
        _ => stage_of(values, position),
    };
    let here = stage_of(position);
    moves
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            let (value, ends) = match ended(game, &next) {
                Some(value) => (value, true),
                None => (values.value(&next)?, false),
            };
            let converts = stage_of(&next) != here;
            Ok(Ranked { mv, next, value: measure.for_mover(value, converts), ends, converts })
        })
        .collect()
}

/// The place in [`Space::stages`](crate::Space::stages) of the stage of a position.
pub(crate) fn stage_of<G: Indexed>(
    values: &dyn Values<G>,
    position: &G::Position,
) -> Option<usize> {
    values.index().index_of(position).map(|slot| values.index().space().stage_of(slot))
}

/// All legal moves with their values; none when the game has ended.
pub(crate) fn survey_all<G: Indexed>(
    values: &dyn Values<G>,
    position: &G::Position,
) -> Result<Vec<Ranked<G>>, PlayerError> {
    let mut moves = Vec::new();
    values.index().game().moves(position, &mut moves);
    survey(values, position, &moves)
}

impl<G: Indexed> Values<G> for Database<G> {
    fn index(&self) -> &Index<G> {
        Database::index(self)
    }

    fn code(&self, slot: u64) -> Result<Code, PlayerError> {
        Database::code(self, slot).map_err(|e| PlayerError::Crashed(e.to_string()))
    }

    fn measure(&self) -> Measure {
        self.metric()
    }

    fn digest(&self) -> Option<String> {
        Some(self.manifest().digest())
    }

    fn folder(&self) -> Option<&Path> {
        Some(Database::folder(self))
    }

    fn value(&self, position: &G::Position) -> Result<Value, PlayerError> {
        let found = Database::value(self, position);
        let found = found.map_err(|e| PlayerError::Crashed(e.to_string()))?;
        found.ok_or_else(|| {
            let text = self.game().write_position(position);
            PlayerError::Unsupported(format!("the database does not hold {text}"))
        })
    }
}
