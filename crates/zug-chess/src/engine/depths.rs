//! Which moves are searched deeper than others, and which less deep?

use super::evaluation::Evaluation;
use super::parameters::*;
use super::pruning::Candidate;
use super::search::{Aim, Node};
use super::value::{Value, is_proven};
use super::worker::Worker;
use cozy_chess::{Board, Move};

/// What came of leaving the table's move out.
pub(super) enum Singular {
    /// Search it so many plies deeper.
    Extend(i32),
    /// The others cut off as well.
    Cut(Value),
}

impl<E: Evaluation> Worker<'_, E> {
    /// Is the table's move the only one that holds the value?
    pub fn singular<const PV: bool>(
        &mut self,
        board: &Board,
        aim: Aim,
        node: &Node,
        mv: Move,
    ) -> Singular {
        let ply = node.ply;
        let techniques = &self.shared.techniques;
        let Some(entry) = node.entry else { return Singular::Extend(0) };
        if !techniques.singular
            || aim.depth < SINGULAR_DEPTH
            || entry.mv != Some(mv)
            || entry.depth < aim.depth - SINGULAR_LESS
            || !entry.kind.is_lower()
            || is_proven(node.known)
            || ply as i32 >= 2 * self.root_depth
        {
            return Singular::Extend(0);
        }
        let bar = node.known - SINGULAR_MARGIN * aim.depth;
        let kept = self.stack[ply].evaluation;
        self.stack[ply].excluded = Some(mv);
        let less = Aim::new(bar - 1, bar, (aim.depth - 1) / 2);
        let value = self.search::<false>(board, less, ply, node.cut);
        self.stack[ply].excluded = None;
        self.stack[ply].evaluation = kept;
        if self.aborted {
            return Singular::Extend(0);
        }
        if value < bar {
            let twice =
                !PV && value < bar - SINGULAR_TWICE && self.stack[ply].twice < SINGULAR_MOST;
            Singular::Extend(if twice { 2 } else { 1 })
        } else if bar >= aim.beta && !PV {
            // Several moves cut off.
            Singular::Cut(bar)
        } else if node.known >= aim.beta && !PV {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}

impl Candidate {
    /// By how much the move is searched less deep, in 1024ths of a ply: by its place, and less where
    /// it did well elsewhere.
    #[inline]
    pub fn reduction_by_history(&self, killers: &[Option<Move>; 3], noisy_first: bool) -> i32 {
        if !self.quiet {
            return self.reduction / 2 - 1024 * self.history / REDUCE_HISTORY;
        }
        let mut reduction = self.reduction - 1024 * self.history / REDUCE_HISTORY;
        reduction += 1024 * i32::from(noisy_first);
        reduction - 1024 * i32::from(killers.contains(&Some(self.mv)))
    }
}
