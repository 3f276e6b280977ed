//! The search of the full board: fast, and made for learned evaluations.

mod evaluation;
mod guide;

pub use evaluation::{Evaluation, Unit};
pub use guide::Learned;
