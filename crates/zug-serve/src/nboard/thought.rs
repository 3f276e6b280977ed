//! The thread that thinks, and how its thoughts are said in NBoard.

use crate::control::Control;
use crate::output::Output;
use crate::seat;
use std::io::Write;
use std::sync::Arc;
use zug_core::{AnyLine, Bound, Choice, Info, Limits, Owner, Player};
use zug_core::{PlayerError, Score, Side, Verdict, Watch};

/// What to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// The best moves, as they are found.
    Hint { lines: usize },
    /// A move to play.
    Go,
    /// The value of every position of the game, from the last to the first.
    Analyse,
}

/// One piece of thinking, with all it needs.
pub(super) struct Thought<'env, W> {
    pub(super) line: Box<dyn AnyLine>,
    pub(super) limits: Limits,
    pub(super) control: Arc<Control>,
    pub(super) output: &'env Output<W>,
}

type MaybePlayer = Option<Box<dyn Player>>;

impl<W: Write> Thought<'_, W> {
    /// Thinks, and gives the player back if it survives.
    pub(super) fn run(mut self, player: Box<dyn Player>, task: Task) -> MaybePlayer {
        let player = match task {
            Task::Hint { lines } => {
                self.limits.lines = lines;
                self.output.line("status Analysing");
                let (player, result) = self.choose(player, true);
                self.say_error(&result);
                player
            }
            Task::Go => {
                self.output.line("status Thinking");
                let (player, result) = self.choose(player, true);
                self.say_error(&result);
                let text = match &result {
                    Ok(choice) => played(choice),
                    // A move is owed in any case.
                    Err(_) => {
                        let first = self.line.legal_moves().into_iter().next();
                        format!("=== {}", square(&first.unwrap_or_else(|| "pass".into())))
                    }
                };
                self.output.line(&text);
                player
            }
            Task::Analyse => self.analyse(player),
        };
        self.output.line("status");
        player
    }

    fn say_error<T>(&self, result: &Result<T, PlayerError>) {
        if let Err(e) = result {
            self.output.line(&format!("status error: {e}"));
        }
    }

    fn choose(
        &self,
        player: Box<dyn Player>,
        aloud: bool,
    ) -> (MaybePlayer, Result<Choice, PlayerError>) {
        let mut reported = false;
        let mut report = |info: &Info| {
            reported = true;
            if aloud && !self.say(info) {
                self.control.stop();
            }
        };
        let mut watch = Watch::new(Arc::clone(&self.control.stop), &mut report);
        let depth = self.limits.depth.map(|depth| to_the_end(depth, &*self.line));
        let limits = Limits { depth, ..self.limits.clone() };
        let (player, result) = seat::choose(player, &*self.line, &limits, &mut watch);
        if let (true, false, Ok(Choice { info: Some(info), .. })) = (aloud, reported, &result) {
            self.say(info);
        }
        (player, result)
    }

    fn say(&self, info: &Info) -> bool {
        let Some(text) = search_line(info) else { return !self.output.is_broken() };
        self.output.line(&text);
        self.output.line(&format!("nodestats {} {:.2}", info.nodes, info.elapsed.as_secs_f64()))
    }

    /// The values are those of the first side (black), so that they draw one curve.
    fn analyse(&mut self, player: Box<dyn Player>) -> MaybePlayer {
        self.output.line("status Analysing the game");
        let mut player = Some(player);
        loop {
            let ply = self.line.ply();
            let side = self.line.to_move();
            let value = match self.line.outcome() {
                Some(outcome) => Some(Score::of_outcome(&outcome, side, 0)),
                None => {
                    let Some(thinker) = player.take() else { break };
                    let (back, result) = self.choose(thinker, false);
                    player = back;
                    self.say_error(&result);
                    result.ok().and_then(|c| c.info).and_then(|info| score_of(&info))
                }
            };
            if self.control.is_stopped() || self.output.is_broken() {
                break;
            }
            if let Some(value) = value {
                let value = if side == Side::First { value } else { -value };
                self.output.line(&format!("analysis {ply} {:.2}", discs(value)));
            }
            if !self.line.undo() {
                break;
            }
        }
        player
    }
}

/// A depth that reaches the end of the game where few more plies would: the protocol's depth is that of
/// the middle game, and it is cheap to know the end. Weak settings stay weak.
fn to_the_end(depth: u32, line: &dyn AnyLine) -> u32 {
    let cells = line.picture().cells;
    let empty = cells.iter().filter(|cell| cell.owner == Owner::Empty).count() as u32;
    // Passes are plies too.
    if empty <= (2 * depth).min(depth + 6) { 2 * empty.max(1) } else { depth }
}

/// The score of a report; a probability to win becomes discs on a rough scale, where 10 discs
/// ahead are ten to one.
fn score_of(info: &Info) -> Option<Score> {
    info.score.or_else(|| {
        let rate = f64::from(info.win_rate?).clamp(1e-3, 1.0 - 1e-3);
        Some(Score::estimate((1000.0 * (rate / (1.0 - rate)).log10()) as i32))
    })
}

/// A value in discs.
fn discs(score: Score) -> f64 {
    match score.verdict() {
        Verdict::Estimate(hundredths) => f64::from(hundredths) / 100.0,
        Verdict::WonBy(margin) => f64::from(margin),
        Verdict::LostBy(margin) => -f64::from(margin),
        Verdict::WonIn(_) => 64.0,
        Verdict::LostIn(_) => -64.0,
    }
}

/// A move as NBoard writes it: `F5`, and `PA` for the pass.
fn square(mv: &str) -> String {
    if mv.eq_ignore_ascii_case("pass") { "PA".to_string() } else { mv.to_ascii_uppercase() }
}

/// `search F5D6C3 -1.25 0 12`: line, value, no games from a book, depth (`100%` where the value is
/// exact, `100%W` where only the winner is certain).
fn search_line(info: &Info) -> Option<String> {
    if info.line.is_empty() {
        return None;
    }
    let score = score_of(info)?;
    let line: String = info.line.iter().map(|mv| square(mv)).collect();
    let depth = match (score.is_proven() || info.proven, info.bound) {
        (true, Bound::Exact) => "100%".to_string(),
        (true, Bound::AtLeast | Bound::AtMost) => "100%W".to_string(),
        (false, _) => info.depth.to_string(),
    };
    Some(format!("search {line} {:.2} 0 {depth}", discs(score)))
}

/// `=== F5/-1.25/0.50`
fn played(choice: &Choice) -> String {
    let mv = square(&choice.mv);
    match &choice.info {
        None => format!("=== {mv}"),
        Some(info) => {
            let eval = score_of(info).map_or(String::new(), |s| format!("{:.2}", discs(s)));
            format!("=== {mv}/{eval}/{:.2}", info.elapsed.as_secs_f64())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn thoughts_are_said_in_discs() {
        let info = Info {
            depth: 9,
            score: Some(Score::estimate(-125)),
            elapsed: Duration::from_millis(500),
            line: vec!["f5".into(), "pass".into(), "c3".into()],
            ..Info::default()
        };
        assert_eq!(search_line(&info).unwrap(), "search F5PAC3 -1.25 0 9");
        let choice = Choice { info: Some(info.clone()), ..Choice::of("f5") };
        assert_eq!(played(&choice), "=== F5/-1.25/0.50");
        let solved = Info { score: Some(Score::won_by(12.0)), ..info };
        assert_eq!(search_line(&solved).unwrap(), "search F5PAC3 12.00 0 100%");
        let won = Info { bound: Bound::AtLeast, ..solved.clone() };
        assert_eq!(search_line(&won).unwrap(), "search F5PAC3 12.00 0 100%W");
        let drawn = Info { score: Some(Score::DRAW), proven: true, ..solved };
        assert_eq!(search_line(&drawn).unwrap(), "search F5PAC3 0.00 0 100%");
        assert_eq!(played(&Choice::of("pass")), "=== PA");
        assert_eq!(search_line(&Info::default()), None);
    }

    #[test]
    fn weak_settings_stay_weak_and_the_end_is_solved() {
        let entry = zug_othello::open(&zug_core::Spec::parse("othello").unwrap()).unwrap();
        let depth = |depth, empty: usize| {
            let board = format!("{}{} X", "-".repeat(empty), "XO".repeat(32));
            let board = format!("{} X", &board[..64]);
            to_the_end(depth, &*entry.game.line_from(&board).unwrap())
        };
        assert_eq!(depth(1, 3), 1);
        assert_eq!(depth(1, 2), 4);
        assert_eq!(depth(6, 12), 24);
        assert_eq!(depth(6, 13), 6);
        assert_eq!(depth(20, 26), 52);
        assert_eq!(depth(20, 27), 20);
    }

    #[test]
    fn a_win_rate_becomes_discs() {
        let info = Info { win_rate: Some(0.5), ..Info::default() };
        assert_eq!(discs(score_of(&info).unwrap()), 0.0);
    }
}
