//! How well do evaluations foretell results of games that were not learned from?
//!
//! Each evaluation gets the scale that suits it best, so that only the order of its values and
//! their proportions count; the loss is the mean cross entropy of the results.

use super::fit::cross_entropy;
use super::learn::wrapped;
use super::options::{self, Data};
use super::record::{Example, fold_of};
use crate::HandMade;
use crate::engine::Eye;
use crate::model::{Model, Start};
use crate::types::Scheme;
use cozy_chess::{Board, Color};
use rayon::prelude::*;
use zug_core::StopFlag;
use zug_learn::face::TaskError;

/// Examples that are compared on, at most.
const MOST: usize = 100_000;

/// How the names of weights that nobody tuned begin.
const UNTUNED: &str = "untuned: ";

/// How an evaluation does.
pub(super) struct Compared {
    pub name: String,
    /// The mean cross entropy of the results.
    pub loss: f64,
    /// Hundredths of a pawn that are one unit of log-odds.
    pub scale: f64,
    pub examples: usize,
}

/// A model to compare with.
pub(super) enum Other {
    Hand,
    Weights(String, Box<Model>),
}

/// The evaluations to compare with: the hand-made one, untuned ones, and those that are named.
pub(super) fn models(names: &[String]) -> Result<Vec<Other>, TaskError> {
    let untuned = [("thesis", Start::Thesis), ("material only", Start::KnightCap1)];
    let mut others = vec![Other::Hand];
    for (name, start) in untuned {
        let model = Model::start(Scheme::One, start);
        others.push(Other::Weights(format!("{UNTUNED}{name}"), Box::new(model)));
    }
    for name in names {
        let model = options::open_weights(name)?;
        others.push(Other::Weights(name.clone(), Box::new(model)));
    }
    Ok(others)
}

/// Compares on the examples of a fold, or on all.
pub(super) fn compare(
    data: &Data,
    fold: Option<u8>,
    model: &Model,
    others: Vec<Other>,
    stop: &StopFlag,
) -> Result<Vec<Compared>, TaskError> {
    let mut examples: Vec<Example> = Vec::new();
    let total = data.len() / if fold.is_some() { 20 } else { 1 };
    let step = (total as usize / MOST).max(1);
    let mut number = 0;
    for file in &data.files {
        file.for_each(|example| {
            if fold.is_none_or(|fold| fold_of(example.game) == fold) {
                if number % step == 0 && examples.len() < MOST {
                    examples.push(example);
                }
                number += 1;
            }
        })
        .map_err(wrapped)?;
    }
    let judge = |name: String, value: &(dyn Fn(&Board) -> f64 + Sync)| {
        let values: Vec<(f64, f64)> =
            examples.par_iter().map(|e| (value(&e.board), e.result.points())).collect();
        let scale = best_scale(&values);
        let loss: f64 = values
            .iter()
            .map(|&(v, result)| f64::from(cross_entropy((v / scale) as f32, result as f32)))
            .sum();
        Compared { name, loss: loss / values.len().max(1) as f64, scale, examples: values.len() }
    };
    let mut list = vec![judge("this fit".into(), &|board| model.value(board))];
    for other in others {
        if stop.is_set() {
            return Err(TaskError::Stopped { resumable: false });
        }
        list.push(match other {
            Other::Hand => judge("hand-made".into(), &|board| {
                let value = f64::from(HandMade.evaluate(board));
                if board.side_to_move() == Color::White { value } else { -value }
            }),
            Other::Weights(name, model) => judge(name, &|board| model.value(board)),
        });
    }
    Ok(list)
}

/// Says so where an evaluation that nobody tuned foretells results better than the fit, the first.
pub(super) fn beaten(list: &[Compared]) -> Option<String> {
    let (fit, others) = list.split_first()?;
    let best = others.iter().filter(|c| c.name.starts_with(UNTUNED));
    let best = best.min_by(|a, b| a.loss.total_cmp(&b.loss)).filter(|c| c.loss < fit.loss)?;
    Some(format!(
        "'{}' foretells results better (loss {:.5}) than this fit ({:.5}): there are too few games; \
         more of them, or a smaller --set ridge=, may help",
        best.name, best.loss, fit.loss
    ))
}

/// The scale with the least loss.
fn best_scale(values: &[(f64, f64)]) -> f64 {
    let mut slope = 1.0 / 200.0;
    for _ in 0..50 {
        let (mut g, mut h) = (0.0, 0.0);
        for &(v, result) in values {
            let p = 1.0 / (1.0 + (-v * slope).exp());
            g += (p - result) * v;
            h += p * (1.0 - p) * v * v;
        }
        if h <= 0.0 {
            break;
        }
        let next = (slope - g / h).clamp(slope / 4.0, slope * 4.0);
        if (next - slope).abs() < 1e-9 * slope {
            break;
        }
        slope = next.max(1e-6);
    }
    1.0 / slope
}
