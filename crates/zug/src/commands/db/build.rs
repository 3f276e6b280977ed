//! `zug db build`: solve, stage by stage, into a folder.

use super::{bytes, options, solvable, span, threads};
use crate::cli::{DbBuildArgs, DbMethod, DbMetric, DbReference};
use crate::progress::progress;
use crate::stop;
use anyhow::{Result, bail};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use zug_core::checks::thousands;
use zug_solve::Measure;
use zug_solve::face::{BuildError, BuildOrder, Built, Method};

pub fn run(args: &DbBuildArgs) -> Result<ExitCode> {
    let (entry, solver) = solvable(&args.game, &args.index)?;
    let game = entry.game.spec();
    let method = match args.method {
        DbMethod::Fast => Method::Fast,
        DbMethod::Basic => Method::Basic,
        DbMethod::Counters => Method::Counters,
    };
    if args.cache.is_some() && method == Method::Fast {
        bail!("--cache goes with --method basic or counters; the fast method has --memory");
    }
    if args.memory.is_some() && method != Method::Fast {
        bail!("--memory goes with the fast method; --method basic and counters have --cache");
    }
    let order = BuildOrder {
        options: options(&args.index),
        measure: match args.metric {
            DbMetric::Dtm => Measure::Dtm,
            DbMetric::Dtc => Measure::Dtc,
            DbMetric::Wdl => Measure::Wdl,
        },
        one_side: args.one_side,
        threads: threads(args.threads),
        method,
        cache_percent: args.cache,
        memory: args.memory,
        resume: args.resume,
        command: command(&game, args),
    };
    let flag = stop::on_interrupt();
    let bar = progress(&game);
    let built = match solver.build(&args.out, &order, bar.as_ref(), &flag) {
        Ok(built) => built,
        Err(BuildError::Stopped { finished, stages }) => {
            drop(bar);
            tell!(
                "zug: stopped with {finished} of {stages} stages finished; the same command with \
                 --resume goes on"
            );
            return Ok(ExitCode::from(130));
        }
        Err(error) => {
            drop(bar);
            return Err(error.into());
        }
    };
    drop(bar);
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", as_json(&game, args, &built))?;
    } else {
        write!(out, "{}", as_text(&game, args, &built))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line without what does not change the result: where, how fast, in how many goes.
fn command(game: &str, args: &DbBuildArgs) -> String {
    let mut text = format!("zug db build {game}");
    for (given, word) in [
        (args.index.no_symmetry, " --no-symmetry"),
        (args.index.no_mirror, " --no-mirror"),
        (args.one_side, " --one-side"),
    ] {
        if given {
            text.push_str(word);
        }
    }
    if args.index.reference == DbReference::Most {
        text.push_str(" --reference most");
    }
    text.push_str(match args.metric {
        DbMetric::Dtm => "",
        DbMetric::Dtc => " --metric dtc",
        DbMetric::Wdl => " --metric wdl",
    });
    text
}

fn totals(built: &Built) -> (f64, f64, u64, u64) {
    built.stages.iter().fold((0.0, 0.0, 0, 0), |(wall, cpu, slots, peak), stage| {
        let wall = wall + stage.seconds + stage.write_seconds;
        (wall, cpu + stage.cpu_seconds, slots + stage.slots, stage.peak_bytes.max(peak))
    })
}

/// The most memory that the whole program has had resident, where the system tells.
fn resident(built: &Built) -> Option<u64> {
    built.stages.iter().filter_map(|stage| stage.peak_resident).max()
}

fn as_json(game: &str, args: &DbBuildArgs, built: &Built) -> serde_json::Value {
    let (seconds, cpu, solved, peak) = totals(built);
    json!({
        "game": game,
        "folder": args.out.display().to_string(),
        "slots": built.slots,
        "stored_bytes": built.stored,
        "bytes_per_slot": built.stored as f64 / built.slots.max(1) as f64,
        "stages_found": built.found,
        "seconds": seconds,
        "cpu_seconds": cpu,
        "slots_per_cpu_second": if cpu > 0.0 { solved as f64 / cpu } else { 0.0 },
        "peak_bytes": peak,
        "peak_resident_bytes": resident(built),
        "stages": built.stages,
    })
}

fn as_text(game: &str, args: &DbBuildArgs, built: &Built) -> String {
    let mut text = String::new();
    let width = built.stages.iter().map(|s| s.stage.len()).max().unwrap_or(0).max(5);
    if built.stages.len() > 1 {
        let _ = writeln!(
            text,
            "{:<width$} {:>15} {:>12} {:>10} {:>10}",
            "stage", "slots", "stored", "seconds", "processor"
        );
        for stage in &built.stages {
            let _ = writeln!(
                text,
                "{:<width$} {:>15} {:>12} {:>10.2} {:>10.2}",
                stage.stage,
                thousands(stage.slots),
                bytes(stage.stored),
                stage.seconds,
                stage.cpu_seconds
            );
        }
    }
    let (seconds, cpu, solved, peak) = totals(built);
    if built.found > 0 {
        let _ = writeln!(text, "{} stages were there already.", built.found);
    }
    let _ = writeln!(
        text,
        "{game}: {} slots in {}, {} on disk ({:.3} bytes a slot).",
        thousands(built.slots),
        args.out.display(),
        bytes(built.stored),
        built.stored as f64 / built.slots.max(1) as f64
    );
    if solved > 0 {
        let _ = writeln!(
            text,
            "Took {}: solving {} of processor time, {:.2} million slots a second of it; at most {} of memory{}.",
            span(seconds),
            span(cpu),
            solved as f64 / cpu.max(1e-9) / 1e6,
            bytes(peak),
            resident(built).map_or(String::new(), |all| format!(", {} with all else", bytes(all)))
        );
    }
    text
}
