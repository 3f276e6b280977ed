//! The chance to do better than the value of a position promises, against a model of the opponent,
//! as the fixpoint of all positions that lead to each other.
//!
//! Two numbers belong to a position: x, the chance when *we* are to move, and y, when the
//! *opponent* is. We take the best move, the opponent moves as the model says:
//!
//! ```text
//! x = largest y of the positions that a move leads to, among the moves that keep the value
//! y = Σ chance(move) · 1                                 if the move loses
//!                    · patience · x(next)                if it keeps things as they are
//!                    · (draw + (1 - draw) · x(next))     if it throws a win away for a draw
//! ```
//!
//! In drawn positions the chance is that of a win. In positions that are lost for us it is the
//! expected worth of the result: 1 for a win, `draw` for a draw, 0 for a loss. A patience below 1 makes
//! the fixpoint unique, and makes us prefer to get on: what comes later is worth less.

use super::lookup::{Values, ended};
use super::opponent::Opponent;
use super::parallel;
use crate::index::Index;
use crate::sweep::pieces;
use crate::value::{Code, Value};
use std::collections::HashMap;
use zug_core::{Indexed, PlayerError, Progress, StopFlag};

/// What a player of traps believes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    /// How the opponent moves.
    pub opponent: Opponent,
    /// What a chance is worth that comes one move later, below 1.
    pub patience: f64,
    /// What a draw is worth to the side that is lost, 0 to 1.
    pub draw: f64,
}

impl Default for Belief {
    fn default() -> Belief {
        Belief { opponent: Opponent::default(), patience: 0.99, draw: 0.5 }
    }
}

/// Who could hope for what in a position, seen from its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Drawn: it may be ours or the opponent's move.
    Drawn,
    /// Lost: of interest when it is our move.
    Lost,
    /// Won: of interest when it is the opponent's move.
    Won,
}

/// One position with its moves.
struct Node {
    kind: Kind,
    /// What the opponent's moves bring at once.
    base: f32,
    /// Where play goes on, and with which chance.
    edges: Vec<(u64, f32)>,
}

/// Positions and the moves between them.
#[derive(Default)]
pub(crate) struct Graph {
    kinds: Vec<Kind>,
    base: Vec<f32>,
    first: Vec<usize>,
    targets: Vec<u32>,
    chances: Vec<f32>,
}

/// Positions that are expanded by one thread at a time.
const PIECE: usize = 1 << 12;
/// A fixpoint is reached when no chance changes by more.
const SETTLED: f32 = 1e-6;
/// Sweeps at most: with the largest patience that is allowed, what is left is of no interest.
const MOST_SWEEPS: usize = 5_000;
/// No position.
const NOWHERE: u32 = u32::MAX;

/// The node of a position where the game goes on. `code` tells what a slot holds.
fn node<G: Indexed>(
    index: &Index<G>,
    belief: &Belief,
    position: &G::Position,
    value: Value,
    code: &impl Fn(u64) -> Result<Code, PlayerError>,
    work: &mut Work<G>,
) -> Result<Node, PlayerError> {
    let (game, Work { moves, after, chances }) = (index.game(), work);
    moves.clear();
    after.clear();
    game.moves(position, moves);
    for &mv in moves.iter() {
        let mut next = position.clone();
        game.play(&mut next, mv);
        after.push(match ended(game, &next) {
            Some(value) => (value.for_mover(), None),
            None => {
                let unknown = || {
                    let text = game.write_position(&next);
                    PlayerError::Unsupported(format!("the database does not hold {text}"))
                };
                let slot = index.index_of(&next).ok_or_else(unknown)?;
                (code(slot)?.value().ok_or_else(unknown)?.for_mover(), Some(slot))
            }
        });
    }
    belief.opponent.chances(after.iter().map(|(value, _)| *value), chances);
    let kind = match value {
        Value::Draw => Kind::Drawn,
        Value::Loss(_) => Kind::Lost,
        Value::Win(_) => Kind::Won,
    };
    let mut node = Node { kind, base: 0.0, edges: Vec::new() };
    for (&(value, slot), &chance) in after.iter().zip(chances.iter()) {
        match (value, slot) {
            (Value::Loss(_), _) if kind != Kind::Lost => node.base += chance as f32,
            (_, Some(slot)) => node.edges.push((slot, chance as f32)),
            (Value::Draw, None) if kind == Kind::Won => {
                node.base += (chance * belief.draw) as f32;
            }
            _ => {}
        }
    }
    Ok(node)
}

/// Working memory of a thread.
struct Work<G: Indexed> {
    moves: Vec<G::Move>,
    /// For each move its value for the mover, and the slot it leads to if the game goes on.
    after: Vec<(Value, Option<u64>)>,
    chances: Vec<f64>,
}

impl<G: Indexed> Work<G> {
    fn new() -> Work<G> {
        Work { moves: Vec::new(), after: Vec::new(), chances: Vec::new() }
    }
}

impl Graph {
    fn push(&mut self, node: &Node, number: impl Fn(u64) -> u32) {
        self.kinds.push(node.kind);
        self.base.push(node.base);
        for &(slot, chance) in &node.edges {
            let target = number(slot);
            if target != NOWHERE {
                self.targets.push(target);
                self.chances.push(chance);
            }
        }
        self.first.push(self.targets.len());
    }

    /// The graph of all positions of a database that are open, with the number of each slot.
    pub(crate) fn whole<G: Indexed>(
        values: &dyn Values<G>,
        belief: &Belief,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<(Graph, Vec<u32>), PlayerError> {
        let (index, size) = (values.index(), values.index().size() as usize);
        progress.set_length(Some(2 * size as u64));
        progress.message("reading values");
        let read = pieces(size, PIECE, threads, |piece| {
            progress.advance(piece.len() as u64);
            piece.map(|slot| values.code(slot as u64)).collect::<Result<Vec<Code>, PlayerError>>()
        });
        let mut codes = Vec::with_capacity(size);
        for piece in read {
            codes.extend(piece?);
        }
        progress.message("collecting moves");
        let parts = pieces(size, PIECE, threads, |piece| {
            let (mut part, mut work) = (Vec::new(), Work::new());
            progress.advance(piece.len() as u64);
            for slot in piece {
                let Some(value) = codes[slot].value().filter(|_| !stop.is_set()) else { continue };
                let position = index.position(slot as u64);
                let open = position.filter(|p| index.game().outcome(p).is_none());
                if let Some(position) = open {
                    let code = |slot: u64| Ok(codes[slot as usize]);
                    let node = node(index, belief, &position, value, &code, &mut work)?;
                    part.push((slot, node));
                }
            }
            Ok::<_, PlayerError>(part)
        });
        if stop.is_set() {
            return Err(PlayerError::Unsupported("stopped while preparing traps".to_string()));
        }
        let parts = parts.into_iter().collect::<Result<Vec<_>, PlayerError>>()?;
        let mut numbers = vec![NOWHERE; size];
        for (number, (slot, _)) in parts.iter().flatten().enumerate() {
            numbers[*slot] = number as u32;
        }
        let mut graph = Graph { first: vec![0], ..Graph::default() };
        for (_, node) in parts.into_iter().flatten() {
            graph.push(&node, |slot| numbers[slot as usize]);
        }
        Ok((graph, numbers))
    }

    /// The graph of the positions nearest to some others, breadth first, at most so many; for
    /// databases that are too large for all of it. What lies beyond counts for nothing.
    pub(crate) fn around<G: Indexed>(
        values: &dyn Values<G>,
        belief: &Belief,
        roots: &[G::Position],
        most: usize,
    ) -> Result<(Graph, HashMap<u64, u32>), PlayerError> {
        let index = values.index();
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let (mut queue, mut nodes, mut work) = (Vec::new(), Vec::new(), Work::new());
        for slot in roots.iter().filter_map(|root| index.index_of(root)) {
            numbers.entry(slot).or_insert_with(|| {
                queue.push(slot);
                queue.len() as u32 - 1
            });
        }
        let mut at = 0;
        while at < queue.len() {
            let slot = queue[at];
            at += 1;
            let unknown = || PlayerError::Unsupported(format!("slot {slot} holds no position"));
            let position = index.position(slot).ok_or_else(unknown)?;
            let value = values.code(slot)?.value().ok_or_else(unknown)?;
            let code = |slot: u64| values.code(slot);
            let node = node(index, belief, &position, value, &code, &mut work)?;
            for &(next, _) in &node.edges {
                if queue.len() < most && !numbers.contains_key(&next) {
                    numbers.insert(next, queue.len() as u32);
                    queue.push(next);
                }
            }
            nodes.push(node);
        }
        let mut graph = Graph { first: vec![0], ..Graph::default() };
        for node in &nodes {
            graph.push(node, |slot| numbers.get(&slot).copied().unwrap_or(NOWHERE));
        }
        Ok((graph, numbers))
    }

    /// The fixpoint: y of every position that may be the opponent's to move (0 for the others),
    /// and how many sweeps it took.
    pub(crate) fn settle(&self, belief: &Belief, threads: usize) -> (Vec<f32>, usize) {
        let (patience, draw) = (belief.patience as f32, belief.draw as f32);
        let mut ours = vec![0.0f32; self.kinds.len()];
        let mut theirs = ours.clone();
        let edges = |i: usize| self.first[i]..self.first[i + 1];
        for sweep in 1..=MOST_SWEEPS {
            let x = &ours;
            parallel::update(&mut theirs, threads, |from, piece| {
                for (i, y) in piece.iter_mut().enumerate() {
                    let at = from + i;
                    let mut sum = 0.0;
                    match self.kinds[at] {
                        Kind::Lost => continue,
                        Kind::Drawn => {
                            for e in edges(at) {
                                sum += self.chances[e] * x[self.targets[e] as usize];
                            }
                            sum *= patience;
                        }
                        Kind::Won => {
                            for e in edges(at) {
                                let t = self.targets[e] as usize;
                                sum += self.chances[e]
                                    * match self.kinds[t] {
                                        Kind::Drawn => draw + (1.0 - draw) * x[t],
                                        _ => patience * x[t],
                                    };
                            }
                        }
                    }
                    *y = self.base[at] + sum;
                }
                0.0
            });
            let y = &theirs;
            let change = parallel::update(&mut ours, threads, |from, piece| {
                let mut most = 0.0f32;
                for (i, x) in piece.iter_mut().enumerate() {
                    let at = from + i;
                    if self.kinds[at] == Kind::Won {
                        continue;
                    }
                    let best = edges(at).map(|e| y[self.targets[e] as usize]).fold(0.0, f32::max);
                    most = most.max((best - *x).abs());
                    *x = best;
                }
                most
            });
            if change < SETTLED {
                return (theirs, sweep);
            }
        }
        (theirs, MOST_SWEEPS)
    }
}
