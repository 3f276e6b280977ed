//! What is a position worth, looking so many plies ahead?
//!
//! The depth-limited search of one thread. [`principal`] finds the value in a window, [`null`] only
//! on which side of a bound it lies, which is nearly all that a search asks. Values are those of the
//! evaluation; a finished game counts by its discs, see [`final_value`].
//!
//! Passes take no depth. So the number of empty squares less the depth is the same everywhere in a
//! search, and either every leaf is the end of the game or only those are where neither side can
//! move.
//!
//! | file | question |
//! |---|---|
//! | `search` | which move first, which not at all? |
//! | `leaf` | what are positions at and just before the horizon worth? |
//! | `cut` | may this search be left out? |
//! | `order` | which move is the most promising? |
//! | `table` | what is known from before? |

mod cut;
mod leaf;
mod order;
mod search;
mod table;
#[cfg(test)]
pub(crate) mod tests;

pub use crate::buckets::NoMemory;
pub(crate) use leaf::{one_ply, two_plies};
pub(crate) use search::{null, principal, visit};
pub(crate) use table::{Known, MidTable, NO_SQUARE};

use super::{Confidence, Evaluation, ProbCut, Unit};
use crate::bits::Squares;
use crate::{Board, Move};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use zug_core::StopFlag;

/// Larger than any value.
pub(crate) const INFINITE: i32 = 1 << 30;
/// With a unit other than discs, won games count this much, and more by the margin.
const WON: i32 = 10_000_000;
/// So many positions are visited between two looks at the flag and the clock.
const PATIENCE: u64 = 1 << 11;

/// One search: what it uses, and what it has done so far.
pub(crate) struct Mid<'a, E: Evaluation> {
    pub evaluation: &'a E,
    /// Shared with other threads.
    pub table: &'a MidTable,
    /// What may be left out; nothing without.
    pub cuts: Option<&'a ProbCut>,
    /// How certain it must be.
    pub confidence: Confidence,
    pub stop: &'a StopFlag,
    /// Not to be passed.
    pub deadline: Option<Instant>,
    /// Counts the positions of all threads.
    pub total: Option<&'a AtomicU64>,
    /// So many positions may be visited, by all threads that count together.
    pub most_nodes: u64,
    /// What a deeper search found answers a question that asks for less depth.
    pub trust_deeper: bool,
    /// Positions visited so far.
    pub nodes: u64,
    /// The search was stopped: its values mean nothing.
    pub stopped: bool,
    unit: Unit,
    /// When to look at the flag again.
    look: u64,
    /// Positions that are in the total.
    reported: u64,
    /// Shallow searches that ask for a cut, one inside the other.
    asking: u32,
    /// The fewest discs of a position at the horizon.
    #[cfg(test)]
    shallowest: u32,
    /// Inside a search that only orders moves.
    #[cfg(test)]
    ordering: bool,
}

impl<'a, E: Evaluation> Mid<'a, E> {
    /// A search without limits but the flag.
    pub fn new(
        evaluation: &'a E,
        table: &'a MidTable,
        cuts: Option<&'a ProbCut>,
        confidence: Confidence,
        stop: &'a StopFlag,
    ) -> Mid<'a, E> {
        let unit = evaluation.unit();
        Mid {
            evaluation,
            table,
            // Numbers in another unit mean nothing here.
            cuts: cuts.filter(|cuts| cuts.unit() == unit),
            confidence,
            stop,
            deadline: None,
            total: None,
            most_nodes: u64::MAX,
            trust_deeper: true,
            nodes: 0,
            stopped: false,
            unit,
            look: 0,
            reported: 0,
            asking: 0,
            #[cfg(test)]
            shallowest: 64,
            #[cfg(test)]
            ordering: false,
        }
    }

    /// Looks at the flag and the clock now and then.
    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        if self.nodes >= self.look {
            self.look_around();
        }
        self.stopped
    }

    #[cold]
    fn look_around(&mut self) {
        let all = match self.total {
            None => self.nodes,
            Some(total) => {
                let new = self.unreported();
                self.reported = self.nodes;
                total.fetch_add(new, Relaxed) + new
            }
        };
        let left = self.most_nodes.saturating_sub(all);
        self.look = self.nodes + PATIENCE.min(left);
        self.stopped |= self.stop.is_set()
            || left == 0
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    }

    /// Positions visited that are not in the total yet.
    pub fn unreported(&self) -> u64 {
        self.nodes - self.reported
    }

    /// How certain what is stored is.
    #[inline(always)]
    fn certainty(&self) -> Confidence {
        if self.cuts.is_some() { self.confidence } else { Confidence::FULL }
    }

    /// Does what is known answer a question about `depth` plies?
    #[inline(always)]
    fn answers(&self, known: &Known, depth: u32) -> bool {
        let deep = u32::from(known.depth);
        (deep == depth || deep > depth && self.trust_deeper) && known.confidence >= self.certainty()
    }

    #[inline(always)]
    fn final_value(&self, score: i32) -> i32 {
        final_value(self.unit, score)
    }
}

/// A final disc difference in the unit of an evaluation.
#[inline(always)]
pub(crate) fn final_value(unit: Unit, score: i32) -> i32 {
    match unit {
        Unit::Discs => 100 * score,
        Unit::LogOdds => score.signum() * WON + 1000 * score,
    }
}

/// The largest disc difference that is not worth more than `alpha`; -65 if none is.
#[inline(always)]
fn discs_up_to(unit: Unit, alpha: i32) -> i32 {
    let discs = match unit {
        Unit::Discs => alpha.div_euclid(100),
        Unit::LogOdds if alpha >= WON + 1000 => (alpha - WON) / 1000,
        Unit::LogOdds if alpha >= 0 => 0,
        Unit::LogOdds if alpha >= -WON - 1000 => -1,
        Unit::LogOdds => (alpha + WON).div_euclid(1000),
    };
    discs.clamp(-65, 64)
}

/// The disc difference that is worth this much, if one is.
pub(crate) fn discs_of(unit: Unit, value: i32) -> i32 {
    discs_up_to(unit, value)
}

/// What a table knows about a position.
pub(crate) fn known(table: &MidTable, board: Board) -> Option<Known> {
    table.probe(board, table::key(board))
}

/// Adds what both sides will probably play, as far as the table knows, for so many plies.
pub(crate) fn line(table: &MidTable, mut board: Board, plies: u32, line: &mut Vec<Move>) {
    let mut plies = plies;
    while plies > 0 {
        let moves = board.moves();
        if moves == 0 {
            if board.replies() == 0 {
                return;
            }
            line.push(Move::PASS);
            board = board.passed();
            continue;
        }
        let best = known(table, board).map_or(NO_SQUARE, |known| known.best[0]);
        let Some(mv) = Move::to_square(best.into()).filter(|_| moves >> (best & 63) & 1 == 1)
        else {
            return;
        };
        line.push(mv);
        board = board.after_move(mv);
        plies -= 1;
    }
}

/// Where the state of a board comes from. It is costly, and many a position is settled without it.
pub(crate) enum Source<'s, S> {
    /// It is there.
    Known(&'s S),
    /// From the state before a move to a square that turned over these discs.
    Move(&'s S, u32, Squares),
    /// From the state before a pass.
    Pass(&'s S),
}

impl<S: Clone> Source<'_, S> {
    /// The state.
    #[inline(always)]
    fn state<E: Evaluation<State = S>>(&self, evaluation: &E) -> S {
        match *self {
            Source::Known(state) => state.clone(),
            Source::Move(before, square, flips) => evaluation.played(before, square, flips),
            Source::Pass(before) => evaluation.passed(before),
        }
    }
}

/// A move and where it leads.
#[derive(Clone, Copy)]
struct Candidate {
    board: Board,
    square: u8,
}

impl Candidate {
    /// Where the state after the move comes from.
    #[inline(always)]
    fn source<'s, S>(&self, before: Board, state: &'s S) -> Source<'s, S> {
        Source::Move(state, u32::from(self.square), before.other ^ self.board.own)
    }
}
