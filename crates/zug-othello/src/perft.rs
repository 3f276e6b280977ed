//! Counting the leaves of the move tree, as fast as the machine can.
//!
//! A pass is a ply. A game that has ended is a leaf of its own at every greater depth: this is how
//! the published counts are made (from depth 10 on it matters).
//!
//! The last ply is not played but counted, so the work of a leaf is a fraction of one move
//! generation. On x86-64 with AVX2 the same code is compiled a second time with the wider
//! instructions allowed, which doubles the speed (see the `rules` benchmark).

use crate::bits::{Squares, flips, moves};

/// Counts the leaves with `depth` plies to go.
///
/// ```
/// let (black, white) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
/// assert_eq!(zug_othello::perft::perft(black, white, !0, 7), 55_092);
/// ```
#[must_use]
pub fn perft(own: Squares, other: Squares, board: Squares, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the features that the function is compiled for have just been found.
        return unsafe { perft_avx2(own, other, board, depth) };
    }
    perft_plain(own, other, board, depth)
}

/// The same for every machine.
fn perft_plain(own: Squares, other: Squares, board: Squares, depth: u32) -> u64 {
    perft_step(own, other, board, depth, perft_plain)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
fn perft_avx2(own: Squares, other: Squares, board: Squares, depth: u32) -> u64 {
    perft_step(own, other, board, depth, |own, other, board, depth| {
        perft_avx2(own, other, board, depth)
    })
}

#[inline(always)]
fn perft_step(
    own: Squares,
    other: Squares,
    board: Squares,
    depth: u32,
    deeper: impl Fn(Squares, Squares, Squares, u32) -> u64,
) -> u64 {
    let empty = board & !(own | other);
    if depth == 0 {
        return 1;
    }
    let mut left = moves(own, other, empty);
    if left == 0 {
        let ended = moves(other, own, empty) == 0;
        return if ended { 1 } else { deeper(other, own, board, depth - 1) };
    }
    if depth == 1 {
        return u64::from(left.count_ones());
    }
    let mut leaves = 0;
    while left != 0 {
        let square = left.trailing_zeros();
        let placed = left & left.wrapping_neg();
        left ^= placed;
        let flipped = flips(square, own, other);
        let (next_own, next_other) = (other ^ flipped, own ^ flipped ^ placed);
        leaves += if depth == 2 {
            // Without a placement there is one leaf all the same: a pass, or the end.
            u64::from(moves(next_own, next_other, empty ^ placed).count_ones().max(1))
        } else {
            deeper(next_own, next_other, board, depth - 1)
        };
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::{board, tests::discs};
    use crate::{Othello, naive};
    use proptest::prelude::*;
    use zug_core::Game;

    #[test]
    fn leaves_of_the_small_boards_agree_with_a_walk_over_the_squares() {
        for (size, deepest) in [(4, 14), (6, 7)] {
            let start = Othello::with_size(size).unwrap().start();
            for depth in 0..=deepest {
                assert_eq!(
                    perft(start.own(), start.other(), board(size), depth),
                    naive::perft(size, start.own(), start.other(), depth),
                    "{size}x{size}, depth {depth}"
                );
            }
        }
        // The whole tree of the smallest board: every game there is.
        let small = Othello::with_size(4).unwrap().start();
        assert_eq!(perft(small.own(), small.other(), board(4), 20), 60_060);
    }

    proptest! {
        #[test]
        fn counting_leaves_agrees_with_a_walk_over_the_squares((size, own, other) in discs()) {
            for depth in 0..4 {
                let expected = naive::perft(size, own, other, depth);
                prop_assert_eq!(perft(own, other, board(size), depth), expected);
                prop_assert_eq!(perft_plain(own, other, board(size), depth), expected);
            }
        }
    }
}
