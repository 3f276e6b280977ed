//! Logistic regression by iteratively reweighted least squares (thesis section 3.2).
//!
//! Newton's method on the log-likelihood, from the start where every won example is given the
//! probability 0.99 and every lost one 0.01. Steps that lower the likelihood are halved. The work
//! is done on features of mean 0 and variance 1, which changes nothing but the rounding.
//!
//! Where the classes can be separated the likelihood has no maximum. That is proved, not guessed:
//! by a feature whose ranges in the two classes do not overlap, by weights that put every example
//! on its side, or by a direction of ever better weights that no example speaks against.

use serde::Serialize;

use crate::LearnError;
use crate::bounded;
use crate::discriminant::{Linear, logistic as sigmoid};
use crate::moments::{Moments, add_square};
use crate::rows::{Draws, Rows, fold};
use crate::symmetric::{Dependence, Symmetric, dot};

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How drawn examples enter.
    pub draws: Draws,
    /// Iterations before the fit is given up.
    pub iterations: usize,
    /// The fit ends when no weight changes by more than this (features of variance 1).
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { draws: Draws::Twice, iterations: 60, tolerance: 1e-8 }
    }
}

/// One iteration, as it was found before its step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Iteration {
    /// Log-likelihood.
    pub log_likelihood: f64,
    /// Length of its gradient, divided by the weight of the examples (features of variance 1).
    pub gradient: f64,
    /// Largest change of a weight in the step that follows (features of variance 1).
    pub step: f64,
    /// How often the step that led here had to be halved.
    pub halvings: usize,
}

/// A fitted logistic regression.
#[derive(Clone, Debug, Serialize)]
pub struct Fit {
    /// The log-odds of a win.
    pub model: Linear,
    /// Standard error of each weight, as if the examples were independent. Weights of a fit with
    /// bounds that ended at 0 have none (0).
    pub errors: Vec<f64>,
    /// Standard error of the constant.
    pub constant_error: f64,
    /// Log-likelihood at the last iteration.
    pub log_likelihood: f64,
    /// Log-likelihood of the constant alone.
    pub null_log_likelihood: f64,
    /// The way to the optimum.
    pub iterations: Vec<Iteration>,
}

/// Fits the rows.
///
/// # Errors
/// Names what makes a fit impossible: an empty class, a feature without variance, dependent
/// features, features that separate the classes, a value that is not finite.
pub fn fit<R: Rows + ?Sized>(rows: &R, options: &Options) -> Result<Fit, LearnError> {
    fit_with(rows, &Moments::of(rows, options.draws)?, options)
}

/// Fits rows whose moments are known already (with the same treatment of draws).
///
/// # Errors
/// See [`fit`].
pub fn fit_with<R: Rows + ?Sized>(
    rows: &R,
    moments: &Moments,
    options: &Options,
) -> Result<Fit, LearnError> {
    newton(rows, moments, &vec![0.0; moments.width()], options)
}

/// The true optimum under the condition that each weight has the sign given, or is 0; a sign of 0
/// leaves the weight free. The elimination of [`crate::signs`] only approximates this (section
/// 3.6c of the thesis).
///
/// # Errors
/// See [`fit`].
pub fn fit_signed<R: Rows + ?Sized>(
    rows: &R,
    moments: &Moments,
    signs: &[f64],
    options: &Options,
) -> Result<Fit, LearnError> {
    if signs.len() != moments.width() {
        return Err(LearnError::Argument(format!(
            "{} signs for {} features",
            signs.len(),
            moments.width()
        )));
    }
    newton(rows, moments, signs, options)
}

/// What one pass over the rows finds at given weights.
struct Pass {
    log_likelihood: Sum,
    gradient: Vec<f64>,
    information: Vec<f64>,
    /// Some example lies on the wrong side, or on the boundary.
    misplaced: bool,
    /// Range of (2y - 1)·x·d over the examples, for the direction d of the last step.
    agreement: (f64, f64),
    /// The row with features of variance 1, behind a 1.
    scratch: Vec<f64>,
}

/// A sum that keeps what rounding loses: likelihoods of neighbouring steps are compared.
#[derive(Clone, Copy, Default)]
struct Sum(f64, f64);

impl Sum {
    fn add(&mut self, x: f64) {
        let total = self.0 + x;
        self.1 += if self.0.abs() >= x.abs() { (self.0 - total) + x } else { (x - total) + self.0 };
        self.0 = total;
    }

    fn value(self) -> f64 {
        self.0 + self.1
    }
}

impl Pass {
    fn new(size: usize) -> Pass {
        Pass {
            log_likelihood: Sum::default(),
            gradient: vec![0.0; size],
            information: vec![0.0; size * (size + 1) / 2],
            misplaced: false,
            agreement: (f64::INFINITY, f64::NEG_INFINITY),
            scratch: vec![1.0; size],
        }
    }

    fn add(&mut self, beta: &[f64], direction: &[f64], wins: f64, losses: f64) {
        let eta = dot(beta, &self.scratch);
        let along = dot(direction, &self.scratch);
        let p = sigmoid(eta);
        // log(1 + e^-|η|) is shared by log p and log (1 - p).
        let tail = (-eta.abs()).exp().ln_1p();
        if wins > 0.0 {
            self.log_likelihood.add(wins * (eta.min(0.0) - tail));
            self.misplaced |= eta <= 0.0;
            self.agree(along);
        }
        if losses > 0.0 {
            self.log_likelihood.add(losses * (-eta.max(0.0) - tail));
            self.misplaced |= eta >= 0.0;
            self.agree(-along);
        }
        // (1 - p) from the other tail: 1 - p rounds to 0 long before it is 0.
        let q = sigmoid(-eta);
        let residual = wins * q - losses * p;
        for (g, x) in self.gradient.iter_mut().zip(&self.scratch) {
            *g += residual * x;
        }
        add_square(&mut self.information, &self.scratch, (wins + losses) * p * q);
    }

    fn agree(&mut self, along: f64) {
        self.agreement = (self.agreement.0.min(along), self.agreement.1.max(along));
    }

    fn merge(&mut self, other: Pass) {
        self.log_likelihood.add(other.log_likelihood.0);
        self.log_likelihood.add(other.log_likelihood.1);
        self.gradient.iter_mut().zip(other.gradient).for_each(|(a, b)| *a += b);
        self.information.iter_mut().zip(other.information).for_each(|(a, b)| *a += b);
        self.misplaced |= other.misplaced;
        self.agreement =
            (self.agreement.0.min(other.agreement.0), self.agreement.1.max(other.agreement.1));
    }

    fn information(&self) -> Symmetric {
        Symmetric::from_fn(self.gradient.len(), |i, j| self.information[i * (i + 1) / 2 + j])
    }
}

struct Scaled<'a, R: Rows + ?Sized> {
    rows: &'a R,
    moments: &'a Moments,
    mean: Vec<f64>,
    deviation: Vec<f64>,
    draws: Draws,
}

impl<R: Rows + ?Sized> Scaled<'_, R> {
    fn pass(&self, beta: &[f64], direction: &[f64]) -> Result<Pass, LearnError> {
        let (mean, deviation) = (&self.mean, &self.deviation);
        fold(
            self.rows,
            self.draws,
            || Pass::new(beta.len()),
            |pass, row, wins, losses| {
                for (j, x) in row.iter().enumerate() {
                    pass.scratch[j + 1] = (x - mean[j]) / deviation[j];
                }
                pass.add(beta, direction, wins, losses);
            },
            Pass::merge,
        )
    }

    /// The first weights: least squares on the start of the thesis. Every example has the same
    /// weight 0.99·0.01 there, so that the moments are enough.
    fn start(&self, signs: &[f64]) -> Result<Vec<f64>, Dependence> {
        let m = self.moments;
        let target = (0.99f64 / 0.01).ln() + 0.01 / (0.99 * 0.01);
        let (wins, losses) = (m.win.weight / m.weight(), m.loss.weight / m.weight());
        let (total, difference) = (m.total(), m.difference());
        let n = m.width();
        let scale = |j: usize| if j == 0 { 1.0 } else { self.deviation[j - 1] };
        let square = Symmetric::from_fn(n + 1, |i, j| match (i, j) {
            (0, 0) => 1.0,
            (_, 0) => 0.0,
            _ => total.at(i - 1, j - 1) / (scale(i) * scale(j)),
        });
        let right: Vec<f64> = (0..=n)
            .map(|j| match j {
                0 => target * (wins - losses),
                _ => 2.0 * target * wins * losses * difference[j - 1] / scale(j),
            })
            .collect();
        bounded::maximise(&square, &right, signs)
    }

    /// Features with a noticeable part in a direction.
    fn named(&self, direction: &[f64]) -> Vec<String> {
        let largest = direction[1..].iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        let names = &self.moments.names;
        (0..names.len())
            .filter(|&j| direction[j + 1].abs() > 1e-3 * largest)
            .map(|j| names[j].clone())
            .collect()
    }

    fn check_separation(&self, pass: &Pass, beta: &[f64], step: &[f64]) -> Result<(), LearnError> {
        if !pass.misplaced {
            return Err(LearnError::Separable { features: self.named(beta), complete: true });
        }
        let (worst, best) = pass.agreement;
        if best > 0.0 && worst >= -1e-7 * best && step.iter().any(|d| *d != 0.0) {
            return Err(LearnError::Separable { features: self.named(step), complete: false });
        }
        Ok(())
    }
}

/// Features that separate on their own: the largest value of one class is not above the smallest of
/// the other. A weight bounded to the other sign cannot make use of it.
fn check_ranges(moments: &Moments, signs: &[f64]) -> Result<(), LearnError> {
    let (win, loss) = (&moments.win, &moments.loss);
    let rises = |j: usize| loss.largest[j] <= win.smallest[j] && signs[j] >= 0.0;
    let falls = |j: usize| win.largest[j] <= loss.smallest[j] && signs[j] <= 0.0;
    let strictly =
        |j: usize| loss.largest[j] < win.smallest[j] || win.largest[j] < loss.smallest[j];
    let found: Vec<usize> = (0..moments.width()).filter(|&j| rises(j) || falls(j)).collect();
    // Several may separate, each alone; one is enough to say, and the message stays true.
    match found.iter().find(|&&j| strictly(j)).or(found.first()) {
        None => Ok(()),
        Some(&j) => Err(LearnError::Separable {
            features: vec![moments.names[j].clone()],
            complete: strictly(j),
        }),
    }
}

fn newton<R: Rows + ?Sized>(
    rows: &R,
    moments: &Moments,
    signs: &[f64],
    options: &Options,
) -> Result<Fit, LearnError> {
    moments.check_variance()?;
    moments.total().cholesky().map_err(|found| moments.dependent(&found))?;
    check_ranges(moments, signs)?;
    let scaled = Scaled {
        rows,
        moments,
        mean: moments.mean(),
        deviation: moments.deviations(),
        draws: options.draws,
    };
    let bounds: Vec<f64> = std::iter::once(0.0).chain(signs.iter().copied()).collect();
    let size = bounds.len();

    let mut iterations: Vec<Iteration> = Vec::new();
    let mut last = vec![0.0; size];
    let mut beta = scaled.start(&bounds).map_err(|found| unscaled(moments, &found))?;
    let mut before = f64::NEG_INFINITY;
    loop {
        let mut halvings = 0;
        let pass = loop {
            let direction: Vec<f64> = beta.iter().zip(&last).map(|(b, l)| b - l).collect();
            let pass = scaled.pass(&beta, &direction)?;
            scaled.check_separation(&pass, &beta, &direction)?;
            let now = pass.log_likelihood.value();
            // A loss within rounding is none; thirty halvings leave nothing of a step.
            if now >= before - 1e-13 * before.abs() || halvings == 30 {
                break pass;
            }
            halvings += 1;
            for (b, l) in beta.iter_mut().zip(&last) {
                *b = l + (*b - l) / 2.0;
            }
        };
        let information = pass.information();
        // The next weights maximise the quadratic that touches the likelihood here.
        let pull: Vec<f64> =
            information.times(&beta).iter().zip(&pass.gradient).map(|(a, g)| a + g).collect();
        let next = bounded::maximise(&information, &pull, &bounds)
            .map_err(|found| fading(moments, &found))?;
        let change = (0..size)
            .map(|j| (j, (next[j] - beta[j]).abs()))
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or((0, 0.0));
        before = pass.log_likelihood.value();
        iterations.push(Iteration {
            log_likelihood: before,
            gradient: dot(&pass.gradient, &pass.gradient).sqrt() / moments.weight(),
            step: change.1,
            halvings,
        });
        last = std::mem::replace(&mut beta, next);
        let largest = beta.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        if change.1 <= options.tolerance * (1.0 + largest) {
            return Ok(finish(&scaled, &beta, &information, &bounds, iterations));
        }
        if iterations.len() >= options.iterations {
            let feature = match change.0 {
                0 => "constant".into(),
                j => moments.names[j - 1].clone(),
            };
            let iterations = iterations.len();
            return Err(LearnError::NoConvergence { iterations, step: change.1, feature });
        }
    }
}

/// Back from features of variance 1 to the features as they are.
fn finish<R: Rows + ?Sized>(
    scaled: &Scaled<'_, R>,
    beta: &[f64],
    information: &Symmetric,
    bounds: &[f64],
    iterations: Vec<Iteration>,
) -> Fit {
    let moments = scaled.moments;
    let width = moments.width();
    let free: Vec<usize> = (0..=width).filter(|&j| bounds[j] == 0.0 || beta[j] != 0.0).collect();
    let inverse = information.part(&free).cholesky().map(|f| f.inverse());
    let variance_of = |row: &[f64]| -> f64 {
        let chosen: Vec<f64> = free.iter().map(|&j| row[j]).collect();
        inverse.as_ref().map_or(f64::NAN, |i| i.form(&chosen))
    };
    let mut weights = vec![0.0; width];
    let mut errors = vec![0.0; width];
    let mut to_constant = vec![1.0; width + 1];
    for j in 0..width {
        weights[j] = beta[j + 1] / scaled.deviation[j];
        to_constant[j + 1] = -scaled.mean[j] / scaled.deviation[j];
        let mut row = vec![0.0; width + 1];
        row[j + 1] = 1.0 / scaled.deviation[j];
        errors[j] = variance_of(&row).sqrt();
    }
    let constant = dot(&to_constant, beta);
    let (wins, losses) = (moments.win.weight, moments.loss.weight);
    Fit {
        model: Linear { names: moments.names.clone(), weights, constant },
        errors,
        constant_error: variance_of(&to_constant).sqrt(),
        log_likelihood: iterations.last().map_or(f64::NAN, |i| i.log_likelihood),
        null_log_likelihood: wins * (wins / (wins + losses)).ln()
            + losses * (losses / (wins + losses)).ln(),
        iterations,
    }
}

/// A dependence between columns where column 0 is the constant.
fn unscaled(moments: &Moments, found: &Dependence) -> LearnError {
    let name = |j: usize| if j == 0 { "constant".into() } else { moments.names[j - 1].clone() };
    LearnError::Dependent {
        feature: name(found.column),
        others: found.others.iter().map(|&j| name(j)).collect(),
    }
}

/// The features are independent, but no longer once the examples are weighted by p (1 - p): all
/// examples that told them apart have become certain.
fn fading(moments: &Moments, found: &Dependence) -> LearnError {
    let columns = found.others.iter().chain(std::iter::once(&found.column));
    let features = columns.filter(|&&j| j > 0).map(|&j| moments.names[j - 1].clone()).collect();
    LearnError::Separable { features, complete: false }
}

#[cfg(test)]
mod tests;
