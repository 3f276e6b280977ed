//! What is to be learned from the positions of a game, one after the other?
//!
//! A chain is a row of positions with their values and, at its end, what they led to: the result of
//! the game, or the value of the best move where another one was tried out. Every position is moved
//! towards what came after it, by the errors of TD(λ). Chains know nothing of games; whoever has
//! positions with features can make them.

use super::features::{Sparse, dot};
use super::linear::Squash;
use super::rates::Weights;
use super::trace;

/// A position of a chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its features; none where the value does not depend on the weights (a finished game).
    pub features: Sparse,
    /// 1 if the features are seen by the first side, -1 if by the second.
    pub view: f64,
    /// The value for the first side.
    pub value: f64,
}

impl Sample {
    /// The value for the first side with other weights.
    fn value_with(&self, weights: &[f32], squash: Squash) -> f64 {
        if self.features.is_empty() {
            return self.value;
        }
        self.view * squash.value(dot(weights, &self.features))
    }
}

/// Positions that followed each other, and where they led.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// The positions.
    pub samples: Vec<Sample>,
    /// What they led to, for the first side.
    pub goal: f64,
}

/// How chains are learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// How far errors are carried back: 0 one step, 1 all the way.
    pub lambda: f64,
    /// What becomes of the weighted sum.
    pub squash: Squash,
    /// Divide steps by the squared length of the features: a rate of 1 then takes away the whole
    /// error of a position, however many features it has.
    pub normalise: bool,
}

impl Lesson {
    fn rate(&self, features: &[(u32, f32)], rate: f64) -> f64 {
        if !self.normalise {
            return rate;
        }
        let length: f64 = features.iter().map(|&(_, x)| f64::from(x) * f64::from(x)).sum();
        rate / length.max(f64::MIN_POSITIVE)
    }

    /// By how much the sum of a sample's features should change for an error of 1.
    fn slope(&self, sample: &Sample) -> f64 {
        sample.view * self.squash.slope(sample.value)
    }

    /// Learns from a whole chain whose values were found with the same weights; tells the sum of
    /// squared errors.
    pub fn learn(&self, weights: &mut Weights, chain: &Chain, rate: f64) -> f64 {
        let mut values: Vec<f64> = chain.samples.iter().map(|s| s.value).collect();
        values.push(chain.goal);
        let mut errors = Vec::new();
        trace::errors(&values, self.lambda, &mut errors);
        for (sample, error) in chain.samples.iter().zip(&errors) {
            let rate = self.rate(&sample.features, rate);
            weights.step(&sample.features, error * self.slope(sample), rate);
        }
        errors.iter().map(|e| e * e).sum()
    }
}

/// Learns from a chain while it grows: after every position, not at the end of the game.
#[derive(Debug)]
pub struct Growing {
    lesson: Lesson,
    rate: f64,
    past: Vec<Sample>,
}

impl Growing {
    /// An empty chain.
    #[must_use]
    pub fn new(lesson: Lesson, rate: f64) -> Growing {
        Growing { lesson, rate, past: Vec::new() }
    }

    /// The chain goes on with a position, valued with the present weights; tells the squared error.
    pub fn visit(&mut self, weights: &mut Weights, sample: Sample) -> f64 {
        let error = self.towards(weights, sample.value);
        self.past.push(sample);
        error
    }

    /// The chain ends.
    pub fn end(&mut self, weights: &mut Weights, goal: f64) -> f64 {
        let error = self.towards(weights, goal);
        self.past.clear();
        error
    }

    fn towards(&mut self, weights: &mut Weights, next: f64) -> f64 {
        let Some(last) = self.past.last_mut() else { return 0.0 };
        // The last step has changed the weights since its value was found.
        last.value = last.value_with(&weights.now, self.lesson.squash);
        let step = next - last.value;
        let mut share = 1.0;
        for sample in self.past.iter().rev() {
            let rate = self.lesson.rate(&sample.features, self.rate);
            weights.step(&sample.features, step * share * self.lesson.slope(sample), rate);
            share *= self.lesson.lambda;
            if share < 1e-6 {
                break;
            }
        }
        step * step
    }
}
