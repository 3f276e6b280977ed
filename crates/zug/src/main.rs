//! The command line of Zug.
fn main() {}
