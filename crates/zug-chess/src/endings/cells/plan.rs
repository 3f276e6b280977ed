//! The number of a placement inside a part, and back, without any search or allocation.
//!
//! This is the index of `zug_solve::Space` once more, for the case that all of chess needs: at
//! most one man carries the symmetry, and every kind stands on a run of squares `low..high`. So
//! the rank of a square among the free ones is a subtraction and a few comparisons:
//!
//! ```text
//! rank = square − low − (men of earlier kinds on low..square)
//! ```

use super::men::{MOST, Men};
use super::tables::{DIAGONAL, MAP, PARTNER, PIECE, bit};
use crate::endings::layout::{PASSING_FIELDS, PAWN_FIELDS};
use std::cmp::Ordering;
use std::ops::Range;
use zug_core::Side;
use zug_solve::Part;
use zug_solve::combination::binomial;

/// Which board symmetries a part uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    None,
    LeftRight,
    All,
}

impl Symmetry {
    fn elements(self) -> &'static [usize] {
        match self {
            Symmetry::None => &[0],
            Symmetry::LeftRight => &[0, 1],
            Symmetry::All => &[0, 1, 2, 3, 4, 5, 6, 7],
        }
    }
}

/// Material with which nobody can mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dead {
    Never,
    Always,
    /// Bishops alone: when all stand on one colour.
    OneColour,
}

/// Where the man that carries the symmetry stands: the number of its class, and the elements that
/// take it to the square that stands for the class (the second is the first where there is one).
#[derive(Clone, Copy, Debug, Default)]
struct Reference {
    class: u8,
    element: [u8; 2],
}

/// A kind in its place of the order.
#[derive(Clone, Copy, Debug)]
struct Step {
    first: usize,
    men: usize,
    low: u8,
    high: u8,
    weight: u64,
}

/// How a part leads to another: the part, whether colours swap on the way, and which man of the
/// source takes each place of the target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    pub(super) part: usize,
    pub(super) flip: bool,
    pub(super) from: [u8; MOST],
    /// The place that each man of the source takes.
    pub(super) to: [u8; MOST],
}

/// One part of the index.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) base: u64,
    pub(super) size: u64,
    /// The cells of all parts with the same men.
    pub(super) stage: Range<u64>,
    /// Kinds and side to move; the squares are not used.
    pub(super) men: Men,
    pub(super) symmetry: Symmetry,
    pub(super) dead: Dead,
    pub(super) both_have_pawns: bool,
    /// Is there one man of each kind?
    pub(super) single: bool,
    /// The way of quiet moves taken back.
    pub(super) quiet: Option<Route>,
    /// The places of the kings, by colour.
    pub(super) kings: [usize; 2],
    /// For each man, where single: the lowest square that it can stand on, and what a rank is
    /// worth.
    pub(super) low: [u8; MOST],
    pub(super) weight: [u64; MOST],
    high: [u8; MOST],
    /// 2^64 / weight, rounded up.
    inverse: [u64; MOST],
    movers: Vec<(u8, u8)>,
    steps: Vec<Step>,
    /// By whether colours swap, then by square of the first man.
    references: [[Reference; 64]; 2],
    /// The square that stands for each class.
    representatives: Vec<u8>,
}

/// The run of squares that a kind can stand on.
fn fields(kind: usize) -> (u8, u8) {
    let board = match kind {
        10 | 11 => PAWN_FIELDS,
        12 | 13 => PASSING_FIELDS[kind - 12],
        _ => u64::MAX,
    };
    (board.trailing_zeros() as u8, 64 - board.leading_zeros() as u8)
}

impl Plan {
    /// Runs of cells in which a pawn of the side to move may stand before its last row.
    pub(super) fn promoting(&self) -> Vec<Range<u64>> {
        let (side, pawn) = (self.men.side, Men::pawn_kind(self.men.side));
        let kinds = &self.men.kind[..self.men.n];
        let first = &self.steps[0];
        if !kinds.contains(&pawn) {
            return Vec::new();
        }
        if kinds[0] != pawn || first.men != 1 {
            return std::iter::once(self.base..self.base + self.size).collect();
        }
        let row = if side == 0 { 6 } else { 1 };
        let ready = self.representatives.iter().enumerate().filter(|(_, s)| **s / 8 == row);
        let run = |(class, _): (usize, &u8)| {
            let start = self.base + class as u64 * first.weight;
            start..start + first.weight
        };
        ready.map(run).collect()
    }

    /// `None` for parts whose symmetry is carried by several men.
    pub(super) fn new(part: &Part, stage: &Range<u64>) -> Option<Plan> {
        let side = usize::from(part.side() == Side::Second);
        let mut men = Men { n: 0, side, kind: [0; MOST], square: [0; MOST] };
        let (mut steps, mut size) = (Vec::new(), 1);
        let reserved: Vec<(usize, u32)> = part.reserved().collect();
        for &(kind, _) in &reserved {
            let count = part.counts()[kind] as usize;
            let (low, high) = fields(kind);
            if men.n + count >= MOST {
                return None;
            }
            steps.push(Step { first: men.n, men: count, low, high, weight: 0 });
            men.kind[men.n..men.n + count].fill(kind as u8);
            men.n += count;
        }
        let (kind, room) = *reserved.first()?;
        for (step, &(_, room)) in steps.iter_mut().zip(&reserved).rev() {
            step.weight = size;
            size *= binomial(room, step.men as u32);
        }
        let classes = part.size() / steps[0].weight;
        let (low, high) = fields(kind);
        let symmetry = if classes == binomial(room, steps[0].men as u32) {
            Symmetry::None
        } else if steps[0].men > 1 {
            return None;
        } else if classes == 10 && (low, high) == (0, 64) {
            Symmetry::All
        } else if classes == u64::from(high - low) / 2 {
            Symmetry::LeftRight
        } else {
            return None;
        };
        let (representatives, references) = reference_table(symmetry, low, high);
        Some(Plan {
            base: part.base(),
            size: part.size(),
            stage: stage.clone(),
            symmetry,
            dead: dead(&men),
            both_have_pawns: men.has_pawns(0) && men.has_pawns(1),
            single: steps.iter().all(|step| step.men == 1),
            quiet: None,
            kings: [0, 1].map(|k| men.kind[..men.n].iter().position(|&m| m == k).unwrap_or(0)),
            low: std::array::from_fn(|i| man_of(&steps, i).map_or(0, |step| step.low)),
            inverse: std::array::from_fn(|i| {
                let weight = man_of(&steps, i).map_or(0, |step| step.weight);
                if weight > 1 { u64::MAX / weight + 1 } else { 0 }
            }),
            high: std::array::from_fn(|i| man_of(&steps, i).map_or(0, |step| step.high)),
            weight: std::array::from_fn(|i| man_of(&steps, i).map_or(0, |step| step.weight)),
            movers: men_of(&men, 1 - side),
            steps,
            references,
            representatives,
            men,
        })
    }

    /// The men of the side that is not to move, and what they are.
    pub(super) fn movers(&self) -> &[(u8, u8)] {
        &self.movers
    }

    /// The class of the first man's square, and the symmetries that take it to where it counts.
    pub(super) fn reference(&self, square: u8, flip: bool) -> (u64, [u8; 2]) {
        let reference = &self.references[usize::from(flip)][usize::from(square & 63)];
        (u64::from(reference.class), reference.element)
    }

    /// Puts the men of `from` into the order of this part.
    pub(super) fn arrange(&self, from: &Men, flip: bool) -> Option<[u8; MOST]> {
        let mut order = [0; MOST];
        let mut used = 0u32;
        for (i, place) in order.iter_mut().enumerate().take(self.men.n) {
            let kind = self.men.kind[i];
            let kind = if flip { PARTNER[usize::from(kind)] } else { kind };
            let man = (0..from.n).find(|&j| used >> j & 1 == 0 && from.kind[j] == kind)?;
            used |= 1 << man;
            *place = man as u8;
        }
        Some(order)
    }

    /// The slot of a placement within the part, the lowest of its equals, and whether it has a
    /// symmetric twin: a symmetry that leaves it as it is. Squares are in the order of this part.
    #[inline]
    pub(super) fn number(&self, squares: &[u8; MOST], flip: bool) -> (u64, bool) {
        match (self.single, self.men.n) {
            (true, 3) => self.number_single::<3>(squares, flip),
            (true, 4) => self.number_single::<4>(squares, flip),
            (true, 5) => self.number_single::<5>(squares, flip),
            (true, 6) => self.number_single::<6>(squares, flip),
            _ => self.number_steps(squares, flip),
        }
    }

    /// With one man of each kind the first that a reflection moves decides which is lower.
    #[inline]
    pub(super) fn number_single<const N: usize>(
        &self,
        squares: &[u8; MOST],
        flip: bool,
    ) -> (u64, bool) {
        let (class, [one, two]) = self.reference(squares[0], flip);
        let at = turned::<N>(squares, one);
        if one == two {
            return (self.rank_single::<N>(&at, class), false);
        }
        let other = turned::<N>(squares, two);
        let (here, there) = (u64::from_be_bytes(at), u64::from_be_bytes(other));
        let lower = if here <= there { &at } else { &other };
        (self.rank_single::<N>(lower, class), here == there)
    }

    fn number_steps(&self, squares: &[u8; MOST], flip: bool) -> (u64, bool) {
        let (class, [one, two]) = self.reference(squares[0], flip);
        let number = self.rank_steps(&turned::<MOST>(squares, one), class);
        if one == two {
            return (number, false);
        }
        let other = self.rank_steps(&turned::<MOST>(squares, two), class);
        (number.min(other), number == other)
    }

    /// The slot of squares that are turned already.
    #[inline]
    pub(super) fn rank_single<const N: usize>(&self, at: &[u8; MOST], class: u64) -> u64 {
        let mut number = self.weight[0] * class;
        for k in 1..N {
            let low = self.low[k];
            let reach = at[k].wrapping_sub(low);
            let mut rank = u64::from(reach);
            for &earlier in &at[..k] {
                rank -= u64::from(earlier.wrapping_sub(low) < reach);
            }
            number += rank * self.weight[k];
        }
        number
    }

    fn rank_steps(&self, at: &[u8; MOST], class: u64) -> u64 {
        let mut number = 0;
        for (i, step) in self.steps.iter().enumerate() {
            let earlier = &at[..step.first];
            let rank = |square: u8| {
                let reach = square.wrapping_sub(step.low);
                let below = earlier.iter().map(|t| u64::from(t.wrapping_sub(step.low) < reach));
                u64::from(reach) - below.sum::<u64>()
            };
            let own = &at[step.first..step.first + step.men];
            let digit = match *own {
                [_] if i == 0 => class,
                [a] => rank(a),
                [a, b] => rank(a.min(b)) + choose(rank(a.max(b)), 2),
                _ => {
                    let board = own.iter().fold(0, |board, &s| board | bit(s));
                    (1..).zip(super::tables::squares(board)).map(|(k, s)| choose(rank(s), k)).sum()
                }
            };
            number += digit * step.weight;
        }
        number
    }

    /// The placement of a slot. Where a slot stands for none, the error is the number of the first
    /// slot that may again.
    #[inline]
    pub(super) fn place(&self, slot: u64) -> Result<Men, u64> {
        match (self.single && self.size <= u64::from(u32::MAX), self.men.n) {
            (true, 3) => self.place_single::<3>(slot),
            (true, 4) => self.place_single::<4>(slot),
            (true, 5) => self.place_single::<5>(slot),
            _ => self.place_steps(slot),
        }
    }

    #[inline]
    fn place_single<const N: usize>(&self, slot: u64) -> Result<Men, u64> {
        let mut men = self.men;
        let mut rest = slot as u32;
        // The squares that are taken, ascending.
        let mut taken = [u8::MAX; N];
        for i in 0..N {
            let weight = self.weight[i] as u32;
            // Multiplying by the inverse is exact for 32 bits, and quicker than dividing.
            let high = (u128::from(rest) * u128::from(self.inverse[i])) >> 64;
            let digit = if i == N - 1 { rest } else { high as u32 };
            rest -= digit * weight;
            let mut square = if i == 0 {
                self.representatives[digit as usize]
            } else {
                let low = self.low[i];
                let mut square = digit as u8 + low;
                for &t in &taken[..i] {
                    square += u8::from(t >= low && t <= square);
                }
                if square >= self.high[i] {
                    return Err(slot - u64::from(rest) + u64::from(weight));
                }
                square
            };
            men.square[i] = square;
            for t in &mut taken[..=i] {
                (*t, square) = (square.min(*t), square.max(*t));
            }
        }
        Ok(men)
    }

    fn place_steps(&self, slot: u64) -> Result<Men, u64> {
        let mut men = self.men;
        let (mut rest, mut taken) = (slot, 0u64);
        for (i, step) in self.steps.iter().enumerate() {
            let mut digit = rest / step.weight;
            rest -= digit * step.weight;
            if i == 0 && step.men == 1 {
                men.square[0] = self.representatives[digit as usize];
                taken = bit(men.square[0]);
                continue;
            }
            let mut board = 0;
            for k in (1..=step.men).rev() {
                let rank = if k == 1 { digit } else { largest(digit, k as u64) };
                digit -= choose(rank, k as u64);
                let Some(square) = square_of(rank, step, taken) else {
                    return Err(slot - rest + step.weight);
                };
                men.square[step.first + k - 1] = square;
                board |= bit(square);
            }
            taken |= board;
        }
        Ok(men)
    }

    /// The man that changes from slot to slot, and the square that it stays below.
    pub(super) fn runner(&self, men: &Men) -> (usize, u8, u8) {
        let step = &self.steps[self.steps.len() - 1];
        let below = if step.men > 1 { men.square[step.first + 1] } else { step.high };
        (step.first, step.low, below)
    }

    /// Is there one man of the runner's kind?
    pub(super) fn runs_alone(&self) -> bool {
        self.steps.last().is_some_and(|step| step.men == 1)
    }

    /// Compares the reflection of a placement on the diagonal with itself, the kind of the runner
    /// left out.
    pub(super) fn reflected(&self, men: &Men) -> Ordering {
        let (_, earlier) = self.steps.split_last().expect("a part has kings");
        for step in earlier {
            let own = &men.square[step.first..step.first + step.men];
            let board = |g: usize| own.iter().fold(0, |b, &s| b | bit(MAP[g][usize::from(s & 63)]));
            // As long as all earlier men stand alike, the boards of a kind compare as numbers.
            let order = board(DIAGONAL).cmp(&board(0));
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    /// Does the first man stand on the diagonal, so that a placement may have a lower equal?
    pub(super) fn may_be_duplicate(&self, men: &Men) -> bool {
        self.symmetry == Symmetry::All && men.square[0].is_multiple_of(9)
    }

    /// The number of symmetries of the part that leave a placement as it is, 1 or 2.
    pub(super) fn is_symmetric(&self, men: &Men) -> bool {
        self.may_be_duplicate(men) && self.number(&men.square, false).1
    }
}

fn men_of(men: &Men, color: usize) -> Vec<(u8, u8)> {
    let own = (0..men.n).filter(|&i| men.color(i) == color);
    own.map(|i| (i as u8, men.piece(i))).collect()
}

fn man_of(steps: &[Step], man: usize) -> Option<&Step> {
    steps.iter().find(|step| (step.first..step.first + step.men).contains(&man))
}

/// Squares under a symmetry.
#[inline]
pub(super) fn turned<const N: usize>(squares: &[u8; MOST], element: u8) -> [u8; MOST] {
    let map = &MAP[usize::from(element & 7)];
    let mut out = [0; MOST];
    for i in 0..N {
        out[i] = map[usize::from(squares[i] & 63)];
    }
    out
}

/// The free square of this rank.
fn square_of(rank: u64, step: &Step, taken: u64) -> Option<u8> {
    let mut square = rank + u64::from(step.low);
    for t in super::tables::squares(taken & !(bit(step.low) - 1)) {
        if u64::from(t) <= square {
            square += 1;
        }
    }
    (square < u64::from(step.high)).then_some(square as u8)
}

/// n over k for small k.
fn choose(n: u64, k: u64) -> u64 {
    match k {
        1 => n,
        2 => n * n.saturating_sub(1) / 2,
        _ => binomial(n as u32, k as u32),
    }
}

/// The largest n with n over k not above a number.
fn largest(number: u64, k: u64) -> u64 {
    let mut n = match k {
        2 => ((1.0 + (1.0 + 8.0 * number as f64).sqrt()) / 2.0) as u64 + 1,
        _ => 64,
    };
    while choose(n, k) > number {
        n -= 1;
    }
    n
}

fn reference_table(symmetry: Symmetry, low: u8, high: u8) -> (Vec<u8>, [[Reference; 64]; 2]) {
    let mut references = [[Reference::default(); 64]; 2];
    let mut representatives = Vec::new();
    let elements = symmetry.elements();
    for at in low..high {
        let lowest = elements.iter().map(|&g| MAP[g][usize::from(at)]).min();
        if lowest == Some(at) {
            representatives.push(at);
        }
    }
    for at in 0..64u8 {
        for (flip, table) in references.iter_mut().enumerate() {
            // With colours swapped the board is upside down first; that is a symmetry, too.
            let upright = if flip == 1 { at ^ 56 } else { at };
            let images = elements.iter().map(|&g| MAP[g][usize::from(upright)]);
            let Some(lowest) = images.min() else { continue };
            let Some(class) = representatives.iter().position(|&r| r == lowest) else { continue };
            let composed = |g: usize| {
                let map = |s: u8| MAP[g][usize::from(if flip == 1 { s ^ 56 } else { s })];
                (0..8).find(|&h| (0..64u8).all(|s| MAP[h][usize::from(s)] == map(s)))
            };
            let mut found = elements.iter().filter(|&&g| MAP[g][usize::from(upright)] == lowest);
            let first = found.next().and_then(|&g| composed(g)).unwrap_or(0) as u8;
            let second = found.next().and_then(|&g| composed(g)).map_or(first, |g| g as u8);
            table[usize::from(at)] = Reference { class: class as u8, element: [first, second] };
        }
    }
    (representatives, references)
}

fn dead(men: &Men) -> Dead {
    let officers: Vec<u8> =
        men.kind[..men.n].iter().map(|&k| PIECE[usize::from(k)]).filter(|&p| p != 0).collect();
    match officers.as_slice() {
        [] | [3 | 4] => Dead::Always,
        all if all.iter().all(|&p| p == 3) => Dead::OneColour,
        _ => Dead::Never,
    }
}

/// Is nobody able to mate here?
pub(super) fn is_dead(dead: Dead, men: &Men) -> bool {
    match dead {
        Dead::Never => false,
        Dead::Always => true,
        Dead::OneColour => {
            let bishops = (0..men.n).filter(|&i| men.piece(i) != 0);
            let board = bishops.fold(0, |board, i| board | bit(men.square[i]));
            let dark = crate::position::DARK_SQUARES.0;
            board & dark == 0 || board & !dark == 0
        }
    }
}

/// A key for kinds and side to move, whatever the order of the men.
pub(super) fn key(men: &Men) -> u64 {
    men.kind[..men.n].iter().fold((men.side as u64) << 42, |key, &k| key + (1 << (3 * k)))
}

/// The same for the colour swap.
pub(super) fn swapped_key(men: &Men) -> u64 {
    let side = ((1 - men.side) as u64) << 42;
    men.kind[..men.n].iter().fold(side, |key, &k| key + (1 << (3 * PARTNER[usize::from(k)])))
}
