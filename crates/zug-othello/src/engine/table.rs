//! What was found about positions earlier in a search.

use crate::Board;

/// How a stored value stands to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At least.
    Lower,
    /// At most.
    Upper,
    /// Equal.
    Exact,
}

/// What is stored about a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    key: u64,
    pub value: i32,
    /// The depth, and above it two bits for the bound.
    depth_and_bound: u8,
    /// The square of the best move; 64 for none.
    pub best: u8,
    /// The number of the search.
    age: u16,
}

const NOTHING: Entry = Entry { key: 0, value: 0, depth_and_bound: 0, best: 64, age: 0 };

const DEPTH: u8 = 63;

impl Entry {
    pub fn depth(&self) -> u8 {
        self.depth_and_bound & DEPTH
    }

    pub fn bound(&self) -> Bound {
        match self.depth_and_bound >> 6 {
            0 => Bound::Lower,
            1 => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

/// A table of fixed size. Positions share places in pairs; of two the older goes, then the one that
/// was searched less deeply.
pub struct Table {
    entries: Vec<[Entry; 2]>,
    /// The number of this search.
    age: u16,
    /// Entries of searches before this one are forgotten.
    oldest: u16,
}

impl Table {
    /// With so many MiB, rounded down to a power of two.
    pub fn new(mib: usize) -> Table {
        let pairs = (mib.max(1) << 20) / size_of::<[Entry; 2]>();
        let pairs = 1 << pairs.ilog2();
        Table { entries: vec![[NOTHING; 2]; pairs], age: 1, oldest: 1 }
    }

    /// A new search begins: what is known stays, but gives way first.
    pub fn next_search(&mut self) {
        if self.age == u16::MAX {
            self.wipe();
        }
        self.age += 1;
    }

    /// Forgets everything. Entries stay where they are but are not found again, nor do they keep
    /// others from their places; the memory itself is seldom touched, since that would take longer
    /// than many a search.
    pub fn clear(&mut self) {
        if self.age > u16::MAX / 2 {
            self.wipe();
        } else {
            self.age += 1;
            self.oldest = self.age;
        }
    }

    fn wipe(&mut self) {
        self.entries.fill([NOTHING; 2]);
        (self.age, self.oldest) = (1, 1);
    }

    fn place(&self, key: u64) -> usize {
        // The pairs are a power of two; the high bits of a product are the best mixed ones.
        (key >> 20) as usize & (self.entries.len() - 1)
    }

    pub fn get(&self, key: u64) -> Option<&Entry> {
        let oldest = self.oldest;
        self.entries[self.place(key)].iter().find(|e| e.key == key && e.age >= oldest)
    }

    pub fn put(&mut self, key: u64, value: i32, depth: u32, bound: Bound, best: u8) {
        let (age, oldest) = (self.age, self.oldest);
        let place = self.place(key);
        let pair = &mut self.entries[place];
        let is_same = |e: &Entry| e.key == key && e.age >= oldest;
        // What is forgotten is worth as little as nothing at all.
        let worth = |e: &Entry| (e.age == age, if e.age < oldest { 0 } else { e.depth() });
        let slot = match pair.iter().position(is_same) {
            Some(slot) => slot,
            None => usize::from(worth(&pair[1]) < worth(&pair[0])),
        };
        let best = if best == 64 && is_same(&pair[slot]) { pair[slot].best } else { best };
        let bound = match bound {
            Bound::Lower => 0,
            Bound::Upper => 1,
            Bound::Exact => 2,
        };
        let depth_and_bound = (depth as u8).min(DEPTH) | bound << 6;
        pair[slot] = Entry { key, value, depth_and_bound, best, age };
    }
}

/// A number that differs for different boards (but for once in 2⁶⁴), never 0.
#[inline]
pub fn key_of(board: Board) -> u64 {
    let mut x = board.own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ board.other.rotate_left(29);
    x = (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x = (x ^ board.other.wrapping_mul(0xC2B2_AE3D_27D4_EB4F)).wrapping_mul(0x9FB2_1C65_1E98_DF25);
    (x ^ (x >> 29)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn deep_entries_of_this_search_stay_and_old_ones_go() {
        let mut table = Table::new(1);
        let same_place: Vec<u64> = (1..5).map(|k| k << 45 | 1).collect();
        table.put(same_place[0], 10, 8, Bound::Exact, 3);
        table.put(same_place[1], 11, 2, Bound::Exact, 4);
        table.put(same_place[2], 12, 5, Bound::Lower, 5);
        assert!(table.get(same_place[0]).is_some() && table.get(same_place[1]).is_none());
        table.next_search();
        table.put(same_place[3], 13, 1, Bound::Upper, 64);
        assert!(table.get(same_place[0]).is_some() && table.get(same_place[2]).is_none());
        // A value without a move keeps the move that is known.
        table.put(same_place[0], 9, 3, Bound::Upper, 64);
        assert_eq!(table.get(same_place[0]).unwrap().best, 3);
    }
    proptest! {
        #[test]
        fn a_cleared_table_answers_like_a_new_one(
            before in prop::collection::vec((0..40u64, 0..20u32), 0..60),
            clears in 1..4usize,
            after in prop::collection::vec((0..40u64, 0..20u32, 0..5u8), 1..60),
        ) {
            let key = |k: u64| (k % 9) << 45 | (k / 9) << 20 | 1;
            let (mut used, mut fresh) = (Table::new(1), Table::new(1));
            for _ in 0..clears {
                for &(k, depth) in &before {
                    used.put(key(k), 7, depth, Bound::Exact, 9);
                    used.next_search();
                }
                used.clear();
            }
            for &(k, depth, what) in &after {
                match what {
                    0 => {
                        used.next_search();
                        fresh.next_search();
                    }
                    _ => {
                        let bound = [Bound::Lower, Bound::Upper, Bound::Exact][what as usize % 3];
                        used.put(key(k), depth as i32, depth, bound, 64 - what);
                        fresh.put(key(k), depth as i32, depth, bound, 64 - what);
                    }
                }
                for k in 0..40 {
                    let told = |e: &Entry| (e.value, e.depth(), e.bound(), e.best);
                    prop_assert_eq!(used.get(key(k)).map(told), fresh.get(key(k)).map(told));
                }
            }
        }
    }

    #[test]
    fn forgetting_goes_on_when_the_searches_are_out_of_numbers() {
        let mut table = Table::new(1);
        for i in 0..200_000u32 {
            table.put(1 << 45 | 1, i as i32, 3, Bound::Exact, 5);
            if i % 3 == 0 {
                table.next_search();
                assert!(table.get(1 << 45 | 1).is_some());
            }
            table.clear();
            assert!(table.get(1 << 45 | 1).is_none());
        }
    }
}
