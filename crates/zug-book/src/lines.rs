//! How do lines of play and the places of a book meet?
//!
//! A book holds keys, people and players have lines. Here a line becomes positions to store, a place
//! becomes a line that leads to it, and the whole book is walked with a board in hand.

use crate::graph::{Added, Book, Leaf, Node, Visited};
use crate::places::{Places, Step};
use std::collections::HashSet;
use zug_core::{AnyGame, AnyLine};

/// The positions that the first `plies` moves of a line went through, the one after them last.
#[must_use]
pub fn visited(places: &Places, line: &dyn AnyLine, plies: usize) -> Vec<Visited> {
    let mut line = line.boxed_clone();
    while line.ply() > plies && line.undo() {}
    let mut visited = Vec::with_capacity(line.ply() + 1);
    loop {
        let ply = line.ply() as u32;
        visited.push(Visited { key: places.key(&*line), side: line.to_move(), ply });
        if !line.undo() {
            visited.reverse();
            return visited;
        }
    }
}

/// The legal moves that lead to no place of the book, one of each set that lead to the same: what
/// the best alternative is looked for among.
///
/// A move back to a place from which the book leads here again (a repetition) counts as one of them,
/// since it cannot be stored as a way on.
#[must_use]
pub fn unplayed(book: &Book, places: &Places, line: &dyn AnyLine) -> Vec<String> {
    let mut seen = HashSet::new();
    let here = book.get(places.key(line));
    places
        .steps(line)
        .into_iter()
        .filter(|step| seen.insert(step.key) && !book.leads_on(here, step.key))
        .map(|step| step.mv)
        .collect()
}

impl Book {
    /// Is `key` a successor of a node, known or about to be: in the book, and no way back?
    pub(crate) fn leads_on(&self, here: Option<&Node>, key: u64) -> bool {
        let Some(&to) = self.index.get(&key) else { return false };
        here.is_none_or(|node| {
            node.children.binary_search_by_key(&key, |e| e.key).is_ok()
                || !self.closes_circle(self.index[&node.key], to)
        })
    }

    /// Adds the first `plies` moves of a line as a game, with the result from the view of the mover
    /// after them, and links every new position to what the book knows of its moves.
    pub fn add_line(
        &mut self,
        places: &Places,
        line: &dyn AnyLine,
        plies: usize,
        result: Leaf,
    ) -> Added {
        let path = visited(places, line, plies);
        let start = if line.starts_at_start() { String::new() } else { line.start_text() };
        let added = self.add_from(&start, &path, result);
        // The last position is a leaf: nothing is looked for beyond it.
        let mut line = line.boxed_clone();
        while line.ply() + 1 >= path.len() && line.undo() {}
        let new: HashSet<u64> = added.new.iter().copied().collect();
        loop {
            let key = places.key(&*line);
            if new.contains(&key) && path.last().is_some_and(|leaf| leaf.key != key) {
                self.link(key, &places.steps(&*line));
            }
            if !line.undo() {
                return added;
            }
        }
    }

    /// Tells a node which places its legal moves lead to: those that are in the book become
    /// successors, though no stored game went that way. A leaf is left alone. True when there were
    /// any.
    pub fn link(&mut self, key: u64, steps: &[Step]) -> bool {
        let Some(&from) = self.index.get(&key) else { return false };
        let node = &self.nodes[from as usize];
        if node.is_leaf() && !node.is_open() {
            return false;
        }
        let mut changed = Vec::new();
        for step in steps {
            if let Some(&to) = self.index.get(&step.key) {
                self.connect(from, to, 0, &mut changed);
            }
        }
        !changed.is_empty()
    }

    /// Links every node of the book; the keys of those that changed. To be done from time to time,
    /// as a new position does not know which older ones have a move to it.
    pub fn link_all(&mut self, game: &dyn AnyGame, places: &Places) -> Vec<u64> {
        let mut found = Vec::new();
        self.walk(game, places, |book, node, _, steps| {
            let fresh = |step: &Step| {
                book.contains(step.key)
                    && node.children.binary_search_by_key(&step.key, |e| e.key).is_err()
            };
            if (!node.is_leaf() || node.is_open()) && steps.iter().any(fresh) {
                found.push((node.key, steps.to_vec()));
            }
        });
        found.into_iter().filter_map(|(key, steps)| self.link(key, &steps).then_some(key)).collect()
    }

    /// A line of play from a root of the book to a place; `None` when the place is not in the book,
    /// or the rules do not let the line through (a repetition).
    #[must_use]
    pub fn line_to(
        &self,
        game: &dyn AnyGame,
        places: &Places,
        key: u64,
    ) -> Option<Box<dyn AnyLine>> {
        let mut way = vec![self.get(key)?];
        while let Some(&parent) = way.last().and_then(|node| {
            // The way that most games went.
            let games = |&&p: &&u32| {
                let edges = &self.nodes[p as usize].children;
                let at = edges.binary_search_by_key(&node.key, |e| e.key);
                at.map_or(0, |at| edges[at].games)
            };
            node.parents.iter().max_by_key(games)
        }) {
            way.push(&self.nodes[parent as usize]);
        }
        let root = self.roots.iter().find(|r| r.key == way[way.len() - 1].key)?;
        let mut line = begin(game, &root.position)?;
        if places.key(&*line) != root.key {
            return None;
        }
        for node in way.iter().rev().skip(1) {
            let step = places.steps(&*line).into_iter().find(|s| s.key == node.key)?;
            line.play(&step.mv).ok()?;
        }
        Some(line)
    }

    /// Visits every node that can be reached from a root, once, with a line that leads there and its
    /// steps. Gives back the places that were visited.
    pub(crate) fn walk(
        &self,
        game: &dyn AnyGame,
        places: &Places,
        mut visit: impl FnMut(&Book, &Node, &dyn AnyLine, &[Step]),
    ) -> HashSet<u64> {
        let mut seen = HashSet::with_capacity(self.len());
        for root in &self.roots {
            let Some(mut line) = begin(game, &root.position) else { continue };
            if places.key(&*line) != root.key {
                continue;
            }
            // For each node on the line, the steps that are still to be followed.
            let mut open: Vec<std::vec::IntoIter<Step>> = Vec::new();
            let mut next = Some(root.key);
            loop {
                let node = next.and_then(|key| self.get(key)).filter(|n| seen.insert(n.key));
                if let Some(node) = node {
                    let mut steps = places.steps(&*line);
                    visit(self, node, &*line, &steps);
                    steps.retain(|s| node.children.binary_search_by_key(&s.key, |e| e.key).is_ok());
                    open.push(steps.into_iter());
                } else if next.is_some() {
                    line.undo();
                }
                let Some(steps) = open.last_mut() else { break };
                let step = steps.find(|s| !seen.contains(&s.key));
                next = step.and_then(|s| line.play(&s.mv).is_ok().then_some(s.key));
                if next.is_none() && steps.len() == 0 {
                    open.pop();
                    line.undo();
                }
            }
        }
        seen
    }
}

/// A line at a root.
fn begin(game: &dyn AnyGame, position: &str) -> Option<Box<dyn AnyLine>> {
    if position.is_empty() { Some(game.new_line()) } else { game.line_from(position).ok() }
}

#[cfg(test)]
mod tests;
