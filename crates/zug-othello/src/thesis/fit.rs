//! How are the features weighed? Tables first, then a formula for each disc count.
//!
//! 1. The tables of all patterns are estimated from the examples that are learned from (one pass).
//! 2. For each disc count from 12 to 62 the features of its examples are computed, and those of two
//!    adjacent disc counts are fitted together, so that wins and losses of the mover even out
//!    (section 3.3). Drawn examples enter once as a win and once as a loss.
//!
//! A disc count that cannot be fitted (too few examples, only wins, a feature that separates them)
//! uses the formula of the nearest one that could, and the report says so. When none could, that is
//! an error.

use super::ThesisError;
use super::feature::{Feature, FeatureSet};
use super::model::{DISCS, Formula, Method, ThesisModel};
use super::report::{DiscReport, Left, ThesisReport};
use super::rows::{Data, DiscRows, FeatureRows};
use super::sample::{self, Division};
use super::table::TableOptions;
use crate::examples::ExampleFile;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use zug_core::{Progress, StopFlag};
use zug_learn::logistic;
use zug_learn::moments::Unusable;
use zug_learn::signs::{self, Fitter, sign_consistent_of};
use zug_learn::{
    Columns, Draws, Grouping, Joined, LearnError, Linear, Moments, Rows, fisher, quadratic,
};

/// How to fit.
#[derive(Clone, Debug)]
pub struct ThesisOptions {
    /// Which player of the thesis.
    pub method: Method,
    /// The features; those of LOGISTELLO unless others are given.
    pub features: Vec<Feature>,
    /// Which examples are learned from and which are kept aside.
    pub division: Division,
    /// How the tables are estimated.
    pub table: TableOptions,
    /// Which disc counts are fitted together. Sliding gives each its own parameters, as the thesis
    /// has them; pairs share theirs and take half the time.
    pub grouping: Grouping,
    /// A fit on fewer examples than this is not tried.
    pub least_examples: usize,
}

impl Default for ThesisOptions {
    fn default() -> ThesisOptions {
        ThesisOptions {
            method: Method::LogisticPlus,
            features: Feature::logistello(),
            division: Division::default(),
            table: TableOptions::default(),
            grouping: Grouping::Sliding,
            least_examples: 200,
        }
    }
}

/// Fits a model to the examples of some files. Positions that stand in several of them count in each
/// and are held out only where all of them do that.
///
/// # Errors
/// Fails when the options make no sense, when a file cannot be read, when no disc count can be fitted,
/// and when asked to stop.
pub fn fit(
    files: &[ExampleFile],
    options: &ThesisOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(ThesisModel, ThesisReport), ThesisError> {
    options.division.check()?;
    options.table.check()?;
    let features = FeatureSet::new(options.features.clone())?;
    let data = Data { files, division: &options.division, progress, stop };
    // Tables and features each look at every example once.
    let used: u64 = DISCS.map(|d| sample::count(files, d)).sum();
    let all: u64 = (0..=64).map(|d| sample::count(files, d)).sum();
    progress.set_length(Some(all + used));

    progress.message("estimating the tables of the patterns");
    let tables = data.tables(&features, &options.table)?;

    let mut cache: BTreeMap<u32, DiscRows> = BTreeMap::new();
    let mut found: BTreeMap<u32, Formula> = BTreeMap::new();
    let mut reports = Vec::new();
    for group in options.grouping.over(*DISCS.start() as usize..=*DISCS.end() as usize) {
        let learns = *group.learns.start() as u32..=*group.learns.end() as u32;
        for discs in learns.clone() {
            if let Entry::Vacant(entry) = cache.entry(discs) {
                progress.message(&format!("fitting {discs} discs"));
                entry.insert(data.rows(&features, &tables, discs)?);
            }
        }
        let parts: Vec<&FeatureRows> = learns.clone().map(|d| &cache[&d].training).collect();
        let fitted = fit_group(&parts, options);
        for discs in *group.serves.start() as u32..=*group.serves.end() as u32 {
            reports.push(DiscReport::new(discs, &learns, &cache[&discs], &fitted));
            if let Ok(fitted) = &fitted {
                found.insert(discs, fitted.formula.clone());
            }
        }
        // The group that follows needs the last disc count, the last of all also the one before it.
        cache.retain(|discs, _| discs + 1 >= *learns.end());
    }
    let formulas = fill(&found, &mut reports)?;
    progress.finish();
    let report = ThesisReport {
        method: options.method,
        features: features.names(),
        tables: options.table.clone(),
        held_out: options.division.held_out.clone(),
        grouping: options.grouping,
        discs: reports,
    };
    let model = ThesisModel::new(options.method, features, tables, formulas)
        .map_err(|e| ThesisError::Options(e.to_string()))?;
    Ok((model, report))
}

/// Gives disc counts without a formula that of the nearest, the later of two equally near.
fn fill(
    found: &BTreeMap<u32, Formula>,
    reports: &mut [DiscReport],
) -> Result<Vec<Formula>, ThesisError> {
    let mut formulas = Vec::new();
    for report in reports {
        let nearest = found.keys().rev().min_by_key(|d| d.abs_diff(report.discs));
        let Some(nearest) = nearest else {
            let why = report.problem.as_deref().unwrap_or("no reason is known");
            return Err(ThesisError::TooFew(format!(
                "no disc count could be fitted; with {} discs: {why}",
                report.discs
            )));
        };
        if *nearest != report.discs {
            report.borrowed_from = Some(*nearest);
        }
        formulas.push(found[nearest].clone());
    }
    Ok(formulas)
}

/// The outcome of one fit.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    pub formula: Formula,
    pub moments: Moments,
    /// Features without weight, and why.
    pub left_out: Vec<(usize, Left)>,
    /// How many iterations each fit took; empty for the discriminants, which have closed forms.
    pub iterations: Vec<usize>,
    /// For the sign-consistent methods: is it the true optimum under the constraint?
    pub is_exact: Option<bool>,
}

fn fit_group(parts: &[&FeatureRows], options: &ThesisOptions) -> Result<Fitted, LearnError> {
    let examples: usize = parts.iter().map(|p| p.len()).sum();
    if examples < options.least_examples {
        let least = options.least_examples;
        return Err(LearnError::Argument(format!(
            "there are {examples} examples, and {least} are wanted at least"
        )));
    }
    let rows = Joined::new(parts.to_vec())?;
    let settings = logistic::Options { draws: Draws::Twice, ..logistic::Options::default() };
    let fitter = LogisticFits {
        rows: &rows,
        moments: Moments::of(&rows, settings.draws)?,
        settings,
        iterations: RefCell::new(Vec::new()),
    };
    let moments = &fitter.moments;
    let (usable, unusable) = moments.usable();
    let mut left_out: Vec<(usize, Left)> = unusable
        .into_iter()
        .map(|(feature, why)| match why {
            Unusable::Constant => (feature, Left::Constant),
            Unusable::Dependent(_) => (feature, Left::Dependent),
        })
        .collect();
    let width = rows.width();
    let mut is_exact = None;
    let formula = match options.method {
        Method::Fisher => linear(width, &usable, &fisher(&moments.part(&usable))?),
        Method::Logistic => linear(width, &usable, &fitter.fit(&usable)?),
        Method::Quadratic => {
            let found = quadratic(&moments.part(&usable))?;
            let mut formula = spread(width, &usable, &found.weights, found.constant);
            formula.pairs = vec![0.0; width * (width + 1) / 2];
            let mut pairs = found.squares.iter();
            for (i, &row) in usable.iter().enumerate() {
                // The usable features are in rising order, so the triangle stays lower.
                for (&column, &weight) in usable[..=i].iter().zip(&mut pairs) {
                    formula.pairs[row * (row + 1) / 2 + column] = weight;
                }
            }
            formula
        }
        Method::FisherPlus | Method::LogisticPlus => {
            let by_fisher = signs::FisherFitter(moments.clone());
            let fitter: &dyn Fitter =
                if options.method == Method::FisherPlus { &by_fisher } else { &fitter };
            let found = sign_consistent_of(fitter, &usable)?;
            let dropped = found.rounds.iter().flat_map(|r| &r.dropped);
            left_out.extend(dropped.map(|&feature| (feature, Left::WrongSign)));
            is_exact = Some(found.is_exact());
            let all: Vec<usize> = (0..width).collect();
            linear(width, &all, &found.model)
        }
    };
    left_out.sort_by_key(|(feature, _)| *feature);
    let iterations = fitter.iterations.take();
    Ok(Fitted { formula, moments: fitter.moments, left_out, iterations, is_exact })
}

fn linear(width: usize, chosen: &[usize], found: &Linear) -> Formula {
    spread(width, chosen, &found.weights, found.constant)
}

fn spread(width: usize, chosen: &[usize], found: &[f64], constant: f64) -> Formula {
    let mut weights = vec![0.0; width];
    for (&feature, &weight) in chosen.iter().zip(found) {
        weights[feature] = weight;
    }
    Formula { constant, weights, pairs: Vec::new() }
}

/// Logistic regressions on choices of the features, which remember how long they took.
struct LogisticFits<'a, R: Rows> {
    rows: &'a R,
    moments: Moments,
    settings: logistic::Options,
    iterations: RefCell<Vec<usize>>,
}

impl<R: Rows> Fitter for LogisticFits<'_, R> {
    fn moments(&self) -> &Moments {
        &self.moments
    }

    fn fit(&self, features: &[usize]) -> Result<Linear, LearnError> {
        let columns = Columns::new(self.rows, features)?;
        let fit = logistic::fit_with(&columns, &self.moments.part(features), &self.settings)?;
        self.iterations.borrow_mut().push(fit.iterations.len());
        Ok(fit.model)
    }
}
