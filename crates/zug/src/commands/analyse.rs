//! `zug analyse`: the best moves of a position, with values and lines; of each position of a file; or
//! what every move of a game was worth.
//!
//! | file | answers |
//! |---|---|
//! | `game` | which games, and what is told about them? |
//! | `account` | what did the moves of a side cost together? |
//! | `page` | how does that look? |
//!
//! What each position of a game is worth, and what each move cost, says [`zug_book::review`].

mod account;
mod game;
mod page;

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
use zug_book::review::{foreign_unit, proven_winner, scale_of};
use zug_core::{
    AnyLine, Bound, Choice, GameEntry, Info, Limits, Scale, Score, Spec, Verdict, Watch,
};

/// How many best moves of a position are shown.
const USUAL_LINES: u16 = 5;

/// What there is to do.
enum Work {
    Positions(GameEntry, Vec<Task>),
    Games(game::Games),
}

/// A position to look at, and how it was written.
struct Task {
    text: Option<String>,
    line: Box<dyn AnyLine>,
}

pub fn run(args: &AnalyseArgs) -> Result<ExitCode> {
    let (entry, tasks) = match work(registry::open(&args.game)?, args)? {
        Work::Positions(entry, tasks) => (entry, tasks),
        Work::Games(games) => return game::run(games, args),
    };
    for (given, option) in [
        (args.report.is_some(), "--report"),
        (args.games.is_some(), "--game"),
        (args.error.is_some(), "--error"),
        (args.blunder.is_some(), "--blunder"),
    ] {
        if given {
            bail!(
                "{option} is for whole games: a file of records (without --ply), or a game's moves"
            );
        }
    }
    let spec =
        Spec::parse(&args.player).with_context(|| format!("in the player '{}'", args.player))?;
    let factory = zug_arena::player(&entry, &spec)
        .with_context(|| format!("in the player '{}'", args.player))?;
    let limits = Limits {
        lines: usize::from(args.lines.unwrap_or(USUAL_LINES)),
        ..args.limits.limits(Duration::from_secs(2))
    };
    let many = tasks.len() > 1;
    let mut reports = Vec::new();
    // One for all positions: its tables are large.
    let mut player = factory.make(args.seed)?;
    let scale = scale_of(&entry, &*player);
    let unit = foreign_unit(&entry, &*player);
    for task in tasks {
        player.new_game(task.line.as_ref())?;
        let mut best: BTreeMap<usize, Info> = BTreeMap::new();
        let mut keep = |info: &Info| {
            best.insert(info.rank.max(1), info.clone());
        };
        let mut watch = Watch::new(Arc::default(), &mut keep);
        let choice = player.choose(task.line.as_ref(), &limits, &mut watch)?;
        if best.is_empty() {
            best.extend(choice.info.clone().map(|info| (1, info)));
        }
        if args.json {
            reports.push(report(&entry, &task, &choice, &best, scale));
        } else {
            show(&entry, &task, &choice, &best, (many, unit))?;
        }
    }
    if args.json {
        let whole = if many { Value::from(reports) } else { reports.remove(0) };
        writeln!(std::io::stdout(), "{whole:#}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn report(
    entry: &GameEntry,
    task: &Task,
    choice: &Choice,
    best: &BTreeMap<usize, Info>,
    scale: Scale,
) -> Value {
    let line = task.line.as_ref();
    let mut report = json!({
        "game": entry.game.spec(),
        "position": task.line.position_text(),
        "to_move": entry.game.side_name(task.line.to_move()),
        "move": choice.mv,
        "unit": scale.unit(),
        "lines": best.values().map(|info| info_json(info, line)).collect::<Vec<_>>(),
    });
    if let Some(text) = &task.text {
        report["text"] = text.as_str().into();
    }
    report
}

fn show(
    entry: &GameEntry,
    task: &Task,
    choice: &Choice,
    best: &BTreeMap<usize, Info>,
    (many, unit): (bool, Option<&str>),
) -> Result<()> {
    let mut out = anstream::stdout().lock();
    let line = &task.line;
    if many {
        let text = task.text.clone().unwrap_or_else(|| line.position_text());
        let info = best.values().next().map(|info| thought(info, line.as_ref(), unit));
        let info = info.unwrap_or_default();
        writeln!(out, "{text}\n  {}   {info}", choice.mv)?;
        return Ok(());
    }
    let marks = Marks { last: line.last_move_cells(), hints: Vec::new() };
    let style = Style::of_stdout(false);
    writeln!(out, "{}", draw(entry.game.as_ref(), &line.picture(), &marks, style))?;
    writeln!(out, "{} to move, {}:", entry.game.side_name(line.to_move()), line.position_text())?;
    for (rank, info) in best {
        writeln!(out, "{rank:>3}. {}", thought(info, line.as_ref(), unit))?;
    }
    writeln!(out, "{}", choice.mv)?;
    Ok(())
}

/// A report as JSON; values are for the side to move. Where only the winner is proven there is no
/// value.
fn info_json(info: &Info, line: &dyn AnyLine) -> Value {
    let winner = proven_winner(info, line.to_move());
    let value = info.score.filter(|_| winner.is_none()).map(|s| match s.verdict() {
        Verdict::Estimate(0) if info.proven => json!({"draw": true}),
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
        "proven_winner": winner.map(|side| line.side_name(side)),
        "proven": info.proven || info.score.is_some_and(Score::is_proven),
        "bound": match info.bound {
            Bound::Exact => None,
            Bound::AtLeast => Some("at_least"),
            Bound::AtMost => Some("at_most"),
        },
        "win_rate": info.win_rate,
        "depth": info.depth,
        "lead": info.lead,
        "nodes": info.nodes,
        "visits": info.visits.first(),
        "prior": info.prior,
        "seconds": info.elapsed.as_secs_f64(),
        "line": info.line,
    })
}

/// What the words ask for: one position, a whole game, or each line of a file of positions.
fn work(entry: GameEntry, args: &AnalyseArgs) -> Result<Work> {
    let path = Path::new(&args.position);
    if path.is_dir() {
        bail!("{}: this is a folder; expected a position or a file", path.display());
    }
    if !path.is_file() {
        if super::record_files::format_for(&entry, path).is_ok() && !args.position.contains(' ') {
            bail!("there is no file {}", path.display());
        }
        return words(entry, args);
    }
    if super::record_files::format_for(&entry, path).is_err() {
        let tasks = position_file(&entry, path)?;
        return Ok(Work::Positions(entry, tasks));
    }
    let Some(ply) = args.ply else { return Ok(Work::Games(game::of_file(entry, path, args)?)) };
    let (entry, mut line) = super::load_line(entry, path)?;
    if ply > line.ply() {
        bail!("{}: the game has only {} plies", path.display(), line.ply());
    }
    while line.ply() > ply {
        line.undo();
    }
    still_open(line.as_ref())?;
    Ok(Work::Positions(entry, vec![Task { text: None, line }]))
}

/// A position or the moves of a game on the command line.
fn words(entry: GameEntry, args: &AnalyseArgs) -> Result<Work> {
    let error = match super::line_at(&entry, Some(&args.position)) {
        Ok(line) => {
            still_open(line.as_ref())?;
            return Ok(Work::Positions(entry, vec![Task { text: None, line }]));
        }
        Err(error) => error,
    };
    // What begins like moves is meant as a game: its own error says more.
    let begins_with_a_move = {
        let word = args.position.split_whitespace().next().unwrap_or_default();
        let line = entry.game.new_line();
        line.legal_moves()
            .iter()
            .any(|mv| word.get(..mv.len()).is_some_and(|start| start.eq_ignore_ascii_case(mv)))
    };
    match game::of_text(&entry, &args.position) {
        Some(Ok(_)) if args.games.is_some() => {
            bail!("--game chooses among the games of a file; here is one game, by its moves")
        }
        Some(Ok(record)) if args.ply.is_none() => Ok(Work::Games(game::of_record(entry, record))),
        Some(Ok(record)) => {
            let mut line = record
                .replay(entry.game.as_ref())
                .map_err(|(ply, e)| anyhow::anyhow!("move {}: {e}", ply + 1))?;
            while line.ply() > args.ply.unwrap_or(usize::MAX) {
                line.undo();
            }
            still_open(line.as_ref())?;
            Ok(Work::Positions(entry, vec![Task { text: None, line }]))
        }
        Some(Err(broken)) if begins_with_a_move => Err(broken.context("in the moves of the game")),
        _ => Err(error),
    }
}

fn still_open(line: &dyn AnyLine) -> Result<()> {
    match line.outcome() {
        Some(outcome) => bail!("the game has ended here ({})", outcome.reason),
        None => Ok(()),
    }
}

/// Positions one a line; blank lines and lines that begin with `#` or `%` are passed over.
fn position_file(entry: &GameEntry, path: &Path) -> Result<Vec<Task>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut tasks = Vec::new();
    for (number, row) in text.lines().enumerate() {
        let row = row.trim();
        if row.is_empty() || row.starts_with(['#', '%']) {
            continue;
        }
        let place = || format!("{}, line {}", path.display(), number + 1);
        let line = entry.game.line_from(row).with_context(place)?;
        still_open(line.as_ref()).with_context(place)?;
        tasks.push(Task { text: Some(row.to_string()), line });
    }
    if tasks.is_empty() {
        bail!("{}: no position in this file", path.display());
    }
    Ok(tasks)
}
