//! `zug db probe`: one position, and what each move does to it.

use super::{Opened, open, outcome};
use crate::cli::DbProbeArgs;
use anyhow::{Context, Result};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::process::ExitCode;
use zug_solve::face::Probe;
use zug_solve::{Measure, Value};

pub fn run(args: &DbProbeArgs) -> Result<ExitCode> {
    let opened = open(&args.dir)?;
    let probe = opened
        .database
        .probe(&args.position)
        .with_context(|| format!("the position '{}'", zug_core::error::shorten(&args.position)))?;
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", as_json(&opened, &probe))?;
    } else {
        write!(out, "{}", as_text(&opened, &probe))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// In words, as far as the metric goes.
pub(super) fn words(value: Value, metric: Measure) -> String {
    match (metric, value) {
        (_, Value::Draw) => "a draw".to_string(),
        (Measure::Wdl, value) => outcome(value).to_string(),
        (Measure::Dtm, value) => value.to_string(),
        (Measure::Dtc, Value::Win(n)) => format!("won, next conversion in {n}"),
        (Measure::Dtc, Value::Loss(n)) => format!("lost, next conversion in {n}"),
    }
}

fn distance(value: Value, metric: Measure) -> Option<u16> {
    value.plies().filter(|_| metric != Measure::Wdl)
}

fn as_json(opened: &Opened, probe: &Probe) -> Json {
    let metric = opened.database.manifest().metric;
    let moves: Vec<Json> = probe
        .moves
        .iter()
        .map(|m| {
            json!({
                "move": m.mv,
                "value": outcome(m.value),
                "distance": distance(m.value, metric),
                "best": m.best,
                "leads_to": m.leads_to,
            })
        })
        .collect();
    json!({
        "game": opened.database.manifest().game,
        "position": probe.position,
        "side_to_move": opened.entry.game.side_name(probe.side),
        "value": outcome(probe.value),
        "distance": distance(probe.value, metric),
        "metric": super::info::metric_word(metric),
        "ended": probe.ended,
        "stage": probe.stage,
        "slot": probe.slot,
        "moves": moves,
    })
}

fn as_text(opened: &Opened, probe: &Probe) -> String {
    let metric = opened.database.manifest().metric;
    let side = opened.entry.game.side_name(probe.side);
    let mut text = format!("{}\n{side} to move: {}", probe.position, words(probe.value, metric));
    if let Some(reason) = probe.ended {
        text.push_str(&format!(" ({reason})"));
    }
    text.push('\n');
    text.push_str(&moves(probe, metric));
    text
}

/// A line for each move, the best ones marked.
pub(super) fn moves(probe: &Probe, metric: Measure) -> String {
    let width = probe.moves.iter().map(|m| m.mv.chars().count()).max().unwrap_or(0);
    let line = |m: &zug_solve::face::ProbedMove| {
        let mark = if m.best { '*' } else { ' ' };
        format!("{mark} {:<width$}  {}\n", m.mv, words(m.value, metric))
    };
    probe.moves.iter().map(line).collect()
}
