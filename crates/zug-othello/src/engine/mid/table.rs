//! What do earlier searches know about a position?
//!
//! One allocation of buckets, each a cache line with two entries, shared by all threads without
//! locks. An entry is four words: two that tell the board, and two that tell what is known:
//!
//! ```text
//! bounds   bits  0..32 lower           32..64 upper
//! about    bits  0..8  depth   8..16 confidence   16..24 best   24..32 second
//!               32..40 age    48..64 generation
//! ```
//!
//! The words of the board are stored combined with both others, each turned by another number of
//! bits. When threads write the same place at once and an entry is made of parts of several, the
//! board is not found in it: for parts of entries of one board to fit, the differences of `bounds`
//! and of `about` would have to be turned into each other by 17 and by 24 bits, so that a difference
//! turned by 41 bits is itself; 41 and 64 have no common divisor, so it is 0, or all ones, which
//! bits that are never used rule out.

use super::INFINITE;
use crate::Board;
pub(crate) use crate::buckets::key;
use crate::buckets::{Buckets, NoMemory};
use crate::engine::Confidence;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Stands for "no square" in an entry.
pub(crate) const NO_SQUARE: u8 = 64;

const WORDS: usize = 4;
const ENTRIES: usize = 2;

/// A cache line with two entries.
#[repr(align(64))]
#[derive(Default, Zeroable)]
struct Bucket([AtomicU64; ENTRIES * WORDS]);

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The value is at least this.
    pub lower: i32,
    /// The value is at most this.
    pub upper: i32,
    /// By a search that looked so many plies ahead.
    pub depth: u8,
    /// And left out what was this certain.
    pub confidence: Confidence,
    /// The best move, then the one that was best before.
    pub best: [u8; 2],
}

/// A fixed number of entries; old and shallow ones make room for new ones.
pub(crate) struct MidTable {
    buckets: Buckets<Bucket>,
    age: u8,
    /// Entries of other generations are forgotten; 0 is that of empty places.
    generation: u16,
}

/// What a search found out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    pub alpha: i32,
    pub beta: i32,
    pub value: i32,
    pub depth: u32,
    pub confidence: Confidence,
    pub best: u8,
}

/// The words of an entry, made unreadable without each other.
#[inline(always)]
fn sealed(board: Board, bounds: u64, about: u64) -> [u64; WORDS] {
    [
        board.own ^ bounds ^ about.rotate_left(17),
        board.other ^ bounds.rotate_left(24) ^ about,
        bounds,
        about,
    ]
}

impl MidTable {
    /// A table of at most this many mebibytes, a power of two of buckets.
    pub fn new(mib: usize) -> Result<MidTable, NoMemory> {
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(NoMemory { mib })?;
        Ok(MidTable { buckets: Buckets::new(bytes)?, age: 0, generation: 1 })
    }

    /// A table of this many mebibytes, or less where there is not the memory.
    pub fn fitting(mut mib: usize) -> MidTable {
        loop {
            match MidTable::new(mib) {
                Ok(table) => return table,
                Err(error) if mib <= 1 => panic!("{error}"),
                Err(_) => mib /= 2,
            }
        }
    }

    /// Makes the entries of former searches the first to be replaced.
    pub fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Forgets everything: a new generation begins, and entries of the former ones count as empty.
    /// Only when all numbers were used is the memory itself touched.
    pub fn clear(&mut self) {
        self.age = 0;
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.buckets.wipe();
            1
        });
    }

    /// How many of a sample of places hold something of this search, in thousandths.
    pub fn full(&self) -> u32 {
        let sample = self.buckets.first(1000);
        let now = |words: &[AtomicU64]| {
            let about = words[3].load(Relaxed);
            self.is_remembered(about) && (about >> 32) as u8 == self.age
        };
        let of = |bucket: &Bucket| bucket.0.chunks(WORDS).filter(|words| now(words)).count();
        let used: usize = sample.iter().map(of).sum();
        (1000 * used / (sample.len() * ENTRIES)) as u32
    }

    #[inline(always)]
    fn is_remembered(&self, about: u64) -> bool {
        (about >> 48) as u16 == self.generation
    }

    /// Asks the memory for a bucket that will be wanted soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.buckets.prefetch(key);
    }

    /// The words of the place that holds this board, with its number.
    #[inline(always)]
    fn find(
        &self,
        words: &[AtomicU64; ENTRIES * WORDS],
        board: Board,
    ) -> Option<(usize, u64, u64)> {
        for entry in 0..ENTRIES {
            let at = |word: usize| words[WORDS * entry + word].load(Relaxed);
            let (bounds, about) = (at(2), at(3));
            let [own, other, ..] = sealed(board, bounds, about);
            if at(0) == own && at(1) == other && self.is_remembered(about) {
                return Some((entry, bounds, about));
            }
        }
        None
    }

    /// What is known about a board with this key.
    #[inline(always)]
    pub fn probe(&self, board: Board, key: u64) -> Option<Known> {
        let (_, bounds, about) = self.find(&self.buckets.at(key).0, board)?;
        Some(unpack(bounds, about))
    }

    /// Remembers what a search found. What is deeper and as certain is not given up for it.
    pub fn store(&self, board: Board, key: u64, finding: Finding) {
        let words = &self.buckets.at(key).0;
        let Finding { alpha, beta, value, depth, confidence, best } = finding;
        let mut known = Known {
            lower: if value > alpha { value } else { -INFINITE },
            upper: if value < beta { value } else { INFINITE },
            depth: depth as u8,
            confidence,
            best: [best, NO_SQUARE],
        };
        let place = match self.find(words, board) {
            Some((place, bounds, about)) => {
                let before = unpack(bounds, about);
                if before.depth > known.depth && before.confidence >= confidence {
                    return;
                }
                if before.depth == known.depth && before.confidence == confidence {
                    // Bounds of searches with different orders may contradict each other; then the
                    // last one counts.
                    if before.lower <= known.upper && before.upper >= known.lower {
                        known.lower = known.lower.max(before.lower);
                        known.upper = known.upper.min(before.upper);
                    }
                }
                // A move that failed low says little; the one that was best before says more.
                if value <= alpha && before.best[0] != NO_SQUARE {
                    known.best = before.best;
                } else if before.best[0] != best {
                    known.best[1] = before.best[0];
                } else {
                    known.best[1] = before.best[1];
                }
                place
            }
            None => {
                let worth = |entry: usize| {
                    let about = words[WORDS * entry + 3].load(Relaxed);
                    let fresh = (about >> 32) as u8 == self.age;
                    let depth = u32::from(about as u8) + 1;
                    if self.is_remembered(about) { u32::from(fresh) << 8 | depth } else { 0 }
                };
                usize::from(worth(1) < worth(0))
            }
        };
        let (bounds, about) = pack(known, self.age, self.generation);
        for (at, word) in sealed(board, bounds, about).into_iter().enumerate() {
            words[WORDS * place + at].store(word, Relaxed);
        }
    }
}

#[inline(always)]
fn pack(known: Known, age: u8, generation: u16) -> (u64, u64) {
    let [low, high] = generation.to_le_bytes();
    let bounds = u64::from(known.lower as u32) | u64::from(known.upper as u32) << 32;
    let [first, second] = known.best;
    let confidence = known.confidence.code();
    let about = [known.depth, confidence, first, second, age, 0, low, high];
    (bounds, u64::from_le_bytes(about))
}

#[inline(always)]
fn unpack(bounds: u64, about: u64) -> Known {
    let [depth, confidence, first, second, ..] = about.to_le_bytes();
    Known {
        lower: bounds as u32 as i32,
        upper: (bounds >> 32) as u32 as i32,
        depth,
        confidence: Confidence::from_code(confidence),
        best: [first, second],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table() -> MidTable {
        let mut table = MidTable::new(1).unwrap();
        // One bucket, so that all boards meet.
        table.buckets = Buckets::new(0).unwrap();
        table
    }

    fn finding(value: i32, depth: u32, best: u8) -> Finding {
        let confidence = Confidence::FULL;
        Finding { alpha: 0, beta: 1, value, depth, confidence, best }
    }

    fn board(number: u64) -> Board {
        Board { own: number, other: 1 << 60 }
    }

    #[test]
    fn bounds_of_one_depth_come_together_and_those_of_less_depth_do_not() {
        let table = table();
        let (b, k) = (board(3), key(board(3)));
        assert_eq!(table.probe(b, k), None);
        table.store(b, k, finding(40, 6, 19));
        let known = table.probe(b, k).unwrap();
        assert_eq!((known.lower, known.upper, known.best), (40, INFINITE, [19, NO_SQUARE]));
        table.store(b, k, Finding { alpha: 80, beta: 81, ..finding(60, 6, 26) });
        let known = table.probe(b, k).unwrap();
        assert_eq!((known.lower, known.upper, known.best), (40, 60, [19, NO_SQUARE]));
        table.store(b, k, finding(-9, 5, 26));
        assert_eq!(table.probe(b, k), Some(known), "what is deeper stays");
        table.store(b, k, finding(50, 7, 26));
        let known = table.probe(b, k).unwrap();
        assert_eq!((known.lower, known.upper, known.best), (50, INFINITE, [26, 19]));
        assert_eq!(known.depth, 7);
    }

    #[test]
    fn a_less_certain_finding_replaces_a_certain_one_only_with_more_depth() {
        let table = table();
        let (b, k) = (board(3), key(board(3)));
        let selective = Confidence::deviations(1.5).unwrap();
        table.store(b, k, Finding { confidence: selective, ..finding(5, 8, 1) });
        table.store(b, k, finding(7, 6, 2));
        assert_eq!(table.probe(b, k).unwrap().confidence, Confidence::FULL);
        table.store(b, k, Finding { confidence: selective, ..finding(5, 5, 1) });
        assert_eq!(table.probe(b, k).unwrap().depth, 6);
    }

    #[test]
    fn deep_entries_of_this_search_stay_and_old_ones_go() {
        let mut table = table();
        let stored = |table: &MidTable, number, depth| {
            table.store(board(number), key(board(number)), finding(1, depth, 1));
        };
        let found =
            |table: &MidTable| [1, 2, 3].map(|n| table.probe(board(n), key(board(n))).is_some());
        stored(&table, 1, 9);
        stored(&table, 2, 3);
        stored(&table, 3, 3);
        assert_eq!(found(&table), [true, false, true]);
        assert_eq!(table.full(), 1000);
        table.grow_older();
        assert_eq!(table.full(), 0);
        stored(&table, 2, 3);
        stored(&table, 3, 3);
        assert_eq!(found(&table), [false, true, true]);
        table.clear();
        assert_eq!(found(&table), [false; 3]);
    }

    #[test]
    fn forgetting_goes_on_when_all_generations_were_used() {
        let mut table = table();
        for _ in 0..70_000 {
            assert_eq!(table.probe(board(1), key(board(1))), None);
            table.store(board(1), key(board(1)), finding(1, 1, 1));
            assert!(table.probe(board(1), key(board(1))).is_some());
            table.clear();
        }
    }

    #[test]
    fn a_table_larger_than_the_memory_is_refused() {
        for mib in [usize::MAX, usize::MAX >> 21] {
            let error = MidTable::new(mib).err().expect("refused");
            assert!(error.to_string().contains(&mib.to_string()));
        }
    }

    fn any_known() -> impl Strategy<Value = Known> {
        let bounds = (-11_000_000..=11_000_000i32, -11_000_000..=11_000_000i32);
        let moves = (0..=64u8, 0..=64u8);
        (bounds, 0..=60u8, any::<u8>(), moves).prop_map(|((lower, upper), depth, code, moves)| {
            let confidence = Confidence::from_code(code);
            Known { lower, upper, depth, confidence, best: [moves.0, moves.1] }
        })
    }

    proptest! {
        #[test]
        fn what_is_packed_is_unpacked(known in any_known(), age: u8, generation: u16) {
            let (bounds, about) = pack(known, age, generation);
            prop_assert_eq!(unpack(bounds, about), known);
            prop_assert_eq!((about >> 32) as u8, age);
        }

        #[test]
        fn an_entry_made_of_parts_of_two_is_not_believed(
            own: u64, other: u64, first in any_known(), second in any_known(), parts in 0..16usize,
        ) {
            let board = Board { own, other: other & !own };
            let (a, b) = (pack(first, 1, 1), pack(second, 2, 1));
            let words = [sealed(board, a.0, a.1), sealed(board, b.0, b.1)];
            let table = table();
            for word in 0..WORDS {
                table.buckets.at(0).0[word].store(words[parts >> word & 1][word], Relaxed);
            }
            let found = table.probe(board, key(board));
            // The halves that differ in nothing that matters are allowed to meet.
            prop_assert!(found.is_none_or(|known| known == first || known == second));
            prop_assert_eq!(found.is_some(), parts == 0 || parts == 15 || {
                let mixed = [words[parts >> 2 & 1][2], words[parts >> 3 & 1][3]];
                let [own, other, ..] = sealed(board, mixed[0], mixed[1]);
                own == words[parts & 1][0] && other == words[parts >> 1 & 1][1]
            });
        }
    }
}
