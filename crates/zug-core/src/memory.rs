//! Memory for large tables that many threads share.
//!
//! The words are zero, and the system hands out their memory when it is first touched: a table of
//! gigabytes is there at once, and a short search pays for what it uses. (Asking the allocator for
//! aligned memory would not do: where the alignment is large it writes the zeros itself.)

use std::sync::atomic::AtomicU64;

/// The words of a cache line.
pub const WORDS: usize = 8;

/// Zeros up to this many words are written; for more, fresh memory is quicker.
const FEW: usize = 1 << 17;

/// Cache lines of words, all zero at first.
///
/// ```
/// use std::sync::atomic::Ordering::Relaxed;
/// use zug_core::memory::CacheLines;
///
/// let mut table = CacheLines::new(1 << 10).expect("that much memory");
/// table.lines()[7][3].store(5, Relaxed);
/// assert_eq!(table.lines()[7][3].load(Relaxed), 5);
/// table.clear();
/// assert_eq!(table.lines()[7][3].load(Relaxed), 0);
/// assert!(CacheLines::new(usize::MAX / 2).is_none());
/// ```
pub struct CacheLines {
    /// One line more than is asked for, less a word: the first ones bring the rest into line.
    words: Box<[AtomicU64]>,
    first: usize,
    count: usize,
}

impl CacheLines {
    /// This many lines; `None` when there is no memory for them.
    #[must_use]
    pub fn new(count: usize) -> Option<CacheLines> {
        let size = count.checked_mul(WORDS)?.checked_add(WORDS - 1)?;
        let words = bytemuck::allocation::try_zeroed_slice_box::<AtomicU64>(size).ok()?;
        let at = words.as_ptr().addr() / size_of::<AtomicU64>();
        let first = at.next_multiple_of(WORDS) - at;
        Some(CacheLines { words, first, count })
    }

    /// The lines.
    #[inline(always)]
    #[must_use]
    pub fn lines(&self) -> &[[AtomicU64; WORDS]] {
        self.words[self.first..self.first + self.count * WORDS].as_chunks().0
    }

    /// Makes all words zero again.
    pub fn clear(&mut self) {
        if self.words.len() > FEW
            && let Some(fresh) = CacheLines::new(self.count)
        {
            *self = fresh;
            return;
        }
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn lines_begin_where_cache_lines_do_and_are_zero_again_after_clearing() {
        for count in [1, 3, 1000, FEW / WORDS + 1] {
            let mut table = CacheLines::new(count).unwrap();
            assert_eq!(table.lines().len(), count);
            assert_eq!(table.lines().as_ptr().addr() % 64, 0);
            table.lines().iter().flatten().for_each(|word| word.store(7, Relaxed));
            table.clear();
            assert_eq!((table.lines().len(), table.lines().as_ptr().addr() % 64), (count, 0));
            assert!(table.lines().iter().flatten().all(|word| word.load(Relaxed) == 0));
        }
        assert!(CacheLines::new(0).unwrap().lines().is_empty());
    }
}
