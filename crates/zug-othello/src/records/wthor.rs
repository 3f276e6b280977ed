//! WTHOR: the base of tournament games, 68 bytes a game.
//!
//! ```text
//! header   0..4   date of writing: century, year, month, day
//! (16)     4..8   number of games              8..10  number of names (name files)
//!         10..12  year of the games           12      board size (0 means 8)
//!         13      1 for endgame problems      14      empties at which the best score is counted
//! game     0..2   tournament                   2..4   black            4..6  white
//! (68)     6      black's discs at the end     7      black's discs under best play
//!          8..68  moves, 10 × row + column (1 to 8), zeros after the last; no passes
//! ```
//!
//! Numbers are little endian. The file names players and tournaments by number; the names are in
//! files of their own, see [`names`].

use super::{Ending, Replay, StreamError, moves_of, names, record_error, replay};
use crate::{Move, Othello};
use std::io::{self, BufRead, Read};
use zug_core::record::RecordSink;
use zug_core::{Game, Keep, Record, RecordError, RecordFormat, RecordResult, Side, TextError};

/// Bytes of the header.
pub const HEADER_BYTES: usize = 16;
/// Bytes of a game.
pub const GAME_BYTES: usize = 68;

/// The beginning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Header {
    /// When the file was written: century, year in it, month, day.
    pub written: [u8; 4],
    /// Games in the file.
    pub games: u32,
    /// Names in the file, if it holds names.
    pub names: u16,
    /// Year in which the games were played.
    pub year: u16,
    /// Rows of the board; 0 means 8.
    pub size: u8,
    /// 1 for a file of endgame problems.
    pub kind: u8,
    /// The number of empty squares from which on the best score was found.
    pub depth: u8,
    /// Not used.
    pub reserved: u8,
}

impl Header {
    /// Reads the first 16 bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<Header, TextError> {
        let Some(b) = bytes.first_chunk::<HEADER_BYTES>() else {
            let found = format!("{} bytes", bytes.len());
            return Err(TextError::new(0, "a header of 16 bytes", found));
        };
        Ok(Header {
            written: [b[0], b[1], b[2], b[3]],
            games: u32::from_le_bytes([b[4], b[5], b[6], b[7]]),
            names: u16::from_le_bytes([b[8], b[9]]),
            year: u16::from_le_bytes([b[10], b[11]]),
            size: b[12],
            kind: b[13],
            depth: b[14],
            reserved: b[15],
        })
    }

    /// Its 16 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let mut b = [0; HEADER_BYTES];
        b[..4].copy_from_slice(&self.written);
        b[4..8].copy_from_slice(&self.games.to_le_bytes());
        b[8..10].copy_from_slice(&self.names.to_le_bytes());
        b[10..12].copy_from_slice(&self.year.to_le_bytes());
        b[12..].copy_from_slice(&[self.size, self.kind, self.depth, self.reserved]);
        b
    }
}

/// A game as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Number of the tournament.
    pub tournament: u16,
    /// Number of the black player.
    pub black: u16,
    /// Number of the white player.
    pub white: u16,
    /// Black's discs at the end, as scored (the empty squares go to the winner).
    pub black_discs: u8,
    /// Black's discs under best play from [`Header::depth`] empty squares on.
    pub best_discs: u8,
    /// The moves.
    pub moves: [u8; 60],
}

impl StoredGame {
    /// Takes the bytes of a game apart; any bytes will do.
    #[must_use]
    pub fn from_bytes(b: &[u8; GAME_BYTES]) -> StoredGame {
        let word = |i: usize| u16::from_le_bytes([b[i], b[i + 1]]);
        let mut moves = [0; 60];
        moves.copy_from_slice(&b[8..]);
        StoredGame {
            tournament: word(0),
            black: word(2),
            white: word(4),
            black_discs: b[6],
            best_discs: b[7],
            moves,
        }
    }

    /// Its 68 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; GAME_BYTES] {
        let mut b = [0; GAME_BYTES];
        b[0..2].copy_from_slice(&self.tournament.to_le_bytes());
        b[2..4].copy_from_slice(&self.black.to_le_bytes());
        b[4..6].copy_from_slice(&self.white.to_le_bytes());
        b[6] = self.black_discs;
        b[7] = self.best_discs;
        b[8..].copy_from_slice(&self.moves);
        b
    }

    /// Plays the game through. A byte that names no square is an illegal move, and so is a move
    /// that follows a zero.
    #[must_use]
    pub fn replay(&self) -> Replay {
        let game = Othello::default();
        let length = self.moves.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
        let sound: Vec<Move> = self.moves[..length].iter().map_while(|&b| move_of(b)).collect();
        let good = sound.len();
        let mut played = replay(&game, &game.start(), sound);
        if good < length && !matches!(played.ending, Ending::Illegal { .. }) {
            played.ending = Ending::Illegal { index: good, mv: None };
        }
        played
    }

    /// The result as the file states it.
    #[must_use]
    pub fn result(&self) -> RecordResult {
        if self.black_discs > 64 {
            return RecordResult::Unknown;
        }
        let lead = 2 * i32::from(self.black_discs) - 64;
        let winner = match lead {
            1.. => Some(Side::First),
            0 => None,
            _ => Some(Side::Second),
        };
        RecordResult::Known { winner, margin: Some(lead.abs() as f32) }
    }

    /// The record; `number` is the game's place in the file (from 1), for errors. A game that
    /// stops early is a record, with the tag `Termination` set to `unterminated`.
    pub fn to_record(&self, header: &Header, number: usize) -> Result<Record, RecordError> {
        let game = Othello::default();
        let played = self.replay();
        if let Ending::Illegal { index, mv } = played.ending {
            let byte = HEADER_BYTES + GAME_BYTES * (number.saturating_sub(1)) + 8 + index;
            let found = match mv {
                Some(mv) => format!("'{mv}'"),
                None => format!("the byte {}", self.moves[index]),
            };
            let error = TextError::new(byte, game.expected_move(&played.last), found);
            return Err(RecordError::Move { game: number, ply: played.moves.len(), error });
        }
        let stops_early = played.ending == Ending::StopsEarly;
        let mut record = played.into_record(&game);
        record.result = self.result();
        record.set_tag("Event", format!("#{}", self.tournament));
        record.set_tag("Date", header.year.to_string());
        record.set_tag("Black", format!("#{}", self.black));
        record.set_tag("White", format!("#{}", self.white));
        if stops_early {
            record.set_tag("Termination", "unterminated");
        }
        record.set_tag("BestScore", self.best_discs.to_string());
        record.set_tag("BestScoreEmpties", header.depth.to_string());
        Ok(record)
    }

    /// The game of a record from the start position. Numbers are taken from tags as
    /// [`to_record`](StoredGame::to_record) and [`put_names`](super::names::put_names) write them;
    /// other names become number 0.
    pub fn from_record(record: &Record, number: usize) -> Result<StoredGame, RecordError> {
        let game = Othello::default();
        let (start, moves) = moves_of(&game, number, record)?;
        if start != game.start() {
            let message = format!("game {number} begins elsewhere than WTHOR can say");
            return Err(RecordError::Unsupported(message));
        }
        let mut stored = [0; 60];
        let squares = moves.iter().filter_map(|mv| mv.square());
        for (slot, square) in stored.iter_mut().zip(squares) {
            *slot = (10 * (square / 8 + 1) + square % 8 + 1) as u8;
        }
        let reference = |tag: &str| {
            let value = record.tag(tag).and_then(|v| v.strip_prefix('#'));
            let value = value.or_else(|| record.tag(&format!("{tag}Number")));
            value.and_then(|v| v.parse().ok()).unwrap_or(0)
        };
        let black_discs = stated_discs(record, number)?;
        let best = record.tag("BestScore").and_then(|v| v.parse().ok());
        Ok(StoredGame {
            tournament: reference("Event"),
            black: reference("Black"),
            white: reference("White"),
            black_discs,
            best_discs: best.unwrap_or(black_discs),
            moves: stored,
        })
    }
}

/// Black's discs by the result of a record. WTHOR has no way to leave the result out.
fn stated_discs(record: &Record, number: usize) -> Result<u8, RecordError> {
    let unsupported = |what: &str| {
        RecordError::Unsupported(format!("game {number} has no {what}, which WTHOR must state"))
    };
    match record.result {
        RecordResult::Unknown => Err(unsupported("result")),
        RecordResult::Known { winner: None, .. } => Ok(32),
        RecordResult::Known { margin: None, .. } => Err(unsupported("margin")),
        RecordResult::Known { winner: Some(side), margin: Some(margin) } => {
            let half = (margin.clamp(0.0, 64.0) / 2.0) as u8;
            Ok(if side == Side::First { 32 + half } else { 32 - half })
        }
    }
}

/// The square of a stored byte.
fn move_of(byte: u8) -> Option<Move> {
    Move::at((byte / 10).checked_sub(1)?, (byte % 10).checked_sub(1)?)
}

/// Reads the games of a file from a stream, one at a time.
pub struct Reader<R> {
    input: R,
    header: Header,
    read: u32,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> Result<Reader<R>, StreamError> {
        let mut bytes = [0; HEADER_BYTES];
        let got = fill(&mut input, &mut bytes)?;
        let header = Header::read(&bytes[..got])?;
        if !matches!(header.size, 0 | 8) {
            return Err(TextError::new(12, "a board of size 8", header.size.to_string()).into());
        }
        Ok(Reader { input, header, read: 0, ended: false })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn next_game(&mut self) -> Result<Option<StoredGame>, StreamError> {
        let mut bytes = [0; GAME_BYTES];
        let got = fill(&mut self.input, &mut bytes)?;
        let at = HEADER_BYTES + GAME_BYTES * self.read as usize;
        if self.read == self.header.games {
            if got == 0 {
                return Ok(None);
            }
            let expected = format!("the end after {} games", self.read);
            return Err(TextError::new(at, expected, "more bytes").into());
        }
        if got < GAME_BYTES {
            let expected = format!("game {} of {}", self.read + 1, self.header.games);
            return Err(TextError::new(at, expected, format!("{got} of its 68 bytes")).into());
        }
        self.read += 1;
        Ok(Some(StoredGame::from_bytes(&bytes)))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<StoredGame, StreamError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_game().transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// Reads until the buffer is full or the input ends; how much that was.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match input.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(n) => got += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(got)
}

/// Writes a file; the number of games in the header is set here.
pub fn write(header: &Header, games: &[StoredGame]) -> Result<Vec<u8>, RecordError> {
    let count = u32::try_from(games.len())
        .map_err(|_| RecordError::Unsupported(format!("{} games are too many", games.len())))?;
    let mut out = Vec::with_capacity(HEADER_BYTES + GAME_BYTES * games.len());
    out.extend_from_slice(&Header { games: count, ..*header }.to_bytes());
    for game in games {
        out.extend_from_slice(&game.to_bytes());
    }
    Ok(out)
}

/// WTHOR as a record format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wthor;

impl RecordFormat for Wthor {
    fn name(&self) -> &'static str {
        "WTHOR"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["wtb"]
    }

    fn stream(&self, input: &mut dyn BufRead, sink: &mut RecordSink<'_>) -> io::Result<()> {
        let reader = match Reader::new(input) {
            Ok(reader) => reader,
            Err(error) => return super::hand_over([Err(error)].into_iter(), sink),
        };
        let header = *reader.header();
        let records = reader.enumerate().map(|(i, game)| Ok(game?.to_record(&header, i + 1)?));
        super::hand_over(records, sink)
    }

    fn write(&self, records: &[Record]) -> Result<Vec<u8>, RecordError> {
        let games: Result<Vec<StoredGame>, RecordError> = records
            .iter()
            .enumerate()
            .map(|(i, record)| StoredGame::from_record(record, i + 1))
            .collect();
        let tag = |name: &str| records.iter().find_map(|r| r.tag(name));
        let year = tag("Date").and_then(|d| d.get(..4)).and_then(|y| y.parse().ok());
        let depth = tag("BestScoreEmpties").and_then(|d| d.parse().ok());
        let header = Header {
            year: year.unwrap_or(0),
            size: 8,
            depth: depth.unwrap_or(0),
            ..Header::default()
        };
        write(&header, &games?)
    }

    fn rewrite(&self, bytes: &[u8], keep: &mut Keep<'_>) -> Option<Result<Vec<u8>, RecordError>> {
        let mut reader = match Reader::new(bytes) {
            Ok(reader) => reader,
            Err(error) => {
                keep(Err(record_error(error)));
                return Some(Ok(Vec::new()));
            }
        };
        let header = *reader.header();
        let mut kept = Vec::new();
        for (i, game) in reader.by_ref().enumerate() {
            match game {
                Ok(game) => {
                    let record = game.to_record(&header, i + 1);
                    let is_sound = record.is_ok();
                    if keep(record) && is_sound {
                        kept.push(game);
                    }
                }
                Err(error) => {
                    keep(Err(record_error(error)));
                }
            }
        }
        Some(write(&header, &kept))
    }

    fn name_files(&self) -> &'static [&'static str] {
        &["jou", "trn"]
    }

    fn put_names(&self, records: &mut [Record], files: &[Vec<u8>]) -> Result<(), RecordError> {
        let names = |kind, at: usize| match files.get(at) {
            Some(bytes) if !bytes.is_empty() => names::read(kind, bytes),
            _ => Ok(Vec::new()),
        };
        let players = names(names::Kind::Players, 0)?;
        let tournaments = names(names::Kind::Tournaments, 1)?;
        for record in records {
            names::put_names(record, &players, &tournaments);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_record;
    use super::*;
    use proptest::prelude::*;

    fn file(seeds: std::ops::Range<u64>) -> Vec<u8> {
        let game = Othello::default();
        let records: Vec<Record> =
            seeds.map(|seed| random_record(&game, seed, usize::MAX)).collect();
        Wthor.write(&records).unwrap()
    }

    #[test]
    fn the_bytes_are_those_of_the_format() {
        let mut record = random_record(&Othello::default(), 1, usize::MAX);
        record.set_tag("Event", "#258");
        record.set_tag("Black", "#3");
        record.set_tag("White", "Ada");
        record.set_tag("Date", "1999.05.01");
        record.moves[0].text.make_ascii_uppercase();
        let bytes = Wthor.write(&[record.clone()]).unwrap();
        assert_eq!(bytes.len(), 16 + 68);
        assert_eq!(bytes[4..8], [1, 0, 0, 0]);
        assert_eq!(bytes[10..13], [0xCF, 0x07, 8]);
        assert_eq!(bytes[16..22], [2, 1, 3, 0, 0, 0]);
        let first = record.moves[0].text.as_bytes();
        assert_eq!(bytes[24], 10 * (first[1] - b'0') + (first[0] - b'A' + 1));
    }

    #[test]
    fn games_that_stop_early_are_records_and_bad_moves_are_errors() {
        let mut bytes = file(0..3);
        bytes[16 + 8 + 20..16 + 68].fill(0);
        bytes[16 + 68 + 8 + 20] = 44;
        let records = Wthor.read(&bytes);
        let stopped = records[0].as_ref().unwrap();
        assert_eq!(stopped.tag("Termination"), Some("unterminated"));
        assert!(matches!(stopped.result, RecordResult::Known { .. }));
        let Err(RecordError::Move { game: 2, error, .. }) = &records[1] else { panic!() };
        assert_eq!((error.byte, error.found.as_str()), (16 + 68 + 8 + 20, "'d4'"));
        assert_eq!(records[2].as_ref().unwrap().tag("Termination"), None);
    }

    #[test]
    fn a_byte_that_names_no_square_and_a_gap_are_bad_moves() {
        for byte in [0, 9, 10, 19, 90, 255] {
            let mut bytes = file(0..1);
            bytes[16 + 8 + 20] = byte;
            let game = Reader::new(&bytes[..]).unwrap().next().unwrap().unwrap();
            assert_eq!(game.replay().ending, Ending::Illegal { index: 20, mv: None }, "{byte}");
        }
    }

    #[test]
    fn files_that_are_cut_or_too_long_or_of_another_board_are_reported() {
        let bytes = file(0..3);
        let cut = Wthor.read(&bytes[..bytes.len() - 1]);
        assert_eq!(cut.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false]);
        let long = Wthor.read(&[&bytes[..], &[0]].concat());
        assert_eq!(long.iter().filter(|r| r.is_ok()).count(), 3);
        assert_eq!(long.len(), 4);
        assert_eq!(Wthor.read(&bytes[..15]).len(), 1);
        let mut large = bytes;
        large[12] = 10;
        let refused = Wthor.read(&large);
        assert!(matches!(&refused[..], [Err(RecordError::Text(e))] if e.byte == 12));
    }

    #[test]
    fn a_file_is_written_again_byte_for_byte() {
        let mut bytes = file(0..3);
        bytes[..4].copy_from_slice(&[20, 4, 12, 31]);
        bytes[13..16].copy_from_slice(&[1, 22, 9]);
        bytes[16 + 7] = 40;
        assert_eq!(Wthor.rewrite(&bytes, &mut |_| true), Some(Ok(bytes.clone())));
        let mut number = 0;
        let fewer = Wthor.rewrite(&bytes, &mut |_| {
            number += 1;
            number != 2
        });
        let mut expected = bytes;
        expected.drain(16 + 68..16 + 2 * 68);
        expected[4] = 2;
        assert_eq!(fewer, Some(Ok(expected)));
    }

    #[test]
    fn numbers_and_best_scores_come_back_from_records_with_names_and_from_ggf() {
        let mut bytes = file(0..2);
        bytes[10..15].copy_from_slice(&[0xCF, 0x07, 8, 0, 22]);
        for at in [16, 16 + 68] {
            bytes[at..at + 8].copy_from_slice(&[1, 0, 1, 0, 0, 0, 40, 36]);
        }
        let mut records: Vec<Record> = Wthor.read(&bytes).into_iter().map(|r| r.unwrap()).collect();
        let players = names::write(names::Kind::Players, &["Ada", "Grace"]).unwrap();
        let tournaments = names::write(names::Kind::Tournaments, &["Open", "Cup"]).unwrap();
        Wthor.put_names(&mut records, &[players, tournaments]).unwrap();
        let shown = ["Event", "Black", "White"].map(|tag| records[0].tag(tag).unwrap());
        assert_eq!(shown, ["Cup", "Grace", "Ada"]);
        assert_eq!(Wthor.write(&records).unwrap(), bytes);
        let ggf = crate::records::ggf::Ggf::default();
        let written = ggf.write(&records).unwrap();
        let again: Vec<Record> = ggf.read(&written).into_iter().map(|r| r.unwrap()).collect();
        assert_eq!(again[0].tag("Event"), Some("Cup"));
        assert_eq!(Wthor.write(&again).unwrap(), bytes);
        assert!(Wthor.put_names(&mut records, &[vec![1, 2, 3]]).is_err());
    }

    #[test]
    fn a_record_without_a_result_cannot_be_written() {
        let record = random_record(&Othello::default(), 1, 10);
        assert!(matches!(Wthor.write(&[record]), Err(RecordError::Unsupported(_))));
    }

    proptest! {
        #[test]
        fn games_survive_being_written_and_read(
            seed: u64, tournament: u16, black: u16, white: u16, year in 1000u16..9999, depth: u8,
        ) {
            let mut record = random_record(&Othello::default(), seed, usize::MAX);
            record.set_tag("Event", format!("#{tournament}"));
            record.set_tag("Date", year.to_string());
            record.set_tag("Black", format!("#{black}"));
            record.set_tag("White", format!("#{white}"));
            record.set_tag("BestScore", "33");
            record.set_tag("BestScoreEmpties", depth.to_string());
            let bytes = Wthor.write(std::slice::from_ref(&record)).unwrap();
            let again = Wthor.read(&bytes).pop().unwrap().unwrap();
            prop_assert_eq!(&again, &record);
            prop_assert_eq!(Wthor.write(&[again]).unwrap(), bytes);
        }

        #[test]
        fn stored_games_survive_as_bytes(bytes in prop::collection::vec(any::<u8>(), GAME_BYTES)) {
            let bytes: [u8; GAME_BYTES] = bytes.try_into().unwrap();
            let game = StoredGame::from_bytes(&bytes);
            prop_assert_eq!(game.to_bytes(), bytes);
            let _ = game.to_record(&Header::default(), 1);
        }

        #[test]
        fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Wthor.read(&bytes);
        }
    }
}
