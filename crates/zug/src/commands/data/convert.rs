//! `zug data convert`: records from one format to another.

use crate::cli::Overwrite;
use crate::commands::places::{claim_one, insist_on_apart};
use crate::commands::{Replayer, record_files};
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use zug_core::{GameEntry, Record, RecordError, RecordFormat};

/// Records that could not be read or played through stop everything, or are left out.
struct Sieve<'a> {
    input: &'a Path,
    skips: bool,
    replayer: Replayer,
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
                let reason = format!("{}: game {}: {reason}", self.input.display(), self.met);
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

pub fn run(
    entry: &GameEntry,
    input: &Path,
    output: &Path,
    skips: bool,
    overwrite: Overwrite,
) -> Result<ExitCode> {
    let to = record_files::format_for(entry, output)?;
    insist_on_apart([output], [input])?;
    let _claimed = claim_one(output, overwrite)?;
    let (from, bytes) = record_files::read(entry, input)?;
    let replayer = Replayer::default();
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
