//! A learned evaluation for the general search of the workbench.

use super::{Evaluation, Unit};
use crate::{Board, HandEvaluator, Move, Othello, Position};
use std::sync::Arc;
use zug_core::{Evaluator, Guide, Scale};

/// Positions are judged by a learned evaluation, moves ordered as by hand.
pub struct Learned<E> {
    evaluation: Arc<E>,
    hand: HandEvaluator,
}

impl<E: Evaluation> Learned<E> {
    /// For the 8×8 board, the only one that evaluations are learned for.
    #[must_use]
    pub fn new(evaluation: Arc<E>) -> Learned<E> {
        Learned { evaluation, hand: HandEvaluator::new(&Othello::default()) }
    }

    /// The evaluation.
    #[must_use]
    pub fn evaluation(&self) -> Arc<E> {
        Arc::clone(&self.evaluation)
    }
}

impl<E: Evaluation> Evaluator<Othello> for Learned<E> {
    fn scale(&self) -> Scale {
        match self.evaluation.unit() {
            Unit::Discs => Scale::Discs,
            Unit::LogOdds => Scale::Plain,
        }
    }

    fn evaluate(&self, _: &Othello, position: &Position) -> i32 {
        let board = Board::from(position);
        let value = self.evaluation.value(board, &self.evaluation.state(board));
        match self.evaluation.unit() {
            Unit::Discs => value,
            // Thousandths: enough to tell moves apart, and small enough for a score.
            Unit::LogOdds => value / 10,
        }
    }
}

impl<E: Evaluation> Guide<Othello> for Learned<E> {
    fn promise(&self, game: &Othello, position: &Position, mv: Move) -> i32 {
        self.hand.promise(game, position, mv)
    }

    fn reducible(&self, game: &Othello, position: &Position, mv: Move) -> bool {
        self.hand.reducible(game, position, mv)
    }
}
