//! What is known about positions that were searched before?
//!
//! One allocation of buckets, each a cache line. An entry is three words: the board, and what is
//! known about it. The words of the board are stored combined with the third, so that an entry of
//! which two threads wrote one half each does not look like either position: the whole board is
//! compared, and a wrong hit is impossible.
//!
//! ```text
//! bits   0..8    8..16   16..24     24..32   32..40       40..48   48..56       56..64
//!        lower   upper   best move  second   cost, log2   age      confidence   generation
//! ```

use crate::Board;
pub(crate) use crate::buckets::key;
use crate::buckets::{Buckets, NoMemory};
use crate::engine::Confidence;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Stands for "no square" in an entry.
pub(super) const NO_SQUARE: u8 = 64;

const WORDS: usize = 3;
const ENTRIES: usize = 2;

/// A cache line with two entries.
#[repr(align(64))]
#[derive(Default, Zeroable)]
struct Bucket([AtomicU64; ENTRIES * WORDS]);

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The best move, then the one that was best before.
    pub best: [u8; 2],
    /// How certain the bounds are.
    pub confidence: Confidence,
}

/// What a search found out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    /// The window that was searched.
    pub alpha: i32,
    pub beta: i32,
    /// The score, its best move, and how certain it is.
    pub score: i32,
    pub best: u8,
    pub confidence: Confidence,
    /// How many positions were visited.
    pub nodes: u64,
}

/// A fixed number of entries; old and cheap ones make room for new ones.
pub(crate) struct Table {
    buckets: Buckets<Bucket>,
    age: u8,
    /// Entries of other generations are forgotten; 0 is that of empty places.
    generation: u8,
}

impl Table {
    /// A table of at most this many kibibytes, a power of two; one bucket at least.
    pub fn new(kibibytes: usize) -> Result<Table, NoMemory> {
        let bytes = kibibytes.checked_mul(1 << 10).ok_or(NoMemory { mib: kibibytes >> 10 })?;
        Ok(Table { buckets: Buckets::new(bytes)?, age: 0, generation: 1 })
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

    #[inline(always)]
    fn is_remembered(&self, data: u64) -> bool {
        (data >> 56) as u8 == self.generation
    }

    /// Asks the memory for a bucket that will be wanted soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.buckets.prefetch(key);
    }

    /// What is known about a board with this key.
    #[inline(always)]
    pub fn probe(&self, board: Board, key: u64) -> Option<Known> {
        let words = &self.buckets.at(key).0;
        for entry in 0..ENTRIES {
            let data = words[WORDS * entry + 2].load(Relaxed);
            if words[WORDS * entry].load(Relaxed) ^ data == board.own
                && words[WORDS * entry + 1].load(Relaxed) ^ data == board.other
                && self.is_remembered(data)
            {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Remembers what a search found. Bounds that are more certain stay.
    pub fn store(&self, board: Board, key: u64, finding: Finding) {
        let words = &self.buckets.at(key).0;
        let Finding { alpha, beta, score, best, confidence, nodes } = finding;
        let cost = (64 - nodes.leading_zeros()) as u8;
        let mut known = Known {
            lower: if score > alpha { score } else { -64 },
            upper: if score < beta { score } else { 64 },
            best: [best, NO_SQUARE],
            confidence,
        };
        let (mut place, mut least) = (0, u32::MAX);
        for entry in 0..ENTRIES {
            let data = words[WORDS * entry + 2].load(Relaxed);
            if words[WORDS * entry].load(Relaxed) ^ data == board.own
                && words[WORDS * entry + 1].load(Relaxed) ^ data == board.other
                && self.is_remembered(data)
            {
                let before = unpack(data);
                if before.confidence == confidence {
                    known.lower = known.lower.max(before.lower);
                    known.upper = known.upper.min(before.upper);
                } else if before.confidence > confidence {
                    (known.lower, known.upper) = (before.lower, before.upper);
                    known.confidence = before.confidence;
                }
                // The best move is one that reaches the lower bound; one that failed low says
                // little.
                let is_better = score > alpha && score >= known.lower;
                if !is_better && before.best[0] != NO_SQUARE || best == NO_SQUARE {
                    known.best = before.best;
                } else if before.best[0] != best {
                    known.best[1] = before.best[0];
                } else {
                    known.best[1] = before.best[1];
                }
                place = entry;
                break;
            }
            // Entries of this search are worth more than others, costly ones more than cheap ones.
            let fresh = (data >> 40) as u8 == self.age;
            let worth = match self.is_remembered(data) {
                true => u32::from(fresh) << 8 | u32::from((data >> 32) as u8),
                false => 0,
            };
            if worth < least {
                (place, least) = (entry, worth);
            }
        }
        let data = pack(known, cost, self.age, self.generation);
        words[WORDS * place].store(board.own ^ data, Relaxed);
        words[WORDS * place + 1].store(board.other ^ data, Relaxed);
        words[WORDS * place + 2].store(data, Relaxed);
    }
}

#[inline(always)]
fn pack(known: Known, cost: u8, age: u8, generation: u8) -> u64 {
    u64::from_le_bytes([
        (known.lower + 64) as u8,
        (known.upper + 64) as u8,
        known.best[0],
        known.best[1],
        cost,
        age,
        known.confidence.code(),
        generation,
    ])
}

#[inline(always)]
fn unpack(data: u64) -> Known {
    let [lower, upper, first, second, _, _, confidence, _] = data.to_le_bytes();
    Known {
        lower: i32::from(lower) - 64,
        upper: i32::from(upper) - 64,
        best: [first, second],
        confidence: Confidence::from_code(confidence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certain finding.
    fn finding((alpha, beta): (i32, i32), score: i32, best: u8, nodes: u64) -> Finding {
        Finding { alpha, beta, score, best, confidence: Confidence::FULL, nodes }
    }

    fn known(lower: i32, upper: i32, best: [u8; 2]) -> Option<Known> {
        Some(Known { lower, upper, best, confidence: Confidence::FULL })
    }

    #[test]
    fn bounds_of_several_searches_come_together() {
        let table = Table::new(0).unwrap();
        let board = Board::START;
        let key = key(board);
        assert_eq!(table.probe(board, key), None);
        table.store(board, key, finding((-10, -9), 4, 19, 100));
        assert_eq!(table.probe(board, key), known(4, 64, [19, NO_SQUARE]));
        table.store(board, key, finding((8, 9), 6, 26, 100));
        // The move of a search that failed low does not displace the other.
        assert_eq!(table.probe(board, key), known(4, 6, [19, NO_SQUARE]));
        // Nor does one that proves less.
        table.store(board, key, finding((0, 1), 2, 33, 100));
        assert_eq!(table.probe(board, key), known(4, 6, [19, NO_SQUARE]));
        table.store(board, key, finding((4, 8), 6, 26, 100));
        assert_eq!(table.probe(board, key), known(6, 6, [26, 19]));
    }

    #[test]
    fn certain_bounds_stay_and_uncertain_ones_go() {
        let table = Table::new(0).unwrap();
        let board = Board::START;
        let key = key(board);
        let some = Confidence::deviations(1.5).unwrap();
        table.store(board, key, Finding { confidence: some, ..finding((0, 1), 8, 19, 100) });
        assert_eq!(table.probe(board, key).unwrap().confidence, some);
        table.store(board, key, finding((0, 1), 2, 26, 100));
        assert_eq!(table.probe(board, key), known(2, 64, [26, 19]));
        table.store(board, key, Finding { confidence: some, ..finding((0, 1), -4, 33, 100) });
        assert_eq!(table.probe(board, key), known(2, 64, [26, 19]));
        table.store(board, key, Finding { confidence: some, ..finding((2, 3), 6, 33, 100) });
        assert_eq!(table.probe(board, key), known(2, 64, [33, 26]));
    }

    #[test]
    fn costly_entries_stay_until_they_are_old() {
        let mut table = Table::new(0).unwrap();
        let boards: Vec<Board> = (1..4).map(|own| Board { own, other: 1 << 60 }).collect();
        let store = |table: &Table, i: usize, nodes| {
            table.store(boards[i], key(boards[i]), finding((0, 1), 2, 5, nodes));
        };
        let found = |table: &Table| -> Vec<bool> {
            boards.iter().map(|&b| table.probe(b, key(b)).is_some()).collect()
        };
        store(&table, 0, 1_000_000);
        store(&table, 1, 10);
        store(&table, 2, 10);
        assert_eq!(found(&table), [true, false, true]);
        table.grow_older();
        store(&table, 1, 10);
        store(&table, 2, 10);
        assert_eq!(found(&table), [false, true, true]);
    }

    #[test]
    fn a_cleared_table_knows_nothing_and_keeps_no_place_occupied() {
        let mut table = Table::new(0).unwrap();
        let boards: Vec<Board> = (1..4).map(|own| Board { own, other: 1 << 60 }).collect();
        // More often than there are generations.
        for _ in 0..1_000 {
            let store = |board: Board, nodes| {
                assert_eq!(table.probe(board, key(board)), None);
                table.store(board, key(board), finding((0, 1), 2, 5, nodes));
            };
            store(boards[0], 1 << 40);
            store(boards[1], 1 << 40);
            table.clear();
            // In an empty bucket two cheap entries have room; the first of equals goes.
            for board in [boards[2], boards[1]] {
                assert_eq!(table.probe(board, key(board)), None);
                table.store(board, key(board), finding((4, 5), 3, 7, 1));
            }
            let known = known(-64, 3, [7, NO_SQUARE]);
            assert_eq!(table.probe(boards[1], key(boards[1])), known);
            assert_eq!(table.probe(boards[2], key(boards[2])), known);
            table.clear();
        }
    }
}
