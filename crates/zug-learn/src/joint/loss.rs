//! How bad is a wrong sum?

use serde::{Deserialize, Serialize};

/// What is made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// Half of the squared difference between sum and target.
    Squared,
    /// The target is a chance, the sum its log-odds: minus the logarithm of the chance given to
    /// what happened.
    Logistic,
}

impl Loss {
    /// The loss of a row.
    #[inline(always)]
    #[must_use]
    pub fn value(self, sum: f64, target: f64) -> f64 {
        match self {
            Loss::Squared => 0.5 * (sum - target) * (sum - target),
            // ln(1 + e^sum) - target · sum, without overflow.
            Loss::Logistic => sum.max(0.0) + (-sum.abs()).exp().ln_1p() - target * sum,
        }
    }

    /// Its first derivative by the sum.
    #[inline(always)]
    #[must_use]
    pub fn slope(self, sum: f64, target: f64) -> f64 {
        match self {
            Loss::Squared => sum - target,
            Loss::Logistic => chance(sum) - target,
        }
    }

    /// Its second derivative.
    #[inline(always)]
    #[must_use]
    pub fn curvature(self, sum: f64) -> f64 {
        match self {
            Loss::Squared => 1.0,
            Loss::Logistic => chance(sum) * chance(-sum),
        }
    }

    /// The mean loss as people read it: the root of the mean squared error, or the mean logarithmic
    /// loss.
    #[must_use]
    pub fn readable(self, mean: f64) -> f64 {
        match self {
            Loss::Squared => (2.0 * mean.max(0.0)).sqrt(),
            Loss::Logistic => mean,
        }
    }
}

/// The chance that log-odds stand for.
#[inline(always)]
#[must_use]
pub fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slopes_and_curvatures_are_the_derivatives(sum in -20.0..20.0f64, target in 0.0..1.0f64) {
            let step = 1e-5;
            for loss in [Loss::Squared, Loss::Logistic] {
                let slope = (loss.value(sum + step, target) - loss.value(sum - step, target)) / (2.0 * step);
                prop_assert!((slope - loss.slope(sum, target)).abs() < 1e-5);
                let curvature = (loss.slope(sum + step, target) - loss.slope(sum - step, target)) / (2.0 * step);
                prop_assert!((curvature - loss.curvature(sum)).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn extreme_sums_have_finite_losses() {
        for sum in [-1e6, 1e6] {
            assert!(Loss::Logistic.value(sum, 0.5).is_finite());
            assert!(Loss::Logistic.slope(sum, 0.5).is_finite());
            assert_eq!(Loss::Logistic.curvature(sum), 0.0);
        }
    }
}
