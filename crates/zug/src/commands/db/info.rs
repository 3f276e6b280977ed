//! `zug db info`: what is in a database.

use super::{Opened, bytes, open};
use crate::cli::DbInfoArgs;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use zug_core::checks::thousands;
use zug_solve::Measure;
use zug_solve::face::stage_reports;

pub fn run(args: &DbInfoArgs) -> Result<ExitCode> {
    let opened = open(&args.dir)?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", as_json(&opened, args)?)?;
    } else {
        write!(out, "{}", as_text(&opened, args)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// As it is written on the command line.
pub(super) fn metric_word(metric: Measure) -> &'static str {
    match metric {
        Measure::Dtm => "dtm",
        Measure::Dtc => "dtc",
        Measure::Wdl => "wdl",
    }
}

/// Slots, used slots, raw bytes and stored bytes of all finished stages.
fn totals(opened: &Opened) -> (u64, u64, u64, u64) {
    let manifest = opened.database.manifest();
    let slots = manifest.stages.iter().map(|s| s.slots).sum();
    let used = |s: &zug_solve::store::StageEntry| s.counts.won + s.counts.drawn + s.counts.lost;
    let used = manifest.stages.iter().map(used).sum();
    let raw = opened.database.sizes().iter().map(|part| part.raw).sum();
    (slots, used, raw, manifest.stages.iter().map(|s| s.bytes).sum())
}

fn as_json(opened: &Opened, args: &DbInfoArgs) -> Result<Json> {
    let manifest = opened.database.manifest();
    let (slots, used, raw, stored) = totals(opened);
    let reports = stage_reports(&args.dir)?;
    let stages: Vec<Json> = manifest
        .stages
        .iter()
        .map(|s| {
            json!({
                "name": s.name, "rank": s.rank, "file": s.file, "slots": s.slots,
                "stored_bytes": s.bytes, "digest": s.digest,
                "illegal": s.counts.illegal, "duplicates": s.counts.duplicate,
                "won": s.counts.won, "drawn": s.counts.drawn, "lost": s.counts.lost,
                "longest": s.counts.longest,
            })
        })
        .collect();
    Ok(json!({
        "game": manifest.game,
        "title": opened.entry.game.title(),
        "metric": metric_word(manifest.metric),
        "complete": opened.database.is_complete(),
        "stages_planned": opened.database.outline().stages.len(),
        "index": {
            "symmetry": manifest.index.symmetry,
            "mirror": manifest.index.mirror,
            "reference": manifest.index.reference,
            "slots": manifest.index.slots,
        },
        "one_side": manifest.one_side,
        "slots": slots,
        "positions": used,
        "fill": used as f64 / slots.max(1) as f64,
        "raw_bytes": raw,
        "stored_bytes": stored,
        "bytes_per_position": stored as f64 / used.max(1) as f64,
        "digest": manifest.digest(),
        "program": manifest.program,
        "command": manifest.command,
        "seconds": reports.iter().map(|r| r.seconds + r.write_seconds).sum::<f64>(),
        "cpu_seconds": reports.iter().map(|r| r.cpu_seconds).sum::<f64>(),
        "stages": stages,
    }))
}

fn as_text(opened: &Opened, args: &DbInfoArgs) -> Result<String> {
    let manifest = opened.database.manifest();
    let (slots, used, raw, stored) = totals(opened);
    let outline = opened.database.outline();
    let mut text = String::new();
    let mut line = |name: &str, what: String| {
        let _ = writeln!(text, "{name:<10} {what}");
    };
    line("game", format!("{} ({})", manifest.game, opened.entry.game.title()));
    let sides = if manifest.one_side { ", one side to move stored" } else { "" };
    line("metric", format!("{}{sides}", super::metric(opened)));
    line("index", manifest.index.to_string());
    let fill = 100.0 * used as f64 / slots.max(1) as f64;
    line("positions", format!("{} in {} slots ({fill:.2} %)", thousands(used), thousands(slots)));
    line(
        "size",
        format!(
            "{} stored, {} unpacked; {:.3} bytes a position",
            bytes(stored),
            bytes(raw),
            stored as f64 / used.max(1) as f64
        ),
    );
    line("stages", format!("{} of {} built", manifest.stages.len(), outline.stages.len()));
    if !opened.database.is_complete() {
        line("go on", super::resume_command(&args.dir, manifest));
    }
    line("digest", manifest.digest());
    line("made by", format!("zug {}", manifest.program));
    if let Some(command) = &manifest.command {
        line("command", zug_core::error::shorten(command));
    }
    let reports = stage_reports(&args.dir)?;
    if !reports.is_empty() {
        let cpu: f64 = reports.iter().map(|r| r.cpu_seconds).sum();
        let wall: f64 = reports.iter().map(|r| r.seconds + r.write_seconds).sum();
        line(
            "took",
            format!("{}; solving {} of processor time", super::span(wall), super::span(cpu)),
        );
    }
    let traps = zug_solve::perfect::trap::kept(&args.dir);
    for path in &traps {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let size = std::fs::metadata(path).map_or(0, |data| data.len());
        line("traps", format!("{name}, {} (for style=trap; may be deleted)", bytes(size)));
    }
    let width = manifest.stages.iter().map(|s| s.name.len()).max().unwrap_or(0).max(5);
    let _ = writeln!(
        text,
        "\n{:<width$} {:>15} {:>12} {:>15} {:>15} {:>15} {:>7}",
        "stage", "slots", "stored", "won", "drawn", "lost", "longest"
    );
    for stage in &manifest.stages {
        let counts = &stage.counts;
        let _ = writeln!(
            text,
            "{:<width$} {:>15} {:>12} {:>15} {:>15} {:>15} {:>7}",
            stage.name,
            thousands(stage.slots),
            bytes(stage.bytes),
            thousands(counts.won),
            thousands(counts.drawn),
            thousands(counts.lost),
            counts.longest
        );
    }
    Ok(text)
}
