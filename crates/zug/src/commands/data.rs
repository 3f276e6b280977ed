//! `zug data`: records in and out of every format.

use super::record_files;
use crate::cli::{DataArgs, DataCommand};
use crate::registry;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zug_core::{GameEntry, Record, RecordError, RecordFormat, RecordResult};

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
fn files_below(entry: &GameEntry, paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let mut inside: Vec<PathBuf> = std::fs::read_dir(&path)
                .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect())
                .with_context(|| format!("cannot read the folder {}", path.display()))?;
            inside.retain(|p| p.is_dir() || record_files::format_for(entry, p).is_ok());
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
    for path in files_below(entry, paths)? {
        let (format, bytes) = record_files::read(entry, &path)?;
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

/// Records that could not be read or played through stop everything, or are left out.
struct Sieve<'a> {
    input: &'a Path,
    skips: bool,
    replayer: super::Replayer,
    met: usize,
    kept: usize,
    stop: Option<String>,
}

impl Sieve<'_> {
    /// The record, if it is sound; afterwards `stop` says whether to go on.
    fn pass(&mut self, record: Result<Record, RecordError>) -> Option<Record> {
        self.met += 1;
        let checked = record
            .map_err(|e| e.to_string())
            .and_then(|record| self.replayer.replay(&record).map(|_| record));
        match checked {
            Ok(record) => {
                self.kept += 1;
                Some(record)
            }
            Err(reason) => {
                let reason = format!("{}: record {}: {reason}", self.input.display(), self.met);
                if self.skips {
                    tracing::warn!("{reason}");
                } else {
                    self.stop.get_or_insert(reason);
                }
                None
            }
        }
    }
}

fn convert(entry: &GameEntry, input: &Path, output: &Path, skips: bool) -> Result<ExitCode> {
    let to = record_files::format_for(entry, output)?;
    let (from, bytes) = record_files::read(entry, input)?;
    let replayer = super::Replayer::default();
    let mut sieve = Sieve { input, skips, replayer, met: 0, kept: 0, stop: None };
    let again = if from.name() == to.name() {
        from.rewrite(&bytes, &mut |record| sieve.stop.is_none() && sieve.pass(record).is_some())
    } else {
        None
    };
    let is_rewritten = again.is_some();
    let mut records = Vec::new();
    if !is_rewritten {
        from.for_each(&bytes, &mut |record| {
            records.extend(sieve.pass(record));
            sieve.stop.is_none()
        });
    }
    if let Some(reason) = sieve.stop {
        bail!("{reason} (--skip-broken leaves such records out)");
    }
    if !is_rewritten {
        record_files::put_names(from, input, &mut records)?;
    }
    let written = again.unwrap_or_else(|| to.write(&records))?;
    let losses = if is_rewritten {
        None
    } else {
        losses(to, from.games_with_variations(&bytes), &records, &written)
    };
    record_files::write(output, written)?;
    writeln!(std::io::stdout(), "{} records written to {}", sieve.kept, output.display())?;
    if let Some(losses) = losses {
        writeln!(std::io::stderr(), "{losses}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the written file does not say although the records did, in one line. Reading it again is
/// the one way to know that needs no list of what each format can hold.
fn losses(
    to: &dyn RecordFormat,
    varied: usize,
    records: &[Record],
    written: &[u8],
) -> Option<String> {
    let (mut remarked, mut unstated, mut tags) = (0, 0, BTreeSet::new());
    let mut given = records.iter();
    to.for_each(written, &mut |again| {
        let (Some(record), Ok(again)) = (given.next(), again) else { return false };
        let remarks = |r: &Record| r.moves.iter().filter(|m| m.comment.is_some()).count();
        remarked += usize::from(remarks(&again) < remarks(record));
        unstated += usize::from(again.result != record.result);
        // A number that stands where the name stood is not lost.
        let is_number = |name: &str, value: &str| {
            let number = name.strip_suffix("Number").and_then(|name| again.tag(name));
            number.and_then(|v| v.strip_prefix('#')) == Some(value)
        };
        let lost = record
            .tags
            .iter()
            .filter(|(name, value)| again.tag(name) != Some(value) && !is_number(name, value));
        tags.extend(lost.map(|(name, _)| name.as_str()));
        true
    });
    let mut lines = Vec::new();
    for (count, what) in [(varied, "variations"), (remarked, "remarks"), (unstated, "results")] {
        match count {
            0 => {}
            1 => lines.push(format!("1 game has {what}")),
            n => lines.push(format!("{n} games have {what}")),
        }
    }
    if !tags.is_empty() {
        lines.push(format!("there are tags ({})", Vec::from_iter(tags).join(", ")));
    }
    (!lines.is_empty())
        .then(|| format!("{}, which {} files cannot hold", lines.join(", "), to.name()))
}
