//! The moves that patterns propose, from the best pattern to the worst.

use super::database::{Database, LAYOUT, Proposal};
use super::trie::{Forms, Grid, Spot, Trie};
use crate::policy::{Guess, Guesser, Policy, Scene};
use crate::position::Position;
use rayon::prelude::*;
use std::path::Path;
use zug_core::container::{Container, Expect};
use zug_learn::face::TaskError;

/// Patterns, ready to guess.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    database: Database,
    trie: Trie,
}

impl Model {
    /// Of patterns that were learned; the fast tree where it is of moderate size.
    #[must_use]
    pub fn new(name: impl Into<String>, database: Database) -> Model {
        let forms = if database.len() <= MANY { Forms::Eight } else { Forms::One };
        Model::with(name, database, forms)
    }

    /// With a tree of this kind.
    #[must_use]
    pub fn with(name: impl Into<String>, database: Database, forms: Forms) -> Model {
        let trie = Trie::new(database.shapes(), database.size(), database.stage_count(), forms);
        Model { name: name.into(), database, trie }
    }

    /// Opens a file.
    pub fn open(path: &Path) -> Result<Model, TaskError> {
        let expect = Expect::model("go").layout(LAYOUT);
        let file = Container::open(path, &expect).map_err(TaskError::below)?;
        Model::read(path.display().to_string(), &file)
    }

    /// Reads the sections of a file whose header says that it is such a model.
    pub fn read(name: impl Into<String>, file: &Container) -> Result<Model, TaskError> {
        Ok(Model::new(name, Database::read(file)?))
    }

    /// The patterns.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Bytes in memory: patterns and tree.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.database.bytes() + self.trie.bytes()
    }

    /// Who looks for moves, on one thread.
    #[must_use]
    pub fn finder(&self) -> Finder<'_> {
        Finder { model: self, grid: Grid::default(), best: Vec::new() }
    }

    /// The best `most` moves of many positions, found by all threads.
    #[must_use]
    pub fn guess_all(&self, positions: &[Position], most: usize) -> Vec<Vec<Proposal>> {
        positions
            .par_iter()
            .map_init(|| self.finder(), |finder, position| finder.best(position, most).to_vec())
            .collect()
    }
}

/// More patterns than this are kept in the small tree: the fast one would need more than 50 MB.
const MANY: usize = 250_000;

/// Looks for moves.
pub struct Finder<'a> {
    model: &'a Model,
    grid: Grid,
    best: Vec<Proposal>,
}

impl Finder<'_> {
    /// The best `most` moves that patterns propose, better ones first; fewer where fewer are proposed,
    /// none on a board of another size.
    pub fn best(&mut self, position: &Position, most: usize) -> &[Proposal] {
        let database = &self.model.database;
        let (board, side) = (position.board(), position.to_move());
        self.best.clear();
        if board.size() != database.size() || most == 0 {
            return &self.best;
        }
        self.grid.show(board, side);
        let stage = database.stage(position.moves_played() + 1);
        let ko = database.knows_ko() && board.ko().is_some();
        let all = database.stage_range(stage);
        // The best patterns mostly suffice, and to look at them alone takes little time.
        let mut limit = all.start + all.len() / FIRST;
        loop {
            let last = limit >= all.end || most == usize::MAX;
            let end = if last { all.end } else { limit } as u32;
            self.below(position, Spot { stage, ko, at: (0, 0) }, end, most);
            if last || self.best.len() >= most {
                return &self.best;
            }
            limit = all.start + FURTHER * (limit - all.start).max(1);
        }
    }

    /// The best moves that patterns with smaller numbers propose.
    fn below(&mut self, position: &Position, mut spot: Spot, end: u32, most: usize) {
        let Model { database, trie, .. } = self.model;
        let (board, side) = (position.board(), position.to_move());
        self.best.clear();
        // Point by point, row by row: of points that the same pattern proposes the first is
        // there already when the second is found, and stays before it.
        for point in board.points() {
            if board.check(point, side, false).is_err() {
                continue;
            }
            let full = self.best.len() >= most;
            let worst = self.best.last().map(|p| p.pattern).filter(|_| full);
            let mut limit = worst.unwrap_or(end);
            let mut found = None;
            spot.at = (point.x(), point.y());
            trie.walk(&self.grid, spot, &mut limit, &mut |hit, limit| {
                let (x, y) = (usize::from(hit.frame.0), usize::from(hit.frame.1));
                if !hit.loose || database.room(hit.pattern as usize).contains(x, y) {
                    found = Some(hit.pattern);
                    *limit = hit.pattern;
                }
            });
            if let Some(pattern) = found {
                if full {
                    self.best.pop();
                }
                let place = self.best.partition_point(|p| p.pattern <= pattern);
                self.best.insert(place, Proposal { point, pattern });
            }
        }
    }
}

/// The first look is at one of so many patterns, …
const FIRST: usize = 64;
/// … and each further one at so many times more.
const FURTHER: usize = 8;

impl Policy for Model {
    fn name(&self) -> String {
        self.name.clone()
    }
    fn knows_size(&self, size: usize) -> bool {
        size == self.database.size()
    }
    fn guesser(&self) -> Box<dyn Guesser + '_> {
        Box::new(self.finder())
    }
}

/// Values are shares of different patterns and add up to anything; as probabilities they are scaled to 1.
impl Guesser for Finder<'_> {
    fn guess(&mut self, scene: Scene<'_>, out: &mut Vec<Guess>) {
        out.clear();
        let database = &self.model.database;
        let found = self.best(scene.position, usize::MAX);
        let value = |p: &Proposal| database.value(p.pattern as usize) as f32;
        let sum: f32 = found.iter().map(value).sum();
        let scale = if sum > 0.0 { sum.recip() } else { 0.0 };
        out.extend(found.iter().map(|p| Guess { point: p.point, probability: value(p) * scale }));
    }
}
