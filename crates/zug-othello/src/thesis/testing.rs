//! Examples made here, for tests: games of careless players, played out without error at the end.

use super::baseline::MobilityAndCorners;
use crate::Board;
use crate::bits;
use crate::engine::Evaluation;
use crate::examples::{Example, ExampleFile, ExampleWriter, FOLDS, Source};
use std::collections::BTreeMap;
use zug_core::seed::RngExt;

/// From so many empty squares on games are played without error.
const SOLVED: u32 = 7;

/// So many games, played by a player that looks one move ahead and errs often.
pub fn examples(games: u64, seed: u64) -> Vec<Example> {
    let mut all: BTreeMap<(u32, Board), Example> = BTreeMap::new();
    for game in 0..games {
        let mut rng = zug_core::rng(seed, game);
        let mut boards = Vec::new();
        let mut board = Board::START;
        while !board.is_over() && board.empties() > SOLVED {
            if board.moves() == 0 {
                board = board.passed();
                boards.push(None);
                continue;
            }
            boards.push(Some(board));
            let worth = |square: &u32| {
                let next = board.after(*square);
                let noise = rng.random_range(-400..=400);
                MobilityAndCorners.value(next, &()) + noise
            };
            board = board.after(bits::each(board.moves()).min_by_key(worth).expect("a move"));
        }
        let mut score = solved(board, -65, 65);
        boards.push(Some(board).filter(|b| b.moves() != 0));
        for board in boards.into_iter().rev() {
            if let Some(board) = board.map(Board::canonical) {
                let fold = (game % u64::from(FOLDS)) as u8;
                let source = if board.empties() <= SOLVED { Source::Exact } else { Source::Tree };
                let example = Example { board, score: score as i8, source, fold, count: 1 };
                all.entry(example.key()).and_modify(|e| e.absorb(&example)).or_insert(example);
            }
            score = -score;
        }
    }
    all.into_values().collect()
}

fn solved(board: Board, mut alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves == 0 {
        return if board.replies() == 0 {
            board.final_score()
        } else {
            -solved(board.passed(), -beta, -alpha)
        };
    }
    for square in bits::each(moves) {
        alpha = alpha.max(-solved(board.after(square), -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// A file in memory. The examples are in order.
pub fn file(examples: &[Example]) -> ExampleFile {
    let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
    for &example in examples {
        writer.push(example).unwrap();
    }
    ExampleFile::from_bytes(writer.finish().unwrap()).unwrap()
}
