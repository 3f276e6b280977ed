//! What is each position of a game worth, and what did each move cost?
//!
//! One judge for `zug analyse`, for the page of `zug serve` and for checks. It walks from the end of
//! a game to its beginning:
//!
//! 1. What is certain comes first: a database, a search to the end, a proof of the player. Between two
//!    certain values the loss is certain.
//! 2. Elsewhere the player looks at the position, and what is known of the position after the move is
//!    handed back: a position is worth at least what came of the move that was played. So no move
//!    raises the value of its own side.
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

mod grade;
mod look;
#[cfg(test)]
mod tests;
mod worth;

pub use grade::{Grading, Thrown, Unit};
pub use worth::{Sure, Worth, proven_text, proven_winner};

use crate::Places;
use zug_core::exact::{ExactSearch, Question, Searcher, Settings};
use zug_core::{
    AnyLine, GameEntry, Limits, Mark, Owner, Player, PlayerError, Scale, Score, Side, StopFlag,
    Verdict,
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
/// With at most this many empty cells a mark needs a search to the end.
const PROVEN_FROM: usize = 24;
/// After this many positions in a row that took too long, earlier ones are not tried.
const GIVE_UP_AFTER: u32 = 2;
/// Without a limit on time, positions with at most this many empty cells are searched to the end.
const SOON_DONE: usize = 14;
/// And with any: more would be hopeless, and the time is better spent on an estimate.
const HOPELESS: usize = 34;
/// A draw of the game in discs: what a win without points is worth.
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
    after: Option<Judged>,
}

/// A position and the move that was played there.
struct Weighed {
    before: Judged,
    played: Worth,
    loss: f64,
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
            after: None,
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
        self.after = self.position(end, FIRST + COMPARE, stop)?;
        Ok(self.after.clone())
    }

    /// The move before those that were judged; `None` at the beginning of the game, or when stopped.
    pub fn step(&mut self, stop: &StopFlag) -> Result<Option<Step>, PlayerError> {
        let (Some(mut line), Some(after)) = (self.line.take(), self.after.take()) else {
            return Ok(None);
        };
        let Some(mv) = self.moves.pop().filter(|_| line.undo()) else { return Ok(None) };
        let choice = line.legal_moves().len() > 1;
        let came = came_of(&mv, &after);
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
        self.after = Some(before.clone());
        Ok(Some(Step { ply, side, mv, choice, before, played, loss, thrown, mark }))
    }

    fn unit(&self, worth: Worth) -> f64 {
        self.grading.unit.of_worth(worth)
    }

    /// A position and the move that was played there; `None` when stopped. `came` is what came of
    /// the move.
    fn weigh(
        &mut self,
        line: &dyn AnyLine,
        mv: &String,
        came: Judged,
        stop: &StopFlag,
    ) -> Result<Option<Weighed>, PlayerError> {
        if let Some(known) = self.known(line, TO_THE_END, stop) {
            return Ok(Some(self.beside_certain(line, known, mv, came, stop)));
        }
        let Some(look) = self.look(line, &[], FIRST, stop)? else { return Ok(None) };
        if look.worth.sure == Sure::Exact {
            return Ok(Some(self.beside_certain(line, look, mv, came, stop)));
        }
        let mut is_best = self.alike(line, mv, look.line.first());
        let mut seen = 0.0;
        let mut best = look.clone();
        if !is_best {
            let firsts = self.firsts(&look, mv);
            let Some(compared) = self.compared(line, mv, &firsts, COMPARE, stop)? else {
                return Ok(None);
            };
            seen = compared.loss;
            is_best = compared.is_best;
            if !is_best {
                best = Judged { others: look.others.clone(), ..compared.best };
            }
        }
        // What is known of the position after the move may say that this is worse than it looked.
        let gap = self.unit(look.worth) - self.unit(came.worth);
        let suspicion = f64::max(seen, gap);
        let lowest = self.grading.doubtful();
        let mut loss = seen;
        let mut hoped = look.worth;
        if suspicion >= lowest {
            if self.searcher.is_some() && empty_cells(line) <= PROVEN_FROM {
                if let Some(proof) = self.solved(line, PROOF, stop) {
                    return Ok(Some(self.beside_certain(line, proof, mv, came, stop)));
                }
                // Nothing is proven, so nothing is held against the move.
                loss = 0.0;
            } else {
                let firsts = match is_best {
                    false => self.firsts(&best, mv),
                    true => {
                        let Some(deep) = self.look(line, &[], DEEP, stop)? else {
                            return Ok(None);
                        };
                        hoped = deep.worth;
                        let is_best = self.alike(line, mv, deep.line.first());
                        let firsts = self.firsts(&deep, mv);
                        best = deep;
                        if is_best { Vec::new() } else { firsts }
                    }
                };
                loss = 0.0;
                if !firsts.is_empty() {
                    let Some(deep) = self.compared(line, mv, &firsts, DEEP, stop)? else {
                        return Ok(None);
                    };
                    hoped = deep.best.worth;
                    loss = suspicion.min(deep.loss);
                    if loss > 0.0 {
                        best = Judged { others: look.others.clone(), ..deep.best };
                    }
                }
            }
            if stop.is_set() {
                return Ok(None);
            }
        }
        let played = came.worth;
        let mut worth = self.raised(played, loss);
        // What no look could lay to this move's charge was lost by others that nobody saw.
        if self.unit(hoped) >= self.unit(worth) + lowest && hoped.sure == Sure::Estimate {
            worth = hoped;
        }
        let before = match loss > 0.0 {
            true => Judged { worth, ..best },
            false => Judged { worth, others: look.others, ..came },
        };
        Ok(Some(Weighed { before, played, loss }))
    }

    /// A move beside the certain value of the position before it.
    fn beside_certain(
        &mut self,
        line: &dyn AnyLine,
        before: Judged,
        mv: &String,
        mut came: Judged,
        stop: &StopFlag,
    ) -> Weighed {
        let worth = before.worth;
        if self.alike(line, mv, before.line.first()) {
            let line = if came.worth.sure == Sure::Exact { came.line } else { before.line };
            return Weighed { before: Judged { line, ..before }, played: worth, loss: 0.0 };
        }
        if came.worth.sure != Sure::Exact {
            let mut next = line.boxed_clone();
            if next.play(mv).is_ok()
                && let Some(after) = self.known(&*next, PROOF, stop)
            {
                came = came_of(mv, &after);
            }
        }
        let good = as_good(came.worth, worth);
        match (came.worth.sure == Sure::Exact, good) {
            // Of moves that are equally good the one that was played is shown.
            (true, true) => {
                let line = came.line;
                Weighed { before: Judged { line, ..before }, played: worth, loss: 0.0 }
            }
            // An estimate does not overrule what is certain.
            (false, true) => {
                let played = Worth { sure: Sure::Estimate, ..worth };
                Weighed { before, played, loss: 0.0 }
            }
            (_, false) => {
                let loss = (self.unit(worth) - self.unit(came.worth)).max(0.0);
                Weighed { before, played: came.worth, loss }
            }
        }
    }

    /// At least what came of the move, and more by what it cost.
    fn raised(&self, came: Worth, loss: f64) -> Worth {
        if loss > 0.0 {
            let score = match self.grading.unit {
                Unit::Discs => Score::estimate((100.0 * (came.points(MOST) + loss)).round() as i32),
                Unit::Percent => self.scale.score_at(came.chance + loss / 100.0),
            };
            return Worth::of_score(score, Sure::Estimate, self.scale);
        }
        // Other moves may be better still.
        match (came.sure, came.score.verdict()) {
            (Sure::Exact, Verdict::WonBy(margin)) => {
                let score = Score::estimate((100.0 * margin) as i32);
                Worth { score, sure: Sure::Winner, ..came }
            }
            (Sure::Exact, Verdict::WonIn(_)) => came,
            (Sure::Exact, Verdict::LostBy(_)) => {
                let score = Score::estimate((100.0 * came.points(MOST)) as i32);
                Worth::of_score(score, Sure::Estimate, self.scale)
            }
            (Sure::Winner, _) if came.score > Score::DRAW => came,
            _ => Worth { sure: Sure::Estimate, ..came },
        }
    }

    /// Do two moves lead to one position, but for a symmetry of the board?
    fn alike(&self, line: &dyn AnyLine, mv: &str, other: Option<&String>) -> bool {
        let Some(other) = other else { return false };
        if mv == other {
            return true;
        }
        let steps = self.places.steps(line);
        let key = |mv: &str| steps.iter().find(|step| step.mv == mv).map(|step| step.key);
        key(mv).is_some_and(|one| key(other) == Some(one))
    }

    /// The best moves and the one that was played.
    fn firsts(&self, best: &Judged, mv: &String) -> Vec<String> {
        let others = best.others.iter().map(|(_, line)| line);
        let mut only: Vec<String> = Vec::new();
        for first in std::iter::once(&best.line).chain(others).filter_map(|line| line.first()) {
            if !only.contains(first) {
                only.push(first.clone());
            }
        }
        if !only.contains(mv) {
            only.push(mv.clone());
        }
        only
    }

    /// Some moves by one search of these alone.
    fn compared(
        &mut self,
        line: &dyn AnyLine,
        mv: &String,
        only: &[String],
        share: f64,
        stop: &StopFlag,
    ) -> Result<Option<Compared>, PlayerError> {
        let mut limits = look::share(&self.limits, self.player.pace(), share);
        (limits.lines, limits.only) = (only.len(), only.to_vec());
        let told = look::ask(&mut *self.player, line, &limits, self.scale, stop)?;
        if stop.is_set() {
            return Ok(None);
        }
        let found = told.lines.iter().find(|judged| judged.line.first() == Some(mv));
        if let (Some(played), true) = (found, told.lines.len() == only.len()) {
            let best = told.lines[0].clone();
            let loss = (self.unit(best.worth) - self.unit(played.worth)).max(0.0);
            let is_best = best.line.first() == Some(mv);
            return Ok(Some(Compared { best, loss, is_best }));
        }
        // A player that tells one line only: one search for each side of the question.
        let rivals: Vec<String> = only.iter().filter(|&m| m != mv).cloned().collect();
        let (Some(best), Some(played)) = (
            self.look(line, &rivals, share, stop)?,
            self.look(line, std::slice::from_ref(mv), share, stop)?,
        ) else {
            return Ok(None);
        };
        let loss = self.unit(best.worth) - self.unit(played.worth);
        let is_best = loss <= 0.0;
        Ok(Some(Compared {
            best: if is_best { played } else { best },
            loss: loss.max(0.0),
            is_best,
        }))
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
        let most = self.limits.movetime.map(|time| time.as_secs_f64() * *pace as f64 * share);
        searcher.limit(most.map(|most| most as u64));
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

/// Two moves beside each other.
struct Compared {
    best: Judged,
    loss: f64,
    /// Was the best the one that was played?
    is_best: bool,
}

/// The unit of what a player says: its own, or that of the game.
#[must_use]
pub fn scale_of(entry: &GameEntry, player: &dyn Player) -> Scale {
    player.scale().or_else(|| entry.extension::<Scale>().copied()).unwrap_or(Scale::Plain)
}

fn empty_cells(line: &dyn AnyLine) -> usize {
    line.picture().cells.iter().filter(|cell| cell.owner == Owner::Empty).count()
}

/// Is the one at least as good as the other, for people? How far away a win is counts only among
/// wins.
fn as_good(one: Worth, other: Worth) -> bool {
    let (a, b) = (one.points(MOST), other.points(MOST));
    let distances = one.score.is_distance() && other.score.is_distance();
    a > b || a == b && (!distances || one.score >= other.score)
}

/// The judgement of a position by what came of a move there.
fn came_of(mv: &str, after: &Judged) -> Judged {
    let mut line = vec![mv.to_string()];
    line.extend(after.line.iter().cloned());
    Judged { worth: after.worth.before(), line, depth: after.depth + 1, others: Vec::new() }
}
