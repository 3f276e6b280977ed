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
    pub depth: u8,
    pub bound: Bound,
    /// The square of the best move; 64 for none.
    pub best: u8,
    age: u8,
}

const NOTHING: Entry = Entry { key: 0, value: 0, depth: 0, bound: Bound::Lower, best: 64, age: 0 };

/// A table of fixed size. Positions share places in pairs; of two the older goes, then the one that
/// was searched less deeply.
pub struct Table {
    entries: Vec<[Entry; 2]>,
    age: u8,
}

impl Table {
    /// With so many MiB, rounded down to a power of two.
    pub fn new(mib: usize) -> Table {
        let pairs = (mib.max(1) << 20) / size_of::<[Entry; 2]>();
        let pairs = 1 << pairs.ilog2();
        Table { entries: vec![[NOTHING; 2]; pairs], age: 1 }
    }

    /// A new search begins: what is known stays, but gives way first.
    pub fn next_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill([NOTHING; 2]);
    }

    fn place(&self, key: u64) -> usize {
        // The pairs are a power of two; the high bits of a product are the best mixed ones.
        (key >> 20) as usize & (self.entries.len() - 1)
    }

    pub fn get(&self, key: u64) -> Option<&Entry> {
        self.entries[self.place(key)].iter().find(|e| e.key == key)
    }

    pub fn put(&mut self, key: u64, value: i32, depth: u32, bound: Bound, best: u8) {
        let age = self.age;
        let place = self.place(key);
        let pair = &mut self.entries[place];
        let worth = |e: &Entry| (e.age == age, e.depth);
        let slot = match pair.iter().position(|e| e.key == key) {
            Some(slot) => slot,
            None => usize::from(worth(&pair[1]) < worth(&pair[0])),
        };
        let best = if best == 64 && pair[slot].key == key { pair[slot].best } else { best };
        pair[slot] = Entry { key, value, depth: depth as u8, bound, best, age };
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
}
