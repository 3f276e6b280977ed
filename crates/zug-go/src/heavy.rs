//! Playouts that answer the last move: save and capture stones in atari, play local shapes, and
//! do not throw large chains away.

use crate::board::Board;
use crate::colour::Colour;
use crate::playout::{MoveChooser, below, random_move, will_do};
use crate::point::Point;
use crate::shape::is_shape;
use zug_core::{Rng, Side};

/// Moves that answer the last one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heavy;

/// How often (in 256) an answer of each kind is looked for.
const CAPTURE: usize = 230;
const SHAPE: usize = 240;
/// A random move that puts at least so many stones in atari is drawn again.
const LARGE_CHAIN: usize = 3;
/// How often a bad random move is drawn again.
const REDRAWS: usize = 3;

/// A short list without allocation.
struct Candidates {
    points: [Point; 16],
    len: usize,
}

impl Candidates {
    fn new() -> Candidates {
        Candidates { points: [Point(0); 16], len: 0 }
    }
    fn push(&mut self, p: Point) {
        if self.len < self.points.len() {
            self.points[self.len] = p;
            self.len += 1;
        }
    }
    fn draw(&self, rng: &mut Rng) -> Option<Point> {
        (self.len > 0).then(|| self.points[below(rng, self.len)])
    }
}

impl MoveChooser for Heavy {
    #[inline]
    fn choose(
        &self,
        board: &Board,
        side: Side,
        last: Option<Point>,
        rng: &mut Rng,
    ) -> Option<Point> {
        if let Some(last) = last {
            if below(rng, 256) < CAPTURE
                && let Some(p) = fight(board, side, last).draw(rng)
            {
                return Some(p);
            }
            if below(rng, 256) < SHAPE
                && let Some(p) = shapes(board, side, last).draw(rng)
            {
                return Some(p);
            }
        }
        let mut mv = random_move(board, side, rng)?;
        for _ in 0..REDRAWS {
            if !throws_away(board, mv, side) {
                break;
            }
            mv = random_move(board, side, rng)?;
        }
        Some(mv)
    }
}

/// Captures of what the last move left in atari, and rescues of what it put in atari.
fn fight(board: &Board, side: Side, last: Point) -> Candidates {
    let mut found = Candidates::new();
    if let Some(p) = board.last_liberty(last)
        && board.check(p, side, false).is_ok()
    {
        found.push(p);
    }
    let mut seen = [0; 4];
    for (i, q) in last.neighbours().into_iter().enumerate() {
        if board.at(q) != Colour::of(side) || seen.contains(&board.chain(q)) {
            continue;
        }
        seen[i] = board.chain(q);
        let Some(liberty) = board.last_liberty(q) else { continue };
        if board.check(liberty, side, false).is_ok() && liberties_after(board, liberty, side) >= 2 {
            found.push(liberty);
        }
        // Or take one of the chains around it.
        for stone in board.chain_stones(q) {
            for r in stone.neighbours() {
                if board.at(r) == Colour::of(side.other())
                    && let Some(p) = board.last_liberty(r)
                    && p != liberty
                    && board.check(p, side, false).is_ok()
                {
                    found.push(p);
                }
            }
        }
    }
    found
}

fn shapes(board: &Board, side: Side, last: Point) -> Candidates {
    let mut found = Candidates::new();
    for p in last.neighbours().into_iter().chain(last.diagonals()) {
        if board.at(p) == Colour::Empty
            && is_shape(board, p)
            && will_do(board, p, side)
            && liberties_after(board, p, side) >= 2
        {
            found.push(p);
        }
    }
    found
}

/// Does a move put a large chain of its own in atari?
fn throws_away(board: &Board, p: Point, side: Side) -> bool {
    if board.empty_around(p) >= 2 {
        return false;
    }
    let stones: usize = p
        .neighbours()
        .iter()
        .filter(|&&q| board.at(q) == Colour::of(side))
        .map(|&q| board.chain_size(q))
        .sum();
    stones + 1 >= LARGE_CHAIN && liberties_after(board, p, side) < 2
}

/// The liberties of the chain of a stone put down at the empty point `p`: 0, 1, or 2 for more.
fn liberties_after(board: &Board, p: Point, side: Side) -> usize {
    if board.empty_around(p) >= 2 {
        return 2;
    }
    let me = Colour::of(side);
    let mut first = None;
    let mut is_second = |q: Point| match first {
        None => {
            first = Some(q);
            false
        }
        Some(f) => f != q,
    };
    for q in p.neighbours() {
        let colour = board.at(q);
        if colour == Colour::Empty {
            if is_second(q) {
                return 2;
            }
        } else if colour == me {
            for stone in board.chain_stones(q) {
                for l in stone.neighbours() {
                    if board.at(l) == Colour::Empty && l != p && is_second(l) {
                        return 2;
                    }
                }
            }
        } else if colour != Colour::Border && board.last_liberty(q) == Some(p) {
            // Captured stones leave liberties behind; of those, only the one next to the stone is
            // counted, which errs on the side of caution.
            if is_second(q) {
                return 2;
            }
        }
    }
    usize::from(first.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use zug_core::rng;

    fn board(text: &str) -> Board {
        Position::from_text(text, 5).unwrap().board
    }

    #[test]
    fn stones_in_atari_are_saved_or_taken() {
        // Black has just played B2, and the white stone at B3 has one liberty at C3.
        let b = board("5/1X3/XO3/1X3/5 white");
        let found = fight(&b, Side::Second, Point::at(1, 3));
        assert_eq!(found.points[..found.len], [Point::at(2, 2)]);
        // Running along the edge would not help: the chain would be in atari again.
        let b = board("1OX2/1X3/5/5/5 white");
        assert_eq!(fight(&b, Side::Second, Point::at(2, 0)).len, 0);
        // White has just played A5, which has one liberty.
        let b = board("O4/X4/5/5/5 black");
        let found = fight(&b, Side::First, Point::at(0, 0));
        assert_eq!(found.points[..found.len], [Point::at(1, 0)]);
    }

    #[test]
    fn liberties_are_counted_after_the_move() {
        let b = board("1OX2/OX3/5/5/5 white");
        assert_eq!(liberties_after(&b, Point::at(0, 0), Side::Second), 1);
        assert_eq!(liberties_after(&b, Point::at(0, 0), Side::First), 1);
        let b = board("1O3/OO3/5/5/5 black");
        assert_eq!(liberties_after(&b, Point::at(0, 0), Side::First), 0);
        assert_eq!(liberties_after(&b, Point::at(3, 3), Side::First), 2);
    }

    #[test]
    fn heavy_moves_are_legal() {
        for seed in 0..30 {
            let mut rng = rng(seed, 1);
            let mut b = Board::new(7);
            let (mut side, mut last) = (Side::First, None);
            for _ in 0..200 {
                let mv = Heavy.choose(&b, side, last, &mut rng);
                if let Some(p) = mv {
                    assert_eq!(b.check(p, side, false), Ok(()));
                    b.play(p, side);
                } else {
                    b.pass();
                }
                last = mv;
                side = side.other();
            }
        }
    }
}
