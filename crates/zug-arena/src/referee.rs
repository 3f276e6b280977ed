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
use zug_core::{AnyLine, Choice, Info, Player, PlayerError, Side, Watch};

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

/// A finished game, seen from the board.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) winner: Option<Side>,
    pub(crate) margin: Option<f32>,
    pub(crate) termination: Termination,
    pub(crate) reason: String,
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum NoResult {
    /// The match was halted.
    Halted,
    /// A player cannot play this match at all.
    Refused(Side, PlayerError),
}

/// Plays a game on from where `line` stands.
pub(crate) fn play_game(
    mut players: [&mut dyn Player; 2],
    mut line: Box<dyn AnyLine>,
    rules: &Rules<'_>,
) -> Result<Played, NoResult> {
    let mut moves: Vec<PlayedMove> =
        line.moves().into_iter().map(|text| PlayedMove { text, comment: None }).collect();
    for side in Side::BOTH {
        let player = &mut players[side.index()];
        if let Err(error) = guarded(|| player.new_game(line.as_ref())) {
            let (termination, reason) = blame(side, error)?;
            return finish(players, &line, moves, Some(side.other()), termination, reason);
        }
    }
    let mut clock = GameClock::new(rules.limit, rules.margin, rules.free);
    let mut verdicts = Verdicts::default();
    loop {
        if let Some(outcome) = line.outcome() {
            let mut played =
                finish(players, &line, moves, outcome.winner, Termination::Rules, outcome.reason)?;
            played.margin = outcome.margin;
            return Ok(played);
        }
        if rules.halt.load(Ordering::Relaxed) {
            return Err(NoResult::Halted);
        }
        if line.ply() >= rules.adjudication.max_plies as usize {
            let reason = format!("broken off after {} plies", line.ply());
            return finish(players, &line, moves, None, Termination::MaxPlies, reason);
        }
        let side = line.to_move();
        let (answer, elapsed) = ask(&mut *players[side.index()], line.as_ref(), &clock, rules);
        if rules.halt.load(Ordering::Relaxed) {
            return Err(NoResult::Halted);
        }
        let lost = Some(side.other());
        let choice = match answer {
            Ok(choice) => choice,
            Err(error) => {
                let (termination, reason) = blame(side, error)?;
                return finish(players, &line, moves, lost, termination, reason);
            }
        };
        if !clock.charge(side, elapsed) {
            let allowed = clock.allowed(side).unwrap_or_default().saturating_sub(rules.margin);
            let reason = format!(
                "lost on time: {:.3} s for a move, {:.3} s allowed",
                elapsed.as_secs_f64(),
                allowed.as_secs_f64()
            );
            return finish(players, &line, moves, lost, Termination::Time, reason);
        }
        if choice.resigns {
            return finish(players, &line, moves, lost, Termination::Resignation, "resignation");
        }
        match line.play(&choice.mv) {
            Ok(text) => {
                let comment = comment(&choice, elapsed, rules.limit.is_timed());
                moves.push(PlayedMove { text, comment });
            }
            Err(error) => {
                let reason = format!("illegal move '{}': {error}", shorten(&choice.mv));
                return finish(players, &line, moves, lost, Termination::IllegalMove, reason);
            }
        }
        if line.outcome().is_some() {
            continue;
        }
        if let Some(outcome) = rules.adjudication.oracle.as_ref().and_then(|o| o(line.as_ref())) {
            let termination = Termination::Oracle;
            let mut played =
                finish(players, &line, moves, outcome.winner, termination, outcome.reason)?;
            played.margin = outcome.margin;
            return Ok(played);
        }
        let score = choice.info.as_ref().and_then(|i| i.score);
        match verdicts.note(rules.adjudication, side, score, line.ply()) {
            None => {}
            Some(Verdict::Drawn) => {
                let termination = Termination::AdjudicatedDraw;
                return finish(players, &line, moves, None, termination, "level for long enough");
            }
            Some(Verdict::Lost(loser)) => {
                let (termination, winner) = (Termination::AdjudicatedWin, Some(loser.other()));
                return finish(players, &line, moves, winner, termination, "lost for long enough");
            }
        }
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
fn blame(side: Side, error: PlayerError) -> Result<(Termination, String), NoResult> {
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
    Ok((termination, error.to_string()))
}

fn finish(
    players: [&mut dyn Player; 2],
    line: &Box<dyn AnyLine>,
    moves: Vec<PlayedMove>,
    winner: Option<Side>,
    termination: Termination,
    reason: impl Into<String>,
) -> Result<Played, NoResult> {
    for player in players {
        // The game is decided; what a player does on hearing so cannot change that.
        let _ = guarded(|| {
            player.game_over(line.as_ref());
            Ok(())
        });
    }
    Ok(Played { moves, winner, margin: None, termination, reason: reason.into() })
}

/// `+0.35/8 0.120s`: score, depth, and time where time matters. (Times in the records of a match at
/// fixed depth would only make equal games look different.)
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
