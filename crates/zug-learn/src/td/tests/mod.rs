//! What must hold of the learner as a whole.

mod games;
mod learning;
mod runs;
mod searching;
