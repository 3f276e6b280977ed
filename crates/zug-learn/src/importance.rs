//! What the weights say: which features matter, and whether a quadratic form is worth its price.
//!
//! Weights are comparable once every feature is scaled to variance 1 (thesis section 3.4). A
//! quadratic discriminant differs from a linear one only as far as the covariances of the classes
//! differ, so they are compared cell by cell (section 3.5).

use serde::{Deserialize, Serialize};

use crate::moments::Moments;
use crate::{LearnError, Linear};

/// A weight with what is needed to judge it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standardised {
    /// The feature.
    pub name: String,
    /// Its weight as fitted.
    pub weight: f64,
    /// Standard deviation of the feature.
    pub deviation: f64,
    /// The weight after scaling the feature to variance 1.
    pub standardised: f64,
    /// Mean over the wins less mean over the losses, in standard deviations: what the feature says
    /// alone.
    pub alone: f64,
}

/// The weights of a model for features of variance 1.
///
/// # Errors
/// Refuses moments of other features than those of the model.
pub fn standardised(model: &Linear, moments: &Moments) -> Result<Vec<Standardised>, LearnError> {
    if model.names != moments.names {
        return Err(LearnError::Argument(format!(
            "the model has the features {:?}, the moments {:?}",
            model.names, moments.names
        )));
    }
    let (deviations, differences) = (moments.deviations(), moments.difference());
    let of = |j: usize| Standardised {
        name: model.names[j].clone(),
        weight: model.weights[j],
        deviation: deviations[j],
        standardised: model.weights[j] * deviations[j],
        alone: if deviations[j] > 0.0 { differences[j] / deviations[j] } else { 0.0 },
    };
    Ok((0..model.names.len()).map(of).collect())
}

/// How far a cell of the covariance of wins is from that of losses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CovarianceDifference {
    /// The two features (the same twice for a variance).
    pub features: (String, String),
    /// Covariance over the wins, divided by the pooled deviations of both features.
    pub win: f64,
    /// The same over the losses.
    pub loss: f64,
}

impl CovarianceDifference {
    /// Wins less losses.
    #[must_use]
    pub fn difference(&self) -> f64 {
        self.win - self.loss
    }
}

/// The covariances of the two classes side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CovarianceComparison {
    /// All cells on and below the diagonal, the largest difference first.
    pub cells: Vec<CovarianceDifference>,
    /// Root mean square of the differences of all cells of the matrix.
    pub root_mean_square: f64,
}

/// Compares the class covariances, in units of the pooled deviations.
///
/// # Errors
/// Names a feature that does not vary.
pub fn compare_covariances(moments: &Moments) -> Result<CovarianceComparison, LearnError> {
    moments.check_variance()?;
    let pooled = moments.pooled();
    let n = moments.width();
    let mut cells = Vec::with_capacity(n * (n + 1) / 2);
    let mut squares = 0.0;
    for i in 0..n {
        for j in 0..=i {
            let unit = (pooled.at(i, i) * pooled.at(j, j)).sqrt();
            // A feature that varies only between the classes has no covariance in either.
            let scaled = |x: f64| if unit > 0.0 { x / unit } else { 0.0 };
            let cell = CovarianceDifference {
                features: (moments.names[i].clone(), moments.names[j].clone()),
                win: scaled(moments.win.covariance.at(i, j)),
                loss: scaled(moments.loss.covariance.at(i, j)),
            };
            squares += cell.difference().powi(2) * if i == j { 1.0 } else { 2.0 };
            cells.push(cell);
        }
    }
    cells.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
    let root_mean_square = (squares / (n * n).max(1) as f64).sqrt();
    Ok(CovarianceComparison { cells, root_mean_square })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Class, Draws, Matrix};
    use crate::testing::{normal, synthetic};
    use crate::{fisher, logistic};
    use zug_core::seed::rng;

    #[test]
    fn standardised_weights_do_not_depend_on_the_unit_of_a_feature() {
        let data = synthetic(1, 500, &[1.0, -0.5], 0.3);
        let mut metres = Matrix::new(["x0", "x1"]);
        for i in 0..data.len() {
            let (row, class, weight) = data.row(i);
            metres.push_weighted(&[row[0] * 100.0, row[1] / 8.0], class, weight).unwrap();
        }
        let of = |m: &Matrix| {
            let fit = logistic::fit(m, &logistic::Options::default()).unwrap();
            standardised(&fit.model, &Moments::of(m, Draws::Twice).unwrap()).unwrap()
        };
        let (a, b) = (of(&data), of(&metres));
        for (a, b) in a.iter().zip(&b) {
            assert!((a.standardised - b.standardised).abs() < 1e-9);
            assert!((a.alone - b.alone).abs() < 1e-9);
        }
        assert!((a[0].weight / b[0].weight - 100.0).abs() < 1e-6);
    }

    #[test]
    fn models_and_moments_of_different_features_are_refused() {
        let m = Moments::of(&synthetic(1, 50, &[1.0, 1.0], 0.3), Draws::Twice).unwrap();
        let model = fisher(&m.part(&[0])).unwrap();
        assert!(standardised(&model, &m).is_err());
    }

    #[test]
    fn the_cell_that_differs_most_comes_first() {
        let mut r = rng(1, 0);
        let mut data = Matrix::new(["a", "b", "c"]);
        for i in 0..20_000 {
            let won = i % 2 == 0;
            let (x, y, z) = (normal(&mut r), normal(&mut r), normal(&mut r));
            // b and c go together in the wins only.
            let c = if won { 0.6 * y + 0.8 * z } else { z };
            data.push(&[x, y, c], if won { Class::Win } else { Class::Loss }).unwrap();
        }
        let found = compare_covariances(&Moments::of(&data, Draws::Twice).unwrap()).unwrap();
        assert_eq!(found.cells.len(), 6);
        assert_eq!(found.cells[0].features, ("c".into(), "b".into()));
        assert!((found.cells[0].difference() - 0.6).abs() < 0.03);
        assert!(found.cells[1].difference().abs() < 0.05);
        // Two of nine cells differ by 0.6.
        assert!((found.root_mean_square - (2.0 * 0.36 / 9.0f64).sqrt()).abs() < 0.02);
    }
}
