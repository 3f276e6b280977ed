//! What the players ask of a database.

use crate::database::Database;
use crate::index::Index;
use crate::value::{Code, Value};
use std::path::Path;
use zug_core::{Game, Indexed, PlayerError};

/// The values of all positions of a solved game.
pub trait Values<G: Indexed>: Send + Sync {
    /// How positions are numbered.
    fn index(&self) -> &Index<G>;

    /// What a slot holds.
    fn code(&self, slot: u64) -> Result<Code, PlayerError>;

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
}

/// The values of some legal moves, in their order.
pub fn survey<G: Indexed>(
    values: &dyn Values<G>,
    position: &G::Position,
    moves: &[G::Move],
) -> Result<Vec<Ranked<G>>, PlayerError> {
    let game = values.index().game();
    moves
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            let (value, ends) = match ended(game, &next) {
                Some(value) => (value, true),
                None => (values.value(&next)?, false),
            };
            Ok(Ranked { mv, next, value: value.for_mover(), ends })
        })
        .collect()
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
