//! Learning from one's own play: each position's value is moved towards what came after it.
//!
//! | question | module |
//! |---|---|
//! | what is a game told to learn, and what comes back? | [`face`] |
//! | by how much was each position of a game misjudged? | [`trace`] |
//! | what does a learner see of a position? | [`features`] |
//! | … of any game with a board? | [`tuples`] |
//! | what is a position worth, and in which file does that stand? | [`linear`] |
//! | where does a look-ahead end? | [`leaf`] |
//! | what is learned from the positions of a game? | [`chain`] |
//! | how large is a step? | [`rates`] |
//! | how is a game of self-play played? | [`play`] |
//! | how many moves are right, and who wins more games? | [`judge`], [`contest`] |
//! | how does a run go, stop and go on? | [`learner`] |
//! | which choices are there? | [`settings`] |
//! | what did a run look like? | `page` |
//! | how does a game get all this? | [`attach`] |

pub mod attach;
mod boards;
pub mod chain;
pub mod contest;
pub mod face;
pub mod features;
pub mod judge;
pub mod leaf;
pub mod learner;
pub mod linear;
mod page;
mod picture;
pub mod play;
pub mod rates;
pub mod settings;
mod shown;
mod state;
pub mod trace;
pub mod tuples;

#[cfg(test)]
pub(crate) mod tests;

pub use attach::SelfPlayOf;
pub use features::{Features, SharedFeatures, Sparse};
pub use linear::Linear;
pub use tuples::{Board, NTuples};
