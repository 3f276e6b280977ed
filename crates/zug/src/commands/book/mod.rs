//! `zug book`: books that learn.

mod add;
mod build;
mod check;
mod export;
mod show;
mod tend;

use crate::cli::{BookArgs, BookCommand, BookJudge};
use crate::registry;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zug_book::shelf::{self, Hold};
use zug_book::team::Team;
use zug_book::{Book, Places, ShippedBook};
use zug_core::files::FileError;
use zug_core::{AnyLine, GameEntry, Limits, Progress, Spec, StopFlag};

pub fn run(args: &BookArgs) -> Result<ExitCode> {
    match &args.what {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Add(args) => add::run(args),
        BookCommand::Show(args) => show::run(args),
        BookCommand::Check(args) => check::run(args),
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
            tell!("zug: {note}");
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
    let shown = zug_core::error::shorten(text);
    match moves_of(entry, text) {
        Ok(line) => Ok(line),
        Err(Some(illegal)) => bail!("'{shown}': {illegal}"),
        Err(None) => Err(error).context(format!("'{shown}' is neither a position nor moves")),
    }
}

/// The line that moves in some notation lead to: words, or any text that a format of records reads.
/// Where it is moves, but not all legal, the error says which.
fn moves_of(entry: &GameEntry, text: &str) -> Result<Box<dyn AnyLine>, Option<String>> {
    let mut line = entry.game.new_line();
    let failed = text.split_whitespace().find_map(|mv| line.play(mv).err());
    if failed.is_none() && line.ply() > 0 {
        return Ok(line);
    }
    let mut illegal = failed
        .filter(|_| line.ply() > 0)
        .map(|error| format!("illegal move {}: {error}", line.ply() + 1));
    for format in &entry.formats {
        let Some(Ok(record)) = format.read(text.as_bytes()).into_iter().next() else { continue };
        match record.replay(&*entry.game) {
            Ok(line) if line.ply() > 0 => return Ok(line),
            Ok(_) => {}
            Err((ply, error)) => {
                illegal.get_or_insert(format!("illegal move {ply}: {error}"));
            }
        }
    }
    Err(illegal)
}

/// `1 game`, `2 games`.
fn counted(n: impl TryInto<u64>, what: &str) -> String {
    match n.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// Waits until no other process changes the file of a book, and says so.
fn hold(path: &Path) -> Result<Hold> {
    let mut waits = |busy: &FileError| tell!("zug: waiting: {busy}");
    Ok(shelf::hold(path, None, &mut waits)?)
}

/// The shipped book is not for changing.
fn insist_on_file(path: &Path) -> Result<()> {
    if path == Path::new(SHIPPED) && !path.exists() {
        bail!(
            "the shipped book is part of the program and cannot be changed; 'zug book copy shipped my.zug' makes a file of it"
        );
    }
    Ok(())
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
    if player.name == "random" {
        bail!("the player 'random' does not search, so it cannot judge positions");
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
    tell!("zug: stopped; the same command with --resume goes on ({})", journal_of(path).display());
    ExitCode::from(130)
}
