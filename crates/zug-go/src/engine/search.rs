//! The search: trees that grow from move to move of a game, until time or playouts are used up.
//!
//! With several threads each grows a tree of its own from its own stream of chance, and the visits
//! are added up at the root; so the result depends on the seed and the number of threads alone when
//! playouts are the limit.

use super::field::Field;
use super::options::EngineOptions;
use super::simulate::{Manner, Simulator};
use super::tree::{State, Tree};
use super::walk::{Stage, Style, Walker};
use super::weights::Weights;
use crate::game::Go;
use crate::point::{Move, Point};
use crate::policy::Policy;
use crate::position::Position;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use zug_core::{Info, Limits, Line, PlayerError, Watch, rng};
use zug_search::PLAYOUTS_PER_PLY;
use zug_search::clock::Budget;
use zug_search::players::{allowed_moves, write_line};

/// A search with its trees. Keep it from move to move of a game.
pub struct Search {
    options: EngineOptions,
    policy: Arc<dyn Policy>,
    weights: Arc<Weights>,
    trees: Vec<Tree>,
    /// The start and the moves of the line that the trees belong to.
    grown_at: Option<(Position, Vec<Move>)>,
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
        let (lead, helpers) = self.trees.split_first_mut().expect("a tree for each thread");
        std::thread::scope(|scope| {
            for (i, tree) in (1..).zip(helpers) {
                let (stage, playouts, halt, stop, budget, walker) =
                    (&stage, &playouts, &halt, &stop, &budget, &walker);
                let share = share(i);
                scope.spawn(move || {
                    let mut walker = walker(i as usize);
                    grow(tree, &mut walker, stage, share, playouts, |_| {
                        halt.load(Ordering::Relaxed)
                            || stop.load(Ordering::Relaxed)
                            || budget.time_is_up()
                    });
                });
            }
            let mut next_report = Duration::from_millis(200);
            let mut walker = walker(0);
            grow(lead, &mut walker, &stage, share(0).map(|n| n.max(1)), &playouts, |tree| {
                let elapsed = budget.elapsed();
                if elapsed >= next_report {
                    next_report = elapsed.mul_f64(1.25) + Duration::from_millis(100);
                    let total = playouts.load(Ordering::Relaxed);
                    let found = judge(std::slice::from_ref(tree), &stage, total, elapsed);
                    found.infos(line, limits.lines).iter().for_each(|info| (watch.report)(info));
                }
                single
                    || stop.load(Ordering::Relaxed)
                    || budget.time_is_up()
                    || has_thought_enough(tree, &budget)
            });
            // With playouts as the limit everybody finishes their share: the result is the same
            // every time.
            if budget.nodes.is_none() {
                halt.store(true, Ordering::Relaxed);
            }
        });
        let total = playouts.load(Ordering::Relaxed);
        let found = judge(&self.trees, &stage, total, budget.elapsed());
        found.infos(line, limits.lines).iter().for_each(|info| (watch.report)(info));
        // A tree of some moves only would mislead a later search.
        self.grown_at =
            limits.only.is_empty().then(|| (line.positions()[0].clone(), line.moves().to_vec()));
        Ok(found)
    }

    fn prepare_trees(&mut self, line: &Line<Go>, limits: &Limits) {
        let EngineOptions { hash, threads, .. } = self.options;
        let threads = threads.max(1);
        while self.trees.len() < threads {
            self.trees.push(Tree::new((hash << 20) / threads));
        }
        let since = self.grown_at.take().and_then(|(start, moves)| {
            let follows = self.options.reuse
                && limits.only.is_empty()
                && start == line.positions()[0]
                && line.moves().starts_with(&moves);
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
    mut stop: impl FnMut(&Tree) -> bool,
) {
    let mut done = 0;
    while share.is_none_or(|n| done < n) {
        walker.playout(tree, stage);
        done += 1;
        playouts.fetch_add(1, Ordering::Relaxed);
        if done % 8 == 0 && stop(tree) {
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

/// Adds up the statistics of all trees and ranks the moves.
fn judge(trees: &[Tree], stage: &Stage<'_>, playouts: u64, elapsed: Duration) -> Found {
    struct Sum {
        mv: u16,
        visits: u64,
        value: f64,
        prior: f32,
        line: Vec<u16>,
    }
    let mut sums: Vec<Sum> = Vec::new();
    for tree in trees {
        let Some(root) = tree.nodes.first() else { continue };
        for child in root.child_range() {
            let c = &tree.nodes[child];
            // A tree that was carried over may know moves that the history forbids now.
            if c.state == State::Forbidden || !stage.allowed.contains(&c.mv) {
                continue;
            }
            match sums.iter_mut().find(|s| s.mv == c.mv) {
                Some(sum) => {
                    sum.visits += u64::from(c.visits);
                    sum.value += c.value;
                }
                None => sums.push(Sum {
                    mv: c.mv,
                    visits: u64::from(c.visits),
                    value: c.value,
                    prior: c.prior,
                    line: tree.main_line(child),
                }),
            }
        }
    }
    // Nothing was tried, or nothing that may be played: any move will do.
    if sums.is_empty() {
        let mv = stage.allowed[0];
        sums.push(Sum { mv, visits: 0, value: 0.0, prior: 0.0, line: vec![mv] });
    }
    let mean = |s: &Sum| if s.visits == 0 { 0.5 } else { s.value / s.visits as f64 };
    sums.sort_by(|a, b| {
        b.visits.cmp(&a.visits).then(mean(b).total_cmp(&mean(a))).then(b.prior.total_cmp(&a.prior))
    });
    Found {
        moves: sums
            .iter()
            .map(|s| Candidate {
                line: s.line.iter().map(|&mv| decode(mv)).collect(),
                visits: s.visits,
                win_rate: mean(s),
                prior: s.prior,
            })
            .collect(),
        playouts,
        deepest: trees.iter().map(|t| t.deepest).max().unwrap_or(0) as u32,
        full: (trees[0].fullness() * 1000.0) as u32,
        elapsed,
    }
}

impl Found {
    /// The reports of the best lines.
    #[must_use]
    pub fn infos(&self, line: &Line<Go>, lines: usize) -> Vec<Info> {
        let info = |(i, m): (usize, &Candidate)| Info {
            rank: i + 1,
            depth: m.line.len() as u32,
            deepest: self.deepest,
            win_rate: Some(m.win_rate as f32),
            nodes: self.playouts,
            elapsed: self.elapsed,
            hash_full: Some(self.full),
            line: write_line(line, &m.line),
            ..Info::default()
        };
        // A move that was hardly looked at has no value yet.
        let looked = |(i, m): &(usize, &Candidate)| *i == 0 || m.visits >= FEW_VISITS;
        self.moves.iter().take(lines.max(1)).enumerate().filter(looked).map(info).collect()
    }
}
