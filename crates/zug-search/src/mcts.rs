//! Monte-Carlo tree search for every game: UCT with proven results, and RAVE where it helps.
//!
//! A node of the limits is one playout. A depth, where it is the only limit, is read as effort:
//! [`PLAYOUTS_PER_PLY`] for each ply. The search ends early when the root is
//! solved. With several threads each grows a tree of its own from its own stream of chance, and the
//! visits are added up at the root; so the result depends on the seed and the number of threads
//! alone when playouts are the limit.

use crate::clock::Budget;
use crate::parameters::{MctsOptions, PLAYOUTS_PER_PLY, usual_exploration};
use crate::players::{allowed_moves, write_line};
use crate::rollout::Rollout;
use crate::tree::{Proof, RootStat, Scene, Tree};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use zug_core::{Game, Info, Limits, Line, PlayerError, Score, Side, Watch};

/// A Monte-Carlo search with its trees. Keep it from move to move of a game.
pub struct Mcts<G: Game, R: Rollout<G>> {
    rollout: Arc<R>,
    options: MctsOptions,
    trees: Vec<Tree<G>>,
    /// The start and the moves of the line that the trees belong to.
    grown_at: Option<(G::Position, Vec<G::Move>)>,
}

/// What is known about a move at the root.
#[derive(Clone, Debug)]
pub struct MoveStatistics<G: Game> {
    /// The line that begins with the move.
    pub line: Vec<G::Move>,
    /// Playouts through the move.
    pub visits: u64,
    /// The share of points won in them by the side to move; 0, ½ or 1 when proven.
    pub win_rate: f64,
    /// The proven result, where the game counts no points: a win in at most, or a loss in at
    /// least, so many plies.
    pub proven: Option<Score>,
}

/// What a Monte-Carlo search found.
#[derive(Clone, Debug)]
pub struct MctsResult<G: Game> {
    /// The move to play.
    pub best: G::Move,
    /// All moves that were considered, best first.
    pub moves: Vec<MoveStatistics<G>>,
    /// Playouts of this search.
    pub playouts: u64,
    /// The deepest node.
    pub deepest: u32,
    /// Time taken.
    pub elapsed: Duration,
}

impl<G: Game, R: Rollout<G>> Mcts<G, R> {
    /// A search without a tree.
    #[must_use]
    pub fn new(rollout: Arc<R>, options: MctsOptions) -> Mcts<G, R> {
        Mcts { rollout, options, trees: Vec::new(), grown_at: None }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &MctsOptions {
        &self.options
    }

    /// Changes options; trees whose size or chance changes begin anew.
    pub fn set_options(&mut self, options: MctsOptions) {
        let old = (self.options.hash, self.options.threads, self.options.seed);
        if old != (options.hash, options.threads, options.seed) {
            self.trees.clear();
            self.grown_at = None;
        }
        self.options = options;
    }

    /// Forgets the trees; another game begins.
    pub fn clear(&mut self) {
        self.grown_at = None;
        for tree in &mut self.trees {
            tree.clear();
        }
    }

    /// Searches the position at the end of `line`, where the game has not ended.
    pub fn search(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<MctsResult<G>, PlayerError> {
        let mut budget = Budget::start(line, limits, self.options.moves_in_game);
        if let (Some(depth), None, false) =
            (limits.depth, limits.nodes, limits.movetime.is_some() || limits.clock.is_some())
        {
            budget.nodes = Some(u64::from(depth) * PLAYOUTS_PER_PLY);
        }
        let moves = allowed_moves(line, limits)?;
        self.prepare_trees(line, limits);
        let rave = self.options.rave.unwrap_or_else(|| self.rollout.rave());
        let scene = Scene {
            line,
            rollout: &*self.rollout,
            moves: &moves,
            exploration: self.options.exploration.unwrap_or_else(|| usual_exploration(rave)),
            rave,
        };
        let playouts = AtomicU64::new(0);
        let halt = AtomicBool::new(false);
        let stop = watch.stop.clone();
        let threads = self.trees.len() as u64;
        // Shares that differ by one at most add up to the limit.
        let share = |i: u64| budget.nodes.map(|n| (n + threads - 1 - i) / threads);
        let may_choose = moves.len() > 1 || !budget.saves_time();
        let (lead, helpers) = self.trees.split_first_mut().expect("a tree for each thread");
        std::thread::scope(|scope| {
            for (i, tree) in (1..).zip(helpers) {
                let (scene, playouts, halt, stop, budget) =
                    (&scene, &playouts, &halt, &stop, &budget);
                let share = share(i);
                scope.spawn(move || {
                    grow(tree, scene, share, playouts, || {
                        halt.load(Ordering::Relaxed)
                            || stop.load(Ordering::Relaxed)
                            || budget.time_is_up()
                    });
                });
            }
            let mut next_report = watch.next_report(None);
            grow_reporting(lead, &scene, share(0).map(|n| n.max(1)), &playouts, |tree| {
                let elapsed = budget.elapsed();
                if elapsed >= next_report {
                    next_report = watch.next_report(Some(elapsed));
                    let total = playouts.load(Ordering::Relaxed);
                    let found = judge(std::slice::from_ref(tree), line, total, elapsed);
                    for info in found.infos(line, limits.lines, Some(tree.fullness())) {
                        (watch.report)(&info);
                    }
                }
                !may_choose
                    || stop.load(Ordering::Relaxed)
                    || budget.time_is_up()
                    || budget.enough(0.5)
            });
            // With playouts as the limit everybody finishes their share: the result is the same
            // every time.
            if budget.nodes.is_none() {
                halt.store(true, Ordering::Relaxed);
            }
        });
        let total = playouts.load(Ordering::Relaxed);
        let found = judge(&self.trees, line, total, budget.elapsed());
        let fullness = self.trees[0].fullness();
        for info in found.infos(line, limits.lines, Some(fullness)) {
            (watch.report)(&info);
        }
        // A tree of some moves only would mislead a later search.
        self.grown_at =
            limits.only.is_empty().then(|| (line.positions()[0].clone(), line.moves().to_vec()));
        Ok(found)
    }

    fn prepare_trees(&mut self, line: &Line<G>, limits: &Limits) {
        let MctsOptions { hash, threads, seed, .. } = self.options;
        let threads = threads.max(1);
        while self.trees.len() < threads {
            let bytes = (hash << 20) / threads;
            self.trees.push(Tree::new(bytes, seed, self.trees.len() as u64));
        }
        let since = self.grown_at.take().and_then(|(start, moves)| {
            let follows = self.options.reuse
                && limits.only.is_empty()
                && start == line.positions()[0]
                && line.moves().starts_with(&moves);
            follows.then(|| &line.moves()[moves.len()..])
        });
        for tree in &mut self.trees {
            if !since.is_some_and(|moves| tree.advance(moves)) {
                tree.clear();
            }
        }
    }
}

/// Plays out until the share is done, the root solved, or it is time to stop.
fn grow<G: Game, R: Rollout<G>>(
    tree: &mut Tree<G>,
    scene: &Scene<'_, G, R>,
    share: Option<u64>,
    playouts: &AtomicU64,
    mut stop: impl FnMut() -> bool,
) {
    grow_reporting(tree, scene, share, playouts, |_| stop());
}

fn grow_reporting<G: Game, R: Rollout<G>>(
    tree: &mut Tree<G>,
    scene: &Scene<'_, G, R>,
    share: Option<u64>,
    playouts: &AtomicU64,
    mut stop: impl FnMut(&Tree<G>) -> bool,
) {
    let mut done = 0;
    while share.is_none_or(|n| done < n) {
        tree.playout(scene);
        done += 1;
        playouts.fetch_add(1, Ordering::Relaxed);
        if tree.is_solved() || done % 4 == 0 && stop(tree) {
            break;
        }
    }
}

/// Adds up the statistics of all trees and ranks the moves.
fn judge<G: Game>(
    trees: &[Tree<G>],
    line: &Line<G>,
    playouts: u64,
    elapsed: Duration,
) -> MctsResult<G> {
    let side = line.to_move();
    let mut stats: Vec<RootStat<G::Move>> = Vec::new();
    for tree in trees {
        for stat in tree.root_stats() {
            match stats.iter_mut().find(|s| s.mv == stat.mv) {
                Some(sum) => sum.add(&stat),
                None => stats.push(stat),
            }
        }
    }
    stats.sort_by_cached_key(|stat| std::cmp::Reverse(rank(stat, side)));
    prefer_a_sure_draw(&mut stats, side);
    let moves: Vec<MoveStatistics<G>> = stats
        .iter()
        .map(|stat| MoveStatistics {
            line: trees[0].main_line(stat.mv),
            visits: stat.visits,
            win_rate: stat.win_rate(side),
            proven: stat.score(side),
        })
        .collect();
    MctsResult {
        // The root always has children after a playout.
        best: stats.first().map_or_else(|| line.legal_moves()[0], |s| s.mv),
        moves,
        playouts,
        deepest: trees.iter().map(|t| t.deepest).max().unwrap_or(0) as u32,
        elapsed,
    }
}

/// The order of moves: quick proven wins, then by visits, then slow proven losses.
fn rank<M>(stat: &RootStat<M>, side: Side) -> (i32, i64, u64) {
    let distance = i64::from(stat.distance);
    match stat.proof {
        Proof::Won(winner) if winner == side => (2, -distance, stat.visits),
        Proof::Won(_) => (0, distance, stat.visits),
        _ => (1, stat.visits as i64, stat.half_points),
    }
}

/// A proven draw is better than a move that loses more often than it wins, however much visited.
fn prefer_a_sure_draw<M>(stats: &mut [RootStat<M>], side: Side) {
    let worse = stats.first().is_some_and(|s| s.proof == Proof::None && s.win_rate(side) < 0.5);
    if worse && let Some(draw) = stats.iter().position(|s| s.proof == Proof::Draw) {
        stats[..=draw].rotate_right(1);
    }
}

impl<M> RootStat<M> {
    fn add(&mut self, other: &RootStat<M>) {
        self.visits += other.visits;
        self.half_points += other.half_points;
        if self.proof == Proof::None {
            self.proof = other.proof;
            self.distance = other.distance;
        }
    }

    fn win_rate(&self, side: Side) -> f64 {
        match self.proof {
            Proof::Won(winner) if winner == side => 1.0,
            Proof::Won(_) => 0.0,
            Proof::Draw => 0.5,
            _ if self.visits == 0 => 0.5,
            _ => self.half_points as f64 / (2 * self.visits) as f64,
        }
    }

    fn score(&self, side: Side) -> Option<Score> {
        let plies = u32::from(self.distance) + 1;
        match self.proof {
            Proof::Won(winner) if winner == side => Some(Score::won_in(plies)),
            Proof::Won(_) => Some(Score::lost_in(plies)),
            Proof::Draw => Some(Score::DRAW),
            _ => None,
        }
    }
}

impl<G: Game> MctsResult<G> {
    /// The reports of the best lines.
    pub(crate) fn infos(&self, line: &Line<G>, lines: usize, hash_full: Option<u32>) -> Vec<Info> {
        let info = |(i, m): (usize, &MoveStatistics<G>)| Info {
            rank: i + 1,
            depth: m.line.len() as u32,
            deepest: self.deepest,
            score: m.proven,
            proven: m.proven.is_some(),
            win_rate: Some(m.win_rate as f32),
            nodes: self.playouts,
            visits: vec![m.visits],
            elapsed: self.elapsed,
            hash_full,
            line: write_line(line, &m.line),
            ..Info::default()
        };
        let mut infos: Vec<Info> =
            self.moves.iter().take(lines.max(1)).enumerate().map(info).collect();
        let of = infos.len();
        infos.iter_mut().for_each(|info| info.of = of);
        infos
    }
}
