//! Answers on disk, so that a long file that was broken off goes on where it was.
//!
//! JSON lines: a header that says which game and which question, then one line for each answer.
//! Answers are found again by their positions, so the file of positions may change or be read in
//! parts.

use super::report::{Entry, Kept, Verdict};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use zug_core::exact::{Answer, Problem, Question};
use zug_core::files::{self, FileError, read_journal};

/// An open journal.
pub struct Journal {
    file: files::Journal,
    path: PathBuf,
    known: HashMap<String, Kept>,
}

impl Journal {
    /// Opens a journal of this game and question, or begins one.
    pub fn open(path: &Path, game: &str, question: Question) -> Result<Journal> {
        let mode = match question {
            Question::Score => "score",
            Question::Outcome => "outcome",
            Question::EveryMove => "every-move",
        };
        let header = json!({"zug_solve": 1, "game": game, "mode": mode});
        let mut known = HashMap::new();
        let exists = path.exists() && path.metadata().is_ok_and(|m| m.len() > 0);
        if exists {
            // Nothing is written before it is clear that this is such a journal.
            let place = || path.display().to_string();
            let contents = match read_journal::<Value>(path) {
                Err(FileError::Content { line: 1, .. }) => {
                    bail!("{}: this is no journal of zug solve", place())
                }
                Err(FileError::Content { line, .. }) => {
                    bail!("{}, line {line}: expected an answer of zug solve", place())
                }
                read => read?,
            };
            let mut lines = contents.entries.into_iter();
            match lines.next() {
                Some(first) if first == header => {}
                Some(first) if first.get("zug_solve").is_some() => bail!(
                    "{}: this journal is of another command ({first}); expected {header}",
                    place()
                ),
                _ => bail!("{}: this is no journal of zug solve", place()),
            }
            for (line, number) in lines.zip(2u64..) {
                let kept: Kept = serde_json::from_value(line)
                    .with_context(|| format!("{}, line {number}: expected an answer", place()))?;
                known.insert(kept.position.clone(), kept);
            }
        }
        let mut file = files::Journal::open(path)?;
        if !exists {
            file.append(&header)?;
        }
        Ok(Journal { file, path: path.to_path_buf(), known })
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
