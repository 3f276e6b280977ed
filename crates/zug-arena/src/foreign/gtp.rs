//! GTP, the protocol of Go engines.
//!
//! Every command is answered, so the driver always knows where the engine stands. An engine that
//! knows `zug-game` (ours) is told which game is played and can then play any; one that knows
//! `set_game` is asked for Othello and the like by name; others are taken to play Go. Where a game is counted as the board lies, an engine that leaves dead stones on the board
//! when it passes loses by them; most have an option to play on (`gnugo --capture-all-dead`).
//!
//! The protocol has no limits on depth or nodes; an engine without time settings plays at
//! its own level.

use super::moves::adopt;
use super::process::Process;
use super::{Driver, Request, SameControl};
use std::time::{Duration, Instant};
use zug_core::error::shorten;
use zug_core::{AnyLine, Choice, Limits, Owner, PlayerError, Side};

pub(super) struct Gtp {
    /// Sent as commands after the greeting.
    wanted: Vec<(String, String)>,
    known: Vec<String>,
    id: u32,
    /// Where the engine's game began, and the moves it knows.
    told: Option<(String, Vec<String>)>,
    /// The limits that the engine was told in this game.
    limits: Option<Limits>,
}

/// Longer answers are cut.
const MAX_ANSWER: usize = 64 << 10;
/// More commands are not worth remembering.
const MAX_COMMANDS: usize = 2000;

impl Gtp {
    pub(super) fn new(wanted: Vec<(String, String)>) -> Gtp {
        Gtp { wanted, known: Vec::new(), id: 0, told: None, limits: None }
    }

    /// Sends a command and waits for its answer: what it says, or why it refuses.
    fn ask(
        &mut self,
        process: &mut Process,
        command: &str,
        deadline: Instant,
    ) -> Result<Result<String, String>, PlayerError> {
        self.ask_with(process, command, |process| match process.hear(deadline)? {
            Some(line) => Ok(line),
            None => Err(PlayerError::TimedOut(Duration::ZERO)),
        })
    }

    /// The same, with another way of waiting for the next line.
    fn ask_with(
        &mut self,
        process: &mut Process,
        command: &str,
        mut hear: impl FnMut(&mut Process) -> Result<String, PlayerError>,
    ) -> Result<Result<String, String>, PlayerError> {
        self.id += 1;
        process.send(&format!("{} {command}", self.id))?;
        let mut answer: Option<(bool, String)> = None;
        loop {
            let line = hear(process)?;
            match &mut answer {
                None => {
                    // Answers to earlier commands, and whatever is no answer, are skipped.
                    if let Some((good, id, text)) = read_head(&line)
                        && id.is_none_or(|id| id == self.id)
                    {
                        answer = Some((good, text.to_string()));
                    }
                }
                Some((good, text)) if line.is_empty() => {
                    let text = std::mem::take(text);
                    return Ok(if *good { Ok(text) } else { Err(shorten(&text)) });
                }
                Some((_, text)) if text.len() + line.len() < MAX_ANSWER => {
                    text.push('\n');
                    text.push_str(&line);
                }
                Some(_) => {}
            }
        }
    }

    /// Sends a command that must succeed.
    fn must(
        &mut self,
        process: &mut Process,
        command: &str,
        deadline: Instant,
    ) -> Result<String, PlayerError> {
        let answer = self.ask(process, command, deadline)?;
        answer.map_err(|e| PlayerError::Protocol(format!("'{}': {e}", shorten(command))))
    }

    fn knows(&self, command: &str) -> bool {
        self.known.iter().any(|known| known == command)
    }

    /// Sets up the start of a line.
    fn begin(
        &mut self,
        process: &mut Process,
        line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        let mut start = line.boxed_clone();
        while start.undo() {}
        let unsupported = |e: String| PlayerError::Unsupported(e);
        if self.knows("zug-game") {
            let spec = line.spec();
            let answer = self.ask(process, &format!("zug-game {spec}"), deadline)?;
            answer.map_err(|e| unsupported(format!("it does not play {spec}: {e}")))?;
            self.must(process, "clear_board", deadline)?;
            if !line.starts_at_start() {
                let command = format!("zug-set_position {}", start.start_text());
                self.must(process, &command, deadline)?;
            }
        } else if line.spec().split(':').next() == Some("go") {
            let size = start.picture().width;
            let answer = self.ask(process, &format!("boardsize {size}"), deadline)?;
            answer.map_err(|e| unsupported(format!("no board of size {size}: {e}")))?;
            self.must(process, "clear_board", deadline)?;
            if let Some(komi) = line.option("komi") {
                self.must(process, &format!("komi {komi}"), deadline)?;
            }
            for command in stones(start.as_ref()) {
                self.must(process, &command, deadline)?;
            }
        } else if self.knows("set_game") {
            // The way of GUIs of several games. Such engines know no set-up positions.
            let (spec, size) = (line.spec(), start.picture().width);
            let family = spec.split(':').next().unwrap_or_default();
            let mut name = family.to_string();
            name[..1].make_ascii_uppercase();
            let mut answer = self.ask(process, &format!("set_game {name}"), deadline)?;
            if answer.is_err() {
                answer = self.ask(process, &format!("set_game {family}"), deadline)?;
            }
            answer.map_err(|e| unsupported(format!("it does not play {family}: {e}")))?;
            let answer = self.ask(process, &format!("boardsize {size}"), deadline)?;
            answer.map_err(|e| unsupported(format!("no board of size {size}: {e}")))?;
            self.must(process, "clear_board", deadline)?;
            if !line.starts_at_start() {
                let reason = "it can only begin at the start (openings must be moves)";
                return Err(unsupported(reason.to_string()));
            }
        } else {
            let reason =
                format!("it knows Go, but not {} (neither zug-game nor set_game)", line.spec());
            return Err(unsupported(reason));
        }
        self.told = Some((line.start_text(), Vec::new()));
        self.limits = None;
        Ok(())
    }

    /// Brings the engine to the position of the line.
    fn present(
        &mut self,
        process: &mut Process,
        line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        let moves = line.moves();
        let known = match &self.told {
            Some((start, known)) if *start == line.start_text() && moves.starts_with(known) => {
                known.len()
            }
            _ => {
                self.begin(process, line, deadline)?;
                0
            }
        };
        let sides = sides(line);
        for (mv, side) in moves.iter().zip(sides).skip(known) {
            let command = format!("play {} {mv}", colour(line, side));
            let answer = self.ask(process, &command, deadline)?;
            answer.map_err(|e| {
                PlayerError::Protocol(format!("it refuses the legal move '{mv}': {e}"))
            })?;
        }
        self.told = Some((line.start_text(), moves));
        Ok(())
    }

    fn tell_time(
        &mut self,
        process: &mut Process,
        request: &Request<'_, '_>,
    ) -> Result<(), PlayerError> {
        let whole = !self.knows("zug-game");
        let (limits, deadline) = (request.limits, request.deadline);
        let Some(settings) = time_settings(limits, whole) else { return Ok(()) };
        let known = self.limits.as_ref().is_some_and(|told| told.same_control(limits));
        if !known && self.knows("time_settings") {
            self.must(process, &settings, deadline)?;
            self.limits = Some(limits.clone());
        }
        let Some(clock) = limits.clock else { return Ok(()) };
        if self.knows("time_left") {
            for side in Side::BOTH {
                let left = seconds(clock.remaining[side.index()], whole, false);
                let stones = clock.moves_to_go.unwrap_or(0);
                let colour = colour(request.line, side);
                self.must(process, &format!("time_left {colour} {left} {stones}"), deadline)?;
            }
        }
        Ok(())
    }
}

impl Driver for Gtp {
    fn greet(
        &mut self,
        process: &mut Process,
        deadline: Instant,
    ) -> Result<Option<String>, PlayerError> {
        self.told = None;
        let commands = self.ask(process, "list_commands", deadline)?;
        // An engine that does not list its commands has those that all have.
        let basic = "boardsize clear_board komi play genmove name".to_string();
        let commands = commands.unwrap_or(basic);
        self.known = commands.split_whitespace().take(MAX_COMMANDS).map(str::to_string).collect();
        let name = self.ask(process, "name", deadline)?.ok();
        for (name, value) in self.wanted.clone() {
            self.set_option(process, &name, &value)?;
        }
        Ok(name.map(|n| shorten(n.trim())).filter(|n| !n.is_empty()))
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        self.begin(process, line, deadline)
    }

    fn choose(
        &mut self,
        process: &mut Process,
        request: &mut Request<'_, '_>,
    ) -> Result<Choice, PlayerError> {
        let patience = request.patience;
        let tell = |e| match e {
            PlayerError::TimedOut(_) => PlayerError::TimedOut(patience),
            other => other,
        };
        self.present(process, request.line, request.deadline).map_err(tell)?;
        self.tell_time(process, request).map_err(tell)?;
        let command = format!("genmove {}", colour(request.line, request.line.to_move()));
        let answer = self.ask_with(process, &command, |process| request.hear(process, None))?;
        let answer = answer.map_err(|e| PlayerError::Protocol(format!("genmove: {e}")))?;
        let text = answer.split_whitespace().next().unwrap_or_default();
        if text.eq_ignore_ascii_case("resign") {
            return Ok(Choice { resigns: true, ..Choice::of("") });
        }
        if text.is_empty() {
            return Err(PlayerError::Protocol("genmove: an empty answer".to_string()));
        }
        let mv = adopt(request.line, text);
        if let Some((_, told)) = &mut self.told {
            told.push(mv.clone());
        }
        Ok(Choice::of(mv))
    }

    /// `level=5` is the command `level 5`.
    fn set_option(
        &mut self,
        process: &mut Process,
        name: &str,
        value: &str,
    ) -> Result<(), PlayerError> {
        if !self.knows(name) {
            return Err(PlayerError::Option(format!("it has no command '{name}'")));
        }
        let deadline = Instant::now() + super::GREETING;
        let answer = self.ask(process, &format!("{name} {value}"), deadline)?;
        answer.map(|_| ()).map_err(|e| PlayerError::Option(format!("'{name} {value}': {e}")))
    }

    fn is_timeless(&self) -> bool {
        true
    }
}

/// `=12 text` or `?12 text`: success, number if any, text.
fn read_head(line: &str) -> Option<(bool, Option<u32>, &str)> {
    let good = match line.chars().next()? {
        '=' => true,
        '?' => false,
        _ => return None,
    };
    let rest = &line[1..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    Some((good, rest[..digits].parse().ok(), rest[digits..].trim_start()))
}

/// Black or white, as GTP has it: by what the game calls the sides, else black moves first.
fn colour(line: &dyn AnyLine, side: Side) -> char {
    match (line.side_name(side), side) {
        ("black", _) => 'b',
        ("white", _) => 'w',
        (_, Side::First) => 'b',
        (_, Side::Second) => 'w',
    }
}

/// Who made each move of a line.
fn sides(line: &dyn AnyLine) -> Vec<Side> {
    let mut line = line.boxed_clone();
    let mut sides = Vec::new();
    while line.undo() {
        sides.push(line.to_move());
    }
    sides.reverse();
    sides
}

/// Commands that put the stones of a position on an empty board. First all of one colour, then
/// all of the other: no stone of a possible position captures another in this order.
fn stones(line: &dyn AnyLine) -> Vec<String> {
    let picture = line.picture();
    let mut out = Vec::new();
    for side in Side::BOTH {
        for (i, cell) in picture.cells.iter().enumerate() {
            if cell.owner == Owner::Piece(side) {
                let vertex = vertex(i % picture.width, picture.height - i / picture.width);
                out.push(format!("play {} {vertex}", colour(line, side)));
            }
        }
    }
    out
}

/// Column from 0, row from 1 at the bottom; the letter I is left out.
fn vertex(column: usize, row: usize) -> String {
    let letter = b"ABCDEFGHJKLMNOPQRSTUVWXYZ".get(column).copied().unwrap_or(b'?');
    format!("{}{row}", char::from(letter))
}

/// The `time_settings` command for limits.
fn time_settings(limits: &Limits, whole: bool) -> Option<String> {
    if let Some(clock) = limits.clock {
        let base = clock.remaining[0].max(clock.remaining[1]);
        return Some(match clock.moves_to_go {
            Some(moves) => format!("time_settings 0 {} {moves}", seconds(base, whole, true)),
            None => format!("time_settings {} 0 0", seconds(base, whole, true)),
        });
    }
    limits.movetime.map(|time| format!("time_settings 0 {} 1", seconds(time, whole, true)))
}

/// Whole seconds for engines that know no others.
fn seconds(time: Duration, whole: bool, up: bool) -> String {
    match (whole, up) {
        (false, _) => time.as_secs_f64().to_string(),
        (true, true) => time.as_secs_f64().ceil().max(1.0).to_string(),
        (true, false) => time.as_secs().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Clock;

    #[test]
    fn answers_are_told_from_other_lines() {
        assert_eq!(read_head("=12 D4"), Some((true, Some(12), "D4")));
        assert_eq!(read_head("= D4"), Some((true, None, "D4")));
        assert_eq!(read_head("?3 illegal move"), Some((false, Some(3), "illegal move")));
        assert_eq!(read_head("=99999999999 x"), Some((true, None, "x")));
        assert_eq!(read_head("="), Some((true, None, "")));
        assert_eq!(read_head("D4"), None);
        assert_eq!(read_head(""), None);
    }

    #[test]
    fn vertices_leave_out_the_letter_i() {
        assert_eq!((vertex(0, 1), vertex(7, 9)), ("A1".to_string(), "H9".to_string()));
        assert_eq!((vertex(8, 10), vertex(18, 19)), ("J10".to_string(), "T19".to_string()));
    }

    #[test]
    fn limits_become_time_settings() {
        let half = Limits { movetime: Some(Duration::from_millis(500)), ..Limits::default() };
        assert_eq!(time_settings(&half, true).unwrap(), "time_settings 0 1 1");
        assert_eq!(time_settings(&half, false).unwrap(), "time_settings 0 0.5 1");
        let clock = |moves_to_go| Limits {
            clock: Some(Clock {
                remaining: [Duration::from_secs(60); 2],
                moves_to_go,
                ..Clock::default()
            }),
            ..Limits::default()
        };
        assert_eq!(time_settings(&clock(None), true).unwrap(), "time_settings 60 0 0");
        assert_eq!(time_settings(&clock(Some(40)), true).unwrap(), "time_settings 0 60 40");
        assert_eq!(time_settings(&Limits::default(), true), None);
    }
}
