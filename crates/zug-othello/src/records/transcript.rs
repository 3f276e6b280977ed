//! Transcripts: the moves of one game a line, `f5d6c3d3c4…`.
//!
//! Read: large or small letters, with or without blanks and move numbers (`12.`) between the
//! moves, passes left out or written (`pass`, `pa`, `ps`, `--`). What follows `#`, `%` or `;` is a
//! comment. Blank lines are skipped. Written: small letters without passes.

use super::lines::Lines;
use super::{Ending, StreamError, moves_of, replay};
use crate::rules::is_pass_word;
use crate::{Move, Othello};
use std::io::{self, BufRead};
use zug_core::record::RecordSink;
use zug_core::{Game, Record, RecordError, RecordFormat, TextError};

/// Reads the moves of a line, with the byte of each, without asking whether they are legal.
pub fn read_moves(game: &Othello, line: &[u8]) -> Result<Vec<(usize, Move)>, TextError> {
    let mut moves = Vec::new();
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let pass = [4, 2].into_iter().find(|&n| rest.get(..n).is_some_and(is_pass_word));
        if b"#%;".contains(&rest[0]) {
            break;
        } else if b" \t,".contains(&rest[0]) {
            at += 1;
        } else if digits > 0 && rest.get(digits) == Some(&b'.') {
            at += digits + 1;
        } else if let Some(length) = pass {
            moves.push((at, Move::PASS));
            at += length;
        } else if let [column, row, ..] = *rest
            && let Some(mv) = Move::from_ascii(column, row, game.size())
        {
            moves.push((at, mv));
            at += 2;
        } else {
            let last = Move::at(game.size() - 1, game.size() - 1).expect("a corner");
            let found = String::from_utf8_lossy(&rest[..rest.len().min(8)]);
            let expected = format!("a move from a1 to {last}, or a pass");
            return Err(TextError::new(at, expected, format!("'{found}'")));
        }
    }
    Ok(moves)
}

/// Reads games from a stream, one at a time.
pub struct Reader<R> {
    game: Othello,
    lines: Option<Lines<R>>,
    games: usize,
}

impl<R: BufRead> Reader<R> {
    /// Reads games of this kind.
    pub fn new(game: Othello, input: R) -> Reader<R> {
        Reader { game, lines: Some(Lines::new(input)), games: 0 }
    }

    fn record(&self, number: usize, moves: &[(usize, Move)]) -> Result<Record, RecordError> {
        let game = &self.game;
        let played = replay(game, &game.start(), moves.iter().map(|&(_, mv)| mv));
        if let Ending::Illegal { index, mv } = played.ending {
            let found = mv.map_or(String::new(), |mv| format!("'{mv}'"));
            let error = TextError::new(moves[index].0, game.expected_move(&played.last), found);
            let ply = played.moves.len();
            return Err(RecordError::Move { game: self.games, ply, error: error.on_line(number) });
        }
        Ok(played.into_record(game))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = match self.lines.as_mut()?.next()? {
                Ok(line) => line,
                Err(error) => {
                    self.lines = None;
                    return Some(Err(error.into()));
                }
            };
            match read_moves(&self.game, &line.bytes) {
                Ok(_) if line.cut => {
                    let error = TextError::new(line.bytes.len(), "a shorter line", "more of it");
                    return Some(Err(error.on_line(line.number).into()));
                }
                Ok(moves) if moves.is_empty() => {}
                Ok(moves) => {
                    self.games += 1;
                    return Some(self.record(line.number, &moves).map_err(StreamError::from));
                }
                Err(error) => return Some(Err(error.on_line(line.number).into())),
            }
        }
    }
}

/// Transcripts as a record format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Transcripts {
    /// The board.
    pub game: Othello,
}

impl RecordFormat for Transcripts {
    fn name(&self) -> &'static str {
        "transcript"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["txt"]
    }

    fn stream(&self, input: &mut dyn BufRead, sink: &mut RecordSink<'_>) -> io::Result<()> {
        super::hand_over(Reader::new(self.game, input), sink)
    }

    fn write(&self, records: &[Record]) -> Result<Vec<u8>, RecordError> {
        let mut out = String::new();
        for (i, record) in records.iter().enumerate() {
            let (start, moves) = moves_of(&self.game, i + 1, record)?;
            if start != self.game.start() {
                let message = format!("game {} begins elsewhere than transcripts can say", i + 1);
                return Err(RecordError::Unsupported(message));
            }
            if moves.is_empty() {
                let message = format!("game {} has no moves, so it has no transcript", i + 1);
                return Err(RecordError::Unsupported(message));
            }
            // A pass is read back from the move after it, so only the last one must be written.
            let last = moves.len() - 1;
            let told = moves.iter().enumerate().filter(|&(i, mv)| !mv.is_pass() || i == last);
            out.extend(told.map(|(_, mv)| mv.to_string()));
            out.push('\n');
        }
        Ok(out.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_record;
    use super::*;
    use proptest::prelude::*;
    use zug_core::RecordResult;

    fn read(text: &str) -> Vec<Result<Record, RecordError>> {
        Transcripts::default().read(text.as_bytes())
    }

    #[test]
    fn one_game_a_line_with_comments_and_blank_lines() {
        let text = "# a file\n\nf5d6c3\r\n  F5 D6 C3 ; the same\n1. f5 d6 2. c3\n";
        let games = read(text);
        assert_eq!(games.len(), 3);
        for game in games {
            let game = game.unwrap();
            let moves: Vec<&str> = game.moves.iter().map(|m| m.text.as_str()).collect();
            assert_eq!(moves, ["f5", "d6", "c3"]);
            assert_eq!(game.result, RecordResult::Unknown);
        }
    }

    #[test]
    fn bad_lines_are_named_and_the_others_are_read() {
        let games = read("f5d6\nf5x9\nf5f6\nf5d6c3\nf5f6a8\n17 f5\n");
        assert!(games[0].is_ok() && games[2].is_ok() && games[3].is_ok());
        let Err(RecordError::Text(error)) = &games[1] else { panic!() };
        assert_eq!((error.line, error.byte), (Some(2), 2));
        let Err(RecordError::Move { game: 4, ply: 2, error }) = &games[4] else { panic!() };
        assert_eq!((error.line, error.byte, error.found.as_str()), (Some(5), 4, "'a8'"));
        assert!(games[5].is_err());
    }

    #[test]
    fn endless_lines_are_refused() {
        let long = "f5 ".repeat(100_000);
        assert_eq!(read(&long).len(), 1);
        assert!(read(&format!("{long}\nf5d6")).pop().unwrap().is_ok());
    }

    proptest! {
        #[test]
        fn games_survive_being_written_and_read(
            seeds in prop::collection::vec((any::<u64>(), 1usize..80), 0..5),
            size in prop_oneof![Just(4u8), Just(6), Just(8)],
        ) {
            let game = Othello::with_size(size).unwrap();
            let records: Vec<Record> =
                seeds.iter().map(|&(seed, plies)| random_record(&game, seed, plies)).collect();
            let format = Transcripts { game };
            let written = format.write(&records).unwrap();
            let again: Vec<Record> = format.read(&written).into_iter().map(|r| r.unwrap()).collect();
            prop_assert_eq!(again, records);
        }

        #[test]
        fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Transcripts::default().read(&bytes);
        }
    }
}
