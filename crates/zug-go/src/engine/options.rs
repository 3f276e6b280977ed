//! What can be set about the player.

use super::shipped::LOCALITY;
use super::tree::Selection;
use super::walk::Style;

/// How the search goes about its work; `docs/go-player.md` tells what each is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineOptions {
    /// Memory for the trees in MiB.
    pub hash: usize,
    /// Trees that grow side by side.
    pub threads: usize,
    /// Where all chance comes from.
    pub seed: u64,
    /// How moves are chosen in the tree.
    pub selection: Selection,
    /// How often a move is met before its answers are looked at.
    pub expand: u32,
    /// Probabilities are raised to the power of this: below 1 they become more alike.
    pub sharpness: f32,
    /// Weights of playouts are divided by this as logarithms: above 1 they become more alike.
    pub temperature: f32,
    /// Weights of answers are multiplied by this as logarithms.
    pub locality: f32,
    /// The part of a game's value that counts points instead of the win.
    pub margin: f64,
    /// Which playouts.
    pub style: Style,
    /// Carry the tree over to the next move of the game?
    pub reuse: bool,
    /// Give up when the chance to win stays below this; 0 for never.
    pub resign: f64,
    /// A guess at how many moves a game asks of one side, for the clock.
    pub moves_in_game: u32,
}

impl EngineOptions {
    /// What plays best on a board of this size, as far as it was measured.
    #[must_use]
    pub fn for_size(size: usize) -> EngineOptions {
        let points = (size * size) as u32;
        EngineOptions {
            hash: 256,
            threads: 1,
            seed: 0,
            selection: Selection { exploration: attention(size), rave: 300.0, reserve: 0.0 },
            expand: 2,
            sharpness: 1.0,
            temperature: 1.0,
            locality: LOCALITY,
            margin: 0.04,
            style: Style::Mixed,
            reuse: true,
            resign: 0.05,
            // Games end when about five sixths of the points have been played on.
            moves_in_game: (points * 5 / 12).max(4),
        }
    }
}

/// How much attention goes to likely moves. On 9×9 playouts see the whole game; on 19×19 they favour
/// some moves and slight others by more than a few thousand of them can tell apart, and with little
/// attention the search unlearns what the policy knows.
fn attention(size: usize) -> f32 {
    match size {
        ..=10 => 0.6,
        11..=15 => 1.5,
        _ => 3.0,
    }
}
