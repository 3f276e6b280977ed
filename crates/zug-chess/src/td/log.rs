//! How is a game written down for the learner? The file `rllastgame.rl` of the thesis (4.2.1).
//!
//! ```text
//! 12                       games learned so far
//! 1                        the rates, one a line, a line for each position type
//! …
//! 0,7                      λ, with a decimal comma
//! 0 200 620 …              the weights, type after type
//! weiss                    own colour: weiss (white) or schwarz (black)
//! 101                      plies
//! e2e3 18 300000 300000 e2e3 c7c5 c2c3
//! d7d5 0 0 0 leer
//! …
//! 1                        1 won, 0 drawn, -1 lost
//! ```
//!
//! An own move is written with the score of its search (White's view), the clocks of White and Black
//! in milliseconds, and the principal variation, which begins with the move itself; a move without a
//! thought of ours (the opponent's, or one of an opening) with `0 0 0 leer`. Lines that begin with
//! `//` explain and are skipped, but for one: `// start FEN` names another start position. What the
//! thesis leaves open: a game whose result nobody knows yet has no last line.

use crate::fen;
use crate::position::Position;
use crate::uci;
use cozy_chess::{Color, Move};
use std::fmt::Write as _;

/// No log is larger.
pub const MAX_FILE: u64 = 64 << 20;
/// Nor are games longer.
const MAX_PLIES: usize = 6000;
/// Nor are variations.
const MAX_LINE: usize = 512;
/// More types than anybody has.
const MAX_TYPES: usize = 4096;
/// Nor are numbers larger.
const LARGEST: f64 = 1e12;
const START: &str = "// start ";

/// A game as it is logged.
#[derive(Clone, Debug, PartialEq)]
pub struct GameLog {
    /// Games learned from before this one.
    pub learned: u64,
    /// The rate of each type.
    pub rates: Vec<f64>,
    /// λ.
    pub lambda: f64,
    /// The weights, type after type.
    pub weights: Vec<f64>,
    /// The learner's colour.
    pub own: Color,
    /// Where the game began.
    pub start: Position,
    /// The moves.
    pub plies: Vec<LoggedPly>,
    /// 1, 0 or -1 for the learner; nothing where it is not known yet.
    pub result: Option<i32>,
}

/// A move of a logged game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedPly {
    /// The move.
    pub mv: Move,
    /// What the learner thought, if the move was its own.
    pub thought: Option<LoggedThought>,
}

/// What was thought about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedThought {
    /// From White's view, in the engine's units.
    pub score: i32,
    /// Milliseconds on the clocks of White and Black.
    pub clocks: [u64; 2],
    /// The principal variation, the move itself first.
    pub line: Vec<Move>,
}

/// A log that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct LogError {
    /// Counted from 1.
    pub line: usize,
    /// What would have been right.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl GameLog {
    /// Plies between own moves and the learner's view of a score.
    #[must_use]
    pub fn own_view(&self, white_score: i32) -> i32 {
        if self.own == Color::White { white_score } else { -white_score }
    }

    /// Writes the log.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = String::with_capacity(self.weights.len() * 4 + 4096);
        let _ = writeln!(out, "{}", self.learned);
        for rate in &self.rates {
            let _ = writeln!(out, "{}", with_comma(*rate));
        }
        let _ = writeln!(out, "{}", with_comma(self.lambda));
        let each = self.weights.len().checked_div(self.rates.len()).unwrap_or(0).max(1);
        for block in self.weights.chunks(each) {
            for (i, weight) in block.iter().enumerate() {
                if i > 0 {
                    out.push(if i % 64 == 0 { '\n' } else { ' ' });
                }
                out.push_str(&with_comma(*weight));
            }
            out.push('\n');
        }
        if self.start != Position::start() {
            let _ = writeln!(out, "{START}{}", fen::write(&self.start));
        }
        out.push_str(if self.own == Color::White { "weiss\n" } else { "schwarz\n" });
        let _ = writeln!(out, "{}", self.plies.len());
        let mut position = self.start.clone();
        for ply in &self.plies {
            out.push_str(&uci::write(&position, ply.mv, false));
            match &ply.thought {
                None => out.push_str(" 0 0 0 leer"),
                Some(thought) => {
                    let [white, black] = thought.clocks;
                    let _ = write!(out, " {} {white} {black}", thought.score);
                    let mut ahead = position.clone();
                    for &mv in &thought.line {
                        let _ = write!(out, " {}", uci::write(&ahead, mv, false));
                        ahead.play(mv);
                    }
                }
            }
            out.push('\n');
            position.play(ply.mv);
        }
        if let Some(result) = self.result {
            let _ = writeln!(out, "{result}");
        }
        out
    }

    /// Reads a log of an evaluation with so many factors a type. Every move is checked.
    pub fn read(text: &str, factors: usize) -> Result<GameLog, LogError> {
        let mut lines = Lines { lines: text.lines(), number: 0, start: None };
        let (numbers, own) = numbers(&mut lines, factors)?;
        let types = numbers.len().saturating_sub(2) / (factors + 1);
        if types == 0 || numbers.len() != 2 + types * (factors + 1) {
            let expected = format!(
                "games, a rate for each type, lambda and {factors} weights for each type before \
                 the colour"
            );
            return Err(lines.wrong(expected, format!("{} numbers", numbers.len())));
        }
        let learned = numbers[0];
        if learned < 0.0 || learned.fract() != 0.0 || learned > 1e15 {
            let found = learned.to_string();
            let expected = "a number of games".to_string();
            return Err(LogError { line: 1, expected, found });
        }
        let start = lines.start.clone().unwrap_or_else(Position::start);
        let mut log = GameLog {
            learned: learned as u64,
            rates: numbers[1..=types].to_vec(),
            lambda: numbers[types + 1],
            weights: numbers[types + 2..].to_vec(),
            own,
            start,
            plies: Vec::new(),
            result: None,
        };
        let count = lines.next("the number of plies")?;
        let count: usize = match count.trim().parse() {
            Ok(n) if n <= MAX_PLIES => n,
            _ => {
                return Err(
                    lines.wrong(format!("a number of plies up to {MAX_PLIES}"), quote(count))
                );
            }
        };
        let mut position = log.start.clone();
        for ply in 0..count {
            let line = lines.next("a move")?;
            let ply = read_ply(&position, line).map_err(|(expected, found)| {
                lines.wrong(format!("{expected} (ply {})", ply + 1), found)
            })?;
            if ply.thought.is_some() && position.color() != log.own {
                return Err(lines.wrong("'0 0 0 leer' after a move of the opponent", quote(line)));
            }
            position.play(ply.mv);
            log.plies.push(ply);
        }
        if let Some(line) = lines.optional() {
            log.result = match line.trim() {
                "1" => Some(1),
                "0" => Some(0),
                "-1" => Some(-1),
                other => return Err(lines.wrong("a result: 1, 0 or -1", quote(other))),
            };
        }
        match lines.optional() {
            None => Ok(log),
            Some(more) => Err(lines.wrong("the end of the file", quote(more))),
        }
    }
}

/// The numbers before the colour, and the colour.
fn numbers(lines: &mut Lines<'_>, factors: usize) -> Result<(Vec<f64>, Color), LogError> {
    let most = 2 + MAX_TYPES.saturating_mul(factors + 1);
    let mut numbers = Vec::new();
    loop {
        let line = lines.next("numbers, then weiss or schwarz")?;
        match line.trim() {
            "weiss" => return Ok((numbers, Color::White)),
            "schwarz" => return Ok((numbers, Color::Black)),
            _ => {}
        }
        for word in line.split_ascii_whitespace() {
            let number = number(word)
                .ok_or_else(|| lines.wrong("a number, weiss or schwarz", quote(word)))?;
            if numbers.len() >= most {
                return Err(lines.wrong("weiss or schwarz", "ever more numbers"));
            }
            numbers.push(number);
        }
    }
}

/// A number with a decimal comma or a decimal point.
fn number(word: &str) -> Option<f64> {
    let plain = word.bytes().all(|b| b.is_ascii_digit() || b"+-.,eE".contains(&b));
    // Tiny numbers are written without an exponent.
    if !plain || word.len() > 400 {
        return None;
    }
    word.replace(',', ".").parse().ok().filter(|n: &f64| n.abs() <= LARGEST)
}

fn with_comma(number: f64) -> String {
    // No -0.
    (number + 0.0).to_string().replace('.', ",")
}

fn read_ply(position: &Position, line: &str) -> Result<LoggedPly, (String, String)> {
    let mut words = line.split_ascii_whitespace();
    let told = |e: zug_core::TextError| (e.expected, e.found);
    let missing = |what: &str| (what.to_string(), "nothing".to_string());
    let first = words.next().ok_or_else(|| missing("a move"))?;
    let mv = uci::parse(position, first).map_err(told)?;
    let mut field = |what: &str| {
        let word = words.next().ok_or_else(|| missing(what))?;
        word.parse::<i64>().map_err(|_| (what.to_string(), quote(word)))
    };
    let score = field("a score")?;
    let score =
        i32::try_from(score).map_err(|_| ("a score of 32 bits".to_string(), score.to_string()))?;
    let mut clock = || {
        let time = field("the milliseconds of a clock")?;
        u64::try_from(time)
            .map_err(|_| ("the milliseconds of a clock".to_string(), time.to_string()))
    };
    let clocks = [clock()?, clock()?];
    let mut rest = words.peekable();
    if rest.peek() == Some(&"leer") {
        rest.next();
        return match rest.next() {
            None => Ok(LoggedPly { mv, thought: None }),
            Some(more) => Err(("nothing after 'leer'".to_string(), quote(more))),
        };
    }
    let (mut line, mut ahead) = (Vec::new(), position.clone());
    for word in rest {
        let next = uci::parse(&ahead, word).map_err(told)?;
        if line.is_empty() && next != mv {
            return Err(("a variation that begins with the move".to_string(), quote(word)));
        }
        if line.len() == MAX_LINE {
            return Err((format!("a variation of at most {MAX_LINE} plies"), "more".to_string()));
        }
        ahead.play(next);
        line.push(next);
    }
    if line.is_empty() {
        return Err(missing("a variation, or 'leer'"));
    }
    Ok(LoggedPly { mv, thought: Some(LoggedThought { score, clocks, line }) })
}

/// Text from outside, cut short and quoted.
fn quote(text: &str) -> String {
    format!("'{}'", zug_core::error::shorten(text))
}

struct Lines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
    start: Option<Position>,
}

impl<'a> Lines<'a> {
    /// The next line that is neither empty nor an explanation.
    fn line(&mut self) -> Result<Option<&'a str>, LogError> {
        loop {
            let Some(line) = self.lines.next() else { return Ok(None) };
            self.number += 1;
            if let Some(text) = line.strip_prefix(START) {
                let position = fen::parse(text.trim())
                    .map_err(|e| self.wrong(format!("a FEN ({})", e.expected), e.found))?;
                self.start = Some(position);
            } else if !line.trim().is_empty() && !line.trim_start().starts_with("//") {
                return Ok(Some(line));
            }
        }
    }

    fn next(&mut self, expected: &str) -> Result<&'a str, LogError> {
        match self.line()? {
            Some(line) => Ok(line),
            None => {
                self.number += 1;
                Err(self.wrong(expected, "the end of the file"))
            }
        }
    }

    fn optional(&mut self) -> Option<&'a str> {
        self.line().ok().flatten()
    }

    fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> LogError {
        LogError { line: self.number, expected: expected.into(), found: found.into() }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::td::lesson::{Finish, Rule, Squash, Step, Value};
    use proptest::prelude::*;

    /// The game of the thesis as far as it survives, with the replies that its variations foretold.
    pub(crate) fn sample() -> String {
        let own = [
            ("e2e3", 18, 300_000, 300_000, "e2e3 c7c5 c2c3 d7d5 f2f4 b7b6"),
            ("c2c3", 18, 291_723, 293_762, "c2c3"),
            ("g1e2", 18, 286_891, 290_578, "g1e2"),
            ("d1c2", 17, 279_435, 288_595, "d1c2 b8c6"),
            ("f2f3", 17, 268_545, 287_373, "f2f3"),
            ("a2a4", 21, 262_181, 282_976, "a2a4"),
            ("g2g4", 24, 252_673, 280_702, "g2g4"),
            ("h2h3", 29, 229_715, 278_219, "h2h3"),
            ("b2b3", 30, 225_754, 271_049, "b2b3"),
            ("g4g5", 37, 218_219, 269_777, "g4g5 f6h5"),
            ("b1a3", 31, 202_421, 267_784, "b1a3"),
            ("d2d3", 37, 183_118, 266_422, "d2d3 d5d4"),
            ("e3e4", 29, 180_880, 263_318, "e3e4 d4c3"),
            ("c2c3", 21, 173_043, 262_527, "c2c3"),
            ("h3h4", 29, 170_895, 261_345, "h3h4"),
        ];
        let replies = [
            "d7d5", "e7e5", "c7c5", "b8c6", "g8f6", "g7g6", "f8g7", "c8e6", "d8c7", "f6h5", "a7a6",
            "d5d4", "d4c3", "b7b6",
        ];
        let mut text = String::from("// games learned so far\n7\n");
        text.push_str(&"1\n".repeat(33));
        text.push_str("// lambda\n0,7\n");
        for _ in 0..33 {
            text.push_str("0 200 620\n");
        }
        text.push_str("weiss\n29\n");
        for (i, (mv, score, white, black, line)) in own.into_iter().enumerate() {
            text.push_str(&format!("{mv} {score} {white} {black} {line}\n"));
            if let Some(reply) = replies.get(i) {
                text.push_str(&format!("{reply} 0 0 0 leer\n"));
            }
        }
        text.push_str("1\n");
        text
    }

    #[test]
    fn the_sample_of_the_thesis_is_read_and_all_its_rises_are_dropped() {
        let log = GameLog::read(&sample(), 3).unwrap();
        assert_eq!((log.learned, log.rates.len(), log.lambda), (7, 33, 0.7));
        assert_eq!((log.weights.len(), log.plies.len(), log.result), (99, 29, Some(1)));
        assert_eq!(log.own, Color::White);
        let own: Vec<(usize, &LoggedThought)> = (log.plies.iter().enumerate())
            .filter_map(|(i, p)| Some((i, p.thought.as_ref()?)))
            .collect();
        let steps: Vec<Step> = (own.iter())
            .map(|(ply, t)| Step {
                value: Value::Estimate(f64::from(t.score)),
                predicted: t
                    .line
                    .get(1)
                    .is_some_and(|mv| log.plies.get(ply + 1).is_some_and(|reply| reply.mv == *mv)),
                forced: false,
            })
            .collect();
        let rule = Rule { squash: Squash::Raw { reward: 1000.0 }, ..Rule::knightcap() };
        let course = rule.course(&steps, Finish::Won);
        let expected = [0, 0, -1, 0, 4, 3, 5, 1, 7, -6, 6, -8, -8, 8].map(f64::from);
        assert_eq!(course.raw[..14], expected);
        assert_eq!(steps.iter().filter(|s| s.predicted).count(), 4);
        let kept = expected.map(|d| d.min(0.0));
        assert_eq!(course.differences[..14], kept, "every positive difference is dropped");
    }

    #[test]
    fn what_is_written_is_read_again_and_has_decimal_commas() {
        let mut log = GameLog::read(&sample(), 3).unwrap();
        log.rates[2] = 0.125;
        log.weights[5] = -3.5;
        let text = log.write();
        assert!(text.contains("\n0,125\n") && text.contains(" -3,5\n"), "{text}");
        assert!(!text.contains('.'));
        assert_eq!(GameLog::read(&text, 3).unwrap(), log);
        // Points are read as well.
        assert_eq!(GameLog::read(&text.replace(',', "."), 3).unwrap(), log);
    }

    #[test]
    fn games_from_other_positions_and_without_a_result_are_kept_whole() {
        let start = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9").unwrap();
        let mv = uci::parse(&start, "e8g8").unwrap();
        let thought = LoggedThought { score: -7, clocks: [1, 2], line: vec![mv] };
        let log = GameLog {
            learned: 0,
            rates: vec![1.0, 0.5],
            lambda: 0.7,
            weights: vec![0.0; 4],
            own: Color::Black,
            start,
            plies: vec![LoggedPly { mv, thought: Some(thought) }],
            result: None,
        };
        let text = log.write();
        assert!(text.contains("e8g8 -7 1 2 e8g8"));
        assert_eq!(GameLog::read(&text, 2).unwrap(), log);
        assert_eq!(log.own_view(-7), 7);
    }

    #[test]
    fn bad_logs_are_refused_with_their_line() {
        let good = sample();
        let told = |text: &str| GameLog::read(text, 3).unwrap_err();
        for (from, to, line, words) in [
            ("weiss", "rot", 71, "weiss or schwarz"),
            ("e2e3 18", "e2e5 18", 73, "ply 1"),
            ("b8c6 0 0 0 leer", "b8c6 5 0 0 b8c6", 80, "opponent"),
            ("g1e2 18", "g1e2 x", 77, "a score"),
            ("\n29\n", "\n31\n", 102, "a move"),
            ("\n29\n", "\n9999999999\n", 72, "plies"),
            ("e2e3 18 300000 300000 e2e3", "e2e3 18 300000 300000 d2d3", 73, "begins with"),
            ("e2e3 18 300000", "e2e3 18 -300000", 73, "milliseconds"),
            ("0,7", "0;7", 37, "a number"),
            ("\n0 200 620\nweiss", "\n0 200\nweiss", 71, "3 weights"),
            ("\n1\n1\n", "\n1\nNaN\n", 4, "a number"),
        ] {
            let changed = good.replacen(from, to, 1);
            assert_ne!(changed, good, "{from}");
            let error = told(&changed);
            assert!(error.to_string().contains(words), "{error}");
            assert_eq!(error.line, line, "{error}");
        }
        assert!(told(&format!("{good}2\n")).to_string().contains("end of the file"));
        let end = good.trim_end().rfind('\n').unwrap();
        assert!(told(&format!("{}\n7\n", &good[..end])).to_string().contains("a result"));
        assert_eq!(told("").line, 1);
        assert_eq!(GameLog::read(&format!("{}\n", &good[..end]), 3).unwrap().result, None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn played_games_come_back_whole(
            seed in any::<u64>(),
            plies in 0..60usize,
            own in any::<bool>(),
            types in 1..4usize,
            result in prop::option::of(-1..=1i32),
            numbers in prop::collection::vec(-1e4..1e4f64, 12),
        ) {
            use zug_core::seed::RngExt;
            let mut rng = zug_core::rng(seed, 0);
            let own = if own { Color::White } else { Color::Black };
            let mut position = Position::start();
            let mut played = Vec::new();
            let moves_of = |p: &Position| {
                let mut all = Vec::new();
                p.board().generate_moves(|m| { all.extend(m); false });
                all
            };
            for _ in 0..plies {
                let moves = moves_of(&position);
                if moves.is_empty() { break }
                let mv = moves[rng.random_range(0..moves.len())];
                let thought = (position.color() == own).then(|| {
                    let (mut line, mut ahead) = (vec![mv], position.clone());
                    ahead.play(mv);
                    let moves = moves_of(&ahead);
                    line.extend(moves.first());
                    LoggedThought { score: rng.random_range(-999_999..999_999), clocks: [3, 4], line }
                });
                played.push(LoggedPly { mv, thought });
                position.play(mv);
            }
            let log = GameLog {
                learned: seed % 1000,
                rates: numbers[..types].to_vec(),
                lambda: 0.7,
                weights: numbers.iter().cycle().take(types * 5).copied().collect(),
                own,
                start: Position::start(),
                plies: played,
                result,
            };
            let text = log.write();
            prop_assert_eq!(GameLog::read(&text, 5).unwrap(), log);
        }

        #[test]
        fn no_text_brings_the_reader_down(text in "[a-h1-8qleerwis0-9 ,.\n/-]{0,400}") {
            let _ = GameLog::read(&text, 2);
        }
    }
}
