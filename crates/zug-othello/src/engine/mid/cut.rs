//! May this search be left out, because a shallower one tells its result well enough?
//!
//! Multi-ProbCut: at a node of a null window, for each pair of depths in turn, one search of the
//! shallow depth asks whether the value lies so far beyond the bound that the deep search would
//! find it beyond the bound too, with the asked confidence. Which of the two sides is asked, if any,
//! the evaluation of the position itself decides.
//!
//! Inside such a search no others are asked for. So on every path from the root at most one search
//! is left out, and a search of nominal depth `d` looks everywhere at least `d - m` plies ahead,
//! where `m` is the largest difference of the depths of a pair.

use super::{Mid, Source};
use crate::Board;
use crate::engine::{Confidence, Evaluation};
use crate::solve::level::Level;

/// Searches that ask for cuts inside others that do.
const NESTED: u32 = 1;
/// How many deviations the position itself may be short of the bound for the shallow search to be
/// made.
const PLAUSIBLE: f32 = 1.0;
/// No value of an evaluation in discs is larger.
const LARGEST: i32 = 6400;

/// A bound on the value of a search of `depth` plies that makes it unnecessary.
#[inline(always)]
pub(super) fn unnecessary<L: Level, E: Evaluation>(
    level: L,
    mid: &mut Mid<'_, E>,
    board: Board,
    state: &E::State,
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
    let here = mid.evaluation.value(board, state);
    let largest = match cuts.unit() {
        crate::engine::Unit::Discs => LARGEST,
        crate::engine::Unit::LogOdds => super::WON - 1,
    };
    for pair in pairs {
        let shallow = u32::from(pair.shallow);
        let short = (PLAUSIBLE * pair.sigma) as i32;
        let enough = pair.enough(alpha + 1, confidence);
        if enough <= largest && here >= enough.saturating_sub(short) {
            if ask(level, mid, board, state, shallow, enough - 1) >= enough {
                return (!mid.stopped).then_some(alpha + 1);
            }
        }
        let too_little = pair.too_little(alpha, confidence);
        if too_little >= -largest && here <= too_little.saturating_add(short) {
            if ask(level, mid, board, state, shallow, too_little) <= too_little {
                return (!mid.stopped).then_some(alpha);
            }
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
