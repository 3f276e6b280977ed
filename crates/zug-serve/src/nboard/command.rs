//! What does a line of NBoard say?

use std::time::Duration;
use zug_core::TextError;
use zug_core::limits::parse_duration;

/// A command of the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An empty line.
    Nothing,
    /// `nboard N`: the version of the protocol.
    Version(u32),
    /// `set depth N`
    Depth(u32),
    /// `set game GGF`
    Game(String),
    /// `set contempt X`
    Contempt(f64),
    /// `set time T`: for each move (no part of the standard).
    Time(Duration),
    /// `move F5/eval/time`
    Move {
        /// The square, or a word for the pass.
        mv: String,
        /// What the mover thought of it.
        eval: Option<f64>,
        /// Seconds it took.
        time: Option<f64>,
    },
    /// `hint N`
    Hint(usize),
    /// `go`
    Go,
    /// `ping N`; the number comes back as it was written.
    Ping(String),
    /// `learn`
    Learn,
    /// `analyze`
    Analyse,
    /// `quit`
    Quit,
}

impl Command {
    /// Is a thought that was begun before it of no more use?
    #[must_use]
    pub fn supersedes(&self) -> bool {
        matches!(
            self,
            Command::Game(_)
                | Command::Move { .. }
                | Command::Hint(_)
                | Command::Go
                | Command::Analyse
        )
    }
}

/// Reads one line.
///
/// ```
/// use zug_serve::nboard::command::{Command, parse};
/// assert_eq!(parse("ping 3")?, Command::Ping("3".into()));
/// assert_eq!(
///     parse("move F5/1.25")?,
///     Command::Move { mv: "F5".into(), eval: Some(1.25), time: None }
/// );
/// assert!(parse("sing").unwrap_err().to_string().contains("an NBoard command"));
/// # Ok::<(), zug_core::TextError>(())
/// ```
pub fn parse(line: &str) -> Result<Command, TextError> {
    let (word, rest) = split(line.trim());
    let argument = rest.split_whitespace().next().unwrap_or("");
    let byte = line.len() - line.trim_start().len() + word.len() + 1;
    Ok(match word {
        "" => Command::Nothing,
        "nboard" => Command::Version(number(argument, byte, "a version")?),
        "set" => return set(rest, byte),
        "move" => return played(argument, byte),
        "hint" => Command::Hint(number(argument, byte, "a number of moves")?),
        "go" => Command::Go,
        "ping" => {
            Command::Ping(number::<i64>(argument, byte, "a number").map(|_| argument.into())?)
        }
        "learn" => Command::Learn,
        "analyze" | "analyse" => Command::Analyse,
        "quit" | "exit" => Command::Quit,
        // Old GUIs leave the word `move` out.
        _ if is_move(word) => return played(word, 0),
        _ => return Err(TextError::new(0, "an NBoard command", format!("'{word}'"))),
    })
}

/// `F5`, `pa`, also with evaluation and time.
fn is_move(word: &str) -> bool {
    let bytes = word.split('/').next().unwrap_or_default().as_bytes();
    match bytes {
        [column, row] if column.is_ascii_alphabetic() && row.is_ascii_digit() => true,
        bytes => bytes.eq_ignore_ascii_case(b"pa"),
    }
}

fn split(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

fn number<T: std::str::FromStr>(text: &str, byte: usize, expected: &str) -> Result<T, TextError> {
    text.parse().map_err(|_| TextError::new(byte, expected, format!("'{text}'")))
}

fn set(text: &str, byte: usize) -> Result<Command, TextError> {
    let (name, value) = split(text);
    let at = byte + name.len() + 1;
    Ok(match name {
        "depth" => Command::Depth(number(value, at, "a depth")?),
        "game" => Command::Game(value.to_string()),
        "contempt" => Command::Contempt(number(value, at, "a number")?),
        "time" => {
            let expected = "a time such as 2s or 500ms";
            let time = parse_duration(value)
                .ok_or_else(|| TextError::new(at, expected, format!("'{value}'")))?;
            Command::Time(time)
        }
        _ => {
            let expected = "one of depth, game, contempt, time";
            return Err(TextError::new(byte, expected, format!("'{name}'")));
        }
    })
}

/// `F5`, `F5/0.33`, `F5/0.33/12.5`, `F5//12.5`.
fn played(text: &str, byte: usize) -> Result<Command, TextError> {
    let mut parts = text.splitn(3, '/');
    let mv = parts.next().unwrap_or("").to_string();
    if mv.is_empty() {
        return Err(TextError::new(byte, "a move such as F5 or PA", format!("'{text}'")));
    }
    let mut value = |expected: &str| match parts.next() {
        None | Some("") => Ok(None),
        Some(text) => number(text, byte + mv.len() + 1, expected).map(Some),
    };
    let (eval, time) = (value("an evaluation")?, value("a time in seconds")?);
    Ok(Command::Move { mv, eval, time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_setting_is_read() {
        assert_eq!(parse("set depth 12").unwrap(), Command::Depth(12));
        assert_eq!(parse("set contempt -1.5").unwrap(), Command::Contempt(-1.5));
        assert_eq!(parse("set time 2s").unwrap(), Command::Time(Duration::from_secs(2)));
        assert_eq!(
            parse("set game (;GM[Othello] BO[8 -- *];)").unwrap(),
            Command::Game("(;GM[Othello] BO[8 -- *];)".into())
        );
        let error = parse("set depth deep").unwrap_err();
        assert_eq!(error.to_string(), "byte 10: expected a depth, found 'deep'");
        assert!(parse("set colour red").is_err());
    }

    #[test]
    fn moves_may_leave_out_evaluation_and_time() {
        let mv = |eval, time| Command::Move { mv: "F5".into(), eval, time };
        assert_eq!(parse("move F5").unwrap(), mv(None, None));
        assert_eq!(parse("F5").unwrap(), mv(None, None));
        assert_eq!(parse("F5/-3/1").unwrap(), mv(Some(-3.0), Some(1.0)));
        assert!(matches!(parse("PA").unwrap(), Command::Move { .. }));
        assert_eq!(parse("move F5//2.5").unwrap(), mv(None, Some(2.5)));
        assert_eq!(parse("move F5/-3/1").unwrap(), mv(Some(-3.0), Some(1.0)));
        assert!(parse("move").is_err() && parse("move /1").is_err() && parse("move F5/x").is_err());
    }

    proptest! {
        #[test]
        fn no_line_breaks_the_parser(line: String) {
            let _ = parse(&line);
        }

        #[test]
        fn no_set_or_move_breaks_the_parser(
            head in proptest::sample::select(&["set ", "move ", "set depth ", "ping ", "set time "][..]),
            tail: String,
        ) {
            let _ = parse(&format!("{head}{tail}"));
        }
    }
}
