//! A whole game, as it was played.

use super::Index;
use crate::board::Board;
use crate::corpus::{PASS, decode};
use crate::explore::library::{Library, MOST_MOVES};
use crate::explore::query::{name_of, side_of};
use crate::rules::{Ko, Rules};
use crate::sgf::main_line::read_result;
use crate::sgf::record::UNSTATED;
use std::collections::HashSet;
use zug_core::{Record, RecordMove};
use zug_learn::face::TaskError;

impl Index {
    /// The game of a number, under the komi that it was played with.
    pub fn record(&self, number: u32) -> Result<Record, TaskError> {
        let game = number as usize;
        let Some(boards) = self.boards.iter().find(|b| game < b.first + b.count) else {
            let (file, games) = (self.file.file(), self.games());
            return Err(TaskError::Unfit(format!(
                "{file}: expected the number of one of {games} games, from 0 on, found {number}"
            )));
        };
        let size = boards.size;
        let mut rules = Rules::new(size).ok_or_else(|| self.damaged("the table of boards"))?;
        let card = self.card(number)?;
        let most = (size * size) as f32;
        let komi = card.komi.parse().ok().filter(|komi: &f32| komi.abs() <= most);
        if let Some(komi) = komi {
            rules = rules.with_komi(komi);
        }
        let codes = self.codes(number, size)?;
        let (moves, ko) = played(&codes, size).ok_or_else(|| self.damaged("a move"))?;
        rules.ko = ko;
        let (result, termination) = read_result(&card.result);
        let mut record = Record { game: rules.to_string(), moves, result, ..Record::default() };
        let unstated = if komi.is_some() { "rules" } else { "komi, rules" };
        for (tag, value) in [
            ("Event", card.event.as_str()),
            ("Date", &card.date),
            ("Black", &card.black),
            ("White", &card.white),
            ("Source", &card.name),
            ("Termination", termination.unwrap_or_default()),
            (UNSTATED, unstated),
        ] {
            if !value.is_empty() {
                record.set_tag(tag, value);
            }
        }
        Ok(record)
    }

    /// The moves of a game on a board of this size.
    fn codes(&self, number: u32, size: usize) -> Result<Vec<u16>, TaskError> {
        let at = u64::from(number);
        let starts: Vec<u32> = self
            .file
            .section("move-starts")
            .and_then(|s| s.array_part(at..at + 2))
            .map_err(TaskError::below)?;
        let (from, to) = (u64::from(starts[0]), u64::from(starts[1]));
        if to < from || to - from > MOST_MOVES as u64 {
            return Err(self.damaged("the table of moves"));
        }
        let codes = self.file.section("moves").and_then(|s| s.array_part(from..to));
        let codes: Vec<u16> = codes.map_err(TaskError::below)?;
        match codes.iter().all(|&c| c == PASS || usize::from(c) < size * size) {
            true => Ok(codes),
            false => Err(self.damaged("a move")),
        }
    }
}

/// The moves in notation, and the ko that they keep to: an index takes games that break superko. `None`
/// where a move cannot be played.
fn played(codes: &[u16], size: usize) -> Option<(Vec<RecordMove>, Ko)> {
    // Some servers write with more passes that both agreed.
    let passes = codes.iter().rev().take_while(|&&code| code == PASS).count();
    let codes = &codes[..codes.len() - passes.saturating_sub(2)];
    let (mut board, mut ko) = (Board::new(size), Ko::Super);
    let mut seen = HashSet::from([board.key()]);
    let mut moves = Vec::with_capacity(codes.len());
    for (ply, &code) in codes.iter().enumerate() {
        let text = match decode(code, size) {
            None => {
                board.pass();
                "pass".to_string()
            }
            Some(p) => {
                board.check(p, side_of(ply), false).ok()?;
                board.play(p, side_of(ply));
                if !seen.insert(board.key()) {
                    ko = Ko::Simple;
                }
                name_of(code, size)
            }
        };
        moves.push(RecordMove { text, comment: None });
    }
    Some((moves, ko))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Corpus, Filter};
    use crate::explore::index::to_bytes;
    use crate::explore::library::Shelf;
    use crate::game::Go;
    use zug_core::{RecordResult, Side};

    fn index(files: &[(&str, &str)]) -> Index {
        let files = files.iter().map(|&(name, text)| (name, text.as_bytes()));
        let shelf = Shelf::new(Corpus::of_files(files, &Filter::default()).games);
        Index::from_bytes(to_bytes(&shelf).unwrap()).unwrap()
    }

    fn texts(record: &Record) -> Vec<&str> {
        record.moves.iter().map(|m| m.text.as_str()).collect()
    }

    #[test]
    fn a_game_comes_back_whole() {
        let index = index(&[
            (
                "b.sgf",
                "(;SZ[9]KM[5.5]DT[2001-02-03]EV[Cup]PB[Ann]PW[Bob]RE[W+2.5];B[gc];W[];B[dg];W[ee])",
            ),
            ("a.sgf", "(;SZ[9]RE[B+R];B[ee];W[cc];B[];W[];B[];W[])"),
            ("c.sgf", "(;SZ[13]KM[9999]RE[0];B[dd])"),
        ]);
        let won = |winner, margin| RecordResult::Known { winner, margin };
        let record = index.record(1).unwrap();
        assert_eq!(record.game, "go:9x9,komi=5.5");
        assert_eq!(texts(&record), ["G7", "pass", "D3", "E5"]);
        assert_eq!(record.result, won(Some(Side::Second), Some(2.5)));
        let tags = ["Black", "White", "Date", "Event", "Source", "Unstated"];
        let expected = ["Ann", "Bob", "2001-02-03", "Cup", "b.sgf", "rules"].map(Some);
        assert_eq!(tags.map(|tag| record.tag(tag)), expected);
        assert!(record.replay(&Go::open(&record.game).unwrap()).is_ok());
        // Nobody says the komi, and two passes end a game.
        let record = index.record(0).unwrap();
        assert_eq!((record.game.as_str(), record.tag("Black")), ("go:9x9", None));
        assert_eq!(texts(&record), ["E5", "C7", "pass", "pass"]);
        assert_eq!(record.tag("Termination"), Some("resignation"));
        assert_eq!(record.result, won(Some(Side::First), None));
        // No komi is larger than the board.
        let record = index.record(2).unwrap();
        assert_eq!((record.game.as_str(), record.result), ("go:13x13", won(None, Some(0.0))));
        for number in [3, 4, u32::MAX] {
            let said = index.record(number).unwrap_err().to_string();
            assert!(said.contains("expected the number of one of 3 games"), "{said}");
        }
    }

    #[test]
    fn an_index_without_komi_is_still_read() {
        use crate::explore::index::LAYOUT;
        use zug_core::container::{Header, Kind, Writer};
        let new = index(&[("a.sgf", "(;SZ[9]KM[5.5]PB[Ann]RE[B+R];B[ee];W[cc])")]);
        let header = Header::new(Kind::Book, "go", LAYOUT);
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        let old = b"a.sgf\0Ann\0\0\0\0B+R\0";
        for section in new.file.sections() {
            match section.name() {
                "texts" => writer.bytes("texts", old).unwrap(),
                "text-starts" => writer.array("text-starts", &[0, old.len() as u32]).unwrap(),
                name => writer.bytes(name, &section.bytes(1 << 20).unwrap()).unwrap(),
            }
        }
        let old = Index::from_bytes(writer.finish().unwrap()).unwrap();
        let record = old.record(0).unwrap();
        assert_eq!((record.game.as_str(), record.tag("Black")), ("go:9x9", Some("Ann")));
        assert_eq!(record.tag("Unstated"), Some("komi, rules"));
        assert_eq!(old.of_players(0..1, &|name| name == "Ann").unwrap(), [true]);
    }

    #[test]
    fn a_game_that_breaks_superko_is_one_under_simple_ko() {
        let index = index(&[("a.sgf", "(;SZ[2];B[ab];W[ba];B[bb];W[aa];B[ab];W[bb];B[ab];W[ba])")]);
        let record = index.record(0).unwrap();
        assert_eq!(record.game, "go:2x2,ko=simple");
        assert!(record.replay(&Go::open(&record.game).unwrap()).is_ok());
        assert!(record.replay(&Go::open("go:2x2").unwrap()).is_err());
    }
}
