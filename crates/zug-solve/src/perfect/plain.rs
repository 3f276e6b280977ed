//! The plain perfect player (§2.5, §7.1): the fastest win, the slowest loss, any drawing move.

use super::lookup::Ranked;
use zug_core::seed::RngExt;
use zug_core::{Game, Rng};

/// The places of the moves that are as good as any: of a won position those that win fastest, of
/// a drawn one all that keep the draw, of a lost one those that lose most slowly.
#[must_use]
pub fn best<G: Game>(moves: &[Ranked<G>]) -> Vec<usize> {
    let Some(value) = moves.iter().map(|m| m.value).max() else { return Vec::new() };
    (0..moves.len()).filter(|&i| moves[i].value == value).collect()
}

/// One of these, each as likely as the other.
pub(crate) fn any(places: &[usize], rng: &mut Rng) -> Option<usize> {
    match places {
        [] => None,
        [only] => Some(*only),
        _ => Some(places[rng.random_range(0..places.len())]),
    }
}

/// The places whose score is within `slack` of the largest, among `places`.
pub(crate) fn largest(places: &[usize], scores: &[f64], slack: f64) -> Vec<usize> {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    places.iter().zip(scores).filter(|(_, s)| **s >= most - slack).map(|(&p, _)| p).collect()
}
