//! What the learned evaluations of Othello and its solver cost.

use super::{Benchmark, repeat};
use anyhow::bail;
use std::hint::black_box;
use std::sync::Arc;
use zug_core::StopFlag;
use zug_core::seed::RngExt;
use zug_othello::engine::Evaluation;
use zug_othello::solve::Solver;
use zug_othello::{AnyModel, Board, bits, open_model};

/// The stage of the game at which evaluations are measured: a search stays near one.
const DISCS: u32 = 40;
/// The stage at which positions are solved.
const SOLVED_DISCS: u32 = 50;

pub fn benchmarks() -> Vec<Benchmark> {
    let mut all = vec![Benchmark {
        name: "load othello patterns".to_string(),
        unit: "loads",
        measure: Box::new(|time| {
            Ok(repeat(time, || u64::from(black_box(open_model("patterns")).is_ok())))
        }),
    }];
    for model in ["patterns", "logistic-plus", "quadratic"] {
        all.push(Benchmark {
            name: format!("evaluate othello {model}, squares"),
            unit: "positions",
            measure: Box::new(move |time| match open_model(model)? {
                AnyModel::Patterns(model) => Ok(repeat(time, from_squares(model))),
                AnyModel::Thesis(model) => Ok(repeat(time, from_squares(*model))),
            }),
        });
        all.push(Benchmark {
            name: format!("evaluate othello {model}, moves"),
            unit: "positions",
            measure: Box::new(move |time| match open_model(model)? {
                AnyModel::Patterns(model) => Ok(repeat(time, after_moves(model))),
                AnyModel::Thesis(model) => Ok(repeat(time, after_moves(*model))),
            }),
        });
    }
    all.push(Benchmark {
        name: format!("solve othello {SOLVED_DISCS} discs"),
        unit: "nodes",
        measure: Box::new(|time| {
            let boards = positions(SOLVED_DISCS, 16);
            let (mut solver, stop) = (Solver::new(16), StopFlag::new());
            let mut failed = false;
            let rate = repeat(time, || {
                let solve = |&board: &Board| solver.value(board, &stop).map(|(_, nodes)| nodes);
                let nodes: Option<u64> = boards.iter().map(solve).sum();
                solver.clear();
                failed |= nodes.is_none();
                nodes.unwrap_or(0)
            });
            if failed {
                bail!("the solver stopped unasked");
            }
            Ok(rate)
        }),
    });
    all
}

/// Positions of random games with so many discs.
fn positions(discs: u32, count: usize) -> Vec<Board> {
    let mut rng = zug_core::rng(1, 0);
    let mut all = Vec::new();
    while all.len() < count {
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

/// Finds state and value of each position anew.
fn from_squares<E: Evaluation>(model: E) -> impl FnMut() -> u64 {
    let boards = positions(DISCS, 1000);
    move || {
        for &board in &boards {
            black_box(model.value(board, &model.state(board)));
        }
        boards.len() as u64
    }
}

/// Follows every move of each position with the state, and finds the value after it.
fn after_moves<E: Evaluation>(model: E) -> impl FnMut() -> u64 {
    let model = Arc::new(model);
    let mut moves = Vec::new();
    for board in positions(DISCS, 200) {
        for square in bits::each(board.moves()) {
            let flips = board.flips(square);
            moves.push((model.state(board), square, flips, board.played(square, flips)));
        }
    }
    move || {
        for (state, square, flips, after) in &moves {
            let next = model.played(state, *square, *flips);
            black_box(model.value(*after, &next));
        }
        moves.len() as u64
    }
}
