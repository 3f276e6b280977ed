//! Passes over all rows: losses, gradients, curvature along a direction.
//!
//! Weights and gradients are vectors with the knots of a cell side by side. A pass cuts the chunks
//! into *segments* of one place. For each segment the weights are drawn for its place into one table
//! with a number a cell; rows look cells up there and add to a second such table of sums; at the end
//! the sums of all segments are spread over the knots, always in the same order. So a row costs one
//! look and one addition a cell whatever the number of knots, the tables at work fit into the cache
//! of a core, no two threads write to the same place, and the result does not depend on the number
//! of threads. Sums are kept in 64 bits: those of a common cell have millions of terms.
//!
//! Nearly all of the time goes into looks at random places of these tables: a row of 65 cells out of
//! 145 000 takes 65 ns to sum up and 95 ns to add to.

use super::{Loss, Place, Rows, TableError, TableExamples};
use rayon::prelude::*;
use std::ops::Range;
use zug_core::StopFlag;

/// Rows of a segment, unless there are so many that the sums would take too much memory.
const SEGMENT_ROWS: u64 = 1 << 17;
/// Numbers in the sums of all segments (512 MiB), unless there are too many places.
const MOST_SUMS: u64 = 1 << 26;
/// Cells whose knots are summed by a task.
const CELL_BLOCK: usize = 1024;

/// The most rows that a segment may have.
fn most_rows(rows: u64, cells: usize) -> u64 {
    let most_segments = (MOST_SUMS / cells.max(1) as u64).max(1);
    SEGMENT_ROWS.max(rows.div_ceil(most_segments))
}

/// How many sums of eight bytes the passes over so many rows keep at most: each place has a segment
/// of its own, and one more for every full one.
#[must_use]
pub fn most_sums(rows: u64, cells: usize, places: u64) -> u64 {
    (places + rows / most_rows(rows, cells)).saturating_mul(cells as u64)
}

struct Segment {
    place: Place,
    chunks: Range<usize>,
}

/// A set of examples, divided for passes.
pub struct Passes<'a> {
    data: &'a dyn TableExamples,
    segments: Vec<Segment>,
    /// The sums of each segment; empty until first needed.
    sums: Vec<Vec<f64>>,
}

/// What one pass found besides sums.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// The loss of all rows.
    pub loss: f64,
    /// The weight of all rows.
    pub weight: f64,
}

impl<'a> Passes<'a> {
    /// Divides the examples.
    pub fn new(data: &'a dyn TableExamples) -> Result<Passes<'a>, TableError> {
        let wrong = |chunk, what: String| Err(TableError::Chunk { chunk, what });
        let rows: u64 = (0..data.chunks()).map(|c| data.rows(c) as u64).sum();
        let most_rows = most_rows(rows, data.cells());
        let mut segments: Vec<Segment> = Vec::new();
        let mut filled = 0;
        for chunk in 0..data.chunks() {
            let place = data.place(chunk);
            let last = place.knot + 1 >= data.knots();
            if place.knot >= data.knots() {
                return wrong(chunk, format!("knot {} of {}", place.knot, data.knots()));
            }
            if !(0.0..1.0).contains(&place.share) || last && place.share != 0.0 {
                return wrong(
                    chunk,
                    format!("knot {} with a share of {}", place.knot, place.share),
                );
            }
            let rows = data.rows(chunk) as u64;
            match segments.last_mut().filter(|s| s.place == place && filled + rows <= most_rows) {
                Some(segment) => segment.chunks.end = chunk + 1,
                None => {
                    segments.push(Segment { place, chunks: chunk..chunk + 1 });
                    filled = 0;
                }
            }
            filled += rows;
        }
        Ok(Passes { data, segments, sums: Vec::new() })
    }

    /// Gives back the memory of the sums.
    pub fn forget(&mut self) {
        self.sums = Vec::new();
    }

    /// Weights: knots of all cells.
    pub fn weights(&self) -> usize {
        self.data.cells() * self.data.knots()
    }

    /// Does `work` for all segments, each with its own sums, set to 0.
    fn scatter(
        &mut self,
        stop: &StopFlag,
        work: impl Fn(&Segment, &mut [f64]) -> Result<Total, TableError> + Sync,
    ) -> Result<Total, TableError> {
        let cells = self.data.cells();
        self.sums.resize(self.segments.len(), Vec::new());
        let results: Vec<_> = self
            .segments
            .par_iter()
            .zip(self.sums.par_iter_mut())
            .with_max_len(1)
            .map(|(segment, sums)| {
                if stop.is_set() {
                    return Err(TableError::Stopped);
                }
                sums.clear();
                sums.resize(cells, 0.0);
                work(segment, sums)
            })
            .collect();
        total(results)
    }

    /// Spreads the sums over the knots: `factors` gives for a share what its knot and the next get.
    fn spread(&self, factors: impl Fn(f64) -> (f64, f64) + Sync) -> Vec<f64> {
        let knots = self.data.knots();
        let mut out = vec![0.0; self.weights()];
        out.par_chunks_mut(CELL_BLOCK * knots).enumerate().for_each(|(block, out)| {
            let first = block * CELL_BLOCK;
            for (segment, sums) in self.segments.iter().zip(&self.sums) {
                let (here, next) = factors(segment.place.share);
                let knot = segment.place.knot;
                let cells = out.chunks_exact_mut(knots).zip(&sums[first..]);
                if next == 0.0 {
                    cells.for_each(|(out, sum)| out[knot] += here * sum);
                } else {
                    cells.for_each(|(out, sum)| {
                        out[knot] += here * sum;
                        out[knot + 1] += next * sum;
                    });
                }
            }
        });
        out
    }

    /// Looks at every row once: are the numbers sound? Tells the weight of all rows, and how much
    /// weight each cell has at each knot.
    pub fn check(&mut self, loss: Loss, stop: &StopFlag) -> Result<(Total, Vec<f64>), TableError> {
        let data = self.data;
        let (cells, width) = (data.cells(), data.width());
        let total = self.scatter(stop, |segment, sums| {
            let mut total = Total::default();
            for chunk in segment.chunks.clone() {
                let (mut row, mut wrong) = (0, None);
                visit(data, chunk..chunk + 1, |rows| {
                    if rows.cells.len() != width * rows.targets.len()
                        || rows.weights.len() != rows.targets.len()
                    {
                        let what = format!(
                            "{} cells, {} targets and {} weights in rows of {width} cells",
                            rows.cells.len(),
                            rows.targets.len(),
                            rows.weights.len()
                        );
                        wrong.get_or_insert((row, what));
                        return;
                    }
                    for (i, list) in rows.cells.chunks_exact(width.max(1)).enumerate() {
                        let (target, weight) = (rows.targets[i], rows.weights[i]);
                        if let Some(what) = fault(loss, list, target, weight, cells) {
                            wrong.get_or_insert((row, what));
                            return;
                        }
                        for &cell in list {
                            sums[cell as usize] += f64::from(weight);
                        }
                        total.weight += f64::from(weight);
                        row += 1;
                    }
                })?;
                if let Some((row, what)) = wrong {
                    return Err(TableError::Row { chunk, row, what });
                }
                if row != data.rows(chunk) as u64 {
                    let what = format!("{row} rows where {} were told", data.rows(chunk));
                    return Err(TableError::Chunk { chunk, what });
                }
            }
            Ok(total)
        })?;
        Ok((total, self.spread(|share| (1.0 - share, share))))
    }

    /// The curvature of the loss along each cell: for each knot, and between each knot and the next.
    /// A cell that stands in a row n times counts n² times.
    pub fn diagonal(
        &mut self,
        loss: Loss,
        weights: &[f64],
        stop: &StopFlag,
    ) -> Result<(Vec<f64>, Vec<f64>), TableError> {
        let data = self.data;
        let (cells, width) = (data.cells(), data.width());
        self.scatter(stop, |segment, sums| {
            let table = match loss {
                Loss::Squared => Vec::new(),
                Loss::Logistic => drawn(data, weights, segment.place),
            };
            let mut times = vec![0u16; cells];
            visit(data, segment.chunks.clone(), |rows| {
                for (list, &weight) in rows.cells.chunks_exact(width).zip(rows.weights) {
                    let curvature = match loss {
                        Loss::Squared => 1.0,
                        Loss::Logistic => loss.curvature(sum(&table, list)),
                    };
                    for &cell in list {
                        times[cell as usize] += 1;
                    }
                    for &cell in list {
                        let times = f64::from(times[cell as usize]);
                        sums[cell as usize] += times * curvature * f64::from(weight);
                    }
                    for &cell in list {
                        times[cell as usize] = 0;
                    }
                }
            })?;
            Ok(Total::default())
        })?;
        let own = self.spread(|share| ((1.0 - share) * (1.0 - share), share * share));
        let between = self.spread(|share| ((1.0 - share) * share, 0.0));
        Ok((own, between))
    }

    /// The loss, and its gradient.
    pub fn gradient(
        &mut self,
        loss: Loss,
        weights: &[f64],
        stop: &StopFlag,
    ) -> Result<(Total, Vec<f64>), TableError> {
        let data = self.data;
        let width = data.width();
        let total = self.scatter(stop, |segment, sums| {
            let table = drawn(data, weights, segment.place);
            let mut total = Total::default();
            visit(data, segment.chunks.clone(), |rows| {
                let lists = rows.cells.chunks_exact(width);
                for ((list, &target), &weight) in lists.zip(rows.targets).zip(rows.weights) {
                    let (target, weight) = (f64::from(target), f64::from(weight));
                    let value = sum(&table, list);
                    total.loss += weight * loss.value(value, target);
                    total.weight += weight;
                    put(sums, list, weight * loss.slope(value, target));
                }
            })?;
            Ok(total)
        })?;
        Ok((total, self.spread(|share| (1.0 - share, share))))
    }

    /// The second derivative of the loss at `weights` applied to a direction.
    pub fn curvature(
        &mut self,
        loss: Loss,
        weights: &[f64],
        direction: &[f64],
        stop: &StopFlag,
    ) -> Result<Vec<f64>, TableError> {
        let data = self.data;
        let width = data.width();
        self.scatter(stop, |segment, sums| {
            let along = drawn(data, direction, segment.place);
            match loss {
                Loss::Squared => visit(data, segment.chunks.clone(), |rows| {
                    for (list, &weight) in rows.cells.chunks_exact(width).zip(rows.weights) {
                        put(sums, list, f64::from(weight) * sum(&along, list));
                    }
                })?,
                Loss::Logistic => {
                    let table = drawn(data, weights, segment.place);
                    visit(data, segment.chunks.clone(), |rows| {
                        for (list, &weight) in rows.cells.chunks_exact(width).zip(rows.weights) {
                            let bent = loss.curvature(sum(&table, list));
                            put(sums, list, f64::from(weight) * bent * sum(&along, list));
                        }
                    })?;
                }
            }
            Ok(Total::default())
        })?;
        Ok(self.spread(|share| (1.0 - share, share)))
    }

    /// The loss alone.
    pub fn loss(&self, loss: Loss, weights: &[f64], stop: &StopFlag) -> Result<Total, TableError> {
        let data = self.data;
        let width = data.width();
        let results = self
            .segments
            .par_iter()
            .with_max_len(1)
            .map(|segment| {
                if stop.is_set() {
                    return Err(TableError::Stopped);
                }
                let table = drawn(data, weights, segment.place);
                let mut total = Total::default();
                visit(data, segment.chunks.clone(), |rows| {
                    let lists = rows.cells.chunks_exact(width);
                    for ((list, &target), &weight) in lists.zip(rows.targets).zip(rows.weights) {
                        let value = loss.value(sum(&table, list), f64::from(target));
                        total.loss += f64::from(weight) * value;
                        total.weight += f64::from(weight);
                    }
                })?;
                Ok(total)
            })
            .collect();
        total(results)
    }
}

/// The table of a place.
fn drawn(data: &dyn TableExamples, weights: &[f64], place: Place) -> Vec<f64> {
    let Place { knot, share } = place;
    let cells = weights.chunks_exact(data.knots());
    if share == 0.0 {
        return cells.map(|w| w[knot]).collect();
    }
    cells.map(|w| w[knot] * (1.0 - share) + w[knot + 1] * share).collect()
}

fn visit(
    data: &dyn TableExamples,
    chunks: Range<usize>,
    mut sink: impl FnMut(Rows<'_>),
) -> Result<(), TableError> {
    for chunk in chunks {
        data.visit(chunk, &mut sink).map_err(TableError::Source)?;
    }
    Ok(())
}

/// All totals in order, or the first error.
fn total(results: Vec<Result<Total, TableError>>) -> Result<Total, TableError> {
    let mut all = Total::default();
    for result in results {
        let one = result?;
        all.loss += one.loss;
        all.weight += one.weight;
    }
    Ok(all)
}

fn fault(loss: Loss, list: &[u32], target: f32, weight: f32, cells: usize) -> Option<String> {
    if let Some(cell) = list.iter().find(|&&c| c as usize >= cells) {
        return Some(format!("cell {cell} where there are {cells}"));
    }
    if !target.is_finite() || loss == Loss::Logistic && !(0.0..=1.0).contains(&target) {
        let expected = match loss {
            Loss::Squared => "a finite number",
            Loss::Logistic => "a chance from 0 to 1",
        };
        return Some(format!("the target is {target}; expected {expected}"));
    }
    let fits = weight.is_finite() && weight >= 0.0;
    (!fits).then(|| format!("the weight is {weight}; expected a finite number of at least 0"))
}

/// The sum of the cells of a row. Four sums side by side, since one addition must wait for the one
/// before it and takes as long as several looks.
#[inline(always)]
fn sum(table: &[f64], list: &[u32]) -> f64 {
    let mut sums = [0.0; 4];
    let fours = list.chunks_exact(4);
    for &cell in fours.remainder() {
        sums[0] += table[cell as usize];
    }
    for four in fours {
        for (sum, &cell) in sums.iter_mut().zip(four) {
            *sum += table[cell as usize];
        }
    }
    sums[0] + sums[1] + (sums[2] + sums[3])
}

#[inline(always)]
fn put(sums: &mut [f64], list: &[u32], value: f64) {
    for &cell in list {
        sums[cell as usize] += value;
    }
}
