//! Building a database in a folder: stage after stage, each safe on the disk before the next.
//!
//! A run that is stopped or killed loses the stage at hand and nothing else; the same order with
//! [`resume`](BuildOrder::resume) goes on behind the last finished stage, and the files come out
//! the same to the byte. What a run took is noted beside them, in `build.jsonl`.

use crate::cells::Cells;
use crate::database::Database;
use crate::solve::{
    DiskPlan, Metric, Settings, SolveError, Solved, Table, bytes_in_memory, feeding, solve_stage,
    solve_stage_on_disk,
};
use crate::space::{IndexError, Options, Space};
use crate::store::{FolderWriter, Measure, PlainCodes, Plan, StoreError};
use crate::thesis::{self, Algorithm, CacheSize, CachedFile, MemoryStore, ThesisError};
use crate::value::Code;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;
use zug_core::files::{FileError, FileLock, Journal, create_folder, is_held, read_journal};
use zug_core::usage::{peak_resident, process_seconds, resident};
use zug_core::{Indexed, Progress, StopFlag};

/// What the finished stages took.
const JOURNAL: &str = "build.jsonl";
/// Held by whoever builds here.
const LOCK: &str = ".lock";
/// Cells and messages of a stage that does not fit into memory.
const WORK: &str = ".work";
/// The row of values of a run with a cached file.
const ROW: &str = ".row.tmp";

/// What a build needs in any case, in bytes: the program, the tables of the index, and what the
/// coding of a file is fitted with. Less than this cannot be had.
pub const LEAST_MEMORY: u64 = 40 << 20;

/// Bytes for coding a file and for what nobody counts; bytes that a stage can be solved with in any
/// case; bytes for each thread.
const CODING: u64 = 14 << 20;
const LEAST_ROOM: u64 = 4 << 20;
const THREAD: u64 = 6 << 20;

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Messages between regions of cells, stage by stage.
    #[default]
    Fast,
    /// The basic algorithm of the thesis (§3.2), all stages at once.
    Basic,
    /// The thesis's algorithm with counters (§3.3), all stages at once.
    Counters,
}

impl Method {
    /// What to call it in a sentence.
    fn words(self) -> &'static str {
        match self {
            Method::Fast => "the fast method",
            Method::Basic => "the basic algorithm of the thesis",
            Method::Counters => "the counter algorithm of the thesis",
        }
    }
}

/// What shall be built, and how.
#[derive(Clone, Debug)]
pub struct BuildOrder {
    /// How positions are numbered.
    pub options: Options,
    /// What the values shall tell.
    pub measure: Measure,
    /// Store one side to move only, where a look one ply ahead gives the other.
    pub one_side: bool,
    /// Threads.
    pub threads: usize,
    /// How to solve.
    pub method: Method,
    /// With a method of the thesis: keep the values in a file, with a cache of so many percent of
    /// its size (chapter 5).
    pub cache_percent: Option<f64>,
    /// Bytes of memory that the program may have resident, though not fewer than `LEAST_MEMORY`;
    /// a stage that needs more is solved with its cells in files.
    pub memory: Option<u64>,
    /// Go on with what is in the folder.
    pub resume: bool,
    /// The command line, without what does not change the result.
    pub command: String,
}

/// A stage that was built, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageReport {
    /// Its name.
    pub stage: String,
    /// Its slots.
    pub slots: u64,
    /// Bytes of its file.
    pub stored: u64,
    /// Wall-clock seconds for solving.
    pub seconds: f64,
    /// Processor seconds for solving.
    pub cpu_seconds: f64,
    /// Seconds for writing.
    pub write_seconds: f64,
    /// The most memory that solving took for cells, messages and what is replayed, in bytes.
    pub peak_bytes: u64,
    /// The most memory that the whole program has had resident until the stage was written, in
    /// bytes, where the system tells.
    #[serde(default)]
    pub peak_resident: Option<u64>,
    /// Threads.
    pub threads: usize,
}

/// What a run has done.
#[derive(Clone, Debug)]
pub struct Built {
    /// The stages that were built by this run.
    pub stages: Vec<StageReport>,
    /// The stages that were there before.
    pub found: usize,
    /// All slots.
    pub slots: u64,
    /// Bytes of all stage files.
    pub stored: u64,
}

/// Why a database was not finished.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Somebody asked to stop.
    #[error("stopped with {finished} of {stages} stages finished")]
    Stopped {
        /// Finished stages.
        finished: usize,
        /// All stages.
        stages: usize,
    },
    /// There is something in the folder.
    #[error("{} is not empty; go on with --resume if this is a database, or choose another folder", .0.display())]
    NotEmpty(PathBuf),
    /// There is a file of this name.
    #[error("{} is a file; a database is a folder", .0.display())]
    NotAFolder(PathBuf),
    /// There is something else in the folder.
    #[error("{} holds other files and no database to resume", .0.display())]
    NotADatabase(PathBuf),
    /// The method cannot measure this.
    #[error("{} knows the distance to the end of the game only, and win/draw/loss made of it", .0.words())]
    Metric(Method),
    /// The game cannot be numbered.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Solving failed.
    #[error("stage {stage}: {error}")]
    Solve {
        /// Where.
        stage: String,
        /// Why.
        error: SolveError,
    },
    /// A method of the thesis failed.
    #[error(transparent)]
    Thesis(#[from] ThesisError),
    /// The files could not be written, or not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What the stages of a finished or unfinished database took, as far as it was noted.
pub fn stage_reports(folder: &Path) -> Result<Vec<StageReport>, FileError> {
    let path = folder.join(JOURNAL);
    if !path.exists() {
        return Ok(Vec::new());
    }
    Ok(read_journal(&path)?.entries)
}

/// Bytes of memory that stages can be solved with.
struct Room(u64);

impl Room {
    /// What is left of an allowance by a program that takes so many bytes already.
    fn new(memory: u64, taken: u64) -> Room {
        Room(memory.max(LEAST_MEMORY).saturating_sub(taken + CODING).max(LEAST_ROOM))
    }

    /// As many of some threads as there is memory for.
    fn threads(&self, wanted: usize) -> usize {
        wanted.min(usize::try_from(self.0 / THREAD).unwrap_or(usize::MAX)).max(1)
    }

    /// The part for messages.
    fn mail(&self) -> u64 {
        self.0 / 8
    }
}

/// Passes on what a stage reports, as a part of the whole.
struct StageProgress<'a> {
    whole: &'a dyn Progress,
    name: &'a str,
}

impl Progress for StageProgress<'_> {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, units: u64) {
        self.whole.advance(units);
    }
    fn message(&self, text: &str) {
        self.whole.message(&format!("{}: {text}", self.name));
    }
    fn finish(&self) {}
}

/// Is there anything in this folder that does not come from an earlier run?
fn look_at(folder: &Path, resume: bool) -> Result<(), BuildError> {
    if folder.exists() && !folder.is_dir() {
        return Err(BuildError::NotAFolder(folder.to_path_buf()));
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    if names.is_empty() || names.iter().any(|n| n == crate::store::manifest::MANIFEST) && resume {
        return Ok(());
    }
    // A run that was killed at its very beginning has left a lock and nothing else.
    let ours = |name: &std::ffi::OsString| {
        let name = name.to_string_lossy();
        name == LOCK || name == ROW || name == WORK || name == JOURNAL || name.ends_with(".tmp")
    };
    match (resume, names.iter().all(ours)) {
        (true, true) => Ok(()),
        (true, false) => Err(BuildError::NotADatabase(folder.to_path_buf())),
        (false, _) => Err(BuildError::NotEmpty(folder.to_path_buf())),
    }
}

pub(super) fn build<G: Indexed, C: Cells>(
    game: &G,
    make: impl Fn(&G, Options) -> Result<C, IndexError>,
    folder: &Path,
    order: &BuildOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Built, BuildError> {
    if order.method != Method::Fast && order.measure == Measure::Dtc {
        return Err(BuildError::Metric(order.method));
    }
    let cells = make(game, order.options)?;
    let space = Space::new(&game.layout(), order.options)?;
    let lock = folder.join(LOCK);
    if is_held(&lock) {
        // Said by whom, before it is said that the folder is not empty.
        drop(FileLock::take(&lock)?);
    }
    look_at(folder, order.resume)?;
    create_folder(folder)?;
    let _lock = FileLock::take(&lock)?;
    let plan = Plan {
        game: game.spec(),
        options: order.options,
        metric: order.measure,
        command: Some(order.command.clone()),
    };
    // What a killed run has left there is of no use.
    let _ = std::fs::remove_dir_all(folder.join(WORK));
    let mut writer = FolderWriter::resume(folder, &plan, &space)?;
    writer.set_one_side(order.one_side)?;
    let journal = Journal::open(&folder.join(JOURNAL))?;
    progress.set_length(Some(space.size()));
    let taken = resident().unwrap_or(LEAST_MEMORY / 2);
    let memory = order.memory.map(|memory| Room::new(memory, taken));
    let threads = memory.as_ref().map_or(order.threads, |room| room.threads(order.threads));
    writer.work_with(threads, stop);
    let mut run =
        Run { game, cells, space, folder, order, threads, memory, progress, stop, writer, journal };
    let built = match order.method {
        Method::Fast => run.fast(),
        Method::Basic => run.thesis(Algorithm::Basic),
        Method::Counters => run.thesis(Algorithm::Counters),
    };
    progress.finish();
    drop(run);
    let _ = std::fs::remove_dir_all(folder.join(WORK));
    built
}

/// A run at work.
struct Run<'a, G: Indexed, C> {
    game: &'a G,
    cells: C,
    space: Space,
    folder: &'a Path,
    order: &'a BuildOrder,
    threads: usize,
    memory: Option<Room>,
    progress: &'a dyn Progress,
    stop: &'a StopFlag,
    writer: FolderWriter,
    journal: Journal,
}

impl<G: Indexed, C: Cells> Run<'_, G, C> {
    fn fast(&mut self) -> Result<Built, BuildError> {
        let layout = self.game.layout();
        let stages = self.space.stages().to_vec();
        let sources: Vec<Vec<usize>> =
            (0..stages.len()).map(|stage| feeding(&layout, &self.space, stage)).collect();
        let mut tables: Vec<Option<Table>> = stages.iter().map(|_| None).collect();
        let (mut built, mut found) = (Vec::new(), 0);
        for (number, stage) in stages.iter().enumerate() {
            let name = stage.stage.name.as_str();
            let slots = stage.slots.end - stage.slots.start;
            if self.writer.finished(stage).is_some() {
                self.progress.advance(slots);
                found += 1;
                continue;
            }
            self.heed(built.len() + found)?;
            for &source in &sources[number] {
                if tables[source].is_none() {
                    self.progress
                        .message(&format!("{name}: reading {}", stages[source].stage.name));
                    let table = self.read(source).map_err(|error| match self.stop.is_set() {
                        true => self.stopped(built.len() + found),
                        false => error,
                    })?;
                    tables[source] = Some(table);
                }
            }
            let feeding: Vec<&Table> =
                sources[number].iter().filter_map(|&s| tables[s].as_ref()).collect();
            let failed = |error: SolveError| match error {
                SolveError::Stopped => self.stopped(built.len() + found),
                error => BuildError::Solve { stage: name.to_string(), error },
            };
            let solved = self.solve(number, name, &feeding).map_err(failed)?;
            self.progress.message(&format!("{name}: writing"));
            let begun = Instant::now();
            let added = self.writer.add(&self.space, stage, &solved.table).map(|entry| entry.bytes);
            let stored = match added {
                Err(_) if self.stop.is_set() => return Err(self.stopped(built.len() + found)),
                added => added?,
            };
            if let Err(error) = solved.table.check() {
                self.withdraw(name)?;
                return Err(BuildError::Solve { stage: name.to_string(), error });
            }
            let report = StageReport {
                stage: name.to_string(),
                slots,
                stored,
                seconds: solved.figures.seconds,
                cpu_seconds: solved.figures.cpu_seconds,
                write_seconds: begun.elapsed().as_secs_f64(),
                peak_bytes: solved.figures.peak_bytes,
                peak_resident: peak_resident(),
                threads: self.threads,
            };
            self.journal.append(&report)?;
            built.push(report);
            tables[number] = Some(match self.memory {
                None => solved.table,
                Some(_) => {
                    let spilled = solved.table.spill(&self.work(&format!("{number}.cells"))?);
                    spilled.map_err(|error| BuildError::Solve { stage: name.to_string(), error })?
                }
            });
            let later = &sources[number + 1..];
            for (number, table) in tables.iter_mut().enumerate() {
                if !later.iter().any(|sources| sources.contains(&number)) {
                    *table = None;
                }
                table.iter().for_each(Table::forget);
            }
        }
        Ok(self.done(built, found))
    }

    /// Solves a stage in memory, or in files if it would not fit.
    fn solve(&self, number: usize, name: &str, feeding: &[&Table]) -> Result<Solved, SolveError> {
        let settings = Settings {
            threads: self.threads,
            metric: match self.order.measure {
                Measure::Dtc => Metric::Conversion,
                Measure::Dtm | Measure::Wdl => Metric::Mate,
            },
            ..Settings::default()
        };
        let progress = StageProgress { whole: self.progress, name };
        let slots = self.space.stages()[number].slots.clone();
        let Some(room) = &self.memory else {
            return solve_stage(&self.cells, slots, feeding, &settings, &progress, self.stop);
        };
        let settings = Settings { mail: Some(room.mail()), ..settings };
        if self.needed(&slots, feeding) + room.mail() <= room.0 {
            return solve_stage(&self.cells, slots, feeding, &settings, &progress, self.stop);
        }
        let plan =
            DiskPlan { folder: self.folder.join(WORK).join(number.to_string()), memory: room.0 };
        let (cells, stop) = (&self.cells, self.stop);
        solve_stage_on_disk(cells, slots, feeding, &settings, &plan, &progress, stop)
    }

    /// Bytes that solving a stage in memory takes at most, without messages.
    fn needed(&self, slots: &Range<u64>, feeding: &[&Table]) -> u64 {
        let (runs, stages) = (self.cells.ahead_within(slots), self.space.stages());
        let decided = |table: &&Table| {
            let stage = &stages[self.space.stage_of(table.range().start)];
            self.writer.finished(stage).map_or(0, |entry| entry.counts.won + entry.counts.lost)
        };
        let cells = slots.end - slots.start;
        let ahead: u64 = runs.iter().map(|run| run.end - run.start).sum();
        // Cells become two bytes wide while the narrow ones are still there. A replayed cell takes
        // four bytes, a fact about moves ahead eight, in lists that grow by doubling.
        bytes_in_memory(cells)
            + 2 * cells
            + 4 * feeding.iter().map(decided).sum::<u64>()
            + 24 * ahead
    }

    /// A path in the folder for working files.
    fn work(&self, name: &str) -> Result<PathBuf, FileError> {
        let folder = self.folder.join(WORK);
        create_folder(&folder)?;
        Ok(folder.join(name))
    }

    /// A finished stage, from its file.
    fn read(&self, stage: usize) -> Result<Table, BuildError> {
        let Some(room) = &self.memory else {
            return Ok(Database::open(self.folder, self.game)?.table(
                &self.cells,
                stage,
                self.stop,
            )?);
        };
        let half = room.0 / 2;
        let cache = usize::try_from(half).unwrap_or(usize::MAX);
        let database = Database::open_with(self.folder, self.game, cache)?;
        let path = self.work(&format!("{stage}.cells"))?;
        Ok(database.table_in_file(&self.cells, stage, &path, half, self.stop)?)
    }

    /// Takes a stage back that was written from cells which could not be read.
    fn withdraw(&self, name: &str) -> Result<(), StoreError> {
        let mut manifest = self.writer.manifest().clone();
        manifest.stages.retain(|stage| stage.name != name);
        manifest.write(self.folder)
    }

    fn thesis(&mut self, algorithm: Algorithm) -> Result<Built, BuildError> {
        let stages = self.space.stages().to_vec();
        let found = stages.iter().filter(|s| self.writer.finished(s).is_some()).count();
        if found == stages.len() {
            return Ok(self.done(Vec::new(), found));
        }
        let size = self.space.size();
        let settings = thesis::Settings { algorithm, ..thesis::Settings::default() };
        let progress = StageProgress { whole: self.progress, name: "all stages" };
        let (begun, cpu) = (Instant::now(), process_seconds());
        let row = self.folder.join(ROW);
        let mut built = Vec::new();
        let peak;
        let mut codes: Box<dyn FnMut(u64) -> Result<Code, ThesisError>> =
            match self.order.cache_percent {
                None => {
                    let store = MemoryStore::new(size, 1);
                    let solved = thesis::solve(&self.cells, store, &settings, &progress, self.stop);
                    let mut solved = self.unless_stopped(solved, found)?;
                    peak = size * u64::from(solved.figures().width);
                    Box::new(move |slot| solved.code(slot))
                }
                Some(percent) => {
                    // What a killed run has left is of no use.
                    let _ = std::fs::remove_file(&row);
                    let cache = CacheSize::percent(size, 1, percent);
                    peak = cache.bytes() as u64;
                    let store = CachedFile::create(&row, size, 1, cache)?;
                    let solved = thesis::solve(&self.cells, store, &settings, &progress, self.stop);
                    let mut solved = self.unless_stopped(solved, found)?;
                    Box::new(move |slot| solved.code(slot))
                }
            };
        let (seconds, cpu) = (begun.elapsed().as_secs_f64(), process_seconds() - cpu);
        for stage in &stages {
            if self.writer.finished(stage).is_some() {
                continue;
            }
            self.heed(built.len() + found)?;
            let values: Result<Vec<Code>, ThesisError> =
                stage.slots.clone().map(&mut codes).collect();
            let values = PlainCodes { first: stage.slots.start, codes: values? };
            let writing = Instant::now();
            let entry = self.writer.add(&self.space, stage, &values)?;
            let slots = stage.slots.end - stage.slots.start;
            let share = slots as f64 / size.max(1) as f64;
            let report = StageReport {
                stage: stage.stage.name.clone(),
                slots,
                stored: entry.bytes,
                seconds: seconds * share,
                cpu_seconds: cpu * share,
                write_seconds: writing.elapsed().as_secs_f64(),
                peak_bytes: peak,
                peak_resident: peak_resident(),
                threads: 1,
            };
            self.journal.append(&report)?;
            built.push(report);
        }
        Ok(self.done(built, found))
    }

    fn unless_stopped<T>(
        &self,
        solved: Result<T, ThesisError>,
        finished: usize,
    ) -> Result<T, BuildError> {
        solved.map_err(|error| match error {
            ThesisError::Stopped => self.stopped(finished),
            error => error.into(),
        })
    }

    fn stopped(&self, finished: usize) -> BuildError {
        BuildError::Stopped { finished, stages: self.space.stages().len() }
    }

    fn heed(&self, finished: usize) -> Result<(), BuildError> {
        if self.stop.is_set() { Err(self.stopped(finished)) } else { Ok(()) }
    }

    fn done(&self, stages: Vec<StageReport>, found: usize) -> Built {
        let stored = self.writer.manifest().stages.iter().map(|s| s.bytes).sum();
        Built { stages, found, slots: self.space.size(), stored }
    }
}
