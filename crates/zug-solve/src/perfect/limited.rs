//! An opponent with a horizon, for measuring: it sees wins and losses up to so many plies away
//! exactly, and moves that look alike to it are equally likely.

use super::lookup::Ranked;
use crate::value::Value;
use zug_core::Game;

/// What a move looks like: an exact value within the horizon, nothing beyond.
#[must_use]
pub fn seen(value: Value, horizon: u32) -> Value {
    match value.plies() {
        Some(plies) if u32::from(plies) <= horizon => value,
        _ => Value::Draw,
    }
}

/// The places of the moves that look best.
#[must_use]
pub fn best<G: Game>(moves: &[Ranked<G>], horizon: u32) -> Vec<usize> {
    let looks = |m: &Ranked<G>| seen(m.value, horizon);
    let Some(value) = moves.iter().map(looks).max() else { return Vec::new() };
    (0..moves.len()).filter(|&i| looks(&moves[i]) == value).collect()
}
