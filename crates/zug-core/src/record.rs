//! A played game, independent of the format it is written in.

use crate::study::Bounds;
use crate::{AnyGame, AnyLine, Outcome, Side, Study, TextError};
use std::io::{self, BufRead, Read};

/// A played game: who, what, and the moves in the game's own notation.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Record {
    /// The game's spec.
    pub game: String,
    /// Names and values in the words of PGN where there is one (Event, Site, Date, Round, White,
    /// Black, Result is not among them).
    pub tags: Vec<(String, String)>,
    /// The position at the beginning, when it is not the game's start position.
    pub start: Option<String>,
    /// The moves.
    pub moves: Vec<RecordMove>,
    /// The result as the record states it.
    pub result: RecordResult,
}

/// A move with what was said about it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct RecordMove {
    /// The move in the game's notation.
    pub text: String,
    /// A remark.
    pub comment: Option<String>,
}

/// The result that a record states.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum RecordResult {
    /// Not stated, or the game was not finished.
    #[default]
    Unknown,
    /// Stated.
    Known {
        /// `None` for a draw.
        winner: Option<Side>,
        /// Points, where the game counts them and the record states them.
        margin: Option<f32>,
    },
}

impl From<Outcome> for RecordResult {
    fn from(o: Outcome) -> RecordResult {
        RecordResult::Known { winner: o.winner, margin: o.margin }
    }
}

impl Record {
    /// The record of a line.
    #[must_use]
    pub fn of_line(line: &dyn AnyLine) -> Record {
        Record {
            game: line.spec(),
            tags: Vec::new(),
            start: (!line.starts_at_start()).then(|| line.start_text()),
            moves: line
                .moves()
                .into_iter()
                .map(|text| RecordMove { text, comment: None })
                .collect(),
            result: line.outcome().map_or(RecordResult::Unknown, RecordResult::from),
        }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str())
    }

    /// Sets a tag, replacing an earlier value.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(k, _)| k == name) {
            Some((_, v)) => *v = value,
            None => self.tags.push((name.to_string(), value)),
        }
    }

    /// Plays the record through. The error names the ply (from 0) of the first bad move.
    pub fn replay(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyLine>, (usize, TextError)> {
        let mut line = match &self.start {
            Some(text) => game.line_from(text).map_err(|e| (0, e))?,
            None => game.new_line(),
        };
        for (ply, mv) in self.moves.iter().enumerate() {
            line.play(&mv.text).map_err(|e| (ply, e))?;
        }
        Ok(line)
    }
}

/// A way of writing records: PGN, SGF, GGF, …
pub trait RecordFormat: Send + Sync {
    /// "PGN".
    fn name(&self) -> &'static str;
    /// File name endings without the dot, the usual one first.
    fn extensions(&self) -> &'static [&'static str];
    /// Hands the records of a stream over one by one, in order, until `sink` answers false. A broken record is an
    /// error in its place; the others are still read. One record at a time is in memory, and of that a bounded
    /// part; a format whose files must be read whole takes none beyond [`whole`]. An error of the stream ends it.
    fn stream(&self, input: &mut dyn BufRead, sink: &mut RecordSink<'_>) -> io::Result<()>;
    /// The same for bytes in memory.
    fn for_each(&self, mut bytes: &[u8], sink: &mut RecordSink<'_>) {
        if let Err(error) = self.stream(&mut bytes, sink) {
            sink(Err(RecordError::Unsupported(error.to_string())));
        }
    }
    /// All records of a file.
    fn read(&self, bytes: &[u8]) -> Vec<Result<Record, RecordError>> {
        let mut all = Vec::new();
        self.for_each(bytes, &mut |record| {
            all.push(record);
            true
        });
        all
    }
    /// Writes records.
    fn write(&self, records: &[Record]) -> Result<Vec<u8>, RecordError>;
    /// Does it hold variations? Then [`read_studies`](RecordFormat::read_studies) and
    /// [`write_studies`](RecordFormat::write_studies) keep them.
    fn holds_variations(&self) -> bool {
        false
    }
    /// Hands games over with everything that was tried and said, in order, until `sink` answers false.
    fn read_studies(&self, bytes: &[u8], bounds: Bounds, sink: &mut StudySink<'_>) {
        self.for_each(bytes, &mut |record| {
            let fits = |record: &Record| bounds.admit(record.moves.len());
            sink(record.and_then(|record| fits(&record).map(|()| Study::of_record(record))))
        });
    }
    /// Writes games with their variations, or their main lines where the format has no room for more.
    fn write_studies(&self, studies: &[Study]) -> Result<Vec<u8>, RecordError> {
        let records: Vec<Record> = studies.iter().map(Study::main_line).collect();
        self.write(&records)
    }
    /// Writes a file of this format again with everything that it holds, also what no [`Record`]
    /// can: variations, glyphs, properties that nobody knows. Each record is shown to `keep`, in
    /// order, and is left out where that answers false; broken ones are left out in any case.
    /// `None` where the format holds nothing but records.
    fn rewrite(&self, _bytes: &[u8], _keep: &mut Keep<'_>) -> Option<Result<Vec<u8>, RecordError>> {
        None
    }
    /// How many games of a file have variations? Reading records leaves those behind.
    fn games_with_variations(&self, _bytes: &[u8]) -> usize {
        0
    }
    /// Endings, in small letters, of the files beside a file of this format that hold the names
    /// which its records give as numbers.
    fn name_files(&self) -> &'static [&'static str] {
        &[]
    }
    /// Puts names in place of numbers. `files` are the bytes of the [`name_files`], in their order,
    /// empty where there is none.
    ///
    /// [`name_files`]: RecordFormat::name_files
    fn put_names(&self, _records: &mut [Record], _files: &[Vec<u8>]) -> Result<(), RecordError> {
        Ok(())
    }
}

/// A file of a format that cannot be read game by game is no larger.
pub const MOST_WHOLE: u64 = 32 << 20;

/// No record of a stream is longer.
pub const LONGEST: Bounds = Bounds { parts: 200_000 };

/// All bytes of a stream, for formats that cannot be read game by game.
pub fn whole(input: &mut dyn BufRead, format: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MOST_WHOLE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_WHOLE {
        let most = MOST_WHOLE >> 20;
        let message =
            format!("a file of {format} is read whole, and this has more than {most} MiB");
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

impl Bounds {
    /// What variations may take: in some files the main line goes on after them, and must find room.
    #[must_use]
    pub fn for_variations(&self) -> usize {
        self.parts - self.parts / 4
    }

    /// Does a main line with so many moves fit?
    pub fn admit(&self, parts: usize) -> Result<(), RecordError> {
        if parts <= self.parts {
            return Ok(());
        }
        Err(RecordError::TooLong { most: self.parts })
    }
}

/// Takes records, and says whether it wants more.
pub type RecordSink<'a> = dyn FnMut(Result<Record, RecordError>) -> bool + 'a;

/// Takes games, and says whether it wants more.
pub type StudySink<'a> = dyn FnMut(Result<Study, RecordError>) -> bool + 'a;

/// Says whether a record stays in a file that is written again.
pub type Keep<'a> = dyn FnMut(Result<Record, RecordError>) -> bool + 'a;

/// A record that could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The text is broken.
    #[error("{0}")]
    Text(#[from] TextError),
    /// A move is not possible.
    #[error("game {game}, ply {ply}: {error}")]
    Move {
        /// Number of the game in the file, from 1.
        game: usize,
        /// Ply, from 0.
        ply: usize,
        /// What is wrong with it.
        error: TextError,
    },
    /// The main line is more than is kept in memory.
    #[error("expected a game of at most {most} moves, remarks and tags, found a longer one")]
    TooLong {
        /// What is kept.
        most: usize,
    },
    /// The format cannot hold this.
    #[error("{0}")]
    Unsupported(String),
}
