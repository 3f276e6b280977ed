//! Which move is best, and which need not be looked at?
//!
//! Principal variation search: the first move is searched with the whole window, the others with a
//! null window that asks only whether they are better. [`visit`] answers null windows.

use super::order::Candidates;
use super::table::{Finding, key};
use super::{INFINITE, Known, Mid, NO_SQUARE, Source, cut, discs_up_to, leaf};
use crate::Board;
use crate::engine::Evaluation;
use crate::solve::level::Level;

/// From this depth on the table is asked about the positions after each move before one of them is
/// searched.
const LOOK_AHEAD: u32 = 4;
/// From this depth on moves are ordered by the evaluation of where they lead.
const EVALUATED: u32 = 5;
/// Where the search goes to the end, so many empty squares are solved without table and evaluation.
const SOLVED: u32 = 5;

/// The value in the null window at `alpha`, looking `depth` plies ahead; not above `alpha`: it is at
/// most this, above: at least. Means nothing when the search was stopped.
#[inline(always)]
pub(crate) fn null<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    state: &E::State,
    depth: u32,
    alpha: i32,
) -> i32 {
    let depth = depth.min(board.empties());
    level.mid_visit(mid, board, Source::Known(state), depth, alpha)
}

/// See [`null`]; the depth is not larger than the number of empty squares.
#[inline(always)]
pub(crate) fn visit<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    source: Source<'_, E::State>,
    depth: u32,
    alpha: i32,
) -> i32 {
    let empty = board.empty();
    let empties = empty.count_ones();
    if empties <= depth && empties <= SOLVED {
        let bound = discs_up_to(mid.unit, alpha);
        let score = level.end(&mut mid.nodes, board, bound);
        return mid.final_value(score);
    }
    match depth {
        0 => return leaf::horizon(level, mid, board, &source),
        1 => return level.mid_one(mid, board, source, alpha),
        2 => return level.mid_two(mid, board, source, alpha),
        _ => {}
    }
    if mid.must_stop() {
        return alpha;
    }
    let key = key(board);
    let known = mid.table.probe(board, key);
    if let Some(known) = known.filter(|known| mid.answers(known, depth)) {
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
            return mid.final_value(board.final_score());
        }
        let state = source.state(mid.evaluation);
        return -level.mid_visit(mid, board.passed(), Source::Pass(&state), depth, -alpha - 1);
    }
    let mut candidates = Candidates::new();
    candidates.find(level, board, moves);
    if depth >= LOOK_AHEAD
        && let Some(bound) = look_ahead(mid, &candidates, depth - 1, alpha)
    {
        return bound;
    }
    let state = source.state(mid.evaluation);
    if let Some(bound) = cut::unnecessary(level, mid, board, (&state, moves), depth, alpha) {
        return bound;
    }
    if mid.stopped {
        return alpha;
    }
    // What was asked for a cut may have left a good move behind.
    let known = known.or_else(|| mid.table.probe(board, key));
    order(level, mid, &mut candidates, board, &state, depth, known);
    let (mut value, mut best) = (-INFINITE, NO_SQUARE);
    while let Some(candidate) = candidates.next() {
        mid.nodes += 1;
        let source = candidate.source(board, &state);
        let found = -level.mid_visit(mid, candidate.board, source, depth - 1, -alpha - 1);
        if mid.stopped {
            return alpha;
        }
        if found > value {
            (value, best) = (found, candidate.square);
            if found > alpha {
                break;
            }
        }
    }
    let confidence = mid.certainty();
    let finding = Finding { alpha, beta: alpha + 1, value, depth, confidence, best };
    mid.table.store(board, key, finding);
    value
}

/// A bound above `alpha` that follows from what the table knows about the positions after each move
/// (enhanced transposition cut-off).
#[inline(always)]
fn look_ahead<E: Evaluation>(
    mid: &Mid<'_, E>,
    candidates: &Candidates,
    depth: u32,
    alpha: i32,
) -> Option<i32> {
    for candidate in candidates.all() {
        mid.table.prefetch(key(candidate.board));
    }
    for candidate in candidates.all() {
        if let Some(known) = mid.table.probe(candidate.board, key(candidate.board))
            && -known.upper > alpha
            && mid.answers(&known, depth)
        {
            return Some(-known.upper);
        }
    }
    None
}

/// Weighs the moves.
#[inline(always)]
fn order<L: Level, E: Evaluation>(
    level: L,
    mid: &Mid<'_, E>,
    candidates: &mut Candidates,
    board: Board,
    state: &E::State,
    depth: u32,
    known: Option<Known>,
) {
    let best = known.map_or([NO_SQUARE; 2], |known| known.best);
    if depth < EVALUATED {
        candidates.weigh(level, best, |_, _| 0);
    } else {
        let evaluation = mid.evaluation;
        candidates.weigh(level, best, |candidate, replies| {
            let Board { own: opponent, other: mine } = candidate.board;
            let moves = level.moves(mine, opponent, candidate.board.empty());
            if replies == 0 && moves == 0 {
                return 0;
            }
            let next = candidate.source(board, state).state(evaluation);
            -evaluation.value_knowing(candidate.board, &next, replies, moves).clamp(-6400, 6400)
        });
    }
}

/// The value in the window from `alpha` to `beta`, looking `depth` plies ahead. Means nothing when
/// the search was stopped.
pub(crate) fn principal<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    state: &E::State,
    depth: u32,
    (alpha, beta): (i32, i32),
) -> i32 {
    let depth = depth.min(board.empties());
    if mid.must_stop() {
        return alpha;
    }
    let moves = board.moves();
    if moves == 0 {
        if board.replies() == 0 {
            return mid.final_value(board.final_score());
        }
        let passed = mid.evaluation.passed(state);
        return -principal(level, mid, board.passed(), &passed, depth, (-beta, -alpha));
    }
    if depth == 0 {
        return leaf::horizon(level, mid, board, &Source::Known(state));
    }
    let key = key(board);
    let known = mid.table.probe(board, key);
    if let Some(known) = known.filter(|k| k.best[0] != NO_SQUARE && mid.answers(k, depth)) {
        if known.lower >= beta || known.lower == known.upper {
            return known.lower;
        }
        if known.upper <= alpha {
            return known.upper;
        }
    }
    let mut candidates = Candidates::new();
    candidates.find(level, board, moves);
    order(level, mid, &mut candidates, board, state, depth.max(EVALUATED), known);
    let (mut value, mut best) = (-INFINITE, NO_SQUARE);
    while let Some(candidate) = candidates.next() {
        mid.nodes += 1;
        let next = candidate.source(board, state).state(mid.evaluation);
        let from = alpha.max(value);
        let mut found = from + 1;
        if best != NO_SQUARE {
            found = -null(level, mid, candidate.board, &next, depth - 1, -from - 1);
        }
        if found > from && (found < beta || best == NO_SQUARE) && !mid.stopped {
            found = -principal(level, mid, candidate.board, &next, depth - 1, (-beta, -from));
        }
        if mid.stopped {
            return alpha;
        }
        if found > value {
            (value, best) = (found, candidate.square);
            if found >= beta {
                break;
            }
        }
    }
    let confidence = mid.certainty();
    mid.table.store(board, key, Finding { alpha, beta, value, depth, confidence, best });
    value
}
