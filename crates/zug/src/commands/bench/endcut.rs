//! The thesis's experiment on decision searches: on positions that are won but where a heuristic
//! search goes wrong, how much faster is the win found with cuts, and how often is it missed?

use crate::cli::BenchArgs;
use crate::commands::data::threads;
use crate::progress::progress;
use crate::stop;
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use zug_core::StopFlag;
use zug_core::files::{read_text, write_atomically};
use zug_core::usage::thread_seconds;
use zug_othello::engine::{Confidence, Evaluation, ProbCut};
use zug_othello::probcut::{Critical, EndCut, EndCutSearch, Recipe, critical, open_cuts, shipped};
use zug_othello::solve::Solver;
use zug_othello::{AnyModel, Move, open_model};

/// The thresholds of the thesis (`CUT_NIVEAU`), in log-odds.
const THRESHOLDS: [f64; 4] = [2.5, 2.1, 1.8, 1.5];
/// What it found with them: wrong moves of 35, the mean ratio of times, and that where the cut
/// search succeeded.
const THESIS: [(u32, f64, f64); 4] =
    [(3, 0.66, 0.62), (6, 0.62, 0.46), (10, 0.60, 0.36), (14, 0.59, 0.26)];
/// Steps of the evaluation in one unit of log-odds.
const STEPS: f64 = 10_000.0;
/// The confidences of our cuts, in deviations.
const CONFIDENCES: [f32; 5] = [2.5, 2.0, 1.5, 1.0, 0.7];
/// The largest file of positions.
const MOST_TEXT: u64 = 1 << 22;

/// The sizes of the experiment.
struct Size {
    recipe: Recipe,
    /// The stage of the thesis's cut, and the plies of its heuristic search.
    split: u32,
    depth: u32,
}

fn size(args: &BenchArgs) -> Size {
    let confidence = Confidence::deviations(1.5).expect("within the range");
    let recipe = |discs, depth, count| Recipe {
        discs,
        depth,
        confidence,
        count,
        most_games: 100_000,
        seed: args.seed,
    };
    if args.quick {
        Size { recipe: recipe(48, 6, 3), split: 54, depth: 2 }
    } else {
        Size { recipe: recipe(42, 14, 35), split: 50, depth: 4 }
    }
}

/// What one search did on one position.
#[derive(Clone, Copy)]
struct Work {
    nodes: u64,
    seconds: f64,
    /// Did it find a move that wins?
    wins: bool,
}

/// One way to search, on all positions.
struct Row {
    name: String,
    /// The searches without cuts that it is compared with.
    exact: Vec<Work>,
    works: Vec<Work>,
    thesis: Option<(u32, f64, f64)>,
}

impl Row {
    fn wrong(&self) -> usize {
        self.works.iter().filter(|w| !w.wins).count()
    }

    /// Cost with the exact search added where the win was missed.
    fn costs(&self, cost: fn(&Work) -> f64) -> Vec<f64> {
        let add = |(w, e): (&Work, &Work)| cost(w) + if w.wins { 0.0 } else { cost(e) };
        self.works.iter().zip(&self.exact).map(add).collect()
    }

    fn ratios(&self, cost: fn(&Work) -> f64) -> Vec<f64> {
        let exact = self.exact.iter().map(cost);
        self.costs(cost).into_iter().zip(exact).map(|(c, e)| c / e.max(1e-9)).collect()
    }

    /// The mean of the ratios where the win was found.
    fn success_ratio(&self, cost: fn(&Work) -> f64) -> Option<f64> {
        let ratios = self.ratios(cost).into_iter().zip(&self.works);
        mean(ratios.filter(|(_, w)| w.wins).map(|(r, _)| r))
    }
}

fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.into_iter().fold((0.0, 0), |(s, n), v| (s + v, n + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn by_nodes(work: &Work) -> f64 {
    work.nodes as f64
}

fn by_seconds(work: &Work) -> f64 {
    work.seconds
}

pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    let AnyModel::Thesis(log_plus) = open_model("logistic-plus")? else {
        bail!("the evaluation of the thesis does not come with this program");
    };
    let AnyModel::Patterns(patterns) = open_model("patterns")? else {
        bail!("the evaluation by patterns does not come with this program");
    };
    let (log_plus, patterns) = (Arc::new(*log_plus), Arc::new(patterns));
    let (size, flag) = (size(args), stop::on_interrupt());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads(args.threads)).build()?;
    let stopped = || {
        tell!("zug: stopped");
        Ok(ExitCode::from(130))
    };
    let positions = match args.positions.as_deref().filter(|p| p.exists()) {
        Some(path) => read(path)?,
        None => {
            let cuts = open_cuts("logistic-plus").ok().map(|file| Arc::clone(&file.thesis));
            let bar = progress("positions");
            let find = || critical(&log_plus, cuts.as_ref(), &size.recipe, bar.as_ref(), &flag);
            let Some(found) = pool.install(find) else { return stopped() };
            if found.is_empty() {
                bail!("no critical position was found");
            }
            if let Some(path) = &args.positions {
                write(path, &found)?;
            }
            found
        }
    };
    let bar = progress("searches");
    let all = positions.len() * (THRESHOLDS.len() + CONFIDENCES.len() + 2);
    bar.set_length(Some(all as u64));
    let rows = pool.install(|| {
        let mut rows = thesis_rows(&log_plus, &positions, &size, bar.as_ref(), &flag)?;
        rows.extend(our_rows(&patterns, shipped("patterns"), &positions, bar.as_ref(), &flag)?);
        Some(rows)
    });
    drop(bar);
    let Some(rows) = rows else { return stopped() };
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "experiment": "endcut",
            "settings": {
                "discs": positions[0].board.discs(), "cut_discs": size.split,
                "cut_depth": size.depth, "seed": args.seed, "quick": args.quick,
            },
            "positions": positions.iter().map(Critical::to_text).collect::<Vec<_>>(),
            "rows": rows.iter().map(as_json).collect::<Vec<_>>(),
        });
        writeln!(out, "{report:#}")?;
    } else {
        write!(out, "{}", as_text(&rows, positions.len()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Vec<Critical>> {
    let text = read_text(path, MOST_TEXT)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let positions = lines
        .map(|(number, line)| {
            let place = || format!("{}, line {}", path.display(), number + 1);
            Critical::from_text(line).with_context(place)
        })
        .collect::<Result<Vec<Critical>>>()?;
    if positions.is_empty() {
        bail!("{}: no positions in this file", path.display());
    }
    Ok(positions)
}

fn write(path: &Path, positions: &[Critical]) -> Result<()> {
    let text: String = positions.iter().map(|p| p.to_text() + "\n").collect();
    Ok(write_atomically(path, text.as_bytes())?)
}

/// Does one search on all positions, each on a thread.
fn on_all<S: Send>(
    positions: &[Critical],
    bar: &dyn zug_core::Progress,
    new: impl Fn() -> S + Sync + Send,
    search: impl Fn(&mut S, &Critical) -> Option<(u64, bool, Option<Move>)> + Sync + Send,
) -> Option<Vec<Work>> {
    positions
        .par_iter()
        .map_init(new, |searcher, position| {
            let begun = thread_seconds();
            let (nodes, claims, best) = search(searcher, position)?;
            let seconds = thread_seconds() - begun;
            bar.advance(1);
            // A claim to win with another move is as wrong as no claim.
            let wins = claims && best.is_some_and(|mv| position.winning.contains(&mv));
            Some(Work { nodes, seconds, wins })
        })
        .collect()
}

/// The cut of the thesis, in its own decision search.
fn thesis_rows<E: Evaluation + 'static>(
    evaluation: &Arc<E>,
    positions: &[Critical],
    size: &Size,
    bar: &dyn zug_core::Progress,
    stop: &StopFlag,
) -> Option<Vec<Row>> {
    let decide = |cut: Option<EndCut>| {
        on_all(
            positions,
            bar,
            || EndCutSearch::new(Arc::clone(evaluation)),
            |search, position| {
                let found = search.decide(position.board, size.split, cut, stop)?;
                Some((found.nodes, found.outcome > 0, found.best))
            },
        )
    };
    let exact = decide(None)?;
    let mut rows = vec![Row {
        name: "thesis: exact".to_string(),
        exact: exact.clone(),
        works: exact.clone(),
        thesis: Some((0, 1.0, 1.0)),
    }];
    for (threshold, thesis) in THRESHOLDS.into_iter().zip(THESIS) {
        let cut = EndCut {
            discs: size.split,
            depth: size.depth,
            threshold: (threshold * STEPS).round() as i32,
        };
        rows.push(Row {
            name: format!("thesis: EndCut {threshold}"),
            exact: exact.clone(),
            works: decide(Some(cut))?,
            thesis: Some(thesis),
        });
    }
    Some(rows)
}

/// Our cuts at all stages, in the solver.
fn our_rows<E: Evaluation + 'static>(
    evaluation: &Arc<E>,
    cuts: Option<Arc<ProbCut>>,
    positions: &[Critical],
    bar: &dyn zug_core::Progress,
    stop: &StopFlag,
) -> Option<Vec<Row>> {
    let decide = |confidence: Confidence| {
        on_all(
            positions,
            bar,
            || Solver::with_guide(64, Arc::clone(evaluation)).cuts(cuts.clone()),
            |solver, position| {
                solver.clear();
                let found = solver.pass(position.board, -1, 1, confidence, stop)?;
                Some((found.nodes, found.score > 0, found.best))
            },
        )
    };
    let exact = decide(Confidence::FULL)?;
    let mut rows = vec![Row {
        name: "ours: exact".to_string(),
        exact: exact.clone(),
        works: exact.clone(),
        thesis: None,
    }];
    for deviations in CONFIDENCES {
        let confidence = Confidence::deviations(deviations)?;
        rows.push(Row {
            name: format!("ours: {deviations} deviations"),
            exact: exact.clone(),
            works: decide(confidence)?,
            thesis: None,
        });
    }
    Some(rows)
}

fn as_json(row: &Row) -> Value {
    let part = |cost: fn(&Work) -> f64| {
        json!({
            "mean": mean(row.costs(cost)),
            "mean_ratio": mean(row.ratios(cost)),
            "mean_ratio_where_right": row.success_ratio(cost),
            "each": row.works.iter().map(cost).collect::<Vec<_>>(),
        })
    };
    json!({
        "name": row.name,
        "wrong": row.wrong(),
        "wrong_positions": (1..).zip(&row.works).filter(|(_, w)| !w.wins).map(|(i, _)| i).collect::<Vec<usize>>(),
        "nodes": part(by_nodes),
        "cpu_seconds": part(by_seconds),
        "thesis": row.thesis.map(|(wrong, ratio, right)| json!({
            "wrong_of_35": wrong, "mean_ratio": ratio, "mean_ratio_where_right": right,
        })),
    })
}

fn as_text(rows: &[Row], positions: usize) -> String {
    let mut text = format!(
        "{positions} positions; where the win is missed, the exact search is added\n{:<22} {:>5} {:>12} {:>8} {:>7} {:>7} {:>7} {:>7}   thesis\n",
        "", "wrong", "nodes", "seconds", "ratio", "right", "ratio", "right"
    );
    let _ = writeln!(
        text,
        "{:<22} {:>5} {:>12} {:>8} {:>15} {:>15}",
        "", "", "mean", "mean", "by nodes", "by CPU time"
    );
    for row in rows {
        let number = |value: Option<f64>, digits: usize| {
            value.map_or(String::new(), |v| format!("{v:.digits$}"))
        };
        let thesis = row.thesis.map_or(String::new(), |(wrong, ratio, right)| {
            format!("{wrong} of 35 wrong, {ratio:.2}, {right:.2}")
        });
        let _ = writeln!(
            text,
            "{:<22} {:>5} {:>12} {:>8} {:>7} {:>7} {:>7} {:>7}   {thesis}",
            row.name,
            row.wrong(),
            number(mean(row.costs(by_nodes)), 0),
            number(mean(row.costs(by_seconds)), 3),
            number(mean(row.ratios(by_nodes)), 2),
            number(row.success_ratio(by_nodes), 2),
            number(mean(row.ratios(by_seconds)), 2),
            number(row.success_ratio(by_seconds), 2),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_win_is_missed_the_exact_search_is_added() {
        let work = |nodes, wins| Work { nodes, seconds: nodes as f64 / 10.0, wins };
        let exact = vec![work(100, true), work(200, true)];
        let row = Row {
            name: "x".into(),
            exact,
            works: vec![work(40, true), work(100, false)],
            thesis: None,
        };
        assert_eq!(row.wrong(), 1);
        assert_eq!(row.costs(by_nodes), [40.0, 300.0]);
        assert_eq!(row.ratios(by_seconds), [0.4, 1.5]);
        assert_eq!(row.success_ratio(by_nodes), Some(0.4));
        assert!(as_text(&[row], 2).contains("0.95"));
    }
}
