//! What lies between the measured points, and beyond them?
//!
//! A surface over stage, deep and shallow depth, whose logarithms are roughly straight, is fitted to
//! all that was measured. Where much was measured, the mean distance of the neighbours from the
//! surface is added to it, the near ones counting most. So there is no step where measuring ends.

use zug_learn::symmetric::Symmetric;

/// A measured number and how much it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// The number.
    pub y: f64,
    /// Its weight.
    pub weight: f64,
}

/// How far neighbours are counted, in discs.
const WIDTH: f64 = 8.0;
/// The surface counts as much as so many pairs of values.
const PRIOR: f64 = 60.0;

/// How far points lie from zero near a place, on average; zero where there are none.
pub fn near(points: &[Point], at: f64) -> f64 {
    let (mut sum, mut total) = (0.0, PRIOR);
    for point in points {
        let distance = (point.x - at).abs() / WIDTH;
        let weight = point.weight * (1.0 - distance.powi(3)).max(0.0).powi(3);
        sum += weight * point.y;
        total += weight;
    }
    sum / total
}

/// The mean of the points near a place; of those nearest to it where none are near.
pub fn mean(points: &[Point], at: f64) -> Option<f64> {
    let nearest = points.iter().map(|p| (p.x - at).abs()).min_by(f64::total_cmp)?;
    let width = WIDTH.max(2.0 * nearest);
    let (mut sum, mut total) = (0.0, 0.0);
    for point in points {
        let weight = point.weight * (1.0 - ((point.x - at).abs() / width).powi(3)).max(0.0).powi(3);
        sum += weight * point.y;
        total += weight;
    }
    (total > 0.0).then(|| sum / total)
}

/// The coefficients of the weighted fit of least squares; a trace of a penalty keeps those small
/// that the rows say nothing about.
pub fn least_squares(
    rows: impl IntoIterator<Item = (Vec<f64>, f64, f64)>,
    terms: usize,
) -> Option<Vec<f64>> {
    let mut matrix = Symmetric::zero(terms);
    let (mut right, mut total) = (vec![0.0; terms], 0.0);
    for (row, y, weight) in rows {
        total += weight;
        for i in 0..terms {
            right[i] += weight * row[i] * y;
            for j in 0..=i {
                matrix.set(i, j, matrix.at(i, j) + weight * row[i] * row[j]);
            }
        }
    }
    if !total.is_finite() || total <= 0.0 {
        return None;
    }
    for i in 1..terms {
        matrix.set(i, i, matrix.at(i, i) + 1e-6 * total);
    }
    let found = matrix.cholesky().ok()?.solve(&right);
    found.iter().all(|c| c.is_finite()).then_some(found)
}

/// A search whose value is foretold, and the one that foretells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Discs on the board.
    pub discs: u32,
    /// Plies of the deep search.
    pub deep: u32,
    /// Plies of the shallow one.
    pub shallow: u32,
}

impl Place {
    fn stage(self) -> f64 {
        (f64::from(self.discs) - 34.0) / 20.0
    }

    /// Terms of the logarithm of the error.
    fn error_terms(self) -> Vec<f64> {
        let x = self.stage();
        let distance = f64::from(self.deep - self.shallow).ln();
        let shallow = f64::from(1 + self.shallow).ln();
        let odd = f64::from((self.deep - self.shallow) % 2);
        vec![
            1.0,
            x,
            x * x,
            x * x * x,
            distance,
            shallow,
            distance * distance,
            shallow * shallow,
            distance * shallow,
            x * distance,
            x * shallow,
            x * x * shallow,
            odd,
            odd * x,
        ]
    }

    /// Terms of slope and shift. Who made the last move of a search shifts its value.
    fn line_terms(self) -> Vec<f64> {
        let x = self.stage();
        let distance = f64::from(self.deep - self.shallow).ln();
        let shallow = f64::from(1 + self.shallow).ln();
        let last = f64::from(self.deep % 2) - f64::from(self.shallow % 2);
        vec![
            1.0,
            x,
            x * x,
            distance,
            shallow,
            x * distance,
            x * shallow,
            last,
            last * x,
            last * x * x,
        ]
    }
}

/// Slope, shift and the logarithm of the error at every place.
#[derive(Clone, Debug)]
pub struct Surface {
    a: Vec<f64>,
    b: Vec<f64>,
    log_sigma: Vec<f64>,
}

/// A measured line at a place.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Where.
    pub place: Place,
    /// The slope.
    pub a: f64,
    /// The shift.
    pub b: f64,
    /// The error; positive.
    pub sigma: f64,
    /// How much it counts.
    pub weight: f64,
}

impl Surface {
    /// The surface nearest to what is known.
    pub fn fit(known: &[Known]) -> Option<Surface> {
        let terms = |f: fn(Place) -> Vec<f64>, y: fn(&Known) -> f64| {
            let rows = known.iter().map(|k| (f(k.place), y(k), k.weight));
            let count = f(known.first()?.place).len();
            least_squares(rows, count)
        };
        Some(Surface {
            a: terms(Place::line_terms, |k| k.a)?,
            b: terms(Place::line_terms, |k| k.b)?,
            log_sigma: terms(Place::error_terms, |k| k.sigma.ln())?,
        })
    }

    /// Slope, shift and error at a place.
    pub fn at(&self, place: Place) -> (f64, f64, f64) {
        let sum = |c: &[f64], t: Vec<f64>| c.iter().zip(t).map(|(c, t)| c * t).sum::<f64>();
        (
            sum(&self.a, place.line_terms()),
            sum(&self.b, place.line_terms()),
            sum(&self.log_sigma, place.error_terms()).exp(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::tests::normal;
    use super::*;
    use zug_core::rng;

    #[test]
    fn neighbours_are_averaged_and_little_counts_little() {
        let points = |weight: f64| -> Vec<Point> {
            (10..56).map(|x| Point { x: f64::from(x), y: 0.3, weight }).collect()
        };
        let much = near(&points(2000.0), 30.0);
        assert!((0.29..0.3).contains(&much), "{much}");
        assert!(near(&points(1.0), 30.0) < 0.06);
        assert_eq!((near(&points(100.0), 80.0), near(&[], 3.0)), (0.0, 0.0));
        let mut dice = rng(3, 0);
        let noisy: Vec<Point> =
            points(500.0).iter().map(|p| Point { y: p.y + normal(&mut dice), ..*p }).collect();
        let error = (15..50).map(|x| (near(&noisy, x.into()) - 0.3).powi(2)).sum::<f64>() / 35.0;
        assert!(error.sqrt() < 0.5, "{error}");
        assert_eq!(mean(&[], 3.0), None);
        assert!((mean(&points(3.0)[..1], 40.0).unwrap() - 0.3).abs() < 1e-9);
        assert!((mean(&points(3.0), 20.0).unwrap() - 0.3).abs() < 1e-9);
    }

    #[test]
    fn a_surface_foretells_depths_that_it_has_not_seen() {
        let sigma = |p: Place| {
            let (d, s) = (f64::from(p.deep - p.shallow), f64::from(1 + p.shallow));
            150.0 * (0.02 * f64::from(p.discs)).exp() * d.powf(0.4) / s.powf(0.3)
        };
        let known = |deep: u32, shallow: u32, discs: u32| {
            let place = Place { discs, deep, shallow };
            Known { place, a: 1.0, b: 10.0, sigma: sigma(place), weight: 100.0 }
        };
        let mut all = Vec::new();
        for deep in 1..=8 {
            for shallow in 0..deep {
                all.extend((10..56).step_by(3).map(|discs| known(deep, shallow, discs)));
            }
        }
        let surface = Surface::fit(&all).unwrap();
        for (deep, shallow) in [(10, 4), (12, 6), (14, 8)] {
            let place = Place { discs: 30, deep, shallow };
            let (a, b, found) = surface.at(place);
            assert!((found / sigma(place) - 1.0).abs() < 0.02, "{found} {}", sigma(place));
            assert!((a - 1.0).abs() < 0.01 && (b - 10.0).abs() < 0.1);
        }
        assert!(Surface::fit(&[]).is_none());
    }
}
