//! How much time have the players left? NBoard says it inside the game: `TI[5:00/0:02]` gives each side
//! its time and what is added after a move, and every move tells how long it took.

use std::time::Duration;
use zug_core::{AnyLine, Clock, Record, Side};

/// A game's clocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GameClock {
    remaining: [Duration; 2],
    increment: Duration,
}

/// Who has used up everything still has to move.
const LEAST: Duration = Duration::from_millis(100);
/// Longer games are not limited.
const MOST: f64 = 1e7;

impl GameClock {
    /// The clocks at the end of a record, which led to `line`; none where it has none.
    pub(super) fn of(record: &Record, line: &dyn AnyLine) -> Option<GameClock> {
        let (main, increment) = read(record.tag("TimeControl")?)?;
        let mut clock = GameClock { remaining: [main; 2], increment };
        // Sides take turns: passes are moves.
        let mut side = line.to_move();
        if !line.ply().is_multiple_of(2) {
            side = side.other();
        }
        for mv in &record.moves {
            clock.spend(side, mv.comment.as_deref().and_then(time_of).unwrap_or(0.0));
            side = side.other();
        }
        Some(clock)
    }

    /// A side has moved after so many seconds.
    pub(super) fn spend(&mut self, side: Side, seconds: f64) {
        let left = &mut self.remaining[side.index()];
        let spent = Duration::try_from_secs_f64(seconds.clamp(0.0, MOST)).unwrap_or_default();
        *left = left.saturating_sub(spent) + self.increment;
    }

    /// As a player sees them.
    pub(super) fn now(&self) -> Clock {
        Clock {
            remaining: self.remaining.map(|left| left.max(LEAST)),
            increment: [self.increment; 2],
            moves_to_go: None,
        }
    }
}

/// `5:00`, `15:00/0:10`, `05:00//02:00`: the time for the game and what each move adds. Nothing for a
/// time of zero, which means none.
fn read(text: &str) -> Option<(Duration, Duration)> {
    let mut parts = text.split('/');
    let main = seconds(parts.next()?)?;
    let increment = match parts.next().map(str::trim) {
        None | Some("") => 0.0,
        // `0:10,1`: the number after the comma is about moves.
        Some(part) => seconds(part.split(',').next()?)?,
    };
    (main > 0.0).then(|| (Duration::from_secs_f64(main), Duration::from_secs_f64(increment)))
}

/// `ss`, `mm:ss`, `hh:mm:ss`.
fn seconds(text: &str) -> Option<f64> {
    let mut total = 0.0;
    for part in text.split(',').next()?.trim().split(':') {
        let part: f64 = part.trim().parse().ok()?;
        total = total * 60.0 + part;
    }
    (0.0..=MOST).contains(&total).then_some(total)
}

/// The seconds in the remark of a move: "eval +0.30, time 1.20".
fn time_of(comment: &str) -> Option<f64> {
    comment.split(", ").find_map(|part| part.strip_prefix("time ")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_read_as_games_write_them() {
        let read = |text| read(text).map(|(a, b)| (a.as_secs_f64(), b.as_secs_f64()));
        assert_eq!(read("15:00"), Some((900.0, 0.0)));
        assert_eq!(read("05:00//02:00"), Some((300.0, 0.0)));
        assert_eq!(read("1:00:00/0:10,1"), Some((3600.0, 10.0)));
        assert_eq!(read("0.5"), Some((0.5, 0.0)));
        for none in ["0", "", "soon", "-5", "1e99", "nan", "5:x"] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_never_below_nothing() {
        let mut clock = GameClock {
            remaining: [Duration::from_secs(10); 2],
            increment: Duration::from_secs(1),
        };
        clock.spend(Side::First, 3.0);
        clock.spend(Side::Second, 1e300);
        clock.spend(Side::Second, f64::NAN);
        assert_eq!(clock.now().remaining, [Duration::from_secs(8), Duration::from_secs(2)]);
        clock.increment = Duration::ZERO;
        clock.spend(Side::First, 100.0);
        assert_eq!(clock.now().remaining[0], LEAST);
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_clock(text: String) {
            let _ = read(&text);
            let _ = time_of(&text);
        }
    }
}
