//! What is each position of a game worth, and what did each move cost?
//!
//! One judge for `zug analyse`, for the page of `zug serve` and for checks. It walks from the end of
//! a game to its beginning:
//!
//! 1. What is certain comes first: a database, a search to the end, a proof of the player. Between two
//!    certain values the loss is certain.
//! 2. Elsewhere the player looks at the position, and what is known of the position after the move is
//!    handed back: a position is worth at least what came of the move that was played. So no move
//!    raises the value of its own side. Where a position proves more than was said of the ones after
//!    it (a mate that is seen earlier and not later), these are told again ([`Told::again`]).
//! 3. A loss is never the difference of two searches, which differ by more than moves do: the best
//!    move and the one that was played are compared by one search of the two.
//! 4. Where that looks like a mistake, a second and much deeper look has to agree, late in the game a
//!    search to the end; the loss is the smaller of the two. So a mark is never given for noise.
//!
//! Searches are limited by the number of their positions where the player can say how many it visits
//! in a second ([`Player::pace`]): two runs agree on every value.
//!
//! | file | answers |
//! |---|---|
//! | `worth` | what is a value, how sure is it, and how is it told? |
//! | `grade` | when is a loss a mistake? |
//! | `look` | what does a player say of a position? |
//! | `weigh` | what is a move worth beside the best one? |

mod grade;
mod look;
#[cfg(test)]
mod tests;
mod weigh;
mod worth;

pub use grade::{Grading, Thrown, Unit};
pub use worth::{Sure, Worth, proven_text, proven_winner};

use crate::Places;
use std::time::Duration;
use weigh::Weighed;
use zug_core::exact::{ExactSearch, Question, Searcher, Settings};
use zug_core::{
    AnyLine, GameEntry, Limits, Mark, Owner, Player, PlayerError, Scale, Score, Side, StopFlag,
};

/// The first look at a position, as a share of the time for it.
const FIRST: f64 = 0.5;
/// The comparison of two moves.
const COMPARE: f64 = 0.5;
/// The look that a mark needs.
const DEEP: f64 = 4.0;
/// A search to the end, in its own positions.
const TO_THE_END: f64 = 1.5;
/// The same where a mark depends on it.
const PROOF: f64 = 64.0;
/// And at most this long, unless more than that was asked for.
const MOST_PROOF: Duration = Duration::from_secs(60);
/// With at most this many empty cells a mark needs a search to the end.
const PROVEN_FROM: usize = 24;
/// What counts as the time for a position where none was given.
const UNTIMED: Duration = Duration::from_millis(20);
/// After this many positions in a row that took too long, earlier ones are not tried.
const GIVE_UP_AFTER: u32 = 2;
/// Without a limit on time, positions with at most this many empty cells are searched to the end.
const SOON_DONE: usize = 14;
/// And with any: more would be hopeless, and the time is better spent on an estimate.
const HOPELESS: usize = 34;
/// What a win without points is worth, in discs.
const MOST: f64 = 64.0;

/// A position with its value and the best line.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Its value for the side to move.
    pub worth: Worth,
    /// How the game should go on.
    pub line: Vec<String>,
    /// How far ahead was looked.
    pub depth: u32,
    /// More lines, the best first, where they were asked for.
    pub others: Vec<(Worth, Vec<String>)>,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Moves played before it.
    pub ply: usize,
    /// Who made it.
    pub side: Side,
    /// The move.
    pub mv: String,
    /// Was there more than one legal move?
    pub choice: bool,
    /// The position before it, at its best.
    pub before: Judged,
    /// The value of the move for its side.
    pub played: Worth,
    /// What it cost, in the unit of the grading.
    pub loss: f64,
    /// What it gave away for certain.
    pub thrown: Option<Thrown>,
    /// `?!`, `?`, `??`.
    pub mark: Option<Mark>,
}

impl Step {
    /// The best move.
    #[must_use]
    pub fn best(&self) -> &str {
        self.before.line.first().map_or("", String::as_str)
    }

    /// Is the loss known exactly?
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.before.worth.sure == Sure::Exact && self.played.sure == Sure::Exact
    }
}

/// What one step backwards has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The move.
    pub step: Step,
    /// Later moves that look otherwise now, because this position proves something about them.
    pub again: Vec<Step>,
    /// The same of the end of the game.
    pub end: Option<Judged>,
}

/// What is known of a position without thinking.
pub type Oracle = Box<dyn Fn(&dyn AnyLine) -> Option<Judged> + Send>;

/// See the [module](self).
pub struct Reviewer {
    player: Box<dyn Player>,
    places: Places,
    scale: Scale,
    grading: Grading,
    limits: Limits,
    oracle: Option<Oracle>,
    searcher: Option<(Box<dyn Searcher>, u64)>,
    /// Positions in a row that could not be searched to the end.
    failures: u32,
    /// The position that comes next, and the moves that led to it.
    line: Option<Box<dyn AnyLine>>,
    moves: Vec<String>,
    /// The end of the game, and the moves that were judged, the last one first.
    end: Option<Judged>,
    done: Vec<Step>,
}

impl Reviewer {
    /// Judges with this player, so long for each position.
    #[must_use]
    pub fn new(entry: &GameEntry, player: Box<dyn Player>, limits: Limits) -> Reviewer {
        let scale = scale_of(entry, &*player);
        Reviewer {
            player,
            places: Places::of(entry),
            scale,
            grading: Grading::usual(scale),
            limits,
            oracle: None,
            searcher: None,
            failures: 0,
            line: None,
            moves: Vec::new(),
            end: None,
            done: Vec::new(),
        }
    }

    /// Searches late positions to the end, where the game can.
    pub fn to_the_end(
        mut self,
        entry: &GameEntry,
        settings: &Settings,
    ) -> Result<Reviewer, zug_core::exact::AnyError> {
        if let Some(search) = entry.extension::<ExactSearch>() {
            self.searcher = Some((search.searcher(settings)?, search.pace()));
        }
        Ok(self)
    }

    /// Asks this first.
    #[must_use]
    pub fn knowing(mut self, oracle: Oracle) -> Reviewer {
        self.oracle = Some(oracle);
        self
    }

    /// Grades like this.
    #[must_use]
    pub fn graded(mut self, grading: Grading) -> Reviewer {
        self.grading = grading;
        self
    }

    /// How losses are graded.
    #[must_use]
    pub fn grading(&self) -> Grading {
        self.grading
    }

    /// The unit of estimates.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Begins with the end of a game. `None` when stopped.
    pub fn begin(
        &mut self,
        end: &dyn AnyLine,
        stop: &StopFlag,
    ) -> Result<Option<Judged>, PlayerError> {
        self.moves = end.moves();
        self.line = Some(end.boxed_clone());
        self.failures = 0;
        if let Some((searcher, _)) = &mut self.searcher {
            searcher.clear();
        }
        self.done.clear();
        self.end = self.position(end, FIRST + COMPARE, stop)?;
        Ok(self.end.clone())
    }

    /// The move before those that were judged; `None` at the beginning of the game, or when stopped.
    pub fn step(&mut self, stop: &StopFlag) -> Result<Option<Told>, PlayerError> {
        let after = self.done.last().map(|step| &step.before).or(self.end.as_ref());
        let (Some(mut line), Some(after)) = (self.line.take(), after) else { return Ok(None) };
        let Some(mv) = self.moves.pop().filter(|_| line.undo()) else { return Ok(None) };
        let choice = line.legal_moves().len() > 1;
        let came = came_of(&mv, after);
        let weighed = if choice {
            self.weigh(&*line, &mv, came, stop)?
        } else {
            let played = came.worth;
            Some(Weighed { before: came, played, loss: 0.0 })
        };
        let Some(Weighed { before, played, loss }) = weighed.filter(|_| !stop.is_set()) else {
            return Ok(None);
        };
        let thrown = Thrown::of(before.worth, played).filter(|_| loss > 0.0);
        let mark = self.grading.mark(loss, thrown).filter(|_| choice);
        let (ply, side) = (line.ply(), line.to_move());
        self.line = Some(line);
        self.done.push(Step { ply, side, mv, choice, before, played, loss, thrown, mark });
        Ok(Some(self.told()))
    }

    /// The newest step, and what it says of those after it.
    fn told(&mut self) -> Told {
        let newest = self.done.len() - 1;
        let (mut first, mut end) = (newest, None);
        for at in (0..=newest).rev() {
            let step = &mut self.done[at];
            step.played = step.before.worth.limits(step.played, self.scale);
            let said = step.played.after();
            let next = match at {
                0 => self.end.as_mut(),
                _ => Some(&mut self.done[at - 1].before),
            };
            let differs = |next: &Worth| (next.score, next.sure) != (said.score, said.sure);
            let Some(next) = next.filter(|next| differs(&next.worth)) else { break };
            next.worth = said;
            match at {
                0 => end = Some(next.clone()),
                _ => first = at - 1,
            }
        }
        let again = self.done[first..newest].iter().rev().cloned().collect();
        Told { step: self.done[newest].clone(), again, end }
    }

    fn unit(&self, worth: Worth) -> f64 {
        self.grading.unit.of_worth(worth)
    }

    /// One position; `None` when stopped.
    fn position(
        &mut self,
        line: &dyn AnyLine,
        share: f64,
        stop: &StopFlag,
    ) -> Result<Option<Judged>, PlayerError> {
        match self.known(line, TO_THE_END, stop) {
            Some(known) => Ok(Some(known)),
            None if stop.is_set() => Ok(None),
            None => self.look(line, &[], share, stop),
        }
    }

    /// What is certain about a position.
    fn known(&mut self, line: &dyn AnyLine, share: f64, stop: &StopFlag) -> Option<Judged> {
        if let Some(outcome) = line.outcome() {
            let score = Score::of_outcome(&outcome, line.to_move(), 0);
            let worth = Worth::of_score(score, Sure::Exact, self.scale);
            return Some(Judged { worth, line: Vec::new(), depth: 0, others: Vec::new() });
        }
        if let Some(known) = self.oracle.as_ref().and_then(|oracle| oracle(line)) {
            return Some(known);
        }
        if share < PROOF && self.failures >= GIVE_UP_AFTER {
            return None;
        }
        let most = if self.limits.movetime.is_some() { HOPELESS } else { SOON_DONE };
        if empty_cells(line) > most {
            return None;
        }
        let solved = self.solved(line, share, stop);
        if share < PROOF && self.searcher.is_some() {
            self.failures = if solved.is_some() { 0 } else { self.failures + 1 };
        }
        solved
    }

    /// By a search to the end, if it visits no more positions than that.
    fn solved(&mut self, line: &dyn AnyLine, share: f64, stop: &StopFlag) -> Option<Judged> {
        let (searcher, pace) = self.searcher.as_mut()?;
        let seconds = self.limits.movetime.unwrap_or(UNTIMED).as_secs_f64();
        let most = (seconds * share).min(f64::max(MOST_PROOF.as_secs_f64(), seconds));
        searcher.limit(Some((most * *pace as f64) as u64));
        let answer = searcher.solve(&line.position_text(), Question::Score, stop);
        let answer = answer.ok().flatten()?;
        let margin = Score::won_by(answer.score.unsigned_abs() as f32);
        let score = match answer.score {
            0 => Score::DRAW,
            1.. => margin,
            _ => -margin,
        };
        let worth = Worth::of_score(score, Sure::Exact, self.scale);
        let depth = empty_cells(line) as u32;
        Some(Judged { worth, line: answer.line, depth, others: Vec::new() })
    }

    /// By the player, which may choose among some moves or all; `None` when stopped, or when it says
    /// nothing of values.
    fn look(
        &mut self,
        line: &dyn AnyLine,
        only: &[String],
        share: f64,
        stop: &StopFlag,
    ) -> Result<Option<Judged>, PlayerError> {
        let mut limits = look::share(&self.limits, self.player.pace(), share);
        limits.only = only.to_vec();
        limits.lines = if only.is_empty() { self.limits.lines.max(1) } else { 1 };
        let told = look::ask(&mut *self.player, line, &limits, self.scale, stop)?;
        Ok(look::best(told).filter(|_| !stop.is_set()))
    }
}

/// The unit of the values of a game.
#[must_use]
pub fn scale_of_game(entry: &GameEntry) -> Scale {
    entry.extension::<Scale>().copied().unwrap_or(Scale::Plain)
}

/// The unit of what a player says: its own, or that of the game.
#[must_use]
pub fn scale_of(entry: &GameEntry, player: &dyn Player) -> Scale {
    player.scale().unwrap_or_else(|| scale_of_game(entry))
}

/// What a player counts, where that is not what the game counts and has to be said with each value.
#[must_use]
pub fn foreign_unit(entry: &GameEntry, player: &dyn Player) -> Option<&'static str> {
    player.scale().filter(|&scale| scale != scale_of_game(entry)).map(Scale::unit)
}

fn empty_cells(line: &dyn AnyLine) -> usize {
    line.picture().cells.iter().filter(|cell| cell.owner == Owner::Empty).count()
}

/// The judgement of a position by what came of a move there.
fn came_of(mv: &str, after: &Judged) -> Judged {
    let mut line = vec![mv.to_string()];
    line.extend(after.line.iter().cloned());
    Judged { worth: after.worth.before(), line, depth: after.depth + 1, others: Vec::new() }
}
