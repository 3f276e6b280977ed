//! Othilie: an evaluation function for Othello learned by temporal differences from self-play.
//!
//! A bachelor thesis of 2008 (HAW Hamburg) let a linear function of 42 simple features learn its
//! weights from games against itself, after Samuel and Sutton, and asked whether equal experiments
//! come to equal weights and whether what they come to plays well. This is that work, whole, and what
//! can be had from the same features today.
//!
//! | question | module |
//! |---|---|
//! | what does the function see? | [`features`] |
//! | how is it evaluated? | [`evaluation`] |
//! | which move does it call for? | [`search`]; [`tree`] is the plain form |
//! | how do the weights change? | [`update`]; [`beyond`] as one would today |
//! | who plays? | [`players`]; [`player`] for `zug play` |
//! | what is run? | [`config`] |
//! | what is kept of an experiment? | [`experiment`], [`mod@weights`] |
//! | how strong is it? | [`mod@matches`] |
//! | how much alike are the results? | [`measures`] |
//! | what did the thesis find? | [`printed`] |
//! | which files and pages are left? | [`files`], `page` |

pub mod beyond;
pub mod config;
pub mod evaluation;
pub mod experiment;
pub mod features;
pub mod files;
pub mod matches;
pub mod measures;
mod page;
pub mod player;
pub mod players;
pub mod printed;
mod run;
pub mod search;
mod shown;
pub mod tree;
pub mod update;
pub mod weights;

pub use config::{BEYOND, groups, options};
pub use run::{learn, report};
pub use shown::weights;
