//! Go: rules, SGF, scoring, playouts.

pub mod board;
#[cfg(feature = "chores")]
pub mod chores;
pub mod game;
pub mod playout;
pub mod point;
pub mod position;
pub mod rules;
pub mod score;
pub mod sgf;

pub use board::{Board, Colour, Illegal};
pub use game::Go;
pub use point::{Move, Point};
pub use position::Position;
pub use rules::{Ko, Rules, Scoring};
