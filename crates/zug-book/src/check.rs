//! Is everything in the book as it should be?
//!
//! The reader of a file refuses what would break the program; this goes further and holds the book
//! against the rules of its game: every position can be reached from a root by legal moves, the sides
//! are right, games end where they end, exact results do not contradict one another, alternatives are
//! legal moves out of the book, and the counts add up. Each fault names its position.

use crate::graph::{Book, Node};
use crate::places::{Places, Step};
use crate::values::{Draws, Values};
use std::collections::{HashMap, HashSet};
use std::fmt;
use zug_core::{AnyGame, AnyLine, Side};

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions.
    pub positions: usize,
    /// Games that were added.
    pub games: u64,
    /// Positions where stored games end.
    pub leaves: usize,
    /// Those of them that have no result.
    pub open: usize,
    /// Results that are exact.
    pub exact: usize,
    /// Ways from one position to another.
    pub edges: usize,
    /// Alternatives.
    pub alternatives: usize,
    /// Names of openings.
    pub names: usize,
    /// What is wrong; the first [`MAX_FAULTS`] of them.
    pub faults: Vec<Fault>,
    /// How many faults more.
    pub more: usize,
}

/// Something wrong with a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its place.
    pub key: u64,
    /// The position in notation, where it can be reached.
    pub position: Option<String>,
    /// What is wrong with it.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.position {
            Some(position) => write!(f, "position {position} ({:016x}): {}", self.key, self.what),
            None => write!(f, "position {:016x}: {}", self.key, self.what),
        }
    }
}

/// A report names no more faults than this.
pub const MAX_FAULTS: usize = 100;

impl Report {
    /// Is the book in order?
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    fn fault(&mut self, key: u64, position: Option<String>, what: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault { key, position, what: what.into() });
        } else {
            self.more += 1;
        }
    }
}

/// Checks a book against the rules of its game.
#[must_use]
pub fn check(book: &Book, game: &dyn AnyGame, places: &Places) -> Report {
    let mut report = Report {
        positions: book.len(),
        games: book.games(),
        leaves: book.nodes().filter(|n| n.is_leaf()).count(),
        open: book.nodes().filter(|n| n.is_open()).count(),
        exact: book.nodes().filter(|n| n.result.is_some_and(|r| r.exact)).count(),
        edges: book.nodes().map(|n| n.children.len()).sum(),
        alternatives: book.nodes().filter(|n| n.alternative.is_some()).count(),
        names: book.names.len(),
        ..Report::default()
    };
    if book.spec() != game.spec() {
        let what = format!("the book is for '{}', not for '{}'", book.spec(), game.spec());
        report.fault(0, None, what);
        return report;
    }
    check_roots(book, game, places, &mut report);
    let mut ways: HashMap<u64, usize> = HashMap::new();
    for edge in book.nodes().flat_map(Node::children) {
        *ways.entry(edge.key).or_default() += 1;
    }
    for node in book.nodes() {
        check_node(book, node, &mut report);
        if node.parents.len() != ways.get(&node.key).copied().unwrap_or(0) {
            report.fault(node.key, None, "it does not know the ways that lead to it");
        }
    }
    let seen = book.walk(game, places, |book, node, line, steps| {
        check_position(book, node, line, steps, &mut report);
    });
    for node in book.nodes().filter(|n| !seen.contains(&n.key)) {
        report.fault(node.key, None, "no legal moves of the book lead here from where games begin");
    }
    for draws in [Draws::Neutral, Draws::LostFor(Side::First), Draws::LostFor(Side::Second)] {
        let values = Values::of(book, draws);
        for node in book.nodes().filter(|n| values.value(n.key).is_none()) {
            report.fault(node.key, None, "it has no value");
        }
    }
    report
}

fn check_roots(book: &Book, game: &dyn AnyGame, places: &Places, report: &mut Report) {
    for root in book.roots() {
        let line = match root.position.as_str() {
            "" => Ok(game.new_line()),
            text => game.line_from(text),
        };
        match line {
            Err(error) => {
                report.fault(root.key, None, format!("where games begin cannot be read: {error}"));
            }
            Ok(line) if places.key(&*line) != root.key => {
                let found = places.key(&*line);
                let what = format!("games begin here, but the place has the key {found:016x} now");
                report.fault(root.key, Some(line.position_text()), what);
            }
            Ok(_) => {}
        }
    }
}

/// What can be seen without a board.
fn check_node(book: &Book, node: &Node, report: &mut Report) {
    let mut fault = |what: &str| report.fault(node.key, None, what);
    for edge in &node.children {
        match book.get(edge.key) {
            None => fault("a successor is not in the book"),
            Some(to) if to.ply <= node.ply => fault("a successor does not come after it"),
            Some(to) if edge.games > to.games => {
                fault("more games lead to a successor than went through that");
            }
            Some(_) => {}
        }
    }
    let counted = [node.wins, node.draws, node.unknown].map(u64::from).iter().sum::<u64>();
    if counted > u64::from(node.games) {
        fault("more games were won, drawn or left without a result than played");
    }
    if node.children.iter().map(|e| u64::from(e.games)).sum::<u64>() > u64::from(node.games) {
        fault("more games go on from it than came to it");
    }
    if !node.is_leaf() && node.result.is_some_and(|r| !r.exact) {
        fault("games go on after a result that is not exact");
    }
}

/// What the rules say.
fn check_position(
    book: &Book,
    node: &Node,
    line: &dyn AnyLine,
    steps: &[Step],
    report: &mut Report,
) {
    let mut fault = |what: &str| report.fault(node.key, Some(line.position_text()), what);
    if line.to_move() != node.side {
        fault("the other side is to move");
    }
    let legal: HashSet<u64> = steps.iter().map(|s| s.key).collect();
    if node.children.iter().any(|e| !legal.contains(&e.key)) {
        fault("no legal move leads to one of its successors");
    }
    if let Some(outcome) = line.outcome() {
        let points = 2.0 * outcome.points(node.side) - 1.0;
        let agrees = |value: i32| f64::from(value.signum()) == points;
        if !node.result.is_some_and(|r| agrees(r.value)) {
            fault("the game is over here, with another result");
        }
    }
    if let Some(alternative) = &node.alternative {
        if !legal.contains(&alternative.key) {
            fault("the alternative is no legal move");
        } else if book.get(alternative.key).is_some_and(|to| to.ply > node.ply) {
            // A way back to an earlier place may stay one, as it might close a circle.
            fault("the alternative is in the book");
        }
    }
    check_exact(book, node, &legal, &mut fault);
}

/// Exact results after a position bound its own. Only their signs are compared, as a search may
/// prove a win without its size.
fn check_exact(book: &Book, node: &Node, legal: &HashSet<u64>, fault: &mut impl FnMut(&str)) {
    let Some(result) = node.result.filter(|r| r.exact) else { return };
    let seen = |to: &Node| {
        let value = to.result.filter(|r| r.exact)?.value.signum();
        Some(if to.side == node.side { value } else { -value })
    };
    let after: Vec<i32> =
        node.children.iter().filter_map(|e| book.get(e.key).and_then(seen)).collect();
    let best = after.iter().max();
    if best.is_some_and(|&best| best > result.value.signum()) {
        fault("its exact result is worse than that of a successor");
    } else if after.len() == legal.len() && best.is_some_and(|&b| b < result.value.signum()) {
        fault("its exact result is better than that of every move");
    }
}

#[cfg(test)]
mod tests;
