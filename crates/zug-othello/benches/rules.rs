//! How fast are the rules and the evaluation? Leaves a second (counted in bulk) from the start.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zug_core::Game;
use zug_othello::Othello;

fn perft(c: &mut Criterion) {
    let game = Othello::default();
    let start = game.start();
    let mut group = c.benchmark_group("perft");
    group.sample_size(10);
    for (depth, leaves) in [(9, 3_005_288), (11, 212_258_800)] {
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(format!("depth {depth}"), |b| {
            b.iter(|| assert_eq!(game.perft(black_box(&start), depth), leaves));
        });
    }
    group.finish();
}

criterion_group!(benches, perft);
criterion_main!(benches);
