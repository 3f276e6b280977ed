//! Which stones lie around each point?
//!
//! Positions of a game follow each other, so a grid is not filled anew: what differs from the board that
//! it showed before is changed, and a change tells the points around it. A look at the surroundings of
//! a point is then a single word.

use super::offsets::{Code, step};
use crate::board::Board;
use crate::point::Point;
use zug_core::Side;

/// Stones with a number below this are near: a bit of a word each.
pub(super) const NEAR: Code = 62;
/// The bit of all stones that are not near.
pub(super) const FAR: u64 = 1 << 63;
/// The bits of one side's near stones.
const EVEN: u64 = 0x1555_5555_5555_5555;

/// Cells from one row of a [`Grid`] to the next: as many empty ones beside the board as a step from
/// inside can reach.
pub(super) const fn stride(size: usize) -> usize {
    2 * size - 1
}

/// The stones of a board, with room on all sides, as either side sees them.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// 1 and 2 are stones of the first and the second side.
    cells: Vec<u8>,
    /// The near stones around each cell: own ones have even numbers in the eyes of the first side.
    near: Vec<u64>,
    /// The same as `cells` without the room: point by point, row by row.
    stones: Vec<u8>,
    /// The number of each near step that a board of this size has, and how many cells it goes.
    steps: Vec<(u8, i16)>,
    size: usize,
    second: bool,
}

impl Grid {
    fn new(size: usize) -> Grid {
        let (cells, reach) = ((3 * size + 1) * stride(size), size as i32 - 1);
        let steps = (0..NEAR / 2).filter_map(|i| {
            let (dx, dy) = step(2 * i);
            let inside = dx.abs() <= reach && dy.abs() <= reach;
            inside.then_some((2 * i as u8, (dy * stride(size) as i32 + dx) as i16))
        });
        Grid {
            cells: vec![0; cells],
            near: vec![0; cells],
            stones: vec![0; size * size],
            steps: steps.collect(),
            size,
            second: false,
        }
    }

    /// Shows a board as this side sees it.
    pub fn show(&mut self, board: &Board, side: Side) {
        let size = board.size();
        if self.size != size {
            *self = Grid::new(size);
        }
        self.second = side == Side::Second;
        for y in 0..size {
            let (first, row) = (Point::at(0, y).index() as u16, y * size);
            for x in 0..size {
                let now = board.at(Point(first + x as u16)) as u8;
                let before = self.stones[row + x];
                if now != before {
                    self.change(x, y, before ^ now);
                }
            }
        }
    }

    fn change(&mut self, x: usize, y: usize, by: u8) {
        let at = Grid::cell(self.size, x, y);
        self.cells[at] ^= by;
        self.stones[y * self.size + x] ^= by;
        for &(bit, step) in &self.steps {
            self.near[(at as isize - step as isize) as usize] ^= u64::from(by) << bit;
        }
    }

    pub(super) const fn cell(size: usize, x: usize, y: usize) -> usize {
        (y + size) * stride(size) + x
    }

    /// The stones, point by point: 1 and 2 are those of the first and the second side.
    pub(super) fn stones(&self) -> &[u8] {
        &self.stones
    }

    /// The near stones around a cell, in the eyes of the side to move.
    #[inline]
    pub(super) fn near(&self, cell: usize) -> u64 {
        let near = self.near[cell];
        if self.second { (near & EVEN) << 1 | near >> 1 & EVEN } else { near }
    }

    /// What is on a cell: 1 is a stone of the side to move, 2 one of the opponent.
    #[inline]
    pub(super) fn at(&self, cell: usize) -> u8 {
        let turn = u32::from(self.second);
        let stone = self.cells[cell];
        (stone << turn | stone >> turn) & 3
    }
}

#[cfg(test)]
mod tests {
    use super::super::offsets::is_theirs;
    use super::*;
    use crate::colour::Colour;
    use crate::knn::tests::random_game;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_point_knows_the_near_stones_after_any_change(
            sizes in proptest::collection::vec(2usize..=19, 1..4),
            seed in any::<u64>(),
        ) {
            let mut grid = Grid::default();
            for size in sizes {
                let (mut board, mut side) = (Board::new(size), Side::First);
                for (i, mv) in random_game(size, 60, seed).moves().enumerate() {
                    match mv {
                        Some(p) => { board.play(p, side); }
                        None => board.pass(),
                    }
                    // Both sides look, and not after every move.
                    side = side.other();
                    if i % 7 > 2 {
                        continue;
                    }
                    grid.show(&board, side);
                    for p in board.points() {
                        prop_assert_eq!(near(&board, side, p), {
                            let cell = Grid::cell(size, p.x(), p.y());
                            prop_assert_eq!(grid.at(cell), seen(side, board.at(p)));
                            grid.near(cell)
                        });
                    }
                }
            }
        }
    }

    fn seen(side: Side, colour: Colour) -> u8 {
        match colour {
            Colour::Empty | Colour::Border => 0,
            colour => 1 + u8::from(colour != Colour::of(side)),
        }
    }

    fn near(board: &Board, side: Side, p: Point) -> u64 {
        let there = |&code: &Code| {
            let (dx, dy) = step(code);
            let (x, y) = (p.x() as i32 + dx, p.y() as i32 + dy);
            let inside = |at: i32| (0..board.size() as i32).contains(&at);
            inside(x) && inside(y) && {
                let colour = board.at(Point::at(x as usize, y as usize));
                seen(side, colour) == 1 + u8::from(is_theirs(code))
            }
        };
        (0..NEAR).filter(there).fold(0, |near, code| near | 1 << code)
    }
}
