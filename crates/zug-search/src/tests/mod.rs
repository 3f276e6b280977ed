//! Tests of the searches as a whole; those of a part stand beside it.

mod mcts;
mod players;
mod pvs;
