//! How good is a fitted evaluation? Errors of predicted scores, and of predicted probabilities with
//! their calibration. All measures are sums: they are filled as examples stream by, and merged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::LearnError;
use crate::discriminant::logistic;

/// Something that is filled by examples and can be joined with another of its kind.
pub trait Measure: Clone {
    /// Joins the examples of another.
    fn merge(&mut self, other: &Self);
}

/// Errors of predicted numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreErrors {
    count: u64,
    weight: f64,
    error: f64,
    absolute: f64,
    square: f64,
    mean: f64,
    scatter: f64,
}

impl ScoreErrors {
    /// Adds an example.
    ///
    /// # Errors
    /// Refuses numbers that are not finite and weights that are not positive.
    pub fn add(&mut self, predicted: f64, truth: f64, weight: f64) -> Result<(), LearnError> {
        let row = self.count + 1;
        for (feature, value) in [("prediction", predicted), ("truth", truth)] {
            if !value.is_finite() {
                return Err(LearnError::NotFinite { row, feature: feature.into(), value });
            }
        }
        if !(weight.is_finite() && weight > 0.0) {
            return Err(LearnError::BadWeight { row, weight });
        }
        let error = predicted - truth;
        self.merge(&ScoreErrors {
            count: 1,
            weight,
            error: weight * error,
            absolute: weight * error.abs(),
            square: weight * error * error,
            mean: truth,
            scatter: 0.0,
        });
        Ok(())
    }

    /// Number of examples.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean of prediction less truth; `None` without examples, here and below.
    #[must_use]
    pub fn bias(&self) -> Option<f64> {
        self.per_weight(self.error)
    }

    /// Mean absolute error.
    #[must_use]
    pub fn mean_absolute(&self) -> Option<f64> {
        self.per_weight(self.absolute)
    }

    /// Root of the mean square error.
    #[must_use]
    pub fn root_mean_square(&self) -> Option<f64> {
        self.per_weight(self.square).map(f64::sqrt)
    }

    /// The share of the variance of the truth that the predictions explain (R²); `None` where the
    /// truth does not vary.
    #[must_use]
    pub fn explained(&self) -> Option<f64> {
        (self.scatter > 0.0).then(|| 1.0 - self.square / self.scatter)
    }

    fn per_weight(&self, sum: f64) -> Option<f64> {
        (self.weight > 0.0).then(|| sum / self.weight)
    }
}

impl Measure for ScoreErrors {
    fn merge(&mut self, other: &ScoreErrors) {
        let weight = self.weight + other.weight;
        if other.weight > 0.0 {
            // Means are joined so that the squares do not cancel.
            let apart = other.mean - self.mean;
            self.scatter += other.scatter + apart * apart * self.weight * other.weight / weight;
            self.mean += apart * other.weight / weight;
        }
        self.count += other.count;
        self.weight = weight;
        self.error += other.error;
        self.absolute += other.absolute;
        self.square += other.square;
    }
}

/// One interval of predicted probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Number of examples.
    pub count: u64,
    weight: f64,
    predicted: f64,
    happened: f64,
}

impl Bin {
    /// Mean predicted probability; `None` without examples.
    #[must_use]
    pub fn predicted(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.predicted / self.weight)
    }

    /// Mean outcome (a draw is a half); `None` without examples.
    #[must_use]
    pub fn happened(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.happened / self.weight)
    }

    fn merge(&mut self, other: &Bin) {
        self.count += other.count;
        self.weight += other.weight;
        self.predicted += other.predicted;
        self.happened += other.happened;
    }
}

/// Errors of predicted win probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbabilityErrors {
    all: Bin,
    log_loss: f64,
    square: f64,
    bins: Vec<Bin>,
}

impl ProbabilityErrors {
    /// No examples yet; calibration in so many intervals of equal length (at least one).
    #[must_use]
    pub fn new(bins: usize) -> ProbabilityErrors {
        let bins = vec![Bin::default(); bins.max(1)];
        ProbabilityErrors { all: Bin::default(), log_loss: 0.0, square: 0.0, bins }
    }

    /// Adds an example by the log-odds predicted; `outcome` is 1 for a win, ½ for a draw, 0 for a
    /// loss.
    ///
    /// # Errors
    /// Refuses log-odds that are not finite, outcomes outside 0..1, weights that are not positive.
    pub fn add(&mut self, log_odds: f64, outcome: f64, weight: f64) -> Result<(), LearnError> {
        let row = self.all.count + 1;
        let bad =
            |feature: &str, value| LearnError::NotFinite { row, feature: feature.into(), value };
        if !log_odds.is_finite() {
            return Err(bad("log-odds", log_odds));
        }
        if !(0.0..=1.0).contains(&outcome) {
            return Err(LearnError::Argument(format!(
                "row {row}: the outcome {outcome} is not between 0 and 1"
            )));
        }
        if !(weight.is_finite() && weight > 0.0) {
            return Err(LearnError::BadWeight { row, weight });
        }
        let p = logistic(log_odds);
        let tail = (-log_odds.abs()).exp().ln_1p();
        let (log_win, log_loss) = (log_odds.min(0.0) - tail, -log_odds.max(0.0) - tail);
        self.log_loss -= weight * (outcome * log_win + (1.0 - outcome) * log_loss);
        self.square += weight * (p - outcome).powi(2);
        let one = Bin { count: 1, weight, predicted: weight * p, happened: weight * outcome };
        self.all.merge(&one);
        let bins = self.bins.len();
        self.bins[((p * bins as f64) as usize).min(bins - 1)].merge(&one);
        Ok(())
    }

    /// Number of examples.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.all.count
    }

    /// Mean of prediction less outcome; `None` without examples, here and below.
    #[must_use]
    pub fn bias(&self) -> Option<f64> {
        Some(self.all.predicted()? - self.all.happened()?)
    }

    /// Mean negative log-likelihood, in nats.
    #[must_use]
    pub fn log_loss(&self) -> Option<f64> {
        (self.all.weight > 0.0).then(|| self.log_loss / self.all.weight)
    }

    /// Mean square of probability less outcome (the Brier score).
    #[must_use]
    pub fn brier(&self) -> Option<f64> {
        (self.all.weight > 0.0).then(|| self.square / self.all.weight)
    }

    /// The intervals, from improbable to probable.
    #[must_use]
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// Mean distance of prediction and outcome over the intervals, weighted by their examples.
    #[must_use]
    pub fn calibration_error(&self) -> Option<f64> {
        let distance = |b: &Bin| (b.predicted - b.happened).abs();
        (self.all.weight > 0.0)
            .then(|| self.bins.iter().map(distance).sum::<f64>() / self.all.weight)
    }
}

impl Measure for ProbabilityErrors {
    fn merge(&mut self, other: &ProbabilityErrors) {
        self.all.merge(&other.all);
        self.log_loss += other.log_loss;
        self.square += other.square;
        let bins = self.bins.len();
        for (at, bin) in other.bins.iter().enumerate().filter(|(_, b)| b.count > 0) {
            // Of another division, the examples of an interval go where their mean belongs.
            let middle = bin.predicted().unwrap_or(0.0);
            let to = if bins == other.bins.len() { at } else { (middle * bins as f64) as usize };
            self.bins[to.min(bins - 1)].merge(bin);
        }
    }
}

/// A measure for each phase of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByPhase<M> {
    empty: M,
    phases: BTreeMap<usize, M>,
}

impl<M: Measure> ByPhase<M> {
    /// No phases yet; each starts as `empty`.
    pub fn new(empty: M) -> ByPhase<M> {
        ByPhase { empty, phases: BTreeMap::new() }
    }

    /// The measure of a phase, to add to.
    pub fn phase(&mut self, phase: usize) -> &mut M {
        self.phases.entry(phase).or_insert_with(|| self.empty.clone())
    }

    /// The phases that occurred, in order.
    pub fn phases(&self) -> impl Iterator<Item = (usize, &M)> {
        self.phases.iter().map(|(&phase, m)| (phase, m))
    }

    /// All phases together.
    #[must_use]
    pub fn overall(&self) -> M {
        let mut all = self.empty.clone();
        self.phases.values().for_each(|m| all.merge(m));
        all
    }
}

impl<M: Measure> Measure for ByPhase<M> {
    fn merge(&mut self, other: &ByPhase<M>) {
        other.phases().for_each(|(phase, m)| self.phase(phase).merge(m));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_of_scores_are_those_of_the_formulas() {
        let mut e = ScoreErrors::default();
        assert_eq!((e.bias(), e.explained()), (None, None));
        for (p, t) in [(1.0, 2.0), (4.0, 4.0), (9.0, 6.0)] {
            e.add(p, t, 1.0).unwrap();
        }
        assert_eq!(e.count(), 3);
        assert_eq!(e.bias(), Some(2.0 / 3.0));
        assert_eq!(e.mean_absolute(), Some(4.0 / 3.0));
        assert_eq!(e.root_mean_square(), Some((10.0f64 / 3.0).sqrt()));
        // Truth 2, 4, 6 scatters by 8.
        assert!((e.explained().unwrap() - (1.0 - 10.0 / 8.0)).abs() < 1e-12);
        assert!(
            e.add(f64::NAN, 0.0, 1.0)
                .unwrap_err()
                .to_string()
                .contains("row 4, feature \"prediction\"")
        );
        assert!(e.add(0.0, 0.0, -1.0).is_err());
        assert_eq!(e.count(), 3);
    }

    #[test]
    fn errors_of_probabilities_are_those_of_the_formulas() {
        let mut e = ProbabilityErrors::new(4);
        let odds = |p: f64| (p / (1.0 - p)).ln();
        for (p, y) in [(0.2, 0.0), (0.6, 1.0), (0.7, 0.5)] {
            e.add(odds(p), y, 1.0).unwrap();
        }
        let log_loss = -(0.8f64.ln() + 0.6f64.ln() + 0.5 * (0.7f64.ln() + 0.3f64.ln())) / 3.0;
        assert!((e.log_loss().unwrap() - log_loss).abs() < 1e-12);
        assert!((e.brier().unwrap() - (0.04 + 0.16 + 0.04) / 3.0).abs() < 1e-12);
        assert!(e.bias().unwrap().abs() < 1e-12);
        let counts: Vec<u64> = e.bins().iter().map(|b| b.count).collect();
        assert_eq!(counts, [1, 0, 2, 0]);
        assert!((e.bins()[2].predicted().unwrap() - 0.65).abs() < 1e-12);
        assert_eq!(e.bins()[2].happened(), Some(0.75));
        assert_eq!(e.bins()[1].happened(), None);
        assert!((e.calibration_error().unwrap() - (0.2 + 0.2) / 3.0).abs() < 1e-12);
        // Certain and wrong is expensive, but finite.
        e.add(800.0, 0.0, 1.0).unwrap();
        assert!(e.log_loss().unwrap() > 200.0);
        assert!(e.add(0.0, 2.0, 1.0).is_err());
        assert!(e.add(f64::INFINITY, 1.0, 1.0).is_err());
    }

    #[test]
    fn phases_are_kept_apart_and_together() {
        let mut by = ByPhase::new(ScoreErrors::default());
        by.phase(3).add(1.0, 0.0, 1.0).unwrap();
        by.phase(1).add(0.0, 2.0, 1.0).unwrap();
        let bias: Vec<_> = by.phases().map(|(p, e)| (p, e.bias().unwrap())).collect();
        assert_eq!(bias, [(1, -2.0), (3, 1.0)]);
        assert_eq!(by.overall().bias(), Some(-0.5));
    }

    proptest! {
        #[test]
        fn merging_parts_is_adding_all(
            rows in proptest::collection::vec((-50.0f64..50.0, -50.0f64..50.0, 0.1f64..3.0), 1..40),
            cut in 0usize..40,
        ) {
            let of = |rows: &[(f64, f64, f64)]| {
                let mut e = (ScoreErrors::default(), ProbabilityErrors::new(5));
                for &(p, t, w) in rows {
                    e.0.add(p, t, w).unwrap();
                    e.1.add(p, f64::from(u8::from(t > 0.0)), w).unwrap();
                }
                e
            };
            let cut = cut.min(rows.len());
            let (whole, mut left, right) = (of(&rows), of(&rows[..cut]), of(&rows[cut..]));
            left.0.merge(&right.0);
            left.1.merge(&right.1);
            let close = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-7 * (1.0 + a.abs()),
                (a, b) => a == b,
            };
            prop_assert!(close(whole.0.root_mean_square(), left.0.root_mean_square()));
            prop_assert!(rows.len() < 2 || close(whole.0.explained(), left.0.explained()));
            prop_assert!(close(whole.1.log_loss(), left.1.log_loss()));
            let counts = |e: &ProbabilityErrors| e.bins().iter().map(|b| b.count).collect::<Vec<_>>();
            prop_assert_eq!(counts(&whole.1), counts(&left.1));
        }
    }
}
