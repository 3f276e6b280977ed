//! Who wins? The decision search of the thesis with its cut, EndCut (S 4.2).
//!
//! A search for win, draw or loss looks at positions with a certain number of discs with a shallow
//! heuristic search first; if that is beyond a fixed threshold, it is believed. One disc count, one
//! depth, one threshold: [`ProbCut`](crate::engine::ProbCut) has generalised all three. This one is
//! kept for comparison.
//!
//! Above the stage of the cut the search is a plain alpha-beta search with a table; below it, the
//! solver takes over. With and without cuts it is the same search.

use crate::bits::each;
use crate::engine::{Engine, Evaluation};
use crate::solve::Solver;
use crate::{Board, Move};
use std::collections::HashMap;
use std::sync::Arc;
use zug_core::StopFlag;

/// Where and when the cut is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndCut {
    /// The disc count at which it is tried (`CHK_DISCS`).
    pub discs: u32,
    /// Plies of the heuristic search (`CHK_DEPTH`).
    pub depth: u32,
    /// The value from which on it is believed, in the steps of the evaluation's unit
    /// (`CUT_NIVEAU`).
    pub threshold: i32,
}

/// What a decision search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Won (1), drawn (0) or lost (-1) for the side to move, as far as the search knows.
    pub outcome: i32,
    /// The move that achieves it; none when the game is over.
    pub best: Option<Move>,
    /// Positions visited, those of heuristic searches among them.
    pub nodes: u64,
}

/// Searches for win, draw or loss.
pub struct EndCutSearch<E: Evaluation> {
    engine: Engine<E>,
    solver: Solver,
    /// The bounds known of positions above the stage of the cut.
    known: HashMap<Board, (i8, i8)>,
    nodes: u64,
}

/// Plies of the searches that order moves above the stage of the cut.
const ORDER_DEPTH: u32 = 2;
/// The memory of the parts, in MiB.
const HASH: usize = 16;

/// One search: where its upper part ends, and its cut.
struct Plan<'a> {
    split: u32,
    cut: Option<EndCut>,
    stop: &'a StopFlag,
}

impl<E: Evaluation> EndCutSearch<E> {
    /// With this evaluation.
    #[must_use]
    pub fn new(evaluation: Arc<E>) -> EndCutSearch<E> {
        EndCutSearch {
            engine: Engine::new(evaluation, HASH),
            solver: Solver::new(2 * HASH),
            known: HashMap::new(),
            nodes: 0,
        }
    }

    /// Decides a position, exactly or with a cut; the upper part of the search ends at `split` discs,
    /// which is where a cut is made. `None` when stopped. Every search begins with empty tables.
    pub fn decide(
        &mut self,
        board: Board,
        split: u32,
        cut: Option<EndCut>,
        stop: &StopFlag,
    ) -> Option<Decided> {
        self.engine.forget();
        self.solver.clear();
        self.known.clear();
        self.nodes = 0;
        let plan = Plan { split, cut: cut.filter(|c| c.discs == split), stop };
        let mut best = None;
        let outcome = if board.is_over() {
            board.final_score().signum()
        } else if board.moves() == 0 {
            best = Some(Move::PASS);
            -self.visit(board.passed(), -1, 1, &plan)?
        } else {
            let mut outcome = -2;
            for (square, after) in self.children(board, &plan)? {
                let value = -self.visit(after, -1, -outcome.max(-1), &plan)?;
                if value > outcome {
                    outcome = value;
                    best = Move::to_square(square);
                }
                if outcome >= 1 {
                    break;
                }
            }
            outcome
        };
        Some(Decided { outcome, best, nodes: self.nodes })
    }

    fn visit(&mut self, board: Board, alpha: i32, beta: i32, plan: &Plan<'_>) -> Option<i32> {
        if plan.stop.is_set() {
            return None;
        }
        if board.moves() == 0 {
            self.nodes += 1;
            if board.replies() == 0 {
                return Some(board.final_score().signum());
            }
            return Some(-self.visit(board.passed(), -beta, -alpha, plan)?);
        }
        let (low, high) = self.known.get(&board).map_or((-1, 1), |&(l, h)| (l.into(), h.into()));
        if low == high || low >= beta {
            return Some(low);
        }
        if high <= alpha {
            return Some(high);
        }
        let (mut alpha, beta) = (alpha.max(low), beta.min(high));
        let before = alpha;
        let value = if board.discs() >= plan.split {
            self.below(board, alpha, beta, plan)?
        } else {
            self.nodes += 1;
            let mut best = -1;
            for (_, after) in self.children(board, plan)? {
                best = best.max(-self.visit(after, -beta, -alpha, plan)?);
                alpha = alpha.max(best);
                if alpha >= beta {
                    break;
                }
            }
            best
        };
        let entry = self.known.entry(board).or_insert((-1, 1));
        if value <= before {
            entry.1 = entry.1.min(value as i8);
        } else if value >= beta {
            entry.0 = entry.0.max(value as i8);
        } else {
            *entry = (value as i8, value as i8);
        }
        Some(value)
    }

    /// At the stage of the cut: believed, or solved.
    fn below(&mut self, board: Board, alpha: i32, beta: i32, plan: &Plan<'_>) -> Option<i32> {
        if let Some(cut) = plan.cut {
            let found = self.engine.search(board, cut.depth, 0, plan.stop)?;
            self.nodes += found.nodes;
            if found.value.abs() >= cut.threshold {
                return Some(found.value.signum());
            }
        }
        let solved = self.solver.solve(board, alpha, beta, plan.stop)?;
        self.nodes += solved.nodes;
        Some(solved.score.signum())
    }

    /// The moves with what they lead to, the most promising first.
    fn children(&mut self, board: Board, plan: &Plan<'_>) -> Option<Vec<(u32, Board)>> {
        let mut all = Vec::new();
        for square in each(board.moves()) {
            let after = board.after(square);
            let found = self.engine.search(after, ORDER_DEPTH, 0, plan.stop)?;
            self.nodes += found.nodes;
            all.push((found.value, square, after));
        }
        all.sort_by_key(|&(value, square, _)| (value, square));
        Some(all.into_iter().map(|(_, square, after)| (square, after)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probcut::sample::{Below, Games, Sample};
    use crate::thesis::Hand;

    fn boards(count: usize) -> Vec<Board> {
        let hand = Hand::default();
        let go = StopFlag::new();
        let games = Games::own(&hand, 30, 30, 3, &go);
        Sample::with_discs(&hand, &games, 52, count, Below::Random, 3, &go)
    }

    #[test]
    fn without_a_cut_the_decision_is_exact_and_the_move_keeps_it() {
        let mut search = EndCutSearch::new(Arc::new(Hand::default()));
        let stop = StopFlag::new();
        for board in boards(12) {
            let exact = crate::solve::score(board).signum();
            let decided = search.decide(board, 55, None, &stop).unwrap();
            assert_eq!(decided.outcome, exact);
            let after = board.after_move(decided.best.unwrap());
            assert!(-crate::solve::score(after).signum() >= exact, "{board:?}");
            // A cut that nothing reaches changes nothing.
            let cut = EndCut { discs: 55, depth: 2, threshold: i32::MAX };
            let cautious = search.decide(board, 55, Some(cut), &stop).unwrap();
            assert_eq!(cautious.outcome, exact);
        }
        stop.set();
        assert_eq!(search.decide(boards(1)[0], 55, None, &stop), None);
    }

    #[test]
    fn a_cut_saves_nodes_and_low_thresholds_err() {
        let mut search = EndCutSearch::new(Arc::new(Hand::default()));
        let stop = StopFlag::new();
        let (mut exact_nodes, mut cut_nodes, mut wrong) = (0, 0, 0);
        for board in boards(40) {
            let exact = search.decide(board, 54, None, &stop).unwrap();
            let cut = EndCut { discs: 54, depth: 1, threshold: 1 };
            let hasty = search.decide(board, 54, Some(cut), &stop).unwrap();
            exact_nodes += exact.nodes;
            cut_nodes += hasty.nodes;
            wrong += usize::from(exact.outcome != hasty.outcome);
        }
        assert!(cut_nodes < exact_nodes, "{cut_nodes} {exact_nodes}");
        assert!((1..20).contains(&wrong), "{wrong}");
    }
}
