//! The search: trees that grow from move to move of a game, until time or playouts are used up.
//!
//! With several threads each grows a tree of its own from its own stream of chance, and the visits
//! are added up at the root; so the result depends on the seed and the number of threads alone when
//! playouts are the limit.

use super::field::Field;
use super::options::EngineOptions;
use super::simulate::{Manner, Simulator};
use super::tree::{Node, State, Tree};
use super::walk::{Stage, Style, Walker};
use super::weights::Weights;
use crate::game::Go;
use crate::point::{Move, Point};
use crate::policy::Policy;
use crate::position::Position;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use zug_core::{Info, Limits, Line, PlayerError, RootInfo, Watch, rng};
use zug_search::PLAYOUTS_PER_PLY;
use zug_search::clock::Budget;
use zug_search::players::{allowed_moves, write_line};

/// A search with its trees. Keep it from move to move of a game.
pub struct Search {
    options: EngineOptions,
    policy: Arc<dyn Policy>,
    weights: Arc<Weights>,
    trees: Vec<Tree>,
    /// The start of the line that the trees belong to, its moves, and the position they were grown at.
    grown_at: Option<(Position, Vec<Move>, Position)>,
    /// Searches so far in this game: each draws from chance of its own.
    turn: u64,
}

/// Games through a move before anything is said about it.
const FEW_VISITS: u64 = 10;

/// What is known about a move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The line that begins with the move.
    pub line: Vec<Move>,
    /// Games through the move.
    pub visits: u64,
    /// The share of them that the side to move won.
    pub win_rate: f64,
    /// How likely the policy thought it.
    pub prior: f32,
    /// Points by which the side to move led at the end of them, on average.
    pub lead: f32,
    /// Games through each move of the line.
    pub line_visits: Vec<u64>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// All moves that were considered, the most visited first. Never none.
    pub moves: Vec<Candidate>,
    /// Playouts of this search.
    pub playouts: u64,
    /// The deepest node.
    pub deepest: u32,
    /// How full the tree is, in thousandths.
    pub full: u32,
    /// Time taken.
    pub elapsed: Duration,
    /// What is known about the position itself.
    pub root: Arc<RootInfo>,
}

fn code(mv: Move) -> u16 {
    match mv {
        Move::Play(p) => p.0,
        Move::Pass => 0,
    }
}

fn decode(code: u16) -> Move {
    if code == 0 { Move::Pass } else { Move::Play(Point(code)) }
}

impl Search {
    /// A search without a tree.
    #[must_use]
    pub fn new(options: EngineOptions, policy: Arc<dyn Policy>, weights: Arc<Weights>) -> Search {
        Search { options, policy, weights, trees: Vec::new(), grown_at: None, turn: 0 }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Changes options; what was grown under others is forgotten.
    pub fn set_options(&mut self, options: EngineOptions) {
        self.trees.clear();
        self.grown_at = None;
        self.options = options;
    }

    /// Asks another policy from now on.
    pub fn set_policy(&mut self, policy: Arc<dyn Policy>) {
        self.policy = policy;
        self.clear();
    }

    /// Plays by other weights from now on.
    pub fn set_weights(&mut self, weights: Arc<Weights>) {
        self.weights = weights;
        self.clear();
    }

    /// Who is asked for likely moves.
    #[must_use]
    pub fn policy(&self) -> &Arc<dyn Policy> {
        &self.policy
    }

    /// Forgets the trees; another game begins.
    pub fn clear(&mut self) {
        self.grown_at = None;
        self.turn = 0;
        self.trees.iter_mut().for_each(Tree::clear);
    }

    /// Searches the position at the end of `line`, where the game has not ended.
    pub fn search(
        &mut self,
        line: &Line<Go>,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Found, PlayerError> {
        let mut budget = Budget::start(line, limits, self.options.moves_in_game);
        if let (Some(depth), None, None) = (limits.depth, limits.nodes, budget.time()) {
            budget.nodes = Some(u64::from(depth) * PLAYOUTS_PER_PLY);
        }
        let allowed: Vec<u16> = allowed_moves(line, limits)?.into_iter().map(code).collect();
        self.prepare_trees(line, limits);
        self.turn += 1;
        let options = &self.options;
        let stage = Stage {
            line,
            field: Field::new(line.position(), &self.weights),
            allowed,
            restricted: !limits.only.is_empty(),
            selection: options.selection,
            style: options.style,
            expand: options.expand,
            sharpness: options.sharpness,
            margin: options.margin,
            ownership: watch.ownership,
        };
        let (policy, weights) = (&*self.policy, &*self.weights);
        let manner = match options.style {
            Style::Learned => Manner::Weighed,
            _ => Manner::Mixed,
        };
        let stream = |thread: usize| rng(options.seed ^ self.turn << 32, thread as u64);
        let walker = |thread: usize| {
            Walker::new(Simulator::new(weights, manner), policy.guesser(), stream(thread), &stage)
        };
        let playouts = AtomicU64::new(0);
        let halt = AtomicBool::new(false);
        let stop = watch.stop.clone();
        let threads = self.trees.len() as u64;
        // Shares that differ by one at most add up to the limit.
        let share = |i: u64| budget.nodes.map(|n| (n + threads - 1 - i) / threads);
        let single = stage.allowed.len() == 1 && budget.saves_time();
        let mut leader = walker(0);
        let (lead, helpers) = self.trees.split_first_mut().expect("a tree for each thread");
        std::thread::scope(|scope| {
            for (i, tree) in (1..).zip(helpers) {
                let (stage, playouts, halt, stop, budget, walker) =
                    (&stage, &playouts, &halt, &stop, &budget, &walker);
                let share = share(i);
                scope.spawn(move || {
                    let mut walker = walker(i as usize);
                    grow(tree, &mut walker, stage, share, playouts, |_, _| {
                        halt.load(Ordering::Relaxed)
                            || stop.load(Ordering::Relaxed)
                            || budget.time_is_up()
                    });
                });
            }
            let mut next_report = watch.next_report(None);
            grow(
                lead,
                &mut leader,
                &stage,
                share(0).map(|n| n.max(1)),
                &playouts,
                |tree, leader| {
                    let elapsed = budget.elapsed();
                    if elapsed >= next_report {
                        next_report = watch.next_report(Some(elapsed));
                        let total = playouts.load(Ordering::Relaxed);
                        let tree = std::slice::from_ref(tree);
                        let found = judge(tree, leader, &stage, total, elapsed);
                        found
                            .infos(line, limits.lines, watch.at_least)
                            .iter()
                            .for_each(|info| (watch.report)(info));
                    }
                    single
                        || stop.load(Ordering::Relaxed)
                        || budget.time_is_up()
                        || has_thought_enough(tree, &budget)
                },
            );
            // With playouts as the limit everybody finishes their share: the result is the same
            // every time.
            if budget.nodes.is_none() {
                halt.store(true, Ordering::Relaxed);
            }
        });
        let total = playouts.load(Ordering::Relaxed);
        let found = judge(&self.trees, &leader, &stage, total, budget.elapsed());
        found
            .infos(line, limits.lines, watch.at_least)
            .iter()
            .for_each(|info| (watch.report)(info));
        // A tree of some moves only would mislead a later search.
        self.grown_at = limits
            .only
            .is_empty()
            .then(|| (line.positions()[0].clone(), line.moves().to_vec(), line.position().clone()));
        Ok(found)
    }

    fn prepare_trees(&mut self, line: &Line<Go>, limits: &Limits) {
        let EngineOptions { hash, threads, .. } = self.options;
        let threads = threads.max(1);
        while self.trees.len() < threads {
            self.trees.push(Tree::new((hash << 20) / threads));
        }
        let since = self.grown_at.take().and_then(|(start, moves, grown)| {
            // A turn that was handed over stands there as a pass, but is none.
            let mut later = line.moves().iter().zip(&line.positions()[1..]).skip(moves.len());
            let follows = self.options.reuse
                && limits.only.is_empty()
                && start == line.positions()[0]
                && line.moves().starts_with(&moves)
                && grown == line.positions()[moves.len()]
                && later.all(|(&mv, after)| mv != Move::Pass || after.passes() > 0);
            follows.then(|| line.moves()[moves.len()..].iter().map(|&m| code(m)).collect())
        });
        let since: Option<Vec<u16>> = since;
        for tree in &mut self.trees {
            if !since.as_ref().is_some_and(|moves| tree.advance(moves)) {
                tree.clear();
            }
        }
    }
}

/// Plays games until the share is done or it is time to stop.
fn grow(
    tree: &mut Tree,
    walker: &mut Walker<'_>,
    stage: &Stage<'_>,
    share: Option<u64>,
    playouts: &AtomicU64,
    mut stop: impl FnMut(&Tree, &Walker<'_>) -> bool,
) {
    let mut done = 0;
    while share.is_none_or(|n| done < n) {
        walker.playout(tree, stage);
        done += 1;
        playouts.fetch_add(1, Ordering::Relaxed);
        if done % 8 == 0 && stop(tree, walker) {
            break;
        }
    }
}

/// Is a clock better kept for later moves? It is when the aim is reached, unless the most visited
/// move is not the one with the best mean: then up to twice the aim. Before that it is when no
/// other move can catch up.
fn has_thought_enough(tree: &Tree, budget: &Budget) -> bool {
    let Some((aim, most)) = budget.time().filter(|_| budget.saves_time()) else { return false };
    let elapsed = budget.elapsed();
    if elapsed < aim / 4 {
        return false;
    }
    let root = &tree.nodes[0];
    let mut by_visits: Vec<(u32, f64)> = tree.nodes[root.child_range()]
        .iter()
        .filter(|c| c.state != State::Forbidden)
        .map(|c| (c.visits, c.mean()))
        .collect();
    by_visits.sort_unstable_by_key(|v| std::cmp::Reverse(v.0));
    let [first, second, ..] = by_visits[..] else { return true };
    if elapsed >= aim {
        let settled = by_visits.iter().all(|v| v.1 <= first.1 || v.0 * 10 < first.0);
        return settled || elapsed >= (aim * 2).min(most);
    }
    let rate = f64::from(root.visits) / elapsed.as_secs_f64().max(1e-6);
    f64::from(first.0 - second.0) > rate * (aim - elapsed).as_secs_f64()
}

/// Adds up the statistics of all trees and ranks the moves. `leader` counted who owns what.
fn judge(
    trees: &[Tree],
    leader: &Walker<'_>,
    stage: &Stage<'_>,
    playouts: u64,
    elapsed: Duration,
) -> Found {
    let mut moves: Vec<Sum> = Vec::new();
    let mut root = Sum::default();
    for tree in trees {
        let Some(node) = tree.nodes.first() else { continue };
        root.add(node);
        for child in node.child_range() {
            let c = &tree.nodes[child];
            // A tree that was carried over may know moves that the history forbids now.
            if c.state == State::Forbidden || !stage.allowed.contains(&c.mv) {
                continue;
            }
            match moves.iter_mut().find(|s| s.line[0] == c.mv) {
                Some(sum) => sum.add(c),
                None => {
                    let mut sum = Sum { prior: c.prior, ..Sum::default() };
                    sum.line = tree.main_line(child);
                    sum.add(c);
                    moves.push(sum);
                }
            }
        }
    }
    // Nothing was tried, or nothing that may be played: any move will do.
    if moves.is_empty() {
        moves.push(Sum { line: vec![stage.allowed[0]], ..Sum::default() });
    }
    moves.sort_by(|a, b| {
        let by_mean = || b.mean().total_cmp(&a.mean());
        b.visits.cmp(&a.visits).then_with(by_mean).then(b.prior.total_cmp(&a.prior))
    });
    let board = stage.line.position().board();
    let sign = if stage.line.to_move().index() == 0 { 1.0 } else { -1.0 };
    let ownership = || board.points().map(|p| leader.ownership(p).map(|black| sign * black));
    let root = RootInfo {
        visits: root.visits,
        // The node holds the value for the side that moved to it.
        win_rate: 1.0 - root.mean() as f32,
        lead: (root.visits > 0).then(|| sign * root.lead() as f32),
        ownership: ownership().collect::<Option<_>>().unwrap_or_default(),
    };
    Found {
        moves: moves
            .iter()
            .map(|s| Candidate {
                line: s.line.iter().map(|&mv| decode(mv)).collect(),
                visits: s.visits,
                win_rate: s.mean(),
                prior: s.prior,
                lead: sign * s.lead() as f32,
                line_visits: line_visits(trees, &s.line),
            })
            .collect(),
        playouts,
        deepest: trees.iter().map(|t| t.deepest).max().unwrap_or(0) as u32,
        full: (trees[0].fullness() * 1000.0) as u32,
        elapsed,
        root: Arc::new(root),
    }
}

/// What all trees know about one move.
#[derive(Default)]
struct Sum {
    visits: u64,
    value: f64,
    leads: f64,
    prior: f32,
    line: Vec<u16>,
}

impl Sum {
    fn add(&mut self, node: &Node) {
        self.visits += u64::from(node.visits);
        self.value += node.value;
        self.leads += f64::from(node.lead) * f64::from(node.visits);
    }

    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.value / self.visits as f64 }
    }

    /// Black's.
    fn lead(&self) -> f64 {
        self.leads / self.visits.max(1) as f64
    }
}

/// How many games went through each move of a line, in all trees.
fn line_visits(trees: &[Tree], line: &[u16]) -> Vec<u64> {
    let mut visits = vec![0; line.len()];
    for tree in trees.iter().filter(|tree| !tree.nodes.is_empty()) {
        let mut at = 0;
        for (mv, sum) in line.iter().zip(&mut visits) {
            let Some(child) = tree.nodes[at].child_range().find(|&c| tree.nodes[c].mv == *mv)
            else {
                break;
            };
            *sum += u64::from(tree.nodes[child].visits);
            at = child;
        }
    }
    visits
}

impl Found {
    /// The reports of the best lines.
    #[must_use]
    pub fn infos(&self, line: &Line<Go>, lines: usize, at_least: usize) -> Vec<Info> {
        let info = |(i, m): (usize, &Candidate)| Info {
            rank: i + 1,
            depth: m.line.len() as u32,
            deepest: self.deepest,
            win_rate: Some(m.win_rate as f32),
            lead: (m.visits > 0).then_some(m.lead),
            nodes: self.playouts,
            visits: m.line_visits.clone(),
            prior: Some(m.prior),
            elapsed: self.elapsed,
            hash_full: Some(self.full),
            line: write_line(line, &m.line),
            root: (i == 0).then(|| Arc::clone(&self.root)),
            ..Info::default()
        };
        // A move that was hardly looked at has no value yet.
        let sure = at_least.max(1);
        let looked = |(i, m): &(usize, &Candidate)| *i < sure || m.visits >= FEW_VISITS;
        let moves = self.moves.iter().take(lines.max(sure)).enumerate();
        let mut infos: Vec<Info> = moves.filter(looked).map(info).collect();
        let of = infos.len();
        infos.iter_mut().for_each(|info| info.of = of);
        infos
    }
}
