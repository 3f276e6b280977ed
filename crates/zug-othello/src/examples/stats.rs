//! What is in a file of examples? By disc count: how many, how they end, how good their labels are.

use super::{Example, ExampleError, ExampleFile, FOLDS, MIXED, Source};
use rayon::prelude::*;
use serde::Serialize;
use std::ops::AddAssign;

/// The examples with one disc count, or all.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LevelStatistics {
    /// Examples.
    pub examples: u64,
    /// How often their positions were met in games.
    pub met: u64,
    /// Won for the mover.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the mover.
    pub losses: u64,
    /// Labels from the result of a game, the tree, a search, and a search to the end.
    pub sources: [u64; 4],
    /// Examples of each fold, those of several last.
    pub folds: [u64; FOLDS as usize + 1],
    /// The sum of the scores.
    pub sum: i64,
    /// The sum of their squares.
    pub squares: u64,
}

impl LevelStatistics {
    fn count(&mut self, example: &Example) {
        self.examples += 1;
        self.met += u64::from(example.count);
        match example.score {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
        self.sources[example.source as usize] += 1;
        let fold = if example.fold == MIXED { FOLDS } else { example.fold };
        self.folds[usize::from(fold)] += 1;
        let score = i64::from(example.score);
        self.sum += score;
        self.squares += (score * score) as u64;
    }

    /// How often a position was merged with one that was there already.
    #[must_use]
    pub fn merged(&self) -> u64 {
        self.met - self.examples
    }

    /// The share of labels in which no error is possible.
    #[must_use]
    pub fn exact_share(&self) -> f64 {
        self.sources[Source::Exact as usize] as f64 / self.examples.max(1) as f64
    }

    /// The mean score.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.examples.max(1) as f64
    }

    /// The standard deviation of the scores.
    #[must_use]
    pub fn spread(&self) -> f64 {
        let mean = self.mean();
        (self.squares as f64 / self.examples.max(1) as f64 - mean * mean).max(0.0).sqrt()
    }
}

impl AddAssign<&LevelStatistics> for LevelStatistics {
    fn add_assign(&mut self, other: &LevelStatistics) {
        self.examples += other.examples;
        self.met += other.met;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (a, b) in self.sources.iter_mut().zip(other.sources) {
            *a += b;
        }
        for (a, b) in self.folds.iter_mut().zip(other.folds) {
            *a += b;
        }
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// What is in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// By disc count, lowest first; only those that have examples.
    pub levels: Vec<(u32, LevelStatistics)>,
    /// All together.
    pub total: LevelStatistics,
}

/// Reads a whole file.
pub fn survey(file: &ExampleFile) -> Result<Statistics, ExampleError> {
    let mut all = Statistics::default();
    for discs in file.discs().into_iter().flatten() {
        let chunks: Vec<_> = file.chunks(discs, 1 << 16).collect();
        let parts: Result<Vec<LevelStatistics>, ExampleError> = chunks
            .into_par_iter()
            .map(|range| {
                let mut part = LevelStatistics::default();
                file.chunk(discs, range)?.iter().for_each(|example| part.count(example));
                Ok(part)
            })
            .collect();
        let mut level = LevelStatistics::default();
        parts?.iter().for_each(|part| level += part);
        if level.examples > 0 {
            all.total += &level;
            all.levels.push((discs, level));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::ExampleWriter;
    use super::super::testing::{examples, merged};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_example_is_counted_once(given in examples(1..60)) {
            let sorted = merged(&given);
            let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
            sorted.iter().for_each(|&e| writer.push(e).unwrap());
            let file = ExampleFile::from_bytes(writer.finish().unwrap()).unwrap();
            let found = survey(&file).unwrap();
            let total = &found.total;
            prop_assert_eq!(total.examples, sorted.len() as u64);
            prop_assert_eq!(total.wins + total.draws + total.losses, total.examples);
            prop_assert_eq!(total.sources.iter().sum::<u64>(), total.examples);
            prop_assert_eq!(total.folds.iter().sum::<u64>(), total.examples);
            prop_assert_eq!(total.met, given.iter().map(|e| u64::from(e.count)).sum::<u64>());
            let mean = sorted.iter().map(|e| f64::from(e.score)).sum::<f64>() / sorted.len() as f64;
            prop_assert!((total.mean() - mean).abs() < 1e-9);
            let square = |e: &Example| (f64::from(e.score) - mean).powi(2);
            let variance = sorted.iter().map(square).sum::<f64>() / sorted.len() as f64;
            prop_assert!((total.spread() - variance.sqrt()).abs() < 1e-6);
            for (discs, level) in &found.levels {
                prop_assert_eq!(level.examples, file.count(*discs));
            }
        }
    }
}
