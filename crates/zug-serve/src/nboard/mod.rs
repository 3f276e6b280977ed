//! NBoard 2: how an Othello GUI talks to us.
//!
//! `hint`, `go` and `analyze` think on a thread of their own, and all that is said meanwhile is heard
//! at once:
//!
//! - `ping` stops them, since the position is about to change, and all that wait for their turn: what
//!   was found so far stands, a `go` still names a move, and then comes the `pong`. `quit` does the
//!   same, but lets what is short end by itself for up to a second.
//! - `hint`, `go`, `analyze`, `move` and `set game` mean that the GUI has changed its mind. They stop
//!   what goes on in the same way, unless it is short: with a time for the move (the usual one where
//!   nothing is set) or a depth of at most 12. That is finished first, so that a script gets whole
//!   answers.
//! - Everything else waits. At the end of the input all that was asked for is finished, which at a
//!   great depth without a limit of time may take as long as it likes: a script says `quit`.
//!
//! What makes no sense is answered by a `status error: …` line, which a GUI shows and a program skips.
//!
//! As the protocol asks, `go` does not change the board: a `move` does.
//!
//! | command | what it does here |
//! |---|---|
//! | `set depth N` | plies of search; a position with few more empty squares is solved |
//! | `set game GGF` | the board, and the clocks of both sides (`TI`, and the time of each move) |
//! | `set contempt X` | above 0, the player's book avoids draws; the status line says so when it has none |
//! | `set time T` | time for each move (ours alone) |
//! | `move F5/EVAL/TIME`, `F5` | a move; its time is taken from the clock |
//! | `hint N` | the N best moves, again and again while the search deepens |
//! | `go` | a move, within depth and clock |
//! | `analyze` | a value for each position of the game, from the last to the first, for black |
//! | `learn` | tells the player that the game is over |
//!
//! Values are discs. The depth `100%` says that a value is exact, `100%W` that only the winner is
//! certain.

pub mod command;

mod clock;
mod events;
mod thought;

use crate::Open;
use crate::control::Control;
use crate::output::Output;
use crate::seat::Seat;
use crate::uci::PATIENCE;
use clock::GameClock;
use command::Command;
use events::{Event, Waiting};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};
use thought::{Task, Thought};
use zug_core::{AnyLine, GameEntry, Limits, Player, Spec};

/// A thought that looks so many plies ahead is waited for.
const SHORT: u32 = 12;

/// Speaks NBoard until `quit` or the end of the input. `entry` is the game (Othello), `player` who
/// plays it, and `open` opens it again with a board of another size.
pub fn run(
    entry: GameEntry,
    player: &Spec,
    open: &Open<'_>,
    input: impl BufRead + Send,
    output: impl Write + Send,
) -> io::Result<()> {
    let seat = Seat::new(&entry, player)
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e.to_string()))?;
    let output = Output::new(output);
    std::thread::scope(|scope| {
        let (events, happened) = sync_channel(events::AHEAD);
        let reader = events.clone();
        scope.spawn(move || events::read(input, &reader));
        let line = entry.game.new_line();
        let mut session = Session {
            entry,
            seat,
            open,
            output: &output,
            scope,
            line,
            depth: None,
            time: None,
            clock: None,
            events,
            thinking: None,
            waiting: Waiting::default(),
        };
        session.serve(happened)
    })?;
    output.finish()
}

struct Session<'scope, 'env, W> {
    entry: GameEntry,
    seat: Seat,
    open: &'env Open<'env>,
    output: &'env Output<W>,
    scope: &'scope Scope<'scope, 'env>,
    line: Box<dyn AnyLine>,
    depth: Option<u32>,
    time: Option<Duration>,
    clock: Option<GameClock>,
    /// Where a thought tells that it has ended.
    events: SyncSender<Event>,
    thinking: Option<Thinking<'scope>>,
    /// Holds something only while a thought goes on.
    waiting: Waiting,
}

struct Thinking<'scope> {
    control: Arc<Control>,
    /// It will end by itself soon enough.
    is_short: bool,
    handle: ScopedJoinHandle<'scope, Option<Box<dyn Player>>>,
}

impl<W: Write + Send> Session<'_, '_, W> {
    /// Takes the receiver, so that the thread that reads sees when nobody listens any more.
    fn serve(&mut self, events: Receiver<Event>) -> io::Result<()> {
        while !self.output.is_broken() {
            match events.recv() {
                Ok(Event::Heard(Ok(Command::Quit), _)) => {
                    self.finish(Some(Instant::now() + PATIENCE));
                    break;
                }
                Ok(Event::Heard(line, bytes)) => self.hear(line, bytes),
                Ok(Event::Thought) => self.go_on(),
                Ok(Event::End(None)) | Err(_) => {
                    self.finish(None);
                    break;
                }
                Ok(Event::End(Some(e))) => {
                    self.stop();
                    self.wait();
                    return Err(e);
                }
            }
        }
        self.stop();
        self.wait();
        Ok(())
    }

    /// Obeys a command now, or when what goes on has ended.
    fn hear(&mut self, line: Result<Command, String>, bytes: usize) {
        let is_ping = matches!(line, Ok(Command::Ping(_)));
        if line != Ok(Command::Nothing) {
            self.waiting.push(line, bytes);
        }
        self.go_on();
        // What is too much to keep is as urgent as a ping.
        while is_ping && !self.waiting.is_empty() || self.waiting.is_full() {
            self.stop();
            self.wait();
            self.go_on();
        }
    }

    /// Obeys what waits, in its order, as far as it need not wait any longer.
    fn go_on(&mut self) {
        loop {
            if let Some(thinking) = &self.thinking {
                if !thinking.is_short && self.waiting.supersedes() {
                    thinking.control.stop();
                }
                if !thinking.control.ends_soon() {
                    return;
                }
            }
            self.wait();
            match self.waiting.pop() {
                None => return,
                Some(Ok(command)) => {
                    if let Err(e) = self.obey(command) {
                        self.error(&e);
                    }
                }
                Some(Err(e)) => self.error(&e),
            }
        }
    }

    /// Does all that is left to do: to its end, or until this moment.
    fn finish(&mut self, end: Option<Instant>) {
        self.go_on();
        while let Some(thinking) = &self.thinking {
            match end {
                Some(end) if thinking.is_short => {
                    thinking.control.stop_after(end.saturating_duration_since(Instant::now()));
                }
                Some(_) => thinking.control.stop(),
                None => {}
            }
            self.wait();
            self.go_on();
        }
    }

    fn error(&self, message: &str) {
        self.output.line(&format!("status error: {message}"));
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Version(_) => self.introduce(),
            Command::Depth(depth) => {
                self.depth = Some(depth.max(1));
                self.introduce();
            }
            Command::Time(time) => self.time = Some(time),
            Command::Contempt(contempt) => self.set_contempt(contempt),
            Command::Game(ggf) => self.set_game(&ggf)?,
            Command::Move { mv, time, .. } => {
                let side = self.line.to_move();
                self.line.play(&mv).map_err(|e| format!("illegal move: {e}"))?;
                if let Some(clock) = &mut self.clock {
                    clock.spend(side, time.unwrap_or(0.0));
                }
            }
            Command::Hint(lines) => self.think(Task::Hint { lines: lines.clamp(1, 64) })?,
            Command::Go => self.think(Task::Go)?,
            Command::Analyse => self.think(Task::Analyse)?,
            Command::Ping(number) => {
                self.output.line(&format!("pong {number}"));
            }
            Command::Learn => {
                let outcome = self.line.outcome();
                self.seat.game_over(&self.entry, &*self.line, outcome.as_ref())?;
                self.output.line("learned");
            }
        }
        Ok(())
    }

    fn introduce(&self) {
        let depth = self.depth.map_or(String::new(), |d| d.to_string());
        self.output.line(&format!("set myname Zug{depth}"));
    }

    /// Whether a draw is worth more or less than nothing, if the player can think so.
    fn set_contempt(&mut self, contempt: f64) {
        let set = self.seat.set_option(&self.entry, "contempt", &contempt.to_string());
        if set.is_err() && contempt != 0.0 {
            self.output
                .line("status contempt has no effect: this player has no book to avoid draws by");
        }
    }

    /// Another game; the board may have another size.
    fn set_game(&mut self, ggf: &str) -> Result<(), String> {
        let format = self.entry.formats.iter().find(|f| f.name().eq_ignore_ascii_case("ggf"));
        let format = format.ok_or("this game is not written in GGF")?;
        let record = format.read(ggf.as_bytes()).into_iter().next().ok_or("no game in the GGF")?;
        let record = record.map_err(|e| e.to_string())?;
        let other = if record.game == self.entry.game.spec() {
            None
        } else {
            Some((self.open)(&record.game)?)
        };
        let game = &other.as_ref().unwrap_or(&self.entry).game;
        let line = record.replay(&**game).map_err(|(ply, e)| format!("ply {ply}: {e}"))?;
        // Another game, and not the same one with a move more or less: what was played can be learned.
        let goes_on = line.moves().starts_with(&self.line.moves());
        if !goes_on && (line.ply() == 0 || self.line.outcome().is_some()) {
            self.seat.new_game(&self.entry, &*self.entry.game.new_line())?;
        }
        self.clock = GameClock::of(&record, &*line);
        self.line = line;
        if let Some(entry) = other {
            self.entry = entry;
            self.seat.rebuild();
        }
        Ok(())
    }

    fn think(&mut self, task: Task) -> Result<(), String> {
        if let (Some(outcome), Task::Go | Task::Hint { .. }) = (self.line.outcome(), &task) {
            return Err(format!("the game has ended: {}", outcome.reason));
        }
        let limits = Limits {
            depth: self.depth,
            movetime: self.time,
            // A hint may take as long as it likes.
            clock: self.clock.filter(|_| task == Task::Go).map(|clock| clock.now()),
            ..Limits::default()
        };
        let limits = self.seat.bounded(limits);
        // Without limits here, the player has its own.
        let is_short = !limits.is_bounded()
            || limits.movetime.is_some()
            || limits.depth.is_some_and(|depth| depth <= SHORT);
        let control = Control::new(false);
        let thought = Thought {
            line: self.line.boxed_clone(),
            limits,
            control: Arc::clone(&control),
            output: self.output,
        };
        let player = self.seat.take(&self.entry)?;
        let (events, answered) = (self.events.clone(), Arc::clone(&control));
        let handle = self.scope.spawn(move || {
            let player = thought.run(player, task);
            answered.answer();
            events::tell_thought(&events);
            player
        });
        self.thinking = Some(Thinking { control, is_short, handle });
        Ok(())
    }

    fn stop(&self) {
        if let Some(thinking) = &self.thinking {
            thinking.control.stop();
        }
    }

    fn wait(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            self.seat.put(thinking.handle.join().unwrap_or(None));
        }
    }
}
