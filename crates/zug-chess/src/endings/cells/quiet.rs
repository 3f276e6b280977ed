//! Quiet moves taken back, fast: the bulk of the work of a solver.
//!
//! Two things make it fast. Where a man can have come from is a set of squares: those that it sees
//! from where it stands, less those from which it would have attacked the king that was not to
//! move. And while one man that does not carry the symmetry moves about, the number of the cell is
//! a sum of few terms. With `w` the weight of the man, `t` the squares of the others and `c` what
//! their order with the man is worth:
//!
//! ```text
//! cell(s) = constant + w · s + Σ c_i · [s < t_i]
//! ```

use super::men::{MOST, Men};
use super::plan::{Dead, Plan, turned};
use super::tables::{
    BISHOP, KING, KING_STEPS, KNIGHT, KNIGHT_STEPS, MAP, PAWN_ATTACKS, QUEEN, ROOK, between,
    bishop, bit, rook, squares,
};
use super::unmove::Change;
use super::{EndingCells, halve};
use std::ops::Range;

/// What the king of the side to move sees: who has just moved must not have attacked it before.
struct View {
    occupied: u64,
    king: u8,
    lines: u64,
    diagonals: u64,
    /// The movers that move along lines, and along diagonals.
    line_sliders: u64,
    diagonal_sliders: u64,
    /// Knights and pawns that give check.
    leapers: u64,
}

impl View {
    fn of(plan: &Plan, men: &Men) -> View {
        let king = men.square[plan.kings[men.side]];
        let occupied = men.occupied();
        let (mut line_sliders, mut diagonal_sliders, mut leapers) = (0, 0, 0);
        let knights = KNIGHT_STEPS[usize::from(king & 63)];
        let pawns = PAWN_ATTACKS[men.side][usize::from(king & 63)];
        for &(man, piece) in plan.movers() {
            let here = bit(men.square[usize::from(man & 7)]);
            match piece {
                KING => {}
                QUEEN => {
                    line_sliders |= here;
                    diagonal_sliders |= here;
                }
                ROOK => line_sliders |= here,
                BISHOP => diagonal_sliders |= here,
                KNIGHT => leapers |= here & knights,
                _ => leapers |= here & pawns,
            }
        }
        let lines = if line_sliders == 0 { 0 } else { rook(king, occupied) };
        let diagonals = if diagonal_sliders == 0 { 0 } else { bishop(king, occupied) };
        View { occupied, king, lines, diagonals, line_sliders, diagonal_sliders, leapers }
    }

    /// The squares from which a man can have come without capturing.
    fn sources(&self, piece: u8, to: u8, mover: usize) -> u64 {
        let here = bit(to);
        let king = usize::from(self.king & 63);
        let (mut lines, mut diagonals) = (self.lines, self.diagonals);
        if (lines | diagonals) & here != 0 {
            // The man stood elsewhere, so the king saw what is behind it.
            if lines & here != 0 {
                lines = rook(self.king, self.occupied ^ here);
            }
            if diagonals & here != 0 {
                diagonals = bishop(self.king, self.occupied ^ here);
            }
        }
        let checks = (lines & self.line_sliders | diagonals & self.diagonal_sliders) & !here;
        if (checks | self.leapers & !here) != 0 {
            let single = checks & checks.wrapping_sub(1) == 0;
            if self.leapers & !here != 0 || !single {
                return 0;
            }
        }
        let free = !self.occupied;
        let from = match piece {
            KING => KING_STEPS[usize::from(to & 63)] & free & !KING_STEPS[king],
            QUEEN => {
                (rook(to, self.occupied) | bishop(to, self.occupied)) & free & !lines & !diagonals
            }
            ROOK => rook(to, self.occupied) & free & !lines,
            BISHOP => bishop(to, self.occupied) & free & !diagonals,
            KNIGHT => KNIGHT_STEPS[usize::from(to & 63)] & free & !KNIGHT_STEPS[king],
            _ => pawn_steps(mover, here, free) & !PAWN_ATTACKS[1 - mover][king],
        };
        if checks == 0 { from } else { from & between(self.king, checks.trailing_zeros() as u8) }
    }
}

/// Steps of a pawn backwards.
fn pawn_steps(mover: usize, here: u64, free: u64) -> u64 {
    if mover == 0 {
        let one = here >> 8 & free & !0xFF;
        one | one >> 8 & free & 0xFF00 & (here & 0xFF00_0000) >> 16
    } else {
        let one = here << 8 & free & !(0xFF << 56);
        one | one << 8 & free & 0xFF << 48 & (here & 0xFF << 32) << 16
    }
}

/// The number of a cell as a function of one man's square.
struct Shift<const N: usize> {
    map: &'static [u8; 64],
    constant: u64,
    weight: u64,
    terms: [(u8, u64); N],
}

impl<const N: usize> Shift<N> {
    /// From the number that the man has where it stands now; all squares are turned already.
    #[inline]
    fn new(plan: &Plan, at: &[u8; MOST], number: u64, moved: usize, element: u8) -> Shift<N> {
        let (low, weight, here) = (plan.low[moved], plan.weight[moved], at[moved]);
        let mut terms = [(0, 0); N];
        let mut constant = number.wrapping_sub(weight.wrapping_mul(u64::from(here)));
        // An earlier man above lets this one keep a rank; a later man above loses one to it.
        for i in 0..N {
            let worth = if i > moved {
                plan.weight[i].wrapping_neg()
            } else if i == moved || at[i] < low {
                0
            } else {
                weight
            };
            terms[i] = (at[i], worth);
            constant = constant.wrapping_sub(u64::from(here < at[i]).wrapping_neg() & worth);
        }
        Shift { map: &MAP[usize::from(element & 7)], constant, weight, terms }
    }

    #[inline]
    fn cell(&self, from: u8) -> u64 {
        let square = self.map[usize::from(from & 63)];
        let mut cell = self.constant.wrapping_add(self.weight.wrapping_mul(u64::from(square)));
        for &(at, worth) in &self.terms {
            cell = cell.wrapping_add(u64::from(square < at).wrapping_neg() & worth);
        }
        cell
    }
}

impl EndingCells {
    /// Appends the predecessors by quiet moves, for endings in which one side has no pawns.
    pub(super) fn quiet_unmoves(
        &self,
        plan: &Plan,
        men: &Men,
        within: &Range<u64>,
        out: &mut Vec<u64>,
    ) {
        let Some(route) = &plan.quiet else { return };
        let target = &self.plans[route.part];
        if within.end <= target.base || target.base + target.size <= within.start {
            return;
        }
        let first = out.len();
        match target.dead {
            Dead::Always if self.dead_ends => return,
            Dead::OneColour if self.dead_ends => {
                let quiet = |c: Change| c.captured.is_none() && c.promoted.is_none();
                let mut found = |before: &Men| self.emit(before, within, out);
                super::unmove::visit(men, &mut |c| quiet(c), &mut found);
            }
            _ => {
                out.reserve(128);
                let view = View::of(plan, men);
                let mover = 1 - men.side;
                let at: [u8; MOST] =
                    std::array::from_fn(|i| men.square[usize::from(route.from[i] & 7)]);
                let mut append = |man: usize, from: u64| {
                    let moved = usize::from(route.to[man] & 7);
                    match (target.single, target.men.n) {
                        (true, 3) => append::<3>(target, route.flip, &at, moved, from, out),
                        (true, 4) => append::<4>(target, route.flip, &at, moved, from, out),
                        (true, 5) => append::<5>(target, route.flip, &at, moved, from, out),
                        _ => append_each(target, route.flip, &at, moved, from, out),
                    }
                };
                for &(man, piece) in plan.movers() {
                    let man = usize::from(man & 7);
                    let from = view.sources(piece, men.square[man], mover);
                    if from != 0 {
                        append(man, from);
                    }
                }
                if within.start > target.base || target.base + target.size > within.end {
                    let mut kept = first;
                    for i in first..out.len() {
                        if within.contains(&out[i]) {
                            out[kept] = out[i];
                            kept += 1;
                        }
                    }
                    out.truncate(kept);
                }
            }
        }
        if plan.is_symmetric(men) {
            halve(out, first);
        }
    }
}

/// Appends the cells of a part in which one man stands on each of some squares, twice where the
/// position is its own reflection.
fn append_each(
    plan: &Plan,
    flip: bool,
    at: &[u8; MOST],
    moved: usize,
    from: u64,
    out: &mut Vec<u64>,
) {
    let mut at = *at;
    for square in squares(from) {
        at[moved] = square;
        let (slot, symmetric) = plan.number(&at, flip);
        out.push(plan.base + slot);
        if symmetric {
            out.push(plan.base + slot);
        }
    }
}

/// The same for one man of each kind.
fn append<const N: usize>(
    plan: &Plan,
    flip: bool,
    at: &[u8; MOST],
    moved: usize,
    from: u64,
    out: &mut Vec<u64>,
) {
    if moved == 0 {
        let mut at = *at;
        for square in squares(from) {
            at[0] = square;
            let (slot, symmetric) = plan.number_single::<N>(&at, flip);
            out.push(plan.base + slot);
            if symmetric {
                out.push(plan.base + slot);
            }
        }
        return;
    }
    let (class, [one, two]) = plan.reference(at[0], flip);
    let shift = |turned: &[u8; MOST], element| {
        let number = plan.base + plan.rank_single::<N>(turned, class);
        Shift::<N>::new(plan, turned, number, moved, element)
    };
    let first = turned::<N>(at, one);
    let second = turned::<N>(at, two);
    // Of two symmetries the first man that they take to different squares decides.
    let before = |at: [u8; MOST]| u64::from_be_bytes(at) >> (64 - 8 * moved);
    if one == two || before(first) != before(second) {
        let swap = before(first) > before(second);
        let (lower, element) = if swap { (&second, two) } else { (&first, one) };
        let shift = shift(lower, element);
        for square in squares(from) {
            out.push(shift.cell(square));
        }
        return;
    }
    let (one, two) = (shift(&first, one), shift(&second, two));
    for square in squares(from) {
        let (a, b) = (one.cell(square), two.cell(square));
        out.push(a.min(b));
        if a == b {
            out.push(a);
        }
    }
}
