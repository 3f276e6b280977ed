//! A model that is a sum of table cells: all cells of all tables fitted together.
//!
//! An example touches some cells of a long table, and lies between two *knots* of the game. Every
//! cell has a weight at every knot; between knots it is drawn as a straight line. The prediction is
//! the sum of the weights of the cells touched, and the weights are those that make the loss of all
//! examples plus a penalty smallest:
//!
//! * squared error is one linear least-squares problem, solved by preconditioned conjugate
//!   gradients;
//! * logistic loss is solved by Newton's method, each step of which is such a problem.
//!
//! | module | answers |
//! |---|---|
//! | [`data`] | where do the rows come from? |
//! | [`loss`] | how bad is a wrong sum? |
//! | `passes` | how is a pass over ten million rows made fast, and the same for any number of threads? |
//! | `penalty` | what keeps weights small and neighbouring knots alike? |
//! | [`fit`](mod@fit) | which weights, and when is it enough? |
//! | `state` | how does an interrupted fit go on? |
//!
//! ```
//! use zug_core::{Silent, StopFlag};
//! use zug_learn::joint::{self, Loss, Place, TableChunk, TableFit, TablesInMemory};
//!
//! // Two cells; the first is worth 1 and the second 3.
//! let place = Place { knot: 0, share: 0.0 };
//! let (cells, targets) = (vec![0, 1, 0, 0, 1, 1], vec![4.0, 2.0, 6.0]);
//! let chunk = TableChunk { place, cells, targets, weights: vec![1.0; 3] };
//! let data = TablesInMemory { cells: 2, knots: 1, width: 2, chunks: vec![chunk] };
//! let fit = TableFit { loss: Loss::Squared, ridge: 0.0, smooth: 0.0, ..TableFit::default() };
//! let found = joint::fit(&data, None, &fit, None, &Silent, &StopFlag::new())?;
//! assert!((found.weights[0] - 1.0).abs() < 1e-6 && (found.weights[1] - 3.0).abs() < 1e-6);
//! # Ok::<(), zug_learn::joint::TableError>(())
//! ```

pub mod data;
mod error;
pub mod fit;
pub mod loss;
mod passes;
mod penalty;
mod state;
#[cfg(test)]
mod tests;
mod vectors;

pub use data::{Place, Rows, TableChunk, TableExamples, TablesInMemory};
pub use error::{SourceError, TableError};
pub use fit::{Ended, Fitted, Iteration, TableFit, fit};
pub use loss::{Loss, chance};
pub use passes::most_sums;
pub use state::Saving;
