//! What the engine asks of an evaluation: a value, and a state that follows the moves.

use crate::Board;
use crate::bits::Squares;
use crate::tempo::Tempo;

/// What the value of an evaluation means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Hundredths of a disc: the expected final difference.
    Discs,
    /// Ten-thousandths of the logarithm of the odds to win.
    LogOdds,
}

/// An evaluation of positions of the full board, for the side to move.
///
/// What is costly to find from the squares alone (table indices, say) is kept in a
/// [`State`](Evaluation::State), which is carried along with the board: each node of a search copies
/// the state of its parent and changes what the move changed.
pub trait Evaluation: Send + Sync {
    /// What follows the moves. Always as the side to move sees it.
    type State: Clone + Send;

    /// The unit of the values.
    fn unit(&self) -> Unit;

    /// The state of a board.
    fn state(&self, board: Board) -> Self::State;

    /// The state after a move of the side to move to this square, which turns over `flips` (not
    /// empty). Equals [`state`](Evaluation::state) of the board after the move.
    fn played(&self, state: &Self::State, square: u32, flips: Squares) -> Self::State;

    /// The state after a pass.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The value for the side to move. The state is that of the board. Never asked when the game is
    /// over.
    fn value(&self, board: Board, state: &Self::State) -> i32;

    /// What values have had taken off, so that they favour neither side to move: cuts that were fitted
    /// to other values are moved by it ([`ProbCut::adapted`](super::ProbCut::adapted)).
    fn tempo(&self) -> &Tempo {
        &Tempo::NONE
    }

    /// The same value, where the squares that the side to move and the other side may play to are
    /// known already: a search has found them faster than an evaluation could.
    #[inline(always)]
    fn value_knowing(
        &self,
        board: Board,
        state: &Self::State,
        _moves: Squares,
        _replies: Squares,
    ) -> i32 {
        self.value(board, state)
    }
}

impl<E: Evaluation> Evaluation for std::sync::Arc<E> {
    type State = E::State;

    fn unit(&self) -> Unit {
        (**self).unit()
    }

    fn state(&self, board: Board) -> E::State {
        (**self).state(board)
    }

    #[inline]
    fn played(&self, state: &E::State, square: u32, flips: Squares) -> E::State {
        (**self).played(state, square, flips)
    }

    #[inline]
    fn passed(&self, state: &E::State) -> E::State {
        (**self).passed(state)
    }

    #[inline]
    fn value(&self, board: Board, state: &E::State) -> i32 {
        (**self).value(board, state)
    }

    fn tempo(&self) -> &Tempo {
        (**self).tempo()
    }

    #[inline(always)]
    fn value_knowing(
        &self,
        board: Board,
        state: &E::State,
        moves: Squares,
        replies: Squares,
    ) -> i32 {
        (**self).value_knowing(board, state, moves, replies)
    }
}
