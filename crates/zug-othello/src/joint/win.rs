//! Which chance to win does a value in discs mean?
//!
//! In every phase a logistic curve is drawn through the training examples; the validation examples
//! tell how honest it is.

use super::data::Examples;
use crate::Board;
use crate::patterns::Phases;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zug_learn::Class;
use zug_learn::joint::chance;
use zug_learn::metrics::ProbabilityErrors;

/// More examples than this of a disc count do not make the curve better.
const MOST: usize = 20_000;
/// Intervals of probabilities.
const BINS: usize = 10;
/// So much curvature is added to that of the examples: a phase in which every value has the right
/// sign has no best curve.
const RIDGE: f64 = 1e-3;

/// The curve of a phase: the log-odds to win are `offset + slope · discs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WinCurve {
    /// The fewest discs of the phase.
    pub first_discs: u32,
    /// The most.
    pub last_discs: u32,
    /// Log-odds for each disc.
    pub slope: f64,
    /// Log-odds at a value of 0.
    pub offset: f64,
    /// Validation examples.
    pub count: u64,
    /// Their mean logarithmic loss.
    pub log_loss: Option<f64>,
    /// Their mean squared error of the chance (Brier score).
    pub brier: Option<f64>,
    /// The mean distance between chance and frequency over the intervals.
    pub calibration_error: Option<f64>,
    /// In ten intervals of the chance: examples, mean chance, how often it happened.
    pub bins: Vec<(u64, Option<f64>, Option<f64>)>,
}

impl WinCurve {
    /// The chance to win.
    #[must_use]
    pub fn chance(&self, discs: f64) -> f64 {
        chance(self.offset + self.slope * discs)
    }
}

/// The curves of all phases that have training examples; a phase begins at each knot.
pub fn curves(
    training: &Examples,
    validation: &Examples,
    phases: &Phases,
    value: impl Fn(Board) -> f64 + Sync,
) -> Vec<WinCurve> {
    let of = |examples: &Examples, phase: usize, most: usize| -> Vec<(f64, f64)> {
        let mut pairs = Vec::new();
        for group in examples.groups.iter().filter(|g| phases.place(g.discs).0 == phase) {
            let step = group.boards.len().div_ceil(most).max(1);
            for at in (0..group.boards.len()).step_by(step) {
                let class = Class::of_score(i32::from(group.scores[at]));
                pairs.push((value(group.boards[at]), class.points()));
            }
        }
        pairs
    };
    let curve = |phase: usize| {
        let taught = of(training, phase, MOST);
        if taught.is_empty() {
            return None;
        }
        let (offset, slope) = logistic_curve(&taught);
        let mut errors = ProbabilityErrors::new(BINS);
        for (value, outcome) in of(validation, phase, usize::MAX) {
            // Values are at most 64 discs and outcomes 0, ½ or 1: nothing to refuse.
            let _ = errors.add(offset + slope * value, outcome, 1.0);
        }
        let knots = phases.knots();
        Some(WinCurve {
            first_discs: if phase == 0 { 4 } else { u32::from(knots[phase]) },
            last_discs: knots.get(phase + 1).map_or(64, |&k| u32::from(k) - 1),
            slope,
            offset,
            count: errors.count(),
            log_loss: errors.log_loss(),
            brier: errors.brier(),
            calibration_error: errors.calibration_error(),
            bins: errors.bins().iter().map(|b| (b.count, b.predicted(), b.happened())).collect(),
        })
    };
    (0..phases.len()).into_par_iter().filter_map(curve).collect()
}

/// Newton's method for two numbers: offset and slope.
fn logistic_curve(pairs: &[(f64, f64)]) -> (f64, f64) {
    let (mut offset, mut slope) = (0.0, 0.0);
    for _ in 0..30 {
        let (mut g0, mut g1) = (RIDGE * offset, RIDGE * slope);
        let (mut h00, mut h01, mut h11) = (RIDGE, 0.0, RIDGE);
        for &(value, outcome) in pairs {
            let p = chance(offset + slope * value);
            let (error, bent) = (p - outcome, p * (1.0 - p));
            g0 += error;
            g1 += error * value;
            h00 += bent;
            h01 += bent * value;
            h11 += bent * value * value;
        }
        let determinant = h00 * h11 - h01 * h01;
        let step0 = (h11 * g0 - h01 * g1) / determinant;
        let step1 = (h00 * g1 - h01 * g0) / determinant;
        // Half a unit of log-odds a disc is steeper than any curve: larger steps come from parabolas
        // that no longer fit.
        let shorter = 1.0f64.min(0.5 / step1.abs()).min(5.0 / step0.abs());
        offset -= shorter * step0;
        slope -= shorter * step1;
        if step0.abs() + 64.0 * step1.abs() < 1e-9 {
            break;
        }
    }
    (offset, slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    #[test]
    fn a_curve_is_found_again() {
        let mut rng = rng(3, 0);
        let pairs: Vec<(f64, f64)> = (0..40_000)
            .map(|_| {
                let value = rng.random_range(-30.0..30.0);
                (value, f64::from(u8::from(rng.random::<f64>() < chance(0.4 + 0.2 * value))))
            })
            .collect();
        let (offset, slope) = logistic_curve(&pairs);
        assert!((offset - 0.4).abs() < 0.1 && (slope - 0.2).abs() < 0.02, "{offset} {slope}");
    }

    #[test]
    fn perfect_values_and_useless_ones_have_a_finite_curve() {
        let (offset, slope) = logistic_curve(&[(-3.0, 0.0), (2.0, 1.0), (5.0, 1.0)]);
        assert!(offset.is_finite() && slope > 0.5 && slope < 100.0, "{offset} {slope}");
        let (offset, slope) = logistic_curve(&[(0.0, 1.0), (0.0, 0.0)]);
        assert!(offset.abs() < 1e-9 && slope.abs() < 1e-9, "{offset} {slope}");
    }
}
