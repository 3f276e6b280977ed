//! The number that search compares: an estimate, or a proven result.
//!
//! ```text
//!  -1_000_000 ─ lost in n plies ─ -900_000 ─ lost by m ─ -500_000 ─ estimates ─ 500_000 ─ won by m ─ 900_000 ─ won in n plies ─ 1_000_000
//! ```
//!
//! Games that count points (Othello, Go) end with "won by m"; the others with "won in n plies", so
//! that a quicker win and a later loss are preferred. Estimates are in hundredths of the
//! evaluator's unit (see [`Scale`](crate::Scale)).

use crate::{Outcome, Side};
use std::fmt;
use std::ops::Neg;

/// A value from the point of view of the side to move. Order is preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(pub i32);

/// What a [`Score`] says, taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Not proven: hundredths of the evaluator's unit.
    Estimate(i32),
    /// Proven win in this many plies.
    WonIn(u32),
    /// Proven loss in this many plies.
    LostIn(u32),
    /// Proven win by this many points.
    WonBy(f32),
    /// Proven loss by this many points.
    LostBy(f32),
}

impl Score {
    /// Nothing is greater: a bound for windows, never a value.
    pub const INFINITE: Score = Score(1_000_001);
    /// A draw, or equality.
    pub const DRAW: Score = Score(0);
    /// Won now; a win in n plies is n less.
    const WIN: i32 = 1_000_000;
    /// From here on, distances.
    const DISTANCES: i32 = 900_000;
    /// From here on, margins in half points.
    const MARGINS: i32 = 500_000;
    /// The largest estimate; evaluators clamp to it.
    pub const MAX_ESTIMATE: i32 = 499_999;

    /// An estimate in hundredths of a unit, clamped to the range of estimates.
    #[must_use]
    pub fn estimate(hundredths: i32) -> Score {
        Score(hundredths.clamp(-Self::MAX_ESTIMATE, Self::MAX_ESTIMATE))
    }

    /// A proven win in so many plies.
    #[must_use]
    pub fn won_in(plies: u32) -> Score {
        Score(Self::WIN - plies.min(99_999) as i32)
    }

    /// A proven loss in so many plies.
    #[must_use]
    pub fn lost_in(plies: u32) -> Score {
        -Score::won_in(plies)
    }

    /// A proven win by so many points (0.5 steps).
    #[must_use]
    pub fn won_by(margin: f32) -> Score {
        Score(Self::MARGINS + ((margin * 2.0) as i32).clamp(0, 399_999))
    }

    /// The score of a finished game for `side`, reached `ply` plies below the root.
    #[must_use]
    pub fn of_outcome(outcome: &Outcome, side: Side, ply: u32) -> Score {
        let Some(winner) = outcome.winner else { return Score::DRAW };
        let score = match outcome.margin {
            Some(margin) => Score::won_by(margin),
            None => Score::won_in(ply),
        };
        if winner == side { score } else { -score }
    }

    /// Is this a proven win or loss?
    #[must_use]
    pub fn is_proven(self) -> bool {
        self.0.abs() >= Self::MARGINS
    }

    /// Does this score depend on the distance from the root? Transposition tables store such
    /// scores relative to the node.
    #[must_use]
    pub fn is_distance(self) -> bool {
        self.0.abs() >= Self::DISTANCES
    }

    /// Shifts a distance score `plies` away from (positive) or towards (negative) the root;
    /// leaves other scores alone.
    #[must_use]
    pub fn delayed(self, plies: i32) -> Score {
        if self.0 >= Self::DISTANCES {
            Score(self.0 - plies)
        } else if self.0 <= -Self::DISTANCES {
            Score(self.0 + plies)
        } else {
            self
        }
    }

    /// Taken apart.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        let size = self.0.abs();
        let won = self.0 > 0;
        if size >= Self::DISTANCES {
            let plies = (Self::WIN - size).max(0) as u32;
            if won { Verdict::WonIn(plies) } else { Verdict::LostIn(plies) }
        } else if size >= Self::MARGINS {
            let margin = (size - Self::MARGINS) as f32 / 2.0;
            if won { Verdict::WonBy(margin) } else { Verdict::LostBy(margin) }
        } else {
            Verdict::Estimate(self.0)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// "+0.35", "won in 5", "lost by 12".
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict() {
            Verdict::Estimate(e) => write!(f, "{:+.2}", f64::from(e) / 100.0),
            Verdict::WonIn(n) => write!(f, "won in {n}"),
            Verdict::LostIn(n) => write!(f, "lost in {n}"),
            Verdict::WonBy(m) => write!(f, "won by {m}"),
            Verdict::LostBy(m) => write!(f, "lost by {m}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quicker_win_and_a_later_loss_are_preferred() {
        assert!(Score::won_in(3) > Score::won_in(5));
        assert!(Score::lost_in(5) > Score::lost_in(3));
        assert!(Score::won_in(9999) > Score::won_by(64.0));
        assert!(Score::won_by(1.0) > Score::estimate(i32::MAX));
        assert!(Score::lost_in(0) < Score::estimate(i32::MIN + 1));
        assert!(Score::INFINITE > Score::won_in(0));
    }

    #[test]
    fn delaying_moves_distances_only() {
        assert_eq!(Score::won_in(3).delayed(2), Score::won_in(5));
        assert_eq!(Score::lost_in(3).delayed(2), Score::lost_in(5));
        assert_eq!(Score::won_by(3.0).delayed(2), Score::won_by(3.0));
        assert_eq!(Score::estimate(7).delayed(2), Score::estimate(7));
    }

    #[test]
    fn verdicts_take_scores_apart() {
        assert_eq!(Score::won_in(4).verdict(), Verdict::WonIn(4));
        assert_eq!((-Score::won_by(6.5)).verdict(), Verdict::LostBy(6.5));
        assert_eq!(Score::estimate(-12).verdict(), Verdict::Estimate(-12));
    }
}
