//! How does one small number hold a distance, a counter, or the fact that nothing is known?
//!
//! The one-byte code of §3.5, after Gasser. Distances grow from the bottom, counters from the top:
//!
//! ```text
//! 0, 1, 2, …        lost or won in so many plies
//! … 252 251 250     1, 2, 3, … successors are not yet proven won; in the end, a draw
//!     253           the same position as a lower cell
//!     254           no position
//!     255           nothing known; in the end, a draw
//! ```
//!
//! (The print gives the counters the numbers below 255 and no number to cells without a position.)
//! Two bytes have the same picture with 65,535 on top.

use super::ThesisError;
use crate::value::{Code, MOST_PLIES, Value};

/// Which terminal positions a game has. In the first two cases parity alone tells who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Whoever makes the last move wins: terminal positions are lost for the side to move, losses
    /// have even distances.
    LastMoverWins,
    /// Whoever makes the last move loses: wins have even distances.
    LastMoverLoses,
    /// There are both: a number is twice the distance, plus one for a win.
    Both,
}

impl Ends {
    /// From what was met among the terminal positions.
    pub(super) fn of(lost: bool, won: bool) -> Ends {
        match (lost, won) {
            (true, true) => Ends::Both,
            (false, true) => Ends::LastMoverLoses,
            _ => Ends::LastMoverWins,
        }
    }

    /// The number of a value.
    pub(super) fn number(self, won: bool, plies: u32) -> u32 {
        match self {
            Ends::Both => 2 * plies + u32::from(won),
            Ends::LastMoverWins | Ends::LastMoverLoses => {
                debug_assert_eq!(self.won(plies), won, "parity tells who wins");
                plies
            }
        }
    }

    fn won(self, number: u32) -> bool {
        match self {
            Ends::Both | Ends::LastMoverWins => number % 2 == 1,
            Ends::LastMoverLoses => number.is_multiple_of(2),
        }
    }

    fn value(self, number: u32) -> (bool, u32) {
        (self.won(number), if self == Ends::Both { number / 2 } else { number })
    }
}

/// What a cell holds during generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Illegal,
    Duplicate,
    Unknown,
    /// So many successors are not yet proven won.
    Remaining(u32),
    Value {
        won: bool,
        plies: u32,
    },
}

impl State {
    /// What it is when nothing more is found out.
    pub(super) fn finished(self) -> Code {
        match self {
            State::Illegal => Code::ILLEGAL,
            State::Duplicate => Code::DUPLICATE,
            State::Unknown | State::Remaining(_) => Code::DRAW,
            State::Value { won: true, plies } => Value::Win(plies as u16).into(),
            State::Value { won: false, plies } => Value::Loss(plies as u16).into(),
        }
    }
}

/// The code with the limits reached so far: distances below, counters above, and they must not meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coding {
    pub(super) ends: Ends,
    /// 255 or 65,535.
    top: u32,
    /// One more than the largest number of a value so far.
    above_values: u32,
    /// The lowest number of a counter so far.
    lowest_counter: u32,
}

impl Coding {
    pub(super) fn new(ends: Ends, width: u8) -> Coding {
        let top = if width == 1 { 0xFF } else { 0xFFFF };
        Coding { ends, top, above_values: 0, lowest_counter: top - 2 }
    }

    /// Counts the numbers that were given out under another code as given out under this one.
    pub(super) fn admit(&mut self, other: Coding) {
        self.above_values = self.above_values.max(other.above_values);
        self.lowest_counter = self.lowest_counter.min(other.lowest_counter);
    }

    /// The same for two bytes, and how a one-byte number is translated.
    pub(super) fn widened(self) -> (Coding, impl Fn(u16) -> u16) {
        let up = 0xFFFF - self.top;
        let lowest_counter = self.lowest_counter + up;
        let above = self.above_values;
        let map = move |n: u16| if u32::from(n) < above { n } else { n + up as u16 };
        (Coding { top: 0xFFFF, lowest_counter, ..self }, map)
    }

    pub(super) fn is_wide(&self) -> bool {
        self.top == 0xFFFF
    }

    /// The number to store for a state; `None` if it would meet the other kind of numbers.
    pub(super) fn encode(&mut self, state: State) -> Result<Option<u16>, ThesisError> {
        let number = match state {
            State::Unknown => self.top,
            State::Illegal => self.top - 1,
            State::Duplicate => self.top - 2,
            State::Remaining(left) => {
                let Some(number) = (self.top - 2).checked_sub(left) else { return Ok(None) };
                if number < self.above_values {
                    return Ok(None);
                }
                self.lowest_counter = self.lowest_counter.min(number);
                number
            }
            State::Value { won, plies } => {
                if plies > u32::from(MOST_PLIES) {
                    return Err(ThesisError::TooLong);
                }
                let number = self.ends.number(won, plies);
                if number >= self.lowest_counter {
                    return Ok(None);
                }
                self.above_values = self.above_values.max(number + 1);
                number
            }
        };
        Ok(Some(number as u16))
    }

    pub(super) fn decode(&self, number: u16) -> State {
        let number = u32::from(number);
        if number < self.above_values {
            let (won, plies) = self.ends.value(number);
            return State::Value { won, plies };
        }
        match self.top.saturating_sub(number) {
            0 => State::Unknown,
            1 => State::Illegal,
            2 => State::Duplicate,
            more => State::Remaining(more - 2),
        }
    }

    /// The longest distance and the largest counter met, for the message about their collision.
    pub(super) fn reached(&self) -> (u32, u32) {
        let (_, plies) = self.ends.value(self.above_values.saturating_sub(1));
        (plies, self.top - 2 - self.lowest_counter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_before_and_after_widening(
            ends in 0..3, plies in 0u32..100, left in 1u32..100,
        ) {
            let ends = [Ends::LastMoverWins, Ends::LastMoverLoses, Ends::Both][ends as usize];
            let mut coding = Coding::new(ends, 1);
            let value = State::Value { won: ends.won(plies), plies };
            for state in [State::Illegal, State::Duplicate, State::Unknown, State::Remaining(left), value] {
                let Some(number) = coding.encode(state).unwrap() else {
                    prop_assert!(ends.number(ends.won(plies), plies) >= 253 - left);
                    continue;
                };
                prop_assert_eq!(coding.decode(number), state);
                let (wide, map) = coding.widened();
                prop_assert_eq!(wide.decode(map(number)), state);
            }
        }
    }

    #[test]
    fn a_distance_and_a_counter_that_share_a_number_are_noticed_from_both_sides() {
        let won = |plies| State::Value { won: plies % 2 == 1, plies };
        let mut coding = Coding::new(Ends::LastMoverWins, 1);
        assert_eq!(coding.encode(State::Remaining(53)).unwrap(), Some(200));
        assert_eq!(coding.encode(won(199)).unwrap(), Some(199));
        assert_eq!(coding.encode(won(200)).unwrap(), None);
        let mut coding = Coding::new(Ends::LastMoverWins, 1);
        assert_eq!(coding.encode(won(200)).unwrap(), Some(200));
        assert_eq!(coding.encode(State::Remaining(52)).unwrap(), Some(201));
        assert_eq!(coding.encode(State::Remaining(53)).unwrap(), None);
        assert_eq!(coding.encode(State::Remaining(1000)).unwrap(), None);
        let (mut wide, _) = coding.widened();
        assert_eq!(wide.encode(State::Remaining(1000)).unwrap(), Some(0xFFFF - 1002));
        assert!(matches!(wide.encode(won(40_000)), Err(ThesisError::TooLong)));
    }
}
