//! `zug data stats`: what is in files of records, or of examples?

use super::sources::Inputs;
use crate::commands::Replayer;
use anyhow::{Result, bail};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zug_core::checks::thousands;
use zug_core::{AnyLine, GameEntry, Record, RecordError, RecordResult};
use zug_othello::examples::stats::{LevelStatistics, Statistics, survey};
use zug_othello::examples::{ExampleFile, Source};

pub fn run(entry: &GameEntry, paths: &[PathBuf], all: bool, as_json: bool) -> Result<ExitCode> {
    let are_examples = |p: &PathBuf| p.extension().is_some_and(|e| e.eq_ignore_ascii_case("zug"));
    match paths.iter().filter(|p| are_examples(p)).count() {
        0 => records(entry, paths, all, as_json),
        _ if paths.len() == 1 && super::is_chess(entry) => super::chess::stats(&paths[0], as_json),
        _ if paths.len() == 1 => {
            super::has_examples(entry)?;
            examples(&paths[0], as_json)
        }
        _ => bail!("files of examples are counted one at a time"),
    }
}

/// What was found in files of records.
#[derive(Default)]
struct Counts {
    files: usize,
    /// Sound ones.
    records: usize,
    plies: usize,
    complete: usize,
    /// With a move that the rules do not allow.
    illegal: usize,
    /// Complete, but the record states another result than the last position has.
    other_result: usize,
    results: BTreeMap<String, usize>,
    /// Reasons: illegal ones, and those that could not be read.
    broken: Vec<String>,
}

fn records(entry: &GameEntry, paths: &[PathBuf], all: bool, as_json: bool) -> Result<ExitCode> {
    let mut counts = Counts::default();
    let mut replayer = Replayer::default();
    let mut inputs = Inputs::lenient(entry, paths);
    while let Some(input) = inputs.next() {
        let mut input = input?;
        let name = input.name.clone();
        counts.files += 1;
        let mut number = 0;
        let read = input.for_each(&mut |record| {
            number += 1;
            let place = format!("{name}: game {number}");
            match record {
                Ok(record) => count(entry, &mut replayer, &record, &place, &mut counts),
                Err(error) => {
                    let is_illegal = matches!(error, RecordError::Move { .. });
                    counts.illegal += usize::from(is_illegal);
                    counts.broken.push(format!("{place}: {error}"));
                }
            }
            true
        });
        if let Err(error) = read {
            inputs.pass_over(error)?;
        }
    }
    let passed_over = inputs.passed_over();
    for reason in passed_over {
        tracing::warn!("passed over: {reason}");
    }
    let mut out = std::io::stdout().lock();
    let unfinished = counts.records - counts.complete;
    if as_json {
        let report = json!({
            "game": entry.game.spec(), "files": counts.files, "records": counts.records,
            "games": counts.records + counts.illegal,
            "plies": counts.plies, "played_to_the_end": counts.complete,
            "complete": counts.complete, "unfinished": unfinished, "illegal": counts.illegal,
            "unreadable": counts.broken.len() - counts.illegal,
            "other_result": counts.other_result,
            "results": counts.results, "broken": counts.broken, "passed_over": passed_over,
        });
        writeln!(out, "{report:#}")?;
    } else {
        let shown = if all { counts.broken.len() } else { 10 };
        for reason in counts.broken.iter().take(shown) {
            writeln!(out, "{reason}")?;
        }
        if counts.broken.len() > shown {
            writeln!(out, "… and {} more (--all shows them)", counts.broken.len() - shown)?;
        }
        writeln!(
            out,
            "{} file{}, {} records, {} plies, {} played to the end, {} broken",
            counts.files,
            if counts.files == 1 { "" } else { "s" },
            counts.records,
            counts.plies,
            counts.complete,
            counts.broken.len()
        )?;
        for (name, n) in [
            ("stop early", unfinished),
            ("illegal moves", counts.illegal),
            ("unreadable", counts.broken.len() - counts.illegal),
            ("other result", counts.other_result),
            ("files passed over", passed_over.len()),
        ] {
            if n > 0 {
                writeln!(out, "  {name:<14} {n}")?;
            }
        }
        for (result, n) in &counts.results {
            writeln!(out, "  {result:<14} {n}")?;
        }
    }
    let is_whole = counts.broken.is_empty() && passed_over.is_empty();
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn count(
    entry: &GameEntry,
    replayer: &mut Replayer,
    record: &Record,
    place: &str,
    counts: &mut Counts,
) {
    match replayer.replay(record) {
        Ok(line) => {
            counts.records += 1;
            counts.plies += line.ply();
            if line.outcome().is_some() {
                counts.complete += 1;
                counts.other_result += usize::from(is_other_result(record, &*line));
            }
        }
        Err(reason) => {
            counts.illegal += 1;
            counts.broken.push(format!("{place}: {reason}"));
            return;
        }
    }
    let result = match record.result {
        RecordResult::Unknown => "unknown".to_string(),
        RecordResult::Known { winner: None, .. } => "draw".to_string(),
        RecordResult::Known { winner: Some(side), .. } => {
            format!("{} wins", entry.game.side_name(side))
        }
    };
    *counts.results.entry(result).or_default() += 1;
}

/// Does the record state another result than the last position has?
fn is_other_result(record: &Record, line: &dyn AnyLine) -> bool {
    let (RecordResult::Known { winner, margin }, Some(outcome)) = (record.result, line.outcome())
    else {
        return false;
    };
    let other_margin = match (margin, outcome.margin) {
        (Some(stated), Some(real)) => (stated - real).abs() > 0.01,
        _ => false,
    };
    winner != outcome.winner || winner.is_some() && other_margin
}

fn examples(path: &Path, as_json: bool) -> Result<ExitCode> {
    let file = ExampleFile::open(path)?;
    let found = survey(&file)?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let levels: Vec<_> = found.levels.iter().map(|(discs, level)| row(*discs, level)).collect();
        let made = &file.header().made;
        let report = json!({
            "file": path.display().to_string(),
            "bytes": file.file_length(),
            "made": {
                "command": made.command, "seed": made.seed, "data": made.data,
                "version": made.version,
            },
            "notes": file.header().notes,
            "total": figures(&found.total),
            "by_discs": levels,
        });
        writeln!(out, "{report:#}")?;
    } else {
        write!(out, "{}", as_text(&file, &found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(discs: u32, level: &LevelStatistics) -> serde_json::Value {
    let mut row = serde_json::Map::from_iter([("discs".to_string(), discs.into())]);
    if let serde_json::Value::Object(figures) = figures(level) {
        row.extend(figures);
    }
    row.into()
}

fn figures(level: &LevelStatistics) -> serde_json::Value {
    let sources: serde_json::Map<String, serde_json::Value> = Source::ALL
        .iter()
        .map(|&source| (source.name().to_string(), level.sources[source as usize].into()))
        .collect();
    let (mixed, folds) = level.folds.split_last().expect("there are folds");
    json!({
        "examples": level.examples, "met": level.met, "merged": level.merged(),
        "wins": level.wins, "draws": level.draws, "losses": level.losses,
        "sources": sources, "exact_share": level.exact_share(),
        "mean": level.mean(), "spread": level.spread(),
        "folds": folds, "mixed_folds": mixed,
    })
}

fn as_text(file: &ExampleFile, found: &Statistics) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:>5} {:>12} {:>12} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "discs", "examples", "met", "won", "drawn", "lost", "exact", "mean", "spread", "mixed"
    );
    for (discs, level) in &found.levels {
        line(&mut text, &discs.to_string(), level);
    }
    line(&mut text, "all", &found.total);
    let bytes = file.file_length() as f64 / found.total.examples.max(1) as f64;
    let _ = writeln!(text, "{bytes:.1} bytes an example.");
    if let Some(command) = &file.header().made.command {
        let _ = writeln!(text, "Made by: {command}");
    }
    for (name, value) in &file.header().notes {
        let _ = writeln!(text, "  {name}: {value}");
    }
    text
}

fn line(text: &mut String, name: &str, level: &LevelStatistics) {
    let percent = |n: u64| format!("{:.1}%", 100.0 * n as f64 / level.examples.max(1) as f64);
    let _ = writeln!(
        text,
        "{name:>5} {:>12} {:>12} {:>7} {:>7} {:>7} {:>7} {:>7.2} {:>7.2} {:>7}",
        thousands(level.examples),
        thousands(level.met),
        percent(level.wins),
        percent(level.draws),
        percent(level.losses),
        percent(level.sources[Source::Exact as usize]),
        level.mean(),
        level.spread(),
        percent(*level.folds.last().expect("there are folds")),
    );
}
