//! How often does a perfect player do better than the value of the position promises?
//!
//! Games from random drawn or lost positions against fallible opponents, counted with Wilson's
//! 95 % intervals. Each game has its own seed, so that the result does not depend on who plays
//! first or how the work is divided.

use super::lookup::{Values, survey};
use super::opponent::Observation;
use crate::value::Value;
use std::fmt;
use zug_core::player::choose_quietly;
use zug_core::seed::RngExt;
use zug_core::{AnyLine, Indexed, Limits, Line, Player, PlayerError, rng};

/// Which positions to begin with, seen from the player that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Drawn ones.
    Drawn,
    /// Lost ones, in at least so many plies.
    Lost(u16),
    /// Won ones: for watching an opponent.
    Won,
}

impl Begin {
    /// Does a position of this value belong to them?
    #[must_use]
    pub fn admits(self, value: Value) -> bool {
        match (self, value) {
            (Begin::Drawn, Value::Draw) | (Begin::Won, Value::Win(_)) => true,
            (Begin::Lost(least), Value::Loss(plies)) => plies >= least,
            _ => false,
        }
    }
}

/// Random positions of this kind, each slot as likely as the other; fewer if the database has
/// (nearly) none.
pub fn positions<G: Indexed>(
    values: &dyn Values<G>,
    begin: Begin,
    count: usize,
    seed: u64,
) -> Result<Vec<G::Position>, PlayerError> {
    let (index, mut rng) = (values.index(), rng(seed, 0));
    let mut found = Vec::new();
    for _ in 0..count.saturating_mul(20_000) {
        if found.len() == count || index.size() == 0 {
            break;
        }
        let slot = rng.random_range(0..index.size());
        if values.code(slot)?.value().is_some_and(|value| begin.admits(value)) {
            let open = index.position(slot).filter(|p| index.game().outcome(p).is_none());
            found.extend(open);
        }
    }
    Ok(found)
}

/// Results from the point of view of the player that is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn, or unfinished after the longest time allowed.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of wins.
    #[must_use]
    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.games().max(1) as f64
    }

    /// Points a game, a draw being half a point.
    #[must_use]
    pub fn score(&self) -> f64 {
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games().max(1) as f64
    }

    fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }
}

/// "41.2 % [38.1, 44.3] won, 50.0 % drawn".
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = wilson(self.wins, self.games());
        let drawn = self.draws as f64 / self.games().max(1) as f64;
        let [won, low, high, drawn] =
            [self.win_rate(), low, high, drawn].map(|share| 100.0 * share);
        write!(f, "{won:.1} % [{low:.1}, {high:.1}] won, {drawn:.1} % drawn")
    }
}

/// The 95 % interval of a share by Wilson.
#[must_use]
pub fn wilson(hits: u64, all: u64) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.959_963_985;
    let (n, p) = (all as f64, hits as f64 / all as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    (((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0))
}

/// Plays one game on from a line where `us` is to move; gives back the points of `us`. A game that
/// lasts longer than `most` plies is a draw.
pub fn play(
    line: &dyn AnyLine,
    us: &mut dyn Player,
    them: &mut dyn Player,
    most: usize,
) -> Result<f64, PlayerError> {
    let (mut line, side) = (line.boxed_clone(), line.to_move());
    us.new_game(&*line)?;
    them.new_game(&*line)?;
    for _ in 0..most {
        if let Some(outcome) = line.outcome() {
            return Ok(outcome.points(side));
        }
        let choice = match line.to_move() == side {
            true => choose_quietly(us, &*line, &Limits::default())?,
            false => choose_quietly(them, &*line, &Limits::default())?,
        };
        line.play(&choice.mv).map_err(|e| PlayerError::Illegal(e.to_string()))?;
    }
    Ok(line.outcome().map_or(0.5, |outcome| outcome.points(side)))
}

/// Plays one game from each line. Both players get a seed of their own for each game.
pub fn tally(
    starts: &[Box<dyn AnyLine>],
    us: &mut dyn Player,
    them: &mut dyn Player,
    most: usize,
    seed: u64,
) -> Result<Tally, PlayerError> {
    let mut tally = Tally::default();
    for (number, start) in starts.iter().enumerate() {
        let seed = |player: u64| rng(seed, 2 * number as u64 + player).random::<u64>().to_string();
        us.set_option("seed", &seed(0))?;
        them.set_option("seed", &seed(1))?;
        tally.add(play(&**start, us, them, most)?);
    }
    Ok(tally)
}

/// Asks a player for its moves in some positions: the observations from which a model is
/// [fitted](super::fit).
pub fn observe<G: Indexed>(
    values: &dyn Values<G>,
    positions: &[G::Position],
    player: &mut dyn Player,
    seed: u64,
) -> Result<Vec<Observation>, PlayerError> {
    let game = values.index().game();
    let mut seen = Vec::new();
    for (number, position) in positions.iter().enumerate() {
        player.set_option("seed", &rng(seed, number as u64).random::<u64>().to_string())?;
        let line = Line::from_position(game.clone(), position.clone());
        player.new_game(&line)?;
        let choice = choose_quietly(player, &line, &Limits::default())?;
        let chosen = game.read_move(position, &choice.mv);
        let chosen = chosen.map_err(|e| PlayerError::Illegal(e.to_string()))?;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let values = survey(values, position, &moves)?.iter().map(|m| m.value).collect();
        let place = moves.iter().position(|mv| *mv == chosen);
        seen.extend(place.map(|chosen| Observation { values, chosen }));
    }
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intervals_are_those_of_the_books() {
        let (low, high) = wilson(10, 20);
        assert!((low - 0.2993).abs() < 1e-4 && (high - 0.7007).abs() < 1e-4);
        let (low, high) = wilson(0, 10);
        assert!(low == 0.0 && (high - 0.2775).abs() < 1e-4);
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }
}
