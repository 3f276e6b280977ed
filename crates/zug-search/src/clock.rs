//! When to stop: time and nodes, for every search.

use std::time::{Duration, Instant};
use zug_core::{Game, Limits, Line};

/// The limits of one search, with the clock started.
#[derive(Clone, Debug)]
pub struct Budget {
    begin: Instant,
    /// Aim, and never exceed.
    time: Option<(Duration, Duration)>,
    /// Is the time ours to save? (A clock, not a fixed time for each move.)
    saves: bool,
    /// Positions or playouts.
    pub nodes: Option<u64>,
}

/// How many more moves the game will ask of the side to move. Games outlast every guess, so the
/// answer never falls below a quarter of the first guess.
fn moves_left<G: Game>(line: &Line<G>, moves_in_game: u32) -> u32 {
    let played = (line.moves().len() / 2) as u32;
    moves_in_game.saturating_sub(played).max(moves_in_game / 4).max(1)
}

impl Budget {
    /// Starts the clock of one move. `moves_in_game` is a guess at the moves that a game asks of one side.
    #[must_use]
    pub fn start<G: Game>(line: &Line<G>, limits: &Limits, moves_in_game: u32) -> Budget {
        Budget {
            begin: Instant::now(),
            time: limits.time_for(line.to_move(), moves_left(line, moves_in_game)),
            saves: limits.movetime.is_none() && limits.clock.is_some(),
            nodes: limits.nodes,
        }
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Must the search stop at once?
    #[must_use]
    pub fn time_is_up(&self) -> bool {
        self.time.is_some_and(|(_, most)| self.elapsed() >= most)
    }

    /// Does unused time remain for later moves?
    #[must_use]
    pub fn saves_time(&self) -> bool {
        self.saves
    }

    /// The time to spend: (aim, never exceed); `None` without limit.
    #[must_use]
    pub fn time(&self) -> Option<(Duration, Duration)> {
        self.time
    }

    /// Is it not worth while to begin another iteration? `doubt` is 0 when the best move has been
    /// the same for long and grows as it changes; the next iteration takes longer than all before,
    /// so a settled search ends at half the aim.
    #[must_use]
    pub fn enough(&self, doubt: f64) -> bool {
        match self.time {
            Some((aim, most)) if self.saves => {
                self.elapsed() >= aim.mul_f64(0.5 + doubt.clamp(0.0, 2.0)).min(most)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TicTacToe;
    use zug_core::Clock;

    #[test]
    fn a_guess_at_the_moves_left_shrinks_but_not_to_nothing() {
        let mut line = Line::new(TicTacToe);
        assert_eq!(moves_left(&line, 5), 5);
        for text in ["a1", "b1", "c1", "a2", "c2", "b2", "a3"] {
            line.play_text(text).unwrap();
        }
        assert_eq!(moves_left(&line, 5), 2);
        assert_eq!(moves_left(&line, 3), 1);
        assert_eq!(moves_left(&line, 0), 1);
    }

    #[test]
    fn only_a_clock_lets_time_be_saved() {
        let line = Line::new(TicTacToe);
        let second = Duration::from_secs(1000);
        let fixed = Limits { movetime: Some(second), ..Limits::default() };
        let clock = Clock { remaining: [second; 2], ..Clock::default() };
        let clock = Limits { clock: Some(clock), ..Limits::default() };
        assert!(!Budget::start(&line, &fixed, 5).saves_time());
        assert!(Budget::start(&line, &clock, 5).saves_time());
        let none = Budget::start(&line, &Limits::default(), 5);
        assert!(!none.saves_time() && !none.time_is_up() && !none.enough(0.0));
        let no_time = Limits { movetime: Some(Duration::ZERO), ..Limits::default() };
        assert!(Budget::start(&line, &no_time, 5).time_is_up());
    }
}
