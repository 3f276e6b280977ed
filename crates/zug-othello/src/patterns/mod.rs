//! Patterns of squares, and the model that is a sum over them.
//!
//! A *pattern* is a set of squares together with its images under the symmetries of the board. How
//! the squares of one image are filled is an *instance*, a number in base 3. A model gives each
//! instance of each pattern a value that changes over the game; a position is worth the sum of the
//! values found on it.
//!
//! ```
//! use zug_othello::patterns::Pattern;
//! let corner = Pattern::parse("a1-d1,a2-d2")?;
//! assert_eq!((corner.len(), corner.placements().len()), (8, 8));
//! let edge = Pattern::parse("edge")?;
//! assert_eq!((edge.len(), edge.placements().len()), (8, 4));
//! # Ok::<(), zug_core::TextError>(())
//! ```

mod file;
mod model;
mod pattern;
mod phases;
mod set;
pub(crate) mod shown;

pub use file::ModelError;
pub use model::{PatternModel, STEPS_PER_DISC};
pub use pattern::{MOST_SQUARES, NAMED, Pattern};
pub use phases::Phases;
pub use set::{Indices, LANES, PatternSet};
