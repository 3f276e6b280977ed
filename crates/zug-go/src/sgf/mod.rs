//! SGF, the file format of Go: what does a file say, and how is it written?
//!
//! | module | answers |
//! |---|---|
//! | [`tree`] | what is in a game tree: nodes, properties, variations, all kept in order |
//! | [`read`] | which trees are in these bytes, and where are they broken? |
//! | [`mod@write`] | how is a tree written? |
//! | [`text`] | which characters do the bytes of a value stand for? |
//! | [`main_line`] | what was played: size, setup, moves, result? |
//! | [`record`] | the main line as a [`Record`](zug_core::Record) |
//! | [`study`] | all variations as a [`Study`](zug_core::Study) |
//!
//! The reader is our own rather than a crate: it must go on after a broken game, say at which byte
//! it broke, keep what it does not know as it stood, and stand files of any depth and charset.

mod drawn;
pub mod main_line;
pub mod read;
pub mod record;
pub mod study;
pub mod text;
pub mod tree;
pub mod write;

pub use main_line::{MainLine, Setup};
pub use read::{Collection, read_collection, visit_collection};
pub use record::Sgf;
pub use tree::{NodeId, Property, Tree};
pub use write::write_collection;
