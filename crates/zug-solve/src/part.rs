//! The index inside one sub-database: fixed numbers of pieces, fixed side to move.
//!
//! Kinds are numbered one after the other on a shrinking board (§4.5 of Bahnsen's thesis): each
//! kind only counts the fields that earlier kinds have left to it and that it can ever stand on
//! (§4.8). With symmetry, the first kind is the reference: it contributes the number of its class
//! of equivalent boards (§4.7).
//!
//! ```text
//! index = class(reference) · poss(2) + rank(kind 2) · poss(3) + … + rank(last)
//! poss(i) = C(v_i, n_i) · poss(i+1)      v_i = the most fields that can be left to kind i
//! ```

use crate::combination::{binomial, first_boards, open_gaps, rank, rank_beside, unrank};
use crate::group::{Group, Orbits};
use std::sync::Arc;
use zug_core::Side;

/// The symmetries of a part, and the classes of boards of its reference kind.
pub(crate) type Symmetry = (Arc<Group>, Arc<Orbits>);

/// One kind of piece in its place of the order.
#[derive(Clone, Copy, Debug)]
struct Step {
    kind: usize,
    fields: u64,
    pieces: u32,
    /// v_i: fields to reserve.
    reserved: u32,
    /// poss(i+1): positions of all later kinds.
    weight: u64,
    /// 2^64 / weight, for dividing by multiplication.
    inverse: u64,
    /// The fields are the lowest ones, without a hole.
    whole: bool,
    /// Boards by number, as far as they are kept.
    boards: &'static [u64],
}

impl Step {
    /// The number of a board beside the pieces of earlier kinds.
    fn rank(&self, board: u64, taken: u64) -> u64 {
        if self.whole {
            rank_beside(board, taken & self.fields)
        } else {
            rank(board, self.fields & !taken)
        }
    }

    /// The board of a number.
    fn unrank(&self, number: u64, taken: u64) -> Option<u64> {
        match self.boards.get(number as usize) {
            Some(&board) if self.whole => {
                open_gaps(board, taken & self.fields).filter(|board| board & !self.fields == 0)
            }
            _ => unrank(number, self.pieces, self.fields & !taken),
        }
    }

    /// Quotient and rest of a division by the weight.
    fn divide(&self, slot: u64) -> (u64, u64) {
        // The rounded inverse gives the quotient or one less.
        let guess = ((u128::from(slot) * u128::from(self.inverse)) >> 64) as u64;
        let rest = slot - guess * self.weight;
        if rest >= self.weight { (guess + 1, rest - self.weight) } else { (guess, rest) }
    }
}

/// A sub-database: the positions with these numbers of pieces and this side to move.
#[derive(Debug)]
pub struct Part {
    pub(crate) counts: Vec<u32>,
    pub(crate) side: Side,
    pub(crate) base: u64,
    size: u64,
    /// The fields that can be taken at all.
    within: u64,
    steps: Vec<Step>,
    symmetry: Option<Symmetry>,
}

/// The kind that is placed last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastStep {
    pub(crate) fields: u64,
    pub(crate) pieces: u32,
    /// Slots that differ in this kind alone.
    pub(crate) ways: u64,
}

/// A kind as [`Part::new`] wants it, in the order of indexing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) kind: usize,
    pub(crate) fields: u64,
    pub(crate) pieces: u32,
}

impl Part {
    /// Lays out a part; `None` if it has more positions than 64 bits can count. With symmetry, the
    /// orbits are those of the first kind in the order.
    pub(crate) fn new(
        counts: Vec<u32>,
        side: Side,
        within: u64,
        order: &[Placed],
        symmetry: Option<Symmetry>,
    ) -> Option<Part> {
        let mut steps: Vec<Step> = Vec::new();
        for (i, &Placed { kind, fields, pieces }) in order.iter().enumerate() {
            let reserved = fields_to_reserve(fields, &order[..i]);
            let (whole, boards) = (fields & fields.wrapping_add(1) == 0, first_boards(pieces));
            let (weight, inverse) = (0, 0);
            steps.push(Step { kind, fields, pieces, reserved, weight, inverse, whole, boards });
        }
        let mut size = 1u64;
        for (i, step) in steps.iter_mut().enumerate().rev() {
            step.weight = size;
            step.inverse = u64::MAX / size.max(1);
            let ways = match &symmetry {
                Some((_, orbits)) if i == 0 => orbits.classes(),
                _ => binomial(step.reserved, step.pieces),
            };
            size = size.checked_mul(ways)?;
        }
        Some(Part { counts, side, base: 0, size, within, steps, symmetry })
    }

    /// The board symmetries; `None` where only the identity is used.
    pub(crate) fn group(&self) -> Option<&Arc<Group>> {
        self.symmetry.as_ref().map(|(group, _)| group)
    }

    /// How many pieces of each kind.
    #[must_use]
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The side to move.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The first index of this part.
    #[must_use]
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The number of slots.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// For each kind that is on the board, in the order of indexing: the kind and v_i, the number
    /// of fields reserved for it.
    pub fn reserved(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.steps.iter().map(|step| (step.kind, step.reserved))
    }

    /// Are these fields among those that can be taken?
    pub(crate) fn holds(&self, taken: u64) -> bool {
        taken & !self.within == 0
    }

    /// The slot of these boards within the part; with symmetry the lowest of all equivalent
    /// ones. Counts, fields and overlaps have been checked.
    pub(crate) fn slot(&self, boards: &[u64]) -> u64 {
        let Some((group, orbits)) = &self.symmetry else {
            return self.rank_rest(&self.steps, 0, |kind| boards[kind]);
        };
        let (first, rest) = self.steps.split_first().expect("symmetry needs a reference kind");
        let (class, elements) = orbits.locate(group, boards[first.kind]);
        let representative = orbits.representative(class);
        let lowest = elements
            .map(|e| self.rank_rest(rest, representative, |kind| group.apply(e, boards[kind])))
            .min();
        class * first.weight + lowest.expect("some element leads to the representative")
    }

    fn rank_rest(&self, steps: &[Step], mut taken: u64, board: impl Fn(usize) -> u64) -> u64 {
        let mut number = 0;
        for step in steps {
            let board = board(step.kind);
            number += step.rank(board, taken) * step.weight;
            taken |= board;
        }
        number
    }

    /// The number of board symmetries that the part makes use of, the identity included.
    #[must_use]
    pub fn symmetries(&self) -> u64 {
        self.symmetry.as_ref().map_or(1, |(group, _)| group.len() as u64)
    }

    /// The slots of the part, counted from its own first, whose reference board some symmetry
    /// leaves as it is: only there a placement can have fewer images than there are symmetries.
    pub(crate) fn special(&self) -> Vec<std::ops::Range<u64>> {
        let Some((_, orbits)) = &self.symmetry else { return Vec::new() };
        let weight = self.steps.first().map_or(0, |first| first.weight);
        let mut ranges: Vec<std::ops::Range<u64>> = Vec::new();
        for class in (0..orbits.classes()).filter(|&c| orbits.fixing(c).len() > 1) {
            match ranges.last_mut() {
                Some(last) if last.end == class * weight => last.end += weight,
                _ => ranges.push(class * weight..(class + 1) * weight),
            }
        }
        ranges
    }

    /// How many different placements the board symmetries make of the one in this slot: the order
    /// of the group over that of the stabiliser. `boards` is for working memory.
    pub(crate) fn images(&self, slot: u64, boards: &mut [u64]) -> u64 {
        let Some((group, orbits)) = &self.symmetry else { return 1 };
        let (first, rest) = self.steps.split_first().expect("symmetry needs a reference kind");
        let fixing = orbits.fixing(slot / first.weight);
        let all = group.len() as u64;
        if fixing.len() == 1 || !self.fill(slot, boards) {
            return all;
        }
        let still = |&&e: &&u16| {
            rest.iter().all(|step| group.apply(e, boards[step.kind]) == boards[step.kind])
        };
        all / fixing.iter().filter(still).count() as u64
    }

    /// The kind that is placed last, and so changes fastest; `None` where there is none but the
    /// reference kind.
    pub(crate) fn last_step(&self) -> Option<LastStep> {
        let (last, before) = self.steps.split_last()?;
        if before.is_empty() && self.symmetry.is_some() {
            return None;
        }
        let ways = before.last().map_or(self.size, |step| step.weight);
        Some(LastStep { fields: last.fields, pieces: last.pieces, ways })
    }

    /// The same placements with the kinds in another order: places in the order of this part. With
    /// symmetry the first stays the first. `None` for what is no such order.
    pub(crate) fn reordered(&self, order: &[u8]) -> Option<Part> {
        let mut places = order.to_vec();
        places.sort_unstable();
        let all = places.iter().copied().map(usize::from).eq(0..self.steps.len());
        if !all || (self.symmetry.is_some() && order.first() != Some(&0)) {
            return None;
        }
        let placed = order.iter().map(|&place| {
            let Step { kind, fields, pieces, .. } = self.steps[usize::from(place)];
            Placed { kind, fields, pieces }
        });
        let placed: Vec<Placed> = placed.collect();
        Part::new(self.counts.clone(), self.side, self.within, &placed, self.symmetry.clone())
    }

    /// How many kinds are placed, and whether the first must stay the first.
    pub(crate) fn placed(&self) -> (usize, bool) {
        (self.steps.len(), self.symmetry.is_some())
    }

    /// The numbers of slots that belong together because only the kinds from some step on differ,
    /// from few to many.
    pub(crate) fn weights(&self) -> impl Iterator<Item = u64> + '_ {
        self.steps.iter().rev().skip(1).map(|step| step.weight).chain([self.size])
    }

    /// Places all kinds but the last, tells the field of each of their pieces, the highest field of
    /// a kind first, and gives back all fields that are taken. `None` if a field is not there.
    pub(crate) fn fill_leading(&self, slot: u64, tell: &mut impl FnMut(u8)) -> Option<u64> {
        let (mut rest, mut taken) = (slot, 0);
        let leading = self.steps.len().saturating_sub(1);
        for (i, step) in self.steps[..leading].iter().enumerate() {
            let number;
            (number, rest) = step.divide(rest);
            let board = match &self.symmetry {
                Some((_, orbits)) if i == 0 => Some(orbits.representative(number)),
                _ => step.unrank(number, taken),
            }?;
            taken |= board;
            let mut pieces = board;
            while pieces != 0 {
                let field = 63 - pieces.leading_zeros();
                tell(field as u8);
                pieces ^= 1 << field;
            }
        }
        Some(taken)
    }

    /// Fills in the boards of a slot; false if the slot asks for a field that is not there.
    pub(crate) fn fill(&self, slot: u64, boards: &mut [u64]) -> bool {
        let (mut rest, mut taken) = (slot, 0);
        for (board, &count) in boards.iter_mut().zip(&self.counts) {
            *board = low_bits(count);
        }
        for (i, step) in self.steps.iter().enumerate() {
            let number;
            (number, rest) = step.divide(rest);
            let board = match &self.symmetry {
                Some((_, orbits)) if i == 0 => Some(orbits.representative(number)),
                _ => step.unrank(number, taken),
            };
            let Some(board) = board else { return false };
            boards[step.kind] = board;
            taken |= board;
        }
        true
    }
}

/// n bits at the low end: how the boards of kinds in reserve are written.
pub(crate) fn low_bits(n: u32) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// The most fields of `fields` that earlier kinds can leave free (v_i of §4.8). A set X of earlier
/// kinds can hide at most on the fields outside; the rest of its pieces must block fields.
fn fields_to_reserve(fields: u64, earlier: &[Placed]) -> u32 {
    // Kinds that share their fields count as one: leaving one of them out of X never helps.
    let mut groups: Vec<(u64, u32)> = Vec::new();
    for placed in earlier {
        match groups.iter_mut().find(|(fields, _)| *fields == placed.fields) {
            Some((_, pieces)) => *pieces += placed.pieces,
            None => groups.push((placed.fields, placed.pieces)),
        }
    }
    let mut blocked = 0;
    for set in 1u32..1 << groups.len() {
        let members = groups.iter().enumerate().filter(|(j, _)| set >> j & 1 == 1);
        let (mut reach, mut pieces) = (0, 0);
        for (_, &(fields, n)) in members {
            reach |= fields;
            pieces += n;
        }
        blocked = blocked.max(pieces.saturating_sub((reach & !fields).count_ones()));
    }
    fields.count_ones().saturating_sub(blocked)
}
