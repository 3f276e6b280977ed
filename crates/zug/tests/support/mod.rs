//! The real binary, run as a user or a script would.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `zug` with words and standard input.
pub fn zug_with(words: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("zug starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // The program may have ended before it read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("zug ends")
}
