//! Alpha-beta search for every game: iterative-deepening principal variation search with a
//! transposition table, and what a game's [`Guide`] adds to it.
//!
//! ```
//! use std::sync::Arc;
//! use zug_core::{Evaluator, Game, Guide, Limits, Line, Watch};
//! use zug_search::{Options, Pvs};
//!
//! /// A guide that knows nothing: fine for games that can be searched to the end.
//! struct Blind;
//! impl<G: Game> Evaluator<G> for Blind {
//!     fn evaluate(&self, _: &G, _: &G::Position) -> i32 {
//!         0
//!     }
//! }
//! impl<G: Game> Guide<G> for Blind {}
//!
//! fn best_move<G: Game>(line: &Line<G>) -> G::Move {
//!     let mut search = Pvs::new(Arc::new(Blind), Options::default());
//!     let limits = Limits { depth: Some(6), ..Limits::default() };
//!     let mut ignore = |_: &zug_core::Info| {};
//!     let mut watch = Watch::new(Arc::default(), &mut ignore);
//!     search.search(line, &limits, &mut watch).expect("the game is not over").best
//! }
//! ```
//!
//! A search ends when a limit is reached, when it is stopped, or when nothing is left to find out:
//! the value is exact, or a win or loss was found within the searched depth. The first iteration is
//! always finished, so there is always a sensible move. With one thread and without a time limit
//! the result depends on the line, the limits and the options alone (and on what the table
//! remembers of the same game).

use crate::clock::Budget;
use crate::deepen::{Errand, Progress, RootMove};
use crate::parameters::{MAX_DEPTH, Options};
use crate::tt::Table;
use crate::worker::{Scratch, Shared, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use zug_core::seed::RngExt;
use zug_core::{Game, Guide, Info, Limits, Line, Oracle, PlayerError, Rng, Score, Watch, rng};

/// An alpha-beta search with its memory. Keep it from move to move of a game; tell it when another
/// game begins.
pub struct Pvs<G: Game, V: Guide<G>> {
    guide: Arc<V>,
    oracle: Option<Arc<dyn Oracle<G>>>,
    options: Options,
    /// Made when first needed: a player that is only listed costs nothing.
    table: Option<Table>,
    scratches: Vec<Scratch<G>>,
    noise: Rng,
}

/// A line of play with its value for the side to move at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedLine<M> {
    /// The value.
    pub score: Score,
    /// The moves; never empty.
    pub moves: Vec<M>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResult<G: Game> {
    /// The move to play. With noise it need not be that of the best line.
    pub best: G::Move,
    /// The value of `best`.
    pub score: Score,
    /// The best lines, best first: as many as were asked for.
    pub lines: Vec<RankedLine<G::Move>>,
    /// Plies searched in full.
    pub depth: u32,
    /// The deepest ply reached.
    pub deepest: u32,
    /// Positions searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Is the score exact, with no estimate in it?
    pub complete: bool,
}

impl<G: Game, V: Guide<G>> Pvs<G, V> {
    /// A search with an empty memory.
    #[must_use]
    pub fn new(guide: Arc<V>, options: Options) -> Pvs<G, V> {
        let noise = rng(options.seed, 0);
        Pvs { guide, oracle: None, options, table: None, scratches: Vec::new(), noise }
    }

    /// The same search, with exact knowledge of some positions.
    #[must_use]
    pub fn with_oracle(mut self, oracle: Arc<dyn Oracle<G>>) -> Pvs<G, V> {
        self.oracle = Some(oracle);
        self
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes options; what is remembered is kept unless the table changes its size.
    pub fn set_options(&mut self, options: Options) {
        if options.hash != self.options.hash || !options.table {
            self.table = None;
        }
        if options.seed != self.options.seed {
            self.noise = rng(options.seed, 0);
        }
        self.options = options;
    }

    /// What is remembered.
    #[cfg(test)]
    pub(crate) fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// Forgets what earlier searches found; another game begins. Makes the table if there is none
    /// yet, so that it does not cost time on a clock later.
    pub fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        } else if self.options.table {
            self.table = Some(Table::new(self.options.hash));
        }
        for scratch in &mut self.scratches {
            scratch.clear();
        }
    }

    /// Searches the position at the end of `line`, where the game has not ended.
    pub fn search(
        &mut self,
        line: &Line<G>,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<SearchResult<G>, PlayerError> {
        let budget = Budget::start(line, limits, self.options.moves_in_game);
        let moves = crate::players::allowed_moves(line, limits)?;
        let mut roots: Vec<RootMove<G>> = moves.into_iter().map(RootMove::new).collect();
        self.sort_by_promise(line, &mut roots);
        // What somebody asked about is searched in any case.
        if limits.only.is_empty()
            && let Some(width) = self.guide.width()
        {
            roots.truncate(width.max(limits.lines).max(1));
        }
        let threads = self.options.threads.max(1);
        self.make_ready(threads);
        let shared = Shared {
            game: line.game(),
            guide: &*self.guide,
            oracle: self.oracle.as_deref(),
            options: &self.options,
            table: self.table.as_ref().filter(|_| self.options.table),
            budget: &budget,
            stop: &watch.stop.clone(),
            halt: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let errand = Errand {
            depths: 1..=limits.depth.unwrap_or(MAX_DEPTH).max(1),
            lines: limits.lines.max(1),
            leads: true,
        };
        let mut report = |progress: Progress<'_, G>| {
            for info in infos(&progress, line, &budget, shared.table) {
                (watch.report)(&info);
            }
        };
        let (lead, helpers) = self.scratches.split_first_mut().expect("a scratch for each thread");
        let helpers = &mut helpers[..threads - 1];
        let mut worker = Worker::new(&shared, lead, line);
        let done = std::thread::scope(|scope| {
            for (i, scratch) in helpers.iter_mut().enumerate() {
                let (roots, shared) = (roots.clone(), &shared);
                let last = *errand.depths.end();
                scope.spawn(move || help(shared, scratch, line, roots, i as u32, last));
            }
            let done = worker.deepen(line.position(), &mut roots, &errand, &mut report);
            shared.halt.store(true, Ordering::Relaxed);
            done
        });
        worker.tell();
        let deepest = worker.deepest as u32;
        let nodes = shared.nodes.load(Ordering::Relaxed);
        let chosen = self.choose_root(&roots);
        Ok(SearchResult {
            best: roots[chosen].mv,
            score: roots[chosen].known,
            lines: roots
                .iter()
                .take(errand.lines)
                .map(|r| RankedLine { score: r.known, moves: r.line.clone() })
                .collect(),
            depth: done.depth,
            deepest,
            nodes,
            elapsed: budget.elapsed(),
            complete: done.complete,
        })
    }

    fn make_ready(&mut self, threads: usize) {
        if self.options.table {
            let hash = self.options.hash;
            self.table.get_or_insert_with(|| Table::new(hash)).next_search();
        }
        while self.scratches.len() < threads {
            self.scratches.push(Scratch::new());
        }
        for scratch in &mut self.scratches {
            scratch.history.fade();
            scratch.forget_killers();
        }
    }

    fn sort_by_promise(&self, line: &Line<G>, roots: &mut [RootMove<G>]) {
        let moves: Vec<G::Move> = roots.iter().map(|r| r.mv).collect();
        let mut promises = Vec::new();
        let (game, position) = (line.game(), line.position());
        self.guide.promises(game, position, line.moves(), &moves, &mut promises);
        let mut sorted: Vec<_> = promises.iter().zip(roots.iter().cloned()).collect();
        sorted.sort_by_key(|(promise, _)| std::cmp::Reverse(**promise));
        roots.iter_mut().zip(sorted).for_each(|(root, (_, best))| *root = best);
    }

    /// The best root move, or with noise one that is nearly as good.
    fn choose_root(&mut self, roots: &[RootMove<G>]) -> usize {
        if self.options.noise == 0 {
            return 0;
        }
        let least = roots[0].known.0 - self.options.noise;
        let near: Vec<usize> = (0..roots.len())
            .filter(|&i| i == 0 || roots[i].score > -Score::INFINITE && roots[i].score.0 >= least)
            .collect();
        near[self.noise.random_range(0..near.len())]
    }
}

/// What the other threads do: the same search, out of step, so that the table fills with positions
/// that the leading thread will want ("lazy SMP"). Nobody goes deeper than the leader may: a value
/// from a deeper search would be better, but not what was asked for.
fn help<G: Game, V: Guide<G>>(
    shared: &Shared<'_, G, V>,
    scratch: &mut Scratch<G>,
    line: &Line<G>,
    mut roots: Vec<RootMove<G>>,
    number: u32,
    last: u32,
) {
    let mut worker = Worker::new(shared, scratch, line);
    let first = (1 + (number + 1) % 2).min(last);
    let errand = Errand { depths: first..=last, lines: 1, leads: false };
    worker.deepen(line.position(), &mut roots, &errand, &mut |_| {});
    worker.tell();
}

/// The reports of an iteration, one for each line.
fn infos<G: Game>(
    progress: &Progress<'_, G>,
    line: &Line<G>,
    budget: &Budget,
    table: Option<&Table>,
) -> Vec<Info> {
    let elapsed = budget.elapsed();
    let hash_full = table.map(Table::fullness);
    let info = |(i, root): (usize, &RootMove<G>)| Info {
        rank: i + 1,
        depth: progress.depth,
        deepest: progress.deepest as u32,
        score: Some(root.known),
        proven: progress.complete || root.known.is_proven(),
        nodes: progress.nodes,
        elapsed,
        hash_full,
        line: crate::players::write_line(line, &root.line),
        ..Info::default()
    };
    progress.best.iter().enumerate().map(info).collect()
}
