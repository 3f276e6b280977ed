//! Answers on disk, so that a long file that was broken off goes on where it was.
//!
//! JSON lines that prove themselves: a header that says which game and which question, then one line
//! for each answer.
//! Answers are found again by their positions, so the file of positions may change or be read in
//! parts.

use super::report::{Entry, Kept, Verdict};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use zug_core::exact::{Answer, Problem, Question};
use zug_core::files::{FileLock, SealedJournal};

/// The first line.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    /// Version of the format; the first had no proofs.
    zug_solve: u32,
    game: String,
    mode: String,
}

/// How a journal begins.
const BEGINNING: &str = "{\"zug_solve\":";

/// An open journal.
pub struct Journal {
    file: SealedJournal,
    path: PathBuf,
    known: HashMap<String, Kept>,
    _lock: FileLock,
}

impl Journal {
    /// Opens a journal of this game and question, or begins one.
    pub fn open(path: &Path, game: &str, question: Question) -> Result<Journal> {
        let mode = match question {
            Question::Score => "score",
            Question::Outcome => "outcome",
            Question::EveryMove => "every-move",
        };
        let header = Header { zug_solve: 2, game: game.into(), mode: mode.into() };
        let place = || path.display().to_string();
        let lock = FileLock::beside(path)?;
        let (mut file, contents) = SealedJournal::open::<Value>(path, BEGINNING)?;
        let mut known = HashMap::new();
        let mut lines = contents.entries.into_iter();
        match lines.next() {
            None => file.append(&header)?,
            Some(first) => {
                let found: Header = serde_json::from_value(first)
                    .with_context(|| format!("{}, line 1: expected a header", place()))?;
                if found != header {
                    let text = |h: &Header| serde_json::to_string(h).unwrap_or_default();
                    bail!(
                        "{}: this journal is of another command ({}); expected {}",
                        place(),
                        text(&found),
                        text(&header)
                    );
                }
            }
        }
        for (line, number) in lines.zip(2u64..) {
            let kept: Kept = serde_json::from_value(line)
                .with_context(|| format!("{}, line {number}: expected an answer", place()))?;
            known.insert(kept.position.clone(), kept);
        }
        Ok(Journal { file, path: path.to_path_buf(), known, _lock: lock })
    }

    /// The answer from before, if there is one.
    pub fn answer(&self, problem: &Problem) -> Option<Entry> {
        let kept = self.known.get(&problem.position)?;
        let answer = Answer {
            score: kept.score,
            best: kept.best.clone(),
            line: kept.line.clone(),
            moves: kept.moves.clone(),
            nodes: kept.nodes,
        };
        Some(Entry {
            number: 0,
            problem: problem.clone(),
            answer,
            seconds: kept.seconds,
            cpu_seconds: kept.cpu_seconds,
            verdict: Verdict::Unknown,
        })
    }

    /// Adds an answer; when this returns, it is on disk.
    pub fn add(&mut self, entry: &Entry) -> Result<()> {
        let kept = entry.kept();
        self.file.append(&kept).with_context(|| self.path.display().to_string())
    }
}
