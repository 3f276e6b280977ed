//! How deep does a player look in a given time?

use super::matches;
use crate::cli::BenchArgs;
use crate::stop;
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use zug_core::{GameEntry, Info, Limits, Spec, Watch};

/// How many openings, beside the start of the game.
const OPENINGS: usize = 20;

/// What was reached in one position.
struct Reached {
    name: String,
    seconds: f64,
    info: Info,
}

pub fn run(entry: &GameEntry, args: &BenchArgs) -> Result<ExitCode> {
    let flag = stop::on_interrupt();
    let (count, times) = match (args.quick, args.movetime) {
        (quick, Some(time)) => (if quick { 2 } else { OPENINGS }, vec![time]),
        (true, None) => (2, vec![Duration::from_millis(5)]),
        (false, None) => (OPENINGS, vec![Duration::from_secs(1), Duration::from_secs(10)]),
    };
    let threads = args.threads.unwrap_or(1);
    let spec = Spec::parse(&format!("zug:threads={threads},hash=256"))?;
    let factory = zug_arena::player(entry, &spec)?;
    let Some(openings) = matches::openings(entry, args, count, 1, &flag)? else {
        return Ok(ExitCode::from(130));
    };
    let mut lines = vec![("start".to_string(), entry.game.new_line())];
    for opening in openings.iter().take(count) {
        lines.push((opening.moves.concat(), opening.line(entry.game.as_ref())?));
    }
    let mut reached: Vec<Reached> = Vec::new();
    for &time in &times {
        for (name, line) in &lines {
            if flag.is_set() {
                tell!("zug: stopped");
                return Ok(ExitCode::from(130));
            }
            let mut player = factory.make(args.seed)?;
            player.new_game(line.as_ref())?;
            let limits = Limits { movetime: Some(time), ..Limits::default() };
            let mut last = None;
            let mut keep = |info: &Info| last = Some(info.clone());
            let choice =
                player.choose(line.as_ref(), &limits, &mut Watch::new(flag.shared(), &mut keep))?;
            let Some(info) = last.or(choice.info) else { continue };
            reached.push(Reached { name: name.clone(), seconds: time.as_secs_f64(), info });
        }
    }
    let means: Vec<(f64, f64, f64)> = times
        .iter()
        .map(|time| {
            let seconds = time.as_secs_f64();
            let of = reached.iter().filter(|r| r.seconds == seconds && r.name != "start");
            let all: Vec<&Reached> = of.collect();
            let mean = |f: fn(&Reached) -> f64| {
                all.iter().map(|r| f(r)).sum::<f64>() / all.len().max(1) as f64
            };
            let rate = mean(|r| r.info.nodes_per_second() as f64);
            (seconds, mean(|r| f64::from(r.info.depth)), rate)
        })
        .collect();
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "experiment": "depth", "player": spec.to_string(),
            "positions": reached.iter().map(row).collect::<Vec<_>>(),
            "openings": means.iter().map(|(seconds, depth, rate)| json!({
                "seconds": seconds, "mean_depth": depth, "nodes_per_second": rate,
            })).collect::<Vec<_>>(),
        });
        writeln!(out, "{report:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        out,
        "{:<24} {:>8} {:>6} {:>10} {:>10}",
        "position", "seconds", "depth", "nodes", "nodes/s"
    )?;
    for r in &reached {
        let (nodes, rate) = (
            crate::terminal::count(r.info.nodes),
            crate::terminal::count(r.info.nodes_per_second()),
        );
        writeln!(
            out,
            "{:<24} {:>8} {:>6} {nodes:>10} {rate:>10}",
            r.name, r.seconds, r.info.depth
        )?;
    }
    for (seconds, depth, rate) in means {
        let rate = crate::terminal::count(rate as u64);
        writeln!(out, "mean of the openings, {seconds} s: depth {depth:.1}, {rate} nodes/s")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn row(reached: &Reached) -> Value {
    json!({
        "position": reached.name, "seconds": reached.seconds, "depth": reached.info.depth,
        "nodes": reached.info.nodes, "nodes_per_second": reached.info.nodes_per_second(),
        "proven": reached.info.proven,
    })
}
