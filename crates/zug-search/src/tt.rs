//! The transposition table: what is already known about this position?
//!
//! A bucket is one cache line of four entries, an entry two words:
//!
//! ```text
//!  check = key ^ data
//!  data  = score 24 bits │ depth 8 │ best move's rank 16 │ bound 2 │ complete 1 │ age 6
//! ```
//!
//! Threads read and write without locks. A half-written entry fails the check, because the key that
//! comes out of `check ^ data` is another one; so no reader ever sees the score of one position
//! with the depth of another.
//!
//! The best move is stored as its rank in the list of [`Game::moves`](zug_core::Game::moves), whose
//! order depends on the position alone. Scores that count plies are stored as seen from the node,
//! not from the root.

use std::sync::atomic::{AtomicU64, Ordering};
use zug_core::Score;
use zug_core::memory::{CacheLines, WORDS};

/// What a stored score says about the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
    /// The value is the score.
    Exact,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score for the side to move, distances counted from this position.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Plies that were searched.
    pub depth: u8,
    /// No estimate went into the score: it holds for every depth.
    pub complete: bool,
    /// The best move's place in the list of legal moves.
    pub rank: Option<u16>,
}

const NO_RANK: u16 = u16::MAX;
const AGES: u8 = 64;
const WAYS: usize = 4;

/// The words of an entry: check and data.
const SLOT: usize = WORDS / WAYS;
/// The bytes of a bucket.
const BUCKET: usize = WORDS * size_of::<AtomicU64>();

/// The table. Its size is fixed when it is made.
pub struct Table {
    buckets: CacheLines,
    age: u8,
    /// Is there anything to clear?
    used: bool,
}

impl Entry {
    fn pack(self, age: u8) -> u64 {
        let score = (self.score.0 as u32 & 0xFF_FFFF) as u64;
        let bound = match self.bound {
            Bound::Lower => 1u64,
            Bound::Upper => 2,
            Bound::Exact => 3,
        };
        score
            | u64::from(self.depth) << 24
            | u64::from(self.rank.unwrap_or(NO_RANK)) << 32
            | bound << 48
            | u64::from(self.complete) << 50
            | u64::from(age) << 51
    }

    /// Is this the stronger of two bounds of one kind? Two threads with different windows would
    /// otherwise take turns in forgetting what the other has found, and in a long game with few
    /// positions neither would ever come to an end.
    fn says_more_than(&self, other: &Entry) -> bool {
        let stronger = match (self.bound, other.bound) {
            (Bound::Lower, Bound::Lower) => self.score >= other.score,
            (Bound::Upper, Bound::Upper) => self.score <= other.score,
            (bound, _) => bound == Bound::Exact,
        };
        stronger && self.depth >= other.depth && self.complete >= other.complete
    }

    /// Do two bounds of equal worth leave room for one value only?
    fn meets(&self, other: &Entry) -> bool {
        let opposite = matches!(
            (self.bound, other.bound),
            (Bound::Lower, Bound::Upper) | (Bound::Upper, Bound::Lower)
        );
        opposite
            && self.score == other.score
            && self.depth == other.depth
            && self.complete == other.complete
    }

    /// `None` for a slot that was never written: its bound is 0.
    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 48 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        let rank = (data >> 32) as u16;
        Some(Entry {
            // Shifted up and down again to spread the sign bit.
            score: Score(((data as u32) << 8) as i32 >> 8),
            bound,
            depth: (data >> 24) as u8,
            complete: data >> 50 & 1 == 1,
            rank: (rank != NO_RANK).then_some(rank),
        })
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 51) as u8 % AGES
}

/// This many empty buckets, or as many as there is memory for: a table that is too large must not
/// end the program.
fn empty_buckets(mut count: usize) -> CacheLines {
    loop {
        match CacheLines::new(count) {
            Some(buckets) => return buckets,
            None => count = (count / 2).max(1),
        }
    }
}

impl Table {
    /// A table of at most so many MiB (at least one bucket).
    #[must_use]
    pub fn new(mib: usize) -> Table {
        Table::with_bytes(mib.saturating_mul(1 << 20))
    }

    fn with_bytes(bytes: usize) -> Table {
        let fitting = (bytes / BUCKET).max(1);
        let count =
            if fitting.is_power_of_two() { fitting } else { fitting.next_power_of_two() / 2 };
        Table { buckets: empty_buckets(count), age: 0, used: false }
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.lines().len() * BUCKET
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.used {
            self.buckets.clear();
        }
        self.age = 0;
        self.used = false;
    }

    /// A new search begins: what older ones left behind gives way first.
    pub fn next_search(&mut self) {
        self.age = (self.age + 1) % AGES;
        self.used = true;
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; SLOT]] {
        let buckets = self.buckets.lines();
        // Games may give keys that are not well mixed; multiplying spreads them, and the upper half
        // of the wide product picks the bucket.
        let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        buckets[((u128::from(spread) * buckets.len() as u128) >> 64) as usize].as_chunks().0
    }

    /// Looks up a position.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let check = check.load(Ordering::Relaxed);
            (check ^ data == key).then(|| Entry::unpack(data)).flatten()
        })
    }

    /// Remembers a position. The same position is replaced unless much more is known about it;
    /// otherwise the entry goes that is cheapest to find again: shallow, or left from older
    /// searches.
    pub fn put(&self, key: u64, entry: Entry) {
        let mut entry = entry;
        let mut victim = (i32::MAX, None);
        for slot in self.bucket(key) {
            let check = slot[0].load(Ordering::Relaxed);
            let data = slot[1].load(Ordering::Relaxed);
            let Some(old) = Entry::unpack(data) else {
                victim = (i32::MIN, Some(slot));
                continue;
            };
            if check ^ data == key {
                let known_better = age_of(data) == self.age
                    && entry.bound != Bound::Exact
                    && (old.complete && !entry.complete
                        || old.depth > entry.depth
                        || old.says_more_than(&entry));
                if known_better {
                    return;
                }
                entry.rank = entry.rank.or(old.rank);
                if old.meets(&entry) {
                    entry.bound = Bound::Exact;
                }
                victim = (i32::MIN, Some(slot));
                break;
            }
            let searches_ago = i32::from((self.age + AGES - age_of(data)) % AGES);
            let worth = i32::from(old.depth) - 8 * searches_ago;
            if worth < victim.0 {
                victim = (worth, Some(slot));
            }
        }
        if let (_, Some(slot)) = victim {
            let data = entry.pack(self.age);
            slot[1].store(data, Ordering::Relaxed);
            slot[0].store(key ^ data, Ordering::Relaxed);
        }
    }

    /// How full the table is of this search's entries, in thousandths (from a sample).
    #[must_use]
    pub fn fullness(&self) -> u32 {
        let buckets = self.buckets.lines();
        let sample = &buckets[..buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| bucket.as_chunks::<SLOT>().0)
            .map(|[_, data]| data.load(Ordering::Relaxed))
            .filter(|&d| Entry::unpack(d).is_some() && age_of(d) == self.age)
            .count();
        (used * 1000 / (sample.len() * WAYS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = Entry> {
        let bounds = prop_oneof![Just(Bound::Lower), Just(Bound::Upper), Just(Bound::Exact)];
        let ranks = prop_oneof![Just(None), (0..NO_RANK).prop_map(Some)];
        (-1_000_001..=1_000_001, bounds, any::<u8>(), any::<bool>(), ranks).prop_map(
            |(score, bound, depth, complete, rank)| Entry {
                score: Score(score),
                bound,
                depth,
                complete,
                rank,
            },
        )
    }

    proptest! {
        #[test]
        fn entries_survive_being_packed(entry in entries(), age in 0..AGES) {
            prop_assert_eq!(Entry::unpack(entry.pack(age)), Some(entry));
            prop_assert_eq!(age_of(entry.pack(age)), age);
        }

        #[test]
        fn what_was_put_last_is_found_or_something_at_least_as_deep(
            key in any::<u64>(), first in entries(), second in entries(),
        ) {
            let mut table = Table::with_bytes(4096);
            table.next_search();
            table.put(key, first);
            prop_assert_eq!(table.get(key), Some(first));
            table.put(key, second);
            let found = table.get(key).unwrap();
            let kept = found == first;
            let bound = if first.meets(&second) { Bound::Exact } else { second.bound };
            let replaced = found == Entry { rank: second.rank.or(first.rank), bound, ..second };
            let better = first.complete || first.depth > second.depth;
            prop_assert!(replaced || kept && (better || first.says_more_than(&second)));
        }
    }

    fn entry(depth: u8) -> Entry {
        Entry { score: Score(5), bound: Bound::Exact, depth, complete: false, rank: Some(1) }
    }

    #[test]
    fn an_empty_table_knows_nothing_not_even_key_zero() {
        let table = Table::with_bytes(64);
        assert_eq!(table.get(0), None);
        assert_eq!(table.get(u64::MAX), None);
        assert_eq!(table.fullness(), 0);
    }

    #[test]
    fn memory_is_bounded() {
        for mib in [1, 3, 4] {
            let table = Table::new(mib);
            assert!(table.bytes() <= mib << 20 && table.bytes() * 2 > mib << 20);
        }
        assert_eq!(Table::new(0).bytes(), 64);
    }

    #[test]
    fn shallow_entries_give_way_to_deep_ones() {
        let mut table = Table::with_bytes(64);
        table.next_search();
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.put(key, entry(depth));
        }
        assert_eq!(table.get(2), None, "the shallowest entry goes first");
        assert!([1, 3, 4, 5].iter().all(|&k| table.get(k).is_some()));
        assert_eq!(table.fullness(), 1000);
    }

    #[test]
    fn old_entries_give_way_to_new_ones() {
        let mut table = Table::with_bytes(64);
        table.next_search();
        for key in 1..=4 {
            table.put(key, entry(9));
        }
        table.next_search();
        table.next_search();
        for key in 5..=8 {
            table.put(key, entry(1));
        }
        assert!((1..=4).all(|k| table.get(k).is_none()));
        assert!((5..=8).all(|k| table.get(k).is_some()));
    }

    #[test]
    fn a_bound_from_below_and_one_from_above_make_a_value() {
        let table = Table::with_bytes(64);
        let below = Entry { bound: Bound::Lower, ..entry(3) };
        table.put(7, below);
        table.put(7, Entry { bound: Bound::Upper, rank: None, ..below });
        assert_eq!(table.get(7), Some(entry(3)));
        table.put(8, below);
        let above = Entry { bound: Bound::Upper, score: Score(6), ..below };
        table.put(8, above);
        assert_eq!(table.get(8), Some(above), "there is room between 5 and 6");
    }

    #[test]
    fn of_two_bounds_of_one_kind_the_stronger_stays() {
        let mut table = Table::with_bytes(64);
        table.next_search();
        let strong = Entry { bound: Bound::Lower, ..entry(3) };
        let weak = Entry { score: Score(4), ..strong };
        for pair in [[strong, weak], [weak, strong]] {
            table.put(7, pair[0]);
            table.put(7, pair[1]);
            assert_eq!(table.get(7), Some(strong));
        }
        table.put(7, Entry { depth: 2, ..weak });
        assert_eq!(table.get(7), Some(strong), "a shallower bound does not replace a deeper one");
    }

    #[test]
    fn clearing_forgets() {
        let mut table = Table::with_bytes(1024);
        table.next_search();
        table.put(7, entry(3));
        table.clear();
        assert_eq!(table.get(7), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Table::with_bytes(64);
        table.put(7, entry(3));
        let [_, data] =
            table.bucket(7).iter().find(|[_, data]| data.load(Ordering::Relaxed) != 0).unwrap();
        data.store(entry(4).pack(0), Ordering::Relaxed);
        assert_eq!(table.get(7), None);
    }
}
