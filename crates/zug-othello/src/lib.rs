//! Othello.
#[doc(inline)]
pub use mv::Move;
pub use position::Position;
pub use rules::Othello;
pub mod bits;
mod mv;
#[cfg(test)]
mod naive;
pub mod position;
mod rules;
