//! Learning from one's own play: each position's value is moved towards what came after it.
//!
//! | question | module |
//! |---|---|
//! | what is a game told to learn, and what comes back? | [`face`] |
//! | by how much was each position of a game misjudged? | [`trace`] |

pub mod face;
pub mod trace;
