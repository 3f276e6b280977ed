//! CECP, the protocol of xboard (version 2).
//!
//! The engine keeps the game itself, so the driver remembers what the engine has been told. In the
//! usual course it sends the opponent's move, and the engine answers with its own; whenever the
//! line is not the one that the engine knows (first move, opening, a move taken back), the game is
//! told again from the beginning.

mod speech;

use super::moves::adopt;
use super::process::Process;
use super::{Driver, Request, SameControl, some_of};
use speech::{
    Answer, Features, complains_about, edit_commands, is_whole_seconds, limit_commands, no_depth,
    read_answer, read_features,
};
use std::time::{Duration, Instant};
use zug_core::error::shorten;
use zug_core::{AnyLine, Choice, Info, Limits, PlayerError};

pub(super) struct Cecp {
    wanted: Vec<(String, String)>,
    features: Features,
    pings: u32,
    games: u32,
    /// Where the engine's game began, and the moves it knows; none after `new`.
    told: Option<(String, Vec<String>)>,
    /// The limits that the engine was told in this game.
    limits: Option<Limits>,
}

/// How long a program that speaks, but of no features (version 1), is waited for.
const SILENCE: Duration = Duration::from_secs(3);
/// The same for one that has not said a word. GNU Chess 6 may sleep through its first orders: its
/// threads miss each other at the start, and each further line wakes it with a chance of one or two
/// in a hundred.
const SLEEP: Duration = Duration::from_secs(12);
/// How often a program is reminded that wrote something, but keeps the rest until it reads again.
const NUDGE: Duration = Duration::from_millis(250);
/// The same for one that sleeps.
const SHAKE: Duration = Duration::from_millis(10);

impl Cecp {
    pub(super) fn new(wanted: Vec<(String, String)>) -> Cecp {
        Cecp { wanted, features: Features::default(), pings: 0, games: 0, told: None, limits: None }
    }

    /// Waits until the engine has worked off all that was sent. Tells whether it meanwhile said
    /// that it does not know this command; forgets what else it said.
    fn settle(
        &mut self,
        process: &mut Process,
        command: &str,
        deadline: Instant,
    ) -> Result<bool, PlayerError> {
        if !self.features.ping {
            process.drain();
            return Ok(false);
        }
        self.pings += 1;
        process.send(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        let mut refused = false;
        while let Some(line) = process.hear(deadline)? {
            if line.trim() == pong {
                return Ok(refused);
            }
            refused |= complains_about(&line, command);
        }
        Err(PlayerError::TimedOut(Duration::ZERO))
    }

    fn send_move(&self, process: &mut Process, mv: &str) -> Result<(), PlayerError> {
        let prefix = if self.features.usermove { "usermove " } else { "" };
        process.send(&format!("{prefix}{mv}"))
    }

    /// Tells the engine the limits, where it does not know them yet, and the clocks.
    fn tell_limits(
        &mut self,
        process: &mut Process,
        request: &Request<'_, '_>,
    ) -> Result<(), PlayerError> {
        let (limits, side) = (request.limits, request.line.to_move());
        if !self.limits.as_ref().is_some_and(|told| told.same_control(limits)) {
            for command in limit_commands(limits, &self.features)? {
                process.send(&command)?;
            }
            self.limits = Some(limits.clone());
            if let Some(depth) = limits.depth
                && self.settle(process, "sd", request.deadline)?
            {
                // GNU Chess has another word for it.
                process.send(&format!("depth {depth}"))?;
                if self.settle(process, "depth", request.deadline)? {
                    return Err(no_depth());
                }
            }
        }
        if !self.features.time {
            return Ok(());
        }
        let left = match (limits.clock, limits.movetime) {
            (Some(clock), _) => {
                let i = side.index();
                Some((clock.remaining[i], clock.remaining[1 - i]))
            }
            (None, Some(time)) if !is_whole_seconds(time) => Some((time, time)),
            _ => None,
        };
        if let Some((own, other)) = left {
            process.send(&format!("time {}", (own.as_millis() / 10).max(1)))?;
            process.send(&format!("otim {}", (other.as_millis() / 10).max(1)))?;
        }
        Ok(())
    }

    /// Brings the engine to the position of the line, and makes it think.
    fn present(
        &mut self,
        process: &mut Process,
        request: &Request<'_, '_>,
    ) -> Result<(), PlayerError> {
        let (start, moves) = (request.line.start_text(), request.line.moves());
        let continues = match (&self.told, moves.split_last()) {
            (Some((from, known)), Some((_, before))) => {
                *from == start && known == before && !known.is_empty()
            }
            _ => false,
        };
        if continues {
            // Before the move: the engine begins to think as it arrives.
            self.tell_limits(process, request)?;
            self.send_move(process, &moves[moves.len() - 1])?;
        } else {
            if self.told.is_some() {
                self.begin(process)?;
            }
            process.send("force")?;
            if !request.line.starts_at_start() {
                if self.features.setboard {
                    process.send(&format!("setboard {start}"))?;
                } else {
                    self.edit(process, &start)?;
                }
            }
            for mv in &moves {
                self.send_move(process, mv)?;
            }
            // A long game fills the queue to the engine; let it catch up.
            self.settle(process, "", request.deadline)?;
            self.tell_limits(process, request)?;
            process.send("go")?;
        }
        self.told = Some((start, moves));
        Ok(())
    }

    /// Sets up a position piece by piece, for engines without `setboard`.
    fn edit(&self, process: &mut Process, fen: &str) -> Result<(), PlayerError> {
        let (black, commands) = edit_commands(fen).ok_or_else(|| {
            let reason = format!("it has no setboard, and edit cannot express '{fen}'");
            PlayerError::Unsupported(reason)
        })?;
        if black {
            // Editing does not change whose turn it is.
            self.send_move(process, "a2a3")?;
        }
        commands.iter().try_for_each(|command| process.send(command))
    }

    fn begin(&mut self, process: &mut Process) -> Result<(), PlayerError> {
        for command in ["new", "easy", "post"] {
            process.send(command)?;
        }
        self.told = None;
        self.limits = None;
        Ok(())
    }
}

impl Driver for Cecp {
    fn greet(
        &mut self,
        process: &mut Process,
        deadline: Instant,
    ) -> Result<Option<String>, PlayerError> {
        self.features = Features::default();
        self.games = 0;
        process.send("xboard")?;
        process.send("protover 2")?;
        let mut since = Instant::now();
        let mut awake = false;
        while self.features.done != Some(true) {
            let now = Instant::now();
            let (silence, gap) = match awake {
                true => (SILENCE, NUDGE),
                // At first it may just be starting.
                false if now < since + NUDGE => (SLEEP, NUDGE),
                false => (SLEEP, SHAKE),
            };
            let (silence, nudge) = (deadline.min(since + silence), now + gap);
            let Some(line) = process.hear(nudge.min(deadline))? else {
                let now = Instant::now();
                match self.features.done {
                    // `done=0` asks for more patience.
                    Some(_) if now >= deadline => {
                        return Err(PlayerError::TimedOut(Duration::ZERO));
                    }
                    None if now >= silence => break,
                    _ => process.send("easy")?,
                }
                continue;
            };
            if !awake {
                (awake, since) = (true, Instant::now());
            }
            if let Some(text) = line.trim_start().strip_prefix("feature ") {
                for (name, value) in read_features(text) {
                    let accepted = self.features.take(&name, &value);
                    let answer = if accepted { "accepted" } else { "rejected" };
                    process.send(&format!("{answer} {name}"))?;
                }
            }
        }
        for (name, value) in self.wanted.clone() {
            self.set_option(process, &name, &value)?;
        }
        Ok(self.features.name.clone())
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        _line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        if self.games > 0 {
            // Whatever it was doing for the game before, it is to stop.
            process.send("force")?;
        }
        self.games += 1;
        self.begin(process)?;
        process.send("force")?;
        self.settle(process, "", deadline).map(|_| ())
    }

    fn choose(
        &mut self,
        process: &mut Process,
        request: &mut Request<'_, '_>,
    ) -> Result<Choice, PlayerError> {
        process.drain();
        self.present(process, request)?;
        let mut last: Option<Info> = None;
        loop {
            let line = request.hear(process, Some("?"))?;
            match read_answer(&line, request.line.to_move()) {
                Answer::Move(mv) => {
                    let mv = adopt(request.line, &mv);
                    if let Some((_, told)) = &mut self.told {
                        told.push(mv.clone());
                    }
                    return Ok(Choice { mv, resigns: false, info: last, expects: None });
                }
                Answer::Resigns => {
                    self.told = None;
                    let (mv, expects) = (String::new(), None);
                    return Ok(Choice { mv, resigns: true, info: last, expects });
                }
                Answer::Thinks(info) => {
                    (request.watch.report)(&info);
                    last = Some(*info);
                }
                Answer::NoDepth => return Err(no_depth()),
                Answer::Refuses => return Err(PlayerError::Protocol(shorten(&line))),
                Answer::Other => {}
            }
        }
    }

    fn set_option(
        &mut self,
        process: &mut Process,
        name: &str,
        value: &str,
    ) -> Result<(), PlayerError> {
        match name {
            "memory" if self.features.memory => process.send(&format!("memory {value}")),
            "cores" if self.features.smp => process.send(&format!("cores {value}")),
            _ if self.features.options.iter().any(|o| o == name) => {
                process.send(&format!("option {name}={value}"))
            }
            _ => {
                let mut known = self.features.options.clone();
                known.extend(self.features.memory.then(|| "memory".to_string()));
                known.extend(self.features.smp.then(|| "cores".to_string()));
                let known = some_of(known.iter().map(String::as_str));
                let reason = format!("it has no option '{name}'; it has {known}");
                Err(PlayerError::Option(reason))
            }
        }
    }

    fn needs_restart(&self) -> bool {
        !self.features.reuse && self.games > 0
    }
}
