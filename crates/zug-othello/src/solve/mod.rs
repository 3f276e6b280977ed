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
//! | `shallow` | 5 | parity, stability |
//! | `search` | 6 and more | table, look ahead into it, fastest-first, principal variation |
//! | `order` | | which move first |
//! | `table` | | what is known from before |
//! | `stable` | | cuts by stable discs |
//! | `level`, `simd` | | the instructions of the machine, moves and flips in vectors |

mod count;
mod last;
pub(crate) mod level;
mod order;
mod search;
mod shallow;
#[cfg(target_arch = "x86_64")]
mod simd;
mod stable;
mod table;
#[cfg(test)]
mod tests;

use crate::bits::{Squares, each};
use crate::engine::{Evaluation, Unit};
use crate::{Board, Move};
use level::{Level, Machine, at_level};
use search::{Found, NEAR, Search};
use shallow::SHALLOW;
use table::{NO_SQUARE, Table};
use zug_core::StopFlag;

/// From so many empty squares on a guide is asked, unless told otherwise.
const GUIDE_FROM: u32 = 14;
/// Where the table ends, so many empty squares are few enough to search a line to the end again.
const FINISH_LINE: u32 = 10;

/// The size of the table that must stay in the caches.
const NEAR_KIB: usize = 256;

/// The small table and the large one.
fn tables(hash_mib: usize) -> [Table; 2] {
    [Table::new(NEAR_KIB), Table::new(hash_mib << 10)]
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
    /// What both sides should play, beginning with `best`, as far as it is known; to the end of the
    /// game when the score is exact and the table has kept everything.
    pub line: Vec<Move>,
    /// How many positions were visited.
    pub nodes: u64,
}

/// Solves positions one after the other. What the table learns is kept from one to the next.
pub struct Solver<E = Unguided> {
    near: Table,
    table: Table,
    guide: E,
    guide_from: u32,
    machine: Machine,
}

impl Solver {
    /// A solver with a table of about this many mebibytes.
    ///
    /// A table that fits into the caches is best for positions with up to 14 empty squares; from 20
    /// on it should have a few hundred mebibytes.
    #[must_use]
    pub fn new(hash_mib: usize) -> Solver {
        let [near, table] = tables(hash_mib);
        Solver { near, table, guide: Unguided, guide_from: u32::MAX, machine: Machine::detected() }
    }
}

impl<E: Evaluation> Solver<E> {
    /// A solver that orders moves with the help of an evaluation, where there are many empty
    /// squares. The scores are the same as without; time and nodes are not.
    #[must_use]
    pub fn with_guide(hash_mib: usize, guide: E) -> Solver<E> {
        let [near, table] = tables(hash_mib);
        Solver { near, table, guide, guide_from: GUIDE_FROM, machine: Machine::detected() }
    }

    /// Asks the guide from this many empty squares on.
    pub fn guide_from(&mut self, empties: u32) {
        self.guide_from = empties.max(SHALLOW + 1);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.near.clear();
        self.table.clear();
    }

    /// Searches a position to the end. Scores in the window from `alpha` to `beta` are exact, others
    /// are bounds; the whole range is -64 to 64. None when the flag was set first.
    pub fn solve(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        stop: &StopFlag,
    ) -> Option<Solved> {
        let (found, nodes) = self.search(board, alpha, beta, stop)?;
        let score = found.score;
        let exact = alpha < score && score < beta;
        let line = self.line(board, found, exact);
        Some(Solved { score, best: line.first().copied(), line, nodes })
    }

    /// Won (positive), drawn (0) or lost (negative) for the side to move? Far cheaper than the score.
    pub fn solve_outcome(&mut self, board: Board, stop: &StopFlag) -> Option<Solved> {
        self.solve(board, -1, 1, stop)
    }

    /// The exact score alone, with the number of visited positions: what labelling needs.
    pub fn value(&mut self, board: Board, stop: &StopFlag) -> Option<(i32, u64)> {
        self.search(board, -64, 64, stop).map(|(found, nodes)| (found.score, nodes))
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

    fn search(
        &mut self,
        board: Board,
        alpha: i32,
        beta: i32,
        stop: &StopFlag,
    ) -> Option<(Found, u64)> {
        self.near.grow_older();
        self.table.grow_older();
        // One beyond the range, so that the extreme scores lie inside.
        let alpha = alpha.clamp(-65, 64);
        let beta = beta.clamp(alpha + 1, 65);
        let (alpha, beta) =
            (if alpha <= -64 { -65 } else { alpha }, if beta >= 64 { 65 } else { beta });
        let mut search = Search {
            tables: Some([&self.near, &self.table]),
            guide: &self.guide,
            guide_from: self.guide_from,
            stop,
            nodes: 1,
            look_at_flag: 0,
            stopped: false,
        };
        let state = (board.empties() >= self.guide_from).then(|| self.guide.state(board));
        let found = at_level!(self.machine, level => {
            search::principal(level, &mut search, board, state.as_ref(), (alpha, beta))
        });
        (!search.stopped).then_some((found, search.nodes))
    }

    /// The moves that lead to a score, as far as the table or a short search knows them.
    fn line(&self, mut board: Board, found: Found, exact: bool) -> Vec<Move> {
        let mut line = Vec::new();
        let mut score = found.score;
        let mut best = found.best;
        loop {
            let moves = board.moves();
            if moves == 0 {
                if board.replies() == 0 {
                    return line;
                }
                line.push(Move::PASS);
                board = board.passed();
                score = -score;
                best = NO_SQUARE;
                continue;
            }
            if best == NO_SQUARE {
                best = if exact { self.continuation(board, score) } else { NO_SQUARE };
            }
            if best == NO_SQUARE || moves >> best & 1 == 0 {
                return line;
            }
            line.push(square_move(best.into()));
            board = board.after(best.into());
            score = -score;
            best = NO_SQUARE;
        }
    }

    /// A move that keeps this exact score, if the table knows one or the search for it is short.
    fn continuation(&self, board: Board, score: i32) -> u8 {
        let key = table::key(board);
        let table = if board.empties() > NEAR { &self.table } else { &self.near };
        let known = table.probe(board, key).filter(|known| known.lower == score);
        if let Some(known) = known {
            return known.best[0];
        }
        if board.empties() > FINISH_LINE {
            return NO_SQUARE;
        }
        each(board.moves())
            .find(|&square| -self.short(board.after(square), -score - 1, -score + 1) == score)
            .map_or(NO_SQUARE, |square| square as u8)
    }

    /// The score in a window, without the table and without a flag.
    fn short(&self, board: Board, alpha: i32, beta: i32) -> i32 {
        at_level!(self.machine, level => without_table(level, board, alpha, beta))
    }
}

/// The exact score of a position with few empty squares, without a table: below a millisecond up to
/// ten.
#[must_use]
pub fn score(board: Board) -> i32 {
    at_level!(Machine::detected(), level => without_table(level, board, -65, 65))
}

fn without_table<L: Level>(level: L, board: Board, alpha: i32, beta: i32) -> i32 {
    let stop = StopFlag::new();
    let mut search = Search {
        tables: None,
        guide: &Unguided,
        guide_from: u32::MAX,
        stop: &stop,
        nodes: 0,
        look_at_flag: u64::MAX,
        stopped: false,
    };
    search::principal(level, &mut search, board, None, (alpha, beta)).score
}

fn square_move(square: u32) -> Move {
    Move::to_square(square).expect("a square of the board")
}
