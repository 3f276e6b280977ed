//! What will both sides play? The principal variation of every ply, down to the quiet leaf.

use super::parameters::MAX_PLY;
use cozy_chess::{Move, Square};

const WIDTH: usize = MAX_PLY + 2;

/// A triangle of moves: at each ply the best line from there.
pub(super) struct Lines {
    moves: Vec<Move>,
    lengths: Vec<usize>,
}

impl Lines {
    pub fn new() -> Lines {
        let none = Move { from: Square::A1, to: Square::A1, promotion: None };
        Lines { moves: vec![none; WIDTH * WIDTH], lengths: vec![0; WIDTH] }
    }

    /// The line at a ply is empty: a leaf.
    pub fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// The line at a ply is this move and then the line of the next ply.
    pub fn set(&mut self, ply: usize, mv: Move) {
        let length = self.lengths[ply + 1].min(WIDTH - 1);
        let below = (ply + 1) * WIDTH;
        self.moves[ply * WIDTH] = mv;
        self.moves.copy_within(below..below + length, ply * WIDTH + 1);
        self.lengths[ply] = length + 1;
    }

    /// The line at a ply.
    pub fn at(&self, ply: usize) -> &[Move] {
        &self.moves[ply * WIDTH..][..self.lengths[ply]]
    }
}
