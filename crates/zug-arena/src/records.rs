//! Played games as records in a file, each appended as it is finished.

use crate::config::{MatchConfig, MatchError};
use crate::report::{GameResult, Termination};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use zug_core::textrecord::TextRecords;
use zug_core::{GameEntry, Record, RecordFormat, RecordMove, RecordResult, Side};

/// An open file of records.
pub(crate) struct Records<'a> {
    entry: &'a GameEntry,
    format: &'a dyn RecordFormat,
    config: &'a MatchConfig,
    names: Vec<String>,
    path: PathBuf,
}

impl<'a> Records<'a> {
    pub(crate) fn new(
        entry: &'a GameEntry,
        names: Vec<String>,
        config: &'a MatchConfig,
    ) -> Result<Option<Records<'a>>, MatchError> {
        let Some(path) = config.records.clone() else { return Ok(None) };
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
        let by_ending = entry.formats.iter().find(|f| f.extensions().contains(&ending.as_str()));
        let format = match by_ending.or(entry.formats.first()) {
            Some(format) => format.as_ref(),
            None => &TextRecords as &dyn RecordFormat,
        };
        let records = Records { entry, format, config, names, path };
        // Formats that must be written as a whole cannot be appended to; they are binary.
        let sample = records.bytes(&Record::of_line(entry.game.new_line().as_ref()))?;
        if std::str::from_utf8(&sample).is_err() {
            let name = format.name();
            let error = format!("{name} is no text format; games are appended to text only");
            return Err(MatchError::File { path: records.path, error });
        }
        Ok(Some(records))
    }

    /// The length of the file now.
    pub(crate) fn length(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |m| m.len())
    }

    fn bytes(&self, record: &Record) -> Result<Vec<u8>, MatchError> {
        self.format.write(std::slice::from_ref(record)).map_err(|e| self.error(e))
    }

    fn error(&self, error: impl ToString) -> MatchError {
        MatchError::File { path: self.path.clone(), error: error.to_string() }
    }

    /// Appends a game.
    pub(crate) fn add(&self, game: &GameResult) -> Result<(), MatchError> {
        let bytes = self.bytes(&self.record(game))?;
        let append = || -> std::io::Result<()> {
            let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            file.write_all(&bytes)?;
            file.sync_data()
        };
        append().map_err(|e| self.error(e))
    }

    /// Brings the file in line with the games of a journal: what a crash cut off is written again.
    pub(crate) fn resume(&self, games: &[GameResult], offset: u64) -> Result<(), MatchError> {
        let mut expected = Vec::new();
        for game in games {
            expected.extend(self.bytes(&self.record(game))?);
        }
        let present = match std::fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(self.error(e)),
        };
        // The file was removed since: begin it again.
        let offset = if present.len() < offset as usize { 0 } else { offset as usize };
        let tail = &present[offset..];
        let same = tail.iter().zip(&expected).take_while(|(a, b)| a == b).count();
        if same < tail.len() {
            return Err(self.error("was changed since the match began; name another file"));
        }
        let append = || -> std::io::Result<()> {
            let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            file.write_all(&expected[same..])?;
            file.sync_data()
        };
        append().map_err(|e| self.error(e))
    }

    fn record(&self, game: &GameResult) -> Record {
        let mut record = Record {
            game: self.entry.game.spec(),
            start: game.start.clone(),
            moves: game
                .moves
                .iter()
                .map(|m| RecordMove { text: m.text.clone(), comment: m.comment.clone() })
                .collect(),
            result: RecordResult::Known { winner: game.winning_side(), margin: game.margin },
            ..Record::default()
        };
        record.set_tag("Event", &self.config.event);
        if let Some(date) = &self.config.date {
            record.set_tag("Date", date);
        }
        record.set_tag("Round", (game.index + 1).to_string());
        for side in Side::BOTH {
            let name = self.names[game.players[side.index()]].as_str();
            record.set_tag(&player_tag(self.entry, side), name);
        }
        record.set_tag("TimeControl", self.config.limit.to_string());
        record.set_tag("Termination", termination_words(game));
        record
    }
}

/// "White", "Black": what the game calls the side, with a capital.
fn player_tag(entry: &GameEntry, side: Side) -> String {
    let name = entry.game.side_name(side);
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

fn termination_words(game: &GameResult) -> String {
    match game.termination {
        Termination::Rules => game.reason.clone(),
        other => format!("{}: {}", other.word().replace('_', " "), game.reason),
    }
}
