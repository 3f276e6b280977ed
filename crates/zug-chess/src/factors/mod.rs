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
#[cfg(test)]
mod twin;

pub use layout::{FACTORS, GROUPS, Group, Shape, find, group_of, name};
pub use sink::Sink;

use cozy_chess::{Board, Color};
use half::Half;
use layout::*;
use pieces::Maps;
use std::cell::RefCell;

/// Counts all factors: White's minus Black's, rising by index, without zeros.
pub fn count(board: &Board, out: &mut Vec<(u16, i16)>) {
    thread_local! {
        static TALLY: RefCell<Tally> = RefCell::new(Tally::new());
    }
    TALLY.with_borrow_mut(|tally| {
        with_popcnt(Count { board, tally });
        tally.take(out);
    });
}

struct Count<'a> {
    board: &'a Board,
    tally: &'a mut Tally,
}

impl Work for Count<'_> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        let halves = halves(self.board);
        let passed = count_pawns(&halves, self.tally);
        count_rest(&halves, passed, self.tally);
    }
}

/// Both sides' views of a board, White's first.
#[inline(always)]
pub(crate) fn halves(board: &Board) -> [Half; 2] {
    [Half::of(board, Color::White), Half::of(board, Color::Black)]
}

/// What depends on pawns and kings alone; the passed pawns of both sides, each its own way up.
#[inline(always)]
pub(crate) fn count_pawns<S: Sink>(halves: &[Half; 2], sink: &mut S) -> [u64; 2] {
    let mut passed = [0; 2];
    for (half, passed) in halves.iter().zip(&mut passed) {
        *passed = pawns::count(half, sink);
        sink.turn();
    }
    passed
}

/// Everything else.
#[inline(always)]
pub(crate) fn count_rest<S: Sink>(halves: &[Half; 2], passed: [u64; 2], sink: &mut S) {
    let mut maps = [Maps::default(); 2];
    for (half, maps) in halves.iter().zip(&mut maps) {
        *maps = pieces::count(half, sink);
        sink.turn();
    }
    for side in 0..2 {
        let (own, enemy) = (&maps[side], maps[1 - side].turned());
        pressure::count(&halves[side], own, &enemy, passed[side], sink);
        sink.turn();
    }
}

/// Something to be done as quickly as the processor allows.
pub(crate) trait Work {
    /// What comes out.
    type Out;

    /// Does it. Must be inlined, with all that it calls.
    fn run(self) -> Self::Out;
}

/// Does work with the instructions that count bits, where the processor has them: programs for
/// every x86-64 processor go without, and counting sets of squares is half of what is done here.
#[inline]
pub(crate) fn with_popcnt<W: Work>(work: W) -> W::Out {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
        fn quick<W: Work>(work: W) -> W::Out {
            work.run()
        }
        if is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
        {
            // SAFETY: the features that the function is compiled for have just been found.
            return unsafe { quick(work) };
        }
    }
    work.run()
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

/// Counts by factor, and which of them were touched, a bit each.
struct Tally {
    counts: Vec<i16>,
    touched: [u64; FACTORS.div_ceil(64)],
    sign: i16,
}

impl Tally {
    fn new() -> Tally {
        Tally { counts: vec![0; FACTORS], touched: [0; FACTORS.div_ceil(64)], sign: 1 }
    }

    fn take(&mut self, out: &mut Vec<(u16, i16)>) {
        out.clear();
        for (word, touched) in self.touched.iter_mut().enumerate() {
            for bit in bits::squares(std::mem::take(touched)) {
                let factor = 64 * word + bit;
                let count = std::mem::take(&mut self.counts[factor]);
                if count != 0 {
                    out.push((factor as u16, count));
                }
            }
        }
    }
}

impl Sink for Tally {
    #[inline(always)]
    fn turn(&mut self) {
        self.sign = -self.sign;
    }

    #[inline(always)]
    fn add(&mut self, factor: usize) {
        self.times(factor, 1);
    }

    #[inline(always)]
    fn times(&mut self, factor: usize, times: usize) {
        self.counts[factor] += self.sign * times as i16;
        self.touched[factor / 64] |= 1 << (factor % 64);
    }

    #[inline(always)]
    fn piece(&mut self, piece: usize, square: usize, wings: usize) {
        for factor in piece_factors(piece, square, wings) {
            self.add(factor);
        }
    }
}
