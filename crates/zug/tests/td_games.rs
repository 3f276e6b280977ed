//! `zug learn GAME td` for the small games, as a user would run it: learned, interrupted, killed,
//! resumed, reported, played.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use talk::{Folder, complaint, json, zug};

/// Small measurements, so that the games take most of the time.
const SMALL: [&str; 10] = [
    "--set",
    "rounds=6",
    "--set",
    "sample=60",
    "--set",
    "test-games=4",
    "--set",
    "gate-games=4",
    "--seed",
    "1",
];

fn words<'a>(game: &'a str, games: &'a str, out: &'a str) -> Vec<&'a str> {
    let mut words = vec!["learn", game, "td", "--games", games, "--out", out];
    words.extend(SMALL);
    words
}

#[test]
fn noughts_and_crosses_are_learned_reported_and_played() {
    let folder = Folder::new();
    let out = folder.path("run");
    let mut line = words("tic-tac-toe", "3000", &out);
    line.push("--json");
    let told = json(&zug(&line));
    assert_eq!(told["game"], "tictactoe");
    assert!(told["figures"]["optimal"].as_f64().unwrap() > 0.95, "{told}");
    assert_eq!(told["figures"]["judged_all"], true);

    let page = folder.path("page.html");
    zug(&["runs", "report", &out, "--out", &page]);
    let page = fs::read_to_string(page).unwrap();
    for part in ["Right moves", "Weights", "all positions of the game"] {
        assert!(page.contains(part), "{part}");
    }
    let player = format!("learned:model={out}/model.zug");
    let played =
        zug(&["match", &player, "random", "--game", "tictactoe", "--games", "20", "--json"]);
    json(&played);
    let refused = complaint(&["match", &player, "random", "--game", "connect4", "--games", "2"]);
    assert!(refused.contains("'connect4'") && refused.contains("'tictactoe'"), "{refused}");
}

#[test]
fn options_are_listed_with_their_defaults_and_bad_ones_refused() {
    let told = json(&zug(&["learn", "connect-four", "methods", "--json"]));
    let td = &told["td"];
    assert_eq!(td["methods"][1]["name"], "td-leaf");
    assert_eq!(td["features"][0]["name"], "tuples");
    let options = td["options"].to_string();
    for option in ["lambda", "epsilon", "gate-score", "schedule", "own"] {
        assert!(options.contains(option), "{option}");
    }
    let folder = Folder::new();
    let out = folder.path("run");
    let mut line = words("connect-four", "10", &out);
    line.extend(["--set", "lambda=7"]);
    assert!(complaint(&line).contains("from 0 to 1 for 'lambda'"));
    assert!(!Path::new(&out).exists());
}

#[test]
fn groups_that_there_are_not_options_given_twice_and_foreign_folders_are_refused_in_words() {
    let folder = Folder::new();
    let out = folder.path("run");
    let with = |more: &[&'static str]| {
        let mut line = words("tictactoe", "10", &out);
        line.extend(more);
        complaint(&line)
    };
    let told = with(&["--group", "A"]);
    assert!(told.contains("tictactoe has no groups"), "{told}");
    let told = with(&["--set", "rounds=3"]);
    assert!(told.contains("--set rounds is given twice"), "{told}");
    assert!(!Path::new(&out).exists());
    fs::create_dir(&out).unwrap();
    fs::write(Path::new(&out).join("letter.txt"), "dear").unwrap();
    for more in [&[][..], &["--resume"]] {
        let told = with(more);
        assert!(told.contains("holds no run (it has 'letter.txt')"), "{told}");
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    // What a run leaves that was killed while it began is no hindrance.
    fs::rename(Path::new(&out).join("letter.txt"), Path::new(&out).join("run.lock")).unwrap();
    zug(&words("tictactoe", "10", &out));
}

#[test]
fn a_run_that_was_killed_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    // Many games, so that there is something to kill.
    let line = |out| {
        let mut line = words("connect4:4x4", "1600", out);
        let rounds = line.iter().position(|word| *word == "rounds=6").unwrap();
        line[rounds] = "rounds=40";
        line.extend(["--threads", "2"]);
        line
    };
    zug(&line(&whole));
    for checkpoints in [2, 9] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
        let mut child = command
            .args(line(&killed))
            .arg("--resume")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let metrics = Path::new(&killed).join("metrics.jsonl");
        let lines = || fs::read_to_string(&metrics).map_or(0, |text| text.lines().count());
        while lines() < checkpoints && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut again = line(&killed);
    again.push("--resume");
    zug(&again);
    for name in ["model.zug", "metrics.jsonl"] {
        let read = |run: &str| fs::read(Path::new(run).join(name)).unwrap();
        assert!(read(&whole) == read(&killed), "{name}");
    }
}
