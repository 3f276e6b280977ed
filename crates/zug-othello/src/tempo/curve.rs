//! How far do the values of neighbouring depths lie apart, and what explains it?

use super::{DISCS, Tempo};
use crate::probcut::Measured;
use serde::Serialize;

/// Searches of fewer plies say more about the position than about the evaluation.
const SHALLOWEST: u32 = 2;
/// How much smoothness is worth, in pairs of depths. A bend of a tenth of a disc at one place is as
/// bad as missing a mean of some hundred pairs by as much.
const SMOOTHNESS: f64 = 30.0;

/// One point of a [`Curve`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Point {
    /// Discs at the leaves of the deeper search.
    pub discs: u32,
    /// Pairs of neighbouring depths.
    pub pairs: u64,
    /// Half of their mean difference, in discs: how much too well the evaluation thinks of the side
    /// to move about here.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// How much too well an evaluation thinks of the side to move, measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// By disc count; only counts that were met.
    pub points: Vec<Point>,
}

/// Unknowns of an equation, each with its factor.
type Terms = Vec<(usize, f64)>;

impl Curve {
    /// From the values of positions at all depths, in hundredths of a disc.
    #[must_use]
    pub fn of(measured: &[Measured]) -> Curve {
        let mut sums = [(0u64, 0i64, 0i64); DISCS];
        for one in measured {
            for (depth, pair) in (0u32..).zip(one.values.windows(2)) {
                let leaves = one.discs + depth + 1;
                if depth < SHALLOWEST || leaves > 64 {
                    continue;
                }
                let sign = if depth % 2 == 0 { 1 } else { -1 };
                let swing = i64::from(sign * (pair[0] - pair[1]));
                let (n, sum, squares) = &mut sums[leaves as usize];
                *n += 1;
                *sum += swing;
                *squares += swing * swing;
            }
        }
        let point = |(discs, &(pairs, sum, squares)): (usize, &(u64, i64, i64))| {
            let n = pairs as f64;
            let mean = sum as f64 / n;
            let variance = (squares as f64 / n - mean * mean).max(0.0);
            let error = (variance / n).sqrt() / 200.0;
            Point { discs: discs as u32, pairs, mean: mean / 200.0, error }
        };
        let points = sums.iter().enumerate().filter(|(_, sums)| sums.0 > 0).map(point).collect();
        Curve { points }
    }

    /// The mean over all pairs of how far the values of neighbouring depths lie apart for no reason
    /// but the depth, in discs.
    #[must_use]
    pub fn swing(&self) -> f64 {
        let pairs: u64 = self.points.iter().map(|p| p.pairs).sum();
        let sum: f64 = self.points.iter().map(|p| 2.0 * p.mean.abs() * p.pairs as f64).sum();
        if pairs == 0 { 0.0 } else { sum / pairs as f64 }
    }

    /// The smoothest table that explains the means; `before` is what had been taken off when they
    /// were measured.
    #[must_use]
    pub fn tempo(&self, before: &Tempo) -> Tempo {
        // Least squares: each mean is that of two neighbours, and second differences are small.
        let mut rows: Vec<(Terms, f64, f64)> = Vec::new();
        for point in &self.points {
            let k = point.discs as usize;
            let weight = point.pairs as f64;
            rows.push((vec![(k - 1, 0.5), (k, 0.5)], 100.0 * point.mean, weight));
        }
        for k in 1..DISCS - 1 {
            let bend = vec![(k - 1, 1.0), (k, -2.0), (k + 1, 1.0)];
            rows.push((bend, 0.0, SMOOTHNESS));
        }
        // Where nothing was measured nothing is taken off.
        for k in 0..DISCS {
            rows.push((vec![(k, 1.0)], 0.0, 1e-3));
        }
        let mut matrix = vec![[0.0; DISCS + 1]; DISCS];
        for (terms, target, weight) in rows {
            for &(i, a) in &terms {
                for &(j, b) in &terms {
                    matrix[i][j] += weight * a * b;
                }
                matrix[i][DISCS] += weight * a * target;
            }
        }
        let found = solved(matrix);
        let mut table = [0; DISCS];
        for (k, value) in table.iter_mut().enumerate() {
            let all = found[k] + f64::from(before.0[k]);
            *value = all.round().clamp(-6400.0, 6400.0) as i16;
        }
        Tempo(table)
    }
}

/// Gauss without pivots: the matrix is symmetric and positive definite.
fn solved(mut matrix: Vec<[f64; DISCS + 1]>) -> [f64; DISCS] {
    for i in 0..DISCS {
        let row = matrix[i];
        for below in &mut matrix[i + 1..] {
            let factor = below[i] / row[i];
            for (cell, above) in below.iter_mut().zip(&row).skip(i) {
                *cell -= factor * above;
            }
        }
    }
    let mut found = [0.0; DISCS];
    for i in (0..DISCS).rev() {
        let known: f64 = (i + 1..DISCS).map(|j| matrix[i][j] * found[j]).sum();
        found[i] = (matrix[i][DISCS] - known) / matrix[i][i];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions whose values are those of an evaluation that is off by `tilt`.
    fn tilted(tilt: impl Fn(u32) -> i32) -> Vec<Measured> {
        let one = |n: u32| {
            let truth = |d: u32| i32::from(d as u16 * 7 % 5) * 10 + n as i32;
            let value = |d: u32| {
                let sign = if d.is_multiple_of(2) { 1 } else { -1 };
                truth(n) + sign * tilt(n + d)
            };
            let values: Vec<i32> = (0..=6).map(value).collect();
            Measured { discs: n, nodes: vec![1; values.len()], values, end: None }
        };
        (4..=56).flat_map(|n| (0..40).map(move |_| n)).map(one).collect()
    }

    #[test]
    fn a_tilt_towards_the_mover_is_found_and_taken_off() {
        let tilt = |k: u32| 150 - 4 * k as i32;
        let curve = Curve::of(&tilted(tilt));
        assert!(curve.swing() > 1.0, "{}", curve.swing());
        let tempo = curve.tempo(&Tempo::NONE);
        for k in 8..=60 {
            assert!((tempo.of(k) - tilt(k)).abs() <= 2, "{k}: {} {}", tempo.of(k), tilt(k));
        }
        let rest = Curve::of(&tilted(|k| tilt(k) - tempo.of(k)));
        assert!(rest.swing() < 0.05, "{}", rest.swing());
        let again = rest.tempo(&tempo);
        assert!((8..=60).all(|k| (again.of(k) - tempo.of(k)).abs() <= 2));
    }

    #[test]
    fn values_without_a_tilt_have_nothing_taken_off() {
        let curve = Curve::of(&tilted(|_| 0));
        assert_eq!(curve.swing(), 0.0);
        assert!(curve.tempo(&Tempo::NONE).is_none());
        assert!(Curve::default().tempo(&Tempo::NONE).is_none());
    }
}
