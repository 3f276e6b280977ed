//! Developer chores that are too long for CI.
fn main() {}
