//! Where may a disc go, and what does it turn over? Answered for all squares at once, on 64 bits.
//!
//! ```text
//!       a  b  c  d  e  f  g  h
//!  1    0  1  2  3  4  5  6  7      A set of squares is a u64. One step to the right is a shift
//!  2    8  9 10 11 12 13 14 15      to the left by 1, one step down by 8, down-right by 9,
//!  3   16 17 18  ...                down-left by 7. The smaller boards lie in the upper left
//!  ...                              corner and use the same code: no disc ever lies outside, so
//!  8   56 57 58 59 60 61 62 63      no line of discs leads there.
//! ```
//!
//! *Moves* ([`moves`]): from every own disc at once, run over the opponent's discs along each of
//! the eight directions and see where the runs end. A run is at most six discs long, and two
//! doubling steps cover it (parallel prefix). Runs must not wrap around the edge: only the
//! opponent's discs on columns b to g can be run over sideways.
//!
//! *Flips* ([`flips`]): from one square, look along the eight rays of a table. Along a ray of
//! rising bits, adding one to "opponent or not on the ray" carries through the run and stops at
//! its end; along a falling ray the highest bit that is no opponent's disc is that end.

/// A set of squares.
pub type Squares = u64;

/// Columns b to g: the discs that can be run over sideways.
const INNER_COLUMNS: Squares = 0x7E7E_7E7E_7E7E_7E7E;
/// Everything but column a.
const NOT_A: Squares = 0xFEFE_FEFE_FEFE_FEFE;
/// Everything but column h.
const NOT_H: Squares = 0x7F7F_7F7F_7F7F_7F7F;

/// All squares of a board with this many rows, in the upper left corner.
#[must_use]
pub const fn board(size: u8) -> Squares {
    let row = (1u64 << size) - 1;
    let mut all = 0;
    let mut r = 0;
    while r < size {
        all |= row << (8 * r);
        r += 1;
    }
    all
}

/// The squares just behind runs of `other` that begin beside `own`, in both directions of an axis.
#[inline(always)]
const fn run_ends(own: Squares, other: Squares, step: u32) -> Squares {
    let mut up = other & (own << step);
    let mut down = other & (own >> step);
    up |= other & (up << step);
    down |= other & (down >> step);
    // Pairs of neighbours, so that each further step covers two discs.
    let pairs_up = other & (other << step);
    let pairs_down = pairs_up >> step;
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

/// The squares among `empty` where `own` may play against `other`.
///
/// ```
/// use zug_othello::bits::moves;
/// let (black, white) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
/// let empty = !(black | white);
/// assert_eq!(moves(black, white, empty), 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44); // d3 c4 f5 e6
/// ```
#[inline(always)]
#[must_use]
pub const fn moves(own: Squares, other: Squares, empty: Squares) -> Squares {
    let inner = other & INNER_COLUMNS;
    (run_ends(own, inner, 1)
        | run_ends(own, other, 8)
        | run_ends(own, inner, 7)
        | run_ends(own, inner, 9))
        & empty
}

/// The discs of `other` that are turned over when `own` plays on `square` (0 to 63); none when
/// the move is illegal.
#[inline(always)]
#[must_use]
pub const fn flips(square: u32, own: Squares, other: Squares) -> Squares {
    let rays = &RAYS[(square & 63) as usize];
    flips_up(rays[0], own, other)
        | flips_up(rays[1], own, other)
        | flips_up(rays[2], own, other)
        | flips_up(rays[3], own, other)
        | flips_down(rays[4], own, other)
        | flips_down(rays[5], own, other)
        | flips_down(rays[6], own, other)
        | flips_down(rays[7], own, other)
}

#[inline(always)]
const fn flips_up(ray: Squares, own: Squares, other: Squares) -> Squares {
    let end = (other | !ray).wrapping_add(1) & ray & own;
    // One less than the end is every bit below it, and nothing when there is no end.
    end.wrapping_sub((end != 0) as u64) & ray
}

#[inline(always)]
const fn flips_down(ray: Squares, own: Squares, other: Squares) -> Squares {
    // The lowest bit keeps the shift in range when the ray holds nothing but opponents.
    let stop = (ray & !other) | 1;
    let end = ((1u64 << 63) >> stop.leading_zeros()) & ray & own;
    // Minus a single bit is that bit and every bit above it, and nothing when there is no end.
    (end.wrapping_neg() << 1) & ray
}

/// For every square the rays right, down-left, down, down-right (rising bits), then left,
/// up-right, up, up-left (falling bits), without the square itself.
pub(crate) static RAYS: [[Squares; 8]; 64] = rays();

const fn rays() -> [[Squares; 8]; 64] {
    let steps: [(i32, i32); 8] =
        [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    let mut table = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (dr, dc) = steps[direction];
            let (mut row, mut column) = (square as i32 / 8 + dr, square as i32 % 8 + dc);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                table[square][direction] |= 1 << (8 * row + column);
                row += dr;
                column += dc;
            }
            direction += 1;
        }
        square += 1;
    }
    table
}

/// The squares beside these, in all eight directions.
#[inline]
#[must_use]
pub const fn neighbours(squares: Squares) -> Squares {
    let sideways = (squares << 1 & NOT_A) | (squares >> 1 & NOT_H);
    let rows = squares | sideways;
    sideways | rows << 8 | rows >> 8
}

/// Everything that can be reached from `seed` along an axis, in both directions, to the edges.
#[inline]
#[must_use]
pub(crate) const fn along(seed: Squares, step: u32) -> Squares {
    // Where a step to the left or right lands on the far side of the board.
    let (no_wrap_up, no_wrap_down) = match step {
        8 => (!0, !0),
        7 => (NOT_H, NOT_A),
        _ => (NOT_A, NOT_H),
    };
    let (mut up, mut down) = (seed, seed);
    let (mut free_up, mut free_down) = (no_wrap_up, no_wrap_down);
    up |= free_up & (up << step);
    down |= free_down & (down >> step);
    free_up &= free_up << step;
    free_down &= free_down >> step;
    up |= free_up & (up << (2 * step));
    down |= free_down & (down >> (2 * step));
    free_up &= free_up << (2 * step);
    free_down &= free_down >> (2 * step);
    up |= free_up & (up << (4 * step));
    down |= free_down & (down >> (4 * step));
    up | down
}

/// The image of a set of squares under one of the eight symmetries of a board of this size.
///
/// Bit 0 of the number mirrors left and right, bit 1 up and down, bit 2 (done last) exchanges rows
/// and columns.
#[inline]
#[must_use]
pub const fn symmetric_image(symmetry: usize, size: u8, squares: Squares) -> Squares {
    let unused = 8 - size as u32;
    let mut image = squares;
    if symmetry & 1 != 0 {
        image = image.reverse_bits().swap_bytes() >> unused;
    }
    if symmetry & 2 != 0 {
        image = image.swap_bytes() >> (8 * unused);
    }
    if symmetry & 4 != 0 {
        image = transposed(image);
    }
    image
}

/// Rows and columns exchanged, by exchanging blocks of 4×4, 2×2 and single squares.
const fn transposed(mut x: Squares) -> Squares {
    let t = (x ^ (x >> 28)) & 0x0000_0000_F0F0_F0F0;
    x ^= t ^ (t << 28);
    let t = (x ^ (x >> 14)) & 0x0000_CCCC_0000_CCCC;
    x ^= t ^ (t << 14);
    let t = (x ^ (x >> 7)) & 0x00AA_00AA_00AA_00AA;
    x ^ t ^ (t << 7)
}

/// The squares of a set, in rising order.
#[inline]
pub fn each(mut squares: Squares) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if squares == 0 {
            return None;
        }
        let square = squares.trailing_zeros();
        squares &= squares - 1;
        Some(square)
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::naive;
    use proptest::prelude::*;

    /// Two disjoint sets of discs on a board of this size.
    pub fn discs() -> impl Strategy<Value = (u8, Squares, Squares)> {
        (prop_oneof![Just(4u8), Just(6), Just(8)], any::<u64>(), any::<u64>(), any::<u64>())
            .prop_map(|(size, a, b, c)| {
                // A quarter of the squares is empty, the rest is divided at random.
                let own = (a | b) & c & board(size);
                (size, own, (a | b) & !c & board(size))
            })
    }

    proptest! {
        #[test]
        fn moves_and_flips_are_those_of_a_walk_over_the_squares((size, own, other) in discs()) {
            let empty = board(size) & !(own | other);
            let mut expected = 0;
            for square in each(empty) {
                let flipped = naive::flips(size, square, own, other);
                prop_assert_eq!(flips(square, own, other), flipped, "square {}", square);
                if flipped != 0 {
                    expected |= 1 << square;
                }
            }
            prop_assert_eq!(moves(own, other, empty), expected);
        }

        #[test]
        fn symmetries_keep_the_rules((size, own, other) in discs(), symmetry in 0usize..8) {
            let map = |s| symmetric_image(symmetry, size, s);
            let empty = board(size) & !(own | other);
            prop_assert_eq!(map(own) & !board(size), 0);
            prop_assert_eq!(map(own).count_ones(), own.count_ones());
            prop_assert_eq!(
                map(moves(own, other, empty)),
                moves(map(own), map(other), map(empty))
            );
        }

        #[test]
        fn lines_to_the_edges_are_those_of_a_walk(seed in 0u32..64, axis in 0usize..4) {
            let (step, dr, dc) = [(1, 0, 1), (8, 1, 0), (7, 1, -1), (9, 1, 1)][axis];
            let mut expected = 1u64 << seed;
            for sign in [-1, 1] {
                let (mut r, mut c) = (seed as i32 / 8, seed as i32 % 8);
                while (0..8).contains(&r) && (0..8).contains(&c) {
                    expected |= 1 << (8 * r + c);
                    r += sign * dr;
                    c += sign * dc;
                }
            }
            prop_assert_eq!(along(1 << seed, step), expected);
        }
    }

    #[test]
    fn the_eight_symmetries_are_different() {
        // a2 and c1 together are in a different place under each.
        for size in [4, 6, 8] {
            let mut images: Vec<Squares> =
                (0..8).map(|s| symmetric_image(s, size, 1 << 8 | 1 << 2)).collect();
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), 8);
        }
    }

    #[test]
    fn neighbours_do_not_wrap_around_the_edge() {
        assert_eq!(neighbours(1), 1 << 1 | 1 << 8 | 1 << 9);
        assert_eq!(neighbours(1 << 7), 1 << 6 | 1 << 14 | 1 << 15);
        assert_eq!(neighbours(1 << 27).count_ones(), 8);
    }
}
