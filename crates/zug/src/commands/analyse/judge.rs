//! What is each position of a game worth, and what did each move cost?
//!
//! The game is walked through from its end to its beginning. Late positions are searched to the end
//! where the game has such a search and the time suffices, and so the exact part grows from the end
//! towards the beginning; earlier positions are estimated by the player. A move is worth what the
//! position after it is worth, where that is certain. Where it is not, the move and the best one are
//! compared by one search of the two, which knows nothing of what came after: the values of two
//! searches, at an odd and at an even depth say, differ by more than the moves do.

use super::weigh::{beside_estimate, beside_exact};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;
use zug_core::exact::{Question, Searcher};
use zug_core::{AnyLine, Bound, Info, Limits, Player, PlayerError, Progress};
use zug_core::{Score, Side, StopFlag, Verdict, Watch};

/// After so many positions in a row that took too long, earlier ones are not tried.
const GIVE_UP_AFTER: u32 = 2;
/// Without a limit on time, positions with at most this many empty cells are searched to the end.
const SOON_DONE: usize = 14;
/// And with any: more would be hopeless, and the time is better spent on an estimate.
const HOPELESS: usize = 34;

/// A value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    pub score: Score,
    /// Cannot be wrong.
    pub exact: bool,
}

impl Worth {
    /// The same seen from the other side, a ply earlier.
    fn before(self) -> Worth {
        Worth { score: (-self.score).delayed(1), exact: self.exact }
    }

    /// In the game's unit; wins without points are worth `most`.
    pub fn points(self, most: f64) -> f64 {
        let points = match self.score.verdict() {
            Verdict::Estimate(hundredths) => f64::from(hundredths) / 100.0,
            Verdict::WonBy(margin) => f64::from(margin),
            Verdict::LostBy(margin) => -f64::from(margin),
            Verdict::WonIn(_) => most,
            Verdict::LostIn(_) => -most,
        };
        points.clamp(-most, most)
    }

    /// "+6" is exact, "+5.62" is not.
    pub fn text(self) -> String {
        match (self.score.verdict(), self.exact) {
            (Verdict::WonIn(_) | Verdict::LostIn(_), _) => self.score.to_string(),
            (Verdict::Estimate(0), true) => "0".into(),
            (Verdict::WonBy(m), true) => format!("+{m}"),
            (Verdict::LostBy(m), true) => format!("-{m}"),
            (_, _) => format!("{:+.2}", self.points(f64::MAX)),
        }
    }
}

/// A position with its value and the best line.
#[derive(Clone, Debug)]
pub struct Judged {
    pub worth: Worth,
    pub line: Vec<String>,
    pub depth: u32,
    /// More lines, the best first, where they were asked for.
    pub others: Vec<(Worth, Vec<String>)>,
}

/// A move of the game.
pub struct Step {
    /// Moves played before it.
    pub ply: usize,
    pub side: Side,
    pub mv: String,
    /// Was there more than one legal move?
    pub choice: bool,
    /// The position before it, at its best.
    pub before: Judged,
    /// The value of the move for its side.
    pub played: Worth,
    /// What it cost, in the game's unit.
    pub loss: f64,
}

impl Step {
    /// The best move.
    pub fn best(&self) -> &str {
        self.before.line.first().map_or("", String::as_str)
    }

    /// Is the loss known exactly?
    pub fn is_exact(&self) -> bool {
        self.before.worth.exact && self.played.exact
    }

    /// What a move threw away for sure: "the win", "the draw".
    pub fn threw_away(&self) -> Option<&'static str> {
        let sign = |worth: Worth| worth.score.0.signum();
        match (self.is_exact(), sign(self.before.worth), sign(self.played)) {
            (true, 1, 0 | -1) => Some("the win"),
            (true, 0, -1) => Some("the draw"),
            _ => None,
        }
    }
}

/// Judges positions.
pub struct Judge<'a> {
    pub player: Box<dyn Player>,
    pub searcher: Option<Box<dyn Searcher>>,
    /// Are two positions one, but for a symmetry of the board?
    pub is_alike: fn(&str, &str) -> bool,
    pub limits: Limits,
    pub stop: &'a StopFlag,
    /// The largest loss: a win without points.
    pub most: f64,
    /// Positions in a row that could not be searched to the end.
    pub failures: u32,
}

impl Judge<'_> {
    /// All moves of a line, in the order in which they were played, and the value of the end for
    /// its side to move. Only the last moves when it was stopped.
    pub fn game(
        &mut self,
        end: &dyn AnyLine,
        progress: &dyn Progress,
    ) -> Result<(Option<Judged>, Vec<Step>), PlayerError> {
        let mut line = end.boxed_clone();
        let moves = line.moves();
        progress.set_length(Some(moves.len() as u64 + 1));
        self.failures = 0;
        self.player.new_game(&*line)?;
        let mut steps: Vec<Step> = Vec::new();
        let Some(last) = self.position(&*line)? else { return Ok((None, steps)) };
        let mut after = last.clone();
        for (ply, mv) in moves.iter().enumerate().rev() {
            progress.advance(1);
            line.undo();
            let choice = line.legal_moves().len() > 1;
            let came = came_of(mv, &after);
            let (before, played) = if choice {
                match self.weighed(&*line, mv, came)? {
                    Some(weighed) => weighed,
                    None => break,
                }
            } else {
                (came.clone(), came.worth)
            };
            let loss = before.worth.points(self.most) - played.points(self.most);
            let (side, mv) = (line.to_move(), mv.clone());
            after = before.clone();
            steps.push(Step { ply, side, mv, choice, before, played, loss });
        }
        progress.finish();
        steps.reverse();
        Ok((Some(last), steps))
    }

    /// A position and the move that was played there, measured alike; `None` when stopped. `came` is
    /// what came of the move.
    fn weighed(
        &mut self,
        line: &dyn AnyLine,
        mv: &String,
        came: Judged,
    ) -> Result<Option<(Judged, Worth)>, PlayerError> {
        let Some(mut before) = self.position(line)? else { return Ok(None) };
        let mut is_best = before.line.first() == Some(mv);
        if !is_best && self.alike(line, mv, before.line.first()) {
            is_best = true;
            before.line.clone_from(&came.line);
        }
        if before.worth.exact {
            return Ok(Some(beside_exact(before, came, is_best, self.most)));
        }
        if came.worth.exact {
            // What a search ahead says of another move is no measure for what is certain.
            if !is_best
                && came.worth.points(self.most) < before.worth.points(self.most)
                && let Some(reply) = self.reply(line, before.line.first())
            {
                let best = before.line.first().cloned().unwrap_or_default();
                before = Judged { others: before.others, ..came_of(&best, &reply) };
            }
            return Ok(
                (!self.stop.is_set()).then(|| beside_estimate(before, came, is_best, self.most))
            );
        }
        if is_best {
            let played = before.worth;
            return Ok(Some((before, played)));
        }
        let of = |judged: &Judged| {
            let found = judged.others.iter().find(|(_, line)| line.first() == Some(mv));
            found.map(|&(worth, _)| worth)
        };
        if let Some(played) = of(&before) {
            return Ok(Some((before, played)));
        }
        let compared = self.compared(line, mv, &before)?;
        if self.stop.is_set() {
            return Ok(None);
        }
        let Some(mut compared) = compared else {
            return Ok(Some(beside_estimate(before, came, false, self.most)));
        };
        let played = match compared.line.first() == Some(mv) {
            true => compared.worth,
            false => of(&compared).unwrap_or(compared.worth),
        };
        compared.others.truncate(self.limits.lines.saturating_sub(1));
        Ok(Some((compared, played)))
    }

    /// Do two moves lead to one position, but for a symmetry of the board?
    fn alike(&self, line: &dyn AnyLine, mv: &str, other: Option<&String>) -> bool {
        let Some(other) = other else { return false };
        let after = |mv: &str| {
            let mut line = line.boxed_clone();
            line.play(mv).ok().map(|_| line.position_text())
        };
        match (after(mv), after(other)) {
            (Some(one), Some(two)) => (self.is_alike)(&one, &two),
            _ => false,
        }
    }

    /// The position after a move, searched to the end.
    fn reply(&mut self, line: &dyn AnyLine, mv: Option<&String>) -> Option<Judged> {
        let mut line = line.boxed_clone();
        line.play(mv?).ok()?;
        if line.outcome().is_some() {
            return self.position(&*line).ok()?;
        }
        let failures = std::mem::take(&mut self.failures);
        let solved = self.solved(&*line);
        self.failures = failures;
        solved
    }

    /// The best moves and the one that was played, by one search of these moves alone: the values
    /// of two searches differ by more than moves do. `None` where the player does not tell.
    fn compared(
        &mut self,
        line: &dyn AnyLine,
        mv: &String,
        before: &Judged,
    ) -> Result<Option<Judged>, PlayerError> {
        let others = before.others.iter().map(|(_, line)| line);
        let firsts = std::iter::once(&before.line).chain(others).filter_map(|line| line.first());
        let mut only: Vec<String> = firsts.cloned().collect();
        only.push(mv.clone());
        let limits = Limits { lines: only.len(), only, ..self.limits.clone() };
        let told = self.told(line, &limits)?.lines;
        if told.len() < limits.lines || !told.iter().any(|judged| judged.line.first() == Some(mv)) {
            return Ok(None);
        }
        let mut told = told.into_iter();
        Ok(told.next().map(|mut best| {
            // Of moves that were left out nothing is certain.
            best.worth.exact = false;
            best.others = told.map(|other| (other.worth, other.line)).collect();
            best
        }))
    }

    /// One position; `None` when stopped.
    fn position(&mut self, line: &dyn AnyLine) -> Result<Option<Judged>, PlayerError> {
        if self.stop.is_set() {
            return Ok(None);
        }
        if let Some(outcome) = line.outcome() {
            let score = Score::of_outcome(&outcome, line.to_move(), 0);
            let worth = Worth { score, exact: true };
            return Ok(Some(Judged { worth, line: Vec::new(), depth: 0, others: Vec::new() }));
        }
        let judged = match self.solved(line) {
            Some(judged) => Some(judged),
            None if self.stop.is_set() => return Ok(None),
            None => self.estimated(line)?,
        };
        Ok(judged.filter(|_| !self.stop.is_set()))
    }

    /// By search to the end, if the time suffices.
    fn solved(&mut self, line: &dyn AnyLine) -> Option<Judged> {
        let searcher = self.searcher.as_mut()?;
        let cells = line.picture().cells;
        let empty = cells.iter().filter(|c| c.owner == zug_core::Owner::Empty).count();
        let most = if self.limits.movetime.is_some() { HOPELESS } else { SOON_DONE };
        if self.failures >= GIVE_UP_AFTER || empty > most {
            return None;
        }
        let stop = StopFlag::new();
        let position = line.position_text();
        let answer = within(self.limits.movetime, self.stop, &stop, || {
            searcher.solve(&position, Question::Score, &stop)
        });
        let Ok(Some(answer)) = answer else {
            self.failures += 1;
            return None;
        };
        self.failures = 0;
        let margin = Score::won_by(answer.score.unsigned_abs() as f32);
        let score = match answer.score {
            0 => Score::DRAW,
            1.. => margin,
            _ => -margin,
        };
        let worth = Worth { score, exact: true };
        Some(Judged { worth, line: answer.line, depth: empty as u32, others: Vec::new() })
    }

    /// What the player says.
    fn told(&mut self, line: &dyn AnyLine, limits: &Limits) -> Result<Told, PlayerError> {
        // All lines of one search, and of the one before, should this one be broken off.
        let mut whole: BTreeMap<usize, Info> = BTreeMap::new();
        let mut previous = BTreeMap::new();
        let mut last: Option<Info> = None;
        let mut report = |info: &Info| {
            let rank = info.rank.max(1);
            if info.bound == Bound::Exact {
                if rank == 1 && !whole.is_empty() {
                    previous = std::mem::take(&mut whole);
                }
                whole.insert(rank, info.clone());
            }
            if rank == 1 {
                last = Some(info.clone());
            }
        };
        // What is known of the moves after the one that was played would favour or harm it.
        self.player.new_game(line)?;
        let mut watch = Watch::new(self.stop.shared(), &mut report);
        let choice = self.player.choose(line, limits, &mut watch)?;
        if whole.len() < previous.len() {
            whole = previous;
        }
        let last = choice.info.or(last);
        Ok(Told { mv: choice.mv, last, lines: whole.values().filter_map(told).collect() })
    }

    /// By the player.
    fn estimated(&mut self, line: &dyn AnyLine) -> Result<Option<Judged>, PlayerError> {
        let limits = self.limits.clone();
        let Told { mv, last, lines } = self.told(line, &limits)?;
        let mut lines = lines.into_iter();
        let mut judged = match (&last, lines.next()) {
            // A bound says less than the estimate before it, unless it contradicts that.
            (Some(info), Some(mut best)) if info.bound != Bound::Exact => {
                if let Some(bound) = told(info) {
                    let (low, high) = match info.bound {
                        Bound::AtLeast => (bound.worth.score, Score::INFINITE),
                        _ => (-Score::INFINITE, bound.worth.score),
                    };
                    best.worth.score = best.worth.score.clamp(low, high);
                    best.worth.exact = false;
                    best.line = bound.line;
                }
                best
            }
            (Some(info), best) => match (told(info), best) {
                (Some(told), _) => told,
                (None, Some(best)) => best,
                (None, None) => return Ok(None),
            },
            (None, Some(best)) => best,
            (None, None) => return Ok(None),
        };
        judged.others = lines.map(|other| (other.worth, other.line)).collect();
        if judged.line.first() != Some(&mv) {
            judged.line = vec![mv];
        }
        // A search that was broken off may have found another best move; then the lines of the one
        // before are no measure for it.
        let best = judged.worth.points(self.most);
        let first = judged.line.first().cloned();
        if judged
            .others
            .iter()
            .any(|(w, l)| w.points(self.most) > best || l.first() == first.as_ref())
        {
            judged.others.clear();
        }
        Ok(Some(judged))
    }
}

/// What a player said of a position.
struct Told {
    /// The move it chose.
    mv: String,
    /// Its last word on that.
    last: Option<Info>,
    /// All lines of one search, best first.
    lines: Vec<Judged>,
}

/// The judgement of a position by what came of a move there.
fn came_of(mv: &str, after: &Judged) -> Judged {
    let mut line = vec![mv.to_string()];
    line.extend(after.line.iter().cloned());
    Judged { worth: after.worth.before(), line, depth: after.depth + 1, others: Vec::new() }
}

/// A report as a judgement. A probability to win becomes percents above or below one half.
fn told(info: &Info) -> Option<Judged> {
    let score = match (info.score, info.win_rate) {
        (Some(score), _) => score,
        (None, Some(rate)) => Score::estimate(((f64::from(rate) - 0.5) * 1e4) as i32),
        (None, None) => return None,
    };
    let exact = (info.proven || score.is_proven()) && info.bound == Bound::Exact;
    let worth = Worth { score, exact };
    Some(Judged { worth, line: info.line.clone(), depth: info.depth, others: Vec::new() })
}

/// Runs a piece of work that `stop` ends: after some time, or when `all` is to stop.
fn within<T>(
    time: Option<Duration>,
    all: &StopFlag,
    stop: &StopFlag,
    work: impl FnOnce() -> T,
) -> T {
    /// How long Ctrl-C may wait.
    const PATIENCE: Duration = Duration::from_millis(20);
    let (done, wait) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let (all, stop) = (all.clone(), stop.clone());
        scope.spawn(move || {
            let begin = std::time::Instant::now();
            loop {
                let left = time.map(|t| t.saturating_sub(begin.elapsed()));
                let pause = left.map_or(PATIENCE, |left| left.min(PATIENCE));
                match wait.recv_timeout(pause) {
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
                if all.is_set() || left.is_some_and(|left| left <= pause) {
                    stop.set();
                    return;
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_stopped_by_its_time_and_by_the_user() {
        let until_stopped = |stop: &StopFlag| {
            while !stop.is_set() {
                std::thread::yield_now();
            }
        };
        let (all, stop) = (StopFlag::new(), StopFlag::new());
        within(Some(Duration::from_millis(1)), &all, &stop, || until_stopped(&stop));
        assert!(stop.is_set());
        let stop = StopFlag::new();
        all.set();
        within(None, &all, &stop, || until_stopped(&stop));
        let (quick, stop) = (StopFlag::new(), StopFlag::new());
        assert_eq!(within(Some(Duration::from_secs(3600)), &quick, &stop, || 7), 7);
        assert!(!stop.is_set());
    }

    #[test]
    fn values_are_told_exact_from_estimated() {
        let text = |score, exact| Worth { score, exact }.text();
        assert_eq!(text(Score::won_by(6.0), true), "+6");
        assert_eq!(text(-Score::won_by(12.0), true), "-12");
        assert_eq!(text(Score::DRAW, true), "0");
        assert_eq!(text(Score::estimate(-135), false), "-1.35");
        assert_eq!(text(Score::won_in(5), true), "won in 5");
        assert_eq!(text(Score::won_by(62.0), false), "+62.00");
        assert_eq!(Worth { score: Score::lost_in(3), exact: true }.points(10.0), -10.0);
    }
}
