//! Solving a game and asking its database, with the type of the game forgotten.
//!
//! The command line knows games by their specs only. A game that can be solved says so with one
//! call when it is opened ([`SolvableEntry::solvable`]); from then on its
//! [`GameEntry`] carries a [`Solver`], which builds databases ([`AnySolver::build`]) and opens them
//! ([`AnyDatabase`]): positions and moves are text.

mod ask;
mod build;

pub use ask::{AskError, Probe, ProbedMove, Statistics};
pub use build::{BuildError, BuildOrder, Built, Method, StageReport, stage_reports};

use crate::cells::{Cells, GameCells};
use crate::checks::IndexedEntry;
use crate::database::Database;
use crate::estimate::{Outline, OutlineStage, Pace};
use crate::index::Index;
use crate::perfect::{Measured, Values, perfect_player};
use crate::solve::feeding;
use crate::space::{IndexError, Options};
use crate::store::{Manifest, PartSize, StoreError};
use crate::value::Value;
use crate::verify::Findings;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use zug_core::{GameEntry, Indexed, Oracle, Progress, Retro, StopFlag};

/// No board has more symmetries: those of a square, and of morris with inside and outside exchanged.
const MOST_SYMMETRIES: u64 = 16;

/// What makes and opens the databases of one game.
pub trait AnySolver: Send + Sync {
    /// How the positions would be numbered: stages, parts, sizes.
    fn outline(&self, options: Options) -> Result<Outline, IndexError>;

    /// Are there at most so many slots? Sooner said than an outline is drawn: the tables of symmetries and the
    /// list of what is built from what are not needed.
    fn is_small(&self, slots: u64) -> bool;

    /// Measures for a short while how fast this game's cells in the stages of an outline can be
    /// worked on.
    fn pace(&self, options: Options, outline: &Outline, time: Duration)
    -> Result<Pace, IndexError>;

    /// Builds a database in a folder, stage by stage. Each finished stage is on the disk before the
    /// next begins.
    fn build(
        &self,
        folder: &Path,
        order: &BuildOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Built, BuildError>;

    /// Opens a database, with so many bytes for unpacked blocks.
    fn open(&self, folder: &Path, cache: usize) -> Result<Box<dyn AnyDatabase>, StoreError>;
}

/// A database of some game.
pub trait AnyDatabase: Send + Sync {
    /// The list of what it holds and how it was made.
    fn manifest(&self) -> &Manifest;

    /// How its positions are numbered.
    fn outline(&self) -> Outline;

    /// Are all stages there?
    fn is_complete(&self) -> bool;

    /// The sizes of all parts of the finished stages.
    fn sizes(&self) -> Vec<PartSize>;

    /// How many positions are worth what.
    fn statistics(
        &self,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Statistics, StoreError>;

    /// The value of a position in notation, and of all moves, best first.
    fn probe(&self, position: &str) -> Result<Probe, AskError>;

    /// Positions in notation where the game goes on and whose value is among these, drawn at random;
    /// fewer than asked for if there are not that many, or hardly any.
    fn sample(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        count: usize,
        seed: u64,
    ) -> Result<Vec<String>, StoreError>;

    /// Reads everything, compares all checksums.
    fn verify_files(&self) -> Result<(), StoreError>;

    /// Checks that every value follows from its successors.
    fn verify_values(
        &self,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Findings, AskError>;

    /// The position of a slot in notation, if it has one.
    fn position(&self, slot: u64) -> Option<String>;
}

/// What a [`GameEntry`] carries when its game can be solved.
#[derive(Clone)]
pub struct Solver(Arc<dyn AnySolver>);

impl std::ops::Deref for Solver {
    type Target = dyn AnySolver;
    fn deref(&self) -> &(dyn AnySolver + 'static) {
        &*self.0
    }
}

/// Which smaller game, by its spec, a position belongs to, where that game can be solved: the endings of a
/// game that is far too large itself.
pub type EndingOf = dyn Fn(&str) -> Option<String> + Send + Sync;

/// What a [`GameEntry`] carries when late positions of its game belong to games that can be solved.
#[derive(Clone)]
pub struct Endings(pub Arc<EndingOf>);

/// Adds databases to what an entry can do.
pub trait SolvableEntry {
    /// The game is solved by way of its general index and its moves backwards. Notes that it has
    /// both, and adds their checks.
    #[must_use]
    fn solvable<G: Indexed + Retro>(self, game: &G) -> Self;

    /// The game has cells of its own, which must number positions as its general index does. Notes
    /// and checks nothing else. Adds the player `perfect`.
    #[must_use]
    fn solvable_with<G: Indexed, C: Cells + Send + 'static>(
        self,
        game: &G,
        cells: impl Fn(&G, Options) -> Result<C, IndexError> + Send + Sync + 'static,
    ) -> Self;
}

impl SolvableEntry for GameEntry {
    fn solvable<G: Indexed + Retro>(self, game: &G) -> GameEntry {
        let entry = self.indexed(game).retro_indexed(game);
        entry.solvable_with(game, |game: &G, options| Index::new(game, options).map(GameCells::new))
    }

    fn solvable_with<G: Indexed, C: Cells + Send + 'static>(
        self,
        game: &G,
        cells: impl Fn(&G, Options) -> Result<C, IndexError> + Send + Sync + 'static,
    ) -> GameEntry {
        let cells = Arc::new(cells);
        let solver =
            GameSolver { game: game.clone(), cells: cells.clone(), kind: PhantomData::<fn() -> C> };
        let open = move |folder: &Path, game: &G| match Database::open(folder, game) {
            Ok(database) => {
                Ok(Arc::new(Measured::new(database, cells.clone())) as Arc<dyn Values<G>>)
            }
            Err(error) => Err(error.to_string()),
        };
        self.with_player(perfect_player(game, open)).with_extension(Solver(Arc::new(solver)))
    }
}

/// Opens a database by its folder, or says why not.
pub type OpenOracle<G> = Arc<dyn Fn(&Path) -> Result<Arc<dyn Oracle<G>>, String> + Send + Sync>;

/// What a search needs to ask a database in the midst of its tree.
pub fn open_oracle<G: Indexed>(game: &G) -> OpenOracle<G> {
    let game = game.clone();
    Arc::new(move |folder| match Database::open(folder, &game) {
        Ok(database) => Ok(Arc::new(database)),
        Err(error) => Err(error.to_string()),
    })
}

/// A game with a way to make its cells.
struct GameSolver<G, C, F> {
    game: G,
    cells: Arc<F>,
    kind: PhantomData<fn() -> C>,
}

impl<G, C, F> AnySolver for GameSolver<G, C, F>
where
    G: Indexed,
    C: Cells + Send + 'static,
    F: Fn(&G, Options) -> Result<C, IndexError> + Send + Sync + 'static,
{
    fn outline(&self, options: Options) -> Result<Outline, IndexError> {
        let layout = self.game.layout();
        Ok(Outline::new(&layout, &crate::Space::new(&layout, options)?))
    }

    fn is_small(&self, slots: u64) -> bool {
        let layout = self.game.layout();
        let size = |options| crate::Space::new(&layout, options).map(|space| space.size());
        let plain = Options { symmetry: false, ..Options::default() };
        match size(plain) {
            Ok(plain) if plain / MOST_SYMMETRIES > slots => false,
            Ok(plain) if plain <= slots => true,
            Ok(_) => size(Options::default()).is_ok_and(|size| size <= slots),
            Err(_) => false,
        }
    }

    fn pace(
        &self,
        options: Options,
        outline: &Outline,
        time: Duration,
    ) -> Result<Pace, IndexError> {
        let layout = self.game.layout();
        let space = crate::Space::new(&layout, options)?;
        let slots = |stage: usize| space.stages()[stage].slots.clone();
        let with_sources = |stage: &OutlineStage| {
            let sources = feeding(&layout, &space, stage.number).into_iter().map(slots).collect();
            (slots(stage.number), sources)
        };
        let stages: Vec<_> = outline.stages.iter().map(with_sources).collect();
        let cells = (self.cells)(&self.game, options)?;
        let mut pace = Pace::measure(&cells, &stages, time / 2);
        // A part of the stages says nothing about what they are built from.
        if outline.slots == space.size() {
            // Rules that contradict themselves are for a build to complain about.
            let _ = pace.solve_some(&cells, &layout, &space, time / 2);
        }
        Ok(pace)
    }

    fn build(
        &self,
        folder: &Path,
        order: &BuildOrder,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Built, BuildError> {
        build::build(&self.game, &*self.cells, folder, order, progress, stop)
    }

    fn open(&self, folder: &Path, cache: usize) -> Result<Box<dyn AnyDatabase>, StoreError> {
        let database = Database::open_with(folder, &self.game, cache)?;
        Ok(Box::new(ask::Asked::new(database, self.cells.clone())))
    }
}
