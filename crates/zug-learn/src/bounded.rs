//! The maximum of a concave quadratic over an orthant, exactly, by active sets. It is the step of
//! the sign-constrained fits, and for the linear discriminant the whole fit.

use crate::symmetric::{Dependence, Symmetric, dot};

/// Maximises b·x - ½ x A x' for positive definite A, where x_j keeps the sign of `signs[j]` (or is
/// 0); a sign of 0 leaves the component free.
///
/// # Errors
/// Says which column depends on which when A is singular.
pub fn maximise(a: &Symmetric, b: &[f64], signs: &[f64]) -> Result<Vec<f64>, Dependence> {
    let n = a.size();
    let flip: Vec<f64> = signs.iter().map(|&s| if s < 0.0 { -1.0 } else { 1.0 }).collect();
    let bounded: Vec<bool> = signs.iter().map(|&s| s != 0.0).collect();
    let a = Symmetric::from_fn(n, |i, j| flip[i] * flip[j] * a.at(i, j));
    let b: Vec<f64> = b.iter().zip(&flip).map(|(b, f)| b * f).collect();
    // The whole matrix must be regular; its parts then are too.
    a.cholesky()?;

    let mut free: Vec<bool> = bounded.iter().map(|b| !b).collect();
    let mut x = vec![0.0; n];
    // Every round ends in the optimum of another face, with a larger value: 2^n at most, and in
    // practice a few. The limit guards against rounding that goes round in circles.
    for _ in 0..16 * (n + 1) {
        loop {
            let target = optimum_of_face(&a, &b, &free)?;
            let blocking = (0..n)
                .filter(|&j| free[j] && bounded[j] && target[j] <= 0.0)
                .map(|j| if x[j] > target[j] { x[j] / (x[j] - target[j]) } else { 0.0 })
                .reduce(f64::min);
            let Some(share) = blocking else {
                x = target;
                break;
            };
            for j in 0..n {
                x[j] += share * (target[j] - x[j]);
                let stopped = free[j] && bounded[j] && target[j] <= 0.0;
                if stopped && x[j] <= 1e-14 * target[j].abs() {
                    free[j] = false;
                    x[j] = 0.0;
                }
            }
        }
        let slope = a.times(&x);
        let best = (0..n)
            .filter(|&j| !free[j])
            .map(|j| (j, (b[j] - slope[j]) / a.at(j, j).sqrt()))
            .filter(|&(j, s)| s > 1e-12 * (b[j].abs() + slope[j].abs()) / a.at(j, j).sqrt())
            .max_by(|l, r| l.1.total_cmp(&r.1));
        match best {
            Some((j, _)) => free[j] = true,
            None => break,
        }
    }
    Ok(x.iter().zip(&flip).map(|(x, f)| if *x == 0.0 { 0.0 } else { x * f }).collect())
}

/// The optimum with the other components held at 0.
fn optimum_of_face(a: &Symmetric, b: &[f64], free: &[bool]) -> Result<Vec<f64>, Dependence> {
    let chosen: Vec<usize> = (0..b.len()).filter(|&j| free[j]).collect();
    let right: Vec<f64> = chosen.iter().map(|&j| b[j]).collect();
    let solved = a.part(&chosen).cholesky()?.solve(&right);
    let mut x = vec![0.0; b.len()];
    for (&j, value) in chosen.iter().zip(solved) {
        x[j] = value;
    }
    Ok(x)
}

/// The value b·x - ½ x A x'.
#[must_use]
pub fn value(a: &Symmetric, b: &[f64], x: &[f64]) -> f64 {
    dot(b, x) - 0.5 * a.form(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries every face of the orthant.
    fn by_force(a: &Symmetric, b: &[f64], signs: &[f64]) -> f64 {
        let n = b.len();
        (0..1u32 << n)
            .filter_map(|mask| {
                let free: Vec<bool> =
                    (0..n).map(|j| signs[j] == 0.0 || mask >> j & 1 == 1).collect();
                let x = optimum_of_face(a, b, &free).unwrap();
                let allowed = x.iter().zip(signs).all(|(x, s)| *s == 0.0 || x * s >= 0.0);
                allowed.then(|| value(a, b, &x))
            })
            .fold(f64::NEG_INFINITY, f64::max)
    }

    proptest! {
        #[test]
        fn the_optimum_is_that_of_the_best_face(
            cells in proptest::collection::vec(-2.0f64..2.0, 42),
            b in proptest::collection::vec(-5.0f64..5.0, 6),
            kinds in proptest::collection::vec(-1i32..=1, 6),
        ) {
            let signs: Vec<f64> = kinds.iter().map(|&k| f64::from(k)).collect();
            let a = Symmetric::from_fn(6, |i, j| {
                dot(&cells[i * 7..i * 7 + 7], &cells[j * 7..j * 7 + 7])
                    + if i == j { 0.2 } else { 0.0 }
            });
            let x = maximise(&a, &b, &signs).unwrap();
            for (x, s) in x.iter().zip(&signs) {
                prop_assert!(*s == 0.0 || x * s >= 0.0);
            }
            let (found, best) = (value(&a, &b, &x), by_force(&a, &b, &signs));
            prop_assert!((found - best).abs() <= 1e-9 * (1.0 + best.abs()), "{found} {best}");
        }
    }
}
