//! CECP, the protocol of xboard (version 2).
//!
//! The engine keeps the game itself, so the driver remembers what the engine has been told. In the
//! usual course it sends the opponent's move, and the engine answers with its own; whenever the
//! line is not the one that the engine knows (first move, opening, a move taken back), the game is
//! told again from the beginning.

use super::moves::adopt;
use super::process::{Heard, Process};
use super::{Driver, Request};
use std::time::{Duration, Instant};
use zug_core::error::shorten;
use zug_core::{AnyLine, Choice, Info, Limits, PlayerError, Score, Side};

/// What the engine says it can do.
#[derive(Clone, Debug, PartialEq)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    time: bool,
    reuse: bool,
    nps: bool,
    memory: bool,
    smp: bool,
    colors: bool,
    name: Option<String>,
    options: Vec<String>,
    done: Option<bool>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            reuse: true,
            nps: false,
            memory: false,
            smp: false,
            colors: true,
            name: None,
            options: Vec::new(),
            done: None,
        }
    }
}

pub(super) struct Cecp {
    wanted: Vec<(String, String)>,
    features: Features,
    pings: u32,
    games: u32,
    /// Where the engine's game began, and the moves it knows; none after `new`.
    told: Option<(String, Vec<String>)>,
    /// The limits that the engine was told, but for running clocks.
    limits: Option<Vec<String>>,
}

/// How long a program without features (version 1) is waited for.
const SILENCE: Duration = Duration::from_secs(3);
/// Some programs (GNU Chess) write what they have to say only when something else is read.
const NUDGE: Duration = Duration::from_millis(250);
/// How long a search may take to end after `?`.
const STOPPING: Duration = Duration::from_secs(2);
/// Many hours: a search that is limited by depth alone.
const NO_TIME_LIMIT: u64 = 3600;

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
        let commands = limit_commands(limits, &self.features)?;
        if self.limits.as_ref() != Some(&commands) {
            for command in &commands {
                process.send(command)?;
            }
            self.limits = Some(commands);
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
        let silence = deadline.min(Instant::now() + SILENCE);
        while self.features.done != Some(true) {
            let nudge = Instant::now() + NUDGE;
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
        let mut deadline = request.deadline;
        let mut stopping = false;
        loop {
            let stop = request.watch.stop.clone();
            let interrupt = || !stopping && stop.load(std::sync::atomic::Ordering::Relaxed);
            let line = match process.hear_or(deadline, interrupt)? {
                Heard::Line(line) => line,
                Heard::Nothing => return Err(request.timed_out()),
                Heard::Interrupted => {
                    process.send("?")?;
                    stopping = true;
                    deadline = deadline.min(Instant::now() + STOPPING);
                    continue;
                }
            };
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
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                let reason = format!("it has no option '{name}'; it has {known}");
                Err(PlayerError::Option(reason))
            }
        }
    }

    fn needs_restart(&self) -> bool {
        !self.features.reuse && self.games > 0
    }
}

impl Features {
    /// Takes note of a feature; false for those that we do not use.
    fn take(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "time" => self.time = on,
            "reuse" => self.reuse = on,
            "nps" => self.nps = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "colors" => self.colors = on,
            "myname" => self.name = Some(shorten(value)),
            "done" => self.done = Some(on),
            "option" => {
                if self.options.len() < 1000 {
                    // "Name -spin 5 0 10": the name ends where the kind begins.
                    let name = value.split(" -").next().unwrap_or_default();
                    self.options.push(shorten(name.trim()));
                }
            }
            // Moves are sent as coordinates, which every engine reads; games are plain chess.
            "san" => return !on,
            "variants" | "debug" | "sigint" | "sigterm" | "draw" | "analyze" => {}
            _ => return false,
        }
        true
    }
}

/// `ping=1 myname="A name" done=1`
fn read_features(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        let name = name.trim();
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            out.push((name.to_string(), value.to_string()));
        }
        rest = next.trim_start();
    }
    out
}

fn is_whole_seconds(time: Duration) -> bool {
    time.subsec_millis() == 0 && time.as_secs() > 0
}

/// The commands that set limits.
fn limit_commands(limits: &Limits, features: &Features) -> Result<Vec<String>, PlayerError> {
    let mut out = Vec::new();
    if let Some(clock) = limits.clock {
        let moves = clock.moves_to_go.unwrap_or(0);
        // The clocks run; only what they began with is a command of its own.
        let base = clock.remaining[0].max(clock.remaining[1]).as_secs().max(1);
        let increment = clock.increment[0].as_secs_f64();
        out.push(format!("level {moves} {}:{:02} {increment}", base / 60, base % 60));
    } else if let Some(time) = limits.movetime {
        if is_whole_seconds(time) {
            out.push(format!("st {}", time.as_secs()));
        } else {
            // `st` knows whole seconds only; one move on a clock that is set before each move
            // does the same with hundredths.
            let seconds = time.as_secs() + 1;
            out.push(format!("level 1 {}:{:02} 0", seconds / 60, seconds % 60));
        }
    } else if let Some(nodes) = limits.nodes {
        if !features.nps {
            let reason = "it has no limit on nodes (feature nps)";
            return Err(PlayerError::Unsupported(reason.to_string()));
        }
        out.push(format!("nps {nodes}"));
        out.push("st 1".to_string());
    } else {
        out.push(format!("st {NO_TIME_LIMIT}"));
    }
    if let Some(depth) = limits.depth {
        out.push(format!("sd {depth}"));
    }
    Ok(out)
}

fn no_depth() -> PlayerError {
    PlayerError::Unsupported("it has no limit on depth (sd)".to_string())
}

/// `Error (unknown command): sd`, `Illegal move: sd 2`, `Invalid move: sd 2`.
fn complains_about(line: &str, command: &str) -> bool {
    let lower = line.trim_start().to_ascii_lowercase();
    ["illegal move", "invalid move", "error"].iter().any(|w| lower.starts_with(w))
        && lower.split_whitespace().any(|word| word == command)
}

#[derive(Debug, PartialEq)]
enum Answer {
    Move(String),
    Resigns,
    Thinks(Box<Info>),
    /// It does not know `sd`; it would think on for hours.
    NoDepth,
    /// It does not accept a legal move or claims a result that the rules do not give.
    Refuses,
    Other,
}

fn read_answer(line: &str, side: Side) -> Answer {
    let line = line.trim();
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let lower = line.to_ascii_lowercase();
    match first {
        "move" => {
            return words.next().map_or(Answer::Other, |mv| Answer::Move(mv.to_string()));
        }
        "resign" | "resigns" => return Answer::Resigns,
        "1-0" | "0-1" | "1/2-1/2" => {
            let lost = if side == Side::First { "0-1" } else { "1-0" };
            return if first == lost { Answer::Resigns } else { Answer::Refuses };
        }
        "tellics" | "tellicsnoalias" if lower.contains("resign") => return Answer::Resigns,
        _ => {}
    }
    if complains_about(line, "sd") {
        return Answer::NoDepth;
    }
    if lower.starts_with("illegal move") {
        return Answer::Refuses;
    }
    // Version 1: "12. ... e7e5"
    if first.ends_with('.') && words.next() == Some("...") {
        return words.next().map_or(Answer::Other, |mv| Answer::Move(mv.to_string()));
    }
    read_thinking(line).map_or(Answer::Other, |info| Answer::Thinks(Box::new(info)))
}

/// Is Black to move, and the commands of `edit` for a position; `None` where they cannot express
/// it: castling rights follow from where king and rooks stand, and a pawn never just moved.
fn edit_commands(fen: &str) -> Option<(bool, Vec<String>)> {
    let mut fields = fen.split_whitespace();
    let (board, side, castling, en_passant) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let mut pieces = Vec::new();
    for (i, row) in board.split('/').enumerate() {
        let mut file = b'a';
        for c in row.chars() {
            match c.to_digit(10) {
                Some(n) => file += n as u8,
                None => {
                    pieces.push((c, format!("{}{}", char::from(file), 8_usize.checked_sub(i)?)));
                    file += 1;
                }
            }
        }
    }
    let stands = |piece: char, square: &str| pieces.iter().any(|(p, s)| *p == piece && s == square);
    let implied: String = [
        ('K', "e1", 'R', "h1"),
        ('Q', "e1", 'R', "a1"),
        ('k', "e8", 'r', "h8"),
        ('q', "e8", 'r', "a8"),
    ]
    .iter()
    .filter(|(right, king, rook, corner)| {
        stands(if right.is_uppercase() { 'K' } else { 'k' }, king) && stands(*rook, corner)
    })
    .map(|(right, ..)| *right)
    .collect();
    if en_passant != "-" || castling.trim_matches('-') != implied {
        return None;
    }
    let mut commands = vec!["edit".to_string(), "#".to_string()];
    for white in [true, false] {
        for (piece, square) in pieces.iter().filter(|(p, _)| p.is_uppercase() == white) {
            commands.push(format!("{}{square}", piece.to_ascii_uppercase()));
        }
        commands.push(if white { "c" } else { "." }.to_string());
    }
    Some((side == "b", commands))
}

/// `PLY SCORE TIME NODES LINE`: hundredths of a pawn, hundredths of a second.
fn read_thinking(line: &str) -> Option<Info> {
    let mut words = line.split_whitespace();
    let depth = words.next()?.trim_end_matches(['.', '&', '+', '-', '?', '!']);
    let depth: u32 = depth.parse().ok()?;
    let score: i32 = words.next()?.parse().ok()?;
    let hundredths: u64 = words.next()?.parse().ok()?;
    let nodes: u64 = words.next()?.parse().ok()?;
    let line = words
        .map(without_number)
        .filter(|w| w.chars().any(char::is_alphanumeric))
        .map(str::to_string)
        .collect();
    Some(Info {
        rank: 1,
        depth,
        score: Some(read_score(score)),
        nodes,
        elapsed: Duration::from_millis(hundredths.saturating_mul(10)),
        line,
        ..Info::default()
    })
}

/// `12.Nf3` is a move with its number in front.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// 100000 + n is a mate in n moves.
fn read_score(score: i32) -> Score {
    match score {
        100_000..=100_999 => {
            let moves = (score - 100_000) as u32;
            Score::won_in((2 * moves).saturating_sub(1))
        }
        -100_999..=-100_000 => Score::lost_in(2 * (-100_000 - score) as u32),
        _ => Score::estimate(score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use zug_core::Clock;

    #[test]
    fn features_are_read_with_and_without_quotes() {
        let list = read_features("ping=1 myname=\"Fairy Max 5\" variants=\"normal,3check\" done=0");
        let list: Vec<(&str, &str)> = list.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let expected = [
            ("ping", "1"),
            ("myname", "Fairy Max 5"),
            ("variants", "normal,3check"),
            ("done", "0"),
        ];
        assert_eq!(list, expected);
        let mut features = Features::default();
        assert!(features.take("ping", "1") && features.ping);
        assert!(features.take("option", "Resign Threshold -spin 400 0 1000"));
        assert_eq!(features.options, ["Resign Threshold"]);
        assert!(!features.take("san", "1"));
        assert!(!features.take("playother", "1"));
    }

    #[test]
    fn answers_are_told_apart() {
        let at = |line: &str| read_answer(line, Side::First);
        assert_eq!(at("move e2e4"), Answer::Move("e2e4".into()));
        assert_eq!(at("1. ... Nf6"), Answer::Move("Nf6".into()));
        assert_eq!(at("resign"), Answer::Resigns);
        assert_eq!(at("0-1 {White resigns}"), Answer::Resigns);
        assert_eq!(at("1-0 {White mates}"), Answer::Refuses);
        assert_eq!(at("Illegal move: e2e5"), Answer::Refuses);
        assert_eq!(at("Error (unknown command): sd"), Answer::NoDepth);
        assert_eq!(at("Invalid move: sd 2"), Answer::NoDepth);
        assert_eq!(at("Error (unknown command): easy"), Answer::Other);
        assert_eq!(at("tellics resign"), Answer::Resigns);
        assert_eq!(at("# a remark"), Answer::Other);
        assert_eq!(at("move"), Answer::Other);
        let Answer::Thinks(info) = at("9. -156 108 48000  1. e2e4 e7e5 2. g1f3") else {
            panic!("thinking was not understood");
        };
        assert_eq!((info.depth, info.nodes, info.score), (9, 48000, Some(Score::estimate(-156))));
        assert_eq!(info.elapsed, Duration::from_millis(1080));
        assert_eq!(info.line, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(read_score(100_003), Score::won_in(5));
        assert_eq!(read_score(-100_002), Score::lost_in(4));
    }

    #[test]
    fn positions_are_edited_piece_by_piece_where_that_says_all() {
        let (black, commands) = edit_commands("4k3/8/8/8/8/8/p7/4K2R b K - 0 1").unwrap();
        assert!(black);
        assert_eq!(commands.join(" "), "edit # Ke1 Rh1 c Ke8 Pa2 .");
        assert_eq!(edit_commands("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), None);
        assert_eq!(edit_commands("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), None);
        assert_eq!(edit_commands("4k3/8"), None);
        assert_eq!(edit_commands("8/8/8/8/8/8/8/8/8/k7 w - -"), None);
    }

    #[test]
    fn limits_become_commands() {
        let all = Features { nps: true, ..Features::default() };
        let of = |limits: Limits| limit_commands(&limits, &all).unwrap().join("; ");
        let base = Limits::default();
        assert_eq!(of(Limits { depth: Some(5), ..base.clone() }), "st 3600; sd 5");
        let time = |ms| Limits { movetime: Some(Duration::from_millis(ms)), ..base.clone() };
        assert_eq!(of(time(2000)), "st 2");
        assert_eq!(of(time(100)), "level 1 0:01 0");
        assert_eq!(of(Limits { nodes: Some(5000), ..base.clone() }), "nps 5000; st 1");
        let clock = Clock {
            remaining: [Duration::from_secs(90); 2],
            increment: [Duration::from_millis(500); 2],
            moves_to_go: Some(40),
        };
        assert_eq!(of(Limits { clock: Some(clock), ..base.clone() }), "level 40 1:30 0.5");
        let none = limit_commands(&Limits { nodes: Some(1), ..base }, &Features::default());
        assert!(none.is_err());
    }

    proptest! {
        #[test]
        fn any_line_is_understood_or_ignored(text in "(move|feature|[0-9-]{1,12}|=|\"| |.){0,20}") {
            let _ = (read_answer(&text, Side::Second), read_features(&text), edit_commands(&text));
        }
    }
}
