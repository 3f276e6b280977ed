//! What does a line of CECP say? Text in, a [`Command`] or the reason why it is none out.

use std::time::Duration;
use zug_core::TextError;
use zug_core::error::shorten;

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Nothing that asks for anything: `xboard`, `accepted`, `random`, `computer`, …
    Nothing,
    /// `protover N`
    Version(u32),
    /// `new`
    New,
    /// `variant NAME`
    Variant(String),
    /// `quit`
    Quit,
    /// `force`
    Force,
    /// `go`
    Go,
    /// `playother`
    PlayOther,
    /// `level MOVES TIME INCREMENT`
    Level {
        /// Moves between two time controls; 0 for all of the game.
        moves: u32,
        /// The time for them.
        time: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// `st SECONDS`
    MoveTime(Duration),
    /// `sd PLIES`
    Depth(u32),
    /// `nps N`: this many positions count as a second, or the clock counts again (0).
    Pace(u64),
    /// `time HUNDREDTHS`, of the engine, and `otim HUNDREDTHS`, of its opponent.
    Clock {
        /// The engine's?
        own: bool,
        /// What is left.
        left: Duration,
    },
    /// `usermove MOVE`, or a move alone
    Move(String),
    /// `?`
    MoveNow,
    /// `ping N`
    Ping(String),
    /// `draw`
    Draw,
    /// `result RESULT {…}`
    Result(String),
    /// `setboard FEN`
    SetBoard(String),
    /// `hint`
    Hint,
    /// `bk`
    Book,
    /// `undo` (1) and `remove` (2)
    TakeBack(u32),
    /// `hard` and `easy`: think on the opponent's time, or not.
    Ponder(bool),
    /// `post` and `nopost`: show thoughts, or not.
    Post(bool),
    /// `analyze`
    Analyse,
    /// `exit`: the end of an analysis.
    Exit,
    /// `.`: how far is the analysis?
    Status,
    /// `memory MIB`
    Memory(u64),
    /// `cores N`
    Cores(u64),
    /// `egtpath KIND PATH`
    Tables {
        /// `syzygy` and nothing else.
        kind: String,
        /// Folders, with `:` between them.
        path: String,
    },
    /// `option NAME=VALUE`, or `option NAME` for a button
    Option {
        /// As it was declared.
        name: String,
        /// Empty for buttons.
        value: String,
    },
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq)]
pub enum Nonsense {
    /// Nobody knows the command; it may be a move.
    Unknown(String),
    /// The command is known, and what follows it is not what it asks for.
    Broken {
        /// The command.
        command: String,
        /// What is wrong.
        why: TextError,
    },
}

/// Reads one line.
///
/// ```
/// use zug_serve::cecp::command::{Command, Nonsense, parse};
/// assert_eq!(parse("usermove e2e4"), Ok(Command::Move("e2e4".into())));
/// assert_eq!(parse("sd 6"), Ok(Command::Depth(6)));
/// assert_eq!(parse("e2e4"), Err(Nonsense::Unknown("e2e4".into())));
/// ```
pub fn parse(line: &str) -> Result<Command, Nonsense> {
    let text = line.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    // Where what follows the command stands.
    let at = if rest.is_empty() { line.len() } else { rest.as_ptr().addr() - line.as_ptr().addr() };
    let expected = |what: &str| {
        let found = if rest.is_empty() {
            "the end of the line".to_string()
        } else {
            format!("'{}'", shorten(rest))
        };
        let why = TextError::new(at, what, found);
        Nonsense::Broken { command: word.to_string(), why }
    };
    let number = || rest.parse::<u64>().map_err(|_| expected("a number"));
    let some = |what: &str| match rest {
        "" => Err(expected(what)),
        rest => Ok(rest.to_string()),
    };
    Ok(match word {
        "" | "xboard" | "accepted" | "rejected" | "random" | "computer" | "name" | "rating"
        | "ics" | "pause" | "resume" => Command::Nothing,
        "protover" => Command::Version(number()?.min(u64::from(u32::MAX)) as u32),
        "new" => Command::New,
        "variant" => Command::Variant(some("a variant")?),
        "quit" => Command::Quit,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "level" => level(rest).ok_or_else(|| expected("moves, a time and an increment"))?,
        "st" => Command::MoveTime(seconds(rest).ok_or_else(|| expected("seconds"))?),
        "sd" => Command::Depth(number()?.clamp(1, 10_000) as u32),
        "nps" => Command::Pace(number()?),
        "time" | "otim" => {
            // A clock may be overdrawn.
            let hundredths = rest.parse::<i64>().map_err(|_| expected("hundredths of seconds"))?;
            let left = hundredths.clamp(0, 100_000_000_000) as u64;
            Command::Clock { own: word == "time", left: Duration::from_millis(10 * left) }
        }
        "usermove" => Command::Move(some("a move")?),
        "?" => Command::MoveNow,
        "ping" => Command::Ping(some("a number")?),
        "draw" => Command::Draw,
        "result" => Command::Result(some("a result")?),
        "setboard" => Command::SetBoard(some("a position in FEN")?),
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "undo" => Command::TakeBack(1),
        "remove" => Command::TakeBack(2),
        "hard" => Command::Ponder(true),
        "easy" => Command::Ponder(false),
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        "analyze" => Command::Analyse,
        "exit" => Command::Exit,
        "." => Command::Status,
        "memory" => Command::Memory(number()?),
        "cores" => Command::Cores(number()?),
        "egtpath" => {
            let (kind, path) = rest
                .split_once(char::is_whitespace)
                .ok_or_else(|| expected("a kind of tables and a path"))?;
            Command::Tables { kind: kind.to_string(), path: path.trim().to_string() }
        }
        "option" => {
            let text = some("an option")?;
            let (name, value) = text.split_once('=').unwrap_or((&text, ""));
            Command::Option { name: name.trim().to_string(), value: value.trim().to_string() }
        }
        _ => return Err(Nonsense::Unknown(text.to_string())),
    })
}

/// `40 5 0`, `0 2:30 12`, `0 1 0.1`
fn level(text: &str) -> Option<Command> {
    let mut words = text.split_whitespace();
    let moves = words.next()?.parse().ok()?;
    let time = words.next()?;
    let (minutes, rest) = time.split_once(':').unwrap_or((time, "0"));
    let time = seconds(minutes)?.checked_mul(60)?.checked_add(seconds(rest)?)?;
    let increment = seconds(words.next()?)?;
    Some(Command::Level { moves, time, increment })
}

fn seconds(text: &str) -> Option<Duration> {
    let value: f64 = text.parse().ok()?;
    (0.0..=1e9).contains(&value).then(|| Duration::from_secs_f64(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn clocks_are_set_in_minutes_seconds_and_hundredths() {
        let ms = Duration::from_millis;
        let level = |moves, time, increment| Ok(Command::Level { moves, time, increment });
        assert_eq!(parse("level 40 5 0"), level(40, ms(300_000), ms(0)));
        assert_eq!(parse("level 0 2:30 12"), level(0, ms(150_000), ms(12_000)));
        assert_eq!(parse("level 0 0:02 0.05"), level(0, ms(2000), ms(50)));
        assert_eq!(parse("st 3"), Ok(Command::MoveTime(ms(3000))));
        assert_eq!(parse("time 1234"), Ok(Command::Clock { own: true, left: ms(12_340) }));
        assert_eq!(parse("otim -5"), Ok(Command::Clock { own: false, left: ms(0) }));
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_place() {
        let broken = |line: &str| match parse(line) {
            Err(Nonsense::Broken { why, .. }) => why.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(broken("sd six"), "byte 3: expected a number, found 'six'");
        assert_eq!(broken("st"), "byte 2: expected seconds, found the end of the line");
        assert!(broken("level 40").contains("moves, a time and an increment, found '40'"));
        assert!(broken("level 0 99999999999999999999 0").contains("increment"));
        assert!(broken("egtpath syzygy").contains("a kind of tables and a path"));
        assert_eq!(parse("Nf3"), Err(Nonsense::Unknown("Nf3".into())));
    }

    #[test]
    fn options_and_tables_keep_their_spaces() {
        let option = Command::Option { name: "Move Overhead".into(), value: "20".into() };
        assert_eq!(parse("option Move Overhead=20"), Ok(option));
        let tables = Command::Tables { kind: "syzygy".into(), path: "/a b:/c".into() };
        assert_eq!(parse("egtpath syzygy /a b:/c"), Ok(tables));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused(
            text in "(level|st|sd|time|option|egtpath|usermove|setboard|[0-9:.-]{1,9}|=| |.){0,9}",
        ) {
            let _ = parse(&text);
        }
    }
}
