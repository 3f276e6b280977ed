//! How many moves has a side, and how many may it come to have? Counted exactly, on bitboards.
//!
//! Every measure is that of the side to move minus that of the other side. The approximations by
//! look-up that the thesis puts in their place are in [`super::rays`].

use crate::Board;
use crate::bits::{self, Squares};

fn difference(own: Squares, other: Squares) -> i32 {
    own.count_ones() as i32 - other.count_ones() as i32
}

/// The number of legal moves.
#[inline]
#[must_use]
pub fn exact(board: Board) -> i32 {
    difference(board.moves(), board.replies())
}

/// The first measure of potential mobility: empty squares beside a disc of the opponent.
#[must_use]
pub fn potential_squares(board: Board) -> i32 {
    let beside = |discs| bits::neighbours(discs) & board.empty();
    difference(beside(board.other), beside(board.own))
}

/// The second measure: discs of the opponent beside an empty square.
#[must_use]
pub fn potential_discs(board: Board) -> i32 {
    let open = bits::neighbours(board.empty());
    difference(board.other & open, board.own & open)
}

/// The third measure, the best of the three: over all discs of the opponent, the number of empty
/// squares around each.
#[must_use]
pub fn potential_pairs(board: Board) -> i32 {
    const NOT_A: Squares = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: Squares = NOT_A >> 1;
    let empty = board.empty();
    let (left, right) = (empty >> 1 & NOT_H, empty << 1 & NOT_A);
    [left, right, empty << 8, empty >> 8, left << 8, left >> 8, right << 8, right >> 8]
        .into_iter()
        .map(|shifted| difference(board.other & shifted, board.own & shifted))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::tests::discs;
    use proptest::prelude::*;

    fn around(square: u32) -> Squares {
        bits::neighbours(1 << square)
    }

    proptest! {
        #[test]
        fn the_measures_are_those_of_their_definitions((_, own, other) in discs()) {
            let board = Board { own, other };
            let count = |mine: Squares, theirs: Squares| {
                let squares = bits::each(board.empty()).filter(|&s| around(s) & theirs != 0).count();
                let open = bits::each(theirs).filter(|&s| around(s) & board.empty() != 0).count();
                let pairs: u32 =
                    bits::each(theirs).map(|s| (around(s) & board.empty()).count_ones()).sum();
                let moves = bits::each(board.empty())
                    .filter(|&s| crate::naive::flips(8, s, mine, theirs) != 0)
                    .count();
                [squares as i32, open as i32, pairs as i32, moves as i32]
            };
            let (mine, theirs) = (count(own, other), count(other, own));
            prop_assert_eq!(potential_squares(board), mine[0] - theirs[0]);
            prop_assert_eq!(potential_discs(board), mine[1] - theirs[1]);
            prop_assert_eq!(potential_pairs(board), mine[2] - theirs[2]);
            prop_assert_eq!(exact(board), mine[3] - theirs[3]);
        }
    }

    #[test]
    fn the_start_is_even_and_a_disc_in_the_middle_is_open_all_around() {
        let board = Board::START;
        let all = [
            exact(board),
            potential_squares(board),
            potential_discs(board),
            potential_pairs(board),
        ];
        assert_eq!(all, [0; 4]);
        // One disc in a corner, one in the middle.
        let board = Board { own: 1, other: 1 << 27 };
        assert_eq!(potential_squares(board), 8 - 3);
        assert_eq!(potential_discs(board), 0);
        assert_eq!(potential_pairs(board), 8 - 3);
    }
}
