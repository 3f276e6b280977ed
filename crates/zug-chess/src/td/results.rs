//! What has a run come to? Read from its files, whether it is finished, goes on or was stopped, and
//! told in words and figures.

use super::config::{Plan, Settings};
use super::experiment::{Experiment, GameRow, beginning};
use super::opponents::{Crew, Supply};
use super::rates::Seen;
use super::step;
use super::trials::{CurvePoint, Outcome, Tested, mean_and_error, read_outcome};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tracing::warn;
use zug_learn::face::TaskError;
use zug_learn::td::face::TdOrder;

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

/// Reads what a run has come to so far.
pub(super) fn gather<'a>(order: &TdOrder, plan: &'a Plan) -> Result<Results<'a>, TaskError> {
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

/// Where the result of a duel is.
pub(super) fn duel_path(out: &Path, one: &str, two: &str) -> PathBuf {
    out.join("duels").join(format!("{one}-{two}.json"))
}

/// Says how many games were broken, and why the first of them was.
pub(super) fn warn_of_broken(results: &Results<'_>) {
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
pub(super) fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
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

/// All figures, for scripts.
pub(super) fn figures(results: &Results<'_>) -> Map<String, Value> {
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

/// The same in words.
pub(super) fn told(results: &Results<'_>) -> String {
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
