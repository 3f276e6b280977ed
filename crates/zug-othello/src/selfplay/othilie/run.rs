//! A whole run: groups one after the other in one folder, experiments and test games spread over
//! the threads, everything left in files from which it goes on.

use super::config::{self, Settings};
use super::experiment::{Experiment, History};
use super::matches::{Piece, Strength, Tested, pieces};
use super::measures::{Signs, losing_stretches, persistence, relative_similarity, similarity_of};
use super::{files, page};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Mutex;
use zug_core::run::{Run, RunConfig, State, inspect};
use zug_core::{Progress, StopFlag};
use zug_learn::face::{Account, TaskError};
use zug_learn::report::Page;
use zug_learn::td::face::{TASK, TdOrder};

/// Who made the run, in `run.toml`.
const LEARNER: &str = "othilie";

/// What one experiment came to.
pub struct ExperimentResult {
    /// `A1`, …
    pub name: String,
    /// Its polynomials.
    pub history: History,
    /// Its tests.
    pub tested: Tested,
}

/// What one group came to.
pub struct GroupResult<'a> {
    /// How it was run.
    pub settings: &'a Settings,
    /// Its experiments, as far as they have begun.
    pub experiments: Vec<ExperimentResult>,
    /// Q after every kept game, over the experiments.
    pub q: Vec<f64>,
}

impl GroupResult<'_> {
    fn new(settings: &Settings, experiments: Vec<ExperimentResult>) -> GroupResult<'_> {
        let rows = experiments.iter().map(|e| e.history.len()).min().unwrap_or(0);
        let q = (0..rows)
            .map(|place| {
                let weights: Vec<&[f64]> =
                    experiments.iter().map(|e| e.history.row(place).weights).collect();
                similarity_of(&weights)
            })
            .collect();
        GroupResult { settings, experiments, q }
    }

    /// Q* from this game on; rows that stand for several games count for all of them.
    #[must_use]
    pub fn persistence(&self, game: u64) -> f64 {
        let keep = self.settings.keep_every;
        persistence(&self.q, game.div_ceil(keep) as usize) * keep as f64
    }
}

/// Learns: see [`super::learn`].
pub fn learn(
    order: &TdOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let plan = config::plan(order)?;
    let config = run_config(order, &plan);
    let mut run = if order.resume {
        Run::resume(&order.out, Some(&config), "othilie/1").map_err(TaskError::below)?.0
    } else {
        Run::create(&order.out, config).map_err(TaskError::below)?
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(order.threads.max(1))
        .build()
        .map_err(TaskError::below)?;
    let work = Work { order, progress, stop, notes: Mutex::new(Vec::new()) };
    let done = pool.install(|| work.all(&plan));
    let state = match &done {
        Ok(_) => State::Finished,
        Err(TaskError::Stopped { .. }) => State::Stopped,
        Err(_) => State::Failed,
    };
    progress.finish();
    let finished = done.and_then(|results| finish(order, &mut run, &results));
    let message = finished.as_ref().err().map(ToString::to_string).unwrap_or_default();
    let state = if finished.is_err() && state == State::Finished { State::Failed } else { state };
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

fn run_config(order: &TdOrder, plan: &[Settings]) -> RunConfig {
    let mut config = RunConfig::new(TASK, "othello", order.seed);
    config.command = order.command.split(' ').map(str::to_string).collect();
    // The result is the same for any number of threads.
    config.threads = 0;
    let mut options = vec![("learner".to_string(), LEARNER.to_string())];
    let asked = [
        ("group", order.group.clone()),
        ("method", order.method.clone()),
        ("features", order.features.clone()),
        ("experiments", order.experiments.map(|n| n.to_string())),
        ("games", order.games.map(|n| n.to_string())),
    ];
    options.extend(asked.into_iter().filter_map(|(k, v)| Some((format!("asked.{k}"), v?))));
    options.extend(order.options.iter().map(|(k, v)| (format!("set.{k}"), v.clone())));
    for settings in plan {
        let facts = settings.facts();
        options.extend(facts.into_iter().map(|(k, v)| (format!("{}.{k}", settings.group), v)));
    }
    config.options = options.into_iter().collect();
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
        .filter_map(|(k, v)| Some((k.strip_prefix("set.")?.to_string(), v.clone())))
        .collect();
    Ok(Some(TdOrder {
        group: asked("group"),
        method: asked("method"),
        features: asked("features"),
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

fn experiments<'a>(order: &TdOrder, settings: &'a Settings) -> Vec<Experiment<'a>> {
    (0..settings.experiments)
        .map(|number| Experiment {
            settings,
            number,
            seed: order.seed,
            folder: order.out.join(&settings.group).join(settings.name(number)),
        })
        .collect()
}

struct Work<'a> {
    order: &'a TdOrder,
    progress: &'a dyn Progress,
    stop: &'a StopFlag,
    notes: Mutex<Vec<String>>,
}

impl Work<'_> {
    fn all<'s>(&self, plan: &'s [Settings]) -> Result<Vec<GroupResult<'s>>, TaskError> {
        let all: Vec<Experiment<'s>> =
            plan.iter().flat_map(|settings| experiments(self.order, settings)).collect();
        let polynomials = |s: &Settings| s.games.div_ceil(s.keep_every) as usize + 1;
        let tests: Vec<(usize, Piece)> = (all.iter().enumerate())
            .flat_map(|(i, e)| pieces(e, polynomials(e.settings)).into_iter().map(move |p| (i, p)))
            .collect();
        let games: u64 = all.iter().map(|e| e.settings.games).sum::<u64>()
            + tests.iter().map(|(_, p)| p.games()).sum::<u64>();
        self.progress.set_length(Some(games));
        self.progress.message("learning");
        let histories: Result<Vec<History>, TaskError> =
            all.par_iter().with_max_len(1).map(|e| self.learn(e)).collect();
        let histories = histories?;
        for experiment in &all {
            let folder = experiment.folder.join("tests");
            zug_core::files::create_folder(&folder).map_err(TaskError::below)?;
        }
        self.progress.message("testing");
        let played: Result<Vec<Option<String>>, TaskError> = (tests.par_iter().with_max_len(1))
            .map(|(i, piece)| piece.play(&all[*i], &histories[*i], self.progress, self.stop))
            .collect();
        let again = played?.into_iter().flatten();
        if let Ok(mut notes) = self.notes.lock() {
            notes.extend(again);
        }
        self.progress.message("writing");
        let mut results = Vec::new();
        let mut done = all.iter().zip(histories);
        for settings in plan {
            let mut of_group = Vec::new();
            for (experiment, history) in done.by_ref().take(settings.experiments as usize) {
                let tested = Tested::gather(experiment, history.len());
                files::write_experiment(experiment, &history, &tested)?;
                of_group.push(ExperimentResult { name: experiment.name(), history, tested });
            }
            let names: Vec<String> = of_group.iter().map(|e| e.name.clone()).collect();
            let histories: Vec<&History> = of_group.iter().map(|e| &e.history).collect();
            let folder = self.order.out.join(&settings.group);
            files::write_group(&folder, settings.set, &names, &histories)?;
            results.push(GroupResult::new(settings, of_group));
        }
        Ok(results)
    }

    fn learn(&self, experiment: &Experiment<'_>) -> Result<History, TaskError> {
        let mut notes = Vec::new();
        let done = experiment.learn(&self.order.command, self.progress, self.stop, &mut notes);
        if let (Ok(mut all), false) = (self.notes.lock(), notes.is_empty()) {
            all.extend(notes);
        }
        done
    }
}

/// Pages, metrics and the account.
fn finish(
    order: &TdOrder,
    run: &mut Run,
    results: &[GroupResult<'_>],
) -> Result<Account, TaskError> {
    let mut account = Account::default();
    let mut groups = Map::new();
    let mut step = 0;
    for result in results {
        let html = page::of_group(result, &order.command).html();
        let path = order.out.join(&result.settings.group).join("report.html");
        zug_core::files::write_atomically(&path, html.as_bytes()).map_err(TaskError::below)?;
        for experiment in &result.experiments {
            step += 1;
            run.record(step, &experiment_figures(result.settings, experiment))
                .map_err(TaskError::below)?;
        }
        account.text.push_str(&told(result));
        groups.insert(result.settings.group.clone(), group_figures(result));
    }
    account.figures.insert("groups".into(), Value::Object(groups));
    account.page = page::of_run(results, &order.command).html();
    Ok(account)
}

/// The page of a run, finished or not; nothing for a run that is not ours.
pub fn report(folder: &Path) -> Result<Option<Page>, TaskError> {
    let Some(order) = order_of(folder)? else { return Ok(None) };
    let plan = config::plan(&order)?;
    let mut results = Vec::new();
    for settings in &plan {
        let mut found = Vec::new();
        for experiment in experiments(&order, settings) {
            if let Some(history) = experiment.so_far(&mut Vec::new())? {
                let tested = Tested::gather(&experiment, history.len());
                found.push(ExperimentResult { name: experiment.name(), history, tested });
            }
        }
        results.push(GroupResult::new(settings, found));
    }
    Ok(Some(page::of_run(&results, &order.command)))
}

/// What was learned so far, by the names of the experiments; none for a run that is not ours.
pub(super) fn histories(folder: &Path) -> Result<Vec<(String, History)>, TaskError> {
    let Some(order) = order_of(folder)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for settings in &config::plan(&order)? {
        for experiment in experiments(&order, settings) {
            let history = experiment.so_far(&mut Vec::new())?;
            found.extend(history.map(|history| (experiment.name(), history)));
        }
    }
    Ok(found)
}

fn strengths(pair: &[Option<Strength>; 2]) -> Value {
    let one = |s: &Strength| {
        json!({
            "runs": s.runs,
            "mean": s.mean(),
            "deviation": s.deviation(),
            "draws": s.draws,
        })
    };
    match pair {
        [Some(start), Some(end)] => json!({
            "start": one(start),
            "end": one(end),
            "verdict": start.verdict(end),
        }),
        _ => Value::Null,
    }
}

fn experiment_figures(settings: &Settings, e: &ExperimentResult) -> Value {
    let won: u64 = e.history.rows().map(|r| r.won).sum();
    let last = e.history.last();
    let games = last.map_or(0, |r| r.game);
    let signs = last.map(|r| Signs::of(r.weights)).unwrap_or_default();
    let longest = stretches(settings, &e.history).iter().map(|s| s.len()).max();
    let gates: Vec<Value> = (e.history.gates())
        .map(|(game, g)| {
            json!({"game": game, "games": g.games, "score": g.score(), "opened": g.opened})
        })
        .collect();
    let second = (!e.tested.second.is_empty()).then(|| {
        let shares = files::running_shares(&e.tested.second);
        shares.last().map_or(0.0, |s| 100.0 * s[1])
    });
    let curve: Vec<Value> = (e.tested.curve.iter())
        .filter(|(place, _)| *place < e.history.len())
        .map(|(place, share)| json!({"game": e.history.row(*place).game, "won": share}))
        .collect();
    json!({
        "experiment": e.name,
        "games": games,
        "won": won,
        "win_share": 100.0 * won as f64 / games.max(1) as f64,
        "own_positive": signs.own_positive,
        "opponent_negative": signs.opponent_negative,
        "longest_losing_stretch": longest.unwrap_or(0),
        "first": strengths(&e.tested.first),
        "second_share": second,
        "third": strengths(&e.tested.third),
        "curve": curve,
        "gate_matches": gates.len(),
        "gate_opened": e.history.gates().filter(|(_, g)| g.opened).count(),
        "gates": gates,
    })
}

/// All stretches without a win, however short. Of rows that stand for several games, those without
/// any.
pub fn stretches(settings: &Settings, history: &History) -> Vec<super::measures::Stretch> {
    let keep = settings.keep_every as usize;
    let mut found = losing_stretches(history.rows().skip(1).map(|r| r.won > 0), 1);
    for stretch in &mut found {
        stretch.first = (stretch.first - 1) * keep + 1;
        stretch.last = (stretch.last * keep).min(settings.games as usize);
    }
    found
}

fn group_figures(result: &GroupResult<'_>) -> Value {
    let experiments: Vec<Value> =
        result.experiments.iter().map(|e| experiment_figures(result.settings, e)).collect();
    let last: Vec<&[f64]> =
        result.experiments.iter().filter_map(|e| e.history.last()).map(|r| r.weights).collect();
    let facts = result.settings.facts();
    let settings = Map::from_iter(facts.into_iter().map(|(k, v)| (k, Value::String(v))));
    let games = result.settings.games;
    let late = [3, 2, 1].map(|part| games - games * part / 13);
    let persistence: Vec<Value> =
        late.iter().map(|from| json!({"from": from, "q": result.persistence(*from)})).collect();
    json!({
        "settings": settings,
        "q_start": result.q.first(),
        "q_end": result.q.last(),
        "q_relative": relative_similarity(&last),
        "persistence": persistence,
        "experiments": experiments,
    })
}

/// The group for a terminal.
fn told(result: &GroupResult<'_>) -> String {
    let mut text = format!("group {}\n", result.settings.group);
    let mean = |s: &Option<Strength>| {
        s.as_ref().map_or("-".to_string(), |s| format!("{:.1} ±{:.1}", s.mean(), s.deviation()))
    };
    for e in &result.experiments {
        let won: u64 = e.history.rows().map(|r| r.won).sum();
        let games = e.history.last().map_or(1, |r| r.game).max(1);
        let _ = writeln!(
            text,
            "  {:<10} first {:>10} -> {:>10}   third {:>10} -> {:>10}   second {:>6}   learning won {:.1} %",
            e.name,
            mean(&e.tested.first[0]),
            mean(&e.tested.first[1]),
            mean(&e.tested.third[0]),
            mean(&e.tested.third[1]),
            files::running_shares(&e.tested.second)
                .last()
                .map_or("-".to_string(), |s| format!("{:.1} %", 100.0 * s[1])),
            100.0 * won as f64 / games as f64,
        );
    }
    // One experiment has nothing to be like.
    let several = result.experiments.len() > 1;
    if let (true, Some(start), Some(end)) = (several, result.q.first(), result.q.last()) {
        let last: Vec<&[f64]> =
            result.experiments.iter().filter_map(|e| e.history.last()).map(|r| r.weights).collect();
        let relative = relative_similarity(&last);
        let _ = writeln!(
            text,
            "  similarity Q {start:.3} -> {end:.3} ({relative:.3} of the weights' size)"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU64, Ordering};
    use zug_core::Silent;

    /// Stops the work after so many games.
    struct StopAfter<'a>(u64, AtomicU64, &'a StopFlag);

    impl Progress for StopAfter<'_> {
        fn set_length(&self, _: Option<u64>) {}
        fn advance(&self, units: u64) {
            if self.1.fetch_add(units, Ordering::Relaxed) + units >= self.0 {
                self.2.set();
            }
        }
        fn message(&self, _: &str) {}
        fn finish(&self) {}
    }

    fn order(group: &str, out: PathBuf) -> TdOrder {
        let options = [
            ("depth", "2"),
            ("test-games", "5"),
            ("test-runs", "2"),
            ("save-every", "3"),
            ("second", "yes"),
        ];
        let beyond = [("gate-every", "4"), ("curve", "1")];
        let beyond = beyond.into_iter().filter(|_| group.starts_with("beyond"));
        TdOrder {
            group: Some(group.to_string()),
            experiments: Some(2),
            games: Some(14),
            seed: 5,
            threads: 2,
            out,
            options: (options.into_iter().chain(beyond))
                .map(|(k, v)| (k.to_string(), v.to_string()))
                .collect(),
            command: format!("zug learn othello td --group {group}"),
            ..TdOrder::default()
        }
    }

    /// All files but those that tell the time.
    fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !["run.toml", "status.toml", "run.lock"]
                    .contains(&path.file_name().unwrap().to_str().unwrap())
                {
                    let name = path.strip_prefix(folder).unwrap().to_path_buf();
                    files.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
        files
    }

    #[test]
    fn a_run_that_is_stopped_anywhere_and_resumed_leaves_the_same_files() {
        for group in ["F", "beyond-plus"] {
            let dir = tempfile::tempdir().unwrap();
            let whole = order(group, dir.path().join("whole"));
            learn(&whole, &Silent, &StopFlag::new()).unwrap();
            let expected = tree(&whole.out);
            assert!(expected.len() > 60, "{group}: {} files", expected.len());
            let mut broken = order(group, dir.path().join("broken"));
            broken.threads = 1;
            for games in [5, 6, 2, 9, 20, 30, 1] {
                let stop = StopFlag::new();
                let progress = StopAfter(games, AtomicU64::new(0), &stop);
                match learn(&broken, &progress, &stop) {
                    Err(TaskError::Stopped { resumable: true }) => {}
                    Ok(_) => break,
                    Err(other) => panic!("{other}"),
                }
                assert!(report(&broken.out).unwrap().is_some());
                broken.resume = true;
            }
            learn(&broken, &Silent, &StopFlag::new()).unwrap();
            let found = tree(&broken.out);
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
            for (name, bytes) in &expected {
                assert!(found[name] == *bytes, "{group}: {} differs", name.display());
            }
        }
    }

    #[test]
    fn a_damaged_checkpoint_gives_way_to_the_one_before() {
        let dir = tempfile::tempdir().unwrap();
        let whole = order("B", dir.path().join("whole"));
        learn(&whole, &Silent, &StopFlag::new()).unwrap();
        let mut broken = order("B", dir.path().join("broken"));
        let stop = StopFlag::new();
        broken.threads = 1;
        let progress = StopAfter(10, AtomicU64::new(0), &stop);
        assert!(learn(&broken, &progress, &stop).is_err());
        let states = broken.out.join("B/B1/state");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&states).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let newest = files.last().unwrap();
        let mut bytes = std::fs::read(newest).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        std::fs::write(newest, bytes).unwrap();
        broken.resume = true;
        let account = learn(&broken, &Silent, &StopFlag::new()).unwrap();
        assert!(account.text.contains("set aside"), "{}", account.text);
        let polynomials =
            |order: &TdOrder| std::fs::read(order.out.join("B/B1/polynomials.zug")).unwrap();
        assert_eq!(polynomials(&whole), polynomials(&broken));
    }

    #[test]
    fn other_options_do_not_resume_a_run() {
        let dir = tempfile::tempdir().unwrap();
        let mut order = order("D", dir.path().join("run"));
        order.games = Some(2);
        learn(&order, &Silent, &StopFlag::new()).unwrap();
        let again = learn(&order, &Silent, &StopFlag::new()).err().unwrap().to_string();
        assert!(again.contains("already holds a run"), "{again}");
        order.resume = true;
        order.seed = 6;
        let other = learn(&order, &Silent, &StopFlag::new()).err().unwrap().to_string();
        assert!(other.contains("seed"), "{other}");
    }

    #[test]
    fn every_polynomial_can_be_found_by_experiment_and_game_and_the_pages_are_well_formed() {
        let dir = tempfile::tempdir().unwrap();
        let order = order("E", dir.path().join("run"));
        let account = learn(&order, &Silent, &StopFlag::new()).unwrap();
        let folder = order.out.join("E").join("E2");
        let history = History::open(&folder.join("polynomials.zug")).unwrap();
        assert_eq!(history.len(), 15);
        for game in 0..=14 {
            let name = format!("{}@{game}", folder.display());
            let found = super::super::weights::find(&name).unwrap();
            assert_eq!(Some(&found[..]), history.polynomial(game));
        }
        let missing = super::super::weights::find(&format!("{}@15", folder.display()));
        assert!(missing.unwrap_err().contains("of 14"));
        let end = super::super::weights::find(&folder.join("P_End.txt").to_string_lossy());
        assert_eq!(end.as_deref(), Ok(history.last().unwrap().weights));
        let page = report(&order.out).unwrap().unwrap().html();
        zug_learn::markup::check(&page).unwrap();
        assert_eq!(page, account.page);
        assert!(page.contains("thesis"));
        let figures = &account.figures["groups"]["E"];
        assert!(figures["q_end"].as_f64().unwrap() > 0.0);
        assert_eq!(figures["experiments"][1]["first"]["end"]["runs"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn the_longest_stretch_is_told_even_if_it_is_too_short_to_be_listed() {
        let settings = config::plan(&order("B", PathBuf::new())).unwrap().remove(0);
        // Game 4 is won, and game 9.
        let numbers = (0..=11u32).flat_map(|game| {
            let won = f64::from(u8::from(game == 4 || game == 9));
            let mut row = vec![f64::from(game), won, 0.0, 1.0 - won, 0.0, 0.0, 0.0, 0.0];
            row.extend([0.5; 42]);
            row
        });
        let history = History::from_numbers(42, numbers.collect()).unwrap();
        assert_eq!(settings.stretch, 100);
        let tested = Tested::default();
        let e = ExperimentResult { name: "B1".into(), history, tested };
        assert_eq!(experiment_figures(&settings, &e)["longest_losing_stretch"], 4);
        let result = GroupResult::new(&settings, vec![e]);
        let page = page::of_group(&result, "").html();
        assert!(page.contains("without a win of Alpha: 0 (the longest: 4 games)"), "{page}");
        assert!(!page.contains("games 5 to 8: 4 without a win"));
        let told = Settings { stretch: 4, ..settings.clone() };
        let result = GroupResult { settings: &told, ..result };
        let page = page::of_group(&result, "").html();
        assert!(page.contains("games 5 to 8: 4 without a win"));
        assert!(!page.contains("games 1 to 3"));
    }

    #[test]
    fn test_results_that_were_changed_are_played_again_and_told() {
        let dir = tempfile::tempdir().unwrap();
        let mut order = order("B", dir.path().join("run"));
        order.games = Some(3);
        learn(&order, &Silent, &StopFlag::new()).unwrap();
        order.resume = true;
        let again = learn(&order, &Silent, &StopFlag::new()).unwrap();
        assert!(!again.text.contains("note:"), "{}", again.text);
        let expected = tree(&order.out);
        let file = |name: &str| order.out.join("B/B1/tests").join(name);
        let end = std::fs::read_to_string(file("first-end-1.txt")).unwrap();
        let turned = |c: char| if c == 'w' { 'l' } else { 'w' };
        let first = end.chars().next().unwrap();
        let changed = end.replacen(first, &turned(first).to_string(), 1);
        std::fs::write(file("first-end-1.txt"), changed).unwrap();
        // As an earlier version wrote it.
        let start = std::fs::read_to_string(file("first-start-1.txt")).unwrap();
        let bare = start.lines().next().unwrap();
        std::fs::write(file("first-start-1.txt"), format!("{bare}\n")).unwrap();
        // A good file in another's place.
        std::fs::copy(file("third-start-1.txt"), file("third-start-2.txt")).unwrap();
        let page = report(&order.out).unwrap().unwrap().html();
        assert!(page.contains("damaged and left out: 2."), "{page}");
        assert!(page.contains("without a checksum, taken as they are: 1."), "{page}");
        let account = learn(&order, &Silent, &StopFlag::new()).unwrap();
        for (name, why) in [
            ("first-end-1.txt", "its checksum does not fit its letters"),
            ("first-start-1.txt", "it has no checksum"),
            ("third-start-2.txt", "its checksum does not fit its letters"),
        ] {
            let note = format!("{name}: {why}; its games were played again");
            assert!(account.text.contains(&note), "{}", account.text);
        }
        let found = tree(&order.out);
        for (name, bytes) in &expected {
            assert!(found[name] == *bytes, "{} differs", name.display());
        }
    }

    #[test]
    fn matches_at_the_gate_are_kept_told_and_drawn() {
        let dir = tempfile::tempdir().unwrap();
        let order = order("beyond", dir.path().join("run"));
        let account = learn(&order, &Silent, &StopFlag::new()).unwrap();
        let figures = &account.figures["groups"]["beyond"]["experiments"][0];
        assert_eq!(figures["gate_matches"], 3);
        let gates = figures["gates"].as_array().unwrap();
        let games: Vec<u64> = gates.iter().map(|g| g["game"].as_u64().unwrap()).collect();
        assert_eq!(games, [4, 8, 12]);
        for gate in gates {
            assert_eq!(gate["games"], 50);
            let opened = gate["score"].as_f64().unwrap() >= 0.5;
            assert_eq!(gate["opened"], opened);
        }
        let metrics = std::fs::read_to_string(order.out.join("metrics.jsonl")).unwrap();
        assert!(metrics.contains("\"gate_opened\""));
        zug_learn::markup::check(&account.page).unwrap();
        assert!(account.page.contains("Matches at the gate"));
        // The thesis says nothing about this group, and has no empty columns.
        assert!(!account.page.contains("thesis: runs") && !account.page.contains("thesis P_End"));
        assert!(!order.out.join("checkpoints").exists());
    }

    #[test]
    fn figures_of_the_thesis_stand_under_their_own_games() {
        let dir = tempfile::tempdir().unwrap();
        let order = order("E", dir.path().join("run"));
        let page = learn(&order, &Silent, &StopFlag::new()).unwrap().page;
        for head in ["Q_14", "Q_6500", "Q*_5000", "Q*_6000", "\u{3c3} of P_End"] {
            assert!(page.contains(head), "{head}");
        }
        assert!(page.contains("P_End here after 14 games, in the thesis after 6500"));
    }
}
