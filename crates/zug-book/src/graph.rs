//! What has been played, with all ways to a position merged?
//!
//! The thesis speaks of a tree of stored games. Here positions that different orders of moves or a
//! turned board lead to are one [`Node`], so that what one game taught is known in all of them, and
//! the tree becomes a graph without circles: every edge leads to a node with a larger
//! [`ply`](Node::ply).
//!
//! * A game that comes back to a position (a repetition in chess) is stored without the loop.
//! * A move that would close a circle with what other games went through (possible where moves can
//!   be undone) is not stored as an edge; the game before it ends there with its result, and the
//!   game after it is stored on its own.
//! * A leaf has a result, unless the book was cut there and it is *open*. A result is *exact* when the rules or a search to the end prove it, else just
//!   how the game ended. Where two results meet, exact beats played and otherwise the newest holds.
//! * A longer game through a leaf makes it an inner node: an exact result stays, and decides over
//!   what comes after; a played one is dropped, as what comes after knows more.
//! * Each node may hold one [`Alternative`]: the best move that is not in the book, with the chance
//!   that a search gave it. It goes when its place comes into the book.

use crate::chance::Chance;
use crate::names::Names;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use zug_core::container::Made;
use zug_core::{Outcome, Side};

/// A position of a game on its way into the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    /// Its place.
    pub key: u64,
    /// Who is to move.
    pub side: Side,
    /// Moves played before it.
    pub ply: u32,
}

/// The result at the end of a stored game, from the view of the mover there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// In the game's points: the sign decides; ±1 where the game counts none.
    pub value: i32,
    /// Proven, not only played.
    pub exact: bool,
}

impl Leaf {
    /// The result of a finished game for `mover`. Half points count as whole ones, so that a win by
    /// half a point is no draw.
    #[must_use]
    pub fn of_outcome(outcome: &Outcome, mover: Side, exact: bool) -> Leaf {
        // The bound keeps doubled values in range.
        let margin = outcome.margin.map_or(1, |m| (m.ceil() as i32).clamp(1, MAX_VALUE));
        let value = match outcome.winner {
            None => 0,
            Some(winner) if winner == mover => margin,
            Some(_) => -margin,
        };
        Leaf { value, exact }
    }
}

/// The largest number of points that a result may have, either way.
pub const MAX_VALUE: i32 = 1 << 24;

/// The largest ply at which a position is entered.
pub(crate) const MAX_PLY: u32 = 1 << 24;

/// The best move of a node that is not in the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The move, as written in the position that was searched. The board may have been turned
    /// then: go by `key`.
    pub mv: String,
    /// The place after it.
    pub key: u64,
    /// What a search gave it, from the view of the node's mover.
    pub value: Chance,
    /// The depth of that search.
    pub depth: u32,
}

/// A way from a node to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The place it leads to.
    pub key: u64,
    /// How many stored games went this way; 0 where it is known only that a move leads there.
    pub games: u32,
}

/// A position of the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its place.
    pub key: u64,
    /// Who is to move.
    pub side: Side,
    /// Moves before it in the line in which it was first seen, or more: it grows along every edge.
    pub ply: u32,
    /// Stored games that went through it.
    pub games: u32,
    /// How many of them its mover won.
    pub wins: u32,
    /// How many of them were drawn.
    pub draws: u32,
    /// How many of them have no known result.
    pub unknown: u32,
    pub(crate) result: Option<Leaf>,
    pub(crate) alternative: Option<Alternative>,
    pub(crate) children: Vec<Edge>,
    pub(crate) parents: Vec<u32>,
}

impl Node {
    /// A position of which nothing is known yet.
    pub(crate) fn new(key: u64, side: Side, ply: u32) -> Node {
        Node {
            key,
            side,
            ply,
            games: 0,
            wins: 0,
            draws: 0,
            unknown: 0,
            result: None,
            alternative: None,
            children: Vec::new(),
            parents: Vec::new(),
        }
    }

    /// The result, at a leaf or where it is exact.
    #[must_use]
    pub fn result(&self) -> Option<Leaf> {
        self.result
    }

    /// The best move that is not in the book, if it was searched.
    #[must_use]
    pub fn alternative(&self) -> Option<&Alternative> {
        self.alternative.as_ref()
    }

    /// The nodes that a move leads to, by rising key.
    #[must_use]
    pub fn children(&self) -> &[Edge] {
        &self.children
    }

    /// How many of the games through it its mover lost.
    #[must_use]
    pub fn losses(&self) -> u32 {
        let others = [self.wins, self.draws, self.unknown];
        others.into_iter().fold(self.games, u32::saturating_sub)
    }

    /// Is it the end of every stored game through it?
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    /// Does an edge stand for a move that was played, and not only for one that leads to a known
    /// place? Where none was played, all count.
    pub(crate) fn has_played(&self, edge: &Edge) -> bool {
        edge.games > 0 || self.children.iter().all(|e| e.games == 0)
    }

    /// Does the book end here without a result? See [`Book::add_open`].
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.children.is_empty() && self.result.is_none()
    }
}

/// A position where stored games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Its place.
    pub key: u64,
    /// The position in notation; empty for the game's own start position.
    pub position: String,
}

/// What a game changed in a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Nodes that were not there, in the order of the game.
    pub new: Vec<u64>,
    /// Older nodes that got another successor or another result.
    pub changed: Vec<u64>,
}

/// A book: the positions of stored games, their results and alternatives, names of openings, and
/// how it was made.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// Names of openings.
    pub names: Names,
    /// How it was made; goes into the header of the file.
    pub made: Made,
    /// Anything else that a reader or a person wants to know; goes into the header of the file.
    pub notes: BTreeMap<String, String>,
    pub(crate) spec: String,
    pub(crate) games: u64,
    pub(crate) roots: Vec<Root>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) index: HashMap<u64, u32>,
    /// Which nodes have this place as their alternative.
    wanted: HashMap<u64, Vec<u32>>,
    /// Nodes whose values may have changed, in order; see [`Book::changes_since`].
    log: Vec<u32>,
    /// Grows when the log is begun anew.
    epoch: u64,
}

/// How far a reader of a book's changes has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    epoch: u64,
    at: usize,
}

impl Book {
    /// An empty book for the game of this spec.
    #[must_use]
    pub fn new(spec: &str) -> Book {
        Book { spec: spec.to_string(), ..Book::default() }
    }

    /// The spec of the game.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of games that were added.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Where stored games begin.
    #[must_use]
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The node at a place.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<&Node> {
        self.index.get(&key).map(|&i| &self.nodes[i as usize])
    }

    /// Is the place in the book?
    #[must_use]
    pub fn contains(&self, key: u64) -> bool {
        self.index.contains_key(&key)
    }

    /// All nodes: in the order in which they came, or by ply and key in a book just read.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Node> {
        self.nodes.iter()
    }

    /// The places from which an edge leads here.
    #[must_use]
    pub fn parents(&self, key: u64) -> Vec<u64> {
        let parents = self.get(key).map_or(&[][..], |node| &node.parents);
        parents.iter().map(|&i| self.nodes[i as usize].key).collect()
    }

    /// Adds a game: the positions it went through, the leaf last, and the result from the view of
    /// the mover at the leaf. The caller ends the game at a position whose result is known exactly,
    /// where there is one.
    pub fn add_game(&mut self, visited: &[Visited], result: Leaf) -> Added {
        self.add_from("", visited, result)
    }

    /// Adds a game that begins at a position in notation.
    pub(crate) fn add_from(&mut self, start: &str, visited: &[Visited], result: Leaf) -> Added {
        let path = without_loops(visited);
        let Some(&leaf) = path.last() else { return Added::default() };
        let value = result.value.clamp(-MAX_VALUE, MAX_VALUE);
        let seen_by = |side| if side == leaf.side { value } else { -value };
        self.games += 1;
        if !self.contains(path[0].key) {
            self.roots.push(Root { key: path[0].key, position: start.to_string() });
        }
        let before = self.nodes.len();
        let mut changed = Vec::new();
        let way: Vec<u32> = path.iter().map(|v| self.find_or_create(v, &mut changed)).collect();
        for (&from, &to) in way.iter().zip(&way[1..]) {
            if !self.connect(from, to, 1, &mut changed) {
                let played = Leaf { value: seen_by(self.nodes[from as usize].side), exact: false };
                self.store_result(from, played, &mut changed);
            }
        }
        let end = *way.last().expect("a path with a leaf");
        self.store_result(end, Leaf { value, ..result }, &mut changed);
        for &i in &way {
            let node = &mut self.nodes[i as usize];
            let value = seen_by(node.side);
            node.games = node.games.saturating_add(1);
            node.wins = node.wins.saturating_add(u32::from(value > 0));
            node.draws = node.draws.saturating_add(u32::from(value == 0));
        }
        let new = self.nodes[before..].iter().map(|n| n.key).collect();
        let mut seen = HashSet::new();
        changed.retain(|&i| (i as usize) < before && seen.insert(i));
        let changed = changed.into_iter().map(|i| self.nodes[i as usize].key).collect();
        Added { new, changed }
    }

    pub(crate) fn find_or_create(&mut self, visited: &Visited, changed: &mut Vec<u32>) -> u32 {
        if let Some(&i) = self.index.get(&visited.key) {
            return i;
        }
        let i = u32::try_from(self.nodes.len()).expect("fewer than 2^32 positions");
        self.index.insert(visited.key, i);
        self.nodes.push(Node::new(visited.key, visited.side, visited.ply.min(MAX_PLY)));
        self.log(i);
        // Whoever had this place as its alternative now has it as a successor. Where that would
        // close a circle, it stays an alternative.
        for holder in self.wanted.get(&visited.key).cloned().unwrap_or_default() {
            self.connect(holder, i, 0, changed);
        }
        i
    }

    /// Adds an edge, or games to it; false when it would close a circle.
    pub(crate) fn connect(
        &mut self,
        from: u32,
        to: u32,
        games: u32,
        changed: &mut Vec<u32>,
    ) -> bool {
        let key = self.nodes[to as usize].key;
        match self.nodes[from as usize].children.binary_search_by_key(&key, |e| e.key) {
            Ok(at) => {
                let edge = &mut self.nodes[from as usize].children[at];
                let first = edge.games == 0 && games > 0;
                edge.games = edge.games.saturating_add(games);
                if first {
                    changed.push(from);
                    self.log(from);
                }
            }
            Err(at) => {
                if self.closes_circle(from, to) {
                    return false;
                }
                self.raise(from, to);
                let node = &mut self.nodes[from as usize];
                node.children.insert(at, Edge { key, games });
                if node.result.is_some_and(|r| !r.exact) {
                    node.result = None;
                }
                if node.alternative.as_ref().is_some_and(|a| a.key == key) {
                    self.replace_alternative(from, None);
                }
                self.nodes[to as usize].parents.push(from);
                changed.push(from);
                self.log(from);
            }
        }
        true
    }

    /// Does a way lead from `to` to `from`?
    pub(crate) fn closes_circle(&self, from: u32, to: u32) -> bool {
        let limit = self.nodes[from as usize].ply;
        if from == to {
            return true;
        }
        let mut seen = HashSet::new();
        let mut open = vec![to];
        while let Some(i) = open.pop() {
            // Plies grow along every edge, so nothing at this ply or beyond leads back.
            if self.nodes[i as usize].ply >= limit || !seen.insert(i) {
                continue;
            }
            for edge in &self.nodes[i as usize].children {
                let next = self.index[&edge.key];
                if next == from {
                    return true;
                }
                open.push(next);
            }
        }
        false
    }

    /// Makes the ply of `to`, and of all that comes after it, larger than that of `from`.
    fn raise(&mut self, from: u32, to: u32) {
        let least = self.nodes[from as usize].ply + 1;
        let mut wanted = HashMap::from([(to, least)]);
        // By the old plies, in which every node stands before what comes after it: so each is
        // raised once.
        let mut open = BinaryHeap::from([Reverse((self.nodes[to as usize].ply, to))]);
        while let Some(Reverse((_, i))) = open.pop() {
            let Some(ply) = wanted.remove(&i).filter(|&p| p > self.nodes[i as usize].ply) else {
                continue;
            };
            self.nodes[i as usize].ply = ply;
            self.log(i);
            for edge in &self.nodes[i as usize].children {
                let next = self.index[&edge.key];
                let least = wanted.entry(next).or_insert(0);
                *least = (*least).max(ply + 1);
                open.push(Reverse((self.nodes[next as usize].ply, next)));
            }
        }
    }

    /// Stores a result where it counts: at a leaf, or anywhere if it is exact. False when nothing
    /// changed.
    fn store_result(&mut self, i: u32, leaf: Leaf, changed: &mut Vec<u32>) -> bool {
        let node = &mut self.nodes[i as usize];
        let counts = leaf.exact || node.is_leaf();
        let weaker = node.result.is_some_and(|r| r.exact && !leaf.exact);
        if !counts || weaker || node.result == Some(leaf) {
            return false;
        }
        node.result = Some(leaf);
        changed.push(i);
        self.log(i);
        true
    }

    /// Gives a node a result: an exact one anywhere, a played one at a leaf. True when that changed
    /// something.
    pub fn set_result(&mut self, key: u64, leaf: Leaf) -> bool {
        let Some(&i) = self.index.get(&key) else { return false };
        let value = leaf.value.clamp(-MAX_VALUE, MAX_VALUE);
        self.store_result(i, Leaf { value, ..leaf }, &mut Vec::new())
    }

    /// Gives a node its alternative, or takes it away. False when it was not taken: there is no such
    /// node, or the move leads to a place of the book. That place then becomes a successor, and the
    /// best of the other moves is to be searched.
    pub fn set_alternative(&mut self, key: u64, alternative: Option<Alternative>) -> bool {
        let Some(&i) = self.index.get(&key) else { return false };
        if let Some(&to) = alternative.as_ref().and_then(|a| self.index.get(&a.key))
            && self.connect(i, to, 0, &mut Vec::new())
        {
            return false;
        }
        self.replace_alternative(i, alternative);
        true
    }

    pub(crate) fn replace_alternative(&mut self, i: u32, alternative: Option<Alternative>) {
        let node = &mut self.nodes[i as usize];
        if node.alternative == alternative {
            return;
        }
        if let Some(old) = node.alternative.take()
            && let Some(holders) = self.wanted.get_mut(&old.key)
        {
            holders.retain(|&h| h != i);
            if holders.is_empty() {
                self.wanted.remove(&old.key);
            }
        }
        if let Some(new) = &alternative {
            self.wanted.entry(new.key).or_default().push(i);
        }
        self.nodes[i as usize].alternative = alternative;
        self.log(i);
    }

    fn log(&mut self, i: u32) {
        // A log much longer than the book saves nothing over working everything out again.
        if self.log.len() > 1000 + 4 * self.nodes.len() {
            self.log.clear();
            self.epoch += 1;
        }
        self.log.push(i);
    }

    /// Where the log of changes stands.
    pub(crate) fn mark(&self) -> Mark {
        Mark { epoch: self.epoch, at: self.log.len() }
    }

    /// The nodes whose values may have changed since a mark; `None` when that is not known any more.
    pub(crate) fn changes_since(&self, mark: Mark) -> Option<&[u32]> {
        self.log.get(mark.at..).filter(|_| mark.epoch == self.epoch)
    }

    /// Takes up a whole graph, such as one read from a file: nodes with children, and what follows
    /// from them.
    pub(crate) fn with_nodes(mut self, nodes: Vec<Node>, index: HashMap<u64, u32>) -> Book {
        self.nodes = nodes;
        self.index = index;
        for i in 0..self.nodes.len() {
            for c in 0..self.nodes[i].children.len() {
                let to = self.index[&self.nodes[i].children[c].key];
                self.nodes[to as usize].parents.push(i as u32);
            }
            if let Some(alternative) = &self.nodes[i].alternative {
                self.wanted.entry(alternative.key).or_default().push(i as u32);
            }
        }
        self
    }
}

/// The positions of a game without the loops in it: what lies between two visits of a place is left
/// out.
fn without_loops(visited: &[Visited]) -> Vec<&Visited> {
    let mut path: Vec<&Visited> = Vec::with_capacity(visited.len());
    let mut at: HashMap<u64, usize> = HashMap::with_capacity(visited.len());
    for v in visited {
        match at.get(&v.key) {
            Some(&first) => path.drain(first + 1..).for_each(|gone| {
                at.remove(&gone.key);
            }),
            None => {
                at.insert(v.key, path.len());
                path.push(v);
            }
        }
    }
    path
}

#[cfg(test)]
mod tests;
