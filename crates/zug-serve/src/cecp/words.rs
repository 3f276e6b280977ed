//! How is something said in CECP?

use std::fmt::Write;
use zug_core::{Info, Outcome, Pulse, Score, Side, Verdict};

/// The features of the engine but for its options.
const FEATURES: &str = "feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 \
    sigterm=0 reuse=1 analyze=1 colors=0 ics=0 name=0 pause=0 nps=1 debug=0 memory=1 smp=1 exclude=0";

/// Options that have a command of their own, or mean nothing here.
const WITHOUT: [&str; 8] = [
    "Hash",
    "Threads",
    "Ponder",
    "SyzygyPath",
    "Move Overhead",
    "UCI_Chess960",
    "UCI_AnalyseMode",
    "UCI_ShowWDL",
];

/// All features, with the options as UCI declares them.
pub(super) fn features(variants: &str, declared: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "feature done=0\n{FEATURES}\nfeature myname=\"Zug {version}\" variants=\"{variants}\" \
         egt=\"syzygy\"\n"
    );
    for option in declared.lines().filter_map(option) {
        let _ = writeln!(text, "feature option=\"{option}\"");
    }
    text.push_str("feature done=1\n");
    text
}

/// An option of UCI as CECP declares it.
fn option(line: &str) -> Option<String> {
    let (name, rest) = line.strip_prefix("option name ")?.split_once(" type ")?;
    if WITHOUT.contains(&name) {
        return None;
    }
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let rest = rest.strip_prefix("default ").unwrap_or(rest);
    Some(match kind {
        "spin" => {
            let (default, rest) = rest.split_once(" min ")?;
            let (least, most) = rest.split_once(" max ")?;
            format!("{name} -spin {default} {least} {most}")
        }
        "check" => format!("{name} -check {}", u8::from(rest == "true")),
        "combo" => {
            let mut choices = rest.split(" var ");
            let default = choices.next()?;
            let mark = |word: &str| if word == default { format!("*{word}") } else { word.into() };
            format!("{name} -combo {}", choices.map(mark).collect::<Vec<String>>().join(" /// "))
        }
        "button" => format!("{name} -button"),
        _ => format!("{name} -string {}", if rest == "<empty>" { "" } else { rest }),
    })
}

/// A value that a GUI sets, as UCI has it.
pub(super) fn value(declared: &str, name: &str, value: &str) -> String {
    let is_check = declared.lines().any(|line| {
        let option = line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type "));
        option
            .is_some_and(|(own, rest)| own.eq_ignore_ascii_case(name) && rest.starts_with("check"))
    });
    match value {
        "1" if is_check => "true".to_string(),
        "0" if is_check => "false".to_string(),
        value => value.to_string(),
    }
}

/// A thought: plies, value, hundredths of seconds, positions, line.
pub(super) fn thought(info: &Info) -> Option<String> {
    let score = score(info.score?);
    let time = info.elapsed.as_millis() / 10;
    Some(format!("{} {score} {time} {} {}", info.depth, info.nodes, info.line.join(" ")))
}

/// Hundredths of a pawn; 100000 and so many moves to the mate.
fn score(score: Score) -> i64 {
    let moves = |plies: u32| i64::from(plies.div_ceil(2));
    match score.verdict() {
        Verdict::Estimate(value) => i64::from(value),
        Verdict::WonIn(plies) => 100_000 + moves(plies),
        Verdict::LostIn(plies) => -100_000 - moves(plies),
        Verdict::WonBy(_) => 99_999,
        Verdict::LostBy(_) => -99_999,
    }
}

/// How far an analysis is: time, positions, plies, moves left, all moves, the move.
pub(super) fn status(pulse: &Pulse, moves: usize) -> String {
    let Pulse { info, current } = pulse;
    let time = info.elapsed.as_millis() / 10;
    let (mv, number) = current.as_ref().map_or(("", moves), |(mv, number)| (mv, *number));
    let left = moves.saturating_sub(number);
    format!("stat01: {time} {} {} {left} {moves} {mv}", info.nodes, info.depth)
}

/// The end of a game.
pub(super) fn result(outcome: &Outcome) -> String {
    let (result, who) = match outcome.winner {
        Some(Side::First) => ("1-0", "White wins: "),
        Some(Side::Second) => ("0-1", "Black wins: "),
        None => ("1/2-1/2", ""),
    };
    format!("{result} {{{who}{}}}", outcome.reason)
}

/// The result that a GUI tells; `None` where it says nothing about the play.
pub(super) fn outcome(text: &str) -> Option<Outcome> {
    match text.split_whitespace().next()? {
        "1-0" => Some(Outcome::win(Side::First, "the GUI says so")),
        "0-1" => Some(Outcome::win(Side::Second, "the GUI says so")),
        "1/2-1/2" => Some(Outcome::draw("the GUI says so")),
        _ => None,
    }
}

/// A move as xboard wants it, in the position of this FEN: castling onto the own rook has a word of
/// its own.
pub(super) fn written<'a>(fen: &str, mv: &'a str) -> &'a str {
    let square = |at: usize| mv.get(at..at + 2);
    let (Some(from), Some(to)) = (square(0), square(2)) else { return mv };
    match (man(fen, from), man(fen, to)) {
        (Some('K'), Some('R')) | (Some('k'), Some('r')) => {
            if from < to {
                "O-O"
            } else {
                "O-O-O"
            }
        }
        _ => mv,
    }
}

/// The man on a square.
fn man(fen: &str, square: &str) -> Option<char> {
    let &[file, rank] = square.as_bytes() else { return None };
    let row = usize::from(b'8'.checked_sub(rank)?);
    let mut at = b'a';
    for letter in fen.split([' ', '/']).nth(row)?.chars() {
        match letter.to_digit(10) {
            Some(empty) => at += empty as u8,
            None if at == file => return Some(letter),
            None => at += 1,
        }
        if at > file {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn options_are_declared_in_the_words_of_the_protocol() {
        for (uci, cecp) in [
            ("MultiPV type spin default 1 min 1 max 256", Some("MultiPV -spin 1 1 256")),
            ("Learn type check default false", Some("Learn -check 0")),
            ("Syzygy50MoveRule type check default true", Some("Syzygy50MoveRule -check 1")),
            ("Clear Hash type button", Some("Clear Hash -button")),
            ("Book type string default <empty>", Some("Book -string ")),
            ("Search type combo default a var a var b", Some("Search -combo *a /// b")),
            ("Hash type spin default 64 min 1 max 16384", None),
        ] {
            assert_eq!(option(&format!("option name {uci}")).as_deref(), cecp);
        }
        let declared = "option name Learn type check default false\n";
        assert_eq!(value(declared, "learn", "1"), "true");
        assert_eq!(value(declared, "MultiPV", "1"), "1");
    }

    #[test]
    fn thoughts_are_four_numbers_and_a_line() {
        let info = Info {
            depth: 7,
            score: Some(Score::estimate(-12)),
            nodes: 1234,
            elapsed: Duration::from_millis(560),
            line: vec!["e2e4".into(), "e7e5".into()],
            ..Info::default()
        };
        assert_eq!(thought(&info).unwrap(), "7 -12 56 1234 e2e4 e7e5");
        assert_eq!(thought(&Info { score: None, ..info.clone() }), None);
        assert_eq!(score(Score::won_in(3)), 100_002);
        assert_eq!(score(Score::lost_in(4)), -100_002);
        let pulse = Pulse { info, current: Some(("e2e4".into(), 3)) };
        assert_eq!(status(&pulse, 20), "stat01: 56 1234 7 17 20 e2e4");
    }

    #[test]
    fn castling_onto_the_own_rook_has_a_word() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (mv, word) in [
            ("e1h1", "O-O"),
            ("e1a1", "O-O-O"),
            ("e8a8", "O-O-O"),
            ("e1g1", "e1g1"),
            ("a1a8", "a1a8"),
        ] {
            assert_eq!(written(fen, mv), word);
        }
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!((man(start, "e1"), man(start, "e4"), man("8/8", "h1")), (Some('K'), None, None));
        assert_eq!(written(start, "(none)"), "(none)");
    }

    #[test]
    fn results_are_told_and_heard() {
        let mate = Outcome::win(Side::Second, "checkmate");
        assert_eq!(result(&mate), "0-1 {Black wins: checkmate}");
        assert_eq!(outcome(&result(&mate)).unwrap().winner, Some(Side::Second));
        assert_eq!(outcome("1/2-1/2 {agreed}").unwrap().winner, None);
        assert_eq!(outcome("* {who knows}"), None);
    }
}
