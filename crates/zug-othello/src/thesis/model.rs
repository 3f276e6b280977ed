//! A fitted model as an evaluation: the log-odds to win, for the side to move.
//!
//! A linear model can be evaluated in two ways:
//!
//! * *summed*: add up the bytes of each feature, then weigh the sums;
//! * *folded*: for each disc count, one table that gives each instance of each image its whole
//!   contribution, that of its pattern and of its share in both mobilities, already weighed. One
//!   look-up an image and one sum are left: 46 for the features of LOGISTELLO.
//!
//! Folding gives the same values but for rounding, and halves the time of a leaf (60 ns against 130,
//! the move and its flips included; a quadratic model takes 180). It is done when the tables fit
//! into [`MOST_FOLDED`] bytes: those of LOGISTELLO take 9 MB, of which one disc count, and so one
//! depth of a search, touches 170 kB. A quadratic model needs the features themselves and is always
//! summed.

use super::feature::{FeatureSet, Measure};
use super::rays::{RAYS, RayTables};
use super::table::{PHASES, PatternTable, phase};
use crate::Board;
use crate::bits::Squares;
use crate::engine::{Evaluation, Unit};
use crate::patterns::Indices;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use zug_core::TextError;

/// The disc counts that have parameters of their own. Others use the nearest.
pub const DISCS: RangeInclusive<u32> = 12..=62;

/// The memory that folded tables may take.
pub const MOST_FOLDED: usize = 64 << 20;

/// The value of one unit of log-odds.
const ONE: f64 = 10_000.0;
/// Values stay within this: 30 units of log-odds are certainty.
const MOST_VALUE: f64 = 30.0 * ONE;
/// Folded contributions are kept in parts of a value, so that the rounding of 46 of them stays below
/// one value.
const PARTS: f64 = 16.0;
/// So that no sum of contributions leaves 32 bits.
const MOST_PARTS: f64 = (1 << 24) as f64;

/// How a model was fitted: the players of the thesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// FISHER: the linear discriminant.
    Fisher,
    /// QUAD: the quadratic discriminant.
    Quadratic,
    /// LOG: logistic regression.
    Logistic,
    /// FISHER+: the linear discriminant without weights that contradict their feature.
    FisherPlus,
    /// LOG+: logistic regression without weights that contradict their feature.
    LogisticPlus,
}

impl Method {
    /// All, in the order of the thesis.
    pub const ALL: [Method; 5] = [
        Method::Fisher,
        Method::Quadratic,
        Method::Logistic,
        Method::FisherPlus,
        Method::LogisticPlus,
    ];

    /// The word for it in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Fisher => "fisher",
            Method::Quadratic => "quadratic",
            Method::Logistic => "logistic",
            Method::FisherPlus => "fisher-plus",
            Method::LogisticPlus => "logistic-plus",
        }
    }

    /// The player in the thesis that is made in this way.
    #[must_use]
    pub const fn player(self) -> &'static str {
        match self {
            Method::Fisher => "FISHER",
            Method::Quadratic => "QUAD",
            Method::Logistic => "LOG",
            Method::FisherPlus => "FISHER+",
            Method::LogisticPlus => "LOG+",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Method, TextError> {
        Method::ALL.into_iter().find(|m| m.name() == text).ok_or_else(|| {
            let names = Method::ALL.map(Method::name).join(", ");
            TextError::new(0, format!("one of {names}"), zug_core::error::shorten(text))
        })
    }
}

/// How the features of one disc count are combined.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    /// The constant term.
    pub constant: f64,
    /// A weight for each feature.
    pub weights: Vec<f64>,
    /// For a quadratic model a weight for each pair of features: the lower triangle, row by row.
    /// Otherwise empty.
    pub pairs: Vec<f64>,
}

impl Formula {
    /// The log-odds to win.
    #[must_use]
    pub fn evaluate(&self, features: &[i16]) -> f64 {
        let mut value = self.constant;
        for (weight, &x) in self.weights.iter().zip(features) {
            value += weight * f64::from(x);
        }
        if !self.pairs.is_empty() {
            let mut pairs = self.pairs.iter();
            for (i, &x) in features.iter().enumerate() {
                let row: f64 =
                    features[..=i].iter().zip(&mut pairs).map(|(&y, w)| w * f64::from(y)).sum();
                value += f64::from(x) * row;
            }
        }
        value
    }
}

/// Why a model cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mismatch(pub String);

/// A model of the thesis.
#[derive(Clone, Debug)]
pub struct ThesisModel {
    method: Method,
    features: FeatureSet,
    tables: Vec<Option<PatternTable>>,
    /// One for each of [`DISCS`].
    formulas: Vec<Formula>,
    folded: Option<Folded>,
}

/// Contributions by disc count, pattern and instance.
#[derive(Clone, Debug)]
struct Folded {
    /// For each of [`DISCS`] the tables of all patterns, one after another.
    tables: Vec<Vec<i32>>,
    /// For each lane where its table begins.
    starts: Vec<u32>,
    /// For each disc count the constant, in parts.
    constants: Vec<i32>,
    /// The features that are not found on lanes.
    exact: Vec<usize>,
}

/// Where the parameters of a disc count stand.
const fn place(discs: u32) -> usize {
    let (first, last) = (*DISCS.start(), *DISCS.end());
    let discs = if discs < first {
        first
    } else if discs > last {
        last
    } else {
        discs
    };
    (discs - first) as usize
}

impl ThesisModel {
    /// Puts a model together: a table for each feature that is a pattern, and a formula for each disc
    /// count of [`DISCS`].
    pub fn new(
        method: Method,
        features: FeatureSet,
        tables: Vec<Option<PatternTable>>,
        formulas: Vec<Formula>,
    ) -> Result<ThesisModel, Mismatch> {
        let wrong = |text: String| Err(Mismatch(text));
        if tables.len() != features.len() {
            return wrong(format!("{} tables for {} features", tables.len(), features.len()));
        }
        for (number, table) in tables.iter().enumerate() {
            let feature = &features.features()[number];
            let wanted = match feature.measure() {
                Measure::Pattern(pattern) => Some(pattern),
                _ => None,
            };
            if table.as_ref().map(PatternTable::pattern) != wanted {
                return wrong(format!(
                    "the table of feature '{feature}' is not that of its pattern"
                ));
            }
        }
        let count = DISCS.count();
        if formulas.len() != count {
            return wrong(format!("expected {count} formulas, found {}", formulas.len()));
        }
        let width = features.len();
        let pairs = if method == Method::Quadratic { width * (width + 1) / 2 } else { 0 };
        for (discs, formula) in DISCS.zip(&formulas) {
            let numbers = [&formula.weights, &formula.pairs].into_iter().flatten();
            if formula.weights.len() != width || formula.pairs.len() != pairs {
                return wrong(format!("the formula of {discs} discs has the wrong length"));
            }
            if !numbers.chain([&formula.constant]).all(|x| x.is_finite()) {
                return wrong(format!("a number in the formula of {discs} discs is not finite"));
            }
        }
        let mut model = ThesisModel { method, features, tables, formulas, folded: None };
        model.fold();
        Ok(model)
    }

    /// How it was fitted.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Its features.
    #[must_use]
    pub fn features(&self) -> &FeatureSet {
        &self.features
    }

    /// The tables of the features that are patterns.
    #[must_use]
    pub fn tables(&self) -> &[Option<PatternTable>] {
        &self.tables
    }

    /// The formula for a disc count.
    #[must_use]
    pub fn formula(&self, discs: u32) -> &Formula {
        &self.formulas[place(discs)]
    }

    /// The formulas of all [`DISCS`].
    #[must_use]
    pub fn formulas(&self) -> &[Formula] {
        &self.formulas
    }

    /// Is it evaluated by folded tables?
    #[must_use]
    pub fn is_folded(&self) -> bool {
        self.folded.is_some()
    }

    /// The same model, evaluated by summing features and weighing the sums.
    #[must_use]
    pub fn summed(mut self) -> ThesisModel {
        self.folded = None;
        self
    }

    /// All features of a board.
    #[must_use]
    pub fn vector(&self, board: Board) -> Vec<i16> {
        let mut out = vec![0; self.features.len()];
        let indices = self.features.set().indices(board);
        self.features.vector(&self.tables, board, &indices, &mut out);
        out
    }

    /// The log-odds of a board, without rounding.
    #[must_use]
    pub fn log_odds(&self, board: Board) -> f64 {
        self.formula(board.discs()).evaluate(&self.vector(board))
    }

    fn fold(&mut self) {
        let set = self.features.set();
        let bytes = DISCS.count() * set.instances() * size_of::<i32>();
        if self.method == Method::Quadratic || bytes > MOST_FOLDED {
            return;
        }
        let mut first_lane = vec![usize::MAX; set.patterns().len()];
        for lane in (0..set.lanes()).rev() {
            first_lane[set.pattern_of(lane)] = lane;
        }
        let rays = self.features.rays().map(RayTables::get);
        let tables = DISCS.map(|discs| {
            let weights = &self.formula(discs).weights;
            let mut sums = vec![0.0; set.instances()];
            for (number, feature) in self.features.features().iter().enumerate() {
                let weight = weights[number];
                match feature.measure() {
                    Measure::Pattern(_) => {
                        let pattern = self.features.pattern_number(number).expect("a pattern");
                        let start = set.starts()[first_lane[pattern]] as usize;
                        let table = self.tables[number].as_ref().expect("checked");
                        for (sum, &byte) in sums[start..].iter_mut().zip(table.phase(phase(discs)))
                        {
                            *sum += weight * f64::from(byte);
                        }
                    }
                    Measure::Mobility | Measure::Potential(_) => {
                        let which = usize::from(feature.measure() != &Measure::Mobility);
                        let rays = rays.expect("asked for");
                        for (pattern, &lane) in first_lane.iter().enumerate() {
                            if lane < RAYS {
                                let start = set.starts()[lane] as usize;
                                let instances = set.patterns()[pattern].instances();
                                for instance in 0..instances {
                                    let cell = rays.cell(lane, instance as u16)[which];
                                    sums[start + instance] += weight * f64::from(cell);
                                }
                            }
                        }
                    }
                    _ => {}
                }
            }
            sums.iter().map(|&s| in_parts(s)).collect()
        });
        let is_exact = |&n: &usize| {
            let measure = self.features.features()[n].measure();
            matches!(measure, Measure::ExactMobility | Measure::ExactPotential(_))
        };
        self.folded = Some(Folded {
            tables: tables.collect(),
            starts: set.starts().to_vec(),
            constants: self.formulas.iter().map(|f| in_parts(f.constant)).collect(),
            exact: (0..self.features.len()).filter(is_exact).collect(),
        });
    }

    fn value_by_sums(&self, board: Board, indices: &Indices) -> i32 {
        // No model has more features than lanes, but for the few that are not found on them.
        let mut features = [0i16; 80];
        let features = &mut features[..self.features.len()];
        self.features.vector(&self.tables, board, indices, features);
        in_values(self.formula(board.discs()).evaluate(features))
    }
}

fn in_parts(log_odds: f64) -> i32 {
    (log_odds * ONE * PARTS).round().clamp(-MOST_PARTS, MOST_PARTS) as i32
}

fn in_values(log_odds: f64) -> i32 {
    (log_odds * ONE).round().clamp(-MOST_VALUE, MOST_VALUE) as i32
}

impl Evaluation for ThesisModel {
    type State = Indices;

    fn unit(&self) -> Unit {
        Unit::LogOdds
    }

    fn state(&self, board: Board) -> Indices {
        self.features.set().indices(board)
    }

    #[inline]
    fn played(&self, state: &Indices, square: u32, flips: Squares) -> Indices {
        self.features.set().played(state, square, flips)
    }

    #[inline]
    fn passed(&self, state: &Indices) -> Indices {
        self.features.set().passed(state)
    }

    #[inline]
    fn value(&self, board: Board, state: &Indices) -> i32 {
        let Some(folded) = &self.folded else { return self.value_by_sums(board, state) };
        let place = place(board.discs());
        let table = &folded.tables[place][..];
        let mut sum = folded.constants[place];
        for (&start, &instance) in folded.starts.iter().zip(&state.0) {
            sum += table[(start + u32::from(instance)) as usize];
        }
        let mut value = sum / PARTS as i32;
        if !folded.exact.is_empty() {
            let weights = &self.formulas[place].weights;
            let exact = |&n: &usize| {
                let measure = self.features.features()[n].measure();
                weights[n] * f64::from(FeatureSet::exact(measure, board).unwrap_or(0))
            };
            value += in_values(folded.exact.iter().map(exact).sum());
        }
        value.clamp(-MOST_VALUE as i32, MOST_VALUE as i32)
    }
}

// The phases of the tables and the disc counts of the formulas must fit together.
const _: () = assert!(phase(*DISCS.start()) == 0 && phase(*DISCS.end()) == PHASES - 1);

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use crate::thesis::feature::Feature;
    use zug_core::seed::RngExt;

    /// A model of these features with random tables and formulas.
    pub fn random_model(method: Method, features: &str, seed: u64) -> ThesisModel {
        let mut rng = zug_core::rng(seed, 0);
        let set = FeatureSet::new(Feature::parse_list(features).unwrap()).unwrap();
        let tables = set
            .features()
            .iter()
            .map(|f| match f.measure() {
                Measure::Pattern(p) => {
                    let values = (0..PHASES * p.instances()).map(|_| rng.random_range(-127..=127));
                    PatternTable::new(p.clone(), values.collect())
                }
                _ => None,
            })
            .collect();
        let width = set.len();
        let pairs = if method == Method::Quadratic { width * (width + 1) / 2 } else { 0 };
        let formulas = DISCS
            .map(|_| Formula {
                constant: rng.random_range(-0.1..0.1),
                weights: (0..width).map(|_| rng.random_range(-0.01..0.01)).collect(),
                pairs: (0..pairs).map(|_| rng.random_range(-1e-5..1e-5)).collect(),
            })
            .collect();
        ThesisModel::new(method, set, tables, formulas).unwrap()
    }

    #[test]
    fn values_are_the_log_odds_of_the_formula_however_they_are_found() {
        let logistello = crate::thesis::feature::LOGISTELLO.join(",");
        let other =
            "corner2x5,exact-mobility,potential-mobility-twice,pattern:a1,b2,c4,exact-potential-3";
        for (method, features) in [
            (Method::LogisticPlus, logistello.as_str()),
            (Method::Fisher, other),
            (Method::Logistic, "exact-potential-1,exact-potential-2"),
            (Method::Quadratic, logistello.as_str()),
        ] {
            let model = random_model(method, features, 7);
            assert_eq!(model.is_folded(), method != Method::Quadratic);
            let summed = model.clone().summed();
            for seed in 0..5 {
                let mut board = Board::START;
                let mut state = model.state(board);
                for mv in random_game(&Othello::default(), seed, usize::MAX) {
                    state = match mv.square() {
                        Some(square) => model.played(&state, square, board.flips(square)),
                        None => model.passed(&state),
                    };
                    board = board.after_move(mv);
                    assert_eq!(state, model.state(board));
                    let expected = model.log_odds(board) * 10_000.0;
                    let expected = expected.clamp(-300_000.0, 300_000.0);
                    for value in [model.value(board, &state), summed.value(board, &state)] {
                        assert!((f64::from(value) - expected).abs() < 4.0, "{value} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let model = random_model(Method::Logistic, "edge,mobility", 1);
        let (set, tables) = (model.features.clone(), model.tables.clone());
        let put = |tables: Vec<Option<PatternTable>>, formulas: Vec<Formula>| {
            ThesisModel::new(Method::Logistic, set.clone(), tables, formulas).err().map(|e| e.0)
        };
        assert_eq!(put(tables.clone(), model.formulas.clone()), None);
        assert!(put(vec![None], model.formulas.clone()).is_some());
        assert!(put(vec![None, None], model.formulas.clone()).unwrap().contains("'edge'"));
        assert!(put(tables.clone(), model.formulas[1..].to_vec()).unwrap().contains("50"));
        let mut formulas = model.formulas.clone();
        formulas[3].weights[1] = f64::NAN;
        assert!(put(tables.clone(), formulas.clone()).unwrap().contains("15 discs"));
        formulas[3].weights.pop();
        assert!(put(tables, formulas).unwrap().contains("15 discs"));
    }

    #[test]
    fn methods_have_names() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        assert!("log".parse::<Method>().is_err());
    }
}
