//! Means and covariances of the features, for wins and for losses: all that the discriminants need,
//! and what every fit looks at first to find data that cannot be fitted.
//!
//! Estimates are those of maximum likelihood (divided by the weight of the class, thesis section
//! 3.1). Two passes: the means first, so that the squares do not cancel.

use serde::{Deserialize, Serialize};

use crate::rows::{Draws, Rows, fold};
use crate::symmetric::Symmetric;
use crate::{LearnError, Linear};

/// Weight, mean and covariance of one class.
#[derive(Clone, Debug)]
pub struct ClassMoments {
    /// Sum of the weights of the examples.
    pub weight: f64,
    /// Mean of each feature.
    pub mean: Vec<f64>,
    /// Maximum-likelihood covariance.
    pub covariance: Symmetric,
    /// Smallest value of each feature.
    pub smallest: Vec<f64>,
    /// Largest value of each feature.
    pub largest: Vec<f64>,
}

/// The moments of both classes.
#[derive(Clone, Debug)]
pub struct Moments {
    /// Names of the features.
    pub names: Vec<String>,
    /// The won examples.
    pub win: ClassMoments,
    /// The lost examples.
    pub loss: ClassMoments,
}

/// Why a feature was left out of a fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unusable {
    /// It has the same value in every example.
    Constant,
    /// It is a linear function of features before it (their numbers).
    Dependent(Vec<usize>),
}

struct First {
    weight: [f64; 2],
    sum: [Vec<f64>; 2],
    smallest: [Vec<f64>; 2],
    largest: [Vec<f64>; 2],
}

impl First {
    fn new(width: usize) -> First {
        let of = |value: f64| [vec![value; width], vec![value; width]];
        First {
            weight: [0.0; 2],
            sum: of(0.0),
            smallest: of(f64::INFINITY),
            largest: of(f64::NEG_INFINITY),
        }
    }

    fn add(&mut self, row: &[f64], weights: [f64; 2]) {
        for (class, weight) in weights.into_iter().enumerate().filter(|(_, w)| *w > 0.0) {
            self.weight[class] += weight;
            for (j, &x) in row.iter().enumerate() {
                self.sum[class][j] += weight * x;
                self.smallest[class][j] = self.smallest[class][j].min(x);
                self.largest[class][j] = self.largest[class][j].max(x);
            }
        }
    }

    fn merge(&mut self, other: First) {
        for class in 0..2 {
            self.weight[class] += other.weight[class];
            for j in 0..self.sum[class].len() {
                self.sum[class][j] += other.sum[class][j];
                self.smallest[class][j] = self.smallest[class][j].min(other.smallest[class][j]);
                self.largest[class][j] = self.largest[class][j].max(other.largest[class][j]);
            }
        }
    }
}

impl Moments {
    /// The moments of the rows, in two passes.
    ///
    /// # Errors
    /// Fails when a class is empty, when a value is not finite, or when the rows cannot be read.
    pub fn of<R: Rows + ?Sized>(rows: &R, draws: Draws) -> Result<Moments, LearnError> {
        let width = rows.width();
        let first = fold(
            rows,
            draws,
            || First::new(width),
            |sum, row, wins, losses| sum.add(row, [wins, losses]),
            First::merge,
        )?;
        let [wins, losses] = first.weight;
        match (wins > 0.0, losses > 0.0) {
            (false, false) => return Err(LearnError::NoExamples),
            (false, true) => return Err(LearnError::EmptyClass { missing: "win", wins, losses }),
            (true, false) => return Err(LearnError::EmptyClass { missing: "loss", wins, losses }),
            (true, true) => {}
        }
        let mean: [Vec<f64>; 2] =
            [0, 1].map(|k| first.sum[k].iter().map(|s| s / first.weight[k]).collect());
        let triangle = width * (width + 1) / 2;
        let scatter = fold(
            rows,
            draws,
            || ([vec![0.0; triangle], vec![0.0; triangle]], vec![0.0; width]),
            |(sums, centred), row, wins, losses| {
                for (class, weight) in [wins, losses].into_iter().enumerate() {
                    if weight > 0.0 {
                        for j in 0..width {
                            centred[j] = row[j] - mean[class][j];
                        }
                        add_square(&mut sums[class], centred, weight);
                    }
                }
            },
            |(sums, _), (other, _)| {
                for (sum, part) in sums.iter_mut().zip(other) {
                    sum.iter_mut().zip(part).for_each(|(s, p)| *s += p);
                }
            },
        )?
        .0;
        let [win_mean, loss_mean] = mean;
        let [win_scatter, loss_scatter] = scatter;
        let [win_smallest, loss_smallest] = first.smallest;
        let [win_largest, loss_largest] = first.largest;
        let class = |weight: f64, mean, scatter: Vec<f64>, smallest, largest| ClassMoments {
            weight,
            mean,
            covariance: Symmetric::from_fn(width, |i, j| scatter[i * (i + 1) / 2 + j] / weight),
            smallest,
            largest,
        };
        Ok(Moments {
            names: rows.names().to_vec(),
            win: class(wins, win_mean, win_scatter, win_smallest, win_largest),
            loss: class(losses, loss_mean, loss_scatter, loss_smallest, loss_largest),
        })
    }

    /// Number of features.
    #[must_use]
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Weight of all examples.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.win.weight + self.loss.weight
    }

    /// Mean of the wins less mean of the losses. Its sign is the sign of a feature's weight in a
    /// model of this feature alone, for the discriminant (obvious) and for logistic regression: the
    /// likelihood is concave, and its slope at weight 0 is a positive multiple of this difference.
    #[must_use]
    pub fn difference(&self) -> Vec<f64> {
        self.win.mean.iter().zip(&self.loss.mean).map(|(w, l)| w - l).collect()
    }

    /// Covariance within the classes, pooled.
    #[must_use]
    pub fn pooled(&self) -> Symmetric {
        let total = self.weight();
        Symmetric::from_fn(self.width(), |i, j| {
            (self.win.weight * self.win.covariance.at(i, j)
                + self.loss.weight * self.loss.covariance.at(i, j))
                / total
        })
    }

    /// Mean over both classes.
    #[must_use]
    pub fn mean(&self) -> Vec<f64> {
        let total = self.weight();
        let of = |j: usize| {
            (self.win.weight * self.win.mean[j] + self.loss.weight * self.loss.mean[j]) / total
        };
        (0..self.width()).map(of).collect()
    }

    /// Covariance over both classes together: within plus between.
    #[must_use]
    pub fn total(&self) -> Symmetric {
        let share = self.win.weight / self.weight();
        let between = share * (1.0 - share);
        let (pooled, d) = (self.pooled(), self.difference());
        Symmetric::from_fn(self.width(), |i, j| pooled.at(i, j) + between * d[i] * d[j])
    }

    /// Standard deviation of each feature over both classes together.
    #[must_use]
    pub fn deviations(&self) -> Vec<f64> {
        let total = self.total();
        (0..self.width()).map(|j| total.at(j, j).sqrt()).collect()
    }

    /// The moments of some of the features.
    #[must_use]
    pub fn part(&self, chosen: &[usize]) -> Moments {
        let pick = |v: &[f64]| chosen.iter().map(|&j| v[j]).collect::<Vec<f64>>();
        let class = |c: &ClassMoments| ClassMoments {
            weight: c.weight,
            mean: pick(&c.mean),
            covariance: c.covariance.part(chosen),
            smallest: pick(&c.smallest),
            largest: pick(&c.largest),
        };
        Moments {
            names: chosen.iter().map(|&j| self.names[j].clone()).collect(),
            win: class(&self.win),
            loss: class(&self.loss),
        }
    }

    /// Has the feature the same value in every example?
    #[must_use]
    pub fn is_constant(&self, feature: usize) -> bool {
        let smallest = self.win.smallest[feature].min(self.loss.smallest[feature]);
        let largest = self.win.largest[feature].max(self.loss.largest[feature]);
        smallest == largest
    }

    /// Checks that every feature varies.
    ///
    /// # Errors
    /// Names the first feature that does not.
    pub fn check_variance(&self) -> Result<(), LearnError> {
        match (0..self.width()).find(|&j| self.is_constant(j)) {
            None => Ok(()),
            Some(j) => Err(LearnError::NoVariance {
                feature: self.names[j].clone(),
                value: self.win.smallest[j],
            }),
        }
    }

    /// The features that can be fitted together, found from first to last, and the others with the
    /// reason. Useful where a phase of the game cannot show every feature.
    #[must_use]
    pub fn usable(&self) -> (Vec<usize>, Vec<(usize, Unusable)>) {
        let total = self.total();
        let (mut kept, mut dropped) = (Vec::new(), Vec::new());
        for j in 0..self.width() {
            if self.is_constant(j) {
                dropped.push((j, Unusable::Constant));
                continue;
            }
            kept.push(j);
            if let Err(found) = total.part(&kept).cholesky() {
                let others = found.others.iter().map(|&at| kept[at]).collect();
                dropped.push((j, Unusable::Dependent(others)));
                kept.pop();
            }
        }
        (kept, dropped)
    }

    /// A singular matrix of these features, as an error that names them.
    pub(crate) fn dependent(&self, found: &crate::symmetric::Dependence) -> LearnError {
        LearnError::Dependent {
            feature: self.names[found.column].clone(),
            others: found.others.iter().map(|&j| self.names[j].clone()).collect(),
        }
    }

    /// The linear model of the features of `part`, with weight 0 for all others.
    pub(crate) fn spread(&self, chosen: &[usize], part: &Linear) -> Linear {
        let mut weights = vec![0.0; self.width()];
        for (&j, &w) in chosen.iter().zip(&part.weights) {
            weights[j] = w;
        }
        Linear { names: self.names.clone(), weights, constant: part.constant }
    }
}

/// Adds weight · x'x to a packed lower triangle.
pub(crate) fn add_square(triangle: &mut [f64], x: &[f64], weight: f64) {
    let mut start = 0;
    for (i, &xi) in x.iter().enumerate() {
        let scaled = weight * xi;
        for (cell, &xj) in triangle[start..=start + i].iter_mut().zip(x) {
            *cell += scaled * xj;
        }
        start += i + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Class, Matrix};

    fn small() -> Matrix {
        let mut m = Matrix::new(["a", "b", "twice a", "one"]);
        for (a, b, class) in [
            (1.0, 0.0, Class::Win),
            (3.0, 2.0, Class::Win),
            (0.0, 1.0, Class::Loss),
            (-2.0, 3.0, Class::Loss),
            (2.0, 2.0, Class::Draw),
        ] {
            m.push(&[a, b, 2.0 * a, 1.0], class).unwrap();
        }
        m
    }

    #[test]
    fn the_estimates_are_those_of_maximum_likelihood() {
        let m = Moments::of(&small(), Draws::Twice).unwrap();
        assert_eq!((m.win.weight, m.loss.weight), (3.0, 3.0));
        assert_eq!(m.win.mean[..2], [2.0, 4.0 / 3.0]);
        assert_eq!(m.loss.mean[..2], [0.0, 2.0]);
        // Wins a: 1, 3, 2: variance 2/3 (divided by three, not two).
        assert!((m.win.covariance.at(0, 0) - 2.0 / 3.0).abs() < 1e-15);
        assert!((m.loss.covariance.at(0, 0) - 8.0 / 3.0).abs() < 1e-15);
        assert!((m.loss.covariance.at(0, 1) - -2.0 / 3.0).abs() < 1e-15);
        assert!((m.pooled().at(0, 0) - 5.0 / 3.0).abs() < 1e-15);
        // All six values of a: 1 3 2 0 -2 2: mean 1, variance 16/6.
        assert!((m.total().at(0, 0) - 16.0 / 6.0).abs() < 1e-15);
        assert!((m.mean()[0] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn features_that_cannot_be_fitted_are_found() {
        let m = Moments::of(&small(), Draws::Twice).unwrap();
        let (kept, dropped) = m.usable();
        assert_eq!(kept, [0, 1]);
        assert_eq!(dropped, [(2, Unusable::Dependent(vec![0])), (3, Unusable::Constant)]);
        let error = m.check_variance().unwrap_err().to_string();
        assert!(error.contains("\"one\"") && error.contains("value 1"), "{error}");
    }

    #[test]
    fn an_empty_class_is_an_error_that_says_which() {
        let mut m = Matrix::new(["a"]);
        assert!(matches!(Moments::of(&m, Draws::Twice), Err(LearnError::NoExamples)));
        m.push(&[1.0], Class::Win).unwrap();
        let error = Moments::of(&m, Draws::Twice).unwrap_err().to_string();
        assert!(error.contains("no loss (1 wins, 0 losses"), "{error}");
    }
}
