//! From values of positions to cuts.

use super::choose::{self, choose};
use super::line::{Line, Sums};
use super::measure::Measured;
use super::smooth::{self, Place, Point, Surface, least_squares, mean, near};
use crate::engine::{Pair, ProbCut, Tries, Unit};
use serde::Serialize;
use std::collections::BTreeMap;

/// Fewer pairs are no measurement.
const LEAST_PAIRS: u64 = 12;
/// The pair of depths that the thesis uses.
pub const THESIS: (u32, u32) = (8, 4);
/// No line is flatter or steeper; beyond, there is too little to measure.
const SLOPES: std::ops::RangeInclusive<f64> = 0.3..=2.0;

/// What was measured of two depths at one stage of the game. For searches to the end the deep depth
/// is the number of empty squares, and the deep value is in hundredths of a disc whatever the unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairFit {
    /// Discs on the board.
    pub discs: u32,
    /// Plies of the deep search.
    pub deep: u32,
    /// Plies of the shallow one.
    pub shallow: u32,
    /// The line.
    #[serde(flatten)]
    pub line: Line,
}

/// How well the surface foretells errors at depths that it was not fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// It was fitted to searches of at most this depth, and tried on deeper ones.
    pub fitted_to_depth: u32,
    /// The deepest that it was tried on.
    pub tried_to_depth: u32,
    /// Pairs that it was tried on.
    pub pairs: usize,
    /// The mean of foretold over measured error, less 1.
    pub bias: f64,
    /// The usual difference between foretold and measured error, as a share of the latter.
    pub error: f64,
}

/// Everything that a fit found.
#[derive(Clone, Debug)]
pub struct CutsFit {
    /// The unit of the evaluation.
    pub unit: Unit,
    /// Measured lines of depth-limited searches.
    pub midgame: Vec<PairFit>,
    /// Measured lines of searches to the end.
    pub end: Vec<PairFit>,
    /// How well the surface carries on.
    pub validation: Option<Validation>,
    /// The cuts that save most.
    pub multi: ProbCut,
    /// The one pair of the thesis.
    pub thesis: ProbCut,
    /// Smoothed errors of midgame pairs, for reports.
    pub smooth: Vec<(Place3, f64)>,
}

/// Discs, deep and shallow depth.
pub type Place3 = (u32, u32, u32);

/// Fits cuts to values of positions; the error says what there is too little of.
pub fn fit(unit: Unit, measured: &[Measured]) -> Result<CutsFit, String> {
    let midgame = lines(unit, measured);
    let end = end_lines(unit, measured);
    let measured_well = midgame.iter().filter(|f| f.line.sigma > 0.0).count();
    if measured_well < 20 {
        return Err(format!(
            "only {measured_well} pairs of depths were measured well enough; more positions, more \
             disc counts or deeper searches are needed"
        ));
    }
    let model = Model::new(&midgame, &end).ok_or("the measured errors cannot be fitted")?;
    let costs = Costs::new(measured).ok_or("too few searches to know what they cost")?;
    let spread = Spread::new(&midgame, &end);
    let multi = choose(&choose::Known {
        unit,
        pair: &|discs, deep, shallow| model.pair(Place { discs, deep, shallow }),
        end_pair: &|empties, shallow| model.end_pair(empties, shallow),
        nodes: &|discs, depth| costs.nodes(discs, depth),
        end_nodes: &|empties| costs.end_nodes(empties),
        spread: &|discs| spread.midgame(discs),
        end_spread: &|discs| spread.end(discs),
    });
    let mut thesis = ProbCut::none(unit);
    for discs in 4..64 - THESIS.0 {
        let pair = model.pair(Place { discs, deep: THESIS.0, shallow: THESIS.1 });
        thesis.set_midgame(discs, THESIS.0, pair.into_iter().collect::<Tries>());
    }
    let smooth = midgame
        .iter()
        .filter_map(|f| {
            let place = Place { discs: f.discs, deep: f.deep, shallow: f.shallow };
            Some(((f.discs, f.deep, f.shallow), f64::from(model.pair(place)?.sigma)))
        })
        .collect();
    let validation = validate(&midgame);
    Ok(CutsFit { unit, midgame, end, validation, multi, thesis, smooth })
}

/// The lines of all pairs of depths, by disc count.
fn lines(unit: Unit, measured: &[Measured]) -> Vec<PairFit> {
    let mut sums: BTreeMap<Place, Sums> = BTreeMap::new();
    for m in measured {
        for deep in 1..m.values.len() as u32 {
            let Some(y) = m.value(deep, unit) else { continue };
            for shallow in 0..deep {
                let Some(x) = m.value(shallow, unit) else { continue };
                sums.entry(Place { discs: m.discs, deep, shallow }).or_default().add(x, y);
            }
        }
    }
    found(sums)
}

/// The lines of searches to the end.
fn end_lines(unit: Unit, measured: &[Measured]) -> Vec<PairFit> {
    let mut sums: BTreeMap<Place, Sums> = BTreeMap::new();
    for m in measured {
        let Some((score, _)) = m.end else { continue };
        for shallow in 0..m.values.len() as u32 {
            let Some(x) = m.value(shallow, unit) else { continue };
            let place = Place { discs: m.discs, deep: 64 - m.discs, shallow };
            sums.entry(place).or_default().add(x, 100.0 * f64::from(score));
        }
    }
    found(sums)
}

fn found(sums: BTreeMap<Place, Sums>) -> Vec<PairFit> {
    sums.into_iter()
        .filter(|(_, sums)| sums.count() >= LEAST_PAIRS)
        .filter_map(|(p, sums)| {
            let line = sums.line()?;
            Some(PairFit { discs: p.discs, deep: p.deep, shallow: p.shallow, line })
        })
        .collect()
}

fn known(fits: &[PairFit]) -> Vec<smooth::Known> {
    fits.iter()
        .filter(|f| f.line.sigma > 0.0)
        .map(|f| smooth::Known {
            place: Place { discs: f.discs, deep: f.deep, shallow: f.shallow },
            a: f.line.a,
            b: f.line.b,
            sigma: f.line.sigma,
            weight: f.line.n as f64,
        })
        .collect()
}

/// How far measured lines lie from a surface, over the disc counts: slope, shift, logarithm of the
/// error.
#[derive(Default)]
struct Curves {
    a: Vec<Point>,
    b: Vec<Point>,
    log_sigma: Vec<Point>,
}

impl Curves {
    fn add(&mut self, fit: &PairFit, (a, b, sigma): (f64, f64, f64)) {
        let point = |y| Point { x: f64::from(fit.discs), y, weight: fit.line.n as f64 };
        self.a.push(point(fit.line.a - a));
        self.b.push(point(fit.line.b - b));
        self.log_sigma.push(point((fit.line.sigma / sigma).ln()));
    }

    /// The surface, moved towards what was measured.
    fn correct(&self, discs: u32, (a, b, sigma): (f64, f64, f64)) -> (f64, f64, f64) {
        let x = f64::from(discs);
        (a + near(&self.a, x), b + near(&self.b, x), sigma * near(&self.log_sigma, x).exp())
    }
}

/// Lines everywhere.
struct Model {
    surface: Surface,
    midgame: BTreeMap<(u32, u32), Curves>,
    end: Option<(EndSurface, BTreeMap<u32, Curves>)>,
}

impl Model {
    fn new(midgame: &[PairFit], end: &[PairFit]) -> Option<Model> {
        let is_measured = |f: &&PairFit| f.line.sigma > 0.0;
        let surface = Surface::fit(&known(midgame))?;
        let mut by_depths: BTreeMap<(u32, u32), Curves> = BTreeMap::new();
        for fit in midgame.iter().filter(is_measured) {
            let place = Place { discs: fit.discs, deep: fit.deep, shallow: fit.shallow };
            by_depths.entry((fit.deep, fit.shallow)).or_default().add(fit, surface.at(place));
        }
        let end = EndSurface::fit(end).map(|surface| {
            let mut by_shallow: BTreeMap<u32, Curves> = BTreeMap::new();
            for fit in end.iter().filter(is_measured) {
                let at = surface.at(fit.deep, fit.shallow);
                by_shallow.entry(fit.shallow).or_default().add(fit, at);
            }
            (surface, by_shallow)
        });
        Some(Model { surface, midgame: by_depths, end })
    }

    fn pair(&self, place: Place) -> Option<Pair> {
        let mut line = self.surface.at(place);
        if let Some(curves) = self.midgame.get(&(place.deep, place.shallow)) {
            line = curves.correct(place.discs, line);
        }
        let (a, b, sigma) = line;
        Some(Pair {
            shallow: place.shallow as u8,
            a: a.clamp(*SLOPES.start(), *SLOPES.end()) as f32,
            b: b as f32,
            sigma: positive(sigma)?,
        })
    }

    fn end_pair(&self, empties: u32, shallow: u32) -> Option<Pair> {
        let (surface, curves) = self.end.as_ref()?;
        let mut line = surface.at(empties, shallow);
        if let Some(curves) = curves.get(&shallow) {
            line = curves.correct(64 - empties, line);
        }
        let (a, b, sigma) = line;
        if a <= 0.0 {
            return None;
        }
        Some(Pair { shallow: shallow as u8, a: a as f32, b: b as f32, sigma: positive(sigma)? })
    }
}

fn positive(sigma: f64) -> Option<f32> {
    Some(sigma as f32).filter(|s| s.is_finite() && *s > 0.0)
}

/// The lines of searches to the end, over empty squares and shallow depth.
struct EndSurface {
    a: Vec<f64>,
    b: Vec<f64>,
    log_sigma: Vec<f64>,
}

impl EndSurface {
    fn terms(empties: u32, shallow: u32) -> Vec<f64> {
        let (x, s) = (f64::from(empties) / 10.0 - 1.6, f64::from(1 + shallow).ln());
        let odd = f64::from(shallow % 2);
        vec![1.0, x, x * x, s, x * s, s * s, odd, odd * x, f64::from(empties % 2)]
    }

    fn fit(fits: &[PairFit]) -> Option<EndSurface> {
        let fits: Vec<&PairFit> = fits.iter().filter(|f| f.line.sigma > 0.0).collect();
        let terms = EndSurface::terms(0, 0).len();
        if fits.len() < 2 * terms {
            return None;
        }
        let solve = |y: fn(&Line) -> f64| {
            let row =
                |f: &&PairFit| (EndSurface::terms(f.deep, f.shallow), y(&f.line), f.line.n as f64);
            least_squares(fits.iter().map(row), terms)
        };
        Some(EndSurface {
            a: solve(|l| l.a)?,
            b: solve(|l| l.b)?,
            log_sigma: solve(|l| l.sigma.ln())?,
        })
    }

    fn at(&self, empties: u32, shallow: u32) -> (f64, f64, f64) {
        let sum = |c: &[f64]| {
            let terms = EndSurface::terms(empties, shallow);
            c.iter().zip(terms).map(|(c, t)| c * t).sum::<f64>()
        };
        (sum(&self.a), sum(&self.b), sum(&self.log_sigma).exp())
    }
}

/// Nodes of searches.
struct Costs {
    midgame: Vec<f64>,
    end: Vec<f64>,
}

impl Costs {
    fn terms(discs: u32, depth: u32) -> Vec<f64> {
        let (x, d) = ((f64::from(discs) - 34.0) / 20.0, f64::from(depth));
        vec![1.0, d, x, x * x, x * d, x * x * d]
    }

    fn new(measured: &[Measured]) -> Option<Costs> {
        let mut rows = Vec::new();
        let mut ends = Vec::new();
        for m in measured {
            for (depth, &nodes) in m.nodes.iter().enumerate().skip(1) {
                rows.push((Costs::terms(m.discs, depth as u32), (nodes as f64).ln(), 1.0));
            }
            if let Some((_, nodes)) = m.end {
                let empties = f64::from(64 - m.discs);
                ends.push((vec![1.0, empties], (nodes as f64).ln(), 1.0));
            }
        }
        Some(Costs {
            midgame: least_squares(rows, 6)?,
            // What a ply costs near the end when nobody has measured it.
            end: least_squares(ends, 2).unwrap_or(vec![0.0, 1.0]),
        })
    }

    fn nodes(&self, discs: u32, depth: u32) -> f64 {
        let terms = Costs::terms(discs, depth);
        self.midgame.iter().zip(terms).map(|(c, t)| c * t).sum::<f64>().exp()
    }

    fn end_nodes(&self, empties: u32) -> f64 {
        (self.end[0] + self.end[1] * f64::from(empties)).exp()
    }
}

/// How far values scatter.
struct Spread {
    midgame: Vec<Point>,
    end: Vec<Point>,
}

impl Spread {
    fn new(midgame: &[PairFit], end: &[PairFit]) -> Spread {
        let point = |f: &PairFit| Point {
            x: f64::from(f.discs),
            y: f.line.spread,
            weight: f.line.n as f64,
        };
        Spread {
            midgame: midgame.iter().filter(|f| f.shallow + 2 == f.deep).map(point).collect(),
            end: end.iter().filter(|f| f.shallow == 1).map(point).collect(),
        }
    }

    fn midgame(&self, discs: u32) -> f64 {
        mean(&self.midgame, f64::from(discs)).unwrap_or(0.0)
    }

    fn end(&self, discs: u32) -> f64 {
        mean(&self.end, f64::from(discs)).unwrap_or(0.0)
    }
}

/// Fits the surface to all but the deepest searches, and compares it with those.
fn validate(fits: &[PairFit]) -> Option<Validation> {
    let deepest = fits.iter().map(|f| f.deep).max()?;
    let fitted_to_depth = deepest.checked_sub(2).filter(|&depth| depth >= 3)?;
    let (near, far): (Vec<PairFit>, Vec<PairFit>) =
        fits.iter().partition(|f| f.deep <= fitted_to_depth);
    let surface = Surface::fit(&known(&near))?;
    // As cuts are made: from searches of the same parity, not from a look at the position alone.
    let logs: Vec<f64> = far
        .iter()
        .filter(|f| f.shallow >= 1 && (f.deep - f.shallow) % 2 == 0 && f.line.sigma > 0.0)
        .map(|f| {
            let place = Place { discs: f.discs, deep: f.deep, shallow: f.shallow };
            (surface.at(place).2 / f.line.sigma).ln()
        })
        .collect();
    let pairs = logs.len();
    if pairs == 0 {
        return None;
    }
    let mean = logs.iter().sum::<f64>() / pairs as f64;
    let square = logs.iter().map(|l| l * l).sum::<f64>() / pairs as f64;
    Some(Validation {
        fitted_to_depth,
        tried_to_depth: deepest,
        pairs,
        bias: mean.exp() - 1.0,
        error: square.sqrt(),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::line::tests::normal;
    use super::*;
    use zug_core::rng;

    /// Values whose deep ones are shallow ones with known errors: a random walk over the depths,
    /// whose steps grow with the stage of the game.
    pub fn walk(step: f64, count: usize, discs: impl Iterator<Item = u32>) -> Vec<Measured> {
        let mut all = Vec::new();
        for discs in discs {
            let mut dice = rng(5, u64::from(discs));
            for _ in 0..count {
                let size = step * (1.0 + 0.02 * f64::from(discs));
                let mut value = 1500.0 * normal(&mut dice);
                let depths = 9.min(64 - discs);
                let mut values = Vec::new();
                for _ in 0..depths {
                    values.push(value.round() as i32);
                    value += size * normal(&mut dice);
                }
                let nodes = (0..depths).map(|d| 3u64.pow(d)).collect();
                let end = (64 - discs <= 16)
                    .then(|| ((value / 100.0).round() as i32, 3u64.pow(64 - discs)));
                all.push(Measured { discs, values, nodes, end });
            }
        }
        all
    }

    #[test]
    fn known_lines_and_errors_are_recovered() {
        let found = fit(Unit::Discs, &walk(100.0, 300, (10..=60).step_by(2))).unwrap();
        for fit in found.midgame.iter().filter(|f| (f.deep, f.shallow) == (8, 4)) {
            // Four steps.
            let sigma = 200.0 * (1.0 + 0.02 * f64::from(fit.discs));
            assert!((fit.line.sigma / sigma - 1.0).abs() < 0.2, "{fit:?}");
            assert!((fit.line.a - 1.0).abs() < 0.06 && fit.line.b.abs() < 100.0, "{fit:?}");
            let cut = found.thesis.midgame(fit.discs, 8)[0];
            assert!((f64::from(cut.sigma) / sigma - 1.0).abs() < 0.06, "{cut:?} {sigma}");
            assert_eq!(cut.shallow, 4);
        }
        assert_eq!(found.thesis.midgame(30, 7), []);
        assert_eq!(found.thesis.endgame(14), []);
        let validation = found.validation.unwrap();
        assert_eq!((validation.fitted_to_depth, validation.tried_to_depth), (6, 8));
        assert!(validation.bias.abs() < 0.1 && validation.error < 0.15, "{validation:?}");
        // Ten plies deep nothing was measured; the walk goes on all the same.
        let ten = found.multi.midgame(31, 10);
        assert!(!ten.is_empty());
        for pair in ten {
            let sigma = 162.0 * f64::from(10 - pair.shallow).sqrt();
            assert!((f64::from(pair.sigma) / sigma - 1.0).abs() < 0.15, "{pair:?} {sigma}");
        }
        assert!(!found.multi.endgame(14).is_empty());
    }

    #[test]
    fn too_little_is_refused_with_what_is_needed() {
        for measured in [Vec::new(), walk(100.0, 5, 10..20), walk(100.0, 40, 30..31)] {
            let refused = fit(Unit::Discs, &measured);
            if let Err(error) = refused {
                assert!(error.contains("more positions") || error.contains("fitted"), "{error}");
            }
        }
        assert!(fit(Unit::Discs, &walk(100.0, 5, 10..20)).is_err());
    }
}
