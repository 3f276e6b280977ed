//! What did good players do here before? Openings and corner sequences looked up in game records.
//!
//! Two positions are the same when one is the other turned or mirrored, with the same side to move;
//! ko and captured stones are not looked at. A question may be about the whole board or about a part
//! of it, a corner for the most part; then whatever lies outside does not count.
//!
//! | module | answers |
//! |---|---|
//! | [`squares`] | where does a symmetry take a point, and which key has a position? |
//! | [`query`] | which position and which part of it is asked about? |
//! | [`search`] | in which games does it come up, by looking at all of them? |
//! | [`library`] | which games are there, in which order, and what is known of each? |
//! | [`index`] | the same at once: a file of positions |
//! | [`wanted`] | which games count: of which years, and whose? |
//! | [`answer`] | what was played how often, with what result, by whom? |
//! | [`face`] | how does the command line ask? |

pub mod answer;
pub mod face;
pub mod index;
pub mod library;
pub mod query;
pub mod search;
pub mod squares;
pub mod wanted;
