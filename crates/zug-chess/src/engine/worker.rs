//! What does one thread carry through the tree?

use super::Thought;
use super::budget::Budget;
use super::evaluation::{Evaluation, Eye};
use super::heart::Heart;
use super::history::{Histories, Moved};
use super::line::Lines;
use super::oracles::Oracles;
use super::parameters::{CLOCK_MASK, MAX_PLY, REDUCE_BASE, REDUCE_DIVISOR};
use super::picker::{Lists, moved_by};
use super::settings::Techniques;
use super::table::Table;
use super::value::{self, Value, mated_in};
use crate::position::{self, FIFTY_MOVES};
use crate::rules::Draws;
use cozy_chess::{Board, Move, Piece, Rank, Square, get_pawn_attacks};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use zug_core::StopFlag;

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub table: &'a Table,
    pub techniques: Techniques,
    pub reductions: &'a Reductions,
    pub budget: Budget,
    pub stop: &'a StopFlag,
    /// Set by the first thread when it is done, or by any when the budget is spent.
    pub halt: AtomicBool,
    /// Positions seen, by thread; brought up to date now and then.
    pub nodes: Vec<AtomicU64>,
    /// Positions that an oracle knew, of all threads.
    pub hits: AtomicU64,
    pub oracles: &'a Oracles,
    /// The most men of a position that an oracle is asked about; 0 where there is none.
    pub oracle_men: u32,
    /// Positions that an oracle knew before the search began.
    pub root_hits: u64,
    pub draws: Draws,
    /// What a draw is worth to the side to move at the root.
    pub draw: Value,
}

impl Shared<'_> {
    /// Positions seen by all threads.
    pub fn all_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    /// How far the search is, without lines.
    pub fn progress(&self, depth: i32, deepest: usize) -> Thought {
        let hits = self.root_hits + self.hits.load(Relaxed);
        Thought {
            lines: Vec::new(),
            depth: depth as u32,
            deepest: deepest as u32,
            nodes: self.all_nodes(),
            elapsed: self.budget.elapsed(),
            hash_full: self.table.fullness(),
            oracle_hits: (self.oracle_men > 0).then_some(hits),
        }
    }
}

/// What one thread keeps from search to search.
pub(super) struct Mind<E: Evaluation> {
    pub eye: E::Eye,
    pub histories: Histories,
    pub lists: Lists,
    pub killers: Vec<[Option<Move>; 2]>,
}

impl<E: Evaluation> Mind<E> {
    pub fn new(evaluation: &E) -> Mind<E> {
        Mind {
            eye: evaluation.eye(),
            histories: Histories::new(),
            lists: Lists::default(),
            killers: vec![[None; 2]; MAX_PLY + 2],
        }
    }
}

/// What is known at one ply of the line that is being searched.
#[derive(Clone, Copy, Default)]
pub(super) struct Ply {
    /// The move that was played here.
    pub moved: Option<Moved>,
    /// The evaluation, unless in check.
    pub evaluation: Option<Value>,
    /// A move that is left out, to see what the others are worth.
    pub excluded: Option<Move>,
    /// Plies back to which positions can repeat.
    pub reversible: usize,
    /// Double extensions in the line so far.
    pub twice: u8,
    /// Does the line so far follow that of the last iteration?
    pub follows: bool,
}

/// One thread in the tree.
pub(super) struct Worker<'a, E: Evaluation> {
    pub shared: &'a Shared<'a>,
    pub mind: &'a mut Mind<E>,
    pub stack: Vec<Ply>,
    /// Keys of the game before the root, of the root, and of the line below it.
    pub keys: Vec<u64>,
    /// How many of them come before the root.
    pub game: usize,
    pub lines: Lines,
    /// The best line of the last iteration.
    pub guide: Vec<Move>,
    pub nodes: u64,
    pub deepest: usize,
    pub root_depth: i32,
    /// No null moves before this ply, while one is verified.
    pub no_null_before: usize,
    pub aborted: bool,
    /// The budget does not count: the first iteration is always finished.
    pub must_finish: bool,
    /// The time was up before the first iteration was.
    pub hurries: bool,
    pub number: usize,
    /// Somebody listens for signs of life.
    pub heart: Option<Heart<'a>>,
}

impl<'a, E: Evaluation> Worker<'a, E> {
    pub fn new(
        shared: &'a Shared<'a>,
        mind: &'a mut Mind<E>,
        number: usize,
        root: &Board,
        earlier: &[u64],
        heart: Option<Heart<'a>>,
    ) -> Worker<'a, E> {
        mind.eye.begins(root);
        let mut stack = vec![Ply::default(); MAX_PLY + 4];
        stack[0].reversible = earlier.len();
        stack[0].follows = true;
        let mut keys = earlier.to_vec();
        keys.push(key(root));
        Worker {
            shared,
            mind,
            stack,
            keys,
            game: earlier.len(),
            lines: Lines::new(),
            guide: Vec::new(),
            nodes: 0,
            deepest: 0,
            root_depth: 0,
            no_null_before: 0,
            aborted: false,
            must_finish: false,
            hurries: false,
            number,
            heart,
        }
    }

    /// Plays a move for the search below.
    pub fn play(&mut self, board: &Board, mv: Move, ply: usize) -> Board {
        self.mind.eye.played(board, mv);
        let mut child = board.clone();
        child.play_unchecked(mv);
        self.nodes += 1;
        self.stack[ply].moved = Some(moved_by(board, mv));
        let quiet = child.halfmove_clock() != 0;
        let reversible = if quiet { self.stack[ply].reversible + 1 } else { 0 };
        let Ply { follows, twice, .. } = self.stack[ply];
        let follows = follows && self.guide.get(ply) == Some(&mv);
        let next = &mut self.stack[ply + 1];
        next.twice = twice;
        next.reversible = reversible;
        next.follows = follows;
        next.excluded = None;
        self.keys.push(key(&child));
        child
    }

    /// Hands over the turn.
    pub fn pass(&mut self, board: &Board, ply: usize) -> Option<Board> {
        let child = board.null_move()?;
        self.mind.eye.passed();
        self.nodes += 1;
        self.stack[ply].moved = None;
        let twice = self.stack[ply].twice;
        let next = &mut self.stack[ply + 1];
        next.twice = twice;
        next.reversible = 0;
        next.follows = false;
        next.excluded = None;
        self.keys.push(key(&child));
        Some(child)
    }

    /// Takes the last move or pass back.
    pub fn take_back(&mut self) {
        self.keys.pop();
        self.mind.eye.taken_back();
    }

    /// The key of the position at hand.
    pub fn key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }

    /// The moves that led here, one and two plies ago.
    pub fn before(&self, ply: usize) -> [Option<Moved>; 2] {
        let at = |back: usize| ply.checked_sub(back).and_then(|ply| self.stack[ply].moved);
        [at(1), at(2)]
    }

    /// The evaluation of a position, cut to the range of estimates.
    pub fn evaluate(&mut self, board: &Board) -> Value {
        value::estimate(self.mind.eye.evaluate(board))
    }

    /// What a draw is worth to the side to move at this ply.
    pub fn draw(&self, ply: usize) -> Value {
        if ply.is_multiple_of(2) { self.shared.draw } else { -self.shared.draw }
    }

    /// The value of a position whose game is over by a rule about draws.
    pub fn drawn(&mut self, board: &Board, ply: usize) -> Option<Value> {
        if self.shared.draws == Draws::Claimed {
            return None;
        }
        if u16::from(board.halfmove_clock()) >= FIFTY_MOVES {
            let mated = !board.checkers().is_empty() && !board.generate_moves(|_| true);
            return Some(if mated { mated_in(ply) } else { self.draw(ply) });
        }
        (position::is_dead(board) || self.repeats(ply)).then(|| self.draw(ply))
    }

    /// Was the position there before: once below the root, or twice in all?
    fn repeats(&self, ply: usize) -> bool {
        let here = self.keys.len() - 1;
        let reversible = self.stack[ply].reversible.min(here);
        let mut once = false;
        let mut back = 4;
        while back <= reversible {
            let at = here - back;
            if self.keys[at] == self.keys[here] {
                if at >= self.game || once {
                    return true;
                }
                once = true;
            }
            back += 2;
        }
        false
    }

    /// Must the search stop? Looked at once a node.
    pub fn is_over(&mut self) -> bool {
        if self.aborted {
            return true;
        }
        let budget = &self.shared.budget;
        if self.must_finish {
            self.hurries |= self.nodes & CLOCK_MASK == 0 && budget.time_is_up();
            return false;
        }
        let alone = self.shared.nodes.len() == 1;
        if alone && budget.nodes.is_some_and(|most| self.nodes >= most) {
            self.aborted = true;
        } else if self.hurries || self.nodes & CLOCK_MASK == 0 {
            self.publish();
            let spent = !alone && budget.nodes.is_some_and(|most| self.shared.all_nodes() >= most);
            let over = spent || self.shared.stop.is_set() || budget.time_is_up();
            if over {
                self.shared.halt.store(true, Relaxed);
            }
            self.aborted = over || self.shared.halt.load(Relaxed);
            self.show_life();
        }
        self.aborted
    }

    /// Tells the others how many positions were seen.
    pub fn publish(&self) {
        self.shared.nodes[self.number].store(self.nodes, Relaxed);
    }
}

/// What the repetition rule and the table go by: a square behind a pawn counts only where it can be
/// captured.
pub(super) fn key(board: &Board) -> u64 {
    let Some(file) = board.en_passant() else { return board.hash() };
    let us = board.side_to_move();
    let target = Square::new(file, Rank::Sixth.relative_to(us));
    let pawns = get_pawn_attacks(target, !us) & board.colored_pieces(us, Piece::Pawn);
    let captured =
        pawns.into_iter().any(|from| board.is_legal(Move { from, to: target, promotion: None }));
    if captured { board.hash() } else { board.hash_without_ep() }
}

/// Plies by which late moves are searched less deep, in 1024ths.
pub(super) struct Reductions(Vec<i32>);

impl Reductions {
    pub fn new() -> Reductions {
        let each = (0..64 * 64).map(|at| {
            let (depth, place) = ((at / 64).max(1) as f64, (at % 64).max(1) as f64);
            (1024.0 * (REDUCE_BASE + depth.ln() * place.ln() / REDUCE_DIVISOR)) as i32
        });
        Reductions(each.collect())
    }

    pub fn of(&self, depth: i32, place: i32) -> i32 {
        self.0[(depth.clamp(0, 63) * 64 + place.clamp(0, 63)) as usize]
    }
}
