//! Does an engine search as it did? The positions of a fixed search add up, which changes whenever
//! the search does: its signature.

use crate::player::{PlayerError, Watch};
use crate::{AnyGame, Limits, Player};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a game brings with it as an extension of its [`GameEntry`](crate::GameEntry).
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// In the game's notation.
    pub positions: &'static [&'static str],
    /// Plies.
    pub depth: u32,
    /// What the default player counts, at this depth and with one thread.
    pub signature: u64,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Benched {
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent in the searches.
    pub elapsed: Duration,
}

impl Benched {
    /// Positions a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
    }
}

impl Bench {
    /// Lets a player search each position to a depth, having forgotten the one before. `told` hears
    /// the number of each position, from 1, and the position. `None` when stopped.
    pub fn run(
        &self,
        game: &dyn AnyGame,
        player: &mut dyn Player,
        depth: u32,
        stop: &Arc<AtomicBool>,
        told: &mut dyn FnMut(usize, &str),
    ) -> Result<Option<Benched>, PlayerError> {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut sum = Benched::default();
        for (at, text) in self.positions.iter().enumerate() {
            told(at + 1, text);
            let line = game.line_from(text);
            let line = line.map_err(|e| PlayerError::Unsupported(e.to_string()))?;
            player.new_game(&*line)?;
            let begun = Instant::now();
            let mut ignore = |_: &crate::Info| {};
            let mut watch = Watch::new(Arc::clone(stop), &mut ignore);
            let choice = player.choose(&*line, &limits, &mut watch)?;
            sum.elapsed += begun.elapsed();
            sum.nodes += choice.info.map_or(0, |info| info.nodes);
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
        }
        Ok(Some(sum))
    }
}
