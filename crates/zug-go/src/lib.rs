//! Go: rules, SGF, scoring, playouts.
//!
//! ```
//! use zug_core::{Game, Line};
//! use zug_go::Go;
//!
//! let game = Go::open("go:9x9,komi=7")?;
//! let mut line = Line::new(game);
//! for mv in ["E5", "c3", "pass", "pass"] {
//!     line.play_text(mv)?;
//! }
//! // Black has a stone, White has a stone, nobody has an area: komi decides.
//! assert_eq!(line.outcome().and_then(|o| o.margin), Some(7.0));
//! # Ok::<(), zug_core::TextError>(())
//! ```
//!
//! Game records are SGF, read as trees with all variations or as records of the main line:
//!
//! ```
//! use zug_core::RecordFormat;
//! use zug_go::sgf::{Sgf, read_collection};
//!
//! let file = b"(;SZ[9]KM[5.5]PB[Ann]PW[Bob];B[ee](;W[cc])(;W[gg]))";
//! let trees = read_collection(file);
//! assert_eq!(trees[0].as_ref().unwrap().len(), 4);
//! let record = Sgf.read(file).remove(0).unwrap();
//! assert_eq!((record.tag("Black"), record.moves[1].text.as_str()), (Some("Ann"), "C7"));
//! ```
//!
//! | module | answers |
//! |---|---|
//! | [`point`], [`colour`], [`board`], [`position`] | where are the stones, and what does a move do to them? |
//! | [`rules`], [`game`] | which options are there, and how do they make a [`Game`](zug_core::Game)? |
//! | [`score`], [`status`] | who owns what, and which stones are dead? |
//! | [`playout`], [`heavy`], [`shape`] | how does a game end when both sides play at random, or nearly so? |
//! | [`rollout`], [`evaluate`], [`players`] | how do the searches of the workbench play Go? |
//! | [`engine`] | how is Go played well? |
//! | [`sgf`] | what does a file say? |
//! | [`corpus`] | which games are there to learn from? |
//! | [`policy`], [`patterns`] | which moves are likely, and how is that learned? |
//! | [`knn`] | which moves do patterns of the nearest neighbours propose? |
//! | [`learner`] | how is learning told to the workbench? |
//! | [`models`], [`guess`] | which of them is asked, and what does it say of positions, games, collections? |
//! | [`explore`] | what was played in this position before? |
//! | [`count`] | how many positions are there? |

pub mod board;
#[cfg(feature = "chores")]
pub mod chores;
pub mod colour;
pub mod corpus;
pub mod count;
pub mod engine;
pub mod evaluate;
pub mod explore;
pub mod game;
pub mod guess;
pub mod guided;
pub mod heavy;
pub mod knn;
pub mod learner;
pub mod models;
pub mod patterns;
pub mod players;
pub mod playout;
pub mod point;
pub mod policy;
pub mod position;
pub mod rollout;
pub mod rules;
pub mod score;
pub mod sgf;
pub mod shape;
pub mod status;

pub use board::Board;
pub use colour::{Colour, Illegal};
pub use game::Go;
pub use players::open;
pub use point::{Move, Point};
pub use position::Position;
pub use rules::{Ko, Rules, Scoring};
