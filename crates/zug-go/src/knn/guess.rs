//! The moves that patterns propose, from the best pattern to the worst.

use super::database::{Database, LAYOUT, Proposal};
use super::trie::{Forms, Grid, Spot, Trie};
use crate::point::Point;
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
        let file = Container::open(path, &Expect::model("go")).map_err(TaskError::below)?;
        Model::read(path.display().to_string(), &file)
    }

    /// Reads a file whose header says that it is such a model.
    pub fn read(name: impl Into<String>, file: &Container) -> Result<Model, TaskError> {
        file.check(&Expect::model("go").layout(LAYOUT)).map_err(TaskError::below)?;
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
        Finder {
            model: self,
            grid: Grid::default(),
            best: Vec::new(),
            before: Vec::new(),
            done: Vec::new(),
        }
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
    /// The moves of the last answer.
    before: Vec<Point>,
    done: Vec<bool>,
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
        let end = database.stage_range(stage).end as u32;
        let mut spot = Spot { stage, ko, at: (0, 0) };
        // What was good a move ago mostly is so still, and the sooner good moves are known the more
        // patterns need no look. The result does not depend on the order.
        let size = board.size();
        self.done.clear();
        self.done.resize(size * size, false);
        let before = std::mem::take(&mut self.before);
        for point in before.iter().copied().chain(board.points()) {
            if !board.contains(point)
                || std::mem::replace(&mut self.done[point.y() * size + point.x()], true)
                || board.check(point, side, false).is_err()
            {
                continue;
            }
            spot.at = (point.x(), point.y());
            self.look(point, spot, end, most);
        }
        self.before = before;
        self.before.clear();
        self.before.extend(self.best.iter().map(|p| p.point));
        &self.best
    }

    /// Looks for the best pattern that proposes a point; it joins the list if it is good enough.
    #[inline]
    fn look(&mut self, point: Point, spot: Spot, end: u32, most: usize) {
        let Model { database, trie, .. } = self.model;
        let worst = self.best.last().filter(|_| self.best.len() >= most);
        // Of points that the same pattern proposes the first in the order of rows is before the others.
        let mut limit = match worst {
            Some(worst) => worst.pattern + u32::from(point < worst.point),
            None => end,
        };
        let (full, mut found) = (worst.is_some(), None);
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
            let place = self.best.partition_point(|p| (p.pattern, p.point) < (pattern, point));
            self.best.insert(place, Proposal { point, pattern });
        }
    }
}

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
