//! `zug learn chess td` where things go wrong: opponents that hang or crash, and a run that is stopped
//! in its tests.
#![cfg(unix)]

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use talk::{Folder, complaint, json, text, zug};

/// A UCI engine that does this when it is asked for a move.
fn engine(folder: &Folder, name: &str, on_go: &str) -> String {
    let path = folder.path(name);
    let script = format!(
        "#!/bin/sh\n\
         while read word rest; do\n\
           case $word in\n\
             uci) echo 'id name {name}'; echo uciok;;\n\
             isready) echo readyok;;\n\
             go) {on_go};;\n\
             quit) exit 0;;\n\
           esac\n\
         done\n"
    );
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

const HANGS: &str = "while read word; do :; done";

#[test]
fn an_opponent_that_hangs_is_given_up_and_the_run_goes_on() {
    let folder = Folder::new();
    let (hangs, out) = (engine(&folder, "hangs", HANGS), folder.path("run"));
    let opponents = format!("opponents=uci:cmd={hangs};zug:model=hand,depth=1,hash=1M");
    let mut words = vec!["learn", "chess", "td", "--experiment", "knightcap1", "--games", "4"];
    // Two seconds and not one: the greeting, which falls under it too, may be slow on a busy machine.
    for option in
        [&opponents, "matched=no", "patience=2", "nodes=50", "test-games=0", "most-plies=60"]
    {
        words.extend(["--set", option]);
    }
    words.extend(["--seed", "1", "--threads", "2", "--out", &out]);
    let told = json(&zug(&[&words[..], &["--json"]].concat()));
    let variant = &told["figures"]["variants"]["knightcap1"];
    assert_eq!((&variant["games"], &variant["broken"]), (&4.into(), &2.into()), "{variant}");
    let rows = fs::read_to_string(Path::new(&out).join("knightcap1-1/games.jsonl")).unwrap();
    let rows: Vec<_> = rows.lines().map(json).collect();
    assert_eq!(rows.len(), 4);
    for row in &rows[..2] {
        assert_eq!((&row["rejected"], &row["moved"]), (&"broken".into(), &0.into()), "{row}");
    }
    assert!(rows[2..].iter().all(|row| row["rejected"] != "broken"));
    let without = words.iter().map(|w| w.replace("patience=2", "patience=0")).collect::<Vec<_>>();
    let told = complaint(&without.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(told.contains("patience"), "{told}");
}

#[test]
fn a_run_whose_games_are_all_broken_gives_up_and_can_go_on() {
    let folder = Folder::new();
    let (crashes, out) = (engine(&folder, "crashes", "exit 3"), folder.path("run"));
    let opponents = format!("opponents=uci:cmd={crashes}");
    let mut words = vec!["learn", "chess", "td", "--experiment", "knightcap1", "--games", "6"];
    for option in [&opponents, "nodes=50", "test-games=0", "openings=start"] {
        words.extend(["--set", option]);
    }
    words.extend(["--seed", "1", "--threads", "1", "--out", &out]);
    let told = complaint(&[&words[..], &["--set", "give-up=3"]].concat());
    for part in [&*crashes, "3 broken in a row", "crashed", "movetime=10ms", "--resume"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("testing"), "{told}");
    let journal = Path::new(&out).join("knightcap1-1/games.jsonl");
    let rows = || fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(rows(), 3);
    let pgn = fs::read_to_string(Path::new(&out).join("knightcap1-1/games.pgn")).unwrap();
    assert!(pgn.contains("after 1 game\"") && pgn.contains("after 2 games\""), "{pgn}");
    let stored = fs::read_to_string(Path::new(&out).join("results.json")).unwrap();
    assert_eq!(json(&stored)["variants"]["knightcap1"]["broken"], 3, "{stored}");
    zug(&[&words[..], &["--set", "give-up=0", "--resume"]].concat());
    assert_eq!(rows(), 6);
}

#[test]
fn a_script_that_cannot_learn_fails_and_says_why() {
    let folder = Folder::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/learn-chess");
    let program = folder.path("program");
    let broken = "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho 'no such thing' >&2\nexit 1\n";
    fs::write(&program, broken).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    for (program, why) in [("/nowhere/zug", "cannot run /nowhere/zug"), (&*program, "no games")] {
        let out = folder.path("learned");
        let output =
            Command::new("bash").args([script, program, &out, "60", "1"]).output().unwrap();
        let (said, errors) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{said}{errors}");
        assert!(errors.contains(why) && !said.contains("done"), "{said}{errors}");
        assert!(why != "no games" || errors.contains("no such thing"), "{errors}");
    }
}

#[test]
fn broken_games_are_no_games_for_the_check_of_a_single_step() {
    let folder = Folder::new();
    let (crashes, out) = (engine(&folder, "crashes", "exit 3"), folder.path("run"));
    let opponents = format!("opponents=uci:cmd={crashes}");
    let words = ["learn", "chess", "td", "--experiment", "trex", "--games", "2", "--out", &out];
    let told = zug(&[&words[..], &["--set", &opponents, "--set", "nodes=50"]].concat());
    assert!(told.contains("2 games, 0 lost"), "{told}");
    assert!(told.contains("2 broken and left out, the first by"), "{told}");
}

#[test]
fn a_run_that_is_stopped_in_its_tests_tells_what_it_has() {
    let folder = Folder::new();
    let (hangs, out) = (engine(&folder, "hangs", HANGS), folder.path("run"));
    let mut words = vec!["learn", "chess", "td", "--experiment", "knightcap1", "--games", "4"];
    let testers = format!("testers=start;uci:cmd={hangs}");
    for option in [
        &testers,
        "patience=3600",
        "opponents=random",
        "nodes=50",
        "test-games=2",
        "tests-at=2",
        "most-plies=60",
    ] {
        words.extend(["--set", option]);
    }
    words.extend(["--seed", "1", "--threads", "2", "--out", &out, "--json"]);
    let child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The end of the curve is tested first; against the other tester no game ever ends.
    let test = Path::new(&out).join("knightcap1-1/tests/000004-1.json");
    for _ in 0..6000 {
        if test.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.contains("--resume"), "{errors}");
    let told = json(&said);
    assert_eq!(told["stopped"], true);
    let variant = &told["figures"]["variants"]["knightcap1"];
    assert_eq!(variant["games"], 4);
    let curve = variant["curve"].as_array().unwrap();
    assert_eq!(curve.last().unwrap()["games"], 4, "{variant}");
    let stored = fs::read_to_string(Path::new(&out).join("results.json")).unwrap();
    assert_eq!(json(&stored)["stopped"], true);
    let page = folder.path("page.html");
    zug(&["runs", "report", &out, "--out", &page]);
    assert!(fs::read_to_string(page).unwrap().contains("Learning curve"));
}
