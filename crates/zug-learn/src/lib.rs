//! Learning evaluations from labelled examples. Nothing here knows any game: a game gives numbers
//! (features) or table cells for each example, and gets weights back.

pub mod face;

pub mod bounded;
pub mod discriminant;
pub mod discordance;
pub mod error;
pub mod groups;
pub mod importance;
pub mod joint;
pub mod logistic;
pub mod markup;
pub mod metrics;
pub mod moments;
pub mod plot;
pub mod report;
pub mod rows;
pub mod signs;
pub mod symmetric;
#[cfg(test)]
mod testing;
pub mod theory;

pub use discriminant::{Linear, Quadratic, fisher, quadratic};
pub use error::LearnError;
pub use groups::{Group, Grouping};
pub use moments::Moments;
pub use rows::{Class, Columns, Draws, Joined, Matrix, Rows};
