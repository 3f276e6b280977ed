//! Being an engine: UCI, GTP and NBoard.
//!
//! | protocol | module | for |
//! |---|---|---|
//! | UCI | [`uci`] | chess |
//! | GTP 2 | [`gtp`] | Go and, with the same commands, any game |
//! | NBoard 2 | [`nboard`] | Othello |
//!
//! Each module has one verb, `run`: it reads commands from any reader until `quit` or the end of
//! the input, and answers on any writer. The command line passes standard input and output; a test
//! passes bytes.
//!
//! This crate knows no game by its type: it works on [`GameEntry`], lines and players with moves as
//! text. A command that changes the rules (a board size, komi) opens the game again under a changed
//! spec, with the [`Open`] function of the caller.

use zug_core::GameEntry;

pub mod gtp;
pub mod lines;
pub mod nboard;
pub mod uci;

mod control;
mod output;
mod seat;

/// Opens a game by its spec (`go:9x9,komi=7.5`); the error is in words for people.
pub type Open<'a> = dyn Fn(&str) -> Result<GameEntry, String> + 'a;
