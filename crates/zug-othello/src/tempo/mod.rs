//! Does an evaluation favour the side to move, and by how much?
//!
//! Examples come from games with random moves and mistakes in them: the side to move often has
//! something to win that a good opponent would not have left there. At the leaves of a search the
//! opponent has played well, and there such an evaluation thinks too well (or, early in the game, too
//! badly) of whoever is to move. So values swing from one depth to the next: at odd depths one side
//! is to move at the leaves, at even ones the other.
//!
//! Passes take no depth, so all leaves of a search have the same disc count. If the evaluation of a
//! position with `k` discs is too high by `t[k]` for its mover, a search of `d` plies from `n` discs is
//! off by `(-1)^d t[n + d]`, whatever it finds. The difference of two depths is therefore
//!
//! ```text
//!   (-1)^d (V_d - V_{d+1}) = t[n + d] + t[n + d + 1]
//! ```
//!
//! and its mean over many positions tells the sums of neighbours of `t`. [`Curve`] holds these means,
//! [`Curve::tempo`] the smoothest `t` that explains them. A [`Tempo`] is part of a model and is
//! taken off each value: a table of one number for each disc count, which costs nothing.
//!
//! | file | answers |
//! |---|---|
//! | `curve` | how far do neighbouring depths lie apart, and what explains it? |
//! | `learn` | the whole way, from games to a corrected model |

mod curve;
mod learn;

pub use curve::{Curve, Point};
pub use learn::{LearnedTempo, TempoOrder, learn};

/// Disc counts.
const DISCS: usize = 65;

/// How much too well an evaluation thinks of the side to move, by disc count, in hundredths of a
/// disc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tempo([i16; DISCS]);

impl Default for Tempo {
    fn default() -> Tempo {
        Tempo::NONE
    }
}

impl Tempo {
    /// Nothing to take off.
    pub const NONE: Tempo = Tempo([0; DISCS]);

    /// From numbers for 0 to 64 discs.
    #[must_use]
    pub fn new(hundredths: [i16; DISCS]) -> Tempo {
        Tempo(hundredths)
    }

    /// What is too much for the side to move, in hundredths of a disc.
    #[must_use]
    #[inline]
    pub fn of(&self, discs: u32) -> i32 {
        i32::from(self.0[discs.min(64) as usize])
    }

    /// Is there nothing to take off?
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Tempo::NONE
    }

    /// As bytes, low before high.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// From bytes; `None` where they are no table of numbers that make sense.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Tempo> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut table = [0; DISCS];
        if pairs.len() != DISCS || !rest.is_empty() {
            return None;
        }
        for (value, pair) in table.iter_mut().zip(pairs) {
            *value = i16::from_le_bytes(*pair);
        }
        table.iter().all(|value| value.unsigned_abs() <= 6400).then_some(Tempo(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_survives_as_bytes_and_nonsense_is_refused() {
        let mut table = [0; DISCS];
        (table[9], table[64]) = (-123, 6400);
        let tempo = Tempo::new(table);
        assert_eq!(Tempo::from_bytes(&tempo.to_bytes()), Some(tempo.clone()));
        assert_eq!(Tempo::from_bytes(&tempo.to_bytes()[1..]), None);
        assert_eq!(Tempo::from_bytes(&[0; 131]), None);
        table[3] = 6401;
        assert_eq!(Tempo::from_bytes(&Tempo::new(table).to_bytes()), None);
    }
}
