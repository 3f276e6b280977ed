//! Who plays better, by how much, and how sure are we?
//!
//! The arena plays matches between players of any game, ours or foreign engines, and states the
//! result with error bars. It knows games only from outside ([`GameEntry`], moves as text); the
//! drivers of foreign engines know the notation of their community (FEN and coordinate moves for
//! UCI and CECP, vertices for GTP, GGF for NBoard).
//!
//! # How the command line calls this
//!
//! ```no_run
//! use std::sync::{Arc, atomic::AtomicBool};
//! use zug_arena::{MatchConfig, Openings, Participant, Progress, Schedule, Sprt, TimeControl};
//! use zug_core::{GameEntry, Spec};
//!
//! fn run(entry: &GameEntry, stop: Arc<AtomicBool>) -> Result<(), Box<dyn std::error::Error>> {
//!     // `zug match zug:depth=3 uci:cmd=stockfish,UCI_Elo=1350`: one participant for each argument.
//!     let specs = [Spec::parse("zug:depth=3")?, Spec::parse("uci:cmd=stockfish,UCI_Elo=1350")?];
//!     let participants = zug_arena::participants(entry, &specs)?;
//!     let config = MatchConfig {
//!         games: 20,                                       // between each two players
//!         seed: 1,
//!         concurrency: 2,
//!         schedule: Schedule::RoundRobin,                  // or Gauntlet: the first against all
//!         limit: TimeControl::parse("10+0.1")?,            // 40/60, depth=5, nodes=1000, movetime=50ms
//!         openings: Openings::Random { plies: 6 },         // or List(read_openings(entry, path, None)?)
//!         sprt: Some(Sprt::parse("0,10")?),                // stops early; two players only
//!         records: Some("games.pgn".into()),
//!         journal: Some("match.jsonl".into()),             // resumes when it exists
//!         stop,                                            // set by Ctrl-C
//!         ..MatchConfig::default()
//!     };
//!     let mut progress = |p: &Progress<'_>| eprintln!("{}/{}", p.done, p.total);
//!     let report = zug_arena::run_match(entry, &participants, &config, &mut progress)?;
//!     println!("{}", report.to_table());                   // for people
//!     println!("{}", serde_json::to_string(&report)?);     // --json
//!     Ok(())
//! }
//! ```
//!
//! # Where to look
//!
//! | module | answers |
//! |---|---|
//! | [`config`] | what is to be played? |
//! | [`control`] | how much time has a player? |
//! | [`openings`] | where do the games begin? |
//! | [`adjudicate`] | when is a game broken off, and with which result? |
//! | [`runner`] | how are the games played, several at once, and resumed? |
//! | [`stats`] | what does a list of results say about strength? |
//! | [`report`] | how is all that told to a program or a person? |
//! | [`foreign`] | how does a program that is not ours become a player? |

pub mod adjudicate;
pub mod config;
pub mod control;
pub mod foreign;
mod journal;
pub mod openings;
pub mod participant;
mod records;
mod referee;
pub mod report;
pub mod runner;
pub mod stats;
mod table;

pub use adjudicate::{Adjudication, DrawRule, OracleHook, ResignRule};
pub use config::{MatchConfig, MatchError, Progress, Schedule};
pub use control::{ClockControl, TimeControl};
pub use foreign::{FOREIGN_HELP, foreign_player};
pub use openings::{Opening, OpeningError, Openings, read_openings};
pub use participant::{Participant, PlayerFactory, participants, player};
pub use report::{GameResult, MatchReport, PlayedMove, Termination};
pub use runner::run_match;
pub use stats::{EloModel, Pentanomial, Sprt, Summary};
#[cfg(doc)]
use zug_core::GameEntry;
