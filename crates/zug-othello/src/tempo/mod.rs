//! Does an evaluation favour the side to move, and by how much?
//!
//! Examples come from games with random moves and mistakes in them: the side to move often has
//! something to win that a good opponent would not have left there. At the leaves of a search the
//! opponent has played well, and there such an evaluation thinks too well (or, early in the game, too
//! badly) of whoever is to move. So values swing from one depth to the next: at odd depths one side
//! is to move at the leaves, at even ones the other.
//!
//! Passes take no depth, so all leaves of a search have the same disc count. If the evaluation of a
//! position with `k` discs is too high by `t[k]` for its mover, a search of `d` plies from `n` discs is
//! off by `(-1)^d t[n + d]`, whatever it finds. The difference of two depths is therefore
//!
//! ```text
//!   (-1)^d (V_d - V_{d+1}) = t[n + d] + t[n + d + 1]
//! ```
//!
//! and its mean over many positions tells the sums of neighbours of `t`. [`Curve`] holds these means,
//! [`Curve::tempo`] the smoothest `t` that explains them. A [`Tempo`] is part of a model and is
//! taken off each value: a table of one number for each disc count, which costs nothing.

use crate::Board;
use crate::examples::player::Judge;
use crate::probcut::{Measured, Reach};
use rayon::prelude::*;
use zug_core::{Progress, StopFlag};

/// Disc counts.
const DISCS: usize = 65;
/// Searches of fewer plies say more about the position than about the evaluation.
const SHALLOWEST: u32 = 2;
/// How much smoothness is worth, in pairs of depths. A bend of a tenth of a disc at one place is as
/// bad as missing a mean of some hundred pairs by as much.
const SMOOTHNESS: f64 = 30.0;

/// How much too well an evaluation thinks of the side to move, by disc count, in hundredths of a
/// disc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tempo([i16; DISCS]);

impl Default for Tempo {
    fn default() -> Tempo {
        Tempo::NONE
    }
}

impl Tempo {
    /// Nothing to take off.
    pub const NONE: Tempo = Tempo([0; DISCS]);

    /// From numbers for 0 to 64 discs.
    #[must_use]
    pub fn new(hundredths: [i16; DISCS]) -> Tempo {
        Tempo(hundredths)
    }

    /// What is too much for the side to move, in hundredths of a disc.
    #[must_use]
    #[inline]
    pub fn of(&self, discs: u32) -> i32 {
        i32::from(self.0[discs.min(64) as usize])
    }

    /// Is there nothing to take off?
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Tempo::NONE
    }

    /// As bytes, low before high.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// From bytes; `None` where they are no table of numbers that make sense.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Tempo> {
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut table = [0; DISCS];
        if pairs.len() != DISCS || !rest.is_empty() {
            return None;
        }
        for (value, pair) in table.iter_mut().zip(pairs) {
            *value = i16::from_le_bytes(*pair);
        }
        table.iter().all(|value| value.unsigned_abs() <= 6400).then_some(Tempo(table))
    }
}

/// One point of a [`Curve`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// Searches positions to all depths up to one and compares neighbouring depths; `None` when stopped.
/// The same on any number of threads.
#[must_use]
pub fn measure(
    judge: &Judge,
    boards: &[Board],
    depth: u32,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Option<Curve> {
    progress.set_length(Some(boards.len() as u64));
    let measured: Vec<Option<Measured>> = boards
        .par_iter()
        .map_init(
            || judge.engine(1),
            |engine, &board| {
                let found = Measured::of(engine.as_mut(), board, Reach { depth, end: 0 }, stop);
                progress.advance(1);
                found
            },
        )
        .collect();
    let measured: Option<Vec<Measured>> = measured.into_iter().collect();
    Some(Curve::of(&measured?))
}

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
        let mut rows: Vec<(Vec<(usize, f64)>, f64, f64)> = Vec::new();
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
                let sign = if d % 2 == 0 { 1 } else { -1 };
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

    #[test]
    fn a_table_survives_as_bytes_and_nonsense_is_refused() {
        let mut table = [0; DISCS];
        (table[9], table[64]) = (-123, 6400);
        let tempo = Tempo::new(table);
        assert_eq!(Tempo::from_bytes(&tempo.to_bytes()), Some(tempo.clone()));
        assert_eq!(Tempo::from_bytes(&tempo.to_bytes()[1..]), None);
        assert_eq!(Tempo::from_bytes(&[0; 131]), None);
        table[3] = 6401;
        assert_eq!(Tempo::from_bytes(&Tempo::new(table).to_bytes()), None);
    }
}
