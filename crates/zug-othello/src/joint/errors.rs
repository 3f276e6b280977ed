//! How far are the values of an evaluation from the labels, and is it honest about them?

use super::data::Examples;
use crate::Board;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The errors of a model on positions with the same number of discs, or on all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// The disc count; none for all together.
    pub discs: Option<u32>,
    /// Positions.
    pub count: u64,
    /// The mean of the absolute error, in discs.
    pub mean_absolute: f64,
    /// The root of the mean squared error, in discs.
    pub root_mean_square: f64,
    /// The mean of value less label.
    pub bias: f64,
    /// The root of the mean squared label: the error of always saying 0.
    pub labels: f64,
}

/// The errors of any evaluation in discs, by disc count.
pub fn errors(examples: &Examples, value: impl Fn(Board) -> f64 + Sync) -> Vec<Errors> {
    let groups = examples.groups.par_iter().map(|group| {
        let count = group.boards.len().max(1) as f64;
        let mut e = Errors::default();
        for (&board, &score) in group.boards.iter().zip(&group.scores) {
            let label = f64::from(score);
            let error = value(board) - label;
            e.mean_absolute += error.abs();
            e.root_mean_square += error * error;
            e.bias += error;
            e.labels += label * label;
        }
        Errors {
            discs: Some(group.discs),
            count: group.boards.len() as u64,
            mean_absolute: e.mean_absolute / count,
            root_mean_square: (e.root_mean_square / count).sqrt(),
            bias: e.bias / count,
            labels: (e.labels / count).sqrt(),
        }
    });
    groups.collect()
}

/// The errors of several groups together.
#[must_use]
pub fn all(groups: &[Errors]) -> Errors {
    let count: u64 = groups.iter().map(|e| e.count).sum();
    let mean = |of: &dyn Fn(&Errors) -> f64| {
        groups.iter().map(|e| of(e) * e.count as f64).sum::<f64>() / count.max(1) as f64
    };
    Errors {
        discs: None,
        count,
        mean_absolute: mean(&|e| e.mean_absolute),
        root_mean_square: mean(&|e| e.root_mean_square * e.root_mean_square).sqrt(),
        bias: mean(&|e| e.bias),
        labels: mean(&|e| e.labels * e.labels).sqrt(),
    }
}

/// Positions of similar value, and what their labels are on the average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ValueBin {
    /// The least value, in discs.
    pub from: f64,
    /// Positions.
    pub count: u64,
    /// Their mean value.
    pub value: f64,
    /// The mean of their labels: the same in an honest evaluation.
    pub label: f64,
}

/// Discs that a bin is wide.
const BIN: f64 = 8.0;
const BINS: usize = 16;

/// Values against labels, in bins of eight discs. Bins without positions are left out.
pub fn calibration(examples: &Examples, value: impl Fn(Board) -> f64 + Sync) -> Vec<ValueBin> {
    let groups: Vec<[ValueBin; BINS]> = examples
        .groups
        .par_iter()
        .map(|group| {
            let mut bins = [ValueBin::default(); BINS];
            for (&board, &score) in group.boards.iter().zip(&group.scores) {
                let value = value(board);
                let bin = &mut bins[(((value + 64.0) / BIN) as usize).min(BINS - 1)];
                bin.count += 1;
                bin.value += value;
                bin.label += f64::from(score);
            }
            bins
        })
        .collect();
    let bin = |at: usize| {
        let count: u64 = groups.iter().map(|g| g[at].count).sum();
        let mean = |of: fn(&ValueBin) -> f64| {
            groups.iter().map(|g| of(&g[at])).sum::<f64>() / count.max(1) as f64
        };
        let from = at as f64 * BIN - 64.0;
        ValueBin { from, count, value: mean(|b| b.value), label: mean(|b| b.label) }
    };
    (0..BINS).map(bin).filter(|b| b.count > 0).collect()
}
