//! One file a verb.

mod analyse;
mod bench;
mod book;
mod data;
mod db;
mod engine;
mod eval;
mod explore;
mod games;
mod guess;
mod learn;
mod manual;
mod matches;
mod perft;
mod places;
mod play;
mod record_files;
mod runs;
mod serve;
mod solve;

use crate::cli::Command;
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::process::ExitCode;
use zug_core::erased::SharedGame;
use zug_core::{AnyLine, GameEntry, Record};

/// Runs a verb.
pub fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Games(args) => games::run(args),
        Command::Play(args) => play::run(args),
        Command::Serve(args) => serve::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Db(args) => db::run(&args),
        Command::Learn(args) => learn::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Guess(args) => guess::run(&args),
        Command::Explore(args) => explore::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Runs(args) => runs::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Match(args) => matches::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Data(args) => data::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { out } => manual::pages(out.as_deref()),
    }
}

/// A line from a position in notation, or from the start.
fn line_at(entry: &GameEntry, position: Option<&str>) -> Result<Box<dyn AnyLine>> {
    match position {
        None | Some("start") => Ok(entry.game.new_line()),
        Some(text) => {
            entry.game.line_from(text).with_context(|| format!("in the position '{text}'"))
        }
    }
}

/// Plays records through under the rules that each of them names: a file of Go games may hold
/// several board sizes.
#[derive(Default)]
struct Replayer {
    games: HashMap<String, SharedGame>,
}

impl Replayer {
    /// The line of a record, or what is wrong with it.
    fn replay(&mut self, record: &Record) -> Result<Box<dyn AnyLine>, String> {
        if !self.games.contains_key(&record.game) {
            let entry = crate::registry::open(&record.game).map_err(|e| format!("{e:#}"))?;
            // Komi and the like make ever new specs; a bound keeps a large collection small.
            if self.games.len() >= 256 {
                self.games.clear();
            }
            self.games.insert(record.game.clone(), entry.game);
        }
        let game = &self.games[&record.game];
        record.replay(game.as_ref()).map_err(|(ply, e)| format!("ply {ply}: {e}"))
    }
}

/// The game of a record, when it is not the one that was asked for but one of its family.
fn entry_of(entry: GameEntry, record: &Record) -> Result<GameEntry> {
    if record.game == entry.game.spec() {
        return Ok(entry);
    }
    crate::registry::open(&record.game)
}

/// The first record of a file.
fn load_record(entry: &GameEntry, path: &std::path::Path) -> Result<Record> {
    let (format, mut input) = record_files::open(entry, path)?;
    let mut first = None;
    let read = format.stream(&mut input, &mut |record| {
        first = Some(record);
        false
    });
    read.with_context(|| format!("cannot read {}", path.display()))?;
    first
        .with_context(|| format!("{}: no record in this file", path.display()))?
        .with_context(|| path.display().to_string())
}

/// The first record of a file, played through, with the game that it is a record of.
fn load_line(entry: GameEntry, path: &std::path::Path) -> Result<(GameEntry, Box<dyn AnyLine>)> {
    let record = load_record(&entry, path)?;
    let entry = entry_of(entry, &record).with_context(|| path.display().to_string())?;
    let line = record
        .replay(entry.game.as_ref())
        .map_err(|(ply, e)| anyhow::anyhow!("{}: ply {ply}: {e}", path.display()))?;
    Ok((entry, line))
}
