//! Discriminants for features that are normal in each class (thesis section 3.1).
//!
//! With equal covariances the log-odds of a win are linear in the features (Fisher), otherwise
//! quadratic. Both take the classes as equally likely, as the thesis does: adjacent disc counts are
//! merged so that they nearly are.

use serde::{Deserialize, Serialize};

use crate::LearnError;
use crate::moments::{ClassMoments, Moments};
use crate::symmetric::{Cholesky, dot};

/// The log-odds of a win as a linear function of the features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// Names of the features.
    pub names: Vec<String>,
    /// Weight of each feature.
    pub weights: Vec<f64>,
    /// The constant term.
    pub constant: f64,
}

impl Linear {
    /// The log-odds of a win.
    #[must_use]
    pub fn evaluate(&self, row: &[f64]) -> f64 {
        self.constant + dot(&self.weights, row)
    }

    /// The probability of a win.
    #[must_use]
    pub fn probability(&self, row: &[f64]) -> f64 {
        logistic(self.evaluate(row))
    }
}

/// 1 / (1 + e^-x), without overflow.
#[must_use]
pub fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let e = x.exp();
        e / (1.0 + e)
    }
}

/// Fisher's linear discriminant: (μG - μV) Σ⁻¹ {x - (μV + μG)/2}'.
///
/// # Errors
/// Names a feature without variance, and features that are linearly dependent within the classes.
pub fn fisher(moments: &Moments) -> Result<Linear, LearnError> {
    moments.check_variance()?;
    let factor = class_factor(moments, &moments.pooled())?;
    let weights = factor.solve(&moments.difference());
    let middle: Vec<f64> =
        moments.win.mean.iter().zip(&moments.loss.mean).map(|(w, l)| (w + l) / 2.0).collect();
    let constant = -dot(&weights, &middle);
    Ok(Linear { names: moments.names.clone(), weights, constant })
}

/// A covariance within classes must be regular; a feature may vary between classes only.
fn class_factor(
    moments: &Moments,
    covariance: &crate::symmetric::Symmetric,
) -> Result<Cholesky, LearnError> {
    let total = moments.total();
    for j in 0..moments.width() {
        // Rounding leaves a trace where the true variance is nothing.
        if covariance.at(j, j) <= 1e-14 * total.at(j, j) {
            let feature = moments.names[j].clone();
            return Err(
                if moments.loss.largest[j] < moments.win.smallest[j]
                    || moments.win.largest[j] < moments.loss.smallest[j]
                {
                    LearnError::Separable { features: vec![feature], complete: true }
                } else {
                    LearnError::NoVariance { feature, value: moments.win.mean[j] }
                },
            );
        }
    }
    covariance.cholesky().map_err(|found| moments.dependent(&found))
}

/// The quadratic discriminant in its multiplied-out form: constant + linear terms + one term for
/// each pair of features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quadratic {
    /// Names of the features.
    pub names: Vec<String>,
    /// Coefficients of x_i x_j for j ≤ i, row by row: (0,0) (1,0) (1,1) (2,0) …
    pub squares: Vec<f64>,
    /// Coefficients of the features.
    pub weights: Vec<f64>,
    /// The constant term.
    pub constant: f64,
}

impl Quadratic {
    /// The log-odds of a win.
    #[must_use]
    pub fn evaluate(&self, row: &[f64]) -> f64 {
        let mut value = self.constant + dot(&self.weights, row);
        let mut start = 0;
        for (i, &x) in row.iter().enumerate() {
            value += x * dot(&self.squares[start..=start + i], &row[..=i]);
            start += i + 1;
        }
        value
    }

    /// The probability of a win.
    #[must_use]
    pub fn probability(&self, row: &[f64]) -> f64 {
        logistic(self.evaluate(row))
    }
}

/// The quadratic discriminant of two normal classes.
///
/// # Errors
/// Names a feature without variance in a class, and features that are linearly dependent in one.
pub fn quadratic(moments: &Moments) -> Result<Quadratic, LearnError> {
    moments.check_variance()?;
    let [win, loss] = [&moments.win, &moments.loss].map(|c| Inverted::of(moments, c));
    let (win, loss) = (win?, loss?);
    let n = moments.width();
    let mut squares = Vec::with_capacity(n * (n + 1) / 2);
    for i in 0..n {
        for j in 0..=i {
            let half = -0.5 * (win.inverse.at(i, j) - loss.inverse.at(i, j));
            squares.push(if i == j { half } else { 2.0 * half });
        }
    }
    let weights = win.pull.iter().zip(&loss.pull).map(|(w, l)| w - l).collect();
    let constant = -0.5 * (win.length - loss.length + win.log_determinant - loss.log_determinant);
    Ok(Quadratic { names: moments.names.clone(), squares, weights, constant })
}

struct Inverted {
    inverse: crate::symmetric::Symmetric,
    /// Σ⁻¹ μ'.
    pull: Vec<f64>,
    /// μ Σ⁻¹ μ'.
    length: f64,
    log_determinant: f64,
}

impl Inverted {
    fn of(moments: &Moments, class: &ClassMoments) -> Result<Inverted, LearnError> {
        let factor = class_factor(moments, &class.covariance)?;
        let pull = factor.solve(&class.mean);
        let length = dot(&pull, &class.mean);
        let log_determinant = factor.log_determinant();
        Ok(Inverted { inverse: factor.inverse(), pull, length, log_determinant })
    }
}

/// The quadratic discriminant of one row by its definition: the difference of two log densities.
/// Slow; [`quadratic`] gives the same values quickly.
///
/// # Errors
/// As for [`quadratic`].
pub fn quadratic_by_definition(moments: &Moments, row: &[f64]) -> Result<f64, LearnError> {
    moments.check_variance()?;
    let half = |class: &ClassMoments| -> Result<f64, LearnError> {
        let factor = class_factor(moments, &class.covariance)?;
        let away: Vec<f64> = row.iter().zip(&class.mean).map(|(x, m)| x - m).collect();
        Ok(dot(&away, &factor.solve(&away)) + factor.log_determinant())
    };
    Ok(-0.5 * (half(&moments.win)? - half(&moments.loss)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Class, Draws, Matrix};
    use crate::testing::{flat, normal, synthetic};
    use proptest::prelude::*;
    use zug_core::seed::{RngExt, rng};

    fn moments(m: &Matrix) -> Moments {
        Moments::of(m, Draws::Twice).unwrap()
    }

    #[test]
    fn both_discriminants_give_the_numbers_of_another_program() {
        // Computed with NumPy and SciPy 1.x (float64): pooled covariance with ddof 0 and
        // numpy.linalg.solve; log densities by scipy.stats.multivariate_normal.
        let m = moments(&crate::testing::forty());
        let f = fisher(&m).unwrap();
        for (found, expected) in f.weights.iter().chain([&f.constant]).zip([
            0.419059229551,
            -1.756391455679,
            3.773349352462,
        ]) {
            assert!((found - expected).abs() < 1e-11, "{found} {expected}");
        }
        let q = quadratic(&m).unwrap();
        for (row, expected) in [
            ([0.0, 0.0], -7.808966379363),
            ([-3.0, 4.0], -4.974057013011),
            ([5.0, 1.0], 3.354967145252),
        ] {
            assert!((q.evaluate(&row) - expected).abs() < 1e-10);
            assert!((quadratic_by_definition(&m, &row).unwrap() - expected).abs() < 1e-10);
        }
    }

    #[test]
    fn fisher_has_the_direction_of_least_squares() {
        let data = synthetic(1, 800, &[0.5, -1.0, 0.3], 0.4);
        let found = fisher(&moments(&data)).unwrap();
        // Least squares on ±1 with a constant, by the normal equations of the raw rows.
        let flat = flat(&data);
        let with_one = |r: &[f64]| [&[1.0], r].concat();
        let square = crate::symmetric::Symmetric::from_fn(4, |i, j| {
            flat.iter().map(|(r, _, w)| w * with_one(r)[i] * with_one(r)[j]).sum()
        });
        let right: Vec<f64> = (0..4)
            .map(|j| {
                flat.iter().map(|(r, y, w)| w * with_one(r)[j] * if *y { 1.0 } else { -1.0 }).sum()
            })
            .collect();
        let least = square.cholesky().unwrap().solve(&right);
        let ratio = found.weights[0] / least[1];
        assert!(ratio > 0.0);
        for j in 1..3 {
            assert!((found.weights[j] / least[j + 1] / ratio - 1.0).abs() < 1e-8);
        }
        // Halfway between the class means it is undecided.
        let m = moments(&data);
        let middle: Vec<f64> =
            m.win.mean.iter().zip(&m.loss.mean).map(|(a, b)| (a + b) / 2.0).collect();
        assert!(found.evaluate(&middle).abs() < 1e-9);
    }

    #[test]
    fn quadratic_is_the_rule_of_bayes_for_known_normals() {
        // Wins: mean (1, 0), deviations (1, 2); losses: mean (-1, 1), deviations (2, 1).
        let mut r = rng(3, 0);
        let mut data = Matrix::new(["a", "b"]);
        for _ in 0..60_000 {
            let (z, y) = (normal(&mut r), normal(&mut r));
            if r.random() {
                data.push(&[1.0 + z, 2.0 * y], Class::Win).unwrap();
            } else {
                data.push(&[-1.0 + 2.0 * z, 1.0 + y], Class::Loss).unwrap();
            }
        }
        let q = quadratic(&moments(&data)).unwrap();
        let truth = |a: f64, b: f64| {
            let win = (a - 1.0).powi(2) + (b / 2.0).powi(2);
            let loss = ((a + 1.0) / 2.0).powi(2) + (b - 1.0).powi(2);
            -0.5 * (win - loss)
        };
        for (a, b) in [(0.0, 0.0), (1.0, 1.0), (-2.0, 0.5), (2.0, -2.0)] {
            let found = q.evaluate(&[a, b]);
            assert!((found - truth(a, b)).abs() < 0.1, "{found} {}", truth(a, b));
        }
    }

    #[test]
    fn impossible_data_are_errors_that_name_the_feature() {
        let mut same = Matrix::new(["good", "flat"]);
        let mut twins = Matrix::new(["good", "better", "sum"]);
        let mut between = Matrix::new(["good", "label"]);
        for i in 0..20 {
            let (a, b) = (f64::from(i * 7 % 11), f64::from(i * 5 % 13));
            let class = if i % 3 == 0 { Class::Win } else { Class::Loss };
            same.push(&[a, 4.0], class).unwrap();
            twins.push(&[a, b, a + b], class).unwrap();
            between.push(&[a, class.points()], class).unwrap();
        }
        type Run = fn(&Moments) -> Result<(), LearnError>;
        let runs: [Run; 2] = [|m| fisher(m).map(drop), |m| quadratic(m).map(drop)];
        for run in runs {
            let message = |data: &Matrix| run(&moments(data)).unwrap_err().to_string();
            assert!(message(&same).contains("\"flat\" has the value 4"));
            assert!(
                message(&twins).contains("\"sum\" is a linear function of \"good\" and \"better\"")
            );
            assert!(message(&between).contains("\"label\" separates wins from losses"));
        }
    }

    proptest! {
        #[test]
        fn the_multiplied_out_form_is_the_definition(
            seed in any::<u64>(), a in -3.0f64..3.0, b in -30.0f64..30.0, c in -30.0f64..30.0,
        ) {
            let m = moments(&synthetic(seed, 60, &[1.0, -0.5, 0.2], 0.5));
            let fast = quadratic(&m).unwrap().evaluate(&[a, b, c]);
            let slow = quadratic_by_definition(&m, &[a, b, c]).unwrap();
            prop_assert!((fast - slow).abs() < 1e-8 * (1.0 + slow.abs()));
        }

        #[test]
        fn with_equal_covariances_quadratic_is_linear(seed in any::<u64>(), a in -3.0f64..3.0, b in -30.0f64..30.0) {
            let mut m = moments(&synthetic(seed, 60, &[1.0, -0.5], 0.5));
            let pooled = m.pooled();
            m.win.covariance = pooled.clone();
            m.loss.covariance = pooled;
            let (q, f) = (quadratic(&m).unwrap(), fisher(&m).unwrap());
            prop_assert!((q.evaluate(&[a, b]) - f.evaluate(&[a, b])).abs() < 1e-8);
        }
    }
}
