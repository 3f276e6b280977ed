//! The two algorithms of chapter 3, level by level.

use super::coding::{Coding, Ends, State};
use super::store::{Store, Traffic};
use crate::cells::{Cells, Content};
use crate::value::{Code, Value};
use std::ops::Range;
use std::time::Instant;
use zug_core::files::FileError;
use zug_core::{Progress, StopFlag};

/// Cells between two looks at the stop flag.
const BREATH: u64 = 1 << 12;

/// Which of the two algorithms of the thesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Loss backup and win backup, each with a scan (§3.2).
    Basic,
    /// One scan for both, with counters of unresolved successors (§3.3).
    #[default]
    Counters,
}

/// How to solve.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Give up when one byte a cell is not enough, as the thesis does, instead of going on with
    /// two.
    pub no_widening: bool,
}

/// Why a game could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum ThesisError {
    /// Distances and counters have met.
    #[error(
        "one byte a value is not enough: {next}, while distances go up to {plies} and \
         {remaining} successors of one position are unresolved; take two bytes"
    )]
    Collision {
        /// What was to be stored.
        next: String,
        /// The longest distance so far.
        plies: u32,
        /// The largest counter so far.
        remaining: u32,
    },
    /// Not even two bytes can hold the distances.
    #[error("the game is longer than two bytes a value can tell")]
    TooLong,
    /// The row has another length than the game.
    #[error("the store has {found} cells, the game {expected}")]
    Length {
        /// Cells of the game.
        expected: u64,
        /// Cells of the store.
        found: u64,
    },
    /// A game that ends with a distance to go.
    #[error("cell {cell} has ended but is not lost, won or drawn in 0 plies")]
    Ended {
        /// The cell.
        cell: u64,
    },
    /// The store failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The stop flag was set.
    #[error("stopped before the end")]
    Stopped,
}

/// What it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Scans over all cells after initialisation.
    pub scans: u32,
    /// The longest distance, in plies.
    pub longest: u32,
    /// Reads, writes, cache misses.
    pub traffic: Traffic,
    /// Bytes a cell at the end.
    pub width: u8,
    /// Did one byte turn out to be too little?
    pub widened: bool,
    /// Wall time.
    pub seconds: f64,
}

/// A solved game.
#[derive(Debug)]
pub struct Solved<S> {
    store: S,
    coding: Coding,
    figures: Figures,
}

impl<S: Store> Solved<S> {
    /// What a cell holds.
    pub fn code(&mut self, cell: u64) -> Result<Code, ThesisError> {
        Ok(self.coding.decode(self.store.get(cell)?).finished())
    }

    /// What all cells hold, in their order.
    pub fn codes(mut self) -> Result<Vec<Code>, ThesisError> {
        (0..self.store.len()).map(|cell| self.code(cell)).collect()
    }

    /// What it took.
    #[must_use]
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Which terminal positions the game has.
    #[must_use]
    pub fn ends(&self) -> Ends {
        self.coding.ends
    }

    /// The row of numbers.
    #[must_use]
    pub fn into_store(self) -> S {
        self.store
    }
}

/// Solves all cells of a game together. The store is overwritten.
pub fn solve<C: Cells, S: Store>(
    cells: &C,
    store: S,
    settings: &Settings,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Solved<S>, ThesisError> {
    let begun = Instant::now();
    if store.len() != cells.size() {
        return Err(ThesisError::Length { expected: cells.size(), found: store.len() });
    }
    progress.set_length(None);
    let (width, all) = (store.width(), 0..cells.size());
    let mut work = Work {
        cells,
        coding: Coding::new(Ends::Both, width),
        store,
        settings,
        stop,
        scratch: cells.scratch(),
        lists: Vec::new(),
        all,
        deepest: [None; 2],
        scans: 0,
    };
    progress.message("initialisation");
    work.initialise()?;
    match settings.algorithm {
        Algorithm::Basic => work.basic(progress)?,
        Algorithm::Counters => work.counters(progress)?,
    }
    work.store.flush()?;
    progress.finish();
    let figures = Figures {
        scans: work.scans,
        longest: work.deepest.into_iter().flatten().max().unwrap_or(0),
        traffic: work.store.traffic(),
        width: work.store.width(),
        widened: work.store.width() != width,
        seconds: begun.elapsed().as_secs_f64(),
    };
    Ok(Solved { store: work.store, coding: work.coding, figures })
}

struct Work<'a, C: Cells, S> {
    cells: &'a C,
    store: S,
    coding: Coding,
    settings: &'a Settings,
    stop: &'a StopFlag,
    scratch: C::Scratch,
    /// Spare lists of cells, so that none is made anew for each position.
    lists: Vec<Vec<u64>>,
    all: Range<u64>,
    /// The longest distance of a loss and of a win so far.
    deepest: [Option<u32>; 2],
    scans: u32,
}

impl<C: Cells, S: Store> Work<'_, C, S> {
    /// Marks what has no position and what has ended; nothing is known of the rest. Terminal draws
    /// need no mark: nothing leads from them to anything, so nothing will ever be known.
    fn initialise(&mut self) -> Result<(), ThesisError> {
        for cell in self.all.clone() {
            self.breathe(cell)?;
            let state = match self.cells.content(cell, &mut self.scratch) {
                Content::Illegal => State::Illegal,
                Content::Duplicate => State::Duplicate,
                Content::Ended(Value::Loss(0)) => State::Value { won: false, plies: 0 },
                Content::Ended(Value::Win(0)) => State::Value { won: true, plies: 0 },
                Content::Ended(Value::Draw) | Content::Open => State::Unknown,
                Content::Ended(_) => return Err(ThesisError::Ended { cell }),
            };
            self.set(cell, state)?;
        }
        // Whether parity alone can tell who wins is known only now. Lost in 0 has the same number
        // in any case; won in 0 has not.
        let ends = Ends::of(self.deepest[0].is_some(), self.deepest[1].is_some());
        let both = self.coding;
        self.coding = Coding::new(ends, self.store.width());
        if ends == Ends::LastMoverLoses {
            for cell in self.all.clone() {
                let state = both.decode(self.store.get(cell)?);
                if let State::Value { .. } = state {
                    self.set(cell, state)?;
                }
            }
        } else {
            self.coding.admit(both);
        }
        Ok(())
    }

    /// §3.2. Level n looks for what is lost (loss backup) or won (win backup) in n; an iteration
    /// of the thesis is two levels. It ends when a level has brought nothing new.
    fn basic(&mut self, progress: &dyn Progress) -> Result<(), ThesisError> {
        let mut level = 0;
        while self.deepest.iter().flatten().any(|&deepest| deepest >= level) {
            progress.message(&format!("distance {level}"));
            self.scans += 1;
            for cell in self.all.clone() {
                self.breathe(cell)?;
                match self.get(cell)? {
                    State::Value { won: false, plies } if plies == level => {
                        self.loss_backup(cell, level + 1)?;
                    }
                    State::Value { won: true, plies } if plies == level => {
                        self.win_backup(cell, level)?;
                    }
                    _ => {}
                }
            }
            progress.advance(self.all.end);
            level += 1;
        }
        Ok(())
    }

    /// What can move to a lost position and has no value yet is won, running counters or not.
    fn loss_backup(&mut self, lost: u64, plies: u32) -> Result<(), ThesisError> {
        let before = self.predecessors(lost);
        for &earlier in &before {
            if let State::Unknown | State::Remaining(_) = self.get(earlier)? {
                self.set(earlier, State::Value { won: true, plies })?;
            }
        }
        self.lists.push(before);
        Ok(())
    }

    /// What can move to a position won in `plies` is lost if all its successors are won by then.
    fn win_backup(&mut self, won: u64, plies: u32) -> Result<(), ThesisError> {
        let before = self.predecessors(won);
        for &earlier in &before {
            if self.get(earlier)? == State::Unknown && self.all_won(earlier, plies)? {
                self.set(earlier, State::Value { won: false, plies: plies + 1 })?;
            }
        }
        self.lists.push(before);
        Ok(())
    }

    fn all_won(&mut self, cell: u64, within: u32) -> Result<bool, ThesisError> {
        let mut after = self.list();
        self.cells.successors(cell, &mut self.scratch, &mut after);
        let mut all = true;
        for &later in &after {
            // Wins that this very level has found belong to the next one; there are such only in
            // games that end both ways.
            all = matches!(self.get(later)?, State::Value { won: true, plies } if plies <= within);
            if !all {
                break;
            }
        }
        self.lists.push(after);
        Ok(all)
    }

    /// §3.3. Level n looks for what is won in n; where all successors of something are won by
    /// then, that is lost in n + 1, and what can move there is won in n + 2.
    fn counters(&mut self, progress: &dyn Progress) -> Result<(), ThesisError> {
        if self.deepest[0].is_some() {
            // Thereafter a loss is carried on at once, without a scan of its own.
            progress.message("first loss backup");
            self.scans += 1;
            for cell in self.all.clone() {
                self.breathe(cell)?;
                if self.get(cell)? == (State::Value { won: false, plies: 0 }) {
                    self.loss_backup(cell, 1)?;
                }
            }
        }
        let (mut level, step) = match self.coding.ends {
            Ends::LastMoverWins => (1, 2),
            Ends::LastMoverLoses => (0, 2),
            Ends::Both => (0, 1),
        };
        while self.deepest[1].is_some_and(|deepest| deepest >= level) {
            progress.message(&format!("distance {level}"));
            self.scans += 1;
            for cell in self.all.clone() {
                self.breathe(cell)?;
                if self.get(cell)? == (State::Value { won: true, plies: level }) {
                    self.notify(cell, level)?;
                }
            }
            progress.advance(self.all.end);
            level += step;
        }
        Ok(())
    }

    /// A position is won in `plies`: its predecessors have one successor less to hope for.
    fn notify(&mut self, won: u64, plies: u32) -> Result<(), ThesisError> {
        let before = self.predecessors(won);
        for &earlier in &before {
            let unresolved = match self.get(earlier)? {
                State::Unknown => self.cells.count_successors(earlier, &mut self.scratch),
                State::Remaining(left) => left,
                _ => continue,
            };
            match unresolved.saturating_sub(1) {
                0 => {
                    self.set(earlier, State::Value { won: false, plies: plies + 1 })?;
                    self.loss_backup(earlier, plies + 2)?;
                }
                left => self.set(earlier, State::Remaining(left))?,
            }
        }
        self.lists.push(before);
        Ok(())
    }

    fn list(&mut self) -> Vec<u64> {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        list
    }

    fn predecessors(&mut self, cell: u64) -> Vec<u64> {
        let mut before = self.list();
        self.cells.predecessors(cell, &self.all, &mut self.scratch, &mut before);
        before
    }

    fn get(&mut self, cell: u64) -> Result<State, ThesisError> {
        Ok(self.coding.decode(self.store.get(cell)?))
    }

    fn set(&mut self, cell: u64, state: State) -> Result<(), ThesisError> {
        if let State::Value { won, plies } = state {
            let deepest = &mut self.deepest[usize::from(won)];
            *deepest = (*deepest).max(Some(plies));
        }
        let number = match self.coding.encode(state)? {
            Some(number) => number,
            None => {
                self.widen(state)?;
                self.coding.encode(state)?.ok_or(ThesisError::TooLong)?
            }
        };
        Ok(self.store.set(cell, number)?)
    }

    fn widen(&mut self, next: State) -> Result<(), ThesisError> {
        if self.coding.is_wide() {
            return Err(ThesisError::TooLong);
        }
        if self.settings.no_widening {
            let (plies, remaining) = self.coding.reached();
            let next = match next {
                State::Remaining(left) => format!("{left} unresolved successors are to be noted"),
                State::Value { plies, .. } => format!("a distance of {plies} is to be noted"),
                _ => "more is to be noted".to_string(),
            };
            return Err(ThesisError::Collision { next, plies, remaining });
        }
        let (coding, map) = self.coding.widened();
        self.store.widen(&map)?;
        self.coding = coding;
        Ok(())
    }

    fn breathe(&self, cell: u64) -> Result<(), ThesisError> {
        if cell.is_multiple_of(BREATH) && self.stop.is_set() {
            return Err(ThesisError::Stopped);
        }
        Ok(())
    }
}
