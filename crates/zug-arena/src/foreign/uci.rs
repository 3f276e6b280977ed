//! UCI: the protocol of most chess engines.

use super::moves::{adopt, king_takes_rook};
use super::process::Process;
use super::{Driver, Request, some_of};
use std::fmt::Write;
use std::time::{Duration, Instant};
use zug_core::error::shorten;
use zug_core::{AnyLine, Bound, Choice, Info, Limits, PlayerError, Score};

/// An option that the engine has declared.
#[derive(Clone, Debug, Default, PartialEq)]
struct Declared {
    name: String,
    kind: String,
    min: Option<i64>,
    max: Option<i64>,
    words: Vec<String>,
}

pub(super) struct Uci {
    wanted: Vec<(String, String)>,
    declared: Vec<Declared>,
    lines: usize,
    /// Was the engine told that castling is written as the king taking its rook?
    chess960: bool,
}

/// More options are not worth remembering.
const MAX_OPTIONS: usize = 1000;

impl Uci {
    pub(super) fn new(wanted: Vec<(String, String)>) -> Uci {
        Uci { wanted, declared: Vec::new(), lines: 1, chess960: false }
    }

    fn find(&self, name: &str) -> Option<&Declared> {
        self.declared.iter().find(|d| d.name.eq_ignore_ascii_case(name))
    }

    fn ready(process: &mut Process, deadline: Instant) -> Result<(), PlayerError> {
        process.send("isready")?;
        while let Some(line) = process.hear(deadline)? {
            if line.trim() == "readyok" {
                return Ok(());
            }
        }
        Err(PlayerError::TimedOut(Duration::ZERO))
    }

    fn go(&mut self, process: &mut Process, request: &Request<'_, '_>) -> Result<(), PlayerError> {
        let lines = request.limits.lines.max(1);
        if lines != self.lines && self.find("MultiPV").is_some() {
            process.send(&format!("setoption name MultiPV value {lines}"))?;
            self.lines = lines;
        }
        process.send(&position(request.line, self.chess960))?;
        process.send(&go(request.limits))
    }
}

impl Driver for Uci {
    fn greet(
        &mut self,
        process: &mut Process,
        deadline: Instant,
    ) -> Result<Option<String>, PlayerError> {
        self.declared.clear();
        self.lines = 1;
        process.send("uci")?;
        let mut name = None;
        loop {
            let Some(line) = process.hear(deadline)? else {
                return Err(PlayerError::TimedOut(Duration::ZERO));
            };
            if line.trim() == "uciok" {
                break;
            } else if let Some(text) = line.strip_prefix("id name ") {
                name = Some(shorten(text.trim()));
            } else if let Some(declared) = line.strip_prefix("option ").and_then(read_option)
                && self.declared.len() < MAX_OPTIONS
            {
                self.declared.push(declared);
            }
        }
        for (name, value) in self.wanted.clone() {
            self.set_option(process, &name, &value)?;
        }
        Uci::ready(process, deadline)?;
        Ok(name)
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        // Some engines castle as "king takes rook" unless told that this is plain chess.
        let asked = self.wanted.iter().rfind(|(k, _)| k.eq_ignore_ascii_case("UCI_Chess960"));
        if let Some((_, value)) = asked {
            self.chess960 = value == "true";
        } else if self.find("UCI_Chess960").is_some() {
            self.chess960 = is_shuffled(line);
            process.send(&format!("setoption name UCI_Chess960 value {}", self.chess960))?;
        }
        process.send("ucinewgame")?;
        Uci::ready(process, deadline)
    }

    fn choose(
        &mut self,
        process: &mut Process,
        request: &mut Request<'_, '_>,
    ) -> Result<Choice, PlayerError> {
        process.drain();
        self.go(process, request)?;
        let mut best: Option<Info> = None;
        loop {
            let line = request.hear(process, Some("stop"))?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => {
                    let Some(info) = read_info(&line) else { continue };
                    (request.watch.report)(&info);
                    if info.rank <= 1 {
                        best = Some(info);
                    }
                }
                Some("bestmove") => {
                    let mv = words.next().unwrap_or_default();
                    if mv.is_empty() || mv == "(none)" || mv == "NULL" {
                        let reason = format!("no move in '{}'", shorten(&line));
                        return Err(PlayerError::Protocol(reason));
                    }
                    let expects = match (words.next(), words.next()) {
                        (Some("ponder"), Some(reply)) => Some(reply.to_string()),
                        _ => None,
                    };
                    let mv = adopt(request.line, mv);
                    return Ok(Choice { mv, resigns: false, info: best, expects });
                }
                _ => {}
            }
        }
    }

    fn set_option(
        &mut self,
        process: &mut Process,
        name: &str,
        value: &str,
    ) -> Result<(), PlayerError> {
        let Some(declared) = self.find(name) else {
            let known = some_of(self.declared.iter().map(|d| d.name.as_str()));
            let reason = format!("it has no option '{name}'; it has {known}");
            return Err(PlayerError::Option(reason));
        };
        let line = setoption(declared, value)?;
        process.send(&line)
    }
}

/// The command, if the value fits.
fn setoption(option: &Declared, value: &str) -> Result<String, PlayerError> {
    let name = &option.name;
    let wrong = |expected: String| {
        Err(PlayerError::Option(format!("'{name}' expects {expected}, not '{value}'")))
    };
    match option.kind.as_str() {
        "button" => return Ok(format!("setoption name {name}")),
        "check" if !["true", "false"].contains(&value) => return wrong("true or false".into()),
        "spin" => {
            let (min, max) = (option.min.unwrap_or(i64::MIN), option.max.unwrap_or(i64::MAX));
            if !value.parse::<i64>().is_ok_and(|v| (min..=max).contains(&v)) {
                return wrong(format!("a number from {min} to {max}"));
            }
        }
        "combo" if !option.words.iter().any(|w| w == value) => {
            let words = some_of(option.words.iter().map(String::as_str));
            return wrong(format!("one of {words}"));
        }
        _ => {}
    }
    Ok(format!("setoption name {name} value {value}"))
}

/// `name Skill Level type spin default 20 min 0 max 20`
fn read_option(text: &str) -> Option<Declared> {
    const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let mut option = Declared::default();
    let mut words = text.split_whitespace().peekable();
    while let Some(key) = words.next() {
        let mut value = Vec::new();
        while let Some(word) = words.next_if(|w| !KEYS.contains(w)) {
            value.push(word);
        }
        let value = value.join(" ");
        match key {
            "name" => option.name = value,
            "type" => option.kind = value,
            "min" => option.min = value.parse().ok(),
            "max" => option.max = value.parse().ok(),
            "var" => option.words.push(value),
            _ => {}
        }
    }
    (!option.name.is_empty()).then_some(option)
}

/// Does a game castle from other squares than those of plain chess? Its name may say so, and so may
/// the castling rights of its first position: by the file of a rook, or where king and rook stand.
fn is_shuffled(line: &dyn AnyLine) -> bool {
    if line.spec().contains("960") {
        return true;
    }
    let text = line.start_text();
    let mut fields = text.split_whitespace();
    let (Some(rows), Some(castling)) = (fields.next(), fields.nth(1)) else { return false };
    let rows: Vec<String> = rows.split('/').map(unfold).collect();
    let (Some(black), Some(white)) = (rows.first(), rows.get(7)) else { return false };
    let stands = |row: &str, file: usize, man: char| row.chars().nth(file) == Some(man);
    castling.chars().any(|right| match right {
        '-' => false,
        'K' => !(stands(white, 4, 'K') && stands(white, 7, 'R')),
        'Q' => !(stands(white, 4, 'K') && stands(white, 0, 'R')),
        'k' => !(stands(black, 4, 'k') && stands(black, 7, 'r')),
        'q' => !(stands(black, 4, 'k') && stands(black, 0, 'r')),
        _ => right.is_ascii_alphabetic(),
    })
}

/// A row of a FEN with a character for each square.
fn unfold(row: &str) -> String {
    let each = row.chars().map(|c| match c.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => c.to_string(),
    });
    each.collect()
}

/// The moves of a line, castling written as the king taking its rook.
fn chess960_moves(line: &dyn AnyLine) -> Vec<String> {
    let moves = line.moves();
    let mut trial = line.boxed_clone();
    for _ in &moves {
        trial.undo();
    }
    let mut written = Vec::with_capacity(moves.len());
    for mv in moves {
        let other = king_takes_rook(&*trial, &mv);
        // It was played before.
        let _ = trial.play(&mv);
        written.push(other.unwrap_or(mv));
    }
    written
}

/// The `position` command for a line.
fn position(line: &dyn AnyLine, chess960: bool) -> String {
    let mut text = match line.starts_at_start() {
        true => "position startpos".to_string(),
        false => format!("position fen {}", line.start_text()),
    };
    let moves = if chess960 { chess960_moves(line) } else { line.moves() };
    if !moves.is_empty() {
        text.push_str(" moves ");
        text.push_str(&moves.join(" "));
    }
    text
}

/// The `go` command for limits.
fn go(limits: &Limits) -> String {
    let mut text = "go".to_string();
    // Writing to a string cannot fail.
    if let Some(depth) = limits.depth {
        let _ = write!(text, " depth {depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(time) = limits.movetime {
        let _ = write!(text, " movetime {}", time.as_millis().max(1));
    }
    if let Some(clock) = limits.clock {
        let [first, second] = clock.remaining.map(|t| t.as_millis().max(1));
        let [inc1, inc2] = clock.increment.map(|t| t.as_millis());
        let _ = write!(text, " wtime {first} btime {second} winc {inc1} binc {inc2}");
        if let Some(moves) = clock.moves_to_go {
            let _ = write!(text, " movestogo {moves}");
        }
    }
    if !limits.is_bounded() {
        text.push_str(" infinite");
    }
    if !limits.only.is_empty() {
        text.push_str(" searchmoves ");
        text.push_str(&limits.only.join(" "));
    }
    text
}

/// An `info` line; `None` if it says nothing of a search.
fn read_info(line: &str) -> Option<Info> {
    let mut info = Info { rank: 1, ..Info::default() };
    let mut said = false;
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(key) = words.next() {
        match key {
            "string" => break,
            "depth" => info.depth = words.next()?.parse().ok()?,
            "seldepth" => info.deepest = words.next()?.parse().ok()?,
            "multipv" => info.rank = words.next()?.parse().ok()?,
            "nodes" => info.nodes = words.next()?.parse().ok()?,
            "hashfull" => info.hash_full = words.next()?.parse().ok(),
            "time" => {
                info.elapsed = Duration::from_millis(words.next()?.parse::<u64>().ok()?);
            }
            "score" => {
                info.score = match (words.next()?, words.next()?.parse::<i32>().ok()?) {
                    ("cp", value) => Some(Score::estimate(value)),
                    ("mate", moves) => Some(mate(moves)),
                    _ => return None,
                };
                said = true;
            }
            "pv" => {
                info.line = words.by_ref().map(str::to_string).collect();
                said = true;
            }
            "lowerbound" => info.bound = Bound::AtLeast,
            "upperbound" => info.bound = Bound::AtMost,
            // currmove, nps, tbhits, wdl and whatever comes
            _ => {}
        }
    }
    said.then_some(info)
}

/// Mate in so many moves of the mover (negative: it is mated) as plies.
fn mate(moves: i32) -> Score {
    match moves {
        1.. => Score::won_in(moves.unsigned_abs().saturating_mul(2) - 1),
        _ => Score::lost_in(moves.unsigned_abs().saturating_mul(2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use zug_core::Clock;

    #[test]
    fn info_lines_are_read() {
        let info = read_info(
            "info depth 12 seldepth 18 multipv 1 score cp -31 nodes 48123 nps 900000 hashfull 17 \
             tbhits 0 time 53 pv e7e5 g1f3",
        )
        .unwrap();
        assert_eq!((info.depth, info.deepest, info.rank), (12, 18, 1));
        assert_eq!((info.score, info.nodes), (Some(Score::estimate(-31)), 48123));
        assert_eq!(info.elapsed, Duration::from_millis(53));
        assert_eq!(info.line, ["e7e5", "g1f3"]);
        let score = |text: &str| read_info(text).and_then(|i| i.score);
        assert_eq!(score("info score mate 3 pv a1a2"), Some(Score::won_in(5)));
        assert_eq!(score("info score mate -2"), Some(Score::lost_in(4)));
        assert_eq!(score("info score mate 0"), Some(Score::lost_in(0)));
        assert_eq!(score("info score cp 20 lowerbound depth 3"), Some(Score::estimate(20)));
        assert_eq!(read_info("info string hello score cp 5"), None);
        assert_eq!(read_info("info currmove e2e4 currmovenumber 1"), None);
        assert_eq!(read_info("info depth x score cp 1"), None);
    }

    #[test]
    fn chess960_is_told_by_the_position_as_well_as_by_the_name() {
        let game =
            |spec: &str| zug_chess::open(&zug_core::Spec::parse(spec).unwrap()).unwrap().game;
        let chess = game("chess");
        assert!(!is_shuffled(&*chess.new_line()));
        assert!(is_shuffled(&*game("chess:960=0").new_line()));
        for (fen, shuffled) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", false),
            ("1r3k1r/8/8/8/8/8/8/1R3K1R w - - 0 1", false),
            ("1r3k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true),
            ("4k3/8/8/8/8/8/8/R3KR2 w Q - 0 1", false),
            ("4k3/8/8/8/8/8/8/R3KR2 w F - 0 1", true),
            ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", true),
        ] {
            assert_eq!(is_shuffled(&*chess.line_from(fen).unwrap()), shuffled, "{fen}");
        }
    }

    #[test]
    fn castling_is_written_as_the_engine_was_told() {
        let chess = zug_chess::open(&zug_core::Spec::parse("chess").unwrap()).unwrap().game;
        let fen = "1r3k1r/8/8/8/8/8/5P2/R3K2R w KQkq - 0 1";
        let mut line = chess.line_from(fen).unwrap();
        for mv in ["e1g1", "f8h8", "g1h1"] {
            line.play(mv).unwrap();
        }
        let told = position(&*line, true);
        assert!(told.ends_with(" moves e1h1 f8h8 g1h1"), "{told}");
        let mut line = chess.line_from("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        line.play("e1c1").unwrap();
        assert!(position(&*line, false).ends_with(" moves e1c1"));
        assert!(position(&*line, true).ends_with(" moves e1a1"));
    }

    #[test]
    fn limits_become_go_commands() {
        let base = Limits::default();
        assert_eq!(go(&base), "go infinite");
        let both = Limits { depth: Some(4), nodes: Some(9), ..base.clone() };
        assert_eq!(go(&both), "go depth 4 nodes 9");
        let time = Limits { movetime: Some(Duration::from_millis(50)), ..base.clone() };
        assert_eq!(go(&time), "go movetime 50");
        let clock = Clock {
            remaining: [Duration::from_secs(60), Duration::from_millis(59_500)],
            increment: [Duration::from_millis(100); 2],
            moves_to_go: Some(12),
        };
        let clock = Limits { clock: Some(clock), only: vec!["e2e4".into()], ..base };
        let expected = "go wtime 60000 btime 59500 winc 100 binc 100 movestogo 12 searchmoves e2e4";
        assert_eq!(go(&clock), expected);
    }

    #[test]
    fn options_are_read_and_values_are_checked() {
        let spin = read_option("name Skill Level type spin default 20 min 0 max 20").unwrap();
        assert_eq!((spin.name.as_str(), spin.min, spin.max), ("Skill Level", Some(0), Some(20)));
        assert_eq!(setoption(&spin, "3").unwrap(), "setoption name Skill Level value 3");
        assert!(setoption(&spin, "21").unwrap_err().to_string().contains("0 to 20"));
        assert!(setoption(&spin, "x").is_err());
        let combo =
            read_option("name Style type combo default Normal var Solid var Very Risky").unwrap();
        assert_eq!(combo.words, ["Solid", "Very Risky"]);
        assert!(setoption(&combo, "Very Risky").is_ok() && setoption(&combo, "Odd").is_err());
        let check = read_option("name Ponder type check default false").unwrap();
        assert!(setoption(&check, "true").is_ok() && setoption(&check, "yes").is_err());
        let button = read_option("name Clear Hash type button").unwrap();
        assert_eq!(setoption(&button, "").unwrap(), "setoption name Clear Hash");
        assert_eq!(read_option("type spin"), None);
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_ignored(text in "(info|option|score|depth|cp|mate|pv|name|type|min|[0-9-]{1,12}| |.){0,30}") {
            let _ = (read_info(&text), read_option(&text));
        }
    }
}
