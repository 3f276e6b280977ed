//! Is there time for one more search?

use super::Wish;
use std::time::{Duration, Instant};
use zug_core::StopFlag;

/// A reserve for the way from the last look at the clock to the answer.
const RESERVE: Duration = Duration::from_millis(1);
/// Who watches the clock for a search that only knows a flag looks this often.
const WATCH: Duration = Duration::from_millis(2);

/// The clock of one thought.
pub(super) struct Clock<'a> {
    began: Instant,
    aim: Option<Duration>,
    most: Option<Duration>,
    stop: &'a StopFlag,
}

impl<'a> Clock<'a> {
    /// Starts now.
    pub fn start(wish: &Wish, stop: &'a StopFlag) -> Clock<'a> {
        let most = wish.most.map(|most| most.saturating_sub(RESERVE));
        // What may be used up is used up, unless told otherwise.
        let aim = match (wish.aim, most) {
            (Some(aim), Some(most)) => Some(aim.min(most)),
            (aim, _) => aim,
        };
        Clock { began: Instant::now(), aim, most, stop }
    }

    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    pub fn stop(&self) -> &'a StopFlag {
        self.stop
    }

    /// When the time is up.
    pub fn deadline(&self) -> Option<Instant> {
        // A time so long that no clock shows it is no limit.
        self.most.and_then(|most| self.began.checked_add(most))
    }

    /// Is the time up, or was the thought stopped?
    pub fn is_over(&self) -> bool {
        self.stop.is_set() || self.most.is_some_and(|most| self.elapsed() >= most)
    }

    /// Is there an aim that asks to save time?
    pub fn saves(&self) -> bool {
        self.aim.is_some()
    }

    /// What is left of the time that may be planned with.
    pub fn left(&self) -> Option<Duration> {
        let all = self.aim.or(self.most)?;
        Some(all.saturating_sub(self.elapsed()))
    }

    /// Should a search be begun that will take so long? `unsure`: the last ones did not agree, which
    /// is worth twice the time.
    pub fn allows(&self, expected: Duration, unsure: bool) -> bool {
        if self.is_over() {
            return false;
        }
        let Some(aim) = self.aim else { return true };
        let plan = if unsure { aim * 2 } else { aim };
        self.elapsed() + expected <= plan
    }

    /// Runs a search that knows only a flag; the flag is set when the time is up.
    pub fn watched<T>(&self, run: impl FnOnce(&StopFlag) -> T) -> T {
        let Some(deadline) = self.deadline() else { return run(self.stop) };
        let (flag, done) = (StopFlag::new(), StopFlag::new());
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                while !done.is_set() {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() || self.stop.is_set() {
                        flag.set();
                        return;
                    }
                    std::thread::park_timeout(left.min(WATCH));
                }
            });
            let found = run(&flag);
            done.set();
            watcher.thread().unpark();
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(aim: Option<u64>, most: Option<u64>) -> Wish {
        let time = |ms: Option<u64>| ms.map(Duration::from_millis);
        Wish { aim: time(aim), most: time(most), ..Wish::default() }
    }

    #[test]
    fn without_an_aim_every_search_is_begun_and_with_one_those_that_fit() {
        let stop = StopFlag::new();
        let hour = Duration::from_secs(3600);
        assert!(Clock::start(&wish(None, None), &stop).allows(hour, false));
        assert!(Clock::start(&wish(None, Some(60_000)), &stop).allows(hour, false));
        let clock = Clock::start(&wish(Some(60_000), Some(600_000)), &stop);
        assert!(!clock.allows(hour, true));
        assert!(clock.allows(Duration::from_secs(90), true));
        assert!(!clock.allows(Duration::from_secs(90), false));
        stop.set();
        assert!(!clock.allows(Duration::ZERO, false) && clock.is_over());
    }

    #[test]
    fn the_flag_of_a_watched_search_is_set_when_the_time_is_up_or_the_thought_stopped() {
        let stop = StopFlag::new();
        let wait = |flag: &StopFlag| {
            while !flag.is_set() {
                std::thread::yield_now();
            }
            7
        };
        assert_eq!(Clock::start(&wish(None, Some(5)), &stop).watched(wait), 7);
        assert_eq!(Clock::start(&wish(None, Some(3_600_000)), &stop).watched(|_| 8), 8);
        stop.set();
        assert_eq!(Clock::start(&wish(None, Some(3_600_000)), &stop).watched(wait), 7);
        assert_eq!(Clock::start(&wish(None, None), &stop).watched(wait), 7);
        let forever = Wish { most: Some(Duration::MAX), ..Wish::default() };
        assert!(Clock::start(&forever, &stop).deadline().is_none());
    }
}
