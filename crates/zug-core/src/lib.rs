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
//! # A game in one file
//!
//! An author writes the rules and the notation; a [`GameEntry`] then brings play, records, players
//! and the checks of `zug games check`. This is all of a game in which two players take one to
//! three beans in turn and the last bean wins:
//!
//! ```
//! use zug_core::{Cell, Game, GameEntry, Line, Outcome, Picture, Side, TextError};
//!
//! #[derive(Clone)]
//! struct Beans;
//!
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct Left {
//!     beans: u8,
//!     side: Side,
//! }
//!
//! impl Game for Beans {
//!     type Position = Left;
//!     type Move = u8;
//!
//!     fn spec(&self) -> String {
//!         "beans".to_string()
//!     }
//!     fn title(&self) -> String {
//!         "Beans".to_string()
//!     }
//!     fn start(&self) -> Left {
//!         Left { beans: 9, side: Side::First }
//!     }
//!     fn to_move(&self, at: &Left) -> Side {
//!         at.side
//!     }
//!     fn outcome(&self, at: &Left) -> Option<Outcome> {
//!         (at.beans == 0).then(|| Outcome::win(at.side.other(), "took the last bean"))
//!     }
//!     fn moves(&self, at: &Left, out: &mut Vec<u8>) {
//!         out.extend(1..=at.beans.min(3));
//!     }
//!     fn play(&self, at: &mut Left, taken: u8) {
//!         *at = Left { beans: at.beans.saturating_sub(taken), side: at.side.other() };
//!     }
//!     fn write_move(&self, _: &Left, taken: u8) -> String {
//!         taken.to_string()
//!     }
//!     fn read_move(&self, at: &Left, text: &str) -> Result<u8, TextError> {
//!         let taken = text.parse().ok().filter(|n| (1..=at.beans.min(3)).contains(n));
//!         taken.ok_or_else(|| TextError::new(0, "a number of beans from 1 to 3", text))
//!     }
//!     fn write_position(&self, at: &Left) -> String {
//!         format!("{} {}", at.beans, at.side)
//!     }
//!     fn read_position(&self, text: &str) -> Result<Left, TextError> {
//!         let error = || TextError::new(0, "up to 9 beans and a side, such as '9 first'", text);
//!         let (beans, side) = text.split_once(' ').ok_or_else(error)?;
//!         let beans = beans.parse().ok().filter(|n| *n <= 9).ok_or_else(error)?;
//!         let side = Side::BOTH.into_iter().find(|s| s.to_string() == side).ok_or_else(error)?;
//!         Ok(Left { beans, side })
//!     }
//!     fn picture(&self, at: &Left) -> Picture {
//!         let bean = |i| if i < at.beans { Cell::disc(at.side) } else { Cell::empty() };
//!         Picture::grid(9, 1, (0..9).map(bean).collect(), true)
//!     }
//! }
//!
//! let mut line = Line::new(Beans);
//! line.play_text("1")?;
//! assert_eq!(line.position().beans, 8);
//!
//! // Random play, notation, damaged text, keys, perft, repetition and picture are all in order.
//! for (check, found) in GameEntry::new(Beans).run_checks(1) {
//!     assert!(found.is_ok(), "{check}: {found:?}");
//! }
//! # Ok::<(), TextError>(())
//! ```
//!
//! Each further trait unlocks more: [`Symmetric`] and [`Retro`] are noted with
//! [`GameEntry::symmetric`] and [`GameEntry::retro`], [`Indexed`] numbers the positions for a
//! database.
//!
//! This crate does no input or output but for [`files`], the one place where bytes reach a disk, and
//! what stands on it: [`container`], [`checkpoint`] and [`run`].

pub mod bench;
pub mod checkpoint;
pub mod checks;
pub mod commands;
pub mod container;
pub mod entry;
pub mod erased;
pub mod error;
pub mod exact;
pub mod files;
pub mod game;
pub mod indexed;
pub mod knowledge;
pub mod limits;
pub mod line;
pub mod memory;
pub mod outcome;
pub mod packed;
pub mod picture;
pub mod player;
pub mod progress;
pub mod record;
pub mod run;
pub mod score;
pub mod seed;
pub mod spec;
pub mod study;
pub mod tasks;
pub mod textrecord;
pub mod usage;

pub use entry::{Capability, Chances, Check, EloRange, GameEntry, PlayerKind};
pub use erased::{AnyGame, AnyLine};
pub use error::TextError;
pub use game::{Game, Repetition, Retro, Settlement, Symmetric};
pub use indexed::{Indexed, Layout};
pub use knowledge::{Evaluator, Guide, Oracle, Policy, Scale};
pub use limits::{Clock, Limits};
pub use line::Line;
pub use outcome::{Outcome, Side};
pub use picture::{Cell, Owner, Picture};
pub use player::{Bound, Choice, Info, Player, PlayerError, Pulse, RootInfo, Watch};
pub use progress::{Progress, Silent, StopFlag};
pub use record::{Keep, Record, RecordError, RecordFormat, RecordMove, RecordResult};
pub use score::{Score, Verdict};
pub use seed::{Rng, rng};
pub use spec::Spec;
pub use study::{Mark, Study};
pub use textrecord::TextRecords;
