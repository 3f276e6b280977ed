//! What is a position worth to its mover if both sides know the book?
//!
//! The chance of the thesis is a number or an infinity: the value at the end of the line that both
//! sides would follow. Infinities are results, numbers are estimates of positions not yet played.
//!
//! Beyond the thesis, infinities are ordered, since a book must choose between two wins and, worse,
//! between two losses:
//!
//! ```text
//! proven loss < played loss < draw counted as a loss < estimates < draw counted as a win < played win < proven win
//! ```
//!
//! and within a class a larger margin of the win is better, then an earlier one; of losses the
//! smaller, then the later. Negation turns the order round, so that NegaMax works as with numbers.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;
use zug_core::{Score, Verdict};

/// A known result at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// Proven, by the rules or by a search to the end; not only the result of a played game.
    pub proven: bool,
    /// By how much, in the game's points; 1 where it counts none, 0 for a draw that counts as a
    /// win or a loss.
    pub margin: u32,
    /// The ply at which it is known.
    pub ply: u32,
}

/// A chance from the point of view of a side. Order is preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// −∞: the known lines lose.
    Lost(End),
    /// An estimate, in hundredths of the evaluator's unit; 0 is also a known draw.
    Estimate(i32),
    /// +∞: the known lines win.
    Won(End),
}

impl Chance {
    /// A draw.
    pub const DRAW: Chance = Chance::Estimate(0);
    /// Whatever is below is a loss.
    pub(crate) const LEAST_ESTIMATE: Chance = Chance::Estimate(i32::MIN);

    /// What a search found in a position at `ply`, from the view of its mover. Proven scores become
    /// infinite.
    #[must_use]
    pub fn of_score(score: Score, ply: u32) -> Chance {
        let by = |margin: f32| End { proven: true, margin: (margin.ceil() as u32).max(1), ply };
        let in_plies = |n: u32| End { proven: true, margin: 1, ply: ply.saturating_add(n) };
        match score.verdict() {
            Verdict::Estimate(hundredths) => Chance::Estimate(hundredths),
            Verdict::WonBy(margin) => Chance::Won(by(margin)),
            Verdict::LostBy(margin) => Chance::Lost(by(margin)),
            Verdict::WonIn(plies) => Chance::Won(in_plies(plies)),
            Verdict::LostIn(plies) => Chance::Lost(in_plies(plies)),
        }
    }

    /// An estimate or a draw, no win or loss.
    #[must_use]
    pub fn is_finite(self) -> bool {
        matches!(self, Chance::Estimate(_))
    }

    /// In the evaluator's unit, with the infinities of the thesis.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        match self {
            Chance::Lost(_) => f64::NEG_INFINITY,
            Chance::Estimate(hundredths) => f64::from(hundredths) / 100.0,
            Chance::Won(_) => f64::INFINITY,
        }
    }

    /// A tuple whose order is the order of chances: class, then margin or estimate, then ply.
    fn rank(self) -> (i8, i64, i64) {
        let class = |end: End| match (end.margin, end.proven) {
            (0, _) => 1,
            (_, false) => 2,
            (_, true) => 3,
        };
        match self {
            Chance::Lost(end) => (-class(end), -i64::from(end.margin), i64::from(end.ply)),
            Chance::Estimate(hundredths) => (0, i64::from(hundredths), 0),
            Chance::Won(end) => (class(end), i64::from(end.margin), -i64::from(end.ply)),
        }
    }

    /// From proven loss to proven win, without margins: −3 to 3.
    pub(crate) fn class(self) -> i8 {
        self.rank().0
    }
}

impl Ord for Chance {
    fn cmp(&self, other: &Chance) -> Ordering {
        // Two draws that count alike can differ in `proven` alone; equality must agree with order.
        let proven = |c: Chance| match c {
            Chance::Lost(end) => -i8::from(end.proven),
            Chance::Estimate(_) => 0,
            Chance::Won(end) => i8::from(end.proven),
        };
        (self.rank(), proven(*self)).cmp(&(other.rank(), proven(*other)))
    }
}

impl PartialOrd for Chance {
    fn partial_cmp(&self, other: &Chance) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for Chance {
    type Output = Chance;
    fn neg(self) -> Chance {
        match self {
            Chance::Lost(end) => Chance::Won(end),
            // The one estimate without a counterpart is no score either.
            Chance::Estimate(hundredths) => Chance::Estimate(hundredths.saturating_neg()),
            Chance::Won(end) => Chance::Lost(end),
        }
    }
}

/// "+0.35", "won by 12", "lost by 1 (proven)", "drawn, which counts as lost".
impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, end) = match self {
            Chance::Estimate(hundredths) => {
                return write!(f, "{:+.2}", f64::from(*hundredths) / 100.0);
            }
            Chance::Lost(end) => ("lost", end),
            Chance::Won(end) => ("won", end),
        };
        match end.margin {
            0 => write!(f, "drawn, which counts as {word}")?,
            margin => write!(f, "{word} by {margin}")?,
        }
        if end.proven { f.write_str(" (proven)") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn end(proven: bool, margin: u32, ply: u32) -> End {
        End { proven, margin, ply }
    }

    #[test]
    fn chances_are_ordered_from_the_proven_loss_to_the_proven_win() {
        let rising = [
            Chance::Lost(end(true, 9, 5)),
            Chance::Lost(end(true, 2, 5)),
            Chance::Lost(end(false, 30, 5)),
            Chance::Lost(end(false, 2, 5)),
            Chance::Lost(end(false, 2, 9)),
            Chance::Lost(end(true, 0, 9)),
            Chance::Estimate(-700),
            Chance::DRAW,
            Chance::Estimate(10),
            Chance::Won(end(false, 0, 9)),
            Chance::Won(end(false, 2, 9)),
            Chance::Won(end(false, 2, 5)),
            Chance::Won(end(false, 30, 5)),
            Chance::Won(end(true, 2, 5)),
            Chance::Won(end(true, 9, 5)),
        ];
        assert!(rising.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn proven_scores_become_infinite_with_their_margins() {
        assert_eq!(Chance::of_score(Score::estimate(35), 7), Chance::Estimate(35));
        assert_eq!(Chance::of_score(Score::won_by(6.5), 7), Chance::Won(end(true, 7, 7)));
        assert_eq!(Chance::of_score(-Score::won_by(12.0), 7), Chance::Lost(end(true, 12, 7)));
        assert_eq!(Chance::of_score(Score::won_in(3), 7), Chance::Won(end(true, 1, 10)));
        assert_eq!(Chance::of_score(Score::lost_in(4), 7), Chance::Lost(end(true, 1, 11)));
        assert_eq!(Chance::of_score(Score::won_in(3), 7).as_f64(), f64::INFINITY);
    }

    #[test]
    fn chances_are_written_in_words() {
        assert_eq!(Chance::Estimate(-35).to_string(), "-0.35");
        assert_eq!(Chance::Won(end(true, 12, 3)).to_string(), "won by 12 (proven)");
        assert_eq!(Chance::Lost(end(false, 0, 3)).to_string(), "drawn, which counts as lost");
    }

    fn chance() -> impl Strategy<Value = Chance> {
        let end = (any::<bool>(), 0u32..3, 0u32..3).prop_map(|(proven, margin, ply)| End {
            proven,
            margin,
            ply,
        });
        prop_oneof![
            end.clone().prop_map(Chance::Lost),
            (-2i32..3).prop_map(Chance::Estimate),
            end.prop_map(Chance::Won),
        ]
    }

    proptest! {
        #[test]
        fn negation_turns_the_order_round(a in chance(), b in chance()) {
            prop_assert_eq!(a.cmp(&b), (-b).cmp(&-a));
            prop_assert_eq!(-(-a), a);
            prop_assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
        }
    }
}
