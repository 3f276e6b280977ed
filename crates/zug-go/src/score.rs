//! Who owns which point, and who leads by how much?
//!
//! *Area*: a side's stones, and the empty regions that touch only its stones. *Territory*: those
//! empty regions, and the stones captured. Both count the board as it lies; stones that the
//! players agree to be dead are named ([`owners_without`], [`lead_without`]) and count as captured.

use crate::board::Board;
use crate::colour::Colour;
use crate::point::{CELLS, Point};
use crate::rules::{Rules, Scoring};
use zug_core::Side;

/// The owner of every point, in the order of [`Board::points`]: the side whose stone is there, or
/// the side that alone touches the empty region; `None` for neutral points.
#[must_use]
pub fn owners(board: &Board) -> Vec<Option<Side>> {
    let mut owner = [None; CELLS];
    let mut seen = [false; CELLS];
    let mut region = Vec::new();
    for p in board.points() {
        if board.at(p) != Colour::Empty {
            owner[p.index()] = board.at(p).side();
            continue;
        }
        if seen[p.index()] {
            continue;
        }
        seen[p.index()] = true;
        region.clear();
        region.push(p);
        let (mut next, mut touches) = (0, [false; 2]);
        while next < region.len() {
            for q in region[next].neighbours() {
                match board.at(q) {
                    Colour::Empty if !seen[q.index()] => {
                        seen[q.index()] = true;
                        region.push(q);
                    }
                    colour => {
                        if let Some(side) = colour.side() {
                            touches[side.index()] = true;
                        }
                    }
                }
            }
            next += 1;
        }
        let side = match touches {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        };
        for q in &region {
            owner[q.index()] = side;
        }
    }
    board.points().map(|p| owner[p.index()]).collect()
}

/// The board with dead chains taken off, and counted as captured. Every chain that holds one of
/// the points goes as a whole.
#[must_use]
pub fn without(board: &Board, dead: &[Point]) -> Board {
    let mut gone = [false; CELLS];
    let mut captures = Side::BOTH.map(|s| board.captures(s) as u16);
    for &p in dead {
        if board.at(p).side().is_none() || gone[p.index()] {
            continue;
        }
        for q in board.chain_stones(p) {
            gone[q.index()] = true;
            if let Some(side) = board.at(q).side() {
                captures[side.other().index()] += 1;
            }
        }
    }
    let stones = board.points().filter_map(|p| {
        let side = board.at(p).side()?;
        (!gone[p.index()]).then_some((p, side))
    });
    let mut rest = Board::with_stones(board.size(), stones)
        .expect("a chain keeps its liberties when others go");
    rest.set_captures(captures);
    rest
}

/// [`owners`] with dead chains taken off.
#[must_use]
pub fn owners_without(board: &Board, dead: &[Point]) -> Vec<Option<Side>> {
    owners(&without(board, dead))
}

/// Black's points minus White's, komi included, all stones alive.
#[must_use]
pub fn lead(board: &Board, rules: &Rules) -> f32 {
    let count = match rules.scoring {
        Scoring::Area => area(board),
        Scoring::Territory => territory(board),
    };
    count as f32 - rules.komi()
}

/// Black's points minus White's, komi included, with dead chains taken off.
#[must_use]
pub fn lead_without(board: &Board, rules: &Rules, dead: &[Point]) -> f32 {
    lead(&without(board, dead), rules)
}

fn sign(side: Option<Side>) -> i32 {
    match side {
        Some(Side::First) => 1,
        Some(Side::Second) => -1,
        None => 0,
    }
}

/// Black's area minus White's.
#[must_use]
pub fn area(board: &Board) -> i32 {
    owners(board).into_iter().map(sign).sum()
}

/// Black's territory and captures minus White's.
#[must_use]
pub fn territory(board: &Board) -> i32 {
    let points: i32 = board
        .points()
        .zip(owners(board))
        .filter(|&(p, _)| board.at(p) == Colour::Empty)
        .map(|(_, owner)| sign(owner))
        .sum();
    points + board.captures(Side::First) as i32 - board.captures(Side::Second) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn area_and_territory_of_a_finished_game() {
        // Black: 2 columns; White: 2 columns; the middle column is neutral but for Black's stone.
        let text = "1X.O1/1X.O1/1XXO1/1X.O1/1X.O1 black caps=2,1";
        let board = Position::from_text(text, 5).unwrap().board;
        assert_eq!(area(&board), 11 - 10);
        assert_eq!(territory(&board), 2 - 1);
        let rules = Rules::new(5).unwrap().with_komi(2.5);
        assert_eq!(lead(&board, &rules), -1.5);
    }

    #[test]
    fn dead_stones_count_as_captured() {
        let text = "1X.O1/1X.O1/1X.O1/1X.OX/1X.O1 white";
        let board = Position::from_text(text, 5).unwrap().board;
        let dead = [Point::at(4, 3)];
        assert_eq!(territory(&board), 5);
        assert_eq!(territory(&without(&board, &dead)), -1);
        assert_eq!(area(&without(&board, &dead)), 0);
        let rules = Rules { scoring: Scoring::Territory, ..Rules::new(5).unwrap().with_komi(0.0) };
        assert_eq!(lead_without(&board, &rules, &dead), -1.0);
        assert_eq!(owners_without(&board, &dead)[19], Some(Side::Second));
    }

    #[test]
    fn an_empty_board_belongs_to_nobody() {
        assert_eq!(area(&Board::new(9)), 0);
    }
}
