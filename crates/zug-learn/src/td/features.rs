//! What does a learner see of a position?
//!
//! A set of features turns a position into a few numbered values, from the view of the side to
//! move; everything else about the position is forgotten. The evaluation is their weighted sum.

use crate::weights::Board;
use std::sync::Arc;
use zug_core::{Game, seed};

/// The features of one position that are not nought: number and value. A number may occur several
/// times; its values then add up.
pub type Sparse = Vec<(u32, f32)>;

/// A set of features of a game.
pub trait Features<G: Game>: Send + Sync {
    /// The word by which it is asked for.
    fn name(&self) -> &str;

    /// One line about it.
    fn help(&self) -> String;

    /// How many there are.
    fn count(&self) -> usize;

    /// Appends the features of a position from the view of its side to move. All numbers are below
    /// [`count`](Features::count), and the values depend on game and position alone.
    fn extract(&self, game: &G, position: &G::Position, out: &mut Sparse);

    /// What a feature is, in words.
    fn describe(&self, feature: usize) -> String;

    /// All that gives the numbers their meaning. A model is refused by features whose signature
    /// differs from that of the features it was learned with.
    fn signature(&self) -> String;

    /// What weights of these features say of single fields of the board, where that can be said: sets
    /// of boards with a name for each, such as the side to move.
    fn boards(&self, _game: &G, _weights: &[f32]) -> Vec<(String, Vec<Board>)> {
        Vec::new()
    }
}

/// A set of features that several threads and models share.
pub type SharedFeatures<G> = Arc<dyn Features<G>>;

/// A short name for a long signature.
pub(crate) fn fingerprint(signature: &str) -> String {
    let mix = |salt: u64| {
        signature.bytes().fold(salt, |hash, byte| seed::mix(hash.rotate_left(9) ^ u64::from(byte)))
    };
    format!("{:016x}{:016x}", mix(1), mix(2))
}

/// The weighted sum of some features.
#[must_use]
pub fn dot(weights: &[f32], features: &[(u32, f32)]) -> f64 {
    features.iter().map(|&(i, x)| f64::from(weights[i as usize]) * f64::from(x)).sum()
}
