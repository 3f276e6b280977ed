//! Move patterns from game records, as in Michael Wächter's thesis (TU Darmstadt, 2008): which moves do
//! patterns of the k nearest neighbours propose?
//!
//! Every move of every game is an example. Of its surroundings the k nearest stones and sides of the
//! board are kept, for each k from 4 to 9: that is a pattern, which proposes its move wherever its
//! stones lie the same way. Its value is the share of its matches in which that move was played. A
//! guess goes through the patterns of the stage of the game, from the best on, until enough moves are
//! found.
//!
//! | module | answers | section of the thesis's digest |
//! |---|---|---|
//! | [`symmetry`], [`example`] | how does every example look the same way? | 4 |
//! | [`neighbours`] | which stones and sides are near? | 5 |
//! | [`shapes`] | what is a pattern, and how is it kept? | 5, 6 |
//! | [`bits`], [`scan`] | how did the thesis match and guess? | 7, 10 |
//! | [`trie`], `grid` | which patterns match here, quickly? | 13 |
//! | `reach`, `recall` | which points need no look after a move? | 13 |
//! | [`mod@learn`] | how are patterns gathered and counted? | 8, 11 |
//! | [`database`] | which are kept, and in which order? | 9 |
//! | [`guess`] | which moves do they propose? | 10 |
//! | [`measure`], [`gnugo`] | how good are the guesses, and how good are others? | 12 |
//! | [`plan`], [`run`], [`results`], [`page`] | what are the experiments, and what did they find? | 12 |
//! | [`settings`] | what can be chosen? | all |

pub mod bits;
pub mod database;
pub mod example;
pub mod gnugo;
mod grid;
pub mod guess;
pub mod learn;
pub mod measure;
pub mod neighbours;
mod offsets;
pub mod page;
pub mod plan;
mod reach;
mod recall;
pub mod results;
pub mod run;
pub mod scan;
pub mod settings;
pub mod shapes;
pub mod symmetry;
pub mod trie;

#[cfg(test)]
mod tests;

pub use database::{Database, LAYOUT, Proposal};
pub use guess::Model;
pub use run::learn;
pub use settings::Settings;
