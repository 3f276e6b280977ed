//! Memory for tables of what is known about positions.
//!
//! A power of two of buckets, each a cache line, found by the lowest bits of a key. The system hands
//! out the memory when it is first used, so that a large table costs a short search nothing.

use crate::Board;
use bytemuck::Zeroable;

/// There is not enough memory for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory for a table of {mib} MiB; ask for less hash")]
pub struct NoMemory {
    /// What was asked for.
    pub mib: usize,
}

/// Where a board belongs in any table.
#[inline(always)]
pub(crate) fn key(board: Board) -> u64 {
    let a = board.own ^ 0x9E37_79B9_7F4A_7C15;
    let b = board.other ^ 0xD1B5_4A32_D192_ED03;
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

/// A power of two of buckets that are all zero at first.
pub(crate) struct Buckets<B>(Box<[B]>);

impl<B: Zeroable + Default> Buckets<B> {
    /// As many as fit into this many bytes; one at least.
    pub fn new(bytes: usize) -> Result<Buckets<B>, NoMemory> {
        let wanted = bytes / size_of::<B>();
        let count = if wanted == 0 { 1 } else { 1usize << wanted.ilog2() };
        let mut buckets = bytemuck::allocation::try_zeroed_slice_box(count)
            .map_err(|()| NoMemory { mib: bytes >> 20 })?;
        ask_for_large_pages(&mut buckets);
        Ok(Buckets(buckets))
    }

    /// Makes all of them zero again.
    pub fn wipe(&mut self) {
        self.0.fill_with(B::default);
    }

    /// The bucket of a key.
    #[inline(always)]
    pub fn at(&self, key: u64) -> &B {
        &self.0[key as usize & (self.0.len() - 1)]
    }

    /// The first so many, to look at.
    pub fn first(&self, most: usize) -> &[B] {
        &self.0[..most.min(self.0.len())]
    }

    /// Asks the memory for a bucket that will be wanted soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch has no effect that a program can see, and the address is that of
            // a bucket. The instruction is part of every x86-64.
            unsafe { _mm_prefetch(std::ptr::from_ref(self.at(key)).cast::<i8>(), _MM_HINT_T0) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }
}

/// Large pages make looks into large tables quicker: their places are found without walking through
/// the tables of the system.
fn ask_for_large_pages<B>(buckets: &mut [B]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 2 << 20;
        let memory = buckets.as_mut_ptr_range();
        let start = memory.start.addr().next_multiple_of(PAGE);
        let end = memory.end.addr() / PAGE * PAGE;
        if start < end {
            let start = memory.start.with_addr(start).cast();
            let advice = rustix::mm::Advice::LinuxHugepage;
            // A system without large pages goes on with small ones.
            // SAFETY: the range lies within memory that is ours; the advice changes how the system
            // backs it, not what is in it.
            let _ = unsafe { rustix::mm::madvise(start, end - start.addr(), advice) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = buckets;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn buckets_are_a_power_of_two_that_fits() {
        for (bytes, count) in [(0, 1), (7, 1), (8, 1), (24, 2), (100, 8), (5 << 20, 1 << 19)] {
            let buckets = Buckets::<u64>::new(bytes).unwrap();
            assert_eq!(buckets.first(usize::MAX).len(), count);
            assert!(buckets.first(usize::MAX).iter().all(|&b| b == 0));
        }
    }

    #[test]
    fn what_is_written_is_found_by_its_key_until_wiped() {
        let mut buckets = Buckets::<AtomicU64>::new(64).unwrap();
        buckets.at(11).store(5, Relaxed);
        buckets.prefetch(u64::MAX);
        assert_eq!(buckets.at(3).load(Relaxed), 5, "eight buckets: 3 and 11 are the same");
        buckets.wipe();
        assert_eq!(buckets.at(3).load(Relaxed), 0);
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        let error = Buckets::<u64>::new(1 << 62).err().unwrap();
        assert!(error.to_string().contains("MiB"));
    }
}
