//! The features of all examples of a disc count, as the fitters want them.
//!
//! Every feature is a 16-bit integer, so a disc count of a million examples with eleven features
//! takes 23 megabytes.

use super::ThesisError;
use super::feature::FeatureSet;
use super::sample::{self, Division, Part};
use super::table::{PatternTable, TableOptions, tally};
use crate::examples::{Example, ExampleFile};
use zug_core::{Progress, StopFlag};
use zug_learn::{Class, LearnError, Rows};

/// Rows of features with their classes.
#[derive(Clone, Debug, Default)]
pub struct FeatureRows {
    names: Vec<String>,
    values: Vec<i16>,
    classes: Vec<Class>,
}

impl FeatureRows {
    fn new(names: Vec<String>) -> FeatureRows {
        FeatureRows { names, ..FeatureRows::default() }
    }

    /// How many rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// The classes of all rows.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The rows, one after another.
    pub fn iter(&self) -> impl Iterator<Item = &[i16]> {
        self.values.chunks_exact(self.names.len())
    }

    /// One feature of all rows.
    pub fn column(&self, feature: usize) -> impl Iterator<Item = i16> {
        self.iter().map(move |row| row[feature])
    }

    fn append(&mut self, mut more: FeatureRows) {
        self.values.append(&mut more.values);
        self.classes.append(&mut more.classes);
    }
}

impl Rows for FeatureRows {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn for_each(&self, visit: &mut dyn FnMut(&[f64], Class, f64)) -> Result<(), LearnError> {
        let mut numbers = vec![0.0; self.names.len()];
        for (row, &class) in self.iter().zip(&self.classes) {
            for (number, &value) in numbers.iter_mut().zip(row) {
                *number = f64::from(value);
            }
            visit(&numbers, class, 1.0);
        }
        Ok(())
    }
}

/// The rows of a disc count, those that are learned from and those kept aside.
#[derive(Clone, Debug)]
pub struct DiscRows {
    /// Learned from.
    pub training: FeatureRows,
    /// Kept aside.
    pub held_out: FeatureRows,
}

impl DiscRows {
    /// One of the parts.
    #[must_use]
    pub fn part(&self, part: Part) -> &FeatureRows {
        match part {
            Part::Training => &self.training,
            Part::HeldOut => &self.held_out,
        }
    }
}

/// Where examples come from, how they are divided, and whom to tell.
#[derive(Clone, Copy)]
pub struct Data<'a> {
    /// The files.
    pub files: &'a [ExampleFile],
    /// Which examples are kept aside.
    pub division: &'a Division,
    /// Hears of every example read.
    pub progress: &'a dyn Progress,
    /// May ask to stop.
    pub stop: &'a StopFlag,
}

impl Data<'_> {
    /// Estimates the tables of all features that are patterns.
    pub fn tables(
        &self,
        features: &FeatureSet,
        options: &TableOptions,
    ) -> Result<Vec<Option<PatternTable>>, ThesisError> {
        let numbers: Vec<Option<usize>> =
            (0..features.len()).map(|f| features.pattern_number(f)).collect();
        if numbers.iter().all(Option::is_none) {
            return Ok(vec![None; features.len()]);
        }
        let Data { files, division, progress, stop } = *self;
        let tallies = tally(files, features.set(), division, Part::Training, progress, stop)?;
        Ok(numbers.into_iter().map(|n| n.map(|n| tallies[n].table(options))).collect())
    }

    /// Computes the features of all examples of a disc count.
    pub fn rows(
        &self,
        features: &FeatureSet,
        tables: &[Option<PatternTable>],
        discs: u32,
    ) -> Result<DiscRows, ThesisError> {
        let names = features.names();
        let empty = || FeatureRows::new(names.clone());
        let work = |examples: &[Example]| {
            let mut rows = DiscRows { training: empty(), held_out: empty() };
            let mut row = vec![0; names.len()];
            for example in examples {
                let into = match self.division.part(example) {
                    None => continue,
                    Some(Part::Training) => &mut rows.training,
                    Some(Part::HeldOut) => &mut rows.held_out,
                };
                let indices = features.set().indices(example.board);
                features.vector(tables, example.board, &indices, &mut row);
                into.values.extend_from_slice(&row);
                into.classes.push(sample::class(example));
            }
            rows
        };
        let mut all = DiscRows { training: empty(), held_out: empty() };
        let take = |rows: DiscRows| {
            all.training.append(rows.training);
            all.held_out.append(rows.held_out);
        };
        let range = discs..discs + 1;
        sample::for_each_chunk(self.files, range, self.progress, self.stop, work, take)?;
        Ok(all)
    }
}
