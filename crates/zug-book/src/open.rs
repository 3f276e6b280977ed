//! How do games get into the book whose end is of no interest?
//!
//! A book of many games keeps their first moves only. Where it ends, the result of one game says
//! little about the position: it stays *open*, neither won nor lost, until its alternative is
//! searched, which then is its chance.

use crate::graph::{Added, Book, Root};
use crate::lines::visited;
use crate::places::Places;
use std::collections::HashSet;
use zug_core::{AnyLine, Outcome};

impl Book {
    /// Adds the first `plies` moves of a line as a game without a result at its end. The outcome of
    /// the whole game, where it is known, is counted at the positions that it went through; a game
    /// of unknown outcome is neither won nor lost there.
    pub fn add_open(
        &mut self,
        places: &Places,
        line: &dyn AnyLine,
        plies: usize,
        outcome: Option<Outcome>,
    ) -> Added {
        let mut path = visited(places, line, plies);
        // A game that comes back to a place is kept up to there; the loop says nothing.
        let mut seen = HashSet::new();
        let straight = path.iter().take_while(|v| seen.insert(v.key)).count();
        path.truncate(straight);
        let Some(first) = path.first() else { return Added::default() };
        self.games += 1;
        if !self.contains(first.key) {
            let position = if line.starts_at_start() { String::new() } else { line.start_text() };
            self.roots.push(Root { key: first.key, position });
        }
        let before = self.nodes.len();
        let mut changed = Vec::new();
        let mut last = None;
        for v in &path {
            let i = self.find_or_create(v, &mut changed);
            // A way that would close a circle ends the game.
            if last.is_some_and(|from| !self.connect(from, i, 1, &mut changed)) {
                break;
            }
            last = Some(i);
            let node = &mut self.nodes[i as usize];
            node.games = node.games.saturating_add(1);
            match &outcome {
                Some(outcome) if outcome.winner == Some(node.side) => {
                    node.wins = node.wins.saturating_add(1);
                }
                Some(outcome) if outcome.winner.is_none() => {
                    node.draws = node.draws.saturating_add(1);
                }
                Some(_) => {}
                None => node.unknown = node.unknown.saturating_add(1),
            }
        }
        let new = self.nodes[before..].iter().map(|n| n.key).collect();
        let mut seen = HashSet::new();
        changed.retain(|&i| (i as usize) < before && seen.insert(i));
        let changed = changed.into_iter().map(|i| self.nodes[i as usize].key).collect();
        Added { new, changed }
    }
}
