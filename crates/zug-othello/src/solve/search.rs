//! What is a position in the last third of the game worth?
//!
//! Null windows ask only whether a position is worth more than a bound. Up to [`SHALLOW`] empty
//! squares functions without table answer them, then [`deep`], which knows the table and orders moves
//! by what the squares tell, and from [`Search::high_from`] on `high`, where nodes are few enough for
//! an evaluation, for cuts and for sharing the work.

use super::crew::{Crew, Split};
use super::level::Level;
use super::order::Candidates;
use super::shallow::{SHALLOW, any};
use super::stable;
use super::table::{Finding, NO_SQUARE, Table, key};
use crate::Board;
use crate::bits::Squares;
use crate::engine::mid::Mid;
use crate::engine::{Confidence, Evaluation, ProbCut};
use std::sync::Arc;
use zug_core::StopFlag;

/// From so many empty squares on, the table is asked about the positions after each move before one
/// of them is searched.
const LOOK_AHEAD: u32 = 11;
/// Positions with fewer empty squares are not kept.
const TABLE: u32 = SHALLOW + 1;
/// Up to so many empty squares, positions are kept in a small table that stays in the caches: looking
/// into it must be cheaper than searching again.
pub(super) const NEAR: u32 = 10;
/// [`deep`] searches positions with fewer empty squares than this.
pub(super) const DEEP: usize = 16;
/// How many positions are visited between two looks at the flag.
const PATIENCE: u64 = 1 << 14;

/// One search of one thread: what it uses, and what it has done so far.
pub(crate) struct Search<'a, E: Evaluation> {
    /// Tables for positions with up to [`NEAR`] empty squares and for those with more.
    pub(super) tables: Option<[&'a Table; 2]>,
    pub guide: &'a E,
    /// From so many empty squares on, `high` searches.
    pub high_from: u32,
    /// Is there a guide that orders moves?
    pub guided: bool,
    /// Searches of limited depth that ask for cuts.
    pub mid: Option<Mid<'a, E>>,
    /// What may be left out; nothing without.
    pub cuts: Option<&'a ProbCut>,
    /// How certain it must be.
    pub confidence: Confidence,
    /// How often something uncertain was believed.
    pub doubts: u64,
    pub stop: &'a StopFlag,
    /// Threads that help.
    pub(super) crew: Option<&'a Crew>,
    /// The node whose moves this thread shares with others.
    pub(super) split: Option<Arc<Split>>,
    pub nodes: u64,
    /// No more than about so many.
    pub most_nodes: u64,
    pub look_at_flag: u64,
    pub stopped: bool,
}

impl<'a, E: Evaluation> Search<'a, E> {
    /// Exact, alone and without tables.
    pub(super) fn new(guide: &'a E, stop: &'a StopFlag) -> Search<'a, E> {
        Search {
            tables: None,
            guide,
            high_from: DEEP as u32,
            guided: false,
            mid: None,
            cuts: None,
            confidence: Confidence::FULL,
            doubts: 0,
            stop,
            crew: None,
            split: None,
            nodes: 0,
            most_nodes: u64::MAX,
            look_at_flag: 0,
            stopped: false,
        }
    }

    /// The table for positions with so many empty squares.
    #[inline(always)]
    pub(super) fn table(&self, empties: u32) -> Option<&'a Table> {
        self.tables.filter(|_| empties >= TABLE).map(|tables| tables[usize::from(empties > NEAR)])
    }

    /// Looks at the flag now and then. When this is true, scores mean nothing any more.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.look_at_flag {
            self.look_around();
        }
        self.stopped
    }

    #[cold]
    pub(super) fn look_around(&mut self) {
        self.look_at_flag = self.nodes + PATIENCE;
        self.stopped = self.stop.is_set()
            || self.nodes >= self.most_nodes
            || self.split.as_ref().is_some_and(|s| s.is_settled());
    }
}

/// A score and the move that it was found with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub score: i32,
    pub best: u8,
}

impl Found {
    /// Worse than everything.
    pub const NOTHING: Found = Found { score: -65, best: NO_SQUARE };
}

/// The score in the null window at `alpha`.
#[inline(always)]
pub(super) fn null<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    moves: Squares,
    state: &E::State,
    alpha: i32,
) -> i32 {
    let empties = board.empties();
    if empties >= search.high_from {
        level.high(search, board, moves, state, alpha)
    } else {
        low(level, search, board, moves, alpha)
    }
}

/// The score in the null window at `alpha`, with fewer empty squares than `high` is made for.
#[inline(always)]
fn low<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    moves: Squares,
    alpha: i32,
) -> i32 {
    let empties = board.empties();
    if empties > SHALLOW {
        level.deep(search, board, moves, alpha)
    } else if empties > 5 {
        level.few(&mut search.nodes, board, moves, alpha)
    } else if empties == 5 {
        level.five(&mut search.nodes, board, moves, alpha)
    } else {
        any(level, &mut search.nodes, board, alpha)
    }
}

/// The score of a position with more than [`SHALLOW`] empty squares, in the null window at `alpha`.
#[inline(always)]
pub(super) fn deep<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    moves: Squares,
    alpha: i32,
) -> i32 {
    if search.must_stop() {
        return alpha;
    }
    let empty = board.empty();
    let empties = empty.count_ones();
    if let Some(bound) = stable::cut(board, empties, alpha) {
        return bound;
    }
    let before = search.nodes;
    let key = key(board);
    let table = search.table(empties);
    let known = table.and_then(|table| table.probe(board, key));
    if let Some(known) = known {
        if known.lower > alpha {
            return known.lower;
        }
        if known.upper <= alpha {
            return known.upper;
        }
    }
    if moves == 0 {
        let replies = level.moves(board.other, board.own, empty);
        if replies == 0 {
            return board.final_score();
        }
        return -level.deep(search, board.passed(), replies, -alpha - 1);
    }
    let mut candidates = Candidates::<DEEP>::new();
    candidates.find(level, board, moves);
    if let Some(cut) = cut_ahead(search, &candidates, empties, alpha) {
        return cut;
    }
    let best = known.map_or([NO_SQUARE; 2], |known| known.best);
    candidates.weigh(empty, best, |_, _| 0);
    let mut found = Found::NOTHING;
    while let Some((_, candidate)) = candidates.next() {
        search.nodes += 1;
        let score = -low(level, search, candidate.board, candidate.replies, -alpha - 1);
        if search.stopped {
            return alpha;
        }
        if score > found.score {
            found = Found { score, best: candidate.square };
            if score > alpha {
                break;
            }
        }
    }
    if let Some(table) = table {
        // Nothing is ever left out here.
        let finding = Finding {
            alpha,
            beta: alpha + 1,
            score: found.score,
            best: found.best,
            confidence: Confidence::FULL,
            nodes: search.nodes - before,
        };
        table.store(board, key, finding);
    }
    found.score
}

/// A bound above `alpha` that follows from what the table knows about the positions after each
/// move (enhanced transposition cut-off), or from a move that takes every disc.
#[inline(always)]
pub(super) fn cut_ahead<const N: usize, E: Evaluation>(
    search: &mut Search<'_, E>,
    candidates: &Candidates<N>,
    empties: u32,
    alpha: i32,
) -> Option<i32> {
    for candidate in candidates.all() {
        if candidate.board.own == 0 {
            return Some(64);
        }
    }
    let table = search.table(empties - 1).filter(|_| empties >= LOOK_AHEAD)?;
    for candidate in candidates.all() {
        table.prefetch(key(candidate.board));
    }
    for candidate in candidates.all() {
        if let Some(known) = table.probe(candidate.board, key(candidate.board))
            && -known.upper > alpha
            && known.confidence >= search.confidence
        {
            search.doubts += u64::from(known.confidence != Confidence::FULL);
            return Some(-known.upper);
        }
    }
    None
}
