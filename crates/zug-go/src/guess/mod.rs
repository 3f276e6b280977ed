//! What would a good player do here? Asking a [`Policy`](crate::policy::Policy) about positions, games
//! and whole collections.
//!
//! | module | answers |
//! |---|---|
//! | [`story`] | how did the position come about: record, handicap, moves? |
//! | [`commands`] | which position do lines of the Go Text Protocol lead to? |
//! | [`place`] | where among the guesses does a move stand? |
//! | [`answer`] | what is told of one position? |
//! | [`heat`], [`drawing`] | what does that look like, in a terminal and as a picture? |
//! | [`mod@annotate`] | how likely was each move of a game? |
//! | [`measure`], [`tally`] | how good are the guesses on many games, and how sure is that? |
//! | [`face`] | how does the command line ask? |

pub mod annotate;
pub mod answer;
pub mod commands;
pub mod drawing;
pub mod face;
pub mod heat;
pub mod measure;
pub mod place;
pub mod story;
pub mod tally;
