//! Which move is best, looking to the end of the game?
//!
//! The phases after the heuristic one: won, drawn or lost, selective and then exact; then the most
//! discs, more and more certain and exact in the end. A move that is proven to win or draw is only
//! exchanged for another one that is proven to do so too.

use super::super::{Confidence, Evaluation};
use super::clock::Clock;
use super::costs::Plan;
use super::root::Root;
use super::{LineFound, Phase, Telling, Thinker, Value};
use crate::solve::Solved;
use crate::{Board, Move};
use std::time::{Duration, Instant};

/// Deviations of the selective search for the outcome.
const DECISION: f32 = 1.5;
/// Deviations of the selective searches for the score.
const SCORES: [f32; 2] = [1.5, 2.6];
/// An exact score that is expected to visit at most so many positions is searched for at once.
const AT_ONCE: f64 = 4e6;
/// Or one that takes at most this share of the time that is left.
const SHARE: f32 = 0.05;

fn confidence(deviations: f32) -> Confidence {
    Confidence::deviations(deviations).unwrap_or(Confidence::FULL)
}

/// The search to the end that would be made first.
pub(super) fn first_plan<E: Evaluation>(
    thinker: &Thinker<E>,
    root: &Root<E::State>,
    clock: &Clock<'_>,
) -> Plan {
    let exact = Plan {
        empties: root.board.empties(),
        outcome: false,
        confidence: Confidence::FULL,
        prepared: false,
    };
    if is_at_once(thinker, exact, clock) {
        return exact;
    }
    let deviations = if thinker.has_cuts() { DECISION } else { f32::INFINITY };
    Plan { outcome: root.is_plain(), confidence: confidence(deviations), ..exact }
}

fn is_at_once<E: Evaluation>(thinker: &Thinker<E>, exact: Plan, clock: &Clock<'_>) -> bool {
    let fits = |left: Duration| thinker.costs.time(exact) <= left.mul_f32(SHARE);
    thinker.costs.nodes(exact) <= AT_ONCE || clock.left().is_some_and(fits)
}

impl<S> Root<S> {
    /// One best move of all is asked for.
    fn is_plain(&self) -> bool {
        self.lines == 1 && self.free
    }
}

/// Searches to the end, phase after phase, while there is time.
pub(super) fn search<E: Evaluation>(
    thinker: &mut Thinker<E>,
    root: &mut Root<E::State>,
    telling: &mut Telling<'_>,
) {
    // A search that was stopped adds nothing to what was told before.
    let _ = if root.is_plain() {
        one_move(thinker, root, telling)
    } else {
        several_moves(thinker, root, telling)
    };
}

/// What is proven about the position.
struct Proven {
    lower: i32,
    upper: i32,
    best: Option<Move>,
}

/// The phases for one best move.
fn one_move<E: Evaluation>(
    thinker: &mut Thinker<E>,
    root: &Root<E::State>,
    telling: &mut Telling<'_>,
) -> Option<()> {
    let board = root.board;
    let empties = board.empties();
    let full = Confidence::FULL;
    let mut exact = Plan { empties, outcome: false, confidence: full, prepared: false };
    let mut proven = Proven { lower: -64, upper: 64, best: None };
    let mut expected = None;
    if !is_at_once(thinker, exact, telling.clock) {
        exact.prepared = true;
        if thinker.has_cuts() {
            let plan = Plan { outcome: true, confidence: confidence(DECISION), ..exact };
            let solved = thinker.pass(board, (-1, 1), plan, telling)?;
            tell(telling, Phase::SelectiveDecision, plan, (-1, 1), &solved);
        }
        let plan = Plan { outcome: true, ..exact };
        let solved = thinker.pass(board, (-1, 1), plan, telling)?;
        tell(telling, Phase::ExactDecision, plan, (-1, 1), &solved);
        match solved.score {
            0 => return Some(()),
            won if won > 0 => (proven.lower, proven.best) = (won, solved.best),
            lost => proven.upper = lost,
        }
        if thinker.has_cuts() {
            for deviations in SCORES {
                let plan = Plan { confidence: confidence(deviations), ..exact };
                let window = (proven.lower.max(-63) - 1, proven.upper.min(63) + 1);
                let solved = thinker.pass(board, window, plan, telling)?;
                expected = Some(solved.score);
                if is_safe(thinker, board, &solved, &proven, telling)? {
                    tell(telling, Phase::Maximisation, plan, window, &solved);
                }
            }
        }
    }
    // A narrow window around what is expected is cheap, and mostly enough.
    let widest = (proven.lower.max(-63) - 1, proven.upper.min(63) + 1);
    let mut window = expected.map_or(widest, |score| around(score, widest));
    loop {
        let solved = thinker.pass(board, window, exact, telling)?;
        if solved.score <= window.0 && window.0 > widest.0 {
            window = (widest.0, solved.score + 1);
        } else if solved.score >= window.1 && window.1 < widest.1 {
            window = (solved.score - 1, widest.1);
        } else {
            tell(telling, Phase::Maximisation, exact, (-65, 65), &solved);
            return Some(());
        }
    }
}

/// A narrow window around a score, inside a wide one.
fn around(score: i32, (lowest, highest): (i32, i32)) -> (i32, i32) {
    let low = (score - 2).clamp(lowest, highest - 1);
    (low, (score + 2).clamp(low + 1, highest))
}

/// Does the move of a selective search keep what is proven?
fn is_safe<E: Evaluation>(
    thinker: &mut Thinker<E>,
    board: Board,
    solved: &Solved,
    proven: &Proven,
    telling: &mut Telling<'_>,
) -> Option<bool> {
    let Some(square) = solved.best.and_then(Move::square) else { return Some(false) };
    if proven.best.is_none() || solved.best == proven.best {
        return Some(true);
    }
    let next = board.after(square);
    let plan = Plan {
        empties: next.empties(),
        outcome: true,
        confidence: Confidence::FULL,
        prepared: true,
    };
    let reply = thinker.pass(next, (-1, 0), plan, telling)?;
    Some(reply.score < 0)
}

/// Puts what a search of the whole position found into the thought, and tells it.
fn tell(
    telling: &mut Telling<'_>,
    phase: Phase,
    plan: Plan,
    (alpha, beta): (i32, i32),
    solved: &Solved,
) {
    let value = value_of(solved.score, alpha, beta);
    let thought = &mut telling.thought;
    (thought.phase, thought.confidence) = (phase, plan.confidence);
    thought.depth = plan.empties;
    let Some(found) = thought.lines.first_mut() else { return };
    (found.value, found.confidence) = (value, plan.confidence);
    // When every move loses, the one that the heuristic search likes is as good as any.
    if let Some(best) = solved.best.filter(|_| solved.score > alpha) {
        if best != found.mv || solved.line.len() > 1 {
            found.line.clone_from(&solved.line);
        }
        found.mv = best;
    }
    telling.tell();
}

/// What a score means that was found in a window.
fn value_of(score: i32, alpha: i32, beta: i32) -> Value {
    if score <= alpha {
        Value::AtMost(score)
    } else if score >= beta {
        Value::AtLeast(score)
    } else {
        Value::Exact(score)
    }
}

/// The scores of several moves, or of some only: selective, then exact.
fn several_moves<E: Evaluation>(
    thinker: &mut Thinker<E>,
    root: &mut Root<E::State>,
    telling: &mut Telling<'_>,
) -> Option<()> {
    let empties = root.board.empties();
    let mut exact = Plan { empties, outcome: false, confidence: Confidence::FULL, prepared: false };
    if thinker.has_cuts() && !is_at_once(thinker, exact, telling.clock) {
        exact.prepared = true;
        let plan = Plan { confidence: confidence(SCORES[0]), ..exact };
        each_move(thinker, root, plan, telling)?;
    }
    each_move(thinker, root, exact, telling)
}

/// The scores of the best moves at one confidence.
fn each_move<E: Evaluation>(
    thinker: &mut Thinker<E>,
    root: &mut Root<E::State>,
    plan: Plan,
    telling: &mut Telling<'_>,
) -> Option<()> {
    let mut found: Vec<LineFound> = Vec::new();
    for mv in &root.moves {
        let next = mv.board;
        // Only whether the move is among the best is asked of those that come later.
        let least = if found.len() < root.lines { -65 } else { worth(found.last()?) };
        let plan = Plan { empties: next.empties(), ..plan };
        let mut score = least + 1;
        if least >= -64 {
            score = -thinker.pass(next, (-least - 1, -least), plan, telling)?.score;
        }
        if score <= least {
            continue;
        }
        let solved = thinker.pass(next, (-65, -least), plan, telling)?;
        let mut line = vec![mv.mv];
        line.extend(&solved.line);
        let value = Value::Exact(-solved.score);
        let confidence = plan.confidence;
        found.push(LineFound { mv: mv.mv, value, confidence, line });
        // The order of the heuristic search decides between equal ones.
        found.sort_by_key(|line| -worth(line));
        found.truncate(root.lines);
    }
    let order = |mv: Move| found.iter().position(|line| line.mv == mv).unwrap_or(usize::MAX);
    root.moves.sort_by_key(|mv| order(mv.mv));
    let thought = &mut telling.thought;
    (thought.phase, thought.confidence) = (Phase::Maximisation, plan.confidence);
    thought.depth = plan.empties;
    thought.lines = found;
    telling.tell();
    Some(())
}

fn worth(line: &LineFound) -> i32 {
    line.value.hundredths() / 100
}

impl<E: Evaluation> Thinker<E> {
    fn has_cuts(&self) -> bool {
        let unit = self.evaluation.unit();
        self.settings.confidence != Confidence::FULL
            && self.cuts.as_ref().is_some_and(|cuts| cuts.unit() == unit)
    }

    /// One search to the end. None when it was stopped, or when it should not be begun.
    fn pass(
        &mut self,
        board: Board,
        (alpha, beta): (i32, i32),
        plan: Plan,
        telling: &mut Telling<'_>,
    ) -> Option<Solved> {
        if !telling.clock.allows(self.costs.time(plan), true) {
            return None;
        }
        let began = Instant::now();
        let confidence = plan.confidence;
        // What selective searches are told to prepare, they need not prepare themselves.
        let prepared = self.has_cuts() && (confidence != Confidence::FULL || plan.prepared);
        let solver = &mut self.solver;
        let solved = telling.clock.watched(|stop| match prepared {
            true => solver.pass(board, alpha, beta, confidence, stop),
            false => solver.solve(board, alpha, beta, stop),
        })?;
        telling.thought.nodes += solved.nodes;
        if beta - alpha > 1 {
            self.costs.learn(plan, solved.nodes, began.elapsed());
        }
        Some(solved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_window_lies_inside_the_wide_one_whatever_was_expected() {
        for lowest in -65..65 {
            for highest in lowest + 1..=65 {
                for score in -64..=64 {
                    let (low, high) = around(score, (lowest, highest));
                    assert!(lowest <= low && low < high && high <= highest);
                }
            }
        }
    }
}
