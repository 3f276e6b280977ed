//! Played games as records in a file, each appended as soon as those before it are there.
//!
//! Games that are played at once finish in any order. They are held back until their predecessors
//! are written, so that the file is the same however the match was played.

use crate::config::{MatchConfig, MatchError};
use crate::openings::Openings;
use crate::report::{GameResult, Termination};
use std::collections::{BTreeMap, VecDeque};
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use tracing::warn;
use zug_core::error::shorten;
use zug_core::files::{FileLock, write_whole};
use zug_core::textrecord::TextRecords;
use zug_core::{AnyLine, GameEntry, Record, RecordFormat, RecordMove, RecordResult, Side};

/// An open file of records.
pub(crate) struct Records<'a> {
    entry: &'a GameEntry,
    format: &'a dyn RecordFormat,
    config: &'a MatchConfig,
    names: Vec<String>,
    path: PathBuf,
    /// The games of the match that are not written yet, in their order.
    missing: VecDeque<usize>,
    /// Finished games that wait for earlier ones.
    held: BTreeMap<usize, GameResult>,
    _lock: FileLock,
}

impl<'a> Records<'a> {
    pub(crate) fn new(
        entry: &'a GameEntry,
        names: Vec<String>,
        games: &[usize],
        config: &'a MatchConfig,
    ) -> Result<Option<Records<'a>>, MatchError> {
        let Some(path) = config.records.clone() else { return Ok(None) };
        if config.journal.as_ref() == Some(&path) {
            let error = "the games and the journal cannot be kept in the same file".to_string();
            return Err(MatchError::File { path, error });
        }
        let format = format_of(entry, &path)?;
        let lock = FileLock::beside(&path)
            .map_err(|e| MatchError::File { path: path.clone(), error: e.to_string() })?;
        let records = Records {
            entry,
            format,
            config,
            names,
            path,
            missing: games.iter().copied().collect(),
            held: BTreeMap::new(),
            _lock: lock,
        };
        records.check_format()?;
        records.check_file()?;
        Ok(Some(records))
    }

    /// Can games of this match be appended one by one?
    fn check_format(&self) -> Result<(), MatchError> {
        // A file without games is empty in every format to which games can be added at the end.
        if !self.format.write(&[]).map_err(|e| self.error(e))?.is_empty() {
            let error = format!(
                "a {} file is written as a whole, but games are added one by one; name a file {}",
                self.format.name(),
                endings(self.entry)
            );
            return Err(self.error(error));
        }
        self.check_line(self.entry.game.new_line())?;
        // Not every format can say that a game begins elsewhere.
        if let Openings::List(list) = &self.config.openings
            && let Some(opening) = list.iter().find(|opening| opening.start.is_some())
            && let Ok(line) = opening.line(self.entry.game.as_ref())
        {
            self.check_line(line)?;
        }
        Ok(())
    }

    /// Can a game that goes on from here be written? One move is played: transcripts of games without
    /// any cannot be.
    fn check_line(&self, mut line: Box<dyn AnyLine>) -> Result<(), MatchError> {
        if let Some(mv) = line.legal_moves().first() {
            line.play(mv).map_err(|e| self.error(e))?;
        }
        self.bytes(&Record::of_line(line.as_ref())).map(drop)
    }

    /// Can the file be written, and is it ours to write?
    fn check_file(&self) -> Result<(), MatchError> {
        if self.config.journal.is_none() && !self.config.replace && self.length() > 0 {
            return Err(self.error("is there already; --force replaces it, or choose another name"));
        }
        let probe = || -> std::io::Result<()> {
            match OpenOptions::new().append(true).create_new(true).open(&self.path) {
                // It comes back with the first game.
                Ok(_) => std::fs::remove_file(&self.path),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                    OpenOptions::new().append(true).open(&self.path).map(drop)
                }
                Err(e) => Err(e),
            }
        };
        probe().map_err(|e| self.error(e))
    }

    /// Gives up the games that are there.
    pub(crate) fn clear(&self) -> Result<(), MatchError> {
        match std::fs::remove_file(&self.path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(self.error(e)),
            _ => Ok(()),
        }
    }

    /// The length of the file now.
    pub(crate) fn length(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |m| m.len())
    }

    fn bytes(&self, record: &Record) -> Result<Vec<u8>, MatchError> {
        let written = self.format.write(std::slice::from_ref(record));
        // A player that failed at its first move must not cost the match.
        if let (Err(error), true) = (&written, record.moves.is_empty()) {
            warn!("{}: a game without moves is left out: {error}", self.path.display());
            return Ok(Vec::new());
        }
        written.map_err(|e| self.error(e))
    }

    fn error(&self, error: impl ToString) -> MatchError {
        MatchError::File { path: self.path.clone(), error: error.to_string() }
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), MatchError> {
        let append = || -> std::io::Result<()> {
            let mut file = OpenOptions::new().append(true).create(true).open(&self.path)?;
            let before = file.metadata()?.len();
            let written = write_whole(&mut file, bytes).and_then(|()| file.sync_data());
            if written.is_err() {
                // A full disk must not leave half a game.
                let _ = file.set_len(before);
            }
            written
        };
        let written = if bytes.is_empty() { Ok(()) } else { append() };
        written.map_err(|e| {
            // Nothing is written after a gap or half a game.
            self.end_at(0);
            self.error(e)
        })
    }

    /// The finished games that can be written now, all earlier ones being there.
    fn next_in_order(&mut self) -> Result<Vec<u8>, MatchError> {
        let mut bytes = Vec::new();
        while let Some(game) = self.missing.front().and_then(|index| self.held.remove(index)) {
            bytes.extend(self.bytes(&self.record(&game))?);
            self.missing.pop_front();
        }
        Ok(bytes)
    }

    /// Takes a finished game; it is written once all before it are.
    pub(crate) fn add(&mut self, game: &GameResult) -> Result<(), MatchError> {
        self.held.insert(game.index, game.clone());
        let bytes = self.next_in_order()?;
        self.append(&bytes)
    }

    /// Games from this one on are not part of the match after all.
    pub(crate) fn end_at(&mut self, index: usize) {
        self.held.retain(|&held, _| held < index);
        self.missing.retain(|&missing| missing < index);
    }

    /// No more games will come in this sitting: writes those that wait.
    pub(crate) fn finish(&mut self) -> Result<(), MatchError> {
        let mut bytes = Vec::new();
        for game in std::mem::take(&mut self.held).into_values() {
            bytes.extend(self.bytes(&self.record(&game))?);
        }
        self.append(&bytes)
    }

    /// Brings the file in line with the games of a journal: what a crash cut off is written again,
    /// and games that were written at a stop before earlier ones are taken back until those are
    /// played.
    pub(crate) fn resume(&mut self, games: &[GameResult], offset: u64) -> Result<(), MatchError> {
        self.held = games.iter().map(|game| (game.index, game.clone())).collect();
        let last = self.missing.back().map_or(0, |index| index + 1);
        self.held.retain(|&index, _| index < last);
        let mut expected = self.next_in_order()?;
        let in_order = expected.len();
        for game in self.held.values() {
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
            let what = if same == expected.len() {
                "holds more than the games of the journal"
            } else {
                "does not hold the games of the journal"
            };
            let error = format!(
                "{what}; move it away to have them written again from the journal, or name \
                 another file"
            );
            return Err(self.error(error));
        }
        if same > in_order {
            let file = OpenOptions::new().write(true).open(&self.path);
            let cut = file.and_then(|f| f.set_len((offset + in_order) as u64));
            return cut.map_err(|e| self.error(e));
        }
        self.append(&expected[same..in_order])
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

/// The format of a file by the ending of its name; the game's usual one if the name has no ending.
fn format_of<'a>(entry: &'a GameEntry, path: &Path) -> Result<&'a dyn RecordFormat, MatchError> {
    let usual = entry.formats.first().map_or(&TextRecords as &dyn RecordFormat, |f| f.as_ref());
    let Some(ending) = path.extension() else { return Ok(usual) };
    let small = ending.to_string_lossy().to_lowercase();
    let known = entry.formats.iter().find(|f| f.extensions().contains(&small.as_str()));
    known.map(|f| f.as_ref()).ok_or_else(|| {
        let ending = shorten(&ending.to_string_lossy());
        let (game, known) = (entry.game.spec(), endings(entry));
        let error = format!("games of {game} are not written as .{ending}; name a file {known}");
        MatchError::File { path: path.into(), error }
    })
}

/// `.ggf or .txt`: the endings of the formats to which games can be added.
fn endings(entry: &GameEntry) -> String {
    let mut known: Vec<String> = Vec::new();
    for format in entry.formats.iter().filter(|f| f.write(&[]).is_ok_and(|b| b.is_empty())) {
        for ending in format.extensions().iter().map(|e| format!(".{e}")) {
            if !known.contains(&ending) {
                known.push(ending);
            }
        }
    }
    known.join(" or ")
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
