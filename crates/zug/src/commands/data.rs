//! `zug data`: records in and out of every format.

use crate::cli::{DataArgs, DataCommand};
use crate::registry;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zug_core::{GameEntry, Record, RecordResult};

pub fn run(args: &DataArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    match &args.what {
        DataCommand::Stats { files, all, json } => stats(&entry, files, *all, *json),
        DataCommand::Convert { input, output, skip_broken } => {
            convert(&entry, input, output, *skip_broken)
        }
    }
}

/// All files below these paths that a format of the game can read, in a fixed order.
fn record_files(entry: &GameEntry, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let mut inside: Vec<PathBuf> = std::fs::read_dir(&path)
                .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect())
                .with_context(|| format!("cannot read the folder {}", path.display()))?;
            inside.retain(|p| p.is_dir() || super::format_for(entry, p).is_ok());
            inside.sort();
            open.extend(inside.into_iter().rev());
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

#[derive(Default)]
struct Counts {
    files: usize,
    records: usize,
    plies: usize,
    finished: usize,
    results: BTreeMap<String, usize>,
    broken: Vec<String>,
}

fn stats(entry: &GameEntry, paths: &[PathBuf], all: bool, as_json: bool) -> Result<ExitCode> {
    let mut counts = Counts::default();
    let mut replayer = super::Replayer::default();
    for path in record_files(entry, paths)? {
        let format = super::format_for(entry, &path)?;
        let bytes =
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        counts.files += 1;
        let mut number = 0;
        format.for_each(&bytes, &mut |record| {
            number += 1;
            let place = format!("{}: record {number}", path.display());
            match record {
                Ok(record) => count(entry, &mut replayer, &record, &place, &mut counts),
                Err(error) => counts.broken.push(format!("{place}: {error}")),
            }
            true
        });
    }
    let mut out = std::io::stdout().lock();
    if as_json {
        let report = json!({
            "game": entry.game.spec(), "files": counts.files, "records": counts.records,
            "plies": counts.plies, "played_to_the_end": counts.finished,
            "results": counts.results, "broken": counts.broken,
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
            "{} files, {} records, {} plies, {} played to the end, {} broken",
            counts.files,
            counts.records,
            counts.plies,
            counts.finished,
            counts.broken.len()
        )?;
        for (result, n) in &counts.results {
            writeln!(out, "  {result:<14} {n}")?;
        }
    }
    Ok(if counts.broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn count(
    entry: &GameEntry,
    replayer: &mut super::Replayer,
    record: &Record,
    place: &str,
    counts: &mut Counts,
) {
    match replayer.replay(record) {
        Ok(line) => {
            counts.records += 1;
            counts.plies += line.ply();
            counts.finished += usize::from(line.outcome().is_some());
        }
        Err(reason) => {
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

fn convert(entry: &GameEntry, input: &Path, output: &Path, skip: bool) -> Result<ExitCode> {
    let (from, to) = (super::format_for(entry, input)?, super::format_for(entry, output)?);
    let bytes = std::fs::read(input).with_context(|| format!("cannot read {}", input.display()))?;
    let (mut records, mut replayer) = (Vec::new(), super::Replayer::default());
    for (i, record) in from.read(&bytes).into_iter().enumerate() {
        let checked = record
            .map_err(|e| e.to_string())
            .and_then(|record| replayer.replay(&record).map(|_| record));
        match checked {
            Ok(record) => records.push(record),
            Err(reason) if skip => {
                tracing::warn!("{}: record {}: {reason}", input.display(), i + 1);
            }
            Err(reason) => bail!(
                "{}: record {}: {reason} (--skip-broken leaves such records out)",
                input.display(),
                i + 1
            ),
        }
    }
    let bytes = to.write(&records)?;
    zug_core::files::write_atomically(output, &bytes)
        .with_context(|| format!("cannot write {}", output.display()))?;
    writeln!(std::io::stdout(), "{} records written to {}", records.len(), output.display())?;
    Ok(ExitCode::SUCCESS)
}
