//! How much time is left? The time systems of GTP and of KGS, and the limits they make.

use std::time::Duration;
use zug_core::{Clock, Limits, Side};

/// How time is given.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) enum System {
    /// As much as you like.
    #[default]
    Unlimited,
    /// So much for the game, and nothing after.
    Absolute(Duration),
    /// So much; then again and again a period for a number of stones.
    Canadian { main: Duration, period: Duration, stones: u32 },
    /// So much; then a number of periods, of which one is lost when a move outlasts it.
    Periods { main: Duration, period: Duration, periods: u32 },
}

/// What a side has left.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Left {
    time: Duration,
    /// Stones (Canadian) or periods to go; 0 in main time.
    stones: u32,
}

/// The clocks of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Time {
    system: System,
    left: [Left; 2],
}

impl Time {
    /// Another time system; the clocks start afresh.
    pub(super) fn set(&mut self, system: System) {
        self.system = system;
        self.restart();
    }

    /// A new game.
    pub(super) fn restart(&mut self) {
        let main = match self.system {
            System::Unlimited => Duration::ZERO,
            System::Absolute(main)
            | System::Canadian { main, .. }
            | System::Periods { main, .. } => main,
        };
        self.left = [Left { time: main, stones: 0 }; 2];
        for side in Side::BOTH {
            self.next_period(side);
        }
    }

    /// The referee's clock counts, not ours.
    pub(super) fn tell(&mut self, side: Side, time: Duration, stones: u32) {
        self.left[side.index()] = Left { time, stones };
    }

    /// A move took this long: for controllers that do not send `time_left`.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        let left = &mut self.left[side.index()];
        left.time = left.time.saturating_sub(time);
        if let (System::Canadian { period, stones, .. }, 1..) = (self.system, left.stones) {
            left.stones -= 1;
            if left.stones == 0 {
                *left = Left { time: period, stones };
            }
        } else if let (System::Periods { period, .. }, 1..) = (self.system, left.stones) {
            left.time = period;
        } else {
            self.next_period(side);
        }
    }

    /// When main time has run out, the first period begins.
    fn next_period(&mut self, side: Side) {
        let left = &mut self.left[side.index()];
        if !left.time.is_zero() || left.stones != 0 {
            return;
        }
        match self.system {
            System::Canadian { period, stones, .. } => *left = Left { time: period, stones },
            System::Periods { period, periods, .. } => {
                *left = Left { time: period, stones: periods };
            }
            System::Absolute(_) | System::Unlimited => {}
        }
    }

    /// The limits of the next move. None at all when time is unlimited.
    pub(super) fn limits(&self) -> Limits {
        if self.system == System::Unlimited && self.left.iter().all(|l| l.time.is_zero()) {
            return Limits::default();
        }
        Limits { clock: Some(self.clock()), ..Limits::default() }
    }

    fn clock(&self) -> Clock {
        let mut clock = Clock { remaining: self.left.map(|l| l.time), ..Clock::default() };
        // One number serves both sides; only the side that moves looks at it, and the two differ
        // only while one of them is in its periods. The smaller is the safer.
        let to_go = |l: &Left| match self.system {
            System::Periods { .. } => 1,
            _ => l.stones,
        };
        clock.moves_to_go = self.left.iter().filter(|l| l.stones > 0).map(to_go).min();
        for (left, increment) in self.left.iter().zip(&mut clock.increment) {
            if left.stones == 0 {
                *increment = self.after_main();
            }
        }
        clock
    }

    /// In main time, what a move may count on in the periods to come.
    fn after_main(&self) -> Duration {
        match self.system {
            System::Canadian { period, stones, .. } => period / stones.max(1),
            System::Periods { period, .. } => period,
            System::Absolute(_) | System::Unlimited => Duration::ZERO,
        }
    }
}

/// Reads `time_settings MAIN PERIOD STONES`, in seconds.
pub(super) fn time_settings(arguments: &[String]) -> Result<System, String> {
    let [main, period, stones] = arguments else { return Err("syntax error".into()) };
    let (main, period) = (seconds(main)?, seconds(period)?);
    let stones = stones.parse().map_err(|_| "stones not an integer")?;
    Ok(match (period.is_zero(), stones) {
        (true, _) => System::Absolute(main),
        // The standard's way to say that there is no limit.
        (false, 0) => System::Unlimited,
        (false, stones) => System::Canadian { main, period, stones },
    })
}

/// Reads `kgs-time_settings none|absolute M|byoyomi M T P|canadian M T S`.
pub(super) fn kgs_time_settings(arguments: &[String]) -> Result<System, String> {
    let count = |text: &String| match text.parse() {
        Ok(n @ 1..) => Ok(n),
        _ => Err(format!("expected a number from 1 on, found '{text}'")),
    };
    match arguments {
        [kind] if kind == "none" => Ok(System::Unlimited),
        [kind, main] if kind == "absolute" => Ok(System::Absolute(seconds(main)?)),
        [kind, main, period, n] if kind == "byoyomi" => Ok(System::Periods {
            main: seconds(main)?,
            period: seconds(period)?,
            periods: count(n)?,
        }),
        [kind, main, period, n] if kind == "canadian" => Ok(System::Canadian {
            main: seconds(main)?,
            period: seconds(period)?,
            stones: count(n)?,
        }),
        _ => Err("expected 'none', 'absolute M', 'byoyomi M T P' or 'canadian M T S'".into()),
    }
}

/// Seconds, perhaps with a fraction. The bound keeps sums from overflowing.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() => Ok(Duration::from_secs_f64(s.clamp(0.0, 1e8))),
        _ => Err(format!("expected a time in seconds, found '{text}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn settings(text: &str) -> Result<System, String> {
        time_settings(&text.split(' ').map(String::from).collect::<Vec<_>>())
    }

    fn time(system: System) -> Time {
        let mut time = Time::default();
        time.set(system);
        time
    }

    #[test]
    fn the_three_kinds_of_time_settings_are_told_apart() {
        assert_eq!(settings("0 1 0"), Ok(System::Unlimited));
        assert_eq!(settings("60 0 0"), Ok(System::Absolute(60 * SECOND)));
        let canadian = System::Canadian { main: SECOND, period: 2 * SECOND, stones: 3 };
        assert_eq!(settings("1 2 3"), Ok(canadian));
        assert!(settings("1 2").is_err() && settings("x 2 3").is_err());
        assert!(settings("1e400 0 0").is_err());
    }

    #[test]
    fn unlimited_time_is_no_limit() {
        assert!(!time(System::Unlimited).limits().is_bounded());
    }

    #[test]
    fn absolute_time_runs_down() {
        let mut time = time(System::Absolute(60 * SECOND));
        time.spend(Side::First, 20 * SECOND);
        let clock = time.limits().clock.unwrap();
        assert_eq!(clock.remaining, [40 * SECOND, 60 * SECOND]);
        time.spend(Side::First, 50 * SECOND);
        assert_eq!(time.limits().clock.unwrap().remaining[0], Duration::ZERO);
    }

    #[test]
    fn canadian_periods_are_won_again_by_their_stones() {
        let mut time = time(System::Canadian { main: SECOND, period: 30 * SECOND, stones: 2 });
        let clock = time.limits().clock.unwrap();
        assert_eq!((clock.increment[0], clock.moves_to_go), (15 * SECOND, None));
        time.spend(Side::First, 2 * SECOND);
        let clock = time.limits().clock.unwrap();
        assert_eq!((clock.remaining[0], clock.moves_to_go), (30 * SECOND, Some(2)));
        time.spend(Side::First, 10 * SECOND);
        assert_eq!(time.limits().clock.unwrap().moves_to_go, Some(1));
        time.spend(Side::First, 10 * SECOND);
        let clock = time.limits().clock.unwrap();
        assert_eq!((clock.remaining[0], clock.moves_to_go), (30 * SECOND, Some(2)));
    }

    #[test]
    fn a_move_in_a_period_may_use_all_of_it() {
        let time = time(System::Periods { main: Duration::ZERO, period: 5 * SECOND, periods: 3 });
        let limits = time.limits();
        let (aim, most) = limits.time_for(Side::First, 100).unwrap();
        assert!(aim <= 5 * SECOND && most <= 5 * SECOND && aim > 4 * SECOND);
    }

    #[test]
    fn the_controller_knows_the_time_better() {
        let mut time = Time::default();
        time.tell(Side::Second, 7 * SECOND, 0);
        assert_eq!(time.limits().clock.unwrap().remaining[1], 7 * SECOND);
    }
}
