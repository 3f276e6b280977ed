//! Do the lists in the pages hold all that the program has?

use std::collections::BTreeSet;
use std::process::Command;

/// The names and titles of all games, as `zug games --json` has them.
fn games() -> Vec<(String, String)> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_zug")).args(["games", "--json"]).output().unwrap();
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
    rows.as_array().unwrap().iter().map(|row| (text(&row["name"]), text(&row["title"]))).collect()
}

#[test]
fn the_guide_lists_every_game() {
    let guide = crate::read("docs/guide.md");
    let (_, table) = guide.split_once("| game | options |").expect("the table of games");
    let (table, _) = table.split_once("\n\n").expect("an end of the table");
    let listed: BTreeSet<String> = table
        .lines()
        .filter_map(|row| row.strip_prefix("| ")?.split_once('|'))
        .flat_map(|(first, _)| first.split('`').skip(1).step_by(2).map(String::from))
        .collect();
    assert_eq!(listed, games().into_iter().map(|(name, _)| name).collect());
}
