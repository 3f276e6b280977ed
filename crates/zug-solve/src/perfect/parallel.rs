//! Work on a row of things in pieces, on several threads, with results in their order.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Replaces every element of a row, in pieces on several threads, and sums up what each piece says
/// with the larger of two.
pub(crate) fn update(
    row: &mut [f32],
    threads: usize,
    work: impl Fn(usize, &mut [f32]) -> f32 + Sync,
) -> f32 {
    let size = row.len().div_ceil(threads.max(1)).max(1);
    if threads <= 1 || row.len() < 4096 {
        return work(0, row);
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = row
            .chunks_mut(size)
            .enumerate()
            .map(|(i, piece)| {
                let work = &work;
                scope.spawn(move || work(i * size, piece))
            })
            .collect();
        workers.into_iter().map(|w| w.join().expect("a worker ends")).fold(0.0, f32::max)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_in_order_and_cover_everything_once() {
        for threads in [1, 3] {
            let made = pieces(1003, 10, threads, |range| range.collect::<Vec<_>>());
            assert_eq!(made.concat(), (0..1003).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_update_reaches_every_element_and_keeps_the_largest_answer() {
        for threads in [1, 3] {
            let mut row = vec![0.0; 10_000];
            let most = update(&mut row, threads, |first, piece| {
                for (i, x) in piece.iter_mut().enumerate() {
                    *x = (first + i) as f32;
                }
                piece.len() as f32 + first as f32
            });
            assert_eq!(most, 10_000.0);
            assert!(row.iter().enumerate().all(|(i, &x)| x == i as f32));
        }
    }
}
