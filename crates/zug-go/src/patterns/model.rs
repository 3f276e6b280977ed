//! A learned model, made small and quick.
//!
//! Weights are kept in steps of 1/1024, factors in 8 bits with a scale for each of the [`FACTORS`].
//! Sums of factors are sums of whole numbers, so the same file gives the same guesses everywhere.

use super::dictionary::Dictionary;
use super::features::{Extractor, Moves};
use super::fields::{COUNT, FIRST, PLAIN, SHARED};
use super::weights::{FACTORS, Layers, UNITS, Weights, add_times, row, softmax};
use crate::policy::{Guess, Guesser, Policy, Scene};

/// The weights as they are in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// Kept keys of patterns.
    pub keys: Vec<u64>,
    /// A weight for each feature, in steps of 1/1024.
    pub single: Vec<i16>,
    /// Factors of the first features.
    pub factors: Vec<i8>,
    /// What a step of each factor is.
    pub scales: Vec<f32>,
    /// The layers behind.
    pub layers: Layers,
}

/// Steps of a weight.
const STEPS: f32 = 1024.0;

impl Packed {
    /// Rounds weights whose patterns have these keys.
    #[must_use]
    pub fn new(weights: &Weights, keys: &[u64]) -> Packed {
        let mut most = [1e-6f32; FACTORS];
        for row in weights.factors.chunks_exact(FACTORS) {
            for (most, x) in most.iter_mut().zip(row) {
                *most = most.max(x.abs());
            }
        }
        let scales: Vec<f32> = most.iter().map(|m| m / 127.0).collect();
        let factors = weights.factors.iter().enumerate();
        Packed {
            keys: keys.to_vec(),
            single: weights.single.iter().map(|w| (w * STEPS).round() as i16).collect(),
            factors: factors.map(|(i, x)| (x / scales[i % FACTORS]).round() as i8).collect(),
            scales,
            layers: weights.layers.clone(),
        }
    }
}

/// A model that guesses moves.
pub struct PatternModel {
    name: String,
    sizes: Vec<usize>,
    dictionary: Dictionary,
    single: Vec<i16>,
    factors: Vec<[i16; FACTORS]>,
    /// With the scales of factors in them.
    layers: Layers,
}

impl PatternModel {
    /// Unpacks a model; the board sizes that it has learned.
    #[must_use]
    pub fn new(name: String, sizes: Vec<usize>, packed: Packed) -> PatternModel {
        let Packed { keys, single, factors, scales, mut layers } = packed;
        for table in [&mut layers.own, &mut layers.mean] {
            for (j, row) in table.chunks_exact_mut(UNITS).enumerate() {
                row.iter_mut().for_each(|w| *w *= scales[j]);
            }
        }
        PatternModel {
            name,
            sizes,
            dictionary: Dictionary::new(&keys),
            single,
            factors: factors
                .chunks_exact(FACTORS)
                .map(|row| std::array::from_fn(|k| i16::from(row[k])))
                .collect(),
            layers,
        }
    }

    /// Gives it a name.
    pub fn rename(&mut self, name: &str) {
        self.name = name.to_string();
    }

    /// Features that it knows.
    #[must_use]
    pub fn features(&self) -> usize {
        self.single.len()
    }

    /// Patterns that it knows.
    #[must_use]
    pub fn patterns(&self) -> usize {
        self.single.len() - PLAIN
    }

    /// Bytes of memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.dictionary.bytes() + self.single.len() * 2 + size_of_val(&self.factors[..])
    }
}

impl Policy for PatternModel {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn knows_size(&self, size: usize) -> bool {
        self.sizes.contains(&size)
    }

    fn guesser(&self) -> Box<dyn Guesser + '_> {
        Box::new(PatternGuesser {
            model: self,
            extractor: Extractor::default(),
            moves: Moves::default(),
            hidden: Vec::new(),
            scores: Vec::new(),
        })
    }
}

/// A model at work, for one thread.
struct PatternGuesser<'a> {
    model: &'a PatternModel,
    extractor: Extractor,
    moves: Moves,
    hidden: Vec<[f32; FACTORS]>,
    scores: Vec<f32>,
}

/// Adds whole numbers. Not inlined, so that it becomes vector instructions.
#[inline(never)]
fn add_row(sum: &mut [i16; FACTORS], row: &[i16; FACTORS]) {
    for (a, b) in sum.iter_mut().zip(row) {
        *a = a.wrapping_add(*b);
    }
}

/// Adds multiples of two rows, the first and then the second; see [`add_row`].
#[inline(never)]
fn add_two(sum: &mut [f32; UNITS], by: [f32; 2], rows: [&[f32; UNITS]; 2]) {
    for ((sum, a), b) in sum.iter_mut().zip(rows[0]).zip(rows[1]) {
        *sum = (*sum + by[0] * a) + by[1] * b;
    }
}

/// What is above zero as real numbers, added to their mean; see [`add_row`].
#[inline(never)]
fn rectify(sum: &[i16; FACTORS], out: &mut [f32; FACTORS], mean: &mut [f32; FACTORS]) {
    for ((out, mean), &x) in out.iter_mut().zip(mean).zip(sum) {
        *out = f32::from(x.max(0));
        *mean += *out;
    }
}

impl PatternGuesser<'_> {
    fn score(&mut self) {
        let PatternGuesser { model, moves, hidden, scores, .. } = self;
        let rows = model.factors.len();
        scores.clear();
        hidden.clear();
        // What all moves share is added up once.
        let mut base = [0i16; FACTORS];
        if let Some(first) = moves.plain.first()
            && rows >= PLAIN
        {
            first[COUNT - SHARED..]
                .iter()
                .for_each(|&f| add_row(&mut base, &model.factors[usize::from(f)]));
        }
        let mut mean = [0f32; FACTORS];
        for i in 0..moves.len() {
            let mut score = 0i32;
            let mut sum = base;
            for &f in &moves.plain[i][..COUNT - SHARED] {
                score += i32::from(model.single[usize::from(f)]);
                if rows >= PLAIN {
                    add_row(&mut sum, &model.factors[usize::from(f)]);
                }
            }
            for &f in moves.patterns(i) {
                score += i32::from(model.single[f as usize]);
                if (f as usize) < rows {
                    add_row(&mut sum, &model.factors[f as usize]);
                }
            }
            scores.push(score as f32 / STEPS);
            if rows > 0 {
                let mut h = [0f32; FACTORS];
                rectify(&sum, &mut h, &mut mean);
                hidden.push(h);
            }
        }
        if rows > 0 {
            let share = 1.0 / moves.len().max(1) as f32;
            mean.iter_mut().for_each(|m| *m *= share);
            let start = model.layers.start(&mean);
            for (h, score) in hidden.iter().zip(scores.iter_mut()) {
                let mut g = start;
                // First those that count, in a list: whether a factor is above zero is hard to
                // foretell, for the processor as well.
                let (mut some, mut len) = ([0u8; FACTORS + 1], 0);
                for (j, &x) in h.iter().enumerate() {
                    some[len] = j as u8;
                    len += usize::from(x > 0.0);
                }
                let (pairs, last) = some[..len].as_chunks::<2>();
                for &[a, b] in pairs {
                    let (a, b) = (usize::from(a), usize::from(b));
                    let own = [row(&model.layers.own, a), row(&model.layers.own, b)];
                    add_two(&mut g, [h[a], h[b]], own);
                }
                for &a in last {
                    let a = usize::from(a);
                    add_times(&mut g, h[a], row(&model.layers.own, a));
                }
                let units = g.iter().zip(&model.layers.out);
                *score += units.map(|(g, out)| g.max(0.0) * out).sum::<f32>();
            }
        }
        softmax(scores);
    }
}

impl Guesser for PatternGuesser<'_> {
    fn guess(&mut self, scene: Scene<'_>, out: &mut Vec<Guess>) {
        let dictionary = &self.model.dictionary;
        self.extractor.extract(scene, usize::MAX, dictionary, &mut self.moves);
        self.score();
        out.clear();
        let all = self.moves.points.iter().zip(&self.scores);
        out.extend(all.map(|(&point, &probability)| Guess { point, probability }));
    }
}

/// Shared fields come last.
const _: () = assert!(FIRST[COUNT] as usize == PLAIN);
