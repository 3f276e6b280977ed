//! Which examples are learned from, which are kept aside, and how are they read?
//!
//! Files are read in chunks of fixed size that threads take in turn, so that memory stays bounded
//! and the result does not depend on the number of threads.

use super::ThesisError;
use crate::examples::{Example, ExampleFile, FOLDS, MIXED, Source};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use zug_core::{Progress, StopFlag};
use zug_learn::Class;

/// Examples that are read at once by one thread.
const CHUNK: u64 = 1 << 14;

/// Which part of the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// What is learned from.
    Training,
    /// What is kept aside. Positions that were met in games of several folds are never here.
    HeldOut,
}

/// How examples are divided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Division {
    /// The folds that are kept aside.
    pub held_out: Vec<u8>,
    /// Only labels at least as trustworthy are used.
    #[serde(skip)]
    pub least: Source,
}

impl Default for Division {
    fn default() -> Division {
        Division { held_out: vec![0], least: Source::Game }
    }
}

impl Division {
    /// Refuses folds that do not exist.
    pub fn check(&self) -> Result<(), ThesisError> {
        match self.held_out.iter().find(|&&fold| fold >= FOLDS) {
            None => Ok(()),
            Some(fold) => Err(ThesisError::Options(format!(
                "there is no fold {fold}: they are numbered from 0 to {}",
                FOLDS - 1
            ))),
        }
    }

    /// The part to which an example belongs, if it is used at all.
    #[must_use]
    pub fn part(&self, example: &Example) -> Option<Part> {
        if example.source < self.least {
            None
        } else if example.fold != MIXED && self.held_out.contains(&example.fold) {
            Some(Part::HeldOut)
        } else {
            Some(Part::Training)
        }
    }
}

/// The class of an example for its mover.
#[must_use]
pub fn class(example: &Example) -> Class {
    Class::of_score(i32::from(example.score))
}

/// How many examples have so many discs.
#[must_use]
pub fn count(files: &[ExampleFile], discs: u32) -> u64 {
    files.iter().map(|file| file.count(discs)).sum()
}

/// Reads all examples with these disc counts, gives each chunk to `work` on some thread, and the
/// results to `take` in the order of the chunks.
///
/// As many chunks as there are threads are in memory at a time.
pub fn for_each_chunk<T: Send>(
    files: &[ExampleFile],
    discs: Range<u32>,
    progress: &dyn Progress,
    stop: &StopFlag,
    work: impl Fn(&[Example]) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<(), ThesisError> {
    let chunks: Vec<(&ExampleFile, u32, Range<u64>)> = discs
        .flat_map(|d| files.iter().map(move |file| (file, d)))
        .flat_map(|(file, d)| file.chunks(d, CHUNK).map(move |range| (file, d, range)))
        .collect();
    for some in chunks.chunks(2 * rayon::current_num_threads().max(1)) {
        if stop.is_set() {
            return Err(ThesisError::Stopped);
        }
        let results: Vec<Result<T, ThesisError>> = some
            .par_iter()
            .map(|(file, discs, range)| {
                let examples = file.chunk(*discs, range.clone())?;
                progress.advance(examples.len() as u64);
                Ok(work(&examples))
            })
            .collect();
        for result in results {
            take(result?);
        }
    }
    Ok(())
}
