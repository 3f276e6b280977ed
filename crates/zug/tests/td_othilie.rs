//! `zug learn othello td` with the features of the thesis, run as a user or a script would: small
//! groups are learned, killed, resumed, drawn, and their polynomials put to the board.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use support::zug_with;
use talk::{Folder, complaint, json, zug};

/// A group small enough for a test.
fn words<'a>(group: &'a str, games: &'a str, out: &'a str) -> Vec<&'a str> {
    let mut words = vec!["learn", "othello", "td", "--group", group, "--games", games];
    words.extend(["--experiments", "2", "--seed", "3", "--out", out]);
    for option in ["depth=2", "test-games=10", "save-every=20"] {
        words.extend(["--set", option]);
    }
    words
}

/// All files but those that tell the time.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !["run.toml", "status.toml", "run.lock"].contains(&name.as_str()) {
                let short = path.strip_prefix(folder).expect("inside").to_path_buf();
                files.insert(short, std::fs::read(&path).expect("a file"));
            }
        }
    }
    files
}

#[test]
fn a_run_killed_again_and_again_ends_with_the_files_of_one_that_was_not() {
    let folder = Folder::new();
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    zug(&words("F", "300", &whole));
    let mut resume = false;
    for milliseconds in [60, 90, 130, 200] {
        let mut command = words("F", "300", &killed);
        command.extend(["--threads", "1"]);
        command.extend(resume.then_some("--resume"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(&command)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("zug starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        // SIGKILL; an error means that it has ended by itself.
        let _ = child.kill();
        child.wait().expect("zug ends");
        resume = Path::new(&killed).join("run.toml").exists();
    }
    let mut command = words("F", "300", &killed);
    command.extend(resume.then_some("--resume"));
    zug(&command);
    let (expected, mut found) = (tree(Path::new(&whole)), tree(Path::new(&killed)));
    // A writer that was killed may have left its temporary file.
    found.retain(|name, _| expected.contains_key(name));
    assert_eq!(found.len(), expected.len());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{} differs", name.display());
    }
}

#[test]
fn a_group_leaves_all_its_files_and_a_page() {
    let folder = Folder::new();
    let run = folder.path("run");
    let mut command = words("B", "30", &run);
    command.push("--json");
    let told = json(&zug(&command));
    let group = &told["figures"]["groups"]["B"];
    assert_eq!(group["settings"]["alpha"], "0.1");
    assert_eq!(group["settings"]["tau"], "moves");
    assert_eq!(group["experiments"].as_array().expect("experiments").len(), 2);
    assert!(group["q_start"].as_f64().expect("a number") > 5.0);
    let files = tree(Path::new(&run));
    for name in [
        "B/report.html",
        "B/similarity.dat",
        "B/features.gp",
        "B/feature-01.dat",
        "B/feature-42.dat",
        "B/B1/learning.dat",
        "B/B1/learning.gp",
        "B/B1/P_End.txt",
        "B/B1/polynomials.zug",
        "B/B2/first-test-P_0.txt",
        "B/B2/first-test-P_End.txt",
        "B/B2/third-test-P_End.txt",
        "B/B2/second-test.dat",
        "B/B2/second-test.gp",
    ] {
        assert!(files.contains_key(Path::new(name)), "{name} is missing");
    }
    let lines = |name: &str| -> Vec<String> {
        let text = String::from_utf8(files[Path::new(name)].clone()).expect("text");
        text.lines().map(str::to_string).collect()
    };
    // A head, P_0 and thirty games; game, ten statistics and 42 weights.
    assert_eq!(lines("B/B1/learning.dat").len(), 32);
    assert_eq!(lines("B/B1/learning.dat")[31].split(' ').count(), 53);
    assert_eq!(lines("B/B1/second-test.dat")[1].split(' ').count(), 6);
    assert_eq!(lines("B/B1/second-test.dat").len(), 31);
    assert_eq!(lines("B/feature-42.dat")[31].split(' ').count(), 3);
    zug(&["runs", "report", &run]);
    let page = std::fs::read_to_string(Path::new(&run).join("report.html")).expect("a page");
    for words in ["First test", "Third test", "Similarity", "second test", "thesis"] {
        assert!(page.contains(words), "{words}");
    }
    let white = format!("othilie:weights={run}/B/B1@7,depth=1");
    let game =
        zug(&["match", &white, "othilie:weights=E1,depth=1", "--game", "othello", "--games", "2"]);
    assert!(game.contains("othilie"), "{game}");
}

#[test]
fn a_person_plays_against_a_chosen_evaluation_function() {
    let words = ["play", "othello", "--white", "othilie:weights=E1,depth=2", "--black", "human"];
    let output = zug_with(&words, "moves\nf5\nquit\n");
    let shown = talk::text(&output.stdout);
    assert!(shown.contains("black 2, white 2"), "the score is shown: {shown}");
    assert!(shown.contains("f5"), "{shown}");
}

#[test]
fn wrong_wishes_are_refused_in_words() {
    let folder = Folder::new();
    let run = folder.path("run");
    let told = complaint(&["learn", "othello", "td", "--group", "Q", "--out", &run]);
    assert!(told.contains("beyond"), "{told}");
    for (option, expected) in
        [("tau=week", "moves, discs, none"), ("learn-depth=2", "td-leaf"), ("spin=1", "gate-score")]
    {
        let words = ["learn", "othello", "td", "--group", "A", "--out", &run, "--set", option];
        let told = complaint(&words);
        assert!(told.contains(expected), "{option}: {told}");
    }
    let words = ["learn", "othello", "td", "--group", "F", "--features", "mobility", "--out", &run];
    let told = complaint(&words);
    assert!(told.contains("features of its own"), "{told}");
    let told = complaint(&["play", "othello", "--white", "othilie:weights=none.txt"]);
    assert!(told.contains("none.txt"), "{told}");
}
