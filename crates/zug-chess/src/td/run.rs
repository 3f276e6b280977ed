//! A whole run: variants of an experiment in one folder, learning and test games spread over the
//! threads, everything left in files from which it goes on.

use super::config::{self, BEGINNING, Opened, Plan, SELF, Settings};
use super::experiment::{Experiment, GameRow, State, beginning};
use super::opponents::{Crew, Supply};
use super::rates::Seen;
use super::trials::{
    CurvePoint, Outcome, Tested, Tester, Trial, mean_and_error, read_outcome, test_path,
};
use super::{page, step};
use crate::model::Model;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;
use tracing::warn;
use zug_core::files::{create_folder, remove_temporaries, write_atomically};
use zug_core::run::{Run, RunConfig, State as RunState, inspect};
use zug_core::seed::mix;
use zug_core::{GameEntry, Progress, Spec, StopFlag};
use zug_learn::face::{Account, TaskError};
use zug_learn::td::face::{TASK, TdOrder};

/// Who made the run, in `run.toml`.
const LEARNER: &str = "chess-td";
const RESULTS: &str = "results.json";

/// What one experiment came to.
pub struct ExperimentResult {
    /// `fusc-1`, …
    pub name: String,
    /// Games, as far as they were played.
    pub rows: Vec<GameRow>,
    /// What was seen of each column, and its rate.
    pub seen: Vec<(Seen, f64)>,
    /// Its tests.
    pub tested: Tested,
    /// Its folder.
    pub folder: PathBuf,
    /// Games after which weights were kept.
    pub kept: Vec<u64>,
}

/// What one variant came to.
pub struct VariantResult<'a> {
    /// How it was run.
    pub settings: &'a Settings,
    /// Its experiments, as far as they have begun.
    pub experiments: Vec<ExperimentResult>,
    /// The curve of all of them together.
    pub curve: Vec<CurvePoint>,
    /// The gain of each at its end.
    pub gains: Vec<f64>,
}

/// What a duel came to.
pub struct DuelResult {
    /// Whose points are told.
    pub of: String,
    /// Against whom.
    pub against: String,
    /// The results of all pairs of experiments together.
    pub outcome: Outcome,
    /// The score of each pair of experiments.
    pub scores: Vec<f64>,
}

/// What a run came to.
pub struct Results<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its variants.
    pub variants: Vec<VariantResult<'a>>,
    /// Its duels.
    pub duels: Vec<DuelResult>,
    /// The check of a single step.
    pub steps: Vec<step::Repeated>,
}

/// Learns, in the folder of a run.
pub fn learn(
    order: &TdOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let plan = config::plan(order)?;
    let entry = entry()?;
    let starts: Vec<Model> =
        plan.variants.iter().map(beginning).collect::<Result<_, TaskError>>()?;
    if order.resume && !order.out.exists() {
        let told = format!("{}: there is no run to resume", order.out.display());
        return Err(TaskError::Unfit(told));
    }
    let patience = plan.variants.iter().map(|s| s.patience).max().unwrap_or(1);
    let crew = Crew::new(&entry, players(&plan), Duration::from_secs(patience))?;
    let supplies: Vec<Supply> =
        plan.variants.iter().map(|s| supply(&entry, s, order.seed)).collect::<Result<_, _>>()?;
    let config = run_config(order, &plan);
    // A process that was killed before it wrote anything has left nothing to go on with.
    let mut run = if order.resume && order.out.join("run.toml").exists() {
        let run = Run::resume(&order.out, Some(&config), "chess-td/1");
        let run = run.map_err(TaskError::below)?.0;
        sweep(&order.out, &plan)?;
        run
    } else {
        Run::create(&order.out, config).map_err(TaskError::below)?
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(order.threads.max(1))
        .build()
        .map_err(TaskError::below)?;
    let work = Work {
        order,
        plan: &plan,
        crew: &crew,
        starts: &starts,
        supplies: &supplies,
        progress,
        stop,
        notes: Mutex::new(Vec::new()),
    };
    let done = pool.install(|| work.all());
    progress.finish();
    let finished = done.and_then(|()| {
        let results = gather(order, &plan)?;
        warn_of_broken(&results);
        finish(order, &mut run, &results)
    });
    let (state, message) = match &finished {
        Ok(_) => (RunState::Finished, String::new()),
        Err(TaskError::Stopped { .. }) => (RunState::Stopped, "stopped".to_string()),
        Err(error) => (RunState::Failed, error.to_string()),
    };
    run.set_state(state, &message).map_err(TaskError::below)?;
    // Experiments have checkpoints of their own; this fails, as it should, where it holds something.
    let _ = std::fs::remove_dir(order.out.join("checkpoints"));
    let mut account = finished?;
    let notes = work.notes.into_inner().unwrap_or_default();
    for note in run.notes().iter().chain(&notes) {
        let _ = writeln!(account.text, "note: {note}");
    }
    Ok(account)
}

/// Removes what a killed process had not written to its end.
fn sweep(out: &Path, plan: &Plan) -> Result<(), TaskError> {
    let mut folders = vec![out.to_path_buf(), out.join("duels")];
    for settings in &plan.variants {
        for number in 0..settings.experiments {
            let folder = out.join(settings.experiment(number));
            let parts = ["weights", "tests", "state", "logs", "logs/archive"];
            folders.extend(parts.map(|part| folder.join(part)));
            folders.push(folder);
        }
    }
    for folder in folders.iter().filter(|f| f.is_dir()) {
        remove_temporaries(folder).map_err(TaskError::below)?;
    }
    Ok(())
}

/// Says how many games were broken, and why the first of them was.
fn warn_of_broken(results: &Results<'_>) {
    for experiment in results.variants.iter().flat_map(|v| &v.experiments) {
        let name = &experiment.name;
        let mut broken = experiment.rows.iter().filter(|r| r.broken());
        if let Some(first) = broken.next() {
            let number = counted(1 + broken.count() as u64, "game");
            warn!("{name}: {number} broken, the first by {}", first.reason);
        }
        let tests: u64 = experiment.tested.broken.iter().sum();
        if tests > 0 {
            let why = experiment.tested.why.as_deref().unwrap_or("an unknown reason");
            warn!(
                "{name}: {} broken and left out, the first by {why}",
                counted(tests, "test game")
            );
        }
    }
    for duel in results.duels.iter().filter(|d| d.outcome.broken > 0) {
        let number = counted(duel.outcome.broken, "game");
        warn!("{} against {}: {number} broken and left out", duel.of, duel.against);
    }
}

/// `1 game`, `2 games`.
fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn entry() -> Result<GameEntry, TaskError> {
    let spec = Spec::parse("chess").map_err(TaskError::below)?;
    crate::open(&spec).map_err(TaskError::below)
}

/// The specs of all players that are no copies of the learner.
fn players(plan: &Plan) -> Vec<String> {
    let all = plan.variants.iter().flat_map(|s| {
        let testers = if s.test_games > 0 { s.testers.clone() } else { Vec::new() };
        s.opponents.iter().cloned().chain(testers)
    });
    all.filter(|s| s != SELF && s != BEGINNING).collect()
}

fn supply(entry: &GameEntry, settings: &Settings, seed: u64) -> Result<Supply, TaskError> {
    match &settings.opened {
        Opened::Start => Ok(Supply::Start),
        Opened::Random(plies) => Ok(Supply::Random { plies: *plies, seed }),
        Opened::File(path) => Supply::file(entry, path),
    }
}

fn run_config(order: &TdOrder, plan: &Plan) -> RunConfig {
    let mut config = RunConfig::new(TASK, "chess", order.seed);
    config.command = order.command.split(' ').map(str::to_string).collect();
    // The result is the same for any number of threads.
    config.threads = 0;
    let mut options = BTreeMap::from([("learner".to_string(), LEARNER.to_string())]);
    let asked = [
        ("group", order.group.clone()),
        ("method", order.method.clone()),
        ("experiments", order.experiments.map(|n| n.to_string())),
        ("games", order.games.map(|n| n.to_string())),
    ];
    options.extend(asked.into_iter().filter_map(|(k, v)| Some((format!("asked.{k}"), v?))));
    for (place, (k, v)) in order.options.iter().enumerate() {
        // In their order, since one may depend on another before it.
        options.insert(format!("set.{place:02}.{k}"), v.clone());
    }
    for settings in &plan.variants {
        let facts = settings.facts();
        options.extend(facts.into_iter().map(|(k, v)| (format!("{}.{k}", settings.name), v)));
    }
    config.options = options;
    config
}

/// The order that a run was begun with, if it is one of ours.
fn order_of(folder: &Path) -> Result<Option<TdOrder>, TaskError> {
    let config = inspect(folder).map_err(TaskError::below)?.config;
    if config.task != TASK || config.options.get("learner").is_none_or(|l| l != LEARNER) {
        return Ok(None);
    }
    let asked = |key: &str| config.options.get(&format!("asked.{key}")).cloned();
    let options = (config.options.iter())
        .filter_map(|(k, v)| {
            let (_, key) = k.strip_prefix("set.")?.split_once('.')?;
            Some((key.to_string(), v.clone()))
        })
        .collect();
    Ok(Some(TdOrder {
        group: asked("group"),
        method: asked("method"),
        features: None,
        experiments: asked("experiments").and_then(|n| n.parse().ok()),
        games: asked("games").and_then(|n| n.parse().ok()),
        seed: config.seed,
        threads: 1,
        out: folder.to_path_buf(),
        resume: true,
        options,
        command: config.command.join(" "),
    }))
}

struct Work<'a> {
    order: &'a TdOrder,
    plan: &'a Plan,
    crew: &'a Crew<'a>,
    starts: &'a [Model],
    supplies: &'a [Supply],
    progress: &'a dyn Progress,
    stop: &'a StopFlag,
    notes: Mutex<Vec<String>>,
}

/// The seeds of tests and duels differ from those of learning.
const TESTS: u64 = 0x7E57;
const DUELS: u64 = 0xD0E1;

impl Work<'_> {
    fn experiments(&self) -> Vec<(usize, Experiment<'_>)> {
        let mut all = Vec::new();
        for (v, settings) in self.plan.variants.iter().enumerate() {
            for number in 0..settings.experiments {
                let experiment = Experiment {
                    settings,
                    number,
                    seed: self.order.seed,
                    folder: self.order.out.join(settings.experiment(number)),
                    crew: self.crew,
                    supply: &self.supplies[v],
                    command: &self.order.command,
                    start: &self.starts[v],
                };
                all.push((v, experiment));
            }
        }
        all
    }

    fn all(&self) -> Result<(), TaskError> {
        let all = self.experiments();
        if self.plan.single_step {
            return all.iter().try_for_each(|(_, e)| step::repeat(e, self.progress, self.stop));
        }
        let tests: u64 = all.iter().map(|(_, e)| trials_of(e.settings)).sum();
        let duels: u64 = self.plan.duels.iter().map(|d| d.games * self.pairs_of(d)).sum();
        let learning: u64 = all.iter().map(|(_, e)| e.settings.games).sum();
        self.progress.set_length(Some(learning + tests + duels));
        self.progress.message("learning");
        let learned: Result<Vec<State>, TaskError> =
            all.par_iter().with_max_len(1).map(|(_, e)| self.learn(e)).collect();
        learned?;
        self.progress.message("testing");
        let tested: Result<Vec<()>, TaskError> =
            all.par_iter().with_max_len(1).map(|(v, e)| self.test(*v, e)).collect();
        tested?;
        self.progress.message("duels");
        for duel in &self.plan.duels {
            self.duel(duel, &all)?;
        }
        Ok(())
    }

    fn pairs_of(&self, duel: &config::Duel) -> u64 {
        let of = |v: usize| u64::from(self.plan.variants[v].experiments);
        of(duel.of).min(of(duel.against))
    }

    fn learn(&self, experiment: &Experiment<'_>) -> Result<State, TaskError> {
        let mut notes = Vec::new();
        let done = experiment.learn(self.progress, self.stop, &mut notes);
        if let (Ok(mut all), false) = (self.notes.lock(), notes.is_empty()) {
            all.extend(notes);
        }
        done
    }

    fn test(&self, variant: usize, experiment: &Experiment<'_>) -> Result<(), TaskError> {
        let settings = experiment.settings;
        if settings.test_games == 0 {
            return Ok(());
        }
        create_folder(&experiment.folder.join("tests")).map_err(TaskError::below)?;
        let pieces: Vec<(u64, usize)> = (settings.points.iter())
            .flat_map(|&p| (0..settings.testers.len()).map(move |t| (p, t)))
            .filter(|&(p, t)| p > 0 || settings.testers[t] != BEGINNING)
            .collect();
        let played: Result<Vec<()>, TaskError> = (pieces.par_iter().with_max_len(1))
            .map(|&(point, t)| {
                let model = experiment.model_at(point)?;
                let tester = match settings.testers[t].as_str() {
                    BEGINNING => Tester::Model(&self.starts[variant]),
                    spec => Tester::Player(spec),
                };
                let trial = Trial {
                    model: &model,
                    tester,
                    games: settings.test_games,
                    nodes: settings.nodes_in_tests(),
                    search: &settings.search,
                    most_plies: settings.most_plies,
                    // The same openings for every point and variant.
                    seed: mix(self.order.seed ^ TESTS ^ mix(u64::from(experiment.number))),
                    path: test_path(&experiment.folder, point, t),
                };
                trial.play(self.crew, experiment.supply, self.progress, self.stop).map(|_| ())
            })
            .collect();
        played.map(|_| ())
    }

    fn duel(&self, duel: &config::Duel, all: &[(usize, Experiment<'_>)]) -> Result<(), TaskError> {
        let of = |v: usize| -> Vec<&Experiment<'_>> {
            all.iter().filter(|(w, _)| *w == v).map(|(_, e)| e).collect()
        };
        create_folder(&self.order.out.join("duels")).map_err(TaskError::below)?;
        for (one, two) in of(duel.of).into_iter().zip(of(duel.against)) {
            let (a, b) = (one.model_at(one.settings.games)?, two.model_at(two.settings.games)?);
            let trial = Trial {
                model: &a,
                tester: Tester::Model(&b),
                games: duel.games,
                nodes: one.settings.nodes_in_tests(),
                search: &one.settings.search,
                most_plies: one.settings.most_plies,
                seed: mix(self.order.seed ^ DUELS ^ mix(u64::from(one.number))),
                path: duel_path(&self.order.out, &one.name(), &two.name()),
            };
            trial.play(self.crew, one.supply, self.progress, self.stop)?;
        }
        Ok(())
    }
}

fn duel_path(out: &Path, one: &str, two: &str) -> PathBuf {
    out.join("duels").join(format!("{one}-{two}.json"))
}

/// Test games of one experiment.
fn trials_of(settings: &Settings) -> u64 {
    let against_start = settings.testers.iter().filter(|t| *t == BEGINNING).count() as u64;
    let all = settings.points.len() as u64 * settings.testers.len() as u64;
    settings.test_games * (all - against_start)
}

/// Reads what a run has come to so far.
fn gather<'a>(order: &TdOrder, plan: &'a Plan) -> Result<Results<'a>, TaskError> {
    let empty = Crew::new_empty();
    let mut variants = Vec::new();
    let mut steps = Vec::new();
    for settings in &plan.variants {
        let start = beginning(settings)?;
        let mut experiments = Vec::new();
        for number in 0..settings.experiments {
            let experiment = Experiment {
                settings,
                number,
                seed: order.seed,
                folder: order.out.join(settings.experiment(number)),
                crew: &empty,
                supply: &Supply::Start,
                command: &order.command,
                start: &start,
            };
            if plan.single_step {
                steps.extend(step::read(&experiment.folder));
            }
            let rows = experiment.rows()?;
            let state = experiment.so_far(&mut Vec::new())?;
            let rates = &settings.teaching.rates;
            let seen = state.map_or_else(Vec::new, |s| {
                s.student.seen.iter().map(|&seen| (seen, rates.rate(seen))).collect()
            });
            let folder = experiment.folder.clone();
            let kept = experiment.kept();
            let kept = kept.into_iter().filter(|&g| experiment.weights_path(g).exists()).collect();
            let tested = Tested::gather(settings, &folder);
            let name = experiment.name();
            experiments.push(ExperimentResult { name, rows, seen, tested, folder, kept });
        }
        let all = (experiments.iter().map(|e| e.tested.clone()))
            .reduce(|a, b| a.plus(&b))
            .unwrap_or_default();
        let curve = all.curve(&settings.testers);
        let gains = (experiments.iter())
            .filter_map(|e| {
                let curve = e.tested.curve(&settings.testers);
                curve.last().filter(|p| p.games == settings.games).map(|p| p.elo)
            })
            .collect();
        variants.push(VariantResult { settings, experiments, curve, gains });
    }
    let mut duels = Vec::new();
    for duel in &plan.duels {
        let (one, two) = (&plan.variants[duel.of], &plan.variants[duel.against]);
        let found: Vec<Outcome> = (0..one.experiments.min(two.experiments))
            .filter_map(|n| {
                read_outcome(&duel_path(&order.out, &one.experiment(n), &two.experiment(n)))
            })
            .collect();
        let scores = found.iter().filter_map(|o| o.tally.summary().score).collect();
        let outcome = found.into_iter().reduce(|a, b| Outcome {
            tally: a.tally.plus(&b.tally),
            broken: a.broken + b.broken,
            why: a.why.or(b.why),
            key: a.key,
        });
        if let Some(outcome) = outcome {
            let (of, against) = (one.name.clone(), two.name.clone());
            duels.push(DuelResult { of, against, outcome, scores });
        }
    }
    Ok(Results { plan, variants, duels, steps })
}

/// Metrics, results and the account.
fn finish(order: &TdOrder, run: &mut Run, results: &Results<'_>) -> Result<Account, TaskError> {
    let figures = figures(results);
    let mut step = 0;
    for variant in &results.variants {
        for point in &variant.curve {
            step += 1;
            let figures = json!({
                "variant": variant.settings.name,
                "games": point.games,
                "elo": point.elo,
                "elo_error_95": point.error_95,
            });
            run.record(step, &figures).map_err(TaskError::below)?;
        }
    }
    let text = serde_json::to_string_pretty(&figures).map_err(TaskError::below)? + "\n";
    write_atomically(&order.out.join(RESULTS), text.as_bytes()).map_err(TaskError::below)?;
    let page = page::of_run(results, &order.command)?;
    Ok(Account { text: told(results), figures, page })
}

/// The page of a run, finished or not; nothing for a run that is not ours.
pub fn report(folder: &Path) -> Result<Option<String>, TaskError> {
    let Some(order) = order_of(folder)? else { return Ok(None) };
    let plan = config::plan(&order)?;
    let results = gather(&order, &plan)?;
    page::of_run(&results, &order.command).map(Some)
}

/// What happened in the games of a variant.
pub(super) struct Tallied {
    pub(super) games: u64,
    pub(super) learned: u64,
    pub(super) results: [u64; 3],
    pub(super) broken: u64,
    pub(super) rejected: BTreeMap<String, u64>,
    pub(super) positions: u64,
    pub(super) proven: u64,
    pub(super) resolved: u64,
}

impl ExperimentResult {
    /// Games with positions of a column, each once even where both sides learned from it.
    pub(super) fn games_with(&self, column: usize) -> u64 {
        let with = |row: &&GameRow| row.columns.iter().any(|(c, _)| *c == column);
        self.rows.iter().filter(with).count() as u64
    }
}

impl VariantResult<'_> {
    /// Test games that were broken and left out.
    pub(super) fn broken_tests(&self) -> u64 {
        self.experiments.iter().flat_map(|e| &e.tested.broken).sum()
    }

    pub(super) fn tallied(&self) -> Tallied {
        let mut all = Tallied {
            games: 0,
            learned: 0,
            results: [0; 3],
            broken: 0,
            rejected: BTreeMap::new(),
            positions: 0,
            proven: 0,
            resolved: 0,
        };
        for row in self.experiments.iter().flat_map(|e| &e.rows) {
            all.games += 1;
            all.learned += u64::from(row.learned());
            if row.broken() {
                all.broken += 1;
            } else {
                all.results[2 - row.half_points.min(2)] += 1;
            }
            if let Some(why) = &row.rejected {
                *all.rejected.entry(why.clone()).or_default() += 1;
            }
            all.positions += row.positions;
            all.proven += row.proven;
            all.resolved += row.resolved;
        }
        all
    }
}

fn figures(results: &Results<'_>) -> Map<String, Value> {
    let mut variants = Map::new();
    for variant in &results.variants {
        let t = variant.tallied();
        let last = variant.curve.last();
        let spread = mean_and_error(&variant.gains);
        let experiments: Vec<Value> = (variant.experiments.iter())
            .map(|e| {
                let types: Vec<Value> = (e.seen.iter().enumerate())
                    .filter(|(_, (seen, _))| seen.positions > 0)
                    .map(|(column, (seen, rate))| {
                        let games = e.games_with(column);
                        json!({"type": column, "games": games, "lessons": seen.games, "positions": seen.positions, "rate": rate})
                    })
                    .collect();
                json!({
                    "name": e.name,
                    "games": e.rows.len(),
                    "learned": e.rows.iter().filter(|r| r.learned()).count(),
                    "types": types,
                    "types_never_seen": e.seen.iter().filter(|(s, _)| s.positions == 0).count(),
                })
            })
            .collect();
        let value = json!({
            "games": t.games,
            "learned": t.learned,
            "wins": t.results[0],
            "draws": t.results[1],
            "losses": t.results[2],
            "broken": t.broken,
            "broken_test_games": variant.broken_tests(),
            "not_learned": t.rejected,
            "elo": last.map(|p| p.elo),
            "elo_error_95": last.map(|p| p.error_95),
            "mean_gain": spread.map(|s| s.0),
            "mean_gain_error_95": spread.and_then(|s| s.1),
            "gains": variant.gains,
            "curve": variant.curve,
            "experiments": experiments,
        });
        variants.insert(variant.settings.name.clone(), value);
    }
    let duels: Vec<Value> = (results.duels.iter())
        .map(|d| {
            json!({
                "of": d.of,
                "against": d.against,
                "summary": d.outcome.tally.summary(),
                "broken": d.outcome.broken,
                "scores": d.scores,
            })
        })
        .collect();
    let printed: Map<String, Value> =
        results.plan.printed.iter().map(|(k, v)| (k.to_string(), json!(v))).collect();
    let mut figures = Map::new();
    figures.insert("experiment".into(), json!(results.plan.name));
    figures.insert("thesis".into(), Value::Object(printed));
    figures.insert("variants".into(), Value::Object(variants));
    if !duels.is_empty() {
        figures.insert("duels".into(), Value::Array(duels));
    }
    if results.plan.single_step {
        figures.insert("single_step".into(), step::figures(&results.steps));
    }
    figures
}

fn told(results: &Results<'_>) -> String {
    let mut text = String::new();
    for (what, value) in results.plan.printed {
        let _ = writeln!(text, "thesis: {what}: {value}");
    }
    if results.plan.single_step {
        text.push_str(&step::told(&results.steps));
        return text;
    }
    for variant in &results.variants {
        let t = variant.tallied();
        let name = &variant.settings.name;
        let [won, drawn, lost] = t.results;
        let _ = writeln!(
            text,
            "{name}: {} (+{won} ={drawn} -{lost}{}), {} learned from",
            counted(t.games, "game"),
            if t.broken > 0 { format!(", {} broken", t.broken) } else { String::new() },
            t.learned
        );
        if variant.broken_tests() > 0 {
            let number = counted(variant.broken_tests(), "test game");
            let _ = writeln!(text, "  {number} broken and left out with the rest of the pair");
        }
        for point in variant.curve.iter().skip(1) {
            let bound = if point.bounded { " (a bound)" } else { "" };
            let _ = writeln!(
                text,
                "  after {:>6} games: {:+7.1} ± {:.1} Elo{bound}",
                point.games, point.elo, point.error_95
            );
        }
        if let (Some((mean, Some(error))), true) =
            (mean_and_error(&variant.gains), variant.gains.len() > 1)
        {
            let n = variant.gains.len();
            let _ = writeln!(text, "  mean gain of {n} experiments: {mean:+.1} ± {error:.1} Elo");
        }
    }
    for duel in &results.duels {
        let s = duel.outcome.tally.summary();
        let (Some(score), Some([low, high])) = (s.score, s.score_interval_95) else { continue };
        let _ = writeln!(
            text,
            "{} against {}: {:.1} % of {} (95 %: {:.1} to {:.1})",
            duel.of,
            duel.against,
            100.0 * score,
            counted(s.games, "game"),
            100.0 * low,
            100.0 * high
        );
        if duel.outcome.broken > 0 {
            let number = counted(duel.outcome.broken, "game");
            let _ = writeln!(text, "  {number} broken and left out with the rest of the pair");
        }
    }
    text
}
