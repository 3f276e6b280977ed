//! Finished games on disk, so that a match that was broken off goes on where it was.
//!
//! JSON lines: a header that describes the match, then one line for each finished game, written
//! and forced to disk before the next one counts. Each line proves itself and all before it
//! ([`SealedJournal`]), so that nobody changes a score with an editor. A line that was cut off by a
//! crash is dropped; anything else that is wrong is an error, as is a journal of another match.

use crate::config::{MatchConfig, MatchError};
use crate::openings;
use crate::participant::Participant;
use crate::report::GameResult;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use zug_core::GameEntry;
use zug_core::files::{self, FileError, FileLock, SealedJournal};

#[derive(Serialize, Deserialize)]
struct Header {
    /// Version of the format.
    zug_match: u32,
    /// What makes two matches the same.
    config: Value,
    /// Where the games of this match begin in the file of records.
    records_offset: u64,
}

/// Version of the format; the first had no proofs.
const FORMAT: u32 = 2;

/// How every journal begins.
const BEGINNING: &str = "{\"zug_match\":";

/// An open journal.
pub(crate) struct Journal {
    file: SealedJournal,
    path: PathBuf,
    /// Games that were there already.
    pub(crate) games: Vec<GameResult>,
    pub(crate) records_offset: u64,
    /// Held while the match is played.
    _lock: FileLock,
}

impl Journal {
    /// Opens the journal of this match, or begins one; one that is there is given up if that is
    /// asked for.
    pub(crate) fn open(
        path: &Path,
        description: &Value,
        records_offset: u64,
        replace: bool,
    ) -> Result<Journal, MatchError> {
        let bad = |reason: &str| MatchError::Journal { path: path.into(), reason: reason.into() };
        let lock = FileLock::beside(path).map_err(|e| tell(path, &e))?;
        // Only a journal: a wrong name on the command line must not cost anyone a file.
        if replace && files::begins_with(path, BEGINNING).map_err(|e| tell(path, &e))? {
            std::fs::remove_file(path).map_err(|e| bad(&format!("cannot remove it: {e}")))?;
        }
        let (mut file, contents) =
            SealedJournal::open::<Value>(path, BEGINNING).map_err(|e| tell(path, &e))?;
        let mut lines = contents.entries.into_iter();
        let Some(first) = lines.next() else {
            let config = description.clone();
            let header = Header { zug_match: FORMAT, config, records_offset };
            file.append(&header).map_err(|e| tell(path, &e))?;
            let (path, games) = (path.to_path_buf(), Vec::new());
            return Ok(Journal { file, path, games, records_offset, _lock: lock });
        };
        let header = read_header(first, description).map_err(|reason| bad(&reason))?;
        let mut games = Vec::new();
        for (i, line) in lines.enumerate() {
            let game = serde_json::from_value(line)
                .map_err(|e| bad(&format!("line {}: expected a finished game: {e}", i + 2)))?;
            games.push(game);
        }
        let (path, records_offset) = (path.to_path_buf(), header.records_offset);
        Ok(Journal { file, path, games, records_offset, _lock: lock })
    }

    /// Adds a finished game; when this returns, it is on disk.
    pub(crate) fn add(&mut self, game: &GameResult) -> Result<(), MatchError> {
        self.file.append(game).map_err(|e| tell(&self.path, &e))
    }
}

fn tell(path: &Path, error: &FileError) -> MatchError {
    MatchError::Journal { path: path.into(), reason: error.to_string() }
}

fn read_header(line: Value, description: &Value) -> Result<Header, String> {
    let header: Header =
        serde_json::from_value(line).map_err(|e| format!("line 1: expected the header: {e}"))?;
    if header.zug_match != FORMAT {
        let found = header.zug_match;
        return Err(format!("line 1: expected version {FORMAT}, found version {found}"));
    }
    match difference(&header.config, description) {
        Some(difference) => Err(format!("belongs to another match: {difference}")),
        None => Ok(header),
    }
}

/// What makes two matches the same. The number of games and how many are played at once may
/// change from one sitting to the next.
pub(crate) fn describe(
    entry: &GameEntry,
    participants: &[Participant<'_>],
    config: &MatchConfig,
) -> Value {
    let players: Vec<&str> = participants.iter().map(|p| p.spec.as_str()).collect();
    json!({
        "game": entry.game.spec(),
        "players": players,
        "schedule": config.schedule,
        "limit": config.limit.to_string(),
        "time_margin": config.time_margin.as_secs_f64(),
        "openings": openings::fingerprint(&config.openings),
        "seed": config.seed,
        "resign": config.adjudication.resign,
        "draw": config.adjudication.draw,
        "max_plies": config.adjudication.max_plies,
        "oracle": config.adjudication.oracle.is_some(),
        "sprt": config.sprt,
    })
}

/// The first thing in which two descriptions differ, in words.
fn difference(before: &Value, now: &Value) -> Option<String> {
    let (Some(a), Some(b)) = (before.as_object(), now.as_object()) else {
        return Some("its header is broken".to_string());
    };
    b.keys().chain(a.keys()).find(|k| a.get(*k) != b.get(*k)).map(|key| {
        let show = |v: Option<&Value>| v.unwrap_or(&Value::Null).to_string();
        format!("{key} was {}, is now {}", show(a.get(key)), show(b.get(key)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{PlayedMove, Termination};

    fn game(index: usize) -> GameResult {
        GameResult {
            index,
            players: [0, 1],
            start: (index == 1).then(|| "somewhere".to_string()),
            opening_plies: 1,
            moves: vec![PlayedMove { text: "a1".into(), comment: Some("+0.10/3".into()) }],
            winner: (index != 2).then_some(1),
            margin: (index == 0).then_some(6.5),
            termination: Termination::Crash,
            reason: "crashed: \"quotes\" and\nlines".to_string(),
        }
    }

    fn reason<T>(result: Result<T, MatchError>) -> String {
        result.err().expect("an error").to_string()
    }

    #[test]
    fn games_come_back_and_a_torn_line_is_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        let what = json!({"seed": 1});
        let mut journal = Journal::open(&path, &what, 17, false).unwrap();
        (0..3).for_each(|i| journal.add(&game(i)).unwrap());
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for cut in [whole.len(), whole.len() - 1, whole.len() - 40] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let journal = Journal::open(&path, &what, 0, false).unwrap();
            let expected: Vec<_> = (0..if cut == whole.len() { 3 } else { 2 }).map(game).collect();
            assert_eq!(journal.games, expected);
            assert_eq!(journal.records_offset, 17);
        }
        // After the cut, writing goes on at a line of its own.
        let mut journal = Journal::open(&path, &what, 0, false).unwrap();
        journal.add(&game(7)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, &what, 0, false).unwrap().games.last(), Some(&game(7)));
    }

    #[test]
    fn another_match_a_broken_line_and_a_second_user_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        let open = |seed: u64| Journal::open(&path, &json!({"game": "x", "seed": seed}), 0, false);
        let journal = open(1).unwrap();
        assert!(reason(open(1)).contains("is locked by process"));
        drop(journal);
        assert!(reason(open(2)).contains("seed was 1, is now 2"), "{}", reason(open(2)));
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"index\":0}\n");
        std::fs::write(&path, &text).unwrap();
        assert!(reason(open(1)).contains("line 2"), "{}", reason(open(1)));
        // Files that are no journals are left as they are.
        for other in [&b"hello\nworld"[..], &[0xff, b'\n'], b"{\"x\":1}\n{"] {
            std::fs::write(&path, other).unwrap();
            assert!(reason(open(1)).contains("line 1"), "{}", reason(open(1)));
            assert_eq!(std::fs::read(&path).unwrap(), other);
        }
        let replaced = Journal::open(&path, &json!({}), 0, true);
        assert!(reason(replaced).contains("line 1"), "this is somebody else's file");
        // A match that was killed while it wrote the very first line begins again.
        std::fs::write(&path, "{\"zug_match\":1,\"conf").unwrap();
        assert!(open(1).unwrap().games.is_empty());
        assert!(open(1).unwrap().games.is_empty());
    }
    #[test]
    fn a_changed_game_is_refused_and_an_old_journal_too() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        let open = |replace| Journal::open(&path, &json!({"seed": 1}), 0, replace);
        let mut journal = open(false).unwrap();
        (0..3).for_each(|i| journal.add(&game(i)).unwrap());
        drop(journal);
        let whole = std::fs::read_to_string(&path).unwrap();
        let changed = whole.replacen("\"winner\":1", "\"winner\":0", 1);
        assert_ne!(changed, whole);
        std::fs::write(&path, &changed).unwrap();
        let told = reason(open(false));
        assert!(told.contains("line 2") && told.contains("not as it was written"), "{told}");
        let bare: String = whole
            .lines()
            .map(|line| format!("{}}}\n", &line[..line.find(",\"proof\"").unwrap()]))
            .collect();
        std::fs::write(&path, &bare).unwrap();
        let told = reason(open(false));
        assert!(told.contains("line 1") && told.contains("older version"), "{told}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), bare);
        assert!(open(true).unwrap().games.is_empty(), "begun again when asked");
    }
}
