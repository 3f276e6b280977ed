//! Solved cells of lower stages, in the order of their distance, to be replayed level by level.

use super::seeds::Ahead;
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
    /// Are there lost cells at even distances, or won ones at odd; and the other way round?
    pub losses_even: bool,
    pub wins_even: bool,
}

/// Shares out solved stages: those to be replayed, and those to be looked up.
pub(crate) fn share<'a, C: Cells>(
    game: &C,
    stage: &Range<u64>,
    tables: &[&'a Table],
    metric: Metric,
) -> Result<(Vec<Source>, Ahead<'a>), SolveError> {
    let runs = game.ahead_within(stage);
    let (mut sources, mut ahead) = (Vec::new(), Vec::new());
    for table in tables {
        if !runs.is_empty() {
            ahead.push(*table);
        }
        if runs.is_empty() || !game.only_ahead(stage, &table.range()) {
            let cells = table.range().end - table.range().start;
            if cells > MOST_CELLS {
                return Err(SolveError::Memory(cells));
            }
            sources.push(Source::new(table, metric));
        }
    }
    Ok((sources, Ahead { stage: stage.clone(), runs, tables: ahead, metric }))
}

/// Tables with more cells cannot be replayed.
const MOST_CELLS: u64 = 1 << 31;

impl Source {
    pub fn new(table: &Table, metric: Metric) -> Source {
        let level = |value: Value| match (metric, value.plies()) {
            (_, None) => None,
            (Metric::Conversion, Some(_)) => Some(0),
            (Metric::Mate, Some(plies)) => Some(usize::from(plies)),
        };
        let mut source = Source {
            first: table.range().start,
            cells: Vec::new(),
            begins: vec![0],
            losses_even: false,
            wins_even: false,
        };
        let mut counts: Vec<usize> = Vec::new();
        for slot in table.range() {
            let Some(value) = table.code(slot).value() else { continue };
            let Some(plies) = level(value) else { continue };
            if counts.len() <= plies {
                counts.resize(plies + 1, 0);
            }
            counts[plies] += 1;
            if matches!(value, Value::Win(_)) == (plies % 2 == 0) {
                source.wins_even = true;
            } else {
                source.losses_even = true;
            }
        }
        for count in &counts {
            source.begins.push(source.begins[source.begins.len() - 1] + count);
        }
        let mut next = source.begins.clone();
        source.cells = vec![0; source.begins[counts.len()]];
        for slot in table.range() {
            let Some(value) = table.code(slot).value() else { continue };
            let Some(plies) = level(value) else { continue };
            let won = matches!(value, Value::Win(_));
            source.cells[next[plies]] = ((slot - source.first) as u32) << 1 | u32::from(won);
            next[plies] += 1;
        }
        source
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
