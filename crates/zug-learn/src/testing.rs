//! Synthetic examples for tests: normal features, classes drawn from a known model.

use zug_core::seed::{Rng, RngExt, rng};

use crate::discriminant::logistic;
use crate::rows::{Class, Matrix};

/// A standard normal number.
pub fn normal(r: &mut Rng) -> f64 {
    let (u, v): (f64, f64) = (r.random(), r.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// `rows` examples of correlated features, won with the probability that `weights` give, some of
/// them drawn, of different weights and scales.
pub fn synthetic(seed: u64, rows: usize, weights: &[f64], correlation: f64) -> Matrix {
    let mut r = rng(seed, 0);
    let mut m = Matrix::new((0..weights.len()).map(|j| format!("x{j}")));
    for _ in 0..rows {
        let common = normal(&mut r);
        let z: Vec<f64> = weights
            .iter()
            .map(|_| correlation.sqrt() * common + (1.0 - correlation).sqrt() * normal(&mut r))
            .collect();
        let eta: f64 = z.iter().zip(weights).map(|(z, w)| z * w).sum();
        let class = match (r.random::<f64>() < 0.1, r.random::<f64>() < logistic(eta)) {
            (true, _) => Class::Draw,
            (_, true) => Class::Win,
            _ => Class::Loss,
        };
        let row: Vec<f64> =
            z.iter().enumerate().map(|(j, z)| 3.0 + z * (1.0 + 10.0 * j as f64)).collect();
        m.push_weighted(&row, class, f64::from(r.random_range(1..4u32)) / 2.0).unwrap();
    }
    m
}

/// Each example as (row, won, weight), draws twice: the plainest form for a reference.
pub fn flat(m: &Matrix) -> Vec<(Vec<f64>, bool, f64)> {
    let mut out = Vec::new();
    for i in 0..m.len() {
        let (row, class, weight) = m.row(i);
        if class != Class::Loss {
            out.push((row.to_vec(), true, weight));
        }
        if class != Class::Win {
            out.push((row.to_vec(), false, weight));
        }
    }
    out
}

/// Forty examples that are easy to write down in another program as well.
pub fn forty() -> Matrix {
    let mut m = Matrix::new(["a", "b"]);
    for i in 0..40i32 {
        let (a, b) = (f64::from(7 * i % 13 - 6), f64::from(5 * i % 11) / 2.0);
        let noise = f64::from((3 * i * i + i) % 7 - 3);
        let won = 0.5 * a - b + noise + 2.5 > 0.0;
        m.push(&[a, b], if won { Class::Win } else { Class::Loss }).unwrap();
    }
    m
}
