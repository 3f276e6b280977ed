//! Can the discs that are never turned over again decide a null window?

use crate::Board;
use crate::bits::{Squares, along};

/// From which `alpha` on counting stable discs pays, by the number of empty squares.
#[inline(always)]
fn pays(empties: u32, alpha: i32) -> bool {
    alpha >= 2 * empties as i32
}

/// A bound that is not above `alpha`, if the opponent's stable discs give one.
#[inline(always)]
pub(super) fn cut(board: Board, empties: u32, alpha: i32) -> Option<i32> {
    if !pays(empties, alpha) {
        return None;
    }
    let bound = 64 - 2 * stable(board.other, board.own).count_ones() as i32;
    (bound <= alpha).then_some(bound)
}

/// See [`crate::stability::stable`]; this one is compiled with the instructions of its caller.
#[inline(always)]
fn stable(own: Squares, other: Squares) -> Squares {
    const SIDES: Squares = 0x8181_8181_8181_8181;
    const ENDS: Squares = 0xFF00_0000_0000_00FF;
    let empty = !(own | other);
    let across = !along(empty, 1) | SIDES;
    let down = !along(empty, 8) | ENDS;
    let rising = !along(empty, 7) | SIDES | ENDS;
    let falling = !along(empty, 9) | SIDES | ENDS;
    let mut stable = own & across & down & rising & falling;
    if stable == 0 {
        return 0;
    }
    loop {
        let grown = own
            & (across | stable << 1 | stable >> 1)
            & (down | stable << 8 | stable >> 8)
            & (rising | stable << 7 | stable >> 7)
            & (falling | stable << 9 | stable >> 9);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}
