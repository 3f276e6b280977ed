//! Features and pattern tables of the thesis, and the players that combine them.

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

pub use baseline::{Hand, MobilityAndCorners};
pub use curves::{Curve, CurveOptions, Point, discordance};
pub use error::ThesisError;
pub use feature::{Feature, FeatureSet};
pub use fit::{ThesisOptions, fit};
pub use model::{Method, ThesisModel};
pub use report::ThesisReport;
pub use sample::{Division, Part};
pub use table::{Colours, TableOptions};
