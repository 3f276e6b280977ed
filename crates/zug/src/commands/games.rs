//! `zug games`: the catalogue, one game in detail, and the self-check of a game's rules.

use crate::cli::{GamesArgs, GamesCommand};
use crate::registry::{self, families};
use crate::terminal::{Marks, Style, draw};
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::{Capability, GameEntry, Side};

const CAPABILITIES: [Capability; 5] = [
    Capability::Evaluation,
    Capability::Policy,
    Capability::Symmetry,
    Capability::Index,
    Capability::Retro,
];

pub fn run(args: GamesArgs) -> Result<ExitCode> {
    match args.what {
        None => list(args.json),
        Some(GamesCommand::Show { game, json }) => show(&game, json),
        Some(GamesCommand::Check { game, seed, json }) => check(&game, seed, json),
    }
}

fn list(as_json: bool) -> Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    let mut rows = Vec::new();
    if !as_json {
        write!(out, "{:<11} {:<28}", "game", "title")?;
        for capability in CAPABILITIES {
            write!(out, " {:<10}", word(capability))?;
        }
        writeln!(out, " options")?;
    }
    for family in families() {
        let entry = registry::open(family.name)?;
        if as_json {
            let mut row = describe(&entry);
            row["name"] = family.name.into();
            row["help"] = family.help.into();
            rows.push(row);
            continue;
        }
        write!(out, "{:<11} {:<28}", family.name, entry.game.title())?;
        for capability in CAPABILITIES {
            let part = registry::numbered_part(family.name);
            let mark = match (entry.capabilities.contains(&capability), capability, part) {
                (true, ..) => "yes",
                (false, Capability::Index, Some((word, ..))) => word,
                _ => "-",
            };
            write!(out, " {mark:<10}")?;
        }
        writeln!(out, " {}", family.help)?;
    }
    if as_json {
        writeln!(out, "{:#}", Value::from(rows))?;
    } else {
        writeln!(out, "\nEvery game can be played, searched, matched and served: zug play GAME.")?;
        writeln!(
            out,
            "More about one: zug games show GAME. Test its rules: zug games check GAME."
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn word(capability: Capability) -> &'static str {
    match capability {
        Capability::Evaluation => "evaluation",
        Capability::Policy => "policy",
        Capability::Symmetry => "symmetry",
        Capability::Index => "index",
        Capability::Retro => "retro",
    }
}

fn describe(entry: &GameEntry) -> Value {
    json!({
        "spec": entry.game.spec(),
        "title": entry.game.title(),
        "sides": Side::BOTH.map(|s| entry.game.side_name(s)),
        "start": entry.game.new_line().position_text(),
        "capabilities": entry.capabilities.iter().map(|&c| word(c)).collect::<Vec<_>>(),
        "players": entry.players.iter()
            .map(|p| json!({"name": p.name, "help": p.help})).collect::<Vec<_>>(),
        "formats": entry.formats.iter()
            .map(|f| json!({"name": f.name(), "extensions": f.extensions()})).collect::<Vec<_>>(),
        "checks": entry.checks.iter().map(|c| c.name).collect::<Vec<_>>(),
    })
}

fn show(game: &str, as_json: bool) -> Result<ExitCode> {
    let entry = registry::open(game)?;
    let mut out = anstream::stdout().lock();
    if as_json {
        writeln!(out, "{:#}", describe(&entry))?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = entry.game.new_line();
    writeln!(out, "{} ({})\n", entry.game.title(), entry.game.spec())?;
    let picture = line.picture();
    let style = Style::of_stdout(false);
    writeln!(out, "{}", draw(entry.game.as_ref(), &picture, &Marks::default(), style))?;
    writeln!(out, "sides    {}, {}", side(&entry, Side::First), side(&entry, Side::Second))?;
    writeln!(out, "start    {}", line.position_text())?;
    let abilities: Vec<&str> = entry.capabilities.iter().map(|&c| word(c)).collect();
    writeln!(out, "can do   {}", abilities.join(", "))?;
    for kind in &entry.players {
        writeln!(out, "player   {:<8} {}", kind.name, kind.help)?;
    }
    for format in &entry.formats {
        writeln!(out, "records  {:<8} .{}", format.name(), format.extensions().join(", ."))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn side(entry: &GameEntry, side: Side) -> &'static str {
    entry.game.side_name(side)
}

fn check(game: &str, seed: u64, as_json: bool) -> Result<ExitCode> {
    let entry = registry::open(game)?;
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    let mut failures = 0;
    for check in &entry.checks {
        let begin = Instant::now();
        let result = (check.run)(seed);
        let seconds = begin.elapsed().as_secs_f64();
        let (good, text) = match &result {
            Ok(text) => (true, text),
            Err(text) => (false, text),
        };
        failures += usize::from(!good);
        if as_json {
            rows.push(json!({"check": check.name, "ok": good, "detail": text, "seconds": seconds}));
        } else {
            let mark = if good { "ok  " } else { "FAIL" };
            writeln!(out, "{mark} {:<12} {text}", check.name)?;
        }
    }
    if as_json {
        let report = json!({
            "game": entry.game.spec(), "seed": seed, "ok": failures == 0, "checks": rows,
        });
        writeln!(out, "{report:#}")?;
    } else {
        let total = entry.checks.len();
        writeln!(out, "{}: {} of {total} checks passed", entry.game.spec(), total - failures)?;
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
