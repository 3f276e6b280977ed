//! How does the engine play like somebody of a rating?
//!
//! By two means: it looks at few positions, so that it overlooks what people overlook, and it plays
//! any move whose value is within a margin of the best, the nearer the likelier. How much of both
//! makes which rating is measured by a ladder of such players, among themselves and against engines
//! of known strength (`scripts/chess-ladder`), which is run again when the engine changes.

use std::sync::OnceLock;
use zug_core::EloRange;
use zug_core::seed::{Rng, RngExt};

/// What the ladder has measured: positions, margin and rating, the weakest first.
const LADDER: &str = include_str!("ladder.txt");

/// How a player is held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Handicap {
    /// Positions for a move.
    pub nodes: u64,
    /// Hundredths of a pawn that a move may be worse than the best.
    pub margin: i32,
}

/// Ten pawns: whoever gives away more plays at random.
const MOST_MARGIN: i32 = 1000;

/// A step of the ladder.
#[derive(Clone, Copy, Debug)]
struct Step {
    handicap: Handicap,
    elo: f64,
}

fn ladder() -> &'static [Step] {
    static STEPS: OnceLock<Vec<Step>> = OnceLock::new();
    STEPS.get_or_init(|| {
        let lines = LADDER.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|line| Step::read(line).expect("the ladder is tested")).collect()
    })
}

impl Step {
    fn read(line: &str) -> Option<Step> {
        let mut words = line.split_whitespace();
        let (nodes, margin) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        Some(Step { handicap: Handicap { nodes, margin }, elo: words.next()?.parse().ok()? })
    }
}

/// The ratings that the ladder reaches, in whole tens.
#[must_use]
pub fn range() -> EloRange {
    let steps = ladder();
    let (first, last) = (steps[0].elo, steps[steps.len() - 1].elo);
    let tens = |elo: f64| 10 * elo as u32;
    EloRange { least: tens((first / 10.0).ceil()), most: tens((last / 10.0).floor()) }
}

impl Handicap {
    /// As it is written: `NODES:MARGIN`.
    pub fn read(text: &str) -> Option<Handicap> {
        let (nodes, margin) = text.split_once(':')?;
        let (nodes, margin) = (nodes.parse().ok()?, margin.parse().ok()?);
        (nodes > 0 && (0..=MOST_MARGIN).contains(&margin)).then_some(Handicap { nodes, margin })
    }

    /// How many of the best moves are compared: the fewer, the fewer can be chosen. Even the
    /// strongest compares some, so that no rating takes a leap.
    pub fn lines(self) -> usize {
        4 + self.margin as usize / 10
    }

    /// For a rating within the range, between the two steps that are next to it.
    pub fn of(elo: u32) -> Handicap {
        let (steps, elo) = (ladder(), f64::from(elo));
        let above = steps.iter().position(|step| step.elo >= elo).unwrap_or(steps.len() - 1);
        let (low, high) = (&steps[above.saturating_sub(1)], &steps[above]);
        let part = ((elo - low.elo) / (high.elo - low.elo).max(1.0)).clamp(0.0, 1.0);
        let between = |a: f64, b: f64| a + part * (b - a);
        let [few, many] = [low, high].map(|step| (step.handicap.nodes as f64).ln());
        let [wide, narrow] = [low, high].map(|step| f64::from(step.handicap.margin));
        Handicap {
            nodes: between(few, many).exp().round().max(1.0) as u64,
            margin: between(wide, narrow).round() as i32,
        }
    }
}

/// Chooses among moves that are worse than the best by so much: at the margin none is chosen, and
/// half way half as often as the best.
pub(super) fn pick(losses: &[i32], margin: i32, lots: &mut Rng) -> usize {
    let weight = |loss: &i32| (margin - loss).max(0);
    let all: i32 = losses.iter().map(weight).sum();
    let mut lot = lots.random_range(0..all.max(1));
    losses
        .iter()
        .position(|loss| {
            lot -= weight(loss);
            lot < 0
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;

    #[test]
    fn every_line_of_the_ladder_is_read_and_goes_up() {
        let steps = ladder();
        let lines = LADDER.lines().filter(|line| !line.starts_with('#')).count();
        assert!(steps.len() == lines && lines > 4);
        for two in steps.windows(2) {
            let (low, high) = (&two[0], &two[1]);
            assert!(low.elo < high.elo, "{low:?} {high:?}");
            assert!(low.handicap.nodes <= high.handicap.nodes, "{low:?} {high:?}");
            assert!(low.handicap.margin >= high.handicap.margin, "{low:?} {high:?}");
        }
    }

    #[test]
    fn a_rating_between_two_steps_is_held_back_by_something_between() {
        for step in ladder() {
            let found = Handicap::of(step.elo.round() as u32);
            let near = found.nodes as f64 / step.handicap.nodes as f64;
            assert!((0.9..1.1).contains(&near), "{step:?} {found:?}");
        }
        let EloRange { least, most } = range();
        assert!(least < most);
        let all: Vec<Handicap> = (least..=most).map(Handicap::of).collect();
        assert!(all.is_sorted_by_key(|h| h.nodes) && all.is_sorted_by_key(|h| -h.margin));
        assert!(all[0].nodes < all[all.len() - 1].nodes);
    }

    #[test]
    fn a_handicap_is_written_as_two_numbers() {
        assert_eq!(Handicap::read("300:25"), Some(Handicap { nodes: 300, margin: 25 }));
        for text in ["", "300", "0:5", "5:-1", "5:1001", "five:5"] {
            assert_eq!(Handicap::read(text), None, "{text}");
        }
    }

    #[test]
    fn better_moves_are_likelier_and_the_best_is_all_there_is_without_others() {
        let mut lots = rng(1, 0);
        let mut counts = [0; 4];
        for _ in 0..6000 {
            counts[pick(&[0, 50, 75, 100], 100, &mut lots)] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0);
        assert_eq!(counts[3], 0);
        assert_eq!(pick(&[0], 1, &mut lots), 0);
    }
}
