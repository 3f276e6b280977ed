//! How long does an iteration of a joint fit take for each row?
//!
//! The rows are of the size of those of Othello: 65 cells out of 145 000, the common ones far more
//! often than the rare ones. What takes the time are looks into tables at random places; the
//! arithmetic of a row is 130 additions.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zug_core::seed::RngExt;
use zug_core::{Silent, StopFlag, rng};
use zug_learn::joint::{Loss, Place, TableChunk, TableFit, TablesInMemory, fit};

const CELLS: usize = 145_000;
const KNOTS: usize = 14;
const WIDTH: usize = 65;
/// Enough that the work on the two million weights themselves hardly counts.
const ROWS: usize = 280_000;
const ITERATIONS: u64 = 5;

fn rows() -> TablesInMemory {
    let mut rng = rng(1, 0);
    let mut chunk = |knot: usize| {
        // Cubes of uniform numbers: half of the looks go to an eighth of the cells.
        let cell = |_| (rng.random::<f64>().powi(3) * CELLS as f64) as u32;
        let cells: Vec<u32> = (0..ROWS / KNOTS * WIDTH).map(cell).collect();
        let targets = cells.chunks_exact(WIDTH).map(|row| (row[0] % 128) as f32 - 64.0).collect();
        let weights = vec![1.0; ROWS / KNOTS];
        TableChunk { place: Place { knot, share: 0.0 }, cells, targets, weights }
    };
    let chunks = (0..KNOTS).map(&mut chunk).collect();
    TablesInMemory { cells: CELLS, knots: KNOTS, width: WIDTH, chunks }
}

fn iterations(c: &mut Criterion) {
    let data = rows();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = c.benchmark_group("joint fit on one thread");
    group.sample_size(10);
    group.throughput(Throughput::Elements(ROWS as u64 * ITERATIONS));
    for loss in [Loss::Squared, Loss::Logistic] {
        // The logistic loss wants chances; a step of conjugate gradients an iteration makes the two
        // comparable.
        let mut data = data.clone();
        if loss == Loss::Logistic {
            let targets = data.chunks.iter_mut().flat_map(|c| &mut c.targets);
            targets.for_each(|t| *t = if *t > 0.0 { 1.0 } else { 0.0 });
        }
        let options = TableFit {
            loss,
            iterations: ITERATIONS,
            inner: 1,
            tolerance: 0.0,
            ..TableFit::default()
        };
        let run = || fit(&data, None, &options, None, &Silent, &StopFlag::new());
        group.bench_function(format!("rows and iterations, {loss:?}"), |b| {
            b.iter(|| black_box(one_thread.install(run)).expect("sound rows"));
        });
    }
    group.finish();
}

criterion_group!(benches, iterations);
criterion_main!(benches);
