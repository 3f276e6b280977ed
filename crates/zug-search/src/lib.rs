//! Search for every game.
//!
//! | player | function | for |
//! |---|---|---|
//! | alpha-beta | [`pvs_player`] | games with an evaluation, and small games that can be searched to the end |
//! | Monte Carlo | [`mcts_player`] | games without an evaluation, Go |
//! | random | [`random_player`] | a baseline |
//!
//! Below the players lie the searches themselves, for code that knows its game: [`Pvs`] and
//! [`Mcts`]. A game helps the one with a [`Guide`](zug_core::Guide) and the other with a
//! [`Rollout`]; [`minimax()`] is the yardstick of the tests.
//!
//! No search knows a game.

pub mod clock;
mod deepen;
pub mod mcts;
mod mcts_player;
mod minimax;
mod node;
mod order;
mod parameters;
pub mod players;
mod prune;
pub mod pvs;
mod pvs_player;
mod quiesce;
mod random;
mod rollout;
mod signature;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tree;
pub mod tt;
mod worker;

pub use mcts::{Mcts, MctsResult, MoveStatistics};
pub use mcts_player::mcts_player;
pub use minimax::minimax;
pub use parameters::{
    MAX_DEPTH, MAX_HASH_MIB, MAX_PLY, MAX_THREADS, MctsOptions, Options, PLAYOUTS_PER_PLY,
};
pub use pvs::{Pvs, RankedLine, SearchResult};
pub use pvs_player::{
    ChooseGuide, OpenOracle, pvs_player, pvs_player_with_guides, pvs_player_with_oracle,
};
pub use random::random_player;
pub use rollout::{RandomRollout, Rollout};
pub use signature::signature;

/// What a player does when neither its spec nor the match sets a limit.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// A guess at the moves that a game lasts for one side, for the clock.
    pub moves_in_game: u32,
}
