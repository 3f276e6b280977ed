//! How well does a feature tell won positions from lost ones, by disc count?
//!
//! The measure is the discordance of chapter 2: among the pairs of positions where the feature says
//! that the first is at least as good, the share in which it is in truth worse. The tables of
//! patterns are estimated from the examples that are learned from. The thesis measures them on the
//! same examples; on those kept aside large patterns lose what they had learned by heart.

use super::ThesisError;
use super::feature::{Feature, FeatureSet};
use super::report::{Measured, of_rows};
use super::rows::Data;
use super::sample::{self, Division, Part};
use super::table::TableOptions;
use crate::examples::ExampleFile;
use crate::patterns::LANES;
use serde::Serialize;
use std::ops::RangeInclusive;
use zug_core::{Progress, StopFlag};

/// What to measure.
#[derive(Clone, Debug)]
pub struct CurveOptions {
    /// The features.
    pub features: Vec<Feature>,
    /// Which examples the tables are estimated from.
    pub division: Division,
    /// How tables are estimated.
    pub table: TableOptions,
    /// On which part the features are measured.
    pub measured_on: Part,
    /// At which disc counts.
    pub discs: RangeInclusive<u32>,
}

impl Default for CurveOptions {
    fn default() -> CurveOptions {
        CurveOptions {
            features: Feature::logistello(),
            division: Division::default(),
            table: TableOptions::default(),
            measured_on: Part::HeldOut,
            discs: 10..=62,
        }
    }
}

/// The discordance of a feature over the game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The feature.
    pub feature: String,
    /// Rising by disc count; disc counts without examples are left out.
    pub points: Vec<Point>,
}

/// The discordance at one disc count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The disc count.
    pub discs: u32,
    /// The discordance.
    pub value: f64,
    /// The examples that it was measured on.
    pub examples: usize,
    /// Its standard error.
    pub error: f64,
}

/// Measures the discordance of features over the game.
///
/// # Errors
/// Fails when the options make no sense, when a file cannot be read, when there is no example to
/// measure on, and when asked to stop.
pub fn discordance(
    files: &[ExampleFile],
    options: &CurveOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Curve>, ThesisError> {
    options.division.check()?;
    options.table.check()?;
    if options.features.is_empty() {
        return Err(ThesisError::Options("there is no feature to measure".into()));
    }
    let sets = packed(&options.features)?;
    let data = Data { files, division: &options.division, progress, stop };
    let discs = *options.discs.start()..=(*options.discs.end()).min(64);
    let all: u64 = (0..=64).map(|d| sample::count(files, d)).sum();
    let measured: u64 = discs.clone().map(|d| sample::count(files, d)).sum();
    progress.set_length(Some((all + measured) * sets.len() as u64));
    let mut curves = Vec::new();
    for set in sets {
        progress.message("estimating the tables of the patterns");
        let tables = data.tables(&set, &options.table)?;
        let mut some: Vec<Curve> =
            set.names().into_iter().map(|feature| Curve { feature, points: Vec::new() }).collect();
        for discs in discs.clone() {
            progress.message(&format!("measuring {discs} discs"));
            let rows = data.rows(&set, &tables, discs)?;
            let rows = rows.part(options.measured_on);
            for (number, curve) in some.iter_mut().enumerate() {
                if let Some(found) = of_rows(rows, &|row| f64::from(row[number])) {
                    let Measured { value, error } = found;
                    curve.points.push(Point { discs, value, examples: rows.len(), error });
                }
            }
        }
        curves.append(&mut some);
    }
    progress.finish();
    if curves.iter().all(|c| c.points.is_empty()) {
        return Err(ThesisError::TooFew(format!(
            "there is no example to measure on with {} to {} discs",
            discs.start(),
            discs.end()
        )));
    }
    // Sets are filled in the order that suits them; curves come in the order asked for.
    let place = |c: &Curve| options.features.iter().position(|f| f.name() == c.feature);
    curves.sort_by_key(place);
    Ok(curves)
}

/// Divides features into as few sets as their lanes allow, in order.
fn packed(features: &[Feature]) -> Result<Vec<FeatureSet>, ThesisError> {
    let mut sets: Vec<Vec<Feature>> = Vec::new();
    for feature in features {
        let fits = |set: &Vec<Feature>| {
            let mut larger = set.clone();
            larger.push(feature.clone());
            FeatureSet::new(larger).is_ok_and(|s| s.set().lanes() <= LANES)
        };
        match sets.iter_mut().find(|set| fits(set)) {
            Some(set) => set.push(feature.clone()),
            None => sets.push(vec![feature.clone()]),
        }
    }
    Ok(sets.into_iter().map(FeatureSet::new).collect::<Result<_, _>>()?)
}
