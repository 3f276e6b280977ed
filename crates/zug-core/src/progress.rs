//! How does long work tell how far it is, and how is it asked to stop?
//!
//! Work takes a [`Progress`] to report to and a [`StopFlag`] to look at. The conventions:
//!
//! * a worker looks at the flag at least a few times a second, between units of work;
//! * when it is set, the worker finishes or drops the unit at hand, saves what can be resumed, and
//!   returns normally with what it has;
//! * the command line sets the flag at the first Ctrl-C and ends the process at the second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A wish to stop, shared by whoever may have it and whoever must heed it.
///
/// ```
/// use zug_core::StopFlag;
/// let stop = StopFlag::new();
/// let worker = stop.clone();
/// assert!(!worker.is_set());
/// stop.set();
/// assert!(worker.is_set());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// Asks everyone who shares the flag to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Should I stop?
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The bare flag, as a [`Watch`](crate::Watch) wants it.
    #[must_use]
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl From<Arc<AtomicBool>> for StopFlag {
    fn from(flag: Arc<AtomicBool>) -> StopFlag {
        StopFlag(flag)
    }
}

/// Hears how far a piece of work is. Methods take `&self`, since several threads may report.
pub trait Progress: Send + Sync {
    /// How many units there are in all; `None` when nobody knows.
    fn set_length(&self, units: Option<u64>);
    /// So many more units are done.
    fn advance(&self, units: u64);
    /// Another piece of work begins, of so many units: they are counted from 0 again.
    fn begin(&self, units: Option<u64>) {
        self.set_length(units);
    }
    /// What is being done now, in a few words.
    fn message(&self, text: &str);
    /// The work has ended; nothing follows.
    fn finish(&self);
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn message(&self, _: &str) {}
    fn finish(&self) {}
}

/// Counts the units and tells whoever asks: for summaries and for tests.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// Units done so far.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Progress for Counter {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, units: u64) {
        self.0.fetch_add(units, Ordering::Relaxed);
    }
    fn message(&self, _: &str) {}
    fn finish(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_set_on_one_thread_stops_the_others_and_a_counter_counts_for_all() {
        let (stop, counter) = (StopFlag::new(), Counter::default());
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        counter.advance(2);
                    }
                    while !stop.is_set() {
                        std::thread::yield_now();
                    }
                });
            }
            StopFlag::from(stop.shared()).set();
        });
        assert_eq!(counter.done(), 600);
    }
}
