//! Which words does the command line understand?
//!
//! The program is `main.rs`. What it can be told stands here, so that a test can ask whether a command of the
//! documentation is one, without running it.

pub mod cli;
