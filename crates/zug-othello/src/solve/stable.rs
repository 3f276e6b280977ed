//! Can the discs that are never turned over again decide a null window?

use crate::Board;
use crate::stability::stable;

/// From which `alpha` on counting stable discs pays, by the number of empty squares.
#[inline(always)]
fn pays(empties: u32, alpha: i32) -> bool {
    alpha >= 2 * empties as i32 - 4
}

/// A bound that is not above `alpha`, if the opponent's stable discs give one.
#[inline(always)]
pub(super) fn cut(board: Board, empties: u32, alpha: i32) -> Option<i32> {
    if !pays(empties, alpha) {
        return None;
    }
    let bound = 64 - 2 * stable(board.other, board.own, 8).count_ones() as i32;
    (bound <= alpha).then_some(bound)
}
