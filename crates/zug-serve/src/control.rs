//! How is a search on another thread stopped, held back and hurried?

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The reins of one search. The thread that reads holds them; the thread that thinks looks at them.
pub(crate) struct Control {
    /// What the player watches.
    pub(crate) stop: Arc<AtomicBool>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// May the answer be given as soon as it is known?
    released: bool,
    /// Has the answer been given?
    answered: bool,
}

impl Control {
    /// For a search whose answer is `held` until it is released or stopped.
    pub(crate) fn new(held: bool) -> Arc<Control> {
        Arc::new(Control {
            stop: Arc::default(),
            state: Mutex::new(State { released: !held, answered: false }),
            changed: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the search; its answer follows at once.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.release();
    }

    /// Has it been told to stop?
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Lets the answer be given when it is known.
    pub(crate) fn release(&self) {
        self.lock().released = true;
        self.changed.notify_all();
    }

    /// Waits until the answer may be given, and marks it as given: what comes after it, from either
    /// side, finds this search at its end.
    pub(crate) fn answer(&self) {
        let mut state = self.lock();
        while !state.released {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.answered = true;
        self.changed.notify_all();
    }

    /// Will the thread end in a moment, whatever anybody says? (A search that has found what it
    /// looked for may still wait for its release.)
    pub(crate) fn ends_soon(&self) -> bool {
        let state = self.lock();
        state.answered || state.released && self.is_stopped()
    }

    /// Stops the search when this much time has passed and it still goes on.
    pub(crate) fn stop_after(&self, time: Duration) {
        let end = Instant::now() + time;
        let mut state = self.lock();
        while !state.answered && !self.is_stopped() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(state);
                return self.stop();
            }
            state =
                self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_held_waits_for_its_release() {
        let control = Control::new(true);
        std::thread::scope(|scope| {
            let other = Arc::clone(&control);
            let thinking = scope.spawn(move || other.answer());
            assert!(!control.ends_soon());
            control.release();
            thinking.join().unwrap();
        });
        assert!(control.ends_soon());
        assert!(!control.is_stopped());
    }

    #[test]
    fn a_search_that_stops_by_itself_still_waits_for_its_release() {
        let control = Control::new(true);
        control.stop.store(true, Ordering::Relaxed);
        assert!(!control.ends_soon());
        control.release();
        assert!(control.ends_soon());
    }

    #[test]
    fn a_deadline_stops_a_search_but_not_one_that_has_answered() {
        let late = Control::new(true);
        late.stop_after(Duration::from_millis(1));
        assert!(late.is_stopped());
        let done = Control::new(false);
        done.answer();
        done.stop_after(Duration::from_secs(3600));
        assert!(!done.is_stopped());
    }
}
