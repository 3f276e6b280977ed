//! Which weights make the moves of good players likely?
//!
//! Stochastic steepest ascent of the log-likelihood. A batch is a few games for each of [`LANES`]
//! lanes; a lane adds up the gradient of its games, and the lanes are added up in their order, so
//! that the result is the same for any number of threads. Weights and factors of features move by
//! AdaGrad, which gives rare patterns larger steps than frequent ones; the layers behind them by Adam.

use super::dictionary::Dictionary;
use super::features::Extractor;
use super::fields::PLAIN;
use super::harvest::replay;
use super::weights::{FACTORS, Layers, UNITS, Weights, Work, add_row, add_times, row, row_mut};
use crate::corpus::GoRecord;
use rayon::prelude::*;
use zug_core::seed::{RngExt, mix};
use zug_core::{Rng, StopFlag, rng};

/// Parts of a batch that add up for themselves.
pub const LANES: usize = 16;

/// Moves less likely than this learn seldom, but then as much as they have missed.
const SELDOM: f32 = 0.01;

/// How it is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Features with factors, the most frequent ones; 0 for a Bradley-Terry model.
    pub rows: usize,
    /// Steps of weights, factors and layers.
    pub rates: [f32; 3],
    /// A pass takes every so manieth position of all games.
    pub thin: usize,
    /// Passes over the games.
    pub passes: usize,
    /// Games of a lane in a batch.
    pub batch: usize,
    /// How often wide patterns are hidden from a position.
    pub hide: f32,
}

struct Lane {
    extractor: Extractor,
    work: Work,
    single: Vec<f32>,
    factors: Vec<f32>,
    /// Which features have a gradient.
    touched: Vec<u64>,
    layers: Layers,
    /// What units of all moves of a position want.
    back: [f32; UNITS],
    told: Told,
}

/// How likely the played moves were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    /// Positions.
    pub positions: u64,
    /// Those whose move was the most likely one; a share where several were.
    pub hits: f64,
    /// The sum of the negative logarithms of the probabilities.
    pub nats: f64,
}

impl Told {
    fn add(&mut self, other: Told) {
        self.positions += other.positions;
        self.hits += other.hits;
        self.nats += other.nats;
    }
}

/// Weights that learn.
pub struct Trainer {
    /// What is learned.
    pub weights: Weights,
    /// Sums of squares of the gradients of weights and factors.
    pub squares: [Vec<f32>; 2],
    /// Means of the gradients of the layers, and of their squares.
    pub moments: [Layers; 2],
    /// Batches so far.
    pub step: u64,
    lanes: Vec<Lane>,
}

impl Trainer {
    /// Weights that know nothing.
    #[must_use]
    pub fn new(keys: &[u64], settings: &Settings, seed: u64) -> Trainer {
        let features = PLAIN + keys.len();
        let rows = settings.rows.min(features);
        let mut random = rng(seed, 0);
        let mut around_zero =
            |scale: f32| (0..4).map(|_| random.random_range(-1.0..1.0f32)).sum::<f32>() * scale;
        let mut layers = Layers::zero();
        let factors = (0..rows * FACTORS).map(|_| around_zero(0.05)).collect();
        layers.own.iter_mut().for_each(|w| *w = around_zero(0.12));
        layers.out.iter_mut().for_each(|w| *w = around_zero(0.1));
        layers.bias.fill(0.1);
        let weights = Weights {
            dictionary: Dictionary::new(keys),
            single: vec![0.0; features],
            factors,
            layers,
        };
        let squares = [vec![START; features], vec![START; rows * FACTORS]];
        let moments = [Layers::zero(), Layers::zero()];
        let mut trainer = Trainer { weights, squares, moments, step: 0, lanes: Vec::new() };
        trainer.lanes = (0..LANES).map(|_| Lane::new(features, rows)).collect();
        trainer
    }

    /// How many batches a pass has.
    #[must_use]
    pub fn batches(games: usize, settings: &Settings) -> u64 {
        games.div_ceil(LANES * settings.batch) as u64
    }

    /// One pass over the games; nothing when it was asked to stop, and then the pass is spoilt.
    pub fn pass(
        &mut self,
        games: &[GoRecord],
        settings: &Settings,
        pass: usize,
        seed: u64,
        stop: &StopFlag,
        done: &dyn Fn(u64),
    ) -> Option<Told> {
        let mut order: Vec<u32> = (0..games.len() as u32).collect();
        let mut random = rng(seed, 1 + pass as u64);
        for i in (1..order.len()).rev() {
            order.swap(i, random.random_range(0..=i));
        }
        let steps = Trainer::batches(games.len(), settings) * settings.passes as u64;
        let mut told = Told::default();
        for batch in order.chunks(LANES * settings.batch) {
            if stop.is_set() {
                return None;
            }
            let weights = &self.weights;
            self.lanes.par_iter_mut().enumerate().for_each(|(i, lane)| {
                for &game in batch.iter().skip(i).step_by(LANES) {
                    let own = mix(u64::from(game));
                    let phase = (own as usize).wrapping_add(pass) % settings.thin;
                    let mut random = rng(seed ^ own, 1 + pass as u64);
                    let wanted = |ply: usize| ply % settings.thin == phase;
                    lane.learn(weights, &games[game as usize], wanted, settings.hide, &mut random);
                }
            });
            for lane in &mut self.lanes {
                told.add(std::mem::take(&mut lane.told));
            }
            self.step += 1;
            // Slow at first, while squares are few, and slower and slower towards the end.
            let warm = (self.step as f32 / 50.0).min(1.0);
            let left = 1.0 - self.step as f32 / steps as f32;
            self.apply(settings, warm * left.max(0.005));
            done(batch.len() as u64);
        }
        Some(told)
    }

    fn apply(&mut self, settings: &Settings, factor: f32) {
        let rates = settings.rates.map(|rate| rate * factor);
        let Trainer { weights, squares: [squares, row_squares], lanes, .. } = self;
        let rows = weights.rows();
        let parts = weights.single.chunks_mut(PART).zip(squares.chunks_mut(PART));
        let mut row_parts =
            weights.factors.chunks_mut(PART * FACTORS).zip(row_squares.chunks_mut(PART * FACTORS));
        let parts: Vec<_> = parts.map(|part| (part, row_parts.next())).collect();
        let all: &[Lane] = lanes;
        parts.into_par_iter().enumerate().for_each(|(i, ((single, squares), mut part))| {
            let first = i * PART;
            for word in first / 64..(first + single.len()).div_ceil(64) {
                let mut bits = all.iter().fold(0, |bits, lane| bits | lane.touched[word]);
                while bits != 0 {
                    let bit = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let (feature, at) = (word * 64 + bit, word * 64 + bit - first);
                    let gradient: f32 = all.iter().map(|lane| lane.single[feature]).sum();
                    squares[at] += gradient * gradient;
                    single[at] -= rates[0] * gradient / squares[at].sqrt();
                    if feature >= rows {
                        continue;
                    }
                    let mut sum = [0f32; FACTORS];
                    for lane in all.iter().filter(|lane| lane.touched[word] >> bit & 1 != 0) {
                        add_row(&mut sum, row(&lane.factors, feature));
                    }
                    if let Some((factors, squares)) = &mut part {
                        let factors: &mut [f32; FACTORS] = row_mut(factors, at);
                        let squares: &mut [f32; FACTORS] = row_mut(squares, at);
                        for k in 0..FACTORS {
                            squares[k] += sum[k] * sum[k];
                            factors[k] -= rates[1] * sum[k] / squares[k].sqrt();
                        }
                    }
                }
            }
        });
        if rows > 0 {
            self.apply_layers(rates[2]);
        }
        self.lanes.par_iter_mut().for_each(Lane::clear);
    }

    /// Adam.
    fn apply_layers(&mut self, rate: f32) {
        let Trainer { weights, moments: [means, squares], lanes, step, .. } = self;
        let steps = i32::try_from(*step).unwrap_or(i32::MAX);
        let (mean_part, square_part) = (1.0 - 0.9f32.powi(steps), 1.0 - 0.999f32.powi(steps));
        let parts = weights.layers.parts_mut().into_iter();
        let parts = parts.zip(means.parts_mut()).zip(squares.parts_mut()).enumerate();
        for (which, ((weights, means), squares)) in parts {
            for (k, w) in weights.iter_mut().enumerate() {
                let g: f32 = lanes.iter().map(|lane| lane.layers.parts()[which][k]).sum();
                let g = g / 2048.0;
                means[k] = 0.9 * means[k] + 0.1 * g;
                squares[k] = 0.999 * squares[k] + 0.001 * g * g;
                let (mean, square) = (means[k] / mean_part, squares[k] / square_part);
                *w -= rate * mean / (square.sqrt() + 1e-8);
            }
        }
    }
}

/// Squares of gradients begin here.
const START: f32 = 1e-2;
/// Features that one thread brings up to date at a time.
const PART: usize = 64 * 64;

impl Lane {
    fn new(features: usize, rows: usize) -> Lane {
        Lane {
            extractor: Extractor::default(),
            work: Work::default(),
            single: vec![0.0; features],
            factors: vec![0.0; rows * FACTORS],
            touched: vec![0; features.div_ceil(64)],
            layers: Layers::zero(),
            back: [0.0; UNITS],
            told: Told::default(),
        }
    }

    fn clear(&mut self) {
        let rows = self.factors.len() / FACTORS;
        for (word, bits) in self.touched.iter_mut().enumerate() {
            let mut rest = std::mem::take(bits);
            while rest != 0 {
                let feature = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                self.single[feature] = 0.0;
                if feature < rows {
                    self.factors[feature * FACTORS..][..FACTORS].fill(0.0);
                }
            }
        }
        self.layers.parts_mut().into_iter().for_each(|part| part.fill(0.0));
    }

    fn learn(
        &mut self,
        weights: &Weights,
        game: &GoRecord,
        wanted: impl FnMut(usize) -> bool,
        hide: f32,
        random: &mut Rng,
    ) {
        replay(game, wanted, |scene, played, _| {
            // Where wide patterns are hidden now and then, narrow ones must be good for something.
            let hidden = random.random_range(0.0..1.0f32) < hide;
            let widest = if hidden { random.random_range(4..14) } else { usize::MAX };
            self.extractor.extract(scene, widest, &weights.dictionary, &mut self.work.moves);
            let points = &self.work.moves.points;
            let Some(target) = points.iter().position(|&p| p == played) else { return };
            weights.evaluate(&mut self.work);
            let likely = self.work.probabilities[target];
            self.told.positions += 1;
            let best = self.work.probabilities.iter().filter(|&&p| p >= likely);
            let (count, tied) =
                best.fold((0u32, true), |(n, tied), &p| (n + 1, tied && p == likely));
            self.told.hits += if tied { 1.0 / f64::from(count) } else { 0.0 };
            self.told.nats -= f64::from(likely.max(1e-9).ln());
            self.back = [0.0; UNITS];
            for i in 0..self.work.moves.len() {
                let mut error = self.work.probabilities[i] - f32::from(u8::from(i == target));
                if error.abs() < SELDOM {
                    // To leave them out would pull all scores up without end.
                    if random.random_range(0.0..SELDOM) >= error.abs() {
                        continue;
                    }
                    error = SELDOM.copysign(error);
                }
                self.descend(weights, i, error);
            }
            // The mean is taken as given: otherwise every move would learn from every other.
            for (j, &mean) in self.work.mean.iter().enumerate() {
                add_times(row_mut(&mut self.layers.mean, j), mean, &self.back);
            }
        });
    }

    /// Adds the gradient of one move.
    fn descend(&mut self, weights: &Weights, candidate: usize, error: f32) {
        let Lane { work, single, factors, touched, layers, back: all, .. } = self;
        let rows = weights.rows() as u32;
        let mut slope = [0f32; FACTORS];
        if rows > 0 {
            let (h, g) = (&work.hidden[candidate], &work.units[candidate]);
            let mut back = [0f32; UNITS];
            for k in 0..UNITS {
                layers.out[k] += error * g[k];
                back[k] = if g[k] > 0.0 { error * weights.layers.out[k] } else { 0.0 };
                layers.bias[k] += back[k];
            }
            for (sum, back) in all.iter_mut().zip(&back) {
                *sum += back;
            }
            for (j, &h) in h.iter().enumerate() {
                if h > 0.0 {
                    add_times(row_mut(&mut layers.own, j), h, &back);
                    let own: &[f32; UNITS] = row(&weights.layers.own, j);
                    slope[j] = own.iter().zip(&back).map(|(a, b)| a * b).sum();
                }
            }
        }
        for feature in work.moves.features(candidate) {
            let at = feature as usize;
            touched[at >> 6] |= 1 << (at & 63);
            single[at] += error;
            if feature < rows {
                add_row(row_mut(factors, at), &slope);
            }
        }
    }
}
