//! `zug bench GAME --signature`: does the engine search as it did?

use crate::cli::BenchArgs;
use crate::progress::progress;
use crate::stop;
use crate::terminal::count;
use anyhow::{Context, Result};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use zug_core::bench::Bench;
use zug_core::{GameEntry, Spec};

pub fn run(entry: &GameEntry, args: &BenchArgs) -> Result<ExitCode> {
    let game = entry.game.spec();
    let bench: &Bench =
        entry.extension().with_context(|| format!("the engine of {game} has no signature"))?;
    let depth = args.depth.unwrap_or(bench.depth);
    let first = entry.players.first().context("nobody plays this game")?;
    let mut player = entry.player(&Spec { name: first.name.to_string(), options: Vec::new() })?;
    let stop = stop::on_interrupt();
    let bar = progress("positions");
    bar.set_length(Some(bench.positions.len() as u64));
    let mut told = |number: usize, _: &str| bar.advance(u64::from(number > 1));
    let run = bench.run(&*entry.game, &mut *player, depth, &stop.shared(), &mut told)?;
    bar.finish();
    let Some(run) = run else {
        tell!("zug: stopped");
        return Ok(ExitCode::from(130));
    };
    let signature = (depth == bench.depth).then_some(bench.signature);
    let same = signature.is_none_or(|signature| signature == run.nodes);
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = json!({
            "game": game, "depth": depth, "nodes": run.nodes,
            "seconds": run.elapsed.as_secs_f64(), "nodes_per_second": run.nodes_per_second(),
            "signature": signature, "same": same,
        });
        writeln!(out, "{report:#}")?;
    } else {
        let speed = count(run.nodes_per_second());
        let verdict = match signature {
            None => format!("at depth {depth}; the signature is told at depth {}", bench.depth),
            Some(_) if same => "as it should be".to_string(),
            Some(signature) => format!("not {signature}: the engine is another one"),
        };
        writeln!(out, "{} nodes, {verdict} ({speed} a second)", run.nodes)?;
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
