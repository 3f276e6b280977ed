//! Which nodes are given up before any of their moves is searched?
//!
//! One that stands so far from the window that its moves will hardly bring it back. All of this
//! proves only bounds outside the window.

use super::checks::Checks;
use super::evaluation::Evaluation;
use super::parameters::*;
use super::picker::{Picker, Wanted, is_quiet};
use super::search::{Aim, Node};
use super::table::Kind;
use super::value::{MATES, Value, is_proven};
use super::worker::Worker;
use crate::see;
use cozy_chess::{Board, Piece};

impl<E: Evaluation> Worker<'_, E> {
    /// Prunings of a whole node; they return only values outside the window.
    pub fn cut_early(&mut self, board: &Board, aim: Aim, node: &Node) -> Option<Value> {
        let Aim { alpha, beta, depth } = aim;
        let (ply, judged, techniques) = (node.ply, node.judged, &self.shared.techniques);
        if techniques.razoring
            && depth <= RAZOR_DEPTH
            && alpha.abs() < MATES
            && judged + razor_margin(depth) < alpha
        {
            let value = self.quiesce::<false>(board, alpha, alpha + 1, ply, 0);
            if value <= alpha || self.aborted {
                return Some(value.min(alpha));
            }
        }
        if techniques.reverse_futility
            && depth <= REVERSE_DEPTH
            && !is_proven(beta)
            && !is_proven(judged)
            && judged - REVERSE_MARGIN * (depth - i32::from(node.improving)) >= beta
            && !(techniques.mate_threats && depth >= REVERSE_THREATS && is_threatened(board))
        {
            return Some(beta + (judged - beta) / 3);
        }
        if techniques.null_move
            && depth >= NULL_DEPTH
            && judged >= beta
            && ply >= self.no_null_before
            && self.stack[ply.saturating_sub(1)].moved.is_some()
            && !is_proven(beta)
            && has_pieces(board)
            && let Some(value) = self.try_null(board, aim, node)
        {
            return Some(value);
        }
        if self.aborted {
            return Some(0);
        }
        if techniques.probcut
            && depth >= PROBCUT_DEPTH
            && !is_proven(beta)
            && let Some(value) = self.try_probcut(board, aim, node)
        {
            return Some(value);
        }
        None
    }

    /// Hands over the turn: who still stands above the window will do so with a move.
    fn try_null(&mut self, board: &Board, aim: Aim, node: &Node) -> Option<Value> {
        let (ply, techniques) = (node.ply, &self.shared.techniques);
        let reduction = if techniques.null_plain {
            NULL_THESIS
        } else {
            NULL_REDUCTION - 1
                + aim.depth / NULL_DEPTH_STEP
                + ((node.judged - aim.beta) / NULL_VALUE_STEP).min(NULL_MOST)
        };
        let depth = aim.depth - 1 - reduction;
        let child = self.pass(board, ply)?;
        let less = Aim::new(-aim.beta, 1 - aim.beta, depth);
        let value = -self.search::<false>(&child, less, ply + 1, !node.cut);
        self.take_back();
        if self.aborted || value < aim.beta {
            return None;
        }
        let value = if is_proven(value) { aim.beta } else { value };
        if !techniques.null_verify || aim.depth < NULL_VERIFY || self.no_null_before > 0 {
            return Some(value);
        }
        self.no_null_before = ply + (depth * 3 / 4).max(1) as usize;
        let again = Aim::new(aim.beta - 1, aim.beta, depth);
        let verified = self.search::<false>(board, again, ply, false);
        self.no_null_before = 0;
        (verified >= aim.beta && !self.aborted).then_some(value)
    }

    /// A capture that wins so much that a shallower search will do.
    fn try_probcut(&mut self, board: &Board, aim: Aim, node: &Node) -> Option<Value> {
        let beta = aim.beta + PROBCUT_MARGIN;
        let less = aim.depth - PROBCUT_LESS;
        if node.entry.is_some_and(|e| e.depth >= less && e.kind != Kind::None && node.known < beta)
        {
            return None;
        }
        let ply = node.ply;
        let needed = beta - node.judged;
        let first = node.mv.filter(|&mv| !is_quiet(board, mv));
        let mut picker = Picker::new(&self.mind.lists, Wanted::Captures, first, [None; 3]);
        let mut found = None;
        while let Some(mv) = self.pick(&mut picker, board, [None; 2], None) {
            if !see::at_least(board, mv, needed) {
                continue;
            }
            let child = self.play(board, mv, ply);
            let mut value = -self.quiesce::<false>(&child, -beta, 1 - beta, ply + 1, 0);
            if value >= beta && less > 1 {
                let aim = Aim::new(-beta, 1 - beta, less);
                value = -self.search::<false>(&child, aim, ply + 1, !node.cut);
            }
            self.take_back();
            if self.aborted {
                break;
            }
            if value >= beta {
                self.remember(node, less + 1, value, Kind::AtLeast, Some(mv), false);
                found = Some(if is_proven(value) { value } else { value - PROBCUT_MARGIN });
                break;
            }
        }
        picker.finish(&mut self.mind.lists);
        found
    }
}

/// Would the opponent mate if it were its turn now? The evaluation, which counts what can be taken,
/// does not see that there is no time to take it. (Mates by castling and promotion are overlooked.)
fn is_threatened(board: &Board) -> bool {
    let Some(passed) = board.null_move() else { return false };
    let checks = Checks::of(&passed);
    passed.generate_moves(|mut moves| {
        moves.to &= checks.targets(moves.piece, moves.from);
        moves.into_iter().any(|mv| {
            let mut child = passed.clone();
            child.play_unchecked(mv);
            !child.checkers().is_empty() && !child.generate_moves(|_| true)
        })
    })
}

/// Has the side to move more than pawns? With pawns alone, having to move is often what loses.
pub(super) fn has_pieces(board: &Board) -> bool {
    let light = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
    !(board.colors(board.side_to_move()) - light).is_empty()
}
