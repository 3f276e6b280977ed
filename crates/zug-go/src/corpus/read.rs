//! From paths to games.

use super::filter::Filter;
use super::record::GoRecord;
use super::reject::{Reject, check};
use crate::sgf::{MainLine, Tree, visit_collection};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zug_core::packed::{self, Archive};
use zug_core::study::Bounds;
use zug_core::{Progress, StopFlag};

/// A larger file of records is passed over: its tree would not fit in memory.
const MOST_BYTES: u64 = 64 << 20;
/// A game with more nodes and properties, variations included, is passed over: no real one is near.
const MOST_PARTS: Bounds = Bounds { parts: 600_000 };
/// Files that are read before they are taken apart together.
const BATCH: usize = 4096;
/// Bytes that are read before they are taken apart together.
const BATCH_BYTES: usize = 64 << 20;

/// Why there are no games at all.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Nothing is left to learn from.
    #[error("no game is left of {files} files in {}{}", of.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", "), tail(skipped))]
    Nothing {
        /// Where it was looked for.
        of: Vec<PathBuf>,
        /// Files that were read.
        files: usize,
        /// What was wrong with them.
        skipped: Skipped,
    },
    /// Asked to stop.
    #[error("stopped")]
    Stopped,
}

fn tail(skipped: &Skipped) -> String {
    match skipped.count() {
        0 => String::new(),
        _ => format!(" ({skipped}{})", skipped.example()),
    }
}

/// What was passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// How many, by reason.
    pub reasons: BTreeMap<&'static str, usize>,
    /// The first faulty ones: name and reason.
    pub faults: Vec<(String, Reject)>,
}

impl Skipped {
    /// Faults that are kept with their names.
    const NAMED: usize = 100;

    /// How many records were passed over.
    #[must_use]
    pub fn count(&self) -> usize {
        self.reasons.values().sum()
    }

    /// How many of them have something wrong with them.
    #[must_use]
    pub fn faulty(&self) -> usize {
        let ours = [
            "year",
            "without a year",
            "rank",
            "margin",
            "not counted",
            "other players",
            "duplicate",
            "short",
        ];
        self.reasons.iter().filter(|(word, _)| !ours.contains(word)).map(|(_, n)| n).sum()
    }

    /// Notes one that was passed over.
    pub(crate) fn add(&mut self, name: &str, reject: Reject) {
        *self.reasons.entry(reject.word()).or_default() += 1;
        if reject.is_fault() && self.faults.len() < Self::NAMED {
            self.faults.push((name.to_string(), reject));
        }
    }

    fn example(&self) -> String {
        match self.faults.first() {
            Some((name, why)) => format!("; the first: {name}: {}", why.told()),
            None => String::new(),
        }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (reason, count)) in self.reasons.iter().enumerate() {
            write!(f, "{}{count} {reason}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// Games, and what was passed over on the way.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The games, in the order of their names.
    pub games: Vec<GoRecord>,
    /// Files that were read.
    pub files: usize,
    /// What was passed over.
    pub skipped: Skipped,
}

/// A file of records.
struct Source {
    name: String,
    bytes: Result<Vec<u8>, Reject>,
}

impl Corpus {
    /// Reads all games that paths mean and a filter admits. At least one is left, or it is an error.
    pub fn read(
        paths: &[PathBuf],
        filter: &Filter,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Corpus, CorpusError> {
        progress.message("reading games");
        let mut corpus = Corpus::default();
        let mut seen = HashSet::new();
        let mut take = |batch: &mut Vec<Source>| {
            progress.advance(batch.len() as u64);
            corpus.take(batch, filter, &mut seen);
            if stop.is_set() { Err(CorpusError::Stopped) } else { Ok(()) }
        };
        let mut batch = Batch::default();
        for path in paths {
            walk(path, &mut |source| {
                batch.push(source);
                if batch.is_full() { take(batch.empty()) } else { Ok(()) }
            })?;
        }
        take(batch.empty())?;
        if corpus.games.is_empty() {
            let Corpus { files, skipped, .. } = corpus;
            return Err(CorpusError::Nothing { of: paths.to_vec(), files, skipped });
        }
        Ok(corpus)
    }

    /// Games of files that are in memory.
    pub fn of_files<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
        filter: &Filter,
    ) -> Corpus {
        let mut corpus = Corpus::default();
        let mut batch = files
            .into_iter()
            .map(|(name, bytes)| Source { name: name.to_string(), bytes: Ok(bytes.to_vec()) })
            .collect();
        corpus.take(&mut batch, filter, &mut HashSet::new());
        corpus
    }

    /// A digest of the moves of all games: the same games in the same order have the same.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for game in &self.games {
            hasher.update(&[game.size]);
            hasher.update(&(game.codes().len() as u32).to_le_bytes());
            for code in game.codes() {
                hasher.update(&code.to_le_bytes());
            }
        }
        hasher.finalize().to_hex()[..16].to_string()
    }

    /// All moves of all games, passes included.
    #[must_use]
    pub fn plies(&self) -> u64 {
        self.games.iter().map(|g| g.codes().len() as u64).sum()
    }

    fn take(&mut self, batch: &mut Vec<Source>, filter: &Filter, seen: &mut HashSet<[u8; 16]>) {
        let found: Vec<Vec<(String, Result<GoRecord, Reject>)>> =
            batch.par_drain(..).map(|source| games_of(source, filter)).collect();
        for file in found {
            self.files += 1;
            for (name, game) in file {
                match game {
                    Ok(game) if filter.duplicates || seen.insert(fingerprint(&game)) => {
                        self.games.push(game);
                    }
                    Ok(_) => self.skipped.add(&name, Reject::Duplicate),
                    Err(reject) => self.skipped.add(&name, reject),
                }
            }
        }
    }
}

/// Equal for games that are the same up to symmetry.
fn fingerprint(game: &GoRecord) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[game.size]);
    for code in game.normal_codes() {
        hasher.update(&code.to_le_bytes());
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    short
}

/// The games of a file, each with its name; the number is told where there are several.
fn games_of(source: Source, filter: &Filter) -> Vec<(String, Result<GoRecord, Reject>)> {
    let bytes = match source.bytes {
        Ok(bytes) => bytes,
        Err(reject) => return vec![(source.name, Err(reject))],
    };
    let mut found: Vec<(String, Result<GoRecord, Reject>)> = Vec::new();
    visit_collection(&bytes, MOST_PARTS, &mut |tree| {
        let name = format!("{} (game {})", source.name, found.len() + 1);
        let game = tree
            .map_err(|e| Reject::Broken(e.to_string()))
            .and_then(|tree| game_of(&tree, &name, filter));
        found.push((name, game));
        true
    });
    if let [(name, game)] = &mut found[..] {
        name.clone_from(&source.name);
        if let Ok(game) = game {
            game.name.clone_from(&source.name);
        }
    }
    found
}

fn game_of(tree: &Tree, name: &str, filter: &Filter) -> Result<GoRecord, Reject> {
    let line = MainLine::of(tree).map_err(|e| match e.ply {
        Some(ply) => Reject::Broken(format!("move {}: {}", ply + 1, e.error)),
        None => Reject::Broken(e.error.to_string()),
    })?;
    if filter.size.is_some_and(|size| size != line.size) || !(2..=19).contains(&line.size) {
        return Err(Reject::Size(line.size));
    }
    check(&line)?;
    let game = GoRecord::new(name.to_string(), &line, tree);
    filter.admits(&game)?;
    Ok(game)
}

#[derive(Default)]
struct Batch {
    sources: Vec<Source>,
    bytes: usize,
}

impl Batch {
    fn push(&mut self, source: Source) {
        self.bytes += source.bytes.as_ref().map_or(0, Vec::len);
        self.sources.push(source);
    }
    fn is_full(&self) -> bool {
        self.sources.len() >= BATCH || self.bytes >= BATCH_BYTES
    }
    fn empty(&mut self) -> &mut Vec<Source> {
        self.bytes = 0;
        &mut self.sources
    }
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    endings.iter().any(|ending| name.ends_with(ending))
}

const ARCHIVES: &[&str] = &[".tar", ".tar.zst"];
const RECORDS: &[&str] = &[".sgf", ".sgf.zst"];

/// Hands over the files of a path in order.
fn walk(
    path: &Path,
    sink: &mut dyn FnMut(Source) -> Result<(), CorpusError>,
) -> Result<(), CorpusError> {
    let failed = |error| CorpusError::Io { path: path.to_path_buf(), error };
    if path.is_dir() {
        let mut inside: Vec<PathBuf> = std::fs::read_dir(path)
            .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect())
            .map_err(failed)?;
        inside.retain(|p| p.is_dir() || has_ending(p, ARCHIVES) || has_ending(p, RECORDS));
        inside.sort();
        // Links that lead back would never end.
        let follows = |p: &PathBuf| !(p.is_dir() && p.is_symlink());
        for path in inside.iter().filter(|p| follows(p)) {
            match walk(path, sink) {
                // One that cannot be read is passed over like one that is broken; only what the user
                // names himself must be there.
                Err(CorpusError::Io { path, error }) => {
                    let bytes = Err(Reject::Unreadable(error.to_string()));
                    sink(Source { name: path.display().to_string(), bytes })?;
                }
                walked => walked?,
            }
        }
        return Ok(());
    }
    // Opening a pipe waits for whoever writes into it.
    if path.exists() && !path.is_file() {
        return Err(failed(io::Error::other("this is no plain file")));
    }
    if has_ending(path, ARCHIVES) {
        return unpack(path, sink);
    }
    let length = std::fs::metadata(path).map_err(failed)?.len();
    let bytes = match length > MOST_BYTES {
        true => Ok(Err(Reject::Huge(length))),
        false => packed::open(path).and_then(read_bounded),
    };
    sink(Source { name: path.display().to_string(), bytes: bytes.map_err(failed)? })
}

/// The bytes, unless there are too many.
fn read_bounded(input: impl Read) -> io::Result<Result<Vec<u8>, Reject>> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    let length = bytes.len() as u64;
    Ok(if length > MOST_BYTES { Err(Reject::Huge(length)) } else { Ok(bytes) })
}

fn unpack(
    path: &Path,
    sink: &mut dyn FnMut(Source) -> Result<(), CorpusError>,
) -> Result<(), CorpusError> {
    let failed = |error| CorpusError::Io { path: path.to_path_buf(), error };
    for part in Archive::open(path).map_err(failed)? {
        let part = part.map_err(failed)?;
        if !has_ending(&part.name, RECORDS) {
            continue;
        }
        let bytes = part.input.and_then(read_bounded).map_err(failed)?;
        sink(Source { name: format!("{}: {}", path.display(), part.name.display()), bytes })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use zug_core::progress::Silent;

    fn read(path: &Path, filter: &Filter) -> Result<Corpus, CorpusError> {
        Corpus::read(&[path.to_path_buf()], filter, &Silent, &StopFlag::new())
    }

    #[test]
    fn bad_records_are_named_counted_and_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("a.sgf", "(;SZ[9];B[aa];W[bb])"),
            ("b.sgf", "(;SZ[9];B[aa];W[aa])"),
            ("c.sgf", "(;SZ[13];B[aa];W[bb])"),
            ("d.sgf", "no game"),
            ("e.sgf", "(;SZ[9]HA[2]AB[aa][bb];W[cc])"),
            ("f.sgf", "(;SZ[9];B[ai];W[bh])"),
            ("g.sgf", "(;GM[2];B[ai];W[bh])"),
            ("h.sgf", "(;SZ[9];B[cc];B[dd])"),
            ("i.sgf", "(;SZ[9];B[cc];W[zz])"),
            ("notes.txt", "(;SZ[9];B[ab];W[bb])"),
        ] {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        let corpus = read(dir.path(), &Filter::of_size(9)).unwrap();
        assert_eq!((corpus.games.len(), corpus.files), (1, 9));
        let told = corpus.skipped.to_string();
        assert_eq!(
            told,
            "1 another board size, 3 broken, 1 duplicate, 1 handicap/setup, 1 illegal-occupied, \
             1 nonalternating"
        );
        let (name, why) = &corpus.skipped.faults[0];
        assert!(name.ends_with("b.sgf") && why.ply() == Some(1));
        let error = read(dir.path(), &Filter::of_size(7)).unwrap_err().to_string();
        assert!(error.contains("no game is left of 9 files"), "{error}");
    }

    #[test]
    fn huge_files_are_passed_over_and_missing_ones_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        let huge = File::create(dir.path().join("huge.sgf")).unwrap();
        huge.set_len(100 << 20).unwrap();
        std::fs::write(dir.path().join("one.sgf"), "(;B[aa])").unwrap();
        let corpus = read(dir.path(), &Filter::default()).unwrap();
        assert_eq!(corpus.skipped.to_string(), "1 too large");
        assert!(read(&dir.path().join("none"), &Filter::default()).is_err());
    }

    #[test]
    fn archives_hold_the_same_games_as_folders() {
        let dir = tempfile::tempdir().unwrap();
        let mut tar = tar::Builder::new(Vec::new());
        for (name, text) in
            [("x/a.sgf", "(;B[aa])(;B[ab])"), ("x/b.txt", "?"), ("x/c.sgf", "(;B[ac])")]
        {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            tar.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        let packed = zstd::encode_all(&tar.into_inner().unwrap()[..], 0).unwrap();
        let path = dir.path().join("games.tar.zst");
        std::fs::write(&path, &packed).unwrap();
        let corpus = read(&path, &Filter::default()).unwrap();
        assert_eq!(corpus.games.len(), 3);
        assert!(corpus.games[1].name.ends_with("x/a.sgf (game 2)"));
        std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
        assert!(matches!(read(&path, &Filter::default()), Err(CorpusError::Io { .. })));
    }

    #[test]
    fn what_cannot_be_read_is_passed_over_in_a_folder_and_an_error_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("a.sgf"), "(;B[aa])").unwrap();
        std::fs::write(path("b.sgf.zst"), "no frame").unwrap();
        std::os::unix::fs::symlink("nowhere", path("c.sgf")).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(path("d.sgf")).status().unwrap();
        assert!(pipe.success());
        let corpus = read(dir.path(), &Filter::default()).unwrap();
        assert_eq!((corpus.games.len(), corpus.skipped.to_string()), (1, "3 unreadable".into()));
        assert_eq!(corpus.skipped.faulty(), 3);
        let said: Vec<String> = corpus.skipped.faults.iter().map(|f| f.1.told()).collect();
        assert!(said[2].contains("no plain file"), "{said:?}");
        for name in ["b.sgf.zst", "c.sgf", "d.sgf"] {
            let error = read(&path(name), &Filter::default()).unwrap_err();
            assert!(matches!(error, CorpusError::Io { .. }), "{name}: {error}");
        }
    }

    #[test]
    fn games_without_end_are_passed_over_and_their_neighbours_are_not() {
        let long = format!("(;GM[1]SZ[9]{})", ";B[aa];W[bb]".repeat(MOST_PARTS.parts / 2));
        let text = format!("{long}(;GM[1]SZ[9];B[ab])");
        let corpus = Corpus::of_files([("x.sgf", text.as_bytes())], &Filter::default());
        assert_eq!((corpus.games.len(), corpus.skipped.to_string()), (1, "1 broken".into()));
        assert_eq!(corpus.games[0].name, "x.sgf (game 2)");
    }

    #[test]
    fn games_without_a_year_are_told_where_years_matter() {
        let files = [("a.sgf", "(;B[aa])"), ("b.sgf", "(;DT[2001-02-03];B[ab])")];
        let files = files.map(|(name, text)| (name, text.as_bytes()));
        let until = Filter { until: Some(2010), ..Filter::default() };
        let corpus = Corpus::of_files(files, &until);
        assert_eq!(
            (corpus.games.len(), corpus.skipped.to_string()),
            (1, "1 without a year".into())
        );
        assert_eq!(Corpus::of_files(files, &Filter::default()).games.len(), 2);
    }
}
