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
use super::plan::{Dead, Plan, Route};
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
        let (lines, diagonals) = (rook(king, occupied), bishop(king, occupied));
        View { occupied, king, lines, diagonals, line_sliders, diagonal_sliders, leapers }
    }

    /// The squares from which a man can have come without capturing.
    fn sources(&self, piece: u8, to: u8, mover: usize) -> u64 {
        let here = bit(to);
        let king = usize::from(self.king & 63);
        let (mut lines, mut diagonals) = (self.lines, self.diagonals);
        if (lines | diagonals) & here != 0 {
            // The man stood elsewhere, so the king saw what is behind it.
            lines = rook(self.king, self.occupied ^ here);
            diagonals = bishop(self.king, self.occupied ^ here);
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
#[derive(Clone, Copy)]
struct Shift {
    map: &'static [u8; 64],
    constant: u64,
    weight: u64,
    terms: [(u8, u64); MOST],
    n: usize,
}

impl Shift {
    fn new(
        plan: &Plan,
        at: &[u8; MOST],
        moved: usize,
        map: &'static [u8; 64],
        class: u64,
    ) -> Shift {
        let mut to = [0; MOST];
        let n = plan.men.n;
        for i in 0..n {
            to[i] = map[usize::from(at[i] & 63)];
        }
        let mut shift = Shift {
            map,
            constant: plan.base,
            weight: plan.weight[moved],
            terms: [(0, 0); MOST],
            n: n - 1,
        };
        let (low, weight) = (plan.low[moved], plan.weight[moved]);
        let mut constant = plan.base.wrapping_sub(u64::from(low).wrapping_mul(weight));
        for k in 0..n {
            let place = if k < moved { k } else { k.wrapping_sub(1) };
            if k == moved {
                continue;
            }
            // The digit of this man without the moved one.
            let digit = if k == 0 && plan.has_classes() {
                class
            } else {
                let low = plan.low[k];
                let reach = to[k].wrapping_sub(low);
                let earlier = (0..k).filter(|&i| i != moved && to[i].wrapping_sub(low) < reach);
                u64::from(reach) - earlier.count() as u64
            };
            constant = constant.wrapping_add(digit.wrapping_mul(plan.weight[k]));
            if k < moved {
                // One rank less for each earlier man below: as if all were below, but for those
                // above.
                if to[k] >= low {
                    constant = constant.wrapping_sub(weight);
                    shift.terms[place] = (to[k], weight);
                }
            } else {
                shift.terms[place] = (to[k], plan.weight[k].wrapping_neg());
            }
        }
        shift.constant = constant;
        shift
    }

    #[inline]
    fn cell<const N: usize>(&self, from: u8) -> u64 {
        let square = self.map[usize::from(from & 63)];
        let mut cell = self.constant.wrapping_add(self.weight.wrapping_mul(u64::from(square)));
        for &(at, weight) in &self.terms[..N] {
            cell = cell.wrapping_add(u64::from(square < at).wrapping_neg() & weight);
        }
        cell
    }

    /// Appends the cells for all squares of a set.
    fn append(&self, from: u64, out: &mut Vec<u64>) {
        match self.n {
            0..=2 => out.extend(squares(from).map(|s| self.cell::<2>(s))),
            3 => out.extend(squares(from).map(|s| self.cell::<3>(s))),
            4 => out.extend(squares(from).map(|s| self.cell::<4>(s))),
            _ => out.extend(squares(from).map(|s| self.cell::<7>(s))),
        }
    }
}

/// Appends the lower of two numbers for each square, twice where they are the same: then the
/// position is its own reflection.
fn append_lower(one: &Shift, two: &Shift, from: u64, out: &mut Vec<u64>) {
    for square in squares(from) {
        let (a, b) = (one.cell::<7>(square), two.cell::<7>(square));
        out.push(a.min(b));
        if a == b {
            out.push(a);
        }
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
                for &(man, piece) in plan.movers() {
                    let to = men.square[usize::from(man & 7)];
                    let from = view.sources(piece, to, mover);
                    if from != 0 {
                        append_sources(target, route, at, usize::from(man & 7), from, out);
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

/// Appends the cells of a part in which one man stands on each of some squares.
fn append_sources(
    target: &Plan,
    route: &Route,
    mut at: [u8; MOST],
    man: usize,
    from: u64,
    out: &mut Vec<u64>,
) {
    let moved = usize::from(route.to[man] & 7);
    if !target.single || (moved == 0 && target.has_classes()) {
        for square in squares(from) {
            at[moved] = square;
            let (slot, symmetric) = target.number(&at, route.flip);
            out.push(target.base + slot);
            if symmetric {
                out.push(target.base + slot);
            }
        }
        return;
    }
    let (class, [one, two]) = target.reference(at[0], route.flip);
    let shift = |element: u8| Shift::new(target, &at, moved, &MAP[usize::from(element & 7)], class);
    let first = shift(one);
    if one == two {
        first.append(from, out);
    } else {
        append_lower(&first, &shift(two), from, out);
    }
}
