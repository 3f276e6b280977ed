//! Databases without distances to the end of the game: do players make progress with them?

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use talk::{Folder, complaint, json, zug};

/// Builds a database and gives its folder.
fn build(folder: &Folder, game: &str, metric: &str) -> String {
    let out = folder.path(&format!("{metric}-{}", game.replace(':', "-")));
    zug(&["db", "build", game, "--metric", metric, "--out", &out]);
    out
}

#[test]
fn every_won_ending_is_won_against_the_longest_resistance() {
    let folder = Folder::new();
    for (game, metric) in [("KRvK", "wdl"), ("KQvK", "wdl"), ("KPvK", "wdl"), ("KPvK", "dtc")] {
        let dir = build(&folder, &format!("chess:{game}"), metric);
        for seed in 1..=5 {
            let seed = seed.to_string();
            let words = ["db", "play", &dir, "--both", "--random", "won", "--seed", &seed];
            let played = zug(&words);
            assert!(played.contains("wins (checkmate)"), "{game}, {metric}, {seed}: {played}");
        }
        // The side that is lost is at the move first.
        let played = zug(&["db", "play", &dir, "--both", "--random", "lost"]);
        assert!(played.contains("wins (checkmate)"), "{game}, {metric}: {played}");
    }
}

#[test]
fn a_player_with_outcomes_alone_mates_who_moves_at_random() {
    let folder = Folder::new();
    let dir = build(&folder, "chess:KRvK", "wdl");
    let openings = folder.path("won.epd");
    let positions = [
        "8/8/8/4k3/8/8/8/R3K3 w - -",
        "8/8/8/3k4/8/8/1R6/7K w - -",
        "k7/8/8/8/8/8/6R1/7K w - -",
        "8/8/2K5/8/8/4k3/8/7R w - -",
    ];
    fs::write(&openings, positions.join("\n")).expect("written");
    let player = format!("perfect:db={dir}");
    // Each opening is played with both colours; a king alone wins nothing.
    let words = ["match", &player, "random", "--game", "chess:KRvK", "--openings", &openings];
    let report = json(&zug(&[&words[..], &["--games", "8", "--json"]].concat()));
    assert_eq!((&report["wins"], &report["crashes"]), (&4.into(), &0.into()), "{report:#}");
}

#[test]
fn without_distances_a_near_win_is_found_by_looking_ahead_and_a_far_one_is_refused_in_words() {
    let folder = Folder::new();
    let dir = build(&folder, "chess:KRvK", "wdl");
    let analyse = |position: &str, options: &str| -> Vec<String> {
        let player = format!("perfect:db={dir},{options}");
        ["analyse", "chess:KRvK", position, "--player", &player].map(String::from).to_vec()
    };
    let said = |words: Vec<String>, refused: bool| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if refused { complaint(&words) } else { zug(&words) }
    };
    // Mate with the second move, if the king steps closer first, to one of two squares.
    let near = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
    let found = said(analyse(near, "whole=0"), false);
    assert!(["c6b6", "c6c7", "Kb6", "Kc7"].iter().any(|mv| found.contains(mv)), "{found}");
    let far = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
    let refusal = said(analyse(far, "whole=0,nodes=50"), true);
    for word in ["KRvK", "--metric wdl", "nodes=N", "whole=N", "--metric dtm"] {
        assert!(refusal.contains(word), "no '{word}' in {refusal}");
    }
    // What weighs distances cannot do without them.
    for style in ["trap", "thesis", "limited"] {
        let refusal = said(analyse(near, &format!("style={style}")), true);
        assert!(refusal.contains(&format!("style={style} weighs")), "{refusal}");
        assert!(refusal.contains("win/draw/loss"), "{refusal}");
    }
}

#[test]
fn a_game_that_can_go_in_circles_is_won_by_outcomes_with_and_without_whole_stages() {
    let folder = Folder::new();
    let outcomes = build(&folder, "dodgem:3x3", "wdl");
    let distances = build(&folder, "dodgem:3x3", "dtm");
    for options in ["", ",whole=0"] {
        let player = format!("perfect:db={outcomes}{options}");
        let resists = format!("perfect:db={distances}");
        let words = ["match", &player, &resists, "--game", "dodgem:3x3", "--games", "2", "--json"];
        // White wins from the start, whoever it is.
        let report = json(&zug(&[&words[..], &["--opening-plies", "0"]].concat()));
        assert_eq!((&report["wins"], &report["losses"]), (&1.into(), &1.into()), "{report:#}");
    }
}
