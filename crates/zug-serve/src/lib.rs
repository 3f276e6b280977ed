//! Being an engine: UCI, CECP, GTP and NBoard.
//!
//! | protocol | verb | for | read by |
//! |---|---|---|---|
//! | UCI | [`uci::run`] | chess | [`uci::command::parse`] |
//! | CECP 2 | [`cecp::run`] | chess, under xboard and WinBoard | [`cecp::command::parse`] |
//! | GTP 2 | [`gtp::run`] | Go and, with the same commands, any game | [`gtp::command::parse`] |
//! | NBoard 2 | [`nboard::run`] | Othello | [`nboard::command::parse`] |
//!
//! Each verb reads commands from any reader until `quit` or the end of the input, and answers on
//! any writer. The command line passes standard input and output; a test passes bytes:
//!
//! ```
//! use zug_core::{GameEntry, Spec};
//!
//! fn open(text: &str) -> Result<GameEntry, String> {
//!     let spec = Spec::parse(text).map_err(|e| e.to_string())?;
//!     zug_chess::open(&spec).map_err(|e| e.to_string())
//! }
//!
//! // White mates with the rook.
//! let input = "position fen 7k/5K2/8/8/8/8/8/6R1 w - - 0 1\ngo depth 2\n";
//! let mut output = Vec::new();
//! let player = Spec::parse("zug").unwrap();
//! zug_serve::uci::run(open("chess").unwrap(), &player, &open, input.as_bytes(), &mut output)?;
//!
//! let output = String::from_utf8(output).unwrap();
//! assert!(output.contains(" score mate 1 "));
//! assert!(output.ends_with("bestmove g1h1\n"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! This crate knows no game by its type: it works on [`GameEntry`], lines and players with moves as
//! text, so that a new game can be played over GTP at once. A command that changes the rules (a
//! board size, komi) opens the game again under a changed spec, with the [`Open`] function of the
//! caller:
//!
//! ```
//! use zug_core::{GameEntry, Spec};
//!
//! fn open(text: &str) -> Result<GameEntry, String> {
//!     let spec = Spec::parse(text).map_err(|e| e.to_string())?;
//!     let entry = zug_games::open(&spec).ok_or("no such game")?;
//!     entry.map_err(|e| e.to_string())
//! }
//!
//! let input = "1 play X b2\n2 zug-game\n3 boardsize 6\n4 zug-game\n5 play O b2\n";
//! let mut output = Vec::new();
//! let player = Spec::parse("random").unwrap();
//! let game = open("kinarow:5x5,k=4").unwrap();
//! zug_serve::gtp::run(game, &player, &open, input.as_bytes(), &mut output)?;
//!
//! let output = String::from_utf8(output).unwrap();
//! let answers: Vec<&str> = output.split_terminator("\n\n").collect();
//! assert_eq!(answers[3], "=4 kinarow:6x6,k=4");
//! assert_eq!(answers[4], "?5 illegal move: it is X's turn");
//! # Ok::<(), std::io::Error>(())
//! ```

use zug_core::GameEntry;

pub mod cecp;
pub mod gtp;
pub mod lines;
pub mod nboard;
pub mod uci;
pub mod web;

mod control;
mod options;
mod output;
mod seat;

/// Opens a game by its spec (`go:9x9,komi=7.5`); the error is in words for people.
pub type Open<'a> = dyn Fn(&str) -> Result<GameEntry, String> + Sync + 'a;
