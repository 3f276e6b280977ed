//! Which number does a set of fields have among all sets of its size, and back?
//!
//! The combinatorial number system (§4.4 of Bahnsen's thesis): the set `f1 < f2 < … < fl` has the
//! number `C(f1,1) + C(f2,2) + … + C(fl,l)`. Numbers run without a gap from 0 to `C(m,l) − 1`, in
//! the order of the bitboards read as integers.
//!
//! Fields that are taken by other pieces, or that a piece can never stand on, are *cut out* first:
//! the free fields close ranks.
//!
//! ```text
//! board   . 1 . . 1 . 1 .      pieces to be numbered
//! free    1 1 0 1 1 0 1 1      fields that are left to them
//! cut     . 1   . 1   1 .      → {1, 3, 4} of 6 fields
//! ```
//!
//! The rank of a field after cutting is the number of free fields below it, one population count,
//! so the cut board is never built.

use std::sync::OnceLock;

/// `BINOMIAL[n][k]` = n over k, 0 where k > n. The largest, 64 over 32, fits 64 bits.
static BINOMIAL: [[u64; 65]; 65] = {
    let mut table = [[0; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The same the other way round, `CHOOSE[k][n]`: ranking walks along n.
static CHOOSE: [[u64; 65]; 65] = {
    let mut table = [[0; 65]; 65];
    let mut n = 0;
    while n <= 64 {
        let mut k = 0;
        while k <= 64 {
            table[k][n] = BINOMIAL[n][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Sets of at most so many fields have a table, [`first_boards`].
const MOST_IN_TABLE: usize = 8;
/// Boards in such a table, at most.
const LARGEST_TABLE: u64 = 1 << 15;

/// n over k; 0 where k > n.
///
/// # Panics
/// Where n or k is greater than 64.
#[must_use]
pub fn binomial(n: u32, k: u32) -> u64 {
    BINOMIAL[n as usize][k as usize]
}

/// The number of `board` among the boards with as many pieces on the fields of `free`. All pieces
/// must stand on free fields.
///
/// ```
/// use zug_solve::combination::rank;
/// assert_eq!(rank(1 << 0 | 1 << 4 | 1 << 8, 0xFFFF), 62);
/// ```
#[must_use]
pub fn rank(board: u64, free: u64) -> u64 {
    debug_assert_eq!(board & !free, 0, "a piece stands on a field that was cut out");
    let mut rest = board;
    let mut number = 0;
    let mut k = 0;
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        k += 1;
        number += BINOMIAL[(free & below).count_ones() as usize][k];
        rest &= rest - 1;
    }
    number
}

/// The board with `pieces` pieces on the fields of `free` that has this number, or `None` where it
/// would need a field that is not there.
#[must_use]
pub fn unrank(number: u64, pieces: u32, free: u64) -> Option<u64> {
    let mut fields = free.count_ones();
    if pieces > fields || number >= binomial(fields, pieces) {
        return None;
    }
    let (mut number, mut left, mut rest, mut board) = (number, pieces as usize, free, 0);
    while left > 0 {
        // The highest free field not yet decided on.
        let field = 1 << (63 - rest.leading_zeros());
        rest ^= field;
        fields -= 1;
        let without = BINOMIAL[fields as usize][left];
        if number >= without {
            number -= without;
            board |= field;
            left -= 1;
        }
    }
    Some(board)
}

/// The first boards with so many pieces, by their number: as many as are worth keeping. Looking
/// one up is several times faster than [`unrank`].
pub(crate) fn first_boards(pieces: u32) -> &'static [u64] {
    static TABLES: [OnceLock<Vec<u64>>; MOST_IN_TABLE + 1] =
        [const { OnceLock::new() }; MOST_IN_TABLE + 1];
    let Some(table) = TABLES.get(pieces as usize) else { return &[] };
    table.get_or_init(|| {
        let fields = (pieces..=64).take_while(|&n| binomial(n, pieces) <= LARGEST_TABLE).last();
        let boards = fields.map_or(0, |n| binomial(n, pieces));
        (0..boards).map(|number| unrank(number, pieces, u64::MAX).expect("in range")).collect()
    })
}

/// As [`rank`] with all fields free but `taken`, for boards without holes. Where population counts
/// are slow, closing the gaps first is faster.
pub(crate) fn rank_beside(board: u64, taken: u64) -> u64 {
    let (mut rest, mut gaps) = (board, taken);
    while gaps != 0 {
        // From the top, so that the gaps below stay where they are.
        let below = (1u64 << (63 - gaps.leading_zeros())) - 1;
        rest = rest & below | (rest >> 1) & !below;
        gaps &= below;
    }
    let (mut number, mut k) = (0, 0);
    while rest != 0 {
        k += 1;
        number += CHOOSE[k][rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    number
}

/// Opens gaps in a board of [`first_boards`] where fields are taken. `None` if a piece falls off the
/// 64 fields.
pub(crate) fn open_gaps(board: u64, taken: u64) -> Option<u64> {
    let (mut board, mut gaps) = (board, taken);
    while gaps != 0 {
        let below = (gaps & gaps.wrapping_neg()) - 1;
        if board >> 63 != 0 {
            return None;
        }
        board = board & below | (board & !below) << 1;
        gaps &= gaps - 1;
    }
    Some(board)
}

/// The bits of `x` that lie under `mask`, moved together to the low end (PEXT).
#[must_use]
pub fn extract(x: u64, mask: u64) -> u64 {
    let (mut out, mut rest, mut bit) = (0, mask, 1u64);
    while rest != 0 {
        if x & rest & rest.wrapping_neg() != 0 {
            out |= bit;
        }
        bit = bit.wrapping_shl(1);
        rest &= rest - 1;
    }
    out
}

/// The low bits of `x`, spread to the bits of `mask` (PDEP): undoes [`extract`].
#[must_use]
pub fn deposit(x: u64, mask: u64) -> u64 {
    let (mut out, mut rest, mut bit) = (0, mask, 1u64);
    while rest != 0 {
        if x & bit != 0 {
            out |= rest & rest.wrapping_neg();
        }
        bit = bit.wrapping_shl(1);
        rest &= rest - 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL16: u64 = 0xFFFF;

    /// The sum of binomials as the thesis writes it, on a board without holes.
    fn rank_as_written(board: u64) -> u64 {
        let fields: Vec<u32> = (0..64).filter(|f| board >> f & 1 == 1).collect();
        (1u32..).zip(&fields).map(|(k, &f)| binomial(f, k)).sum()
    }

    #[test]
    fn all_boards_of_sixteen_fields_survive_the_round_trip() {
        for pieces in 0..=16 {
            let mut next = 0;
            for board in (0..1u64 << 16).filter(|b| b.count_ones() == pieces) {
                assert_eq!(rank(board, ALL16), next, "numbers have no gap and follow the boards");
                assert_eq!(unrank(next, pieces, ALL16), Some(board));
                next += 1;
            }
            assert_eq!(next, binomial(16, pieces));
            assert_eq!(unrank(next, pieces, ALL16), None);
        }
    }

    #[test]
    fn the_worked_numbers_of_dodgem_come_out() {
        assert_eq!(rank(0b1_0001_0001, ALL16), 62);
        let white = 0b1_0001_0001;
        let black = 0b1110_0000_0000_0000;
        assert_eq!(extract(black, ALL16 & !white), 0b1_1100_0000_0000);
        assert_eq!(rank(black, ALL16 & !white), 285);
        assert_eq!(rank(0b111, ALL16), 0);
        assert_eq!(rank(black, ALL16), 559);
        assert_eq!(62 * binomial(13, 3) + 285, 18_017);
    }

    #[test]
    fn the_example_of_37_fields_has_139_487_040_positions() {
        assert_eq!(binomial(37, 3) * binomial(34, 2) * binomial(32, 1), 139_487_040);
        assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
        assert_eq!(binomial(3, 5), 0);
    }

    proptest! {
        #[test]
        fn cutting_out_is_extracting(board: u64, free: u64) {
            prop_assume!((board & free).count_ones() <= 32);
            let board = board & free;
            prop_assert_eq!(rank(board, free), rank_as_written(extract(board, free)));
            prop_assert_eq!(deposit(extract(board, free), free), board);
        }

        #[test]
        fn closing_gaps_gives_the_same_number(board: u64, taken: u64, fields in 1u32..=64) {
            let all = u64::MAX >> (64 - fields);
            let (board, taken) = (board & !taken & all, taken & all);
            prop_assert_eq!(rank_beside(board, taken), rank(board, all & !taken));
        }

        #[test]
        fn tables_with_opened_gaps_give_the_same_board(
            number in 0..LARGEST_TABLE, pieces in 0u32..10, taken: u64, fields in 1u32..=64,
        ) {
            let all = u64::MAX >> (64 - fields);
            if let Some(&board) = first_boards(pieces).get(number as usize) {
                let found = open_gaps(board, taken & all).filter(|board| board & !all == 0);
                prop_assert_eq!(found, unrank(number, pieces, all & !taken));
            }
        }

        #[test]
        fn ranking_and_unranking_are_inverse(board: u64, free: u64) {
            let board = board & free;
            let number = rank(board, free);
            prop_assert_eq!(unrank(number, board.count_ones(), free), Some(board));
        }

        #[test]
        fn unranking_never_takes_a_field_that_is_not_free(number: u64, pieces in 0u32..64, free: u64) {
            if let Some(board) = unrank(number, pieces, free) {
                prop_assert_eq!(board & !free, 0);
                prop_assert_eq!(board.count_ones(), pieces);
                prop_assert_eq!(rank(board, free), number);
            }
        }
    }
}
