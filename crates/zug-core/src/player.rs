//! Something that chooses moves: our searches, a person, a foreign engine.

use crate::{AnyLine, Limits, Outcome, Scale, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A player of some game.
pub trait Player: Send {
    /// A short name for tables and records.
    fn name(&self) -> String;

    /// A new game begins, at the position of `line`.
    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        let _ = line;
        Ok(())
    }

    /// Chooses a move for the side to move of `line`, where the game has not ended.
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError>;

    /// The game is over; learners listen. `outcome` is its result: by the rules, by resignation or
    /// by the decision of an arbiter. `None` where the result says nothing about the play: a
    /// crash, an illegal move, a loss on time, a game that was broken off.
    fn game_over(&mut self, line: &dyn AnyLine, outcome: Option<&Outcome>) {
        let _ = (line, outcome);
    }

    /// Does a game that is over change how the next one is played? Such games are played one after
    /// the other.
    fn learns(&self) -> bool {
        false
    }

    /// How many positions (or playouts) it visits in a second on a usual machine, where a limit on
    /// their number makes it choose and say the same on every run. `None` where it does not: several
    /// threads, a foreign program.
    fn pace(&self) -> Option<u64> {
        None
    }

    /// The unit of its values, where it is not that of the game.
    fn scale(&self) -> Option<Scale> {
        None
    }

    /// Changes an option of a running player (a UCI `setoption`, say).
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        Err(PlayerError::Option(format!(
            "{} has no option '{name}' (value '{value}')",
            self.name()
        )))
    }
}

/// A chosen move.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move in the game's notation.
    pub mv: String,
    /// The player gives up instead.
    pub resigns: bool,
    /// What the player thought: the last report.
    pub info: Option<Info>,
    /// The reply it expects: a move to ponder on.
    pub expects: Option<String>,
}

impl Choice {
    /// A plain move.
    #[must_use]
    pub fn of(mv: impl Into<String>) -> Choice {
        Choice { mv: mv.into(), resigns: false, info: None, expects: None }
    }
}

/// A report of a search in progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Rank of this line, from 1 (more than 1 only when several lines were asked for).
    pub rank: usize,
    /// How many lines this report has; 0 where the player does not say.
    pub of: usize,
    /// Plies searched in full.
    pub depth: u32,
    /// Deepest ply reached.
    pub deepest: u32,
    /// Value for the side to move.
    pub score: Option<Score>,
    /// Is the score the value itself, or only a bound of it?
    pub bound: Bound,
    /// The score is proven, not estimated: of use for draws, which look like an estimate of 0.
    pub proven: bool,
    /// Probability to win, where the player thinks in such terms.
    pub win_rate: Option<f32>,
    /// Points by which the side to move is expected to lead at the end, where the player counts them.
    pub lead: Option<f32>,
    /// Positions or playouts so far.
    pub nodes: u64,
    /// Playouts that went through each move of the line, where the player counts them by moves.
    pub visits: Vec<u64>,
    /// How likely the player thought the first move before it looked, from 0 to 1.
    pub prior: Option<f32>,
    /// Time so far.
    pub elapsed: Duration,
    /// How full the transposition table is, in thousandths.
    pub hash_full: Option<u32>,
    /// Positions that a database or table of endings knew, where there is one.
    pub oracle_hits: Option<u64>,
    /// The line that both sides are expected to play.
    pub line: Vec<String>,
    /// What is known about the position itself; with the first line only, by players that can.
    pub root: Option<Arc<RootInfo>>,
}

/// What a search knows about the position that it was asked about, whatever the move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RootInfo {
    /// Playouts from here, those of earlier searches that were kept included.
    pub visits: u64,
    /// Probability to win for the side to move.
    pub win_rate: f32,
    /// Points by which the side to move is expected to lead at the end.
    pub lead: Option<f32>,
    /// Who will own each cell of the picture: 1 is the side to move, −1 the other one. Empty where it
    /// was not asked for.
    pub ownership: Vec<f32>,
}

/// What a score says about the value that it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is this.
    #[default]
    Exact,
    /// It is at least this: a win that may be larger, say.
    AtLeast,
    /// It is at most this.
    AtMost,
}

impl Info {
    /// Positions a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
    }
}

/// A sign of life between two reports of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pulse {
    /// How far the search is. If there is a score, the best line is worth at least or at most so
    /// much, and the search goes on to find out.
    pub info: Info,
    /// The move that is being looked at where the search began, and its number, from 1.
    pub current: Option<(String, usize)>,
}

/// When a search first says what it has.
const FIRST_REPORT: Duration = Duration::from_millis(200);

/// How the caller of a player follows and stops it.
pub struct Watch<'a> {
    /// Set by another thread to stop thinking and move at once.
    pub stop: Arc<AtomicBool>,
    /// Called with each report.
    pub report: &'a mut dyn FnMut(&Info),
    /// Called at least once a second with what is between reports, by players that can.
    pub pulse: Option<&'a mut dyn FnMut(&Pulse)>,
    /// How long it may be from report to report; the player's own choice for `None`.
    pub every: Option<Duration>,
    /// Is [`RootInfo::ownership`] wanted?
    pub ownership: bool,
    /// So many lines are wanted even where little is known about the last of them.
    pub at_least: usize,
}

impl<'a> Watch<'a> {
    /// Reports to `report`, stopped by `stop`.
    pub fn new(stop: Arc<AtomicBool>, report: &'a mut dyn FnMut(&Info)) -> Watch<'a> {
        Watch { stop, report, pulse: None, every: None, ownership: false, at_least: 0 }
    }

    /// The same, with signs of life.
    #[must_use]
    pub fn with_pulse(self, pulse: &'a mut dyn FnMut(&Pulse)) -> Watch<'a> {
        Watch { pulse: Some(pulse), ..self }
    }

    /// The same, with a report this often.
    #[must_use]
    pub fn reporting_every(self, every: Duration) -> Watch<'a> {
        Watch { every: Some(every), ..self }
    }

    /// When the report after one at `now` is due: as often as asked for, or else less and less often
    /// as the search goes on, while less and less changes. The first one comes early.
    #[must_use]
    pub fn next_report(&self, now: Option<Duration>) -> Duration {
        match (now, self.every) {
            (None, every) => every.map_or(FIRST_REPORT, |every| every.min(FIRST_REPORT)),
            (Some(now), Some(every)) => now + every,
            (Some(now), None) => now.mul_f64(1.25) + Duration::from_millis(100),
        }
    }

    /// Has the caller asked to stop?
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Calls `choose` with nobody watching.
pub fn choose_quietly(
    player: &mut dyn Player,
    line: &dyn AnyLine,
    limits: &Limits,
) -> Result<Choice, PlayerError> {
    let mut ignore = |_: &Info| {};
    player.choose(line, limits, &mut Watch::new(Arc::default(), &mut ignore))
}

/// A player that cannot play on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// The program could not be started.
    #[error("cannot start: {0}")]
    Start(String),
    /// The program ended or broke its pipe.
    #[error("crashed: {0}")]
    Crashed(String),
    /// No answer in time.
    #[error("no answer within {0:?}")]
    TimedOut(Duration),
    /// An answer that is no answer.
    #[error("broke the protocol: {0}")]
    Protocol(String),
    /// A move that the rules do not allow.
    #[error("illegal move: {0}")]
    Illegal(String),
    /// An option it does not have, or a value that does not fit.
    #[error("bad option: {0}")]
    Option(String),
    /// The player does not know this game or position.
    #[error("cannot play this: {0}")]
    Unsupported(String),
}
