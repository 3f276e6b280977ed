//! What has a player that learns from its games (`zug:td=FOLDER`, see [`session`]) come to? Its
//! folder as `zug runs show` and `zug runs report` show it: games and results, types, weights and
//! their changes, and the games move by move.

use super::archive::Archive;
use super::config::Settings;
use super::lesson::Finish;
use super::log::GameLog;
use super::notes::GameNotes;
use super::rates::Seen;
use super::session::{self, FIRST};
use super::student::Student;
use super::viewer::{self, Replayed, Thought};
use super::{replay, tables};
use crate::engine::Evaluation;
use crate::factors::FACTORS;
use crate::model::Model;
use crate::model::page::Scale;
use cozy_chess::{Color, GameStatus};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use zug_learn::face::TaskError;
use zug_learn::report::Page;

/// Points of the loop over the weights, at most: each log holds all of them.
const POINTS: usize = 40;

/// A folder in which a player learns.
pub struct Folder {
    path: PathBuf,
    settings: Settings,
    /// What was learned.
    pub model: Model,
    student: Student,
    archive: Archive,
    /// The logs that are kept.
    numbers: Vec<u64>,
}

impl Folder {
    /// Reads what a folder holds.
    pub fn open(path: &Path) -> Result<Folder, TaskError> {
        let settings = session::settings(path).map_err(TaskError::Unfit)?;
        let (model, student) = session::student(path, &settings).map_err(TaskError::below)?;
        let archive = Archive::open(path).map_err(TaskError::below)?;
        let numbers = archive.numbers().map_err(TaskError::below)?;
        Ok(Folder { path: path.to_path_buf(), settings, model, student, archive, numbers })
    }

    /// After how many games the weights are known: the log of a game holds those before it.
    pub fn kept(&self) -> Vec<u64> {
        let before = self.numbers.iter().filter(|n| **n > 0).map(|n| n - 1);
        let first = self.path.join(FIRST).is_file().then_some(0);
        let mut all: Vec<u64> = before.chain(first).chain([self.student.learned]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The weights after so many games. Logs hold them as whole hundredths of a pawn; one that is
    /// there as it was at the beginning is taken as unchanged.
    pub fn at(&self, games: u64) -> Result<Model, TaskError> {
        if games == self.student.learned {
            return Ok(self.model.clone());
        }
        let first = self.path.join(FIRST);
        if games == 0 && first.is_file() {
            return Model::open(&first).map_err(TaskError::below);
        }
        let log = self.archive.game(games + 1, FACTORS).map_err(TaskError::below)?;
        let mut model = self.model_of(&log).ok_or_else(|| {
            let path = self.archive.path(games + 1);
            TaskError::Unfit(format!("{}: weights of other types than the model's", path.display()))
        })?;
        if let Some(first) = self.beginning().filter(|f| f.weights.len() == model.weights.len()) {
            for (weight, began) in model.weights.iter_mut().zip(first.weights) {
                if began.round() == *weight {
                    *weight = began;
                }
            }
        }
        Ok(model)
    }

    /// The model that it began with: as it was kept, or else as the choices of the folder have it.
    fn beginning(&self) -> Option<Model> {
        let first = self.path.join(FIRST);
        let first = first.is_file().then(|| Model::open(&first).ok()).flatten();
        first.or_else(|| super::experiment::beginning(&self.settings).ok())
    }

    fn model_of(&self, log: &GameLog) -> Option<Model> {
        Model::new(self.model.scheme.clone(), log.weights.iter().map(|&w| w as f32).collect())
    }

    fn seen(&self) -> Vec<(Seen, f64)> {
        let rates = &self.settings.teaching.rates;
        self.student.seen.iter().map(|&seen| (seen, rates.rate(seen))).collect()
    }

    /// Games won, drawn and lost, of those whose logs are kept.
    fn results(&self) -> Result<[u64; 3], TaskError> {
        let mut results = [0; 3];
        for &number in &self.numbers {
            match self.archive.result(number).map_err(TaskError::below)? {
                Some(1) => results[0] += 1,
                Some(0) => results[1] += 1,
                Some(_) => results[2] += 1,
                None => {}
            }
        }
        Ok(results)
    }

    /// Games, results and types, for a terminal and for scripts.
    pub fn told(&self) -> Result<(String, Map<String, Value>), TaskError> {
        let [won, drawn, lost] = self.results()?;
        let learned = self.student.learned;
        let mut text = format!(
            "{}: a player that learns (td of chess)\n  learned from {learned} game{}",
            self.path.display(),
            if learned == 1 { "" } else { "s" },
        );
        let _ = writeln!(text, ": {won} won, {drawn} drawn, {lost} lost");
        let mut types = Vec::new();
        for (column, (seen, rate)) in self.seen().iter().enumerate() {
            if seen.positions == 0 {
                continue;
            }
            let (name, games, n) =
                (self.model.scheme.column_name(column), seen.games, seen.positions);
            let _ =
                writeln!(text, "  {n:>6} positions in {games:>4} games, rate {rate:.3}  {name}");
            types.push(json!({"type": name, "games": games, "positions": n, "rate": rate}));
        }
        let figures = json!({
            "folder": self.path.display().to_string(),
            "learned": learned,
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "seen": types,
        });
        let figures = if let Value::Object(figures) = figures { figures } else { Map::new() };
        Ok((text, figures))
    }

    /// A game as it was learned from; nothing where the log is of other types.
    fn replayed(&self, number: u64) -> Result<Option<Replayed>, TaskError> {
        let log = self.archive.game(number, FACTORS).map_err(TaskError::below)?;
        let (Some(model), Some(result)) = (self.model_of(&log), log.result) else {
            return Ok(None);
        };
        let notes = GameNotes::of_log(&log);
        let positions = notes.positions();
        let mated = (positions.last()).is_some_and(|last| last.board().status() == GameStatus::Won);
        // A log does not say how a game was lost.
        let finish = match result {
            1 => Finish::Won,
            0 => Finish::Drawn,
            _ if mated => Finish::Lost,
            _ => Finish::GivenUp,
        };
        let scheme = &model.scheme;
        let teaching = &self.settings.teaching;
        let study = teaching.study(scheme, &log.weights, &mut model.fast().eye(), &notes, finish);
        let (predicted, dropped) = (study.predicted, study.dropped);
        let thoughts = study.judged.into_iter();
        let thoughts = thoughts.map(|j| Thought::new(j, |c| scheme.column_name(c))).collect();
        let points = ["lost", "drawn", "won"][(result + 1).clamp(0, 2) as usize];
        let color = if log.own == Color::White { "white" } else { "black" };
        Ok(Some(Replayed {
            title: format!("game {number}: {points} as {color}"),
            info: format!(
                "{} plies; {predicted} replies foretold, {dropped} differences dropped.",
                notes.moves.len()
            ),
            start: notes.start,
            moves: notes.moves,
            thoughts,
        }))
    }
}

/// The page of a folder.
pub fn report(path: &Path) -> Result<Page, TaskError> {
    let folder = Folder::open(path)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut page = Page::new(format!("A chess player that learns: {name}"));
    let [won, drawn, lost] = folder.results()?;
    let learned = folder.student.learned;
    page.facts([
        ("Learned from", format!("{learned} games")),
        ("Results", format!("{won} won, {drawn} drawn, {lost} lost")),
        ("Types", folder.model.scheme.word()),
    ]);
    let scheme = &folder.model.scheme;
    let seen = folder.seen();
    if scheme.columns() > 1 {
        page.heading("Types");
        let games = |column: usize| seen[column].0.games;
        let title = |column: usize| scheme.column_name(column);
        tables::types(&mut page, &name, &seen, &title, &games, learned);
    }
    if !folder.numbers.is_empty() {
        page.heading("Games move by move");
        let mut games = Vec::new();
        for &number in folder.numbers.iter().rev().take(viewer::MOST) {
            games.extend(folder.replayed(number)?);
        }
        page.paragraph(&format!(
            "The newest {} of {} games that were learned from. What is told of them is worked out \
             again from their logs, which keep weights as whole hundredths of a pawn.",
            games.len(),
            folder.numbers.len()
        ));
        viewer::add(&mut page, &games, &viewer::values(&folder.settings.teaching.rule));
    }
    let kept = folder.kept();
    let each = kept.len().div_ceil(POINTS).max(1);
    let last = kept.len().saturating_sub(1);
    let mut models = Vec::new();
    for (place, &games) in kept.iter().enumerate() {
        if place % each == 0 || place == last {
            models.push((games, folder.at(games)?));
        }
    }
    page.heading("Weights");
    tables::weights(&mut page, &models, &seen, Scale::of([&folder.model]));
    page.script(replay::SCRIPT);
    Ok(page)
}

#[cfg(test)]
mod tests;
