//! What does a line of UCI say? Text in, a [`Command`] or the reason why it is none out.

use std::time::Duration;
use zug_core::TextError;

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// `uci`
    Uci,
    /// `debug on|off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `setoption name N [value V]`
    SetOption {
        /// The option; letter case does not count.
        name: String,
        /// Its value; buttons have none.
        value: Option<String>,
    },
    /// `ucinewgame`
    NewGame,
    /// `position startpos|fen F [moves M…]`
    Position {
        /// `None` for the start position.
        fen: Option<String>,
        /// Moves from there, each with the byte where it stands.
        moves: Vec<(usize, String)>,
    },
    /// `go …`
    Go(Box<Go>),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `d`: show the board (no part of the standard, but people type it).
    Display,
    /// `register …`: accepted; there is nothing to register.
    Register,
    /// `quit`
    Quit,
}

/// How to search.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Go {
    /// Time left: white, black.
    pub time: [Option<Duration>; 2],
    /// Increment: white, black.
    pub increment: [Option<Duration>; 2],
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Until `stop`.
    pub infinite: bool,
    /// On the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Only these moves, each with the byte where it stands.
    pub search_moves: Vec<(usize, String)>,
    /// Count leaves instead of searching.
    pub perft: Option<u32>,
}

/// Reads one line.
///
/// ```
/// use zug_serve::uci::command::{Command, parse};
/// assert_eq!(parse("  isready ")?, Command::IsReady);
/// assert_eq!(
///     parse("castle kingside").unwrap_err().to_string(),
///     "byte 0: expected a UCI command, found 'castle'"
/// );
/// # Ok::<(), zug_core::TextError>(())
/// ```
pub fn parse(line: &str) -> Result<Command, TextError> {
    let words = words(line);
    let Some(&(byte, first)) = words.first() else { return Ok(Command::Nothing) };
    let rest = &words[1..];
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Display,
        "register" => Command::Register,
        "debug" => match rest {
            [(_, "on"), ..] => Command::Debug(true),
            [(_, "off"), ..] => Command::Debug(false),
            _ => return Err(found(rest.first(), line, "'on' or 'off'")),
        },
        "setoption" => set_option(line, rest)?,
        "position" => position(line, rest)?,
        "go" => Command::Go(Box::new(go(line, rest)?)),
        _ => return Err(TextError::new(byte, "a UCI command", format!("'{first}'"))),
    })
}

type Word<'a> = (usize, &'a str);

/// The words of a line, with their places.
fn words(line: &str) -> Vec<Word<'_>> {
    let start = line.as_ptr() as usize;
    line.split_whitespace().map(|w| (w.as_ptr() as usize - start, w)).collect()
}

fn found(word: Option<&Word<'_>>, line: &str, expected: &str) -> TextError {
    match word {
        Some((byte, word)) => TextError::new(*byte, expected, format!("'{word}'")),
        None => TextError::new(line.len(), expected, "the end of the line"),
    }
}

/// Names and values may hold spaces: the name ends where the word `value` stands.
fn set_option(line: &str, words: &[Word<'_>]) -> Result<Command, TextError> {
    let Some((&(_, "name"), rest)) = words.split_first() else {
        return Err(found(words.first(), line, "'name' and an option"));
    };
    let split = rest.iter().position(|&(_, w)| w == "value").unwrap_or(rest.len());
    let join = |part: &[Word<'_>]| part.iter().map(|w| w.1).collect::<Vec<_>>().join(" ");
    let name = join(&rest[..split]);
    if name.is_empty() {
        return Err(found(rest.first(), line, "the name of an option"));
    }
    Ok(Command::SetOption { name, value: rest.get(split + 1..).map(join) })
}

fn position(line: &str, words: &[Word<'_>]) -> Result<Command, TextError> {
    let split = words.iter().position(|&(_, w)| w == "moves").unwrap_or(words.len());
    let (place, moves) = words.split_at(split);
    let fen = match place {
        [(_, "startpos")] => None,
        [(_, "startpos"), extra, ..] => return Err(found(Some(extra), line, "'moves'")),
        [(_, "fen"), fen @ ..] if !fen.is_empty() => {
            Some(fen.iter().map(|w| w.1).collect::<Vec<_>>().join(" "))
        }
        [(_, "fen")] => return Err(found(words.get(split), line, "a position in FEN")),
        _ => return Err(found(words.first(), line, "'startpos' or 'fen'")),
    };
    Ok(Command::Position { fen, moves: owned(moves.get(1..).unwrap_or_default()) })
}

fn owned(words: &[Word<'_>]) -> Vec<(usize, String)> {
    words.iter().map(|&(byte, word)| (byte, word.to_string())).collect()
}

const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn go(line: &str, words: &[Word<'_>]) -> Result<Go, TextError> {
    let mut go = Go::default();
    let mut rest = words.iter();
    while let Some(&(byte, word)) = rest.next() {
        let mut number = || number(rest.next(), line, word);
        match word {
            "wtime" => go.time[0] = Some(milliseconds(number()?)),
            "btime" => go.time[1] = Some(milliseconds(number()?)),
            "winc" => go.increment[0] = Some(milliseconds(number()?)),
            "binc" => go.increment[1] = Some(milliseconds(number()?)),
            "movestogo" => go.moves_to_go = Some(small(number()?)),
            "depth" => go.depth = Some(small(number()?)),
            "nodes" => go.nodes = Some(u64::try_from(number()?).unwrap_or(0)),
            "mate" => go.mate = Some(small(number()?)),
            "movetime" => go.movetime = Some(milliseconds(number()?)),
            "perft" => go.perft = Some(small(number()?)),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let moves: Vec<Word<'_>> =
                    rest.clone().copied().take_while(|(_, w)| !GO_WORDS.contains(w)).collect();
                if moves.is_empty() {
                    return Err(found(rest.next(), line, "moves after 'searchmoves'"));
                }
                rest.nth(moves.len() - 1);
                go.search_moves.extend(owned(&moves));
            }
            _ => {
                let expected = format!("one of {}", GO_WORDS.join(", "));
                return Err(TextError::new(byte, expected, format!("'{word}'")));
            }
        }
    }
    Ok(go)
}

/// A whole number; one that is too large for 64 bits is as good as the largest.
fn number(word: Option<&Word<'_>>, line: &str, after: &str) -> Result<i64, TextError> {
    let wrong = || found(word, line, &format!("a number after '{after}'"));
    let (_, text) = word.ok_or_else(wrong)?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Ok(if text.starts_with('-') { -size } else { size })
}

/// Clocks may be overdrawn: a negative time is none. The bound keeps later sums from overflowing.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.clamp(0, 1_000_000_000_000) as u64)
}

fn small(number: i64) -> u32 {
    number.clamp(0, i64::from(u32::MAX)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(line: &str) -> String {
        parse(line).unwrap_err().to_string()
    }

    #[test]
    fn options_have_names_and_values_with_spaces() {
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.into(),
            value: value.map(Into::into),
        };
        assert_eq!(parse("setoption name Clear Hash").unwrap(), option("Clear Hash", None));
        assert_eq!(
            parse("setoption name My  Path value /a b/c").unwrap(),
            option("My Path", Some("/a b/c"))
        );
        assert_eq!(parse("setoption name X value").unwrap(), option("X", Some("")));
        assert!(error("setoption Hash 3").contains("'name'"));
        assert!(error("setoption name value 3").contains("the name of an option"));
    }

    #[test]
    fn positions_have_moves() {
        let Command::Position { fen, moves } = parse("position startpos moves e2e4 e7e5").unwrap()
        else {
            panic!()
        };
        assert_eq!(fen, None);
        assert_eq!(moves, [(24, "e2e4".to_string()), (29, "e7e5".to_string())]);
        let Command::Position { fen, moves } = parse("position fen 8/8 w - -").unwrap() else {
            panic!()
        };
        assert_eq!(fen.as_deref(), Some("8/8 w - -"));
        assert!(moves.is_empty());
        assert_eq!(
            error("position"),
            "byte 8: expected 'startpos' or 'fen', found the end of the line"
        );
        assert!(error("position fen moves e2e4").contains("FEN"));
        assert!(error("position startpos e2e4").contains("'moves'"));
    }

    #[test]
    fn every_limit_of_go_is_read() {
        let Command::Go(go) = parse(
            "go searchmoves e2e4 d2d4 wtime 1000 btime -5 winc 10 binc 20 movestogo 40 depth 6 \
             nodes 99999999999999999999 mate 3 movetime 500 infinite ponder perft 2",
        )
        .unwrap() else {
            panic!()
        };
        assert_eq!(go.search_moves.iter().map(|m| &m.1[..]).collect::<Vec<_>>(), ["e2e4", "d2d4"]);
        assert_eq!(go.time, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!(go.increment[1], Some(Duration::from_millis(20)));
        assert_eq!((go.moves_to_go, go.depth, go.mate), (Some(40), Some(6), Some(3)));
        assert_eq!(go.nodes, Some(i64::MAX as u64));
        assert!(go.infinite && go.ponder);
        assert_eq!(go.perft, Some(2));
    }

    #[test]
    fn errors_name_the_byte_and_what_was_expected() {
        assert_eq!(
            error("go depth"),
            "byte 8: expected a number after 'depth', found the end of the line"
        );
        assert_eq!(error("go depth six"), "byte 9: expected a number after 'depth', found 'six'");
        assert!(error("go fast").starts_with("byte 3: expected one of searchmoves"));
        assert!(error("go searchmoves depth 3").contains("moves after 'searchmoves'"));
        assert!(error("debug maybe").contains("'on' or 'off'"));
    }

    proptest! {
        #[test]
        fn no_line_breaks_the_parser(line in "\\PC*") {
            let _ = parse(&line);
        }

        #[test]
        fn no_mixture_of_words_breaks_the_parser(words in proptest::collection::vec(
            prop_oneof![
                proptest::sample::select(&GO_WORDS[..]).prop_map(String::from),
                proptest::sample::select(&["go", "position", "fen", "startpos", "moves", "setoption", "name", "value"][..]).prop_map(String::from),
                "-?[0-9]{0,30}",
                "[a-h][1-8][a-h][1-8]",
            ], 0..12)) {
            let _ = parse(&words.join(" "));
        }
    }
}
