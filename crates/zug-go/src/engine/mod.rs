//! The Go player.

pub mod answers;
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
pub use search::{Candidate, Found, Search};
pub use tree::Selection;
