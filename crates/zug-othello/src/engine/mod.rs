//! The search of the full board: fast, and made for learned evaluations.

mod evaluation;

pub use evaluation::{Evaluation, Unit};
