//! How are the moves of the position itself searched?

use super::super::mid::{self, INFINITE, Mid, MidTable, final_value};
use super::super::{Confidence, Evaluation, Unit};
use super::{LineFound, Value, Wish};
use crate::bits::each;
use crate::solve::level::Level;
use crate::{Board, Move};

/// A move of the position.
#[derive(Clone)]
pub(crate) struct RootMove<S> {
    pub square: u32,
    pub mv: Move,
    /// The board after it.
    pub board: Board,
    pub state: S,
    /// Its value by the last search that found one.
    pub value: i32,
}

/// The position and its moves, the best first.
#[derive(Clone)]
pub(crate) struct Root<S> {
    pub board: Board,
    pub moves: Vec<RootMove<S>>,
    /// How many of them are wanted with their values.
    pub lines: usize,
    /// May every legal move be chosen?
    pub free: bool,
    unit: Unit,
    /// The values of the last search and of the one before, by rank.
    history: Vec<[i32; 2]>,
}

/// How a search of the moves ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Finished,
    Stopped,
}

impl<S: Clone> Root<S> {
    /// The moves that are asked for, ordered by the evaluation of where they lead. A move that the
    /// table knows from a deeper search comes first.
    pub fn new<E: Evaluation<State = S>>(
        evaluation: &E,
        board: Board,
        wish: &Wish,
        table: &MidTable,
    ) -> Root<S> {
        let legal = board.moves();
        let allowed = match legal & wish.only {
            0 => legal,
            some => some,
        };
        let state = evaluation.state(board);
        let moves = each(allowed).map(|square| {
            let flips = board.flips(square);
            let next = board.played(square, flips);
            let state = evaluation.played(&state, square, flips);
            let value = if next.moves() != 0 {
                -evaluation.value(next, &state)
            } else if next.replies() != 0 {
                evaluation.value(next.passed(), &evaluation.passed(&state))
            } else {
                -final_value(evaluation.unit(), next.final_score())
            };
            let mv = Move::to_square(square).expect("a square of the board");
            RootMove { square, mv, board: next, state, value }
        });
        let mut moves: Vec<RootMove<S>> = moves.collect();
        moves.sort_by_key(|mv| -mv.value);
        let lines = wish.lines.clamp(1, moves.len());
        if lines == 1
            && let Some(known) = mid::known(table, board)
            && let Some(place) = moves.iter().position(|m| m.square == u32::from(known.best[0]))
        {
            moves[..=place].rotate_right(1);
        }
        let history = moves.iter().map(|mv| [mv.value; 2]).collect();
        Root { board, moves, lines, free: allowed == legal, unit: evaluation.unit(), history }
    }

    /// Half of the window in which a value is expected.
    fn doubt(&self) -> i32 {
        match self.unit {
            Unit::Discs => 200,
            Unit::LogOdds => 2500,
        }
    }

    /// Searches all moves `depth` plies deep, so that the best `lines` stand first with their
    /// values. `better` is called when another move than before turns out to be best, if only that
    /// one is asked for.
    pub fn search<L: Level, E: Evaluation<State = S>>(
        &mut self,
        level: L,
        mid: &mut Mid<'_, E>,
        depth: u32,
        mut better: impl FnMut(&Root<S>, &Mid<'_, E>),
    ) -> Ended {
        for rank in 0..self.lines {
            // Values of odd and even depths differ; the search before the last one has the parity
            // of this one.
            let [last, before] = self.history[rank];
            let expected = if depth > 3 { before } else { last };
            let mut doubt = self.doubt();
            let (mut alpha, mut beta) = (expected - doubt, expected + doubt);
            if depth <= 2 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            let value = loop {
                let Some(value) = self.window(level, mid, depth, rank, (alpha, beta), &mut better)
                else {
                    return Ended::Stopped;
                };
                doubt *= 4;
                let hopeless = doubt > 40 * self.doubt();
                if value <= alpha && alpha > -INFINITE {
                    alpha = if hopeless { -INFINITE } else { value - doubt };
                } else if value >= beta && beta < INFINITE {
                    beta = if hopeless { INFINITE } else { value + doubt };
                } else {
                    break value;
                }
            };
            self.moves[rank].value = value;
            self.history[rank] = [value, last];
        }
        let lines = self.lines;
        self.moves[..lines].sort_by_key(|mv| -mv.value);
        Ended::Finished
    }

    /// One window for the moves from `rank` on; the best stands at `rank` afterwards. None when
    /// stopped.
    fn window<L: Level, E: Evaluation<State = S>>(
        &mut self,
        level: L,
        mid: &mut Mid<'_, E>,
        depth: u32,
        rank: usize,
        (alpha, beta): (i32, i32),
        better: &mut impl FnMut(&Root<S>, &Mid<'_, E>),
    ) -> Option<i32> {
        let mut best = -INFINITE;
        for place in rank..self.moves.len() {
            mid.nodes += 1;
            let from = alpha.max(best);
            let mv = &self.moves[place];
            let mut value = from + 1;
            if place > rank {
                value = -mid::null(level, mid, mv.board, &mv.state, depth - 1, -from - 1);
            }
            if value > from && (value < beta || place == rank) && !mid.stopped {
                let window = (-beta, -from);
                value = -mid::principal(level, mid, mv.board, &mv.state, depth - 1, window);
            }
            if mid.stopped {
                return None;
            }
            if value > best {
                best = value;
                if place > rank && value > alpha {
                    self.moves[rank..=place].rotate_right(1);
                    self.moves[rank].value = value;
                    if self.lines == 1 {
                        better(self, mid);
                    }
                }
                if best >= beta {
                    break;
                }
            }
        }
        Some(best)
    }

    /// The best moves as they are told.
    pub fn found(
        &self,
        table: &MidTable,
        depth: u32,
        confidence: Confidence,
        to_the_end: bool,
    ) -> Vec<LineFound> {
        let told = |mv: &RootMove<S>| {
            let mut line = vec![mv.mv];
            mid::line(table, mv.board, depth.saturating_sub(1), &mut line);
            let value = match to_the_end {
                true => Value::Exact(mid::discs_of(self.unit, mv.value)),
                false => Value::Estimate(mv.value),
            };
            LineFound { mv: mv.mv, value, confidence, line }
        };
        self.moves[..self.lines].iter().map(told).collect()
    }
}
