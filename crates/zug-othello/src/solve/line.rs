//! Which moves lead to a score?

use super::level::at_level;
use super::passes::Outcome;
use super::search::{Found, NEAR};
use super::table::{self, NO_SQUARE};
use super::{Solved, Solver, square_move, without_table};
use crate::bits::each;
use crate::engine::{Confidence, Evaluation};
use crate::{Board, Move};
use zug_core::StopFlag;

/// So many empty squares are few enough to search a line to the end again without a table.
const FINISH_LINE: u32 = 10;

impl<E: Evaluation> Solver<E> {
    /// The result with its line.
    pub(super) fn with_line(
        &self,
        board: Board,
        (alpha, beta): (i32, i32),
        outcome: Outcome,
        stop: &StopFlag,
    ) -> Option<Solved> {
        let Outcome { found: Found { score, best }, nodes, confidence } = outcome;
        let exact = alpha < score && score < beta;
        let certain = confidence == Confidence::FULL;
        let (line, more) = self.line(board, score, best, exact, certain, stop)?;
        let best = line.first().copied();
        Some(Solved { score, best, line, nodes: nodes + more, confidence })
    }

    /// The moves that lead to a score; the nodes of what had to be searched again for them.
    fn line(
        &self,
        mut board: Board,
        mut score: i32,
        mut best: u8,
        exact: bool,
        certain: bool,
        stop: &StopFlag,
    ) -> Option<(Vec<Move>, u64)> {
        let mut line = Vec::new();
        let mut nodes = 0;
        loop {
            let moves = board.moves();
            if moves == 0 {
                if board.replies() == 0 {
                    return Some((line, nodes));
                }
                line.push(Move::PASS);
                board = board.passed();
                (score, best) = (-score, NO_SQUARE);
                continue;
            }
            if best == NO_SQUARE && exact {
                let more;
                (best, more) = self.continuation(board, score, certain, stop)?;
                nodes += more;
            }
            if best == NO_SQUARE || moves >> best & 1 == 0 {
                return Some((line, nodes));
            }
            line.push(square_move(best.into()));
            board = board.after(best.into());
            (score, best) = (-score, NO_SQUARE);
        }
    }

    /// A move that keeps this exact score.
    fn continuation(
        &self,
        board: Board,
        score: i32,
        certain: bool,
        stop: &StopFlag,
    ) -> Option<(u8, u64)> {
        let key = table::key(board);
        let table = if board.empties() > NEAR { &self.table } else { &self.near };
        let known = table.probe(board, key);
        if let Some(known) = known
            .filter(|known| known.lower == score)
            .filter(|known| !certain || known.confidence == Confidence::FULL)
        {
            return Some((known.best[0], 0));
        }
        if board.empties() <= FINISH_LINE {
            let keeps =
                |&square: &u32| -self.short(board.after(square), -score - 1, -score + 1) == score;
            return Some((each(board.moves()).find(keeps).map_or(NO_SQUARE, |s| s as u8), 0));
        }
        if !certain {
            return Some((known.map_or(NO_SQUARE, |known| known.best[0]), 0));
        }
        // The table has lost it. A window just below the score is the cheapest to search.
        let outcome = self.search(board, (score - 1, score), Confidence::FULL, stop)?;
        Some((outcome.found.best, outcome.nodes))
    }

    /// The score in a window, without the table and without a flag.
    fn short(&self, board: Board, alpha: i32, beta: i32) -> i32 {
        at_level!(self.machine, level => without_table(level, board, alpha, beta))
    }
}
