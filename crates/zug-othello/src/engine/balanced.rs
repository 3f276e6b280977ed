//! Which openings are fair? Matches begin from them, each played with both colours, so that a game
//! is decided by the players and not by the start.
//!
//! The thesis took 35 positions of 12 discs with a value near 0 in a search of ten plies. Those are
//! lost; this finds as many as one likes.

use super::{Engine, Evaluation, Unit};
use crate::examples::openings;
use crate::{Board, Move};
use rayon::prelude::*;
use std::sync::Arc;
use zug_core::seed::RngExt;
use zug_core::{Progress, StopFlag, rng};

/// What makes an opening fair.
#[derive(Clone, Copy, Debug)]
pub struct Fair {
    /// Its length.
    pub plies: u32,
    /// How many plies the search looks ahead.
    pub depth: u32,
    /// The most that it may be worth for either side, in the steps of the evaluation's [`Unit`].
    pub within: i32,
}

/// Fair openings in a random order, no two of which lead to positions that differ by a symmetry
/// only; `None` when stopped. Looks no further than it must to find `count` of them.
pub fn balanced<E: Evaluation>(
    evaluation: &Arc<E>,
    fair: Fair,
    count: usize,
    seed: u64,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Option<Vec<Vec<Move>>> {
    let mut lines = openings::all(fair.plies);
    let mut rng = rng(seed, 0);
    for last in (1..lines.len()).rev() {
        lines.swap(last, rng.random_range(0..=last));
    }
    progress.set_length(Some(count as u64));
    let mut found: Vec<Vec<Move>> = Vec::new();
    for chunk in lines.chunks(256) {
        // Values do not depend on what an engine saw before, so neither does the result on threads.
        let values: Vec<Option<i32>> = chunk
            .par_iter()
            .map_init(
                || Engine::new(Arc::clone(evaluation), 8),
                |engine, line| {
                    let board = line.iter().fold(Board::START, |b, &mv| b.after_move(mv));
                    engine.search(board, fair.depth, 0, stop).map(|found| found.value)
                },
            )
            .collect();
        for (line, value) in chunk.iter().zip(values) {
            if value?.abs() <= fair.within && found.len() < count {
                found.push(line.clone());
                progress.advance(1);
            }
        }
        if found.len() == count {
            break;
        }
    }
    Some(found)
}

/// So many hundredths of a disc in the steps of a unit, roughly: the odds to win turn by about a
/// tenth of their logarithm a disc.
#[must_use]
pub fn hundredths_of_discs(unit: Unit, hundredths: i32) -> i32 {
    match unit {
        Unit::Discs => hundredths,
        Unit::LogOdds => hundredths * 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::Hand;
    use zug_core::Silent;

    #[test]
    fn fair_openings_are_found_within_the_bound_and_differ() {
        let hand = Arc::new(Hand::default());
        let stop = StopFlag::new();
        let fair = Fair { plies: 5, depth: 2, within: 100 };
        let found = balanced(&hand, fair, 12, 7, &Silent, &stop).unwrap();
        assert_eq!(found.len(), 12);
        let mut boards = Vec::new();
        for line in &found {
            let board = line.iter().fold(Board::START, |b, &mv| b.after_move(mv));
            let value = Engine::new(Arc::clone(&hand), 1).search(board, 2, 0, &stop).unwrap().value;
            assert!(value.abs() <= 100);
            boards.push(board.canonical());
        }
        boards.sort_unstable();
        boards.dedup();
        assert_eq!(boards.len(), 12);
        assert_eq!(balanced(&hand, fair, 12, 7, &Silent, &stop).unwrap(), found);
        stop.set();
        assert_eq!(balanced(&hand, Fair { depth: 9, ..fair }, 12, 7, &Silent, &stop), None);
    }
}
