//! `zug solve`, run as a user would: right answers, wrong files, and Ctrl-C.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};
use zug_core::Game;
use zug_core::seed::RngExt;
use zug_othello::{Board, Othello, Position};

const LATE: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

/// The position of a random game that has this many empty squares, or fewer where it ended.
fn late(seed: u64, empties: u32) -> Position {
    let (game, mut rng) = (Othello::default(), zug_core::rng(seed, 0));
    let mut position = game.start();
    let mut moves = Vec::new();
    while Board::from(&position).empties() > empties && game.outcome(&position).is_none() {
        moves.clear();
        game.moves(&position, &mut moves);
        position.play(moves[rng.random_range(0..moves.len())]);
    }
    position
}

fn written(position: &Position) -> String {
    Othello::default().write_position(position)
}

#[test]
fn a_file_is_solved_position_by_position_and_compared_with_its_scores() {
    let folder = Folder::new();
    let path = folder.path("own.obf");
    let positions: Vec<Position> = (0..8).map(|seed| late(seed, 4 + seed as u32)).collect();
    let scores: Vec<i32> =
        positions.iter().map(|p| zug_othello::solve::score(Board::from(p))).collect();
    let mut file = String::from("% own positions\n\n");
    for position in &positions {
        file.push_str(&format!("{};\n", written(position)));
    }
    std::fs::write(&path, &file).unwrap();
    let report = json(&zug(&[
        "solve",
        "othello",
        &path,
        "--json",
        "--check",
        "--every-move",
        "--hash",
        "1",
    ]));
    assert_eq!(report["unit"], "discs");
    let solved = report["positions"].as_array().unwrap();
    assert_eq!(solved.len(), 8);
    for (i, (entry, score)) in solved.iter().zip(&scores).enumerate() {
        assert_eq!(entry["score"], *score, "{entry}");
        assert_eq!(entry["number"], i + 1);
        assert_eq!(entry["line"], i + 3);
        assert_eq!(entry["empties"], 4 + i);
        assert!(entry["nodes"].as_u64().unwrap() > 0 && entry["cpu_seconds"].is_number());
        let best = entry["every_move"].as_array().unwrap().first();
        assert_eq!(best.map(|m| &m["score"]), best.map(|_| &entry["score"]));
        assert!(entry["right"].is_null() && entry["wrong"].is_null(), "{entry}");
    }
    let totals = &report["totals"];
    assert_eq!((&totals["positions"], &totals["stopped"]), (&8.into(), &false.into()));
    let nodes: u64 = solved.iter().map(|e| e["nodes"].as_u64().unwrap()).sum();
    assert_eq!(totals["nodes"], nodes);

    // The same with scores: all right, and one that is wrong is found.
    let every = |shift: i32| {
        let mut file = String::new();
        for (i, entry) in solved.iter().enumerate() {
            file.push_str(&format!("{};", entry["position"].as_str().unwrap()));
            for mv in entry["every_move"].as_array().unwrap() {
                let wrong = if i == 5 { shift } else { 0 };
                let value = mv["score"].as_i64().unwrap() as i32 + wrong;
                let name = mv["move"].as_str().unwrap();
                file.push_str(&format!(" {name}:{value:+};"));
            }
            file.push('\n');
        }
        file
    };
    std::fs::write(&path, every(0)).unwrap();
    let out =
        zug(&["solve", "othello", &path, "--mode", "outcome", "--model", "none", "--hash", "1"]);
    assert!(out.contains("8 right, 0 wrong") && out.contains("8 positions:"), "{out}");
    let out = zug(&["solve", "othello", &path, "--first", "3", "--last", "4", "--threads", "2"]);
    assert!(out.contains("2 right, 0 wrong"), "{out}");
    std::fs::write(&path, every(2)).unwrap();
    let output = zug_with(&["solve", "othello", &path, "--json", "--hash", "1"], "");
    assert_eq!(output.status.code(), Some(1));
    let report = json(&text(&output.stdout));
    assert_eq!((&report["totals"]["right"], &report["totals"]["wrong"]), (&7.into(), &1.into()));
    assert_eq!(report["positions"][5]["right"], false);
    assert!(
        complaint(&["solve", "othello", &path, "--hash", "1"]).contains("WRONG: the file says")
    );
}

#[test]
fn the_best_move_must_be_one_of_the_best_that_are_listed() {
    let all = json(&zug(&["solve", "othello", LATE, "--every-move", "--json", "--hash", "1"]));
    let moves = all["positions"][0]["every_move"].as_array().unwrap().clone();
    assert_eq!((&moves[0]["move"], &moves[0]["score"]), (&"h5".into(), &6.into()));
    // The best score is right, but it is said of another move.
    let mut line = format!("{LATE}; {}:+6;", moves[1]["move"].as_str().unwrap());
    for mv in [&moves[0], &moves[2], &moves[3]] {
        line.push_str(&format!(" {}:-20;", mv["move"].as_str().unwrap()));
    }
    let output = zug_with(&["solve", "othello", "-", "--hash", "1"], &line);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("the file says -20 for h5"));
}

#[test]
fn passes_finished_games_and_boards_of_one_colour_have_right_answers() {
    let one = |position: &str| {
        let report =
            json(&zug(&["solve", "othello", position, "--json", "--check", "--hash", "1"]));
        report["positions"][0].clone()
    };
    let black = format!("{} X", "X".repeat(64));
    assert_eq!((&one(&black)["score"], &one(&black)["move"]), (&64.into(), &().into()));
    let lone = format!("X{} O", "-".repeat(63));
    assert_eq!((&one(&lone)["score"], &one(&lone)["outcome"]), (&(-64).into(), &"lost".into()));
    let empty = format!("{} O", "-".repeat(64));
    assert_eq!((&one(&empty)["score"], &one(&empty)["outcome"]), (&0.into(), &"drawn".into()));
    // Only a pass is legal for the side to move.
    let position = (0..).map(|seed| late(seed, 7)).find(|p| {
        let board = Board::from(p);
        board.moves() == 0 && board.replies() != 0
    });
    let position = position.unwrap();
    let pass = one(&written(&position));
    assert_eq!((&pass["move"], &pass["moves"][0]), (&"pass".into(), &"pass".into()));
    assert_eq!(pass["score"], zug_othello::solve::score(Board::from(&position)));
    let every = json(&zug(&["solve", "othello", &written(&position), "--every-move", "--json"]));
    assert_eq!(every["positions"][0]["every_move"][0]["move"], "pass");
}

#[test]
fn bad_input_is_named_with_its_place() {
    let folder = Folder::new();
    let path = folder.path("bad.obf");
    let long = format!("{LATE}; {}", "x".repeat(70_000));
    let square = format!("Z{}", &LATE[1..]);
    for (bad, word) in [
        (square.as_str(), "byte 0"),
        (&LATE[3..], "64 squares"),
        (&LATE[..64], "the side to move"),
        ("XO", "64 squares"),
        (&format!("{LATE}; A1:+2;"), "line 3"),
        (&format!("{LATE}; H5:+99;"), "64"),
        (long.as_str(), "65536"),
        ("\u{0}\u{1}", "line 3"),
    ] {
        std::fs::write(&path, format!("{LATE};\n% next\n{bad}\n")).unwrap();
        let said = complaint(&["solve", "othello", &path, "--hash", "1"]);
        assert!(said.contains("bad.obf") && said.contains("line 3"), "{bad}: {said}");
        assert!(said.contains(word), "{word}: {said}");
        // It is found before anything is solved, and nothing is summed up.
        assert!(!said.contains("nodes"), "{said}");
    }
    std::fs::write(&path, "\n% nothing\n").unwrap();
    assert!(complaint(&["solve", "othello", &path]).contains("no position"));
    std::fs::write(&path, format!("{LATE}\n")).unwrap();
    let beyond = complaint(&["solve", "othello", &path, "--first", "2"]);
    assert!(beyond.contains("only 1 position"), "{beyond}");
    for (words, word) in [
        (vec!["othello", "missing.obf"], "no file missing.obf"),
        (vec!["othello", "."], "folder"),
        (vec!["othello", "start"], "60 cells are empty"),
        (vec!["othello", "XOX"], "neither a file nor a position"),
        (vec!["othello", LATE, "--first", "3", "--last", "2"], "--first 3"),
        (vec!["othello", LATE, "--hash", "0"], "a size"),
        (vec!["othello", LATE, "--model", "dreams"], "dreams"),
        (vec!["othello", LATE, "--mode", "outcome", "--every-move"], "--every-move"),
        (vec!["chess", "start"], "zug db build chess:KRvKN"),
        (vec!["dodgem", "start"], "zug db build dodgem"),
        (vec!["go", "start"], "zug analyse"),
        (vec!["othello:6x6", "start"], "othello"),
    ] {
        let words: Vec<&str> = ["solve"].into_iter().chain(words).collect();
        let said = complaint(&words);
        assert!(said.contains(word), "{words:?}: {said}");
    }
}

#[test]
fn a_journal_keeps_answers_and_only_its_own() {
    let folder = Folder::new();
    let (file, journal) = (folder.path("own.obf"), folder.path("own.jsonl"));
    std::fs::write(&file, format!("{LATE}\n{}\n", written(&late(1, 6)))).unwrap();
    let words = ["solve", "othello", &file, "--out", &journal, "--json", "--hash", "1"];
    let first = json(&zug(&[&words[..], &["--last", "1"]].concat()));
    assert_eq!(std::fs::read_to_string(&journal).unwrap().lines().count(), 2);
    // A line that was cut off is solved again.
    let mut kept = std::fs::read_to_string(&journal).unwrap();
    kept.push_str("{\"position\":");
    std::fs::write(&journal, kept).unwrap();
    let whole = json(&zug(&words));
    assert_eq!(whole["positions"].as_array().unwrap().len(), 2);
    // Times differ from run to run, unless they are the old ones.
    assert_eq!(whole["positions"][0], first["positions"][0]);
    assert_eq!(json(&zug(&words))["positions"], whole["positions"]);
    let other = complaint(&[&words[..], &["--mode", "outcome"]].concat());
    assert!(other.contains("another command"), "{other}");
    let before = std::fs::read_to_string(&file).unwrap();
    let same = complaint(&["solve", "othello", &file, "--out", &file]);
    assert!(same.contains("another name"), "{same}");
    let foreign = folder.path("notes.txt");
    std::fs::write(&foreign, "dear diary\n").unwrap();
    let said = complaint(&["solve", "othello", &file, "--out", &foreign]);
    assert!(said.contains("line 1: expected a journal"), "{said}");
    assert!(said.matches("notes.txt").count() == 1 && !said.contains("column"), "{said}");
    assert_eq!(std::fs::read_to_string(&foreign).unwrap(), "dear diary\n");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn ctrl_c_leaves_what_was_solved() {
    let folder = Folder::new();
    let path = folder.path("long.obf");
    // Nobody waits for the end of this.
    let early = written(&late(1, 50));
    std::fs::write(&path, format!("{LATE}\n{early}\n")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["solve", "othello", &path, "--hash", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut seen = String::new();
    while !seen.contains("h5") {
        assert_ne!(out.read_line(&mut seen).unwrap(), 0, "{seen}");
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    out.read_to_string(&mut seen).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{seen}");
    assert!(seen.contains("+6"), "{seen}");
}
