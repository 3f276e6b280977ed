//! What lies between the measured points, and beyond them?
//!
//! Between: a parabola through the neighbours, the near ones counting most. Beyond: a surface over
//! stage, deep and shallow depth whose logarithms are roughly straight, fitted to all that was
//! measured.

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
const WIDTH: f64 = 10.0;

/// The value of the curve through points at a place; outside of them, that of the nearest end.
pub fn local(points: &[Point], at: f64) -> Option<f64> {
    let (first, last) = points
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.x), high.max(p.x)));
    if points.is_empty() {
        return None;
    }
    let at = at.clamp(first, last);
    // Wide enough to see five points, or all of them.
    let mut distances: Vec<f64> = points.iter().map(|p| (p.x - at).abs()).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let width = WIDTH.max(1.5 * distances[distances.len().min(5) - 1]);
    let near: Vec<(Point, f64)> = points
        .iter()
        .map(|&p| (p, p.weight * (1.0 - ((p.x - at).abs() / width).powi(3)).max(0.0).powi(3)))
        .filter(|&(_, weight)| weight > 0.0)
        .collect();
    let terms = match near.len() {
        0 => return None,
        1 | 2 => 1,
        3 | 4 => 2,
        _ => 3,
    };
    let rows = near.iter().map(|&(p, weight)| {
        let x = (p.x - at) / width;
        ([1.0, x, x * x][..terms].to_vec(), p.y, weight)
    });
    least_squares(rows, terms).map(|found| found[0])
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
    fn parabolas_are_kept_and_noise_is_smoothed() {
        let curve = |x: f64| 3.0 - 0.2 * x + 0.01 * x * x;
        let exact: Vec<Point> = (10..56)
            .map(|x| Point { x: f64::from(x), y: curve(f64::from(x)), weight: 50.0 })
            .collect();
        for at in 10..56 {
            let found = local(&exact, f64::from(at)).unwrap();
            assert!((found - curve(f64::from(at))).abs() < 1e-3);
        }
        assert_eq!(local(&exact, 2.0), local(&exact, 10.0));
        let mut dice = rng(3, 0);
        let noisy: Vec<Point> =
            exact.iter().map(|p| Point { y: p.y + normal(&mut dice), ..*p }).collect();
        let error = |points: &[Point]| -> f64 {
            let square =
                |at: i32| (local(points, f64::from(at)).unwrap() - curve(at.into())).powi(2);
            ((15..50).map(square).sum::<f64>() / 35.0).sqrt()
        };
        assert!(error(&noisy) < 0.5, "{}", error(&noisy));
        assert_eq!(local(&[], 3.0), None);
        assert!((local(&exact[..1], 30.0).unwrap() - exact[0].y).abs() < 1e-9);
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
