//! What is a position worth when both sides play perfectly?

use std::cmp::Ordering;
use std::fmt;
use zug_core::Score;

/// The value of a position for its side to move, with the distance in plies: the winner hurries,
/// the loser delays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Lost in so many plies.
    Loss(u16),
    /// Nobody can force a win.
    Draw,
    /// Won in so many plies.
    Win(u16),
}

impl Value {
    /// What a move to a position of this value is worth for whoever makes it.
    #[must_use]
    pub fn for_mover(self) -> Value {
        match self {
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(plies + 1),
        }
    }

    /// As a score of the search.
    #[must_use]
    pub fn score(self) -> Score {
        match self {
            Value::Loss(plies) => Score::lost_in(u32::from(plies)),
            Value::Draw => Score::DRAW,
            Value::Win(plies) => Score::won_in(u32::from(plies)),
        }
    }

    /// Plies to the end; `None` for a draw.
    #[must_use]
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Loss(plies) | Value::Win(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    fn rank(self) -> i32 {
        match self {
            Value::Loss(plies) => i32::from(plies) - 100_000,
            Value::Draw => 0,
            Value::Win(plies) => 100_000 - i32::from(plies),
        }
    }
}

/// The greater is the better for the side to move.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Loss(plies) => write!(f, "lost in {plies}"),
            Value::Draw => write!(f, "draw"),
            Value::Win(plies) => write!(f, "won in {plies}"),
        }
    }
}

/// What a slot of a finished database holds, as a number.
///
/// ```text
/// 0 no position   1 the same as a lower slot   2 draw   3 + 2n lost in n   4 + 2n won in n
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl Code {
    /// A slot without a position.
    pub const ILLEGAL: Code = Code(0);
    /// A slot whose position is the same as that of a lower slot.
    pub const DUPLICATE: Code = Code(1);
    /// A drawn position.
    pub const DRAW: Code = Code(2);

    /// The value, if the slot holds a position of its own.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        match self.0 {
            0 | 1 => None,
            2 => Some(Value::Draw),
            code if code % 2 == 1 => Some(Value::Loss((code - 3) / 2)),
            code => Some(Value::Win((code - 4) / 2)),
        }
    }
}

impl From<Value> for Code {
    fn from(value: Value) -> Code {
        match value {
            Value::Draw => Code::DRAW,
            Value::Loss(plies) => Code(3 + 2 * plies),
            Value::Win(plies) => Code(4 + 2 * plies),
        }
    }
}

/// The longest distance that a [`Code`] can hold.
pub const MOST_PLIES: u16 = (u16::MAX - 4) / 2;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_and_values_are_each_others_inverse(plies in 0..=MOST_PLIES) {
            for value in [Value::Loss(plies), Value::Draw, Value::Win(plies)] {
                prop_assert_eq!(Code::from(value).value(), Some(value));
            }
        }
    }

    #[test]
    fn a_quick_win_is_best_and_a_slow_loss_is_better_than_a_quick_one() {
        let order = [Value::Loss(0), Value::Loss(9), Value::Draw, Value::Win(9), Value::Win(0)];
        assert!(order.is_sorted());
        assert_eq!(Value::Loss(3).for_mover(), Value::Win(4));
        assert_eq!(Value::Win(3).for_mover(), Value::Loss(4));
    }
}
