//! What the moves of a stage to lower ones are worth, looked up instead of told.
//!
//! Of all such moves of a cell one fact is enough. If one of them wins, the cell hears of it at the
//! distance of the quickest. If all of them lose, it hears of all at the distance of the slowest:
//! it cannot be lost before. If one of them draws and none wins, they will never matter.

use super::Metric;
use super::table::Table;
use crate::cells::Cells;
use crate::value::Value;
use std::ops::Range;

/// A fact: the cell, counted from the first of the stage, how many messages, and whether from won
/// successors.
pub(crate) type Fact = u64;

/// Facts by level.
#[derive(Default)]
pub(crate) struct Seeds {
    levels: Vec<Vec<Fact>>,
    pub ends: Ends,
}

/// Are there lost cells at even distances or won ones at odd; and the other way round?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends {
    pub losses_even: bool,
    pub wins_even: bool,
}

impl Ends {
    pub fn note(&mut self, won: bool, plies: usize) {
        if won == plies.is_multiple_of(2) {
            self.wins_even = true;
        } else {
            self.losses_even = true;
        }
    }

    pub fn add(&mut self, other: Ends) {
        self.losses_even |= other.losses_even;
        self.wins_even |= other.wins_even;
    }
}

/// Where to look, and what for.
pub(crate) struct Ahead<'a> {
    pub stage: Range<u64>,
    pub runs: Vec<Range<u64>>,
    pub tables: Vec<&'a Table>,
    pub metric: Metric,
}

impl Ahead<'_> {
    /// Looks at the open cells of a range.
    pub fn look<C: Cells>(
        &self,
        range: Range<u64>,
        is_open: impl Fn(u64) -> bool,
        game: &C,
        scratch: &mut C::Scratch,
        note: &mut impl FnMut(usize, Fact),
    ) {
        let mut after = Vec::new();
        for run in &self.runs {
            for cell in run.start.max(range.start)..run.end.min(range.end) {
                if !is_open(cell) {
                    continue;
                }
                after.clear();
                game.ahead(cell, scratch, &mut after);
                if !after.is_empty() {
                    let fact =
                        Seeds::fact(cell - self.stage.start, self.judge(&after), after.len());
                    if let Some((level, fact)) = fact {
                        note(level, fact);
                    }
                }
            }
        }
    }

    /// The best of some successors for the side that moves there: what it is for the opponent.
    fn judge(&self, after: &[u64]) -> Option<Value> {
        // The worst for the opponent is the best for the mover; a draw stops every loss.
        let worst = after.iter().filter_map(|&q| self.value(q)).min()?;
        Some(match (self.metric, worst) {
            (Metric::Mate, worst) => worst,
            (Metric::Conversion, Value::Loss(_)) => Value::Loss(0),
            (Metric::Conversion, Value::Draw) => Value::Draw,
            (Metric::Conversion, Value::Win(_)) => Value::Win(0),
        })
    }

    fn value(&self, slot: u64) -> Option<Value> {
        let table = self.tables.iter().find(|t| t.range().contains(&slot))?;
        table.code(slot).value()
    }
}

impl Seeds {
    /// What is to be said of a cell, and on which level, if anything.
    fn fact(cell: u64, value: Option<Value>, moves: usize) -> Option<(usize, Fact)> {
        let (plies, won) = match value? {
            Value::Draw => return None,
            Value::Loss(plies) => (plies, false),
            Value::Win(plies) => (plies, true),
        };
        let messages = if won { moves as u64 } else { 1 };
        Some((usize::from(plies), cell << 16 | messages << 1 | u64::from(won)))
    }

    pub fn push(&mut self, level: usize, fact: Fact) {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        self.ends.note(fact & 1 == 1, level);
        self.levels[level].push(fact);
    }

    pub fn add(&mut self, other: Seeds) {
        if self.levels.len() < other.levels.len() {
            self.levels.resize_with(other.levels.len(), Vec::new);
        }
        for (mine, mut theirs) in self.levels.iter_mut().zip(other.levels) {
            mine.append(&mut theirs);
        }
        self.ends.add(other.ends);
    }

    /// The number of levels on which there is something to tell.
    pub fn levels(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The facts of a level.
    pub fn at(&self, level: u32) -> &[Fact] {
        self.levels.get(level as usize).map_or(&[], Vec::as_slice)
    }

    /// Cell, messages and won of a fact.
    pub fn read(fact: Fact) -> (u64, usize, bool) {
        (fact >> 16, (fact >> 1 & 0x7FFF) as usize, fact & 1 == 1)
    }

    pub fn bytes(&self) -> u64 {
        self.levels.iter().map(|l| l.capacity() as u64 * 8).sum()
    }
}
