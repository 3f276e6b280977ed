//! What must hold of the learner as a whole.

pub(crate) mod games;
mod learning;
mod runs;
mod searching;
