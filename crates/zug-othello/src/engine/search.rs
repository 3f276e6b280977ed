//! Which move is best, looking so many plies ahead?
//!
//! Null-window search (PVS) with iterative deepening, a table of what is known, and moves ordered
//! by the table, then by the evaluation of what they lead to. Positions that the depth reaches to
//! the end of the game, and positions with few empty squares if asked for, are solved exactly.

use super::table::{Bound, Table, key_of};
use super::{Evaluation, Unit};
use crate::bits;
use crate::solve::Solver;
use crate::{Board, Move};
use std::sync::Arc;
use zug_core::StopFlag;

/// Larger than any value.
const INFINITE: i32 = 1 << 30;
/// With a unit other than discs, won games count this much, and more by the margin.
const WON: i32 = 10_000_000;
/// The stop flag is looked at after so many nodes.
const NODES_BETWEEN_CHECKS: u64 = 4096;
/// From this depth on, moves are ordered by their evaluation; below, by the number of replies.
const EVALUATED_ORDER_DEPTH: u32 = 3;

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
    table: Table,
    solver: Solver<Arc<E>>,
    nodes: u64,
    stopped: bool,
}

/// The board and the state that follows it.
struct Node<S> {
    board: Board,
    state: S,
}

/// A move, what it leads to, and how it is ordered: the larger the earlier.
struct Child<S> {
    square: u8,
    rank: i32,
    node: Node<S>,
}

impl<E: Evaluation> Engine<E> {
    /// With a table of so many MiB, half of it for the solver.
    #[must_use]
    pub fn new(evaluation: Arc<E>, hash_mib: usize) -> Engine<E> {
        let hash_mib = hash_mib.div_ceil(2);
        let table = Table::new(hash_mib);
        let solver = Solver::with_guide(hash_mib, Arc::clone(&evaluation));
        Engine { evaluation, table, solver, nodes: 0, stopped: false }
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
        let node = Node { board, state: self.evaluation.state(board) };
        let found = |value, best| Found { best, value, exact: None, depth, nodes: 0 };
        if depth == 0 {
            return Some(found(self.evaluation.value(board, &node.state), None));
        }
        // Going up in twos keeps the parity of the depth, on which values depend, and costs less.
        for depth in (2 - depth % 2..depth).step_by(2) {
            self.visit(&node, depth, -INFINITE, INFINITE, stop);
        }
        let known = self.table.get(key_of(board)).map_or(64, |e| e.best);
        let children = self.children(&node, board.moves(), depth, known);
        let (mut value, mut best) = (-INFINITE, 64);
        for child in &children {
            let mut now = -self.visit(&child.node, depth - 1, -value - 1, -value, stop);
            if now > value {
                now = -self.visit(&child.node, depth - 1, -INFINITE, -value, stop);
            }
            if self.stopped {
                return None;
            }
            if now > value {
                (value, best) = (now, child.square);
            }
        }
        self.table.put(key_of(board), value, depth, Bound::Exact, best);
        Some(found(value, Move::to_square(u32::from(best))))
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
        self.table.next_search();
        self.nodes = 0;
        self.stopped = false;
    }

    /// A final disc difference in the unit of the evaluation.
    fn final_value(&self, score: i32) -> i32 {
        match self.evaluation.unit() {
            Unit::Discs => 100 * score,
            Unit::LogOdds => score.signum() * WON + 1000 * score,
        }
    }

    fn visit(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        stop: &StopFlag,
    ) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && stop.is_set() {
            self.stopped = true;
        }
        if self.stopped {
            return alpha;
        }
        let board = node.board;
        let moves = board.moves();
        if moves == 0 {
            let passed = board.passed();
            if passed.moves() == 0 {
                return self.final_value(board.final_score());
            }
            let next = Node { board: passed, state: self.evaluation.passed(&node.state) };
            return -self.visit(&next, depth, -beta, -alpha, stop);
        }
        if depth == 0 {
            return self.evaluation.value(board, &node.state);
        }
        if depth == 1 {
            return self.last_ply(node, moves, beta);
        }
        let key = key_of(board);
        let mut known = 64;
        if let Some(entry) = self.table.get(key) {
            known = entry.best;
            if u32::from(entry.depth()) == depth {
                let cuts = match entry.bound() {
                    Bound::Exact => true,
                    Bound::Lower => entry.value >= beta,
                    Bound::Upper => entry.value <= alpha,
                };
                if cuts && (known < 64 || entry.bound() == Bound::Upper) {
                    return entry.value;
                }
            }
        }
        let children = self.children(node, moves, depth, known);
        let lowest = alpha;
        let (mut value, mut best) = (-INFINITE, 64);
        for (place, child) in children.iter().enumerate() {
            let mut found;
            if place == 0 {
                found = -self.visit(&child.node, depth - 1, -beta, -alpha, stop);
            } else {
                found = -self.visit(&child.node, depth - 1, -alpha - 1, -alpha, stop);
                if found > alpha && found < beta {
                    found = -self.visit(&child.node, depth - 1, -beta, -alpha, stop);
                }
            }
            if self.stopped {
                return alpha;
            }
            if found > value {
                value = found;
                if found > alpha {
                    alpha = found;
                    best = child.square;
                    if found >= beta {
                        break;
                    }
                }
            }
        }
        let bound = match value {
            _ if value >= beta => Bound::Lower,
            _ if value > lowest => Bound::Exact,
            _ => Bound::Upper,
        };
        self.table.put(key, value, depth, bound, best);
        value
    }

    /// The last ply before the horizon: every move is made and what it leads to evaluated.
    fn last_ply(&mut self, node: &Node<E::State>, moves: u64, beta: i32) -> i32 {
        let mut value = -INFINITE;
        for square in bits::each(moves) {
            let flips = node.board.flips(square);
            let board = node.board.played(square, flips);
            self.nodes += 1;
            let found = if board.moves() == 0 {
                let passed = board.passed();
                if passed.moves() == 0 {
                    -self.final_value(board.final_score())
                } else {
                    let state = self.evaluation.played(&node.state, square, flips);
                    self.evaluation.value(passed, &self.evaluation.passed(&state))
                }
            } else {
                let state = self.evaluation.played(&node.state, square, flips);
                -self.evaluation.value(board, &state)
            };
            value = value.max(found);
            if value >= beta {
                break;
            }
        }
        value
    }

    /// What the moves lead to, the most promising first.
    fn children(
        &self,
        node: &Node<E::State>,
        moves: u64,
        depth: u32,
        known: u8,
    ) -> Vec<Child<E::State>> {
        let mut children: Vec<Child<E::State>> = bits::each(moves)
            .map(|square| {
                let flips = node.board.flips(square);
                let board = node.board.played(square, flips);
                let state = self.evaluation.played(&node.state, square, flips);
                let replies = board.moves();
                let rank = if square as u8 == known {
                    INFINITE
                } else if replies == 0 {
                    // A pass of the other side is nearly always good.
                    INFINITE - 1
                } else if depth >= EVALUATED_ORDER_DEPTH {
                    -self.evaluation.value(board, &state)
                } else {
                    const CORNERS: u64 = 0x8100_0000_0000_0081;
                    let corner = i32::from(CORNERS >> square & 1 == 1);
                    8 * corner - (replies.count_ones() + (replies & CORNERS).count_ones()) as i32
                };
                Child { square: square as u8, rank, node: Node { board, state } }
            })
            .collect();
        children.sort_by_key(|child| -child.rank);
        children
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Othello;
    use crate::patterns::{PatternModel, PatternSet, Phases};
    use crate::records::testing::random_game;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    fn model(seed: u64) -> Arc<PatternModel> {
        let set = PatternSet::parse(&["corner2x4", "diagonal4", "mobility"]).unwrap();
        let phases = Phases::new(&[10, 40]).unwrap();
        let mut rng = rng(seed, 0);
        let weights = (0..2 * set.cells()).map(|_| rng.random_range(-300i32..300) as i16).collect();
        Arc::new(PatternModel::new(set, phases, weights).unwrap())
    }

    fn board_after(seed: u64, plies: usize) -> Board {
        let game = random_game(&Othello::default(), seed, plies);
        game.into_iter().fold(Board::START, Board::after_move)
    }

    /// Full width, without tables or windows.
    fn plain(model: &PatternModel, board: Board, depth: u32) -> i32 {
        if board.is_over() {
            return 100 * board.final_score();
        }
        if board.moves() == 0 {
            return -plain(model, board.passed(), depth);
        }
        if depth == 0 {
            return model.value(board, &model.state(board));
        }
        let worth = |square| -plain(model, board.after(square), depth - 1);
        bits::each(board.moves()).map(worth).max().unwrap()
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
                let expected = plain(&model, board, depth);
                assert_eq!(found.value, expected, "seed {seed}, depth {depth}");
                if let Some(square) = found.best.and_then(Move::square) {
                    let below = -plain(&model, board.after(square), depth - 1);
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
