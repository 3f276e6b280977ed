//! What does one evaluation cost? Counts times weights, the quick form of the same, and the
//! evaluation that was written by hand, on positions in the order in which a search meets them.

use cozy_chess::Board;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zug_chess::engine::evaluation::{Evaluation, Eye};
use zug_chess::model::{Model, Start};
use zug_chess::types::{Scheme, Zones};
use zug_chess::{HandMade, factors, fen};

const ROOTS: [&str; 6] = [
    fen::START,
    "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQkq - 0 8",
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP1B2/1PN1PN2/P2QBPPP/R4RK1 b - - 0 11",
    "2r2rk1/1b2qppp/p2p1n2/1p2p3/4P3/1BN1Q3/PPP2PPP/2KR3R w - - 0 17",
    "8/5pk1/3r2p1/1p5p/1P2R2P/5PP1/5K2/8 w - - 0 40",
    "6k1/5ppp/1p2b3/p2n4/P2N4/1P2B3/5PPP/6K1 w - - 0 30",
];

/// All positions two plies from a root, one after the other.
fn positions() -> Vec<Board> {
    fn children(board: &Board, out: &mut Vec<Board>) {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                out.push(next);
            }
            false
        });
    }
    let mut all = Vec::new();
    for root in ROOTS {
        let mut first = Vec::new();
        children(fen::parse(root).expect("a position").board(), &mut first);
        first.iter().for_each(|board| children(board, &mut all));
    }
    all
}

fn eye<E: Evaluation>(criterion: &mut Criterion, name: &str, evaluation: &E, boards: &[Board]) {
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let mut eye = evaluation.eye();
    group.bench_function(name, |b| {
        b.iter(|| boards.iter().map(|board| eye.evaluate(black_box(board))).sum::<i32>());
    });
    group.finish();
}

fn evaluations(criterion: &mut Criterion) {
    let boards = positions();
    let phases = Model::start(Scheme::Phases, Start::Thesis);
    let types = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
    eye(criterion, "by hand", &HandMade, &boards);
    eye(criterion, "phases", &phases.fast(), &boards);
    eye(criterion, "33 types", &types.fast(), &boards);
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let fast = phases.fast();
    group.bench_function("phases, nothing remembered", |b| {
        b.iter(|| boards.iter().map(|board| fast.steps(black_box(board))).sum::<i64>());
    });
    let mut counts = Vec::new();
    group.bench_function("counts times weights", |b| {
        b.iter(|| {
            let value = |board: &Board| {
                factors::count(black_box(board), &mut counts);
                phases.value_of(&counts, phases.scheme.shares(board))
            };
            boards.iter().map(value).sum::<f64>()
        });
    });
    group.finish();
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
