//! What does a line of UCI say? Text in, a [`Command`] or the reason why it is none out.

use std::time::Duration;
use zug_core::TextError;
use zug_core::error::shorten;

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
    /// `bench [DEPTH]`: count the positions of a fixed search (as Stockfish does).
    Bench(Option<u32>),
    /// `eval`: what the model makes of the position, without search.
    Eval,
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
    /// Words that mean nothing here, and were passed over.
    pub ignored: Vec<String>,
    /// What was said in a way that cannot be read, and counts as not said.
    pub broken: Vec<TextError>,
    /// Was a limit among it, so that the search was not meant to go on until `stop`?
    pub lost_limit: bool,
}

/// Reads one line. Words before the first that is a command are passed over, as UCI asks for.
///
/// ```
/// use zug_serve::uci::command::{Command, parse};
/// assert_eq!(parse("  isready ")?, Command::IsReady);
/// assert_eq!(parse("please isready")?, Command::IsReady);
/// assert_eq!(
///     parse("castle kingside").unwrap_err().to_string(),
///     "byte 0: expected a UCI command, found 'castle'"
/// );
/// # Ok::<(), zug_core::TextError>(())
/// ```
pub fn parse(line: &str) -> Result<Command, TextError> {
    let words = words(line);
    let Some(&unknown) = words.first() else { return Ok(Command::Nothing) };
    let at = words.iter().position(|(_, word)| COMMANDS.contains(word)).unwrap_or(0);
    let (first, rest) = (words[at].1, &words[at + 1..]);
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "d" => Command::Display,
        "register" => Command::Register,
        "eval" => Command::Eval,
        "bench" => match rest {
            [] => Command::Bench(None),
            [word] => {
                let depth = number(Some(word), line, first)?;
                Command::Bench(Some(small(depth).max(1)))
            }
            [_, extra, ..] => return Err(found(Some(extra), line, "the end of the line")),
        },
        "debug" => match rest {
            [(_, "on"), ..] => Command::Debug(true),
            [(_, "off"), ..] => Command::Debug(false),
            _ => return Err(found(rest.first(), line, "'on' or 'off'")),
        },
        "setoption" => set_option(line, rest)?,
        "position" => position(line, rest)?,
        "go" => Command::Go(Box::new(go(line, rest))),
        _ => return Err(found(Some(&unknown), line, "a UCI command")),
    })
}

/// The words that begin a command.
const COMMANDS: [&str; 14] = [
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "register",
    "debug",
    "setoption",
    "position",
    "go",
    "bench",
    "eval",
];

impl Command {
    /// Does it begin a search?
    pub(super) fn is_search(&self) -> bool {
        matches!(self, Command::Go(_) | Command::Bench(_))
    }
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

/// The words that limit a search.
const LIMITS: [&str; 7] = ["wtime", "btime", "depth", "nodes", "mate", "movetime", "perft"];

/// As many complaints about one line as anybody reads; the line may be a megabyte.
const COMPLAINTS: usize = 8;

/// Whatever a GUI writes after `go`, it waits for a move: what cannot be read is noted and left out.
fn go(line: &str, words: &[Word<'_>]) -> Go {
    let mut go = Go::default();
    let mut rest = words;
    while let Some((&(_, word), after)) = rest.split_first() {
        rest = after;
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let end = rest.iter().position(|(_, w)| GO_WORDS.contains(w));
                let (moves, after) = rest.split_at(end.unwrap_or(rest.len()));
                if moves.is_empty() {
                    go.complain(found(rest.first(), line, "moves after 'searchmoves'"));
                    go.lost_limit = true;
                }
                go.search_moves.extend(owned(moves));
                rest = after;
            }
            _ if GO_WORDS.contains(&word) => {
                // Where the number is missing, the next word may well be meant as it stands.
                let value = rest.first().filter(|(_, w)| !GO_WORDS.contains(w));
                match number(rest.first(), line, word) {
                    Ok(number) => go.set(word, number),
                    Err(why) => {
                        go.complain(why);
                        go.lost_limit |= LIMITS.contains(&word);
                    }
                }
                rest = &rest[usize::from(value.is_some())..];
            }
            _ if go.ignored.len() <= COMPLAINTS => go.ignored.push(shorten(word)),
            _ => {}
        }
    }
    go
}

impl Go {
    fn set(&mut self, word: &str, number: i64) {
        match word {
            "wtime" => self.time[0] = Some(milliseconds(number)),
            "btime" => self.time[1] = Some(milliseconds(number)),
            "winc" => self.increment[0] = Some(milliseconds(number)),
            "binc" => self.increment[1] = Some(milliseconds(number)),
            "movestogo" => self.moves_to_go = Some(small(number)),
            "depth" => self.depth = Some(small(number)),
            "nodes" => self.nodes = Some(u64::try_from(number).unwrap_or(0)),
            "mate" => self.mate = Some(small(number)),
            "movetime" => self.movetime = Some(milliseconds(number)),
            _ => self.perft = Some(small(number)),
        }
    }

    fn complain(&mut self, why: TextError) {
        if self.broken.len() < COMPLAINTS {
            self.broken.push(why);
        }
    }

    /// What was passed over, in words.
    pub(super) fn passed_over(&self) -> Option<String> {
        let shown = &self.ignored[..self.ignored.len().min(COMPLAINTS)];
        let words: Vec<String> = shown.iter().map(|word| format!("'{word}'")).collect();
        let more = if self.ignored.len() > shown.len() { " and more" } else { "" };
        (!words.is_empty()).then(|| format!("ignored after 'go': {}{more}", words.join(", ")))
    }
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
        assert!(error("debug maybe").contains("'on' or 'off'"));
        assert_eq!(error("what now"), "byte 0: expected a UCI command, found 'what'");
    }

    #[test]
    fn the_bench_may_have_a_depth() {
        assert_eq!(parse("bench").unwrap(), Command::Bench(None));
        assert_eq!(parse("bench 7").unwrap(), Command::Bench(Some(7)));
        assert!(error("bench deep").contains("a number after 'bench', found 'deep'"));
        assert!(error("bench 16 1 13").contains("the end of the line, found '1'"));
    }

    #[test]
    fn words_before_a_command_are_passed_over() {
        assert_eq!(parse("joho isready").unwrap(), Command::IsReady);
        assert_eq!(parse("joho debug on").unwrap(), Command::Debug(true));
        // Places are still those of the line.
        let Command::Position { moves, .. } = parse("oh position startpos moves e2e4").unwrap()
        else {
            panic!()
        };
        assert_eq!(moves, [(27, "e2e4".to_string())]);
    }

    fn read_go(line: &str) -> Go {
        match parse(line).unwrap() {
            Command::Go(go) => *go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn unknown_words_after_go_are_passed_over() {
        let go = read_go("go foo nodes 100 bar");
        assert_eq!((go.nodes, go.lost_limit), (Some(100), false));
        assert_eq!(go.passed_over().unwrap(), "ignored after 'go': 'foo', 'bar'");
        let many = read_go(&format!("go{}", " x".repeat(100_000))).passed_over().unwrap();
        assert!(many.ends_with("'x' and more") && many.len() < 100, "{many}");
        assert_eq!(read_go("go depth 1").passed_over(), None);
    }

    #[test]
    fn a_broken_value_after_go_counts_as_not_said() {
        for (line, why) in [
            ("go depth", "byte 8: expected a number after 'depth', found the end of the line"),
            ("go depth six", "byte 9: expected a number after 'depth', found 'six'"),
            (
                "go searchmoves",
                "byte 14: expected moves after 'searchmoves', found the end of the line",
            ),
            ("go searchmoves mate x", "byte 15: expected moves after 'searchmoves', found 'mate'"),
        ] {
            let go = read_go(line);
            assert_eq!(go.broken[0].to_string(), why);
            assert!(go.lost_limit && go.ignored.is_empty() && go.depth.is_none(), "{go:?}");
        }
        // What stands where a number should be keeps its own meaning, if it has one.
        let go = read_go("go depth nodes 7 winc x");
        assert_eq!((go.depth, go.nodes, go.broken.len()), (None, Some(7), 2));
        let go = read_go("go movestogo infinite");
        assert!(go.infinite && !go.lost_limit && go.broken.len() == 1);
        assert_eq!(read_go(&format!("go{}", " depth x".repeat(1000))).broken.len(), COMPLAINTS);
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
