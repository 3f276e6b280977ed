//! Which examples are learned from, which are kept aside, and how are they read?
//!
//! Files are read in chunks of fixed size that threads take in turn, so that memory stays bounded
//! and the result does not depend on the number of threads.

use super::ThesisError;
use crate::Board;
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

/// The positions with so many discs to which files give different folds, in order.
fn mixed(files: &[ExampleFile], discs: u32) -> Result<Vec<Board>, ThesisError> {
    let mut boards = Vec::new();
    if files.len() < 2 {
        return Ok(boards);
    }
    let mut folds: Vec<(Board, u8)> = Vec::new();
    for file in files {
        file.for_each(discs..=discs, |example| folds.push((example.board, example.fold)))?;
    }
    folds.sort_unstable();
    for pair in folds.windows(2) {
        let [(one, its_fold), (other, other_fold)] = [pair[0], pair[1]];
        if one == other && its_fold != other_fold && boards.last() != Some(&one) {
            boards.push(one);
        }
    }
    Ok(boards)
}

/// Reads all examples with these disc counts, gives each chunk to `work` on some thread, and the
/// results to `take` in the order of the chunks.
///
/// As many chunks as there are threads are in memory at a time. A position to which several files
/// give different folds was met in games of several folds, as if one file held them all.
pub fn for_each_chunk<T: Send>(
    files: &[ExampleFile],
    discs: Range<u32>,
    progress: &dyn Progress,
    stop: &StopFlag,
    work: impl Fn(&[Example]) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<(), ThesisError> {
    let first = discs.start;
    let mixed: Vec<Vec<Board>> =
        discs.clone().map(|d| mixed(files, d)).collect::<Result<_, ThesisError>>()?;
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
                let mut examples = file.chunk(*discs, range.clone())?;
                let mixed = &mixed[(discs - first) as usize];
                if !mixed.is_empty() {
                    let is_mixed = |e: &&mut Example| mixed.binary_search(&e.board).is_ok();
                    examples.iter_mut().filter(is_mixed).for_each(|e| e.fold = MIXED);
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples::ExampleWriter;
    use zug_core::Silent;

    /// A file with positions of one game, in which some are of other folds.
    fn file(folds: impl Fn(u32) -> Option<u8>) -> ExampleFile {
        let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
        let mut board = Board::START;
        for ply in 0..8 {
            let example = |fold| {
                let (board, source) = (board.canonical(), Source::Game);
                Example { board, score: 2, source, fold, count: 1 }
            };
            folds(ply).into_iter().for_each(|fold| writer.push(example(fold)).unwrap());
            board = board.after(board.moves().trailing_zeros());
        }
        ExampleFile::from_bytes(writer.finish().unwrap()).unwrap()
    }

    #[test]
    fn a_position_that_one_file_teaches_is_held_out_by_none() {
        let one = file(|ply| Some(if ply < 6 { 0 } else { 1 }));
        let other = file(|ply| (ply % 2 == 0).then_some(if ply < 4 { 1 } else { 0 }));
        let parts = |files: &[ExampleFile]| {
            let (mut found, division) = (Vec::new(), Division::default());
            let work = |chunk: &[Example]| -> Vec<(u32, Option<Part>)> {
                chunk.iter().map(|e| (e.board.discs(), division.part(e))).collect()
            };
            let stop = StopFlag::new();
            for_each_chunk(files, 4..12, &Silent, &stop, work, |p| found.extend(p)).unwrap();
            found
        };
        let held_out = |files: &[ExampleFile]| -> Vec<u32> {
            let parts = parts(files).into_iter();
            parts.filter(|(_, part)| *part == Some(Part::HeldOut)).map(|(discs, _)| discs).collect()
        };
        let files = [one, other];
        assert_eq!(held_out(&files[..1]), [4, 5, 6, 7, 8, 9]);
        assert_eq!(held_out(&files[1..]), [8, 10]);
        // With 4 and 6 discs the second file teaches, with 10 the first.
        assert_eq!(held_out(&files), [5, 7, 8, 8, 9]);
        assert_eq!(parts(&files).len(), 12);
    }
}
