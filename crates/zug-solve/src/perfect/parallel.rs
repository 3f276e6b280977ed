//! Work on a row of things on several threads.

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
