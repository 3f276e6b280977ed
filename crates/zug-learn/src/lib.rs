//! Learning evaluations from labelled examples. Nothing here knows any game: a game gives numbers
//! (features) or table cells for each example, and gets weights back.
//!
//! ```
//! use zug_learn::{Class, Matrix, logistic};
//! # fn main() -> Result<(), zug_learn::LearnError> {
//! let mut examples = Matrix::new(["mobility", "corners"]);
//! for (mobility, corners, class) in [
//!     (4.0, 1.0, Class::Win),
//!     (1.0, 0.0, Class::Loss),
//!     (-2.0, 1.0, Class::Win),
//!     (3.0, -1.0, Class::Loss),
//!     (-1.0, 0.0, Class::Win),
//!     (0.0, 0.0, Class::Draw),
//!     (2.0, 1.0, Class::Loss),
//! ] {
//!     examples.push(&[mobility, corners], class)?;
//! }
//! let fit = logistic::fit(&examples, &logistic::Options::default())?;
//! assert!(fit.model.probability(&[0.0, 2.0]) > 0.5);
//! # Ok(())
//! # }
//! ```
//!
//! | question | module |
//! |---|---|
//! | where do the numbers come from? | [`rows`] |
//! | what are their means and covariances, can they be fitted at all? | [`moments`] |
//! | which linear or quadratic function tells wins from losses? | [`discriminant`], [`logistic`] |
//! | … with weights that do not contradict their features? | [`signs`] |
//! | which positions share their parameters? | [`groups`] |
//! | which features matter? | [`importance`], [`discordance`] |
//! | which values have all cells of many tables together? | [`joint`] |
//! | what does a game teach that was played by the learner itself? | [`td`] |
//! | what do records of good players teach? | [`records`] |
//! | how good is the result? | [`metrics`] |
//! | which moves are likely, which were played? (faces of games) | [`guess`], [`explore`] |
//! | what was chosen by `--set`? | [`choices`] |
//! | what do the numbers look like, and the boards? | [`plot`], [`report`], [`weights`], [`mod@board`] |
//! | how is a run shown, how are two? | [`runs`] |
//! | why are leaves mostly won for the side to move? | [`theory`] |

pub mod face;

pub mod board;
pub mod bounded;
pub mod choices;
pub mod discordance;
pub mod discriminant;
pub mod error;
pub mod explore;
pub mod groups;
pub mod guess;
pub mod importance;
pub mod joint;
pub mod logistic;
pub mod markup;
pub mod metrics;
pub mod moments;
pub mod plot;
pub mod records;
pub mod report;
pub mod rows;
pub mod runs;
pub mod signs;
pub mod symmetric;
pub mod td;
#[cfg(test)]
mod testing;
pub mod theory;
pub mod weights;

pub use discriminant::{Linear, Quadratic, fisher, quadratic};
pub use error::LearnError;
pub use groups::{Group, Grouping};
pub use moments::Moments;
pub use rows::{Class, Columns, Draws, Joined, Matrix, Rows};
