//! When are two positions the same place of a book?
//!
//! A book knows positions by a 64-bit key alone. Positions that a symmetry of the board makes equal
//! share a key, so that a game is found again whichever way the board was turned; so do positions
//! that different orders of moves lead to. A move is known by the key of the place it leads to:
//! in a position that was stored turned round, its text would be another one.
//!
//! A game whose positions hold what the rules need and nothing else gives its own key
//! ([`Places::plain`]); one with symmetries takes the smallest key of all images
//! ([`Places::symmetric`]). A game that says nothing is served all the same ([`Places::general`]),
//! through the text of its moves.

use std::sync::Arc;
use zug_core::erased::downcast;
use zug_core::{AnyLine, Game, GameEntry, Symmetric};

/// A legal move and the place it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move, as the game writes it.
    pub mv: String,
    /// The key of the position after it.
    pub key: u64,
}

/// The places of one game, its type forgotten.
pub trait AnyPlaces: Send + Sync {
    /// The key of the present position of a line: equal for positions that a symmetry makes equal.
    fn key(&self, line: &dyn AnyLine) -> u64;
    /// All legal moves in the game's order, each with the key of the position after it. Empty when
    /// the game has ended.
    fn steps(&self, line: &dyn AnyLine) -> Vec<Step>;
    /// The keys of the positions after each move of the present position, in the order of
    /// [`Game::moves`]; what happened before does not matter.
    fn keys_after(&self, line: &dyn AnyLine) -> Vec<u64> {
        let mut next = line.boxed_clone();
        let mut keys = Vec::new();
        while next.play_rank(keys.len()) {
            keys.push(self.key(&*next));
            next.undo();
        }
        keys
    }
}

/// A shared handle to the places of a game: an extension of its [`GameEntry`].
#[derive(Clone)]
pub struct Places(Arc<dyn AnyPlaces>);

impl Places {
    /// Places of any kind.
    pub fn new(places: impl AnyPlaces + 'static) -> Places {
        Places(Arc::new(places))
    }

    /// Positions are the same where the game's own key is.
    #[must_use]
    pub fn plain<G: Game>(_game: &G) -> Places {
        Places::new(Keyed::<G> { key: |game, position| game.key(position) })
    }

    /// Positions are the same where one is the image of the other.
    #[must_use]
    pub fn symmetric<G: Symmetric>(_game: &G) -> Places {
        Places::new(Keyed::<G> { key: smallest_key })
    }

    /// Places of any game, by playing each move on a copy of the line.
    #[must_use]
    pub fn general() -> Places {
        Places::new(General)
    }

    /// The places that a game brings, or the general ones.
    #[must_use]
    pub fn of(entry: &GameEntry) -> Places {
        entry.extension::<Places>().cloned().unwrap_or_else(Places::general)
    }

    /// See [`AnyPlaces::key`].
    #[must_use]
    pub fn key(&self, line: &dyn AnyLine) -> u64 {
        self.0.key(line)
    }

    /// See [`AnyPlaces::steps`].
    #[must_use]
    pub fn steps(&self, line: &dyn AnyLine) -> Vec<Step> {
        self.0.steps(line)
    }

    /// See [`AnyPlaces::keys_after`].
    #[must_use]
    pub fn keys_after(&self, line: &dyn AnyLine) -> Vec<u64> {
        self.0.keys_after(line)
    }
}

/// The smallest key of all images; the sides and the side to move are the same in all of them.
fn smallest_key<G: Symmetric>(game: &G, position: &G::Position) -> u64 {
    (1..game.symmetries()).fold(game.key(position), |smallest, symmetry| {
        smallest.min(game.key(&game.map_position(symmetry, position)))
    })
}

struct Keyed<G: Game> {
    key: fn(&G, &G::Position) -> u64,
}

impl<G: Game> AnyPlaces for Keyed<G> {
    fn key(&self, line: &dyn AnyLine) -> u64 {
        match downcast::<G>(line) {
            Some(line) => (self.key)(line.game(), line.position()),
            None => General.key(line),
        }
    }

    fn steps(&self, line: &dyn AnyLine) -> Vec<Step> {
        let Some(line) = downcast::<G>(line) else { return General.steps(line) };
        let (game, position) = (line.game(), line.position());
        let step = |mv| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            Step { mv: game.write_move(position, mv), key: (self.key)(game, &next) }
        };
        line.legal_moves().into_iter().map(step).collect()
    }

    fn keys_after(&self, line: &dyn AnyLine) -> Vec<u64> {
        let Some(line) = downcast::<G>(line) else { return General.keys_after(line) };
        let (game, position) = (line.game(), line.position());
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let key = |mv| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            (self.key)(game, &next)
        };
        moves.into_iter().map(key).collect()
    }
}

struct General;

impl AnyPlaces for General {
    fn key(&self, line: &dyn AnyLine) -> u64 {
        line.key()
    }

    fn steps(&self, line: &dyn AnyLine) -> Vec<Step> {
        let mut next = line.boxed_clone();
        let mut steps = Vec::new();
        for mv in line.legal_moves() {
            // What a game calls legal it also plays; a move that it does not is no step.
            if next.play(&mv).is_ok() {
                steps.push(Step { mv, key: next.key() });
                next.undo();
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests;
