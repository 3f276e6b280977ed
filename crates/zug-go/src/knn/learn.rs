//! From games to patterns: gather them, find where they occur, count, filter.
//!
//! Patterns are gathered from the *acquisition set*, the first of the training games, and counted on
//! all of them. Games are replayed as often as they are needed; nothing of them is kept. Work is
//! divided by games and sums are whole numbers, so the result is the same for any number of threads.

use super::database::{Counts, Database, histogram};
use super::example::{Example, replay};
use super::neighbours::{Neighbours, canonical};
use super::settings::{Count, Settings, Translations, Value};
use super::shapes::{Room, Shape, Shapes};
use super::trie::{Forms, Grid, Spot, Trie};
use crate::board::Board;
use crate::corpus::GoRecord;
use crate::point::Point;
use rayon::prelude::*;
use zug_core::{Progress, Side, StopFlag};
use zug_learn::face::TaskError;

/// Patterns that were gathered, not yet counted.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// Each once, in the order of their words.
    pub(super) shapes: Shapes,
    /// The game in which each was met first.
    pub(super) origins: Vec<u32>,
}

impl Gathered {
    /// The patterns of games, for every k, without duplicates.
    #[must_use]
    pub fn from(games: &[&GoRecord], settings: &Settings) -> Gathered {
        let each: Vec<Shapes> = games
            .par_iter()
            .map(|game| {
                let mut shapes = Shapes::new();
                for_each_example(game, settings, |board, side, p, number| {
                    add_patterns(&Example::of(board, side, p, number), settings, &mut shapes);
                });
                // Most duplicates are neighbours in time.
                shapes.select(&shapes.sorted())
            })
            .collect();
        let (mut all, mut origins) = (Shapes::new(), Vec::new());
        for (game, shapes) in (0..).zip(each) {
            for i in 0..shapes.len() {
                all.push(shapes.words_of(i));
                origins.push(game);
            }
        }
        let order = all.sorted();
        Gathered {
            shapes: all.select(&order),
            origins: order.iter().map(|&i| origins[i as usize]).collect(),
        }
    }

    /// How many patterns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// None?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// How many patterns have each number of stones and sides, from 0 on.
    #[must_use]
    pub fn histogram(&self) -> Vec<usize> {
        histogram(&self.shapes)
    }
}

/// The examples of a game that are learned from.
fn for_each_example(
    game: &GoRecord,
    settings: &Settings,
    mut visit: impl FnMut(&Board, Side, Point, u32),
) {
    replay(game, |board, side, p, number| {
        let wanted = settings.plies.is_none_or(|last| number <= last);
        if wanted {
            visit(board, side, p, number);
        }
        wanted
    });
}

/// The pattern of every k of an example.
fn add_patterns(example: &Example, settings: &Settings, shapes: &mut Shapes) {
    let example = example.normal();
    let neighbours = Neighbours::of(&example, settings.nearness);
    let (stage, ko) = (settings.stage(example.number), settings.ko && example.ko);
    for k in settings.k_min..=settings.k_max {
        let (sides, stones) = neighbours.nearest(k);
        let form = canonical(example.size, example.at, sides, &stones);
        shapes.push(&Shape::words(stage, ko, &form));
        // With fewer candidates than k all are taken, and a larger k would say the same.
        if k >= neighbours.count() {
            break;
        }
    }
}

/// Patterns that are being counted on training games.
pub struct Counting<'a> {
    settings: &'a Settings,
    gathered: &'a Gathered,
    trie: Trie,
    rooms: Vec<Room>,
    counts: Vec<Counts>,
    /// Games that have been counted.
    pub games: usize,
    workers: Vec<Worker>,
}

/// What one thread needs.
struct Worker {
    grid: Grid,
    counts: Vec<Counts>,
    /// The last look at which each pattern was counted.
    seen: Vec<u32>,
    look: u32,
}

impl<'a> Counting<'a> {
    /// Finds the room of each pattern in the training games; nothing is counted yet.
    pub fn new(
        settings: &'a Settings,
        gathered: &'a Gathered,
        training: &[&GoRecord],
    ) -> Counting<'a> {
        let trie = Trie::new(&gathered.shapes, settings.size, settings.stage_count(), Forms::One);
        let rooms = rooms(settings, gathered, &trie, training);
        Counting {
            settings,
            gathered,
            trie,
            rooms,
            counts: vec![Counts::default(); gathered.len()],
            games: 0,
            workers: Vec::new(),
        }
    }

    /// What was counted so far: matches and played matches, pattern by pattern.
    #[must_use]
    pub fn counted(&self) -> (Vec<u32>, Vec<u32>) {
        self.counts.iter().map(|c| (c.matched, c.played)).unzip()
    }

    /// Goes on from what was counted before; false if it is of other patterns.
    pub fn go_on(&mut self, games: usize, matched: &[u32], played: &[u32]) -> bool {
        if matched.len() != self.counts.len() || played.len() != self.counts.len() {
            return false;
        }
        self.games = games;
        let pairs = matched.iter().zip(played);
        self.counts = pairs.map(|(&matched, &played)| Counts { matched, played }).collect();
        true
    }

    /// Counts the next games of the training set, at most so many. True if some are left.
    pub fn advance(
        &mut self,
        training: &[&GoRecord],
        most: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<bool, TaskError> {
        let end = training.len().min(self.games + most);
        let batch = &training[self.games..end];
        let threads = rayon::current_num_threads().min(batch.len()).max(1);
        let n = self.gathered.len();
        self.workers.resize_with(threads, || Worker {
            grid: Grid::default(),
            counts: vec![Counts::default(); n],
            seen: vec![0; n],
            look: 0,
        });
        let (settings, trie, rooms) = (self.settings, &self.trie, &self.rooms);
        let (origins, first) = (&self.gathered.origins, self.games);
        self.workers.par_iter_mut().enumerate().for_each(|(thread, worker)| {
            for (i, game) in batch.iter().enumerate().skip(thread).step_by(threads) {
                if stop.is_set() {
                    return;
                }
                let origins = (settings.value == Value::LeaveOut).then_some(&origins[..]);
                let number = (first + i) as u32;
                worker.count(game, number, origins, settings, trie, rooms);
                progress.advance(1);
            }
        });
        if stop.is_set() {
            return Err(TaskError::Stopped { resumable: true });
        }
        for worker in &mut self.workers {
            for (all, part) in self.counts.iter_mut().zip(&mut worker.counts) {
                all.matched += part.matched;
                all.played += part.played;
                *part = Counts::default();
            }
        }
        self.games = end;
        Ok(end < training.len())
    }

    /// The patterns that pass the filters.
    #[must_use]
    pub fn database(&self) -> Database {
        Database::new(self.settings, &self.gathered.shapes, &self.rooms, &self.counts)
    }
}

impl Worker {
    fn count(
        &mut self,
        game: &GoRecord,
        number: u32,
        origins: Option<&[u32]>,
        settings: &Settings,
        trie: &Trie,
        rooms: &[Room],
    ) {
        for_each_example(game, settings, |board, side, played, at| {
            self.grid.show(board, side);
            self.look(settings.count == Count::Examples);
            let (stage, ko) = (settings.stage(at), settings.ko && board.ko().is_some());
            // The move first: what is counted for an example but once must know that it was played.
            let others = board.empty_points().filter(|&p| p != played);
            for p in std::iter::once(played).chain(others) {
                if board.check(p, side, false).is_err() {
                    continue;
                }
                self.look(settings.count == Count::Placements);
                let spot = Spot { stage, ko, at: (p.x(), p.y()) };
                let (seen, counts, look) = (&mut self.seen, &mut self.counts, self.look);
                trie.walk(&self.grid, spot, &mut { u32::MAX }, &mut |hit, _| {
                    let i = hit.pattern as usize;
                    let (x, y) = (usize::from(hit.frame.0), usize::from(hit.frame.1));
                    if seen[i] == look || hit.loose && !rooms[i].contains(x, y) {
                        return;
                    }
                    seen[i] = look;
                    if origins.is_some_and(|origins| origins[i] == number) {
                        return;
                    }
                    counts[i].matched += 1;
                    counts[i].played += u32::from(p == played);
                });
            }
        });
    }

    /// Begins a new look, if it is time for one.
    fn look(&mut self, now: bool) {
        if !now {
            return;
        }
        if self.look == u32::MAX {
            self.seen.fill(0);
            self.look = 0;
        }
        self.look += 1;
    }
}

/// Where each pattern may lie: tied by its sides, or in the rectangle that holds all places where it
/// matched and was played.
fn rooms(
    settings: &Settings,
    gathered: &Gathered,
    trie: &Trie,
    training: &[&GoRecord],
) -> Vec<Room> {
    let observed = settings.translations == Translations::Observed;
    let begin = |shape: Shape<'_>| match observed && shape.sides() == 0 {
        true => Room::NONE,
        false => shape.room(settings.size),
    };
    let mut rooms: Vec<Room> = gathered.shapes.iter().map(begin).collect();
    if !observed {
        return rooms;
    }
    let found = |game: &&GoRecord| {
        let (mut grid, mut found) = (Grid::default(), Vec::new());
        for_each_example(game, settings, |board, side, p, number| {
            grid.show(board, side);
            let (stage, ko) = (settings.stage(number), settings.ko && board.ko().is_some());
            let spot = Spot { stage, ko, at: (p.x(), p.y()) };
            trie.walk(&grid, spot, &mut { u32::MAX }, &mut |hit, _| {
                if hit.loose {
                    found.push((hit.pattern, hit.frame));
                }
            });
        });
        found
    };
    for batch in training.chunks(64) {
        let each: Vec<Vec<(u32, (u8, u8))>> = batch.par_iter().map(found).collect();
        for (pattern, (x, y)) in each.into_iter().flatten() {
            rooms[pattern as usize].include(usize::from(x), usize::from(y));
        }
    }
    rooms
}
