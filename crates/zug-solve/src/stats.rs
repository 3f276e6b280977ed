//! How many positions of a database are won, lost and drawn, and in how many plies?
//!
//! The statistics report of Bahnsen's thesis (chapter 6), with both of its columns from one
//! database: *reduced* counts each class of equivalent positions once; *full* counts every position,
//! each class with the number of its members ([`Space::images`]). So a database that was built with
//! symmetries also tells what one without them would hold, and [`reduce`] tells the reverse.

use crate::space::Space;
use crate::sweep::sweep;
use crate::value::{Code, Value};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use zug_core::{Progress, Side, StopFlag};

/// Numbers of positions for the first and the second side to move.
pub type BySide = [u64; 2];

/// Positions by value and side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Won in n plies, at place n.
    pub won: Vec<BySide>,
    /// Lost in n plies, at place n.
    pub lost: Vec<BySide>,
    /// Drawn.
    pub drawn: BySide,
}

/// One line of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Won for the side to move, or lost.
    pub won: bool,
    /// In so many plies.
    pub plies: usize,
    /// How many positions.
    pub counts: BySide,
}

fn add(to: &mut BySide, more: BySide) {
    to[0] += more[0];
    to[1] += more[1];
}

fn sum(rows: &[BySide]) -> BySide {
    rows.iter().fold([0; 2], |mut total, row| {
        add(&mut total, *row);
        total
    })
}

impl Counts {
    fn note(&mut self, value: Value, more: BySide) {
        let (rows, plies) = match value {
            Value::Draw => return add(&mut self.drawn, more),
            Value::Win(plies) => (&mut self.won, usize::from(plies)),
            Value::Loss(plies) => (&mut self.lost, usize::from(plies)),
        };
        if rows.len() <= plies {
            rows.resize(plies + 1, [0; 2]);
        }
        add(&mut rows[plies], more);
    }

    fn merge(&mut self, other: &Counts) {
        for (rows, more) in [(&mut self.won, &other.won), (&mut self.lost, &other.lost)] {
            if rows.len() < more.len() {
                rows.resize(more.len(), [0; 2]);
            }
            for (row, more) in rows.iter_mut().zip(more) {
                add(row, *more);
            }
        }
        add(&mut self.drawn, other.drawn);
    }

    /// The distribution, by ascending distance; lines without a position are left out.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.won.len().max(self.lost.len())).flat_map(|plies| {
            [(false, &self.lost), (true, &self.won)].into_iter().filter_map(move |(won, rows)| {
                let counts = *rows.get(plies)?;
                (counts != [0; 2]).then_some(Row { won, plies, counts })
            })
        })
    }

    /// Won in any number of plies.
    #[must_use]
    pub fn all_won(&self) -> BySide {
        sum(&self.won)
    }

    /// Lost in any number of plies.
    #[must_use]
    pub fn all_lost(&self) -> BySide {
        sum(&self.lost)
    }

    /// All positions.
    #[must_use]
    pub fn used(&self) -> BySide {
        sum(&[self.all_won(), self.all_lost(), self.drawn])
    }

    /// How many positions have exactly this value.
    #[must_use]
    pub fn of(&self, value: Value) -> BySide {
        let at = |rows: &[BySide], plies: u16| rows.get(usize::from(plies)).copied();
        match value {
            Value::Draw => self.drawn,
            Value::Win(plies) => at(&self.won, plies).unwrap_or_default(),
            Value::Loss(plies) => at(&self.lost, plies).unwrap_or_default(),
        }
    }

    /// The longest distance.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.rows().last().map_or(0, |row| row.plies)
    }
}

/// What a run of slots holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// All slots.
    pub slots: u64,
    /// Slots without a position.
    pub illegal: u64,
    /// Slots whose position is that of a lower slot.
    pub duplicates: u64,
    /// Each position that is stored.
    pub stored: Counts,
    /// Each class of equivalent positions once. The same as `stored` unless the index does without
    /// a symmetry that the game has; then [`reduce`] finds it.
    pub reduced: Counts,
    /// Every position.
    pub full: Counts,
}

impl Tally {
    /// Adds other slots.
    pub fn merge(&mut self, other: &Tally) {
        self.slots += other.slots;
        self.illegal += other.illegal;
        self.duplicates += other.duplicates;
        self.stored.merge(&other.stored);
        self.reduced.merge(&other.reduced);
        self.full.merge(&other.full);
    }

    /// Slots that hold a position of their own.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.slots - self.illegal - self.duplicates
    }
}

/// Counts what the slots of a range hold. When the flag is set before the end, the counts are not
/// complete.
pub fn tally<E: Send>(
    space: &Space,
    slots: Range<u64>,
    threads: usize,
    progress: &dyn Progress,
    stop: &StopFlag,
    code: impl Fn(u64) -> Result<Code, E> + Sync,
) -> Result<Tally, E> {
    let mirrored = space.mirrored_parts();
    let count = |tally: &mut Tally, piece: Range<u64>| {
        let mut part = space.part_of(piece.start);
        for slot in piece {
            while slot >= space.parts()[part].base() + space.parts()[part].size() {
                part += 1;
            }
            tally.slots += 1;
            let code = code(slot)?;
            let Some(value) = code.value() else {
                if code == Code::ILLEGAL {
                    tally.illegal += 1;
                } else {
                    tally.duplicates += 1;
                }
                continue;
            };
            let both = |times: u64, swapped: u64| match space.parts()[part].side() {
                Side::First => [times, swapped],
                Side::Second => [swapped, times],
            };
            let images = space.images(slot);
            tally.stored.note(value, both(1, 0));
            tally.reduced.note(value, both(1, 0));
            tally.full.note(value, both(images, if mirrored[part] { images } else { 0 }));
        }
        Ok(())
    };
    let tallies = sweep(slots, threads, progress, stop, Tally::default, count)?;
    let mut total = Tally::default();
    tallies.iter().for_each(|tally| total.merge(tally));
    Ok(total)
}

/// Counts from how often each code occurs in the parts, which files tell without unpacking a
/// value. Only placements that a symmetry leaves as they are must be looked at one by one: they
/// have fewer images than others.
pub fn tally_parts<E: Send>(
    space: &Space,
    parts: impl Iterator<Item = (usize, Vec<(Code, u64)>)>,
    threads: usize,
    progress: &dyn Progress,
    stop: &StopFlag,
    code: impl Fn(u64) -> Result<Code, E> + Sync,
) -> Result<Tally, E> {
    let mirrored = space.mirrored_parts();
    let mut total = Tally::default();
    for (number, histogram) in parts {
        let part = &space.parts()[number];
        let both = |times: u64, swapped: u64| match part.side() {
            Side::First => [times, swapped],
            Side::Second => [swapped, times],
        };
        let weigh = |times: u64| both(times, if mirrored[number] { times } else { 0 });
        let symmetries = part.symmetries();
        // What the placements with fewer images lack.
        let mut lacking = Counts::default();
        for range in part.special() {
            let range = part.base() + range.start..part.base() + range.end;
            let look = |lacking: &mut Counts, piece: Range<u64>| {
                for slot in piece {
                    let images = space.images(slot);
                    if images < symmetries
                        && let Some(value) = code(slot)?.value()
                    {
                        lacking.note(value, weigh(symmetries - images));
                    }
                }
                Ok(())
            };
            for found in sweep(range, threads, progress, stop, Counts::default, look)? {
                lacking.merge(&found);
            }
        }
        for (code, slots) in histogram {
            total.slots += slots;
            match code.value() {
                None if code == Code::ILLEGAL => total.illegal += slots,
                None => total.duplicates += slots,
                Some(value) => {
                    total.stored.note(value, both(slots, 0));
                    total.reduced.note(value, both(slots, 0));
                    let [first, second] = weigh(slots * symmetries);
                    let [less_first, less_second] = lacking.of(value);
                    // Counts that do not fit together are a matter for `verify`, not for a panic.
                    let full =
                        [first.saturating_sub(less_first), second.saturating_sub(less_second)];
                    total.full.note(value, full);
                }
            }
        }
    }
    Ok(total)
}

/// Counts each class of positions once that are equal under `smaller`, an index of the same layout
/// with more symmetries, in some slots of a database that has them all. Every class is counted at
/// the one slot where its representative is found, so that nothing need be remembered.
pub fn reduce<E: Send>(
    space: &Space,
    smaller: &Space,
    slots: Range<u64>,
    threads: usize,
    progress: &dyn Progress,
    stop: &StopFlag,
    code: impl Fn(u64) -> Result<Code, E> + Sync,
) -> Result<Counts, E> {
    let count = |counts: &mut Counts, piece: Range<u64>| {
        let mut boards = vec![0; space.kinds()];
        for slot in piece {
            let Some(value) = code(slot)?.value() else { continue };
            let class = space
                .boards(slot, &mut boards)
                .and_then(|side| smaller.index(&boards, side))
                .and_then(|class| smaller.boards(class, &mut boards));
            if let Some(side) = class
                && space.index(&boards, side) == Some(slot)
            {
                let mut one = [0, 0];
                one[side.index()] = 1;
                counts.note(value, one);
            }
        }
        Ok(())
    };
    let mut total = Counts::default();
    for found in sweep(slots, threads, progress, stop, Counts::default, count)? {
        total.merge(&found);
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Silent;
    use zug_core::indexed::{Layout, maps};

    use crate::space::Options;

    /// Every placement of a car and a stone on 3×3, worth as much as the index is large.
    fn space(options: Options) -> Space {
        let layout = Layout::new(9)
            .piece("car", Side::First, 1..=1)
            .piece("car", Side::Second, 1..=1)
            .axes(|_| vec![maps::left_right(3, 3), maps::up_down(3, 3)])
            .mirror(|_| Some((0..9).collect()));
        Space::new(&layout, options).unwrap()
    }

    fn count(space: &Space, code: impl Fn(u64) -> Code + Sync) -> Tally {
        let code = |slot| Ok::<Code, ()>(code(slot));
        tally(space, 0..space.size(), 2, &Silent, &StopFlag::new(), code).unwrap()
    }

    #[test]
    fn the_full_column_of_a_reduced_database_is_that_of_a_full_one() {
        let (reduced, full) = (space(Options::default()), space(Options::full()));
        let mut boards = [0; 2];
        // A value that all images share, and the colour swap with the other side to move.
        let mut value = |space: &Space, slot| {
            let side = space.boards(slot, &mut boards).unwrap();
            let (own, other) = (boards[side.index()], boards[side.other().index()]);
            let rim = |board: u64| u16::from(board & 0b1_0101_0101 != 0);
            match rim(own) + 2 * rim(other) {
                0 => Value::Draw,
                1 => Value::Win(1),
                plies => Value::Loss(plies),
            }
        };
        let mut codes = |space: &Space| -> Vec<Code> {
            (0..space.size())
                .map(|slot| {
                    let mut boards = [0; 2];
                    let side = space.boards(slot, &mut boards).unwrap();
                    if space.index(&boards, side) == Some(slot) {
                        value(space, slot).into()
                    } else {
                        Code::DUPLICATE
                    }
                })
                .collect()
        };
        let (few, all) = (codes(&reduced), codes(&full));
        for (space, codes) in [(&reduced, &few), (&full, &all)] {
            let code = |slot: u64| Ok::<Code, ()>(codes[slot as usize]);
            let parts = space.parts().iter().enumerate().map(|(number, part)| {
                let own = &codes[part.base() as usize..(part.base() + part.size()) as usize];
                let mut counts: Vec<(Code, u64)> = Vec::new();
                for &code in own {
                    match counts.iter_mut().find(|(known, _)| *known == code) {
                        Some((_, slots)) => *slots += 1,
                        None => counts.push((code, 1)),
                    }
                }
                (number, counts)
            });
            let quick = tally_parts(space, parts, 2, &Silent, &StopFlag::new(), code).unwrap();
            assert_eq!(quick, count(space, |slot| codes[slot as usize]));
        }
        let few = count(&reduced, |slot| few[slot as usize]);
        let all = count(&full, |slot| all[slot as usize]);
        assert_eq!(few.full, all.full);
        assert_eq!((&all.full, &few.reduced), (&all.reduced, &few.stored));
        assert_eq!(all.full.used(), [72, 72]);
        assert_eq!(few.reduced.used(), [few.used(), 0]);
        assert!(few.duplicates > 0 && few.slots < all.slots);
        // And from every index with fewer symmetries back to the smallest.
        for (mirror, symmetry) in [(false, false), (true, false), (false, true), (true, true)] {
            let space = space(Options { mirror, symmetry, ..Options::default() });
            let codes = codes(&space);
            let code = |slot: u64| Ok::<Code, ()>(codes[slot as usize]);
            let (all, stop) = (0..space.size(), StopFlag::new());
            let found = reduce(&space, &reduced, all, 2, &Silent, &stop, code).unwrap();
            assert_eq!(found, few.reduced, "mirror {mirror}, symmetry {symmetry}");
        }
    }

    #[test]
    fn rows_come_by_distance_and_losses_before_wins() {
        let mut counts = Counts::default();
        counts.note(Value::Win(3), [1, 0]);
        counts.note(Value::Loss(0), [0, 2]);
        counts.note(Value::Win(0), [4, 4]);
        counts.note(Value::Draw, [5, 6]);
        let rows: Vec<(bool, usize, BySide)> =
            counts.rows().map(|r| (r.won, r.plies, r.counts)).collect();
        assert_eq!(rows, [(false, 0, [0, 2]), (true, 0, [4, 4]), (true, 3, [1, 0])]);
        assert_eq!((counts.all_won(), counts.used()), ([5, 4], [10, 12]));
        assert_eq!((counts.longest(), counts.of(Value::Win(9))), (3, [0, 0]));
    }
}
