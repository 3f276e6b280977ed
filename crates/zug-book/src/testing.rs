//! Games for the tests: any table of positions is one.

use crate::graph::{Book, Leaf, Visited};
use crate::places::Places;
use std::sync::Arc;
use zug_core::seed::RngExt;
use zug_core::{Cell, Game, Line, Outcome, Picture, Side, Symmetric, TextError, rng};

/// A position of a [`Script`].
#[derive(Clone, Debug)]
pub struct Place {
    pub name: String,
    pub side: Side,
    /// The positions that its moves lead to; a move is called after them.
    pub to: Vec<usize>,
    /// The lead of the first side where the game ends.
    pub end: i32,
    /// The position that is its mirror image, perhaps itself.
    pub twin: usize,
}

/// A game given by a table of its positions; it starts at the first.
#[derive(Clone)]
pub struct Script(pub Arc<Vec<Place>>);

impl Script {
    /// Reads lines such as `a: b C` (moves from a to b and C) and `d = 3` (the game ends with a lead
    /// of 3 for the first side). The second side moves at names that begin with a capital.
    pub fn new(text: &str) -> Script {
        let mut places: Vec<Place> = Vec::new();
        let find = |places: &mut Vec<Place>, name: &str| {
            places.iter().position(|p| p.name == name).unwrap_or_else(|| {
                let capital = name.starts_with(char::is_uppercase);
                let side = if capital { Side::Second } else { Side::First };
                let (name, twin) = (name.to_string(), places.len());
                places.push(Place { name, side, to: Vec::new(), end: 0, twin });
                twin
            })
        };
        for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
            if let Some((name, moves)) = line.split_once(':') {
                let from = find(&mut places, name.trim());
                for name in moves.split_whitespace() {
                    let to = find(&mut places, name);
                    places[from].to.push(to);
                }
            } else if let Some((name, end)) = line.split_once('=') {
                let at = find(&mut places, name.trim());
                places[at].end = end.trim().parse().unwrap();
            }
        }
        Script(Arc::new(places))
    }

    /// A random game without circles, for properties. `size` positions, the last ones ends.
    pub fn random(seed: u64, size: usize) -> Script {
        let mut rng = rng(seed, 0);
        let mut below = |limit: usize| rng.random_range(0..limit);
        let mut places = Vec::new();
        for i in 0..size {
            let side = if below(2) == 0 { Side::First } else { Side::Second };
            let left = size - 1 - i;
            let wanted = if i + 4 >= size { 0 } else { 1 + below(3) };
            let mut to: Vec<usize> = (0..wanted).map(|_| i + 1 + below(left.min(6))).collect();
            to.sort_unstable();
            to.dedup();
            let end = below(7) as i32 - 3;
            places.push(Place { name: format!("p{i}"), side, to, end, twin: i });
        }
        Script(Arc::new(places))
    }

    pub fn places(&self) -> Places {
        Places::symmetric(self)
    }

    /// The key of a position that is its own mirror image.
    pub fn key_of(&self, name: &str) -> u64 {
        self.key(&self.0.iter().position(|p| p.name == name).unwrap())
    }

    /// A line through these positions, the start left out.
    pub fn line(&self, names: &str) -> Line<Script> {
        let mut line = Line::new(self.clone());
        for name in names.split_whitespace() {
            line.play_text(name).unwrap();
        }
        line
    }

    /// Adds a game that ends by the rules, or with a played result.
    pub fn add(&self, book: &mut Book, names: &str, played: Option<i32>) -> crate::Added {
        let line = self.line(names);
        let leaf = match (line.outcome(), played) {
            (_, Some(value)) => Leaf { value, exact: false },
            (Some(outcome), None) => Leaf::of_outcome(&outcome, line.to_move(), true),
            (None, None) => panic!("'{names}' does not end the game"),
        };
        book.add_line(&self.places(), &line, usize::MAX, leaf)
    }
}

impl Game for Script {
    type Position = usize;
    type Move = usize;

    fn spec(&self) -> String {
        "script".to_string()
    }
    fn title(&self) -> String {
        "Script".to_string()
    }
    fn start(&self) -> usize {
        0
    }
    fn to_move(&self, at: &usize) -> Side {
        self.0[*at].side
    }
    fn outcome(&self, at: &usize) -> Option<Outcome> {
        let place = &self.0[*at];
        place.to.is_empty().then(|| Outcome::by_points(place.end as f32, "the end"))
    }
    fn moves(&self, at: &usize, out: &mut Vec<usize>) {
        out.extend(&self.0[*at].to);
    }
    fn play(&self, at: &mut usize, to: usize) {
        *at = to;
    }
    fn write_move(&self, _: &usize, to: usize) -> String {
        self.0[to].name.clone()
    }
    fn read_move(&self, at: &usize, text: &str) -> Result<usize, TextError> {
        let found = self.0[*at].to.iter().find(|&&to| self.0[to].name == text);
        found.copied().ok_or_else(|| TextError::new(0, "a move", text))
    }
    fn write_position(&self, at: &usize) -> String {
        self.0[*at].name.clone()
    }
    fn read_position(&self, text: &str) -> Result<usize, TextError> {
        let found = self.0.iter().position(|p| p.name == text);
        found.ok_or_else(|| TextError::new(0, "a position", text))
    }
    fn picture(&self, _: &usize) -> Picture {
        Picture::grid(1, 1, vec![Cell::empty()], true)
    }
}

impl Symmetric for Script {
    fn symmetries(&self) -> usize {
        2
    }
    fn map_position(&self, symmetry: usize, at: &usize) -> usize {
        if symmetry == 0 { *at } else { self.0[*at].twin }
    }
    fn map_move(&self, symmetry: usize, to: usize) -> usize {
        if symmetry == 0 { to } else { self.0[to].twin }
    }
}

/// Positions by number, such as `1 -2 3`: the second side moves at negative ones.
pub fn way(numbers: &[i64]) -> Vec<Visited> {
    let side = |n: i64| if n < 0 { Side::Second } else { Side::First };
    let at = |(ply, &n): (usize, &i64)| Visited {
        key: n.unsigned_abs(),
        side: side(n),
        ply: ply as u32,
    };
    numbers.iter().enumerate().map(at).collect()
}

/// A result that was played.
pub fn played(value: i32) -> Leaf {
    Leaf { value, exact: false }
}

/// A result that is proven.
pub fn exact(value: i32) -> Leaf {
    Leaf { value, exact: true }
}
