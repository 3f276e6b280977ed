//! What do the stored games say about each position?
//!
//! Two numbers a node, both from the view of the side that moves there (thesis, section 5.2):
//!
//! * the **tree value** V_T: NegaMax of the results over the stored games;
//! * the **chance** V_C: at a leaf +∞, 0 or −∞ after its result; at an inner node the best of
//!   * V_T > 0: the successors that win,
//!   * V_T = 0: the successors that draw, and the alternative,
//!   * V_T < 0: the successors, and the alternative.
//!
//! A node without an alternative (all its moves are in the book, or none was searched) takes the
//! best of its successors alone. Signs follow the sides and not the plies, as a side may have to pass
//! or may move twice. An exact result decides over what comes after it.
//!
//! Successors are the moves that stored games have made. Where another move leads to a place of the
//! book as well, it is an alternative whose chance is known: an opponent who could have played better
//! but did not is not given credit for it, and what won is repeated.
//!
//! A position where the book ends without a result is *open*: neither won nor lost, and its chance is
//! that of its alternative. A book of many games that keeps only what was played often is full of
//! such edges, and a win that one or two games have made must not blind it for them. So in a node
//! that has an open successor:
//!
//! * a move that wins in the stored games is repeated as long as its chance is not below nought, and
//!   no other move or alternative has a chance that is better by more than a disc (or a pawn);
//! * else the opponent is known to have a good way out, and the win is worth no more than what comes
//!   of it: all moves and the alternative compete by their chances. If a win is the best of them
//!   still, the node is won, else it is open itself, and its chance is the best of all.
//!
//! Above open positions the chance is thus the plain NegaMax of estimates. Nodes without open
//! successors keep the three cases above.
//!
//! A draw counts as one, or as lost for one side ([`Draws`]): a program that trusts its strength does
//! not want to repeat draws. That is its own view, hence one set of values for each colour. A draw so
//! counted still is the best of losses.

use crate::chance::{Chance, End};
use crate::graph::{Book, Edge, Mark, Node};
use std::collections::{BinaryHeap, HashMap};
use zug_core::Side;

/// How draws count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Draws {
    /// As draws.
    Neutral,
    /// As lost for this side, and so as won for the other.
    LostFor(Side),
}

/// A tree value without its size, draws counted as asked for. Order is preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// The mover loses in the stored games.
    Lost,
    /// Drawn.
    Drawn,
    /// Not decided: the book ends here without a result, or the best moves lead to where it does.
    Open,
    /// The mover wins.
    Won,
}

/// A tree value: points doubled, and ±1 for a draw that counts as won or lost, which leaves it below
/// every win and above every loss. What is not decided stands among the draws, however those count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tree {
    doubled: i32,
    open: bool,
}

impl Tree {
    /// Not decided.
    pub(crate) const OPEN: Tree = Tree { doubled: 0, open: true };

    pub(crate) fn of(value: i32, mover: Side, draws: Draws) -> Tree {
        let doubled = match draws {
            Draws::LostFor(side) if value == 0 => {
                if side == mover {
                    -1
                } else {
                    1
                }
            }
            _ => value.saturating_mul(2),
        };
        Tree { doubled, open: false }
    }

    pub(crate) fn points(self) -> i32 {
        self.doubled / 2
    }

    pub(crate) fn standing(self) -> Standing {
        match self.doubled.signum() {
            -1 => Standing::Lost,
            0 if self.open => Standing::Open,
            0 => Standing::Drawn,
            _ => Standing::Won,
        }
    }

    /// Seen by a side, if this is seen by another.
    pub(crate) fn seen(self, by: Side, from: Side) -> Tree {
        if by == from { self } else { Tree { doubled: -self.doubled, ..self } }
    }
}

/// Tree value and chance of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub tree: Tree,
    pub chance: Chance,
}

impl Value {
    /// Seen by a side, if this is seen by another.
    pub(crate) fn seen(self, by: Side, from: Side) -> Value {
        if by == from {
            self
        } else {
            Value { tree: self.tree.seen(by, from), chance: -self.chance }
        }
    }
}

/// A move of a node: what is known of it, from the view of the mover.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// Stored games made it.
    Played(Value),
    /// It leads to a known place, but nobody made it here.
    Known(Value),
    /// The searched alternative.
    Alternative(Chance),
}

impl Way {
    pub(crate) fn chance(self) -> Chance {
        match self {
            Way::Played(value) | Way::Known(value) => value.chance,
            Way::Alternative(chance) => chance,
        }
    }

    fn is_open(self) -> bool {
        matches!(self, Way::Played(v) | Way::Known(v) if v.tree.standing() == Standing::Open)
    }
}

/// Between which of its moves does the mover of a node choose, by their chances?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The thesis: the moves that keep this standing, and unless it is won, those nobody made yet.
    Keep(Standing),
    /// Nothing is decided: all.
    All,
}

impl Scope {
    pub(crate) fn has(self, way: Way) -> bool {
        match (self, way) {
            (Scope::All, _) => true,
            (Scope::Keep(standing), Way::Played(value)) => value.tree.standing() == standing,
            (Scope::Keep(standing), _) => standing != Standing::Won,
        }
    }

    /// The tree value of a node without a result of its own, and the moves that count in it.
    pub(crate) fn of(ways: &[Way]) -> (Tree, Scope) {
        let played = |way: &Way| match way {
            Way::Played(value) => Some(*value),
            _ => None,
        };
        let tree = ways.iter().filter_map(played).map(|v| v.tree).max().unwrap_or(Tree::OPEN);
        if tree != Tree::OPEN && !ways.iter().any(|way| way.is_open()) {
            return (tree, Scope::Keep(tree.standing()));
        }
        let wins = ways.iter().filter_map(played).filter(|v| v.tree.standing() == Standing::Won);
        match wins.map(|v| v.chance).max() {
            Some(win) if ways.iter().all(|way| is_repeated(win, way.chance())) => {
                (tree, Scope::Keep(Standing::Won))
            }
            _ => (Tree::OPEN, Scope::All),
        }
    }
}

/// How much better than that of a win, in hundredths, the chance of another move may be: a disc or a
/// pawn.
const WORTH_OF_A_WIN: i64 = 100;

/// Is a win of this chance repeated, beside a move that has another chance? Only asked where some
/// move leads to what is open.
fn is_repeated(win: Chance, other: Chance) -> bool {
    let is_near = match (win, other) {
        (Chance::Estimate(win), Chance::Estimate(other)) => {
            i64::from(other) - i64::from(win) <= WORTH_OF_A_WIN
        }
        (Chance::Won(_), Chance::Won(_)) => true,
        _ => false,
    };
    other <= win || (win >= Chance::DRAW && is_near)
}

/// The values of all nodes of a book, for one way to count draws.
///
/// They are worked out once and kept beside the book; [`update`](Values::update) follows its changes
/// at the cost of the ancestors of what changed.
#[derive(Clone, Debug)]
pub struct Values {
    draws: Draws,
    values: HashMap<u64, Value>,
    mark: Mark,
}

impl Values {
    /// The values of a book.
    #[must_use]
    pub fn of(book: &Book, draws: Draws) -> Values {
        let mut values = Values { draws, values: HashMap::new(), mark: book.mark() };
        values.compute_all(book);
        values
    }

    /// How draws count in them.
    #[must_use]
    pub fn draws(&self) -> Draws {
        self.draws
    }

    /// The tree value of a place in points (0 for a draw, however it counts), from the view of its
    /// mover; `None` when it is not in the book.
    #[must_use]
    pub fn tree(&self, key: u64) -> Option<i32> {
        self.value(key).map(|v| v.tree.points())
    }

    /// Is the place won, drawn or lost for its mover in the stored games, or not decided?
    #[must_use]
    pub fn standing(&self, key: u64) -> Option<Standing> {
        self.value(key).map(|v| v.tree.standing())
    }

    /// The chance of a place, from the view of its mover.
    #[must_use]
    pub fn chance(&self, key: u64) -> Option<Chance> {
        self.value(key).map(|v| v.chance)
    }

    pub(crate) fn value(&self, key: u64) -> Option<Value> {
        self.values.get(&key).copied()
    }

    /// Follows what was done to the book since these values were worked out. They must be of this
    /// book, not of a copy that went other ways.
    pub fn update(&mut self, book: &Book) {
        let Some(changes) = book.changes_since(self.mark) else {
            self.compute_all(book);
            return;
        };
        self.mark = book.mark();
        let with_ply = |&i: &u32| (book.nodes[i as usize].ply, i);
        let mut open: BinaryHeap<(u32, u32)> = changes.iter().map(with_ply).collect();
        let mut last = None;
        while let Some(next) = open.pop() {
            // Latest first: what comes after a node is settled before it, and equal entries meet.
            if last.replace(next) == Some(next) {
                continue;
            }
            let node = &book.nodes[next.1 as usize];
            let value = self.compute(book, node);
            if self.values.insert(node.key, value) != Some(value) {
                open.extend(node.parents.iter().map(with_ply));
            }
        }
    }

    fn compute_all(&mut self, book: &Book) {
        self.mark = book.mark();
        self.values = HashMap::with_capacity(book.len());
        let mut order: Vec<&Node> = book.nodes.iter().collect();
        order.sort_by_key(|n| std::cmp::Reverse(n.ply));
        for node in order {
            let value = self.compute(book, node);
            self.values.insert(node.key, value);
        }
    }

    /// The value of a node from those after it.
    fn compute(&self, book: &Book, node: &Node) -> Value {
        if let Some(result) = node.result.filter(|r| r.exact || node.is_leaf()) {
            let tree = Tree::of(result.value, node.side, self.draws);
            return Value { tree, chance: leaf_chance(tree, result.exact, node.ply) };
        }
        let after = |key| {
            let side = book.get(key).map_or(node.side, |n| n.side);
            self.value(key).map(|v| v.seen(node.side, side))
        };
        // Moves that no game has made are as good as alternatives, even where their value is known.
        let way = |edge: &Edge| {
            let value = after(edge.key)?;
            Some(if node.has_played(edge) { Way::Played(value) } else { Way::Known(value) })
        };
        let alternative = node.alternative.as_ref().map(|a| Way::Alternative(a.value));
        let ways: Vec<Way> = node.children.iter().filter_map(way).chain(alternative).collect();
        let (tree, scope) = Scope::of(&ways);
        let chance = ways.iter().filter(|&&way| scope.has(way)).map(|way| way.chance()).max();
        Value { tree, chance: chance.unwrap_or_else(|| leaf_chance(tree, false, node.ply)) }
    }
}

/// ±∞ or 0, after a result.
fn leaf_chance(tree: Tree, proven: bool, ply: u32) -> Chance {
    let end = End { proven, margin: tree.points().unsigned_abs(), ply };
    match tree.standing() {
        Standing::Lost => Chance::Lost(end),
        Standing::Drawn | Standing::Open => Chance::DRAW,
        Standing::Won => Chance::Won(end),
    }
}

#[cfg(test)]
mod tests;
