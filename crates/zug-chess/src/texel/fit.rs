//! Which weights explain the results best?
//!
//! The model says that White's expected points are σ(v), where v is the sum of counts times weights
//! in log-odds. The loss of a row is the cross entropy between that and its target: the result of
//! the game, the expected points that a search saw (its score through a sigmoid whose scale is
//! fitted to the results), or a mixture of both. The sum over all rows, plus
//!
//! * `ridge`/2 · Σ w², which keeps rare factors near zero, and
//! * `tie`/2 · Σ (w − mean of the factor over the columns)², which lets a column that has few rows
//!   borrow from the others,
//!
//! is convex; L-BFGS finds its minimum from weights that are all zero. One fold of games is never
//! learned from; the weights that are best there are kept.

use super::lbfgs::{Smooth, State, Step};
use super::rows::{Chunk, Row};
use rayon::prelude::*;
use zug_core::{Progress, StopFlag};

/// Chunks are dealt to so many lanes, whatever the number of threads; each lane sums for itself,
/// and the lanes are added in order.
const LANES: usize = 64;

/// What a fit aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// The result of the game alone: 1; the score alone: 0.
    Mix(f64),
}

impl Aim {
    /// The results alone.
    pub const RESULT: Aim = Aim::Mix(1.0);

    /// Reads `result`, `score` or `mix:SHARE`, where the share is that of the results.
    #[must_use]
    pub fn parse(text: &str) -> Option<Aim> {
        match text {
            "result" => Some(Aim::RESULT),
            "score" => Some(Aim::Mix(0.0)),
            _ => {
                let share: f64 = text.strip_prefix("mix:")?.parse().ok()?;
                (0.0..=1.0).contains(&share).then_some(Aim::Mix(share))
            }
        }
    }
}

/// How to fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Pulls every weight to zero.
    pub ridge: f64,
    /// Pulls the columns of a factor together.
    pub tie: f64,
    /// At most so many steps.
    pub steps: u64,
    /// Steps without progress on the held-out fold before the end.
    pub patience: u64,
    /// The fold that is held out; nothing is if there is none.
    pub fold: Option<u8>,
    /// The end comes when a step gains less than this share of the loss.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            ridge: 100.0,
            tie: 100.0,
            steps: 200,
            patience: 12,
            fold: Some(0),
            tolerance: 3e-6,
        }
    }
}

/// The mean losses at one point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// On the rows that are learned from.
    pub training: f64,
    /// On those that are held out; 0 where none are.
    pub held_out: f64,
}

impl Losses {
    /// The loss on rows that are held out, if there are any.
    #[must_use]
    pub fn judged(&self) -> Option<f64> {
        (self.held_out > 0.0).then_some(self.held_out)
    }

    /// The same in words.
    #[must_use]
    pub fn told(&self) -> String {
        self.judged().map_or("none".to_string(), |loss| format!("{loss:.5}"))
    }
}

/// Where a fit stands; enough to go on with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Progressed {
    /// The minimisation.
    pub state: State,
    /// The losses after each step, the beginning first.
    pub curve: Vec<Losses>,
    /// The best weights so far, and the number of the step that found them.
    pub best: (Vec<f64>, u64),
    /// The last so many steps have gained next to nothing.
    pub flat: u64,
}

/// What a fit has found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Weights in log-odds, `weights[column * width + factor]`.
    pub weights: Vec<f64>,
    /// The losses after each step, the beginning first.
    pub curve: Vec<Losses>,
    /// The step whose weights these are.
    pub best: u64,
    /// Why it ended.
    pub ended: &'static str,
}

/// The rows, and how many factors and columns there are.
pub struct Problem<'a> {
    /// The rows.
    pub chunks: &'a [Chunk],
    /// Factors.
    pub width: usize,
    /// Columns of weights.
    pub columns: usize,
    /// How to fit.
    pub settings: &'a Settings,
    /// The value and the losses at the last point that was asked about.
    last: (f64, Losses),
}

/// What a lane sums up.
struct Lane {
    gradient: Vec<f64>,
    training: (f64, u64),
    held_out: (f64, u64),
}

impl<'a> Problem<'a> {
    /// The problem of these rows.
    #[must_use]
    pub fn new(
        chunks: &'a [Chunk],
        width: usize,
        columns: usize,
        settings: &'a Settings,
    ) -> Problem<'a> {
        Problem { chunks, width, columns, settings, last: (0.0, Losses::default()) }
    }

    fn is_held_out(&self, row: &Row<'_>) -> bool {
        self.settings.fold == Some(row.fold)
    }

    /// Adds up something over all rows, lane by lane.
    fn lanes(&self, each: impl Fn(&Row<'_>, bool, &mut Lane) + Sync) -> Vec<Lane> {
        let size = self.width * self.columns;
        let lanes = (0..LANES).into_par_iter().map(|lane| {
            let mut sums =
                Lane { gradient: vec![0.0; size], training: (0.0, 0), held_out: (0.0, 0) };
            let begin = lane * self.chunks.len() / LANES;
            let end = (lane + 1) * self.chunks.len() / LANES;
            for chunk in &self.chunks[begin..end] {
                for row in chunk.rows() {
                    each(&row, self.is_held_out(&row), &mut sums);
                }
            }
            sums
        });
        lanes.collect()
    }

    /// The sum over the lanes, coordinate by coordinate in their order.
    fn add_up(lanes: &[Lane], gradient: &mut [f64]) {
        gradient.par_iter_mut().enumerate().for_each(|(i, g)| {
            *g = lanes.iter().map(|lane| lane.gradient[i]).sum();
        });
    }

    /// A guess at the curvature along each weight, for the preconditioner.
    #[must_use]
    pub fn curvature(&self) -> Vec<f64> {
        let lanes = self.lanes(|row, held_out, lane| {
            if !held_out {
                row.add_squares(&mut lane.gradient, self.width);
            }
        });
        let mut squares = vec![0.0; self.width * self.columns];
        Self::add_up(&lanes, &mut squares);
        // p (1 - p) is at most a quarter, and less where games are decided.
        squares.iter().map(|s| 0.15 * s + self.settings.ridge + self.settings.tie).collect()
    }

    /// The penalty at a point; its gradient is added.
    fn penalty(&self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let (ridge, tie) = (self.settings.ridge, self.settings.tie);
        let mut value = 0.0;
        for factor in 0..self.width {
            let places = (0..self.columns).map(|column| column * self.width + factor);
            let mean = places.clone().map(|i| point[i]).sum::<f64>() / self.columns as f64;
            for i in places {
                let off = point[i] - mean;
                value += ridge / 2.0 * point[i] * point[i] + tie / 2.0 * off * off;
                gradient[i] += ridge * point[i] + tie * off;
            }
        }
        value
    }

    /// The mean losses of some weights, in log-odds.
    #[must_use]
    pub fn losses(&self, weights: &[f64]) -> Losses {
        let weights: Vec<f32> = weights.iter().map(|&w| w as f32).collect();
        let lanes = self.lanes(|row, held_out, lane| {
            lane.count(cross_entropy(row.value(&weights, self.width), row.target), held_out);
        });
        mean_losses(&lanes)
    }
}

impl Smooth for Problem<'_> {
    fn at(&mut self, point: &[f64], gradient: &mut [f64]) -> f64 {
        let weights: Vec<f32> = point.iter().map(|&w| w as f32).collect();
        let lanes = self.lanes(|row, held_out, lane| {
            let value = row.value(&weights, self.width);
            lane.count(cross_entropy(value, row.target), held_out);
            if !held_out {
                let by = sigmoid(value) - row.target;
                row.add_gradient(by, &mut lane.gradient, self.width);
            }
        });
        Self::add_up(&lanes, gradient);
        let sum: f64 = lanes.iter().map(|lane| lane.training.0).sum();
        let value = sum + self.penalty(point, gradient);
        self.last = (value, mean_losses(&lanes));
        value
    }
}

impl Lane {
    fn count(&mut self, loss: f32, held_out: bool) {
        let sums = if held_out { &mut self.held_out } else { &mut self.training };
        sums.0 += f64::from(loss);
        sums.1 += 1;
    }
}

fn mean_losses(lanes: &[Lane]) -> Losses {
    let mean = |of: fn(&Lane) -> (f64, u64)| {
        let (sum, count) = lanes.iter().map(of).fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        if count == 0 { 0.0 } else { sum / count as f64 }
    };
    Losses { training: mean(|lane| lane.training), held_out: mean(|lane| lane.held_out) }
}

/// White's expected points for a value in log-odds.
#[must_use]
pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The cross entropy of a value in log-odds and a target: ln(1 + e^v) - t v, without overflow.
#[must_use]
pub fn cross_entropy(value: f32, target: f32) -> f32 {
    value.max(0.0) - target * value + (-value.abs()).exp().ln_1p()
}

/// Fits weights from `start`, or goes on with `before`. `watch` sees every step and may save it.
pub fn fit(
    mut problem: Problem<'_>,
    start: Vec<f64>,
    before: Option<Progressed>,
    progress: &dyn Progress,
    stop: &StopFlag,
    watch: &mut dyn FnMut(&Progressed) -> Result<(), super::ExampleError>,
) -> Result<Fitted, super::ExampleError> {
    let settings = problem.settings;
    progress.set_length(Some(settings.steps));
    let mut now = match before {
        Some(before) => before,
        None => {
            let curvature = problem.curvature();
            let state = State::begin(&mut problem, start, &curvature);
            Progressed {
                best: (state.point.clone(), 0),
                state,
                curve: vec![problem.last.1],
                flat: 0,
            }
        }
    };
    progress.advance(now.state.steps);
    let has_held_out = settings.fold.is_some() && now.curve[0].held_out > 0.0;
    let judged = |losses: &Losses| if has_held_out { losses.held_out } else { losses.training };
    let ended = loop {
        if stop.is_set() {
            return Err(super::ExampleError::Stopped);
        }
        if now.state.steps >= settings.steps {
            break "all steps are done";
        }
        if now.flat >= 3 {
            break "the loss no longer falls";
        }
        if now.state.steps - now.best.1 >= settings.patience {
            break "the loss on games not learned from no longer falls";
        }
        let last = now.state.value;
        if now.state.step(&mut problem) == Step::Stuck {
            break "no better weights were found";
        }
        let losses = match problem.last {
            (value, losses) if value == now.state.value => losses,
            // The line search has looked further than it went.
            _ => problem.losses(&now.state.point),
        };
        now.curve.push(losses);
        let best = &now.curve[now.best.1 as usize];
        // Knowing nothing is no result, even where few games make it look best.
        if now.best.1 == 0 || judged(&losses) < judged(best) {
            now.best = (now.state.point.clone(), now.state.steps);
        }
        progress.advance(1);
        progress.message(&format!(
            "step {}: loss {:.5}, on games not learned from {}",
            now.state.steps,
            losses.training,
            losses.told()
        ));
        let gained = last - now.state.value >= settings.tolerance * last;
        now.flat = if gained { 0 } else { now.flat + 1 };
        watch(&now)?;
    };
    Ok(Fitted { weights: now.best.0, best: now.best.1, curve: now.curve, ended })
}

/// The scale at which scores foretell results best: expected points are σ(score / scale), the score
/// in hundredths of a pawn. Nothing where no row has a score, or scores tell nothing.
#[must_use]
pub fn fit_scale(chunks: &[Chunk], score: impl Fn(&Row<'_>) -> Option<f64> + Sync) -> Option<f64> {
    // The loss is convex in 1 / scale: Newton's method with fixed sums.
    let mut slope = 1.0 / 200.0;
    for _ in 0..50 {
        let sums: Vec<(f64, f64)> = chunks
            .par_iter()
            .map(|chunk| {
                let mut sums = (0.0, 0.0);
                for row in chunk.rows() {
                    if let Some(score) = score(&row) {
                        let p = 1.0 / (1.0 + (-score * slope).exp());
                        sums.0 += (p - f64::from(row.result)) * score;
                        sums.1 += p * (1.0 - p) * score * score;
                    }
                }
                sums
            })
            .collect();
        let (g, h) = sums.iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        if h <= 0.0 {
            return None;
        }
        let change: f64 = g / h;
        slope = (slope - change).clamp(slope / 4.0, slope * 4.0);
        if change.abs() < 1e-9 * slope {
            break;
        }
    }
    let scale = 1.0 / slope;
    (scale.is_finite() && (1.0..=1e5).contains(&scale)).then_some(scale)
}

/// Sets the targets of all rows.
pub fn set_targets(chunks: &mut [Chunk], aim: Aim, scale: Option<f64>) {
    let Aim::Mix(share) = aim;
    chunks.par_iter_mut().for_each(|chunk| {
        let targets: Vec<f32> = chunk
            .rows()
            .map(|row| match (row.score, scale) {
                (Some(score), Some(scale)) => {
                    let seen = sigmoid((f64::from(score) / scale) as f32);
                    share as f32 * row.result + (1.0 - share as f32) * seen
                }
                _ => row.result,
            })
            .collect();
        chunk.targets = targets;
    });
}

#[cfg(test)]
mod tests;
