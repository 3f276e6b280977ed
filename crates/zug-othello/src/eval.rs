//! An evaluation made by hand, from what every book on Othello teaches: have moves, leave the
//! opponent few; take corners, and do not give them away; gather discs that cannot be turned over;
//! have the last move. Discs themselves count only at the end.
//!
//! Each idea is a term, counted for the side to move minus the same for the other side. A term
//! weighs differently in the opening and at the end, so the weights are given for four stages of
//! the game and drawn in straight lines between them. The weights are round numbers in hundredths
//! of a disc, of the size at which the terms go with the results of tournament games.

use crate::bits::{self, Squares};
use crate::stability::stable;
use crate::{Move, Othello, Position};
use zug_core::{Evaluator, Guide, Scale};

/// How many terms there are.
pub const TERMS: usize = 10;

/// Names of the terms, in their order.
pub const TERM_NAMES: [&str; TERMS] = [
    "moves",
    "empty squares beside the opponent's discs",
    "corners",
    "corners within reach",
    "discs diagonally beside an empty corner",
    "edge discs beside an empty corner",
    "stable discs",
    "discs",
    "last move",
    "turn",
];

/// Weights at full, two thirds, one third and none of the empty squares left.
const WEIGHTS: [[i32; TERMS]; 4] = [
    [60, 70, 400, 200, -300, -100, 300, -60, 100, -200],
    [140, 80, 300, 200, -300, -50, 300, -95, 130, -350],
    [240, 0, 300, 250, -250, -150, 150, -50, 115, -260],
    [400, -100, 100, 150, 50, -150, 105, 0, 140, 50],
];

/// With at most so many empty squares no move is searched less deeply than the others, so that a
/// search to the end of the game is exact.
const EXACT_EMPTIES: u32 = 18;

/// The evaluation made by hand.
#[derive(Clone, Copy, Debug)]
pub struct HandEvaluator {
    size: u8,
    corners: Squares,
    /// For each corner: itself, the square diagonally beside it, and the two edge squares.
    regions: [(Squares, Squares, Squares); 4],
}

impl HandEvaluator {
    /// The evaluation for this board.
    #[must_use]
    pub fn new(game: &Othello) -> HandEvaluator {
        let size = game.size();
        let region = |symmetry| {
            let image = |s| bits::symmetric_image(symmetry, size, s);
            (image(1), image(1 << 9), image(1 << 1 | 1 << 8))
        };
        let regions = [region(0), region(1), region(2), region(3)];
        HandEvaluator { size, corners: regions.iter().fold(0, |all, r| all | r.0), regions }
    }

    /// The terms, for the side to move minus the other side.
    #[must_use]
    pub fn terms(&self, game: &Othello, position: &Position) -> [i32; TERMS] {
        let (own, other) = (position.own(), position.other());
        let empty = game.empty(position);
        let difference = |a: Squares, b: Squares| a.count_ones() as i32 - b.count_ones() as i32;
        let (moves, replies) = (bits::moves(own, other, empty), bits::moves(other, own, empty));
        let (mut diagonal, mut beside) = (0, 0);
        for (corner, x, c) in self.regions {
            if empty & corner != 0 {
                diagonal |= x;
                beside |= c;
            }
        }
        let stable_discs = if (own | other) & self.corners == 0 {
            0
        } else {
            difference(stable(own, other, self.size), stable(other, own, self.size))
        };
        [
            difference(moves, replies),
            difference(bits::neighbours(other) & empty, bits::neighbours(own) & empty),
            difference(own & self.corners, other & self.corners),
            difference(moves & self.corners, replies & self.corners),
            difference(own & diagonal, other & diagonal),
            difference(own & beside, other & beside),
            stable_discs,
            difference(own, other),
            if empty.count_ones() % 2 == 1 { 1 } else { -1 },
            1,
        ]
    }
}

impl Evaluator<Othello> for HandEvaluator {
    fn scale(&self) -> Scale {
        Scale::Discs
    }

    fn evaluate(&self, game: &Othello, position: &Position) -> i32 {
        let terms = self.terms(game, position);
        let empties = game.empty(position).count_ones() as i32;
        let all = i32::from(self.size) * i32::from(self.size);
        // Where between the stages, in 256ths; stage 0 is the empty board.
        let place = (all - empties) * 3 * 256 / all;
        let (stage, part) = ((place / 256).min(2) as usize, place.min(3 * 256 - 1) % 256);
        let mut value = 0;
        for (i, term) in terms.into_iter().enumerate() {
            let weight = WEIGHTS[stage][i] * (256 - part) + WEIGHTS[stage + 1][i] * part;
            value += term * weight;
        }
        // More than the whole board cannot be won.
        (value / 256).clamp(-100 * all, 100 * all)
    }
}

impl Guide<Othello> for HandEvaluator {
    fn promise(&self, game: &Othello, position: &Position, mv: Move) -> i32 {
        let Some(square) = mv.square() else { return 0 };
        let placed: Squares = 1 << square;
        let mut promise = 0;
        if placed & self.corners != 0 {
            promise += 100;
        }
        for (corner, x, c) in self.regions {
            if position.occupied() & corner == 0 {
                if placed & x != 0 {
                    promise -= 60;
                } else if placed & c != 0 {
                    promise -= 15;
                }
            }
        }
        let mut next = *position;
        next.play(mv);
        let empty = game.empty(&next);
        let replies = bits::moves(next.own(), next.other(), empty);
        let near = bits::neighbours(next.other()) & empty;
        promise
            - 10 * replies.count_ones() as i32
            - 40 * (replies & self.corners).count_ones() as i32
            - 3 * near.count_ones() as i32
    }

    fn reducible(&self, game: &Othello, position: &Position, mv: Move) -> bool {
        let takes_corner = mv.square().is_some_and(|s| self.corners >> s & 1 == 1);
        game.empty(position).count_ones() > EXACT_EMPTIES && !takes_corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::random_game;
    use zug_core::seed::RngExt;
    use zug_core::{Game, Side, Symmetric};

    /// Plain negamax to a fixed depth, so that the evaluation is tested and not a search.
    fn negamax(game: &Othello, at: &Position, depth: u32, value: &dyn Fn(&Position) -> i32) -> i32 {
        if game.is_over(at) {
            let lead = game.final_lead(at) * if at.to_move() == Side::First { 1 } else { -1 };
            return 1_000_000 * lead.signum() + 100 * lead;
        }
        if depth == 0 {
            return value(at);
        }
        let mut legal = Vec::new();
        game.moves(at, &mut legal);
        let after = |mv: Move| {
            let mut next = *at;
            next.play(mv);
            -negamax(game, &next, depth - 1, value)
        };
        legal.into_iter().map(after).max().expect("a game that is not over has a move")
    }

    fn best(game: &Othello, at: &Position, depth: u32, value: &dyn Fn(&Position) -> i32) -> Move {
        let mut legal = Vec::new();
        game.moves(at, &mut legal);
        let worth = |&mv: &Move| {
            let mut next = *at;
            next.play(mv);
            negamax(game, &next, depth - 1, value)
        };
        legal.into_iter().min_by_key(worth).expect("a game that is not over has a move")
    }

    /// Plays pairs of games from random openings, each side once with each colour; counts the
    /// points of the first player.
    fn points(
        game: &Othello,
        pairs: u64,
        first: &mut dyn FnMut(&Position) -> Move,
        second: &mut dyn FnMut(&Position) -> Move,
    ) -> f64 {
        let mut points = 0.0;
        for seed in 0..pairs {
            for side in Side::BOTH {
                let mut at = game.start();
                for mv in random_game(game, seed, 4) {
                    at.play(mv);
                }
                while !game.is_over(&at) {
                    let mv = if at.to_move() == side { first(&at) } else { second(&at) };
                    at.play(mv);
                }
                points += game.outcome(&at).expect("the game is over").points(side);
            }
        }
        points
    }

    #[test]
    fn the_evaluation_beats_a_counter_of_discs_at_the_same_depth() {
        let game = Othello::default();
        let hand = HandEvaluator::new(&game);
        let by_hand = |p: &Position| hand.evaluate(&game, p);
        let by_discs =
            |p: &Position| 100 * (p.own().count_ones() as i32 - p.other().count_ones() as i32);
        let won = points(&game, 10, &mut |p| best(&game, p, 2, &by_hand), &mut |p| {
            best(&game, p, 2, &by_discs)
        });
        assert!(won >= 18.0, "{won} of 20");
    }

    #[test]
    fn the_evaluation_crushes_random_play_on_every_board() {
        for (size, least) in [(4, 12.0), (6, 17.0), (8, 19.0)] {
            let game = Othello::with_size(size).unwrap();
            let hand = HandEvaluator::new(&game);
            let by_hand = |p: &Position| hand.evaluate(&game, p);
            let mut rng = zug_core::rng(1, 0);
            let won = points(&game, 10, &mut |p| best(&game, p, 2, &by_hand), &mut |p| {
                let mut legal = Vec::new();
                game.moves(p, &mut legal);
                legal[rng.random_range(0..legal.len())]
            });
            assert!(won >= least, "{won} of 20 on {size}x{size}");
        }
    }

    #[test]
    fn the_evaluation_is_the_same_for_mirrored_positions() {
        for size in [4, 6, 8] {
            let game = Othello::with_size(size).unwrap();
            let hand = HandEvaluator::new(&game);
            for seed in 0..20 {
                let mut at = game.start();
                for mv in random_game(&game, seed, 6 + seed as usize) {
                    at.play(mv);
                }
                for symmetry in 0..8 {
                    let image = game.map_position(symmetry, &at);
                    assert_eq!(hand.evaluate(&game, &at), hand.evaluate(&game, &image));
                }
            }
        }
    }

    #[test]
    fn the_evaluation_stays_within_the_board() {
        let game = Othello::default();
        let hand = HandEvaluator::new(&game);
        // Nearly a wipe-out, with every term at its extreme.
        let text = format!("{}O- X", "X".repeat(62));
        let at = game.read_position(&text).unwrap();
        assert!(hand.evaluate(&game, &at).abs() <= 6400);
    }

    #[test]
    fn near_the_end_no_move_is_reduced() {
        let game = Othello::default();
        let hand = HandEvaluator::new(&game);
        let mut at = game.start();
        for mv in random_game(&game, 3, usize::MAX) {
            let many = game.empty(&at).count_ones() > EXACT_EMPTIES;
            let corner = mv.square().is_some_and(|s| [0, 7, 56, 63].contains(&s));
            assert_eq!(hand.reducible(&game, &at, mv), many && !corner);
            at.play(mv);
        }
    }

    #[test]
    fn corners_come_first_and_squares_beside_empty_corners_late() {
        let game = Othello::default();
        let hand = HandEvaluator::new(&game);
        let (mut corners, mut first, mut diagonal, mut late) = (0, 0, 0, 0);
        for seed in 0..300 {
            let mut at = game.start();
            for mv in random_game(&game, seed, 10 + seed as usize % 30) {
                at.play(mv);
            }
            let mut legal = Vec::new();
            game.moves(&at, &mut legal);
            legal.sort_by_key(|&mv| -hand.promise(&game, &at, mv));
            for (rank, square) in
                legal.iter().enumerate().filter_map(|(i, m)| Some((i, m.square()?)))
            {
                let placed = 1 << square;
                if placed & hand.corners != 0 {
                    corners += 1;
                    first += i32::from(rank < 2);
                }
                let bad = |&(corner, x, _): &(Squares, Squares, Squares)| {
                    placed & x != 0 && at.occupied() & corner == 0
                };
                if legal.len() > 3 && hand.regions.iter().any(bad) {
                    diagonal += 1;
                    late += i32::from(2 * rank >= legal.len());
                }
            }
        }
        assert!(corners > 50 && diagonal > 50, "{corners} corners, {diagonal} others");
        assert!(first * 10 >= corners * 9, "{first} of {corners} corners come first");
        assert!(late * 10 >= diagonal * 8, "{late} of {diagonal} come late");
    }
}
