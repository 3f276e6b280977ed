//! Which small shapes around the last move ask for an answer?
//!
//! The shapes are those of MoGo's playouts (Gelly, Wang, Munos and Teytaud 2006): bend around a
//! stone, cut, and what the edge makes of both. Each is drawn with the move in the middle. `X` and
//! `O` are the two colours, either way round; `x` and `o` are anything but that colour; `?` is
//! anything; `-` is beyond the edge. Turned and mirrored shapes count as well.

use crate::board::Board;
use crate::colour::Colour;
use crate::point::{Point, STRIDE};
use std::sync::LazyLock;

const SHAPES: [[&str; 3]; 13] = [
    // Bends around a stone.
    ["XOX", "...", "???"],
    ["XO.", "...", "?.?"],
    ["XO?", "X..", "x.?"],
    [".O.", "X..", "..."],
    // Cuts.
    ["XO?", "O.o", "?o?"],
    ["XO?", "O.X", "???"],
    ["?X?", "O.O", "ooo"],
    ["OX?", "o.O", "???"],
    // Along the edge.
    ["X.?", "O.?", "---"],
    ["OX?", "X.O", "---"],
    ["?X?", "x.O", "---"],
    ["?XO", "x.x", "---"],
    ["?OX", "X.O", "---"],
];

/// The eight cells around a point, two bits each, row by row.
#[inline]
fn code(board: &Board, p: Point) -> usize {
    const AROUND: [isize; 8] = {
        let s = STRIDE as isize;
        [-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1]
    };
    let mut code = 0;
    for offset in AROUND {
        let q = Point((p.0 as isize + offset) as u16);
        code = code << 2 | board.at(q) as usize;
    }
    code
}

/// Does a move at the empty point `p`, of either side, make one of the shapes?
#[inline]
#[must_use]
pub fn is_shape(board: &Board, p: Point) -> bool {
    is_shape_code(code(board, p))
}

/// The same for the eight cells around a point, two bits each, row by row, from either end: turned
/// shapes are shapes.
#[inline]
pub(crate) fn is_shape_code(code: usize) -> bool {
    let code = code & 0xFFFF;
    TABLE[code / 64] >> (code % 64) & 1 != 0
}

/// One bit for each arrangement of the eight cells.
static TABLE: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut table = vec![0u64; (1 << 16) / 64];
    for shape in SHAPES {
        for symmetry in 0..8 {
            for swap in [false, true] {
                let cells = turned(shape, symmetry).map(|c| meaning(c, swap));
                mark(&mut table, &cells, 0);
            }
        }
    }
    table
});

/// The eight cells of a drawn shape, row by row, after a symmetry.
fn turned(shape: [&str; 3], symmetry: usize) -> [u8; 8] {
    let mut cells = [0; 8];
    for (i, cell) in cells.iter_mut().enumerate() {
        // The middle is left out.
        let i = i + usize::from(i >= 4);
        let (mut x, mut y) = (i % 3, i / 3);
        if symmetry & 1 != 0 {
            x = 2 - x;
        }
        if symmetry & 2 != 0 {
            y = 2 - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        *cell = shape[y].as_bytes()[x];
    }
    cells
}

/// What a letter stands for.
fn meaning(letter: u8, swap: bool) -> &'static [Colour] {
    use Colour::{Black, Border, Empty, White};
    match (letter, swap) {
        (b'X', false) | (b'O', true) => &[Black],
        (b'O', false) | (b'X', true) => &[White],
        (b'x', false) | (b'o', true) => &[Empty, White, Border],
        (b'o', false) | (b'x', true) => &[Empty, Black, Border],
        (b'.', _) => &[Empty],
        (b'-', _) => &[Border],
        _ => &[Empty, Black, White, Border],
    }
}

fn mark(table: &mut [u64], cells: &[&[Colour]], code: usize) {
    match cells.split_first() {
        None => table[code / 64] |= 1 << (code % 64),
        Some((first, rest)) => {
            for &colour in *first {
                mark(table, rest, code << 2 | colour as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn a_cut_and_a_bend_are_shapes_and_an_empty_board_is_none() {
        let board = |text| Position::from_text(text, 5).unwrap().board;
        let cut = board("5/1XO2/1O3/5/5 black");
        assert!(is_shape(&cut, Point::at(2, 2)));
        let bend = board("5/1XOX1/5/5/5 black");
        assert!(is_shape(&bend, Point::at(2, 2)));
        let mirrored = board("5/5/5/1OXO1/5 black");
        assert!(is_shape(&mirrored, Point::at(2, 2)));
        let empty = board("5/5/5/5/5 black");
        assert!(empty.points().all(|p| !is_shape(&empty, p)));
    }
}
