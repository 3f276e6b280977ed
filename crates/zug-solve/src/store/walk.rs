//! Going through the slots of a part in order, with the fields of the pieces at hand.
//!
//! The pieces of a part are put in a row, the one that changes slowest first: kinds in the order of
//! indexing, and of a kind the piece on the highest field first. Then the slots are in the
//! lexicographic order of that row.

use crate::part::Part;

/// The most pieces that a part can have.
pub(super) const MOST_PIECES: usize = 64;

/// The pieces of a slot: their fields, slowest first.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    fields: [u8; MOST_PIECES],
    count: usize,
}

impl Pieces {
    /// The field of the piece that is `back` before the last; the field of the first where there
    /// are fewer.
    #[inline]
    pub(super) fn back_from_end(&self, back: usize) -> usize {
        usize::from(self.fields[self.count.saturating_sub(back + 1)])
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

/// Calls `visit` with the offset of every slot in `start..end` that stands for a placement, in
/// order. `start` must be a multiple of the ways to place the last kind.
pub(super) fn walk(part: &Part, start: u64, end: u64, mut visit: impl FnMut(usize, &Pieces)) {
    let mut pieces = Pieces { fields: [0; MOST_PIECES], count: 0 };
    let Some(last) = part.last_step() else { return };
    let (ways, number) = (last.ways, last.pieces as usize);
    let mut free = [0u8; 64];
    let mut chosen = [0usize; MOST_PIECES + 1];
    let mut slot = start;
    while slot < end {
        let base = (slot - start) as usize;
        let here = ways.min(end - slot);
        let Some(taken) = part.fill_leading(slot, &mut |field| {
            pieces.fields[pieces.count] = field;
            pieces.count += 1;
        }) else {
            slot += here;
            pieces.count = 0;
            continue;
        };
        let leading = pieces.count;
        pieces.count = leading + number;
        let mut fields = 0;
        let mut rest = last.fields & !taken;
        while rest != 0 {
            free[fields] = rest.trailing_zeros() as u8;
            fields += 1;
            rest &= rest - 1;
        }
        // Combinations in the order of their numbers: the lowest piece that has room moves up, and
        // those below it go back to the beginning.
        for (i, c) in chosen[..number].iter_mut().enumerate() {
            *c = i;
        }
        for rank in 0..here as usize {
            if chosen[number - 1] >= fields {
                break;
            }
            for (i, &c) in chosen[..number].iter().enumerate() {
                pieces.fields[leading + number - 1 - i] = free[c];
            }
            visit(base + rank, &pieces);
            let mut i = 0;
            while i + 1 < number && chosen[i] + 1 == chosen[i + 1] {
                chosen[i] = i;
                i += 1;
            }
            chosen[i] += 1;
        }
        slot += here;
        pieces.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Options, Space};
    use zug_core::Side;
    use zug_core::indexed::{Layout, maps};

    fn check(layout: &Layout, options: Options) {
        let space = Space::new(layout, options).unwrap();
        let mut boards = vec![0; space.kinds()];
        for part in space.parts() {
            let Some(last) = part.last_step() else { continue };
            // In two blocks, the second of which begins in the middle.
            let middle = part.size() / last.ways / 2 * last.ways;
            let mut seen = vec![Vec::new(); part.size() as usize];
            for (start, end) in [(0, middle), (middle, part.size())] {
                walk(part, start, end, |offset, pieces| {
                    let fields = (0..pieces.count()).rev().map(|back| pieces.back_from_end(back));
                    seen[start as usize + offset] = fields.collect();
                });
            }
            let mut placed: Vec<Vec<usize>> = Vec::new();
            for (slot, found) in seen.iter().enumerate() {
                let filled = part.fill(slot as u64, &mut boards);
                assert_eq!(filled, !found.is_empty(), "slot {slot}");
                if !filled {
                    continue;
                }
                let mut want = Vec::new();
                for (kind, _) in part.reserved() {
                    want.extend((0..64).rev().filter(|f| boards[kind] >> f & 1 == 1));
                }
                assert_eq!(*found, want, "slot {slot}");
                placed.push(want);
            }
            assert!(placed.is_sorted(), "slots are in the order of the row");
        }
    }

    #[test]
    fn a_walk_meets_every_placement_with_its_pieces() {
        let layout = Layout::new(16)
            .piece("man", Side::First, 1..=3)
            .piece_on("pawn", Side::First, 0..=1, 0x0FF0)
            .piece("man", Side::Second, 0..=2)
            .axes(|counts| if counts[1] == 0 { vec![maps::left_right(4, 4)] } else { Vec::new() });
        check(&layout, Options::default());
        check(&layout, Options::full());
    }
}
