//! The weights of all cells at all knots, and how a batch of games changes them.
//!
//! A batch gives every cell the sum `g` of the errors of the positions that show it and the number
//! `h` of its visits, both by the share of the knot. With the running mean `m` of the visits a batch,
//!
//! ```text
//! weight += g / (m · lanes / rate + ridge)
//! ```
//!
//! A cell that every game shows is moved by the mean error divided among the lanes, so that all lanes
//! together move a value by `rate` of its error; more than 2 would overshoot. A rare cell counts its
//! visits one by one, as if it had been seen `ridge` times without error: what is hardly ever seen
//! stays near its beginning, and common and rare cells learn at the speed that their visits allow.
//!
//! Every cell of a knot belongs to one task, which goes through the positions in their order. So the
//! result is the same on any number of threads.

use super::game::Sample;
use crate::patterns::{Indices, PatternModel, PatternSet, Phases, STEPS_PER_DISC};
use rayon::prelude::*;
use std::ops::Range;
use zug_core::rng;
use zug_core::seed::RngExt;

/// The mean of the visits forgets a batch after about this many.
const MEMORY: f32 = 100.0;

/// What is learned, and the state of learning.
pub struct Weights {
    set: PatternSet,
    phases: Phases,
    tables: Vec<Table>,
    /// In discs, knot by knot, cell by cell.
    pub cells: Vec<f32>,
    /// The running mean of the visits a batch, of each cell.
    pub visits: Vec<f32>,
    /// Batches so far.
    pub batches: u64,
}

/// A table: its cells, and the lanes that look into it; none for the table over the numbers of moves.
struct Table {
    cells: Range<usize>,
    lanes: Range<usize>,
}

/// Positions of one disc count, with the lanes of each.
struct Rows {
    knot: usize,
    share: f32,
    indices: Vec<Indices>,
    mobility: Vec<u16>,
    errors: Vec<f32>,
}

impl Weights {
    /// Random weights up to `noise` discs.
    pub fn new(set: PatternSet, phases: Phases, noise: f64, seed: u64) -> Weights {
        let mut rng = rng(seed, u64::MAX);
        let count = set.cells() * phases.len();
        let cells =
            (0..count).map(|_| ((rng.random::<f64>() * 2.0 - 1.0) * noise) as f32).collect();
        let mut first = 0;
        let mut tables: Vec<Table> = Vec::new();
        for (number, (_, cells)) in set.tables().into_iter().enumerate() {
            let lanes = set.images().get(number).copied().unwrap_or(0);
            tables.push(Table { cells, lanes: first..first + lanes });
            first += lanes;
        }
        Weights { set, phases, tables, cells, visits: vec![0.0; count], batches: 0 }
    }

    /// The patterns.
    pub fn set(&self) -> &PatternSet {
        &self.set
    }

    /// The knots.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// How many cells a position shows.
    fn lanes(&self) -> usize {
        self.set.lanes() + usize::from(self.set.has_mobility())
    }

    /// As a model, rounded.
    pub fn model(&self) -> PatternModel {
        let rounded = self.cells.par_iter().map(|w| (w * STEPS_PER_DISC).round() as i16).collect();
        PatternModel::new(self.set.clone(), self.phases.clone(), rounded)
            .expect("a weight for each cell at each knot")
    }

    /// Learns from the games of a batch.
    pub fn learn(&mut self, samples: &[Sample], rate: f64, ridge: f64) {
        self.batches += 1;
        let rows = self.rows(samples);
        let lanes = self.lanes() as f32;
        // Early means are of few batches.
        let forget = 1.0 / (self.batches as f32).min(MEMORY);
        let step = Step { forget, pull: lanes / rate as f32, ridge: ridge as f32 };
        let count = self.set.cells();
        let mut tasks = Vec::new();
        let (mut cells, mut visits) = (self.cells.as_mut_slice(), self.visits.as_mut_slice());
        for knot in 0..self.phases.len() {
            for table in &self.tables {
                let (these, rest) = cells.split_at_mut(table.cells.len());
                let (mean, more) = visits.split_at_mut(table.cells.len());
                (cells, visits) = (rest, more);
                tasks.push((knot, table, these, mean));
            }
        }
        debug_assert_eq!(tasks.iter().map(|t| t.2.len()).sum::<usize>(), count * self.phases.len());
        let set = &self.set;
        tasks.into_par_iter().for_each(|(knot, table, cells, visits)| {
            let mut sums = vec![(0.0, 0.0); cells.len()];
            for rows in &rows {
                let share = rows.share_of(knot);
                if share > 0.0 {
                    rows.sum(set, table, share, &mut sums);
                }
            }
            step.take(&sums, cells, visits);
        });
    }

    /// The positions by disc count, each in its order.
    fn rows(&self, samples: &[Sample]) -> Vec<Rows> {
        let mut by_discs = vec![Vec::new(); 64];
        for sample in samples {
            by_discs[sample.board.discs() as usize & 63].push(*sample);
        }
        // The start itself has no weights: a model looks behind it.
        let by_discs: Vec<_> = by_discs.into_iter().enumerate().skip(5).collect();
        by_discs
            .into_par_iter()
            .filter(|(_, samples)| !samples.is_empty())
            .map(|(discs, samples)| {
                let (knot, share) = self.phases.place(discs as u32);
                let mobility = if self.set.has_mobility() {
                    samples.iter().map(|s| PatternSet::mobility_place(s.board) as u16).collect()
                } else {
                    Vec::new()
                };
                Rows {
                    knot,
                    share,
                    indices: samples.iter().map(|s| self.set.indices(s.board)).collect(),
                    mobility,
                    errors: samples.iter().map(|s| s.error).collect(),
                }
            })
            .collect()
    }
}

impl Rows {
    /// How much of a knot's weights is in the values of these positions.
    fn share_of(&self, knot: usize) -> f32 {
        match knot.checked_sub(self.knot) {
            Some(0) => 1.0 - self.share,
            Some(1) => self.share,
            _ => 0.0,
        }
    }

    /// Adds errors and visits of a table's cells.
    fn sum(&self, set: &PatternSet, table: &Table, share: f32, sums: &mut [(f32, f32)]) {
        let squared = share * share;
        let mut add = |cell: usize, error: f32| {
            let sum = &mut sums[cell];
            sum.0 += share * error;
            sum.1 += squared;
        };
        if table.lanes.is_empty() {
            for (&place, &error) in self.mobility.iter().zip(&self.errors) {
                add(usize::from(place), error);
            }
            return;
        }
        let first = set.starts()[table.lanes.start] as usize;
        let cell_of = &set.cell_of_instances()[first..];
        for (indices, &error) in self.indices.iter().zip(&self.errors) {
            for &index in &indices.0[table.lanes.clone()] {
                add(cell_of[usize::from(index)] as usize - table.cells.start, error);
            }
        }
    }
}

/// How far a batch goes.
struct Step {
    forget: f32,
    pull: f32,
    ridge: f32,
}

impl Step {
    fn take(&self, sums: &[(f32, f32)], cells: &mut [f32], visits: &mut [f32]) {
        for ((&(error, visited), weight), mean) in sums.iter().zip(cells).zip(visits) {
            *mean += self.forget * (visited - *mean);
            if visited > 0.0 {
                *weight += error / (*mean * self.pull + self.ridge);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::opening;
    use super::*;
    use crate::Board;

    fn boards(count: u64) -> Vec<Board> {
        (0..count).map(|n| opening(2 + (n % 40) as u32, &mut rng(11, n))).collect()
    }

    fn weights(list: &[&str]) -> Weights {
        let set = PatternSet::parse(list).unwrap();
        Weights::new(set, Phases::new(&[8, 24, 44]).unwrap(), 0.1, 5)
    }

    #[test]
    fn one_position_changes_its_cells_by_the_formula() {
        let mut weights = weights(&["a1,b1,a2"]);
        let before = weights.cells.clone();
        // 12 discs: three quarters of the knot at 8 and a quarter of that at 24.
        let board = opening(8, &mut rng(2, 0));
        weights.learn(&[Sample { board, error: 4.0 }], 0.5, 20.0);
        let mut shown = Vec::new();
        weights.set.cells_of(board, &mut shown);
        let cells = weights.set.cells();
        for cell in 0..cells {
            let times = shown.iter().filter(|&&c| c as usize == cell).count() as f32;
            for (knot, share) in [(0, 0.75), (1, 0.25), (2, 0.0)] {
                let visits = times * share * share;
                let change = times * share * 4.0 / (visits * 4.0 / 0.5 + 20.0);
                let at = knot * cells + cell;
                assert!((weights.cells[at] - before[at] - change).abs() < 1e-5);
                assert!((weights.visits[at] - visits).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn the_loss_falls_on_a_batch_that_is_repeated() {
        let mut weights = weights(&["edge", "corner3x3", "diagonal8", "row3", "mobility"]);
        let boards = boards(300);
        // Something that tables can know: discs on the edge and the number of moves.
        let target = |b: Board| {
            let edge = 0xFF81_8181_8181_81FF;
            (b.own & edge).count_ones() as f32 - (b.other & edge).count_ones() as f32
                + 0.3 * b.moves().count_ones() as f32
        };
        let mut last = f64::MAX;
        let mut first = None;
        for round in 0..60 {
            let model = weights.model();
            let error =
                |&board: &Board| Sample { board, error: target(board) - model.discs(board) };
            let samples: Vec<Sample> = boards.iter().map(error).collect();
            let loss: f64 = samples.iter().map(|s| f64::from(s.error * s.error)).sum();
            assert!(loss < last * 1.001, "round {round}: {last} then {loss}");
            (first, last) = (first.or(Some(loss)), loss);
            weights.learn(&samples, 0.5, 1.0);
        }
        assert!(last < 0.1 * first.unwrap(), "{first:?} {last}");
    }

    #[test]
    fn what_is_learned_from_a_position_holds_for_its_images_and_any_number_of_threads() {
        let boards = boards(200);
        let samples: Vec<Sample> = boards
            .iter()
            .enumerate()
            .map(|(n, &board)| Sample { board, error: (n % 17) as f32 - 6.0 })
            .collect();
        let after = |threads: usize, samples: &[Sample]| {
            let mut weights = weights(&["edge2x", "corner3x3", "diagonal7", "mobility"]);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| (0..3).for_each(|_| weights.learn(samples, 0.5, 5.0)));
            weights
        };
        let one = after(1, &samples);
        assert_eq!(one.cells, after(3, &samples).cells);
        let model = one.model();
        for board in &boards {
            for symmetry in 1..8 {
                assert_eq!(model.discs(*board), model.discs(board.image(symmetry)));
            }
        }
        let turned: Vec<Sample> = samples
            .iter()
            .enumerate()
            .map(|(n, s)| Sample { board: s.board.image(n % 8), ..*s })
            .collect();
        let turned = after(2, &turned);
        let apart = one.cells.iter().zip(&turned.cells).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-3);
    }
}
