//! How fast is the solver? Positions of one played game, from 12 to 16 empty squares, and the moves
//! and flips that it is made of.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use zug_core::{Game, Line, StopFlag};
use zug_othello::solve::{Solver, score};
use zug_othello::{Board, Othello, bits};

/// A game with a close end; it takes the first legal move that turns over the fewest discs.
fn position(empties: u32) -> Board {
    let game = Othello::default();
    let mut line = Line::new(game);
    let mut moves = Vec::new();
    loop {
        let board = Board::from(line.position());
        if board.empties() <= empties {
            return board;
        }
        moves.clear();
        game.moves(line.position(), &mut moves);
        let quietest = moves
            .iter()
            .copied()
            .min_by_key(|mv| mv.square().map_or(0, |s| board.flips(s).count_ones()))
            .expect("the game goes on");
        line.play(quietest);
    }
}

fn solve(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    let stop = StopFlag::new();
    for empties in [8, 10] {
        let board = position(empties);
        group.bench_function(format!("{empties} empty, no table"), |b| {
            b.iter(|| score(black_box(board)));
        });
    }
    for empties in [12, 14, 16] {
        let board = position(empties);
        let mut solver = Solver::new(16);
        group.bench_function(format!("{empties} empty"), |b| {
            b.iter(|| {
                solver.clear();
                solver.value(black_box(board), &stop)
            });
        });
    }
    group.finish();
}

fn parts(c: &mut Criterion) {
    let board = position(20);
    c.bench_function("flips of every square", |b| {
        b.iter(|| {
            let board = black_box(board);
            bits::each(board.empty()).map(|s| board.flips(s)).fold(0, |all, flips| all ^ flips)
        });
    });
    c.bench_function("moves", |b| b.iter(|| black_box(board).moves()));
}

criterion_group!(benches, solve, parts);
criterion_main!(benches);
