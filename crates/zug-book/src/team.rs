//! How is the expensive work on a book divided among threads, and resumed after it was broken off?
//!
//! All expensive work is one of three kinds: to search the alternative of a position, to solve a
//! late position, to play a game. Each is done by one thread with one player that has forgotten
//! everything before it, so that what is found does not depend on how the work was divided. (With
//! limits by time it depends on the machine; limits by depth or nodes give the same book anywhere.)
//!
//! What was found goes to a journal at once. The same work begun again with that journal does only
//! what is missing, and ends with the same bytes.

use crate::judge::{Ends, Judge, JudgeError, proof};
use crate::{Alternative, Book, Chance, End, Leaf, Places};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use zug_core::exact::ExactSearch;
use zug_core::files::{FileError, SealedJournal, begins_with};
use zug_core::{
    AnyLine, GameEntry, Info, Limits, Player, PlayerError, Progress, Spec, StopFlag, TextError,
    Watch,
};

/// Why the work could not be done.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The player that is to judge cannot be made.
    #[error("the player '{spec}': {error}")]
    Make {
        /// As it was asked for.
        spec: String,
        /// Why.
        error: TextError,
    },
    /// It cannot judge.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The journal.
    #[error(transparent)]
    File(#[from] FileError),
    /// The journal belongs to other work.
    #[error("{}: this journal belongs to other work ({found}); remove it, or repeat that command", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it was for.
        found: String,
    },
    /// There is one, and nobody has said what is to become of it.
    #[error(
        "{}: this is the work of an interrupted process: --resume goes on with it, --force begins \
         again",
        .0.display()
    )]
    Unfinished(PathBuf),
    /// A thread broke down.
    #[error("a thread that judged the book broke down")]
    Panicked,
    /// The book.
    #[error(transparent)]
    Book(#[from] crate::BookError),
}

/// Who works, how hard, and who watches.
pub struct Team<'a> {
    /// The game.
    pub entry: &'a GameEntry,
    /// Who searches and plays.
    pub player: Spec,
    /// Limits of each search.
    pub limits: Limits,
    /// Positions of at most so many empty squares are solved, where the game can be; 0 for none.
    pub exact: u32,
    /// Threads.
    pub threads: usize,
    /// Hears how far the work is.
    pub progress: &'a dyn Progress,
    /// Asks it to stop.
    pub stop: &'a StopFlag,
}

/// A piece of work.
#[derive(Clone, Debug)]
pub enum Task {
    /// Search the alternative of this place.
    Alternative(u64),
    /// Solve this place.
    Solve(u64),
    /// Play on from the end of this line of moves from a start position (empty for the game's own).
    Play {
        /// The position in notation, empty for the usual one.
        start: String,
        /// What was played already.
        moves: Vec<String>,
    },
}

/// What came of a piece of work.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// The alternative, or that there is none.
    Alternative(Option<Alternative>),
    /// The exact result.
    Result(Leaf),
    /// A game: all its moves, how many of them count, and the result after them; none for a game
    /// that was too long.
    Game {
        /// All moves.
        moves: Vec<String>,
        /// How many count.
        plies: usize,
        /// The result after them for the mover there.
        leaf: Option<Leaf>,
    },
}

/// Games that are longer are broken off.
const LONGEST_GAME: usize = 400;

impl Team<'_> {
    /// What a journal must have been kept for: the judge, and the book or the records.
    #[must_use]
    pub fn describe(&self, work: &str) -> String {
        format!(
            "{work}; {} by {} with {:?}, exact from {}",
            self.entry.game.spec(),
            self.player,
            (self.limits.depth, self.limits.nodes, self.limits.movetime),
            self.exact
        )
    }

    /// How a game can be solved, if it can and is wanted.
    #[must_use]
    pub fn exact_search(&self) -> Option<&ExactSearch> {
        self.entry.extension::<ExactSearch>().filter(|_| self.exact > 0)
    }

    /// Does all tasks, in any order; the results are in the order of the tasks. `None` when it was
    /// stopped: what was done is in the journal.
    pub fn work(
        &self,
        book: &Book,
        places: &Places,
        round: u64,
        tasks: &[Task],
        diary: &mut Diary,
    ) -> Result<Option<Vec<Found>>, WorkError> {
        let mut found: Vec<Option<Found>> =
            (0..tasks.len()).map(|i| diary.known.remove(&(round, i as u64))).collect();
        let todo: Vec<usize> = (0..tasks.len()).filter(|&i| found[i].is_none()).collect();
        self.progress.set_length(Some(tasks.len() as u64));
        self.progress.advance((tasks.len() - todo.len()) as u64);
        let next = AtomicUsize::new(0);
        let threads = self.threads.clamp(1, todo.len().max(1));
        let (sender, receiver) = channel();
        let worked = std::thread::scope(|scope| {
            for _ in 0..threads.min(todo.len()) {
                let sender = sender.clone();
                scope.spawn(|| self.worker(book, places, tasks, &todo, &next, sender));
            }
            drop(sender);
            let mut batch = Vec::new();
            let mut kept = Instant::now();
            let mut result = Ok(());
            loop {
                match receiver.recv_timeout(KEEP_EVERY) {
                    Ok(Ok((i, done))) => {
                        self.progress.advance(1);
                        batch.push((i as u64, done.clone()));
                        found[i] = Some(done);
                    }
                    Ok(Err(error)) => {
                        result = Err(error);
                        // The others end after the task at hand.
                        next.store(usize::MAX / 2, Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if kept.elapsed() >= KEEP_EVERY {
                    diary.keep(round, &mut batch)?;
                    kept = Instant::now();
                }
            }
            diary.keep(round, &mut batch)?;
            result
        });
        worked?;
        let whole: Option<Vec<Found>> = found.into_iter().collect();
        if whole.is_none() && !self.stop.is_set() {
            return Err(WorkError::Panicked);
        }
        Ok(whole)
    }

    fn worker(
        &self,
        book: &Book,
        places: &Places,
        tasks: &[Task],
        todo: &[usize],
        next: &AtomicUsize,
        sender: Sender<Result<(usize, Found), WorkError>>,
    ) {
        let mut worker = match self.make_worker() {
            Ok(worker) => worker,
            Err(error) => {
                let _ = sender.send(Err(error));
                return;
            }
        };
        while !self.stop.is_set() {
            let Some(&i) = todo.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let done = match self.perform(&mut worker, book, places, &tasks[i]) {
                Ok(Some(found)) => Ok((i, found)),
                Ok(None) => return,
                Err(error) => Err(error),
            };
            if sender.send(done).is_err() {
                return;
            }
        }
    }

    fn make_worker(&self) -> Result<Worker, WorkError> {
        let player = self
            .entry
            .player(&self.player)
            .map_err(|error| WorkError::Make { spec: self.player.to_string(), error })?;
        let ends = self.exact_search().map(|e| Ends::new(e, self.exact, EXACT_MIB)).transpose()?;
        Ok(Worker { player, ends })
    }

    fn perform(
        &self,
        worker: &mut Worker,
        book: &Book,
        places: &Places,
        task: &Task,
    ) -> Result<Option<Found>, WorkError> {
        let game = &*self.entry.game;
        match task {
            Task::Alternative(key) => {
                let Some(line) = book.line_to(game, places, *key) else {
                    return Ok(Some(Found::Alternative(None)));
                };
                worker.player.new_game(&*line).map_err(JudgeError::from)?;
                let mut judge = Judge {
                    player: &mut *worker.player,
                    limits: self.limits.clone(),
                    stop: self.stop.clone(),
                };
                let found = judge.alternative(book, places, &*line)?;
                Ok((!self.stop.is_set()).then_some(Found::Alternative(found)))
            }
            Task::Solve(key) => {
                let line = book.line_to(game, places, *key);
                let (Some(line), Some(ends)) = (line, &mut worker.ends) else {
                    return Ok(Some(Found::Alternative(None)));
                };
                Ok(ends.solve(&*line, self.stop)?.map(Found::Result))
            }
            Task::Play { start, moves } => {
                let begin =
                    if start.is_empty() { Ok(game.new_line()) } else { game.line_from(start) };
                let mut line = begin.map_err(|e| unplayable(&e))?;
                for mv in moves {
                    line.play(mv).map_err(|e| unplayable(&e))?;
                }
                self.play(worker, line)
            }
        }
    }

    /// Plays a game to its end, or to the first position whose result is proven.
    fn play(
        &self,
        worker: &mut Worker,
        mut line: Box<dyn AnyLine>,
    ) -> Result<Option<Found>, WorkError> {
        worker.player.new_game(&*line).map_err(JudgeError::from)?;
        let mut leaf = None;
        while line.ply() < LONGEST_GAME {
            if let Some(outcome) = line.outcome() {
                leaf = Some(Leaf::of_outcome(&outcome, line.to_move(), true));
                break;
            }
            if let Some(ends) = &mut worker.ends
                && ends.cut(&*line, line.ply()).is_some()
            {
                match ends.solve(&*line, self.stop)? {
                    None => return Ok(None),
                    solved => leaf = solved,
                }
                break;
            }
            if self.stop.is_set() {
                return Ok(None);
            }
            let mut ignore = |_: &Info| {};
            let mut watch = Watch::new(self.stop.shared(), &mut ignore);
            let choice = worker.player.choose(&*line, &self.limits, &mut watch);
            if self.stop.is_set() {
                // A move that was chosen in haste would be another book.
                return Ok(None);
            }
            let choice = choice.map_err(JudgeError::from)?;
            leaf = choice.info.as_ref().and_then(proof);
            if leaf.is_some() {
                break;
            }
            line.play(&choice.mv)
                .map_err(|e| JudgeError::Player(PlayerError::Illegal(e.to_string())))?;
        }
        Ok(Some(Found::Game { plies: line.ply(), moves: line.moves(), leaf }))
    }
}

fn unplayable(error: &TextError) -> JudgeError {
    JudgeError::Player(PlayerError::Unsupported(error.to_string()))
}

/// The table of an exact search, in MiB: one for each thread.
const EXACT_MIB: usize = 16;

/// How often what was found is put on the disk.
const KEEP_EVERY: Duration = Duration::from_millis(500);

/// What a thread has.
struct Worker {
    player: Box<dyn Player>,
    ends: Option<Ends>,
}

/// The journal of some work, and what it held when it was opened.
#[derive(Default)]
pub struct Diary {
    journal: Option<SealedJournal>,
    known: HashMap<(u64, u64), Found>,
}

impl Diary {
    /// Nothing is kept.
    #[must_use]
    pub fn none() -> Diary {
        Diary::default()
    }

    /// Opens the journal of the work of this description. What is in it is used again if that is
    /// wanted, and given up if that is; else it is an error that it is there.
    pub fn open(
        path: &Path,
        description: &str,
        resume: bool,
        replace: bool,
    ) -> Result<Diary, WorkError> {
        if !resume && begins_with(path, BEGINNING)? {
            if !replace {
                return Err(WorkError::Unfinished(path.to_path_buf()));
            }
            std::fs::remove_file(path).map_err(FileError::io("remove", path))?;
        }
        let (mut journal, held) = SealedJournal::open::<Line>(path, BEGINNING)?;
        let mut known = HashMap::new();
        let mut begun = false;
        for line in held.entries {
            match line {
                Line::Work(found) if found == description => begun = true,
                Line::Work(found) => {
                    return Err(WorkError::Other { path: path.to_path_buf(), found });
                }
                Line::Found(round, all) => {
                    for (i, written) in all {
                        known.insert((round, i), written.into());
                    }
                }
            }
        }
        if !begun {
            journal.append(&Line::Work(description.to_string()))?;
        }
        Ok(Diary { journal: Some(journal), known })
    }

    /// How many results an earlier sitting has left.
    #[must_use]
    pub fn known(&self) -> usize {
        self.known.len()
    }

    fn keep(&mut self, round: u64, batch: &mut Vec<(u64, Found)>) -> Result<(), WorkError> {
        if let Some(journal) = self.journal.as_mut().filter(|_| !batch.is_empty()) {
            let all = batch.iter().map(|(i, found)| (*i, Written::from(found.clone()))).collect();
            journal.append(&Line::Found(round, all))?;
        }
        batch.clear();
        Ok(())
    }
}

/// How a journal begins.
const BEGINNING: &str = "{\"work\":";

/// A line of the journal.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Work(String),
    Found(u64, Vec<(u64, Written)>),
}

/// What was found, as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    None,
    /// Move, place, value, depth.
    Alternative(String, u64, Value, u32),
    Result(i32, bool),
    Game(Vec<String>, usize, Option<(i32, bool)>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Value {
    Lost(bool, u32, u32),
    Estimate(i32),
    Won(bool, u32, u32),
}

impl std::convert::From<Found> for Written {
    fn from(found: Found) -> Written {
        match found {
            Found::Alternative(None) => Written::None,
            Found::Alternative(Some(a)) => {
                let value = match a.value {
                    Chance::Lost(e) => Value::Lost(e.proven, e.margin, e.ply),
                    Chance::Estimate(hundredths) => Value::Estimate(hundredths),
                    Chance::Won(e) => Value::Won(e.proven, e.margin, e.ply),
                };
                Written::Alternative(a.mv, a.key, value, a.depth)
            }
            Found::Result(leaf) => Written::Result(leaf.value, leaf.exact),
            Found::Game { moves, plies, leaf } => {
                Written::Game(moves, plies, leaf.map(|l| (l.value, l.exact)))
            }
        }
    }
}

impl std::convert::From<Written> for Found {
    fn from(written: Written) -> Found {
        match written {
            Written::None => Found::Alternative(None),
            Written::Alternative(mv, key, value, depth) => {
                let value = match value {
                    Value::Lost(proven, margin, ply) => Chance::Lost(End { proven, margin, ply }),
                    Value::Estimate(hundredths) => Chance::Estimate(hundredths),
                    Value::Won(proven, margin, ply) => Chance::Won(End { proven, margin, ply }),
                };
                Found::Alternative(Some(Alternative { mv, key, value, depth }))
            }
            Written::Result(value, exact) => Found::Result(Leaf { value, exact }),
            Written::Game(moves, plies, leaf) => {
                Found::Game { moves, plies, leaf: leaf.map(|(value, exact)| Leaf { value, exact }) }
            }
        }
    }
}
