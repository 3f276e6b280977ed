//! Which patterns make the error on games not seen smallest?
//!
//! A greedy search. In each round every pattern is left out once, which tells what each is worth
//! beside the others. Then every candidate is tried: added while there are lanes, otherwise in place
//! of the pattern that is missed least among those whose lanes suffice. The best change is made if
//! it makes the error smaller. Candidates are the named patterns and connected sets of squares.

use super::data::Split;
use super::fit::validation_error;
use super::shapes::{candidates, canonical, squares_of, text_of};
use super::{JointError, JointOptions};
use crate::bits::Squares;
use crate::examples::ExampleFile;
use crate::patterns::{LANES, NAMED, Pattern, PatternSet};
use serde::{Deserialize, Serialize};
use std::fmt;
use zug_core::{Progress, StopFlag, rng};
use zug_learn::joint::TableError;

/// How to search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchOptions {
    /// How each trial is fitted; its patterns are those that the search begins with.
    pub joint: JointOptions,
    /// The most rounds.
    pub rounds: u32,
    /// New connected sets of squares that are tried in each round.
    pub generated: usize,
    /// Are the named patterns tried too?
    pub named: bool,
    /// A change must make the error smaller by this much.
    pub least_gain: f64,
    /// The seed of the generated sets.
    pub seed: u64,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            joint: JointOptions::default(),
            rounds: 3,
            generated: 20,
            named: true,
            least_gain: 0.001,
            seed: 1,
        }
    }
}

/// A set of patterns that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// In which round, from 1; 0 for the set that the search begins with.
    pub round: u32,
    /// What was left out.
    pub without: Option<String>,
    /// What came in.
    pub with: Option<String>,
    /// Lanes of the set.
    pub lanes: usize,
    /// Its validation error.
    pub error: f64,
    /// Against the set of the round.
    pub change: f64,
    /// Was it taken?
    pub taken: bool,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |sign: &str, name: &Option<String>| {
            name.as_ref().map_or(String::new(), |n| format!(" {sign}{n}"))
        };
        write!(
            f,
            "{:>5} {:>9.4} {:>+8.4} {:>5} {}{}{}",
            self.round,
            self.error,
            self.change,
            self.lanes,
            if self.taken { "taken" } else { "     " },
            signed("-", &self.without),
            signed("+", &self.with)
        )
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// The best patterns.
    pub patterns: Vec<String>,
    /// Their validation error.
    pub error: f64,
    /// Everything that was tried, in order.
    pub trials: Vec<Trial>,
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>5} {:>9} {:>8} {:>5}", "round", "error", "change", "lanes")?;
        for trial in &self.trials {
            writeln!(f, "{trial}")?;
        }
        writeln!(f, "{:.4} with {}", self.error, self.patterns.join(" "))
    }
}

/// Searches with files of examples.
pub fn search(
    files: &[ExampleFile],
    options: &SearchOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Search, JointError> {
    progress.message("reading the examples");
    search_split(&Split::read(files, &options.joint)?, options, progress, stop)
}

/// Searches with examples in memory. When asked to stop it gives back what it has.
pub fn search_split(
    split: &Split,
    options: &SearchOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Search, JointError> {
    if split.validation.is_empty() {
        return Err(JointError::Fit(TableError::NoExamples("validation")));
    }
    let mut work = Work { split, options, progress, stop, trials: Vec::new() };
    let mut list = options.joint.patterns.clone();
    let mut error = work.try_list(0, &list, None, None, f64::NAN)?;
    for round in 1..=options.rounds {
        match work.round(round, &list, error) {
            Ok(Some((better, smaller))) => (list, error) = (better, smaller),
            Ok(None) | Err(JointError::Fit(TableError::Stopped)) => break,
            Err(other) => return Err(other),
        }
    }
    Ok(Search { patterns: list, error, trials: work.trials })
}

struct Work<'a> {
    split: &'a Split,
    options: &'a SearchOptions,
    progress: &'a dyn Progress,
    stop: &'a StopFlag,
    trials: Vec<Trial>,
}

impl Work<'_> {
    /// The set after the best change and its error, or nothing if none is an improvement.
    fn round(
        &mut self,
        round: u32,
        list: &[String],
        error: f64,
    ) -> Result<Option<(Vec<String>, f64)>, JointError> {
        let first = self.trials.len();
        let mut missed: Vec<(usize, f64)> = Vec::new();
        for at in 0..list.len() {
            let rest = without(list, at);
            if PatternSet::parse(&rest).is_ok() {
                let name = Some(list[at].clone());
                missed.push((at, self.try_list(round, &rest, name, None, error)?));
            }
        }
        missed.sort_by(|a, b| a.1.total_cmp(&b.1));
        for candidate in self.candidates(round, list)? {
            let Some((place, trial)) = placed(list, &candidate, &missed) else { continue };
            let out = place.map(|at| list[at].clone());
            self.try_list(round, &trial, out, Some(candidate), error)?;
        }
        let tried = &mut self.trials[first..];
        let best = tried.iter_mut().min_by(|a, b| a.error.total_cmp(&b.error));
        let Some(best) = best.filter(|t| t.change <= -self.options.least_gain) else {
            return Ok(None);
        };
        best.taken = true;
        let mut better = list.to_vec();
        better.retain(|name| Some(name) != best.without.as_ref());
        better.extend(best.with.clone());
        Ok(Some((better, best.error)))
    }

    fn candidates(&self, round: u32, list: &[String]) -> Result<Vec<String>, JointError> {
        let mut known: Vec<Squares> = Vec::new();
        for text in list.iter().filter(|t| *t != MOBILITY) {
            known.push(canonical(squares_of(&Pattern::parse(text)?)));
        }
        let mut all = Vec::new();
        if self.options.named {
            for (name, _) in NAMED {
                if !known.contains(&canonical(squares_of(&Pattern::parse(name)?))) {
                    all.push((*name).to_string());
                }
            }
            if !list.iter().any(|t| t == MOBILITY) {
                all.push(MOBILITY.to_string());
            }
        }
        let mut rng = rng(self.options.seed, u64::from(round));
        let grown = candidates(&mut rng, self.options.generated, &known);
        all.extend(grown.into_iter().map(text_of));
        Ok(all)
    }

    fn try_list(
        &mut self,
        round: u32,
        list: &[String],
        without: Option<String>,
        with: Option<String>,
        before: f64,
    ) -> Result<f64, JointError> {
        if self.stop.is_set() {
            return Err(JointError::Fit(TableError::Stopped));
        }
        let joint = JointOptions {
            patterns: list.to_vec(),
            checkpoints: None,
            ..self.options.joint.clone()
        };
        let error = validation_error(self.split, &joint, self.stop)?;
        let lanes = PatternSet::parse(list)?.lanes();
        let change = if before.is_nan() { 0.0 } else { error - before };
        let trial = Trial { round, without, with, lanes, error, change, taken: round == 0 };
        self.progress.advance(1);
        self.progress.message(&trial.to_string());
        self.trials.push(trial);
        Ok(error)
    }
}

const MOBILITY: &str = "mobility";

fn without(list: &[String], at: usize) -> Vec<String> {
    list.iter().enumerate().filter(|&(i, _)| i != at).map(|(_, t)| t.clone()).collect()
}

/// The set with a candidate: beside the others if there are lanes, or else in place of the pattern
/// that is missed least. Tells whose place it took.
fn placed(
    list: &[String],
    candidate: &str,
    missed: &[(usize, f64)],
) -> Option<(Option<usize>, Vec<String>)> {
    let fits = |rest: Vec<String>| {
        let mut trial = rest;
        trial.push(candidate.to_string());
        PatternSet::parse(&trial).is_ok_and(|set| set.lanes() <= LANES).then_some(trial)
    };
    if let Some(trial) = fits(list.to_vec()) {
        return Some((None, trial));
    }
    missed.iter().find_map(|&(at, _)| fits(without(list, at)).map(|trial| (Some(at), trial)))
}
