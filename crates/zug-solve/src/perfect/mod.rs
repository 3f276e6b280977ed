//! Which move would a perfect player make, and which of several perfect moves is the hardest to
//! answer?
//!
//! Given the value of every position, perfect play needs one ply of look-ahead (§2.5 of Bahnsen's
//! thesis). But in a drawn position many moves are perfect, and they are not equally good against
//! an opponent who errs; in a lost position the longest resistance is not always the best one. Three
//! styles differ in just that:
//!
//! | style | in drawn positions | in lost positions |
//! |---|---|---|
//! | [`plain`] | any drawing move, each as likely as the other | the longest resistance |
//! | [`thesis`] | the largest "win probability" of chapter 7 | the longest resistance |
//! | [`trap`] | the best chance to win against a model of the opponent | the best chance to escape |
//!
//! All of them win won positions as fast as possible and never give away half a point. Opponents
//! that do, for measuring, are [`limited`] and any style with noise.
//!
//! A database that knows outcomes alone (`--metric wdl`) is enough for the plain player: distances to
//! the next capture or promotion follow from them, see `distances`. The other styles weigh how far
//! away wins and losses are, and refuse such a database.
//!
//! The players ask for values through [`Values`]; a finished database and [`InMemory`] give them.
//! [`measure`] plays games and counts; [`contest`] is the table of all styles against all opponents.

pub mod contest;
mod distances;
mod graph;
mod in_memory;
pub mod limited;
mod lookup;
pub mod measure;
pub mod opponent;
mod options;
mod parallel;
pub mod plain;
mod player;
mod report;
mod shares;
pub mod thesis;
pub mod trap;

pub(crate) use distances::Measured;
pub use in_memory::InMemory;
pub use lookup::{Ranked, Values, survey};
pub use opponent::{Observation, Opponent, fit};
pub use options::{Settings, Style};
pub use player::{Loaded, PerfectPlayer, perfect_player};
pub use report::{Reporter, report_with};
pub use shares::Shares;
