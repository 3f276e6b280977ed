//! Batches of games until all are played: in the folder of a run, from which it can go on.

use super::chances;
use super::game::{Play, Sample};
use super::judge::{Judge, Judged, opponent};
use super::live::Live;
use super::options::Options;
use super::weights::Weights;
use crate::patterns::{PatternModel, PatternSet, Phases};
use crate::solve::Solver;
use crate::solve::level::{Machine, at_level};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use zug_core::checkpoint::Checkpoint;
use zug_core::run::{Run, RunConfig, State};
use zug_core::{Progress, StopFlag, rng};
use zug_learn::face::{Account, TaskError};
use zug_learn::td::face::{TASK, TdOrder};

/// The layout of the checkpoints.
pub const LAYOUT: &str = "othello-td-tables/1";
/// The model, in the folder of the run.
pub const MODEL: &str = "model.zug";
/// How often the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(60);
/// Games that one thread plays at a time.
const SHARE: u64 = 8;

/// Learns, in the folder of a run.
pub fn learn(
    order: &TdOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let options = Options::of(order)?;
    let against = match options.measure {
        0 => None,
        _ => Some(opponent(&options.against)?),
    };
    let mut config = RunConfig::new(TASK, "othello", order.seed);
    config.command = order.command.split(' ').map(str::to_string).collect();
    // The result is the same for any number of threads.
    config.threads = 0;
    config.options = options.described();
    let (mut run, checkpoint) = if order.resume {
        Run::resume(&order.out, Some(&config), LAYOUT).map_err(TaskError::below)?
    } else {
        (Run::create(&order.out, config).map_err(TaskError::below)?, None)
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(order.threads.max(1)).build();
    let result = pool.map_err(TaskError::below)?.install(|| {
        let mut training = Training::new(&options, order.seed, checkpoint)?;
        training.all(&mut run, &options, order.seed, against, progress, stop)?;
        training.finish(&run, &options, order, stop)
    });
    let (state, message) = match &result {
        Ok(_) => (State::Finished, String::new()),
        Err(TaskError::Stopped { .. }) => (State::Stopped, String::new()),
        Err(error) => (State::Failed, error.to_string()),
    };
    run.set_state(state, &message).map_err(TaskError::below)?;
    progress.finish();
    result
}

/// The weights and how many games they come from.
struct Training {
    weights: Weights,
    games: u64,
    last: Option<Judged>,
}

impl Training {
    /// From the beginning, or from a checkpoint.
    fn new(
        options: &Options,
        seed: u64,
        checkpoint: Option<Checkpoint>,
    ) -> Result<Training, TaskError> {
        let set = PatternSet::parse(&options.patterns).map_err(TaskError::below)?;
        let phases = Phases::new(&options.knots).expect("looked at with the options");
        let mut weights = Weights::new(set, phases, options.noise, seed);
        let mut games = 0;
        if let Some(Checkpoint { step, container }) = checkpoint {
            let count = weights.cells.len() as u64;
            let read = |name| container.section(name).and_then(|s| s.array::<f32>(count));
            let cells = read("weights").map_err(TaskError::below)?;
            let visits = read("visits").map_err(TaskError::below)?;
            if cells.len() as u64 != count || visits.len() as u64 != count {
                return Err(TaskError::Unfit(format!(
                    "{}: expected {count} weights, found {}",
                    container.file(),
                    cells.len().min(visits.len())
                )));
            }
            (weights.cells, weights.visits) = (cells, visits);
            weights.batches = step.div_ceil(options.batch);
            games = step;
        }
        Ok(Training { weights, games, last: None })
    }

    /// Plays all games that are left.
    fn all(
        &mut self,
        run: &mut Run,
        options: &Options,
        seed: u64,
        against: Option<PatternModel>,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<(), TaskError> {
        progress.set_length(Some(options.games));
        progress.advance(self.games);
        let stopped = || TaskError::Stopped { resumable: true };
        let (depth, pairs) = (options.measure_depth, options.measure_pairs);
        let judge = against.and_then(|model| Judge::new(model, depth, pairs, stop));
        if stop.is_set() {
            return Err(stopped());
        }
        let solvers = Mutex::new(Vec::new());
        let mut saved = Instant::now();
        let mut live = Live::new(&self.weights);
        if self.games == 0 {
            self.measure(run, options, judge.as_ref(), 0.0, stop)?;
        }
        while self.games < options.games {
            let until = (self.games + options.batch).min(options.games);
            let Some(samples) = batch(&live, options, seed, self.games..until, &solvers, stop)
            else {
                self.save(run)?;
                return Err(stopped());
            };
            let squares: f64 = samples.iter().map(|s| f64::from(s.error * s.error)).sum();
            let error = (squares / samples.len().max(1) as f64).sqrt();
            self.weights.learn(&samples, options.rate_after(self.games), options.ridge);
            live.refresh(&self.weights);
            progress.advance(until - self.games);
            let before = self.games;
            self.games = until;
            let due = options.measure > 0
                && (before / options.measure < until / options.measure || until == options.games);
            if due {
                if self.measure(run, options, judge.as_ref(), error, stop).is_err() {
                    // What was not measured yet is measured when the run goes on from before.
                    return Err(stopped());
                }
                if let Some(judged) = self.last {
                    progress.message(&words(self.games, &judged));
                }
            }
            let often = options.save > 0 && before / options.save < until / options.save;
            if often || saved.elapsed() > SAVE_EVERY {
                self.save(run)?;
                saved = Instant::now();
            }
        }
        self.save(run)?;
        if let Some(judge) = judge.as_ref().filter(|_| self.last.is_none()) {
            // All games were played before; the last measurement is in the metrics already.
            let model = self.weights.model();
            self.last = Some(judge.judge(&model, stop).ok_or_else(stopped)?);
        }
        Ok(())
    }

    fn measure(
        &mut self,
        run: &mut Run,
        options: &Options,
        judge: Option<&Judge>,
        error: f64,
        stop: &StopFlag,
    ) -> Result<(), TaskError> {
        let Some(judge) = judge else { return Ok(()) };
        let judged = judge
            .judge(&self.weights.model(), stop)
            .ok_or(TaskError::Stopped { resumable: true })?;
        self.last = Some(judged);
        let seen = self.weights.visits.iter().filter(|&&v| v > 0.0).count();
        let figures = json!({
            "score": judged.score,
            "score_error": judged.score_error,
            "distance": judged.distance,
            "reference_distance": judge.reference(),
            "td_error": error,
            "rate": options.rate_after(self.games),
            "cells_seen": seen,
        });
        run.record(self.games, &figures).map_err(TaskError::below)
    }

    fn save(&self, run: &mut Run) -> Result<(), TaskError> {
        run.checkpoint(self.games, LAYOUT, |writer| {
            writer.array("weights", &self.weights.cells)?;
            writer.array("visits", &self.weights.visits)
        })
        .map_err(TaskError::below)
    }

    /// Writes the model and tells about it.
    fn finish(
        &self,
        run: &Run,
        options: &Options,
        order: &TdOrder,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        let model = self.weights.model();
        let games = (self.games / 10).clamp(20, 2000);
        let chances = chances::note(&model, games, order.seed, stop)
            .ok_or(TaskError::Stopped { resumable: true })?;
        let mut header = PatternModel::header();
        header.made.command = Some(run.config().command.join(" "));
        header.made.seed = Some(order.seed);
        header.notes = options.described().into_iter().filter(|(k, _)| k != "patterns").collect();
        header.notes.insert("games".into(), self.games.to_string());
        header.notes.insert(chances::NOTE.into(), chances);
        header.notes.insert("learned".into(), "from self-play alone".into());
        if let Some(judged) = self.last {
            header.notes.insert("measured".into(), words(self.games, &judged));
        }
        let path = order.out.join(MODEL);
        model.write(&path, &header).map_err(TaskError::below)?;
        Ok(self.account(&path, options))
    }

    fn account(&self, path: &Path, options: &Options) -> Account {
        let seen = self.weights.visits.iter().filter(|&&v| v > 0.0).count();
        let mut text = format!(
            "{} games; {seen} of {} weights were used\n",
            self.games,
            self.weights.cells.len()
        );
        let mut figures = Map::new();
        figures.insert("games".into(), self.games.into());
        figures.insert("weights".into(), self.weights.cells.len().into());
        figures.insert("weights_seen".into(), seen.into());
        figures.insert("model".into(), path.display().to_string().into());
        if let Some(judged) = self.last {
            text += &format!(
                "against {} at depth {}: {:.1} % ± {:.1}; late positions are off by {:.2} discs\n",
                options.against,
                options.measure_depth,
                100.0 * judged.score,
                100.0 * judged.score_error,
                judged.distance
            );
            for (name, value) in [
                ("score", judged.score),
                ("score_error", judged.score_error),
                ("distance", judged.distance),
            ] {
                figures.insert(name.into(), Value::from(value));
            }
        }
        text += &format!("the model is {}; zug:model={0} plays with it\n", path.display());
        Account { text, figures, page: String::new() }
    }
}

/// A measurement in a line.
fn words(games: u64, judged: &Judged) -> String {
    format!(
        "{games} games: {:.1} % ± {:.1}, off by {:.2} discs",
        100.0 * judged.score,
        100.0 * judged.score_error,
        judged.distance
    )
}

/// Plays the games of a batch; what they teach comes in the order of the games.
fn batch(
    model: &Live,
    options: &Options,
    seed: u64,
    games: std::ops::Range<u64>,
    solvers: &Mutex<Vec<Solver>>,
    stop: &StopFlag,
) -> Option<Vec<Sample>> {
    let pool = || solvers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let shares = (games.end - games.start).div_ceil(SHARE);
    let lists: Vec<Vec<Sample>> = (0..shares)
        .into_par_iter()
        .map(|share| {
            // What a solver remembers changes no value.
            let kept = pool().pop();
            let mut solver = kept.unwrap_or_else(|| Solver::new(1));
            let first = games.start + share * SHARE;
            let mut samples = Vec::with_capacity(128 * SHARE as usize);
            let done = at_level!(Machine::detected(), level => {
                let play = Play { level, model, options, stop };
                (first..(first + SHARE).min(games.end)).try_for_each(|game| {
                    play.game(&mut solver, &mut rng(seed, game), &mut samples)
                })
            });
            pool().push(solver);
            done.filter(|()| !stop.is_set()).map(|()| samples)
        })
        .collect::<Option<_>>()?;
    Some(lists.concat())
}
