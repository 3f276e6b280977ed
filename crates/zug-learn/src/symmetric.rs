//! Small symmetric matrices: covariances and information matrices of a dozen features.
//!
//! A Cholesky factor answers everything that the fits ask of them (solutions, inverse,
//! determinant), and where it breaks down it says which column depends on which.

/// A symmetric matrix, held in full.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

/// The lower triangular factor of a positive definite matrix.
#[derive(Clone, Debug)]
pub struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

/// A column of a matrix is a linear function of the columns before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependence {
    /// The dependent column.
    pub column: usize,
    /// The columns that it is made of.
    pub others: Vec<usize>,
}

/// A column of which the others explain all but this share of the variance counts as dependent.
const DEPENDENT: f64 = 1e-11;

impl Symmetric {
    /// The zero matrix.
    #[must_use]
    pub fn zero(size: usize) -> Symmetric {
        Symmetric { size, cells: vec![0.0; size * size] }
    }

    /// A matrix given by its cells; `cell(i, j)` is asked for `i >= j` only.
    pub fn from_fn(size: usize, mut cell: impl FnMut(usize, usize) -> f64) -> Symmetric {
        let mut m = Symmetric::zero(size);
        for i in 0..size {
            for j in 0..=i {
                m.set(i, j, cell(i, j));
            }
        }
        m
    }

    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// A cell.
    #[must_use]
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    /// Sets a cell and its mirror image.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] = value;
        self.cells[j * self.size + i] = value;
    }

    /// The product with a vector.
    #[must_use]
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.cells.chunks_exact(self.size.max(1)).map(|row| dot(row, x)).collect()
    }

    /// x A x'.
    #[must_use]
    pub fn form(&self, x: &[f64]) -> f64 {
        dot(&self.times(x), x)
    }

    /// The rows and columns asked for.
    #[must_use]
    pub fn part(&self, chosen: &[usize]) -> Symmetric {
        Symmetric::from_fn(chosen.len(), |i, j| self.at(chosen[i], chosen[j]))
    }

    /// The Cholesky factor of a matrix with a positive diagonal.
    ///
    /// # Errors
    /// Says which column depends on which when the matrix is singular within rounding.
    pub fn cholesky(&self) -> Result<Cholesky, Dependence> {
        let n = self.size;
        let scale: Vec<f64> = (0..n).map(|i| self.at(i, i).abs().sqrt()).collect();
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let above = dot(&lower[i * n..i * n + j], &lower[j * n..j * n + j]);
                let rest = self.at(i, j) - above;
                if i > j {
                    lower[i * n + j] = rest / lower[j * n + j];
                } else if rest > DEPENDENT * self.at(i, i) {
                    lower[i * n + i] = rest.sqrt();
                } else {
                    return Err(dependence(&lower, n, i, &scale));
                }
            }
        }
        Ok(Cholesky { size: n, lower })
    }
}

/// Column `at` is explained by the columns before it: by which?
fn dependence(lower: &[f64], n: usize, at: usize, scale: &[f64]) -> Dependence {
    let mut shares = lower[at * n..at * n + at].to_vec();
    for i in (0..at).rev() {
        for k in i + 1..at {
            shares[i] -= lower[k * n + i] * shares[k];
        }
        shares[i] /= lower[i * n + i];
    }
    for (share, s) in shares.iter_mut().zip(scale) {
        *share = share.abs() * s;
    }
    let largest = shares.iter().copied().fold(0.0, f64::max);
    let others = (0..at).filter(|&i| largest > 0.0 && shares[i] > 1e-4 * largest).collect();
    Dependence { column: at, others }
}

impl Cholesky {
    /// The solution x of A x = b.
    #[must_use]
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut x = b.to_vec();
        for i in 0..n {
            let above = dot(&self.lower[i * n..i * n + i], &x[..i]);
            x[i] = (x[i] - above) / self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] -= self.lower[k * n + i] * x[k];
            }
            x[i] /= self.lower[i * n + i];
        }
        x
    }

    /// The inverse of A.
    #[must_use]
    pub fn inverse(&self) -> Symmetric {
        let n = self.size;
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let mut unit = vec![0.0; n];
                unit[j] = 1.0;
                self.solve(&unit)
            })
            .collect();
        Symmetric::from_fn(n, |i, j| (columns[i][j] + columns[j][i]) / 2.0)
    }

    /// log |A|.
    #[must_use]
    pub fn log_determinant(&self) -> f64 {
        (0..self.size).map(|i| 2.0 * self.lower[i * self.size + i].ln()).sum()
    }
}

/// The inner product.
#[must_use]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_dependent_column_is_named_with_those_that_make_it() {
        // Columns: a, b, c, a + 2b (exact integers).
        let rows =
            [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [2.0, -1.0, 1.0], [1.0, 3.0, 1.0]];
        let full: Vec<[f64; 4]> =
            rows.iter().map(|r| [r[0], r[1], r[2], r[0] + 2.0 * r[1]]).collect();
        let gram = Symmetric::from_fn(4, |i, j| full.iter().map(|r| r[i] * r[j]).sum());
        assert_eq!(gram.cholesky().unwrap_err(), Dependence { column: 3, others: vec![0, 1] });
        assert!(gram.part(&[0, 1, 2]).cholesky().is_ok());
    }

    proptest! {
        #[test]
        fn solutions_inverse_and_determinant_agree(
            cells in proptest::collection::vec(-2.0f64..2.0, 30),
            b in proptest::collection::vec(-5.0f64..5.0, 5),
        ) {
            // A Gram matrix plus the identity is positive definite.
            let a = Symmetric::from_fn(5, |i, j| {
                dot(&cells[i * 6..i * 6 + 6], &cells[j * 6..j * 6 + 6]) + f64::from(u8::from(i == j))
            });
            let factor = a.cholesky().unwrap();
            let x = factor.solve(&b);
            for (left, right) in a.times(&x).iter().zip(&b) {
                prop_assert!((left - right).abs() < 1e-9);
            }
            let inverse = factor.inverse();
            for (left, right) in inverse.times(&b).iter().zip(&x) {
                prop_assert!((left - right).abs() < 1e-9);
            }
            let of_inverse = inverse.cholesky().unwrap().log_determinant();
            prop_assert!((factor.log_determinant() + of_inverse).abs() < 1e-9);
        }
    }
}
