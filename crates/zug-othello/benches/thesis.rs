//! What do the features of the thesis cost? Mobility by look-up against an exact count, and one node
//! of a search with each way to evaluate it.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zug_core::seed::RngExt;
use zug_othello::Board;
use zug_othello::bits;
use zug_othello::engine::Evaluation;
use zug_othello::patterns::Indices;
use zug_othello::thesis::feature::Measure;
use zug_othello::thesis::model::{DISCS, Formula};
use zug_othello::thesis::rays::{RayTables, TwoSided, lanes};
use zug_othello::thesis::table::{PHASES, PatternTable};
use zug_othello::thesis::{
    Feature, FeatureSet, Hand, Method, MobilityAndCorners, ThesisModel, mobility,
};

/// Boards of random games with 24 to 27 discs, where searches spend their time.
fn boards(count: u64) -> Vec<Board> {
    let of_game = |game| {
        let mut rng = zug_core::rng(1, game);
        let mut board = Board::START;
        let discs = rng.random_range(24..28);
        while board.discs() < discs {
            let moves = board.moves();
            if moves == 0 {
                return None;
            }
            let chosen = rng.random_range(0..moves.count_ones()) as usize;
            board = board.after(bits::each(moves).nth(chosen)?);
        }
        Some(board)
    };
    (0..count).filter_map(of_game).collect()
}

fn mobilities(c: &mut Criterion) {
    let boards = boards(2000);
    let indices: Vec<Indices> = boards.iter().map(|&b| lanes().indices(b)).collect();
    let tables = RayTables::get(TwoSided::Once);
    let mut group = c.benchmark_group("mobility");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("exact, by bitboards", |b| {
        b.iter(|| black_box(&boards).iter().map(|&b| mobility::exact(b)).sum::<i32>());
    });
    group.bench_function("exact, square by square", |b| {
        let count = |board: Board| {
            let legal = |own, other| {
                bits::each(board.empty()).filter(|&s| bits::flips(s, own, other) != 0).count()
                    as i32
            };
            legal(board.own, board.other) - legal(board.other, board.own)
        };
        b.iter(|| black_box(&boards).iter().map(|&b| count(b)).sum::<i32>());
    });
    group.bench_function("approximate, 38 look-ups", |b| {
        b.iter(|| black_box(&indices).iter().map(|i| tables.mobility(i)).sum::<i32>());
    });
    group.bench_function("approximate, with potential mobility", |b| {
        let sum = |i| {
            let (moves, potential) = tables.both(i);
            moves + potential
        };
        b.iter(|| black_box(&indices).iter().map(sum).sum::<i32>());
    });
    group.finish();
}

/// A model of LOGISTELLO's features. What the numbers in it are does not matter for its speed.
fn model(method: Method) -> ThesisModel {
    let mut rng = zug_core::rng(2, 0);
    let set = FeatureSet::new(Feature::logistello()).expect("features that fit together");
    let mut table = |feature: &Feature| match feature.measure() {
        Measure::Pattern(p) => {
            let values = (0..PHASES * p.instances()).map(|_| rng.random_range(-127..=127));
            PatternTable::new(p.clone(), values.collect())
        }
        _ => None,
    };
    let tables = set.features().iter().map(&mut table).collect();
    let width = set.len();
    let pairs = if method == Method::Quadratic { width * (width + 1) / 2 } else { 0 };
    let formula = Formula { constant: 0.1, weights: vec![0.01; width], pairs: vec![1e-6; pairs] };
    ThesisModel::new(method, set, tables, vec![formula; DISCS.count()]).expect("a model")
}

/// Visits all boards two plies on, evaluates each, and adds up the values.
fn walk<E: Evaluation>(evaluation: &E, board: Board, state: &E::State, depth: u32) -> i64 {
    if depth == 0 {
        return i64::from(evaluation.value(board, state));
    }
    let mut sum = 0;
    for square in bits::each(board.moves()) {
        let flips = board.flips(square);
        let next = evaluation.played(state, square, flips);
        sum += walk(evaluation, board.played(square, flips), &next, depth - 1);
    }
    sum
}

fn nodes<E: Evaluation>(c: &mut Criterion, name: &str, evaluation: &E, boards: &[Board]) {
    let leaves = |board: Board| {
        let two = |s| board.after(s).moves().count_ones();
        bits::each(board.moves()).map(two).sum::<u32>()
    };
    let mut group = c.benchmark_group("a leaf two plies on");
    group.throughput(Throughput::Elements(boards.iter().map(|&b| u64::from(leaves(b))).sum()));
    group.bench_function(name, |b| {
        b.iter_batched(
            || boards.iter().map(|&b| (b, evaluation.state(b))).collect::<Vec<_>>(),
            |starts| starts.iter().map(|(b, s)| walk(evaluation, *b, s, 2)).sum::<i64>(),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn evaluations(c: &mut Criterion) {
    let boards = boards(50);
    let linear = model(Method::LogisticPlus);
    nodes(c, "linear, folded tables", &linear, &boards);
    nodes(c, "linear, bytes summed and weighed", &linear.summed(), &boards);
    nodes(c, "quadratic", &model(Method::Quadratic), &boards);
    nodes(c, "mobility and corners", &MobilityAndCorners, &boards);
    nodes(c, "made by hand", &Hand::default(), &boards);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_millis(1500));
    targets = mobilities, evaluations
}
criterion_main!(benches);
