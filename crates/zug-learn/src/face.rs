//! Learning and evaluating, with the type of the game forgotten.
//!
//! The command line knows games by their specs only. A game that learns from examples says so when
//! it is opened, by adding a [`Learner`] to its [`GameEntry`](zug_core::GameEntry); from then on
//! every verb of learning works on files and text. What comes back is made for people and scripts:
//! lines, figures with names, pages.

use crate::td::face::Look;
use crate::weights::Weights;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zug_core::container::Header;
use zug_core::{Progress, StopFlag};

/// Something that can be chosen by its name: a method, a feature, a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The word.
    pub name: String,
    /// One line about it.
    pub help: String,
}

impl Named {
    /// A word and a line about it.
    #[must_use]
    pub fn new(name: impl Into<String>, help: impl Into<String>) -> Named {
        Named { name: name.into(), help: help.into() }
    }
}

/// Why a piece of work came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// A name that nobody knows.
    #[error("there is no {what} '{}'; known are: {known}", zug_core::error::shorten(name))]
    Unknown {
        /// "method", "feature", …
        what: &'static str,
        /// The name.
        name: String,
        /// All good names.
        known: String,
    },
    /// Options that do not fit together, data that cannot be learned from.
    #[error("{0}")]
    Unfit(String),
    /// Something below: a file, a matrix.
    #[error(transparent)]
    Below(#[from] Box<dyn std::error::Error + Send + Sync>),
    /// Asked to stop. What can be resumed is saved.
    #[error("stopped")]
    Stopped {
        /// Can the same command go on with `--resume`?
        resumable: bool,
    },
}

impl TaskError {
    /// A name that is not among the known ones.
    #[must_use]
    pub fn unknown<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> TaskError {
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        TaskError::Unknown { what, name: name.to_string(), known }
    }

    /// Wraps an error of the crates below: for `map_err`.
    pub fn below(error: impl std::error::Error + Send + Sync + 'static) -> TaskError {
        TaskError::Below(Box::new(error))
    }
}

/// What every piece of work on examples is told.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Files of examples.
    pub data: Vec<PathBuf>,
    /// Features by name; the method's own when empty.
    pub features: Vec<String>,
    /// Patterns of the user, in the game's notation.
    pub patterns: Vec<String>,
    /// The fold of games that is held out; the method's own choice when `None`.
    pub fold: Option<u8>,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Bytes of memory that may be used.
    pub memory: Option<u64>,
    /// The folder of the run, where the work leaves figures and checkpoints.
    pub run: Option<PathBuf>,
    /// Go on with what an earlier run has left.
    pub resume: bool,
    /// The command line, for the header of what is written.
    pub command: String,
    /// What only one method knows, by name.
    pub options: Vec<(String, String)>,
}

/// A fit that is asked for.
#[derive(Clone, Debug)]
pub struct FitOrder {
    /// One of [`AnyLearner::methods`].
    pub method: String,
    /// Where the model goes.
    pub out: PathBuf,
    /// On what, and how.
    pub order: Order,
}

/// The result of work, as it is shown.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// For a terminal.
    pub text: String,
    /// For scripts.
    pub figures: Map<String, Value>,
    /// A page of HTML with plots.
    pub page: String,
}

/// How well features order positions, at each stage of the game.
#[derive(Clone, Debug, Default)]
pub struct Discordances {
    /// What a stage is counted in: `discs`.
    pub stage: &'static str,
    /// The features, in order.
    pub features: Vec<String>,
    /// A row a stage, rising.
    pub rows: Vec<DiscordanceRow>,
    /// A page of HTML with plots.
    pub page: String,
}

/// The discordances at one stage.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscordanceRow {
    /// The stage.
    pub stage: u32,
    /// The examples that were measured on.
    pub examples: u64,
    /// For each feature; nothing where there are too few examples.
    pub values: Vec<Option<f64>>,
    /// The standard errors of the values.
    pub errors: Vec<Option<f64>>,
}

/// What one game can learn from examples.
pub trait AnyLearner: Send + Sync {
    /// The methods of fitting.
    fn methods(&self) -> Vec<Named>;

    /// The features that can be named.
    fn features(&self) -> Vec<Named>;

    /// The models that come with the program, the default one first.
    fn models(&self) -> Vec<Named>;

    /// Fits a model and writes it, whole or not at all.
    fn fit(
        &self,
        order: &FitOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError>;

    /// Measures how well features order the examples.
    fn discordance(
        &self,
        order: &Order,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Discordances, TaskError>;

    /// Looks for the patterns with which a joint fit errs least on games that it has not seen.
    fn search_patterns(
        &self,
        order: &Order,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError>;

    /// The weights that a fit has left in the folder of its run, as far as it is; `None` where there
    /// are none to show.
    fn weights(&self, _folder: &Path, _look: &Look) -> Result<Option<Weights>, TaskError> {
        Ok(None)
    }

    /// Opens a model by its name or its file; the default one for `None`.
    fn open(&self, model: Option<&str>) -> Result<Box<dyn AnyEvaluation>, TaskError>;
}

/// A position and what a model makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The stage of the game.
    pub stage: u32,
    /// The value for the side to move, in the model's unit.
    pub value: f64,
    /// The true value, where the file tells it.
    pub exact: Option<f64>,
    /// Has the game ended here? The value is then the result.
    pub over: bool,
}

/// Which labelled examples of a file are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Only those all of whose games belong to this fold.
    pub fold: Option<u8>,
    /// Only those whose label cannot be wrong.
    pub exact: bool,
}

/// One position, looked at closely.
#[derive(Clone, Debug, PartialEq)]
pub struct Closely {
    /// The position in the game's notation.
    pub position: String,
    /// Who is to move.
    pub to_move: String,
    /// What it is worth.
    pub evaluated: Evaluated,
    /// What it is worth after each legal move, for the same side, best first.
    pub moves: Vec<(String, f64)>,
    /// What else the model tells, for scripts: it is added to the object that they get.
    pub figures: Map<String, Value>,
    /// The same for a terminal, whole lines.
    pub notes: String,
}

impl Closely {
    /// All of it for a terminal, whole lines.
    #[must_use]
    pub fn in_words(&self, model: &dyn AnyEvaluation) -> String {
        let mut text = format!("{}\n", self.position);
        match self.figures.get("outcome").and_then(Value::as_str) {
            Some(outcome) => text.push_str(&format!("the game has ended here: {outcome}")),
            None => {
                text.push_str(&format!("{} to move: ", self.to_move));
                text.push_str(&worth(model, self.evaluated.stage, self.evaluated.value));
                if self.evaluated.over {
                    text.push_str(" (the game has ended here)");
                }
            }
        }
        if let Some(exact) = self.evaluated.exact {
            text.push_str(&format!("; in truth {exact:+}"));
        }
        text.push_str(&format!("   ({})\n", model.name()));
        text.push_str(&self.notes);
        for (mv, value) in &self.moves {
            text.push_str(&format!("  {mv:4} {}\n", number(model, *value)));
        }
        text
    }
}

fn worth(model: &dyn AnyEvaluation, stage: u32, value: f64) -> String {
    let (number, unit) = (number(model, value), model.unit());
    match model.win_probability(stage, value) {
        Some(p) => format!("{number} {unit} (wins {:.1} %)", 100.0 * p),
        None => format!("{number} {unit}"),
    }
}

/// What a decided game is worth in hundredths of a pawn.
const DECIDED: f64 = 100_000.0;

/// A value in the unit of the model. Hundredths of a pawn are whole, and no such sum says that a
/// game is decided.
#[must_use]
pub fn number(model: &dyn AnyEvaluation, value: f64) -> String {
    match model.unit() {
        "centipawns" if value <= -DECIDED => "lost".into(),
        "centipawns" if value >= DECIDED => "won".into(),
        "centipawns" => format!("{value:+}"),
        _ => format!("{value:+.2}"),
    }
}

/// A model of some game, ready to evaluate.
pub trait AnyEvaluation: Send + Sync {
    /// Its name or file.
    fn name(&self) -> String;

    /// How it was made; nothing for what was written by hand.
    fn header(&self) -> Option<&Header>;

    /// The unit of its values: `discs`, `log-odds`.
    fn unit(&self) -> &'static str;

    /// What a stage of the game is counted in: `discs`.
    fn stage(&self) -> &'static str;

    /// The probability to win that a value means at a stage of the game, if the model knows it.
    fn win_probability(&self, stage: u32, value: f64) -> Option<f64>;

    /// Evaluates one position in the game's notation.
    fn evaluate(&self, position: &str) -> Result<Closely, TaskError>;

    /// Evaluates all positions of a text, one a line, and hands them over in order. Tells the
    /// seconds that were spent in the evaluation alone. The error names the line.
    fn evaluate_all(
        &self,
        input: &mut dyn BufRead,
        threads: usize,
        stop: &StopFlag,
        sink: &mut dyn FnMut(&[Evaluated]),
    ) -> Result<f64, TaskError>;

    /// Evaluates examples of a file and hands them over in order, stage by stage; `exact` holds the
    /// label. Never holds more than a few of them in memory. Tells the seconds that were spent in the
    /// evaluation alone.
    fn evaluate_examples(
        &self,
        file: &Path,
        choice: Choice,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
        sink: &mut dyn FnMut(&[Evaluated]),
    ) -> Result<f64, TaskError>;
}

/// What a [`GameEntry`](zug_core::GameEntry) carries when its game learns from examples.
#[derive(Clone)]
pub struct Learner(Arc<dyn AnyLearner>);

impl Learner {
    /// From what the game can do.
    pub fn new(learner: impl AnyLearner + 'static) -> Learner {
        Learner(Arc::new(learner))
    }
}

impl std::ops::Deref for Learner {
    type Target = dyn AnyLearner;
    fn deref(&self) -> &(dyn AnyLearner + 'static) {
        &*self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = TaskError::unknown("method", "magic", ["fisher", "joint"]);
        assert_eq!(error.to_string(), "there is no method 'magic'; known are: fisher, joint");
    }
}
