//! LOGISTELLO's evaluation as its author's thesis builds it (chapters 2 and 3): features, pattern
//! tables, and the players that combine them.
//!
//! | module | answers | section |
//! |---|---|---|
//! | [`rays`] | what do the moves along a line of the board count? | 2.1, 2.2 |
//! | [`mobility`] | how many moves has a side, exactly? | 2.1, 2.2 |
//! | [`table`] | what is an instance of a pattern worth? | 2.3 |
//! | [`feature`] | which numbers describe a position, and how are they asked for? | 2 |
//! | [`curves`] | how well does a feature tell won positions from lost ones? | 2 |
//! | [`sample`] | which examples are learned from, which are kept aside? | 3.3 |
//! | [`rows`] | the features of all examples of a disc count | 3.3 |
//! | [`fit`](fn@fit) | how are the features weighed? | 3.1 to 3.4 |
//! | [`model`] | the result as an evaluation | 3.4 |
//! | [`report`] | what a fit found | 3.4 |
//! | [`baseline`] | what must a learned evaluation beat? | |
//!
//! The players of the thesis are [`Method`]s: FISHER, QUAD, LOG, FISHER+ and LOG+. QUAD* is QUAD with
//! a third more time, a matter of the match and not of the model.
//!
//! ```no_run
//! use zug_core::{Silent, StopFlag};
//! use zug_othello::examples::ExampleFile;
//! use zug_othello::thesis::{Method, ThesisOptions, fit};
//!
//! let files = [ExampleFile::open("examples.zug".as_ref())?];
//! let options = ThesisOptions { method: Method::LogisticPlus, ..ThesisOptions::default() };
//! let (model, report) = fit(&files, &options, &Silent, &StopFlag::new())?;
//! println!("40 discs: {:?}", report.discs[28].combined);
//! model.write("log-plus.zug".as_ref(), &model.header())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod baseline;
pub mod curves;
mod error;
pub mod feature;
mod file;
mod fit;
pub mod mobility;
pub mod model;
pub mod rays;
pub mod report;
pub mod rows;
pub mod sample;
pub mod table;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use baseline::{Hand, MobilityAndCorners};
pub use curves::{Curve, CurveOptions, Point, discordance};
pub use error::ThesisError;
pub use feature::{Feature, FeatureSet};
pub use fit::{ThesisOptions, fit};
pub use model::{Method, ThesisModel};
pub use report::ThesisReport;
pub use sample::{Division, Part};
pub use table::{Colours, TableOptions};
