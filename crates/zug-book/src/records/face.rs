//! How the command line and the page look positions up, for every game that can be written down.

use super::answer::answer;
use super::gather::{Shelf, gather};
use super::index::Index;
use super::{question, write};
use crate::graph::Book;
use crate::names::Names;
use crate::places::Places;
use crate::player::ShippedBook;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Instant, SystemTime};
use zug_core::{GameEntry, Progress, Record, StopFlag};
use zug_learn::explore::{AnyExplorer, ExploreOrder, IndexOrder, Part, Span, the_index};
use zug_learn::face::{Account, TaskError};

/// A file of names is no larger.
const MOST_NAMES: u64 = 16 << 20;

/// Opens the game again: its formats belong to its entry.
pub type Open = Box<dyn Fn() -> Result<GameEntry, String> + Send + Sync>;

/// Which file an index was read from: its path, when it was changed, its length.
type Stamp = (PathBuf, Option<SystemTime>, u64);

/// Looks positions of one game up in records.
pub struct RecordExplorer {
    open: Open,
    entry: OnceLock<GameEntry>,
    /// The index that was asked last.
    last: Mutex<Option<(Stamp, Arc<Index>)>>,
}

impl RecordExplorer {
    /// For the game that `open` opens.
    pub fn new(open: impl Fn() -> Result<GameEntry, String> + Send + Sync + 'static) -> Self {
        RecordExplorer { open: Box::new(open), entry: OnceLock::new(), last: Mutex::new(None) }
    }

    fn entry(&self) -> Result<&GameEntry, TaskError> {
        if let Some(known) = self.entry.get() {
            return Ok(known);
        }
        let opened = (self.open)().map_err(TaskError::Unfit)?;
        Ok(self.entry.get_or_init(|| opened))
    }

    /// The index, opened or found open.
    fn index_at(&self, path: &Path, entry: &GameEntry) -> Result<Arc<Index>, TaskError> {
        let about = fs::metadata(path).ok();
        let changed = about.as_ref().and_then(|m| m.modified().ok());
        let stamp = (path.to_path_buf(), changed, about.map_or(0, |m| m.len()));
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, index)) = &*last
            && *known == stamp
        {
            return Ok(Arc::clone(index));
        }
        let index = Arc::new(Index::open(path, entry)?);
        *last = Some((stamp, Arc::clone(&index)));
        Ok(index)
    }
}

impl AnyExplorer for RecordExplorer {
    fn explore(
        &self,
        order: &ExploreOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        let entry = self.entry()?;
        let game = entry.game.spec();
        if order.part != Part::Whole {
            return Err(TaskError::Unfit(format!("{game} is looked up by the whole board only")));
        }
        if order.exchange == Some(true) {
            let what = format!("{game} is looked up with the colours as they are");
            return Err(TaskError::Unfit(what));
        }
        sound(&order.span)?;
        let line = question::read(&order.query, entry).map_err(TaskError::Unfit)?;
        let began = Instant::now();
        let names = given_names(&order.names, entry)?;
        if let Some(path) = the_index(&order.data) {
            let index = self.index_at(path, entry)?;
            return answer(&index, &*line, order, &names, began, stop);
        }
        let shelf = gather(entry, &order.data, &order.span, progress, stop)?;
        let names = all_names(names, entry);
        let bytes = write::to_bytes(entry, &shelf, &names, stop)?;
        let told = passed_over(&shelf);
        let index = Index::from_bytes(bytes, entry)?;
        let mut account = answer(&index, &*line, order, &names, began, stop)?;
        let skipped = skipped(&shelf);
        account.figures.insert("source".into(), json!(sources(&order.data)));
        account.figures.insert("skipped".into(), skipped.0);
        account.figures.insert("faults".into(), skipped.1);
        account.text.push_str(&told);
        account.text.push_str(
            "An index answers at once: zug explore GAME --data FILES --build index.zug\n",
        );
        Ok(account)
    }

    fn index(
        &self,
        order: &IndexOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Account, TaskError> {
        if let Some(path) = the_index(&order.data) {
            let path = path.display();
            return Err(TaskError::Unfit(format!("{path}: this is an index; expected records")));
        }
        if order.size.is_some() {
            let what = "the size of the board is part of the game's name here: othello:6x6";
            return Err(TaskError::Unfit(what.to_string()));
        }
        sound(&order.span)?;
        let began = Instant::now();
        let entry = self.entry()?;
        let names = all_names(given_names(&order.names, entry)?, entry);
        let shelf = gather(entry, &order.data, &order.span, progress, stop)?;
        let lists =
            write::write(entry, &shelf, &names, &order.out, &order.command, progress, stop)?;
        let bytes = fs::metadata(&order.out).map_or(0, |m| m.len());
        let (games, plies, seconds) =
            (shelf.games.len(), shelf.plies(), began.elapsed().as_secs_f64());
        let skipped = skipped(&shelf);
        let mut figures = Map::new();
        for (key, value) in [
            ("games", json!(games)),
            ("files", json!(shelf.files)),
            ("moves", json!(plies)),
            ("positions", json!(lists.positions)),
            ("positions_shared", json!(lists.shared)),
            ("names", json!(names.len())),
            ("bytes", json!(bytes)),
            ("bytes_per_game", json!(per(bytes, games))),
            ("bytes_per_position", json!(per(bytes, lists.positions))),
            ("seconds", json!(seconds)),
            ("skipped", skipped.0),
            ("faults", skipped.1),
        ] {
            figures.insert(key.to_string(), value);
        }
        let text = format!(
            "{games} games with {plies} moves from {} files\n{}{:.1} MB: {:.0} bytes a game, {:.1} a \
             position; {} positions, {} of them in more than one game; {} names of openings; \
             {seconds:.1} s\n",
            shelf.files,
            passed_over(&shelf),
            bytes as f64 / 1e6,
            per(bytes, games),
            per(bytes, lists.positions),
            lists.positions,
            lists.shared,
            names.len(),
        );
        Ok(Account { text, figures, page: String::new() })
    }

    fn game(&self, index: &Path, number: u32) -> Result<Record, TaskError> {
        let entry = self.entry()?;
        self.index_at(index, entry)?.record(number)
    }
}

fn per(bytes: u64, of: usize) -> f64 {
    (bytes as f64 / of.max(1) as f64 * 100.0).round() / 100.0
}

fn sound(span: &Span) -> Result<(), TaskError> {
    match (span.from, span.until) {
        (Some(from), Some(until)) if from > until => {
            Err(TaskError::Unfit(format!("no year lies from {from} until {until}")))
        }
        _ => Ok(()),
    }
}

fn sources(data: &[PathBuf]) -> String {
    data.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn skipped(shelf: &Shelf) -> (Value, Value) {
    let reasons = shelf.skipped.reasons.iter();
    let reasons: Map<String, Value> =
        reasons.map(|(why, n)| ((*why).to_string(), json!(n))).collect();
    (Value::Object(reasons), json!(shelf.skipped.faults))
}

fn passed_over(shelf: &Shelf) -> String {
    if shelf.skipped.reasons.is_empty() {
        return String::new();
    }
    let mut text = format!("passed over: {}\n", shelf.skipped.told());
    for fault in shelf.skipped.faults.iter().take(5) {
        text.push_str(&format!("   {fault}\n"));
    }
    text
}

/// Names from files, and from all `.tsv` and `.txt` files of folders.
fn given_names(paths: &[PathBuf], entry: &GameEntry) -> Result<Names, TaskError> {
    let (places, mut names) = (Places::of(entry), Names::default());
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let inside = fs::read_dir(path).and_then(|all| all.map(|e| e.map(|e| e.path())).collect());
        let mut inside: Vec<PathBuf> = inside.map_err(|e| {
            TaskError::Unfit(format!("cannot read the folder {}: {e}", path.display()))
        })?;
        let ending = |p: &Path| p.extension().is_some_and(|e| e == "tsv" || e == "txt");
        inside.retain(|p| ending(p) && p.is_file());
        inside.sort();
        files.extend(inside);
    }
    for file in files {
        let text = zug_core::files::read_text(&file, MOST_NAMES).map_err(TaskError::below)?;
        let name = file.display().to_string();
        let read = Names::read(&text, &name, &*entry.game, &places).map_err(TaskError::below)?;
        names.merge(read);
    }
    Ok(names)
}

/// What was given goes before what comes with the program.
fn all_names(given: Names, entry: &GameEntry) -> Names {
    let shipped = entry.extension::<ShippedBook>();
    let book = shipped.and_then(|shipped| Book::from_bytes(shipped.0, None).ok());
    let mut names = book.map(|book| book.names).unwrap_or_default();
    names.merge(given);
    names
}
