//! What must an evaluation offer to be searched with?
//!
//! An [`Evaluation`] is shared by all threads of a search and does not change while it runs. Each
//! thread looks through an [`Eye`] of its own, which may keep caches (pawn structures, sums that
//! follow the moves, the layers of a network).

use crate::eval::{self, HandMade};
use cozy_chess::{Board, Move};

/// Values positions for the search.
pub trait Evaluation: Send + Sync + 'static {
    /// What one thread looks through.
    type Eye: Eye;

    /// A fresh eye.
    fn eye(&self) -> Self::Eye;
}

/// One thread's view of an evaluation.
///
/// The hooks tell which moves lead from the root to the position that is asked about, so that an
/// eye may follow them; by default they do nothing.
pub trait Eye: Send {
    /// The value for the side to move, in hundredths of a pawn. The same position has the same
    /// value, whatever was asked before.
    fn evaluate(&mut self, board: &Board) -> i32;

    /// A search begins at this position.
    fn begins(&mut self, root: &Board) {
        let _ = root;
    }

    /// This legal move is played in the position `before`.
    fn played(&mut self, before: &Board, mv: Move) {
        let _ = (before, mv);
    }

    /// The last move or pass is taken back.
    fn taken_back(&mut self) {}

    /// The turn is handed over without a move.
    fn passed(&mut self) {}
}

impl Evaluation for HandMade {
    type Eye = HandMade;

    fn eye(&self) -> HandMade {
        HandMade
    }
}

impl Eye for HandMade {
    fn evaluate(&mut self, board: &Board) -> i32 {
        eval::evaluate_board(board)
    }
}
