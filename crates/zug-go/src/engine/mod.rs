//! The Go player: Monte-Carlo tree search with learned knowledge. `docs/go-player.md` tells how it
//! works and what was measured.
//!
//! | module | answers |
//! |---|---|
//! | [`field`], [`weights`], [`answers`] | how likely is each move of a playout? |
//! | [`simulate`] | how does a game end? |
//! | `tree`, [`walk`], [`search`] | which move, from many such games? |
//! | [`options`], [`player`] | how is that set, and how is it a player? |
//! | [`asked`] | how good are its moves as guesses? |
//! | [`learn`], [`file`](mod@file), [`shipped`] | where do the weights come from? |
//! | [`local`] | which moves are likely, for boards that no better model knows? |

pub mod answers;
pub mod asked;
pub mod field;
pub mod file;
pub mod learn;
pub mod local;
pub mod options;
pub mod player;
pub mod search;
pub mod shipped;
pub mod simulate;
#[cfg(test)]
mod tests;
mod tree;
pub mod walk;
pub mod weights;

pub use options::EngineOptions;
pub use player::go_player;
pub(crate) use player::open_policy;
pub use search::{Candidate, Found, Search};
pub use tree::Selection;
