//! What is a late position worth exactly?
//!
//! The score is the disc difference at the end of the game for the side to move, both sides playing
//! as well as possible, the empty squares given to the winner.
//!
//! ```
//! use zug_core::{Game, StopFlag};
//! use zug_othello::{Board, Othello, solve::Solver};
//!
//! let position = Othello::default().read_position(
//!     "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X")?;
//! let mut solver = Solver::new(1);
//! let solved = solver.solve(Board::from(&position), -64, 64, &StopFlag::new()).unwrap();
//! assert_eq!(solved.score, 6);
//! assert_eq!(solved.best.unwrap().to_string(), "h5");
//! # Ok::<(), zug_core::TextError>(())
//! ```
//!
//! | file | empty squares | what it does |
//! |---|---|---|
//! | `last` | 1 to 4 | squares handed down in order of parity, no lists |
//! | `shallow` | 5 to 7 | parity, fewest replies, stability |
//! | `search` | 8 and more | table, look ahead into it, fastest-first |
//! | `high` | about 14 and more | ordered by an evaluation, cuts, principal variation |
//! | `passes` | 18 and more | searches that prepare the exact one |
//! | `crew` | | several threads |
//! | `glance` | | the short searches that order moves |
//! | `order` | | which move first |
//! | `table` | | what is known from before |
//! | `line` | | the moves that lead to a score |
//! | `stable` | | cuts by stable discs |
//! | `level`, `simd` | | the instructions of the machine, moves and flips in vectors |

mod count;
mod crew;
mod glance;
mod high;
mod last;
pub(crate) mod level;
mod line;
mod order;
mod passes;
mod search;
mod shallow;
#[cfg(target_arch = "x86_64")]
mod simd;
mod stable;
mod table;
#[cfg(test)]
mod tests;

use crate::bits::{Squares, each};
use crate::engine::mid::MidTable;
use crate::engine::{Confidence, Evaluation, NoMemory, ProbCut, Unit};
use crate::{Board, Move};
use level::{Level, Machine, at_level};
use search::Search;
use shallow::SHALLOW;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use table::Table;
use zug_core::StopFlag;
use zug_core::exact::SoFar;

/// From so many empty squares on a guide is asked, unless told otherwise.
const HIGH_FROM: u32 = 14;

/// The size of the table that must stay in the caches.
const NEAR_KIB: usize = 256;

/// The small table and the large one.
fn tables(hash_mib: usize) -> Result<[Table; 2], NoMemory> {
    let kib = hash_mib.checked_mul(1 << 10).ok_or(NoMemory { mib: hash_mib })?;
    Ok([Table::new(NEAR_KIB)?, Table::new(kib)?])
}

/// No guide: moves are ordered by what the squares tell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unguided;

impl Evaluation for Unguided {
    type State = ();

    fn unit(&self) -> Unit {
        Unit::Discs
    }

    fn state(&self, _: Board) {}

    fn played(&self, (): &(), _: u32, _: Squares) {}

    fn passed(&self, (): &()) {}

    fn value(&self, _: Board, (): &()) -> i32 {
        0
    }
}

/// The result of a search to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The disc difference for the side to move. Not above `alpha`: the true score is at most this.
    /// Not below `beta`: it is at least this. In between: it is this.
    pub score: i32,
    /// The best move; none when the game is over.
    pub best: Option<Move>,
    /// What both sides should play, beginning with `best`: to the end of the game when the score is
    /// exact, as far as it is known otherwise.
    pub line: Vec<Move>,
    /// How many positions were visited.
    pub nodes: u64,
    /// How certain the score is: [`FULL`](Confidence::FULL) when nothing was left out.
    pub confidence: Confidence,
}

/// Solves positions one after the other. What the table learns is kept from one to the next.
pub struct Solver<E = Unguided> {
    near: Table,
    table: Table,
    /// For searches of limited depth; made when first wanted.
    mid: Option<MidTable>,
    guide: E,
    guided: bool,
    high_from: u32,
    cuts: Option<Arc<ProbCut>>,
    threads: usize,
    /// How many positions may be visited for one question, and how many of them are left.
    most: u64,
    left: AtomicU64,
    /// What the searches of the present question have shown.
    so_far: Mutex<SoFar>,
    machine: Machine,
}

/// Nothing is known of a score.
const NOTHING: SoFar = SoFar { bounds: (-64, 64), expected: None };

impl Solver {
    /// A solver with a table of about this many mebibytes, or less where there is not the memory.
    ///
    /// A table that fits into the caches is best for positions with up to 14 empty squares; from 20
    /// on it should have a few hundred mebibytes.
    #[must_use]
    pub fn new(hash_mib: usize) -> Solver {
        Solver::fitting(hash_mib, Unguided, false)
    }

    /// The same, or an error where there is not the memory.
    pub fn try_new(hash_mib: usize) -> Result<Solver, NoMemory> {
        Ok(Solver::around(tables(hash_mib)?, Unguided, false))
    }
}

impl<E: Evaluation> Solver<E> {
    /// A solver that orders moves with the help of an evaluation, where there are many empty
    /// squares. The scores are the same as without; time and nodes are not. The table is smaller
    /// than asked for where there is not the memory.
    #[must_use]
    pub fn with_guide(hash_mib: usize, guide: E) -> Solver<E> {
        Solver::fitting(hash_mib, guide, true)
    }

    /// The same, or an error where there is not the memory.
    pub fn try_with_guide(hash_mib: usize, guide: E) -> Result<Solver<E>, NoMemory> {
        Ok(Solver::around(tables(hash_mib)?, guide, true))
    }

    /// With as much as there is, up to this.
    fn fitting(mut hash_mib: usize, guide: E, guided: bool) -> Solver<E> {
        loop {
            match tables(hash_mib) {
                Ok(tables) => return Solver::around(tables, guide, guided),
                Err(error) if hash_mib == 0 => panic!("{error}"),
                Err(_) => hash_mib /= 2,
            }
        }
    }

    fn around([near, table]: [Table; 2], guide: E, guided: bool) -> Solver<E> {
        Solver {
            near,
            table,
            mid: None,
            guide,
            guided,
            high_from: HIGH_FROM,
            cuts: None,
            threads: 1,
            most: u64::MAX,
            left: AtomicU64::new(u64::MAX),
            so_far: Mutex::new(NOTHING),
            machine: Machine::detected(),
        }
    }

    /// Asks the guide from this many empty squares on.
    pub fn guide_from(&mut self, empties: u32) {
        self.high_from = empties.clamp(SHALLOW + 1, search::DEEP as u32);
    }

    /// Searches with so many threads. The scores are the same with any number; the nodes are so only
    /// with one.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Solver<E> {
        self.threads = threads.clamp(1, 1024);
        self
    }

    /// What the preliminary searches may leave out, nothing unless told. It must be in the unit of
    /// the guide; with it, positions with more than 20 empty squares are solved much faster.
    #[must_use]
    pub fn cuts(mut self, cuts: Option<Arc<ProbCut>>) -> Solver<E> {
        let tempo = self.guide.tempo();
        self.cuts = cuts.map(|cuts| match cuts.tempo() == tempo {
            true => cuts,
            false => Arc::new(cuts.adapted(tempo)),
        });
        self
    }

    /// From now on gives up on a position after visiting about so many others; the same ones on every
    /// run with one thread.
    pub fn limit(&mut self, positions: Option<u64>) {
        self.most = positions.unwrap_or(u64::MAX);
    }

    /// What is known of the score of the last position, for those who stopped the search.
    #[must_use]
    pub fn so_far(&self) -> SoFar {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, change: impl FnOnce(&mut SoFar)) {
        change(&mut self.so_far.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.near.clear();
        self.table.clear();
        if let Some(mid) = &mut self.mid {
            mid.clear();
        }
    }

    /// Searches a position to the end. Scores in the window from `alpha` to `beta` are exact, others
    /// are bounds; the whole range is -64 to 64. None when the flag was set first.
    ///
    /// Where there are many empty squares, searches that leave things out come first: they cost
    /// little and tell the exact one what to look at.
    pub fn solve(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        stop: &StopFlag,
    ) -> Option<Solved> {
        self.begin(board, Confidence::FULL);
        let window = window(alpha, beta);
        let outcome = self.prepared(board, window, stop)?;
        self.with_line(board, window, outcome, stop)
    }

    /// Won (positive), drawn (0) or lost (negative) for the side to move? Far cheaper than the score.
    pub fn solve_outcome(&mut self, board: Board, stop: &StopFlag) -> Option<Solved> {
        self.solve(board, -1, 1, stop)
    }

    /// One search to the end, without preliminary ones, that leaves out what is certain enough.
    /// Asked again with more confidence and for the same position, it goes faster.
    pub fn pass(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        confidence: Confidence,
        stop: &StopFlag,
    ) -> Option<Solved> {
        self.begin(board, confidence);
        let window = window(alpha, beta);
        let outcome = self.search(board, window, confidence, stop)?;
        self.with_line(board, window, outcome, stop)
    }

    /// The exact score alone, with the number of visited positions: what labelling needs.
    pub fn value(&mut self, board: Board, stop: &StopFlag) -> Option<(i32, u64)> {
        self.begin(board, Confidence::FULL);
        let outcome = self.prepared(board, window(-64, 64), stop)?;
        Some((outcome.found.score, outcome.nodes))
    }

    /// The exact scores of all legal moves, in the order of squares; of the pass where there is no
    /// other; none when the game is over.
    pub fn every_move(&mut self, board: Board, stop: &StopFlag) -> Option<Vec<(Move, i32)>> {
        let moves = board.moves();
        if moves == 0 {
            if board.replies() == 0 {
                return Some(Vec::new());
            }
            let (score, _) = self.value(board, stop)?;
            return Some(vec![(Move::PASS, score)]);
        }
        each(moves)
            .map(|square| {
                let (score, _) = self.value(board.after(square), stop)?;
                Some((square_move(square), -score))
            })
            .collect()
    }

    /// A new position: what is known stays, but gives way first.
    fn begin(&mut self, board: Board, confidence: Confidence) {
        if confidence < Confidence::FULL || board.empties() >= passes::PREPARE_FROM {
            self.make_ready();
        }
        self.left = AtomicU64::new(self.most);
        self.note(|known| *known = NOTHING);
        self.near.grow_older();
        self.table.grow_older();
        if let Some(mid) = &mut self.mid {
            mid.grow_older();
        }
    }
}

/// A window one beyond the range, so that the extreme scores lie inside.
fn window(alpha: i32, beta: i32) -> (i32, i32) {
    let alpha = alpha.clamp(-65, 64);
    let beta = beta.clamp(alpha + 1, 65);
    (if alpha <= -64 { -65 } else { alpha }, if beta >= 64 { 65 } else { beta })
}

/// The exact score of a position with few empty squares, without a table: below a millisecond up to
/// ten.
#[must_use]
pub fn score(board: Board) -> i32 {
    at_level!(Machine::detected(), level => without_table(level, board, -65, 65))
}

fn without_table<L: Level>(level: L, board: Board, alpha: i32, beta: i32) -> i32 {
    let stop = StopFlag::new();
    let mut search = Search::new(&Unguided, &stop);
    search.look_at_flag = u64::MAX;
    high::principal(level, &mut search, board, &(), (alpha, beta)).score
}

fn square_move(square: u32) -> Move {
    Move::to_square(square).expect("a square of the board")
}
