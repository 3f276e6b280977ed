//! Which positions show what a decision search is good for? (S 4.2 and appendix D of the thesis.)
//!
//! The thesis's are 35 positions with 42 discs that the side to move wins, but where a selective
//! search of 14 plies prefers a move that does not win. Most of them are lost; this makes new ones by
//! the same recipe from games of its own.

use super::sample::own_game;
use crate::bits::each;
use crate::engine::{Confidence, Evaluation, ProbCut, Settings, Thinker, Wish};
use crate::solve::Solver;
use crate::{Board, Move, Othello, Position};
use rayon::prelude::*;
use std::sync::Arc;
use zug_core::{Game, Progress, Side, StopFlag, TextError};

/// How to find critical positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Their disc count.
    pub discs: u32,
    /// Plies of the search that goes wrong.
    pub depth: u32,
    /// How certain its cuts are.
    pub confidence: Confidence,
    /// How many to find.
    pub count: usize,
    /// The most games to look through.
    pub most_games: usize,
    /// The seed of the games.
    pub seed: u64,
}

/// A position that is won, with a move that tempts and does not win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Critical {
    /// The position.
    pub board: Board,
    /// What the heuristic search plays.
    pub tempting: Move,
    /// What wins.
    pub winning: Vec<Move>,
}

/// Games that are looked at together.
const CHUNK: usize = 64;
/// Memory of a search in MiB.
const HASH: usize = 32;

/// Finds critical positions, the same ones on any number of threads; fewer than asked for when the
/// games give no more, `None` when stopped.
pub fn critical<E: Evaluation>(
    evaluation: &Arc<E>,
    cuts: Option<&Arc<ProbCut>>,
    recipe: &Recipe,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Option<Vec<Critical>> {
    progress.set_length(Some(recipe.count as u64));
    let mut found: Vec<Critical> = Vec::new();
    let settings = Settings { hash_mib: HASH, threads: 1, confidence: recipe.confidence };
    for first in (0..recipe.most_games).step_by(CHUNK) {
        let numbers: Vec<u64> =
            (first..recipe.most_games.min(first + CHUNK)).map(|n| n as u64).collect();
        let looked: Vec<Option<Critical>> = numbers
            .par_iter()
            .map_init(
                || {
                    let thinker =
                        Thinker::new(Arc::clone(evaluation), cuts.cloned(), settings.clone()).ok();
                    (thinker, Solver::with_guide(HASH, Arc::clone(evaluation)))
                },
                |(thinker, solver), &number| {
                    look_at(&**evaluation, thinker.as_mut()?, solver, number, recipe, stop)
                },
            )
            .collect();
        if stop.is_set() {
            return None;
        }
        for critical in looked.into_iter().flatten() {
            let is_new = found.iter().all(|f| f.board.canonical() != critical.board.canonical());
            if is_new && found.len() < recipe.count {
                found.push(critical);
                progress.advance(1);
            }
        }
        if found.len() == recipe.count {
            break;
        }
    }
    Some(found)
}

/// The position of a game with the right number of discs, if it is critical.
fn look_at<E: Evaluation>(
    evaluation: &E,
    thinker: &mut Thinker<E>,
    solver: &mut Solver<Arc<E>>,
    number: u64,
    recipe: &Recipe,
    stop: &StopFlag,
) -> Option<Critical> {
    let mut board = Board::START;
    for mv in own_game(evaluation, number, recipe.seed).moves {
        if board.discs() == recipe.discs && board.moves() != 0 {
            break;
        }
        board = board.after_move(mv);
    }
    if board.discs() != recipe.discs || board.moves().count_ones() < 2 {
        return None;
    }
    thinker.clear();
    solver.clear();
    let wish = Wish { depth: Some(recipe.depth), ..Wish::default() };
    let thought = thinker.think(board, &wish, stop, &mut |_| {});
    let tempting = thought.lines.first()?.mv;
    let mut wins = |mv: Move| {
        let reply = solver.solve(board.after_move(mv), -1, 0, stop)?;
        Some(reply.score < 0)
    };
    if wins(tempting)? {
        return None;
    }
    let mut winning = Vec::new();
    for square in each(board.moves()) {
        let mv = Move::to_square(square)?;
        if mv != tempting && wins(mv)? {
            winning.push(mv);
        }
    }
    (!winning.is_empty() && !stop.is_set()).then_some(Critical { board, tempting, winning })
}

impl Critical {
    /// A line of text: the position, the move that tempts, the moves that win.
    #[must_use]
    pub fn to_text(&self) -> String {
        let position = Othello::default().write_position(&self.board.to_position(Side::First));
        let winning: Vec<String> = self.winning.iter().map(ToString::to_string).collect();
        format!("{position}; {}; {}", self.tempting, winning.join(" "))
    }

    /// From a line of text. The moves must be legal; whether they win is not looked at.
    pub fn from_text(text: &str) -> Result<Critical, TextError> {
        let mut parts = text.split(';');
        let position = parts.next().unwrap_or_default().trim_end();
        let position: Position = Othello::default().read_position(position)?;
        let board = Board::from(&position);
        let mut moves = Vec::new();
        for (number, word) in parts.flat_map(str::split_whitespace).enumerate() {
            let byte = word.as_ptr() as usize - text.as_ptr() as usize;
            let mv = each(board.moves())
                .filter_map(Move::to_square)
                .find(|mv| mv.to_string().eq_ignore_ascii_case(word))
                .ok_or_else(|| {
                    TextError::new(byte, "a legal move of the position", format!("'{word}'"))
                })?;
            if number > 0 && moves.first() == Some(&mv) {
                return Err(TextError::new(byte, "a move that wins", format!("'{word}' again")));
            }
            moves.push(mv);
        }
        if moves.len() < 2 {
            let expected = "'; MOVE THAT TEMPTS; MOVES THAT WIN' after the position";
            return Err(TextError::new(text.len(), expected, "the end of the line"));
        }
        Ok(Critical { board, tempting: moves[0], winning: moves.split_off(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::Hand;
    use zug_core::Silent;

    #[test]
    fn positions_are_won_but_not_by_the_move_that_tempts() {
        let hand = Arc::new(Hand::default());
        let recipe = Recipe {
            discs: 52,
            depth: 2,
            confidence: Confidence::FULL,
            count: 4,
            most_games: 300,
            seed: 5,
        };
        let found = critical(&hand, None, &recipe, &Silent, &StopFlag::new()).unwrap();
        assert_eq!(found.len(), 4);
        for one in &found {
            assert_eq!(one.board.discs(), 52);
            assert!(crate::solve::score(one.board) > 0);
            assert!(-crate::solve::score(one.board.after_move(one.tempting)) <= 0);
            let wins = |mv: &Move| -crate::solve::score(one.board.after_move(*mv)) > 0;
            assert!(one.winning.iter().all(wins));
            assert_eq!(Critical::from_text(&one.to_text()).as_ref(), Ok(one));
        }
        let stop = StopFlag::new();
        stop.set();
        assert_eq!(critical(&hand, None, &recipe, &Silent, &stop), None);
    }

    #[test]
    fn lines_that_are_none_are_refused_with_the_place() {
        let start = "---------------------------OX------XO--------------------------- X";
        for (line, byte, word) in [
            (start.to_string(), 66, "the end of the line"),
            (format!("{start}; d3; a1"), 72, "'a1'"),
            (format!("{start}; d3; d3"), 72, "again"),
            ("nonsense".to_string(), 0, ""),
        ] {
            let error = Critical::from_text(&line).unwrap_err();
            assert!(error.found.contains(word), "{error}");
            assert!(word.is_empty() || error.byte == byte, "{error}");
        }
        assert!(Critical::from_text(&format!("{start}; D3; c4 f5")).is_ok());
    }
}
