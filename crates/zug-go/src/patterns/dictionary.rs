//! Which number has a pattern?

use super::fields::PLAIN;

/// Finds the number of a pattern by its key.
///
/// Keys are cut to [`BITS`] bits. The table holds half of a key and a number in eight bytes, so a
/// look-up is one access to memory; the other bits choose the place. A key that is not in it is taken
/// for one that is less than once in a million million look-ups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dictionary {
    slots: Vec<(u32, u32)>,
    mask: usize,
}

/// The bits of a key that are kept in files.
pub const BITS: u32 = 48;

/// A key as it is kept.
#[inline]
#[must_use]
pub const fn kept(key: u64) -> u64 {
    key >> (64 - BITS)
}

impl Dictionary {
    /// Of [kept] keys; their numbers follow those of the plain features.
    #[must_use]
    pub fn new(keys: &[u64]) -> Dictionary {
        let capacity = (keys.len() * 2).next_power_of_two().max(16);
        let mut table = Dictionary { slots: vec![(0, 0); capacity], mask: capacity - 1 };
        for (i, &key) in keys.iter().enumerate() {
            let mut at = table.slot(key);
            while table.slots[at].1 != 0 {
                at = (at + 1) & table.mask;
            }
            table.slots[at] = (key as u32, (PLAIN + i) as u32);
        }
        table
    }

    #[inline]
    fn slot(&self, kept: u64) -> usize {
        (kept.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 28) as usize & self.mask
    }

    /// The number of a pattern with this whole key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<u32> {
        self.number(key, self.glance(key))
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }
}

/// Knows patterns by their keys. A look has two parts, so that many looks can be on their way to the
/// memory at the same time.
pub trait Numbers {
    /// What is seen at first.
    type Glance: Copy;

    /// The first part; waits for nothing.
    fn glance(&self, key: u64) -> Self::Glance;

    /// The second part.
    fn number(&self, key: u64, glance: Self::Glance) -> Option<u32>;
}

impl Numbers for Dictionary {
    type Glance = (u32, u32);

    #[inline]
    fn glance(&self, key: u64) -> (u32, u32) {
        self.slots[self.slot(kept(key))]
    }

    #[inline]
    fn number(&self, key: u64, (mut half, mut number): (u32, u32)) -> Option<u32> {
        let key = kept(key);
        let mut at = self.slot(key);
        loop {
            if number == 0 {
                return None;
            }
            if half == key as u32 {
                return Some(number);
            }
            at = (at + 1) & self.mask;
            (half, number) = self.slots[at];
        }
    }
}

impl<F: Fn(u64) -> Option<u32>> Numbers for F {
    type Glance = ();
    fn glance(&self, _: u64) {}
    fn number(&self, key: u64, (): ()) -> Option<u32> {
        self(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_are_found_and_others_are_not(keys in prop::collection::hash_set(any::<u64>(), 0..300)) {
            let (inside, outside): (Vec<u64>, Vec<u64>) = keys.iter().partition(|&&k| k % 2 == 0);
            let kept: Vec<u64> = inside.iter().map(|&k| kept(k)).collect();
            let table = Dictionary::new(&kept);
            for (i, key) in inside.iter().enumerate() {
                prop_assert_eq!(table.get(*key), Some((PLAIN + i) as u32));
            }
            for key in outside {
                prop_assert_eq!(table.get(key), None);
            }
        }
    }
}
