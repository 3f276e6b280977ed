//! Going through many slots on several threads, in pieces that nobody has to agree about before.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use zug_core::{Progress, StopFlag};

/// Slots that a thread takes at a time.
const PIECE: u64 = 1 << 14;

/// Calls `work` with pieces of a range, each once, and gives back the states of all threads. The
/// first error ends it all; so does the flag, which the caller looks at.
pub(crate) fn sweep<S: Send, E: Send>(
    range: Range<u64>,
    threads: usize,
    progress: &dyn Progress,
    stop: &StopFlag,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, Range<u64>) -> Result<(), E> + Sync,
) -> Result<Vec<S>, E> {
    let next = AtomicU64::new(range.start);
    let failure = Mutex::new(None);
    let failed = || failure.lock().is_ok_and(|f| f.is_some());
    let run = || {
        let mut state = state();
        while !stop.is_set() && !failed() {
            let start = next.fetch_add(PIECE, Ordering::Relaxed);
            if start >= range.end {
                break;
            }
            let piece = start..range.end.min(start + PIECE);
            let length = piece.end - piece.start;
            if let Err(error) = work(&mut state, piece) {
                if let Ok(mut failure) = failure.lock() {
                    failure.get_or_insert(error);
                }
                break;
            }
            progress.advance(length);
        }
        state
    };
    let states = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(run)).collect();
        let mut states = vec![run()];
        for other in others {
            match other.join() {
                Ok(state) => states.push(state),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        states
    });
    match failure.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(states),
    }
}

/// Cuts `0..length` into pieces of `size` and gives back what `work` makes of each, in order.
pub(crate) fn pieces<T: Send>(
    length: usize,
    size: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let count = length.div_ceil(size);
    let piece = |i: usize| i * size..((i + 1) * size).min(length);
    if threads <= 1 || count <= 1 {
        return (0..count).map(|i| work(piece(i))).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    let made = work(piece(i));
                    done.lock().expect("no worker panics while it holds the lock").push((i, made));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics while it holds the lock");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Silent;

    #[test]
    fn pieces_come_back_in_order_and_cover_everything_once() {
        for threads in [1, 3] {
            let made = pieces(1003, 10, threads, |range| range.collect::<Vec<_>>());
            assert_eq!(made.concat(), (0..1003).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_slot_is_met_once_whatever_the_number_of_threads() {
        for threads in [0, 1, 3] {
            let sums = sweep(
                5..100_005,
                threads,
                &Silent,
                &StopFlag::new(),
                || (0u64, 0u64),
                |sum, piece| {
                    for slot in piece {
                        *sum = (sum.0 + 1, sum.1 + slot);
                    }
                    Ok::<(), ()>(())
                },
            );
            let total = sums.unwrap().iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            assert_eq!(total, (100_000, (5..100_005).sum()));
        }
    }

    #[test]
    fn an_error_and_a_stop_end_the_walk() {
        let failed = sweep(
            0..1 << 30,
            2,
            &Silent,
            &StopFlag::new(),
            || (),
            |(), piece| if piece.start > 100_000 { Err(piece.start) } else { Ok(()) },
        );
        assert!(failed.unwrap_err() > 100_000);
        let stop = StopFlag::new();
        stop.set();
        let counts = sweep(
            0..1 << 40,
            2,
            &Silent,
            &stop,
            || 0,
            |n, _| {
                *n += 1;
                Ok::<(), ()>(())
            },
        );
        assert_eq!(counts.unwrap(), [0, 0]);
    }
}
