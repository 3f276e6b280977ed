//! What is a position worth in the tree of all games?
//!
//! Its NegaMax value: the best, for its mover, of what its known continuations are worth (S 3.3 of
//! the thesis). Positions that differ by a symmetry are one, so the tree is a graph, and since every
//! move adds a disc it can be worked off by disc count, from the full board backwards, with two
//! [`Level`]s in memory.
//!
//! A continuation is known when any game came to its position, in whatever way, or when it ends the
//! game. A side that cannot move passes: then the position is worth the opposite of what it is worth
//! with the other side to move, which has the same disc count.

use super::Source;
use crate::Board;

/// The labelled positions with one disc count, sorted by board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    boards: Vec<Board>,
    labels: Vec<(i8, Source)>,
}

impl Level {
    /// Adds a position; boards must come in order.
    pub fn push(&mut self, board: Board, score: i8, source: Source) {
        debug_assert!(self.boards.last().is_none_or(|&last| last < board));
        self.boards.push(board);
        self.labels.push((score, source));
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// The label of a position in any of its images.
    #[must_use]
    pub fn find(&self, board: Board) -> Option<(i8, Source)> {
        if self.boards.is_empty() {
            return None;
        }
        let at = self.boards.binary_search(&board.canonical()).ok()?;
        Some(self.labels[at])
    }

    /// What is known of a position of this level for its mover, who may have to pass, or whose game
    /// may be over.
    #[must_use]
    pub fn known(&self, board: Board) -> Option<(i8, Source)> {
        if board.moves() != 0 {
            return self.find(board);
        }
        if board.replies() == 0 {
            return Some((board.final_score() as i8, Source::Exact));
        }
        let (score, source) = self.find(board.passed())?;
        Some((-score, source))
    }
}

/// What the continuations of a position say about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Continuations {
    /// The best known one, for the mover.
    pub best: Option<i8>,
    /// Are all of them known, and exactly?
    pub are_exact: bool,
    /// The moves of which nothing is known.
    pub unknown: u64,
}

/// Looks up the continuations of a position whose mover has a move; `after` has one disc more.
#[must_use]
pub fn continuations(board: Board, after: &Level) -> Continuations {
    let mut found = Continuations { best: None, are_exact: true, unknown: 0 };
    let mut moves = board.moves();
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        match after.known(board.after(square)) {
            Some((score, source)) => {
                found.best = found.best.max(Some(-score));
                found.are_exact &= source == Source::Exact;
            }
            None => {
                found.unknown |= 1 << square;
                found.are_exact = false;
            }
        }
    }
    found
}

/// The NegaMax value of a position whose mover has a move.
#[must_use]
pub fn negamax(board: Board, after: &Level) -> Option<(i8, Source)> {
    let found = continuations(board, after);
    let source = if found.are_exact { Source::Exact } else { Source::Tree };
    Some((found.best?, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_turns_the_sign_and_an_ended_game_needs_no_table() {
        // White a1; black b1; the rest of the first row empty but h1: nobody else.
        let board = Board { own: 1 << 1, other: 1 << 0 };
        assert_eq!(board.moves(), 0);
        let other = board.passed();
        assert_ne!(other.moves(), 0, "the other side can play c1");
        let mut level = Level::default();
        assert_eq!(level.known(board), None);
        level.push(other.canonical(), 64, Source::Tree);
        assert_eq!(level.known(board), Some((-64, Source::Tree)));
        assert_eq!(level.known(other.image(3)), Some((64, Source::Tree)));
        let over = Board { own: 3, other: 0 };
        assert_eq!(level.known(over), Some((64, Source::Exact)));
        assert_eq!(level.known(over.passed()), Some((-64, Source::Exact)));
        let one_less = continuations(other, &Level::default());
        assert_eq!(one_less.best, Some(64), "c1 turns the last disc over");
        assert!(one_less.are_exact);
    }
}
