//! Games and lines seen from outside, where the type of the game is not known: moves and positions
//! are text. The arena, the protocols, the terminal and the web board work on this side, so they
//! are compiled once and a new game costs them nothing.

use crate::{Game, Line, Outcome, Picture, Settlement, Side, TextError};
use std::any::Any;
use std::sync::Arc;

/// A game of any kind.
pub trait AnyGame: Send + Sync {
    /// See [`Game::spec`].
    fn spec(&self) -> String;
    /// See [`Game::title`].
    fn title(&self) -> String;
    /// See [`Game::side_name`].
    fn side_name(&self, side: Side) -> &'static str;
    /// A line from the start position.
    fn new_line(&self) -> Box<dyn AnyLine>;
    /// A line from a position in notation.
    fn line_from(&self, position: &str) -> Result<Box<dyn AnyLine>, TextError>;
    /// Counts leaves from the present position of a line of this game.
    fn perft(&self, line: &dyn AnyLine, depth: u32) -> u64;
    /// The leaves below each legal move.
    fn divide(&self, line: &dyn AnyLine, depth: u32) -> Vec<(String, u64)>;
}

/// A line of play of any game.
pub trait AnyLine: Send {
    /// For players that know their game: downcast to [`Line<G>`].
    fn as_any(&self) -> &dyn Any;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyLine>;
    /// See [`Game::spec`].
    fn spec(&self) -> String;
    /// See [`Game::side_name`].
    fn side_name(&self, side: Side) -> &'static str;
    /// See [`Game::option`].
    fn option(&self, name: &str) -> Option<String>;
    /// The side to move.
    fn to_move(&self) -> Side;
    /// Moves played since the line began.
    fn ply(&self) -> usize;
    /// See [`Line::outcome`].
    fn outcome(&self) -> Option<Outcome>;
    /// The legal moves in notation.
    fn legal_moves(&self) -> Vec<String>;
    /// Reads and plays a move; gives back its own way of writing it.
    fn play(&mut self, text: &str) -> Result<String, TextError>;
    /// Reads and plays a move under the rules of the position alone: neither a repetition nor a draw
    /// that nobody claimed ends the line. Gives back the rank of the move in [`Game::moves`], by
    /// which [`play_rank`](AnyLine::play_rank) finds it again.
    fn play_ranked(&mut self, text: &str) -> Result<usize, TextError>;
    /// Plays the move of this rank in [`Game::moves`]; false where there is none.
    fn play_rank(&mut self, rank: usize) -> bool;
    /// Gives the turn to the other side; false where that is not possible. See [`Line::hand_over`].
    fn hand_over(&mut self) -> bool;
    /// Takes back a move; false at the beginning.
    fn undo(&mut self) -> bool;
    /// The moves played, in notation.
    fn moves(&self) -> Vec<String>;
    /// The moves played, for people: see [`Game::show_move`].
    fn shown_moves(&self) -> Vec<String>;
    /// A legal move for people.
    fn shown(&self, text: &str) -> Result<String, TextError>;
    /// The position where the line began, in notation.
    fn start_text(&self) -> String;
    /// Does the line begin at the game's own start position?
    fn starts_at_start(&self) -> bool;
    /// The position now, in notation.
    fn position_text(&self) -> String;
    /// The position now, drawn.
    fn picture(&self) -> Picture;
    /// The cells that the last move touched.
    fn last_move_cells(&self) -> Vec<usize>;
    /// The cells that a legal move would touch.
    fn move_cells(&self, text: &str) -> Result<Vec<usize>, TextError>;
    /// The key of the position now.
    fn key(&self) -> u64;
    /// See [`Game::settle`].
    fn settle(&self, seed: u64) -> Option<Settlement>;
}

impl<G: Game> AnyGame for G {
    fn spec(&self) -> String {
        Game::spec(self)
    }
    fn title(&self) -> String {
        Game::title(self)
    }
    fn side_name(&self, side: Side) -> &'static str {
        Game::side_name(self, side)
    }
    fn new_line(&self) -> Box<dyn AnyLine> {
        Box::new(Line::new(self.clone()))
    }
    fn line_from(&self, position: &str) -> Result<Box<dyn AnyLine>, TextError> {
        let position = self.read_position(position)?;
        Ok(Box::new(Line::from_position(self.clone(), position)))
    }
    fn perft(&self, line: &dyn AnyLine, depth: u32) -> u64 {
        Game::perft(self, expect_line::<G>(line).position(), depth)
    }
    fn divide(&self, line: &dyn AnyLine, depth: u32) -> Vec<(String, u64)> {
        let position = expect_line::<G>(line).position();
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                Game::play(self, &mut next, mv);
                let leaves = Game::perft(self, &next, depth.saturating_sub(1));
                (self.write_move(position, mv), leaves)
            })
            .collect()
    }
}

/// The line behind an [`AnyLine`], if it is of this game.
#[must_use]
pub fn downcast<G: Game>(line: &dyn AnyLine) -> Option<&Line<G>> {
    line.as_any().downcast_ref::<Line<G>>()
}

fn expect_line<G: Game>(line: &dyn AnyLine) -> &Line<G> {
    downcast(line).expect("a line is only ever given to the game that made it")
}

impl<G: Game> AnyLine for Line<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn boxed_clone(&self) -> Box<dyn AnyLine> {
        Box::new(self.clone())
    }
    fn spec(&self) -> String {
        Game::spec(self.game())
    }
    fn side_name(&self, side: Side) -> &'static str {
        self.game().side_name(side)
    }
    fn option(&self, name: &str) -> Option<String> {
        self.game().option(name)
    }
    fn to_move(&self) -> Side {
        Line::to_move(self)
    }
    fn ply(&self) -> usize {
        Line::moves(self).len()
    }
    fn outcome(&self) -> Option<Outcome> {
        Line::outcome(self)
    }
    fn legal_moves(&self) -> Vec<String> {
        let position = self.position();
        Line::legal_moves(self).into_iter().map(|mv| self.game().write_move(position, mv)).collect()
    }
    fn play(&mut self, text: &str) -> Result<String, TextError> {
        let mv = self.play_text(text)?;
        let before = &self.positions()[self.positions().len() - 2];
        Ok(self.game().write_move(before, mv))
    }
    fn play_ranked(&mut self, text: &str) -> Result<usize, TextError> {
        let mv = self.game().read_move(self.position(), text)?;
        let mut moves = Vec::new();
        self.game().moves(self.position(), &mut moves);
        let rank = moves
            .iter()
            .position(|&m| m == mv)
            .ok_or_else(|| TextError::new(0, "no move, the game has ended", format!("'{text}'")))?;
        Line::play(self, mv);
        Ok(rank)
    }
    fn play_rank(&mut self, rank: usize) -> bool {
        let mut moves = Vec::new();
        self.game().moves(self.position(), &mut moves);
        let found = moves.get(rank).copied();
        found.into_iter().for_each(|mv| Line::play(self, mv));
        found.is_some()
    }
    fn hand_over(&mut self) -> bool {
        Line::hand_over(self)
    }
    fn undo(&mut self) -> bool {
        Line::undo(self).is_some()
    }
    fn moves(&self) -> Vec<String> {
        self.move_texts()
    }
    fn shown_moves(&self) -> Vec<String> {
        let moves = Line::moves(self).iter().zip(self.positions());
        moves.map(|(&mv, before)| self.game().show_move(before, mv)).collect()
    }
    fn shown(&self, text: &str) -> Result<String, TextError> {
        let mv = self.game().read_move(self.position(), text)?;
        Ok(self.game().show_move(self.position(), mv))
    }
    fn start_text(&self) -> String {
        self.game().write_position(&self.positions()[0])
    }
    fn starts_at_start(&self) -> bool {
        self.positions()[0] == self.game().start()
    }
    fn position_text(&self) -> String {
        self.game().write_position(self.position())
    }
    fn picture(&self) -> Picture {
        self.game().picture(self.position())
    }
    fn last_move_cells(&self) -> Vec<usize> {
        match (Line::moves(self).last(), self.positions()) {
            (Some(&mv), [.., before, _]) => self.game().move_cells(before, mv),
            _ => Vec::new(),
        }
    }
    fn move_cells(&self, text: &str) -> Result<Vec<usize>, TextError> {
        let mv = self.game().read_move(self.position(), text)?;
        Ok(self.game().move_cells(self.position(), mv))
    }
    fn key(&self) -> u64 {
        self.game().key(self.position())
    }
    fn settle(&self, seed: u64) -> Option<Settlement> {
        self.game().settle(self.position(), seed)
    }
}

/// A shared handle to a game of any kind.
pub type SharedGame = Arc<dyn AnyGame>;
