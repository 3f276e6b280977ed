//! In which games does a position come up? By playing through all of them.
//!
//! Each way to look at the question (turned, mirrored, colours exchanged) is a list of what has to be
//! on each point. While a game is played through, the points that are wrong are counted for each of them;
//! none wrong is a find. There are at most sixteen ways, so what a stone changes in all the counts is one
//! row of sixteen small numbers.
//!
//! On the whole board every position with the right side to move is a find. In a part of the board the
//! stones stay as they are while the players move elsewhere: such a stretch is one find, at the first
//! position in which the right side is to move.

use super::query::{ANYTHING, Query, Scope, side_of};
use super::squares::{SYMMETRIES, Squares, code_of, play};
use crate::board::Board;
use crate::corpus::{PASS, decode};
use zug_core::Side;

/// What was done where the position came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// A move, in the orientation of the question.
    Move(u16),
    /// A move outside the part that was asked for, or a pass there.
    Elsewhere,
    /// A pass, where the whole board was asked for.
    Pass,
    /// The record ends.
    End,
}

/// A find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The game.
    pub game: u32,
    /// Moves before it.
    pub ply: u16,
    /// What followed.
    pub reply: Reply,
}

/// Eight symmetries, and the colours as they are or exchanged.
const VIEWS: usize = 2 * SYMMETRIES;

/// A number for each view; those that are not used never become 0.
type Counts = [i16; VIEWS];

/// One way to look at the question.
struct View {
    wanted: Vec<u8>,
    side: Side,
    /// Takes points of the game to points of the question.
    back: usize,
    stones: usize,
}

/// A question, ready to be held against games.
pub struct Search<'a> {
    squares: &'a Squares,
    shown: Vec<u16>,
    views: Vec<View>,
    /// Wrong points of the empty board.
    empty: Counts,
    /// What a stone of each colour on each point adds to the wrong points.
    effects: Vec<[Counts; 2]>,
    whole: bool,
}

impl<'a> Search<'a> {
    /// Prepares a question.
    #[must_use]
    pub fn new(query: &Query, squares: &'a Squares) -> Search<'a> {
        let wanted = query.wanted();
        let mut views: Vec<View> = Vec::new();
        for exchange in [false, true] {
            if exchange && !query.exchange {
                continue;
            }
            for s in 0..SYMMETRIES {
                let mut image = vec![ANYTHING; wanted.len()];
                for (code, &cell) in wanted.iter().enumerate() {
                    let cell = match (cell, exchange) {
                        (1, true) => 2,
                        (2, true) => 1,
                        (cell, _) => cell,
                    };
                    image[usize::from(squares.image(s, code as u16))] = cell;
                }
                let to_move = query.position.to_move();
                let side = if exchange { to_move.other() } else { to_move };
                // A symmetric position looks the same in several ways and is one find.
                if !views.iter().any(|v| v.wanted == image && v.side == side) {
                    let stones = image.iter().filter(|&&c| c == 1 || c == 2).count();
                    views.push(View { wanted: image, side, back: squares.inverse(s), stones });
                }
            }
        }
        let (shown, whole) = (query.shown(squares), query.scope == Scope::Whole);
        let mut empty = [i16::MAX / 2; VIEWS];
        let mut effects = vec![[[0; VIEWS]; 2]; squares.points()];
        for (i, view) in views.iter().enumerate() {
            empty[i] = view.stones as i16;
            for (effects, &wanted) in effects.iter_mut().zip(&view.wanted) {
                for (effect, stone) in effects.iter_mut().zip([1, 2]) {
                    effect[i] = match wanted {
                        ANYTHING => 0,
                        wanted => i16::from(stone != wanted) - i16::from(0 != wanted),
                    };
                }
            }
        }
        Search { squares, shown, views, empty, effects, whole }
    }

    /// The stones that each view wants, as point codes and sides.
    pub fn stones(&self) -> impl Iterator<Item = Vec<(u16, Side)>> + '_ {
        self.views.iter().map(|view| {
            let stone = |(code, &cell): (usize, &u8)| match cell {
                1 => Some((code as u16, Side::First)),
                2 => Some((code as u16, Side::Second)),
                _ => None,
            };
            view.wanted.iter().enumerate().filter_map(stone).collect()
        })
    }

    /// The finds in one game.
    pub fn game(&self, number: u32, codes: &[u16], out: &mut Vec<Hit>) {
        let size = self.squares.size;
        let mut board = Board::new(size);
        let mut wrong = self.empty;
        // The first ply of the stretch that a view is in.
        let mut since: [Option<usize>; VIEWS] = [None; VIEWS];
        for ply in 0..=codes.len() {
            if wrong.contains(&0) || since.iter().any(Option::is_some) {
                for (i, view) in self.views.iter().enumerate() {
                    if wrong[i] > 0 {
                        since[i] = None;
                        continue;
                    }
                    let began = *since[i].get_or_insert(ply);
                    let first = if side_of(began) == view.side { began } else { began + 1 };
                    let is_find = if self.whole { side_of(ply) == view.side } else { ply == first };
                    if is_find {
                        let reply = self.reply(view, codes.get(ply).copied());
                        out.push(Hit { game: number, ply: ply as u16, reply });
                    }
                }
            }
            let Some(p) = codes.get(ply).and_then(|&code| decode(code, size)) else {
                board.pass();
                continue;
            };
            // A record that was checked has none; one from a damaged file may.
            if board.check(p, side_of(ply), false).is_err() {
                return;
            }
            play(&mut board, p, side_of(ply), &mut |p, side, comes| {
                let effect = &self.effects[usize::from(code_of(p, size))][side.index()];
                let sign = if comes { 1 } else { -1 };
                for (wrong, effect) in wrong.iter_mut().zip(effect) {
                    *wrong += sign * effect;
                }
            });
        }
    }

    fn reply(&self, view: &View, next: Option<u16>) -> Reply {
        match next {
            None => Reply::End,
            Some(PASS) if self.whole => Reply::Pass,
            Some(PASS) => Reply::Elsewhere,
            Some(code) if view.wanted[usize::from(code)] == ANYTHING => Reply::Elsewhere,
            Some(code) => {
                let own = self.squares.image(view.back, code);
                Reply::Move(self.shown[usize::from(own)])
            }
        }
    }
}
