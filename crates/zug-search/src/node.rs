//! The recursive part of the alpha-beta search: what is this position worth, if both sides look so
//! many plies ahead?
//!
//! Fail-soft principal variation search: the first move gets the full window, the others must first
//! show with an empty window that they are better. Sides need not alternate; a child is seen
//! through the eyes of whoever moves there.

use crate::order::{lesson, pick, priority};
use crate::parameters::{
    INTERNAL_DEEPENING_DEPTH, MAX_PLY, adjusted_reduction, late_move_reduction,
};
use crate::tt::{Bound, Entry};
use crate::worker::{Comeback, Value, Worker};
use zug_core::{Game, Guide, Repetition, Score, Side};

/// The scores that still matter at a node, for its side to move.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    pub fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// Asks only: better than `alpha`?
    pub fn empty_above(alpha: Score) -> Window {
        Window { alpha, beta: Score(alpha.0 + 1) }
    }

    /// Without the scores that are out of reach when the game lasts at least until `ply`.
    fn narrowed(self, ply: u32) -> Window {
        Window {
            alpha: self.alpha.max(Score::lost_in(ply)),
            beta: self.beta.min(Score::won_in(ply)),
        }
    }

    pub fn is_empty(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }

    pub fn swapped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// How a child is searched.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub window: Window,
    pub depth: i32,
    /// Plies that may be saved if the move looks bad.
    pub reduction: i32,
    /// Is this the first move, which sets the mark for the others?
    pub first: bool,
}

impl<G: Game, V: Guide<G>> Worker<'_, G, V> {
    /// The value of a child for `side`, which has just moved. `None` when the move was illegal
    /// after all (superko).
    pub fn child_value(
        &mut self,
        child: &G::Position,
        side: Side,
        plan: Plan,
        ply: usize,
    ) -> Option<Value> {
        let key = self.repetition_key(child);
        match self.comes_back(child, key) {
            Comeback::Illegal => return None,
            Comeback::Draw => {
                self.scratch.plies[ply].line.clear();
                return Some(Value::guessed(Score::DRAW));
            }
            Comeback::No => {}
        }
        self.keys.push(key);
        let value = self.child_by_plan(child, side, plan, ply);
        self.keys.pop();
        Some(value)
    }

    fn child_by_plan(&mut self, child: &G::Position, side: Side, plan: Plan, ply: usize) -> Value {
        let Plan { window, depth, reduction, first } = plan;
        if first {
            return self.seen_by(side, child, depth, window, ply);
        }
        let scout = Window::empty_above(window.alpha);
        let mut value = self.seen_by(side, child, depth - reduction, scout, ply);
        if reduction > 0 && value.score > window.alpha && !self.aborted {
            value = self.seen_by(side, child, depth, scout, ply);
        }
        if value.score > window.alpha && value.score < window.beta && !self.aborted {
            value = self.seen_by(side, child, depth, window, ply);
        }
        value
    }

    fn seen_by(
        &mut self,
        side: Side,
        child: &G::Position,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> Value {
        if self.shared.game.to_move(child) == side {
            self.search(child, depth, window, ply, true)
        } else {
            -self.search(child, depth, window.swapped(), ply, true)
        }
    }

    /// The value of a position for its side to move.
    pub fn search(
        &mut self,
        position: &G::Position,
        depth: i32,
        window: Window,
        ply: usize,
        may_skip: bool,
    ) -> Value {
        let (game, guide, options) = (self.shared.game, self.shared.guide, self.shared.options);
        let mut depth = depth;
        let pressed = options.extensions && guide.pressed(game, position);
        if pressed && ply < 2 * self.root_depth as usize {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(position, window, ply, 0);
        }
        self.scratch.plies[ply].line.clear();
        if self.tick() {
            return Value::guessed(Score::DRAW);
        }
        self.deepest = self.deepest.max(ply);

        // Nothing here can be better or worse than the game having ended.
        let window = window.narrowed(ply as u32);
        if window.alpha >= window.beta {
            return Value::proven(window.alpha);
        }

        let key = if self.shared.table.is_some() { game.key(position) } else { 0 };
        let mut known = self.shared.table.and_then(|table| table.get(key));
        if let Some(entry) = &mut known
            && self.repetition != Repetition::Allowed
        {
            // On another path another position may come back; so nothing holds for every path.
            entry.complete = false;
        }
        if let Some(value) = known.and_then(|entry| usable(entry, depth, window, ply)) {
            return value;
        }
        if let Some(score) = self.shared.oracle.and_then(|o| o.probe(game, position)) {
            return Value::proven(score.delayed(ply as i32));
        }

        let mut moves = std::mem::take(&mut self.scratch.plies[ply].moves);
        moves.clear();
        game.moves(position, &mut moves);
        let value = if moves.is_empty() {
            self.finished_value(position, ply)
        } else {
            let rank = known.and_then(|entry| entry.rank);
            let mut node = Node { position, depth, window, ply, pressed, key, ceiling: None };
            match self.shortcut(&mut node, may_skip) {
                Some(cut) => cut,
                None => self.try_moves(&node, &moves, rank),
            }
        };
        self.scratch.plies[ply].moves = moves;
        value
    }

    /// The value of a finished game.
    pub fn finished_value(&self, position: &G::Position, ply: usize) -> Value {
        let game = self.shared.game;
        let score = game.outcome(position).map_or(Score::DRAW, |outcome| {
            Score::of_outcome(&outcome, game.to_move(position), ply as u32)
        });
        Value::proven(score)
    }

    /// Searches the moves of a node, best first.
    fn try_moves(&mut self, node: &Node<'_, G>, moves: &[G::Move], rank: Option<u16>) -> Value {
        let game = self.shared.game;
        let &Node { position, depth, window, ply, .. } = node;
        let side = game.to_move(position);
        // The game goes on, so it is not decided before the next ply.
        let reach = window.narrowed(ply as u32 + 1);
        if reach.alpha >= reach.beta {
            return Value::proven(reach.alpha);
        }
        let rank = rank.filter(|&r| usize::from(r) < moves.len());
        let rank = rank.or_else(|| self.internal_deepening(node, moves));

        let mut order = std::mem::take(&mut self.scratch.plies[ply].order);
        order.clear();
        if let Some(rank) = rank {
            order.push((i32::MAX, rank));
        }
        let mut child = match self.scratch.plies[ply].child.take() {
            Some(old) => old,
            None => Box::new(position.clone()),
        };
        let width = self.shared.guide.width().unwrap_or(usize::MAX);
        let mut alpha = window.alpha;
        let mut best: Option<(Value, u16)> = None;
        let mut all_complete = true;
        let mut place = 0;
        loop {
            // The remembered move comes first, and often no other is needed: the others are put in
            // order only after it.
            if place == usize::from(rank.is_some()) {
                self.put_in_order(node, side, moves, rank, &mut order);
            }
            if place == order.len() {
                break;
            }
            // Moves that are not legal after all do not count.
            if best.is_some() && place >= width {
                all_complete = false;
                break;
            }
            let rank = pick(&mut order, place);
            let mv = moves[usize::from(rank)];
            if best.is_some_and(|(b, _)| self.is_futile(node, mv, place, b.score, alpha)) {
                all_complete = false;
                place += 1;
                continue;
            }
            (*child).clone_from(position);
            game.play(&mut child, mv);
            let plan = Plan {
                window: Window::new(alpha, window.beta),
                depth: depth - 1,
                reduction: self.reduction(node, side, mv, place),
                first: best.is_none(),
            };
            place += 1;
            self.path.push(mv);
            let value = self.child_value(&child, side, plan, ply + 1);
            self.path.pop();
            let Some(value) = value else {
                // A move is missing because of the path: the value belongs to the path.
                all_complete = false;
                continue;
            };
            if self.aborted {
                break;
            }
            all_complete &= value.complete;
            if best.is_none_or(|(b, _)| value.score > b.score) {
                best = Some((value, rank));
                if value.score > alpha {
                    alpha = value.score;
                    self.extend_line(ply, mv);
                }
            }
            if alpha >= window.beta {
                self.learn(node, side, moves, &order[..place]);
                break;
            }
        }
        self.scratch.plies[ply].order = order;
        self.scratch.plies[ply].child = Some(child);
        if self.aborted {
            return Value::guessed(Score::DRAW);
        }
        let Some((value, rank)) = best else {
            // Every move was forbidden by superko: the rules are silent, nobody wins.
            return Value::guessed(Score::DRAW);
        };
        // One complete child is enough for a lower bound; everything else needs them all.
        let complete = if value.score >= window.beta { value.complete } else { all_complete };
        let value = Value { complete, ..value };
        self.remember(node, value, rank);
        value
    }

    fn put_in_order(
        &mut self,
        node: &Node<'_, G>,
        side: Side,
        moves: &[G::Move],
        done: Option<u16>,
        order: &mut Vec<(i32, u16)>,
    ) {
        let (game, guide) = (self.shared.game, self.shared.guide);
        let mut promises = std::mem::take(&mut self.scratch.plies[node.ply].promises);
        guide.promises(game, node.position, &self.path, moves, &mut promises);
        for (rank, (&mv, &promise)) in (0..u16::MAX).zip(moves.iter().zip(&promises)) {
            if Some(rank) == done {
                continue;
            }
            let (killer, history) = self.experience(node.ply, side, mv);
            order.push((priority(promise, killer, history), rank));
        }
        self.scratch.plies[node.ply].promises = promises;
    }

    fn reduction(&self, node: &Node<'_, G>, side: Side, mv: G::Move, place: usize) -> i32 {
        let reduction = late_move_reduction(node.depth, place);
        let reduce = reduction > 0
            && self.shared.options.reductions
            && !node.pressed
            && self.shared.guide.reducible(self.shared.game, node.position, mv);
        if !reduce {
            return 0;
        }
        let (killer, history) = self.experience(node.ply, side, mv);
        let reduction = reduction - i32::from(!node.window.is_empty());
        adjusted_reduction(reduction, node.depth, killer, history)
    }

    /// Is the move a killer, and what is its history?
    fn experience(&self, ply: usize, side: Side, mv: G::Move) -> (bool, i32) {
        if !self.shared.options.history {
            return (false, 0);
        }
        let killer = self.scratch.plies[ply].killers.contains(&Some(mv));
        (killer, self.scratch.history.get(side, mv))
    }

    /// A good first move is worth a shallower search where nothing is remembered.
    fn internal_deepening(&mut self, node: &Node<'_, G>, moves: &[G::Move]) -> Option<u16> {
        let table = self.shared.table?;
        let worth_it =
            node.depth >= INTERNAL_DEEPENING_DEPTH && !node.window.is_empty() && moves.len() > 1;
        // Never one inside another: that would grow exponentially with the depth.
        if !worth_it || self.deepening {
            return None;
        }
        self.deepening = true;
        self.search(node.position, node.depth - 3, node.window, node.ply, true);
        self.deepening = false;
        table.get(node.key)?.rank.filter(|&r| usize::from(r) < moves.len())
    }

    /// The last of these moves refuted the position; the others before it did not.
    fn learn(&mut self, node: &Node<'_, G>, side: Side, moves: &[G::Move], tried: &[(i32, u16)]) {
        let Some((last, others)) = tried.split_last() else { return };
        let good = moves[usize::from(last.1)];
        let bonus = lesson(node.depth);
        self.scratch.history.learn(side, good, bonus);
        for other in others {
            self.scratch.history.learn(side, moves[usize::from(other.1)], -bonus);
        }
        let killers = &mut self.scratch.plies[node.ply].killers;
        if killers[0] != Some(good) {
            *killers = [Some(good), killers[0]];
        }
    }

    fn remember(&self, node: &Node<'_, G>, value: Value, rank: u16) {
        let Some(table) = self.shared.table else { return };
        let bound = if value.score >= node.window.beta {
            Bound::Lower
        } else if value.score <= node.window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        table.put(
            node.key,
            Entry {
                score: value.score.delayed(-(node.ply as i32)),
                bound,
                depth: node.depth.clamp(0, 255) as u8,
                complete: value.complete,
                // A bound from above says nothing about which move is best.
                rank: (bound != Bound::Upper).then_some(rank),
            },
        );
    }
}

/// What stays the same while the moves of a node are tried.
pub(crate) struct Node<'p, G: Game> {
    pub position: &'p G::Position,
    pub depth: i32,
    pub window: Window,
    pub ply: usize,
    pub pressed: bool,
    pub key: u64,
    /// What a quiet move can hardly exceed.
    pub ceiling: Option<Score>,
}

/// The value that the table knows, if it answers the question. In the principal variation it never
/// does: there the line itself is asked for, and the table only knows scores.
fn usable(entry: Entry, depth: i32, window: Window, ply: usize) -> Option<Value> {
    if !window.is_empty() || !(entry.complete || i32::from(entry.depth) >= depth) {
        return None;
    }
    let score = entry.score.delayed(ply as i32);
    let answers = match entry.bound {
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
        Bound::Exact => true,
    };
    answers.then_some(Value { score, complete: entry.complete })
}
