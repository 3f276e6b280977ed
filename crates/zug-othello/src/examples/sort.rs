//! How are more examples than fit into memory sorted, and the same ones merged?
//!
//! Examples are pushed in any order. When the memory is full they are sorted, those of the same
//! position become one ([`Example::absorb`]), and they are written as a *run* to a temporary file;
//! at the end the runs are merged. The temporaries have no names, so a process that is killed
//! leaves none behind. The result does not depend on the memory or on the order of the pushes.

use super::{Example, ExampleError, Source};
use crate::Board;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use zug_core::files::FileError;

/// Bytes of an example in a run.
const RECORD: usize = 23;
/// So many runs are merged at once: each has a file open and a buffer.
const MOST_RUNS: usize = 64;
/// The fewest examples that are held, whatever the memory.
const FEWEST: usize = 16;

/// Takes examples in any order and gives them back sorted, each position once.
pub struct Sorter {
    folder: PathBuf,
    room: usize,
    most_runs: usize,
    held: Vec<Example>,
    runs: Vec<File>,
    pushed: u64,
}

impl Sorter {
    /// Sorts with at most this much memory; temporaries go into `folder`.
    #[must_use]
    pub fn new(folder: &Path, memory: u64) -> Sorter {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let room = usize::try_from(memory).unwrap_or(usize::MAX) / size_of::<Example>();
        Sorter {
            folder: folder.to_path_buf(),
            room: room.max(FEWEST),
            most_runs: MOST_RUNS,
            held: Vec::new(),
            runs: Vec::new(),
            pushed: 0,
        }
    }

    /// How many were pushed.
    #[must_use]
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Takes an example; its board is turned to its canonical image.
    pub fn push(&mut self, example: Example) -> Result<(), ExampleError> {
        self.push_canonical(Example { board: example.board.canonical(), ..example })
    }

    /// Takes an example whose board is in its canonical image.
    pub fn push_canonical(&mut self, example: Example) -> Result<(), ExampleError> {
        if self.held.len() == self.room {
            merge_same(&mut self.held);
            // Early positions are met in every game: much of a full memory may be a few of them.
            if self.held.len() > self.room / 2 {
                self.spill()?;
            }
        }
        self.pushed += 1;
        self.held.push(example);
        Ok(())
    }

    /// Writes what is held, which is sorted, as a run.
    fn spill(&mut self) -> Result<(), ExampleError> {
        let (mut run, wrong) = (self.new_run()?, self.wrong("write"));
        for example in self.held.drain(..) {
            run.write_all(&to_bytes(&example)).map_err(&wrong)?;
        }
        let run = self.rewound(run)?;
        self.runs.push(run);
        if self.runs.len() == self.most_runs {
            let mut merged = self.new_run()?;
            let folder = self.folder.clone();
            for example in Merged::new(folder, std::mem::take(&mut self.runs), Vec::new())? {
                merged.write_all(&to_bytes(&example?)).map_err(&wrong)?;
            }
            let merged = self.rewound(merged)?;
            self.runs.push(merged);
        }
        Ok(())
    }

    fn new_run(&self) -> Result<BufWriter<File>, ExampleError> {
        let file = tempfile::tempfile_in(&self.folder).map_err(self.wrong("create"))?;
        Ok(BufWriter::with_capacity(1 << 18, file))
    }

    fn rewound(&self, run: BufWriter<File>) -> Result<File, ExampleError> {
        let mut file = run.into_inner().map_err(|e| self.wrong("write")(e.into_error()))?;
        file.rewind().map_err(self.wrong("read"))?;
        Ok(file)
    }

    fn wrong(&self, action: &'static str) -> impl Fn(io::Error) -> ExampleError + use<> {
        wrong(action, self.folder.clone())
    }

    /// All examples, sorted, each position once.
    pub fn finish(mut self) -> Result<Merged, ExampleError> {
        merge_same(&mut self.held);
        Merged::new(self.folder, self.runs, self.held)
    }
}

fn wrong(action: &'static str, folder: PathBuf) -> impl Fn(io::Error) -> ExampleError {
    move |source| {
        let path = folder.join("(temporary)");
        FileError::Io { action, path, source }.into()
    }
}

/// Sorts, and merges the same positions.
fn merge_same(examples: &mut Vec<Example>) {
    examples.par_sort_unstable_by_key(Example::key);
    examples.dedup_by(|next, kept| {
        let is_same = next.board == kept.board;
        if is_same {
            kept.absorb(next);
        }
        is_same
    });
}

fn to_bytes(example: &Example) -> [u8; RECORD] {
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&example.board.own.to_le_bytes());
    bytes[8..16].copy_from_slice(&example.board.other.to_le_bytes());
    bytes[16..20].copy_from_slice(&example.count.to_le_bytes());
    bytes[20..].copy_from_slice(&[example.score as u8, example.source as u8, example.fold]);
    bytes
}

fn from_bytes(bytes: &[u8; RECORD]) -> io::Result<Example> {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let source = Source::ALL.get(usize::from(bytes[21])).ok_or(io::ErrorKind::InvalidData)?;
    Ok(Example {
        board: Board { own: word(0), other: word(8) },
        count: u32::from_le_bytes(bytes[16..20].try_into().expect("four bytes")),
        score: bytes[20] as i8,
        source: *source,
        fold: bytes[22],
    })
}

/// A sorted stream of examples.
enum Run {
    Stored(BufReader<File>),
    Held(std::vec::IntoIter<Example>),
}

impl Run {
    fn next(&mut self) -> io::Result<Option<Example>> {
        match self {
            Run::Held(examples) => Ok(examples.next()),
            Run::Stored(file) => {
                let mut bytes = [0; RECORD];
                if io::BufRead::fill_buf(file)?.is_empty() {
                    return Ok(None);
                }
                file.read_exact(&mut bytes)?;
                from_bytes(&bytes).map(Some)
            }
        }
    }
}

/// The examples of a [`Sorter`], in order, each position once.
pub struct Merged {
    folder: PathBuf,
    runs: Vec<Run>,
    /// The next of each run.
    heads: Vec<Option<Example>>,
    order: BinaryHeap<Reverse<((u32, Board), usize)>>,
}

impl Merged {
    fn new(folder: PathBuf, stored: Vec<File>, held: Vec<Example>) -> Result<Merged, ExampleError> {
        let buffered = |file| Run::Stored(BufReader::with_capacity(1 << 16, file));
        let mut runs: Vec<Run> = stored.into_iter().map(buffered).collect();
        runs.push(Run::Held(held.into_iter()));
        let heads = vec![None; runs.len()];
        let mut merged = Merged { folder, runs, heads, order: BinaryHeap::new() };
        for run in 0..merged.runs.len() {
            merged.refill(run)?;
        }
        Ok(merged)
    }

    fn refill(&mut self, run: usize) -> Result<(), ExampleError> {
        let next = self.runs[run].next().map_err(wrong("read", self.folder.clone()))?;
        self.order.extend(next.map(|e| Reverse((e.key(), run))));
        self.heads[run] = next;
        Ok(())
    }

    fn pop(&mut self) -> Result<Option<Example>, ExampleError> {
        let Some(Reverse((_, run))) = self.order.pop() else { return Ok(None) };
        let head = self.heads[run].take();
        self.refill(run)?;
        Ok(head)
    }

    fn next_merged(&mut self) -> Result<Option<Example>, ExampleError> {
        let Some(mut example) = self.pop()? else { return Ok(None) };
        while self.order.peek().is_some_and(|Reverse((key, _))| *key == example.key()) {
            let same = self.pop()?.expect("the heap is not empty");
            example.absorb(&same);
        }
        Ok(Some(example))
    }
}

impl Iterator for Merged {
    type Item = Result<Example, ExampleError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_merged().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{example, merged};
    use super::*;
    use proptest::prelude::*;

    fn sorted(examples: &[Example], memory: u64, most_runs: usize) -> Vec<Example> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter { most_runs, ..Sorter::new(folder.path(), memory) };
        for (i, example) in examples.iter().enumerate() {
            sorter.push(Example { board: example.board.image(i % 8), ..*example }).unwrap();
        }
        assert_eq!(sorter.pushed(), examples.len() as u64);
        sorter.finish().unwrap().map(Result::unwrap).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn little_memory_gives_the_same_as_a_map_in_memory(
            pool in prop::collection::vec(example(), 1..150),
            picks in prop::collection::vec((any::<prop::sample::Index>(), example()), 0..600),
        ) {
            // The same positions with other labels.
            let given: Vec<Example> =
                picks.iter().map(|(i, e)| Example { board: pool[i.index(pool.len())].board, ..*e })
                    .collect();
            let wanted = merged(&given);
            prop_assert_eq!(&sorted(&given, 0, 3), &wanted);
            prop_assert_eq!(&sorted(&given, 24 * 100, MOST_RUNS), &wanted);
            prop_assert_eq!(&sorted(&given, 1 << 30, MOST_RUNS), &wanted);
            let backwards: Vec<Example> = given.iter().rev().copied().collect();
            prop_assert_eq!(&sorted(&backwards, 24 * 50, 4), &wanted);
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let mut sorter = Sorter::new(Path::new("not/there"), 0);
        let start = Board::START.canonical();
        let mut at = Example { board: start, score: 0, source: Source::Tree, fold: 1, count: 1 };
        let error = (0..200).find_map(|i| {
            at.board.own = start.own | i << 40;
            sorter.push_canonical(at).err()
        });
        assert!(error.unwrap().to_string().contains("not/there"));
    }
}
