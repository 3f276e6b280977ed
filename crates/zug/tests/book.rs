//! `zug book` and players with books, run as a user would.

#[path = "book/shipped.rs"]
mod shipped;
mod support;
#[path = "support/talk.rs"]
mod talk;

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use talk::{Folder, complaint, json, zug};

/// A series of a learner against a deterministic player; the report, and the records of the games.
fn series(folder: &Folder, game: &str, players: [&str; 2], games: u32) -> (Value, Vec<Value>) {
    let journal = folder.path(&format!("{}.jsonl", fs::read_dir(&folder.0).unwrap().count()));
    let games = games.to_string();
    let words = ["--game", game, "--games", &games, "--journal", &journal, "--json"];
    let report = json(&zug(&[&["match", players[0], players[1]][..], &words].concat()));
    let played = fs::read_to_string(&journal).unwrap();
    let played = played.lines().skip(1).map(json).filter(|g| g["moves"].is_array()).collect();
    (report, played)
}

fn moves(game: &Value) -> String {
    let texts = game["moves"].as_array().unwrap().iter().map(|m| m["m"].as_str().unwrap());
    texts.collect::<Vec<_>>().join(" ")
}

/// Half points of the first participant.
fn points(game: &Value) -> u64 {
    match (game["winner"].as_u64(), game["players"][0].as_u64()) {
        (None, _) => 1,
        (Some(winner), Some(first)) => 2 * u64::from(winner == first),
        _ => panic!("{game}"),
    }
}

#[test]
fn a_learner_never_loses_a_game_twice_and_ends_above_where_it_began() {
    let folder = Folder::new();
    let book = folder.path("b.zug");
    let learner = format!("zug:depth=1,book={book},learn=on,draws=avoid");
    let (report, games) = series(&folder, "othello:6x6", [&learner, "pvs:depth=2"], 40);
    assert_eq!(report["learners"][0], learner.as_str());
    assert_eq!(report["course"].as_array().unwrap().len(), 40);
    let mut lost = HashSet::new();
    for game in &games {
        if points(game) < 2 {
            let as_first = game["players"][0] == 0;
            assert!(lost.insert((as_first, moves(game))), "lost again: {}", moves(game));
        }
    }
    let score = |games: &[Value]| games.iter().map(points).sum::<u64>();
    assert!(score(&games[30..]) > score(&games[..10]), "{}", report["course"]);
    // What was won as one colour is won again with it, and the same way unless a better was seen.
    let mut repeated = 0;
    for pair in [0, 1] {
        let of_colour: Vec<&Value> = games.iter().skip(pair).step_by(2).collect();
        for two in of_colour.windows(2).filter(|two| points(two[0]) == 2) {
            assert_eq!(points(two[1]), 2, "{}", moves(two[1]));
            repeated += u32::from(moves(two[0]) == moves(two[1]));
        }
    }
    assert!(repeated > 5, "{repeated}");
    let checked = json(&zug(&["book", "check", &book, "--json"]));
    assert_eq!((&checked["good"], &checked["games"]), (&true.into(), &40.into()));
    assert!(fs::metadata(&book).unwrap().len() > 0);
}

#[test]
fn the_same_series_gives_the_same_games_and_the_same_book() {
    let folder = Folder::new();
    let run = |name: &str, more: &[&str]| {
        let book = folder.path(name);
        let learner = format!("zug:depth=1,book={book},learn=on");
        let words = ["match", &learner, "pvs:depth=2", "--game", "connect4:5x4", "--games", "8"];
        let report = json(&zug(&[&words[..], &["--json"], more].concat()));
        (report["course"].clone(), fs::read(&book).unwrap())
    };
    let first = run("a.zug", &[]);
    assert_eq!(first, run("b.zug", &["--concurrency", "4"]));
}

#[test]
fn a_book_of_records_is_built_shown_checked_and_added_to() {
    let folder = Folder::new();
    let (games, book) = (folder.path("games.ggf"), folder.path("b.zug"));
    let names = folder.path("names.txt");
    fs::write(&names, "Parallel\tf5f4\nPerpendicular\tf5d6\nDiagonal\tf5f6\n").unwrap();
    zug(&["match", "zug:depth=1", "random", "--games", "12", "--out", &games]);
    let build = ["book", "build", "othello", &games, "--out", &book, "--names", &names];
    let limits = ["--plies", "6", "--depth", "2", "--threads", "2", "--json"];
    let built = json(&zug(&[&build[..], &limits].concat()));
    let positions = built["positions"].as_u64().unwrap();
    assert!(positions > 20 && built["games"] == 12 && built["names"] == 3, "{built}");

    let shown = json(&zug(&["book", "show", &book, "--json"]));
    assert_eq!(shown["games"], 12);
    assert_eq!(shown["in_book"], true);
    let moves = shown["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    assert!(shown["choice"]["move"].is_string(), "{shown}");
    // All four first moves are one, by symmetry.
    assert!(moves.iter().all(|m| m["chance"] == moves[0]["chance"]), "{shown}");
    let shown = json(&zug(&["book", "show", &book, "c4c5", "--json"]));
    assert_eq!(shown["name"], "Parallel");
    let shown = zug(&["book", "show", &book, "f5 d6"]);
    assert!(shown.contains("Perpendicular"), "{shown}");

    assert!(zug(&["book", "check", &book]).contains("the book is good"));
    let added = json(&zug(&[
        "book",
        "add",
        &book,
        "f5d6c3d3c4f4c5b3c2",
        "--result",
        "0-1",
        "--depth",
        "1",
        "--json",
    ]));
    assert_eq!(added["games_added"], 1);
    assert!(added["positions_added"].as_u64().unwrap() > 0, "{added}");
    assert!(zug(&["book", "check", &book]).contains("the book is good"));
}

#[test]
fn a_build_that_was_broken_off_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let games = folder.path("games.ggf");
    zug(&["match", "zug:depth=1", "random", "--games", "4", "--seed", "9", "--out", &games]);
    let build = |out: &str, more: &[&str]| {
        let words = ["book", "build", "othello", &games, "--out", out, "--plies", "8"];
        let limits = ["--depth", "2", "--exact", "8", "--self-play", "2"];
        [&words[..], &limits, more].concat().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let (whole, half) = (folder.path("whole.zug"), folder.path("half.zug"));
    let run = |words: &[String]| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        zug(&words)
    };
    run(&build(&whole, &["--threads", "2"]));
    // Killed at some moment: what the journal holds then is used.
    let words = build(&half, &["--threads", "1"]);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(&words)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let journal = format!("{half}.journal");
    for _ in 0..2000 {
        let begun = fs::read_to_string(&journal).is_ok_and(|t| t.lines().count() > 1);
        if begun || child.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
    if !fs::exists(&half).unwrap() {
        run(&build(&half, &["--threads", "2", "--resume"]));
    }
    assert_eq!(fs::read(&whole).unwrap(), fs::read(&half).unwrap());
    assert!(!fs::exists(&journal).unwrap());
}

#[test]
fn a_book_of_chess_learns_too_and_can_be_tended() {
    let folder = Folder::new();
    let book = folder.path("chess.zug");
    let learner = format!("zug:depth=1,book={book},learn=on");
    let words = ["match", &learner, "random", "--game", "chess", "--games", "2", "--json"];
    let report = json(&zug(&[&words[..], &["--seed", "3", "--max-plies", "160"]].concat()));
    assert_eq!(report["played"], 2);
    let checked = json(&zug(&["book", "check", &book, "--json"]));
    assert_eq!(checked["good"], true, "{checked}");
    assert!(checked["games"].as_u64().unwrap() >= 1);
    zug(&["book", "tend", &book, "--list", "--json"]);
    let lines = folder.path("lines.pgn");
    zug(&["book", "export", &book, "--out", &lines]);
    assert!(fs::read_to_string(&lines).unwrap().contains("1. "));
}

#[test]
fn suspicious_positions_are_looked_into_and_alternatives_searched_anew() {
    let folder = Folder::new();
    let book = folder.path("ttt.zug");
    // The first side throws its game away; the search knows better.
    zug(&["book", "add", &book, "a1 b2 c2 b1 b3 a3 c1", "--game", "tictactoe", "--depth", "1"]);
    let before = json(&zug(&["book", "check", &book, "--json"]));
    let listed = json(&zug(&["book", "tend", &book, "--list", "--least", "-5", "--json"]));
    assert!(listed.is_array());
    let tended = ["book", "tend", &book, "--games", "4", "--least", "-5", "--depth", "3", "--json"];
    let tended = json(&zug(&tended));
    assert!(tended["positions"].as_u64() >= before["positions"].as_u64(), "{tended}");
    let again = json(&zug(&["book", "reevaluate", &book, "--depth", "9", "--json"]));
    assert!(again["searched"].as_u64().unwrap() > 0);
    assert_eq!(json(&zug(&["book", "check", &book, "--json"]))["good"], true);
    let out = folder.path("positions.jsonl");
    zug(&["book", "export", &book, "--out", &out]);
    assert!(fs::read_to_string(&out).unwrap().lines().all(|l| json(l)["position"].is_string()));
}

#[test]
fn damage_is_named_and_the_book_before_is_used() {
    let folder = Folder::new();
    let book = folder.path("b.zug");
    let add = |moves: &str| {
        zug(&["book", "add", &book, moves, "--game", "tictactoe", "--depth", "1"]);
    };
    add("a1 b2 c1 b1 b3 a3 c3 c2 a2");
    let mut bytes = fs::read(&book).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&book, &bytes).unwrap();
    let said = complaint(&["book", "show", &book]);
    assert!(said.contains("b.zug") && said.contains("block"), "{said}");
    let player = format!("zug:book={book}");
    assert!(complaint(&["match", &player, "random", "--game", "tictactoe"]).contains("b.zug"));
    fs::remove_file(&book).unwrap();
    add("a1 b2 c1 b1 b3 a3 c3 c2 a2");
    add("b2 a1 a2 c2 b1 b3 a3 c1 c3");
    let mut bytes = fs::read(&book).unwrap();
    bytes[middle] ^= 0x55;
    fs::write(&book, &bytes).unwrap();
    let output = support::zug_with(&["book", "show", &book, "--json"], "");
    let said = talk::text(&output.stderr);
    assert!(output.status.success() && said.contains("b.zug.bak"), "{said}");
    assert_eq!(json(&talk::text(&output.stdout))["book"]["games"], 1);
}

#[test]
fn bad_orders_are_refused_in_words() {
    let folder = Folder::new();
    let book = folder.path("b.zug");
    let none = folder.path("none.zug");
    assert!(complaint(&["book", "show", &none]).contains("none.zug"));
    assert!(complaint(&["book", "add", &none, "f5d6"]).contains("--game"));
    assert!(complaint(&["book", "build", "othello", "--out", &book]).contains("--self-play"));
    assert!(
        complaint(&["book", "add", &none, "e9", "--game", "othello"]).contains("neither a file")
    );
    let learner = format!("zug:book={none}");
    assert!(complaint(&["match", &learner, "random"]).contains("none.zug"));
    assert!(complaint(&["match", "zug:learn=on", "random"]).contains("book=FILE"));
    assert!(complaint(&["match", "zug", "random", "--plot", &book]).contains("nobody learns"));
    zug(&["book", "add", &book, "a1 b2", "--game", "tictactoe", "--depth", "1"]);
    let learner = format!("zug:book={book}");
    assert!(complaint(&["match", &learner, "random"]).contains("tictactoe"));
    assert!(complaint(&["book", "show", &book, "z9"]).contains("neither a position nor moves"));
}
