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
    /// A line of moves from the present position, as it looks after the symmetry that turns its first
    /// move into `twin`; `None` where none does.
    fn carried(&self, line: &dyn AnyLine, moves: &[String], twin: &str) -> Option<Vec<String>> {
        let _ = (line, moves, twin);
        None
    }
}

/// What [`AnyPlaces::carried`] does for one game: its rules, the position, the moves, the first of the
/// images.
type Carry<G> = fn(&G, &<G as Game>::Position, &[String], &str) -> Option<Vec<String>>;

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
        Places::new(Keyed::<G> { key: |game, position| game.key(position), carry: None })
    }

    /// Positions are the same where one is the image of the other.
    #[must_use]
    pub fn symmetric<G: Symmetric>(_game: &G) -> Places {
        Places::new(Keyed::<G> { key: smallest_key, carry: Some(carried) })
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

    /// A line of moves as it looks after the symmetry that turns its first move into `twin`; at least
    /// that move.
    #[must_use]
    pub fn carried(&self, line: &dyn AnyLine, moves: &[String], twin: &str) -> Vec<String> {
        self.0.carried(line, moves, twin).unwrap_or_else(|| vec![twin.to_string()])
    }
}

/// The smallest key of all images; the sides and the side to move are the same in all of them.
fn smallest_key<G: Symmetric>(game: &G, position: &G::Position) -> u64 {
    (1..game.symmetries()).fold(game.key(position), |smallest, symmetry| {
        smallest.min(game.key(&game.map_position(symmetry, position)))
    })
}

/// See [`AnyPlaces::carried`].
fn carried<G: Symmetric>(
    game: &G,
    position: &G::Position,
    moves: &[String],
    twin: &str,
) -> Option<Vec<String>> {
    let (first, rest) = moves.split_first()?;
    let (mut one, mut other) = (position.clone(), position.clone());
    game.play(&mut one, game.read_move(position, first).ok()?);
    game.play(&mut other, game.read_move(position, twin).ok()?);
    let symmetry = (0..game.symmetries()).find(|&s| game.map_position(s, &one) == other)?;
    let mut line = vec![twin.to_string()];
    for text in rest {
        let mv = game.read_move(&one, text).ok()?;
        let image = game.map_move(symmetry, mv);
        line.push(game.write_move(&other, image));
        game.play(&mut one, mv);
        game.play(&mut other, image);
    }
    Some(line)
}

struct Keyed<G: Game> {
    key: fn(&G, &G::Position) -> u64,
    carry: Option<Carry<G>>,
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

    fn carried(&self, line: &dyn AnyLine, moves: &[String], twin: &str) -> Option<Vec<String>> {
        let line = downcast::<G>(line)?;
        (self.carry?)(line.game(), line.position(), moves, twin)
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
