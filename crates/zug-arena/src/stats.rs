//! What does a list of results say about strength?
//!
//! The two games of a pair begin alike, with colours swapped, so their results hang together: an
//! opening that wins for one side brings each player one point. Counting single games as if they
//! were independent overstates the variance; so all statements here rest on *pairs* (five possible
//! results of 0 to 2 points, hence *pentanomial*), and on single games only where there are none.

mod elo;
mod ratings;
mod significance;
mod sprt;

pub use elo::{EloModel, Pentanomial, Summary, Tally, elo_of_score, score_of_elo};
pub(crate) use ratings::total_of;
pub use ratings::{Rating, RatingInput, ratings};
pub use significance::{CRITICAL_TABLE, critical_rate, is_significant};
pub use sprt::{Sprt, SprtDecision, SprtState};

/// The standard normal distribution function.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function, by a rational Chebyshev fit whose relative error stays below
/// 1.2e-7 everywhere.
fn erfc(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.5 * x.abs());
    const C: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let series = C.iter().rev().fold(0.0, |sum, c| sum * t + c);
    let tail = t * (-x * x + series).exp();
    if x >= 0.0 { tail } else { 2.0 - tail }
}

/// Two standard normal deviations to either side hold 95 %; exactly, this many.
pub(crate) const Z95: f64 = 1.959_963_985;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746),
            (1.644_853_627, 0.95),
            (Z95, 0.975),
            (-3.0, 0.001_349_898),
        ] {
            assert!((normal_cdf(x) - p).abs() < 1e-6, "{x}: {}", normal_cdf(x));
        }
    }
}
