//! What is learned from: a position, seen by the side to move, and the move that was made in it.
//!
//! Colours are exchanged where White moves, so that every example has the mover's own stones and the
//! others; and an example is turned so that its move lies in one triangle of the board. What has
//! several such forms, because the move is on an axis, takes the one whose board is smallest when
//! written row by row: all eight images of an example, in both colours, are one.

use super::symmetry::{Symmetry, is_home};
use crate::board::Board;
use crate::colour::Colour;
use crate::corpus::GoRecord;
use crate::point::Point;
use zug_core::Side;

/// A position seen by the side to move, and a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Points along an edge.
    pub size: usize,
    /// Row by row from the top: 0 for an empty point, 1 for the mover's stone, 2 for the opponent's.
    pub cells: Vec<u8>,
    /// Column and row of the move.
    pub at: (usize, usize),
    /// Is there a point that may not be taken back at once?
    pub ko: bool,
    /// The number of the move in its game, from 1.
    pub number: u32,
}

impl Example {
    /// The move `at`, made by `side` on a board.
    #[must_use]
    pub fn of(board: &Board, side: Side, at: Point, number: u32) -> Example {
        let own = Colour::of(side);
        let cell = |p| match board.at(p) {
            Colour::Empty | Colour::Border => 0,
            colour => 1 + u8::from(colour != own),
        };
        Example {
            size: board.size(),
            cells: board.points().map(cell).collect(),
            at: (at.x(), at.y()),
            ko: board.ko().is_some(),
            number,
        }
    }

    /// The image under a symmetry.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Example {
        let size = self.size;
        let mut cells = vec![0; size * size];
        for y in 0..size {
            for x in 0..size {
                let (tx, ty) = symmetry.map(size, x, y);
                cells[ty * size + tx] = self.cells[y * size + x];
            }
        }
        Example { cells, at: symmetry.map(size, self.at.0, self.at.1), ..self.clone() }
    }

    /// The form in which the move is at home.
    #[must_use]
    pub fn normal(&self) -> Example {
        let brings_home = |s: &&Symmetry| {
            let (x, y) = s.map(self.size, self.at.0, self.at.1);
            is_home(self.size, x, y)
        };
        let images = Symmetry::ALL.iter().filter(brings_home).map(|&s| self.image(s));
        // Where a move has several homes (the corners of the triangle), they are the same point.
        images.min_by(|a, b| a.cells.cmp(&b.cells)).unwrap_or_else(|| self.clone())
    }
}

/// Replays a game: the board before each move that is no pass, who moves where, and the number of the
/// move from 1. `visit` says whether to go on.
pub fn replay(game: &GoRecord, mut visit: impl FnMut(&Board, Side, Point, u32) -> bool) {
    let mut board = Board::new(game.size());
    let mut side = Side::First;
    for (number, mv) in (1..).zip(game.moves()) {
        match mv {
            None => board.pass(),
            Some(p) => {
                if !visit(&board, side, p, number) {
                    return;
                }
                board.play(p, side);
            }
        }
        side = side.other();
    }
}

/// How many examples the first `plies` moves of a game give.
#[must_use]
pub fn count_examples(game: &GoRecord, plies: Option<u32>) -> usize {
    let plies = plies.map_or(usize::MAX, |p| p as usize);
    game.moves().take(plies).flatten().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_images_in_both_colours_have_one_normal_form(
            stones in proptest::collection::vec((0usize..9, 0usize..9, any::<bool>()), 0..40),
            at in (0usize..9, 0usize..9),
            symmetry in 0usize..8,
        ) {
            let symmetry = Symmetry::ALL[symmetry];
            let example = |map: &dyn Fn(usize, usize) -> Point, mover: Side| {
                let mut board = Board::new(9);
                for &(x, y, own) in &stones {
                    let side = if own { mover } else { mover.other() };
                    if (x, y) != at && board.check(map(x, y), side, false).is_ok() {
                        board.play(map(x, y), side);
                    }
                }
                Example::of(&board, mover, map(at.0, at.1), 1)
            };
            let here = example(&|x, y| Point::at(x, y), Side::First);
            let there = example(
                &|x, y| { let (x, y) = symmetry.map(9, x, y); Point::at(x, y) },
                Side::Second,
            );
            prop_assert_eq!(here.normal(), there.normal());
            let normal = here.normal();
            prop_assert!(is_home(9, normal.at.0, normal.at.1));
        }
    }

    #[test]
    fn passes_are_replayed_but_make_no_example() {
        let point = Point::new(2, 2);
        let game = GoRecord::of_moves(9, &[point, None, Point::new(3, 3)]);
        let mut seen = Vec::new();
        replay(&game, |board, side, p, number| {
            seen.push((board.empty_count(), side, p, number));
            true
        });
        assert_eq!(
            seen,
            [(81, Side::First, Point::at(2, 2), 1), (80, Side::First, Point::at(3, 3), 3)]
        );
        assert_eq!((count_examples(&game, None), count_examples(&game, Some(2))), (2, 1));
    }
}
