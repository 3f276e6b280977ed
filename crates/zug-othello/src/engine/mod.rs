//! The search of the full board: fast, and made for learned evaluations.
//!
//! [`Engine`] searches with any [`Evaluation`] to a fixed depth and hands late positions to the
//! exact solver; it labels examples and plays out training games. [`Learned`] lets the general
//! search of the workbench use such an evaluation.

mod balanced;
mod choose;
mod evaluation;
mod guide;
pub(crate) mod mid;
mod player;
mod probcut;
mod search;
mod think;

pub use balanced::{Fair, balanced, hundredths_of_discs};
pub use choose::AnyGuide;
pub use evaluation::{Evaluation, Unit};
pub use guide::Learned;
pub use mid::NoMemory;
pub use player::engine_player;
pub use probcut::{Confidence, Pair, ProbCut, Tries};
pub use search::{Engine, Found};
pub use think::{LineFound, Phase, Settings, Thinker, Thought, Value, Wish};
