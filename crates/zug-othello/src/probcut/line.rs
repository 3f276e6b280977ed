//! The straight line through pairs of values, and its error.

use serde::{Deserialize, Serialize};

/// What a regression needs to know of its pairs. Sums of whole numbers would be exact; these are
/// centred on the go, which is as good and cannot overflow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    n: f64,
    mean_x: f64,
    mean_y: f64,
    xx: f64,
    xy: f64,
    yy: f64,
}

/// `y = a * x + b + e`, with what is known of `e`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Pairs that it was fitted to.
    pub n: u64,
    /// The slope.
    pub a: f64,
    /// The shift.
    pub b: f64,
    /// The deviation of the error.
    pub sigma: f64,
    /// The share of the variance of `y` that the line explains.
    pub r2: f64,
    /// The deviation of `y` itself.
    pub spread: f64,
}

impl Sums {
    /// Takes in a pair.
    pub fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        let (dx, dy) = (x - self.mean_x, y - self.mean_y);
        self.mean_x += dx / self.n;
        self.mean_y += dy / self.n;
        self.xx += dx * (x - self.mean_x);
        self.yy += dy * (y - self.mean_y);
        self.xy += dx * (y - self.mean_y);
    }

    /// How many pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.n as u64
    }

    /// The line of least squares; none through fewer than three pairs, or when all `x` are one.
    #[must_use]
    pub fn line(&self) -> Option<Line> {
        if self.n < 3.0 || self.xx <= 0.0 || self.yy <= 0.0 {
            return None;
        }
        let a = self.xy / self.xx;
        let b = self.mean_y - a * self.mean_x;
        let rest = (self.yy - a * self.xy).max(0.0);
        Some(Line {
            n: self.n as u64,
            a,
            b,
            sigma: (rest / (self.n - 2.0)).sqrt(),
            r2: 1.0 - rest / self.yy,
            spread: (self.yy / (self.n - 1.0)).sqrt(),
        })
    }
}

impl FromIterator<(f64, f64)> for Sums {
    fn from_iter<T: IntoIterator<Item = (f64, f64)>>(pairs: T) -> Sums {
        let mut sums = Sums::default();
        pairs.into_iter().for_each(|(x, y)| sums.add(x, y));
        sums
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use zug_core::seed::RngExt;
    use zug_core::{Rng, rng};

    /// A normal number: the sum of twelve even ones.
    pub fn normal(rng: &mut Rng) -> f64 {
        (0..12).map(|_| rng.random_range(0.0..1.0f64)).sum::<f64>() - 6.0
    }

    #[test]
    fn a_known_line_is_recovered_with_its_error() {
        let mut dice = rng(1, 0);
        for (a, b, sigma) in [(1.0, 0.0, 300.0), (0.9, -120.0, 50.0), (1.2, 40.0, 900.0)] {
            let pair = |_| {
                let x = 1500.0 * normal(&mut dice);
                (x, a * x + b + sigma * normal(&mut dice))
            };
            let line = (0..20_000).map(pair).collect::<Sums>().line().unwrap();
            // Four standard errors.
            let slack = 4.0 * sigma / 20_000f64.sqrt();
            assert!((line.a - a).abs() < slack / 1500.0 && (line.b - b).abs() < slack, "{line:?}");
            assert!((line.sigma / sigma - 1.0).abs() < 0.03, "{line:?}");
            let explained = (a * 1500.0).powi(2);
            assert!((line.r2 - explained / (explained + sigma * sigma)).abs() < 0.02, "{line:?}");
        }
    }

    #[test]
    fn what_has_no_line_gets_none() {
        assert_eq!([(1.0, 2.0), (3.0, 4.0)].into_iter().collect::<Sums>().line(), None);
        assert_eq!([(1.0, 2.0); 9].into_iter().collect::<Sums>().line(), None);
        let exact = (0..9).map(|i| (f64::from(i), 2.0 * f64::from(i) - 1.0)).collect::<Sums>();
        let line = exact.line().unwrap();
        assert!((line.a - 2.0).abs() < 1e-12 && line.sigma < 1e-6 && line.r2 > 0.999_999);
    }
}
