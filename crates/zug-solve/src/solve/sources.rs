//! Solved cells of lower stages, in the order of their distance, to be replayed level by level.

use super::seeds::{Ahead, Ends};
use super::table::Table;
use super::{Metric, SolveError};
use crate::cells::Cells;
use crate::value::Value;
use std::ops::Range;

/// The cells of one lower stage that have a value, by distance.
pub(crate) struct Source {
    first: u64,
    /// Offset from `first`, and in the lowest bit: won.
    cells: Vec<u32>,
    /// Where each distance begins in `cells`; one more than there are distances.
    begins: Vec<usize>,
    pub ends: Ends,
}

/// Shares out solved stages: those to be replayed, and those to be looked up.
pub(crate) fn share<'a, C: Cells>(
    game: &C,
    stage: &Range<u64>,
    tables: &[&'a Table],
    metric: Metric,
) -> (Vec<&'a Table>, Ahead<'a>) {
    let runs = game.ahead_within(stage);
    let told = |table: &&&Table| runs.is_empty() || !game.only_ahead(stage, &table.range());
    let replayed = tables.iter().filter(told).copied().collect();
    let tables = if runs.is_empty() { Vec::new() } else { tables.to_vec() };
    (replayed, Ahead { stage: stage.clone(), runs, tables, metric })
}

/// The level on which a cell of a lower stage speaks, and whether it is won.
pub(crate) fn level(value: Option<Value>, metric: Metric) -> Option<(usize, bool)> {
    let value = value?;
    let plies = match metric {
        Metric::Conversion => value.plies().map(|_| 0),
        Metric::Mate => value.plies().map(usize::from),
    };
    plies.map(|plies| (plies, matches!(value, Value::Win(_))))
}

/// Tables with more cells cannot be replayed.
const MOST_CELLS: u64 = 1 << 31;

impl Source {
    pub fn new(table: &Table, metric: Metric) -> Result<Source, SolveError> {
        let range = table.range();
        if range.end - range.start > MOST_CELLS {
            return Err(SolveError::Memory(range.end - range.start));
        }
        let (first, ends) = (range.start, Ends::default());
        let mut source = Source { first, cells: Vec::new(), begins: vec![0], ends };
        let mut counts: Vec<usize> = Vec::new();
        let spoken = |slot: u64| level(table.code(slot).value(), metric);
        for (plies, won) in range.clone().filter_map(spoken) {
            if counts.len() <= plies {
                counts.resize(plies + 1, 0);
            }
            counts[plies] += 1;
            source.ends.note(won, plies);
        }
        for count in &counts {
            source.begins.push(source.begins[source.begins.len() - 1] + count);
        }
        let mut next = source.begins.clone();
        source.cells = vec![0; source.begins[counts.len()]];
        for slot in range {
            let Some((plies, won)) = spoken(slot) else { continue };
            source.cells[next[plies]] = ((slot - first) as u32) << 1 | u32::from(won);
            next[plies] += 1;
        }
        Ok(source)
    }

    /// The number of levels on which there is something to tell.
    pub fn levels(&self) -> u32 {
        self.begins.len() as u32 - 1
    }

    /// The cells of a level.
    pub fn at(&self, level: u32) -> &[u32] {
        let level = level as usize;
        match self.begins.get(level + 1) {
            Some(&end) => &self.cells[self.begins[level]..end],
            None => &[],
        }
    }

    /// Slot and won of an entry of [`at`](Source::at).
    pub fn read(&self, entry: u32) -> (u64, bool) {
        (self.first + u64::from(entry >> 1), entry & 1 == 1)
    }

    pub fn bytes(&self) -> u64 {
        self.cells.len() as u64 * 4
    }
}
