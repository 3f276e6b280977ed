//! `zug book`: books that learn.

mod add;
mod build;
mod export;
mod show;
mod tend;

use crate::cli::{BookArgs, BookCommand, BookJudge};
use crate::registry;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zug_book::team::Team;
use zug_book::{Book, Places, ShippedBook};
use zug_core::{AnyLine, GameEntry, Limits, Progress, Spec, StopFlag};

pub fn run(args: &BookArgs) -> Result<ExitCode> {
    match &args.what {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Add(args) => add::run(args),
        BookCommand::Show(args) => show::run(args),
        BookCommand::Check(args) => show::check(args),
        BookCommand::Tend(args) => tend::run(args),
        BookCommand::Reevaluate(args) => tend::reevaluate(args),
        BookCommand::Export(args) => export::run(args),
        BookCommand::Copy(args) => export::copy(args),
    }
}

/// The word for the book that is part of the program.
const SHIPPED: &str = "shipped";

/// A book with its game. Where the file is damaged and the one before it is good, that is used, and
/// said.
fn open(name: &str, game: &str) -> Result<(GameEntry, Places, Book)> {
    let (book, entry) = if name == SHIPPED {
        let entry = registry::open(game)?;
        let shipped = entry.extension::<ShippedBook>();
        let shipped = shipped.with_context(|| format!("{game} has no shipped book"))?;
        (Book::from_bytes(shipped.0, Some(&entry.game.spec()))?, entry)
    } else {
        let (book, note) = Book::open_or_last_good(Path::new(name), None)?;
        if let Some(note) = note {
            eprintln!("zug: {note}");
        }
        let entry = registry::open(book.spec()).with_context(|| format!("in the book {name}"))?;
        (book, entry)
    };
    let places = Places::of(&entry);
    Ok((entry, places, book))
}

/// A position: in notation, or by the moves that lead to it.
fn line_of(entry: &GameEntry, text: &str) -> Result<Box<dyn AnyLine>> {
    if text == "start" {
        return Ok(entry.game.new_line());
    }
    let error = match entry.game.line_from(text) {
        Ok(line) => return Ok(line),
        Err(error) => error,
    };
    moves_of(entry, text).ok_or(error).with_context(|| {
        format!("'{}' is neither a position nor moves", zug_core::error::shorten(text))
    })
}

/// The line that moves in some notation lead to: words, or any text that a format of records reads.
fn moves_of(entry: &GameEntry, text: &str) -> Option<Box<dyn AnyLine>> {
    let mut line = entry.game.new_line();
    if text.split_whitespace().all(|mv| line.play(mv).is_ok()) && line.ply() > 0 {
        return Some(line);
    }
    entry.formats.iter().find_map(|format| {
        let record = format.read(text.as_bytes()).into_iter().next()?.ok()?;
        record.replay(&*entry.game).ok().filter(|line| line.ply() > 0)
    })
}

/// Plies of a search of alternatives when nothing is said.
const USUAL_DEPTH: u32 = 10;

/// The team that an order asks for.
fn team<'a>(
    entry: &'a GameEntry,
    judge: &BookJudge,
    progress: &'a dyn Progress,
    stop: &'a StopFlag,
) -> Result<Team<'a>> {
    let player =
        Spec::parse(&judge.player).with_context(|| format!("in the player '{}'", judge.player))?;
    if player.get("book").is_some() {
        bail!("the player '{player}' must search by itself: no book for the judge of a book");
    }
    entry.player(&player).with_context(|| format!("in the player '{player}'"))?;
    let own = ["depth", "nodes", "movetime", "playouts"];
    let said = judge.limits.depth.is_some()
        || judge.limits.nodes.is_some()
        || judge.limits.movetime.is_some()
        || own.iter().any(|key| player.get(key).is_some());
    let limits = Limits {
        depth: judge.limits.depth.or((!said).then_some(USUAL_DEPTH)),
        nodes: judge.limits.nodes,
        movetime: judge.limits.movetime,
        ..Limits::default()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = judge.threads.map_or(cores, |n| n as usize);
    Ok(Team { entry, player, limits, exact: judge.exact, threads, progress, stop })
}

/// The journal of the work on a file.
fn journal_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".journal");
    path.with_file_name(name)
}

/// What is said when work was broken off.
fn stopped(path: &Path) -> ExitCode {
    eprintln!(
        "zug: stopped; the same command with --resume goes on ({})",
        journal_of(path).display()
    );
    ExitCode::from(130)
}
