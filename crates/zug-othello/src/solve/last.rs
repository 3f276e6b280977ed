//! What is a position with at most four empty squares worth?
//!
//! Nearly all positions that a solver visits are of this kind. No list of moves is made: the empty
//! squares are handed down, four bytes in a word, in the order in which they are to be tried. A
//! square whose quadrant has an odd number of empty squares comes first: whoever plays there is
//! likely to get the last move of that quadrant.
//!
//! All functions search a null window, from `alpha` to `alpha + 1`, and return a bound on the right
//! side of it.

use super::count::last_flips;
use super::level::Level;
use crate::Board;
use crate::bits::{Squares, neighbours};

/// The squares beside each square.
static BESIDE: [Squares; 64] = {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = neighbours(1 << square);
        square += 1;
    }
    table
};

/// Worse than every score.
const NONE: i32 = -65;

#[inline(always)]
fn beside(square: u32) -> Squares {
    BESIDE[(square & 63) as usize]
}

/// All squares of the quadrants with an odd number of squares of this set.
#[inline(always)]
pub(super) fn odd_quadrants(empty: Squares) -> Squares {
    // Add up without carry: the four columns of each half row, then the four rows of each half.
    let mut sum = empty ^ empty >> 1;
    sum = (sum ^ sum >> 2) & 0x1111_1111_1111_1111;
    sum ^= sum >> 8;
    sum = (sum ^ sum >> 16) & 0x0000_0011_0000_0011;
    sum.wrapping_mul(0x0F0F_0F0F)
}

/// The quadrant of a square.
#[inline(always)]
fn quadrant(square: u32) -> Squares {
    0x0F0F_0F0F << (square & 0b100_100)
}

/// The score of a position with one empty square, in the null window at `alpha`.
#[inline(always)]
pub(super) fn one(own: Squares, square: u32, alpha: i32) -> i32 {
    let twice = 2 * own.count_ones() as i32;
    let turned = last_flips(square, own);
    if turned != 0 {
        return twice + 2 * turned - 62;
    }
    // The empty square goes to the winner.
    let score = if twice > 63 { twice - 62 } else { twice - 64 };
    // What the opponent turns over only makes it less.
    if score <= alpha {
        return score;
    }
    let turned = last_flips(square, !own & !(1 << square));
    if turned != 0 { twice - 2 * turned - 64 } else { score }
}

/// The score of a position with two empty squares, `squares` in the lowest two bytes.
#[inline(always)]
pub(super) fn two<L: Level>(
    level: L,
    nodes: &mut u64,
    board: Board,
    squares: u32,
    alpha: i32,
) -> i32 {
    let (first, second) = (squares & 255, squares >> 8 & 255);
    let Board { mut own, mut other } = board;
    let (mut alpha, mut sign) = (alpha, 1);
    for _ in 0..2 {
        let mut best = NONE;
        if beside(first) & other != 0 {
            let flips = level.flips(first, own, other);
            if flips != 0 {
                *nodes += 1;
                best = -one(other ^ flips, second, -alpha - 1);
                if best > alpha {
                    return sign * best;
                }
            }
        }
        if beside(second) & other != 0 {
            let flips = level.flips(second, own, other);
            if flips != 0 {
                *nodes += 1;
                best = best.max(-one(other ^ flips, first, -alpha - 1));
            }
        }
        if best != NONE {
            return sign * best;
        }
        (own, other) = (other, own);
        alpha = -alpha - 1;
        sign = -sign;
    }
    Board { own, other }.final_score()
}

/// The score of a position with three empty squares, `squares` in the lowest three bytes.
#[inline(always)]
pub(super) fn three<L: Level>(
    level: L,
    nodes: &mut u64,
    board: Board,
    squares: u32,
    alpha: i32,
) -> i32 {
    let mut board = board;
    let (mut alpha, mut sign) = (alpha, 1);
    let (a, b, c) = (squares & 255, squares >> 8 & 255, squares >> 16 & 255);
    let tries = [(a, b | c << 8), (b, a | c << 8), (c, a | b << 8)];
    for _ in 0..2 {
        let mut best = NONE;
        for (square, rest) in tries {
            if beside(square) & board.other == 0 {
                continue;
            }
            let flips = level.flips(square, board.own, board.other);
            if flips != 0 {
                *nodes += 1;
                let score = -level.two(nodes, board.played(square, flips), rest, -alpha - 1);
                if score > alpha {
                    return sign * score;
                }
                best = best.max(score);
            }
        }
        if best != NONE {
            return sign * best;
        }
        board = board.passed();
        alpha = -alpha - 1;
        sign = -sign;
    }
    board.final_score()
}

/// The score of a position with four empty squares.
#[inline(always)]
pub(super) fn four<L: Level>(level: L, nodes: &mut u64, board: Board, alpha: i32) -> i32 {
    let mut board = board;
    let (mut alpha, mut sign) = (alpha, 1);
    let tries = tries_of_four(board.empty());
    for _ in 0..2 {
        let mut best = NONE;
        for (square, rest) in tries {
            if beside(square) & board.other == 0 {
                continue;
            }
            let flips = level.flips(square, board.own, board.other);
            if flips != 0 {
                *nodes += 1;
                let score = -level.three(nodes, board.played(square, flips), rest, -alpha - 1);
                if score > alpha {
                    return sign * score;
                }
                best = best.max(score);
            }
        }
        if best != NONE {
            return sign * best;
        }
        board = board.passed();
        alpha = -alpha - 1;
        sign = -sign;
    }
    board.final_score()
}

/// The four empty squares in the order to try them, each with the order of the other three.
#[inline(always)]
fn tries_of_four(empty: Squares) -> [(u32, u32); 4] {
    let odd = odd_quadrants(empty) & empty;
    let lowest = quadrant(empty.trailing_zeros()) & empty;
    let (mut front, pairs) = if odd == 0 {
        // Two pairs, or all four together: keep the pairs together.
        (lowest, true)
    } else if odd == empty {
        // One and three, the single square first; or four single squares.
        (if lowest & (lowest - 1) == 0 { lowest } else { empty & !lowest }, false)
    } else {
        // Two single squares before a pair.
        (odd, false)
    };
    let mut back = empty & !front;
    let mut next = || {
        let from = if front != 0 { &mut front } else { &mut back };
        let square = from.trailing_zeros();
        *from &= *from - 1;
        square
    };
    let (a, b, c, d) = (next(), next(), next(), next());
    let of_c = if pairs { d | a << 8 | b << 16 } else { a | b << 8 | d << 16 };
    let of_d = if pairs { c | a << 8 | b << 16 } else { a | b << 8 | c << 16 };
    [(a, b | c << 8 | d << 16), (b, a | c << 8 | d << 16), (c, of_c), (d, of_d)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::each;
    use proptest::prelude::*;

    const QUADRANTS: [Squares; 4] =
        [0x0F0F_0F0F, 0xF0F0_F0F0, 0x0F0F_0F0F << 32, 0xF0F0_F0F0 << 32];

    proptest! {
        #[test]
        fn odd_quadrants_are_those_of_a_count(empty in any::<u64>()) {
            let mut expected = 0;
            for quadrant in QUADRANTS {
                if (quadrant & empty).count_ones() % 2 == 1 {
                    expected |= quadrant;
                }
            }
            prop_assert_eq!(odd_quadrants(empty), expected);
            for square in 0..64 {
                prop_assert!(QUADRANTS.contains(&quadrant(square)));
                prop_assert!(quadrant(square) >> square & 1 == 1);
            }
        }

        #[test]
        fn four_squares_are_tried_once_each_and_single_ones_first(
            squares in proptest::sample::subsequence((0u32..64).collect::<Vec<_>>(), 4)
        ) {
            let empty = squares.iter().fold(0, |set, &s| set | 1u64 << s);
            let single = |set: Squares, s: u32| (quadrant(s) & set).count_ones() == 1;
            let tries = tries_of_four(empty);
            prop_assert_eq!(tries.iter().fold(0, |set, t| set | 1u64 << t.0), empty);
            if each(empty).any(|s| single(empty, s)) {
                prop_assert!(single(empty, tries[0].0));
            }
            for (square, rest) in tries {
                let left = empty & !(1 << square);
                let order = [rest & 255, rest >> 8 & 255, rest >> 16];
                prop_assert_eq!(order.iter().fold(0, |set, &s| set | 1u64 << s), left);
                if each(left).any(|s| single(left, s)) {
                    prop_assert!(single(left, order[0]));
                }
            }
        }
    }
}
