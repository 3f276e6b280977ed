//! Which moves of a node are not searched at all?
//!
//! Near the horizon those that come late, that cannot reach the window, that failed elsewhere, or
//! that lose material. Never before one is known that does not lose, and never on the principal
//! variation.

use super::evaluation::Evaluation;
use super::parameters::*;
use super::search::{Aim, Node};
use super::worker::Worker;
use crate::see;
use cozy_chess::{Board, Move};

/// A move that is about to be searched.
pub(super) struct Candidate {
    pub mv: Move,
    /// Its place among the moves of the node, from 1.
    pub place: i32,
    pub quiet: bool,
    pub gives_check: bool,
    /// How well it did elsewhere.
    pub history: i32,
    /// By how much moves at this place are searched less deep, in 1024ths of a ply.
    pub reduction: i32,
    /// Does it come after the quiet moves, as captures that lose material do?
    pub late: bool,
}

/// What is left out.
#[derive(Default)]
pub(super) struct LeftOut {
    /// The move itself.
    pub this: bool,
    /// The quiet moves after it.
    pub quiets: bool,
}

impl<E: Evaluation> Worker<'_, E> {
    /// Leaves out what will not matter.
    #[inline]
    pub fn prune(&self, board: &Board, aim: Aim, node: &Node, candidate: &Candidate) -> LeftOut {
        let techniques = &self.shared.techniques;
        let Aim { alpha, depth, .. } = aim;
        let &Candidate { mv, place, quiet, gives_check, history, reduction, late } = candidate;
        let left = (depth - reduction / 1024).max(0);
        let mut out = LeftOut::default();
        if !quiet {
            out.this = techniques.see_pruning
                && depth <= EXCHANGE_DEPTH
                && late
                && !(gives_check && techniques.check_order)
                && !see::at_least(board, mv, EXCHANGE_CAPTURE * depth);
            return out;
        }
        out.quiets = techniques.late_moves
            && depth <= LATE_DEPTH
            && place > late_count(depth, node.improving);
        if techniques.futility
            && !node.in_check
            && !gives_check
            && left <= FUTILITY_DEPTH
            && node.judged + FUTILITY_BASE + FUTILITY_MARGIN * left <= alpha
        {
            return LeftOut { this: true, quiets: true };
        }
        let unlucky = techniques.history_pruning
            && !gives_check
            && left <= HISTORY_DEPTH
            && history < HISTORY_LEAST * depth;
        out.this = unlucky
            || techniques.see_pruning
                && left <= EXCHANGE_DEPTH
                && !see::at_least(board, mv, EXCHANGE_QUIET * left * left);
        out
    }
}
