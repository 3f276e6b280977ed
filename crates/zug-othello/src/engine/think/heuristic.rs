//! Which move is best, looking so many plies ahead?
//!
//! Deeper and deeper, while there is time. More threads search the same position at other depths
//! and with other orders (lazy SMP): what they find is in the table when the first thread comes to
//! ask.

use super::super::mid::Mid;
use super::super::{Confidence, Evaluation};
use super::root::{Ended, Root};
use super::{Phase, Telling, Thinker, Wish, end};
use crate::solve::level::{Machine, at_level};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::thread::Builder;
use std::time::{Duration, Instant};
use zug_core::StopFlag;

/// A search to the end is begun when it is expected to visit at most so many times the positions of
/// the next deeper heuristic search: these cost much more each.
const CHEAPER: f64 = 6.0;
/// At least this deep before a search to the end, unless half of the empty squares are fewer.
const PREPARED: u32 = 10;
/// With a clock and one move there is not much to think about.
const FORCED: u32 = 6;

/// Searches to the depth of the wish, or until it is time to search to the end. Is everything known
/// that was asked for?
pub(super) fn search<E: Evaluation>(
    thinker: &mut Thinker<E>,
    root: &mut Root<E::State>,
    wish: &Wish,
    telling: &mut Telling<'_>,
) -> bool {
    let thinker = &*thinker;
    let clock = telling.clock;
    let confidence = match thinker.cuts {
        Some(_) => thinker.settings.confidence,
        None => Confidence::FULL,
    };
    let total = AtomicU64::new(0);
    let helpers_stop = StopFlag::new();
    let reached = AtomicU32::new(0);
    let new_mid = |stop| {
        let cuts = thinker.cuts.as_deref();
        let mut mid = Mid::new(&*thinker.evaluation, &thinker.table, cuts, confidence, stop);
        mid.total = Some(&total);
        mid.most_nodes = wish.nodes.unwrap_or(u64::MAX);
        mid
    };
    // The first look at the moves is made before anyone can stop it.
    telling.thought.depth = 1;
    telling.thought.lines = root.found(&thinker.table, 1, Confidence::FULL, false);
    telling.tell();
    std::thread::scope(|scope| {
        // Also after a panic, which must not leave the helpers searching.
        let _end = SetOnDrop(&helpers_stop);
        let mut helpers_called = false;
        let mut mid = new_mid(clock.stop());
        mid.deadline = clock.deadline();
        let mut times = Times::default();
        let mut depth = 1;
        loop {
            if let Some(all_known) = leave(thinker, root, wish, telling, &times, depth) {
                break all_known;
            }
            depth += 1;
            reached.store(depth, Relaxed);
            // Everyone is called when the search is worth the call.
            if !helpers_called && times.last_nodes > 20_000 {
                helpers_called = true;
                for number in 1..thinker.settings.threads {
                    let (root, mid) = (root.clone(), new_mid(&helpers_stop));
                    let reached = &reached;
                    let helper = move || help(mid, root, reached, number);
                    // Where the machine refuses more threads, those that there are do the work.
                    if Builder::new().spawn_scoped(scope, helper).is_err() {
                        break;
                    }
                }
            }
            let to_the_end = depth >= root.board.empties();
            let confidence = if to_the_end { Confidence::FULL } else { confidence };
            mid.confidence = confidence;
            let (began, before, best) = (Instant::now(), total_of(&mid, &total), root.moves[0].mv);
            let table = &thinker.table;
            let ended = at_level!(Machine::detected(), level => {
                root.search(level, &mut mid, depth, |root, mid| {
                    note(telling, root, table, depth, confidence, to_the_end);
                    telling.thought.nodes = total_of(mid, &total);
                    telling.tell();
                })
            });
            telling.thought.nodes = total_of(&mid, &total);
            if ended == Ended::Stopped {
                break true;
            }
            note(telling, root, table, depth, confidence, to_the_end);
            telling.thought.hash_full = Some(table.full());
            telling.tell();
            let nodes = telling.thought.nodes - before;
            times.add(began.elapsed(), nodes, root.moves[0].mv != best);
            if to_the_end {
                break true;
            }
        }
    })
}

/// Sets a flag when dropped.
struct SetOnDrop<'a>(&'a StopFlag);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Everybody's positions.
fn total_of<E: Evaluation>(mid: &Mid<'_, E>, total: &AtomicU64) -> u64 {
    total.load(Relaxed) + mid.unreported()
}

/// Puts what the moves are worth into the thought.
fn note<S: Clone>(
    telling: &mut Telling<'_>,
    root: &Root<S>,
    table: &super::MidTable,
    depth: u32,
    confidence: Confidence,
    to_the_end: bool,
) {
    let thought = &mut telling.thought;
    thought.phase = if to_the_end { Phase::Maximisation } else { Phase::Heuristic };
    (thought.depth, thought.confidence) = (depth, confidence);
    thought.lines = root.found(table, depth, confidence, to_the_end);
}

/// Is there to be no deeper heuristic search? Then, is everything known that was asked for?
fn leave<E: Evaluation>(
    thinker: &Thinker<E>,
    root: &Root<E::State>,
    wish: &Wish,
    telling: &Telling<'_>,
    times: &Times,
    depth: u32,
) -> Option<bool> {
    let clock = telling.clock;
    let empties = root.board.empties();
    let wanted = wish.depth.unwrap_or(60);
    if clock.is_over() || wish.nodes.is_some_and(|most| telling.thought.nodes >= most) {
        return Some(true);
    }
    // A search to the end cannot count its positions in time to keep a limit; the heuristic one,
    // looking as far, can.
    let may_solve = wish.nodes.is_none() && (wanted >= empties || empties <= wish.exact_from);
    if depth >= wanted && !may_solve {
        return Some(true);
    }
    if clock.saves() && root.moves.len() == 1 && depth >= FORCED {
        return Some(true);
    }
    if may_solve {
        if depth + 1 >= empties || depth >= wanted {
            return Some(false);
        }
        let plan = end::first_plan(thinker, root, clock);
        let cheap = thinker.costs.nodes(plan) <= CHEAPER * times.next_nodes();
        let fits = clock.left().is_none_or(|left| thinker.costs.time(plan) <= left.mul_f32(0.7));
        if cheap && fits && depth >= PREPARED.min(empties / 2) {
            return Some(false);
        }
    }
    (!clock.allows(times.next_time(), times.changed)).then_some(true)
}

/// What the last searches cost.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    last: Duration,
    last_nodes: u64,
    before: Duration,
    before_nodes: u64,
    /// The last one changed the best move.
    changed: bool,
}

impl Times {
    fn add(&mut self, time: Duration, nodes: u64, changed: bool) {
        (self.before, self.before_nodes) = (self.last, self.last_nodes);
        (self.last, self.last_nodes, self.changed) = (time, nodes, changed);
    }

    /// How much more the next search will cost.
    fn growth(&self) -> f64 {
        // Odd and even depths differ; neither too good nor too bad a relation is believed.
        (self.last_nodes as f64 / self.before_nodes.max(1) as f64).clamp(1.5, 3.0)
    }

    fn next_nodes(&self) -> f64 {
        self.last_nodes as f64 * self.growth()
    }

    fn next_time(&self) -> Duration {
        self.last.mul_f64(self.growth())
    }
}

/// Another thread: searches the same moves, as deep as the first thread or a ply deeper, until told
/// to stop.
fn help<E: Evaluation>(
    mut mid: Mid<'_, E>,
    mut root: Root<E::State>,
    reached: &AtomicU32,
    number: usize,
) {
    let deepest = root.board.empties().saturating_sub(1);
    root.lines = 1;
    let mut depth = 0;
    while depth < deepest && !mid.stopped {
        // What the first thread has done is not done again.
        depth = (depth + 1).max(reached.load(Relaxed) + number as u32 % 2).min(deepest);
        at_level!(Machine::detected(), level => root.search(level, &mut mid, depth, |_, _| {}));
    }
}
