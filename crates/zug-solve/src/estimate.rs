//! How large would a database be, and how long would it take to build, before anything is built?
//!
//! [`Outline`] is exact: it comes from the index alone, and so also tells how good the index is
//! (§4.9 of the thesis). [`Pace`] is measured on cells drawn at random, in processor time and with
//! the cells that the solver would use, and [`Estimate`] multiplies the two: right within a factor
//! of two or so, the disk within one of three. What can be solved in that time is solved, in memory,
//! so the estimate of a small database is a measurement. Writing the files is not part of the time.

use crate::cells::{Cells, Content};
use crate::solve::{
    Settings, SolveError, Table, bytes_in_memory, feeding, seconds_to_deliver, solve_stage,
};
use crate::space::Space;
use std::ops::Range;
use std::time::Duration;
use zug_core::indexed::{Layout, Place};
use zug_core::seed::RngExt;
use zug_core::usage::thread_seconds;
use zug_core::{Rng, Side, Silent, StopFlag, rng};

/// A sub-database in outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlinePart {
    /// How many pieces of each kind, in words: "car 3, car 2".
    pub pieces: String,
    /// The side to move.
    pub side: Side,
    /// Its slots.
    pub slots: u64,
    /// Does it also stand for its colour swap?
    pub mirrored: bool,
    /// How many pieces are in reserve, by kind, if the game has any.
    pub reserve: Vec<u32>,
    /// How many pieces there are on each side.
    pub men: [u32; 2],
}

/// A stage in outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineStage {
    /// Its name.
    pub name: String,
    /// Its rank.
    pub rank: u32,
    /// Its slots.
    pub slots: u64,
    /// Its parts.
    pub parts: Vec<OutlinePart>,
    /// Slots of the lower stages that it is built from.
    pub source_slots: u64,
    /// Its place in [`Space::stages`].
    pub number: usize,
}

/// An index in outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// All slots.
    pub slots: u64,
    /// The stages in the order in which they are built.
    pub stages: Vec<OutlineStage>,
}

impl Outline {
    /// The outline of an index.
    #[must_use]
    pub fn new(layout: &Layout, space: &Space) -> Outline {
        let mirrored = space.mirrored_parts();
        let kinds = layout.kinds();
        let part = |number: usize| {
            let part = &space.parts()[number];
            let own = |side: Side| {
                let counts = kinds.iter().zip(part.counts());
                counts.filter(|(kind, _)| kind.owner == Some(side)).map(|(_, n)| n).sum()
            };
            let present = kinds.iter().zip(part.counts()).filter(|(_, n)| **n > 0);
            let pieces: Vec<String> = present.map(|(k, n)| format!("{} {n}", k.name)).collect();
            let reserve = kinds.iter().zip(part.counts());
            OutlinePart {
                pieces: pieces.join(", "),
                side: part.side(),
                slots: part.size(),
                mirrored: mirrored[number],
                reserve: reserve
                    .filter(|(k, _)| k.place == Place::Reserve)
                    .map(|(_, n)| *n)
                    .collect(),
                men: Side::BOTH.map(own),
            }
        };
        let slots = |stage: &crate::StageParts| stage.slots.end - stage.slots.start;
        let stages = space.stages().iter().enumerate().map(|(number, stage)| OutlineStage {
            name: stage.stage.name.clone(),
            rank: stage.stage.rank,
            slots: slots(stage),
            parts: stage.parts.clone().map(part).collect(),
            source_slots: feeding(layout, space, number)
                .into_iter()
                .map(|source| slots(&space.stages()[source]))
                .sum(),
            number,
        });
        Outline { slots: space.size(), stages: stages.collect() }
    }

    /// The largest stage.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.stages.iter().map(|stage| stage.slots).max().unwrap_or(0)
    }
}

/// What solving costs, measured on cells drawn at random, for a run of stages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Cells that were tried.
    pub tried: u64,
    /// The share of slots that hold a position of their own.
    pub fill: f64,
    /// Moves of an open position, on average.
    pub moves: f64,
    /// Processor seconds to look at a slot, on average.
    pub look: f64,
    /// Processor seconds for the moves of a slot, forwards and backwards, and for the messages that
    /// pass along them, on average over all slots; the moves from lower stages are among them.
    pub walk: f64,
    /// Slots of the lowest stages that were solved for a try, and the processor seconds that it took.
    pub solved: (u64, f64),
}

/// Neighbours that are tried together: clocks cost time, too.
const RUN: u64 = 512;
/// Runs that are tried however long it takes.
const FEWEST: u64 = 16;
/// The share of positions that get a value and tell it to their predecessors. It is not known before
/// anything is solved; where nearly all or hardly any are decided, the estimate is wrong by a
/// factor of less than two.
const DECIDED: f64 = 0.6;
/// Processor seconds to look up a value at a random place of a large table.
const LOOK_UP: f64 = 30e-9;

/// What was counted and clocked.
#[derive(Default)]
struct Trial {
    tried: u64,
    used: u64,
    open: u64,
    moves: u64,
    look: f64,
    walk: f64,
    /// Processor seconds for a message: to put it into a box, and to take it out.
    message: f64,
}

impl Pace {
    /// Tries cells of these stages, drawn at random, for about this long. Each stage comes with the
    /// lower ones that it is built from.
    pub fn measure<C: Cells>(
        cells: &C,
        stages: &[(Range<u64>, Vec<Range<u64>>)],
        time: Duration,
    ) -> Pace {
        let (mut rng, mut scratch) = (rng(1, 41), cells.scratch());
        let message = 2.0 * seconds_to_deliver(cells, &mut scratch);
        let mut trial = Trial { message, ..Trial::default() };
        // Where each stage ends if all are put in a row.
        let mut all = 0;
        let ends: Vec<u64> = stages
            .iter()
            .map(|(slots, _)| {
                all += slots.end - slots.start;
                all
            })
            .collect();
        let begun = thread_seconds();
        let mut runs = 0;
        while all > 0 && (runs < FEWEST || thread_seconds() - begun < time.as_secs_f64()) {
            let (stage, sources) =
                &stages[ends.partition_point(|&end| end <= rng.random_range(0..all))];
            trial.run(cells, stage, &mut rng, &mut scratch);
            for source in sources {
                trial.source(cells, stage, source, &mut rng, &mut scratch);
            }
            runs += 1;
        }
        let each = |total: f64, of: u64| total / of.max(1) as f64;
        Pace {
            tried: trial.tried,
            fill: each(trial.used as f64, trial.tried),
            moves: each(trial.moves as f64, trial.open),
            look: each(trial.look, trial.tried),
            walk: each(trial.walk, trial.tried),
            solved: (0, 0.0),
        }
    }

    /// Solves the lowest stages in memory, as far as that should take no longer than this: how many
    /// positions are decided, and how far away, cannot be seen in any other way.
    pub fn solve_some<C: Cells>(
        &mut self,
        cells: &C,
        layout: &Layout,
        space: &Space,
        time: Duration,
    ) -> Result<(), SolveError> {
        let mut tables: Vec<Table> = Vec::new();
        for (number, stage) in space.stages().iter().enumerate() {
            let slots = stage.slots.end - stage.slots.start;
            let expected = slots as f64 * (self.look + self.walk);
            if self.solved.1 + expected > time.as_secs_f64() {
                break;
            }
            let sources = feeding(layout, space, number);
            let sources: Vec<&Table> = sources.into_iter().map(|s| &tables[s]).collect();
            let (range, settings) = (stage.slots.clone(), Settings::default());
            let found = solve_stage(cells, range, &sources, &settings, &Silent, &StopFlag::new())?;
            self.solved = (self.solved.0 + slots, self.solved.1 + found.figures.cpu_seconds);
            tables.push(found.table);
        }
        Ok(())
    }
}

/// A run of neighbours, as a survey meets them.
fn neighbours(range: &Range<u64>, rng: &mut Rng) -> Range<u64> {
    let start = rng.random_range(range.clone());
    start..range.end.min(start + RUN)
}

impl Trial {
    /// A run of cells of a stage: what the solver does with them.
    fn run<C: Cells>(
        &mut self,
        cells: &C,
        stage: &Range<u64>,
        rng: &mut Rng,
        scratch: &mut C::Scratch,
    ) {
        let run = neighbours(stage, rng);
        let mut contents = Vec::with_capacity(RUN as usize);
        let clock = thread_seconds();
        cells.survey(run.clone(), scratch, &mut |cell, content| contents.push((cell, content)));
        let mut after = Vec::new();
        for ahead in cells.ahead_within(stage) {
            for cell in ahead.start.max(run.start)..ahead.end.min(run.end) {
                cells.ahead(cell, scratch, &mut after);
            }
        }
        self.look += thread_seconds() - clock + after.len() as f64 * LOOK_UP;
        let used = |content: &Content| !matches!(content, Content::Illegal | Content::Duplicate);
        contents.retain(|(_, content)| used(content));
        self.tried += run.end - run.start;
        self.used += contents.len() as u64;
        let clock = thread_seconds();
        let mut out = Vec::new();
        for &(cell, _) in &contents {
            cells.predecessors(cell, stage, scratch, &mut out);
        }
        self.walk += DECIDED * (thread_seconds() - clock + out.len() as f64 * self.message);
        contents.retain(|(_, content)| *content == Content::Open);
        self.open += contents.len() as u64;
        let clock = thread_seconds();
        for &(cell, _) in &contents {
            self.moves += u64::from(cells.count_successors(cell, scratch));
        }
        self.walk += DECIDED * (thread_seconds() - clock);
    }

    /// A run of cells of a lower stage, which tell their values to this one.
    fn source<C: Cells>(
        &mut self,
        cells: &C,
        stage: &Range<u64>,
        source: &Range<u64>,
        rng: &mut Rng,
        scratch: &mut C::Scratch,
    ) {
        if source.is_empty() || cells.only_ahead(stage, source) {
            return;
        }
        let run = neighbours(source, rng);
        let mut told = Vec::new();
        let mut used = Vec::with_capacity(RUN as usize);
        cells.survey(run.clone(), scratch, &mut |cell, content| {
            if !matches!(content, Content::Illegal | Content::Duplicate) {
                used.push(cell);
            }
        });
        let clock = thread_seconds();
        for &cell in &used {
            cells.told(cell, stage, scratch, &mut told);
        }
        let clocked = thread_seconds() - clock + told.len() as f64 * self.message;
        // So many slots of the source come to as many of the stage as were tried.
        let weight = (source.end - source.start) as f64 / (stage.end - stage.start) as f64;
        let tried = RUN.min(stage.end - stage.start) as f64 / (run.end - run.start) as f64;
        self.walk += DECIDED * clocked * weight * tried;
    }
}

/// Bytes a used slot of a lower stage that is replayed: its place in the order of distances.
const REPLAYED_BYTES: f64 = 4.0;
/// Bytes a used slot in the files. Measured: 0.06 to 0.2 for chess endings of four men and more, 0.3
/// for KR-K and Dodgem 4×4, 0.6 for Connect Four 4×4.
const STORED_BYTES: f64 = 0.2;

/// What a build would take. Estimated; see the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Bytes of memory when most are in use.
    pub memory: u64,
    /// Bytes of all files.
    pub disk: u64,
    /// Processor seconds.
    pub cpu_seconds: f64,
    /// Seconds by the clock on the wall, with so many threads on a machine that has nothing else to
    /// do.
    pub seconds: f64,
}

impl Estimate {
    /// From an outline and a pace.
    #[must_use]
    pub fn new(outline: &Outline, pace: &Pace, threads: usize) -> Estimate {
        let used = pace.fill;
        let memory = outline.stages.iter().map(|stage| {
            let own = bytes_in_memory(stage.slots) as f64;
            own + stage.source_slots as f64 * (1.0 + REPLAYED_BYTES * used)
        });
        let (slots, seconds) = pace.solved;
        let rest = outline.slots.saturating_sub(slots) as f64;
        let cpu_seconds = seconds + rest * (pace.look + pace.walk);
        Estimate {
            memory: memory.fold(0.0, f64::max) as u64,
            disk: (outline.slots as f64 * used * STORED_BYTES) as u64,
            cpu_seconds,
            seconds: cpu_seconds / threads.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use crate::space::Options;
    use std::ops::Range;
    use zug_core::indexed::maps;

    fn dodgem() -> Layout {
        Layout::new(16)
            .piece("car", Side::First, 0..=3)
            .piece("car", Side::Second, 0..=3)
            .admit(|counts, _| counts[0] + counts[1] > 0)
            .mirror(|_| Some(maps::rising_diagonal(4)))
            .stages(|counts| (counts[0] + counts[1], format!("{}", counts[0] + counts[1])))
            .feeds(|from, to| from[0] + from[1] == to[0] + to[1] + 1)
    }

    #[test]
    fn an_outline_adds_up_and_knows_what_each_stage_is_built_from() {
        let layout = dodgem();
        let space = Space::new(&layout, Options::default()).unwrap();
        let outline = Outline::new(&layout, &space);
        assert_eq!((outline.slots, outline.stages.len()), (277_992, 6));
        for (i, stage) in outline.stages.iter().enumerate() {
            assert_eq!(stage.slots, stage.parts.iter().map(|part| part.slots).sum::<u64>());
            assert_eq!(stage.number, i);
            let below = i.checked_sub(1).map_or(0, |lower| outline.stages[lower].slots);
            assert_eq!(stage.source_slots, below);
        }
        assert!(outline.stages.iter().flat_map(|s| &s.parts).all(|part| part.mirrored));
        assert_eq!(outline.largest(), 560 * 286);
    }

    /// Every second cell is illegal; the others lead to the first.
    struct Star;

    impl Cells for Star {
        type Scratch = ();
        fn scratch(&self) {}
        fn size(&self) -> u64 {
            1000
        }
        fn content(&self, cell: u64, (): &mut ()) -> Content {
            match cell {
                0 => Content::Ended(Value::Loss(0)),
                cell if cell % 2 == 1 => Content::Illegal,
                _ => Content::Open,
            }
        }
        fn successors(&self, _: u64, (): &mut (), out: &mut Vec<u64>) {
            out.push(0);
        }
        fn predecessors(&self, _: u64, _: &Range<u64>, (): &mut (), _: &mut Vec<u64>) {}
    }

    #[test]
    fn a_try_finds_the_fill_and_the_moves_and_an_estimate_grows_with_the_slots() {
        let stages = [(0..200, Vec::new()), (200..1000, vec![0..100, 100..200])];
        let pace = Pace::measure(&Star, &stages, Duration::from_millis(5));
        assert!((pace.fill - 0.5).abs() < 0.05, "{pace:?}");
        assert!((pace.moves - 1.0).abs() < 1e-9, "{pace:?}");
        let layout = dodgem();
        let small = Outline::new(&layout, &Space::new(&layout, Options::default()).unwrap());
        let large = Outline::new(&layout, &Space::new(&layout, Options::full()).unwrap());
        let (small, large) = (Estimate::new(&small, &pace, 1), Estimate::new(&large, &pace, 2));
        assert!(small.memory < large.memory && small.disk < large.disk);
        assert!((small.cpu_seconds - large.seconds).abs() < 1e-9, "{small:?} {large:?}");
    }
}
