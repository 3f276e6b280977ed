//! Which position and which part of it is asked about?

use super::squares::{SYMMETRIES, Squares, code_of, point_of};
use crate::colour::Colour;
use crate::guess::face::{read_file, read_position, record};
use crate::point::{MAX_SIZE, Move, Point, read_move, read_point};
use crate::position::Position;
use std::path::Path;
use zug_core::Side;
use zug_core::error::shorten;
use zug_learn::explore::Part;

/// What has to be on a point.
pub const ANYTHING: u8 = 3;

/// A part of the board: columns and rows from 0, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Columns.
    pub x: [usize; 2],
    /// Rows, from the top.
    pub y: [usize; 2],
}

impl Area {
    /// All of a board.
    #[must_use]
    pub fn whole(size: usize) -> Area {
        Area { x: [0, size - 1], y: [0, size - 1] }
    }

    /// Is the point in it?
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        (self.x[0]..=self.x[1]).contains(&p.x()) && (self.y[0]..=self.y[1]).contains(&p.y())
    }

    /// As two names of points.
    #[must_use]
    pub fn name(&self, size: usize) -> String {
        let from = Point::at(self.x[0], self.y[1]).name(size);
        format!("{from}:{}", Point::at(self.x[1], self.y[0]).name(size))
    }
}

/// What part of the board counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of it.
    Whole,
    /// A quarter: bit 0 is right, bit 1 is bottom.
    Corner(usize),
    /// Some rectangle.
    Area(Area),
}

/// A question.
#[derive(Clone, Debug)]
pub struct Query {
    /// The whole position.
    pub position: Position,
    /// The last move that led to it.
    pub last: Option<Point>,
    /// What part of it counts.
    pub scope: Scope,
    /// Do positions with the colours exchanged count too?
    pub exchange: bool,
}

/// The corners, by the numbers that [`Squares`] gives them.
const CORNERS: [&str; 4] = ["top-left", "top-right", "bottom-left", "bottom-right"];

impl Query {
    /// Reads a question: a position, `FILE.sgf:MOVE`, a list of moves, or `start`.
    pub fn read(
        text: &str,
        size: usize,
        part: &Part,
        exchange: Option<bool>,
    ) -> Result<Query, String> {
        let (position, last) = read_place(text, size)?;
        let size = position.board().size();
        let scope = match part {
            Part::Whole => Scope::Whole,
            Part::Corner(name) => Scope::Corner(corner(name.as_deref(), &position, last)?),
            Part::Region(text) => Scope::Area(read_area(text, size)?),
        };
        let exchange = exchange.unwrap_or(scope != Scope::Whole);
        Ok(Query { position, last, scope, exchange })
    }

    /// Points along an edge.
    #[must_use]
    pub fn size(&self) -> usize {
        self.position.board().size()
    }

    /// The rectangle that counts.
    #[must_use]
    pub fn area(&self) -> Area {
        let size = self.size();
        match self.scope {
            Scope::Whole => Area::whole(size),
            Scope::Area(area) => area,
            Scope::Corner(corner) => {
                let half = size.div_ceil(2);
                let span = |far: bool| if far { [size - half, size - 1] } else { [0, half - 1] };
                Area { x: span(corner & 1 == 1), y: span(corner & 2 == 2) }
            }
        }
    }

    /// In words.
    #[must_use]
    pub fn scope_words(&self) -> String {
        match self.scope {
            Scope::Whole => "whole board".to_string(),
            Scope::Corner(corner) => format!("corner {}", CORNERS[corner]),
            Scope::Area(area) => format!("region {}", area.name(self.size())),
        }
    }

    /// What has to be on each point: 0 nothing, 1 black, 2 white, [`ANYTHING`] outside.
    #[must_use]
    pub fn wanted(&self) -> Vec<u8> {
        let (board, area) = (self.position.board(), self.area());
        let cell = |p: Point| match board.at(p) {
            _ if !area.contains(p) => ANYTHING,
            Colour::Black => 1,
            Colour::White => 2,
            _ => 0,
        };
        board.points().map(cell).collect()
    }

    /// Stones that count.
    #[must_use]
    pub fn stones(&self) -> usize {
        self.wanted().iter().filter(|&&c| c == 1 || c == 2).count()
    }

    /// The same question with the colours exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Query {
        let board = self.position.board();
        let stones =
            board.points().filter_map(|p| board.at(p).side().map(|side| (p, side.other())));
        let board = crate::board::Board::with_stones(self.size(), stones)
            .expect("chains keep their liberties when colours are exchanged");
        let position = Position::from_board(board, self.position.to_move().other());
        Query { position, ..self.clone() }
    }

    /// The question after a move; `None` where it cannot be played.
    #[must_use]
    pub fn after(&self, mv: Point) -> Option<Query> {
        let mut next = self.clone();
        next.position.board().check(mv, self.position.to_move(), true).ok()?;
        next.position.play(Move::Play(mv));
        next.last = Some(mv);
        Some(next)
    }

    /// For each point the one that is shown for it. Of points that the position cannot tell apart that
    /// is the one in the upper right, nearer to the right edge, where by custom a game begins.
    #[must_use]
    pub fn shown(&self, squares: &Squares) -> Vec<u16> {
        let (size, wanted) = (squares.size, self.wanted());
        let all = 0..wanted.len() as u16;
        let stands = |s: usize| {
            let same = |c: u16| wanted[usize::from(squares.image(s, c))] == wanted[usize::from(c)];
            all.clone().all(same)
        };
        let place = |code: u16| {
            let (x, y) = (usize::from(code) % size, usize::from(code) / size);
            (2 * y >= size, 2 * x + 1 < size, size - 1 - x > y, code)
        };
        let symmetries: Vec<usize> = (0..SYMMETRIES).filter(|&s| stands(s)).collect();
        let show = |code: u16| {
            let images = symmetries.iter().map(|&s| squares.image(s, code));
            images.min_by_key(|&c| place(c)).unwrap_or(code)
        };
        all.clone().map(show).collect()
    }
}

fn read_place(text: &str, size: usize) -> Result<(Position, Option<Point>), String> {
    let text = text.trim();
    if text.is_empty() || text == "start" {
        return Ok((Position::new(size), None));
    }
    let is_record = |name: &str| name.to_ascii_lowercase().ends_with(".sgf");
    let (file, number) = match text.rsplit_once(':') {
        Some((file, number)) if is_record(file) => (Some(file), Some(number)),
        _ => (is_record(text).then_some(text), None),
    };
    if let Some(file) = file {
        let number = match number {
            None => None,
            Some(n) => Some(n.parse::<usize>().map_err(|_| {
                format!("expected a move number after '{file}:', found '{}'", shorten(n))
            })?),
        };
        let bytes = read_file(Path::new(file)).map_err(|e| e.to_string())?;
        let story = record(file, &bytes, 1).map_err(|e| e.to_string())?;
        let moment = story.at(number).map_err(|e| format!("{file}: {e}"))?;
        return Ok((moment.position, moment.recent[0]));
    }
    if text.split_ascii_whitespace().next().is_some_and(|rows| rows.contains('/')) {
        return Ok((read_position(text)?, None));
    }
    let mut position = Position::new(size.min(MAX_SIZE));
    let mut last = None;
    for (i, word) in text.split([' ', ',']).filter(|w| !w.is_empty()).enumerate() {
        let bad = |why: String| format!("in the moves '{}', move {}: {why}", shorten(text), i + 1);
        let mv = read_move(word, size).map_err(|e| bad(e.to_string()))?;
        if let Move::Play(p) = mv {
            let side = position.to_move();
            position
                .board()
                .check(p, side, false)
                .map_err(|why| bad(format!("{}: {}", p.name(size), why.words())))?;
            last = Some(p);
        }
        position.play(mv);
    }
    Ok((position, last))
}

/// The corner of a name, or that of the last move, or the only one with stones.
fn corner(name: Option<&str>, position: &Position, last: Option<Point>) -> Result<usize, String> {
    if let Some(name) = name {
        return CORNERS.iter().position(|&c| c == name).ok_or_else(|| {
            format!("there is no corner '{}'; known are: {}", shorten(name), CORNERS.join(", "))
        });
    }
    let board = position.board();
    let size = board.size();
    // A point on a line in the middle lies in two corners; it says nothing.
    let of = |p: Point| {
        let side = |i: usize| match (2 * i + 1).cmp(&size) {
            std::cmp::Ordering::Less => Some(0),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(1),
        };
        Some(side(p.x())? + 2 * side(p.y())?)
    };
    if let Some(corner) = last.and_then(of) {
        return Ok(corner);
    }
    let mut with: Vec<usize> =
        board.points().filter(|&p| board.at(p) != Colour::Empty).filter_map(of).collect();
    with.sort_unstable();
    with.dedup();
    match with[..] {
        [one] => Ok(one),
        _ => Err(format!("which corner is meant? Name it: --corner {}", CORNERS.join("|"))),
    }
}

fn read_area(text: &str, size: usize) -> Result<Area, String> {
    let bad = |why: &str| {
        format!("expected two points as in 'A1:K10' for the region, found '{}'{why}", shorten(text))
    };
    let (from, to) = text.split_once(':').ok_or_else(|| bad(""))?;
    let read = |t: &str| read_point(t.trim(), size).map_err(|e| bad(&format!(": {e}")));
    let (a, b) = (read(from)?, read(to)?);
    Ok(Area { x: [a.x().min(b.x()), a.x().max(b.x())], y: [a.y().min(b.y()), a.y().max(b.y())] })
}

/// The name of a point by its code.
#[must_use]
pub fn name_of(code: u16, size: usize) -> String {
    point_of(code, size).name(size)
}

/// The side of a ply: Black begins.
#[must_use]
pub fn side_of(ply: usize) -> Side {
    if ply.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// The stones that count, with their codes.
pub fn stones_of(query: &Query) -> Vec<(u16, Side)> {
    let (board, area, size) = (query.position.board(), query.area(), query.size());
    board
        .points()
        .filter(|&p| area.contains(p))
        .filter_map(|p| board.at(p).side().map(|side| (code_of(p, size), side)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, part: &Part) -> Result<Query, String> {
        Query::read(text, 9, part, None)
    }

    #[test]
    fn questions_are_positions_moves_or_places_in_records() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a:b.sgf");
        std::fs::write(&file, "(;SZ[9];B[ee];W[cc];B[gg])").unwrap();
        let by_file = read(&format!("{}:3", file.display()), &Part::Whole).unwrap();
        let by_moves = read("E5, c7", &Part::Whole).unwrap();
        let by_text = read("9/9/2O6/9/4X4/9/9/9/9 black", &Part::Whole).unwrap();
        for query in [&by_file, &by_moves, &by_text] {
            assert_eq!(query.wanted(), by_file.wanted());
            assert_eq!(query.position.to_move(), Side::First);
            assert!(!query.exchange);
        }
        assert_eq!(read("start", &Part::Whole).unwrap().stones(), 0);
        let end = read(&file.display().to_string(), &Part::Whole).unwrap();
        assert_eq!(end.stones(), 3);
    }

    #[test]
    fn bad_questions_are_refused() {
        for (text, words) in [
            ("E5 E5", "move 2"),
            ("Z9", "move 1"),
            ("9/9 black", "in the position"),
            ("none.sgf:4", "none.sgf"),
            ("none.sgf:x", "move number"),
        ] {
            let said = read(text, &Part::Whole).unwrap_err();
            assert!(said.contains(words), "{said}");
        }
        assert!(read("start", &Part::Corner(None)).unwrap_err().contains("--corner"));
        assert!(read("C3", &Part::Corner(Some("middle".into()))).unwrap_err().contains("top-left"));
        assert!(read("C3", &Part::Region("A1".into())).unwrap_err().contains("A1:K10"));
        assert!(read("C3", &Part::Region("A1:Z9".into())).unwrap_err().contains("A1:Z9"));
    }

    #[test]
    fn the_corner_is_that_of_the_last_move_or_the_only_one_with_stones() {
        let corner = |text: &str| read(text, &Part::Corner(None)).unwrap().scope;
        assert_eq!(corner("C3 G7"), Scope::Corner(1));
        assert_eq!(corner("9/9/2O6/9/9/9/9/9/9 black"), Scope::Corner(0));
        let query = read("C3 G7", &Part::Corner(None)).unwrap();
        assert_eq!((query.area().name(9), query.stones()), ("E5:J9".to_string(), 1));
        assert!(query.exchange);
    }

    #[test]
    fn equal_points_are_shown_in_the_upper_right() {
        let squares = Squares::new(19);
        let query = Query::read("start", 19, &Part::Whole, None).unwrap();
        let shown = query.shown(&squares);
        let show = |name: &str| {
            let code = code_of(read_point(name, 19).unwrap(), 19);
            name_of(shown[usize::from(code)], 19)
        };
        for name in ["D4", "Q16", "D16", "Q4"] {
            assert_eq!(show(name), "Q16");
        }
        assert_eq!(show("C4"), "R16");
    }
}
