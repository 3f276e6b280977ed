//! Learning to evaluate by temporal differences: the learner of FUSc#, whole.
//!
//! | question | module |
//! |---|---|
//! | by how much was each position of a game misjudged? | [`lesson`] |
//! | how large is a step, for each position type? | [`rates`] |
//! | how is a game written down for the learner? | [`log`] |
//! | may a game be learned from, and with which result? | [`validity`] |
//! | where do the captures from a position lead? | [`quiet`] |

pub mod lesson;
pub mod log;
pub mod quiet;
pub mod rates;
pub mod validity;
