//! The moves that patterns propose, from the best pattern to the worst.

use super::database::{Database, LAYOUT, Proposal};
use super::reach::{NONE, Reach};
use super::recall::Recall;
use super::trie::{Forms, Grid, Spot, Trie};
use crate::colour::Colour;
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
    reach: Reach,
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
        let reach = Reach::new(&database);
        Model { name: name.into(), database, trie, reach }
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

    /// Bytes in memory: patterns, tree and reach.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.database.bytes() + self.trie.bytes() + self.reach.bytes()
    }

    /// Who looks for moves, on one thread.
    #[must_use]
    pub fn finder(&self) -> Finder<'_> {
        let size = self.database.size();
        let points = (0..size).flat_map(|y| (0..size).map(move |x| Point::at(x, y)));
        Finder {
            model: self,
            grid: Grid::default(),
            points: points.collect(),
            recalls: Default::default(),
            best: Vec::new(),
            before: Vec::new(),
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

/// Looks for moves. It remembers what it was asked before, so positions that follow each other are
/// quicker; what it finds does not depend on that.
pub struct Finder<'a> {
    model: &'a Model,
    grid: Grid,
    points: Vec<Point>,
    /// For each side to move, without and with a ko.
    recalls: [[Recall; 2]; 2],
    best: Vec<Proposal>,
    /// The numbers of the points of the last answer.
    before: Vec<usize>,
}

impl Finder<'_> {
    /// The best `most` moves that patterns propose, better ones first; fewer where fewer are proposed,
    /// none on a board of another size.
    pub fn best(&mut self, position: &Position, most: usize) -> &[Proposal] {
        let Finder { model, grid, points, recalls, best, before } = self;
        let Model { database, trie, reach, .. } = model;
        let (board, side) = (position.board(), position.to_move());
        before.clear();
        before.extend(best.iter().map(|p| p.point.y() * board.size() + p.point.x()));
        best.clear();
        if board.size() != database.size() || most == 0 {
            return best;
        }
        grid.show(board, side);
        let stage = database.stage(position.moves_played() + 1);
        let ko = database.knows_ko() && board.ko().is_some();
        let range = database.stage_range(stage);
        let (begin, end) = (range.start as u32, range.end as u32);
        let recall = &mut recalls[side as usize][usize::from(ko)];
        recall.follow(reach, stage, ko, Colour::of(side) as u8, grid.stones());
        let Recall { bounds, found, .. } = recall;
        // First what is known without a look: the sooner good moves are known the fewer patterns need
        // one. The result does not depend on the order.
        for (i, &rank) in found.iter().enumerate() {
            if rank != NONE && rank == bounds[i] && grid.stones()[i] == 0 {
                let proposal = Proposal { point: points[i], pattern: begin + rank };
                if proposal.pattern < limit(best, most, points[i], end)
                    && board.check(points[i], side, false).is_ok()
                {
                    insert(best, most, proposal);
                }
            }
        }
        // What was good a move ago mostly is so still. Who comes twice is known the second time.
        for i in before.iter().copied().chain(0..points.len()) {
            let (point, bound) = (points[i], bounds[i]);
            let known = bound == NONE || bound == found[i];
            let mut limit = limit(best, most, point, end);
            if known || begin + bound >= limit || board.check(point, side, false).is_err() {
                continue;
            }
            let (spot, mut pattern) = (Spot { stage, ko, at: (point.x(), point.y()) }, None);
            trie.walk(grid, spot, &mut limit, &mut |hit, limit| {
                let (x, y) = (usize::from(hit.frame.0), usize::from(hit.frame.1));
                if !hit.loose || database.room(hit.pattern as usize).contains(x, y) {
                    pattern = Some(hit.pattern);
                    *limit = hit.pattern;
                }
            });
            // Nothing better than the limit is here, and at the end of the stage nothing at all.
            bounds[i] = if limit == end { NONE } else { limit - begin };
            found[i] = pattern.map_or(NONE, |pattern| pattern - begin);
            if let Some(pattern) = pattern {
                insert(best, most, Proposal { point, pattern });
            }
        }
        best
    }
}

/// Patterns below this number put a point among the best. Of points that the same pattern proposes the
/// first in the order of rows is before the others.
#[inline]
fn limit(best: &[Proposal], most: usize, point: Point, end: u32) -> u32 {
    match best.last() {
        Some(worst) if best.len() >= most => worst.pattern + u32::from(point < worst.point),
        _ => end,
    }
}

/// Adds a proposal to the best; one that is no longer among them goes.
fn insert(best: &mut Vec<Proposal>, most: usize, proposal: Proposal) {
    if best.len() >= most {
        best.pop();
    }
    let key = |p: &Proposal| (p.pattern, p.point);
    let place = best.partition_point(|p| key(p) < key(&proposal));
    best.insert(place, proposal);
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
