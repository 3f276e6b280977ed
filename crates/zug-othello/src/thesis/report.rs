//! What a fit found, disc count by disc count, for people and for plots.

use super::fit::Fitted;
use super::model::Method;
use super::rows::{DiscRows, FeatureRows};
use super::table::TableOptions;
use serde::Serialize;
use std::ops::RangeInclusive;
use zug_learn::discordance::{Ranked, discordance};
use zug_learn::importance::compare_covariances;
use zug_learn::{Class, Grouping, LearnError, Moments, Rows};

/// What a fit found.
#[derive(Clone, Debug, Serialize)]
pub struct ThesisReport {
    /// How it was fitted.
    pub method: Method,
    /// The features, in the order of all lists below.
    pub features: Vec<String>,
    /// How the tables were estimated.
    pub tables: TableOptions,
    /// The folds that were kept aside.
    pub held_out: Vec<u8>,
    /// Which disc counts were fitted together.
    pub grouping: Grouping,
    /// One entry for each disc count.
    pub discs: Vec<DiscReport>,
}

/// What was found for one disc count.
#[derive(Clone, Debug, Serialize)]
pub struct DiscReport {
    /// The disc count.
    pub discs: u32,
    /// The first and the last disc count whose examples were fitted.
    pub learned_from: (u32, u32),
    /// The examples of this disc count that were learned from.
    pub training: Classes,
    /// The examples of this disc count that were kept aside.
    pub held_out: Classes,
    /// The fit, if there was one.
    pub fit: Option<FitReport>,
    /// Why there was none.
    pub problem: Option<String>,
    /// The disc count whose formula is used instead.
    pub borrowed_from: Option<u32>,
    /// The discordance of each feature alone.
    pub features: Vec<Discordances>,
    /// The discordance of the formula.
    pub combined: Option<Discordances>,
}

/// How many examples there are of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Classes {
    /// Won for the mover.
    pub wins: usize,
    /// Drawn.
    pub draws: usize,
    /// Lost.
    pub losses: usize,
}

/// A discordance with its standard error, as if the examples were independent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub value: f64,
    pub error: f64,
}

/// A discordance on both parts; nothing where there are no examples. The standard errors are those
/// of independent examples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Discordances {
    /// On what was learned from.
    pub training: Option<f64>,
    /// Its standard error.
    pub training_error: Option<f64>,
    /// On what was kept aside.
    pub held_out: Option<f64>,
    /// Its standard error.
    pub held_out_error: Option<f64>,
}

impl Discordances {
    fn of(rows: &DiscRows, value: &dyn Fn(&[i16]) -> f64) -> Discordances {
        let (training, held_out) = (of_rows(&rows.training, value), of_rows(&rows.held_out, value));
        Discordances {
            training: training.map(|m| m.value),
            training_error: training.map(|m| m.error),
            held_out: held_out.map(|m| m.value),
            held_out_error: held_out.map(|m| m.error),
        }
    }
}

/// Why a feature has no weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Left {
    /// It has the same value in all examples.
    Constant,
    /// It is a linear function of other features.
    Dependent,
    /// Its weight contradicted what it says alone.
    WrongSign,
}

/// One fit.
#[derive(Clone, Debug, Serialize)]
pub struct FitReport {
    /// The constant term.
    pub constant: f64,
    /// The weight of each feature.
    pub weights: Vec<f64>,
    /// The weights if all features had variance 1.
    pub standardised: Vec<f64>,
    /// For a quadratic model the largest weight of a pair, if all features had variance 1.
    pub largest_pair: Option<f64>,
    /// The features without weight.
    pub left_out: Vec<(String, Left)>,
    /// Iterations of each logistic regression that was needed.
    pub iterations: Vec<usize>,
    /// For the sign-consistent methods: is this certainly the optimum under the constraint?
    pub is_exact: Option<bool>,
    /// The mean of each feature over the wins.
    pub win_means: Vec<f64>,
    /// The mean of each feature over the losses.
    pub loss_means: Vec<f64>,
    /// How much the covariances of the classes differ.
    pub covariances: Option<Covariances>,
}

/// The covariances of wins and losses compared, as section 3.5 advises before a quadratic form is
/// chosen. Differences are in units of the standard deviations within the classes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Covariances {
    /// Root mean square of the differences of all components.
    pub root_mean_square: f64,
    /// The largest difference, wins less losses.
    pub largest: f64,
    /// The two features where it is found.
    pub between: (String, String),
}

impl Covariances {
    /// Compares the features that vary.
    fn of(moments: &Moments) -> Option<Covariances> {
        let varying: Vec<usize> =
            (0..moments.width()).filter(|&f| !moments.is_constant(f)).collect();
        let found = compare_covariances(&moments.part(&varying)).ok()?;
        let largest = found.cells.first()?;
        Some(Covariances {
            root_mean_square: found.root_mean_square,
            largest: largest.difference(),
            between: largest.features.clone(),
        })
    }
}

impl Classes {
    fn of(rows: &FeatureRows) -> Classes {
        let count = |class| rows.classes().iter().filter(|&&c| c == class).count();
        Classes { wins: count(Class::Win), draws: count(Class::Draw), losses: count(Class::Loss) }
    }
}

impl FitReport {
    fn new(names: &[String], fitted: &Fitted) -> FitReport {
        let formula = &fitted.formula;
        let deviations = fitted.moments.deviations();
        let pairs = (0..names.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let largest_pair = formula
            .pairs
            .iter()
            .zip(pairs)
            .map(|(weight, (i, j))| (weight * deviations[i] * deviations[j]).abs())
            .reduce(f64::max);
        FitReport {
            constant: formula.constant,
            weights: formula.weights.clone(),
            standardised: formula.weights.iter().zip(&deviations).map(|(w, d)| w * d).collect(),
            largest_pair,
            left_out: fitted.left_out.iter().map(|&(f, why)| (names[f].clone(), why)).collect(),
            iterations: fitted.iterations.clone(),
            is_exact: fitted.is_exact,
            win_means: fitted.moments.win.mean.clone(),
            loss_means: fitted.moments.loss.mean.clone(),
            covariances: Covariances::of(&fitted.moments),
        }
    }
}

impl DiscReport {
    pub(super) fn new(
        discs: u32,
        learns: &RangeInclusive<u32>,
        rows: &DiscRows,
        fitted: &Result<Fitted, LearnError>,
    ) -> DiscReport {
        let names = rows.training.names();
        let fitted = fitted.as_ref();
        DiscReport {
            discs,
            learned_from: (*learns.start(), *learns.end()),
            training: Classes::of(&rows.training),
            held_out: Classes::of(&rows.held_out),
            fit: fitted.ok().map(|f| FitReport::new(names, f)),
            problem: fitted.err().map(ToString::to_string),
            borrowed_from: None,
            features: (0..names.len())
                .map(|f| Discordances::of(rows, &|row| f64::from(row[f])))
                .collect(),
            combined: fitted.ok().map(|f| Discordances::of(rows, &|row| f.formula.evaluate(row))),
        }
    }
}

/// The discordance of a number that is computed from each row.
pub(super) fn of_rows(rows: &FeatureRows, value: &dyn Fn(&[i16]) -> f64) -> Option<Measured> {
    let ranked = |(row, &class): (&[i16], &Class)| Ranked { value: value(row), class, count: 1 };
    let mut examples: Vec<Ranked> = rows.iter().zip(rows.classes()).map(ranked).collect();
    let found = discordance(&mut examples).ok()?;
    Some(Measured { value: found.value(), error: found.error })
}
