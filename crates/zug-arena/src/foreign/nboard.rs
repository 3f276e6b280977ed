//! NBoard, the protocol of Othello engines (versions 1 and 2).
//!
//! The position goes out as a GGF game, `ping`/`pong` tells when the engine has understood it, and
//! `go` asks for a move. The protocol limits engines by depth alone; engines of ours also
//! understand `set time`.

use super::moves::adopt;
use super::process::Process;
use super::{Driver, Request};
use std::time::{Duration, Instant};
use zug_core::error::shorten;
use zug_core::{AnyLine, Choice, Info, Owner, PlayerError, Score, Side};

#[derive(Default)]
pub(super) struct Nboard {
    pings: u32,
    depth: Option<u32>,
    time: Option<Duration>,
    name: Option<String>,
}

impl Nboard {
    /// Waits until the engine has worked off all that was sent.
    fn settle(&mut self, process: &mut Process, deadline: Instant) -> Result<(), PlayerError> {
        self.pings += 1;
        process.send(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        while let Some(line) = process.hear(deadline)? {
            if line.trim() == pong {
                return Ok(());
            }
            if let Some(name) = line.strip_prefix("set myname ") {
                self.name = Some(shorten(name.trim()));
            }
        }
        Err(PlayerError::TimedOut(Duration::ZERO))
    }

    fn present(
        &mut self,
        process: &mut Process,
        line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        process.send(&format!("set game {}", ggf(line)?))?;
        self.settle(process, deadline)
    }
}

impl Driver for Nboard {
    fn greet(
        &mut self,
        process: &mut Process,
        deadline: Instant,
    ) -> Result<Option<String>, PlayerError> {
        *self = Nboard::default();
        process.send("nboard 2")?;
        self.settle(process, deadline)?;
        Ok(self.name.clone())
    }

    fn new_game(
        &mut self,
        process: &mut Process,
        line: &dyn AnyLine,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        self.present(process, line, deadline)
    }

    fn choose(
        &mut self,
        process: &mut Process,
        request: &mut Request<'_, '_>,
    ) -> Result<Choice, PlayerError> {
        process.drain();
        if request.limits.depth != self.depth
            && let Some(depth) = request.limits.depth
        {
            process.send(&format!("set depth {depth}"))?;
            self.depth = Some(depth);
        }
        let time = request.limits.movetime;
        let ours = self.name.as_ref().is_some_and(|n| n.to_lowercase().starts_with("zug"));
        if let Some(time) = time
            && ours
            && self.time != Some(time)
        {
            process.send(&format!("set time {}ms", time.as_millis().max(1)))?;
            self.time = Some(time);
        }
        self.present(process, request.line, request.deadline).map_err(|e| match e {
            PlayerError::TimedOut(_) => PlayerError::TimedOut(request.patience),
            other => other,
        })?;
        process.send("go")?;
        let mut last: Option<Info> = None;
        loop {
            let line = request.hear(process, None)?;
            if let Some(text) = line.strip_prefix("===") {
                return read_move(request.line, text, last).ok_or_else(|| {
                    PlayerError::Protocol(format!("no move in '{}'", shorten(&line)))
                });
            }
            if let Some(info) = line.strip_prefix("search ").and_then(read_search) {
                (request.watch.report)(&info);
                last = Some(info);
            }
        }
    }

    fn set_option(&mut self, _: &mut Process, name: &str, _: &str) -> Result<(), PlayerError> {
        Err(PlayerError::Option(format!("NBoard engines have no option '{name}'")))
    }

    fn is_timeless(&self) -> bool {
        true
    }
}

/// ` F5/1.25/0.3`: move, value in discs for the mover, seconds; the latter two may be absent.
fn read_move(line: &dyn AnyLine, text: &str, last: Option<Info>) -> Option<Choice> {
    let mut parts = text.trim().split('/');
    let word = parts.next()?.trim();
    if word.is_empty() {
        return None;
    }
    let pass = ["pa", "pass", "ps"].iter().any(|p| word.eq_ignore_ascii_case(p));
    let mv = if pass { adopt(line, "pass") } else { adopt(line, &word.to_ascii_lowercase()) };
    let mut info = last;
    if let Some(score) = parts.next().and_then(|v| v.trim().parse().ok()).and_then(discs) {
        let entry = info.get_or_insert_with(|| Info { rank: 1, ..Info::default() });
        entry.score = Some(score);
        if let Some(time) = parts.next().and_then(|t| t.trim().parse::<f64>().ok())
            && let Ok(elapsed) = Duration::try_from_secs_f64(time)
        {
            entry.elapsed = elapsed;
        }
    }
    Some(Choice { info, ..Choice::of(mv) })
}

fn discs(value: f64) -> Option<Score> {
    (value.is_finite() && value.abs() <= 64.0).then(|| Score::estimate((value * 100.0) as i32))
}

/// `F5D6C3 1.25 0 12`: line, value, 0, depth.
fn read_search(text: &str) -> Option<Info> {
    let mut words = text.split_whitespace();
    let line = words.next()?;
    let score = discs(words.next()?.parse().ok()?)?;
    let depth = words.nth(1).and_then(|d| d.trim_end_matches('%').parse().ok()).unwrap_or(0);
    if !line.is_ascii() {
        return None;
    }
    let line = line
        .as_bytes()
        .chunks(2)
        .map(|pair| String::from_utf8_lossy(pair).to_ascii_lowercase())
        .map(|mv| if mv == "pa" { "pass".to_string() } else { mv })
        .collect();
    Some(Info { rank: 1, depth, score: Some(score), line, ..Info::default() })
}

/// The game so far as GGF.
fn ggf(line: &dyn AnyLine) -> Result<String, PlayerError> {
    if line.spec().split(':').next() != Some("othello") {
        let reason = format!("NBoard engines play Othello, not {}", line.spec());
        return Err(PlayerError::Unsupported(reason));
    }
    let mut start = line.boxed_clone();
    let mut sides = Vec::new();
    while start.undo() {
        sides.push(start.to_move());
    }
    sides.reverse();
    let picture = start.picture();
    let cells: String = picture
        .cells
        .iter()
        .map(|cell| match cell.owner {
            Owner::Piece(Side::First) => '*',
            Owner::Piece(Side::Second) => 'O',
            _ => '-',
        })
        .collect();
    let side = |s: Side| if s == Side::First { ('*', 'B') } else { ('O', 'W') };
    let mut text = format!(
        "(;GM[Othello]PC[Zug]PB[black]PW[white]RE[?]TI[0]TY[{size}]BO[{size} {cells} {}]",
        side(start.to_move()).0,
        size = picture.width,
    );
    for (mv, mover) in line.moves().iter().zip(sides) {
        let mv = if mv == "pass" { "PA".to_string() } else { mv.to_ascii_uppercase() };
        text.push_str(&format!("{}[{mv}]", side(mover).1));
    }
    text.push_str(";)");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_lines_are_read() {
        let info = read_search("F5PAC3 -1.25 0 12").unwrap();
        assert_eq!(info.line, ["f5", "pass", "c3"]);
        assert_eq!((info.depth, info.score), (12, Some(Score::estimate(-125))));
        assert_eq!(read_search("F5 12.00 0 100%").unwrap().depth, 100);
        assert_eq!(read_search("F5 nan 0 1"), None);
        assert_eq!(read_search("F5"), None);
        assert_eq!(read_search("fü5 1 0 1"), None);
    }
}
