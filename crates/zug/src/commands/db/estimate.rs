//! `zug db estimate`: what would it take?

use super::{bytes, options, solvable, span, threads};
use crate::cli::DbEstimateArgs;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use zug_core::GameEntry;
use zug_core::checks::thousands;
use zug_solve::estimate::{Estimate, Outline, Pace};

/// Lines of a table before the rest is summed up.
const MOST_LINES: usize = 40;

pub fn run(args: &DbEstimateArgs) -> Result<ExitCode> {
    let (entry, solver) = solvable(&args.game, &args.index)?;
    let options = options(&args.index);
    let mut outline = solver.outline(options)?;
    select(&mut outline, args);
    let pace = solver.pace(options, &outline, Duration::from_secs_f64(args.seconds))?;
    let threads = threads(args.threads);
    let estimate = Estimate::new(&outline, &pace, threads);
    let found = Found { entry, outline, pace, estimate, threads };
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", found.as_json(args))?;
    } else {
        write!(out, "{}", found.as_text(args))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Leaves out the parts that were not asked for.
fn select(outline: &mut Outline, args: &DbEstimateArgs) {
    for stage in &mut outline.stages {
        stage.parts.retain(|part| {
            let placed = part.reserve.iter().all(|&n| n == 0);
            (placed || !args.placed) && part.men.iter().all(|&n| n >= args.min_men)
        });
        stage.slots = stage.parts.iter().map(|part| part.slots).sum();
    }
    outline.stages.retain(|stage| stage.slots > 0);
    outline.slots = outline.stages.iter().map(|stage| stage.slots).sum();
}

struct Found {
    entry: GameEntry,
    outline: Outline,
    pace: Pace,
    estimate: Estimate,
    threads: usize,
}

impl Found {
    fn positions(&self) -> u64 {
        (self.outline.slots as f64 * self.pace.fill) as u64
    }

    fn as_json(&self, args: &DbEstimateArgs) -> Json {
        let Found { outline, pace, estimate, .. } = self;
        let stages: Vec<Json> = outline
            .stages
            .iter()
            .map(|stage| {
                let mut value = json!({
                    "name": stage.name, "rank": stage.rank, "slots": stage.slots,
                    "parts": stage.parts.len(),
                });
                if args.parts {
                    let part = |part: &zug_solve::estimate::OutlinePart| {
                        let side = self.entry.game.side_name(part.side);
                        json!({ "pieces": part.pieces, "side_to_move": side, "slots": part.slots })
                    };
                    value["parts"] = stage.parts.iter().map(part).collect();
                }
                value
            })
            .collect();
        json!({
            "game": self.entry.game.spec(),
            "slots": outline.slots,
            "largest_stage": outline.largest(),
            "positions_estimate": self.positions(),
            "fill_estimate": pace.fill,
            "moves_estimate": pace.moves,
            "memory_bytes_estimate": estimate.memory,
            "disk_bytes_estimate": estimate.disk,
            "solved_for_a_try": { "slots": pace.solved.0, "cpu_seconds": pace.solved.1 },
            "cpu_seconds_estimate": estimate.cpu_seconds,
            "seconds_estimate": estimate.seconds,
            "threads": self.threads,
            "fits": args.memory.map(|memory| estimate.memory <= memory),
            "stages": stages,
        })
    }

    fn as_text(&self, args: &DbEstimateArgs) -> String {
        let Found { outline, pace, estimate, .. } = self;
        let mut text = String::new();
        if args.parts {
            self.parts(&mut text);
        } else if outline.stages.len() > 1 {
            self.stages(&mut text);
        }
        let _ = writeln!(
            text,
            "{}: {} slots in {} and {}, exactly.",
            self.entry.game.spec(),
            thousands(outline.slots),
            plural(outline.stages.len(), "stage"),
            plural(outline.stages.iter().map(|s| s.parts.len()).sum(), "part"),
        );
        let _ = writeln!(
            text,
            "Estimated from {} slots drawn at random: {:.1} % hold a position of their own (about {} positions), with {:.1} moves each.",
            thousands(pace.tried),
            100.0 * pace.fill,
            thousands(self.positions()),
            pace.moves
        );
        if pace.solved.0 > 0 {
            let _ = writeln!(
                text,
                "{} slots of the lowest stages were solved for a try, in {} of processor time.",
                thousands(pace.solved.0),
                span(pace.solved.1)
            );
        }
        let _ = writeln!(text, "memory  about {}", bytes(estimate.memory));
        let _ = writeln!(text, "disk    about {}, within a factor of three", bytes(estimate.disk));
        let _ = writeln!(
            text,
            "time    about {} of processor time to solve: {} with {} and nothing else to do; writing the files comes on top",
            span(estimate.cpu_seconds),
            span(estimate.seconds),
            plural(self.threads, "thread"),
        );
        if let Some(memory) = args.memory {
            let fits = estimate.memory <= memory;
            let _ = writeln!(
                text,
                "{} {}",
                bytes(memory),
                if fits {
                    "of memory are enough."
                } else {
                    "of memory are less than this; a build with --memory works from files, more slowly."
                }
            );
        }
        text
    }

    fn stages(&self, text: &mut String) {
        let stages = &self.outline.stages;
        let width = stages.iter().map(|s| s.name.len()).max().unwrap_or(0).max(5);
        let _ = writeln!(text, "{:<width$} {:>18} {:>6}", "stage", "slots", "parts");
        for stage in stages.iter().take(MOST_LINES) {
            let (slots, parts) = (thousands(stage.slots), stage.parts.len());
            let _ = writeln!(text, "{:<width$} {slots:>18} {parts:>6}", stage.name);
        }
        if let Some(rest) = stages.get(MOST_LINES..).filter(|rest| !rest.is_empty()) {
            let slots = thousands(rest.iter().map(|s| s.slots).sum::<u64>());
            let parts: usize = rest.iter().map(|s| s.parts.len()).sum();
            let name = format!("{} more", rest.len());
            let _ = writeln!(text, "{name:<width$} {slots:>18} {parts:>6}");
        }
        text.push('\n');
    }

    fn parts(&self, text: &mut String) {
        for stage in &self.outline.stages {
            for part in &stage.parts {
                let side = self.entry.game.side_name(part.side);
                let mirror = if part.mirrored { " (and its mirror image)" } else { "" };
                let slots = thousands(part.slots);
                let _ = writeln!(
                    text,
                    "{slots:>18}  {}: {}, {side} to move{mirror}",
                    stage.name, part.pieces
                );
            }
        }
        text.push('\n');
    }
}

fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
