//! May this search be left out, because a shallower one tells its result well enough?
//!
//! Multi-ProbCut: at a node of a null window, for each pair of depths in turn, one search of the
//! shallow depth asks whether the value lies so far beyond the bound that the deep search would
//! find it beyond the bound too, with the asked confidence. Which of the two sides is asked, if any,
//! the evaluation of the position itself decides.
//!
//! Inside such a search more may be left out, but not inside one that was asked for there. So on
//! every path from the root at most two searches are left out, the second at most as deep as the
//! shallow one of the first: a search of nominal depth `d` looks everywhere at least
//! `least_depth` plies ahead, which is not less than `d` less twice the largest difference of the
//! depths of a pair.

use super::{Mid, Source};
use crate::Board;
use crate::bits::Squares;
use crate::engine::{Confidence, Evaluation};
use crate::solve::level::Level;

/// Searches that ask for cuts inside others that do.
pub(super) const NESTED: u32 = 2;
/// How many deviations the position itself may be short of the bound for the shallow search to be
/// made.
const PLAUSIBLE: f32 = 1.5;
/// No value of an evaluation in discs is larger.
const LARGEST: i32 = 6400;

/// A bound on the value of a search of `depth` plies that makes it unnecessary.
#[inline(always)]
pub(super) fn unnecessary<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    (state, moves): (&E::State, Squares),
    depth: u32,
    alpha: i32,
) -> Option<i32> {
    let cuts = mid.cuts?;
    let confidence = mid.confidence;
    if confidence == Confidence::FULL || mid.asking >= NESTED {
        return None;
    }
    let empties = board.empties();
    let pairs =
        if depth >= empties { cuts.endgame(empties) } else { cuts.midgame(64 - empties, depth) };
    if pairs.is_empty() {
        return None;
    }
    let empty = board.empty();
    let replies = level.moves(board.other, board.own, empty);
    let here = mid.evaluation.value_knowing(board, state, moves, replies);
    let largest = match cuts.unit() {
        crate::engine::Unit::Discs => LARGEST,
        crate::engine::Unit::LogOdds => super::WON - 1,
    };
    for pair in pairs {
        let shallow = u32::from(pair.shallow);
        let short = (PLAUSIBLE * pair.sigma) as i32;
        let enough = pair.enough(alpha + 1, confidence);
        if enough <= largest
            && here >= enough.saturating_sub(short)
            && ask(level, mid, board, state, shallow, enough - 1) >= enough
        {
            return (!mid.stopped).then_some(alpha + 1);
        }
        let too_little = pair.too_little(alpha, confidence);
        if too_little >= -largest
            && here <= too_little.saturating_add(short)
            && ask(level, mid, board, state, shallow, too_little) <= too_little
        {
            return (!mid.stopped).then_some(alpha);
        }
        if mid.stopped {
            return None;
        }
    }
    None
}

/// A shallow search in the null window at `alpha`.
#[inline(always)]
fn ask<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    state: &E::State,
    depth: u32,
    alpha: i32,
) -> i32 {
    mid.asking += 1;
    let value = level.mid_visit(mid, board, Source::Known(state), depth, alpha);
    mid.asking -= 1;
    value
}

/// How many plies a search of nominal depth `depth` looks ahead everywhere, if `shallow` tells the
/// shallow depths that are tried in place of a deep one, and inside so many searches that ask.
#[cfg(test)]
pub(super) fn least_depth(depth: u32, asking: u32, shallow: &dyn Fn(u32) -> Vec<u8>) -> u32 {
    if depth == 0 {
        return 0;
    }
    let mut least = 1 + least_depth(depth - 1, asking, shallow);
    if depth > 2 && asking < NESTED {
        for instead in shallow(depth) {
            least = least.min(least_depth(instead.into(), asking + 1, shallow));
        }
    }
    least
}
