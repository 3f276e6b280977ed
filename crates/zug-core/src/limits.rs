//! How long a player may think.

use crate::Side;
use std::time::Duration;

/// Limits of one move; the first that is reached stops the search. No limit at all means: think
/// until stopped.
///
/// ```
/// use zug_core::Limits;
/// let limits = Limits { depth: Some(8), ..Limits::default() };
/// assert!(limits.is_bounded());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Positions (search) or playouts (Monte Carlo).
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Clocks of a game.
    pub clock: Option<Clock>,
    /// How many best lines to report; 0 and 1 mean one.
    pub lines: usize,
    /// Only these moves may be chosen; empty for all.
    pub only: Vec<String>,
}

/// The clocks, seen before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left, first side and second side.
    pub remaining: [Duration; 2],
    /// Added after each move.
    pub increment: [Duration; 2],
    /// Moves until the next time control; `None` means the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// Is there any limit?
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
    }

    /// The time to spend on this move: (aim, never exceed). `moves_left` is a guess at how many
    /// more moves the game will ask of this side.
    #[must_use]
    pub fn time_for(&self, side: Side, moves_left: u32) -> Option<(Duration, Duration)> {
        let Some(clock) = self.clock else { return self.movetime.map(|time| (time, time)) };
        let (left, increment) = (clock.remaining[side.index()], clock.increment[side.index()]);
        // A reserve for the way to the clock and back.
        let usable = left.saturating_sub((left / 20).min(Duration::from_millis(50)));
        let moves = clock.moves_to_go.unwrap_or(moves_left).clamp(1, 200);
        let aim = usable / moves + increment.mul_f64(0.8);
        let most = (usable / 4).max(usable / moves).min(aim * 4).min(usable);
        // Who always takes the same time still must not lose on the clock.
        let fixed = self.movetime.map(|time| (time.min(most), time.min(most)));
        Some(fixed.unwrap_or((aim.min(usable), most)))
    }
}

/// Reads a duration: `50ms`, `1.5s`, `2m`; a bare number is seconds.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(zug_core::limits::parse_duration("50ms"), Some(Duration::from_millis(50)));
/// assert_eq!(zug_core::limits::parse_duration("fast"), None);
/// ```
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let value: f64 = digits.parse().ok()?;
    let seconds = match &text[digits.len()..] {
        "ms" => value / 1000.0,
        "" | "s" => value,
        "m" | "min" => value * 60.0,
        "h" => value * 3600.0,
        _ => return None,
    };
    // An upper bound keeps later arithmetic on durations from overflowing.
    (seconds.is_finite() && (0.0..=1e9).contains(&seconds))
        .then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_time_for_each_move_gives_way_to_a_clock_that_runs_out() {
        let ms = Duration::from_millis;
        let fixed = Limits { movetime: Some(ms(1000)), ..Limits::default() };
        assert_eq!(fixed.time_for(Side::First, 40), Some((ms(1000), ms(1000))));
        let clock = |left| Clock { remaining: [ms(left); 2], ..Clock::default() };
        let rich = Limits { clock: Some(clock(600_000)), ..fixed.clone() };
        assert_eq!(rich.time_for(Side::First, 40), Some((ms(1000), ms(1000))));
        let poor = Limits { clock: Some(clock(1000)), ..fixed };
        let (aim, most) = poor.time_for(Side::Second, 40).unwrap();
        assert!(aim == most && most < ms(250), "{most:?}");
    }
}
