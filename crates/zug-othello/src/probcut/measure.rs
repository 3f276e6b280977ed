//! What are positions worth, at every depth?
//!
//! Each position is searched at full width to all depths and, late in the game, to the end. The
//! values are those of full windows, so they do not depend on what a search remembers; the counts
//! of nodes do, and so every position begins with an empty memory.

use crate::Board;
use crate::engine::Unit;
use crate::examples::player::Thinker;
use std::fmt::Write as _;
use zug_core::StopFlag;

/// How far positions are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// All depths up to this one.
    pub depth: u32,
    /// To the end with at most so many empty squares.
    pub end: u32,
}

/// The values of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Its disc count.
    pub discs: u32,
    /// The values of searches with 0, 1, … plies, in the unit of the evaluation. None of them sees
    /// the whole rest of the game.
    pub values: Vec<i32>,
    /// Nodes that each of these searches visited.
    pub nodes: Vec<u64>,
    /// The final disc difference, with the nodes that it took.
    pub end: Option<(i32, u64)>,
}

impl Measured {
    /// Searches a position; `None` when stopped.
    pub fn of(
        engine: &mut dyn Thinker,
        board: Board,
        reach: Reach,
        stop: &StopFlag,
    ) -> Option<Measured> {
        engine.forget();
        let (discs, empties) = (board.discs(), board.empties());
        let mut measured = Measured { discs, values: Vec::new(), nodes: Vec::new(), end: None };
        for depth in 0..=reach.depth.min(empties.saturating_sub(1)) {
            let found = engine.think(board, depth, 0, stop)?;
            measured.values.push(found.value);
            measured.nodes.push(found.nodes.max(1));
        }
        if empties <= reach.end {
            let found = engine.think(board, 0, empties, stop)?;
            measured.end = Some((found.exact?, found.nodes.max(1)));
        }
        Some(measured)
    }

    /// The value of a search, unless it found a game won in a unit that has no number for that.
    #[must_use]
    pub fn value(&self, depth: u32, unit: Unit) -> Option<f64> {
        let value = *self.values.get(depth as usize)?;
        let is_estimate = unit == Unit::Discs || value.abs() < PROVEN;
        is_estimate.then_some(f64::from(value))
    }

    /// A line of text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = self.discs.to_string();
        for (value, nodes) in self.values.iter().zip(&self.nodes) {
            let _ = write!(text, " {value}:{nodes}");
        }
        if let Some((score, nodes)) = self.end {
            let _ = write!(text, " end {score}:{nodes}");
        }
        text
    }

    /// From a line of text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Measured> {
        let mut words = text.split(' ');
        let discs = words.next()?.parse().ok().filter(|discs| (4..=64).contains(discs))?;
        let mut measured = Measured { discs, values: Vec::new(), nodes: Vec::new(), end: None };
        while let Some(word) = words.next() {
            let is_end = word == "end";
            let (value, nodes) = if is_end { words.next()? } else { word }.split_once(':')?;
            let (value, nodes) = (value.parse().ok()?, nodes.parse().ok()?);
            if is_end {
                measured.end = Some((value, nodes));
                return words.next().is_none().then_some(measured);
            }
            measured.values.push(value);
            measured.nodes.push(nodes);
        }
        Some(measured)
    }
}

/// Log-odds beyond this stand for a game that is seen to be won.
const PROVEN: i32 = 5_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::player::Judge;
    use crate::probcut::sample::{Below, Games, Sample};
    use crate::thesis::Hand;
    use proptest::prelude::*;

    #[test]
    fn every_depth_below_the_end_is_searched_and_the_end_itself() {
        let hand = Hand::default();
        let go = StopFlag::new();
        let boards = Sample::with_discs(
            &hand,
            &Games::own(&hand, 5, 5, 1, &go),
            57,
            3,
            Below::Random,
            1,
            &go,
        );
        let mut engine = Judge::hand().engine(1);
        for board in boards {
            let reach = Reach { depth: 9, end: 8 };
            let measured = Measured::of(engine.as_mut(), board, reach, &StopFlag::new()).unwrap();
            assert_eq!(measured.values.len(), 7, "depths 0 to 6 with 7 empty squares");
            assert_eq!(measured.end.unwrap().0, crate::solve::score(board));
            assert_eq!(measured.value(3, Unit::Discs), Some(f64::from(measured.values[3])));
            assert_eq!(measured.value(7, Unit::Discs), None);
        }
    }

    #[test]
    fn games_that_are_seen_to_be_won_have_no_log_odds() {
        let values = vec![123, 10_002_000, -10_064_000];
        let measured = Measured { discs: 55, values, nodes: vec![1; 3], end: None };
        let all: Vec<Option<f64>> = (0..4).map(|d| measured.value(d, Unit::LogOdds)).collect();
        assert_eq!(all, [Some(123.0), None, None, None]);
    }

    proptest! {
        #[test]
        fn values_survive_being_written(
            discs in 4u32..=64,
            values in prop::collection::vec((any::<i32>(), any::<u64>()), 0..12),
            end in prop::option::of((-64i32..=64, any::<u64>())),
        ) {
            let (values, nodes) = values.into_iter().unzip();
            let measured = Measured { discs, values, nodes, end };
            prop_assert_eq!(Measured::from_text(&measured.to_text()), Some(measured));
        }

        #[test]
        fn other_text_is_refused_without_a_panic(text in "[0-9 :end-]{0,40}") {
            if let Some(measured) = Measured::from_text(&text) {
                prop_assert!(measured.discs <= 64);
            }
        }
    }
}
