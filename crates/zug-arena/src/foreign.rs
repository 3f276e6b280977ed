//! How does a program that is not ours become a player?
//!
//! Four protocols, one behaviour: the program is started when the first game begins, told of every
//! new game, given the position as its community writes it, and asked for a move. It may be slow,
//! silent, talkative, or dead at any moment: each of these is a [`PlayerError`] within a stated
//! time, and the program is started afresh for the next game.
//!
//! | protocol | games | position sent as |
//! |---|---|---|
//! | `uci` | chess | FEN and coordinate moves |
//! | `cecp` (xboard, version 2) | chess | FEN (`setboard`) and coordinate moves |
//! | `gtp` | Go; other games where the engine knows `zug-game` | `play` for every move |
//! | `nboard` | Othello | GGF |

mod cecp;
mod command;
mod gtp;
mod moves;
mod nboard;
mod process;
mod uci;

use crate::control::USUAL_MOVETIME;
pub(crate) use command::split as command_words;
use process::{Heard, Process};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tracing::info;
use zug_core::{AnyLine, Choice, Limits, Player, PlayerError, Spec, TextError, Watch};

/// The names of the protocols, as they stand before the colon of a spec.
pub const PROTOCOLS: [&str; 4] = ["uci", "cecp", "gtp", "nboard"];

/// What a user can write after `uci:`, `cecp:`, `gtp:` and `nboard:`.
pub const FOREIGN_HELP: &str = "\
uci:cmd=PROGRAM[,OPTION=VALUE...]      a UCI engine; options as it declares them (UCI_Elo=1500)
cecp:cmd=PROGRAM[,OPTION=VALUE...]     an xboard engine
gtp:cmd=\"PROGRAM ARGUMENTS\"            a GTP engine; OPTION=VALUE is sent as a command (level=5)
nboard:cmd=PROGRAM                     an NBoard engine
for all: depth=N nodes=N movetime=T    its own limit, instead of the match's (100ms if neither)
         timeout=T                     patience beyond its time before it is stopped (5s; gtp and
                                       nboard 60s; without a limit on time 300s)
         dir=FOLDER                    where it runs
         init=\"LINE;LINE\"              lines to send after the greeting
         restart=true                  a new process for every game
         name=NAME                     what it is called in tables";

/// Is this the name of a protocol?
pub(crate) fn is_foreign(name: &str) -> bool {
    PROTOCOLS.contains(&name)
}

/// Can engines of this protocol play this game at all? (Whether a GTP engine knows a game other than
/// Go, only it can say.)
pub(crate) fn check_game(protocol: &str, game: &str) -> Result<(), TextError> {
    let (name, only) = match protocol {
        "uci" => ("UCI", "chess"),
        "cecp" => ("xboard", "chess"),
        "nboard" => ("NBoard", "othello"),
        _ => return Ok(()),
    };
    if game.split(':').next() == Some(only) {
        return Ok(());
    }
    let expected = format!("a player of {game}; {name} engines play {only} only");
    Err(TextError::new(0, expected, format!("'{protocol}'")))
}

/// A foreign engine as a player, without a match around it (for `zug play`, say).
pub fn foreign_player(spec: &Spec) -> Result<Box<dyn Player>, TextError> {
    let options = ForeignOptions::from_spec(spec)?;
    options.player().map_err(|e| TextError::new(0, e.to_string(), format!("'{spec}'")))
}

/// Names that an engine gave itself, for a message: not all of thousands, and none at full length.
fn some_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 20;
    let mut names = names.into_iter();
    let mut shown: Vec<String> = names.by_ref().take(MOST).map(zug_core::error::shorten).collect();
    let left = names.count();
    match (shown.len(), left) {
        (0, _) => return "none".to_string(),
        (_, 0) => {}
        _ => shown.push(format!("and {left} more")),
    }
    shown.join(", ")
}

/// What a driver makes of a program that says all this, whatever it is asked: for fuzzing.
#[doc(hidden)]
pub fn listen(spec: &Spec, said: &[u8], line: &dyn AnyLine) -> Result<Choice, PlayerError> {
    let options =
        ForeignOptions::from_spec(spec).map_err(|e| PlayerError::Option(e.to_string()))?;
    let mut player = options.foreign()?;
    let mut process = Process::scripted(said);
    let deadline = Instant::now() + GREETING;
    player.called = player.driver.greet(&mut process, deadline)?;
    player.process = Some(process);
    player.with(|driver, process| driver.new_game(process, line, deadline))?;
    let mut ignore = |_: &zug_core::Info| {};
    player.choose(line, &Limits::default(), &mut Watch::new(Default::default(), &mut ignore))
}

/// How long an engine may take to introduce itself and to answer anything but a request for a move.
const GREETING: Duration = Duration::from_secs(15);
/// Patience beyond the allotted time.
const GRACE: Duration = Duration::from_secs(5);
/// The same for protocols that cannot say a time for a move.
const LONG_GRACE: Duration = Duration::from_secs(60);
/// How long an engine may take to move once the caller has asked to stop.
const STOPPING: Duration = Duration::from_secs(2);
/// Patience where time is not limited.
const UNTIMED: Duration = Duration::from_secs(300);

/// A spec, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ForeignOptions {
    protocol: String,
    argv: Vec<String>,
    dir: Option<PathBuf>,
    name: Option<String>,
    timeout: Option<Duration>,
    limits: Limits,
    restart: bool,
    init: Vec<String>,
    /// For the engine, in the order given.
    options: Vec<(String, String)>,
}

impl ForeignOptions {
    pub(crate) fn from_spec(spec: &Spec) -> Result<ForeignOptions, TextError> {
        let at = spec.name.len() + 1;
        let cmd = spec
            .get("cmd")
            .ok_or_else(|| TextError::new(at, "cmd=PROGRAM", format!("'{spec}'")))?;
        let argv = command::split(cmd)?;
        let limits = Limits {
            depth: spec.parsed("depth", "a number of plies")?,
            nodes: spec.parsed("nodes", "a number of positions")?,
            movetime: spec.duration("movetime")?,
            ..Limits::default()
        };
        const OURS: [&str; 9] =
            ["cmd", "dir", "name", "timeout", "depth", "nodes", "movetime", "restart", "init"];
        let mut options = Vec::new();
        for (key, value) in &spec.options {
            if key.is_empty() {
                return Err(TextError::new(at, "OPTION=VALUE", format!("'{value}'")));
            }
            // An option travels on one line of the protocol.
            if [key, value].iter().any(|text| text.chars().any(char::is_control)) {
                return Err(TextError::new(at, "no control characters", format!("'{key}'")));
            }
            if !OURS.contains(&key.as_str()) {
                options.push((key.clone(), value.clone()));
            }
        }
        if spec.name == "nboard" && !options.is_empty() {
            let expected = format!("an option of nboard ({})", OURS.join(", "));
            return Err(TextError::new(at, expected, format!("'{}'", options[0].0)));
        }
        let init = spec.get("init").unwrap_or_default().split(';').map(str::trim);
        Ok(ForeignOptions {
            protocol: spec.name.clone(),
            argv,
            dir: spec.get("dir").map(PathBuf::from),
            name: spec.get("name").map(str::to_string),
            timeout: spec.duration("timeout")?,
            limits,
            restart: spec.parsed("restart", "true or false")?.unwrap_or(false),
            init: init.filter(|line| !line.is_empty()).map(str::to_string).collect(),
            options,
        })
    }

    /// What it is called before it has said its own name.
    fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| command::base_name(&self.argv[0]))
    }

    /// A player; its program starts with the first game.
    pub(crate) fn player(&self) -> Result<Box<dyn Player>, PlayerError> {
        Ok(Box::new(self.foreign()?))
    }

    fn foreign(&self) -> Result<Foreign, PlayerError> {
        let driver: Box<dyn Driver> = match self.protocol.as_str() {
            "uci" => Box::new(uci::Uci::new(self.options.clone())),
            "cecp" => Box::new(cecp::Cecp::new(self.options.clone())),
            "gtp" => Box::new(gtp::Gtp::new(self.options.clone())),
            "nboard" => Box::new(nboard::Nboard::default()),
            other => return Err(PlayerError::Start(format!("no protocol is called '{other}'"))),
        };
        Ok(Foreign { options: self.clone(), driver, process: None, called: None, starts: 0 })
    }
}

/// One request for a move.
pub(crate) struct Request<'a, 'w> {
    line: &'a dyn AnyLine,
    limits: &'a Limits,
    watch: &'a mut Watch<'w>,
    /// When patience ends.
    deadline: Instant,
    /// How long that is in all.
    patience: Duration,
    /// Has the caller asked to stop?
    stopping: bool,
}

impl Request<'_, '_> {
    fn timed_out(&self) -> PlayerError {
        PlayerError::TimedOut(self.patience)
    }

    /// The next line of an engine that thinks. When the caller asks to stop, `stop` is sent (where
    /// the protocol has such a word), and the answer must come soon.
    fn hear(&mut self, process: &mut Process, stop: Option<&str>) -> Result<String, PlayerError> {
        loop {
            let flag = &self.watch.stop;
            let interrupt = || !self.stopping && flag.load(Ordering::Relaxed);
            match process.hear_or(self.deadline, interrupt)? {
                Heard::Line(line) => return Ok(line),
                Heard::Nothing => return Err(self.timed_out()),
                Heard::Interrupted => {
                    stop.map_or(Ok(()), |word| process.send(word))?;
                    self.stopping = true;
                    self.deadline = self.deadline.min(Instant::now() + STOPPING);
                }
            }
        }
    }
}

/// Are two limits the same but for clocks that have run meanwhile?
trait SameControl {
    fn same_control(&self, other: &Self) -> bool;
}

impl SameControl for Limits {
    fn same_control(&self, other: &Limits) -> bool {
        let fixed = |l: &Limits| (l.depth, l.nodes, l.movetime, l.clock.map(|c| c.increment));
        fixed(self) == fixed(other)
    }
}

/// What differs from protocol to protocol. Every wait ends at its deadline with an error.
pub(crate) trait Driver: Send {
    /// Introduces itself to a program that has just started; gives back the program's name.
    fn greet(
        &mut self,
        process: &mut Process,
        deadline: Instant,
    ) -> Result<Option<String>, PlayerError>;

    /// A new game begins.
    fn new_game(
        &mut self,
        process: &mut Process,
        line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError>;

    /// Asks for a move.
    fn choose(
        &mut self,
        process: &mut Process,
        request: &mut Request<'_, '_>,
    ) -> Result<Choice, PlayerError>;

    /// Sets an option of a running program.
    fn set_option(
        &mut self,
        process: &mut Process,
        name: &str,
        value: &str,
    ) -> Result<(), PlayerError>;

    /// Has the protocol no way to say a time for a move?
    fn is_timeless(&self) -> bool {
        false
    }

    /// Must the program be started again for each game?
    fn needs_restart(&self) -> bool {
        false
    }
}

/// A foreign engine as a player.
struct Foreign {
    options: ForeignOptions,
    driver: Box<dyn Driver>,
    /// None before the first game, and after a crash until the next one.
    process: Option<Process>,
    called: Option<String>,
    /// How often the program was started.
    starts: u32,
}

impl Foreign {
    fn patience(&self) -> Duration {
        self.options.timeout.unwrap_or(GREETING)
    }

    fn start(&mut self) -> Result<(), PlayerError> {
        let name = self.options.label();
        match self.starts {
            0 => info!(command = ?self.options.argv, "engine {name} starts"),
            n => info!(command = ?self.options.argv, "engine {name} starts again, restart {n}"),
        }
        self.starts += 1;
        let mut process = Process::start(&self.options.argv, self.options.dir.as_deref(), name)?;
        let patience = self.patience().max(GRACE);
        let greeted = self.driver.greet(&mut process, Instant::now() + patience);
        self.called = greeted.map_err(|e| process.explain(e, patience))?;
        for line in &self.options.init {
            process.send(line)?;
        }
        self.process = Some(process);
        Ok(())
    }

    /// Calls the driver; a program that fails is ended, so that the next game begins afresh.
    fn with<T>(
        &mut self,
        f: impl FnOnce(&mut dyn Driver, &mut Process) -> Result<T, PlayerError>,
    ) -> Result<T, PlayerError> {
        if self.process.is_none() {
            self.start()?;
        }
        let process = self.process.as_mut().expect("it has just been started");
        let answer = f(self.driver.as_mut(), process);
        if let Err(error) = &answer
            && !matches!(error, PlayerError::Option(_))
        {
            info!("engine {} fails and is ended: {error}", self.options.label());
            process.condemn();
            self.process = None;
        }
        answer
    }

    fn limits(&self, asked: &Limits) -> Limits {
        let mut limits = asked.clone();
        if self.options.limits.is_bounded() {
            let own = &self.options.limits;
            (limits.depth, limits.nodes, limits.movetime) = (own.depth, own.nodes, own.movetime);
            limits.clock = None;
        } else if !limits.is_bounded() {
            limits.movetime = Some(USUAL_MOVETIME);
        }
        limits
    }
}

impl Player for Foreign {
    fn name(&self) -> String {
        match (&self.options.name, &self.called) {
            (None, Some(called)) => called.clone(),
            _ => self.options.label(),
        }
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        if self.options.restart || self.driver.needs_restart() {
            self.process = None;
        }
        let patience = self.patience();
        self.with(|driver, process| {
            let begun = driver.new_game(process, line, Instant::now() + patience);
            begun.map_err(|e| process.explain(e, patience))
        })
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        if self.process.is_none() {
            self.new_game(line)?;
        }
        let limits = self.limits(limits);
        let clock = limits.clock.map(|c| c.remaining[line.to_move().index()]);
        let allotted = match (limits.movetime, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let patience = match allotted {
            Some(time) => {
                let told = limits.clock.is_some() || !self.driver.is_timeless();
                time + self.options.timeout.unwrap_or(if told { GRACE } else { LONG_GRACE })
            }
            None => self.options.timeout.unwrap_or(UNTIMED),
        };
        let deadline = Instant::now() + patience;
        self.with(|driver, process| {
            let stopping = false;
            let mut request =
                Request { line, limits: &limits, watch, deadline, patience, stopping };
            driver.choose(process, &mut request)
        })
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        if [name, value].iter().any(|text| text.chars().any(char::is_control)) {
            return Err(PlayerError::Option("control characters in an option".to_string()));
        }
        self.with(|driver, process| driver.set_option(process, name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_some_of_many_options_and_none_at_full_length() {
        assert_eq!(some_of([]), "none");
        assert_eq!(some_of(["Hash", "Threads"]), "Hash, Threads");
        let long = "x".repeat(10_000);
        let many = some_of(std::iter::repeat_n(long.as_str(), 1000));
        assert!(many.len() < 2000 && many.ends_with("and 980 more"), "{many}");
    }
}
