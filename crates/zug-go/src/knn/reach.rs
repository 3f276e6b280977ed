//! How good can a pattern be that asks for this stone?
//!
//! To match means to contain: a stone that is added to a board takes no match away, and whatever matches
//! anew asks for that very stone. So who knows the best pattern at a point, and the best one of all that
//! could ask for the new stone, mostly knows without a look that nothing has changed. That
//! second number is kept here for every stone and every point, for all points in a row.

use super::database::Database;
use super::offsets::{CODES, code, is_theirs, turned};
use super::symmetry::Symmetry;
use super::trie::{Trie, place, places_at};

/// The number of a pattern within its stage.
pub(super) type Rank = u32;
/// No pattern.
pub(super) const NONE: Rank = Rank::MAX;

/// For each stage and ko, with and without a stone: the best pattern that could propose each point.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    area: usize,
    /// For each stage and ko, point by point: the best pattern that asks for no stone.
    bare: Vec<Rank>,
    /// For each stage and ko, stone and its owner, point by point: the best pattern that asks for it.
    rows: Vec<Rank>,
}

impl Reach {
    pub(super) fn new(database: &Database) -> Reach {
        let (size, places) = (database.size(), Trie::places(database.size()));
        let area = size * size;
        let kinds = 2 * database.stage_count();
        let mut reach = Reach {
            area,
            bare: vec![NONE; kinds * area],
            rows: vec![NONE; kinds * area * 2 * area],
        };
        // By the place that patterns are tied to, and their stones.
        let (mut bare, mut asks) = (vec![NONE; places], vec![NONE; places * CODES]);
        for kind in 0..kinds {
            bare.fill(NONE);
            asks.fill(NONE);
            let stage = database.stage_range(kind / 2);
            for i in stage.clone() {
                let rank = (i - stage.start) as Rank;
                let shape = database.shapes().get(i);
                if shape.ko() != (kind % 2 == 1) {
                    continue;
                }
                // Patterns come from the best on: what is there already is no worse.
                for s in Symmetry::ALL {
                    let place = place(shape, size, s);
                    if shape.stones().is_empty() {
                        bare[place] = bare[place].min(rank);
                    }
                    for &code in shape.stones() {
                        let best = &mut asks[place * CODES + usize::from(turned(s, code))];
                        *best = rank.min(*best);
                    }
                }
            }
            for point in 0..area {
                let (x, y) = (point % size, point / size);
                let at = places_at(size, x, y);
                let best = |of: &[Rank], each: usize, code: usize| {
                    at.iter().map(|place| of[place * each + code]).min().unwrap_or(NONE)
                };
                reach.bare[kind * area + point] = best(&bare, 1, 0);
                for stone in (0..area).filter(|&stone| stone != point) {
                    let (dx, dy) =
                        ((stone % size) as i32 - x as i32, (stone / size) as i32 - y as i32);
                    for theirs in [false, true] {
                        let code = code(dx, dy, theirs);
                        debug_assert_eq!(is_theirs(code), theirs);
                        let row = reach.row(kind, stone, theirs).start;
                        reach.rows[row + point] = best(&asks, CODES, usize::from(code));
                    }
                }
            }
        }
        reach
    }

    fn row(&self, kind: usize, stone: usize, theirs: bool) -> std::ops::Range<usize> {
        let row = ((kind * self.area + stone) * 2 + usize::from(theirs)) * self.area;
        row..row + self.area
    }

    /// The best patterns that ask for no stone, point by point.
    pub(super) fn without(&self, stage: usize, ko: bool) -> &[Rank] {
        &self.bare[(2 * stage + usize::from(ko)) * self.area..][..self.area]
    }

    /// The best patterns that ask for this stone, point by point.
    pub(super) fn with(&self, stage: usize, ko: bool, stone: usize, theirs: bool) -> &[Rank] {
        &self.rows[self.row(2 * stage + usize::from(ko), stone, theirs)]
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        (self.bare.capacity() + self.rows.capacity()) * size_of::<Rank>()
    }
}
