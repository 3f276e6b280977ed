//! The experiments of the thesis on selective search, as matches: does it beat full width, and how
//! certain should its cuts be?

use crate::cli::{BenchArgs, Equal, Experiment};
use crate::commands::data::threads;
use crate::progress::progress;
use crate::stop;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use zug_arena::{MatchConfig, Opening, Openings, Summary, TimeControl};
use zug_core::{GameEntry, Spec, StopFlag};
use zug_othello::engine::{Fair, hundredths_of_discs};
use zug_othello::examples::player::Judge;

/// What the thesis calls PERCENTILE: deviations between bound and expected value.
const PERCENTILES: [f64; 6] = [1.2, 1.35, 1.5, 1.65, 1.8, 2.0];
/// Its results with them, in percent: 70 games each, 30 minutes for a side.
const THESIS_SWEEP: [f64; 6] = [62.9, 65.7, 74.2, 70.0, 70.7, 60.0];
/// The one it settled on.
const PERCENTILE: f64 = 1.5;
/// Its result with half the time of the full-width player.
const THESIS_HALF: f64 = 64.3;
/// Plies of openings that the program finds itself; as many as the thesis's had.
const OPENING_PLIES: u32 = 8;

/// Short searches need little memory, and many games are played at once.
const HASH: &str = "hash=16";

/// A kind of selective search: an evaluation and its cuts.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    model: &'static str,
    /// The option of the player; its own cuts when there is none.
    cuts: Option<&'static str>,
}

/// The one of the thesis: one pair of depths, its evaluation.
const THESIS: Kind =
    Kind { name: "logistic-plus, 4 for 8", model: "logistic-plus", cuts: Some("thesis") };
const KINDS: [Kind; 4] = [
    THESIS,
    Kind { name: "logistic-plus, all depths", model: "logistic-plus", cuts: None },
    Kind { name: "patterns, 4 for 8", model: "patterns", cuts: Some("thesis") },
    OURS,
];
/// Ours: cuts at all depths and stages.
const OURS: Kind = Kind { name: "patterns, all depths", model: "patterns", cuts: None };

/// One match: a selective player against the same one at full width.
struct Point {
    name: String,
    kind: Kind,
    percentile: f64,
    /// Has the selective player half the time?
    is_half: bool,
    /// The score in the thesis, in percent.
    thesis: Option<f64>,
}

fn points(experiment: Experiment) -> Vec<Point> {
    let mut all = Vec::new();
    match experiment {
        Experiment::Percentile => {
            for kind in [THESIS, OURS] {
                for (percentile, score) in PERCENTILES.into_iter().zip(THESIS_SWEEP) {
                    let thesis = kind.cuts.map(|_| score);
                    let name = format!("{}, {percentile}", kind.name);
                    all.push(Point { name, kind, percentile, is_half: false, thesis });
                }
            }
        }
        _ => {
            for kind in KINDS {
                for (is_half, time, score) in
                    [(false, "equal time", THESIS_SWEEP[2]), (true, "half the time", THESIS_HALF)]
                {
                    let thesis =
                        (kind.model == THESIS.model && kind.cuts.is_some()).then_some(score);
                    let name = format!("{}, {time}", kind.name);
                    all.push(Point { name, kind, percentile: PERCENTILE, is_half, thesis });
                }
            }
        }
    }
    all
}

/// What a move may cost.
#[derive(Clone, Copy)]
enum Effort {
    Time(Duration),
    Nodes(u64),
}

impl Effort {
    fn of(args: &BenchArgs) -> Effort {
        match args.by {
            Equal::Time => {
                Effort::Time(args.movetime.unwrap_or(Duration::from_millis(if args.quick {
                    2
                } else {
                    20
                })))
            }
            Equal::Nodes => {
                Effort::Nodes(args.nodes.unwrap_or(if args.quick { 1000 } else { 50_000 }))
            }
        }
    }

    fn half(self) -> Effort {
        match self {
            Effort::Time(time) => Effort::Time(time / 2),
            Effort::Nodes(nodes) => Effort::Nodes(nodes / 2),
        }
    }

    /// The option of a player.
    fn option(self) -> String {
        match self {
            Effort::Time(time) => format!("movetime={}ms", time.as_secs_f64() * 1000.0),
            Effort::Nodes(nodes) => format!("nodes={nodes}"),
        }
    }

    fn told(self) -> String {
        match self {
            Effort::Time(time) => format!("{} ms a move", time.as_secs_f64() * 1000.0),
            Effort::Nodes(nodes) => format!("{nodes} positions a move"),
        }
    }
}

impl Point {
    /// Both players, the selective one first.
    fn players(&self, effort: Effort) -> [String; 2] {
        let model = self.kind.model;
        let cuts = self.kind.cuts.map_or(String::new(), |cuts| format!(",cuts={cuts}"));
        let own = if self.is_half { effort.half() } else { effort };
        [
            format!(
                "zug:model={model},selectivity={}{cuts},{HASH},{}",
                self.percentile,
                own.option()
            ),
            format!("zug:model={model},selectivity=off,{HASH},{}", effort.option()),
        ]
    }
}

pub fn run(entry: &GameEntry, experiment: Experiment, args: &BenchArgs) -> Result<ExitCode> {
    let wanted = |p: &Point| args.only.as_ref().is_none_or(|text| p.name.contains(text));
    let mut points: Vec<Point> = points(experiment).into_iter().filter(wanted).collect();
    if args.quick && args.only.is_none() {
        // The first of each kind is enough to see that it works.
        points.retain(|p| p.kind.cuts.is_some() == (p.kind.model == THESIS.model) && !p.is_half);
        points.dedup_by_key(|p| p.kind.name);
    }
    if points.is_empty() {
        bail!(
            "no point of the experiment has '{}' in its name",
            args.only.as_deref().unwrap_or("")
        );
    }
    let effort = Effort::of(args);
    let games = args.games.unwrap_or(if args.quick { 2 } else { 400 }) as usize;
    let concurrency = threads(args.threads);
    if let Some(folder) = &args.run {
        zug_core::files::create_folder(folder)?;
    }
    let flag = stop::on_interrupt();
    let Some(openings) = openings(entry, args, games.div_ceil(2), concurrency, &flag)? else {
        tell!("zug: stopped");
        return Ok(ExitCode::from(130));
    };
    let mut results: Vec<(&Point, [String; 2], Summary)> = Vec::new();
    for (number, point) in points.iter().enumerate() {
        let players = point.players(effort);
        let config = MatchConfig {
            games,
            openings: Openings::List(openings.clone()),
            limit: TimeControl::default(),
            // A busy machine must not decide games; both sides suffer alike.
            time_margin: Duration::from_secs(10),
            seed: args.seed,
            concurrency,
            journal: args
                .run
                .as_ref()
                .map(|folder| folder.join(format!("{}.jsonl", slug(&point.name)))),
            stop: flag.shared(),
            ..MatchConfig::default()
        };
        tell!("zug: {} of {}: {}", number + 1, points.len(), point.name);
        let summary = play(entry, &players, &config).with_context(|| point.name.clone())?;
        if summary.games > 0 {
            results.push((point, players, summary));
        }
        if flag.is_set() {
            break;
        }
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let points: Vec<Value> =
            results.iter().map(|(p, players, s)| as_json(p, players, s)).collect();
        let name = if experiment == Experiment::Percentile { "percentile" } else { "probcut" };
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "experiment": name,
            "settings": {
                "games": games, "effort": effort.told(), "seed": args.seed, "threads": concurrency,
                "openings": openings.len(), "quick": args.quick,
            },
            "points": points,
            "interior_maximum": best_inside(&results),
        });
        writeln!(out, "{report:#}")?;
    } else {
        write!(out, "{}", as_text(&results, effort))?;
        for (kind, inside) in best_inside(&results) {
            let word = if inside { "lies inside the sweep" } else { "lies at an end of the sweep" };
            writeln!(out, "{kind}: the best confidence {word}")?;
        }
    }
    Ok(if flag.is_set() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn play(entry: &GameEntry, players: &[String; 2], config: &MatchConfig) -> Result<Summary> {
    let specs = players
        .iter()
        .map(|text| Spec::parse(text).with_context(|| format!("in the player '{text}'")))
        .collect::<Result<Vec<Spec>>>()?;
    let participants = zug_arena::participants(entry, &specs)?;
    let bar = progress("games");
    let mut shown = 0;
    let report = zug_arena::run_match(entry, &participants, config, &mut |p| {
        bar.set_length(Some(p.total as u64));
        bar.advance((p.done - shown) as u64);
        shown = p.done;
        bar.message(&p.report.one_line());
    })?;
    if report.illegal + report.crashes > 0 {
        bail!("a player failed in {} games", report.illegal + report.crashes);
    }
    Ok(report.summary)
}

/// The openings of a file, or fair ones; `None` when stopped.
pub(super) fn openings(
    entry: &GameEntry,
    args: &BenchArgs,
    count: usize,
    threads: usize,
    stop: &StopFlag,
) -> Result<Option<Vec<Opening>>> {
    if let Some(path) = &args.openings {
        return Ok(Some(zug_arena::read_openings(entry, path, None)?));
    }
    let judge = Judge::open(None)?;
    // Quick looks need no careful choice.
    let (depth, discs) = if args.quick { (1, 400) } else { (8, 200) };
    let fair =
        Fair { plies: OPENING_PLIES, depth, within: hundredths_of_discs(judge.unit(), discs) };
    let bar = progress("openings");
    let found = judge.fair_openings(fair, count, args.seed, threads, bar.as_ref(), stop);
    drop(bar);
    let lines = match found {
        Err(zug_othello::examples::ExampleError::Stopped) => return Ok(None),
        found => found?,
    };
    let opening = |line: &Vec<zug_othello::Move>| Opening {
        start: None,
        moves: line.iter().map(ToString::to_string).collect(),
    };
    Ok(Some(lines.iter().map(opening).collect()))
}

/// A name for a file.
fn slug(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect()
}

/// For each kind of search of which several confidences were tried: is the best one neither the
/// first nor the last?
fn best_inside(
    results: &[(&Point, [String; 2], Summary)],
) -> std::collections::BTreeMap<String, bool> {
    let mut all = std::collections::BTreeMap::new();
    for kind in KINDS {
        let mut scores: Vec<(f64, f64)> = results
            .iter()
            .filter(|(p, _, _)| p.kind.name == kind.name && !p.is_half)
            .filter_map(|(p, _, s)| Some((p.percentile, s.score?)))
            .collect();
        scores.sort_by(|a, b| a.0.total_cmp(&b.0));
        if scores.len() < 3 {
            continue;
        }
        let best = scores.iter().map(|s| s.1).fold(f64::MIN, f64::max);
        let at_end = scores[0].1 == best || scores[scores.len() - 1].1 == best;
        all.insert(kind.name.to_string(), !at_end);
    }
    all
}

fn as_json(point: &Point, players: &[String; 2], summary: &Summary) -> Value {
    json!({
        "name": point.name,
        "players": players,
        "percentile": point.percentile,
        "half_time": point.is_half,
        "games": summary.games,
        "wins": summary.wins,
        "draws": summary.draws,
        "losses": summary.losses,
        "score": summary.score,
        "score_interval_95": summary.score_interval_95,
        "elo": summary.elo,
        "elo_error_95": summary.elo_error_95,
        "thesis_score": point.thesis.map(|percent| percent / 100.0),
    })
}

fn as_text(results: &[(&Point, [String; 2], Summary)], effort: Effort) -> String {
    let width = results.iter().map(|(p, _, _)| p.name.len()).max().unwrap_or(0);
    let mut text = format!(
        "Selective search against full width, {}\n{:width$}  {:>14}  {:>7}  {:>15}  {:>12}  {:>7}\n",
        effort.told(),
        "",
        "won-drawn-lost",
        "score %",
        "95 % interval",
        "Elo",
        "thesis %"
    );
    for (point, _, s) in results {
        let record = format!("{}-{}-{}", s.wins, s.draws, s.losses);
        let score = s.score.map_or(String::new(), |x| format!("{:.1}", 100.0 * x));
        let interval = s
            .score_interval_95
            .map_or(String::new(), |[l, h]| format!("{:.1} to {:.1}", 100.0 * l, 100.0 * h));
        let elo = match (s.elo, s.elo_error_95) {
            (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}"),
            _ => String::new(),
        };
        let thesis = point.thesis.map_or(String::new(), |x| format!("{x:.1}"));
        let _ = writeln!(
            text,
            "{:width$}  {record:>14}  {score:>7}  {interval:>15}  {elo:>12}  {thesis:>8}",
            point.name
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(wins: u64, losses: u64) -> Summary {
        let mut tally = zug_arena::stats::Tally::default();
        (0..wins).for_each(|_| tally.add_game(2));
        (0..losses).for_each(|_| tally.add_game(0));
        tally.summary()
    }

    #[test]
    fn the_experiments_have_the_points_of_the_thesis() {
        let sweep = points(Experiment::Percentile);
        assert_eq!(sweep.len(), 12);
        let best = sweep.iter().find(|p| p.thesis == Some(74.2)).unwrap();
        assert_eq!(best.percentile, 1.5);
        assert_eq!(
            best.players(Effort::Time(Duration::from_millis(20))),
            [
                "zug:model=logistic-plus,selectivity=1.5,cuts=thesis,hash=16,movetime=20ms",
                "zug:model=logistic-plus,selectivity=off,hash=16,movetime=20ms"
            ]
        );
        let half = points(Experiment::Probcut).into_iter().find(|p| p.is_half).unwrap();
        assert_eq!(half.thesis, Some(64.3));
        let players = half.players(Effort::Nodes(1000));
        assert!(players[0].ends_with("nodes=500") && players[1].ends_with("nodes=1000"));
    }

    #[test]
    fn a_maximum_is_seen_inside_a_sweep_or_not() {
        let sweep = points(Experiment::Percentile);
        let scores = |wins: [u64; 6]| -> Vec<(&Point, [String; 2], Summary)> {
            let result = |(p, w)| (p, [String::new(), String::new()], summary(w, 100 - w));
            sweep[..6].iter().zip(wins).map(result).collect()
        };
        let inside = best_inside(&scores([60, 62, 70, 66, 61, 55]));
        assert_eq!(inside.values().collect::<Vec<_>>(), [&true]);
        let outside = best_inside(&scores([70, 62, 61, 60, 59, 55]));
        assert_eq!(outside.values().collect::<Vec<_>>(), [&false]);
        assert!(as_text(&scores([60, 62, 70, 66, 61, 55]), Effort::Nodes(5)).contains("74.2"));
    }
}
