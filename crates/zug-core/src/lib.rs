//! The vocabulary of Zug.
//!
//! Everything else in the workspace is written in the words defined here:
//!
//! | word | item | answers |
//! |---|---|---|
//! | game | [`Game`] | what are the rules and the notation? |
//! | line | [`Line`] | what has been played so far, and what may follow? |
//! | outcome | [`Outcome`] | who won, by how much, and why? |
//! | evaluator, oracle, policy | [`Evaluator`], [`Oracle`], [`Policy`] | what is a position or a move worth? |
//! | player | [`Player`] | which move would you play, given these [`Limits`]? |
//! | record | [`Record`] | how is a played game written down? |
//! | game entry | [`GameEntry`] | what can the workbench do with this game? |
//!
//! [`Game`] is static, so that search and playouts compile to plain loops. [`AnyGame`] and
//! [`AnyLine`] are the same thing seen from outside, with moves as text; the arena, the protocols
//! and the terminal speak to games only through them, and so compile once for all games.
//!
//! This crate does no input or output but for [`files`], the one place where bytes reach a disk, and
//! what stands on it: [`container`], [`checkpoint`] and [`run`].

pub mod checkpoint;
pub mod checks;
pub mod container;
pub mod entry;
pub mod erased;
pub mod error;
pub mod files;
pub mod game;
pub mod indexed;
pub mod knowledge;
pub mod limits;
pub mod line;
pub mod outcome;
pub mod picture;
pub mod player;
pub mod progress;
pub mod record;
pub mod run;
pub mod score;
pub mod seed;
pub mod spec;
pub mod textrecord;

pub use entry::{Capability, Check, GameEntry, PlayerKind};
pub use erased::{AnyGame, AnyLine};
pub use error::TextError;
pub use game::{Game, Repetition, Retro, Symmetric};
pub use indexed::{Indexed, Layout};
pub use knowledge::{Evaluator, Guide, Oracle, Policy, Scale};
pub use limits::{Clock, Limits};
pub use line::Line;
pub use outcome::{Outcome, Side};
pub use picture::{Cell, Owner, Picture};
pub use player::{Choice, Info, Player, PlayerError, Watch};
pub use progress::{Progress, Silent, StopFlag};
pub use record::{Record, RecordError, RecordFormat, RecordMove, RecordResult};
pub use score::{Score, Verdict};
pub use seed::{Rng, rng};
pub use spec::Spec;
pub use textrecord::TextRecords;
