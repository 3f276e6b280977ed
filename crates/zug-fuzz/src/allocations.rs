//! How much memory does an input take?
//!
//! A program that runs campaigns installs [`CountingAllocator`] as its global allocator. (Memory
//! that C libraries take for themselves is not seen.)

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static INSTALLED: AtomicBool = AtomicBool::new(false);
static EXCEEDED: AtomicBool = AtomicBool::new(false);

/// Far above what any input may take and far below what any machine has.
pub const HARD_LIMIT: usize = 1 << 30;

/// The system's allocator, counting the bytes that are in use.
pub struct CountingAllocator;

// SAFETY: every call goes to the system's allocator unchanged; the counters are atomics and never
// touch the memory handed out. A call that would exceed the hard limit never returns.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            grow(size - layout.size());
        } else {
            LIVE.fetch_sub(layout.size() - size, Ordering::Relaxed);
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn grow(bytes: usize) {
    INSTALLED.store(true, Ordering::Relaxed);
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    if live > PEAK.load(Ordering::Relaxed) {
        PEAK.fetch_max(live, Ordering::Relaxed);
    }
    if live > HARD_LIMIT {
        // Whoever watches writes down the input and ends the process; an allocator can do neither.
        EXCEEDED.store(true, Ordering::Relaxed);
        loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    }
}

/// Forgets the peak; gives back the bytes in use now.
pub fn begin() -> usize {
    let live = LIVE.load(Ordering::Relaxed);
    PEAK.store(live, Ordering::Relaxed);
    live
}

/// The most bytes in use at once since [`begin`], beyond those that were in use then.
#[must_use]
pub fn peak_since(begin: usize) -> usize {
    PEAK.load(Ordering::Relaxed).saturating_sub(begin)
}

/// Is somebody counting?
#[must_use]
pub fn is_counting() -> bool {
    INSTALLED.load(Ordering::Relaxed)
}

/// Has an input run into the hard limit? Its thread then hangs.
#[must_use]
pub fn is_exceeded() -> bool {
    EXCEEDED.load(Ordering::Relaxed)
}
