//! The rules once more, as a person would apply them: square by square, with rows and columns and
//! no bit tricks. Only the tests use it, as the measure of the fast rules.

use crate::bits::Squares;

/// The discs turned over by a move on a square.
pub fn flips(size: u8, square: u32, own: Squares, other: Squares) -> Squares {
    let size = i32::from(size);
    let at = |set: Squares, row: i32, column: i32| set >> (8 * row + column) & 1 == 1;
    let (row, column) = (square as i32 / 8, square as i32 % 8);
    let mut flipped = 0;
    for dr in -1..=1 {
        for dc in -1..=1 {
            if (dr, dc) == (0, 0) {
                continue;
            }
            let (mut r, mut c, mut run) = (row + dr, column + dc, 0);
            let inside = |r: i32, c: i32| (0..size).contains(&r) && (0..size).contains(&c);
            while inside(r, c) && at(other, r, c) {
                run |= 1 << (8 * r + c);
                r += dr;
                c += dc;
            }
            if inside(r, c) && at(own, r, c) {
                flipped |= run;
            }
        }
    }
    flipped
}

/// Every move with what it turns over.
pub fn moves(size: u8, own: Squares, other: Squares) -> Vec<(u32, Squares)> {
    let mut found = Vec::new();
    for row in 0..u32::from(size) {
        for column in 0..u32::from(size) {
            let square = 8 * row + column;
            if (own | other) >> square & 1 == 0 {
                let flipped = flips(size, square, own, other);
                if flipped != 0 {
                    found.push((square, flipped));
                }
            }
        }
    }
    found
}

/// Leaves of the move tree; a pass is a ply, and a finished game is a leaf.
pub fn perft(size: u8, own: Squares, other: Squares, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let found = moves(size, own, other);
    if found.is_empty() {
        let ended = moves(size, other, own).is_empty();
        return if ended { 1 } else { perft(size, other, own, depth - 1) };
    }
    found
        .into_iter()
        .map(|(square, flipped)| {
            perft(size, other & !flipped, own | flipped | 1 << square, depth - 1)
        })
        .sum()
}
