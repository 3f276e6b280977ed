//! Which model explains the examples best?

use super::JointError;
use super::compare::{Compared, plain_features};
use super::data::{BoardRows, Examples, Split, Weighting};
use super::report::{self, JointReport};
use crate::examples::ExampleFile;
use crate::patterns::{PatternModel, PatternSet, Phases};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;
use zug_core::checkpoint::Checkpoints;
use zug_core::{Progress, Silent, StopFlag};
use zug_learn::joint::{self, Ended, Loss, Saving, TableError, TableExamples, TableFit};

/// The patterns of strong programs, which fill the lanes of a set.
pub const DEFAULT_PATTERNS: &str = "edge2x corner3x3 corner2x5 row2 row3 row4 diagonal8 diagonal7 \
                                    diagonal6 diagonal5 diagonal4 triangle mobility";

/// How often the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// How a model is to be fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointOptions {
    /// The patterns, by name or squares.
    pub patterns: Vec<String>,
    /// Disc counts at which the tables have their own weights.
    pub knots: Vec<u8>,
    /// Loss, penalties and when to end.
    pub fit: TableFit,
    /// How much an example counts.
    pub weighting: Weighting,
    /// Labels beyond this many discs count as this many.
    pub clip: f32,
    /// Games of these folds are held out to judge by.
    pub validation_folds: Vec<u8>,
    /// The fewest discs of an example.
    pub first_discs: u32,
    /// The most.
    pub last_discs: u32,
    /// The share of the examples that is used.
    pub sample: f64,
    /// Chooses the sample.
    pub seed: u64,
    /// The folder where the state is saved, if it is.
    pub checkpoints: Option<PathBuf>,
}

impl Default for JointOptions {
    fn default() -> JointOptions {
        JointOptions {
            patterns: DEFAULT_PATTERNS.split_whitespace().map(str::to_string).collect(),
            knots: (8..=60).step_by(4).collect(),
            // Found by trial on games of people; better labels want less of both.
            fit: TableFit { ridge: 10.0, smooth: 100.0, ..TableFit::default() },
            weighting: Weighting::default(),
            clip: 64.0,
            validation_folds: vec![0],
            first_discs: 5,
            last_discs: 63,
            sample: 1.0,
            seed: 1,
            checkpoints: None,
        }
    }
}

/// Fits a model to files of examples, on the threads of the current rayon pool.
pub fn fit(
    files: &[ExampleFile],
    options: &JointOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(PatternModel, JointReport), JointError> {
    fit_compared(files, options, plain_features(), progress, stop)
}

/// The same, with the features whose discordances are to stand beside the model's.
pub fn fit_compared(
    files: &[ExampleFile],
    options: &JointOptions,
    features: Vec<Compared<'_>>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(PatternModel, JointReport), JointError> {
    progress.message("reading the examples");
    let split = Split::read(files, options)?;
    let mut digests = Vec::new();
    if options.checkpoints.is_some() {
        for file in files {
            digests.push(file.digest()?);
        }
    }
    fit_split(&split, &digests.join(" "), options, features, progress, stop)
}

/// Fits a model to examples in memory. `data` says which they are, for checkpoints.
pub fn fit_split(
    split: &Split,
    data: &str,
    options: &JointOptions,
    features: Vec<Compared<'_>>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(PatternModel, JointReport), JointError> {
    let (set, phases) = options.shape()?;
    let rows = |examples| BoardRows::new(examples, &set, &phases, options.fit.loss, options.clip);
    let (training, validation) = (rows(&split.training), rows(&split.validation));
    let held_out = Some(&validation as &dyn TableExamples).filter(|v| v.chunks() > 0);

    let checkpoints = match &options.checkpoints {
        Some(folder) => Some(Checkpoints::open(folder, 2)?),
        None => None,
    };
    let identity = identity(data, options);
    let saving = checkpoints.as_ref().map(|checkpoints| Saving {
        checkpoints,
        game: "othello",
        data: &identity,
        every: SAVE_EVERY,
    });
    let fitted = joint::fit(&training, held_out, &options.fit, saving.as_ref(), progress, stop)?;
    let mut weights = fitted.by_knot(phases.len());
    if options.fit.loss == Loss::Logistic {
        scale_to_discs(&mut weights, &split.training, &set, &phases);
    }
    let model = PatternModel::from_discs(set.clone(), phases.clone(), &weights)
        .expect("a weight for each cell at each knot");
    progress.message("judging the model");
    let report = report::judge(&model, &fitted, split, options, features);
    Ok((model, report))
}

/// The smallest error on the validation examples that a fit reaches.
pub(super) fn validation_error(
    split: &Split,
    options: &JointOptions,
    stop: &StopFlag,
) -> Result<f64, JointError> {
    let (set, phases) = options.shape()?;
    let rows = |examples| BoardRows::new(examples, &set, &phases, options.fit.loss, options.clip);
    let (training, validation) = (rows(&split.training), rows(&split.validation));
    let fitted = joint::fit(&training, Some(&validation), &options.fit, None, &Silent, stop)?;
    if fitted.ended == Ended::Stopped {
        return Err(JointError::Fit(TableError::Stopped));
    }
    let error = fitted.iterations.get(fitted.best as usize).and_then(|i| i.validation);
    Ok(error.expect("every iteration is judged on the validation examples"))
}

impl JointOptions {
    fn shape(&self) -> Result<(PatternSet, Phases), JointError> {
        let set = PatternSet::parse(&self.patterns)?;
        let phases =
            Phases::new(&self.knots).ok_or_else(|| JointError::Knots(self.knots.clone()))?;
        if self.clip.is_nan() || self.clip <= 0.0 {
            let value = self.clip.to_string();
            return Err(JointError::Option { name: "the clip", value, expected: "more than 0" });
        }
        Ok((set, phases))
    }
}

/// All that the rows depend on.
fn identity(data: &str, options: &JointOptions) -> String {
    let o = options;
    format!(
        "{data} patterns {} knots {:?} weighting {:?} clip {} folds {:?} discs {}-{} sample {} seed {}",
        o.patterns.join(" "),
        o.knots,
        o.weighting,
        o.clip,
        o.validation_folds,
        o.first_discs,
        o.last_discs,
        o.sample,
        o.seed
    )
}

/// Turns log-odds into discs: each knot is multiplied by the number of discs that one unit of
/// log-odds stands for near it.
fn scale_to_discs(weights: &mut [f32], examples: &Examples, set: &PatternSet, phases: &Phases) {
    let cells = set.cells();
    let mut list = Vec::new();
    let mut sums = vec![(0.0, 0.0); phases.len()];
    for group in &examples.groups {
        let (knot, share) = phases.place(group.discs);
        let next = (knot + 1).min(phases.len() - 1);
        // Some thousands tell the slope.
        let step = (group.boards.len() / 5000).max(1);
        for at in (0..group.boards.len()).step_by(step) {
            set.cells_of(group.boards[at], &mut list);
            let sum: f32 = list
                .iter()
                .map(|&c| {
                    weights[knot * cells + c as usize] * (1.0 - share)
                        + weights[next * cells + c as usize] * share
                })
                .sum();
            let score = f32::from(group.scores[at]);
            for (knot, share) in [(knot, 1.0 - share), (next, share)] {
                sums[knot].0 += f64::from(share * sum * score);
                sums[knot].1 += f64::from(share * sum * sum);
            }
        }
    }
    for (knot, (product, square)) in sums.into_iter().enumerate() {
        let factor = if square > 0.0 { product / square } else { 1.0 };
        weights[knot * cells..(knot + 1) * cells].iter_mut().for_each(|w| *w *= factor as f32);
    }
}
