//! Finished games on disk, so that a match that was broken off goes on where it was.
//!
//! JSON lines: a header that describes the match, then one line for each finished game, written
//! and forced to disk before the next one counts. A line that was cut off by a crash is dropped;
//! anything else that is wrong is an error, as is a journal of another match.

use crate::config::{MatchConfig, MatchError};
use crate::openings;
use crate::participant::Participant;
use crate::report::GameResult;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zug_core::GameEntry;

#[derive(Serialize, Deserialize)]
struct Header {
    /// Version of the format.
    zug_match: u32,
    /// What makes two matches the same.
    config: Value,
    /// Where the games of this match begin in the file of records.
    records_offset: u64,
}

/// An open journal.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    /// Games that were there already.
    pub(crate) games: Vec<GameResult>,
    pub(crate) records_offset: u64,
}

/// More is no journal of ours.
const MAX_FILE: u64 = 4 << 30;

impl Journal {
    /// Opens the journal of this match, or begins one.
    pub(crate) fn open(
        path: &Path,
        description: &Value,
        records_offset: u64,
    ) -> Result<Journal, MatchError> {
        let io = |e: std::io::Error| MatchError::File { path: path.into(), error: e.to_string() };
        let bad = |reason: String| MatchError::Journal { path: path.into(), reason };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(bad("another match is using it now".to_string()));
            }
            // Some file systems have no locks; then there is nothing to check.
            Err(TryLockError::Error(_)) => {}
        }
        if file.metadata().map_err(io)?.len() > MAX_FILE {
            return Err(bad("too large to be a journal".to_string()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        // Only whole lines count; what follows the last newline was being written at a crash.
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut journal = Journal { file, path: path.into(), games: Vec::new(), records_offset };
        if whole == 0 {
            let header = Header { zug_match: 1, config: description.clone(), records_offset };
            journal.write(&header)?;
            return Ok(journal);
        }
        journal.load(&bytes[..whole], description)?;
        Ok(journal)
    }

    fn load(&mut self, bytes: &[u8], description: &Value) -> Result<(), MatchError> {
        let bad = |reason: String| MatchError::Journal { path: self.path.clone(), reason };
        let text = std::str::from_utf8(bytes)
            .map_err(|e| bad(format!("byte {}: expected text (UTF-8)", e.valid_up_to())))?;
        let mut lines = text.lines().enumerate();
        let header: Header = lines
            .next()
            .and_then(|(_, line)| serde_json::from_str(line).ok())
            .ok_or_else(|| bad("line 1: expected the header of a match".to_string()))?;
        if header.zug_match != 1 {
            let version = header.zug_match;
            return Err(bad(format!("line 1: expected version 1, found version {version}")));
        }
        if let Some(difference) = difference(&header.config, description) {
            return Err(bad(format!("belongs to another match: {difference}")));
        }
        self.records_offset = header.records_offset;
        for (i, line) in lines {
            let game: GameResult = serde_json::from_str(line)
                .map_err(|e| bad(format!("line {}: expected a finished game: {e}", i + 1)))?;
            self.games.push(game);
        }
        Ok(())
    }

    /// Adds a finished game; when this returns, it is on disk.
    pub(crate) fn add(&mut self, game: &GameResult) -> Result<(), MatchError> {
        self.write(game)
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), MatchError> {
        let write = |file: &mut File| -> std::io::Result<()> {
            let mut line = serde_json::to_vec(value)?;
            line.push(b'\n');
            file.write_all(&line)?;
            file.sync_data()
        };
        let error =
            |e: std::io::Error| MatchError::File { path: self.path.clone(), error: e.to_string() };
        write(&mut self.file).map_err(error)
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
        let mut journal = Journal::open(&path, &what, 17).unwrap();
        (0..3).for_each(|i| journal.add(&game(i)).unwrap());
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for cut in [whole.len(), whole.len() - 1, whole.len() - 40] {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let journal = Journal::open(&path, &what, 0).unwrap();
            let expected: Vec<_> = (0..if cut == whole.len() { 3 } else { 2 }).map(game).collect();
            assert_eq!(journal.games, expected);
            assert_eq!(journal.records_offset, 17);
        }
        // After the cut, writing goes on at a line of its own.
        let mut journal = Journal::open(&path, &what, 0).unwrap();
        journal.add(&game(7)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path, &what, 0).unwrap().games.last(), Some(&game(7)));
    }

    #[test]
    fn another_match_a_broken_line_and_a_second_user_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("j");
        let open = |seed: u64| Journal::open(&path, &json!({"game": "x", "seed": seed}), 0);
        let journal = open(1).unwrap();
        assert!(reason(open(1)).contains("another match is using it"));
        drop(journal);
        assert!(reason(open(2)).contains("seed was 1, is now 2"), "{}", reason(open(2)));
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"index\":0}\n");
        std::fs::write(&path, &text).unwrap();
        assert!(reason(open(1)).contains("line 2"), "{}", reason(open(1)));
        std::fs::write(&path, "hello\n").unwrap();
        assert!(reason(open(1)).contains("line 1"));
        std::fs::write(&path, [0xff, b'\n']).unwrap();
        assert!(reason(open(1)).contains("UTF-8"));
    }
}
