//! CECP (version 2): how xboard and WinBoard talk to us.
//!
//! The engine keeps the game: it hears the moves of its opponent and answers with its own. A thought
//! runs on a thread of its own, so that everything is heard at any time:
//!
//! * `?` makes it move at once; `force`, `new`, `setboard`, `undo`, `remove`, `result`, `variant`,
//!   `analyze` and `quit` end it without a move.
//! * `ping` is answered when the move is made, as the protocol asks, and moves wait for it too. What
//!   a script sends at once is thus worked off in its order; the end of the input lets the last move
//!   be made.
//! * `analyze` shows thoughts about the position until `exit`, and begins again with every change.
//! * `draw` is accepted from move 20 on where the last thought saw nothing better.
//! * `nps N` counts positions instead of time: `st 1` is then a move of N positions.
//! * `variant fischerandom` is Chess960; castling is then written `O-O` and `O-O-O`.
//!
//! What makes no sense is answered by an `Error (…)` line, a move that cannot be played by `Illegal
//! move`, and everything stays as it was.

pub mod command;

mod clock;
mod words;

use crate::Open;
use crate::control::Control;
use crate::lines::{Input, MAX_LINE, read_line};
use crate::options::{Change, Options};
use crate::output::Output;
use crate::seat::{self, Seat};
use crate::uci::position;
use clock::Clocks;
use command::{Command, Nonsense, parse};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;
use zug_core::error::shorten;
use zug_core::{
    AnyLine, Choice, GameEntry, Info, Limits, Player, PlayerError, Pulse, Score, Side, Spec, Watch,
};

/// Speaks CECP until `quit` or the end of the input. `entry` is the game (chess), `player` who plays
/// it, and `open` opens it again with other rules.
pub fn run(
    entry: GameEntry,
    player: &Spec,
    open: &Open<'_>,
    input: impl BufRead + Send,
    output: impl Write + Send,
) -> io::Result<()> {
    let bad = |e: zug_core::TextError| io::Error::new(io::ErrorKind::InvalidInput, e.to_string());
    let seat = Seat::new(&entry, player).map_err(bad)?;
    let usual = Spec::parse(&entry.game.spec()).map_err(bad)?;
    let ratings = entry.extension().copied();
    let output = Output::new(output);
    std::thread::scope(|scope| {
        let (events, happened) = sync_channel(AHEAD);
        let reader = events.clone();
        scope.spawn(move || read(input, &reader));
        let mut session = Session {
            line: entry.game.new_line(),
            entry,
            usual,
            seat,
            open,
            output: &output,
            scope,
            events,
            start: None,
            moves: Vec::new(),
            options: Options::of(player, ratings),
            clocks: Clocks::default(),
            role: Role::Plays(Side::Second),
            shows: Arc::default(),
            ponders: false,
            last: None,
            expected: None,
            thoughts: 0,
            thinking: None,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
        };
        session.serve(happened)
    })?;
    output.finish()
}

/// Lines that are read ahead.
const AHEAD: usize = 4;

/// From this ply on a draw may be agreed.
const DRAW_FROM: usize = 40;

/// The time for a hint where nothing is expected, and for a look into the book.
const GLANCE: Duration = Duration::from_millis(200);

/// Something that the session has to look at.
enum Event {
    Heard(String),
    TooLong,
    /// The thought of this number has ended.
    Thought(u64),
    /// Nothing more will be heard; with the error, if it was one.
    End(Option<io::Error>),
}

/// Reads lines until the end, or until nobody listens.
fn read(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let event = match read_line(&mut input) {
            Ok(Some(Input::Line(line))) => Event::Heard(line),
            Ok(Some(Input::TooLong)) => Event::TooLong,
            Ok(None) => Event::End(None),
            Err(e) => Event::End(Some(e)),
        };
        let last = match &event {
            Event::Heard(line) => line.trim() == "quit",
            event => matches!(event, Event::End(_)),
        };
        if events.send(event).is_err() || last {
            break;
        }
    }
}

/// What the engine does when it is somebody's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Nothing: it only follows the game.
    Watches,
    /// It plays this side.
    Plays(Side),
    /// It shows what it thinks of the position.
    Analyses,
}

/// What a thread hands back: the player if it survived, and its choice.
type Returned = (Option<Box<dyn Player>>, Result<Choice, PlayerError>);

/// A thought in progress.
struct Thinking<'scope> {
    number: u64,
    control: Arc<Control>,
    handle: ScopedJoinHandle<'scope, Returned>,
    /// Is a move asked for, and not an analysis?
    moves: bool,
    /// The last that was heard of it.
    pulse: Arc<Mutex<Pulse>>,
}

struct Session<'scope, 'env, W> {
    entry: GameEntry,
    /// The game that `new` begins.
    usual: Spec,
    seat: Seat,
    open: &'env Open<'env>,
    output: &'env Output<W>,
    scope: &'scope Scope<'scope, 'env>,
    events: SyncSender<Event>,
    /// The game; where it has ended in a draw that nobody claimed, from there on.
    line: Box<dyn AnyLine>,
    /// Where the game began, if not at the start, and its moves.
    start: Option<String>,
    moves: Vec<String>,
    options: Options,
    clocks: Clocks,
    role: Role,
    /// Are thoughts to be shown?
    shows: Arc<AtomicBool>,
    /// Does the player think on its opponent's time?
    ponders: bool,
    /// What the last own move was worth.
    last: Option<Score>,
    /// The reply that is expected.
    expected: Option<String>,
    /// Thoughts so far.
    thoughts: u64,
    thinking: Option<Thinking<'scope>>,
    /// Lines that wait for the move.
    waiting: VecDeque<String>,
    waiting_bytes: usize,
}

impl<W: Write + Send> Session<'_, '_, W> {
    /// Takes the receiver, so that the thread that reads sees when nobody listens any more.
    fn serve(&mut self, events: Receiver<Event>) -> io::Result<()> {
        let mut ended = None;
        while !self.output.is_broken() && ended.is_none() {
            match events.recv() {
                Ok(Event::Heard(line)) if line.trim() == "quit" => break,
                Ok(Event::Heard(line)) => self.hear(line),
                Ok(Event::TooLong) => self.error("the line is too long", ""),
                Ok(Event::Thought(number)) => self.thought(number),
                Ok(Event::End(error)) => ended = Some(error),
                Err(_) => ended = Some(None),
            }
            self.catch_up();
        }
        if let Some(None) = ended {
            // A script gets the move that it has asked for.
            while self.is_moving() && !self.output.is_broken() {
                match events.recv() {
                    Ok(Event::Thought(number)) => self.thought(number),
                    Ok(_) => {}
                    Err(_) => break,
                }
                self.catch_up();
            }
        }
        self.abandon();
        match ended {
            Some(Some(error)) => Err(error),
            _ => Ok(()),
        }
    }

    fn say(&self, text: &str) {
        self.output.line(text);
    }

    fn error(&self, why: &str, what: &str) {
        self.say(&format!("Error ({why}): {}", shorten(what)));
    }

    /// Is it thinking about a move?
    fn is_moving(&self) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.moves)
    }

    /// Sees whether a move is made whose event found no room, and obeys what has waited for it.
    fn catch_up(&mut self) {
        let ended = self.thinking.as_ref().filter(|thinking| thinking.control.ends_soon());
        if let Some(number) = ended.map(|thinking| thinking.number) {
            self.thought(number);
        }
        while !self.is_moving() {
            let Some(line) = self.waiting.pop_front() else { break };
            self.waiting_bytes -= line.len() + size_of::<String>();
            self.obey(&line);
        }
    }

    /// Obeys a line now, or when the move is made.
    fn hear(&mut self, line: String) {
        if self.is_moving() {
            let waits = match parse(&line) {
                Ok(
                    Command::Ping(_)
                    | Command::Move(_)
                    | Command::Go
                    | Command::PlayOther
                    | Command::Hint
                    | Command::Book
                    | Command::Option { .. }
                    | Command::Ponder(_)
                    | Command::Memory(_)
                    | Command::Cores(_)
                    | Command::Tables { .. },
                ) => true,
                Err(Nonsense::Unknown(_)) => true,
                // Clocks belong to the move that follows them.
                Ok(Command::Clock { .. }) => !self.waiting.is_empty(),
                _ => false,
            };
            if waits && self.waiting_bytes <= MAX_LINE {
                self.waiting_bytes += line.len() + size_of::<String>();
                self.waiting.push_back(line);
                return;
            }
            if waits {
                self.error("too much to wait for the move", "");
                return;
            }
        }
        self.obey(&line);
    }

    fn obey(&mut self, line: &str) {
        let done = match parse(line) {
            Ok(command) => self.try_to_obey(command),
            Err(Nonsense::Unknown(text)) => match self.line.boxed_clone().play(&text) {
                Ok(_) => self.play(&text),
                Err(_) if looks_like_a_move(&text) => {
                    self.say(&format!("Illegal move: {text}"));
                    Ok(())
                }
                Err(_) => Err(("unknown command".to_string(), text)),
            },
            Err(Nonsense::Broken { command, why }) => Err((why.to_string(), command)),
        };
        if let Err((why, what)) = done {
            self.error(&why, &what);
        }
    }

    fn try_to_obey(&mut self, command: Command) -> Result<(), (String, String)> {
        let name = |what: &'static str| move |why: String| (why, what.to_string());
        match command {
            Command::Nothing | Command::Quit => {}
            Command::Version(_) => {
                let features = words::features("normal,fischerandom", &self.options.declare());
                self.output.send(&features);
            }
            Command::New => self.new_game(false).map_err(name("new"))?,
            Command::Variant(variant) => match variant.as_str() {
                "normal" => self.new_game(false).map_err(name("variant"))?,
                "fischerandom" => self.new_game(true).map_err(name("variant"))?,
                other => return Err(("unknown variant".to_string(), other.to_string())),
            },
            Command::Force => {
                self.abandon();
                self.role = Role::Watches;
                // Nor does it think on its opponent's time: to set it ends what goes on.
                if self.ponders {
                    let _ = self.tell_player("ponder", "on");
                }
            }
            Command::Go => {
                self.abandon();
                self.role = Role::Plays(self.line.to_move());
                self.think();
            }
            Command::PlayOther => {
                self.abandon();
                self.role = Role::Plays(self.line.to_move().other());
            }
            Command::Level { moves, time, increment } => self.clocks.level(moves, time, increment),
            Command::MoveTime(time) => self.clocks.each(time),
            Command::Depth(plies) => self.clocks.depth = Some(plies),
            Command::Pace(pace) => self.clocks.pace = Some(pace).filter(|&pace| pace > 0),
            Command::Clock { own, left } => self.clocks.left(own, left),
            Command::Move(text) => self.play(&text)?,
            Command::MoveNow => {
                if let Some(thinking) = self.thinking.as_ref().filter(|thinking| thinking.moves) {
                    thinking.control.stop();
                }
            }
            Command::Ping(number) => self.say(&format!("pong {number}")),
            Command::Draw => {
                let content = self.last.is_some_and(|score| score <= Score::DRAW);
                if content && self.moves.len() >= DRAW_FROM {
                    self.say("offer draw");
                }
            }
            Command::Result(text) => {
                self.abandon();
                let outcome = self.line.outcome().or_else(|| words::outcome(&text));
                self.role = Role::Watches;
                self.seat
                    .game_over(&self.entry, &*self.line, outcome.as_ref())
                    .map_err(name("result"))?;
            }
            Command::SetBoard(fen) => match self.entry.game.line_from(&fen) {
                Ok(line) => {
                    (self.start, self.moves) = (Some(fen), Vec::new());
                    self.change(line);
                }
                Err(why) => self.say(&format!("tellusererror Illegal position: {why}")),
            },
            Command::Hint => {
                if let Some(mv) = self.hint() {
                    self.say(&format!("Hint: {}", self.written(&mv)));
                }
            }
            Command::Book => {
                let text = match self.glance(false).filter(is_by_book) {
                    Some(choice) => format!(" {}\n\n", self.written(&choice.mv)),
                    None => " no book knows this position\n\n".to_string(),
                };
                self.output.send(&text);
            }
            Command::TakeBack(plies) => {
                let name = name(if plies == 1 { "undo" } else { "remove" });
                let left = self.moves.len().checked_sub(plies as usize);
                let left = left.ok_or_else(|| name("there is no move to take back".into()))?;
                let moves: Vec<(usize, String)> =
                    self.moves[..left].iter().map(|mv| (0, mv.clone())).collect();
                let line = position::set_up(&*self.entry.game, self.start.as_deref(), &moves);
                self.change(line.map_err(name)?);
                self.moves.truncate(left);
            }
            Command::Ponder(on) => {
                // A player that cannot think on its opponent's time does not.
                let set = self.tell_player("ponder", if on { "on" } else { "off" });
                self.ponders = on && set.is_ok();
            }
            Command::Post(on) => self.shows.store(on, Ordering::Relaxed),
            Command::Analyse => {
                self.abandon();
                self.role = Role::Analyses;
                self.analyse();
            }
            Command::Exit => {
                self.abandon();
                self.role = Role::Watches;
            }
            Command::Status => {
                if let Some(thinking) = &self.thinking {
                    let moves = self.line.legal_moves().len();
                    self.say(&words::status(&lock(&thinking.pulse), moves));
                }
            }
            Command::Memory(mib) => {
                // What is not the table takes some room as well.
                let hash = mib.saturating_sub(BESIDE).max(1).to_string();
                self.set_option("Hash", &hash).map_err(name("memory"))?;
            }
            Command::Cores(n) => {
                self.set_option("Threads", &n.to_string()).map_err(name("cores"))?;
            }
            Command::Tables { kind, path } if kind == "syzygy" => {
                self.set_option("SyzygyPath", &path).map_err(name("egtpath"))?;
            }
            Command::Tables { kind, .. } => {
                return Err(("no such tables are read".to_string(), kind));
            }
            Command::Option { name: option, value } => {
                let value = words::value(&self.options.declare(), &option, &value);
                self.set_option(&option, &value).map_err(name("option"))?;
            }
        }
        Ok(())
    }

    fn new_game(&mut self, fischer: bool) -> Result<(), String> {
        self.abandon();
        let mut spec = self.usual.clone();
        if fischer && spec.get("960").is_none() {
            spec.options.push(("960".to_string(), "518".to_string()));
        }
        if spec.to_string() != self.entry.game.spec() {
            self.entry = (self.open)(&spec.to_string())?;
            self.seat.rebuild();
        }
        self.line = self.entry.game.new_line();
        (self.start, self.moves) = (None, Vec::new());
        self.clocks.rewind();
        (self.last, self.expected) = (None, None);
        let begun = self.seat.new_game(&self.entry, &*self.line);
        match self.role {
            Role::Analyses => self.analyse(),
            _ => self.role = Role::Plays(Side::Second),
        }
        begun
    }

    /// Another position: what was thought of the last one is over.
    fn change(&mut self, line: Box<dyn AnyLine>) {
        self.abandon();
        self.line = line;
        self.expected = None;
        if self.role == Role::Analyses {
            self.analyse();
        }
    }

    /// A move of the opponent, or of anybody where the engine only watches.
    fn play(&mut self, text: &str) -> Result<(), (String, String)> {
        let mut line = self.playable();
        match line.play(text) {
            Ok(mv) => self.moves.push(mv),
            Err(why) => {
                self.say(&format!("Illegal move ({why}): {}", shorten(text)));
                return Ok(());
            }
        }
        self.change(line);
        if let Role::Plays(side) = self.role {
            self.tell_result();
            if self.line.to_move() == side {
                self.think();
            }
        }
        Ok(())
    }

    /// The game, which goes on where nobody claims a draw.
    fn playable(&self) -> Box<dyn AnyLine> {
        position::playable(&*self.entry.game, &*self.line)
    }

    fn tell_result(&self) {
        if let Some(outcome) = self.line.outcome() {
            self.say(&words::result(&outcome));
        }
    }

    /// Begins to think about the move.
    fn think(&mut self) {
        let line = self.playable();
        if line.legal_moves().is_empty() {
            return self.tell_result();
        }
        let limits = self.clocks.limits(line.to_move(), self.moves.len(), self.options.overhead);
        let limits = self.seat.bounded(limits);
        self.begin(line, limits, true);
    }

    /// Begins to show what it thinks of the position.
    fn analyse(&mut self) {
        let line = self.playable();
        if line.outcome().is_none() {
            let lines = self.options.lines;
            self.begin(line, Limits { lines, ..Limits::default() }, false);
        }
    }

    fn begin(&mut self, line: Box<dyn AnyLine>, limits: Limits, moves: bool) {
        if !moves {
            let _ = Change::Analyse(true).tell(&mut self.seat, &self.entry, &*line);
        }
        let player = match self.seat.take(&self.entry) {
            Ok(player) => player,
            Err(why) => return self.error(&why, "go"),
        };
        self.thoughts += 1;
        let (number, control) = (self.thoughts, Control::new(false));
        let (events, output, reins) = (self.events.clone(), self.output, Arc::clone(&control));
        let pulse = Arc::new(Mutex::new(Pulse::default()));
        let (told, shows) = (Arc::clone(&pulse), Arc::clone(&self.shows));
        let handle = self.scope.spawn(move || {
            let mut report = |info: &Info| {
                *lock(&told) = Pulse { info: info.clone(), current: None };
                let silent = moves && !shows.load(Ordering::Relaxed);
                let sent = silent || words::thought(info).is_none_or(|text| output.line(&text));
                if !sent {
                    // Nobody listens any more.
                    reins.stop();
                }
            };
            let mut beat = |pulse: &Pulse| {
                let current = pulse.current.clone().or_else(|| lock(&told).current.clone());
                *lock(&told) = Pulse { info: pulse.info.clone(), current };
            };
            let stop = Arc::clone(&reins.stop);
            let mut watch = Watch::new(stop, &mut report).with_pulse(&mut beat);
            let thought = seat::choose(player, &*line, &limits, &mut watch);
            reins.answer();
            // The session may be waiting for this thread, and does not listen then.
            let _ = events.try_send(Event::Thought(number));
            thought
        });
        self.thinking = Some(Thinking { number, control, handle, moves, pulse });
    }

    /// A thought has ended by itself, or because it was hurried.
    fn thought(&mut self, number: u64) {
        // An analysis that has nothing left to find waits for another position.
        let ended = self.thinking.take_if(|thinking| thinking.number == number && thinking.moves);
        let Some(thinking) = ended else { return };
        let choice = self.join(thinking);
        self.answer(choice);
    }

    fn answer(&mut self, choice: Result<Choice, PlayerError>) {
        self.line = self.playable();
        let mv = match choice {
            Ok(choice) if choice.resigns => return self.say("resign"),
            Ok(choice) => {
                self.last = choice.info.as_ref().and_then(|info| info.score);
                self.expected = choice.expects;
                choice.mv
            }
            Err(why) => {
                // A game costs less with some legal move than with none.
                self.error(&format!("{why}; playing the first legal move"), "go");
                (self.last, self.expected) = (None, None);
                self.line.legal_moves().into_iter().next().unwrap_or_default()
            }
        };
        let text = self.written(&mv);
        if self.line.play(&mv).is_ok() {
            self.moves.push(mv);
            self.say(&format!("move {text}"));
            self.tell_result();
        }
    }

    /// A move as xboard wants it.
    fn written(&self, mv: &str) -> String {
        words::written(&self.line.position_text(), mv).to_string()
    }

    fn join(&mut self, thinking: Thinking<'_>) -> Result<Choice, PlayerError> {
        let broke = || PlayerError::Crashed("the thread of the player".to_string());
        // Players are guarded, so only a fault of this crate could end the thread badly.
        let (player, choice) = thinking.handle.join().unwrap_or_else(|_| (None, Err(broke())));
        self.seat.put(player);
        if !thinking.moves {
            let _ = Change::Analyse(false).tell(&mut self.seat, &self.entry, &*self.line);
        }
        choice
    }

    /// Ends a thought without a move; what waited for it is obeyed no more.
    fn abandon(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.control.stop();
            let _ = self.join(thinking);
        }
    }

    fn tell_player(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.abandon();
        let set = self.seat.set_option(&self.entry, name, value);
        if self.role == Role::Analyses {
            self.analyse();
        }
        set
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        self.abandon();
        let before = self.options.clone();
        let change = self.options.set(name, Some(value))?;
        let done = change.tell(&mut self.seat, &self.entry, &*self.line);
        if done.is_err() {
            self.options = before;
        }
        if self.role == Role::Analyses {
            self.analyse();
        }
        done
    }

    /// The move that it would play for whoever is to move.
    fn hint(&mut self) -> Option<String> {
        let expected = self.expected.take();
        let mv = expected.filter(|mv| self.line.boxed_clone().play(mv).is_ok());
        mv.or_else(|| self.glance(true).map(|choice| choice.mv))
    }

    /// A short look at the position.
    fn glance(&mut self, thinks: bool) -> Option<Choice> {
        if self.thinking.is_some() {
            return None;
        }
        let line = self.playable();
        if line.outcome().is_some() {
            return None;
        }
        let limits = match thinks {
            true => Limits { movetime: Some(GLANCE), ..Limits::default() },
            false => Limits { nodes: Some(1), ..Limits::default() },
        };
        let mut ignore = |_: &Info| {};
        let mut watch = Watch::new(Arc::default(), &mut ignore);
        self.seat.choose(&self.entry, &*line, &limits, &mut watch).ok()
    }
}

/// Megabytes that an engine takes beside its table.
const BESIDE: u64 = 16;

/// Was nothing searched for it?
fn is_by_book(choice: &Choice) -> bool {
    choice.info.as_ref().is_some_and(|info| info.depth == 0 && info.nodes == 0)
}

/// `e2e4`, `e7e8q`: so that the GUI hears of an illegal move, not of an unknown command.
fn looks_like_a_move(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = |at: usize| {
        matches!(bytes.get(at), Some(b'a'..=b'h')) && matches!(bytes.get(at + 1), Some(b'1'..=b'8'))
    };
    text.is_ascii() && (4..=5).contains(&text.len()) && square(0) && square(2)
}

fn lock(pulse: &Mutex<Pulse>) -> MutexGuard<'_, Pulse> {
    pulse.lock().unwrap_or_else(PoisonError::into_inner)
}
