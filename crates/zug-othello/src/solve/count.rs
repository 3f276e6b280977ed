//! How many discs does the last move of a game turn over?
//!
//! On a board with one empty square every other square holds an own disc or one of the opponent's,
//! so the own discs of the four lines through that square tell the number: four looks into one
//! table of lines.

use crate::bits::Squares;

/// For a column (0 to 7) and the own discs of a full line: how many discs are turned over.
static LINE: [[u8; 256]; 8] = line();

const fn line() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut column = 0;
    while column < 8 {
        let mut own = 0;
        while own < 256 {
            let mut turned = 0;
            let mut at = column + 1;
            while at < 8 {
                if own >> at & 1 != 0 {
                    turned += at - column - 1;
                    break;
                }
                at += 1;
            }
            let mut at = column;
            while at > 0 {
                at -= 1;
                if own >> at & 1 != 0 {
                    turned += column - at - 1;
                    break;
                }
            }
            table[column][own] = turned as u8;
            own += 1;
        }
        column += 1;
    }
    table
}

/// The two diagonals through each square.
static DIAGONALS: [[Squares; 2]; 64] = diagonals();

const fn diagonals() -> [[Squares; 2]; 64] {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut at = 0;
        while at < 64 {
            let (row, column) = (square as i32 / 8, square as i32 % 8);
            let (r, c) = (at / 8, at % 8);
            if row - column == r - c {
                table[square][0] |= 1 << at;
            }
            if row + column == r + c {
                table[square][1] |= 1 << at;
            }
            at += 1;
        }
        square += 1;
    }
    table
}

/// How many discs `own` turns over by a move to `square`, the only empty one.
#[inline(always)]
pub(super) fn last_flips(square: u32, own: Squares) -> i32 {
    const COLUMN_A: u64 = 0x0101_0101_0101_0101;
    let (row, column) = ((square >> 3) as usize & 7, (square & 7) as usize);
    let [falling, rising] = DIAGONALS[(square & 63) as usize];
    // A product with column a adds the rows up, and no two squares of a diagonal share a column.
    // The other factor brings the squares of column a into one row.
    let across = (own >> (8 * row)) as u8;
    let down = (((own >> column) & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let falling = ((own & falling).wrapping_mul(COLUMN_A) >> 56) as u8;
    let rising = ((own & rising).wrapping_mul(COLUMN_A) >> 56) as u8;
    let here = &LINE[column];
    i32::from(here[across as usize])
        + i32::from(LINE[row][down as usize])
        + i32::from(here[falling as usize])
        + i32::from(here[rising as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::flips;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_count_is_that_of_the_flips(square in 0u32..64, discs in any::<u64>()) {
            let own = discs & !(1 << square);
            let turned = flips(square, own, !own & !(1 << square)).count_ones();
            prop_assert_eq!(last_flips(square, own), turned as i32);
        }
    }
}
