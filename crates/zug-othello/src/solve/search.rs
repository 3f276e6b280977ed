//! What is a position worth, and which move is best?
//!
//! Principal variation search: the first move is searched with the whole window, the others with a
//! null window that asks only whether they are better. Null windows go to [`deep`], which knows the
//! table, and from [`SHALLOW`] empty squares on to functions that do without.

use super::level::Level;
use super::order::{Candidate, Candidates};
use super::shallow::{SHALLOW, any};
use super::stable;
use super::table::{Known, NO_SQUARE, Table, key};
use crate::Board;
use crate::engine::Evaluation;
use zug_core::StopFlag;

/// From so many empty squares on, the table is asked about the positions after each move before one
/// of them is searched.
const LOOK_AHEAD: u32 = 11;
/// Positions with fewer empty squares are not kept.
const TABLE: u32 = 6;
/// Up to so many empty squares, positions are kept in a small table that stays in the caches: looking
/// into it must be cheaper than searching again.
pub(super) const NEAR: u32 = 9;
/// How many positions are visited between two looks at the flag.
const PATIENCE: u64 = 1 << 14;

/// One search: what it uses, and what it has done so far.
pub(crate) struct Search<'a, E> {
    /// Tables for positions with up to [`NEAR`] empty squares and for those with more.
    pub tables: Option<[&'a Table; 2]>,
    pub guide: &'a E,
    /// From so many empty squares on, the guide orders the moves.
    pub guide_from: u32,
    pub stop: &'a StopFlag,
    pub nodes: u64,
    pub look_at_flag: u64,
    pub stopped: bool,
}

impl<'a, E> Search<'a, E> {
    /// The table for positions with so many empty squares.
    #[inline(always)]
    fn table(&self, empties: u32) -> Option<&'a Table> {
        self.tables.filter(|_| empties >= TABLE).map(|tables| tables[usize::from(empties > NEAR)])
    }

    /// Looks at the flag now and then. When this is true, scores mean nothing any more.
    #[inline(always)]
    fn must_stop(&mut self) -> bool {
        if self.nodes >= self.look_at_flag {
            self.look_at_flag = self.nodes + PATIENCE;
            self.stopped |= self.stop.is_set();
        }
        self.stopped
    }
}

/// A score and the move that it was found with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub score: i32,
    pub best: u8,
}

/// The score in the null window at `alpha`.
#[inline(always)]
pub(super) fn null<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    state: Option<&E::State>,
    alpha: i32,
) -> i32 {
    if board.empties() <= SHALLOW {
        any(level, &mut search.nodes, board, alpha)
    } else {
        level.deep(search, board, state, alpha)
    }
}

/// The score of a position with more than [`SHALLOW`] empty squares, in the null window at `alpha`.
#[inline(always)]
pub(super) fn deep<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    state: Option<&E::State>,
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
    let moves = level.moves(board.own, board.other, empty);
    if moves == 0 {
        if level.moves(board.other, board.own, empty) == 0 {
            return board.final_score();
        }
        let state = state.map(|state| search.guide.passed(state));
        return -level.deep(search, board.passed(), state.as_ref(), -alpha - 1);
    }
    let mut candidates = Candidates::new();
    candidates.find(level, board, moves);
    let bounds = (alpha, alpha + 1);
    if let Some(cut) = cut_ahead(search, &candidates, empties, bounds) {
        return cut;
    }
    order(level, search, &mut candidates, board, state, known);
    let mut found = Found { score: -65, best: NO_SQUARE };
    while let Some(candidate) = candidates.next() {
        search.nodes += 1;
        let state = state_after(search, state, board, &candidate);
        let score = -null(level, search, candidate.board, state.as_ref(), -alpha - 1);
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
        let cost = search.nodes - before;
        table.store((board, key), bounds, found.score, found.best, cost);
    }
    found.score
}

/// A bound above the window that follows from what the table knows about the positions after each
/// move (enhanced transposition cut-off), or from a move that takes every disc.
#[inline(always)]
fn cut_ahead<E>(
    search: &Search<'_, E>,
    candidates: &Candidates,
    empties: u32,
    (_, beta): (i32, i32),
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
    let mut best = None;
    for candidate in candidates.all() {
        if let Some(known) = table.probe(candidate.board, key(candidate.board))
            && -known.upper >= beta
        {
            best = best.max(Some(-known.upper));
        }
    }
    best
}

/// Weighs the moves.
#[inline(always)]
fn order<L: Level, E: Evaluation>(
    level: L,
    search: &Search<'_, E>,
    candidates: &mut Candidates,
    board: Board,
    state: Option<&E::State>,
    known: Option<Known>,
) {
    candidates.weigh(level, board.empty(), known, |candidate| {
        let Some(state) = state else { return 0 };
        let flips = board.other ^ candidate.board.own;
        let next = search.guide.played(state, candidate.square.into(), flips);
        // A value of one disc is worth a quarter of a reply less.
        -search.guide.value(candidate.board, &next).clamp(-6400, 6400) * (1 << 13) / 100
    });
}

/// The state after a move, as long as the guide is asked.
#[inline(always)]
fn state_after<E: Evaluation>(
    search: &Search<'_, E>,
    state: Option<&E::State>,
    board: Board,
    candidate: &Candidate,
) -> Option<E::State> {
    let state = state.filter(|_| candidate.board.empties() >= search.guide_from)?;
    let flips = board.other ^ candidate.board.own;
    Some(search.guide.played(state, candidate.square.into(), flips))
}

/// The score in the window from `alpha` to `beta`, and the best move.
pub(super) fn principal<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    state: Option<&E::State>,
    (alpha, beta): (i32, i32),
) -> Found {
    let none = |score| Found { score, best: NO_SQUARE };
    if search.must_stop() {
        return none(alpha);
    }
    let empty = board.empty();
    let empties = empty.count_ones();
    let before = search.nodes;
    let moves = board.moves();
    if moves == 0 {
        if board.replies() == 0 {
            return none(board.final_score());
        }
        let state = state.map(|state| search.guide.passed(state));
        let found = principal(level, search, board.passed(), state.as_ref(), (-beta, -alpha));
        return none(-found.score);
    }
    let key = key(board);
    let table = search.table(empties).filter(|_| empties > SHALLOW);
    let known = table.and_then(|table| table.probe(board, key));
    if let Some(known) = known.filter(|known| known.best[0] != NO_SQUARE) {
        let best = known.best[0];
        if known.lower >= beta || known.lower == known.upper {
            return Found { score: known.lower, best };
        }
        if known.upper <= alpha {
            return Found { score: known.upper, best };
        }
    }
    let mut candidates = Candidates::new();
    candidates.find(level, board, moves);
    order(level, search, &mut candidates, board, state, known);
    let mut found = none(-65);
    while let Some(candidate) = candidates.next() {
        search.nodes += 1;
        let state = state_after(search, state, board, &candidate);
        let (next, state) = (candidate.board, state.as_ref());
        let from = alpha.max(found.score);
        let mut score = from + 1;
        if found.best != NO_SQUARE {
            score = -null(level, search, next, state, -from - 1);
        }
        if score > from && (score < beta || found.best == NO_SQUARE) && !search.stopped {
            score = -principal(level, search, next, state, (-beta, -from)).score;
        }
        if search.stopped {
            return none(alpha);
        }
        if score > found.score {
            found = Found { score, best: candidate.square };
            if score >= beta {
                break;
            }
        }
    }
    if let Some(table) = table {
        let cost = search.nodes - before;
        table.store((board, key), (alpha, beta), found.score, found.best, cost);
    }
    found
}
