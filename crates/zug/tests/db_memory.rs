//! `zug db build --memory`: does the bound hold, and does it change nothing?

#[path = "support/databases.rs"]
mod databases;
mod support;
#[path = "support/talk.rs"]
mod talk;

use databases::{build, files, forget_last_stage, same_files};
use talk::{Folder, complaint, json, zug};

/// What `--help` and the documentation call the least.
const LEAST: u64 = 40 << 20;

/// Builds a database and gives its folder with the most memory that the program had resident.
fn resident(folder: &Folder, name: &str, words: &[&str]) -> (String, u64) {
    let out = folder.path(name);
    let built = zug(&[&["db", "build"], words, &["--out", &out, "--json"]].concat());
    let peak = json(&built)["peak_resident_bytes"].as_u64().expect("the system tells");
    (out, peak)
}

#[test]
fn a_game_of_ten_million_slots_is_solved_within_the_least_memory_to_the_same_bytes() {
    let folder = Folder::new();
    let game = ["losing-ttt:4x4", "--no-symmetry"];
    let (large, usual) = resident(&folder, "large", &game);
    let (small, peak) = resident(&folder, "small", &[&game[..], &["--memory", "4M"]].concat());
    assert!(peak <= LEAST + LEAST / 10, "{peak} bytes resident, {usual} without a bound");
    assert!(peak < usual, "the bound changes nothing: {usual} bytes without it");
    same_files(&small, &large);
}

#[test]
fn a_bounded_build_reads_finished_stages_again_to_the_same_bytes() {
    let folder = Folder::new();
    for game in [&["chess:KRvK"][..], &["chess:KRvK", "--one-side"], &["losing-ttt:3x3"]] {
        let name = game.concat();
        let right = build(&folder, &name, game);
        let whole = files(&right);
        forget_last_stage(&right);
        let words = [&["db", "build"], game, &["--out", &right, "--memory", "1M", "--resume"]];
        zug(&words.concat());
        assert!(files(&right) == whole, "{game:?}");
        same_files(&build(&folder, &format!("{name} once"), game), &right);
    }
}

#[test]
fn only_the_fast_method_has_a_bound_for_memory() {
    let folder = Folder::new();
    let out = folder.path("out");
    let words =
        ["db", "build", "dodgem:3x3", "--out", &out, "--memory", "64M", "--method", "basic"];
    assert!(complaint(&words).contains("--cache"));
}
