//! What is remembered of positions that were searched before, by whichever thread?
//!
//! Buckets of four entries fill a cache line. An entry is two words: what is known, and the key
//! combined with it, so that an entry which two threads wrote at once does not match any key. No
//! lock is needed.
//!
//! ```text
//! bits of what is known:  0-15 move | 16-31 value | 32-47 evaluation | 48-55 depth + 1 | 56-57 bound | 58 principal | 59-63 age
//! ```

use super::value::{NONE, Value};
use cozy_chess::{Move, Piece, Square};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use zug_core::memory::{CacheLines, WORDS};

/// What a value in the table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing: only the evaluation is known.
    None,
    /// The value is at most this (UPPER).
    AtMost,
    /// The value is at least this (LOWER).
    AtLeast,
    /// The value is this (EXACT).
    Exact,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::None, Kind::AtMost, Kind::AtLeast, Kind::Exact];

    /// Does a value of this kind say that the true one is at least as great?
    pub fn is_lower(self) -> bool {
        matches!(self, Kind::AtLeast | Kind::Exact)
    }

    /// Does a value of this kind say that the true one is at most as great?
    pub fn is_upper(self) -> bool {
        matches!(self, Kind::AtMost | Kind::Exact)
    }
}

/// The depth of what was not searched, or by captures alone.
pub(super) const UNSEARCHED: i32 = -1;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub mv: Option<Move>,
    /// Distances count from the node; [`NONE`] without a bound.
    pub value: Value,
    /// The evaluation of the position itself, or [`NONE`].
    pub evaluation: Value,
    pub depth: i32,
    pub kind: Kind,
    /// Was it part of a principal variation?
    pub principal: bool,
}

/// The words of an entry: what is known, and the key combined with it.
const ENTRY: usize = 2;
/// The entries of a bucket.
const ENTRIES: usize = WORDS / ENTRY;

/// There is not enough memory for a table of the size that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is not enough memory for a table of {0} bytes")]
pub struct NoMemory(pub usize);

/// The transposition table.
pub(super) struct Table {
    buckets: CacheLines,
    age: u8,
}

/// Ages go round.
const AGES: u8 = 32;

impl Table {
    /// A table of about so many bytes, at least one bucket.
    pub fn new(bytes: usize) -> Result<Table, NoMemory> {
        let count = (bytes / size_of::<[AtomicU64; WORDS]>()).max(1);
        let buckets = CacheLines::new(count).ok_or(NoMemory(bytes))?;
        Ok(Table { buckets, age: 0 })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.age = 0;
        self.buckets.clear();
    }

    /// A new search begins: what is there becomes older.
    pub fn grow_older(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; ENTRY]] {
        let buckets = self.buckets.lines();
        // The high bits choose, whatever the number of buckets.
        buckets[((u128::from(key) * buckets.len() as u128) >> 64) as usize].as_chunks().0
    }

    /// What is known of the position with this key.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[known, check]| {
            let known = known.load(Relaxed);
            (known != 0 && check.load(Relaxed) ^ known == key).then(|| unpack(known))
        })
    }

    /// Remembers a position. A move that is known already is kept if there is none now.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let bucket = self.bucket(key);
        let mut place = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            let known = slot[0].load(Relaxed);
            if known == 0 || slot[1].load(Relaxed) ^ known == key {
                if known != 0 {
                    let old = unpack(known);
                    entry.mv = entry.mv.or(old.mv);
                    // A little less deep is still worth more than what it replaces, for it is new.
                    let fresh = age_of(known) == self.age;
                    if entry.kind != Kind::Exact && fresh && entry.depth + 4 < old.depth {
                        return;
                    }
                }
                place = slot;
                break;
            }
            let years = i32::from((AGES + self.age - age_of(known)) % AGES);
            let worth = depth_of(known) - 8 * years;
            if worth < least {
                (least, place) = (worth, slot);
            }
        }
        let known = pack(&entry, self.age);
        place[0].store(known, Relaxed);
        place[1].store(known ^ key, Relaxed);
    }

    /// How full it is with what this search found, in thousandths.
    pub fn fullness(&self) -> u32 {
        let buckets = self.buckets.lines();
        let sample = &buckets[..buckets.len().min(250)];
        let entries = sample.iter().flat_map(|bucket| bucket.as_chunks::<ENTRY>().0);
        let full = entries.filter(|[known, _]| {
            let known = known.load(Relaxed);
            known != 0 && age_of(known) == self.age
        });
        (full.count() * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

/// A move in 15 bits; 0 is none, since no move goes from a1 to a1.
pub(super) fn pack_move(mv: Option<Move>) -> u16 {
    mv.map_or(0, |mv| {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
    })
}

/// The move of a number; whether it is legal is another question.
pub(super) fn unpack_move(bits: u16) -> Option<Move> {
    if bits == 0 {
        return None;
    }
    let square = |at: u16| Square::index(usize::from(bits >> at & 63));
    // A pawn is promoted to no pawn, so 0 is free to say: no promotion.
    let promotion = match bits >> 12 & 7 {
        0 => None,
        kind => Some(Piece::try_index(usize::from(kind))?),
    };
    Some(Move { from: square(0), to: square(6), promotion })
}

fn pack(entry: &Entry, age: u8) -> u64 {
    let word = |value: Value| u64::from(value as i16 as u16);
    u64::from(pack_move(entry.mv))
        | word(entry.value) << 16
        | word(entry.evaluation) << 32
        | ((entry.depth + 1).clamp(0, 255) as u64) << 48
        | (entry.kind as u64) << 56
        | u64::from(entry.principal) << 58
        | u64::from(age) << 59
}

fn unpack(known: u64) -> Entry {
    let word = |at: u32| Value::from((known >> at) as u16 as i16);
    Entry {
        mv: unpack_move(known as u16),
        value: word(16),
        evaluation: word(32),
        depth: depth_of(known),
        kind: Kind::ALL[(known >> 56 & 3) as usize],
        principal: known >> 58 & 1 == 1,
    }
}

fn depth_of(known: u64) -> i32 {
    (known >> 48 & 255) as i32 - 1
}

fn age_of(known: u64) -> u8 {
    (known >> 59) as u8
}

impl Entry {
    /// Only the evaluation is known.
    pub fn evaluation(evaluation: Value) -> Entry {
        let (depth, kind) = (UNSEARCHED, Kind::None);
        Entry { mv: None, value: NONE, evaluation, depth, kind, principal: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry() -> impl Strategy<Value = Entry> {
        let mv = (0..64usize, 0..64usize, 0..6usize).prop_map(|(from, to, promotion)| {
            let promotion = [None, None, Some(1), Some(2), Some(3), Some(4)][promotion];
            let mv = Move {
                from: Square::index(from),
                to: Square::index(to),
                promotion: promotion.map(Piece::index),
            };
            (from != to).then_some(mv)
        });
        let values = (-32_000..32_000, -32_768..=32_767);
        (mv, values, -1..255, 0..4usize, any::<bool>()).prop_map(
            |(mv, (value, evaluation), depth, kind, principal)| Entry {
                mv,
                value,
                evaluation,
                depth,
                kind: Kind::ALL[kind],
                principal,
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_stored_is_found_again_until_better_comes(key: u64, entry in entry()) {
            let table = Table::new(1 << 12).unwrap();
            table.store(key, entry);
            prop_assert_eq!(table.probe(key), Some(entry));
            prop_assert_eq!(table.probe(key ^ 1), None);
        }

        #[test]
        fn numbers_that_are_no_moves_do_no_harm(bits: u16) {
            if let Some(mv) = unpack_move(bits) {
                prop_assert_eq!(pack_move(Some(mv)), bits & 0x7FFF);
            }
        }
    }

    #[test]
    fn a_full_bucket_gives_up_the_old_and_the_shallow() {
        let mut table = Table::new(0).unwrap();
        let deep = |depth| Entry { depth, kind: Kind::Exact, ..Entry::evaluation(1) };
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.store(key, deep(depth));
        }
        table.store(5, deep(1));
        assert!(table.probe(2).is_none() && table.probe(1).is_some());
        table.grow_older();
        table.store(6, deep(4));
        table.store(7, deep(6));
        assert!(table.probe(6).is_some() && table.probe(5).is_none());
        assert_eq!(table.fullness(), 500);
        table.clear();
        assert!(table.probe(1).is_none());
    }

    #[test]
    fn a_table_of_gigabytes_takes_memory_where_it_is_used_alone() {
        let Ok(mut table) = Table::new(4 << 30) else {
            println!("passed over: this system promises no 4 GiB");
            return;
        };
        let entry = Entry { depth: 3, kind: Kind::Exact, ..Entry::evaluation(1) };
        for _ in 0..3 {
            (0..64).for_each(|n| table.store(n << 58, entry));
            assert_eq!(table.probe(63 << 58), Some(entry));
            table.clear();
            assert_eq!(table.probe(63 << 58), None);
        }
    }

    #[test]
    fn a_table_beyond_all_memory_is_refused() {
        assert!(Table::new(usize::MAX / 2).is_err());
    }
}
