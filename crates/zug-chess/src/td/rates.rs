//! How large is a step, for each position type?
//!
//! TD-Leaf-ComplexEval(λ) has one rate for each type (the thesis's chapter 4): all begin at 1, and
//! those of the types that were trained get smaller. How, the thesis does not say; here the rate of
//! a type is 1/(1 + n/c), with n counted in games or in positions of that type. A type that did not
//! occur keeps its rate and its weights, bit for bit.
//!
//! Beyond the thesis, each weight may have a rate of its own, from the sizes of its earlier steps
//! (RMSProp, Adam).

use super::lesson::Sums;
use serde::{Deserialize, Serialize};

/// What the use of a type is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decay {
    /// Rates stay as they are.
    None,
    /// Games in which the type occurred.
    Games,
    /// Positions of the type.
    Positions,
}

/// How the sum over a game becomes a change of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Descent {
    /// By the type's rate alone.
    Plain,
    /// Each weight's step is divided by the root of the mean square of its sums so far.
    RmsProp,
    /// The same with momentum.
    Adam,
}

/// How large steps are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The rate of every type at the beginning: 1.
    pub start: f64,
    /// What a rate of 1 means: hundredths of a pawn for each unit of error (see
    /// [`Squash::unit`](super::lesson::Squash::unit)). For RMSProp and Adam: the size of a step.
    pub step: f64,
    /// How rates fall.
    pub decay: Decay,
    /// c: after so many games or positions a rate is half of what it was.
    pub half: f64,
    /// Plain, or a rate for each weight.
    pub descent: Descent,
    /// No weight moves by more than this in one step, in hundredths of a pawn.
    pub most: f64,
}

/// What has been seen of one type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Games in which it occurred.
    pub games: u64,
    /// Positions.
    pub positions: u64,
}

impl Rates {
    /// The rate of a type of which so much has been seen.
    #[must_use]
    pub fn rate(&self, seen: Seen) -> f64 {
        let used = match self.decay {
            Decay::None => return self.start,
            Decay::Games => seen.games,
            Decay::Positions => seen.positions,
        };
        self.start / (1.0 + used as f64 / self.half)
    }
}

/// What the descents of single weights remember: for every weight the mean of its sums, the mean of
/// their squares, and how often it was touched. Empty for the plain one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// Means of sums.
    pub mean: Vec<f64>,
    /// Means of squares.
    pub square: Vec<f64>,
    /// Steps so far.
    pub steps: Vec<f64>,
}

impl Memory {
    /// As much as the descent needs for so many weights.
    #[must_use]
    pub fn new(descent: Descent, weights: usize) -> Memory {
        match descent {
            Descent::Plain => Memory::default(),
            Descent::RmsProp | Descent::Adam => Memory {
                mean: vec![0.0; weights],
                square: vec![0.0; weights],
                steps: vec![0.0; weights],
            },
        }
    }
}

const MEAN_KEEPS: f64 = 0.9;
const SQUARE_KEEPS: f64 = 0.99;
/// Sums are on a scale on which an error is at most 2.
const TINY: f64 = 1e-3;

/// A change of one weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Its index.
    pub weight: u32,
    /// By how much, in hundredths of a pawn.
    pub by: f64,
}

/// What the sums over a game (or over several) move the weights by. `rate_of` tells the rate of the
/// type that a weight belongs to; weights for which `frozen` says so stay.
pub fn changes(
    rates: &Rates,
    unit: f64,
    sums: &Sums,
    rate_of: &dyn Fn(u32) -> f64,
    frozen: &dyn Fn(u32) -> bool,
    memory: &mut Memory,
) -> Vec<Change> {
    let mut out = Vec::with_capacity(sums.len());
    for (&weight, &sum) in sums {
        if frozen(weight) {
            continue;
        }
        // On the scale of errors times counts, whatever the squashing.
        let sum = sum * unit;
        let direction = match rates.descent {
            Descent::Plain => sum,
            Descent::RmsProp | Descent::Adam => {
                let i = weight as usize;
                memory.steps[i] += 1.0;
                let n = memory.steps[i];
                memory.mean[i] = MEAN_KEEPS * memory.mean[i] + (1.0 - MEAN_KEEPS) * sum;
                memory.square[i] =
                    SQUARE_KEEPS * memory.square[i] + (1.0 - SQUARE_KEEPS) * sum * sum;
                let square = memory.square[i] / (1.0 - SQUARE_KEEPS.powf(n));
                let mean = match rates.descent {
                    Descent::Adam => memory.mean[i] / (1.0 - MEAN_KEEPS.powf(n)),
                    _ => sum,
                };
                mean / (square.sqrt() + TINY)
            }
        };
        let by = (rate_of(weight) * rates.step * direction).clamp(-rates.most, rates.most);
        if by != 0.0 {
            out.push(Change { weight, by });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(descent: Descent) -> Rates {
        Rates { start: 1.0, step: 2.0, decay: Decay::Positions, half: 100.0, descent, most: 50.0 }
    }

    #[test]
    fn rates_begin_at_one_and_fall_with_the_use_of_their_own_type() {
        let mut r = rates(Descent::Plain);
        assert_eq!(r.rate(Seen::default()), 1.0);
        assert_eq!(r.rate(Seen { games: 3, positions: 100 }), 0.5);
        assert_eq!(r.rate(Seen { games: 3, positions: 300 }), 0.25);
        r.decay = Decay::Games;
        assert_eq!(r.rate(Seen { games: 100, positions: 9999 }), 0.5);
        r.decay = Decay::None;
        assert_eq!(r.rate(Seen { games: 100, positions: 9999 }), 1.0);
    }

    #[test]
    fn each_type_moves_by_its_own_rate_and_frozen_weights_stay() {
        let sums = Sums::from([(1, 0.5), (2, -0.25), (11, 0.5), (12, 100.0)]);
        let mut memory = Memory::new(Descent::Plain, 20);
        let rate_of = |w: u32| if w < 10 { 1.0 } else { 0.5 };
        let found = changes(&rates(Descent::Plain), 4.0, &sums, &rate_of, &|w| w == 2, &mut memory);
        let expected = [(1, 4.0), (11, 2.0), (12, 50.0)];
        assert_eq!(found, expected.map(|(weight, by)| Change { weight, by }));
        assert_eq!(memory, Memory::default());
    }

    #[test]
    fn a_weight_with_a_rate_of_its_own_moves_by_steps_of_one_size() {
        for descent in [Descent::RmsProp, Descent::Adam] {
            let mut memory = Memory::new(descent, 2);
            for _ in 0..50 {
                let sums = Sums::from([(0, 0.01), (1, -10.0)]);
                let found = changes(&rates(descent), 1.0, &sums, &|_| 1.0, &|_| false, &mut memory);
                assert_eq!(found.len(), 2);
                assert!((found[0].by - 2.0).abs() < 0.25, "{found:?}");
                assert!((found[1].by + 2.0).abs() < 0.01, "{found:?}");
            }
        }
    }
}
