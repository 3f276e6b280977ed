//! OBF: positions with the values of their moves, one a line.
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;
//! ```
//!
//! Values are final disc differences for the side to move, the empty squares given to the winner;
//! the best move usually comes first. A pass is written `PS` (also read: `--`, `pass`, `pa`). The
//! filler `--:-127`, which some files append, is skipped. What follows `%` or `#` is a comment.

use super::StreamError;
use super::lines::{LONGEST, Lines};
use crate::{Move, Othello, Position};
use std::io::BufRead;
use zug_core::{Game, TextError};

/// A position and what is known about its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position.
    pub position: Position,
    /// Legal moves and their values (−64 to 64 on the large board), in the order of the line.
    pub values: Vec<(Move, i32)>,
}

impl Problem {
    /// The value of the position: that of its best listed move.
    #[must_use]
    pub fn value(&self) -> Option<i32> {
        self.values.iter().map(|&(_, value)| value).max()
    }

    /// Reads a line, without a comment.
    pub fn read(game: &Othello, line: &str) -> Result<Problem, TextError> {
        let mut parts = line.split(';');
        let board = parts.next().unwrap_or_default();
        let position = game.read_position(board)?;
        let mut values = Vec::new();
        let mut byte = board.len() + 1;
        for part in parts {
            let at = byte + (part.len() - part.trim_start().len());
            byte += part.len() + 1;
            if let Some((mv, value)) = read_value(game, &position, part.trim())
                .map_err(|error| TextError { byte: at + error.byte, ..error })?
            {
                if values.iter().any(|&(other, _)| other == mv) {
                    let found = format!("'{mv}' once more");
                    return Err(TextError::new(at, "a move that is not listed yet", found));
                }
                values.push((mv, value));
            }
        }
        Ok(Problem { position, values })
    }

    /// Writes a line.
    #[must_use]
    pub fn write(&self, game: &Othello) -> String {
        let mut line = game.write_position(&self.position);
        line.push(';');
        for (mv, value) in &self.values {
            let name = if mv.is_pass() { "PS".into() } else { mv.to_string().to_uppercase() };
            line.push_str(&format!(" {name}:{value:+};"));
        }
        line
    }
}

/// A move with its value; nothing for a blank or a filler.
fn read_value(
    game: &Othello,
    position: &Position,
    text: &str,
) -> Result<Option<(Move, i32)>, TextError> {
    if text.is_empty() {
        return Ok(None);
    }
    let Some((name, number)) = text.split_once(':') else {
        return Err(TextError::new(0, "MOVE:VALUE", format!("'{text}'")));
    };
    let most = i32::from(game.size()) * i32::from(game.size());
    let value: Option<i32> = number.trim().parse().ok();
    if name.trim() == "--" && value.is_some_and(|v| v.abs() > most) {
        return Ok(None);
    }
    let mv = game.read_move(position, name)?;
    match value.filter(|v| (-most..=most).contains(v)) {
        Some(value) => Ok(Some((mv, value))),
        None => {
            let expected = format!("a value from -{most} to {most}");
            Err(TextError::new(name.len() + 1, expected, format!("'{number}'")))
        }
    }
}

/// Reads problems from a stream, one at a time; blank lines and comments are skipped.
pub struct Reader<R> {
    game: Othello,
    lines: Option<Lines<R>>,
    line_number: usize,
}

impl<R: BufRead> Reader<R> {
    /// Reads problems on this board.
    pub fn new(game: Othello, input: R) -> Reader<R> {
        Reader { game, lines: Some(Lines::new(input)), line_number: 0 }
    }

    /// The line, from 1, of what was read last.
    pub fn line_number(&self) -> usize {
        self.line_number
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Problem, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.as_mut()?.next()? {
                Ok(line) => line,
                Err(error) => {
                    self.lines = None;
                    return Some(Err(error.into()));
                }
            };
            self.line_number = line.number;
            let text = line.bytes.split(|b| b"%#".contains(b)).next().unwrap_or_default();
            // A remark may be as long as it likes; what is cut off elsewhere may have been a value.
            if line.cut && text.len() == line.bytes.len() {
                let expected = format!("a line of at most {LONGEST} bytes");
                let error = TextError::new(LONGEST, expected, "more");
                return Some(Err(error.on_line(line.number).into()));
            }
            let text = String::from_utf8_lossy(text);
            if text.trim().is_empty() {
                continue;
            }
            let problem = Problem::read(&self.game, &text);
            return Some(problem.map_err(|error| error.on_line(line.number).into()));
        }
    }
}

/// Reads all problems of a text in memory; an error stands in the place of a broken line.
#[must_use]
pub fn read(game: &Othello, bytes: &[u8]) -> Vec<Result<Problem, StreamError>> {
    Reader::new(*game, bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_game;
    use super::*;
    use proptest::prelude::*;

    const LINE: &str = "-----------------------------OX------XO------------------------- X; F4:+0; d6:-2; --:-127;";

    fn bad(line: &str) -> TextError {
        Problem::read(&Othello::default(), line).unwrap_err()
    }

    #[test]
    fn values_are_read_and_fillers_skipped() {
        let game = Othello::default();
        let start = "---------------------------OX------XO---------------------------";
        let line = format!("{start} X; F5:+0; d3 : -2; --:-127;");
        let problem = Problem::read(&game, &line).unwrap();
        assert_eq!(problem.position, game.start());
        assert_eq!(problem.value(), Some(0));
        assert_eq!(problem.write(&game), format!("{start} X; F5:+0; D3:-2;"));
        let text = format!("% comment\n\n{line} # more\r\n{start} O\n");
        let problems = read(&game, text.as_bytes());
        assert_eq!(problems.len(), 2);
        assert!(problems.iter().all(Result::is_ok));
    }

    #[test]
    fn a_line_of_a_problem_file_is_a_position() {
        let game = Othello::default();
        let start = game.write_position(&game.start());
        for rest in ["", ";", "; F5:+0; D3:-2;", " ; F5:+0; % remark", "; anything"] {
            assert_eq!(game.read_position(&format!("{start}{rest}")), Ok(game.start()), "{rest}");
        }
        assert!(game.read_position(&format!("{start} anything")).is_err());
        assert!(game.read_position(&start.replacen(" X", ";X", 1)).is_err());
    }

    #[test]
    fn errors_name_the_line_and_the_byte() {
        let start = "---------------------------OX------XO---------------------------";
        assert_eq!(bad(&format!("{start} X; A1:+2;")).byte, 68);
        assert_eq!(bad(&format!("{start} X; F5:65")).byte, 71);
        assert_eq!(bad(&format!("{start} X; F5:2; F5:1")).byte, 74);
        assert_eq!(bad(&format!("{start} X; F5")).byte, 68);
        assert_eq!(bad(&format!("{start} X; PS:3")).byte, 68);
        assert_eq!(bad("X").byte, 1);
        assert!(bad(LINE).found.contains("F4"), "not a legal move there");
        let all = read(&Othello::default(), format!("\n{start}\n").as_bytes());
        let [Err(StreamError::Record(zug_core::RecordError::Text(error)))] = &all[..] else {
            panic!("{all:?}")
        };
        assert_eq!(error.line, Some(2));
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_a_long_remark_is_not() {
        let game = Othello::default();
        let start = game.write_position(&game.start());
        let long = "x".repeat(LONGEST);
        let text = format!("{start} % {long}\n{start}; {long}\n{start};\n");
        let mut reader = Reader::new(game, text.as_bytes());
        assert!(reader.next().unwrap().is_ok());
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("line 2") && error.contains("65536"), "{error}");
        assert!(reader.next().unwrap().is_ok());
        assert_eq!(reader.line_number(), 3);
    }

    proptest! {
        #[test]
        fn problems_survive_being_written_and_read(
            seed: u64, plies in 0usize..60, value in -36i32..=36,
            size in prop_oneof![Just(6u8), Just(8)],
        ) {
            let game = Othello::with_size(size).unwrap();
            let mut position = game.start();
            for mv in random_game(&game, seed, plies) {
                position.play(mv);
            }
            let mut legal = Vec::new();
            game.moves(&position, &mut legal);
            let values = legal.into_iter().map(|mv| (mv, value)).collect();
            let problem = Problem { position, values };
            prop_assert_eq!(Problem::read(&game, &problem.write(&game)).unwrap(), problem);
        }

        #[test]
        fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&Othello::default(), &bytes);
        }

        #[test]
        fn reading_nearly_right_lines_never_panics(tail in "[ ;:A-Ha-h1-8+0-9é%-]{0,40}") {
            let start = "---------------------------OX------XO---------------------------";
            let _ = Problem::read(&Othello::default(), &format!("{start} X;{tail}"));
        }
    }
}
