//! `zug analyse`: the best moves of a position, with values and lines.

use crate::cli::AnalyseArgs;
use crate::registry;
use crate::terminal::{Marks, Style, draw, thought};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use zug_core::{AnyLine, GameEntry, Info, Limits, Spec, Verdict, Watch};

pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    let (entry, line) = find_line(registry::open(&args.game)?, args)?;
    if let Some(outcome) = line.outcome() {
        bail!("the game has ended here ({})", outcome.reason);
    }
    let spec =
        Spec::parse(&args.player).with_context(|| format!("in the player '{}'", args.player))?;
    let mut player = zug_arena::player(&entry, &spec)?.make(args.seed)?;
    player.new_game(line.as_ref())?;
    let limits = Limits { lines: args.lines.max(1), ..args.limits.limits(Duration::from_secs(2)) };
    let mut best: BTreeMap<usize, Info> = BTreeMap::new();
    let mut keep = |info: &Info| {
        best.insert(info.rank.max(1), info.clone());
    };
    let choice =
        player.choose(line.as_ref(), &limits, &mut Watch::new(Arc::default(), &mut keep))?;
    if best.is_empty()
        && let Some(info) = &choice.info
    {
        best.insert(1, info.clone());
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        let report = json!({
            "game": entry.game.spec(),
            "position": line.position_text(),
            "to_move": entry.game.side_name(line.to_move()),
            "move": choice.mv,
            "lines": best.values().map(info_json).collect::<Vec<_>>(),
        });
        writeln!(out, "{report:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let marks = Marks { last: line.last_move_cells(), hints: Vec::new() };
    let style = Style::of_stdout(false);
    writeln!(out, "{}", draw(entry.game.as_ref(), &line.picture(), &marks, style))?;
    writeln!(out, "{} to move, {}:", entry.game.side_name(line.to_move()), line.position_text())?;
    for (rank, info) in &best {
        writeln!(out, "{rank:>3}. {}", thought(info))?;
    }
    writeln!(out, "{}", choice.mv)?;
    Ok(ExitCode::SUCCESS)
}

/// A report as JSON; values are for the side to move.
pub fn info_json(info: &Info) -> Value {
    let value = info.score.map(|s| match s.verdict() {
        Verdict::Estimate(e) => json!({"estimate": f64::from(e) / 100.0}),
        Verdict::WonIn(n) => json!({"won_in": n}),
        Verdict::LostIn(n) => json!({"lost_in": n}),
        Verdict::WonBy(m) => json!({"won_by": m}),
        Verdict::LostBy(m) => json!({"lost_by": m}),
    });
    json!({
        "rank": info.rank.max(1),
        "move": info.line.first(),
        "value": value,
        "win_rate": info.win_rate,
        "depth": info.depth,
        "nodes": info.nodes,
        "seconds": info.elapsed.as_secs_f64(),
        "line": info.line,
    })
}

fn find_line(entry: GameEntry, args: &AnalyseArgs) -> Result<(GameEntry, Box<dyn AnyLine>)> {
    let path = Path::new(&args.position);
    if !path.is_file() {
        let line = super::line_at(&entry, Some(&args.position))?;
        return Ok((entry, line));
    }
    let (entry, mut line) = super::load_line(entry, path)?;
    if let Some(ply) = args.ply {
        if ply > line.ply() {
            bail!("{}: the game has only {} plies", path.display(), line.ply());
        }
        while line.ply() > ply {
            line.undo();
        }
    }
    Ok((entry, line))
}
