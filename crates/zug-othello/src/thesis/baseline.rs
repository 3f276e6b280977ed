//! What must a learned evaluation beat? Mobility and corners, weighed by hand; and the evaluation
//! made by hand that the general search uses.

use super::mobility;
use crate::bits::Squares;
use crate::engine::{Evaluation, Unit};
use crate::{Board, HandEvaluator, Othello};
use zug_core::{Evaluator, Side};

const CORNERS: Squares = 0x8100_0000_0000_0081;

/// The plainest evaluation that plays sensibly: have moves, have corners.
///
/// In hundredths of a disc, a move more than the opponent's is worth half a disc and a corner eight:
/// round numbers of the usual proportion.
#[derive(Clone, Copy, Debug, Default)]
pub struct MobilityAndCorners;

impl Evaluation for MobilityAndCorners {
    type State = ();

    fn unit(&self) -> Unit {
        Unit::Discs
    }

    fn state(&self, _: Board) {}

    fn played(&self, (): &(), _: u32, _: Squares) {}

    fn passed(&self, (): &()) {}

    fn value(&self, board: Board, (): &()) -> i32 {
        let corners = |discs: Squares| (discs & CORNERS).count_ones() as i32;
        50 * mobility::exact(board) + 800 * (corners(board.own) - corners(board.other))
    }
}

/// The [`HandEvaluator`] as the engine wants it.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    game: Othello,
    evaluator: HandEvaluator,
}

impl Default for Hand {
    fn default() -> Hand {
        let game = Othello::default();
        Hand { game, evaluator: HandEvaluator::new(&game) }
    }
}

impl Evaluation for Hand {
    type State = ();

    fn unit(&self) -> Unit {
        Unit::Discs
    }

    fn state(&self, _: Board) {}

    fn played(&self, (): &(), _: u32, _: Squares) {}

    fn passed(&self, (): &()) {}

    fn value(&self, board: Board, (): &()) -> i32 {
        self.evaluator.evaluate(&self.game, &board.to_position(Side::First))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::random_game;

    #[test]
    fn both_are_even_at_the_start_for_whoever_moves_and_count_corners() {
        assert_eq!(MobilityAndCorners.value(Board::START, &()), 0);
        let corner = Board { own: 1, other: 1 << 1 };
        // Own may play c1, the other side nowhere.
        assert_eq!(MobilityAndCorners.value(corner, &()), 850);
        assert_eq!(MobilityAndCorners.value(corner.passed(), &()), -850);
    }

    #[test]
    fn the_evaluation_made_by_hand_says_the_same_here() {
        let game = Othello::default();
        let (hand, evaluator) = (Hand::default(), HandEvaluator::new(&game));
        let mut board = Board::START;
        for mv in random_game(&game, 5, 40) {
            board = board.after_move(mv);
            for side in Side::BOTH {
                let position = board.to_position(side);
                assert_eq!(hand.value(board, &()), evaluator.evaluate(&game, &position));
            }
        }
    }
}
