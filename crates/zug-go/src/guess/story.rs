//! How did the position come about that is asked for?
//!
//! A story is a beginning and moves, from a record, from lines of a protocol, or a bare position. It
//! is walked move by move; the walk stops at the first move that cannot be played, with its number.
//! More is accepted than in a [`Record`](zug_core::Record): handicap and set-up stones, two moves of
//! one side in a row (as if the other had passed), and earlier positions that come back.

use crate::board::Board;
use crate::point::{Move, Point};
use crate::policy::Scene;
use crate::position::{Position, side_word};
use crate::sgf::main_line::Unusable;
use crate::sgf::{MainLine, Tree};
use std::collections::BTreeMap;
use zug_core::Side;

/// A beginning, and what was played from there.
#[derive(Clone, Debug)]
pub struct Story {
    /// Before the first move.
    pub start: Position,
    /// Who moved, and where; `None` is a pass.
    pub moves: Vec<(Side, Option<Point>)>,
    /// The ply at which stones are changed by more than moves, if they are.
    pub change: Option<usize>,
    /// May a chain take its own last liberty?
    pub suicide: bool,
    /// Who is asked at the end; whose turn it is for `None`.
    pub asked: Option<Side>,
}

/// A point in the story, and the move that was made there.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The number of the move that follows, from 1 on.
    pub number: usize,
    /// The position, and what led to it.
    pub scene: Scene<'a>,
    /// What was played: `None` at the end of the story, `Some(None)` for a pass.
    pub played: Option<Option<Point>>,
}

/// Why a story cannot be told to the end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untold {
    /// The board is too large or too small, or the set-up cannot be.
    #[error("{0}")]
    Beginning(String),
    /// A move cannot be played.
    #[error("move {number} ({side} {at}): {why}")]
    Move {
        /// From 1 on.
        number: usize,
        /// Who.
        side: &'static str,
        /// Where.
        at: String,
        /// What is wrong.
        why: &'static str,
    },
    /// Stones are set up in the middle of the game.
    #[error("before move {0} stones are set up or taken away; expected moves only")]
    Change(usize),
}

impl Story {
    /// A position that came from nowhere.
    #[must_use]
    pub fn bare(start: Position) -> Story {
        Story { start, moves: Vec::new(), change: None, suicide: false, asked: None }
    }

    /// The main line of a game tree.
    pub fn of_tree(tree: &Tree) -> Result<Story, Untold> {
        let line = MainLine::of(tree).map_err(|Unusable { ply, error }| {
            Untold::Beginning(match ply {
                Some(ply) => format!("move {}: {error}", ply + 1),
                None => error.to_string(),
            })
        })?;
        if !(crate::point::MIN_SIZE..=crate::point::MAX_SIZE).contains(&line.size) {
            let size = line.size;
            let message = format!("expected a board from 2×2 to 19×19, found {size}×{size}");
            return Err(Untold::Beginning(message));
        }
        let mut stones: BTreeMap<Point, Side> = BTreeMap::new();
        for setup in &line.setup {
            let p = Point::at(usize::from(setup.at.x), usize::from(setup.at.y));
            match setup.stone {
                Some(side) => stones.insert(p, side),
                None => stones.remove(&p),
            };
        }
        let handicap = line.handicap.is_some_and(|h| h > 1) && !stones.is_empty();
        let board = Board::with_stones(line.size, stones).map_err(|p| {
            let name = p.name(line.size);
            Untold::Beginning(format!("the set-up stone {name} has no liberty"))
        })?;
        let usual = if handicap { Side::Second } else { Side::First };
        let first = line.first.or(line.moves.first().map(|m| m.side)).unwrap_or(usual);
        let place = |at: crate::sgf::main_line::At| Point::at(usize::from(at.x), usize::from(at.y));
        let rules = tree.root().get("RU").map(|p| p.simple_text().trim().to_ascii_lowercase());
        Ok(Story {
            start: Position::from_board(board, first),
            moves: line.moves.iter().map(|m| (m.side, m.at.map(place))).collect(),
            change: line.late_setup,
            suicide: matches!(rules.as_deref(), Some("nz" | "goe" | "tromp-taylor")),
            asked: None,
        })
    }

    /// Points along an edge.
    #[must_use]
    pub fn size(&self) -> usize {
        self.start.board().size()
    }

    /// Visits every position before a move, and the last one.
    pub fn walk(&self, visit: &mut dyn FnMut(Step<'_>)) -> Result<(), Untold> {
        self.walk_to(self.moves.len() + 1, visit)
    }

    /// Visits the positions before the moves up to this number.
    pub fn walk_to(&self, last: usize, visit: &mut dyn FnMut(Step<'_>)) -> Result<(), Untold> {
        let mut position = self.start.clone();
        let mut recent = [None, None];
        for number in 1..=last.min(self.moves.len() + 1) {
            if self.change.is_some_and(|ply| ply < number) {
                return Err(Untold::Change(number));
            }
            let next = self.moves.get(number - 1).copied();
            if let Some(side) = next.map(|(side, _)| side).or(self.asked) {
                take_turn(&mut position, side);
            }
            let scene = Scene { position: &position, recent };
            visit(Step { number, scene, played: next.map(|(_, at)| at) });
            if let (Some((side, at)), true) = (next, number < last) {
                self.play(&mut position, number, side, at)?;
                recent = [at, recent[0]];
            }
        }
        Ok(())
    }

    /// The position before a move, and the move; the last position for `None`.
    pub fn at(&self, number: Option<usize>) -> Result<Moment, Untold> {
        let wanted = number.unwrap_or(self.moves.len() + 1);
        let mut found = None;
        self.walk_to(wanted, &mut |step| {
            if step.number == wanted {
                found = Some(Moment {
                    number: step.number,
                    position: step.scene.position.clone(),
                    recent: step.scene.recent,
                    played: step.played,
                });
            }
        })?;
        found.ok_or_else(|| {
            let (moves, end) = (self.moves.len(), self.moves.len() + 1);
            Untold::Beginning(format!(
                "there is no move {wanted}: the game has {moves} moves; expected a number from 1 to \
                 {end} ({end}: after the last move)"
            ))
        })
    }

    fn play(
        &self,
        position: &mut Position,
        number: usize,
        side: Side,
        at: Option<Point>,
    ) -> Result<(), Untold> {
        let Some(p) = at else {
            position.play(Move::Pass);
            return Ok(());
        };
        position.board().check(p, side, self.suicide).map_err(|why| Untold::Move {
            number,
            side: side_word(side),
            at: p.name(self.size()),
            why: why.words(),
        })?;
        position.play(Move::Play(p));
        Ok(())
    }
}

/// One moment of a story.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The number of the move that follows, from 1 on.
    pub number: usize,
    /// The stones and the side to move.
    pub position: Position,
    /// The last two moves.
    pub recent: [Option<Point>; 2],
    /// What was played: `None` at the end of the story, `Some(None)` for a pass.
    pub played: Option<Option<Point>>,
}

impl Moment {
    /// As a guesser sees it.
    #[must_use]
    pub fn scene(&self) -> Scene<'_> {
        Scene { position: &self.position, recent: self.recent }
    }
}

/// Lets a side move, as if the other had passed where it is not its turn.
fn take_turn(position: &mut Position, side: Side) {
    if position.to_move != side {
        position.board.pass();
        position.to_move = side;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::read_collection;

    fn story(text: &str) -> Result<Story, Untold> {
        Story::of_tree(read_collection(text.as_bytes())[0].as_ref().unwrap())
    }

    #[test]
    fn the_position_before_a_move_has_not_seen_it() {
        let story = story("(;SZ[9];B[ee];W[cc];B[];W[gg])").unwrap();
        let third = story.at(Some(3)).unwrap();
        assert_eq!(
            third.position.to_text(),
            "9/9/2O6/9/4X4/9/9/9/9 black ko=- caps=0,0 passes=0 moves=2"
        );
        assert_eq!(third.played, Some(None));
        assert_eq!(third.recent, [Some(Point::at(2, 2)), Some(Point::at(4, 4))]);
        let end = story.at(None).unwrap();
        assert_eq!((end.number, end.played), (5, None));
        assert_eq!(end.recent, [Some(Point::at(6, 6)), None]);
        assert!(story.at(Some(5)).is_ok());
        for bad in [0, 6, 999] {
            let said = story.at(Some(bad)).unwrap_err().to_string();
            assert!(said.contains("the game has 4 moves"), "{said}");
        }
    }

    #[test]
    fn handicap_games_begin_with_white() {
        let story = story("(;SZ[9]HA[2]AB[cc][gg];W[ee];B[eg])").unwrap();
        let first = story.at(Some(1)).unwrap();
        assert_eq!(first.position.to_move(), Side::Second);
        assert_eq!(first.position.board().empty_count(), 79);
    }

    #[test]
    fn illegal_moves_stop_the_walk_only_when_they_come_before() {
        let story = story("(;SZ[9];B[ee];W[cc];B[cc];W[gg])").unwrap();
        assert!(story.at(Some(3)).is_ok());
        let said = story.at(Some(4)).unwrap_err().to_string();
        assert_eq!(said, "move 3 (black C7): the point is occupied");
    }

    #[test]
    fn stones_set_up_later_stop_the_walk_too() {
        let story = story("(;SZ[9];B[ee];AW[cc];B[dd])").unwrap();
        assert!(story.at(Some(1)).is_ok());
        assert_eq!(story.at(Some(2)).unwrap_err(), Untold::Change(2));
    }

    #[test]
    fn boards_that_are_not_ours_are_refused() {
        assert!(story("(;SZ[25])").unwrap_err().to_string().contains("25×25"));
        assert!(story("(;GM[2])").unwrap_err().to_string().contains("GM"));
        assert!(story("(;SZ[3]AB[aa]AW[ab][ba])").unwrap_err().to_string().contains("A3"));
    }
}
