//! How fast are the rules and the evaluation? Leaves a second (counted in bulk) from the start.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zug_core::{Evaluator, Game};
use zug_othello::{HandEvaluator, Othello, RandomPlay};
use zug_search::Rollout;

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

fn judging(c: &mut Criterion) {
    let game = Othello::default();
    let hand = HandEvaluator::new(&game);
    let middle = game
        .read_position("--OOOO----OOXX----OXXXXXXXOXXOOO-XXXXOO-OXXXXXXO----X----------- O")
        .expect("a position");
    c.bench_function("evaluate", |b| b.iter(|| hand.evaluate(&game, black_box(&middle))));
    let mut rng = zug_core::rng(1, 0);
    c.bench_function("random game", |b| {
        b.iter(|| RandomPlay.rollout(&game, black_box(&game.start()), &mut rng));
    });
}

criterion_group!(benches, perft, judging);
criterion_main!(benches);
