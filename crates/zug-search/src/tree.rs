//! The tree of the Monte-Carlo search: where to play the next game, and what it taught.
//!
//! Nodes lie in one vector, the children of a node side by side, so memory is bounded and a node is
//! a number. Every node is reached by one path only; so rules about repetition hold exactly, and a
//! proof found below a node stays true ("MCTS-Solver").
//!
//! Selection is UCB1. With `rave` the mean of a child is mixed with the mean of all games in which
//! the same side played that move later on: a rough figure that is there early.

use crate::order::{MOVE_SLOTS, move_slot};
use crate::parameters::visits_before_expansion;
use crate::rollout::Rollout;
use zug_core::seed::RngExt;
use zug_core::{Game, Line, Outcome, Repetition, Rng, Side, rng};

/// What is known for certain about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    None,
    Won(Side),
    Draw,
    /// The move to this node is forbidden by superko.
    Illegal,
}

impl Proof {
    fn of(outcome: &Outcome) -> Proof {
        outcome.winner.map_or(Proof::Draw, Proof::Won)
    }

    /// Half points for the two sides.
    fn half_points(self) -> [u32; 2] {
        match self {
            Proof::Won(Side::First) => [2, 0],
            Proof::Won(Side::Second) => [0, 2],
            _ => [1, 1],
        }
    }
}

/// A move, and the position it leads to.
#[derive(Clone, Debug)]
pub(crate) struct Node<M> {
    pub mv: M,
    pub visits: u32,
    /// Half points of the side that made the move.
    half_points: u32,
    rave_visits: u32,
    rave_half_points: u32,
    first_child: u32,
    children: u16,
    /// Plies to the end along the proven line.
    distance: u16,
    pub proof: Proof,
    /// Were moves left out? Then a loss cannot be proven.
    pruned: bool,
}

impl<M> Node<M> {
    fn new(mv: M) -> Node<M> {
        Node {
            mv,
            visits: 0,
            half_points: 0,
            rave_visits: 0,
            rave_half_points: 0,
            first_child: 0,
            children: 0,
            distance: 0,
            proof: Proof::None,
            pruned: false,
        }
    }

    fn child_range(&self) -> std::ops::Range<usize> {
        let first = self.first_child as usize;
        first..first + usize::from(self.children)
    }
}

fn mean(half_points: u32, visits: u32) -> f64 {
    f64::from(half_points) / (2.0 * f64::from(visits))
}

/// What a playout needs to know.
pub(crate) struct Scene<'a, G: Game, R> {
    pub line: &'a Line<G>,
    pub rollout: &'a R,
    /// The moves to choose from at the root.
    pub moves: &'a [G::Move],
    pub exploration: f64,
    pub rave: f64,
}

/// The statistics of a move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootStat<M> {
    pub mv: M,
    pub visits: u64,
    pub half_points: u64,
    pub proof: Proof,
    pub distance: u16,
}

pub(crate) struct Tree<G: Game> {
    nodes: Vec<Node<G::Move>>,
    capacity: usize,
    rng: Rng,
    /// Longest path so far.
    pub deepest: usize,
    // Buffers of a playout.
    path: Vec<(usize, Side)>,
    keys: Vec<u64>,
    moves: Vec<G::Move>,
    trace: Vec<(Side, G::Move)>,
    /// The first to play a move in the rest of this playout, by slot; stamped with the playout.
    played: Vec<Option<(u64, Side, G::Move)>>,
    stamp: u64,
}

impl<G: Game> Tree<G> {
    /// An empty tree that will take at most so many bytes.
    pub fn new(bytes: usize, seed: u64, stream: u64) -> Tree<G> {
        Tree {
            nodes: Vec::new(),
            capacity: (bytes / size_of::<Node<G::Move>>()).clamp(1024, u32::MAX as usize),
            rng: rng(seed, stream),
            deepest: 0,
            path: Vec::new(),
            keys: Vec::new(),
            moves: Vec::new(),
            trace: Vec::new(),
            played: Vec::new(),
            stamp: 0,
        }
    }

    /// Forgets the tree.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.deepest = 0;
    }

    /// How full the tree is, in thousandths.
    pub fn fullness(&self) -> u32 {
        (self.nodes.len() * 1000 / self.capacity) as u32
    }

    fn is_root_ready(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Is there nothing left to find out?
    pub fn is_solved(&self) -> bool {
        self.nodes.first().is_some_and(|root| root.proof != Proof::None)
    }

    /// One playout.
    pub fn playout<R: Rollout<G>>(&mut self, scene: &Scene<'_, G, R>) {
        if !self.is_root_ready() {
            self.plant(scene);
        }
        // A path that ends at a move that superko forbids teaches nothing; there are finitely many.
        while let Walk::Forbidden = self.walk(scene) {}
    }

    /// A root with its children.
    fn plant<R: Rollout<G>>(&mut self, scene: &Scene<'_, G, R>) {
        // A tree that was asked too large must not end the program.
        while self.nodes.try_reserve_exact(self.capacity).is_err() && self.capacity > 1024 {
            self.capacity /= 2;
        }
        self.nodes.push(Node::new(scene.moves[0]));
        let mut moves = scene.moves.to_vec();
        scene.rollout.prune(scene.line.game(), scene.line.position(), &mut moves);
        self.add_children(0, &mut moves, scene.moves);
    }

    /// Gives a node children in random order: those that look the same are tried in that order.
    /// `all` are the legal moves, of which `moves` were not pruned.
    fn add_children(&mut self, node: usize, moves: &mut Vec<G::Move>, all: &[G::Move]) {
        let pruned = moves.len() < all.len();
        if moves.is_empty() {
            moves.extend_from_slice(all);
        }
        moves.truncate(usize::from(u16::MAX));
        for i in (1..moves.len()).rev() {
            moves.swap(i, self.rng.random_range(0..=i));
        }
        let first_child = self.nodes.len() as u32;
        self.nodes.extend(moves.iter().map(|&mv| Node::new(mv)));
        let node = &mut self.nodes[node];
        node.first_child = first_child;
        node.children = moves.len() as u16;
        node.pruned = pruned;
    }

    fn expand<R: Rollout<G>>(
        &mut self,
        node: usize,
        position: &G::Position,
        scene: &Scene<'_, G, R>,
    ) {
        let game = scene.line.game();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.moves(position, &mut moves);
        if self.nodes.len() + moves.len() <= self.capacity {
            let mut kept = moves.clone();
            scene.rollout.prune(game, position, &mut kept);
            self.add_children(node, &mut kept, &moves);
        }
        self.moves = moves;
    }

    /// Walks down the tree, plays the game to its end, and carries the result back.
    fn walk<R: Rollout<G>>(&mut self, scene: &Scene<'_, G, R>) -> Walk {
        let game = scene.line.game();
        let mut position = scene.line.position().clone();
        self.keys.clear();
        self.keys.extend_from_slice(scene.line.keys());
        self.path.clear();
        self.path.push((0, game.to_move(&position)));
        self.trace.clear();
        let mut at = 0;
        let half_points = loop {
            if self.nodes[at].proof != Proof::None {
                break self.nodes[at].proof.half_points();
            }
            if self.nodes[at].children == 0 {
                let fullness = self.nodes.len() as f64 / self.capacity as f64;
                if self.nodes[at].visits >= visits_before_expansion(fullness) {
                    self.expand(at, &position, scene);
                }
                if self.nodes[at].children == 0 {
                    let outcome = self.simulate(&position, scene);
                    break Proof::of(&outcome).half_points();
                }
            }
            let side = game.to_move(&position);
            let Some(child) = self.select(at, side, scene) else {
                // Every move is forbidden: the rules are silent, nobody wins.
                self.prove(Proof::Draw);
                break Proof::Draw.half_points();
            };
            let mv = self.nodes[child].mv;
            game.play(&mut position, mv);
            self.trace.push((side, mv));
            self.path.push((child, side));
            at = child;
            if self.nodes[at].visits == 0 {
                match self.first_look(game, &position) {
                    Proof::Illegal => {
                        self.nodes[at].proof = Proof::Illegal;
                        return Walk::Forbidden;
                    }
                    Proof::None => {}
                    proof => self.prove(proof),
                }
            }
            if game.repetition() != Repetition::Allowed {
                self.keys.push(game.repetition_key(&position));
            }
        };
        self.deepest = self.deepest.max(self.path.len() - 1);
        self.learn(half_points, scene.rave > 0.0);
        Walk::Finished
    }

    fn simulate<R: Rollout<G>>(
        &mut self,
        position: &G::Position,
        scene: &Scene<'_, G, R>,
    ) -> Outcome {
        let game = scene.line.game();
        if scene.rave > 0.0 {
            scene.rollout.traced_rollout(game, position, &mut self.rng, &mut self.trace)
        } else {
            scene.rollout.rollout(game, position, &mut self.rng)
        }
    }

    /// Is the game over in a position that is seen for the first time, or is it forbidden? A
    /// position that comes back counts as a draw at once, as in the alpha-beta search.
    fn first_look(&self, game: &G, position: &G::Position) -> Proof {
        let repetition = game.repetition();
        if repetition == Repetition::Forbidden {
            let key = game.repetition_key(position);
            if self.keys.last() != Some(&key) && self.keys.contains(&key) {
                return Proof::Illegal;
            }
        }
        if let Some(outcome) = game.outcome(position) {
            return Proof::of(&outcome);
        }
        if let Repetition::Draw(_) = repetition {
            let key = game.repetition_key(position);
            let first = self.keys.len().saturating_sub(game.reversible_plies(position));
            if self.keys[first..].contains(&key) {
                return Proof::Draw;
            }
        }
        Proof::None
    }

    /// The child to visit next; `None` when no move is allowed.
    fn select<R>(&self, node: usize, side: Side, scene: &Scene<'_, G, R>) -> Option<usize> {
        let parent = &self.nodes[node];
        let log = f64::from(parent.visits.max(1)).ln();
        let mut best = None;
        for child in parent.child_range() {
            let c = &self.nodes[child];
            let urgency = match c.proof {
                Proof::Illegal => continue,
                Proof::Won(winner) if winner == side => return Some(child),
                // Only when nothing else is left.
                Proof::Won(_) => -1.0,
                Proof::Draw => 0.5,
                Proof::None if c.visits == 0 && scene.rave <= 0.0 => return Some(child),
                Proof::None => urgency(c, log, scene.exploration, scene.rave),
            };
            if best.is_none_or(|(u, _)| urgency > u) {
                best = Some((urgency, child));
            }
        }
        best.map(|(_, child)| child)
    }

    /// The last node of the path is proven; what follows for those above it?
    fn prove(&mut self, proof: Proof) {
        let Some((&(last, _), _)) = self.path.split_last() else { return };
        self.nodes[last].proof = proof;
        for i in (1..self.path.len()).rev() {
            let (child, side) = self.path[i];
            let parent = self.path[i - 1].0;
            let Some((proof, distance)) = self.conclude(parent, child, side) else { break };
            let node = &mut self.nodes[parent];
            node.proof = proof;
            node.distance = distance;
        }
    }

    /// What a newly proven child means for its parent, where `side` is to move.
    fn conclude(&self, parent: usize, child: usize, side: Side) -> Option<(Proof, u16)> {
        if self.nodes[child].proof == Proof::Won(side) {
            return Some((Proof::Won(side), self.nodes[child].distance.saturating_add(1)));
        }
        let mut result = Proof::Won(side.other());
        let mut distance = 0;
        for c in &self.nodes[self.nodes[parent].child_range()] {
            match c.proof {
                Proof::None => return None,
                Proof::Draw => result = Proof::Draw,
                Proof::Won(winner) if winner == side => return None,
                Proof::Won(_) => {}
                Proof::Illegal => continue,
            }
            distance = distance.max(c.distance);
        }
        let lost = result == Proof::Won(side.other());
        if lost && self.nodes[parent].pruned {
            return None;
        }
        Some((result, distance.saturating_add(1)))
    }

    fn learn(&mut self, half_points: [u32; 2], rave: bool) {
        for &(node, side) in &self.path {
            let node = &mut self.nodes[node];
            node.visits = node.visits.saturating_add(1);
            node.half_points = node.half_points.saturating_add(half_points[side.index()]);
        }
        if rave {
            self.learn_rave(half_points);
        }
    }

    /// Credits each move that a side could have made here and made first later on. Goes back from
    /// the end of the game, so that a table of "who will play this first" grows move by move.
    fn learn_rave(&mut self, half_points: [u32; 2]) {
        self.played.resize(MOVE_SLOTS, None);
        self.stamp += 1;
        for i in (0..self.trace.len()).rev() {
            let (side, mv) = self.trace[i];
            self.played[move_slot(mv)] = Some((self.stamp, side, mv));
            if i + 1 >= self.path.len() {
                continue;
            }
            let range = self.nodes[self.path[i].0].child_range();
            for child in &mut self.nodes[range] {
                if self.played[move_slot(child.mv)] == Some((self.stamp, side, child.mv)) {
                    child.rave_visits += 1;
                    child.rave_half_points += half_points[side.index()];
                }
            }
        }
    }

    /// The statistics of the moves at the root.
    pub fn root_stats(&self) -> Vec<RootStat<G::Move>> {
        let Some(root) = self.nodes.first() else { return Vec::new() };
        let stat = |c: &Node<G::Move>| RootStat {
            mv: c.mv,
            visits: u64::from(c.visits),
            half_points: u64::from(c.half_points),
            proof: c.proof,
            distance: c.distance,
        };
        self.nodes[root.child_range()]
            .iter()
            .filter(|c| c.proof != Proof::Illegal)
            .map(stat)
            .collect()
    }

    /// The most visited path that begins with a move at the root.
    pub fn main_line(&self, first: G::Move) -> Vec<G::Move> {
        let mut line = vec![first];
        let child_by = |node: usize, mv: G::Move| {
            self.nodes[node].child_range().find(|&c| self.nodes[c].mv == mv)
        };
        let mut at = self.nodes.first().and_then(|_| child_by(0, first));
        while let Some(node) = at {
            at = self.nodes[node]
                .child_range()
                .filter(|&c| self.nodes[c].visits > 0 && self.nodes[c].proof != Proof::Illegal)
                .max_by_key(|&c| (self.nodes[c].visits, std::cmp::Reverse(c)));
            line.extend(at.map(|c| self.nodes[c].mv));
        }
        line
    }

    /// Moves were played: their subtree becomes the tree. False when nothing of use was there.
    pub fn advance(&mut self, moves: &[G::Move]) -> bool {
        let mut at = 0;
        for &mv in moves {
            let Some(node) = self.nodes.get(at) else { return false };
            match node.child_range().find(|&c| self.nodes[c].mv == mv) {
                Some(child) => at = child,
                None => return false,
            }
        }
        if self.nodes.get(at).is_none_or(|n| n.children == 0) {
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
                if node.children > 0 {
                    node.first_child = place[node.first_child as usize];
                }
            }
        }
        self.nodes.truncate(next as usize);
    }
}

/// How promising another visit is.
fn urgency<M>(c: &Node<M>, log_parent: f64, exploration: f64, rave: f64) -> f64 {
    let visits = f64::from(c.visits);
    let explore = exploration * (log_parent / visits.max(1.0)).sqrt();
    let own = if c.visits > 0 { mean(c.half_points, c.visits) } else { 1.0 };
    if rave <= 0.0 || c.rave_visits == 0 {
        return own + explore;
    }
    let weight = (rave / (3.0 * visits + rave)).sqrt();
    let others = mean(c.rave_half_points, c.rave_visits);
    (1.0 - weight) * own + weight * others + explore
}

enum Walk {
    Finished,
    Forbidden,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::RandomRollout;
    use crate::testing::TicTacToe;

    fn grown<G: Game>(line: &Line<G>, bytes: usize, playouts: u32) -> Tree<G> {
        let moves = line.legal_moves();
        let rollout = RandomRollout { max_plies: 30 };
        let scene = Scene { line, rollout: &rollout, moves: &moves, exploration: 1.0, rave: 0.0 };
        let mut tree = Tree::new(bytes, 1, 0);
        for _ in 0..playouts {
            tree.playout(&scene);
        }
        tree
    }

    /// A subtree in words, independent of where its nodes lie.
    fn describe<G: Game>(tree: &Tree<G>, node: usize) -> String {
        let n = &tree.nodes[node];
        let children: Vec<String> = n.child_range().map(|c| describe(tree, c)).collect();
        format!(
            "{:?} {} {} {:?} {} [{}]",
            n.mv,
            n.visits,
            n.half_points,
            n.proof,
            n.distance,
            children.join(",")
        )
    }

    #[test]
    fn a_subtree_that_is_kept_is_the_same_as_before() {
        let tree = grown(&Line::new(TicTacToe), 1 << 20, 400);
        for first in 0..9 {
            let mut tree = Tree { nodes: tree.nodes.clone(), ..grown(&Line::new(TicTacToe), 0, 0) };
            let Some(child) = tree.nodes[0].child_range().find(|&c| tree.nodes[c].mv == first)
            else {
                panic!("every move is a child of the root")
            };
            let before = describe(&tree, child);
            if tree.advance(&[first]) {
                assert_eq!(describe(&tree, 0), before);
            } else {
                assert_eq!(tree.nodes[child].children, 0);
            }
        }
    }

    #[test]
    fn visits_of_children_add_up() {
        let tree = grown(&Line::new(TicTacToe), 1 << 20, 700);
        assert_eq!(tree.nodes[0].visits, 700);
        for node in &tree.nodes {
            let below: u32 = tree.nodes[node.child_range()].iter().map(|c| c.visits).sum();
            assert!(node.children == 0 || below <= node.visits);
        }
        let below: u32 = tree.nodes[tree.nodes[0].child_range()].iter().map(|c| c.visits).sum();
        assert_eq!(below, 700);
    }

    #[test]
    fn memory_is_bounded_and_the_search_goes_on_when_it_is_full() {
        let tree = grown(&Line::new(TicTacToe), 0, 5000);
        assert_eq!(tree.capacity, 1024);
        assert!(tree.nodes.len() <= tree.capacity && tree.nodes.capacity() <= tree.capacity);
        assert!(tree.fullness() > 700);
        assert_eq!(tree.nodes[0].visits, 5000);
    }
}
