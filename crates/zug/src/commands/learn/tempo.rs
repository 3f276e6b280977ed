//! `zug learn othello tempo`: how much too well does a model think of the side to move?

use super::probcut::read;
use crate::cli::LearnTempoArgs;
use crate::commands::data::generate::{mebibytes, model_digest, model_file, remove, stopped};
use crate::commands::data::sources;
use crate::commands::data::threads;
use crate::commands::places::{claim, insist_on_apart};
use crate::progress::progress;
use crate::stop;
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use zug_core::GameEntry;
use zug_core::checks::thousands;
use zug_core::container::Header;
use zug_core::files::write_atomically;
use zug_othello::examples::ExampleError;
use zug_othello::models::{self, AnyModel};
use zug_othello::probcut::Games;
use zug_othello::tempo::{LearnedTempo, TempoOrder, learn};

/// Games of its own, where none are given.
const OWN_GAMES: usize = 2000;

pub fn run(entry: &GameEntry, args: &LearnTempoArgs) -> Result<ExitCode> {
    let spec = entry.game.spec();
    if spec != zug_othello::examples::file::GAME {
        bail!("a model is measured for othello on the 8x8 board, not for '{spec}'");
    }
    let files = sources::files(entry, &args.games)?;
    let inputs = files.iter().map(PathBuf::as_path).chain(model_file(args.model.as_deref()));
    insist_on_apart(args.report.iter().chain(&args.out).map(PathBuf::as_path), inputs)?;
    let claimed = claim(args.out.as_deref(), args.overwrite)?;
    let _report = claim(args.report.as_deref(), args.overwrite)?;
    let name = args.model.as_deref().unwrap_or(models::SHIPPED[0].name);
    let opened = models::open_with_header(name)?;
    let AnyModel::Patterns(model) = opened.model else {
        bail!("the model '{name}' counts no discs; expected one that is a sum of tables");
    };
    let (flag, begun) = (stop::on_interrupt(), Instant::now());
    let games = match args.games.is_empty() {
        true => Games::own(&model, OWN_GAMES, args.positions as usize, args.seed, &flag),
        false => read(entry, &args.games, args.positions, args.seed)?,
    };
    let journals = match claimed.first() {
        Some(out) => Some([
            out.unfinished("tempo-before", args.resume)?,
            out.unfinished("tempo-after", args.resume)?,
        ]),
        None => None,
    };
    let command = command(args);
    let order = TempoOrder {
        positions: args.positions as usize,
        depth: args.depth,
        every: args.every,
        fits: args.out.is_some(),
        threads: threads(args.threads),
        hash_mib: mebibytes(args.hash),
        journals: journals.as_ref().map(|paths| paths.each_ref().map(PathBuf::as_path)),
        command: &command,
    };
    let bar = progress("positions");
    let learned = learn(&order, model, &games, bar.as_ref(), &flag);
    drop(bar);
    let learned = match learned {
        Err(ExampleError::Stopped) if journals.is_some() => return Ok(stopped()),
        Err(ExampleError::Stopped) => {
            tell!("zug: stopped");
            return Ok(ExitCode::from(130));
        }
        learned => learned?,
    };
    if let Some(out) = &args.out {
        let header = header(opened.header, &learned, name, &command)?;
        learned.model.write(out, &header)?;
    }
    if let Some(report) = &args.report {
        write_atomically(report, learned.page(&command).as_bytes())?;
    }
    for journal in journals.iter().flatten() {
        remove(journal)?;
    }
    report(args, name, &games, &learned, begun.elapsed().as_secs_f64())
}

fn report(
    args: &LearnTempoArgs,
    name: &str,
    games: &Games,
    learned: &LearnedTempo,
    seconds: f64,
) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let path = |path: &Option<PathBuf>| path.as_ref().map(|p| p.display().to_string());
    if args.json {
        let all = json!({
            "game": zug_othello::examples::file::GAME,
            "model": name,
            "out": path(&args.out),
            "report": path(&args.report),
            "games": games.count(),
            "seconds": seconds,
            "figures": learned.figures(),
        });
        writeln!(out, "{all:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{} games.", thousands(games.count()))?;
    write!(out, "{}", learned.text())?;
    if let Some(model) = path(&args.out) {
        writeln!(out, "{model} written in {}", super::super::db::span(seconds))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The header of the model says how it was fitted, and how it was corrected.
fn header(header: Header, learned: &LearnedTempo, name: &str, command: &str) -> Result<Header> {
    let mut header = header;
    let before = model_digest(Some(name))?;
    header.notes.entry(models::BEFORE_TEMPO.into()).or_insert(before);
    header.notes.insert("tempo-command".into(), command.into());
    header.notes.insert("tempo-positions".into(), learned.digest.clone());
    Ok(header)
}

/// The command line without what does not change the result.
fn command(args: &LearnTempoArgs) -> String {
    let mut text = "zug learn othello tempo".to_string();
    let mut add = |word: &str, value: String| {
        text.push_str(&format!(" {word} {}", super::super::db::quoted(&value)));
    };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for file in &args.games {
        add("--games", name(file));
    }
    if let Some(model) = &args.model {
        add("--model", model_file(Some(model)).map_or_else(|| model.clone(), name));
    }
    for (word, number) in
        [("--positions", args.positions), ("--depth", args.depth), ("--every", args.every)]
    {
        add(word, number.to_string());
    }
    add("--seed", args.seed.to_string());
    text
}
