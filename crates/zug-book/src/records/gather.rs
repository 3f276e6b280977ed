//! From files of records to games whose positions are known by their keys.

use super::collection::{CollectionError, Found, each_file};
use super::replay::{Refused, Through, play_through, same};
use crate::places::Places;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use zug_core::{GameEntry, Progress, Record, RecordFormat, Side, StopFlag};
use zug_learn::explore::Span;
use zug_learn::face::TaskError;

/// Records that are handed over together.
const BATCH: usize = 1024;
/// A longer text in a tag is cut: names of people and places are shorter.
const MOST_TEXT: usize = 200;
/// Broken records that are named.
const NAMED: usize = 20;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nobody knows.
    Unknown,
    /// Won by the first or the second side.
    Won(Side),
    /// Drawn.
    Drawn,
}

impl Ended {
    /// As a byte of the file.
    #[must_use]
    pub fn byte(self) -> u8 {
        match self {
            Ended::Unknown => 0,
            Ended::Won(Side::First) => 1,
            Ended::Won(Side::Second) => 2,
            Ended::Drawn => 3,
        }
    }

    /// From a byte of the file.
    #[must_use]
    pub fn of_byte(byte: u8) -> Ended {
        match byte {
            1 => Ended::Won(Side::First),
            2 => Ended::Won(Side::Second),
            3 => Ended::Drawn,
            _ => Ended::Unknown,
        }
    }
}

/// A game that was played through. Texts are numbers of [`Words`]; 0 is the empty one.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its moves: ranks, seven bits a byte.
    pub moves: Vec<u8>,
    /// The key of every position, the first one included.
    pub keys: Vec<u64>,
    /// How it ended.
    pub ended: Ended,
    /// The year, or 0.
    pub year: u16,
    /// Ratings of the two sides, or 0.
    pub ratings: [u16; 2],
    /// The names of the two sides.
    pub players: [u32; 2],
    /// The event.
    pub event: u32,
    /// The date.
    pub date: u32,
    /// The file that it was found in.
    pub file: u32,
    /// Its number in that file, from 1.
    pub number: u32,
    /// The position at the beginning, where it is not the usual one.
    pub begin: u32,
}

/// Texts, each once.
#[derive(Clone, Debug)]
pub struct Words {
    list: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Default for Words {
    fn default() -> Words {
        Words { list: vec![String::new()], numbers: HashMap::from([(String::new(), 0)]) }
    }
}

impl Words {
    /// The number of a text, which is added if it is new.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = self.list.len() as u32;
        self.list.push(text.to_string());
        self.numbers.insert(text.to_string(), number);
        number
    }

    /// All texts by number.
    #[must_use]
    pub fn list(&self) -> &[String] {
        &self.list
    }
}

/// What was passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// How many, by reason.
    pub reasons: BTreeMap<&'static str, usize>,
    /// The first broken ones: where, and what is wrong.
    pub faults: Vec<String>,
}

impl Skipped {
    fn add(&mut self, reason: &'static str, fault: Option<String>) {
        *self.reasons.entry(reason).or_default() += 1;
        self.faults.extend(fault.filter(|_| self.faults.len() < NAMED));
    }

    /// In words: `3 duplicate, 1 illegal move`.
    #[must_use]
    pub fn told(&self) -> String {
        let each = self.reasons.iter().map(|(reason, count)| format!("{count} {reason}"));
        each.collect::<Vec<_>>().join(", ")
    }
}

/// All games of a collection.
#[derive(Debug, Default)]
pub struct Shelf {
    /// The games, in the order in which they were found.
    pub games: Vec<Played>,
    /// Their texts.
    pub words: Words,
    /// Files that were read.
    pub files: usize,
    /// What was passed over.
    pub skipped: Skipped,
}

impl Shelf {
    /// All moves of all games.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.games.iter().map(|game| game.keys.len() - 1).sum()
    }
}

/// Records of one file that come over together.
struct Batch {
    file: String,
    first: usize,
    records: Vec<Result<Record, String>>,
    last_of_file: bool,
}

enum Message {
    Batch(Batch),
    Broken(TaskError),
}

/// Reads all games that paths mean. At least one is left, or it is an error.
pub fn gather(
    entry: &GameEntry,
    paths: &[PathBuf],
    span: &Span,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Shelf, TaskError> {
    progress.message("reading games");
    let places = Places::of(entry);
    let (mut shelf, mut seen) = (Shelf::default(), HashSet::new());
    // One thread takes files apart while the others play the games through.
    std::thread::scope(|scope| -> Result<(), TaskError> {
        let (sender, receiver) = sync_channel(4);
        scope.spawn(move || read_all(entry, paths, stop, &sender));
        take_all(&receiver, entry, &places, span, progress, stop, &mut shelf, &mut seen)
    })?;
    if shelf.games.is_empty() {
        let of: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        let (files, of) = (shelf.files, of.join(", "));
        let mut what = format!("no game is left of {files} files in {of}");
        if !shelf.skipped.reasons.is_empty() {
            what.push_str(&format!(" ({})", shelf.skipped.told()));
        }
        if let Some(first) = shelf.skipped.faults.first() {
            what.push_str(&format!("; the first: {first}"));
        }
        return Err(TaskError::Unfit(what));
    }
    Ok(shelf)
}

/// Games of records that are in memory, for tests and small collections.
#[must_use]
pub fn of_records(entry: &GameEntry, records: &[Record]) -> Shelf {
    let places = Places::of(entry);
    let (mut shelf, mut seen) = (Shelf::default(), HashSet::new());
    let records = records.iter().cloned().map(Ok).collect();
    let batch = Batch { file: "memory".into(), first: 1, records, last_of_file: true };
    shelf.take(batch, entry, &places, &Span::default(), &mut seen);
    shelf
}

fn read_all(entry: &GameEntry, paths: &[PathBuf], stop: &StopFlag, to: &SyncSender<Message>) {
    let mut sink = |found: Found<'_>| -> io::Result<bool> {
        Ok(match read_file(found, stop, to)? {
            Ok(going) => going,
            Err(error) => {
                let _ = to.send(Message::Broken(error));
                false
            }
        })
    };
    if let Err(error) = each_file(entry, paths, &mut sink) {
        let error: CollectionError = error;
        let _ = to.send(Message::Broken(TaskError::below(error)));
    }
}

/// Sends the records of a file; false when nobody wants more.
fn read_file(
    mut found: Found<'_>,
    stop: &StopFlag,
    to: &SyncSender<Message>,
) -> io::Result<Result<bool, TaskError>> {
    let (mut first, mut records, mut trouble) = (1, Vec::new(), None);
    let mut going = true;
    let mut send = |records: &mut Vec<Result<Record, String>>, last_of_file: bool| {
        let count = records.len();
        if let Err(error) = put_names(&found.name, found.format, &found.names, records) {
            trouble = Some(error);
            return false;
        }
        let (file, records) = (found.name.clone(), std::mem::take(records));
        let sent = to.send(Message::Batch(Batch { file, first, records, last_of_file }));
        first += count;
        sent.is_ok() && !stop.is_set()
    };
    found.format.stream(&mut found.input, &mut |record| {
        records.push(record.map_err(|e| e.to_string()));
        going = records.len() < BATCH || send(&mut records, false);
        going
    })?;
    going = going && send(&mut records, true);
    Ok(match trouble {
        Some(error) => Err(error),
        None => Ok(going),
    })
}

/// Names in place of numbers, where the format has such files.
fn put_names(
    file: &str,
    format: &dyn RecordFormat,
    names: &[Vec<u8>],
    records: &mut [Result<Record, String>],
) -> Result<(), TaskError> {
    if names.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let mut good: Vec<Record> = Vec::new();
    for record in records.iter_mut().flatten() {
        good.push(std::mem::take(record));
    }
    let named = format.put_names(&mut good, names);
    let mut good = good.into_iter();
    for record in records.iter_mut().flatten() {
        *record = good.next().unwrap_or_default();
    }
    named.map_err(|e| {
        let endings = format.name_files().join(", .");
        TaskError::Unfit(format!("in the name files (.{endings}) beside {file}: {e}"))
    })
}

#[expect(clippy::too_many_arguments, reason = "the parts of one loop")]
fn take_all(
    receiver: &Receiver<Message>,
    entry: &GameEntry,
    places: &Places,
    span: &Span,
    progress: &dyn Progress,
    stop: &StopFlag,
    shelf: &mut Shelf,
    seen: &mut HashSet<u64>,
) -> Result<(), TaskError> {
    for message in receiver {
        if stop.is_set() {
            return Err(TaskError::Stopped { resumable: false });
        }
        match message {
            Message::Broken(error) => return Err(error),
            Message::Batch(batch) => {
                progress.advance(u64::from(batch.last_of_file));
                shelf.take(batch, entry, places, span, seen);
                progress.message(&format!("reading games: {}", shelf.games.len()));
            }
        }
    }
    if stop.is_set() {
        return Err(TaskError::Stopped { resumable: false });
    }
    Ok(())
}

impl Shelf {
    fn take(
        &mut self,
        batch: Batch,
        entry: &GameEntry,
        places: &Places,
        span: &Span,
        seen: &mut HashSet<u64>,
    ) {
        self.files += usize::from(batch.last_of_file);
        let work = batch.records.par_iter().map(|record| match record {
            Ok(record) => play_through(entry, places, record, span),
            Err(error) => Err(Refused { reason: "unreadable", fault: Some(error.clone()) }),
        });
        let played: Vec<Result<Through, Refused>> = work.collect();
        for (i, (played, record)) in played.into_iter().zip(&batch.records).enumerate() {
            let number = batch.first + i;
            match (played, record) {
                (Ok(through), Ok(record)) => {
                    if same(entry, record, &through).is_none_or(|digest| seen.insert(digest)) {
                        self.add(entry, record, through, &batch.file, number as u32);
                    } else {
                        self.skipped.add("duplicate", None);
                    }
                }
                (Err(refused), _) => {
                    let fault =
                        refused.fault.map(|f| format!("{}: game {number}: {f}", batch.file));
                    self.skipped.add(refused.reason, fault);
                }
                (Ok(_), Err(_)) => {}
            }
        }
    }

    fn add(
        &mut self,
        entry: &GameEntry,
        record: &Record,
        through: Through,
        file: &str,
        number: u32,
    ) {
        let players = Side::BOTH.map(|side| cut(player(entry, record, side, "")));
        let ratings = Side::BOTH.map(|side| rating(player(entry, record, side, "Elo")));
        let begin = record.start.as_deref().unwrap_or_default();
        self.games.push(Played {
            moves: through.moves,
            keys: through.keys,
            ended: through.ended,
            year: year_of(record),
            ratings,
            players: players.map(|name| self.words.number(&name)),
            event: self.words.number(&cut(record.tag("Event").unwrap_or_default())),
            date: self.words.number(&cut(record.tag("Date").unwrap_or_default())),
            file: self.words.number(&file.replace(char::is_control, " ")),
            number,
            begin: self.words.number(begin),
        });
    }
}

/// The tag of a side: under its own name, or as in PGN.
pub(super) fn player<'a>(entry: &GameEntry, record: &'a Record, side: Side, more: &str) -> &'a str {
    let own = entry.game.side_name(side);
    let mut chars = own.chars();
    let own: String = chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect();
    let usual = ["White", "Black"][side.index()];
    let found = record.tag(&format!("{own}{more}"));
    found.or_else(|| record.tag(&format!("{usual}{more}"))).unwrap_or_default()
}

fn rating(text: &str) -> u16 {
    let number: f32 = text.trim().parse().unwrap_or(0.0);
    if (1.0..=5000.0).contains(&number) { number.round() as u16 } else { 0 }
}

/// The first number of four digits in the date.
pub(super) fn year_of(record: &Record) -> u16 {
    let date = record.tag("Date").unwrap_or_default();
    let mut digits = date.split(|c: char| !c.is_ascii_digit()).filter(|part| part.len() == 4);
    digits.next().and_then(|year| year.parse().ok()).unwrap_or(0)
}

/// A text of a tag as it is kept: without controls, not too long; `?` says nothing.
pub(super) fn cut(text: &str) -> String {
    let text = text.trim();
    if text.chars().all(|c| matches!(c, '?' | '.' | '-')) {
        return String::new();
    }
    text.chars().filter(|c| !c.is_control()).take(MOST_TEXT).collect()
}
