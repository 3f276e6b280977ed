//! NBoard, the protocol of Othello engines (versions 1 and 2).
//!
//! The position goes out as a GGF game, `ping`/`pong` tells when the engine has understood it, and
//! `go` asks for a move. The protocol limits engines by depth, and by clocks that are told inside the
//! game; engines of ours also understand `set time`.

use super::moves::adopt;
use super::process::Process;
use super::{Driver, Request};
use std::time::{Duration, Instant};
use zug_core::error::shorten;
use zug_core::{AnyLine, Bound, Choice, Clock, Info, Owner, PlayerError, Score, Side};

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
        clock: Option<Clock>,
        deadline: Instant,
    ) -> Result<(), PlayerError> {
        process.send(&format!("set game {}", ggf(line, clock)?))?;
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
        self.present(process, line, None, deadline)
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
        let clock = request.limits.clock;
        self.present(process, request.line, clock, request.deadline).map_err(|e| match e {
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

/// ` F5/1.25/0.3`, and with some engines ` F5 1.25 0.3`: move, value in discs for the mover, seconds;
/// the latter two may be absent.
fn read_move(line: &dyn AnyLine, text: &str, last: Option<Info>) -> Option<Choice> {
    let text = text.trim();
    let slashes = text.contains('/');
    let mut parts = text.split(|c: char| if slashes { c == '/' } else { c.is_whitespace() });
    let word = parts.next()?.trim();
    if word.is_empty() {
        return None;
    }
    let pass = ["pa", "pass", "ps"].iter().any(|p| word.eq_ignore_ascii_case(p));
    let mv = if pass { adopt(line, "pass") } else { adopt(line, &word.to_ascii_lowercase()) };
    let mut info = last;
    if let Some(score) = parts.next().and_then(read_value) {
        let entry = info.get_or_insert_with(|| Info { rank: 1, ..Info::default() });
        // What was found to be certain stays so.
        if !entry.proven {
            entry.score = Some(score);
        }
        if let Some(time) = parts.next().and_then(|t| t.trim().parse::<f64>().ok())
            && let Ok(elapsed) = Duration::try_from_secs_f64(time)
        {
            entry.elapsed = elapsed;
        }
    }
    Some(Choice { info, ..Choice::of(mv) })
}

/// A value; of a pair (a draw counted for black, and for white) the middle.
fn read_value(text: &str) -> Option<Score> {
    let mut values = text.split(',').map(|part| part.trim().parse::<f64>());
    let first = values.next()?.ok()?;
    discs(match values.next() {
        Some(second) => (first + second.ok()?) / 2.0,
        None => first,
    })
}

fn discs(value: f64) -> Option<Score> {
    (value.is_finite() && value.abs() <= 64.0).then(|| Score::estimate((value * 100.0) as i32))
}

/// `F5D6C3 1.25 0 12`: line, value, 0, depth. `F5-D6-C3` is a line too. A depth of `100%` says that
/// the value is exact, `100%W` that its sign is.
fn read_search(text: &str) -> Option<Info> {
    let mut words = text.split_whitespace();
    let line: String = words.next()?.split('-').collect();
    let score = read_value(words.next()?)?;
    let depth = words.nth(1).unwrap_or_default();
    if !line.is_ascii() {
        return None;
    }
    let line = line
        .as_bytes()
        .chunks(2)
        .map(|pair| String::from_utf8_lossy(pair).to_ascii_lowercase())
        .map(|mv| if mv == "pa" { "pass".to_string() } else { mv })
        .collect();
    let digits = depth.bytes().take_while(u8::is_ascii_digit).count();
    let mut info = Info { rank: 1, score: Some(score), line, ..Info::default() };
    match depth {
        "100%" | "100%W" => {
            info.proven = true;
            info.score = Some(proven(score));
            if depth == "100%W" && score != Score::DRAW {
                info.bound = if score > Score::DRAW { Bound::AtLeast } else { Bound::AtMost };
                // How large the win is nobody knows.
                info.score = Some(proven(Score::estimate(100 * score.0.signum())));
            }
        }
        depth => info.depth = depth[..digits].parse().unwrap_or(0),
    }
    Some(info)
}

/// The same value as a result that is certain.
fn proven(score: Score) -> Score {
    let by = Score::won_by(score.0.abs() as f32 / 100.0);
    match score.0 {
        0 => Score::DRAW,
        1.. => by,
        _ => -by,
    }
}

/// The game so far as GGF. The format tells the time of the game and what each move took; what a side
/// has used so far is said with its last move.
fn ggf(line: &dyn AnyLine, clock: Option<Clock>) -> Result<String, PlayerError> {
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
    let whole = clock.map(|clock| clock.remaining[0].max(clock.remaining[1]).as_secs() + 1);
    let time = match (whole, clock) {
        (Some(whole), Some(clock)) => {
            let increment = clock.increment[line.to_move().index()].as_secs();
            format!("{}:{:02}/0:{increment:02}", whole / 60, whole % 60)
        }
        _ => "0".to_string(),
    };
    let mut text = format!(
        "(;GM[Othello]PC[Zug]PB[black]PW[white]RE[?]TI[{time}]TY[{size}]BO[{size} {cells} {}]",
        side(start.to_move()).0,
        size = picture.width,
    );
    let last = Side::BOTH.map(|side| sides.iter().rposition(|&mover| mover == side));
    for (ply, (mv, &mover)) in line.moves().iter().zip(&sides).enumerate() {
        let mv = if mv == "pass" { "PA".to_string() } else { mv.to_ascii_uppercase() };
        let used = match (whole, clock) {
            (Some(whole), Some(clock)) if last[mover.index()] == Some(ply) => {
                let left = clock.remaining[mover.index()].as_secs_f64();
                // Each move has added its increment.
                let moves = sides.iter().filter(|&&side| side == mover).count() as f64;
                let added = moves * clock.increment[line.to_move().index()].as_secs() as f64;
                format!("//{:.2}", whole as f64 + added - left)
            }
            _ => String::new(),
        };
        text.push_str(&format!("{}[{mv}{used}]", side(mover).1));
    }
    text.push_str(";)");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Spec;

    #[test]
    fn clocks_travel_in_the_game() {
        let entry = zug_othello::open(&Spec::parse("othello").unwrap()).unwrap();
        let mut line = entry.game.new_line();
        assert!(ggf(line.as_ref(), None).unwrap().contains("TI[0]"));
        for mv in ["f5", "d6", "c3"] {
            line.play(mv).unwrap();
        }
        let clock = Clock {
            remaining: [Duration::from_millis(58_500), Duration::from_millis(59_250)],
            ..Clock::default()
        };
        let text = ggf(line.as_ref(), Some(clock)).unwrap();
        assert!(text.contains("TI[1:00/0:00]"), "{text}");
        assert!(text.ends_with("B[F5]W[D6//0.75]B[C3//1.50];)"), "{text}");
    }

    #[test]
    fn moves_are_read_with_slashes_and_with_blanks() {
        let entry = zug_othello::open(&Spec::parse("othello").unwrap()).unwrap();
        let line = entry.game.new_line();
        for text in [" F5/1.25/0.5", " f5 1.25 0.5", "F5/1.25", "F5"] {
            let choice = read_move(line.as_ref(), text, None).unwrap();
            assert_eq!(choice.mv, "f5", "{text}");
            let score = choice.info.and_then(|info| info.score);
            assert_eq!(score.is_some(), text.contains("1.25"), "{text}");
        }
        assert_eq!(read_move(line.as_ref(), "", None), None);
    }

    #[test]
    fn search_lines_are_read() {
        let info = read_search("F5PAC3 -1.25 0 12").unwrap();
        assert_eq!(info.line, ["f5", "pass", "c3"]);
        assert_eq!((info.depth, info.score), (12, Some(Score::estimate(-125))));
        let exact = read_search("F5-D6 12.00 0 100% solved").unwrap();
        assert_eq!((exact.score, exact.proven), (Some(Score::won_by(12.0)), true));
        assert_eq!(exact.line, ["f5", "d6"]);
        let lost = read_search("F5 -8.00 0 100%W").unwrap();
        assert_eq!((lost.score, lost.bound), (Some(-Score::won_by(1.0)), Bound::AtMost));
        assert_eq!(read_search("F5 0.00 0 100%").unwrap().score, Some(Score::DRAW));
        assert_eq!(read_search("F5 1.00,2.00 0 26@98%").unwrap().depth, 26);
        assert_eq!(read_search("F5 1.00,2.00 0 9").unwrap().score, Some(Score::estimate(150)));
        assert_eq!(read_search("F5 1.00,x 0 9"), None);
        assert_eq!(read_search("F5 nan 0 1"), None);
        assert_eq!(read_search("F5"), None);
        assert_eq!(read_search("fü5 1 0 1"), None);
    }
}
