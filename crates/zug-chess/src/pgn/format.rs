//! PGN as one of the record formats of the workbench.

use super::write::ROSTER;
use super::{PgnError, PgnGame, PgnMove, Reader, Variation};
use crate::position::Position;
use crate::rules::{Chess, Draws};
use crate::uci;
use cozy_chess::Move;
use std::io::{self, BufRead};
use zug_core::record::{RecordSink, StudySink};
use zug_core::study::Bounds;
use zug_core::{Game, Keep, Record, RecordError, RecordFormat, RecordMove, Spec, Study};

/// The PGN format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pgn;

impl RecordFormat for Pgn {
    fn name(&self) -> &'static str {
        "PGN"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pgn"]
    }

    fn stream(&self, input: &mut dyn BufRead, sink: &mut RecordSink<'_>) -> io::Result<()> {
        for game in Reader::new(input).main_lines_only() {
            let record = match game {
                Ok(game) => Ok(game.to_record()),
                Err(PgnError::Game(error)) => Err(error),
                Err(PgnError::Io(error)) => return Err(error),
            };
            if !sink(record) {
                break;
            }
        }
        Ok(())
    }

    fn rewrite(&self, bytes: &[u8], keep: &mut Keep<'_>) -> Option<Result<Vec<u8>, RecordError>> {
        let mut out = String::new();
        for game in Reader::new(bytes) {
            match game {
                Ok(game) => {
                    if keep(Ok(game.to_record())) {
                        out.push_str(&game.to_string());
                    }
                }
                Err(error) => {
                    keep(Err(record_error(error)));
                }
            }
        }
        Some(Ok(out.into_bytes()))
    }

    fn games_with_variations(&self, bytes: &[u8]) -> usize {
        let varied = |game: &PgnGame| game.main.moves.iter().any(|m| !m.variations.is_empty());
        Reader::new(bytes).flatten().filter(varied).count()
    }

    fn holds_variations(&self) -> bool {
        true
    }

    fn read_studies(&self, bytes: &[u8], bounds: Bounds, sink: &mut StudySink<'_>) {
        let mut reader = Reader::new(bytes).within(bounds);
        while let Some(game) = reader.next() {
            let left_out = reader.left_out();
            let study = game.map(|game| {
                let mut study = game.to_study();
                study.left_out = left_out;
                study
            });
            if !sink(study.map_err(record_error)) {
                return;
            }
        }
    }

    fn write_studies(&self, studies: &[Study]) -> Result<Vec<u8>, RecordError> {
        let mut out = String::new();
        for (i, study) in studies.iter().enumerate() {
            out.push_str(&PgnGame::from_study(study, i + 1)?.to_string());
        }
        Ok(out.into_bytes())
    }

    fn write(&self, records: &[Record]) -> Result<Vec<u8>, RecordError> {
        let mut out = String::new();
        for (i, record) in records.iter().enumerate() {
            out.push_str(&PgnGame::from_record(record, i + 1)?.to_string());
        }
        Ok(out.into_bytes())
    }
}

impl PgnGame {
    /// The main line as a record. Tags that only say "unknown" are left out; comments of a move
    /// are joined; variations, glyphs and what is said before the first move stay behind.
    ///
    /// The record's game is `chess`, or `chess:draws=claimed` where the players went on after a
    /// draw that nobody claimed.
    #[must_use]
    pub fn to_record(&self) -> Record {
        let usual = Position::start();
        let chess =
            if self.plays_on() { Chess::new().with_draws(Draws::Claimed) } else { Chess::new() };
        let mut position = self.start.clone();
        let moves = self
            .main
            .moves
            .iter()
            .map(|m| {
                let text = uci::write(&position, m.mv, false);
                position.play(m.mv);
                let comment = (!m.comments.is_empty()).then(|| m.comments.join(" "));
                RecordMove { text, comment }
            })
            .collect();
        let known = |(name, value): &&(String, String)| {
            !ROSTER.iter().any(|(n, unknown)| n == name && unknown == value)
        };
        Record {
            start: (self.start != usual).then(|| chess.write_position(&self.start)),
            game: Game::spec(&chess),
            tags: self.tags.iter().filter(known).cloned().collect(),
            moves,
            result: self.result,
        }
    }

    /// Is a move played where the rules, taken strictly, had ended the game?
    #[must_use]
    pub fn plays_on(&self) -> bool {
        let chess = Chess::new();
        let mut position = self.start.clone();
        let mut keys = Vec::with_capacity(self.main.moves.len());
        for m in &self.main.moves {
            let key = position.key();
            let first = keys.len().saturating_sub(usize::from(position.clock()));
            let before = keys[first..].iter().filter(|&&k| k == key).count();
            if before >= 2 || chess.is_drawn(&position).is_some() {
                return true;
            }
            keys.push(key);
            position.play(m.mv);
        }
        false
    }

    /// A game from a record; `number` stands in errors.
    pub fn from_record(record: &Record, number: usize) -> Result<PgnGame, RecordError> {
        let spec = Spec::parse(&record.game)?;
        if spec.name != "chess" {
            let text = format!("PGN holds games of chess, not of {}", record.game);
            return Err(RecordError::Unsupported(text));
        }
        let chess = Chess::from_spec(&spec)?.with_draws(Draws::Claimed);
        let start = match &record.start {
            Some(text) => chess.read_position(text)?,
            None => chess.start(),
        };
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(record.moves.len());
        for (ply, m) in record.moves.iter().enumerate() {
            let mv: Move = chess
                .read_move(&position, &m.text)
                .map_err(|error| RecordError::Move { game: number, ply, error })?;
            position.play(mv);
            let comments = m.comment.iter().filter(|c| !c.trim().is_empty()).cloned().collect();
            moves.push(PgnMove { comments, ..PgnMove::new(mv) });
        }
        let named = |(name, _): &&(String, String)| {
            !matches!(name.as_str(), "Result" | "FEN" | "SetUp") && is_tag_name(name)
        };
        let main = Variation { comments: Vec::new(), moves };
        let tags = record.tags.iter().filter(named).cloned().collect();
        Ok(PgnGame { tags, start, main, result: record.result })
    }
}

fn record_error(error: PgnError) -> RecordError {
    match error {
        PgnError::Game(error) => error,
        PgnError::Io(error) => RecordError::Unsupported(error.to_string()),
    }
}

fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_again_with_everything_in_it() {
        let moves = "{first} 1. e4 $1 {good} (1. d4 $5 (1. c4) 1... d5 {solid}) 1... e5 *";
        let text = format!("[White \"A\"]\n\n{moves}\n\n[White \"B\"]\n\n1. Ke2 *\n");
        let mut shown = Vec::new();
        let written = Pgn.rewrite(text.as_bytes(), &mut |record| {
            shown.push(record.is_ok());
            true
        });
        assert_eq!(shown, [true, false]);
        let written = String::from_utf8(written.unwrap().unwrap()).unwrap();
        assert!(written.ends_with(&format!("\n{moves}\n\n")), "{written}");
        let games = |text: &str| Reader::new(text.as_bytes()).flatten().collect::<Vec<_>>();
        assert_eq!(games(&written)[0].main, games(&text)[0].main);
        assert_eq!(Pgn.games_with_variations(text.as_bytes()), 1);
    }
}
