//! What was played in the main line of a tree: size, komi, setup, moves, result.
//!
//! Nothing here asks whether a move is legal, and boards may be larger than we play on (SGF goes to
//! 52×52), so that a record can be described before it is refused.

use super::tree::{Node, Tree};
use crate::position::read_side;
use zug_core::{RecordResult, Side, TextError};

/// A point in a file: column from the left, row from the top, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
}

/// A change of the board that is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Where.
    pub at: At,
    /// A stone, or none.
    pub stone: Option<Side>,
}

/// A move as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who.
    pub side: Side,
    /// Where; `None` is a pass.
    pub at: Option<At>,
    /// The remark at the node.
    pub comment: Option<String>,
}

/// The main line of a game of Go.
#[derive(Clone, Debug, PartialEq)]
pub struct MainLine {
    /// Points along an edge; 19 where the file does not say.
    pub size: usize,
    /// `KM`, where it is a number.
    pub komi: Option<f32>,
    /// `HA`, where it is a number.
    pub handicap: Option<usize>,
    /// Stones put down before the first move.
    pub setup: Vec<Setup>,
    /// The side that moves first, where the file says so (`PL`).
    pub first: Option<Side>,
    /// The moves.
    pub moves: Vec<Played>,
    /// The ply before which the board is changed by more than moves, if it is.
    pub late_setup: Option<usize>,
    /// `RE`.
    pub result: RecordResult,
    /// Why the game ended, where `RE` says so: `resignation`, `time`, `forfeit`.
    pub termination: Option<&'static str>,
}

/// Why a tree has no main line that we can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The ply, from 0, where moves are concerned.
    pub ply: Option<usize>,
    /// What is wrong.
    pub error: TextError,
}

impl MainLine {
    /// Takes the main line out of a tree.
    pub fn of(tree: &Tree) -> Result<MainLine, Unusable> {
        let root = tree.root();
        let whole = |error| Unusable { ply: None, error };
        if let Some(kind) = root.get("GM").filter(|p| !matches!(p.value().trim(), "1" | "")) {
            return Err(whole(named("GM", "1 (Go)", kind.value())));
        }
        let size = root.get("SZ").map_or(Ok(19), |p| read_size(p.value())).map_err(whole)?;
        let (result, termination) =
            root.get("RE").map_or((RecordResult::Unknown, None), |p| read_result(p.value()));
        let number = |name| root.get(name).and_then(|p| p.value().trim().parse::<f32>().ok());
        let mut line = MainLine {
            size,
            komi: number("KM").filter(|k| k.is_finite()),
            handicap: number("HA").filter(|h| (0.0..1000.0).contains(h)).map(|h| h as usize),
            setup: Vec::new(),
            first: None,
            moves: Vec::new(),
            late_setup: None,
            result,
            termination,
        };
        for node in tree.main_line() {
            line.take_node(node)?;
        }
        Ok(line)
    }

    /// The komi, unless it is beyond the board: then it is a mistake or in another unit.
    #[must_use]
    pub fn usable_komi(&self) -> Option<f32> {
        self.komi.filter(|k| k.abs() <= (self.size * self.size) as f32)
    }

    fn take_node(&mut self, node: &Node) -> Result<(), Unusable> {
        let ply = self.moves.len();
        let fail = |error| Unusable { ply: Some(ply), error };
        for property in &node.properties {
            let stone = match property.name.as_str() {
                "AB" => Some(Side::First),
                "AW" => Some(Side::Second),
                "AE" => None,
                "PL" => {
                    if ply == 0 {
                        self.first = read_side(property.value().trim());
                    }
                    continue;
                }
                _ => continue,
            };
            let mut points = Vec::new();
            for value in &property.values {
                read_points(value, self.size, &mut points)
                    .map_err(|e| fail(in_property(&property.name, e)))?;
            }
            if ply == 0 {
                self.setup.extend(points.into_iter().map(|at| Setup { at, stone }));
            } else if !points.is_empty() {
                self.late_setup.get_or_insert(ply);
            }
        }
        let comment = node.get("C").map(|p| p.text()).filter(|c| !c.is_empty());
        for property in &node.properties {
            let side = match property.name.as_str() {
                "B" => Side::First,
                "W" => Side::Second,
                _ => continue,
            };
            let at = read_move(property.value(), self.size)
                .map_err(|e| fail(in_property(&property.name, e)))?;
            self.moves.push(Played { side, at, comment: comment.clone() });
        }
        Ok(())
    }
}

fn named(name: &str, expected: &str, value: &str) -> TextError {
    TextError::new(0, format!("{expected} as {name}"), format!("'{value}'"))
}

fn in_property(name: &str, e: TextError) -> TextError {
    TextError { expected: format!("{} in {name}", e.expected), ..e }
}

fn read_size(value: &str) -> Result<usize, TextError> {
    let bad = || named("SZ", "a square size from 1 to 52", value);
    let number = |t: &str| t.trim().parse::<usize>().map_err(|_| bad());
    let size = match value.split_once(':') {
        Some((w, h)) if number(w)? != number(h)? => return Err(bad()),
        Some((w, _)) => number(w)?,
        None => number(value)?,
    };
    if (1..=52).contains(&size) { Ok(size) } else { Err(bad()) }
}

pub(super) fn coordinate(letter: u8, size: usize) -> Option<u8> {
    let number = match letter {
        b'a'..=b'z' => letter - b'a',
        b'A'..=b'Z' => letter - b'A' + 26,
        _ => return None,
    };
    (usize::from(number) < size).then_some(number)
}

fn read_at(value: &str, size: usize) -> Result<At, TextError> {
    let expected = || format!("two letters for a point of a {size}×{size} board");
    let trimmed = value.trim();
    let &[x, y] = trimmed.as_bytes() else {
        return Err(TextError::new(0, expected(), format!("'{value}'")));
    };
    let bad = |byte| TextError::new(byte, expected(), format!("'{value}'"));
    let x = coordinate(x, size).ok_or_else(|| bad(0))?;
    let y = coordinate(y, size).ok_or_else(|| bad(1))?;
    Ok(At { x, y })
}

/// A move: a point, nothing, or `tt` on boards up to 19×19, where it was how a pass was written.
fn read_move(value: &str, size: usize) -> Result<Option<At>, TextError> {
    match value.trim() {
        "" => Ok(None),
        "tt" if size <= 19 => Ok(None),
        _ => read_at(value, size).map(Some),
    }
}

/// A point, or a rectangle `aa:cc`.
fn read_points(value: &str, size: usize, out: &mut Vec<At>) -> Result<(), TextError> {
    let Some((from, to)) = value.split_once(':') else {
        // Old files say AE[] where nothing is meant.
        if !value.trim().is_empty() {
            out.push(read_at(value, size)?);
        }
        return Ok(());
    };
    let (a, b) = (read_at(from, size)?, read_at(to, size)?);
    for y in a.y.min(b.y)..=a.y.max(b.y) {
        for x in a.x.min(b.x)..=a.x.max(b.x) {
            out.push(At { x, y });
        }
    }
    Ok(())
}

/// `B+3.5`, `W+R`, `0`, `Draw`, `Void`, …
#[must_use]
pub fn read_result(value: &str) -> (RecordResult, Option<&'static str>) {
    let value = value.trim();
    let known = |winner, margin| RecordResult::Known { winner, margin };
    if ["0", "draw", "jigo"].iter().any(|w| value.eq_ignore_ascii_case(w)) {
        return (known(None, Some(0.0)), None);
    }
    let Some((winner, how)) = value.split_once('+') else {
        return (RecordResult::Unknown, None);
    };
    let winner = match winner.trim() {
        "B" | "b" => Side::First,
        "W" | "w" => Side::Second,
        _ => return (RecordResult::Unknown, None),
    };
    let how = how.trim();
    let number = how.parse::<f32>().ok().filter(|m| m.is_finite() && *m >= 0.0);
    let termination = match how.to_ascii_lowercase().as_str() {
        "r" | "resign" => Some("resignation"),
        "t" | "time" => Some("time"),
        "f" | "forfeit" => Some("forfeit"),
        _ => None,
    };
    (known(Some(winner), number), termination)
}

/// `RE` for a result.
#[must_use]
pub fn write_result(result: RecordResult, termination: Option<&str>) -> Option<String> {
    let RecordResult::Known { winner, margin } = result else { return None };
    let Some(winner) = winner else { return Some("0".to_string()) };
    let letter = if winner == Side::First { 'B' } else { 'W' };
    let how = match (termination, margin) {
        (Some("resignation"), _) => "R".to_string(),
        (Some("time"), _) => "T".to_string(),
        (Some("forfeit"), _) => "F".to_string(),
        (_, Some(margin)) => format!("{margin}"),
        _ => String::new(),
    };
    Some(format!("{letter}+{how}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::read_collection;

    fn line(text: &str) -> Result<MainLine, Unusable> {
        MainLine::of(read_collection(text.as_bytes())[0].as_ref().unwrap())
    }

    #[test]
    fn the_main_line_is_the_first_variation() {
        let l = line("(;SZ[9]KM[5.5]RE[W+R];B[aa]C[hi](;W[ib];B[])(;W[cc]))").unwrap();
        assert_eq!((l.size, l.komi), (9, Some(5.5)));
        assert_eq!(l.moves.len(), 3);
        assert_eq!(l.moves[0].comment.as_deref(), Some("hi"));
        assert_eq!(l.moves[1].at, Some(At { x: 8, y: 1 }));
        assert_eq!(l.moves[2].at, None);
        assert_eq!(l.termination, Some("resignation"));
    }

    #[test]
    fn setup_is_read_with_compressed_points() {
        let l = line("(;AB[aa:bb][dd]AW[cc]PL[W];AE[aa];W[tt];AB[ee])").unwrap();
        assert_eq!(l.size, 19);
        assert_eq!(l.setup.len(), 7);
        assert_eq!(l.setup[6], Setup { at: At { x: 0, y: 0 }, stone: None });
        assert_eq!(l.first, Some(Side::Second));
        assert_eq!(l.moves[0].at, None);
        assert_eq!(l.late_setup, Some(1));
    }

    #[test]
    fn what_is_no_game_of_go_is_refused() {
        assert!(line("(;GM[2])").is_err());
        assert!(line("(;SZ[0])").is_err());
        assert!(line("(;SZ[53])").is_err());
        assert!(line("(;SZ[9:13])").is_err());
        assert_eq!(line("(;SZ[9];B[aa];W[ja])").unwrap_err().ply, Some(1));
        assert_eq!(line("(;SZ[9];B[a!])").unwrap_err().error.byte, 1);
        assert!(line("(;SZ[21];B[tt])").unwrap().moves[0].at.is_some());
    }

    #[test]
    fn results_survive_being_written_and_read() {
        for text in ["B+3.5", "W+R", "B+T", "W+F", "0", "B+", "W+12"] {
            let (result, how) = read_result(text);
            assert_eq!(write_result(result, how).as_deref(), Some(text));
        }
        for text in ["Void", "?", "", "X+3", "+", "both"] {
            assert_eq!(read_result(text).0, RecordResult::Unknown);
        }
    }
}
