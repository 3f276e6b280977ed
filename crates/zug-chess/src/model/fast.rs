//! The value of a model, as quick as can be.
//!
//! Weights are integers, sixteenths of a hundredth of a pawn. Two columns (middlegame and ending)
//! lie side by side in one 64-bit number and are added at once; material and the square tables of
//! all wings of the kings are merged, so that a piece costs one look-up. What depends on pawns and
//! kings alone is remembered in the eye, since it seldom changes from one position of a search to
//! the next. The result is exactly the dot product of [`factors::count`] and the rounded weights.

use super::Model;
use crate::engine::evaluation::{Evaluation, Eye};
use crate::factors::{self, FACTORS, Sink, Work, with_popcnt};
use crate::types::{Scheme, Shares, WHOLE, phase};
use cozy_chess::{Board, Color, Piece};
use std::sync::Arc;

/// Steps of a weight in a hundredth of a pawn.
pub const STEPS: i32 = 16;

/// Weights beyond this (327 pawns) are cut: with it no column's sum leaves 32 bits, as long as the
/// counts of a position, taken without their signs, are less than 4096 in all.
const MOST: f32 = (1 << 19) as f32;

/// A weight in steps, as it is used in play.
#[must_use]
pub fn rounded(weight: f32) -> i32 {
    (weight * STEPS as f32).round().clamp(-MOST, MOST) as i32
}

/// A model made ready for play. Cheap to clone.
#[derive(Clone)]
pub struct Fast {
    tables: Arc<Vec<Table>>,
    scheme: Scheme,
    /// The columns of all positions, if they were chosen at the root.
    fixed: Option<Shares>,
}

/// Two columns of weights.
struct Table {
    weights: Box<[i64; FACTORS]>,
    /// By wings of the kings, piece and square.
    squares: Box<[[[i64; 64]; 6]; 4]>,
}

/// Puts two columns side by side.
const fn pack(first: i32, second: i32) -> i64 {
    first as i64 + ((second as i64) << 32)
}

/// The sums of both columns.
const fn unpack(sum: i64) -> (i32, i32) {
    let first = sum as i32;
    (first, ((sum - first as i64) >> 32) as i32)
}

impl Table {
    fn new(first: &[f32], second: Option<&[f32]>) -> Table {
        let weight = |i: usize| pack(rounded(first[i]), second.map_or(0, |s| rounded(s[i])));
        let weights: Box<[i64]> = (0..FACTORS).map(weight).collect();
        let weights: Box<[i64; FACTORS]> = weights.try_into().expect("as many as factors");
        let mut squares = Box::new([[[0; 64]; 6]; 4]);
        for (wings, pieces) in squares.iter_mut().enumerate() {
            for (piece, list) in pieces.iter_mut().enumerate() {
                for (square, sum) in list.iter_mut().enumerate() {
                    *sum = factors::piece_factors(piece, square, wings).map(|f| weights[f]).sum();
                }
            }
        }
        Table { weights, squares }
    }
}

/// A part of the value: a table, and how many parts of its two columns count.
type Portion = (usize, i32, i32);

impl Fast {
    /// Makes a model ready.
    #[must_use]
    pub fn new(model: &Model) -> Fast {
        let column = |c| model.column(c);
        let tables = match model.scheme {
            Scheme::Phases | Scheme::PhasesPlus => (1..model.scheme.columns())
                .map(|ending| Table::new(column(0), Some(column(ending))))
                .collect(),
            _ => (0..model.scheme.columns()).map(|c| Table::new(column(c), None)).collect(),
        };
        Fast { tables: Arc::new(tables), scheme: model.scheme.clone(), fixed: None }
    }

    /// The same, but every position is valued by the columns of this one: the type of a position is
    /// told once, at the root of a search.
    #[must_use]
    pub fn at_root(&self, root: &Board) -> Fast {
        Fast { fixed: Some(self.scheme.shares(root)), ..self.clone() }
    }

    /// How positions are given to columns.
    #[must_use]
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }

    /// The value for White in steps times [`WHOLE`], computed afresh.
    #[must_use]
    pub fn steps(&self, board: &Board) -> i64 {
        with_popcnt(Whole { fast: self, kept: None, board })
    }

    /// Which tables count for how much; what counts for nothing is left out.
    #[inline(always)]
    fn portions(&self, board: &Board) -> [Portion; Shares::MOST] {
        let mut portions = [(0, 0, 0); Shares::MOST];
        let shares = match (self.fixed, &self.scheme) {
            (Some(shares), _) => shares,
            // The usual case, for which the call is saved.
            (None, Scheme::Phases) => {
                let first = phase(board);
                portions[0] = (0, first, WHOLE - first);
                return portions;
            }
            (None, scheme) => scheme.shares(board),
        };
        if matches!(self.scheme, Scheme::Phases | Scheme::PhasesPlus) {
            let (mut table, mut first) = (0, 0);
            for (column, parts) in shares.iter() {
                match column.checked_sub(1) {
                    None => first = parts,
                    Some(ending) => table = ending,
                }
            }
            portions[0] = (table, first, WHOLE - first);
        } else {
            for (portion, (column, parts)) in portions.iter_mut().zip(shares.iter()) {
                *portion = (column, parts, 0);
            }
        }
        portions
    }
}

/// Steps times [`WHOLE`] for White, as hundredths of a pawn for the side to move. Rounded towards
/// zero, so that the sides are treated alike.
#[must_use]
pub fn hundredths(steps: i64, to_move: Color) -> i32 {
    // A mean of sums that have 32 bits.
    let value = (steps / i64::from(STEPS * WHOLE)) as i32;
    if to_move == Color::White { value } else { -value }
}

/// A weighted sum that grows as factors are found.
struct Sum<'a> {
    table: &'a Table,
    sum: i64,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn turn(&mut self) {
        self.sum = -self.sum;
    }

    #[inline(always)]
    fn add(&mut self, factor: usize) {
        self.sum += self.table.weights[factor];
    }

    #[inline(always)]
    fn times(&mut self, factor: usize, times: usize) {
        self.sum += self.table.weights[factor] * times as i64;
    }

    #[inline(always)]
    fn piece(&mut self, piece: usize, square: usize, wings: usize) {
        self.sum += self.table.squares[wings][piece][square];
    }
}

/// What one thread looks through: a model, and pawn structures that were seen before.
pub struct FastEye {
    fast: Fast,
    kept: Vec<Kept>,
}

/// A pawn structure with both kings, and what it is worth.
#[derive(Clone, Copy, Default)]
struct Kept {
    white: u64,
    black: u64,
    passed: [u64; 2],
    sum: i64,
    kings: u16,
    /// The table, counted from 1.
    table: u16,
}

/// Pawn structures that are kept, a power of two.
const KEPT: usize = 1 << 13;

impl Evaluation for Fast {
    type Eye = FastEye;

    fn eye(&self) -> FastEye {
        FastEye { fast: self.clone(), kept: vec![Kept::default(); KEPT] }
    }
}

impl Eye for FastEye {
    fn evaluate(&mut self, board: &Board) -> i32 {
        hundredths(self.steps(board), board.side_to_move())
    }
}

impl FastEye {
    /// As [`Fast::steps`], with what is remembered.
    pub fn steps(&mut self, board: &Board) -> i64 {
        with_popcnt(Whole { fast: &self.fast, kept: Some(&mut self.kept), board })
    }
}

/// The whole value of a position.
struct Whole<'a> {
    fast: &'a Fast,
    kept: Option<&'a mut Vec<Kept>>,
    board: &'a Board,
}

impl Work for Whole<'_> {
    type Out = i64;

    #[inline(always)]
    fn run(mut self) -> i64 {
        let (fast, board) = (self.fast, self.board);
        let halves = factors::halves(board);
        let mut value = 0;
        // A loop, not a closure: those are not inlined for certain.
        for (index, first, second) in fast.portions(board) {
            if first | second == 0 {
                break;
            }
            let table = &fast.tables[index];
            let mut sum = Sum { table, sum: 0 };
            let passed = match &mut self.kept {
                None => factors::count_pawns(&halves, &mut sum),
                Some(kept) => {
                    let entry = Kept::find(kept, board, index as u16 + 1);
                    if entry.is_new {
                        entry.kept.passed = factors::count_pawns(&halves, &mut sum);
                        entry.kept.sum = sum.sum;
                    } else {
                        sum.sum = entry.kept.sum;
                    }
                    entry.kept.passed
                }
            };
            factors::count_rest(&halves, passed, &mut sum);
            let sums = unpack(sum.sum);
            value += i64::from(sums.0) * i64::from(first) + i64::from(sums.1) * i64::from(second);
        }
        value
    }
}

/// A place among what is kept.
struct Found<'a> {
    kept: &'a mut Kept,
    is_new: bool,
}

impl Kept {
    /// The place of a pawn structure; what was there before makes room.
    #[inline(always)]
    fn find<'a>(kept: &'a mut [Kept], board: &Board, table: u16) -> Found<'a> {
        let pawns = board.pieces(Piece::Pawn);
        let white = (pawns & board.colors(Color::White)).0;
        let black = (pawns & board.colors(Color::Black)).0;
        let kings = board.king(Color::White) as u16 | (board.king(Color::Black) as u16) << 8;
        let rest = u64::from(kings) | u64::from(table) << 16;
        let key = (white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black)
            .wrapping_mul(0xd6e8_feb8_6659_fd93)
            ^ rest.wrapping_mul(0xa24b_aed4_963e_e407);
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KEPT.trailing_zeros());
        let kept = &mut kept[place as usize];
        let is_new = kept.white != white
            || kept.black != black
            || kept.kings != kings
            || kept.table != table;
        if is_new {
            *kept = Kept { white, black, kings, table, ..Kept::default() };
        }
        Found { kept, is_new }
    }
}
