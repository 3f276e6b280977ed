//! Which move is best, looking a fixed number of plies ahead?
//!
//! For labels and training games: every position is searched full width and as deep as asked for,
//! so that values can be compared and repeated. Positions that the depth reaches to the end of the
//! game, and positions with few empty squares if asked for, are solved exactly.

use super::Confidence;
use super::Evaluation;
use super::mid::{Mid, MidTable, final_value};
use super::think::{Ended, Root, Wish};
use crate::bits;
use crate::solve::Solver;
use crate::solve::level::{Machine, at_level};
use crate::{Board, Move};
use std::sync::Arc;
use zug_core::StopFlag;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best move; a pass when there is no other, `None` when the game is over or no ply was
    /// looked ahead.
    pub best: Option<Move>,
    /// Its value for the side to move, in the unit of the evaluation.
    pub value: i32,
    /// The exact final disc difference, if the end was seen.
    pub exact: Option<i32>,
    /// How many plies ahead was looked.
    pub depth: u32,
    /// How many positions were looked at.
    pub nodes: u64,
}

/// A search with an evaluation, its table and its solver.
pub struct Engine<E: Evaluation> {
    evaluation: Arc<E>,
    table: MidTable,
    solver: Solver<Arc<E>>,
    nodes: u64,
}

impl<E: Evaluation> Engine<E> {
    /// With a table of so many MiB, half of it for the solver; less where there is not the memory.
    #[must_use]
    pub fn new(evaluation: Arc<E>, hash_mib: usize) -> Engine<E> {
        let hash_mib = hash_mib.div_ceil(2);
        let table = MidTable::fitting(hash_mib);
        let solver = Solver::with_guide(hash_mib, Arc::clone(&evaluation));
        Engine { evaluation, table, solver, nodes: 0 }
    }

    /// The evaluation.
    #[must_use]
    pub fn evaluation(&self) -> &Arc<E> {
        &self.evaluation
    }

    /// Forgets what earlier searches found, so that the next does not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.solver.clear();
    }

    /// Looks `depth` plies ahead, or to the end where at most `exact` squares are empty. `None`
    /// when stopped.
    pub fn search(
        &mut self,
        board: Board,
        depth: u32,
        exact: u32,
        stop: &StopFlag,
    ) -> Option<Found> {
        let mut found = self.root(board, depth, exact, stop)?;
        found.nodes = self.nodes;
        Some(found)
    }

    fn root(&mut self, board: Board, depth: u32, exact: u32, stop: &StopFlag) -> Option<Found> {
        self.begin();
        let empties = board.empties();
        if board.is_over() {
            let score = board.final_score();
            let value = self.final_value(score);
            return Some(Found { best: None, value, exact: Some(score), depth: 0, nodes: 0 });
        }
        if empties <= exact || empties <= depth {
            let solved = self.solver.solve(board, -64, 64, stop)?;
            self.nodes += solved.nodes;
            let value = self.final_value(solved.score);
            let score = Some(solved.score);
            return Some(Found {
                best: solved.best,
                value,
                exact: score,
                depth: empties,
                nodes: 0,
            });
        }
        if board.moves() == 0 {
            let below = self.root(board.passed(), depth, exact, stop)?;
            let score = below.exact.map(|s| -s);
            return Some(Found {
                best: Some(Move::PASS),
                value: -below.value,
                exact: score,
                ..below
            });
        }
        let state = self.evaluation.state(board);
        let found = |value, best| Found { best, value, exact: None, depth, nodes: 0 };
        if depth == 0 {
            return Some(found(self.evaluation.value(board, &state), None));
        }
        let mut mid = Mid::new(&*self.evaluation, &self.table, None, Confidence::FULL, stop);
        // A value must not depend on what was searched before.
        mid.trust_deeper = false;
        let mut root = Root::new(&*self.evaluation, board, &Wish::default(), &self.table);
        // Going up in twos keeps the parity of the depth, on which values depend, and costs less.
        for depth in (2 - depth % 2..=depth).step_by(2) {
            let ended = at_level!(Machine::detected(), level => {
                root.search(level, &mut mid, depth, |_, _| {})
            });
            if ended == Ended::Stopped {
                return None;
            }
        }
        self.nodes += mid.nodes;
        let best = &root.moves[0];
        Some(found(best.value, Some(best.mv)))
    }

    /// The value of every legal move, best first, by searches with `depth - 1` plies behind it.
    /// `None` when stopped.
    pub fn values(
        &mut self,
        board: Board,
        depth: u32,
        exact: u32,
        stop: &StopFlag,
    ) -> Option<Vec<(Move, i32)>> {
        let mut values = Vec::new();
        for square in bits::each(board.moves()) {
            let mv = Move::to_square(square).expect("on the board");
            let below = self.search(board.after(square), depth.saturating_sub(1), exact, stop)?;
            values.push((mv, -below.value));
        }
        // The order of the squares decides between equal ones.
        values.sort_by_key(|&(_, value)| -value);
        Some(values)
    }

    fn begin(&mut self) {
        self.table.grow_older();
        self.nodes = 0;
    }

    /// A final disc difference in the unit of the evaluation.
    fn final_value(&self, score: i32) -> i32 {
        final_value(self.evaluation.unit(), score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::mid::tests::{board_after, plain};
    use crate::patterns::PatternModel;

    fn model(seed: u64) -> Arc<PatternModel> {
        Arc::new(crate::engine::mid::tests::model(seed))
    }

    #[test]
    fn a_search_finds_what_looking_at_everything_finds() {
        let model = model(1);
        let mut engine = Engine::new(model.clone(), 2);
        let stop = StopFlag::new();
        for seed in 0..40 {
            let board = board_after(seed, 6 + seed as usize);
            for depth in 1..5 {
                let found = engine.search(board, depth, 0, &stop).unwrap();
                let expected = plain(&*model, board, depth);
                assert_eq!(found.value, expected, "seed {seed}, depth {depth}");
                if let Some(square) = found.best.and_then(Move::square) {
                    let below = -plain(&*model, board.after(square), depth - 1);
                    assert_eq!(below, expected, "the best move has the best value");
                }
            }
        }
    }

    #[test]
    fn late_positions_are_solved() {
        let mut engine = Engine::new(model(2), 2);
        let stop = StopFlag::new();
        for seed in 0..20 {
            let board = board_after(seed, 54);
            let found = engine.search(board, 2, 10, &stop).unwrap();
            let deep = engine.search(board, 60, 0, &stop).unwrap();
            assert_eq!(found.exact, deep.exact);
            assert!(found.exact.is_some());
            assert_eq!(found.best.is_none(), board.is_over());
        }
    }

    #[test]
    fn values_of_all_moves_agree_with_the_search() {
        let mut engine = Engine::new(model(3), 2);
        let stop = StopFlag::new();
        for seed in 0..20 {
            let board = board_after(seed, 20);
            let values = engine.values(board, 3, 0, &stop).unwrap();
            assert_eq!(values.len(), board.moves().count_ones() as usize);
            assert!(values.is_sorted_by_key(|&(_, v)| -v));
            if let Some(&(_, best)) = values.first() {
                assert_eq!(best, engine.search(board, 3, 0, &stop).unwrap().value);
            }
        }
    }

    #[test]
    fn a_stopped_search_says_nothing() {
        let stop = StopFlag::new();
        stop.set();
        let mut engine = Engine::new(model(4), 1);
        assert_eq!(engine.search(board_after(1, 10), 9, 0, &stop), None);
    }
}
