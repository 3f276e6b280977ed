//! Othello.
#[doc(inline)]
pub use mv::Move;
pub use position::Position;
pub use rules::Othello;
pub mod bits;
#[cfg(feature = "chores")]
pub mod chores;
mod mv;
#[cfg(test)]
mod naive;
pub mod perft;
pub mod position;
pub mod records;
mod rules;
