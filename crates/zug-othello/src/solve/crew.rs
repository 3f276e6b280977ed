//! How do several threads search one tree?
//!
//! Young brothers wait: the first move of a node is searched by one thread. If it does not refute, the
//! others are offered to threads that have nothing to do. A node whose moves are shared is a
//! [`Split`]; whoever takes part takes the next move that nobody has taken, until none is left or one
//! refutes. The thread that offered it stays until all have left it, and meanwhile helps below.
//!
//! All threads use the same tables. Nothing is locked where nodes are searched; the lock of the crew
//! is held only to offer, join and leave.

use super::level::Level;
use super::order::Candidate;
use super::search::{Found, Search, null};
use crate::engine::Evaluation;
use std::io;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// A node whose moves are shared.
pub(super) struct Split {
    /// The one that this is below of.
    above: Option<Arc<Split>>,
    alpha: i32,
    tasks: Vec<Candidate>,
    /// The first task that nobody has taken.
    next: AtomicUsize,
    found: Mutex<Found>,
    /// A move refutes: the others need not be searched.
    refuted: AtomicBool,
    /// Helpers that take part, changed under the lock of the crew.
    helpers: AtomicUsize,
    /// What the helpers have done.
    nodes: AtomicU64,
    doubts: AtomicU64,
}

impl Split {
    /// Is its result known, or that of one above?
    pub fn is_settled(&self) -> bool {
        self.refuted.load(Relaxed) || self.above.as_ref().is_some_and(|above| above.is_settled())
    }

    /// Is it this one or below it?
    fn is_below(&self, other: &Arc<Split>) -> bool {
        std::ptr::eq(self, Arc::as_ptr(other))
            || self.above.as_ref().is_some_and(|above| above.is_below(other))
    }

    fn has_tasks(&self) -> bool {
        self.next.load(Relaxed) < self.tasks.len() && !self.is_settled()
    }
}

/// The threads that wait for something to do.
#[derive(Default)]
pub(super) struct Crew {
    offers: Mutex<Offers>,
    changed: Condvar,
    waiting: AtomicUsize,
}

#[derive(Default)]
struct Offers {
    list: Vec<Arc<Split>>,
    is_over: bool,
}

impl Crew {
    fn lock(&self) -> MutexGuard<'_, Offers> {
        self.offers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a thread nothing to do?
    #[inline(always)]
    pub fn is_waiting(&self) -> bool {
        self.waiting.load(Relaxed) > 0
    }

    /// Runs `lead` while up to so many other threads run `help`. Where the machine refuses one, the
    /// work is done by those that there are. `builder` tells how each is begun.
    pub fn lead<R>(
        &self,
        helpers: usize,
        builder: impl Fn(usize) -> io::Result<Builder>,
        help: impl Fn() + Sync,
        lead: impl FnOnce() -> R,
    ) -> R {
        std::thread::scope(|scope| {
            // First of all: whatever panics below must not leave the others waiting.
            let _end = Dismissal(self);
            for number in 0..helpers {
                let begun = builder(number).and_then(|b| b.spawn_scoped(scope, &help));
                if begun.is_err() {
                    break;
                }
            }
            lead()
        })
    }

    /// The oldest offer that has tasks and fits, joined; waits for one until `enough`.
    fn join(
        &self,
        fits: impl Fn(&Split) -> bool,
        enough: impl Fn(&Offers) -> bool,
    ) -> Option<Arc<Split>> {
        let mut offers = self.lock();
        self.waiting.fetch_add(1, Relaxed);
        let joined = loop {
            if enough(&offers) {
                break None;
            }
            let fit = offers.list.iter().find(|split| split.has_tasks() && fits(split));
            if let Some(split) = fit {
                split.helpers.fetch_add(1, AcqRel);
                break Some(Arc::clone(split));
            }
            offers = self.changed.wait(offers).unwrap_or_else(PoisonError::into_inner);
        };
        self.waiting.fetch_sub(1, Relaxed);
        joined
    }
}

/// Sends all helpers home when dropped.
struct Dismissal<'a>(&'a Crew);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.changed.notify_all();
    }
}

/// Takes part in a split that was joined, and leaves it when dropped.
struct Part<'a>(&'a Crew, &'a Split);

impl Drop for Part<'_> {
    fn drop(&mut self) {
        let _offers = self.0.lock();
        self.1.helpers.fetch_sub(1, AcqRel);
        self.0.changed.notify_all();
    }
}

/// Searches the tasks of a node in the null window at `alpha` together with whoever comes; `found` is
/// what earlier moves gave.
pub(super) fn share<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    crew: &Crew,
    tasks: Vec<Candidate>,
    alpha: i32,
    found: Found,
) -> Found {
    let split = Arc::new(Split {
        above: search.split.clone(),
        alpha,
        tasks,
        next: AtomicUsize::new(0),
        found: Mutex::new(found),
        refuted: AtomicBool::new(false),
        helpers: AtomicUsize::new(0),
        nodes: AtomicU64::new(0),
        doubts: AtomicU64::new(0),
    });
    crew.lock().list.push(Arc::clone(&split));
    crew.changed.notify_all();
    search.split = Some(Arc::clone(&split));
    work(level, search, &split);
    crew.lock().list.retain(|other| !Arc::ptr_eq(other, &split));
    // Nobody joins any more. What the last helpers still search may be shared in turn.
    let all_left = |_: &Offers| split.helpers.load(Acquire) == 0;
    while let Some(below) = crew.join(|other| other.is_below(&split), all_left) {
        let _part = Part(crew, &below);
        search.split = Some(Arc::clone(&below));
        search.look_around();
        let doubts = search.doubts;
        work(level, search, &below);
        below.doubts.fetch_add(search.doubts - doubts, AcqRel);
    }
    search.split.clone_from(&split.above);
    // It may have been this node alone that was settled.
    search.look_around();
    search.nodes += split.nodes.load(Acquire);
    search.doubts += split.doubts.load(Acquire);
    *split.found.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes tasks of a node until none is left.
fn work<L: Level, E: Evaluation>(level: L, search: &mut Search<'_, E>, split: &Split) {
    while !search.stopped && !split.is_settled() {
        let Some(task) = split.tasks.get(split.next.fetch_add(1, Relaxed)) else { return };
        search.nodes += 1;
        let state = search.guide.state(task.board);
        let score = -null(level, search, task.board, task.replies, &state, -split.alpha - 1);
        if search.stopped {
            return;
        }
        let mut found = split.found.lock().unwrap_or_else(PoisonError::into_inner);
        if score > found.score {
            *found = Found { score, best: task.square };
            if score > split.alpha {
                split.refuted.store(true, Release);
            }
        }
    }
}

/// Helps until dismissed.
pub(super) fn help<L: Level, E: Evaluation>(level: L, search: &mut Search<'_, E>, crew: &Crew) {
    while let Some(split) = crew.join(|_| true, |offers| offers.is_over) {
        let _part = Part(crew, &split);
        search.split = Some(Arc::clone(&split));
        (search.nodes, search.doubts) = (0, 0);
        search.look_around();
        work(level, search, &split);
        split.nodes.fetch_add(search.nodes, AcqRel);
        split.doubts.fetch_add(search.doubts, AcqRel);
        search.split = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Waits as a helper does that has nothing to do.
    fn wait(crew: &Crew, came: &AtomicUsize) {
        came.fetch_add(1, AcqRel);
        while crew.join(|_| true, |offers| offers.is_over).is_some() {}
    }

    #[test]
    fn threads_that_cannot_begin_are_done_without() {
        let (crew, came) = (Crew::default(), AtomicUsize::new(0));
        let builder = |number| match number {
            0 | 1 => Ok(Builder::new()),
            _ => Err(io::ErrorKind::WouldBlock.into()),
        };
        assert_eq!(crew.lead(64, builder, || wait(&crew, &came), || 7), 7);
        assert_eq!(came.load(Acquire), 2);
    }

    #[test]
    fn helpers_go_home_when_the_first_thread_panics() {
        for in_lead in [true, false] {
            let (crew, came) = (Crew::default(), AtomicUsize::new(0));
            let builder = |number| {
                assert!(in_lead || number == 0, "a fault while threads begin");
                Ok(Builder::new())
            };
            let lead = || assert!(!in_lead, "a fault of the first thread");
            let run = || crew.lead(2, builder, || wait(&crew, &came), lead);
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
            assert!(came.load(Acquire) > 0);
        }
    }
}
