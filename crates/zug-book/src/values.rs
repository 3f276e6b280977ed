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
//! that of its alternative. Above open positions the chance is the plain NegaMax of estimates.
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
    /// The mover wins.
    Won,
}

/// A tree value: points doubled, and ±1 for a draw that counts as won or lost, which leaves it below
/// every win and above every loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tree(i32);

impl Tree {
    pub(crate) fn of(value: i32, mover: Side, draws: Draws) -> Tree {
        Tree(match draws {
            Draws::LostFor(side) if value == 0 => {
                if side == mover {
                    -1
                } else {
                    1
                }
            }
            _ => value.saturating_mul(2),
        })
    }

    pub(crate) fn points(self) -> i32 {
        self.0 / 2
    }

    pub(crate) fn standing(self) -> Standing {
        match self.0.signum() {
            -1 => Standing::Lost,
            0 => Standing::Drawn,
            _ => Standing::Won,
        }
    }

    /// Seen by a side, if this is seen by another.
    pub(crate) fn seen(self, by: Side, from: Side) -> Tree {
        if by == from { self } else { Tree(-self.0) }
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

    /// Is the place won, drawn or lost for its mover in the stored games?
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
        let played = |e: &&Edge| node.has_played(e);
        let successors = || node.children.iter().filter(played).filter_map(|e| after(e.key));
        let known = node.children.iter().filter(|e| !played(e)).filter_map(|e| after(e.key));
        let tree = successors().map(|v| v.tree).max();
        // An open position: not decided is no draw, however those count.
        let tree = tree.unwrap_or(Tree(0));
        let standing = tree.standing();
        let kept = successors().filter(|v| v.tree.standing() == standing).map(|v| v.chance);
        let alternative = node.alternative.as_ref().filter(|_| standing != Standing::Won);
        let known = known.map(|v| v.chance).filter(|_| standing != Standing::Won);
        let chance = kept.chain(known).chain(alternative.map(|a| a.value)).max();
        Value { tree, chance: chance.unwrap_or_else(|| leaf_chance(tree, false, node.ply)) }
    }
}

/// ±∞ or 0, after a result.
fn leaf_chance(tree: Tree, proven: bool, ply: u32) -> Chance {
    let end = End { proven, margin: tree.points().unsigned_abs(), ply };
    match tree.standing() {
        Standing::Lost => Chance::Lost(end),
        Standing::Drawn => Chance::DRAW,
        Standing::Won => Chance::Won(end),
    }
}

#[cfg(test)]
mod tests;
