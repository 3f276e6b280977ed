//! One thread of an alpha-beta search: what it sees, what it owns, when it stops.

use crate::clock::Budget;
use crate::order::History;
use crate::parameters::{MAX_PLY, NODES_BETWEEN_CHECKS, Options};
use crate::tt::Table;
use std::ops::Neg;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use zug_core::{Game, Guide, Line, Oracle, Repetition, Score};

/// What all threads of one search see.
pub(crate) struct Shared<'a, G: Game, V> {
    pub game: &'a G,
    pub guide: &'a V,
    pub oracle: Option<&'a dyn Oracle<G>>,
    pub options: &'a Options,
    pub table: Option<&'a Table>,
    pub budget: &'a Budget,
    /// Set by whoever asked for the search.
    pub stop: &'a AtomicBool,
    /// Set by the main thread when it has finished.
    pub halt: AtomicBool,
    /// Nodes of all threads, as far as they have told.
    pub nodes: AtomicU64,
}

/// A score, and whether it is free of estimates: no position in the tree behind it was judged by
/// the evaluator, by a null move, or by a repetition that belongs to one path only. Such a score
/// holds for every depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub score: Score,
    pub complete: bool,
}

impl Value {
    pub fn proven(score: Score) -> Value {
        Value { score, complete: true }
    }
    pub fn guessed(score: Score) -> Value {
        Value { score, complete: false }
    }
}

impl Neg for Value {
    type Output = Value;
    fn neg(self) -> Value {
        Value { score: -self.score, ..self }
    }
}

/// What a search needs at one ply, kept from node to node so that nothing is allocated in the
/// tree.
pub(crate) struct Ply<G: Game> {
    pub moves: Vec<G::Move>,
    /// Priority and rank of the moves.
    pub order: Vec<(i32, u16)>,
    /// What the guide thinks of the moves.
    pub promises: Vec<i32>,
    pub killers: [Option<G::Move>; 2],
    /// The principal variation from here.
    pub line: Vec<G::Move>,
    /// Where the children are played out.
    pub child: Option<Box<G::Position>>,
}

/// What a thread keeps from search to search.
pub(crate) struct Scratch<G: Game> {
    pub plies: Vec<Ply<G>>,
    pub history: History,
}

impl<G: Game> Scratch<G> {
    pub fn new() -> Scratch<G> {
        let ply = |_| Ply {
            moves: Vec::new(),
            order: Vec::new(),
            promises: Vec::new(),
            killers: [None; 2],
            line: Vec::new(),
            child: None,
        };
        Scratch { plies: (0..MAX_PLY + 2).map(ply).collect(), history: History::new() }
    }

    pub fn clear(&mut self) {
        self.history.clear();
        self.forget_killers();
    }

    pub fn forget_killers(&mut self) {
        for ply in &mut self.plies {
            ply.killers = [None; 2];
        }
    }
}

/// A searching thread.
pub(crate) struct Worker<'a, G: Game, V> {
    pub shared: &'a Shared<'a, G, V>,
    pub scratch: &'a mut Scratch<G>,
    /// Repetition keys: the game so far, then the path below the root.
    pub keys: Vec<u64>,
    /// The moves of the same path, without skipped turns.
    pub path: Vec<G::Move>,
    pub repetition: Repetition,
    pub root_depth: u32,
    pub deepest: usize,
    pub nodes: u64,
    told: u64,
    next_check: u64,
    /// Does the stop flag not count yet? (The first iteration is always finished.)
    pub must_finish: bool,
    pub aborted: bool,
    /// Are we inside an internal deepening?
    pub deepening: bool,
}

/// What the history says about a move.
pub(crate) enum Comeback {
    /// Nothing: search on.
    No,
    /// A position comes back, and that is a draw.
    Draw,
    /// A position comes back, and that is not allowed.
    Illegal,
}

impl<'a, G: Game, V: Guide<G>> Worker<'a, G, V> {
    pub fn new(
        shared: &'a Shared<'a, G, V>,
        scratch: &'a mut Scratch<G>,
        line: &Line<G>,
    ) -> Worker<'a, G, V> {
        Worker {
            shared,
            scratch,
            keys: line.keys().to_vec(),
            path: line.moves().to_vec(),
            repetition: shared.game.repetition(),
            root_depth: 0,
            deepest: 0,
            nodes: 0,
            told: 0,
            next_check: 0,
            must_finish: false,
            aborted: false,
            deepening: false,
        }
    }

    /// Counts a node; true when the search must be broken off.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check();
        }
        self.aborted
    }

    #[cold]
    fn check(&mut self) {
        let total = self.tell();
        self.next_check = self.nodes + NODES_BETWEEN_CHECKS;
        if let Some(limit) = self.shared.budget.nodes {
            // Alone we know the total at every node, and stop exactly there.
            self.next_check = self.next_check.min(self.nodes + limit.saturating_sub(total).max(1));
        }
        if !self.must_finish && self.out_of_budget(total) {
            self.aborted = true;
        }
    }

    /// Adds our nodes to everybody's; gives back the total.
    pub fn tell(&mut self) -> u64 {
        let news = self.nodes - self.told;
        self.told = self.nodes;
        self.shared.nodes.fetch_add(news, Ordering::Relaxed) + news
    }

    fn out_of_budget(&self, total: u64) -> bool {
        self.shared.halt.load(Ordering::Relaxed)
            || self.shared.stop.load(Ordering::Relaxed)
            || self.shared.budget.nodes.is_some_and(|limit| total >= limit)
            || self.shared.budget.time_is_up()
    }

    /// Must we stop before the next iteration?
    pub fn finished(&mut self) -> bool {
        let total = self.tell();
        self.out_of_budget(total)
    }

    /// Judges a position that is about to be entered, by the path that leads to it.
    ///
    /// A position that was on the board before is a draw already at its second occurrence, whatever
    /// number the rules ask for: whoever could make progress from it could have done so the first
    /// time. Such a draw belongs to the path, not to the position, so it never makes a value
    /// complete, and in games that know repetition nothing from the table counts as complete; but
    /// values around a repetition do reach the table, as in most programs. The harm is small (a
    /// position just above the repetition may be taken for drawn on another path, until it is
    /// searched more deeply) and the cure, a table for each path, costs more than it saves.
    #[inline]
    pub fn comes_back(&self, position: &G::Position, key: u64) -> Comeback {
        match self.repetition {
            Repetition::Allowed => Comeback::No,
            Repetition::Draw(_) => {
                let back = self.shared.game.reversible_plies(position);
                let first = self.keys.len().saturating_sub(back);
                // A game that ends at a position ends there, even if it looks like an old one.
                let back = self.keys[first..].contains(&key)
                    && self.shared.game.outcome(position).is_none();
                if back { Comeback::Draw } else { Comeback::No }
            }
            Repetition::Forbidden => {
                let stays = self.keys.last() == Some(&key);
                if !stays && self.keys.contains(&key) { Comeback::Illegal } else { Comeback::No }
            }
        }
    }

    /// The key by which a position is compared with earlier ones; free where the rules do not ask.
    #[inline]
    pub fn repetition_key(&self, position: &G::Position) -> u64 {
        match self.repetition {
            Repetition::Allowed => 0,
            _ => self.shared.game.repetition_key(position),
        }
    }

    pub fn evaluate(&self, position: &G::Position) -> Score {
        Score::estimate(self.shared.guide.evaluate(self.shared.game, position))
    }

    /// Puts a move in front of the principal variation of the next ply.
    pub fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let [here, next] = &mut self.scratch.plies[ply..ply + 2] else {
            unreachable!("there is a ply below every searched one")
        };
        here.line.clear();
        here.line.push(mv);
        here.line.extend_from_slice(&next.line);
    }
}
