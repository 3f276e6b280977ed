//! What do pattern tables learn from games against themselves?
//!
//! The same tables that are fitted to examples (the [patterns](crate::patterns) of the shipped model)
//! begin with weights that mean nothing and learn from self-play alone: no records, no labels, no
//! other model. Games are played in batches with an evaluation that stands still, then the weights
//! are changed by what all of them taught; the result does not depend on the number of threads.
//!
//! | module | answers |
//! |---|---|
//! | `options` | how are the tables to be learned? |
//! | `search` | which move is best, and at which leaf was that found? |
//! | `game` | what does a game teach? |
//! | `live` | what is a position worth, by weights that change all the time? |
//! | `weights` | how does a batch of games change the cells? |
//! | `judge` | how good are the tables by now? |
//! | `chances` | which chance to win does a value mean? |
//! | `train` | batches, checkpoints, the model |
//! | `page` | how does a run look? |

mod chances;
mod game;
mod judge;
mod live;
mod options;
mod page;
mod search;
pub(crate) mod shown;
#[cfg(test)]
mod tests;
mod train;
mod weights;

pub use options::options;
pub use page::report;
pub use shown::weights;
pub use train::learn;
