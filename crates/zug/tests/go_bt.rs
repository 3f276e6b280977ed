//! `zug learn go patterns --method bt`, as a user would run it: on games made here, killed, gone on
//! with, asked, refused.

#[path = "support/go_games.rs"]
mod go_games;
mod support;
#[path = "support/talk.rs"]
mod talk;

use go_games::games;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use talk::{Folder, complaint, json, zug};

fn words<'a>(data: &'a str, out: &'a str) -> Vec<&'a str> {
    let mut words = vec!["learn", "go:9x9", "patterns", "--method", "bt", "--until", "1990"];
    words.extend(["--data", data, "--out", out]);
    for option in ["least=2", "thin=2", "passes=4", "batch=1", "rows=3000"] {
        words.extend(["--set", option]);
    }
    words
}

#[test]
fn a_model_is_learned_tested_on_later_games_and_asked() {
    let folder = Folder::new();
    let (data, out) = (games(&folder, 30, 9, 40), folder.path("model.zug"));
    fs::write(Path::new(&data).join("bad.sgf"), "(;SZ[9];B[aa];W[aa])").unwrap();
    fs::write(Path::new(&data).join("deep.sgf"), "(;".repeat(100_000)).unwrap();
    let page = folder.path("page.html");
    let mut line = words(&data, &out);
    line.extend(["--json", "--report", &page]);
    let told = json(&zug(&line));
    let figures = &told["figures"];
    // A third of the games is from 1990, the others are later.
    assert_eq!(
        (figures["games"].as_u64(), figures["test"]["games"].as_u64()),
        (Some(10), Some(20))
    );
    assert_eq!(figures["passed_over"].to_string(), r#"{"broken":1,"illegal-occupied":1}"#);
    assert!(figures["faults"].to_string().contains("illegal-occupied at move 2"), "{figures}");
    let first = figures["test"]["top1"]["value"].as_f64().unwrap();
    assert!(first > 0.03, "chance is about one in sixty: {first}");
    assert!(
        figures["passes"][3]["log_likelihood"].as_f64()
            > figures["passes"][0]["log_likelihood"].as_f64()
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Test on later games") && page.contains("breath-3"));
    assert!(!Path::new(&format!("{out}.parts")).exists());

    let game = format!("{data}/000.sgf");
    let asked = json(&zug(&["guess", "go", &game, "--move", "10", "--model", &out, "--json"]));
    assert!(asked.to_string().contains("probability"), "{asked}");
    let tested = json(&zug(&["guess", "go:9x9", "--test", &data, "--model", &out, "--json"]));
    assert_eq!(tested["games"], 30);
    // What learning says about later games is what the test says about them.
    let later = ["--from", "1991", "--json"];
    let tested =
        json(&zug(
            &[&["guess", "go:9x9", "--test", &data, "--model", &out][..], &later[..]].concat()
        ));
    assert_eq!(tested["total"], figures["test"]);
    let wrong = complaint(&["guess", "go", "--test", &data, "--model", &out, "--size", "19"]);
    assert!(wrong.contains("19"), "{wrong}");
}

#[test]
fn a_run_that_was_killed_ends_with_the_same_model() {
    let folder = Folder::new();
    let data = games(&folder, 60, 9, 60);
    let (whole, killed) = (folder.path("whole.zug"), folder.path("killed.zug"));
    let mut line = words(&data, &whole);
    line.extend(["--threads", "1"]);
    zug(&line);
    for checkpoints in [1, 2] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(words(&data, &killed))
            .args(["--resume", "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let parts = format!("{killed}.parts");
        let saved = || fs::read_dir(&parts).map_or(0, Iterator::count);
        while saved() < checkpoints && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut again = words(&data, &killed);
    again.push("--resume");
    zug(&again);
    assert!(fs::read(&whole).unwrap() == fs::read(&killed).unwrap());
}

#[test]
fn what_cannot_be_learned_is_refused_in_words() {
    let folder = Folder::new();
    let (data, out) = (games(&folder, 3, 9, 20), folder.path("model.zug"));
    let refused = |change: &[&str]| {
        let mut line = words(&data, &out);
        line.extend(change);
        complaint(&line)
    };
    assert!(refused(&["--set", "passes=0"]).contains("given twice"));
    assert!(refused(&["--set", "magic=1"]).contains("there is no option 'magic'"));
    assert!(refused(&["--set", "hide=2"]).contains("hide"));
    assert!(refused(&["--set", "games=none"]).contains("games"));
    let nothing = complaint(&["learn", "go:13x13", "patterns", "--data", &data, "--out", &out]);
    assert!(nothing.contains("no game is left of 3 files"), "{nothing}");
    let early = complaint(&[
        "learn", "go:9x9", "patterns", "--data", &data, "--until", "1900", "--out", &out,
    ]);
    assert!(early.contains("none of 3 games"), "{early}");
    let onto =
        |out: &str| complaint(&["learn", "go:9x9", "patterns", "--data", &data, "--out", out]);
    assert!(onto(&data).contains("this file is read"), "{}", onto(&data));
    let inside = folder.path("");
    assert!(onto(&inside).contains("folder"), "{}", onto(&inside));
    assert!(!Path::new(&out).exists());
}
