//! What lines of CECP say, in both directions.

use std::time::Duration;
use zug_core::error::shorten;
use zug_core::{Info, Limits, PlayerError, Score, Side};

/// Seconds for a search that is limited by depth alone.
const NO_TIME_LIMIT: u64 = 3600;

/// What the engine says it can do.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Features {
    pub(super) ping: bool,
    pub(super) setboard: bool,
    pub(super) usermove: bool,
    pub(super) time: bool,
    pub(super) reuse: bool,
    pub(super) nps: bool,
    pub(super) memory: bool,
    pub(super) smp: bool,
    pub(super) colors: bool,
    pub(super) name: Option<String>,
    pub(super) options: Vec<String>,
    pub(super) done: Option<bool>,
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

impl Features {
    /// Takes note of a feature; false for those that we do not use.
    pub(super) fn take(&mut self, name: &str, value: &str) -> bool {
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
pub(super) fn read_features(text: &str) -> Vec<(String, String)> {
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

pub(super) fn is_whole_seconds(time: Duration) -> bool {
    time.subsec_millis() == 0 && time.as_secs() > 0
}

/// The commands that set limits.
pub(super) fn limit_commands(
    limits: &Limits,
    features: &Features,
) -> Result<Vec<String>, PlayerError> {
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

pub(super) fn no_depth() -> PlayerError {
    PlayerError::Unsupported("it has no limit on depth (sd)".to_string())
}

/// `Error (unknown command): sd`, `Illegal move: sd 2`, `Invalid move: sd 2`.
pub(super) fn complains_about(line: &str, command: &str) -> bool {
    let lower = line.trim_start().to_ascii_lowercase();
    ["illegal move", "invalid move", "error"].iter().any(|w| lower.starts_with(w))
        && lower.split_whitespace().any(|word| word == command)
}

#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    Move(String),
    Resigns,
    Thinks(Box<Info>),
    /// It does not know `sd`; it would think on for hours.
    NoDepth,
    /// It does not accept a legal move or claims a result that the rules do not give.
    Refuses,
    Other,
}

pub(super) fn read_answer(line: &str, side: Side) -> Answer {
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
pub(super) fn edit_commands(fen: &str) -> Option<(bool, Vec<String>)> {
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
