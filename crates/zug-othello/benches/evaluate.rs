//! What does the pattern model cost? At one stage of the game at a time, as in a search: from the
//! squares, and after a move from the state before it.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zug_core::rng;
use zug_core::seed::RngExt;
use zug_othello::engine::Evaluation;
use zug_othello::patterns::{PatternModel, PatternSet, Phases};
use zug_othello::{Board, bits};

/// The default patterns with random weights: the cost does not depend on them.
fn model() -> PatternModel {
    let list = "edge2x corner3x3 corner2x5 row2 row3 row4 diagonal8 diagonal7 diagonal6 diagonal5 \
                diagonal4 triangle mobility";
    let set = PatternSet::parse(&list.split_whitespace().collect::<Vec<_>>()).expect("a set");
    let phases = Phases::every(8, 4, 60).expect("knots");
    let mut rng = rng(1, 0);
    let weights = (0..set.cells() * phases.len()).map(|_| rng.random_range(-900i32..900) as i16);
    let weights = weights.collect();
    PatternModel::new(set, phases, weights).expect("as many as there are cells")
}

/// Positions of random games with so many discs and a legal move.
fn positions(discs: u32) -> Vec<Board> {
    let mut rng = rng(2, 0);
    let mut all = Vec::new();
    while all.len() < 1000 {
        let mut board = Board::START;
        while !board.is_over() {
            if board.moves() == 0 {
                board = board.passed();
            }
            if board.discs() == discs {
                all.push(board);
                break;
            }
            let moves: Vec<u32> = bits::each(board.moves()).collect();
            board = board.after(moves[rng.random_range(0..moves.len())]);
        }
    }
    all
}

fn evaluate(c: &mut Criterion) {
    let model = model();
    let mut group = c.benchmark_group("pattern model");
    for discs in [20, 40, 54] {
        let positions = positions(discs);
        let moves: u64 = positions.iter().map(|b| u64::from(b.moves().count_ones())).sum();
        let states: Vec<_> = positions.iter().map(|&b| model.state(b)).collect();
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(format!("from the squares, {discs} discs"), |b| {
            b.iter(|| {
                let value = |&board: &Board| model.value(board, &model.state(board));
                black_box(&positions).iter().map(value).sum::<i32>()
            });
        });
        group.throughput(Throughput::Elements(moves));
        group.bench_function(format!("after each move, {discs} discs"), |b| {
            b.iter(|| {
                let mut sum = 0;
                for (board, state) in black_box(&positions).iter().zip(&states) {
                    for square in bits::each(board.moves()) {
                        let flips = board.flips(square);
                        let next = model.played(state, square, flips);
                        sum += model.value(board.played(square, flips), &next);
                    }
                }
                sum
            });
        });
    }
    group.finish();
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
