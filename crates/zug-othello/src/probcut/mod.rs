//! How well does a shallow search foretell a deep one? (S 4.1 and 4.2 of the thesis.)
//!
//! The numbers behind [`ProbCut`]: positions are searched to every depth and to the
//! end, the deep value is regressed on the shallow one, the results are made smooth over the stages
//! of the game and carried on to depths that are too dear to measure, and for each search those
//! shallow ones are chosen that save most.
//!
//! | module | answers |
//! |---|---|
//! | `sample` | which positions? Those that occur in real search trees |
//! | `measure` | what are they worth, at every depth? |
//! | `line` | the straight line through pairs of values, and its error |
//! | `smooth` | what lies between and beyond the measured points? |
//! | `choose` | which shallow searches are worth making? |
//! | `fit` | all of that, from values to cuts |
//! | `file` | cuts as a file |
//! | `shipped` | which cuts belong to which model? |
//! | `learn` | the whole way, from games to a file |
//! | `page` | how do the results look? |
//! | `endcut` | who wins? The cut of the thesis, for comparison |
//! | `critical` | on which positions is it compared? |
//!
//! The thesis tests one pair of depths, 4 and 8, and one stage of the end game with a fixed
//! threshold; both are special cases here: see [`CutsFile::thesis`] and [`EndCut`].

mod choose;
mod critical;
mod endcut;
mod file;
mod fit;
mod learn;
mod line;
mod measure;
mod page;
mod sample;
mod shipped;
mod smooth;

pub use critical::{Critical, Recipe, critical};
pub use endcut::{Decided, EndCut, EndCutSearch};
pub use file::{CutsError, CutsFile};
pub use fit::{CutsFit, PairFit, Validation, fit};
pub use learn::{LearnError, LearnOrder, Learned, learn};
pub use line::{Line, Sums};
pub use measure::{Measured, Reach};
pub use sample::{Below, Games, Sample};
pub use shipped::{SHIPPED, ShippedCuts, cuts_for, open_cuts, shipped};

#[cfg(doc)]
use crate::engine::ProbCut;
