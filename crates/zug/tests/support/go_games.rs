//! Games of Go that are made here.

use crate::talk::Folder;
use std::fs;
use zug_core::Side;
use zug_core::seed::{RngExt, rng};
use zug_go::{Board, Point};

/// A game of random legal moves, near each other so that shapes come again.
pub fn game(size: usize, moves: usize, seed: u64, names: &str) -> String {
    let (mut board, mut side, mut rng) = (Board::new(size), Side::First, rng(seed, 7));
    let mut text = format!("(;GM[1]SZ[{size}]{names}");
    let mut last: Option<Point> = None;
    for _ in 0..moves {
        let legal: Vec<Point> =
            board.points().filter(|&p| board.check(p, side, false).is_ok()).collect();
        let near =
            |p: &&Point| last.is_some_and(|l| l.x().abs_diff(p.x()) + l.y().abs_diff(p.y()) <= 2);
        let close: Vec<Point> = legal.iter().filter(near).copied().collect();
        let from = if close.is_empty() || rng.random_range(0..4u32) == 0 { &legal } else { &close };
        if from.is_empty() {
            break;
        }
        let p = from[rng.random_range(0..from.len())];
        board.play(p, side);
        let letter = |i: usize| char::from(b'a' + i as u8);
        let colour = if side == Side::First { 'B' } else { 'W' };
        text.push_str(&format!(";{colour}[{}{}]", letter(p.x()), letter(p.y())));
        (last, side) = (Some(p), side.other());
    }
    text + ")"
}

/// A folder of so many games.
pub fn games(folder: &Folder, count: u64, size: usize, moves: usize) -> String {
    let path = folder.path("games");
    fs::create_dir_all(&path).unwrap();
    for i in 0..count {
        let names = if i % 3 == 0 { "PB[Cho Chikun]PW[Ann]DT[1990]" } else { "DT[1991]" };
        fs::write(format!("{path}/{i:03}.sgf"), game(size, moves, i, names)).unwrap();
    }
    path
}
