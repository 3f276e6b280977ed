//! Which stones are dead at the end of a game, and who owns what?
//!
//! The rules leave it to the players. Here playouts decide: a chain is dead when its points end up
//! as the opponent's in most of them. Where both sides passed in 9×9 games of two servers, the score
//! is then the one that was agreed in nine of ten games, and the winner in 24 of 25 (all stones
//! alive: score in one of three). A seki, or a large area not closed yet, may be misjudged.

use crate::board::Board;
use crate::colour::Colour;
use crate::game::Go;

use crate::playout::{Light, play_out};
use crate::point::{CELLS, Point};
use crate::position::Position;
use crate::score;
use zug_core::{AnyLine, Side, rng};

/// Playouts for [`dead_stones`].
const PLAYOUTS: u64 = 400;
/// A chain is dead when the opponent owns it at the end more often than this.
const DEAD: f32 = 0.5;

/// How often Black owns each point at the end of playouts, from 0 to 1, in the order of
/// [`Board::points`]; neutral points count half. Each side begins half of them.
#[must_use]
pub fn ownership(game: &Go, board: &Board, playouts: u64, seed: u64) -> Vec<f32> {
    let mut counts = [0.0f32; CELLS];
    let mut rng = rng(seed, 0x60);
    for i in 0..playouts {
        let mut end = board.clone();
        end.pass();
        let side = Side::BOTH[(i % 2) as usize];
        play_out(&Light, &mut end, side, 0, game.rules(), &mut rng);
        for p in board.points() {
            counts[p.index()] += match end.at(p) {
                Colour::Black => 1.0,
                Colour::White => 0.0,
                _ if end.around(p, Side::First) == 4 => 1.0,
                _ if end.around(p, Side::Second) == 4 => 0.0,
                _ => 0.5,
            };
        }
    }
    board.points().map(|p| counts[p.index()] / playouts.max(1) as f32).collect()
}

/// The stones that are dead by playouts, whole chains, row by row from the top left.
#[must_use]
pub fn dead_stones(game: &Go, board: &Board, seed: u64) -> Vec<Point> {
    let black = ownership(game, board, PLAYOUTS, seed);
    let mut lost = [0.0f32; CELLS];
    for (p, share) in board.points().zip(black) {
        if let Some(side) = board.at(p).side() {
            let share = if side == Side::First { 1.0 - share } else { share };
            lost[usize::from(board.chain(p))] += share / board.chain_size(p) as f32;
        }
    }
    board
        .points()
        .filter(|&p| board.at(p).side().is_some() && lost[usize::from(board.chain(p))] > DEAD)
        .collect()
}

/// What a game would be counted as if it ended here.
#[derive(Clone, Debug, PartialEq)]
pub struct FinalStatus {
    /// Stones that stay, by name.
    pub alive: Vec<String>,
    /// Stones that are taken off.
    pub dead: Vec<String>,
    /// Points of Black, stones included.
    pub black_area: Vec<String>,
    /// Points of White, stones included.
    pub white_area: Vec<String>,
    /// Black's points minus White's, komi included, dead stones taken off.
    pub lead: f32,
}

/// The final status of a position.
#[must_use]
pub fn final_status(game: &Go, position: &Position, seed: u64) -> FinalStatus {
    let board = position.board();
    let dead = dead_stones(game, board, seed);
    let name = |p: Point| p.name(board.size());
    let owners = score::owners_without(board, &dead);
    let area = |side| {
        let owned = board.points().zip(&owners).filter(|(_, o)| **o == Some(side));
        owned.map(|(p, _)| name(p)).collect()
    };
    FinalStatus {
        alive: board
            .points()
            .filter(|p| board.at(*p).side().is_some() && !dead.contains(p))
            .map(name)
            .collect(),
        black_area: area(Side::First),
        white_area: area(Side::Second),
        lead: score::lead_without(board, game.rules(), &dead),
        dead: dead.into_iter().map(name).collect(),
    }
}

/// The final status of a line of Go; `None` for other games.
#[must_use]
pub fn final_status_of_line(line: &dyn AnyLine, seed: u64) -> Option<FinalStatus> {
    let line = zug_core::erased::downcast::<Go>(line)?;
    Some(final_status(line.game(), line.position(), seed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::AnyGame;

    #[test]
    fn a_stone_in_the_opponents_area_is_dead() {
        let game = Go::open("go:7x7,komi=4").unwrap();
        let text = "3XO2/3XO2/3XO1X/3XO2/3XO2/1O1XO2/3XO2 black caps=1,0";
        let line = game.line_from(text).unwrap();
        let status = final_status_of_line(&*line, 1).unwrap();
        assert_eq!(status.dead, ["G5", "B2"]);
        assert_eq!(status.alive.len(), 14);
        assert_eq!(status.black_area.len(), 28);
        assert_eq!(status.white_area.len(), 21);
        assert_eq!(status.lead, 28.0 - 21.0 - 4.0);
    }

    #[test]
    fn the_same_seed_judges_the_same() {
        let game = Go::open("go:7x7").unwrap();
        let board = Board::new(7);
        assert_eq!(ownership(&game, &board, 50, 5), ownership(&game, &board, 50, 5));
    }
}
