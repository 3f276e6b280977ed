//! What can be counted on a board? The factors of the linear evaluation.
//!
//! A position is worth the sum of weight times count over all factors, where a count is that of
//! White minus that of Black. The first 416 factors stand where the thesis puts them; see
//! [`GROUPS`] for all, and [`name`] and [`find`] for the way between names and indices.
//!
//! Every rule is written once, for a side that moves up the board; for Black the board is turned.
//! The same rules feed a list of counts ([`count`], for learning and for looking at positions) and a
//! weighted sum (the evaluation in play), through a [`Sink`].
//!
//! ```
//! use zug_chess::{Position, factors};
//! let mut counts = Vec::new();
//! factors::count(Position::start().board(), &mut counts);
//! // The start position is equal but for the right to move.
//! let tempo = factors::find("tempo").unwrap() as u16;
//! assert_eq!(counts, [(tempo, 1)]);
//! ```

mod bits;
mod half;
pub mod layout;
mod pawns;
mod pieces;
mod pressure;
mod sink;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use layout::{FACTORS, GROUPS, Group, Shape, find, group_of, name};
pub use sink::Sink;

use cozy_chess::{Board, Color};
use half::Half;
use layout::*;
use std::cell::RefCell;

/// Counts all factors: White's minus Black's, rising by index, without zeros.
pub fn count(board: &Board, out: &mut Vec<(u16, i16)>) {
    thread_local! {
        static TALLY: RefCell<Tally> = RefCell::new(Tally::new());
    }
    TALLY.with_borrow_mut(|tally| {
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            tally.sign = sign;
            let half = Half::of(board, color);
            let passed = pawns::count(&half, tally);
            let own = pieces::count(&half, tally);
            // What the enemy attacks is found again without being counted.
            let enemy = pieces::count(&Half::of(board, !color), &mut Nothing).turned();
            pressure::count(&half, &own, &enemy, passed, tally);
        }
        tally.take(out);
    });
}

/// What depends on pawns and kings alone: the passed pawns of both sides, each side's own way up.
pub(crate) fn count_pawns<S: Sink>(board: &Board, white: &mut S, black: &mut S) -> [u64; 2] {
    [
        pawns::count(&Half::of(board, Color::White), white),
        pawns::count(&Half::of(board, Color::Black), black),
    ]
}

/// Everything else.
pub(crate) fn count_rest<S: Sink>(board: &Board, passed: [u64; 2], white: &mut S, black: &mut S) {
    let (up, down) = (Half::of(board, Color::White), Half::of(board, Color::Black));
    let ours = pieces::count(&up, white);
    let theirs = pieces::count(&down, black);
    pressure::count(&up, &ours, &theirs.turned(), passed[0], white);
    pressure::count(&down, &theirs, &ours.turned(), passed[1], black);
}

/// The factors that a piece on a square stands for: its kind, its square, and the square again for
/// each king that is on files a to d.
pub(crate) fn piece_factors(
    piece: usize,
    square: usize,
    wings: usize,
) -> impl Iterator<Item = usize> {
    let place = piece * 64 + square;
    let wing = move |bit: usize, first: usize| {
        (piece != half::KING && wings & bit != 0).then_some(first + place)
    };
    [Some(MATERIAL + 1 + piece), Some(SQUARES + place), wing(1, OWN_WING), wing(2, ENEMY_WING)]
        .into_iter()
        .flatten()
}

struct Nothing;

impl Sink for Nothing {
    fn add(&mut self, _: usize) {}
    fn times(&mut self, _: usize, _: usize) {}
    fn piece(&mut self, _: usize, _: usize, _: usize) {}
}

/// Counts by factor, and which of them were touched.
struct Tally {
    counts: Vec<i16>,
    touched: Vec<u16>,
    sign: i16,
}

impl Tally {
    fn new() -> Tally {
        Tally { counts: vec![0; FACTORS], touched: Vec::with_capacity(512), sign: 1 }
    }

    fn take(&mut self, out: &mut Vec<(u16, i16)>) {
        out.clear();
        self.touched.sort_unstable();
        for &factor in &self.touched {
            let count = std::mem::take(&mut self.counts[usize::from(factor)]);
            // A factor that was touched twice has been taken the first time.
            if count != 0 {
                out.push((factor, count));
            }
        }
        self.touched.clear();
    }
}

impl Sink for Tally {
    fn add(&mut self, factor: usize) {
        self.times(factor, 1);
    }

    fn times(&mut self, factor: usize, times: usize) {
        self.counts[factor] += self.sign * times as i16;
        self.touched.push(factor as u16);
    }

    fn piece(&mut self, piece: usize, square: usize, wings: usize) {
        for factor in piece_factors(piece, square, wings) {
            self.add(factor);
        }
    }
}
