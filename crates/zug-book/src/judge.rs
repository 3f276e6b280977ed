//! What is the best move that was not played yet, and what is a late position worth exactly?
//!
//! The thesis attaches one alternative to every position of the book: the best move not yet played
//! there, by a search of at least tournament depth over those moves alone. Any
//! [`Player`] can be the judge, since a player can be told which moves it may choose from
//! ([`Limits::only`]). Its value must mean the same at every ply, because values of different plies
//! are compared; the evaluations of the workbench count discs or pawns at every ply.
//!
//! Where a game can be searched to the end ([`ExactSearch`]), games
//! are cut at the first position that has few enough empty squares, and that position is a leaf
//! with its exact result.

use crate::{Alternative, Book, Chance, Leaf, Places, unplayed};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_core::exact::{ExactSearch, Question, Searcher, Settings};
use zug_core::{
    AnyLine, Bound, Info, Limits, Player, PlayerError, Score, StopFlag, Verdict, Watch,
};

/// Why something could not be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// The player cannot play on.
    #[error("the player that judges the book: {0}")]
    Player(#[from] PlayerError),
    /// The exact search cannot be had.
    #[error("the exact search: {0}")]
    Exact(String),
}

/// A player that judges positions, with the limits of each search.
pub struct Judge<'a> {
    /// Who searches.
    pub player: &'a mut dyn Player,
    /// How long.
    pub limits: Limits,
    /// Asks for an early end.
    pub stop: StopFlag,
}

impl Judge<'_> {
    /// The best of the moves that were not played yet at this position; `None` where there is
    /// none, or where the judge was stopped.
    pub fn alternative(
        &mut self,
        book: &Book,
        places: &Places,
        line: &dyn AnyLine,
    ) -> Result<Option<Alternative>, JudgeError> {
        let only = unplayed(book, places, line);
        if only.is_empty() || line.outcome().is_some() {
            return Ok(None);
        }
        let Some((mv, info)) = self.best(line, &only)? else { return Ok(None) };
        let steps = places.steps(line);
        let Some(step) = steps.into_iter().find(|step| step.mv == mv) else {
            let strange = format!("the player chose '{mv}', which is none of the legal moves");
            return Err(PlayerError::Illegal(strange).into());
        };
        let ply = line.ply() as u32;
        let score = info.score.unwrap_or_else(|| of_win_rate(info.win_rate));
        let value = Chance::of_score(certain(&info, score), ply);
        Ok(Some(Alternative { mv: step.mv, key: step.key, value, depth: info.depth }))
    }

    /// The best of some moves; `None` when stopped.
    fn best(
        &mut self,
        line: &dyn AnyLine,
        only: &[String],
    ) -> Result<Option<(String, Info)>, JudgeError> {
        let limits = Limits { only: only.to_vec(), lines: 1, clock: None, ..self.limits.clone() };
        let mut last = None;
        let mut keep = |info: &Info| {
            if info.rank <= 1 {
                last = Some(info.clone());
            }
        };
        let stop: Arc<AtomicBool> = self.stop.shared();
        let choice = self.player.choose(line, &limits, &mut Watch::new(stop, &mut keep))?;
        if self.stop.is_set() {
            return Ok(None);
        }
        let info = choice.info.or(last).unwrap_or_default();
        // A player of the whole game may have moves that it writes in another way.
        let mut next = line.boxed_clone();
        let mv = next.play(&choice.mv).map_err(|e| PlayerError::Illegal(e.to_string()))?;
        Ok(Some((mv, info)))
    }
}

/// A bound proves a result only on its own side of zero: "at least a draw" is no draw.
fn certain(info: &Info, score: Score) -> Score {
    let points_away = match info.bound {
        Bound::Exact => true,
        Bound::AtLeast => score > Score::DRAW,
        Bound::AtMost => score < Score::DRAW,
    };
    if points_away || !score.is_proven() { score } else { Score::DRAW }
}

/// Players that think in probabilities: hundredths of log-odds, so that 73 % is worth one unit.
fn of_win_rate(rate: Option<f32>) -> Score {
    let p = f64::from(rate.unwrap_or(0.5)).clamp(0.001, 0.999);
    Score::estimate((100.0 * (p / (1.0 - p)).ln()).round() as i32)
}

/// The result that a thought has proven for the side to move; `None` where it is an estimate.
#[must_use]
pub fn proof(info: &Info) -> Option<Leaf> {
    let score = info.score.filter(|_| info.proven)?;
    let certain = match info.bound {
        Bound::Exact => true,
        Bound::AtLeast => score > Score::DRAW,
        Bound::AtMost => score < Score::DRAW,
    };
    let value = match score.verdict() {
        Verdict::WonBy(margin) => (margin.ceil() as i32).max(1),
        Verdict::LostBy(margin) => -(margin.ceil() as i32).max(1),
        Verdict::WonIn(_) => 1,
        Verdict::LostIn(_) => -1,
        // A draw that is the value of a whole tree.
        Verdict::Estimate(0) => 0,
        Verdict::Estimate(_) => return None,
    };
    certain.then_some(Leaf { value, exact: true })
}

/// Solves positions near the end of the game.
pub struct Ends {
    search: ExactSearch,
    searcher: Box<dyn Searcher>,
    empties: u32,
}

impl Ends {
    /// Positions of at most so many empty squares are solved; a table of `hash_mib` MiB.
    pub fn new(search: &ExactSearch, empties: u32, hash_mib: usize) -> Result<Ends, JudgeError> {
        let settings = Settings { hash_mib, threads: 1, model: None };
        let searcher = search.searcher(&settings).map_err(|e| JudgeError::Exact(e.to_string()))?;
        Ok(Ends { search: search.clone(), searcher, empties })
    }

    /// The exact result at the present position; `None` when stopped.
    pub fn solve(
        &mut self,
        line: &dyn AnyLine,
        stop: &StopFlag,
    ) -> Result<Option<Leaf>, JudgeError> {
        if let Some(outcome) = line.outcome() {
            return Ok(Some(Leaf::of_outcome(&outcome, line.to_move(), true)));
        }
        self.searcher.clear();
        let answer = self
            .searcher
            .solve(&line.position_text(), Question::Score, stop)
            .map_err(|e| JudgeError::Exact(e.to_string()))?;
        Ok(answer.map(|found| Leaf { value: found.score, exact: true }))
    }

    /// The first ply of a line, up to `plies`, at which it is near enough to the end.
    #[must_use]
    pub fn cut(&self, line: &dyn AnyLine, plies: usize) -> Option<usize> {
        cut(&self.search, self.empties, line, plies)
    }
}

/// The first ply of a line, up to `plies`, with at most so many empty squares.
#[must_use]
pub fn cut(search: &ExactSearch, empties: u32, line: &dyn AnyLine, plies: usize) -> Option<usize> {
    let mut at = line.boxed_clone();
    while at.ply() > plies && at.undo() {}
    let mut first = None;
    // Empty squares grow in number towards the beginning.
    while left(search, at.as_ref()).is_some_and(|left| left <= empties) {
        first = Some(at.ply());
        if !at.undo() {
            break;
        }
    }
    first
}

/// How many squares are empty.
#[must_use]
pub fn left(search: &ExactSearch, line: &dyn AnyLine) -> Option<u32> {
    search.problem(&line.position_text()).ok().map(|problem| problem.empties)
}
