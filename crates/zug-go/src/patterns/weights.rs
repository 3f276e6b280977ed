//! What do the features of a move add up to?
//!
//! ```text
//! h = max(0, Σ factors)                       the factors of all features of the move
//! g = max(0, bias + W·h + V·(mean of all h))  what they mean together, here
//! score = Σ weights + u·g
//! ```
//!
//! The probability of a move is the exponential of its score, divided by the sum over all legal moves.
//! Without factors this is the generalised Bradley-Terry model: the strength of a move is the product
//! of the strengths of its features. Factors let features mean something together: the first
//! features, which are the most frequent ones, have them.

use super::dictionary::Dictionary;
use super::features::Moves;

/// Factors of a feature.
pub const FACTORS: usize = 64;
/// Units that see what factors mean together.
pub const UNITS: usize = 32;

/// All that is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Finds patterns.
    pub dictionary: Dictionary,
    /// A weight for each feature.
    pub single: Vec<f32>,
    /// Factors of the first features, a row of [`FACTORS`] each; none in a Bradley-Terry model.
    pub factors: Vec<f32>,
    /// The layers behind.
    pub layers: Layers,
}

/// From factors to one number.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// A row of [`UNITS`] for each factor.
    pub own: Vec<f32>,
    /// The same for the mean of all moves.
    pub mean: Vec<f32>,
    /// For each unit.
    pub bias: Vec<f32>,
    /// For each unit.
    pub out: Vec<f32>,
}

impl Layers {
    /// All zero.
    #[must_use]
    pub fn zero() -> Layers {
        Layers {
            own: vec![0.0; FACTORS * UNITS],
            mean: vec![0.0; FACTORS * UNITS],
            bias: vec![0.0; UNITS],
            out: vec![0.0; UNITS],
        }
    }

    /// All numbers, in a fixed order.
    pub fn parts(&self) -> [&Vec<f32>; 4] {
        [&self.own, &self.mean, &self.bias, &self.out]
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> [&mut Vec<f32>; 4] {
        [&mut self.own, &mut self.mean, &mut self.bias, &mut self.out]
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts().iter().map(|p| p.len()).sum()
    }

    /// Never: there are always numbers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A position that is evaluated; what backward steps need is kept.
#[derive(Default)]
pub struct Work {
    /// The moves with their features.
    pub moves: Moves,
    /// Their probabilities.
    pub probabilities: Vec<f32>,
    /// `h` of each move.
    pub hidden: Vec<[f32; FACTORS]>,
    /// The mean of all `h`; empty without factors.
    pub mean: Vec<f32>,
    /// `g` of each move.
    pub units: Vec<[f32; UNITS]>,
}

impl Weights {
    /// How many features have factors.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.factors.len() / FACTORS
    }

    /// The factors of a feature.
    #[inline]
    pub fn row(&self, feature: usize) -> &[f32; FACTORS] {
        row(&self.factors, feature)
    }

    /// The probabilities of the moves whose features are in `work`.
    pub fn evaluate(&self, work: &mut Work) {
        let Work { moves, probabilities, hidden, mean, units } = work;
        let rows = self.rows() as u32;
        probabilities.clear();
        hidden.clear();
        mean.clear();
        units.clear();
        for i in 0..moves.len() {
            let mut score = 0.0;
            let mut h = [0f32; FACTORS];
            for feature in moves.features(i) {
                score += self.single[feature as usize];
                if feature < rows {
                    add_row(&mut h, self.row(feature as usize));
                }
            }
            probabilities.push(score);
            if rows > 0 {
                h.iter_mut().for_each(|x| *x = x.max(0.0));
                hidden.push(h);
            }
        }
        if rows > 0 {
            mean.resize(FACTORS, 0.0);
            for h in hidden.iter() {
                mean.iter_mut().zip(h).for_each(|(m, x)| *m += x);
            }
            let share = 1.0 / moves.len().max(1) as f32;
            mean.iter_mut().for_each(|m| *m *= share);
            let start = self.layers.start(mean);
            for (h, score) in hidden.iter().zip(probabilities.iter_mut()) {
                let mut g = start;
                for (j, &x) in h.iter().enumerate() {
                    if x > 0.0 {
                        add_times(&mut g, x, row(&self.layers.own, j));
                    }
                }
                for (g, out) in g.iter_mut().zip(&self.layers.out) {
                    *g = g.max(0.0);
                    *score += *g * out;
                }
                units.push(g);
            }
        }
        softmax(probabilities);
    }
}

impl Layers {
    /// What all moves of a position begin with.
    pub fn start(&self, mean: &[f32]) -> [f32; UNITS] {
        let mut start: [f32; UNITS] = *row(&self.bias, 0);
        for (j, &x) in mean.iter().enumerate() {
            add_times(&mut start, x, row(&self.mean, j));
        }
        start
    }
}

/// A row of a table.
#[inline]
pub fn row<const N: usize>(table: &[f32], at: usize) -> &[f32; N] {
    table[at * N..][..N].try_into().expect("a row has its length")
}

/// A row of a table, to be changed.
#[inline]
pub fn row_mut<const N: usize>(table: &mut [f32], at: usize) -> &mut [f32; N] {
    (&mut table[at * N..][..N]).try_into().expect("a row has its length")
}

/// Turns scores into probabilities.
pub fn softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for s in scores.iter_mut() {
        *s = (*s - most).exp();
        sum += *s;
    }
    scores.iter_mut().for_each(|s| *s /= sum);
}

/// Adds a row to another. Not inlined: as a loop of its own it becomes vector instructions, inlined
/// it falls apart into single numbers.
#[inline(never)]
pub fn add_row(sum: &mut [f32; FACTORS], row: &[f32; FACTORS]) {
    for (a, b) in sum.iter_mut().zip(row) {
        *a += b;
    }
}

/// Adds a multiple of a row to another; see [`add_row`].
#[inline(never)]
pub fn add_times(sum: &mut [f32; UNITS], factor: f32, row: &[f32; UNITS]) {
    for (a, b) in sum.iter_mut().zip(row) {
        *a += factor * b;
    }
}
