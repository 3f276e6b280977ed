//! Who moves, and how a game ended.

use std::fmt;

/// One of the two players, named by the order of moving: the first to move in the start position
/// and the other. What people call them (black, white, left, …) is
/// [`Game::side_name`](crate::Game::side_name).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that moves first in the start position.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, in order of moving.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second: an index into pairs.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The end of a game: the winner (`None` for a draw), the margin where the game counts points, and
/// the reason in words.
///
/// ```
/// use zug_core::{Outcome, Side};
/// let o = Outcome::win(Side::First, "checkmate");
/// assert_eq!(o.points(Side::First), 1.0);
/// assert_eq!(o.points(Side::Second), 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The side that won, or `None` for a draw.
    pub winner: Option<Side>,
    /// Points, discs or stones by which the winner leads; `None` in games without points. Half
    /// points occur in Go.
    pub margin: Option<f32>,
    /// Why the game ended, in plain words: "checkmate", "three in a row", "threefold repetition".
    pub reason: &'static str,
}

impl Outcome {
    /// A win without points.
    #[must_use]
    pub const fn win(winner: Side, reason: &'static str) -> Outcome {
        Outcome { winner: Some(winner), margin: None, reason }
    }

    /// A draw without points.
    #[must_use]
    pub const fn draw(reason: &'static str) -> Outcome {
        Outcome { winner: None, margin: None, reason }
    }

    /// The outcome of a game that counts points; `lead` is the first side's points minus the
    /// second side's.
    #[must_use]
    pub fn by_points(lead: f32, reason: &'static str) -> Outcome {
        let winner = if lead > 0.0 {
            Some(Side::First)
        } else if lead < 0.0 {
            Some(Side::Second)
        } else {
            None
        };
        Outcome { winner, margin: Some(lead.abs()), reason }
    }

    /// 1 for a win of `side`, ½ for a draw, 0 for a loss.
    #[must_use]
    pub fn points(&self, side: Side) -> f64 {
        match self.winner {
            Some(w) if w == side => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}
