//! Which move is best? The search of chess, for any evaluation.
//!
//! ```
//! use std::sync::Arc;
//! use zug_chess::engine::{Engine, Root, Settings, Wish};
//! use zug_chess::{HandMade, Position};
//! use zug_core::StopFlag;
//!
//! let mut engine = Engine::new(Arc::new(HandMade), Settings::default())?;
//! let root = Root::new(Position::start());
//! let wish = Wish { depth: Some(4), lines: 2, ..Wish::default() };
//! let thought = engine.search(&root, &wish, &StopFlag::new(), &mut |_| {});
//! assert_eq!((thought.depth, thought.lines.len()), (4, 2));
//! # Ok::<(), zug_chess::engine::NoMemory>(())
//! ```
//!
//! Every line that is found is complete: playing its moves from the root leads to a position whose
//! evaluation (with its sign turned for each ply) is the score of the line, unless the line ends in
//! mate, in a draw or in the answer of an oracle. Learning by temporal differences lives on that.
//!
//! | file | question |
//! |---|---|
//! | `settings` | which techniques, how much memory, how many threads? |
//! | `evaluation` | what must an evaluation offer? |
//! | `root` | which move of the position itself is best? |
//! | `search` | what is a position worth, so many plies ahead? |
//! | `cutoffs` | which nodes are given up before their moves are searched? |
//! | `pruning`, `depths` | which moves are left out, searched deeper, or less deep? |
//! | `quiesce` | what is it worth once the captures are played out? |
//! | `picker`, `history`, `experience`, `checks` | in which order are moves searched? |
//! | `table` | what is remembered? |
//! | `line` | what will both sides play? |
//! | `oracles`, `syzygy` | what is known exactly? |
//! | `mating` | how near is mate to a bare king? |
//! | [`polyglot`] | what does a book advise? |
//! | `player` | how does the workbench play with it? |
//! | `budget` | how long may it take? |
//! | `heart` | does it still search? |
//! | `bench` | does it search as it did? |
//! | `chances` | how often is a value won? |
//! | `worker`, `value`, `parameters` | what a thread carries, and the numbers |

mod bench;
mod budget;
mod chances;
mod checks;
mod cutoffs;
mod depths;
pub mod evaluation;
mod experience;
mod heart;
mod history;
mod line;
mod mating;
mod oracles;
mod parameters;
mod picker;
mod player;
pub mod polyglot;
mod pruning;
mod quiesce;
mod root;
mod search;
mod settings;
mod syzygy;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod worker;

pub use bench::BENCH;
pub use chances::CHANCES;
pub use evaluation::{Evaluation, Eye};
pub use oracles::{Oracles, Probing};
pub use player::{elo_range, engine_player};
pub use settings::{Settings, Techniques};
pub use syzygy::{Standing, Syzygy, SyzygyError};
pub use table::NoMemory;

use crate::Position;
use crate::rules::Draws;
use budget::Budget;
use cozy_chess::Move;
use heart::Heart;
use parameters::MAX_DEPTH;
use root::{Errand, RootMove};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use table::Table;
use value::{NONE, TABLE_WIN, Value, to_score};
use worker::{Mind, Reductions, Shared, Worker};
use zug_core::{Bound, Score, StopFlag};

/// A position to think about, and what came before it.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// The [keys](Position::key) of the positions before it, oldest first: for repetitions. Those
    /// since the last capture or pawn move suffice.
    pub earlier: Vec<u64>,
}

impl Root {
    /// A position without a past.
    #[must_use]
    pub fn new(position: Position) -> Root {
        Root { position, earlier: Vec::new() }
    }
}

/// What is asked of one search. The first limit that is reached ends it; without limits it ends when
/// stopped. The first iteration is always finished, so that there is a move.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to look at, all threads together.
    pub nodes: Option<u64>,
    /// The time to use, more or less of it as the search goes.
    pub aim: Option<Duration>,
    /// Never to be exceeded.
    pub most: Option<Duration>,
    /// How many best moves to tell the value of; 0 is 1.
    pub lines: usize,
    /// Only these moves; empty for all.
    pub only: Vec<Move>,
    /// When draws by rule take effect.
    pub draws: Draws,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish {
            depth: None,
            nodes: None,
            aim: None,
            most: None,
            lines: 1,
            only: Vec::new(),
            draws: Draws::Automatic,
        }
    }
}

/// A move with its value and what both sides will probably play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// The complete principal variation, beginning with the move.
    pub moves: Vec<Move>,
    /// What it is worth to the side to move.
    pub score: Score,
    /// What the score says: the value itself, in every thought that is told.
    pub bound: Bound,
}

/// What was found, so far or in the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The best lines, best first; none when there is no legal move.
    pub lines: Vec<FoundLine>,
    /// Plies searched in full.
    pub depth: u32,
    /// The deepest ply reached.
    pub deepest: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// Positions that an oracle knew, if there is one.
    pub oracle_hits: Option<u64>,
}

impl Thought {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first().copied())
    }

    /// The score of the best line.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score)
    }
}

/// A sign of life between two thoughts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// How far the search is. It has a line where it is known what the best one is worth at least or
    /// at most, and the search goes on to find out.
    pub thought: Thought,
    /// The move of the position itself that is being looked at, and its number, from 1.
    pub current: Option<(Move, usize)>,
}

/// The search with an evaluation, and what it remembers from move to move.
pub struct Engine<E: Evaluation> {
    evaluation: Arc<E>,
    settings: Settings,
    table: Table,
    reductions: Reductions,
    minds: Vec<Mind<E>>,
    oracles: Oracles,
    /// The score of the last move that was searched, of this game.
    own_score: Option<Value>,
}

impl<E: Evaluation> Engine<E> {
    /// An engine with an evaluation.
    pub fn new(evaluation: Arc<E>, settings: Settings) -> Result<Engine<E>, NoMemory> {
        let table = Table::new(settings.hash)?;
        let mut engine = Engine {
            evaluation,
            settings,
            table,
            reductions: Reductions::new(),
            minds: Vec::new(),
            oracles: Oracles::default(),
            own_score: None,
        };
        engine.fill_minds();
        Ok(engine)
    }

    fn fill_minds(&mut self) {
        let evaluation = &self.evaluation;
        self.minds.resize_with(self.settings.threads.max(1), || Mind::new(&**evaluation));
    }

    /// How it works.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The evaluation.
    #[must_use]
    pub fn evaluation(&self) -> &Arc<E> {
        &self.evaluation
    }

    /// Changes how it works. What is known is kept, unless the memory changes; then nothing changes
    /// if there is not enough.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), NoMemory> {
        if settings.hash != self.settings.hash {
            self.table = Table::new(settings.hash)?;
        }
        self.settings = settings;
        self.fill_minds();
        Ok(())
    }

    /// Goes on with another evaluation, and forgets everything.
    pub fn set_evaluation(&mut self, evaluation: Arc<E>) {
        self.evaluation = evaluation;
        self.minds.clear();
        self.clear();
    }

    /// Asks these about positions with few men.
    pub fn set_oracles(&mut self, oracles: Oracles) {
        self.oracles = oracles;
    }

    /// Forgets everything, so that the next search does not depend on former ones.
    pub fn clear(&mut self) {
        self.table.clear();
        self.minds.clear();
        self.fill_minds();
        self.own_score = None;
    }

    /// The score of the last move of this game, which the search of the thesis begins with.
    pub(crate) fn own_score(&self) -> Option<Value> {
        self.own_score
    }

    /// Sets that score, after a search that was no move of the game.
    pub(crate) fn set_own_score(&mut self, score: Option<Value>) {
        self.own_score = score;
    }

    /// Thinks about a position. `report` hears what was found after each iteration, and
    /// in the end where one that was broken off found something else.
    pub fn search(
        &mut self,
        root: &Root,
        wish: &Wish,
        stop: &StopFlag,
        report: &mut dyn FnMut(&Thought),
    ) -> Thought {
        self.search_told(root, wish, stop, report, None)
    }

    /// The same; `beat` hears between the thoughts, at least once a second, that the search goes on.
    pub fn search_told(
        &mut self,
        root: &Root,
        wish: &Wish,
        stop: &StopFlag,
        report: &mut dyn FnMut(&Thought),
        beat: Option<&mut dyn FnMut(&Beat)>,
    ) -> Thought {
        let board = root.position.board();
        let budget = Budget::start(wish);
        let mut roots: Vec<RootMove> = Vec::new();
        board.generate_moves(|moves| {
            roots.extend(moves.into_iter().map(RootMove::new));
            false
        });
        if !wish.only.is_empty() {
            roots.retain(|root| wish.only.contains(&root.mv));
        }
        if roots.is_empty() {
            return Thought::default();
        }
        // Several lines are asked for to compare moves, good and bad.
        let mut verdict = None;
        if wish.lines <= 1
            && let Some((standing, best)) = self.oracles.best_moves(board)
            && roots.iter().any(|root| best.contains(&root.mv))
        {
            roots.retain(|root| best.contains(&root.mv));
            verdict = Some(standing);
        }
        let root_hits = u64::from(verdict.is_some());
        self.table.grow_older();
        let threads = self.settings.threads.max(1);
        let shared = Shared {
            table: &self.table,
            techniques: self.settings.techniques,
            reductions: &self.reductions,
            budget,
            stop,
            halt: AtomicBool::new(false),
            nodes: (0..threads).map(|_| AtomicU64::new(0)).collect(),
            hits: AtomicU64::new(0),
            oracles: &self.oracles,
            oracle_men: self.oracles.men(),
            root_hits,
            draws: wish.draws,
            draw: -self.settings.contempt.clamp(-1000, 1000),
        };
        let errand = Errand {
            depth: wish.depth.map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH as u32) as i32),
            lines: wish.lines.clamp(1, roots.len()),
            own_score: self.own_score,
        };
        let tell = |roots: &[RootMove], depth: i32, deepest: usize| Thought {
            lines: roots
                .iter()
                .take(errand.lines)
                .filter(|root| root.known != NONE)
                .map(|root| FoundLine {
                    moves: root.line.clone(),
                    score: to_score(by_tables(verdict, root.known)),
                    bound: Bound::Exact,
                })
                .collect(),
            ..shared.progress(depth, deepest)
        };
        let (first, others) = self.minds.split_first_mut().expect("there is at least one thread");
        let thought = std::thread::scope(|scope| {
            for (number, mind) in others.iter_mut().enumerate() {
                let (shared, errand, mut roots) = (&shared, &errand, roots.clone());
                scope.spawn(move || {
                    let earlier = &root.earlier;
                    let mut worker = Worker::new(shared, mind, number + 1, board, earlier, None);
                    worker.deepen(board, &mut roots, errand, &mut |_, _, _| {});
                });
            }
            let heart = beat.map(|beat| Heart::new(beat, verdict));
            let mut worker = Worker::new(&shared, first, 0, board, &root.earlier, heart);
            let mut told = Vec::new();
            let depth = worker.deepen(board, &mut roots, &errand, &mut |worker, roots, depth| {
                let thought = tell(roots, depth, worker.deepest);
                report(&thought);
                told = thought.lines;
            });
            shared.halt.store(true, Relaxed);
            let thought = tell(&roots, depth, worker.deepest);
            // An iteration that was broken off may have found a better move, and the last word about
            // the best one is no mere bound.
            if thought.lines != told || worker.heart.as_ref().is_some_and(|heart| heart.told_bound)
            {
                report(&thought);
            }
            thought
        });
        let known = roots[0].known;
        self.own_score = (known != NONE).then_some(known);
        Thought { nodes: shared_nodes(&thought, &shared), ..thought }
    }
}

/// What tables say of the root is better than what was found, unless that is a mate. They know of
/// the fifty-move rule; the search sees past it only where it can.
fn by_tables(verdict: Option<Standing>, found: Value) -> Value {
    match verdict {
        None => found,
        Some(Standing::Won) => found.max(TABLE_WIN),
        Some(Standing::Drawn) => 0,
        Some(Standing::Lost) => found.min(-TABLE_WIN),
    }
}

/// All positions, counted when every thread has ended.
fn shared_nodes(thought: &Thought, shared: &Shared<'_>) -> u64 {
    thought.nodes.max(shared.all_nodes())
}
