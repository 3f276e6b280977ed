//! Retrograde analysis: the value of every position, from the ends of the game backwards.
//!
//! The counter algorithm of Bahnsen's thesis (§3.3), turned from scanning a file into passing
//! messages. A cell that gets its value at distance *n* tells its predecessors; a cell is
//!
//! * *won* in n + 1 when one of its successors is lost in n (and it has no value yet),
//! * *lost* in n + 1 when the last of its successors turns out to be won for the opponent; a
//!   counter of the others stands in the cell itself.
//!
//! ```text
//!   frontier(n) ──predecessors──▶ messages, sorted by region ──apply──▶ cells, frontier(n+1)
//! ```
//!
//! Cells are cut into *regions* that fit a processor's cache. Working on a level has two phases:
//! threads walk the frontier and drop each message into the box of the region it concerns; then
//! threads take regions and empty their boxes. A region has one owner at a time, so there are no
//! atomics and no races, memory is met in order and not at random, and the result does not depend
//! on the number of threads. Nothing walks over all cells after the first survey.
//!
//! Stages are solved in order of rank. What a lower stage found is replayed: at level *n* its cells
//! at distance *n* tell their predecessors in the stage at hand, just as if all were solved
//! together.
//!
//! One byte a cell, and two bits for the frontier; when distances and counters no longer fit into
//! one byte, cells become two bytes wide and the work goes on.

mod disk;
mod engine;
mod levels;
mod region;
mod seeds;
mod sources;
mod table;
#[cfg(test)]
mod tests;
mod words;

use crate::cells::Cells;
use crate::space::Space;
use std::ops::Range;
use zug_core::indexed::Layout;
use zug_core::{Progress, StopFlag};

pub use disk::{DiskPlan, solve_stage_on_disk};
pub(crate) use region::seconds_to_deliver;
pub use table::Table;

/// What is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Plies to the end of the game.
    #[default]
    Mate,
    /// Plies until the game ends or enters a stage of lower rank (a capture, a promotion).
    Conversion,
}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Threads.
    pub threads: usize,
    /// What distances mean.
    pub metric: Metric,
    /// Cells in a region, as a power of two; `None` chooses.
    pub region_bits: Option<u32>,
    /// Bytes of memory for messages, for all threads together; `None` takes what is quickest.
    pub mail: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { threads: 1, metric: Metric::Mate, region_bits: None, mail: None }
    }
}

/// What solving a stage took and gave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Cells of the stage.
    pub cells: u64,
    /// Cells without a position.
    pub illegal: u64,
    /// Cells whose position is that of a lower cell.
    pub duplicates: u64,
    /// The longest distance.
    pub longest: u16,
    /// Messages passed.
    pub messages: u64,
    /// Bytes of cells, frontier, messages and replayed stages when most were in use.
    pub peak_bytes: u64,
    /// Bytes in files when most were in use; 0 for work in memory.
    pub disk_bytes: u64,
    /// Bytes a cell in the end: 1 or 2.
    pub width: u8,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Processor seconds of the whole program meanwhile.
    pub cpu_seconds: f64,
}

/// A solved stage.
#[derive(Debug)]
pub struct Solved {
    /// The values.
    pub table: Table,
    /// What it took.
    pub figures: Figures,
}

/// Why a stage was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// Somebody set the stop flag.
    #[error("stopped before the stage was solved")]
    Stopped,
    /// Moves forwards and backwards contradict each other.
    #[error("the rules contradict themselves at slot {slot}: {what}")]
    Inconsistent {
        /// The cell at which it showed.
        slot: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// Distances beyond what a value can hold.
    #[error("a win takes more than {0} plies")]
    TooLong(u16),
    /// Not enough memory.
    #[error("no memory for {0} cells")]
    Memory(u64),
    /// A working file could not be read or written.
    #[error("{file}: {what}")]
    File {
        /// The file.
        file: String,
        /// What the system said.
        what: String,
    },
}

impl SolveError {
    fn miscounted(slot: u64) -> SolveError {
        SolveError::Inconsistent { slot, what: "more successors report than there are" }
    }
}

/// Bytes of memory that [`solve_stage`] wants for so many cells of one byte, without what is
/// replayed.
#[must_use]
pub fn bytes_in_memory(cells: u64) -> u64 {
    cells + cells / 4 + cells / 4 + (1 << 20)
}

/// Solves the cells of one stage. `sources` are the solved stages from which a move leads here
/// backwards; see [`feeding`].
pub fn solve_stage<C: Cells>(
    cells: &C,
    stage: Range<u64>,
    sources: &[&Table],
    settings: &Settings,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Solved, SolveError> {
    engine::solve(cells, stage, sources, settings, progress, stop)
}

/// Solves all stages of a space in memory, lowest first.
pub fn solve_all<C: Cells>(
    cells: &C,
    layout: &Layout,
    space: &Space,
    settings: &Settings,
) -> Result<Vec<Solved>, SolveError> {
    let mut solved: Vec<Solved> = Vec::new();
    for (number, stage) in space.stages().iter().enumerate() {
        let sources: Vec<&Table> =
            feeding(layout, space, number).into_iter().map(|s| &solved[s].table).collect();
        let stop = StopFlag::new();
        let found =
            solve_stage(cells, stage.slots.clone(), &sources, settings, &zug_core::Silent, &stop)?;
        solved.push(found);
    }
    Ok(solved)
}

/// The lower stages to which a move from this stage can lead.
#[must_use]
pub fn feeding(layout: &Layout, space: &Space, stage: usize) -> Vec<usize> {
    let stages = space.stages();
    let counts = |s: usize| {
        let parts = &space.parts()[stages[s].parts.clone()];
        let swap = |counts: &[u32]| -> Vec<u32> {
            (0..counts.len()).map(|k| counts[layout.partner(k)]).collect()
        };
        // A part may be seen through the colour swap, so both ways count.
        let both = |part: &crate::Part| [part.counts().to_vec(), swap(part.counts())];
        parts.iter().flat_map(both).collect::<Vec<Vec<u32>>>()
    };
    let here = counts(stage);
    let leads = |lower: &usize| {
        counts(*lower).iter().any(|to| here.iter().any(|from| layout.may_lead(from, to)))
    };
    (0..stage).filter(leads).collect()
}
