//! Sums over long vectors, in parallel and always in the same order.

use rayon::prelude::*;

/// Elements a task works on. Part of the result: sums are taken block by block.
const BLOCK: usize = 1 << 15;

/// The inner product.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let sums: Vec<f64> = a
        .par_chunks(BLOCK)
        .zip(b.par_chunks(BLOCK))
        .map(|(a, b)| a.iter().zip(b).map(|(x, y)| x * y).sum())
        .collect();
    sums.iter().sum()
}

/// `y += factor · x`.
pub fn add(y: &mut [f64], factor: f64, x: &[f64]) {
    y.par_chunks_mut(BLOCK).zip(x.par_chunks(BLOCK)).for_each(|(y, x)| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
    });
}

/// `p = z + factor · p`.
pub fn turn(p: &mut [f64], factor: f64, z: &[f64]) {
    p.par_chunks_mut(BLOCK).zip(z.par_chunks(BLOCK)).for_each(|(p, z)| {
        p.iter_mut().zip(z).for_each(|(p, z)| *p = z + factor * *p);
    });
}

/// `base + factor · step`.
pub fn moved(base: &[f64], factor: f64, step: &[f64]) -> Vec<f64> {
    let mut sum = base.to_vec();
    add(&mut sum, factor, step);
    sum
}
