//! How does a game end when both sides move at random, but sensibly enough that it ends at all?
//!
//! A light playout chooses uniformly among the legal moves that do not fill an eye of the mover,
//! and passes only when there is none. Two passes end it, with nothing but stones and eyes on the
//! board, so that counting is easy.

use crate::board::Board;
use crate::colour::Colour;
use crate::point::Point;
use crate::rules::{Rules, Scoring};
use zug_core::seed::RngCore;
use zug_core::{Rng, Side};

/// Is the empty point `p` an eye of `side`: surrounded by its stones, and at most one corner taken
/// by the opponent (none at the edge)?
#[inline]
#[must_use]
pub fn is_eye(board: &Board, p: Point, side: Side) -> bool {
    if board.around(p, side) != 4 {
        return false;
    }
    let other = Colour::of(side.other());
    let (mut hostile, mut border) = (0, 0);
    for q in p.diagonals() {
        let colour = board.at(q);
        hostile += u32::from(colour == other);
        border |= u32::from(colour == Colour::Border);
    }
    hostile + border < 2
}

/// Chooses the next move of a playout; `None` passes.
pub trait MoveChooser {
    /// A move of `side`, not an own eye and legal, where the opponent's `last` move was this.
    fn choose(
        &self,
        board: &Board,
        side: Side,
        last: Option<Point>,
        rng: &mut Rng,
    ) -> Option<Point>;
}

/// Uniformly random moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Light;

impl MoveChooser for Light {
    #[inline]
    fn choose(&self, board: &Board, side: Side, _: Option<Point>, rng: &mut Rng) -> Option<Point> {
        random_move(board, side, rng)
    }
}

/// A random legal move that fills no eye of the mover. Begins somewhere in the list of empty points
/// and takes the first that will do: nearly uniform, and much faster than drawing again.
#[inline]
pub(crate) fn random_move(board: &Board, side: Side, rng: &mut Rng) -> Option<Point> {
    let count = board.empty_count();
    let begin = below(rng, count);
    for slot in begin..count {
        let p = board.empty_at(slot);
        if will_do(board, p, side) {
            return Some(p);
        }
    }
    (0..begin).map(|slot| board.empty_at(slot)).find(|&p| will_do(board, p, side))
}

/// A number below `limit`; the bias of one in 2³² / `limit` is of no account here.
#[inline]
pub(crate) fn below(rng: &mut Rng, limit: usize) -> usize {
    ((u64::from(rng.next_u32()) * limit as u64) >> 32) as usize
}

/// May a playout move to this empty point?
#[inline]
pub(crate) fn will_do(board: &Board, p: Point, side: Side) -> bool {
    if board.is_ko(p) {
        return false;
    }
    board.empty_around(p) > 0 || !is_eye(board, p, side) && !board.is_suicide(p, side)
}

/// The end of a playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// Black's points minus White's, komi included.
    pub lead: f32,
    /// Moves played, passes included.
    pub moves: u32,
}

/// Plays `board` to the end with `side` to move and `passes` passes just played.
pub fn play_out(
    chooser: &impl MoveChooser,
    board: &mut Board,
    side: Side,
    passes: usize,
    rules: &Rules,
    rng: &mut Rng,
) -> Ending {
    play_out_telling(chooser, board, side, passes, rules, rng, |_, _| {})
}

/// The same, telling each stone that is put down.
#[inline]
pub fn play_out_telling(
    chooser: &impl MoveChooser,
    board: &mut Board,
    side: Side,
    passes: usize,
    rules: &Rules,
    rng: &mut Rng,
    mut tell: impl FnMut(Side, Point),
) -> Ending {
    let (mut side, mut passes, mut last) = (side, passes, None);
    let limit = rules.move_limit();
    let mut moves = 0;
    while passes < 2 && moves < limit {
        last = chooser.choose(board, side, last, rng);
        match last {
            Some(p) => {
                tell(side, p);
                board.play(p, side);
                passes = 0;
            }
            None => {
                board.pass();
                passes += 1;
            }
        }
        side = side.other();
        moves += 1;
    }
    Ending { lead: quick_lead(board, rules), moves }
}

/// The lead where only single empty points are left: nothing is flooded, larger empty regions
/// count for nobody.
fn quick_lead(board: &Board, rules: &Rules) -> f32 {
    let mut count = 0;
    for p in board.empty_points() {
        count += i32::from(board.around(p, Side::First) == 4);
        count -= i32::from(board.around(p, Side::Second) == 4);
    }
    count += match rules.scoring {
        Scoring::Area => board.stone_difference(),
        Scoring::Territory => {
            board.captures(Side::First) as i32 - board.captures(Side::Second) as i32
        }
    };
    count as f32 - rules.komi()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Position, score};
    use zug_core::rng;

    #[test]
    fn corners_make_a_false_eye() {
        let board = |text| Position::from_text(text, 5).unwrap().board;
        let centre = Point::at(2, 2);
        let real = board("5/1OXX1/1X1X1/1XXX1/5 black");
        assert!(is_eye(&real, centre, Side::First));
        assert!(!is_eye(&real, centre, Side::Second));
        let false_eye = board("5/1OXX1/1X1X1/1OXX1/5 black");
        assert!(!is_eye(&false_eye, centre, Side::First));
        let edge = board("1X3/XX3/5/5/5 black");
        assert!(is_eye(&edge, Point::at(0, 0), Side::First));
        let false_edge = board("1X3/XO3/5/5/5 black");
        assert!(!is_eye(&false_edge, Point::at(0, 0), Side::First));
    }

    #[test]
    fn playouts_end_with_a_counted_board() {
        let rules = Rules::new(9).unwrap();
        for seed in 0..50 {
            let mut rng = rng(seed, 0);
            let mut board = Board::new(9);
            let ending = play_out(&Light, &mut board, Side::First, 0, &rules, &mut rng);
            if ending.moves < rules.move_limit() {
                assert_eq!(ending.lead, score::lead(&board, &rules));
            }
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let rules = Rules::new(9).unwrap();
        let play = || {
            let mut board = Board::new(9);
            let ending = play_out(&Light, &mut board, Side::First, 0, &rules, &mut rng(7, 3));
            (ending, board)
        };
        assert_eq!(play(), play());
    }
}
