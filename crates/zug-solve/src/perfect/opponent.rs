//! How does a fallible opponent choose? A model with four numbers, and how to find them.
//!
//! The opponent sees a win or a loss exactly when it is at most `see` plies away; what lies beyond
//! is blurred, the more so the farther. Of what it perceives it makes a choice by softmax: the
//! better a move looks the likelier it is, and `heat` says how much the looks decide. Now and then
//! (`slip`) it does not look at all.
//!
//! ```text
//! perceived = ± 1                     up to `see` plies (+ for a win), 0 for a draw
//!           = ± blur^(plies - see)    beyond
//! chance    = (1 - slip) · softmax(perceived / heat) + slip / number of moves
//! ```
//!
//! The default is between what [`fit`] finds for ten simulated opponents together
//! ([`contest::OPPONENTS`](super::contest::OPPONENTS), 150 drawn and 150 won positions each):
//!
//! | opponents of | see | blur | heat | slip |
//! |---|---|---|---|---|
//! | Dodgem 4×4 | 6 | 0.85 | 0.1 | 0.3 |
//! | Losing Tic-Tac-Toe 4×4 | 4 | 0.8 | 0.2 | 0.1 |
//! | default | 4 | 0.8 | 0.1 | 0.15 |
//!
//! A search of depth 2 to 6 fits see 1 to 6, blur 0.7 to 0.85, heat 0.05 to 0.2; a perfect player
//! with noise fits heat 0.02 and a slip near its noise.

use crate::value::Value;

/// A model of a fallible opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opponent {
    /// Wins and losses within so many plies are seen exactly.
    pub see: u16,
    /// How much of a value is left with each ply beyond that, 0 to 1.
    pub blur: f64,
    /// The temperature: near 0 the best-looking move is always played.
    pub heat: f64,
    /// How often a move is played without looking.
    pub slip: f64,
}

impl Default for Opponent {
    fn default() -> Opponent {
        Opponent { see: 4, blur: 0.8, heat: 0.1, slip: 0.15 }
    }
}

impl Opponent {
    /// What a move of this value for its mover looks like, from -1 to 1.
    #[must_use]
    pub fn perceived(&self, value: Value) -> f64 {
        let clear = |plies: u16| match plies.saturating_sub(self.see) {
            0 => 1.0,
            beyond => self.blur.powi(i32::from(beyond)),
        };
        match value {
            Value::Win(plies) => clear(plies),
            Value::Draw => 0.0,
            Value::Loss(plies) => -clear(plies),
        }
    }

    /// The chance of each of some moves, given their values for the mover; they add up to 1.
    pub fn chances(&self, values: impl Iterator<Item = Value> + Clone, out: &mut Vec<f64>) {
        out.clear();
        let heat = self.heat.max(1e-3);
        let best = values.clone().map(|v| self.perceived(v)).fold(f64::NEG_INFINITY, f64::max);
        out.extend(values.map(|v| ((self.perceived(v) - best) / heat).exp()));
        let (total, even) = (out.iter().sum::<f64>(), self.slip / out.len() as f64);
        for chance in out.iter_mut() {
            *chance = (1.0 - self.slip) * *chance / total + even;
        }
    }

    /// The logarithm of the likelihood of what was observed.
    #[must_use]
    pub fn log_likelihood(&self, observations: &[Observation]) -> f64 {
        let mut chances = Vec::new();
        observations
            .iter()
            .map(|o| {
                self.chances(o.values.iter().copied(), &mut chances);
                // A choice that a model thinks impossible must not outweigh everything else.
                chances[o.chosen].max(1e-6).ln()
            })
            .sum()
    }
}

/// A decision that was watched.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The values of the legal moves, for the mover.
    pub values: Vec<Value>,
    /// The place of the one that was played.
    pub chosen: usize,
}

impl Observation {
    /// Does the decision say anything: do the values of its moves differ?
    #[must_use]
    pub fn is_telling(&self) -> bool {
        self.values.iter().any(|v| *v != self.values[0])
    }
}

const SEE: [u16; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16];
const BLUR: [f64; 9] = [0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95];
const HEAT: [f64; 10] = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0, 2.0];
const SLIP: [f64; 9] = [0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];

/// The model that makes the observations most likely: maximum likelihood on a grid, climbed one
/// number after the other (sight and blur together) from several starts until none can be
/// bettered.
#[must_use]
pub fn fit(observations: &[Observation]) -> Opponent {
    let telling: Vec<Observation> =
        observations.iter().filter(|o| o.is_telling()).cloned().collect();
    let mut best = (f64::NEG_INFINITY, Opponent::default());
    for see in [1, 4, 8] {
        let mut now = Opponent { see, ..Opponent::default() };
        let mut likelihood = now.log_likelihood(&telling);
        loop {
            let before = likelihood;
            for dial in 0..3 {
                for next in turned(&now, dial) {
                    let found = next.log_likelihood(&telling);
                    if found > likelihood + 1e-9 {
                        (likelihood, now) = (found, next);
                    }
                }
            }
            if likelihood <= before {
                break;
            }
        }
        if likelihood > best.0 {
            best = (likelihood, now);
        }
    }
    best.1
}

/// The models that differ from this one in one number, or in sight and blur.
fn turned(from: &Opponent, dial: usize) -> Vec<Opponent> {
    match dial {
        // A short sight and a strong blur explain much the same, so they are turned together.
        0 => SEE
            .iter()
            .flat_map(|&see| BLUR.iter().map(move |&blur| Opponent { see, blur, ..*from }))
            .collect(),
        1 => HEAT.iter().map(|&heat| Opponent { heat, ..*from }).collect(),
        _ => SLIP.iter().map(|&slip| Opponent { slip, ..*from }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    #[test]
    fn chances_add_up_and_the_better_look_is_likelier() {
        let opponent = Opponent { see: 3, blur: 0.5, heat: 0.3, slip: 0.1 };
        let values = [Value::Loss(2), Value::Loss(6), Value::Draw, Value::Win(5), Value::Win(3)];
        let mut chances = Vec::new();
        opponent.chances(values.into_iter(), &mut chances);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(chances.is_sorted(), "{chances:?}");
        assert!(chances[0] >= 0.02, "a slip can be any move");
        assert_eq!(opponent.perceived(Value::Loss(3)), -1.0);
        assert_eq!(opponent.perceived(Value::Loss(5)), -0.25);
    }

    #[test]
    fn the_fit_finds_the_model_that_made_the_choices() {
        let truth = Opponent { see: 5, blur: 0.5, heat: 0.2, slip: 0.1 };
        let mut rng = rng(7, 0);
        let mut chances = Vec::new();
        let observations: Vec<Observation> = (0..6000)
            .map(|_| {
                let values: Vec<Value> = (0..rng.random_range(2..6))
                    .map(|_| match rng.random_range(0..3) {
                        0 => Value::Draw,
                        1 => Value::Win(rng.random_range(1..15)),
                        _ => Value::Loss(rng.random_range(1..15)),
                    })
                    .collect();
                truth.chances(values.iter().copied(), &mut chances);
                let mut dart: f64 = rng.random();
                let chosen = chances.iter().position(|c| {
                    dart -= c;
                    dart < 0.0
                });
                Observation { chosen: chosen.unwrap_or(values.len() - 1), values }
            })
            .collect();
        let found = fit(&observations);
        assert_eq!(found.see, truth.see);
        assert!((found.heat - truth.heat).abs() <= 0.1, "{found:?}");
        assert!((found.blur - truth.blur).abs() <= 0.2, "{found:?}");
        assert!((found.slip - truth.slip).abs() <= 0.05, "{found:?}");
    }
}
