//! How is one game played? The referee keeps the line and the clocks, checks every move, and turns
//! whatever a player does wrong into a lost game with a reason.

use crate::adjudicate::{Adjudication, Verdict, Verdicts};
use crate::control::{GameClock, TimeControl};
use crate::report::{PlayedMove, Termination};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use zug_core::error::shorten;
use zug_core::{AnyLine, Choice, Info, Outcome, Player, PlayerError, Side, Watch};

/// Wakes a player that thinks for too long. The runner looks at all alarms now and then.
#[derive(Debug, Default)]
pub(crate) struct Alarm {
    stop: Arc<AtomicBool>,
    deadline: Mutex<Option<Instant>>,
}

impl Alarm {
    fn arm(&self, deadline: Option<Instant>, halt: &AtomicBool) {
        let mut slot = self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = deadline;
        self.stop.store(halt.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Rings where it is due, and always when the match is halted.
    pub(crate) fn check(&self, now: Instant, halted: bool) {
        let slot = self.deadline.lock().unwrap_or_else(PoisonError::into_inner);
        if halted || slot.is_some_and(|deadline| now >= deadline) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// What a referee needs to know.
pub(crate) struct Rules<'a> {
    pub(crate) limit: TimeControl,
    pub(crate) margin: Duration,
    /// Sides with a limit of their own.
    pub(crate) free: [bool; 2],
    pub(crate) adjudication: &'a Adjudication,
    pub(crate) alarm: &'a Alarm,
    /// Set when the match is to be broken off.
    pub(crate) halt: &'a AtomicBool,
}

/// How a game ended.
#[derive(Debug)]
pub(crate) struct End {
    pub(crate) winner: Option<Side>,
    pub(crate) margin: Option<f32>,
    pub(crate) termination: Termination,
    pub(crate) reason: String,
}

impl End {
    fn new(winner: Option<Side>, termination: Termination, reason: impl Into<String>) -> End {
        End { winner, margin: None, termination, reason: reason.into() }
    }

    /// What the players are told: a result that says something about the play. A game that was
    /// lost by a fault, or broken off for its length, teaches nothing.
    fn told(&self) -> Option<Outcome> {
        let says_nothing = self.termination.is_fault() || self.termination == Termination::MaxPlies;
        (!says_nothing).then(|| Outcome {
            winner: self.winner,
            margin: self.margin,
            reason: self.termination.word(),
        })
    }

    fn of(outcome: Outcome, termination: Termination) -> End {
        End { margin: outcome.margin, ..End::new(outcome.winner, termination, outcome.reason) }
    }
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum NoResult {
    /// The match was halted.
    Halted,
    /// A player cannot play this match at all.
    Refused(Side, PlayerError),
}

/// Plays a game on from where `line` stands. Gives back all moves, those before included.
pub(crate) fn play_game<'a>(
    players: [&'a mut dyn Player; 2],
    line: Box<dyn AnyLine>,
    rules: &'a Rules<'a>,
) -> Result<(Vec<PlayedMove>, End), NoResult> {
    let moves = line.moves().into_iter().map(|text| PlayedMove { text, comment: None }).collect();
    let clock = GameClock::new(rules.limit, rules.margin, rules.free);
    let mut table = Table { players, line, rules, clock, verdicts: Verdicts::default(), moves };
    let end = match table.welcome()? {
        Some(end) => end,
        None => loop {
            if let Some(end) = table.next_move()? {
                break end;
            }
        },
    };
    table.farewell(&end);
    Ok((table.moves, end))
}

/// A game in progress.
struct Table<'a> {
    players: [&'a mut dyn Player; 2],
    line: Box<dyn AnyLine>,
    rules: &'a Rules<'a>,
    clock: GameClock,
    verdicts: Verdicts,
    moves: Vec<PlayedMove>,
}

impl Table<'_> {
    fn welcome(&mut self) -> Result<Option<End>, NoResult> {
        for side in Side::BOTH {
            let player = &mut self.players[side.index()];
            if let Err(error) = guarded(|| player.new_game(self.line.as_ref())) {
                return blame(side, error).map(Some);
            }
        }
        Ok(None)
    }

    /// The game is decided; what a player does on hearing so cannot change that.
    fn farewell(&mut self, end: &End) {
        let outcome = end.told();
        for player in &mut self.players {
            let _ = guarded(|| {
                player.game_over(self.line.as_ref(), outcome.as_ref());
                Ok(())
            });
        }
    }

    /// Plays one move; the end of the game if there is no next one.
    fn next_move(&mut self) -> Result<Option<End>, NoResult> {
        if let Some(outcome) = self.line.outcome() {
            return Ok(Some(End::of(outcome, Termination::Rules)));
        }
        if self.line.ply() >= self.rules.adjudication.max_plies as usize {
            let reason = format!("broken off after {} plies", self.line.ply());
            return Ok(Some(End::new(None, Termination::MaxPlies, reason)));
        }
        self.check_halt()?;
        let side = self.line.to_move();
        let player = &mut *self.players[side.index()];
        let (answer, elapsed) = ask(player, self.line.as_ref(), &self.clock, self.rules);
        self.check_halt()?;
        match answer {
            Ok(choice) => Ok(self.judge(side, &choice, elapsed)),
            Err(error) => blame(side, error).map(Some),
        }
    }

    fn check_halt(&self) -> Result<(), NoResult> {
        if self.rules.halt.load(Ordering::Relaxed) { Err(NoResult::Halted) } else { Ok(()) }
    }

    /// Puts a chosen move on the board, if time and rules allow.
    fn judge(&mut self, side: Side, choice: &Choice, elapsed: Duration) -> Option<End> {
        let lost = Some(side.other());
        if !self.clock.charge(side, elapsed) {
            let allowed = self.clock.allowed(side).unwrap_or_default();
            let reason = format!(
                "lost on time: {:.3} s for a move, {:.3} s allowed",
                elapsed.as_secs_f64(),
                allowed.saturating_sub(self.rules.margin).as_secs_f64()
            );
            return Some(End::new(lost, Termination::Time, reason));
        }
        if choice.resigns {
            return Some(End::new(lost, Termination::Resignation, "resignation"));
        }
        match self.line.play(&choice.mv) {
            Ok(text) => {
                let timed = self.clock.allowed(side).is_some();
                let comment = comment(choice, elapsed, timed);
                self.moves.push(PlayedMove { text, comment });
                self.adjudicate(side, choice)
            }
            Err(error) => {
                let reason = format!("illegal move '{}': {error}", shorten(&choice.mv));
                Some(End::new(lost, Termination::IllegalMove, reason))
            }
        }
    }

    /// Is the game to be broken off after this move?
    fn adjudicate(&mut self, side: Side, choice: &Choice) -> Option<End> {
        if self.line.outcome().is_some() {
            return None;
        }
        let rules = self.rules.adjudication;
        if let Some(outcome) = rules.oracle.as_ref().and_then(|o| o(self.line.as_ref())) {
            return Some(End::of(outcome, Termination::Oracle));
        }
        let score = choice.info.as_ref().and_then(|i| i.score);
        let end = match self.verdicts.note(rules, side, score, self.line.ply())? {
            Verdict::Drawn => End::new(None, Termination::AdjudicatedDraw, "level for long enough"),
            Verdict::Lost(loser) => {
                let winner = Some(loser.other());
                End::new(winner, Termination::AdjudicatedWin, "lost for long enough")
            }
        };
        Some(end)
    }
}

fn ask(
    player: &mut dyn Player,
    line: &dyn AnyLine,
    clock: &GameClock,
    rules: &Rules<'_>,
) -> (Result<Choice, PlayerError>, Duration) {
    let side = line.to_move();
    let limits = clock.limits(side);
    let begin = Instant::now();
    rules.alarm.arm(clock.allowed(side).map(|allowed| begin + allowed), rules.halt);
    let mut ignore = |_: &Info| {};
    let mut watch = Watch::new(rules.alarm.stop.clone(), &mut ignore);
    let answer = guarded(|| player.choose(line, &limits, &mut watch));
    let elapsed = begin.elapsed();
    rules.alarm.arm(None, rules.halt);
    (answer, elapsed)
}

/// A player of our own that panics has crashed like any other program.
fn guarded<T>(f: impl FnOnce() -> Result<T, PlayerError>) -> Result<T, PlayerError> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        Err(PlayerError::Crashed(format!("panic: {}", shorten(&said))))
    })
}

/// What a player's error means for the game; some mean that it cannot play this match at all.
fn blame(side: Side, error: PlayerError) -> Result<End, NoResult> {
    let termination = match &error {
        PlayerError::Start(_) | PlayerError::Crashed(_) | PlayerError::Protocol(_) => {
            Termination::Crash
        }
        PlayerError::TimedOut(_) => Termination::NoAnswer,
        PlayerError::Illegal(_) => Termination::IllegalMove,
        PlayerError::Option(_) | PlayerError::Unsupported(_) => {
            return Err(NoResult::Refused(side, error));
        }
    };
    Ok(End::new(Some(side.other()), termination, error.to_string()))
}

/// `+0.35/8 0.120s`: score, depth, and time where a player can lose by it. (Elsewhere times would
/// only make equal games look different.)
fn comment(choice: &Choice, elapsed: Duration, timed: bool) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(info) = &choice.info {
        match info.score {
            Some(score) if info.depth > 0 => parts.push(format!("{score}/{}", info.depth)),
            Some(score) => parts.push(score.to_string()),
            None => parts.extend(info.win_rate.map(|w| format!("{:.1}%", w * 100.0))),
        }
    }
    if timed {
        parts.push(format!("{:.3}s", elapsed.as_secs_f64()));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}
