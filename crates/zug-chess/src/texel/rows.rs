//! How are millions of labelled positions kept in memory, as counts of factors?
//!
//! A position is a row: the factors that are not zero with their counts (three bytes each, two for
//! the index and one for the count; a larger count stands there in parts), the columns of weights
//! that it belongs to with its shares of them, and its labels. Rows are packed in chunks, which are
//! the units of all parallel work, so that results do not depend on the number of threads.

use super::record::{Example, fold_of};
use super::{ExampleError, ExampleFile};
use crate::{Board, factors, types::Scheme};
use rayon::prelude::*;
use zug_core::{Progress, StopFlag};

/// A share is counted in these parts of a whole.
pub const PARTS: f32 = 24.0;

/// The score of a row that no search has looked at.
const UNSCORED: i16 = i16::MIN;

/// Some rows.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// For each row the place of its first factor; and the end.
    starts: Vec<u32>,
    factors: Vec<u16>,
    counts: Vec<i8>,
    /// For each row the place of its first column; and the end.
    share_starts: Vec<u32>,
    columns: Vec<u8>,
    parts: Vec<u8>,
    /// White's half points.
    results: Vec<u8>,
    scores: Vec<i16>,
    folds: Vec<u8>,
    /// What the fit aims at: White's expected points.
    pub targets: Vec<f32>,
}

/// A row of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The factors.
    pub factors: &'a [u16],
    /// Their counts.
    pub counts: &'a [i8],
    /// The columns of weights that it belongs to.
    pub columns: &'a [u8],
    /// Its shares of them, in parts of [`PARTS`].
    pub parts: &'a [u8],
    /// White's points, 0 to 1.
    pub result: f32,
    /// The score of a search, in hundredths of a pawn for White.
    pub score: Option<i16>,
    /// The fold of its game.
    pub fold: u8,
    /// What the fit aims at.
    pub target: f32,
}

impl Chunk {
    /// A chunk without rows.
    #[must_use]
    pub fn new() -> Chunk {
        Chunk { starts: vec![0], share_starts: vec![0], ..Chunk::default() }
    }

    /// Adds a row.
    pub fn push(
        &mut self,
        counts: &[(u16, i16)],
        shares: impl IntoIterator<Item = (u8, u8)>,
        example: &Example,
    ) {
        for &(factor, mut count) in counts {
            while count != 0 {
                let part = count.clamp(-127, 127);
                self.factors.push(factor);
                self.counts.push(part as i8);
                count -= part;
            }
        }
        self.starts.push(self.factors.len() as u32);
        for (column, parts) in shares {
            self.columns.push(column);
            self.parts.push(parts);
        }
        self.share_starts.push(self.columns.len() as u32);
        self.results.push(example.result as u8);
        self.scores.push(example.score.map_or(UNSCORED, |s| s.max(UNSCORED + 1)));
        self.folds.push(fold_of(example.game));
        self.targets.push(example.result.points() as f32);
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// A row.
    #[must_use]
    pub fn row(&self, row: usize) -> Row<'_> {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        let shares = self.share_starts[row] as usize..self.share_starts[row + 1] as usize;
        Row {
            factors: &self.factors[range.clone()],
            counts: &self.counts[range],
            columns: &self.columns[shares.clone()],
            parts: &self.parts[shares],
            result: f32::from(self.results[row]) / 2.0,
            score: Some(self.scores[row]).filter(|&s| s != UNSCORED),
            fold: self.folds[row],
            target: self.targets[row],
        }
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// The bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.factors.len() * 3 + self.columns.len() * 2 + self.len() * 16
    }

    fn shrink(&mut self) {
        self.factors.shrink_to_fit();
        self.counts.shrink_to_fit();
        self.columns.shrink_to_fit();
        self.parts.shrink_to_fit();
    }
}

impl Row<'_> {
    /// The value of the row: the sum of counts times weights, `weights[column * width + factor]`.
    #[must_use]
    pub fn value(&self, weights: &[f32], width: usize) -> f32 {
        let mut value = 0.0;
        for (&column, &parts) in self.columns.iter().zip(self.parts) {
            let begin = usize::from(column) * width;
            let weights = &weights[begin..begin + width];
            let mut sum = 0.0;
            for (&factor, &count) in self.factors.iter().zip(self.counts) {
                sum += f32::from(count) * weights[usize::from(factor)];
            }
            value += f32::from(parts) / PARTS * sum;
        }
        value
    }

    /// Adds `by` times the derivative of the value by the weights.
    pub fn add_gradient(&self, by: f32, gradient: &mut [f64], width: usize) {
        for (&column, &parts) in self.columns.iter().zip(self.parts) {
            let begin = usize::from(column) * width;
            let gradient = &mut gradient[begin..begin + width];
            let by = by * f32::from(parts) / PARTS;
            for (&factor, &count) in self.factors.iter().zip(self.counts) {
                gradient[usize::from(factor)] += f64::from(by * f32::from(count));
            }
        }
    }
}

impl Row<'_> {
    /// Adds the squares of the derivatives of the value by the weights.
    pub fn add_squares(&self, squares: &mut [f64], width: usize) {
        for (&column, &parts) in self.columns.iter().zip(self.parts) {
            let begin = usize::from(column) * width;
            let squares = &mut squares[begin..begin + width];
            let share = f32::from(parts) / PARTS;
            for (&factor, &count) in self.factors.iter().zip(self.counts) {
                let derivative = share * f32::from(count);
                squares[usize::from(factor)] += f64::from(derivative * derivative);
            }
        }
    }
}

/// Reads files of examples into rows for a scheme of columns, with the threads of the current pool.
/// Stops when `most` bytes are not enough.
pub fn load(
    files: &[ExampleFile],
    scheme: &Scheme,
    most: Option<u64>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Chunk>, ExampleError> {
    progress.set_length(Some(files.iter().map(ExampleFile::len).sum()));
    let used = std::sync::atomic::AtomicU64::new(0);
    let blocks: Vec<(usize, u64)> =
        files.iter().enumerate().flat_map(|(i, f)| (0..f.blocks()).map(move |b| (i, b))).collect();
    let read = |&(file, block): &(usize, u64)| {
        if stop.is_set() {
            return Err(ExampleError::Stopped);
        }
        let mut chunk = Chunk::new();
        let mut counts = Vec::new();
        let examples = files[file].block(block)?;
        for example in &examples {
            push_board(&mut chunk, &example.board, example, scheme, &mut counts);
        }
        chunk.shrink();
        let bytes = chunk.bytes() as u64;
        let sum = used.fetch_add(bytes, std::sync::atomic::Ordering::Relaxed) + bytes;
        if most.is_some_and(|most| sum > most) {
            let what = "the examples need more memory than --memory allows; give fewer files";
            return Err(ExampleError::Other(what.into()));
        }
        progress.advance(examples.len() as u64);
        Ok(chunk)
    };
    blocks.par_iter().map(read).collect()
}

fn push_board(
    chunk: &mut Chunk,
    board: &Board,
    example: &Example,
    scheme: &Scheme,
    counts: &mut Vec<(u16, i16)>,
) {
    counts.clear();
    factors::count(board, counts);
    let shares = scheme.shares(board);
    chunk.push(counts, shares.iter().map(|(c, p)| (c as u8, p as u8)), example);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texel::GameResult;

    #[test]
    fn large_counts_stand_in_parts_and_values_and_gradients_are_those_of_the_whole() {
        let example = Example {
            board: Board::startpos(),
            result: GameResult::Won,
            score: Some(i16::MIN),
            game: 4,
        };
        let mut chunk = Chunk::new();
        chunk.push(&[(0, 300), (2, -128), (3, 1)], [(0, 18), (1, 6)], &example);
        chunk.push(&[(1, -2)], [(1, 24)], &Example { score: None, ..example });
        let weights = [1.0, 10.0, 0.5, 7.0, 2.0, 100.0, 0.0, 3.0];
        let (first, second) = (chunk.row(0), chunk.row(1));
        assert_eq!(first.value(&weights, 4), 0.75 * (300.0 - 64.0 + 7.0) + 0.25 * 603.0);
        assert_eq!(second.value(&weights, 4), -200.0);
        assert_eq!((first.score, second.score), (Some(i16::MIN + 1), None));
        let mut gradient = [0.0; 8];
        first.add_gradient(2.0, &mut gradient, 4);
        assert_eq!(gradient, [450.0, 0.0, -192.0, 1.5, 150.0, 0.0, -64.0, 0.5]);
        assert_eq!((chunk.len(), first.result, first.fold), (2, 1.0, fold_of(4)));
    }
}
