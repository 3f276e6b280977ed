//! How large is a step?
//!
//! One rate for all weights that stays, falls evenly or falls as 1/t; and, on top of it, a factor
//! for each weight: by temporal coherence (Beal and Smith: a weight whose corrections point to both
//! sides has nearly arrived) or by the squares of its gradients so far (AdaGrad).

use std::fmt;
use std::str::FromStr;

/// How the rate goes on over a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// It stays.
    Constant,
    /// It falls by the same factor with every game, to `rate-end` at the end of the run.
    Decay,
    /// It falls as 1/t: it is half of the rate after a tenth of the run.
    Harmonic,
}

/// What each weight adds of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// Nothing.
    Same,
    /// The share of its corrections that did not cancel out.
    Coherence,
    /// One over the root of the sum of its squared gradients.
    Adagrad,
}

macro_rules! words {
    ($kind:ty, $expected:literal, $($word:literal => $value:expr),*) => {
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(if *self == $value { return f.write_str($word); })*
                Ok(())
            }
        }
        impl FromStr for $kind {
            type Err = String;
            fn from_str(text: &str) -> Result<$kind, String> {
                match text {
                    $($word => Ok($value),)*
                    _ => Err($expected.to_string()),
                }
            }
        }
    };
}
pub(crate) use words;

words!(Schedule, "constant, decay or harmonic",
    "constant" => Schedule::Constant, "decay" => Schedule::Decay, "harmonic" => Schedule::Harmonic);
words!(Own, "same, coherence or adagrad",
    "same" => Own::Same, "coherence" => Own::Coherence, "adagrad" => Own::Adagrad);

/// The rate of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// At the beginning.
    pub first: f64,
    /// At the end, where it decays.
    pub last: f64,
    /// In between.
    pub schedule: Schedule,
}

impl Rates {
    /// The rate after so many of all games.
    #[must_use]
    pub fn at(&self, game: u64, games: u64) -> f64 {
        let done = game as f64 / games.max(1) as f64;
        match self.schedule {
            Schedule::Constant => self.first,
            Schedule::Decay => self.first * (self.last / self.first).powf(done),
            Schedule::Harmonic => self.first / (1.0 + 10.0 * done),
        }
    }
}

/// Weights that are being learned, with what each of them remembers.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The weights.
    pub now: Vec<f32>,
    own: Own,
    /// Sums of corrections (coherence).
    pub(crate) net: Vec<f32>,
    /// Sums of their sizes (coherence) or squares (AdaGrad).
    pub(crate) size: Vec<f32>,
}

impl Weights {
    /// These weights, of which nothing has been learned yet.
    #[must_use]
    pub fn new(now: Vec<f32>, own: Own) -> Weights {
        let memory = |used: bool| if used { vec![0.0; now.len()] } else { Vec::new() };
        let (net, size) = (memory(own == Own::Coherence), memory(own != Own::Same));
        Weights { now, own, net, size }
    }

    /// With what they remember; `None` if the lengths do not fit.
    #[must_use]
    pub fn with_memory(now: Vec<f32>, own: Own, net: Vec<f32>, size: Vec<f32>) -> Option<Weights> {
        let fresh = Weights::new(now, own);
        let fits = net.len() == fresh.net.len() && size.len() == fresh.size.len();
        fits.then_some(Weights { net, size, ..fresh })
    }

    /// Takes a step along a gradient: weight `i` of each `(i, x)` moves by `rate * pull * x` times
    /// its own factor.
    pub fn step(&mut self, features: &[(u32, f32)], pull: f64, rate: f64) {
        for &(i, x) in features {
            let i = i as usize;
            let correction = (pull * f64::from(x)) as f32;
            let factor = match self.own {
                Own::Same => 1.0,
                Own::Coherence => {
                    let factor =
                        if self.size[i] > 0.0 { self.net[i].abs() / self.size[i] } else { 1.0 };
                    self.net[i] += correction;
                    self.size[i] += correction.abs();
                    factor
                }
                Own::Adagrad => {
                    self.size[i] += correction * correction;
                    // The first steps of a weight are as long as without.
                    1.0 / (1.0 + self.size[i]).sqrt()
                }
            };
            self.now[i] += rate as f32 * factor * correction;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_stay_decay_and_fall_as_one_over_t() {
        let rates = |schedule| Rates { first: 0.4, last: 0.1, schedule };
        assert_eq!(rates(Schedule::Constant).at(70, 100), 0.4);
        assert!((rates(Schedule::Decay).at(50, 100) - 0.2).abs() < 1e-12);
        assert!((rates(Schedule::Decay).at(100, 100) - 0.1).abs() < 1e-12);
        assert_eq!(rates(Schedule::Harmonic).at(10, 100), 0.2);
    }

    #[test]
    fn corrections_that_cancel_out_make_coherent_steps_small() {
        let mut weights = Weights::new(vec![0.0; 2], Own::Coherence);
        let mut lengths = Vec::new();
        for pull in [1.0, -1.0, 1.0, -1.0, 1.0] {
            let before = weights.now[0];
            weights.step(&[(0, 1.0)], pull, 0.5);
            lengths.push((weights.now[0] - before).abs());
            weights.step(&[(1, 1.0)], 1.0, 0.5);
        }
        // 1, |1|/1, |0|/2, |1|/3, |0|/4 of the full step.
        let expected = [0.5, 0.5, 0.0, 0.5 / 3.0, 0.0];
        for (found, expected) in lengths.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{lengths:?}");
        }
        assert!((weights.now[1] - 2.5).abs() < 1e-6);
    }

    #[test]
    fn adagrad_divides_by_the_root_of_the_squares_so_far() {
        let mut weights = Weights::new(vec![0.0], Own::Adagrad);
        weights.step(&[(0, 2.0)], 1.0, 1.0);
        assert!((weights.now[0] - 2.0 / 5.0_f32.sqrt()).abs() < 1e-6);
        weights.step(&[(0, 2.0)], 1.0, 1.0);
        assert!((weights.now[0] - 2.0 / 5.0_f32.sqrt() - 2.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for own in [Own::Same, Own::Coherence, Own::Adagrad] {
            assert_eq!(own.to_string().parse(), Ok(own));
        }
        for schedule in [Schedule::Constant, Schedule::Decay, Schedule::Harmonic] {
            assert_eq!(schedule.to_string().parse(), Ok(schedule));
        }
        assert!("fast".parse::<Own>().unwrap_err().contains("coherence"));
    }
}
