//! Which move is best, in the time that there is?
//!
//! [`Thinker`] looks deeper and deeper, and near the end of the game to the end, in the four phases
//! of the thesis (4.2): a heuristic search that leaves out what shallow searches foretell; a search
//! to the end for win, draw or loss, selective first; the same, exact; and then for the most discs.
//!
//! ```
//! use std::sync::Arc;
//! use zug_core::StopFlag;
//! use zug_othello::engine::{Settings, Thinker, Wish};
//! use zug_othello::{AnyModel, Board, open_model};
//!
//! let AnyModel::Patterns(model) = open_model("patterns")? else { panic!() };
//! let mut thinker = Thinker::new(Arc::new(model), None, Settings::default())?;
//! let wish = Wish { depth: Some(4), lines: 2, ..Wish::default() };
//! let thought = thinker.think(Board::START, &wish, &StopFlag::new(), &mut |_| {});
//! assert_eq!((thought.depth, thought.lines.len()), (4, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | question |
//! |---|---|
//! | `heuristic` | which move is best, looking so many plies ahead? |
//! | `root` | how are the moves of the position itself searched? |
//! | `end` | which move is best, looking to the end? |
//! | `costs` | what will a search to the end cost? |
//! | `clock` | is there time for one more search? |

mod clock;
mod costs;
mod end;
mod heuristic;
mod root;
#[cfg(test)]
mod tests;

use super::mid::{MidTable, NoMemory};
use super::{Confidence, Evaluation, ProbCut, Unit};
use crate::bits::Squares;
use crate::solve::Solver;
use crate::{Board, Move};
use clock::Clock;
use costs::Costs;
pub(super) use root::{Ended, Root};
use std::sync::Arc;
use std::time::Duration;
use zug_core::StopFlag;

/// How a thinker works.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The memory of its tables, in mebibytes.
    pub hash_mib: usize,
    /// How many threads search.
    pub threads: usize,
    /// How certain the heuristic search must be to leave something out.
    pub confidence: Confidence,
}

impl Default for Settings {
    fn default() -> Settings {
        let confidence = Confidence::deviations(1.5).unwrap_or(Confidence::FULL);
        Settings { hash_mib: 64, threads: 1, confidence }
    }
}

/// What is asked of one thought. The first limit that is reached ends it; without limits it ends
/// when everything is known, or when stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// Plies to look ahead; as many as there are empty squares, or more, asks for the exact score.
    pub depth: Option<u32>,
    /// Positions to look at, all threads together.
    pub nodes: Option<u64>,
    /// No search is begun that will probably not be finished in this time.
    pub aim: Option<Duration>,
    /// Never to be exceeded.
    pub most: Option<Duration>,
    /// How many moves to tell the value of, best first; 0 is 1.
    pub lines: usize,
    /// Only these moves; 0 is all.
    pub only: Squares,
    /// With a depth: positions with at most this many empty squares are solved whatever the depth.
    pub exact_from: u32,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish { depth: None, nodes: None, aim: None, most: None, lines: 1, only: 0, exact_from: 0 }
    }
}

/// What is being searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The best value of the evaluation so many plies ahead.
    Heuristic,
    /// Won, drawn or lost, leaving out what is likely.
    SelectiveDecision,
    /// Won, drawn or lost.
    ExactDecision,
    /// The most discs, more and more certain, exact in the end.
    Maximisation,
}

/// What a move is worth to the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// In the unit of the evaluation.
    Estimate(i32),
    /// The final disc difference.
    Exact(i32),
    /// The final disc difference is this or more.
    AtLeast(i32),
    /// The final disc difference is this or less.
    AtMost(i32),
}

impl Value {
    /// As a number to compare: hundredths of a disc, or what the evaluation says.
    #[must_use]
    pub fn hundredths(self) -> i32 {
        match self {
            Value::Estimate(value) => value,
            Value::Exact(discs) | Value::AtLeast(discs) | Value::AtMost(discs) => 100 * discs,
        }
    }
}

impl std::ops::Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        match self {
            Value::Estimate(value) => Value::Estimate(-value),
            Value::Exact(discs) => Value::Exact(-discs),
            Value::AtLeast(discs) => Value::AtMost(-discs),
            Value::AtMost(discs) => Value::AtLeast(-discs),
        }
    }
}

/// A move with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFound {
    /// The move.
    pub mv: Move,
    /// What it is worth.
    pub value: Value,
    /// How certain that is; [`Confidence::FULL`] with a value in discs is proven.
    pub confidence: Confidence,
    /// What both sides will probably play, beginning with the move.
    pub line: Vec<Move>,
}

/// What was found, so far or in the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// What was searched for last.
    pub phase: Phase,
    /// How many plies ahead, passes not counted.
    pub depth: u32,
    /// How certain cuts were.
    pub confidence: Confidence,
    /// The best moves, best first; none when the game is over.
    pub lines: Vec<LineFound>,
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: Option<u32>,
}

impl Thought {
    /// Nothing yet.
    fn none() -> Thought {
        Thought {
            phase: Phase::Heuristic,
            depth: 0,
            confidence: Confidence::FULL,
            lines: Vec::new(),
            nodes: 0,
            elapsed: Duration::ZERO,
            hash_full: None,
        }
    }

    /// The same thought before a pass.
    fn before_pass(&self) -> Thought {
        let mut thought = self.clone();
        thought.lines.truncate(1);
        for found in &mut thought.lines {
            found.mv = Move::PASS;
            found.value = -found.value;
            found.line.insert(0, Move::PASS);
        }
        thought
    }
}

/// A mind: an evaluation, what it knows from before, and how it works.
pub struct Thinker<E: Evaluation> {
    evaluation: Arc<E>,
    cuts: Option<Arc<ProbCut>>,
    settings: Settings,
    table: MidTable,
    solver: Solver<Arc<E>>,
    costs: Costs,
}

/// The tables of a thinker: half for each kind of search.
fn tables<E: Evaluation>(
    evaluation: &Arc<E>,
    hash_mib: usize,
) -> Result<(MidTable, Solver<Arc<E>>), NoMemory> {
    let half = hash_mib.div_ceil(2).max(1);
    let all = |_| NoMemory { mib: hash_mib };
    let table = MidTable::new(half).map_err(all)?;
    let mut solver = Solver::try_with_guide(half, Arc::clone(evaluation)).map_err(all)?;
    // It takes some of its memory only when first asked; that must not fall into the time of a move.
    let stop = StopFlag::new();
    stop.set();
    solver.pass(Board::START, -1, 1, Confidence::FULL, &stop);
    Ok((table, solver))
}

impl<E: Evaluation> Thinker<E> {
    /// With this evaluation, and leaving out what `cuts` allow.
    pub fn new(
        evaluation: Arc<E>,
        cuts: Option<Arc<ProbCut>>,
        settings: Settings,
    ) -> Result<Thinker<E>, NoMemory> {
        let (table, solver) = tables(&evaluation, settings.hash_mib)?;
        let cuts = cuts.map(|cuts| match cuts.tempo() == evaluation.tempo() {
            true => cuts,
            false => Arc::new(cuts.adapted(evaluation.tempo())),
        });
        let costs = Costs::default();
        let mut thinker = Thinker { evaluation, cuts, settings, table, solver, costs };
        thinker.tell_solver();
        Ok(thinker)
    }

    /// The evaluation.
    #[must_use]
    pub fn evaluation(&self) -> &Arc<E> {
        &self.evaluation
    }

    /// The unit of estimates.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.evaluation.unit()
    }

    /// How it works.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes how it works. What is known is kept, unless the memory changes; then nothing changes
    /// if there is not enough.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), NoMemory> {
        if settings.hash_mib != self.settings.hash_mib {
            let (table, solver) = tables(&self.evaluation, settings.hash_mib)?;
            (self.table, self.solver) = (table, solver);
        }
        self.settings = settings;
        self.tell_solver();
        Ok(())
    }

    fn tell_solver(&mut self) {
        let empty = Solver::with_guide(0, Arc::clone(&self.evaluation));
        let mut solver = std::mem::replace(&mut self.solver, empty).threads(self.settings.threads);
        let unit = self.evaluation.unit();
        if let Some(cuts) = self.cuts.as_ref().filter(|cuts| cuts.unit() == unit) {
            solver = solver.cuts(Some(Arc::clone(cuts)));
        }
        self.solver = solver;
    }

    /// Forgets everything, so that the next thought does not depend on former ones.
    pub fn clear(&mut self) {
        self.table.clear();
        self.solver.clear();
        self.costs = Costs::default();
    }

    /// Thinks about a position. `report` hears what was found after each search, and whenever
    /// another move is best. Every thought about a game that is not over names a move, however soon
    /// it is stopped.
    pub fn think(
        &mut self,
        board: Board,
        wish: &Wish,
        stop: &StopFlag,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought {
        if board.is_over() {
            let thought = Thought { phase: Phase::Maximisation, ..Thought::none() };
            report(&thought);
            return thought;
        }
        if board.moves() == 0 {
            let beyond = Wish { lines: 1, only: 0, ..wish.clone() };
            let mut report = |thought: &Thought| report(&thought.before_pass());
            return self.think(board.passed(), &beyond, stop, &mut report).before_pass();
        }
        self.table.grow_older();
        let clock = Clock::start(wish, stop);
        let mut root = Root::new(&*self.evaluation, board, wish, &self.table);
        let mut telling = Telling { clock: &clock, thought: Thought::none(), report };
        let all_known = heuristic::search(self, &mut root, wish, &mut telling);
        if !all_known && !clock.is_over() {
            end::search(self, &mut root, &mut telling);
        }
        telling.thought.elapsed = clock.elapsed();
        telling.thought
    }
}

/// The thought so far, and who hears of it.
struct Telling<'a> {
    clock: &'a Clock<'a>,
    thought: Thought,
    report: &'a mut dyn FnMut(&Thought),
}

impl Telling<'_> {
    /// Tells the thought as it is now.
    fn tell(&mut self) {
        self.thought.elapsed = self.clock.elapsed();
        (self.report)(&self.thought);
    }
}
