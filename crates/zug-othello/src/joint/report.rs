//! How good is a fitted model, where in the game, and on what does it rest?

use super::JointOptions;
use super::data::{Examples, Split};
use super::fit::by_cell;
use crate::patterns::PatternModel;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt;
use zug_learn::joint::{Ended, Fitted, Iteration};

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

/// What became of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableShare {
    /// The pattern.
    pub name: String,
    /// Its cells.
    pub cells: u64,
    /// Those that the examples touch.
    pub seen: u64,
    /// Its share of the spread of values that all tables cause, each taken by itself.
    pub share: f64,
}

/// All figures of a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointReport {
    /// How it was made.
    pub options: JointOptions,
    /// Training examples.
    pub training: u64,
    /// Validation examples.
    pub validation: u64,
    /// The iterations.
    pub iterations: Vec<Iteration>,
    /// The one whose weights were taken.
    pub best: u64,
    /// Why it ended.
    pub ended: Ended,
    /// The errors of the final model on the validation examples (on the training examples if there
    /// are no others), by disc count.
    pub by_discs: Vec<Errors>,
    /// And on all of them.
    pub all: Errors,
    /// The tables.
    pub tables: Vec<TableShare>,
}

/// Measures the final, rounded model.
pub(super) fn judge(
    model: &PatternModel,
    fitted: &Fitted,
    split: &Split,
    options: &JointOptions,
) -> JointReport {
    let judged = if split.validation.is_empty() { &split.training } else { &split.validation };
    let by_discs = errors(judged, |board| f64::from(model.discs(board)));
    JointReport {
        options: options.clone(),
        training: split.training.len() as u64,
        validation: split.validation.len() as u64,
        iterations: fitted.iterations.clone(),
        best: fitted.best,
        ended: fitted.ended,
        all: all(&by_discs),
        by_discs,
        tables: tables(model, fitted),
    }
}

/// The errors of any evaluation in discs, by disc count.
pub fn errors(examples: &Examples, value: impl Fn(crate::Board) -> f64 + Sync) -> Vec<Errors> {
    let groups = examples.groups.par_iter().map(|group| {
        let count = group.boards.len() as f64;
        let mut e = Errors { discs: Some(group.discs), ..Errors::default() };
        for (&board, &score) in group.boards.iter().zip(&group.scores) {
            let label = f64::from(score);
            let error = value(board) - label;
            e.mean_absolute += error.abs();
            e.root_mean_square += error * error;
            e.bias += error;
            e.labels += label * label;
        }
        Errors {
            discs: e.discs,
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

fn tables(model: &PatternModel, fitted: &Fitted) -> Vec<TableShare> {
    let knots = model.phases().len();
    let cells: Vec<(f64, f64)> = by_cell(fitted, knots)
        .map(|(seen, weights)| {
            let square: f64 = weights.iter().map(|w| w * w).sum::<f64>() / knots as f64;
            (seen, seen * square)
        })
        .collect();
    let whole: f64 = cells.iter().map(|(_, spread)| spread).sum();
    let share = |(name, range): (String, std::ops::Range<usize>)| {
        let cells = &cells[range];
        TableShare {
            name,
            cells: cells.len() as u64,
            seen: cells.iter().filter(|(seen, _)| *seen > 0.0).count() as u64,
            share: cells.iter().map(|(_, spread)| spread).sum::<f64>()
                / whole.max(f64::MIN_POSITIVE),
        }
    };
    model.set().tables().into_iter().map(share).collect()
}

/// A table of errors by disc count.
impl fmt::Display for JointReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} training examples, {} validation examples; best iteration {} of {} ({:?})",
            self.training,
            self.validation,
            self.best,
            self.iterations.len().saturating_sub(1),
            self.ended
        )?;
        writeln!(
            f,
            "{:>5} {:>9} {:>7} {:>7} {:>7} {:>7}",
            "discs", "examples", "mae", "rmse", "bias", "labels"
        )?;
        for e in self.by_discs.iter().chain([&self.all]) {
            let discs = e.discs.map_or("all".to_string(), |d| d.to_string());
            writeln!(
                f,
                "{discs:>5} {:>9} {:>7.3} {:>7.3} {:>7.3} {:>7.3}",
                e.count, e.mean_absolute, e.root_mean_square, e.bias, e.labels
            )?;
        }
        writeln!(f, "{:<24} {:>7} {:>7} {:>6}", "table", "cells", "seen", "share")?;
        for t in &self.tables {
            writeln!(f, "{:<24} {:>7} {:>7} {:>5.1}%", t.name, t.cells, t.seen, 100.0 * t.share)?;
        }
        Ok(())
    }
}
