//! UCI: how a chess GUI talks to us.
//!
//! One thread reads, and a search runs on a thread of its own and answers by itself, so that
//! `stop`, `isready` and `ponderhit` are heard at any time. Where a GUI says something that makes
//! no sense, it gets an `info string error: …` line, and everything stays as it was. Words that are
//! unknown are passed over.
//!
//! * After `go` a GUI waits for a move, so that it gets one: what cannot be read there counts as not
//!   said. Where it was the only limit, the search takes a second.
//! * `go infinite` and `go ponder` never answer before `stop` or `ponderhit`, even when the search
//!   has nothing left to do. Until then `go`, `setoption` and `ucinewgame` are errors.
//! * A search until `stop`, for a mate or for several lines is an analysis and asks no book, and so is
//!   every search under `UCI_AnalyseMode`. A move that comes from a book is told by `info string book
//!   move …`.
//! * Between two reports a search that can says at least once a second how far it is; after a second
//!   it names the move that it looks at, and bounds of a score that it has still to find.
//! * While a search with a limit runs, these commands wait for its end, and what follows waits
//!   behind them: a script may send all of its positions at once. `isready`, `uci`, `debug` and
//!   `stop` overtake what waits. `stop` ends the search that runs and every search that was asked
//!   for before it, each with a `bestmove`. About a megabyte of commands may wait; when there is
//!   more, nothing is heard until the search has ended.
//! * The end of the input lets searches with a limit finish; `quit` gives the last of them a moment
//!   ([`PATIENCE`]) and then stops it. Both print the `bestmove`.
//! * `UCI_Chess960` opens the game again as `chess:960=518`, which is the usual start with castling
//!   written "king takes rook". Both ways of writing castling are always read.

pub mod command;
pub mod info;

mod events;
pub(crate) mod position;
mod search;

use crate::Open;
use crate::options::{Change, Options};
use crate::output::Output;
use crate::seat::{DEFAULT_MOVE_TIME, Seat};
use command::{Command, Go};
use events::{Event, Waiting};
use search::{Channel, Search, Told};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;
use std::time::Duration;
use zug_core::bench::Bench;
use zug_core::{AnyLine, GameEntry, Spec};
use zug_learn::face::Learner;

/// Speaks UCI until `quit` or the end of the input. `entry` is the game (chess), `player` who plays
/// it, and `open` opens it again with other options.
pub fn run(
    entry: GameEntry,
    player: &Spec,
    open: &Open<'_>,
    input: impl BufRead + Send,
    output: impl Write + Send,
) -> io::Result<()> {
    let seat = Seat::new(&entry, player)
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e.to_string()))?;
    let ratings = entry.extension().copied();
    let output = Output::new(output);
    std::thread::scope(|scope| {
        let (events, happened) = sync_channel(events::AHEAD);
        let reader = events.clone();
        scope.spawn(move || events::read(input, &reader));
        let mut session = Session {
            line: entry.game.new_line(),
            entry,
            seat,
            open,
            output: &output,
            scope,
            events,
            options: Options::of(player, ratings),
            refused: false,
            learn: false,
            missing_book: None,
            search: None,
            waiting: Waiting::default(),
        };
        session.serve(happened)
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
    /// Where a search tells that it has answered.
    events: SyncSender<Event>,
    line: Box<dyn AnyLine>,
    options: Options,
    /// Was the last position refused, so that the one before it stays?
    refused: bool,
    learn: bool,
    /// A book that was asked for and is not there.
    missing_book: Option<String>,
    search: Option<Search<'scope>>,
    /// Holds something only while a search with a limit runs.
    waiting: Waiting,
}

impl<W: Write + Send> Session<'_, '_, W> {
    /// Takes the receiver, so that the thread that reads sees when nobody listens any more.
    fn serve(&mut self, events: Receiver<Event>) -> io::Result<()> {
        while !self.output.is_broken() {
            match events.recv() {
                Ok(Event::Heard(Command::Quit, _)) => {
                    self.finish(Some(PATIENCE));
                    break;
                }
                Ok(Event::Heard(command, bytes)) => self.hear(command, bytes),
                Ok(Event::Nonsense(message)) => self.error(&message),
                Ok(Event::Searched) => {}
                Ok(Event::End(None)) | Err(_) => {
                    self.finish(None);
                    break;
                }
                Ok(Event::End(Some(e))) => {
                    self.stop_and_wait();
                    return Err(e);
                }
            }
            self.go_on();
        }
        self.stop_and_wait();
        Ok(())
    }

    /// Obeys a command now, or when the search that runs has ended.
    fn hear(&mut self, command: Command, bytes: usize) {
        let urgent = matches!(
            command,
            Command::Nothing | Command::Uci | Command::IsReady | Command::Debug(_) | Command::Stop
        );
        if urgent || self.waiting.is_empty() && !self.must_wait(&command) {
            return self.obey(command);
        }
        self.waiting.push(command, bytes);
        while self.waiting.is_full() {
            self.wait();
            self.go_on();
        }
    }

    /// Is a search in the way of this command that will end by itself?
    fn must_wait(&self, command: &Command) -> bool {
        let quiet =
            command.is_search() || matches!(command, Command::SetOption { .. } | Command::NewGame);
        quiet && self.search.as_ref().is_some_and(|s| s.bounded && !s.control.ends_soon())
    }

    /// Obeys what has waited for the end of a search, until something has to wait again.
    fn go_on(&mut self) {
        while self.waiting.next().is_some_and(|command| !self.must_wait(command)) {
            let Some(held) = self.waiting.pop() else { return };
            let stopped = held.stopped && held.command.is_search();
            self.obey(held.command);
            if let Some(search) = self.search.as_ref().filter(|_| stopped) {
                search.control.stop();
            }
        }
    }

    fn error(&self, message: &str) {
        self.output.line(&format!("info string error: {message}"));
    }

    fn obey(&mut self, command: Command) {
        if let Err(message) = self.try_to_obey(command) {
            self.error(&message);
        }
    }

    fn try_to_obey(&mut self, command: Command) -> Result<(), String> {
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
                self.refused = false;
                self.seat.new_game(&self.entry, &*self.line)?;
            }
            Command::Position { fen, moves } => {
                self.refused = true;
                self.line = position::set_up(&*self.entry.game, fen.as_deref(), &moves)?;
                self.refused = false;
            }
            Command::Go(go) => {
                self.complain_of_book();
                self.go(&go)?;
            }
            Command::Stop => {
                if let Some(search) = &self.search {
                    search.control.stop();
                }
                self.waiting.stop();
            }
            Command::PonderHit => match &mut self.search {
                Some(search) if search.ponders => search.ponder_hit(self.scope),
                _ => return Err("'ponderhit' without 'go ponder'".to_string()),
            },
            Command::Display => self.display(),
            Command::Bench(depth) => self.bench(depth)?,
            Command::Eval => self.evaluate()?,
        }
        Ok(())
    }

    fn introduce(&self) {
        let mut text =
            format!("id name Zug {}\nid author the authors of Zug\n", env!("CARGO_PKG_VERSION"));
        text.push_str(&self.options.declare());
        text.push_str("uciok\n");
        self.output.send(&text);
    }

    fn display(&self) {
        for row in self.line.picture().letters().lines() {
            self.output.line(&format!("info string {row}"));
        }
        self.output.line(&format!("info string {}", self.line.position_text()));
    }

    /// Says what becomes of a book that is not there: options come in any order, so that nobody can
    /// tell yet whether it is to begin.
    fn note_book(&mut self, name: &str, value: String) {
        if name == "learn" {
            self.learn = value == "true";
        } else if name == "book" {
            let is_there = ["", "none", "shipped"].contains(&&*value) || Path::new(&value).exists();
            self.missing_book = (!is_there).then_some(value);
            if let (Some(book), false) = (&self.missing_book, self.learn) {
                self.output.line(&format!(
                    "info string there is no book {book} yet; it begins when Learn is on"
                ));
            }
        }
    }

    /// Complains before a search about a book that is still missing.
    fn complain_of_book(&mut self) {
        if let Some(book) = self.missing_book.take_if(|_| !self.learn) {
            self.output.line(&format!(
                "info string error: there is no book {book}, and Learn is off: playing without one"
            ));
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        self.settle()?;
        let before = self.options.clone();
        let change = self.options.set(name, value)?;
        let done = match &change {
            Change::Chess960 => self.reopen(),
            change => change.tell(&mut self.seat, &self.entry, &*self.line),
        };
        if done.is_ok()
            && let Change::Player(name, value) = change
        {
            self.note_book(name, value);
        }
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
        if let Some(ignored) = go.passed_over() {
            self.output.line(&format!("info string {ignored}"));
        }
        go.broken.iter().for_each(|why| self.error(&format!("{why}; searching without it")));
        let channel = Channel { output: self.output, events: self.events.clone() };
        if let Some(depth) = go.perft {
            let game = self.entry.game.clone();
            let line = self.line.boxed_clone();
            self.search = Some(search::perft(self.scope, channel, game, line, depth));
            return Ok(());
        }
        if self.refused {
            self.error(&format!(
                "the last position was refused; searching {}",
                self.line.position_text()
            ));
        }
        let line = position::playable(&*self.entry.game, &*self.line);
        let (mut limits, errors) = search::limits(go, &self.options, &*line);
        errors.iter().for_each(|e| self.error(e));
        let no_move_left = limits.only.is_empty() && !go.search_moves.is_empty();
        if no_move_left {
            self.output.line("info string none of the moves of 'searchmoves' is legal: all count");
        }
        if (go.lost_limit || no_move_left) && !limits.is_bounded() && !go.infinite {
            self.output.line(&format!(
                "info string without a limit that can be read: {} s",
                DEFAULT_MOVE_TIME.as_secs_f64()
            ));
            limits.movetime = Some(DEFAULT_MOVE_TIME);
        }
        if self.options.debug {
            self.output.line(&format!("info string searching {}", search::in_words(&limits, go)));
        }
        let player = self.seat.take(&self.entry)?;
        let chances = self.entry.extension().copied().filter(|_| self.options.shows_chances);
        let told = Told { has_book: self.options.has_book(), chances };
        let analyses = self.options.analyses;
        self.search =
            Some(search::start(self.scope, channel, player, line, limits, go, analyses, told));
        Ok(())
    }

    /// Counts the positions of the search that tells whether the engine is still the same: that of
    /// the game's first player, whoever sits here.
    fn bench(&mut self, depth: Option<u32>) -> Result<(), String> {
        self.settle()?;
        let bench: Bench =
            *self.entry.extension().ok_or("there is no bench of this game".to_string())?;
        let first = self.entry.players.first().ok_or("nobody plays this game".to_string())?;
        let spec = Spec { name: first.name.to_string(), options: Vec::new() };
        let player = self.entry.player(&spec).map_err(|e| e.to_string())?;
        let channel = Channel { output: self.output, events: self.events.clone() };
        let (game, depth) = (self.entry.game.clone(), depth.unwrap_or(bench.depth));
        self.search = Some(search::bench(self.scope, channel, game, player, bench, depth));
        Ok(())
    }

    /// What the model makes of the position.
    fn evaluate(&self) -> Result<(), String> {
        let learner: &Learner =
            self.entry.extension().ok_or("this game has no model to show".to_string())?;
        let name = Some(&*self.options.model).filter(|name| !name.is_empty());
        let model = learner.open(name).map_err(|e| e.to_string())?;
        let seen = model.evaluate(&self.line.position_text()).map_err(|e| e.to_string())?;
        self.output.send(&seen.in_words(&*model));
        Ok(())
    }

    /// Makes sure that nobody is thinking. A search that was stopped or has answered ends by itself
    /// in a moment; one that goes on is in the way. (What could wait for its end has done so.)
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

    /// Lets searches with a limit come to their end. A script that ends in `quit` still gets the
    /// last depth it asked for, if that is a matter of a moment; a GUI, which lets no search wait
    /// for another, is not kept waiting either.
    fn finish(&mut self, patience: Option<Duration>) {
        while let Some(search) = self.search.as_ref().filter(|s| s.bounded) {
            if let Some(patience) = patience.filter(|_| !self.waiting.has_search()) {
                search.control.stop_after(patience);
            }
            self.wait();
            self.go_on();
        }
    }

    fn stop_and_wait(&mut self) {
        if let Some(search) = &self.search {
            search.control.stop();
        }
        self.wait();
    }
}
