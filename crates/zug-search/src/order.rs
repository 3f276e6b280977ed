//! Which move should be tried first?
//!
//! In this order: the move that the table remembers; then by the sum of
//!
//! * the guide's [`promise`](zug_core::Guide::promise),
//! * 70 for a move that refuted a sibling position (a "killer"),
//! * up to 64 either way for how often the move was good elsewhere (its "history").
//!
//! So a difference of 200 in promise is never overturned, and a guide may give small numbers to
//! moves that it cannot tell apart.
//!
//! Moves are of any type; history is kept by a hash of the move.

use crate::parameters::HISTORY_LIMIT as LIMIT;
use std::hash::{Hash, Hasher};
use zug_core::Side;

const SLOTS: usize = 4096;
/// History units in a unit of promise.
const UNIT: i32 = LIMIT / 64;
const KILLER: i32 = 70 * UNIT;

/// How often each move was good, by side.
pub(crate) struct History {
    scores: Box<[[i16; SLOTS]; 2]>,
}

impl History {
    pub fn new() -> History {
        History { scores: Box::new([[0; SLOTS]; 2]) }
    }

    pub fn clear(&mut self) {
        for side in self.scores.iter_mut() {
            side.fill(0);
        }
    }

    /// What was learnt long ago counts half in the next search.
    pub fn fade(&mut self) {
        for score in self.scores.iter_mut().flatten() {
            *score /= 2;
        }
    }

    pub fn get<M: Hash>(&self, side: Side, mv: M) -> i32 {
        i32::from(self.scores[side.index()][slot_of(mv)])
    }

    /// Moves the score of a move towards the limit, the slower the nearer it is.
    pub fn learn<M: Hash>(&mut self, side: Side, mv: M, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let score = &mut self.scores[side.index()][slot_of(mv)];
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

/// What a cut-off at this depth teaches.
pub(crate) fn lesson(depth: i32) -> i32 {
    (depth * depth * 16).clamp(16, LIMIT / 4)
}

/// The place in the order of a move: larger is earlier.
pub(crate) fn priority(promise: i32, killer: bool, history: i32) -> i32 {
    let promise = promise.clamp(-1_000_000, 1_000_000) * UNIT;
    promise + history + if killer { KILLER } else { 0 }
}

/// Brings the best of `order[from..]` to `from`; of equals the one that was generated first.
pub(crate) fn pick(order: &mut [(i32, u16)], from: usize) -> u16 {
    let mut best = from;
    for i in from + 1..order.len() {
        let (a, b) = (order[i], order[best]);
        if a.0 > b.0 || a.0 == b.0 && a.1 < b.1 {
            best = i;
        }
    }
    order.swap(from, best);
    order[from].1
}

fn slot_of<M: Hash>(mv: M) -> usize {
    let mut hasher = MoveHasher(0);
    mv.hash(&mut hasher);
    (hasher.finish() >> 52) as usize
}

/// The slot of a move in tables of [`SLOTS`] entries, for other statistics by move.
pub(crate) fn move_slot<M: Hash>(mv: M) -> usize {
    slot_of(mv)
}

/// Entries in tables by [`move_slot`].
pub(crate) const MOVE_SLOTS: usize = SLOTS;

/// One multiplication a word: moves are small and collisions harmless.
struct MoveHasher(u64);

impl Hasher for MoveHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, i: u8) {
        self.write_u64(u64::from(i));
    }
    fn write_u16(&mut self, i: u16) {
        self.write_u64(u64::from(i));
    }
    fn write_u32(&mut self, i: u32) {
        self.write_u64(u64::from(i));
    }
    fn write_u64(&mut self, i: u64) {
        self.0 = (self.0.rotate_left(26) ^ i.wrapping_add(1)).wrapping_mul(0xF135_7AEA_2E62_A9C5);
    }
    fn write_usize(&mut self, i: usize) {
        self.write_u64(i as u64);
    }
    fn write_isize(&mut self, i: isize) {
        self.write_u64(i as u64);
    }
    fn write_i8(&mut self, i: i8) {
        self.write_u64(i as u64);
    }
    fn write_i32(&mut self, i: i32) {
        self.write_u64(i as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_stays_within_its_limit_and_forgets_what_is_refuted() {
        let mut history = History::new();
        for _ in 0..1000 {
            history.learn(Side::First, 7u8, lesson(30));
        }
        let high = history.get(Side::First, 7u8);
        assert!(high > LIMIT / 2 && high <= LIMIT);
        assert_eq!(history.get(Side::Second, 7u8), 0, "sides are apart");
        for _ in 0..1000 {
            history.learn(Side::First, 7u8, -lesson(30));
        }
        assert!(history.get(Side::First, 7u8) < -LIMIT / 2);
        history.clear();
        assert_eq!(history.get(Side::First, 7u8), 0);
    }

    #[test]
    fn a_large_promise_outweighs_everything_else() {
        assert!(priority(200, false, -LIMIT) > priority(0, true, LIMIT));
        assert!(priority(0, true, 0) > priority(0, false, LIMIT));
        assert!(priority(i32::MAX, true, LIMIT) > priority(0, false, 0), "no overflow");
    }

    #[test]
    fn picking_sorts_and_keeps_the_order_of_equals() {
        let mut order = vec![(1, 0), (5, 1), (1, 2), (5, 3), (9, 4)];
        let picked: Vec<u16> = (0..order.len()).map(|i| pick(&mut order, i)).collect();
        assert_eq!(picked, [4, 1, 3, 0, 2]);
    }

    #[test]
    fn the_moves_of_a_board_game_rarely_share_a_slot() {
        let mut seen = std::collections::HashSet::new();
        for from in 0u8..64 {
            for to in 0u8..64 {
                seen.insert(slot_of((from, to)));
            }
        }
        assert!(seen.len() > SLOTS / 2, "{} slots for 4096 moves", seen.len());
    }
}
