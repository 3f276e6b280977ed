//! Which discs can never be turned over again?
//!
//! A disc is safe along an axis if the whole line is full, or if it stands beside the edge or
//! beside a safe disc of its own colour on that axis; it is stable if it is safe along all four.
//! Beginning with none, this finds stable discs until no more are found. It finds all that grow
//! out of corners and full lines, which is nearly all there are.

use crate::bits::{Squares, along, board};

/// The steps of the four axes: rows, columns and the two diagonals.
const STEPS: [u32; 4] = [1, 8, 7, 9];

/// The stable discs among `own` on a board of this size.
#[must_use]
pub fn stable(own: Squares, other: Squares, size: u8) -> Squares {
    let all = board(size);
    let empty = all & !(own | other);
    // Lines without an empty square, and squares beside the edge, for each axis.
    let held = STEPS.map(|step| !along(empty, step) | edge(step, size));
    let mut stable = 0;
    loop {
        let mut safe = own;
        for (step, held) in STEPS.into_iter().zip(held) {
            // A wrapped neighbour does no harm: its target is beside the edge, which is held.
            safe &= held | stable << step | stable >> step;
        }
        if safe == stable {
            return stable;
        }
        stable = safe;
    }
}

/// The squares that have a neighbour outside the board along an axis.
const fn edge(step: u32, size: u8) -> Squares {
    let all = board(size);
    let last = size as u32 - 1;
    let columns = (0x0101_0101_0101_0101 | 0x0101_0101_0101_0101 << last) & all;
    let rows = (0xFF | 0xFF << (8 * last)) & all;
    match step {
        1 => columns,
        8 => rows,
        _ => columns | rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::random_game;
    use crate::{Othello, Position};
    use zug_core::{Game, Side};

    fn stable_black(text: &str) -> u32 {
        let p = Position::read(4, text).unwrap();
        stable(p.discs(Side::First), p.discs(Side::Second), 4).count_ones()
    }

    #[test]
    fn discs_grow_out_of_corners_and_full_lines() {
        assert_eq!(stable_black("XX-- X--- ---- ---O X"), 3);
        assert_eq!(stable_black("XX-- XX-- ---- ---O X"), 3);
        assert_eq!(stable_black("XXX- XX-- X--- ---O X"), 6);
        assert_eq!(stable_black("-XX- -XX- -XX- -XX- X"), 0);
        assert_eq!(stable_black("XOXO OXOX XOXO OXOX X"), 8);
        // A full row on the edge is held along the row, and by the edge along the other axes.
        assert_eq!(stable_black("OXXO ---- ---- ---- X"), 2);
    }

    #[test]
    fn stable_discs_are_never_turned_over() {
        for size in [4, 6, 8] {
            let game = Othello::with_size(size).unwrap();
            let mut seen = 0;
            for seed in 0..100 {
                let mut position = game.start();
                let mut before = [0; 2];
                for mv in random_game(&game, seed, usize::MAX) {
                    position.play(mv);
                    for side in Side::BOTH {
                        let (own, other) = (position.discs(side), position.discs(side.other()));
                        assert_eq!(before[side.index()] & !own, 0);
                        let now = stable(own, other, size);
                        assert_eq!(before[side.index()] & !now, 0, "stable discs stay stable");
                        before[side.index()] = now;
                    }
                }
                seen += (before[0] | before[1]).count_ones();
            }
            assert!(seen > 400, "finished games have stable discs");
        }
    }
}
