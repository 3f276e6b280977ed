//! Go: rules, SGF, scoring, playouts.

pub mod board;
#[cfg(feature = "chores")]
pub mod chores;
pub mod count;
pub mod evaluate;
pub mod game;
pub mod heavy;
pub mod players;
pub mod playout;
pub mod point;
pub mod position;
pub mod rollout;
pub mod rules;
pub mod score;
pub mod sgf;
pub mod shape;
pub mod status;

pub use board::{Board, Colour, Illegal};
pub use game::Go;
pub use players::open;
pub use point::{Move, Point};
pub use position::Position;
pub use rules::{Ko, Rules, Scoring};
