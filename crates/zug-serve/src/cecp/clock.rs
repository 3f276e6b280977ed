//! How long may a move take? Clocks and limits as CECP tells them.

use std::time::Duration;
use zug_core::{Clock, Limits, Side};

/// A guess at the moves that a game still lasts, where positions count as time.
const MOVES_LEFT: u32 = 30;

/// What was told.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    /// `level`: moves, time, increment.
    level: Option<(u32, Duration, Duration)>,
    /// `st`
    movetime: Option<Duration>,
    /// `sd`
    pub(super) depth: Option<u32>,
    /// `nps`: positions that count as a second.
    pub(super) pace: Option<u64>,
    /// `time` and `otim`: what the engine and its opponent have left.
    left: [Option<Duration>; 2],
}

impl Clocks {
    /// Takes note of `level`.
    pub(super) fn level(&mut self, moves: u32, time: Duration, increment: Duration) {
        (self.level, self.movetime, self.left) = (Some((moves, time, increment)), None, [None; 2]);
    }

    /// Takes note of `st`.
    pub(super) fn each(&mut self, time: Duration) {
        (self.level, self.movetime, self.left) = (None, Some(time), [None; 2]);
    }

    /// Takes note of `time` and `otim`.
    pub(super) fn left(&mut self, own: bool, left: Duration) {
        self.left[usize::from(!own)] = Some(left);
    }

    /// Another game: the clocks begin anew.
    pub(super) fn rewind(&mut self) {
        (self.left, self.depth, self.pace) = ([None; 2], None, None);
    }

    /// The limits of the move that this side has to make at this ply of the game.
    pub(super) fn limits(&self, side: Side, ply: usize, overhead: Duration) -> Limits {
        let less =
            |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1)).min(time);
        let clock = match (self.level, self.left[0]) {
            _ if self.movetime.is_some() => None,
            (None, None) => None,
            (level, left) => {
                let (moves, base, increment) = level.unwrap_or_default();
                let own = left.unwrap_or(base);
                let other = self.left[1].unwrap_or(own);
                let mut remaining = [less(other); 2];
                remaining[side.index()] = less(own);
                let played = ply as u32 / 2;
                let moves_to_go = (moves > 0).then(|| moves - played % moves);
                Some(Clock { remaining, increment: [increment; 2], moves_to_go })
            }
        };
        let limits = Limits {
            depth: self.depth,
            movetime: self.movetime.map(less),
            clock,
            ..Limits::default()
        };
        let Some(pace) = self.pace else { return limits };
        // The time is counted in positions, so that the clock on the wall means nothing.
        let time = match self.movetime {
            Some(time) => Some(time),
            None => limits.time_for(side, MOVES_LEFT).map(|(aim, _)| aim),
        };
        let nodes = time.map(|time| (time.as_secs_f64() * pace as f64).max(1.0) as u64);
        Limits { nodes, movetime: None, clock: None, ..limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn the_clock_of_the_side_to_move_is_the_engines_own() {
        let mut clocks = Clocks::default();
        assert!(!clocks.limits(Side::First, 0, MS(0)).is_bounded());
        clocks.level(40, MS(300_000), MS(100));
        let clock = clocks.limits(Side::Second, 3, MS(0)).clock.unwrap();
        assert_eq!((clock.remaining, clock.moves_to_go), ([MS(300_000); 2], Some(39)));
        clocks.left(true, MS(5000));
        clocks.left(false, MS(7000));
        let clock = clocks.limits(Side::Second, 3, MS(10)).clock.unwrap();
        assert_eq!((clock.remaining, clock.increment), ([MS(6990), MS(4990)], [MS(100); 2]));
        clocks.rewind();
        assert_eq!(clocks.limits(Side::First, 0, MS(0)).clock.unwrap().remaining, [MS(300_000); 2]);
    }

    #[test]
    fn a_time_for_each_move_takes_the_place_of_clocks() {
        let mut clocks = Clocks { depth: Some(5), ..Clocks::default() };
        clocks.level(0, MS(60_000), MS(0));
        clocks.each(MS(2000));
        clocks.left(true, MS(500));
        let limits = clocks.limits(Side::First, 0, MS(100));
        let expected = Limits { depth: Some(5), movetime: Some(MS(1900)), ..Limits::default() };
        assert_eq!(limits, expected);
        clocks.level(0, MS(60_000), MS(0));
        assert!(clocks.limits(Side::First, 0, MS(0)).movetime.is_none());
    }

    #[test]
    fn positions_may_count_as_time() {
        let mut clocks = Clocks { pace: Some(500), ..Clocks::default() };
        clocks.each(MS(1000));
        let limits = clocks.limits(Side::First, 0, MS(100));
        assert_eq!(limits, Limits { nodes: Some(500), ..Limits::default() });
        clocks.level(0, MS(60_000), MS(0));
        let nodes = clocks.limits(Side::First, 0, MS(0)).nodes.unwrap();
        assert!((500..2000).contains(&nodes), "{nodes}");
    }
}
