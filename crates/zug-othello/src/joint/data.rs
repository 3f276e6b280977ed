//! Boards in memory, and the rows of cells that a fit makes of them.
//!
//! A board with its label takes 17 bytes, and 4 more where examples differ in weight. The cells are
//! made anew in every pass, since the list of one board alone would take 260 bytes. That takes 100 ns
//! a board of the 260 ns that a pass takes on one core: 30 for the lanes and the numbers of moves, 70
//! to look up which cells the instances share.

use super::{JointError, JointOptions};
use crate::Board;
use crate::examples::{Example, ExampleFile, Source};
use crate::patterns::{PatternSet, Phases};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zug_core::seed::mix;
use zug_learn::joint::{Loss, Place, Rows, SourceError, TableExamples};

/// Rows of a chunk.
const CHUNK: usize = 1 << 14;
/// Rows that are made at a time: their cells stay in the nearest cache.
const BATCH: usize = 64;

/// How much an example counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighting {
    /// An example that was met n times counts n to this power: 0 once, 1 each time.
    pub count_power: f64,
    /// No example counts more than this many times by its count.
    pub most: f64,
    /// Factors for labels from games, trees, searches, and exact ones.
    pub sources: [f64; 4],
}

impl Default for Weighting {
    fn default() -> Weighting {
        Weighting { count_power: 0.5, most: 100.0, sources: [1.0; 4] }
    }
}

impl Weighting {
    /// The weight of an example.
    #[must_use]
    pub fn of(&self, example: &Example) -> f32 {
        let met = f64::from(example.count.max(1)).powf(self.count_power).min(self.most);
        let source = Source::ALL.iter().position(|&s| s == example.source).unwrap_or(0);
        (met * self.sources[source]) as f32
    }

    pub(super) fn check(&self) -> Result<(), JointError> {
        let numbers = [self.count_power, self.most];
        if numbers.iter().chain(&self.sources).all(|x| x.is_finite() && *x >= 0.0) {
            return Ok(());
        }
        let factors = self.sources.map(|factor| factor.to_string()).join(", ");
        let (power, most) = (self.count_power, self.most);
        let value = format!("power {power} of the count, at most {most}, factors {factors}");
        Err(JointError::Option { name: "the weighting", value, expected: "numbers of at least 0" })
    }
}

/// Examples with the same number of discs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The disc count.
    pub discs: u32,
    /// The boards.
    pub boards: Vec<Board>,
    /// Their labels.
    pub scores: Vec<i8>,
    /// Their weights; empty when all are 1.
    pub weights: Vec<f32>,
}

impl Group {
    fn new(discs: u32) -> Group {
        Group { discs, ..Group::default() }
    }

    fn push(&mut self, example: &Example, weight: f32) {
        if weight != 1.0 && self.weights.is_empty() {
            self.weights = vec![1.0; self.boards.len()];
        }
        self.boards.push(example.board);
        self.scores.push(example.score);
        if weight != 1.0 || !self.weights.is_empty() {
            self.weights.push(weight);
        }
    }

    /// Leaves out the boards that another group has: a file may hold a game out of which another
    /// one knows a position from a game to learn from.
    fn leave_out(&mut self, other: &Group) {
        let mut known = other.boards.clone();
        known.sort_unstable();
        let stays: Vec<bool> =
            self.boards.iter().map(|board| known.binary_search(board).is_err()).collect();
        fn keep<T>(list: &mut Vec<T>, stays: &[bool]) {
            let mut stays = stays.iter();
            list.retain(|_| stays.next().copied().unwrap_or(true));
        }
        keep(&mut self.boards, &stays);
        keep(&mut self.scores, &stays);
        keep(&mut self.weights, &stays);
    }

    /// The weight of an example.
    #[must_use]
    pub fn weight(&self, at: usize) -> f32 {
        self.weights.get(at).copied().unwrap_or(1.0)
    }
}

/// Examples by disc count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    /// Rising disc counts, none empty.
    pub groups: Vec<Group>,
}

impl Examples {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.iter().map(|g| g.boards.len()).sum()
    }

    /// None?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Training and validation examples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// What is learned from.
    pub training: Examples,
    /// What the result is judged by: positions of games of which no position is learned from, but
    /// for those that were met in other games too.
    pub validation: Examples,
}

impl Split {
    /// Reads files and divides them by the folds of their games.
    pub fn read(files: &[ExampleFile], options: &JointOptions) -> Result<Split, JointError> {
        options.weighting.check()?;
        if !(options.sample > 0.0 && options.sample <= 1.0) {
            let value = options.sample.to_string();
            let expected = "more than 0 and at most 1";
            return Err(JointError::Option { name: "the sample", value, expected });
        }
        let groups: Vec<Result<_, JointError>> = (options.first_discs..=options.last_discs.min(64))
            .into_par_iter()
            .map(|discs| {
                let (mut training, mut validation) = (Group::new(discs), Group::new(discs));
                for file in files {
                    file.for_each(discs..=discs, |example| {
                        let weight = options.weighting.of(&example);
                        if weight > 0.0 && options.takes(example.board) {
                            let is_held_out = options.validation_folds.contains(&example.fold);
                            let group = if is_held_out { &mut validation } else { &mut training };
                            group.push(&example, weight);
                        }
                    })?;
                }
                if files.len() > 1 {
                    validation.leave_out(&training);
                }
                Ok((training, validation))
            })
            .collect();
        let mut split = Split::default();
        for result in groups {
            let (training, validation) = result?;
            for (examples, group) in
                [(&mut split.training, training), (&mut split.validation, validation)]
            {
                if !group.boards.is_empty() {
                    examples.groups.push(group);
                }
            }
        }
        split.check(files, options)?;
        Ok(split)
    }

    fn check(&self, files: &[ExampleFile], options: &JointOptions) -> Result<(), JointError> {
        let wants_validation = !options.validation_folds.is_empty();
        let (what, hint) = if self.training.is_empty() {
            ("training", "")
        } else if self.validation.is_empty() && wants_validation {
            ("validation", ": none is from games of the validation folds alone")
        } else {
            return Ok(());
        };
        let names: Vec<&str> = files.iter().map(ExampleFile::name).collect();
        let files = if names.is_empty() { "no files".into() } else { names.join(", ") };
        let (first, last) = (options.first_discs, options.last_discs);
        Err(JointError::NoExamples { what, files, first, last, hint })
    }
}

impl JointOptions {
    /// Does a board belong to the sample?
    fn takes(&self, board: Board) -> bool {
        if self.sample >= 1.0 {
            return true;
        }
        let hash = mix(mix(board.own ^ self.seed) ^ board.other.rotate_left(17));
        (hash >> 11) as f64 / (1u64 << 53) as f64 <= self.sample
    }
}

/// Examples as rows of the cells of a set of patterns.
pub struct BoardRows<'a> {
    examples: &'a Examples,
    set: &'a PatternSet,
    phases: &'a Phases,
    loss: Loss,
    /// Labels beyond this many discs count as this many.
    clip: f32,
    /// For each chunk its group and its first row.
    chunks: Vec<(usize, usize)>,
}

impl<'a> BoardRows<'a> {
    /// The rows for a fit.
    #[must_use]
    pub fn new(
        examples: &'a Examples,
        set: &'a PatternSet,
        phases: &'a Phases,
        loss: Loss,
        clip: f32,
    ) -> BoardRows<'a> {
        let mut chunks = Vec::new();
        for (number, group) in examples.groups.iter().enumerate() {
            chunks.extend((0..group.boards.len()).step_by(CHUNK).map(|first| (number, first)));
        }
        BoardRows { examples, set, phases, loss, clip, chunks }
    }

    fn target(&self, score: i8) -> f32 {
        match self.loss {
            Loss::Squared => f32::from(score).clamp(-self.clip, self.clip),
            // A draw is half a win: the same as once a win and once a loss.
            Loss::Logistic => 0.5 + 0.5 * f32::from(score.signum()),
        }
    }
}

/// Writes the cells of a board.
#[inline]
fn put_cells(set: &PatternSet, board: Board, out: &mut [u32]) {
    let indices = set.indices(board);
    let cell_of = set.cell_of_instances();
    for ((out, &start), &index) in out.iter_mut().zip(set.starts()).zip(&indices.0) {
        *out = cell_of[start as usize + usize::from(index)];
    }
    if set.has_mobility() {
        let first = set.cells() - PatternSet::mobility_cells();
        out[set.lanes()] = (first + PatternSet::mobility_place(board)) as u32;
    }
}

impl TableExamples for BoardRows<'_> {
    fn cells(&self) -> usize {
        self.set.cells()
    }

    fn knots(&self) -> usize {
        self.phases.len()
    }

    fn width(&self) -> usize {
        self.set.lanes() + usize::from(self.set.has_mobility())
    }

    fn chunks(&self) -> usize {
        self.chunks.len()
    }

    fn rows(&self, chunk: usize) -> usize {
        let (group, first) = self.chunks[chunk];
        (self.examples.groups[group].boards.len() - first).min(CHUNK)
    }

    fn place(&self, chunk: usize) -> Place {
        let (group, _) = self.chunks[chunk];
        let (knot, share) = self.phases.place(self.examples.groups[group].discs);
        Place { knot, share: f64::from(share) }
    }

    fn visit(&self, chunk: usize, sink: &mut dyn FnMut(Rows<'_>)) -> Result<(), SourceError> {
        let (group, first) = self.chunks[chunk];
        let group = &self.examples.groups[group];
        let width = self.width();
        let mut cells = vec![0; BATCH * width];
        let (mut targets, mut weights) = ([0.0; BATCH], [1.0; BATCH]);
        let end = first + self.rows(chunk);
        for begin in (first..end).step_by(BATCH) {
            let count = BATCH.min(end - begin);
            let boards = &group.boards[begin..begin + count];
            for (out, &board) in cells.chunks_exact_mut(width).zip(boards) {
                put_cells(self.set, board, out);
            }
            for (target, &score) in targets.iter_mut().zip(&group.scores[begin..begin + count]) {
                *target = self.target(score);
            }
            if !group.weights.is_empty() {
                weights[..count].copy_from_slice(&group.weights[begin..begin + count]);
            }
            sink(Rows {
                cells: &cells[..count * width],
                targets: &targets[..count],
                weights: &weights[..count],
            });
        }
        Ok(())
    }
}
