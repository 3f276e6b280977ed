//! How does a whole run go? Variants of an experiment in one folder, learning and test games spread
//! over the threads, everything left in files from which it goes on.
//!
//! What matters most is played first: all learn, then the ends of the learning curves are tested,
//! then duels are played, then the rest of the curves. So a run that is stopped in its tests still
//! tells what was gained.

use super::config::{self, BEGINNING, Opened, Plan, SELF, Settings};
use super::experiment::{Experiment, State, beginning};
use super::opponents::{Crew, Supply};
use super::results::{counted, duel_path, figures, gather, told, warn_of_broken};
use super::trials::{Tested, Tester, Trial, test_path};
use super::{page, step};
use crate::model::Model;
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use zug_core::files::{create_folder, remove_temporaries, write_atomically};
use zug_core::run::{Run, RunConfig, State as RunState, inspect};
use zug_core::seed::mix;
use zug_core::{GameEntry, Progress, Spec, StopFlag};
use zug_learn::face::{Account, TaskError};
use zug_learn::report::Page;
use zug_learn::td::face::{TASK, TdOrder};

pub use super::results::{ExperimentResult, Results, VariantResult};

/// Who made the run, in `run.toml`.
const LEARNER: &str = "chess-td";
const RESULTS: &str = "results.json";

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
    // A wrong name is told even where nobody will play.
    let idle = plan.variants.iter().filter(|s| s.test_games == 0).flat_map(|s| &s.testers);
    idle.filter(|s| *s != BEGINNING).try_for_each(|spec| Crew::check(&entry, spec))?;
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
    // What was found until then is kept for 'runs report'. Where not even that can be had, the error
    // that is told is the first one.
    if finished.is_err()
        && let Ok(results) = gather(order, &plan)
    {
        warn_of_broken(&results);
        let kept = store(order, &results, true);
        if matches!(finished, Err(TaskError::Stopped { .. })) {
            kept?;
        }
    }
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
    // When one gives up changes no game, so a run may go on with another choice.
    let lasting = order.options.iter().filter(|(k, _)| k != "give-up");
    for (place, (k, v)) in lasting.enumerate() {
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
        let tests: u64 = all
            .iter()
            .map(|(_, e)| pieces(e.settings).count() as u64 * e.settings.test_games)
            .sum();
        let duels: u64 = self.plan.duels.iter().map(|d| d.games * self.pairs_of(d)).sum();
        let learning: u64 = all.iter().map(|(_, e)| e.settings.games).sum();
        self.progress.set_length(Some(learning + tests + duels));
        self.progress.message("learning");
        let learned: Result<Vec<State>, TaskError> =
            all.par_iter().with_max_len(1).map(|(_, e)| self.learn(e)).collect();
        learned?;
        if tests > 0 {
            self.progress.message("testing");
        }
        let (ends, others): (Vec<_>, Vec<_>) = (all.iter())
            .flat_map(|(v, e)| pieces(e.settings).map(move |(p, t)| Piece(*v, e, p, t)))
            .partition(|piece| piece.2 == piece.1.settings.games);
        // Elo is counted from the beginning, which is tested with the rest of a curve.
        let unfinished = |v: usize| others.iter().any(|piece| piece.0 == v);
        self.test(&ends)?;
        self.tell(&all, |v, point| (point == self.plan.variants[v].games).then(|| unfinished(v)));
        self.duels(&all)?;
        self.test(&others)?;
        self.tell(&all, |v, _| unfinished(v).then_some(false));
        Ok(())
    }

    /// Says how strong what was learned is, at the points of the curves about which `which` says
    /// whether that is provisional.
    fn tell(&self, all: &[(usize, Experiment<'_>)], which: impl Fn(usize, u64) -> Option<bool>) {
        for (v, settings) in self.plan.variants.iter().enumerate() {
            let tested = (all.iter().filter(|(w, _)| *w == v))
                .map(|(_, e)| Tested::gather(settings, &e.folder))
                .reduce(|a, b| a.plus(&b));
            let curve = tested.map_or_else(Vec::new, |t| t.curve(&settings.testers));
            for p in curve.iter().filter(|p| p.games > 0) {
                let Some(provisional) = which(v, p.games) else { continue };
                let (name, games) = (&settings.name, counted(p.games, "game"));
                let mut text =
                    format!("{name} after {games}: {:+.1} ± {:.1} Elo", p.elo, p.error_95);
                if provisional {
                    text.push_str(" (provisional: the rest of the curve is not tested yet)");
                }
                self.progress.message(&text);
            }
        }
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

    fn test(&self, pieces: &[Piece<'_>]) -> Result<(), TaskError> {
        for Piece(_, experiment, ..) in pieces {
            create_folder(&experiment.folder.join("tests")).map_err(TaskError::below)?;
        }
        let played: Result<Vec<()>, TaskError> = (pieces.par_iter().with_max_len(1))
            .map(|&Piece(variant, experiment, point, t)| {
                let settings = experiment.settings;
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

    fn duels(&self, all: &[(usize, Experiment<'_>)]) -> Result<(), TaskError> {
        if self.plan.duels.is_empty() {
            return Ok(());
        }
        create_folder(&self.order.out.join("duels")).map_err(TaskError::below)?;
        let of = |v: usize| all.iter().filter(move |(w, _)| *w == v).map(|(_, e)| e);
        let pairs: Vec<(&config::Duel, &Experiment<'_>, &Experiment<'_>)> = (self.plan.duels)
            .iter()
            .flat_map(|d| of(d.of).zip(of(d.against)).map(move |(one, two)| (d, one, two)))
            .collect();
        let played: Result<Vec<()>, TaskError> = (pairs.par_iter().with_max_len(1))
            .map(|&(duel, one, two)| {
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
                trial.play(self.crew, one.supply, self.progress, self.stop).map(|_| ())
            })
            .collect();
        played.map(|_| ())
    }
}

/// A test that is to be played: variant, experiment, point of the curve, tester.
struct Piece<'a>(usize, &'a Experiment<'a>, u64, usize);

/// The tests of one experiment: points of the curve and testers. The beginning does not meet itself.
fn pieces(settings: &Settings) -> impl Iterator<Item = (u64, usize)> {
    let points = if settings.test_games > 0 { &settings.points[..] } else { &[] };
    (points.iter())
        .flat_map(|&p| (0..settings.testers.len()).map(move |t| (p, t)))
        .filter(|&(p, t)| p > 0 || settings.testers[t] != BEGINNING)
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
    store(order, results, false)?;
    let page = page::of_run(results, &order.command)?.html();
    Ok(Account { text: told(results), figures, page })
}

/// Writes the figures down, even if there are more to come.
fn store(order: &TdOrder, results: &Results<'_>, stopped: bool) -> Result<(), TaskError> {
    let mut figures = figures(results);
    if stopped {
        figures.insert("stopped".into(), json!(true));
    }
    let text = serde_json::to_string_pretty(&figures).map_err(TaskError::below)? + "\n";
    write_atomically(&order.out.join(RESULTS), text.as_bytes()).map_err(TaskError::below)
}

/// What a run has come to that is not finished.
pub fn so_far(folder: &Path) -> Result<Option<Account>, TaskError> {
    let Some(order) = order_of(folder)? else { return Ok(None) };
    let plan = config::plan(&order)?;
    let results = gather(&order, &plan)?;
    let figures = figures(&results);
    Ok(Some(Account { text: told(&results), figures, page: String::new() }))
}

/// The page of a run, finished or not; nothing for a run that is not ours.
pub fn report(folder: &Path) -> Result<Option<Page>, TaskError> {
    let Some(order) = order_of(folder)? else { return Ok(None) };
    let plan = config::plan(&order)?;
    let results = gather(&order, &plan)?;
    page::of_run(&results, &order.command).map(Some)
}
