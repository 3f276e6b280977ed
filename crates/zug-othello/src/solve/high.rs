//! What is a position with many empty squares worth, and which move is best?
//!
//! Here nodes are few and each costs much, so more is spent on each: an evaluation orders the moves,
//! after looking some plies ahead where that pays; a search that may leave things out asks whether
//! this node can be; and other threads are invited to search some of the moves.
//!
//! [`principal`] is the principal variation search: the first move is searched with the whole window,
//! the others with a null window that asks only whether they are better.

use super::crew;
use super::glance::glance;
use super::level::Level;
use super::order::{Candidates, MOST};
use super::search::{Found, Search, cut_ahead, null};
use super::shallow::SHALLOW;
use super::stable;
use super::table::{Finding, Known, NO_SQUARE, key};
use crate::Board;
use crate::bits::Squares;
use crate::engine::mid::{self, INFINITE};
use crate::engine::{Confidence, Evaluation, hundredths_of_discs};
use arrayvec::ArrayVec;

/// From so many empty squares on, the evaluation orders moves.
const ORDER_FROM: u32 = 14;
/// Up to so many empty squares it does without looking ahead, and then looks one ply further with
/// every few more.
const GLANCE_FROM: i32 = 14;
const GLANCE_STEP: i32 = 3;
const GLANCE_MOST: u32 = 4;
/// And so many plies further on the principal variation.
const GLANCE_PRINCIPAL: u32 = 1;
/// A move that is worth so many hundredths of a disc less than another need not be valued exactly.
const HOPELESS: i32 = 800;
/// What a disc is worth, by the depth of the look; a reply less is worth 1 << 15.
const DISC: [i32; 4] = [1 << 13, 1 << 14, 1 << 14, 1 << 15];
/// How many deviations an evaluation may be short of a bound for a shallow search to be made.
const PLAUSIBLE: f32 = 1.0;
/// From so many empty squares on, a node may be left out.
const CUT_FROM: u32 = 12;
/// From so many empty squares on, other threads are invited.
const SHARE_FROM: u32 = 14;

/// The states after the moves of a node.
type States<S> = ArrayVec<S, MOST>;

/// The score in the null window at `alpha`.
#[inline(always)]
pub(super) fn high<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    moves: Squares,
    state: &E::State,
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
    let (before, doubts) = (search.nodes, search.doubts);
    let key = key(board);
    let table = search.table(empties);
    let known = table.and_then(|table| table.probe(board, key));
    if let Some(known) = known.filter(|known| known.confidence >= search.confidence) {
        let bound = if known.lower > alpha { known.lower } else { known.upper };
        if known.lower > alpha || known.upper <= alpha {
            search.doubts += u64::from(known.confidence != Confidence::FULL);
            return bound;
        }
    }
    if moves == 0 {
        let replies = level.moves(board.other, board.own, empty);
        if replies == 0 {
            return board.final_score();
        }
        let state = search.guide.passed(state);
        return -level.high(search, board.passed(), replies, &state, -alpha - 1);
    }
    let mut candidates = Candidates::<MOST>::new();
    candidates.find(level, board, moves);
    if let Some(cut) = cut_ahead(search, &candidates, empties, alpha) {
        return cut;
    }
    if let Some(bound) = leave_out(level, search, board, state, alpha) {
        search.doubts += 1;
        return bound;
    }
    if search.stopped {
        return alpha;
    }
    let best = known_moves(search, board, key, known);
    let mut found = Found::NOTHING;
    // A move that is known often refutes, and the others need not be weighed.
    if let Some(candidate) = candidates.take(best[0]) {
        let flips = board.other ^ candidate.board.own;
        let state = search.guide.played(state, candidate.square.into(), flips);
        search.nodes += 1;
        let score = -null(level, search, candidate.board, candidate.replies, &state, -alpha - 1);
        if search.stopped {
            return alpha;
        }
        found = Found { score, best: candidate.square };
        if score > alpha {
            store(search, board, key, (alpha, alpha + 1), found, (before, doubts));
            return score;
        }
    }
    let mut states = States::new();
    order(level, search, &mut candidates, &mut states, board, state, (best, 0));
    while let Some((place, candidate)) = candidates.next() {
        if found.best != NO_SQUARE
            && empties >= SHARE_FROM
            && candidates.left() > 0
            && let Some(crew) = search.crew.filter(|crew| crew.is_waiting())
        {
            let mut tasks = vec![candidate];
            tasks.extend(std::iter::from_fn(|| candidates.next()).map(|(_, c)| c));
            found = crew::share(level, search, crew, tasks, alpha, found);
            break;
        }
        search.nodes += 1;
        let score =
            -null(level, search, candidate.board, candidate.replies, &states[place], -alpha - 1);
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
    if search.stopped {
        return alpha;
    }
    store(search, board, key, (alpha, alpha + 1), found, (before, doubts));
    found.score
}

/// Keeps what was found, as certain as it is.
#[inline(always)]
fn store<E: Evaluation>(
    search: &Search<'_, E>,
    board: Board,
    key: u64,
    (alpha, beta): (i32, i32),
    Found { score, best }: Found,
    (before, doubts): (u64, u64),
) {
    if let Some(table) = search.table(board.empties()).filter(|_| board.empties() > SHALLOW) {
        let certain = search.doubts == doubts;
        let confidence = if certain { Confidence::FULL } else { search.confidence };
        let nodes = search.nodes - before;
        table.store(board, key, Finding { alpha, beta, score, best, confidence, nodes });
    }
}

/// A bound that a shallow search makes certain enough.
#[inline(always)]
fn leave_out<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    alpha: i32,
) -> Option<i32> {
    let confidence = search.confidence;
    let empties = board.empties();
    if confidence == Confidence::FULL || empties < CUT_FROM {
        return None;
    }
    let unit = search.guide.unit();
    let cuts = search.cuts.filter(|cuts| cuts.unit() == unit)?;
    let mid = search.mid.as_mut()?;
    let largest = hundredths_of_discs(unit, 6400);
    let at = |discs: i32| hundredths_of_discs(unit, 100 * discs);
    let here = search.guide.value(board, state);
    let before = mid.nodes;
    let mut bound = None;
    for pair in cuts.endgame(empties) {
        let depth = u32::from(pair.shallow);
        let short = (PLAUSIBLE * pair.sigma) as i32;
        let enough = pair.enough(at(alpha + 1), confidence);
        if enough <= largest
            && here >= enough.saturating_sub(short)
            && mid::null(level, mid, board, state, depth, enough - 1) >= enough
        {
            bound = Some(alpha + 1);
            break;
        }
        let too_little = pair.too_little(at(alpha), confidence);
        if too_little >= -largest
            && here <= too_little.saturating_add(short)
            && mid::null(level, mid, board, state, depth, too_little) <= too_little
        {
            bound = Some(alpha);
            break;
        }
    }
    search.nodes += mid.nodes - before;
    if mid.stopped {
        search.stopped = true;
        return None;
    }
    // Scores are even.
    bound.map(|bound| if bound > alpha { (alpha + 2) & !1 } else { alpha & !1 })
}

/// The moves that a table knows, the best first: that of this search, or else that of the searches of
/// limited depth.
#[inline(always)]
fn known_moves<E: Evaluation>(
    search: &Search<'_, E>,
    board: Board,
    key: u64,
    known: Option<Known>,
) -> [u8; 2] {
    let best = known.map_or([NO_SQUARE; 2], |known| known.best);
    if best[0] != NO_SQUARE {
        return best;
    }
    let known = search.mid.as_ref().and_then(|mid| mid.table.probe(board, key));
    known.map_or(best, |known| known.best)
}

/// Weighs the moves, and tells the states that they lead to.
#[inline(always)]
fn order<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    candidates: &mut Candidates<MOST>,
    states: &mut States<E::State>,
    board: Board,
    state: &E::State,
    (best, more): ([u8; 2], u32),
) {
    for next in candidates.all() {
        states.push(search.guide.played(state, next.square.into(), board.other ^ next.board.own));
    }
    let empties = board.empties();
    if !search.guided || empties < ORDER_FROM {
        candidates.weigh(board.empty(), best, |_, _| 0);
        return;
    }
    let depth =
        (((empties as i32 - GLANCE_FROM).max(0) / GLANCE_STEP) as u32 + more).min(GLANCE_MOST);
    let mut least = -INFINITE;
    candidates.weigh(board.empty(), best, |place, candidate| {
        // The opponent's view, and what makes a move hopeless needs no exact value.
        let value =
            -glance(level, search, candidate.board, &states[place], depth, -INFINITE, -least);
        least = least.max(value - HOPELESS);
        let value = value.clamp(-6400, 6400);
        value * DISC[depth.min(3) as usize] / 100
    });
}

/// The score in the window from `alpha` to `beta`, and the best move.
pub(super) fn principal<L: Level, E: Evaluation>(
    level: L,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    (alpha, beta): (i32, i32),
) -> Found {
    let none = |score| Found { score, best: NO_SQUARE };
    if search.must_stop() {
        return none(alpha);
    }
    let (before, doubts) = (search.nodes, search.doubts);
    let moves = board.moves();
    if moves == 0 {
        if board.replies() == 0 {
            return none(board.final_score());
        }
        let state = search.guide.passed(state);
        let found = principal(level, search, board.passed(), &state, (-beta, -alpha));
        return none(-found.score);
    }
    let empties = board.empties();
    let key = key(board);
    let table = search.table(empties).filter(|_| empties > SHALLOW);
    let known = table.and_then(|table| table.probe(board, key));
    if let Some(known) =
        known.filter(|known| known.best[0] != NO_SQUARE && known.confidence >= search.confidence)
    {
        let best = known.best[0];
        let doubt = u64::from(known.confidence != Confidence::FULL);
        if known.lower >= beta || known.lower == known.upper {
            search.doubts += doubt;
            return Found { score: known.lower, best };
        }
        if known.upper <= alpha {
            search.doubts += doubt;
            return Found { score: known.upper, best };
        }
    }
    let mut candidates = Candidates::<MOST>::new();
    candidates.find(level, board, moves);
    let best = known_moves(search, board, key, known);
    let mut states = States::new();
    order(level, search, &mut candidates, &mut states, board, state, (best, GLANCE_PRINCIPAL));
    let mut found = Found::NOTHING;
    while let Some((place, candidate)) = candidates.next() {
        search.nodes += 1;
        let (next, state) = (candidate.board, &states[place]);
        let from = alpha.max(found.score);
        let mut score = from + 1;
        if found.best != NO_SQUARE {
            score = -null(level, search, next, candidate.replies, state, -from - 1);
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
    store(search, board, key, (alpha, beta), found, (before, doubts));
    found
}
