//! What is still known of the position before?
//!
//! For each point two numbers: no pattern better than the first proposes it, and the second is the best
//! one that does, if that was found. Where both are the same nothing needs a look. Stones that are added
//! lower the first number to the best pattern that asks for them; stones that are taken away may end a
//! match, so what was found is forgotten then, but not what was ruled out.

use super::reach::{NONE, Rank, Reach};

/// As many stones gone are another game: what was ruled out in its crowd says nothing here.
const MANY: usize = 6;

/// What is known of the points of a board, for one side to move, with or without a ko.
#[derive(Clone, Debug, Default)]
pub(super) struct Recall {
    stage: Option<usize>,
    stones: Vec<u8>,
    /// No better pattern proposes a point.
    pub(super) bounds: Vec<Rank>,
    /// The pattern that was found, or none.
    pub(super) found: Vec<Rank>,
}

impl Recall {
    /// Goes on to a board: 1 and 2 are the stones of the first and the second side, and `own` says which
    /// ones are the mover's.
    pub(super) fn follow(&mut self, reach: &Reach, stage: usize, ko: bool, own: u8, now: &[u8]) {
        let gone = self.stones.iter().zip(now).filter(|(a, b)| **a != 0 && a != b).count();
        let anew = self.stage != Some(stage) || self.stones.len() != now.len() || gone > MANY;
        if anew {
            self.stage = Some(stage);
            self.bounds.clear();
            self.bounds.extend_from_slice(reach.without(stage, ko));
            self.stones.clear();
            self.stones.resize(now.len(), 0);
        }
        if anew || gone > 0 {
            self.found.clear();
            self.found.resize(now.len(), NONE);
        }
        for (stone, (before, &now)) in self.stones.iter_mut().zip(now).enumerate() {
            if *before != now {
                *before = now;
                if now != 0 {
                    let row = reach.with(stage, ko, stone, now != own);
                    for (bound, &best) in self.bounds.iter_mut().zip(row) {
                        *bound = best.min(*bound);
                    }
                }
            }
        }
    }
}
