//! How much time has a player? The control of a match, and the clocks of one game.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use zug_core::limits::parse_duration;
use zug_core::{Clock, Limits, Side, TextError};

/// What players are given for a move when nobody says anything.
pub const USUAL_MOVETIME: Duration = Duration::from_millis(100);

/// The limits of every move of a match. All empty: each player does as its own options say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Plies of iterative deepening.
    pub depth: Option<u32>,
    /// Positions or playouts.
    pub nodes: Option<u64>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// A clock for each side.
    pub clock: Option<ClockControl>,
}

/// The clock of a side: so much time (for so many moves), and some more after each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockControl {
    /// Time at the beginning, and again at each time control.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves between time controls; `None` for one control for the whole game.
    pub moves: Option<u32>,
}

impl TimeControl {
    /// Reads `10+0.1`, `1:30+1`, `40/60`, `depth=5`, `nodes=1000`, `movetime=50ms`, or several
    /// separated by commas; `none` for no limit.
    ///
    /// ```
    /// use zug_arena::TimeControl;
    /// assert_eq!(TimeControl::parse("40/60+0.5")?.to_string(), "40/60+0.5");
    /// assert_eq!(TimeControl::parse("depth=5")?.depth, Some(5));
    /// assert!(TimeControl::parse("soon").is_err());
    /// # Ok::<(), zug_core::TextError>(())
    /// ```
    pub fn parse(text: &str) -> Result<TimeControl, TextError> {
        let mut control = TimeControl::default();
        let mut byte = 0;
        for part in text.split(',') {
            let bad = || {
                let expected = "a time control such as 10+0.1, 40/60, depth=5, nodes=1000, \
                                movetime=50ms or none";
                TextError::new(byte, expected, format!("'{part}'"))
            };
            match part.split_once('=') {
                Some(("depth", n)) => control.depth = Some(positive(n).ok_or_else(bad)?),
                Some(("nodes", n)) => control.nodes = Some(positive(n).ok_or_else(bad)?),
                Some(("movetime", t)) => {
                    let time = parse_duration(t).filter(|t| !t.is_zero());
                    control.movetime = Some(time.ok_or_else(bad)?);
                }
                Some(_) => return Err(bad()),
                None if part == "none" => {}
                None => control.clock = Some(ClockControl::read(part).ok_or_else(bad)?),
            }
            byte += part.len() + 1;
        }
        Ok(control)
    }

    /// Is there a limit on time?
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.clock.is_some()
    }
}

impl ClockControl {
    fn read(text: &str) -> Option<ClockControl> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(positive(moves)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => {
                let minutes: u32 = minutes.parse().ok().filter(|&m| m < 1_000_000)?;
                Duration::from_secs(u64::from(minutes) * 60) + parse_duration(seconds)?
            }
            None => parse_duration(base)?,
        };
        let control = ClockControl { base, increment: parse_duration(increment)?, moves };
        (!base.is_zero()).then_some(control)
    }
}

fn positive<T: std::str::FromStr + PartialOrd + Default>(text: &str) -> Option<T> {
    text.parse().ok().filter(|n| *n > T::default())
}

/// Written so that it reads back the same.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|c| c.to_string()));
        parts.extend(self.depth.map(|d| format!("depth={d}")));
        parts.extend(self.nodes.map(|n| format!("nodes={n}")));
        parts.extend(self.movetime.map(|t| format!("movetime={}", t.as_secs_f64())));
        if parts.is_empty() {
            parts.push("none".to_string());
        }
        f.write_str(&parts.join(","))
    }
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// The clocks of one game, kept by the referee.
#[derive(Clone, Debug)]
pub(crate) struct GameClock {
    control: TimeControl,
    remaining: [Duration; 2],
    moves: [u32; 2],
    margin: Duration,
    /// Sides that the time for a move does not bind.
    free: [bool; 2],
}

impl GameClock {
    pub(crate) fn new(control: TimeControl, margin: Duration, free: [bool; 2]) -> GameClock {
        let base = control.clock.map_or(Duration::ZERO, |c| c.base);
        GameClock { control, remaining: [base; 2], moves: [0; 2], margin, free }
    }

    /// What the player to move is told.
    pub(crate) fn limits(&self, side: Side) -> Limits {
        let usual = (self.control == TimeControl::default()).then_some(USUAL_MOVETIME);
        Limits {
            depth: self.control.depth,
            nodes: self.control.nodes,
            movetime: self.control.movetime.or(usual),
            clock: self.control.clock.map(|c| Clock {
                remaining: self.remaining,
                increment: [c.increment; 2],
                moves_to_go: c.moves.map(|n| n - self.moves[side.index()] % n),
            }),
            ..Limits::default()
        }
    }

    /// The time after which the player to move has lost.
    pub(crate) fn allowed(&self, side: Side) -> Option<Duration> {
        let clock = self.control.clock.map(|_| self.remaining[side.index()]);
        let movetime = self.control.movetime.filter(|_| !self.free[side.index()]);
        let allowed = match (clock, movetime) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b)?,
        };
        Some(allowed + self.margin)
    }

    /// A move took so long. False when that was too long.
    pub(crate) fn charge(&mut self, side: Side, elapsed: Duration) -> bool {
        if self.allowed(side).is_some_and(|allowed| elapsed > allowed) {
            return false;
        }
        let i = side.index();
        self.moves[i] += 1;
        if let Some(clock) = self.control.clock {
            self.remaining[i] = self.remaining[i].saturating_sub(elapsed) + clock.increment;
            if clock.moves.is_some_and(|n| self.moves[i].is_multiple_of(n)) {
                self.remaining[i] += clock.base;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn controls_are_read_in_the_usual_notations() {
        let c = TimeControl::parse("1:30+1").unwrap().clock.unwrap();
        assert_eq!((c.base, c.increment, c.moves), (90 * SECOND, SECOND, None));
        let c = TimeControl::parse("40/60").unwrap().clock.unwrap();
        assert_eq!((c.base, c.increment, c.moves), (60 * SECOND, Duration::ZERO, Some(40)));
        let c = TimeControl::parse("depth=3,movetime=50ms").unwrap();
        assert_eq!((c.depth, c.movetime), (Some(3), Some(Duration::from_millis(50))));
        assert_eq!(TimeControl::parse("none").unwrap(), TimeControl::default());
        for bad in
            ["", "0", "0/60", "10+", "depth=0", "depth=-1", "movetime=0", "x", "1:2:3", "nan"]
        {
            assert!(TimeControl::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(TimeControl::parse("depth=3,bad").unwrap_err().byte, 8);
    }

    #[test]
    fn a_clock_pays_the_increment_and_the_next_control() {
        let control = TimeControl::parse("2/10+1").unwrap();
        let mut clock = GameClock::new(control, Duration::ZERO, [false; 2]);
        assert_eq!(clock.limits(Side::First).clock.unwrap().moves_to_go, Some(2));
        assert!(clock.charge(Side::First, 4 * SECOND));
        let seen = clock.limits(Side::First).clock.unwrap();
        assert_eq!((seen.remaining, seen.moves_to_go), ([7 * SECOND, 10 * SECOND], Some(1)));
        assert!(clock.charge(Side::First, 7 * SECOND));
        assert_eq!(clock.limits(Side::Second).clock.unwrap().remaining[0], 11 * SECOND);
    }

    #[test]
    fn the_margin_forgives_a_little_and_no_more() {
        let control = TimeControl::parse("10").unwrap();
        let mut clock = GameClock::new(control, SECOND, [false; 2]);
        assert!(clock.charge(Side::Second, 11 * SECOND));
        assert_eq!(clock.limits(Side::Second).clock.unwrap().remaining[1], Duration::ZERO);
        assert!(!clock.charge(Side::Second, SECOND + Duration::from_millis(1)));
        let fixed = TimeControl::parse("movetime=1").unwrap();
        let fixed = GameClock::new(fixed, SECOND, [false, true]);
        assert_eq!(fixed.allowed(Side::First), Some(2 * SECOND));
        assert_eq!(fixed.allowed(Side::Second), None);
        let none = GameClock::new(TimeControl::default(), SECOND, [false; 2]);
        assert_eq!(none.allowed(Side::First), None);
        assert_eq!(none.limits(Side::First).movetime, Some(USUAL_MOVETIME));
    }

    proptest! {
        #[test]
        fn controls_survive_being_written_and_read(
            depth in proptest::option::of(1u32..100),
            nodes in proptest::option::of(1u64..1_000_000),
            movetime in proptest::option::of(1u64..100_000),
            clock in proptest::option::of((1u64..10_000_000, 0u64..10_000, proptest::option::of(1u32..100))),
        ) {
            let control = TimeControl {
                depth,
                nodes,
                movetime: movetime.map(Duration::from_millis),
                clock: clock.map(|(base, inc, moves)| ClockControl {
                    base: Duration::from_millis(base),
                    increment: Duration::from_millis(inc),
                    moves,
                }),
            };
            prop_assert_eq!(TimeControl::parse(&control.to_string()).unwrap(), control);
        }

        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            let _ = TimeControl::parse(&text);
        }
    }
}
