//! Thinking aloud: `lz-analyze`, `kata-analyze` and their moves.
//!
//! The response begins at once with `=`, goes on with a line of `info move …` entries for each
//! report, and ends with a blank line when the next input arrives (or, for `…genmove_analyze`, with
//! `play MOVE` when the move is found).

use super::Session;
use super::command::Command;
use crate::control::Control;
use crate::output::Output;
use crate::seat;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};
use zug_core::{Info, Limits, Player, RootInfo, Score, Side, Verdict, Watch};

/// Whose words are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Win rates in hundredths of a percent.
    Leela,
    /// Win rates from 0 to 1, and a lead in points.
    Kata,
}

/// An analysis in progress.
pub(super) struct Analysis<'scope> {
    control: Arc<Control>,
    handle: ScopedJoinHandle<'scope, Option<Box<dyn Player>>>,
    begin: Instant,
}

impl Analysis<'_> {
    /// Ends it; its response is then complete.
    pub(super) fn end(self) -> (Option<Box<dyn Player>>, Duration) {
        self.control.stop();
        let player = self.handle.join().unwrap_or(None);
        (player, self.begin.elapsed())
    }
}

/// What the client wants to see.
#[derive(Debug, PartialEq)]
struct Request {
    side: Side,
    interval: Duration,
    lines: usize,
    /// The moves that may be chosen, `None` for all.
    only: Option<Vec<String>>,
    avoid: Vec<String>,
    extras: Extras,
}

/// What is shown besides the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Extras {
    /// What is known about the position itself.
    root: bool,
    /// Who will own each point.
    ownership: bool,
    /// Visits of each move of a line.
    line_visits: bool,
    /// So many moves even where little is known about them.
    at_least: usize,
}

/// No search reports more often than this.
const LEAST_INTERVAL: Duration = Duration::from_millis(10);

/// Without a wish, as many moves as one can look at.
const DEFAULT_LINES: usize = 8;

impl<W: Write + Send> Session<'_, '_, W> {
    /// Starts a stream, or says why it cannot.
    pub(super) fn analyse(
        &mut self,
        command: &Command,
        dialect: Dialect,
        plays: bool,
    ) -> Result<(), String> {
        let request = self.request(&command.arguments)?;
        if let Some(outcome) = self.board.ended_for_good() {
            return Err(format!("the game has ended: {}", outcome.reason));
        }
        let line = self.board.line_for(request.side)?;
        let mut limits = if plays { self.limits() } else { Limits::default() };
        limits.lines = request.lines;
        limits.only = request.allowed(&line.legal_moves())?;
        let wanted = request.lines.clamp(1, line.legal_moves().len().max(1));
        let player = self.seat.take(&self.board.entry)?;
        let control = if plays { self.interrupts.begin(self.line) } else { Control::new(false) };
        let (reins, output) = (Arc::clone(&control), self.output);
        output.send(&format!("={}\n", command.id));
        let Request { interval, extras, .. } = request;
        let mut screen = Screen::new(dialect, interval, wanted, extras);
        let begin = Instant::now();
        let think = move || {
            let mut report = |info: &Info| {
                if !screen.show(info, output) {
                    reins.stop();
                }
            };
            let mut watch = Watch::new(Arc::clone(&reins.stop), &mut report)
                .reporting_every(interval.max(LEAST_INTERVAL));
            watch.ownership = extras.ownership;
            watch.at_least = extras.at_least;
            let (player, choice) = seat::choose(player, &*line, &limits, &mut watch);
            screen.flush(output);
            (player, choice)
        };
        if plays {
            // A move is not interrupted, and the board changes with it, so it is found right here.
            let (player, choice) = think();
            self.interrupts.end();
            self.seat.put(player);
            self.spent(request.side, begin.elapsed(), true);
            let played = match choice {
                Ok(choice) if choice.resigns => Ok("resign".to_string()),
                Ok(choice) => self.board.play(request.side, &choice.mv),
                Err(e) => Err(e.to_string()),
            };
            match played {
                Ok(mv) => output.line(&format!("play {mv}")),
                // The response has begun as a success; the best that is left is to say so.
                Err(e) => output.line(&format!("info string error: {e}")),
            };
            output.send("\n");
        } else {
            let handle = self.scope.spawn(move || {
                let (player, _) = think();
                player
            });
            self.analysis = Some(Analysis { control, handle, begin });
        }
        Ok(())
    }

    /// Reads `[COLOUR] [INTERVAL] [KEY VALUE…]`; what is not known is skipped, as clients send keys
    /// for engines that we are not.
    fn request(&self, arguments: &[String]) -> Result<Request, String> {
        let mut request = Request {
            side: self.board.line.to_move(),
            interval: Duration::from_secs(1),
            lines: DEFAULT_LINES,
            only: None,
            avoid: Vec::new(),
            extras: Extras::default(),
        };
        let centiseconds = |text: &str| {
            text.parse().map(|n: u32| Duration::from_millis(10 * u64::from(n))).map_err(|_| {
                format!(
                    "syntax error: expected an interval in hundredths of a second, found '{text}'"
                )
            })
        };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(side) = words.peek().and_then(|w| self.board.colours().read(w).ok()) {
            request.side = side;
            words.next();
        }
        if let Some(word) = words.next_if(|w| w.starts_with(|c: char| c.is_ascii_digit())) {
            request.interval = centiseconds(word)?;
        }
        while let Some(key) = words.next() {
            let value = words
                .next()
                .ok_or_else(|| format!("syntax error: expected a value after '{key}'"))?;
            match key {
                "interval" => request.interval = centiseconds(value)?,
                "maxmoves" => {
                    let lines = value.parse().map_err(|_| "syntax error: maxmoves not a number")?;
                    request.lines = usize::clamp(lines, 1, 1000);
                }
                "minmoves" => {
                    let lines = value.parse().map_err(|_| "syntax error: minmoves not a number")?;
                    request.extras.at_least = usize::clamp(lines, 0, 1000);
                }
                "rootInfo" => request.extras.root = read_bool(key, value)?,
                "ownership" => request.extras.ownership = read_bool(key, value)?,
                "pvVisits" => request.extras.line_visits = read_bool(key, value)?,
                // Moves that are restricted deeper in the tree are so at its root here.
                "allow" | "avoid" => {
                    let side = self.board.colours().read(value)?;
                    let (Some(moves), Some(_depth)) = (words.next(), words.next()) else {
                        return Err(format!("syntax error: expected '{key} COLOUR MOVE,… DEPTH'"));
                    };
                    if side == request.side {
                        let moves = moves.split(',').map(String::from);
                        match key {
                            "allow" => request.only.get_or_insert_default().extend(moves),
                            _ => request.avoid.extend(moves),
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(request)
    }
}

fn read_bool(key: &str, value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| format!("syntax error: expected true or false after '{key}'"))
}

impl Request {
    /// The moves that may be chosen; none for all.
    fn allowed(&self, legal: &[String]) -> Result<Vec<String>, String> {
        if self.only.is_none() && self.avoid.is_empty() {
            return Ok(Vec::new());
        }
        let among = |list: &[String], mv: &str| list.iter().any(|m| m.eq_ignore_ascii_case(mv));
        let allowed = legal.iter().filter(|mv| {
            self.only.as_ref().is_none_or(|only| among(only, mv)) && !among(&self.avoid, mv)
        });
        let allowed: Vec<String> = allowed.cloned().collect();
        if allowed.is_empty() {
            Err("no legal move is left to choose from".into())
        } else {
            Ok(allowed)
        }
    }
}

/// The best lines so far, shown not too often.
struct Screen {
    dialect: Dialect,
    interval: Duration,
    /// How many lines make a report complete, where the player does not say.
    wanted: usize,
    extras: Extras,
    lines: Vec<Info>,
    shown: Option<Instant>,
    dirty: bool,
}

impl Screen {
    fn new(dialect: Dialect, interval: Duration, wanted: usize, extras: Extras) -> Screen {
        let (lines, shown, dirty) = (Vec::new(), None, false);
        Screen { dialect, interval, wanted, extras, lines, shown, dirty }
    }

    /// A report that comes a little early is not held back for a whole interval more.
    fn is_due(&self) -> bool {
        self.shown.is_none_or(|at| at.elapsed() >= self.interval.mul_f64(0.9))
    }

    /// Takes a report; false when nobody reads any more.
    fn show<W: Write>(&mut self, info: &Info, output: &Output<W>) -> bool {
        let rank = info.rank.max(1);
        // A player may have less to say than was asked for; that it begins anew tells that it was all.
        if rank == 1 && self.is_due() && !self.flush(output) {
            return false;
        }
        // The lines of one iteration come in order of rank: what stands there from the last one is
        // out of date.
        self.lines.truncate(rank - 1);
        self.lines.push(info.clone());
        self.dirty = true;
        let complete = rank >= if info.of > 0 { info.of } else { self.wanted };
        if complete && self.is_due() { self.flush(output) } else { !output.is_broken() }
    }

    fn flush<W: Write>(&mut self, output: &Output<W>) -> bool {
        if !std::mem::take(&mut self.dirty) {
            return true;
        }
        self.shown = Some(Instant::now());
        output.line(&self.text())
    }

    fn text(&self) -> String {
        let lines = self.lines.iter().enumerate();
        let mut entries: Vec<String> = lines
            .filter_map(|(order, info)| entry(self.dialect, order, info, self.extras))
            .collect();
        let root = self.lines.first().and_then(|info| info.root.as_deref());
        if let (Dialect::Kata, Some(root)) = (self.dialect, root) {
            if self.extras.root {
                entries.push(root_entry(root));
            }
            if !root.ownership.is_empty() {
                let owned: Vec<String> = root.ownership.iter().map(|o| format!("{o:.3}")).collect();
                entries.push(format!("ownership {}", owned.join(" ")));
            }
        }
        entries.join(" ")
    }
}

/// One move of an analysis line.
fn entry(dialect: Dialect, order: usize, info: &Info, extras: Extras) -> Option<String> {
    let mv = info.line.first()?;
    let rate = win_rate(info);
    let visits = info.visits.first().copied();
    let lcb = visits.map_or(rate, |visits| lower_bound(rate, visits));
    let mut text = format!("info move {mv} visits {}", visits.unwrap_or(info.nodes));
    let prior = info.prior.map(f64::from);
    match dialect {
        Dialect::Leela => {
            let hundredths = |share: f64| (share * 10_000.0).round();
            let _ = write!(text, " winrate {}", hundredths(rate));
            if let Some(prior) = prior {
                let _ = write!(text, " prior {}", hundredths(prior));
            }
            let _ = write!(text, " lcb {}", hundredths(lcb));
        }
        Dialect::Kata => {
            let _ = write!(text, " utility {:.6} winrate {rate:.6}", 2.0 * rate - 1.0);
            if let Some(lead) = lead(info) {
                let _ = write!(text, " scoreMean {lead:.2} scoreLead {lead:.2}");
            }
            if let Some(prior) = prior {
                let _ = write!(text, " prior {prior:.6}");
            }
            let _ = write!(text, " lcb {lcb:.6} utilityLcb {:.6}", 2.0 * lcb - 1.0);
        }
    }
    let _ = write!(text, " order {order} pv {}", info.line.join(" "));
    if extras.line_visits && !info.visits.is_empty() {
        let visits: Vec<String> = info.visits.iter().map(u64::to_string).collect();
        let _ = write!(text, " pvVisits {}", visits.join(" "));
    }
    Some(text)
}

/// The position itself, in KataGo's words.
fn root_entry(root: &RootInfo) -> String {
    let rate = root.win_rate;
    let mut text = format!(
        "rootInfo visits {} utility {:.6} winrate {rate:.6}",
        root.visits,
        2.0 * rate - 1.0
    );
    if let Some(lead) = root.lead {
        let _ = write!(text, " scoreMean {lead:.2} scoreLead {lead:.2}");
    }
    text
}

/// The lower end of the interval that holds the rate of a move in 95 of 100 cases, as far as chance
/// alone goes: playouts count as games that are won or lost.
fn lower_bound(rate: f64, visits: u64) -> f64 {
    let spread = (rate * (1.0 - rate) / visits.max(1) as f64).sqrt();
    (rate - 1.96 * spread).max(0.0)
}

/// The probability to win: stated, or guessed from the score by the rating formula.
fn win_rate(info: &Info) -> f64 {
    if let Some(rate) = info.win_rate.filter(|r| r.is_finite()) {
        return f64::from(rate).clamp(0.0, 1.0);
    }
    match info.score.map(Score::verdict) {
        None => 0.5,
        Some(Verdict::Estimate(e)) => 1.0 / (1.0 + 10f64.powf(-f64::from(e) / 400.0)),
        Some(Verdict::WonIn(_) | Verdict::WonBy(_)) => 1.0,
        Some(Verdict::LostIn(_) | Verdict::LostBy(_)) => 0.0,
    }
}

/// The expected lead in points: stated, or what the score counts.
fn lead(info: &Info) -> Option<f64> {
    if info.lead.is_some() {
        return info.lead.map(f64::from);
    }
    match info.score?.verdict() {
        Verdict::Estimate(e) => Some(f64::from(e) / 100.0),
        Verdict::WonBy(margin) => Some(f64::from(margin)),
        Verdict::LostBy(margin) => Some(-f64::from(margin)),
        Verdict::WonIn(_) | Verdict::LostIn(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_lines_than_asked_for_are_shown_when_the_next_ones_begin() {
        let mut said = Vec::new();
        let output = Output::new(&mut said);
        let mut screen = Screen::new(Dialect::Leela, Duration::ZERO, 10, Extras::default());
        let info = |rank: usize| Info { rank, line: vec![format!("A{rank}")], ..Info::default() };
        for rank in [1, 2, 1, 2, 3] {
            assert!(screen.show(&info(rank), &output));
        }
        screen.flush(&output);
        output.finish().unwrap();
        let said = String::from_utf8(said).unwrap();
        let counts: Vec<usize> = said.lines().map(|l| l.matches("info move").count()).collect();
        assert_eq!(counts, [2, 3], "{said}");
    }
}
