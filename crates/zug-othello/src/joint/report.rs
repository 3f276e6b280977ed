//! How good is a fitted model, where in the game, and on what does it rest?

use super::JointOptions;
use super::compare::{Compared, DiscordanceRow, discordances};
use super::data::Split;
use super::errors::{Errors, ValueBin, all, calibration, errors};
use super::win::{WinCurve, curves};
use crate::patterns::PatternModel;
use serde::{Deserialize, Serialize};
use std::fmt;
use zug_learn::joint::{Ended, Fitted, Iteration};

/// What became of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableShare {
    /// The pattern.
    pub name: String,
    /// Its cells.
    pub cells: u64,
    /// Those that the examples touch.
    pub seen: u64,
    /// Its share of the sum of all squared weights found on boards.
    pub share: f64,
}

/// All figures of a fit. Errors, calibration, chances and discordances are those of the final,
/// rounded model on the validation examples, or on the training examples if there are no others.
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
    /// The errors by disc count.
    pub by_discs: Vec<Errors>,
    /// And on all examples.
    pub all: Errors,
    /// Values against labels.
    pub calibration: Vec<ValueBin>,
    /// Chances to win, phase by phase.
    pub win: Vec<WinCurve>,
    /// What was compared with the model, which comes first.
    pub compared: Vec<String>,
    /// Discordances by disc count.
    pub discordance: Vec<DiscordanceRow>,
    /// The tables.
    pub tables: Vec<TableShare>,
}

/// Measures the final, rounded model.
pub(super) fn judge(
    model: &PatternModel,
    fitted: &Fitted,
    split: &Split,
    options: &JointOptions,
    features: Vec<Compared<'_>>,
) -> JointReport {
    let judged = if split.validation.is_empty() { &split.training } else { &split.validation };
    let value = |board| f64::from(model.discs(board));
    let by_discs = errors(judged, value);
    let mut compared = vec![Compared::new("model", value)];
    compared.extend(features);
    JointReport {
        options: options.clone(),
        training: split.training.len() as u64,
        validation: split.validation.len() as u64,
        iterations: fitted.iterations.clone(),
        best: fitted.best,
        ended: fitted.ended,
        all: all(&by_discs),
        by_discs,
        calibration: calibration(judged, value),
        win: curves(&split.training, judged, model.phases(), value),
        discordance: discordances(judged, &compared),
        compared: compared.into_iter().map(|c| c.name).collect(),
        tables: tables(model, fitted),
    }
}

fn tables(model: &PatternModel, fitted: &Fitted) -> Vec<TableShare> {
    let knots = model.phases().len();
    let cells: Vec<(bool, f64)> = fitted
        .seen
        .chunks_exact(knots)
        .zip(fitted.weights.chunks_exact(knots))
        .map(|(seen, weights)| {
            let squares = seen.iter().zip(weights).map(|(s, w)| s * w * w);
            (seen.iter().any(|&s| s > 0.0), squares.sum())
        })
        .collect();
    let whole: f64 = cells.iter().map(|(_, squares)| squares).sum();
    let share = |(name, range): (String, std::ops::Range<usize>)| {
        let cells = &cells[range];
        let squares: f64 = cells.iter().map(|(_, squares)| squares).sum();
        TableShare {
            name,
            cells: cells.len() as u64,
            seen: cells.iter().filter(|(seen, _)| *seen).count() as u64,
            share: squares / whole.max(f64::MIN_POSITIVE),
        }
    };
    model.set().tables().into_iter().map(share).collect()
}

/// The figures as tables.
impl fmt::Display for JointReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} training examples, {} validation examples; best iteration {} of {} ({})",
            self.training,
            self.validation,
            self.best,
            self.iterations.len().saturating_sub(1),
            match self.ended {
                Ended::Converged => "converged",
                Ended::Patience => "the validation error did not fall any more",
                Ended::Iterations => "all iterations made",
                Ended::Stopped => "stopped",
            }
        )?;
        self.write_errors(f)?;
        writeln!(f, "\nvalue and mean label, in discs")?;
        for bin in &self.calibration {
            writeln!(f, "{:>7.2} {:>7.2} {:>9}", bin.value, bin.label, bin.count)?;
        }
        writeln!(
            f,
            "\n{:>7} {:>7} {:>7} {:>8} {:>7} {:>11}",
            "discs", "slope", "offset", "log loss", "brier", "calibration"
        )?;
        for c in &self.win {
            let number = |x: Option<f64>| x.map_or("-".to_string(), |x| format!("{x:.4}"));
            let discs = format!("{}-{}", c.first_discs, c.last_discs);
            let (log_loss, brier) = (number(c.log_loss), number(c.brier));
            let calibration = number(c.calibration_error);
            writeln!(
                f,
                "{discs:>7} {:>7.4} {:>7.4} {log_loss:>8} {brier:>7} {calibration:>11}",
                c.slope, c.offset
            )?;
        }
        writeln!(f, "\n{:<24} {:>7} {:>7} {:>6}", "table", "cells", "seen", "share")?;
        for t in &self.tables {
            writeln!(f, "{:<24} {:>7} {:>7} {:>5.1}%", t.name, t.cells, t.seen, 100.0 * t.share)?;
        }
        Ok(())
    }
}

impl JointReport {
    fn write_errors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>5} {:>9} {:>7} {:>7} {:>7} {:>7} ",
            "discs", "examples", "mae", "rmse", "bias", "labels"
        )?;
        let names: Vec<String> = self.compared.iter().map(|name| format!("d({name})")).collect();
        writeln!(f, "{}", names.join(" "))?;
        for e in self.by_discs.iter().chain([&self.all]) {
            let discs = e.discs.map_or("all".to_string(), |d| d.to_string());
            write!(
                f,
                "{discs:>5} {:>9} {:>7.3} {:>7.3} {:>7.3} {:>7.3} ",
                e.count, e.mean_absolute, e.root_mean_square, e.bias, e.labels
            )?;
            let row = self.discordance.iter().find(|row| Some(row.discs) == e.discs);
            let values = row.map_or(&[][..], |row| &row.values);
            for (value, name) in values.iter().zip(&names) {
                write!(f, "{value:>width$.4} ", width = name.chars().count())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
