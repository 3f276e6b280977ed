//! Test suites: positions with the moves that solve them.
//!
//! A line of EPD states `bm` (moves that solve it), `am` (moves that do not), or points for several
//! moves, as the Strategic Test Suite does: `c8 "10 2 3"; c9 "f4f5 d4e5 d4f2"`, or `c0 "f5=10, Be5=2"`.

use crate::epd::{self, Epd};
use crate::position::Position;
use crate::{san, uci};
use cozy_chess::Move;
use zug_core::TextError;
use zug_core::error::shorten;

/// A position of a suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its name; empty where it has none.
    pub id: String,
    /// The position.
    pub position: Position,
    /// Moves that solve it; any but [`avoid`](Problem::avoid) where there are none.
    pub best: Vec<Move>,
    /// Moves that do not solve it.
    pub avoid: Vec<Move>,
    /// Points for moves, where the suite gives them.
    pub points: Vec<(Move, u32)>,
}

impl Problem {
    /// Does this move solve it?
    #[must_use]
    pub fn is_solved_by(&self, mv: Move) -> bool {
        !self.avoid.contains(&mv) && (self.best.is_empty() || self.best.contains(&mv))
    }

    /// The points that a move earns.
    #[must_use]
    pub fn points_of(&self, mv: Move) -> u32 {
        self.points.iter().find(|(m, _)| *m == mv).map_or(0, |&(_, points)| points)
    }

    /// The most points that there are.
    #[must_use]
    pub fn most_points(&self) -> u32 {
        self.points.iter().map(|&(_, points)| points).max().unwrap_or(0)
    }

    /// What solves it, in words.
    #[must_use]
    pub fn expected(&self) -> String {
        let words = |moves: &[Move]| {
            let texts: Vec<String> = moves.iter().map(|&m| san::write(&self.position, m)).collect();
            texts.join(" ")
        };
        match (self.best.is_empty(), self.avoid.is_empty()) {
            (false, _) => words(&self.best),
            (true, false) => format!("not {}", words(&self.avoid)),
            (true, true) => String::new(),
        }
    }

    /// What is wrong with a move that does not solve it: words to stand behind the move.
    #[must_use]
    pub fn fault(&self) -> String {
        match self.best.is_empty() {
            true => "should be avoided".to_string(),
            false => format!("not {}", self.expected()),
        }
    }
}

/// Reads a suite. Every position must state what solves it; the error names the line.
///
/// ```
/// use zug_chess::{suite, uci};
/// let suite = suite::read("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back row\";\n")?;
/// let mate = uci::parse(&suite[0].position, "a1a8")?;
/// assert!(suite[0].is_solved_by(mate));
/// # Ok::<(), zug_core::TextError>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Problem>, TextError> {
    let mut problems = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.trim_ascii().is_empty() || line.starts_with('#') {
            continue;
        }
        problems.push(problem(line, i + 1).map_err(|error| error.on_line(i + 1))?);
    }
    if problems.is_empty() {
        return Err(TextError::new(0, "positions with 'bm', 'am' or points", "none"));
    }
    Ok(problems)
}

fn problem(text: &str, line: usize) -> Result<Problem, TextError> {
    let epd = epd::parse(text)?;
    let (best, avoid, points) = (epd.moves("bm")?, epd.moves("am")?, points(&epd)?);
    if best.is_empty() && avoid.is_empty() && points.is_empty() {
        let expected = "an operation that tells what solves the position: 'bm', 'am', or points";
        return Err(TextError::new(0, expected, format!("'{}'", shorten(text))));
    }
    let id = epd.id().unwrap_or_default().to_string();
    Ok(Problem { line, id, position: epd.position, best, avoid, points })
}

/// The points that an EPD gives to moves. A comment that does not speak of points is none of ours.
fn points(epd: &Epd) -> Result<Vec<(Move, u32)>, TextError> {
    if let (Some(points), Some(moves)) = (epd.text("c8"), epd.text("c9")) {
        let numbers: Option<Vec<u32>> = points.split_whitespace().map(|n| n.parse().ok()).collect();
        let moves: Vec<&str> = moves.split_whitespace().collect();
        if let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) {
            if numbers.len() != moves.len() {
                let expected =
                    format!("as many moves in 'c9' as points in 'c8' ({})", numbers.len());
                return Err(TextError::new(0, expected, moves.len().to_string()));
            }
            let read = |text| uci::parse(&epd.position, text);
            let moves: Vec<Move> = moves.into_iter().map(read).collect::<Result<_, _>>()?;
            return Ok(moves.into_iter().zip(numbers).collect());
        }
    }
    let Some(comment) = epd.text("c0") else { return Ok(Vec::new()) };
    let parts: Option<Vec<(&str, u32)>> = comment
        .split(',')
        .map(|part| {
            let (mv, points) = part.trim().rsplit_once('=')?;
            Some((mv, points.parse().ok()?))
        })
        .collect();
    let Some(parts) = parts else { return Ok(Vec::new()) };
    // An address may end in "=18253" too; what names no move at all speaks of something else.
    if !parts.iter().any(|(mv, _)| san::parse(&epd.position, mv).is_ok()) {
        return Ok(Vec::new());
    }
    parts.into_iter().map(|(mv, points)| Ok((san::parse(&epd.position, mv)?, points))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    fn one(operations: &str) -> Result<Problem, TextError> {
        read(&format!("# a suite\n\n{KINGS} {operations}\n")).map(|mut all| all.remove(0))
    }

    #[test]
    fn best_moves_moves_to_avoid_and_points_are_read() {
        let mv = |p: &Problem, text| uci::parse(&p.position, text).unwrap();
        let p = one("bm e4 Kd2; id \"a\";").unwrap();
        assert_eq!((p.id.as_str(), p.line, p.expected().as_str()), ("a", 3, "e4 Kd2"));
        assert_eq!(p.fault(), "not e4 Kd2");
        assert!(p.is_solved_by(mv(&p, "e2e4")) && !p.is_solved_by(mv(&p, "e2e3")));

        let p = one("am e4;").unwrap();
        assert_eq!((p.expected().as_str(), p.fault().as_str()), ("not e4", "should be avoided"));
        assert!(!p.is_solved_by(mv(&p, "e2e4")) && p.is_solved_by(mv(&p, "e2e3")));

        for points in [
            "c0 \"e4=10, Kd2=3\"; bm e4;",
            "bm e4; c8 \"10 3\"; c9 \"e2e4 e1d2\";",
            "bm e4; c0 \"a game, 1954\"; c8 \"10 3\"; c9 \"e2e4 e1d2\";",
        ] {
            let p = one(points).unwrap();
            assert_eq!((p.points_of(mv(&p, "e2e4")), p.points_of(mv(&p, "e1d2"))), (10, 3));
            assert_eq!((p.points_of(mv(&p, "e2e3")), p.most_points()), (0, 10));
        }
        // An address, a label of another kind, and a remark.
        let address = "bm e4; c0 \"Gambit: http://x.org/view?tid=18\";";
        assert!(one(address).unwrap().points.is_empty());
        assert!(
            one("bm e4; c8 \"x\"; c9 \"1-0\"; c0 \"Polgar-Berkes\";").unwrap().points.is_empty()
        );
    }

    #[test]
    fn what_cannot_be_solved_is_refused_with_its_line() {
        for (operations, word) in [
            ("id \"nothing\";", "what solves"),
            ("bm e5;", "e5"),
            ("bm e4; c8 \"10 3\"; c9 \"e2e4\";", "as many moves"),
            ("bm e4; c0 \"e4=10, e9=3\";", "e9"),
        ] {
            let error = one(operations).unwrap_err().to_string();
            assert!(error.contains("line 3") && error.contains(word), "{error}");
        }
        assert!(read("# nothing here\n").unwrap_err().to_string().contains("'bm'"));
    }
}
