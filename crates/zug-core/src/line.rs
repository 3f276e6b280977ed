//! A game in progress: the moves so far and the positions they led through.
//!
//! Positions hold no history, so the rules that need one (threefold repetition, superko) live
//! here, once for all games.

use crate::{Game, Outcome, Repetition, Side, TextError};

/// A line of play from some position.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    game: G,
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
    keys: Vec<u64>,
}

impl<G: Game> Line<G> {
    /// A line that begins at the start position.
    #[must_use]
    pub fn new(game: G) -> Line<G> {
        let start = game.start();
        Line::from_position(game, start)
    }

    /// A line that begins somewhere else.
    #[must_use]
    pub fn from_position(game: G, start: G::Position) -> Line<G> {
        let key = game.repetition_key(&start);
        Line { game, positions: vec![start], moves: Vec::new(), keys: vec![key] }
    }

    /// The rules.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &G::Position {
        self.positions.last().expect("a line has a start position")
    }

    /// Every position, the first one included.
    #[must_use]
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The moves played.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The repetition keys of [`positions`](Line::positions), for search.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.game.to_move(self.position())
    }

    /// How often the present position has occurred, this time included.
    #[must_use]
    pub fn occurrences(&self) -> u32 {
        let now = self.keys.len() - 1;
        let first = now.saturating_sub(self.game.reversible_plies(self.position()));
        self.keys[first..].iter().filter(|&&k| k == self.keys[now]).count() as u32
    }

    /// Has the game ended, by the position or by repetition?
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.game.outcome(self.position()) {
            return Some(outcome);
        }
        match self.game.repetition() {
            Repetition::Draw(times) if self.occurrences() >= times => {
                Some(Outcome::draw("repetition"))
            }
            _ => None,
        }
    }

    /// The legal moves now, with the history taken into account.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        self.game.moves(self.position(), &mut moves);
        if self.game.repetition() == Repetition::Forbidden {
            moves.retain(|&mv| !self.brings_back(mv));
        }
        moves
    }

    /// Would this move bring back an earlier position? A move that leaves the board as it is (a
    /// pass) does not count.
    fn brings_back(&self, mv: G::Move) -> bool {
        let mut next = self.position().clone();
        self.game.play(&mut next, mv);
        let key = self.game.repetition_key(&next);
        let now = *self.keys.last().expect("a line has a key");
        key != now && self.keys.contains(&key)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let mut next = self.position().clone();
        self.game.play(&mut next, mv);
        self.keys.push(self.game.repetition_key(&next));
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Reads a move and plays it, if the rules and the history allow it.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, TextError> {
        if let Some(outcome) = self.outcome() {
            let expected = format!("no move, the game has ended ({})", outcome.reason);
            return Err(TextError::new(0, expected, format!("'{text}'")));
        }
        let mv = self.game.read_move(self.position(), text)?;
        if self.game.repetition() == Repetition::Forbidden && self.brings_back(mv) {
            let expected = "a move that does not bring back an earlier position (superko)";
            return Err(TextError::new(0, expected, format!("'{text}'")));
        }
        self.play(mv);
        Ok(mv)
    }

    /// Gives the turn to the other side: see [`Game::hand_over`]. False where the rules know no such
    /// thing, or the game has ended.
    pub fn hand_over(&mut self) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        let Some((mv, next)) = self.game.hand_over(self.position()) else { return false };
        self.keys.push(self.game.repetition_key(&next));
        self.positions.push(next);
        self.moves.push(mv);
        true
    }

    /// Takes back the last move.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.keys.pop();
        Some(mv)
    }

    /// The moves in notation.
    #[must_use]
    pub fn move_texts(&self) -> Vec<String> {
        self.moves
            .iter()
            .zip(&self.positions)
            .map(|(&mv, position)| self.game.write_move(position, mv))
            .collect()
    }
}
