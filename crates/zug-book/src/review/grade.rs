//! When is a loss a mistake, and a blunder?

use super::Worth;
use zug_core::{Mark, Scale, Score};

/// What losses are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Discs: the margin of the game itself.
    Discs,
    /// Hundredths of the chance to win.
    Percent,
}

impl Unit {
    /// Players that count discs are graded by discs, all others by the chance to win: half a pawn is
    /// much in an even position and nothing in a won one.
    #[must_use]
    pub fn of(scale: Scale) -> Unit {
        if scale == Scale::Discs { Unit::Discs } else { Unit::Percent }
    }

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Discs => "discs",
            Unit::Percent => "percent of the chance to win",
        }
    }

    /// The same for programs.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Unit::Discs => "discs",
            Unit::Percent => "percent",
        }
    }

    /// The most that can be lost.
    #[must_use]
    pub fn most(self) -> f64 {
        match self {
            Unit::Discs => 128.0,
            Unit::Percent => 100.0,
        }
    }

    /// A value in this unit.
    #[must_use]
    pub fn of_worth(self, worth: Worth) -> f64 {
        match self {
            Unit::Discs => worth.points(64.0),
            Unit::Percent => 100.0 * worth.chance,
        }
    }
}

/// From which loss on a move is an error, and a blunder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grading {
    /// What the two are counted in.
    pub unit: Unit,
    /// `?`.
    pub error: f64,
    /// `??`.
    pub blunder: f64,
}

/// What a move gave away for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrown {
    /// It was won and is lost.
    Win,
    /// It was won and is drawn.
    HalfTheWin,
    /// It was drawn and is lost.
    Draw,
}

impl Thrown {
    /// What the best and the played move prove together.
    #[must_use]
    pub fn of(best: Worth, played: Worth) -> Option<Thrown> {
        let sign = |worth: Worth| worth.score.cmp(&Score::DRAW) as i32;
        match (best.is_settled() && played.is_settled(), sign(best), sign(played)) {
            (true, 1, -1) => Some(Thrown::Win),
            (true, 1, 0) => Some(Thrown::HalfTheWin),
            (true, 0, -1) => Some(Thrown::Draw),
            _ => None,
        }
    }

    /// "the win", "the draw".
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Thrown::Win | Thrown::HalfTheWin => "the win",
            Thrown::Draw => "the draw",
        }
    }
}

impl Grading {
    /// What is usual for a player with this scale.
    #[must_use]
    pub fn usual(scale: Scale) -> Grading {
        let unit = Unit::of(scale);
        let (error, blunder) = match unit {
            Unit::Discs => (2.0, 6.0),
            Unit::Percent => (10.0, 20.0),
        };
        Grading { unit, error, blunder }
    }

    /// From here on a move is worth a second look: `?!`.
    #[must_use]
    pub fn doubtful(&self) -> f64 {
        self.error / 2.0
    }

    /// The mark of a loss. Whoever provably throws a win away blunders, however few discs that are.
    #[must_use]
    pub fn mark(&self, loss: f64, thrown: Option<Thrown>) -> Option<Mark> {
        // Sums of hundredths are a little less than they should be.
        let at_least = |threshold: f64| loss >= threshold - 1e-9;
        match thrown {
            Some(Thrown::Win) => Some(Mark::Blunder),
            _ if at_least(self.blunder) => Some(Mark::Blunder),
            Some(_) => Some(Mark::Mistake),
            None if at_least(self.error) => Some(Mark::Mistake),
            None if at_least(self.doubtful()) => Some(Mark::Doubtful),
            None => None,
        }
    }
}
