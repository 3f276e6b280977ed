//! The Go player.

pub mod answers;
pub mod field;
pub mod options;
pub mod player;
pub mod search;
pub mod simulate;
mod tree;
pub mod walk;
pub mod weights;

pub use options::EngineOptions;
pub use player::go_player;
pub use search::{Candidate, Found, Search};
pub use tree::Selection;
