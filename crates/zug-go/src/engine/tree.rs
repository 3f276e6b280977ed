//! The tree of the search: what is known about moves, which is tried next, and what a game taught.
//!
//! Nodes lie in one vector, the children of a node side by side, likely ones first; so memory is
//! bounded and a node is a number. Every node is reached by one path only, so that rules about
//! repetition hold exactly.
//!
//! The urgency of a child is its mean, mixed with the mean of all games in which the same side played
//! that move later on (a rough figure that is there early, "RAVE"), plus a share of the attention
//! that falls to it by its probability and shrinks with its visits ("PUCT").

use super::simulate::point_of;

/// What a node is besides a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The game goes on.
    Open,
    /// The game is over; Black leads by so many quarter points.
    Over(i16),
    /// Superko forbids the move.
    Forbidden,
}

/// A move, and what came of it. Values are those of the side that made the move, from 0 to 1.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: f64,
    pub visits: u32,
    pub rave_visits: u32,
    pub rave_value: f32,
    pub prior: f32,
    /// The mean lead of Black at the end of the games through here, in points.
    pub lead: f32,
    first_child: u32,
    children: u16,
    /// The point, 0 for a pass.
    pub mv: u16,
    pub state: State,
}

impl Node {
    pub(crate) fn new(mv: u16, prior: f32) -> Node {
        Node {
            value: 0.0,
            visits: 0,
            rave_visits: 0,
            rave_value: 0.0,
            prior,
            lead: 0.0,
            first_child: 0,
            children: 0,
            mv,
            state: State::Open,
        }
    }

    pub(crate) fn child_range(&self) -> std::ops::Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }

    pub(crate) fn has_children(&self) -> bool {
        self.children > 0
    }

    /// The mean value; ½ for what was never tried.
    pub(crate) fn mean(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.value / f64::from(self.visits) }
    }
}

/// How a game of the search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct End {
    /// Its value for Black, from 0 to 1.
    pub value: f64,
    /// By how many points Black led.
    pub lead: f32,
}

/// How moves are chosen in the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// How much attention goes to likely moves.
    pub exploration: f32,
    /// From how many visits on a move's own mean counts more than RAVE; 0 does without RAVE.
    pub rave: f32,
    /// What a move that was never tried is thought to be worth less than the position.
    pub reserve: f32,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    capacity: usize,
    /// Longest path so far.
    pub deepest: usize,
    /// Who will play a point first in the rest of the game at hand, stamped with the game.
    played: Vec<u32>,
    stamp: u32,
}

impl Tree {
    /// An empty tree that will take at most so many bytes.
    pub fn new(bytes: usize) -> Tree {
        let capacity = (bytes / size_of::<Node>()).clamp(2048, u32::MAX as usize);
        Tree { capacity, played: vec![0; 512], ..Tree::default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.deepest = 0;
    }

    /// How full the tree is, from 0 to 1.
    pub fn fullness(&self) -> f64 {
        self.nodes.len() as f64 / self.capacity as f64
    }

    /// Begins with a root. A tree that was asked too large must not end the program.
    pub fn plant(&mut self) {
        self.nodes.clear();
        while self.nodes.try_reserve_exact(self.capacity).is_err() && self.capacity > 2048 {
            self.capacity /= 2;
        }
        self.nodes.push(Node::new(0, 1.0));
    }

    /// Gives a node children, if there is room.
    pub fn add_children(&mut self, node: usize, moves: &[(u16, f32)]) -> bool {
        if self.nodes.len() + moves.len() > self.capacity {
            return false;
        }
        let first_child = self.nodes.len() as u32;
        self.nodes.extend(moves.iter().map(|&(mv, prior)| Node::new(mv, prior)));
        let node = &mut self.nodes[node];
        node.first_child = first_child;
        node.children = moves.len() as u16;
        true
    }

    /// The child to visit next; `None` when every move is forbidden.
    pub fn select(&self, node: usize, how: &Selection) -> Option<usize> {
        let parent = &self.nodes[node];
        let attention = how.exploration * (parent.visits.max(1) as f32).sqrt();
        let untried = 1.0 - parent.mean() as f32 - how.reserve;
        let per_rave = if how.rave > 0.0 { 1.0 / how.rave } else { 0.0 };
        let (mut best, mut most) = (None, f32::MIN);
        for child in parent.child_range() {
            let c = &self.nodes[child];
            if c.state == State::Forbidden {
                continue;
            }
            let visits = c.visits as f32;
            let mut value =
                if c.visits > 0 { (c.value / f64::from(c.visits)) as f32 } else { untried };
            if c.rave_visits > 0 && how.rave > 0.0 {
                let others = c.rave_visits as f32;
                let share = others / (others + visits + others * visits * per_rave);
                value += share * (c.rave_value / others - value);
            }
            let urgency = value + attention * c.prior / (1.0 + visits);
            if urgency > most {
                (best, most) = (Some(child), urgency);
            }
        }
        best
    }

    /// A game went through `path` (the root first) and ended as `end` says; `root_side` moves at the
    /// root. `trace` are all stones played from the root on.
    pub fn learn(&mut self, path: &[u32], trace: &[u16], end: End, root_side: usize, rave: bool) {
        let value = end.value;
        for (i, &node) in path.iter().enumerate() {
            // The move to the root was made by the other side.
            let by_black = (root_side + i) % 2 == 1;
            let node = &mut self.nodes[node as usize];
            node.visits = node.visits.saturating_add(1);
            node.value += if by_black { value } else { 1.0 - value };
            node.lead += (end.lead - node.lead) / node.visits as f32;
        }
        self.deepest = self.deepest.max(path.len() - 1);
        if rave {
            self.learn_rave(path, trace, value as f32);
        }
    }

    /// Credits each move that a side could have made here and made first later on. Goes back from the
    /// end of the game, so that a table of "who will play this first" grows move by move.
    fn learn_rave(&mut self, path: &[u32], trace: &[u16], value: f32) {
        if self.stamp >= u32::MAX / 2 {
            self.played.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        for (i, &stone) in trace.iter().enumerate().rev() {
            let (p, side) = (point_of(stone), u32::from(stone >> 15));
            let sign = self.stamp << 1 | side;
            if p != 0 {
                self.played[usize::from(p) & 511] = sign;
            }
            if i + 1 >= path.len() {
                continue;
            }
            let gain = if side == 0 { value } else { 1.0 - value };
            let range = self.nodes[path[i] as usize].child_range();
            for child in &mut self.nodes[range] {
                if self.played[usize::from(child.mv) & 511] == sign {
                    child.rave_visits += 1;
                    child.rave_value += gain;
                }
            }
        }
    }

    /// The most visited path that begins at a child of the root.
    pub fn main_line(&self, child: usize) -> Vec<u16> {
        let mut line = vec![self.nodes[child].mv];
        let mut at = child;
        while let Some(next) = self.nodes[at]
            .child_range()
            .filter(|&c| self.nodes[c].visits > 0 && self.nodes[c].state != State::Forbidden)
            .max_by_key(|&c| (self.nodes[c].visits, std::cmp::Reverse(c)))
        {
            line.push(self.nodes[next].mv);
            at = next;
        }
        line
    }

    /// Moves were played: their subtree becomes the tree. False when nothing of use was there.
    pub fn advance(&mut self, moves: &[u16]) -> bool {
        let mut at = 0;
        for &mv in moves {
            let Some(node) = self.nodes.get(at) else { return false };
            match node.child_range().find(|&c| self.nodes[c].mv == mv) {
                Some(child) => at = child,
                None => return false,
            }
        }
        if self.nodes.get(at).is_none_or(|n| !n.has_children() || n.state != State::Open) {
            return false;
        }
        if at > 0 {
            self.keep_subtree(at);
        }
        self.deepest = 0;
        true
    }

    /// Moves a subtree to the front, in place. Children always lie behind their parent and side by
    /// side; so one pass in order finds what stays, and numbering that in order keeps families
    /// together.
    fn keep_subtree(&mut self, root: usize) {
        let mut stays = vec![false; self.nodes.len()];
        let mut place = vec![0u32; self.nodes.len()];
        stays[root] = true;
        let mut next = 0;
        for old in root..self.nodes.len() {
            if stays[old] {
                stays[self.nodes[old].child_range()].fill(true);
                place[old] = next;
                next += 1;
            }
        }
        for old in root..self.nodes.len() {
            if stays[old] {
                let new = place[old] as usize;
                self.nodes.swap(new, old);
                let node = &mut self.nodes[new];
                if node.has_children() {
                    node.first_child = place[node.first_child as usize];
                }
            }
        }
        self.nodes.truncate(next as usize);
    }
}
