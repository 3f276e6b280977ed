//! A quick estimate of who leads, for alpha-beta search: who is nearer to each point, and whose
//! chains are short of liberties?

use crate::board::Board;
use crate::colour::Colour;
use crate::game::Go;
use crate::playout::is_eye;
use crate::point::{CELLS, Move, Point};
use crate::position::Position;
use crate::rules::Scoring;
use zug_core::{Evaluator, Guide, Scale, Side};

/// Points nearer to a side's stones than to the other's are its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nearness;

impl Evaluator<Go> for Nearness {
    fn scale(&self) -> Scale {
        Scale::Points
    }

    fn evaluate(&self, game: &Go, position: &Position) -> i32 {
        let board = &position.board;
        let mut lead = 100 * near_points(board);
        if game.rules().scoring == Scoring::Territory {
            let [black, white] = Side::BOTH.map(|s| board.captures(s) as i32);
            lead += 100 * (black - white - board.stone_difference());
        }
        lead += weak_chains(board, position.to_move);
        lead -= (game.rules().komi() * 100.0) as i32;
        if position.to_move == Side::First { lead } else { -lead }
    }
}

impl Guide<Go> for Nearness {
    fn promise(&self, _: &Go, position: &Position, mv: Move) -> i32 {
        let (board, side) = (&position.board, position.to_move);
        let Move::Play(p) = mv else { return -1000 };
        if is_eye(board, p, side) {
            return -2000;
        }
        let mut promise = 0;
        for q in p.neighbours() {
            let Some(owner) = board.at(q).side() else { continue };
            promise += 5;
            if board.last_liberty(q).is_some() {
                let stones = board.chain_size(q) as i32;
                promise += if owner == side { 50 + 5 * stones } else { 100 + 10 * stones };
            }
        }
        // The edge comes last.
        let edge = |i: usize| i.min(board.size() - 1 - i).min(3) as i32;
        promise + edge(p.x()) * edge(p.y())
    }
}

/// Stones and empty points nearer to Black, minus those nearer to White. Distances are counted
/// along empty points, from all stones at once.
fn near_points(board: &Board) -> i32 {
    let mut reached = [[u8::MAX; CELLS]; 2];
    for side in Side::BOTH {
        let mut edge: Vec<Point> =
            board.points().filter(|&p| board.at(p) == Colour::of(side)).collect();
        let distance = &mut reached[side.index()];
        for p in &edge {
            distance[p.index()] = 0;
        }
        let mut next = 0;
        while let Some(&p) = edge.get(next) {
            next += 1;
            for q in p.neighbours() {
                if board.at(q) == Colour::Empty && distance[q.index()] == u8::MAX {
                    distance[q.index()] = distance[p.index()].saturating_add(1);
                    edge.push(q);
                }
            }
        }
    }
    board
        .points()
        .map(|p| match reached[0][p.index()].cmp(&reached[1][p.index()]) {
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Greater => -1,
            std::cmp::Ordering::Equal => 0,
        })
        .sum()
}

/// Hundredths of points that Black is better off for the opponent's chains in atari. A chain that
/// can be taken at once is nearly gone; one that can be saved is worth a worry.
fn weak_chains(board: &Board, to_move: Side) -> i32 {
    let mut sum = 0;
    for p in board.points() {
        let Some(owner) = board.at(p).side() else { continue };
        if board.chain(p) == p.0 && board.last_liberty(p).is_some() {
            let worth = if owner == to_move { 50 } else { 170 };
            let loss = worth * board.chain_size(p) as i32;
            sum += if owner == Side::First { -loss } else { loss };
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Game;

    #[test]
    fn the_value_is_for_the_side_to_move_and_counts_points() {
        let game = Go::open("go:5x5,komi=0.5").unwrap();
        let value = |text: &str| Nearness.evaluate(&game, &game.read_position(text).unwrap());
        let wall = "2XO1/2XO1/2XO1/2XO1/2XO1";
        assert_eq!(value(&format!("{wall} black")), 500 - 50);
        assert_eq!(value(&format!("{wall} white")), -(500 - 50));
        assert_eq!(value("5/5/5/5/5 black"), -50);
        let atari = "5/1X3/XO3/1X3/5";
        assert!(value(&format!("{atari} black")) > -value(&format!("{atari} white")));
    }

    #[test]
    fn captures_look_better_than_the_rest() {
        let game = Go::open("go:5x5").unwrap();
        let position = game.read_position("5/1X3/XO3/1X3/5 black").unwrap();
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let best = moves.into_iter().max_by_key(|&mv| Nearness.promise(&game, &position, mv));
        assert_eq!(best, Some(Move::Play(Point::at(2, 2))));
    }
}
