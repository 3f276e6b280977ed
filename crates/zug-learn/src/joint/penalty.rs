//! What keeps weights small and neighbouring knots alike, and the preconditioner.
//!
//! The penalty of a cell with weights w₀, w₁, … at its knots is
//! ½ ridge Σ wₖ² + ½ smooth Σ (wₖ - wₖ₊₁)². Both are counted in examples: a cell seen less often than
//! `ridge` times is drawn towards 0, one seen less often than `smooth` times at a knot towards what
//! it is worth at the next.
//!
//! The curvature of loss and penalty along the knots of one cell is a tridiagonal matrix, since an
//! example lies between two neighbouring knots. Conjugate gradients are preconditioned with these
//! matrices, one a cell, factored once: what plain Jacobi does, but the knots of a cell are solved
//! together, so that a cell learns at once at the knots where it is never seen.

use rayon::prelude::*;

const CELL_BLOCK: usize = 1024;

/// The penalty on the weights.
#[derive(Clone, Debug)]
pub struct Penalty {
    pub knots: usize,
    pub ridge: f64,
    pub smooth: f64,
    /// Cells that are held at 0.
    pub held: Vec<bool>,
}

impl Penalty {
    /// The penalty of weights.
    pub fn value(&self, weights: &[f64]) -> f64 {
        let blocks: Vec<f64> = weights
            .par_chunks(CELL_BLOCK * self.knots)
            .map(|block| {
                let squares: f64 = block.iter().map(|w| w * w).sum();
                let pairs = block.chunks_exact(self.knots).flat_map(|cell| cell.windows(2));
                let steps: f64 = pairs.map(|p| (p[0] - p[1]) * (p[0] - p[1])).sum();
                0.5 * (self.ridge * squares + self.smooth * steps)
            })
            .collect();
        blocks.iter().sum()
    }

    /// Adds the derivative of the penalty at `weights`; held cells get none of anything.
    pub fn add_slope(&self, weights: &[f64], out: &mut [f64]) {
        let blocks = out.par_chunks_mut(CELL_BLOCK * self.knots).enumerate();
        blocks.for_each(|(block, out)| {
            let first = block * CELL_BLOCK;
            for (i, out) in out.chunks_exact_mut(self.knots).enumerate() {
                if self.held[first + i] {
                    out.fill(0.0);
                    continue;
                }
                let w = &weights[(first + i) * self.knots..][..self.knots];
                for knot in 0..self.knots {
                    out[knot] += self.ridge * w[knot];
                    if knot > 0 {
                        out[knot] += self.smooth * (w[knot] - w[knot - 1]);
                    }
                    if knot + 1 < self.knots {
                        out[knot] += self.smooth * (w[knot] - w[knot + 1]);
                    }
                }
            }
        });
    }
}

/// For each cell the factors of its tridiagonal matrix: L D Lᵀ.
pub struct Preconditioner {
    knots: usize,
    /// 1/D.
    inverse: Vec<f64>,
    /// Below the diagonal of L: how much of knot k goes into knot k + 1.
    lower: Vec<f64>,
}

impl Preconditioner {
    /// From the curvature of the loss at each knot, and between each knot and the next.
    pub fn new(mut own: Vec<f64>, mut between: Vec<f64>, penalty: &Penalty) -> Preconditioner {
        let knots = penalty.knots;
        let blocks = own.par_chunks_mut(CELL_BLOCK * knots).enumerate();
        blocks.zip(between.par_chunks_mut(CELL_BLOCK * knots)).for_each(
            |((block, own), between)| {
                let cells = own.chunks_exact_mut(knots).zip(between.chunks_exact_mut(knots));
                for (i, (own, between)) in cells.enumerate() {
                    let held = penalty.held[block * CELL_BLOCK + i];
                    factor(own, between, penalty, held);
                }
            },
        );
        Preconditioner { knots, inverse: own, lower: between }
    }

    /// Solves the matrices of all cells.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let knots = self.knots;
        let mut out = right.to_vec();
        let size = CELL_BLOCK * knots;
        out.par_chunks_mut(size)
            .zip(self.inverse.par_chunks(size).zip(self.lower.par_chunks(size)))
            .for_each(|(out, (inverse, lower))| {
                let factors = inverse.chunks_exact(knots).zip(lower.chunks_exact(knots));
                for (x, (inverse, lower)) in out.chunks_exact_mut(knots).zip(factors) {
                    for k in 1..knots {
                        x[k] -= lower[k - 1] * x[k - 1];
                    }
                    x[knots - 1] *= inverse[knots - 1];
                    for k in (0..knots - 1).rev() {
                        x[k] = x[k] * inverse[k] - lower[k] * x[k + 1];
                    }
                }
            });
        out
    }
}

/// Turns curvatures into factors, in place.
fn factor(own: &mut [f64], between: &mut [f64], penalty: &Penalty, held: bool) {
    let knots = own.len();
    if held {
        own.fill(0.0);
        between.fill(0.0);
        return;
    }
    for k in 0..knots {
        let neighbours = usize::from(k > 0) + usize::from(k + 1 < knots);
        own[k] += penalty.ridge + penalty.smooth * neighbours as f64;
        if k + 1 < knots {
            between[k] -= penalty.smooth;
        } else {
            between[k] = 0.0;
        }
    }
    // What is nothing but rounding against the largest is a direction without curvature: a cell
    // that was never seen and is not drawn anywhere. It stays where it is.
    let nothing = 1e-12 * own.iter().fold(0.0, |a: f64, &b| a.max(b));
    for k in 0..knots {
        let pivot = own[k];
        let usable = pivot > nothing;
        own[k] = if usable { 1.0 / pivot } else { 0.0 };
        let off = between[k];
        between[k] = if usable { off / pivot } else { 0.0 };
        if k + 1 < knots {
            own[k + 1] -= between[k] * off;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_penalty_slope_is_its_derivative(
            weights in prop::collection::vec(-3.0..3.0f64, 12), at in 0usize..12,
        ) {
            let penalty = Penalty { knots: 4, ridge: 0.7, smooth: 1.3, held: vec![false; 3] };
            let mut slope = vec![0.0; 12];
            penalty.add_slope(&weights, &mut slope);
            let moved = |step: f64| {
                let mut w = weights.clone();
                w[at] += step;
                penalty.value(&w)
            };
            let expected = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            prop_assert!((slope[at] - expected).abs() < 1e-6);
        }

        #[test]
        fn the_preconditioner_solves_the_matrix_of_each_cell(
            own in prop::collection::vec(0.5..3.0f64, 8), x in prop::collection::vec(-3.0..3.0f64, 8),
        ) {
            // One matrix of each cell: own + penalty, times x, solved, is x again.
            let penalty = Penalty { knots: 4, ridge: 0.1, smooth: 0.9, held: vec![false, false] };
            let between = vec![0.2; 8];
            let mut right: Vec<f64> = x.iter().zip(&own).map(|(x, o)| x * o).collect();
            for i in 0..8 {
                if i % 4 != 3 {
                    right[i] += 0.2 * x[i + 1];
                    right[i + 1] += 0.2 * x[i];
                }
            }
            penalty.add_slope(&x, &mut right);
            let solved = Preconditioner::new(own, between, &penalty).solve(&right);
            for (a, b) in solved.iter().zip(&x) {
                prop_assert!((a - b).abs() < 1e-9, "{solved:?} {x:?}");
            }
        }
    }

    #[test]
    fn cells_without_curvature_stay_where_they_are() {
        let penalty = Penalty { knots: 2, ridge: 0.0, smooth: 0.0, held: vec![false; 2] };
        let preconditioner = Preconditioner::new(vec![0.0, 2.0, 0.0, 0.0], vec![0.0; 4], &penalty);
        assert_eq!(preconditioner.solve(&[1.0, 1.0, 1.0, 1.0]), [0.0, 0.5, 0.0, 0.0]);
    }
}
