//! Where do the games begin? Positions or move sequences from a file, or random plies.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use zug_core::seed::RngExt;
use zug_core::{AnyGame, AnyLine, GameEntry, Record, RecordError, Spec, TextError, rng};

/// Where the games of a match begin. Both games of a pair begin alike; all encounters of a round
/// use the same opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Always at the start position.
    Start,
    /// From a list, in its order, over and over.
    List(Vec<Opening>),
    /// So many random plies from the start position, distinct as far as the game allows. Fewer
    /// where the game would be over by then.
    Random {
        /// Plies.
        plies: u32,
    },
}

/// One opening: a position (the game's own if none), and moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// In the game's notation.
    pub start: Option<String>,
    /// In the game's notation.
    pub moves: Vec<String>,
}

impl Opening {
    /// Plays it through.
    pub fn line(&self, game: &dyn AnyGame) -> Result<Box<dyn AnyLine>, TextError> {
        let mut line = match &self.start {
            Some(text) => game.line_from(text)?,
            None => game.new_line(),
        };
        for mv in &self.moves {
            line.play(mv)?;
        }
        Ok(line)
    }

    fn of(line: &dyn AnyLine) -> Opening {
        let start = (!line.starts_at_start()).then(|| line.start_text());
        Opening { start, moves: line.moves() }
    }
}

/// A file of openings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct OpeningError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong: the system's words, or a place and what was expected there.
    pub reason: String,
}

/// Larger files are no opening books.
const MAX_FILE: u64 = 256 << 20;

/// Reads a file of openings: records in one of the game's formats, by the ending of the name
/// (`.pgn`, `.sgf`, …), else text with a position or a sequence of moves on each line (FEN and EPD
/// for chess, transcripts for Othello). `plies` cuts records after so many moves. Broken records are
/// told and left out, as long as there are others; a broken line is an error, since people write
/// such files by hand.
pub fn read_openings(
    entry: &GameEntry,
    path: &Path,
    plies: Option<u32>,
) -> Result<Vec<Opening>, OpeningError> {
    let openings = read_file(entry, path, plies.map(|n| n as usize));
    openings.map_err(|reason| OpeningError { path: path.to_path_buf(), reason })
}

fn read_file(entry: &GameEntry, path: &Path, plies: Option<usize>) -> Result<Vec<Opening>, String> {
    let told = |e: std::io::Error| e.to_string();
    let size = std::fs::metadata(path).map_err(told)?.len();
    if size > MAX_FILE {
        return Err(format!("{size} bytes are too many for openings"));
    }
    let bytes = std::fs::read(path).map_err(told)?;
    if PACKED.iter().any(|start| bytes.starts_with(start)) {
        return Err("the file is compressed; unpack it first".to_string());
    }
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let format = entry.formats.iter().find(|f| f.extensions().contains(&ending.as_str()));
    let is_lines = matches!(ending.as_str(), "txt" | "epd" | "fen" | "");
    let openings = match format {
        Some(format) if !is_lines => {
            let (openings, broken) = from_records(entry, &format.read(&bytes), plies)?;
            if let (true, Some(first)) = (openings.is_empty(), broken.first()) {
                return Err(format!("no opening in the file can be used; {first}"));
            }
            tell(path, &broken);
            openings
        }
        _ => from_lines(entry.game.as_ref(), &bytes).map_err(|e| e.to_string())?,
    };
    if openings.is_empty() { Err("no openings in the file".to_string()) } else { Ok(openings) }
}

/// How files of gzip, Zstandard, xz, bzip2 and zip begin.
const PACKED: [&[u8]; 5] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh", b"PK\x03\x04"];

/// Broken records of a file that are told one by one.
const TOLD: usize = 10;

fn tell(path: &Path, broken: &[String]) {
    for why in broken.iter().take(TOLD) {
        tracing::warn!("{}: {why}; left out", path.display());
    }
    if let Some(more) = broken.len().checked_sub(TOLD).filter(|more| *more > 0) {
        tracing::warn!("{}: {more} more broken games are left out", path.display());
    }
}

/// The openings of records, and what is wrong with the broken ones.
fn from_records(
    entry: &GameEntry,
    records: &[Result<Record, RecordError>],
    plies: Option<usize>,
) -> Result<(Vec<Opening>, Vec<String>), String> {
    let (mut openings, mut broken) = (Vec::new(), Vec::new());
    for (i, record) in records.iter().enumerate() {
        let mut record = match record {
            Ok(record) => record.clone(),
            Err(e @ RecordError::Move { .. }) => {
                broken.push(e.to_string());
                continue;
            }
            Err(e) => {
                broken.push(format!("game {}: {e}", i + 1));
                continue;
            }
        };
        record.moves.truncate(plies.unwrap_or(usize::MAX));
        let line = match record.replay(entry.game.as_ref()) {
            Ok(line) => line,
            Err((ply, e)) => {
                broken.push(format!("game {}, ply {ply}: {e}", i + 1));
                continue;
            }
        };
        // A whole game is no opening; its end cannot be played on.
        if line.outcome().is_none() {
            openings.push(Opening::of(line.as_ref()));
        } else if plies.is_none() {
            return Err(format!("game {} is a finished game; say after how many plies", i + 1));
        }
    }
    Ok((openings, broken))
}

/// One opening a line; empty lines and lines that begin with `#` are skipped.
fn from_lines(game: &dyn AnyGame, bytes: &[u8]) -> Result<Vec<Opening>, TextError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| TextError::new(e.valid_up_to(), "text (UTF-8)", "another byte"))?;
    let mut openings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let opening = read_line(game, trimmed).map_err(|e| e.on_line(i + 1))?;
        openings.push(opening);
    }
    Ok(openings)
}

/// A position, else moves. EPD operations after the fourth field are dropped.
fn read_line(game: &dyn AnyGame, text: &str) -> Result<Opening, TextError> {
    let position_error = match read_position(game, text) {
        Ok(line) => return playable(line.as_ref(), text),
        Err(e) => e,
    };
    match read_moves(game, text) {
        Ok(line) => playable(line.as_ref(), text),
        // Whichever reading went further is what the writer had in mind.
        Err(e) if e.byte > position_error.byte || !text.contains('/') => Err(e),
        Err(_) => Err(position_error),
    }
}

fn playable(line: &dyn AnyLine, text: &str) -> Result<Opening, TextError> {
    match line.outcome() {
        None => Ok(Opening::of(line)),
        Some(outcome) => {
            let expected =
                format!("a position to play on, not a finished game ({})", outcome.reason);
            Err(TextError::new(0, expected, format!("'{text}'")))
        }
    }
}

fn read_position(game: &dyn AnyGame, text: &str) -> Result<Box<dyn AnyLine>, TextError> {
    let error = match game.line_from(text) {
        Ok(line) => return Ok(line),
        Err(e) => e,
    };
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() >= 4 && text.contains('/') {
        let four = fields[..4].join(" ");
        for candidate in [format!("{four} 0 1"), four] {
            if let Ok(line) = game.line_from(&candidate) {
                return Ok(line);
            }
        }
    }
    Err(error)
}

/// Moves separated by white space, commas or nothing (two characters each, as in transcripts).
/// Move numbers (`1.`, `12...`) are skipped.
fn read_moves(game: &dyn AnyGame, text: &str) -> Result<Box<dyn AnyLine>, TextError> {
    let mut line = game.new_line();
    for token in text.split([' ', '\t', ',']).filter(|t| !t.is_empty()) {
        let at = token.as_ptr() as usize - text.as_ptr() as usize;
        let token = strip_number(token);
        if token.is_empty() {
            continue;
        }
        let Err(error) = line.play(token) else { continue };
        let shift = |e: TextError, by: usize| TextError { byte: e.byte + at + by, ..e };
        if !token.is_ascii() || token.len() < 4 || token.len() % 2 == 1 {
            return Err(shift(error, 0));
        }
        for i in (0..token.len()).step_by(2) {
            if let Err(second) = line.play(&token[i..i + 2]) {
                return Err(if i == 0 { shift(error, 0) } else { shift(second, i) });
            }
        }
    }
    Ok(line)
}

fn strip_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < token.len() && rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        token
    }
}

/// The opening of each pair, made when it is asked for. Asking for the same ones again gives the
/// same ones.
pub(crate) struct Supply<'a> {
    game: &'a dyn AnyGame,
    openings: &'a Openings,
    seed: u64,
    made: Vec<Opening>,
    seen: HashSet<(u64, usize)>,
}

/// How often a random opening that was there already is thrown away before a repeat is accepted.
const TRIES: u32 = 200;

impl<'a> Supply<'a> {
    pub(crate) fn new(game: &'a dyn AnyGame, openings: &'a Openings, seed: u64) -> Supply<'a> {
        Supply { game, openings, seed, made: Vec::new(), seen: HashSet::new() }
    }

    pub(crate) fn get(&mut self, pair: usize) -> Opening {
        match self.openings {
            Openings::Start => Opening::default(),
            Openings::List(list) if list.is_empty() => Opening::default(),
            Openings::List(list) => list[pair % list.len()].clone(),
            Openings::Random { plies } => {
                while self.made.len() <= pair {
                    let next = self.random(*plies);
                    self.made.push(next);
                }
                self.made[pair].clone()
            }
        }
    }

    fn random(&mut self, plies: u32) -> Opening {
        let mut rng = rng(self.seed, OPENING_STREAM.wrapping_add(self.made.len() as u64));
        let mut plies = plies;
        loop {
            let mut best = None;
            for _ in 0..TRIES {
                let mut line = self.game.new_line();
                while line.ply() < plies as usize {
                    let moves = line.legal_moves();
                    if moves.is_empty()
                        || line.play(&moves[rng.random_range(0..moves.len())]).is_err()
                    {
                        break;
                    }
                }
                if line.outcome().is_some() || line.ply() < plies as usize {
                    continue;
                }
                let fresh = self.seen.insert((line.key(), line.ply()));
                best = Some(Opening::of(line.as_ref()));
                if fresh {
                    break;
                }
            }
            match best {
                Some(opening) => return opening,
                None if plies == 0 => return Opening::default(),
                None => plies -= 1,
            }
        }
    }
}

/// Streams of the match's seed that make openings, far from those of the games.
const OPENING_STREAM: u64 = 1 << 48;

/// What a journal remembers of the openings: enough to notice that they are others.
pub(crate) fn fingerprint(openings: &Openings) -> String {
    match openings {
        Openings::Start => "start".to_string(),
        Openings::Random { plies } => format!("random plies={plies}"),
        Openings::List(list) => {
            let mut hasher = blake3::Hasher::new();
            for opening in list {
                hasher.update(format!("{opening:?}\n").as_bytes());
            }
            format!("{} openings, {}", list.len(), &hasher.finalize().to_hex()[..16])
        }
    }
}

impl Openings {
    /// Reads the short forms.
    ///
    /// ```
    /// use zug_arena::Openings;
    /// assert_eq!(Openings::parse("start")?, Openings::Start);
    /// assert_eq!(Openings::parse("random:plies=6")?, Openings::Random { plies: 6 });
    /// assert!(Openings::parse("random:plies=few").is_err());
    /// # Ok::<(), zug_core::TextError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Openings, TextError> {
        let spec = Spec::parse(text)?;
        match spec.name.as_str() {
            "start" => spec.only(&[]).map(|()| Openings::Start),
            "random" => {
                spec.only(&["plies"])?;
                let plies = spec.parsed("plies", "a number of plies")?.unwrap_or(4);
                Ok(Openings::Random { plies })
            }
            other => Err(TextError::new(0, "start or random:plies=N", format!("'{other}'"))),
        }
    }
}
