//! UCI: how a chess GUI talks to us.
//!
//! The calling thread reads; a search runs on a thread of its own and answers by itself, so that
//! `stop`, `isready` and `ponderhit` are heard at any time. Where a GUI says something that makes
//! no sense, it gets an `info string error: …` line, and everything stays as it was.
//!
//! * `go infinite` and `go ponder` never answer before `stop` or `ponderhit`, even when the search
//!   has nothing left to do.
//! * The end of the input lets a search with a limit finish; `quit` gives it a moment
//!   ([`PATIENCE`]) and then stops it. Both print the `bestmove`.
//! * `UCI_Chess960` opens the game again as `chess:960=518`, which is the usual start with castling
//!   written "king takes rook". Both ways of writing castling are always read.

pub mod command;
pub mod info;

mod options;
mod position;
mod search;

use crate::Open;
use crate::lines::{Input, read_line};
use crate::output::Output;
use crate::seat::Seat;
use command::{Command, Go};
use options::{Change, DECLARATIONS, Options};
use search::Search;
use std::io::{self, BufRead, Write};
use std::thread::Scope;
use std::time::{Duration, Instant};
use zug_core::{AnyLine, GameEntry, Spec};

/// Speaks UCI until `quit` or the end of the input. `entry` is the game (chess), `player` who plays
/// it, and `open` opens it again with other options.
pub fn run(
    entry: GameEntry,
    player: &Spec,
    open: &Open<'_>,
    input: impl BufRead,
    output: impl Write + Send,
) -> io::Result<()> {
    let seat = Seat::new(&entry, player)
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e.to_string()))?;
    let output = Output::new(output);
    std::thread::scope(|scope| {
        let line = entry.game.new_line();
        let options = Options::default();
        let mut session =
            Session { entry, seat, open, output: &output, scope, line, options, search: None };
        session.serve(input)
    })?;
    output.finish()
}

/// How long `quit` waits for a search that has a limit.
pub const PATIENCE: Duration = Duration::from_secs(1);

struct Session<'scope, 'env, W> {
    entry: GameEntry,
    seat: Seat,
    open: &'env Open<'env>,
    output: &'env Output<W>,
    scope: &'scope Scope<'scope, 'env>,
    line: Box<dyn AnyLine>,
    options: Options,
    search: Option<Search<'scope>>,
}

impl<W: Write + Send> Session<'_, '_, W> {
    fn serve(&mut self, mut input: impl BufRead) -> io::Result<()> {
        while !self.output.is_broken() {
            match read_line(&mut input) {
                Ok(Some(Input::Line(line))) => match command::parse(&line) {
                    Ok(Command::Quit) => {
                        self.finish_soon();
                        break;
                    }
                    Ok(command) => {
                        if let Err(message) = self.obey(command) {
                            self.error(&message);
                        }
                    }
                    Err(e) => self.error(&e.to_string()),
                },
                Ok(Some(Input::TooLong)) => self.error("this line is too long"),
                Ok(None) => {
                    self.finish_bounded();
                    break;
                }
                Err(e) => {
                    self.stop_and_wait();
                    return Err(e);
                }
            }
        }
        self.stop_and_wait();
        Ok(())
    }

    fn error(&self, message: &str) {
        self.output.line(&format!("info string error: {message}"));
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Nothing | Command::Quit | Command::Register => {}
            Command::Uci => self.introduce(),
            Command::IsReady => {
                self.output.line("readyok");
            }
            Command::Debug(on) => self.options.debug = on,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::NewGame => {
                self.settle()?;
                self.line = self.entry.game.new_line();
                self.seat.new_game(&self.entry, &*self.line)?;
            }
            Command::Position { fen, moves } => {
                self.line = position::set_up(&*self.entry.game, fen.as_deref(), &moves)?;
            }
            Command::Go(go) => self.go(&go)?,
            Command::Stop => {
                if let Some(search) = &self.search {
                    search.control.stop();
                }
            }
            Command::PonderHit => match &self.search {
                Some(search) if search.ponders => search.ponder_hit(self.scope),
                _ => return Err("'ponderhit' without 'go ponder'".to_string()),
            },
            Command::Display => self.display(),
        }
        Ok(())
    }

    fn introduce(&self) {
        let mut text =
            format!("id name Zug {}\nid author the authors of Zug\n", env!("CARGO_PKG_VERSION"));
        for declaration in DECLARATIONS {
            text.push_str(declaration);
            text.push('\n');
        }
        text.push_str("uciok\n");
        self.output.send(&text);
    }

    fn display(&self) {
        for row in self.line.picture().letters().lines() {
            self.output.line(&format!("info string {row}"));
        }
        self.output.line(&format!("info string {}", self.line.position_text()));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        self.settle()?;
        let before = self.options.clone();
        let change = self.options.set(name, value)?;
        let done = match change {
            Change::Done => Ok(()),
            Change::Player(name, value) => self.seat.set_option(&self.entry, name, &value),
            Change::ClearHash => self.seat.new_game(&self.entry, &*self.line),
            Change::Chess960 => self.reopen(),
        };
        if done.is_err() {
            self.options = before;
        }
        done
    }

    /// Opens the game as Chess960 or not, at the position where we are.
    fn reopen(&mut self) -> Result<(), String> {
        let mut spec = Spec::parse(&self.entry.game.spec()).map_err(|e| e.to_string())?;
        if spec.get("960").is_some() == self.options.chess960 {
            return Ok(());
        }
        spec.options.retain(|(key, _)| key != "960");
        if self.options.chess960 {
            spec.options.push(("960".to_string(), "518".to_string()));
        }
        let entry = (self.open)(&spec.to_string())?;
        let position = self.line.position_text();
        self.line = entry.game.line_from(&position).map_err(|e| e.to_string())?;
        self.entry = entry;
        self.seat.rebuild();
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), String> {
        self.settle()?;
        if let Some(depth) = go.perft {
            let game = self.entry.game.clone();
            let line = self.line.boxed_clone();
            self.search = Some(search::perft(self.scope, self.output, game, line, depth));
            return Ok(());
        }
        let line = position::playable(&*self.entry.game, &*self.line);
        let (limits, errors) = search::limits(go, &self.options, &*line);
        errors.iter().for_each(|e| self.error(e));
        if self.options.debug {
            self.output.line(&format!("info string searching with {limits:?}"));
        }
        let player = self.seat.take(&self.entry)?;
        self.search = Some(search::start(self.scope, self.output, player, line, limits, go));
        Ok(())
    }

    /// Makes sure that nobody is thinking. A search that was stopped or has answered ends by itself
    /// in a moment; one that goes on is in the way.
    fn settle(&mut self) -> Result<(), String> {
        match &self.search {
            Some(search) if !search.control.ends_soon() => {
                Err("not while searching; send 'stop' first".to_string())
            }
            _ => {
                self.wait();
                Ok(())
            }
        }
    }

    fn wait(&mut self) {
        if let Some(search) = self.search.take() {
            // A search for leaves has no player; the player then never left its seat.
            if let Some(player) = search.wait() {
                self.seat.put(player);
            }
        }
    }

    /// A script that ends in `quit` still gets the depth it asked for, if that is a matter of a
    /// moment; a GUI is not kept waiting.
    fn finish_soon(&mut self) {
        let Some(search) = self.search.as_ref().filter(|s| s.bounded) else { return };
        let begin = Instant::now();
        while !search.control.ends_soon() && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn finish_bounded(&mut self) {
        if self.search.as_ref().is_some_and(|s| s.bounded) {
            self.wait();
        }
    }

    fn stop_and_wait(&mut self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
        self.wait();
    }
}
