//! Files of books: several processes at once, damage, places that cannot be written, wrong words.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use std::process::{Command, Stdio};
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};

/// Several processes at once; all must succeed.
fn at_once(orders: &[Vec<String>]) {
    let start = |words: &Vec<String>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
        command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("zug")
    };
    let running: Vec<_> = orders.iter().map(start).collect();
    for process in running {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_string).collect()
}

#[test]
fn processes_that_add_to_one_book_at_once_lose_no_game() {
    let folder = Folder::new();
    let book = folder.path("b.zug");
    let lines = ["f5d6c3", "f5f6e6", "f5f4e3", "f5d6c4", "f5f6d3", "f5d6c5"];
    let add = |moves: &&str| {
        words(&format!("book add {book} {moves} --game othello --depth 1 --result 1-0"))
    };
    at_once(&lines.iter().map(add).collect::<Vec<_>>());
    let checked = json(&zug(&["book", "check", &book, "--json"]));
    assert_eq!((&checked["games"], &checked["good"]), (&6.into(), &true.into()), "{checked}");
}

#[test]
fn learners_of_several_processes_lose_no_game() {
    let folder = Folder::new();
    let book = folder.path("b.zug");
    let play = |opponent: &str| {
        let learner = format!("zug:depth=1,book={book},learn=on");
        words(&format!("match {learner} {opponent} --game connect4:5x4 --games 12"))
    };
    at_once(&[play("pvs:depth=1"), play("pvs:depth=2"), play("random")]);
    let checked = json(&zug(&["book", "check", &book, "--json"]));
    assert_eq!((&checked["games"], &checked["good"]), (&36.into(), &true.into()), "{checked}");
}

#[test]
fn a_damaged_book_is_not_good_even_if_the_one_before_it_is() {
    let folder = Folder::new();
    let book = folder.path("b.zug");
    for moves in ["f5d6c3", "f5f6e6"] {
        let added = zug(&["book", "add", &book, moves, "--game", "othello", "--depth", "1"]);
        assert!(added.starts_with("1 game added, "), "{added}");
    }
    let mut bytes = fs::read(&book).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    fs::write(&book, &bytes).unwrap();
    for has_older in [true, false] {
        if !has_older {
            fs::remove_file(format!("{book}.bak")).unwrap();
        }
        let output = zug_with(&["book", "check", &book, "--json"], "");
        assert_eq!(output.status.code(), Some(1));
        let told = json(&text(&output.stdout));
        assert_eq!(told["good"], false);
        assert!(told["faults"][0]["what"].as_str().unwrap().contains("b.zug"), "{told}");
        assert!(complaint(&["book", "check", &book]).contains("the book is not good"));
    }
    let said = complaint(&["book", "copy", &book, &folder.path("c.zug")]);
    assert_eq!(said.matches("b.zug").count(), 1, "{said}");
}

#[test]
fn a_book_that_cannot_be_written_is_refused_before_the_first_game() {
    let folder = Folder::new();
    let learner = format!("zug:depth=1,book={},learn=on", folder.path("none/b.zug"));
    let said = complaint(&["match", &learner, "random", "--game", "tictactoe", "--games", "2"]);
    assert!(said.contains("there is no folder"), "{said}");
    assert!(!said.contains("lost"), "{said}");
    let missing = format!("zug:depth=1,book={}", folder.path("b.zug"));
    let said = complaint(&["match", &missing, "random", "--game", "tictactoe", "--games", "2"]);
    assert!(said.contains("no file") && said.contains("learn=on"), "{said}");
}

#[test]
fn wrong_words_about_books_are_refused_in_words() {
    let folder = Folder::new();
    let book = folder.path("b.zug");
    zug(&["book", "add", &book, "f5d6c3", "--game", "othello", "--depth", "1"]);
    let said = complaint(&["book", "add", &book, "f5d6", "--game", "chess"]);
    assert!(said.contains("is a book of othello, not of chess"), "{said}");
    let said = complaint(&["book", "tend", &book, "--least", "nan"]);
    assert!(said.contains("expected a number"), "{said}");
    let out = folder.path("o.zug");
    let build = ["book", "build", "tictactoe", "--self-play", "2", "--out", &out];
    let said = complaint(&[&build[..], &["--player", "random"]].concat());
    assert!(said.contains("'random' does not search"), "{said}");
    let said = complaint(&["book", "show", &book, "f5 f5"]);
    assert!(said.contains("illegal move 2"), "{said}");
    let said = complaint(&["book", "tend", "shipped"]);
    assert!(said.contains("zug book copy"), "{said}");
}

#[test]
fn the_shipped_book_lists_what_is_suspicious() {
    zug(&["book", "tend", "shipped", "--list"]);
}

#[test]
fn self_play_says_when_it_finds_nothing_new() {
    let folder = Folder::new();
    let out = folder.path("o.zug");
    let build = ["book", "build", "tictactoe", "--self-play", "50", "--depth", "9", "--out", &out];
    let output = zug_with(&build, "");
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("of 50 games of self-play"), "{output:?}");
}

#[test]
fn a_match_of_a_learner_tells_its_course_and_no_error_of_independent_games() {
    let folder = Folder::new();
    let learner = format!("zug:depth=1,book={},learn=on", folder.path("b.zug"));
    let order = ["match", &learner, "pvs", "--game", "tictactoe", "--games", "4"];
    let told = zug(&order);
    assert!(told.contains("games of a learner depend on each other"), "{told}");
    assert!(told.contains("game after game: ") && !told.contains("±"), "{told}");
    assert!(told.contains("limit of pvs: movetime=0.1"), "{told}");
    let games = folder.path("x.txt");
    zug(&["match", "zug:depth=1", "random", "--game", "othello", "--games", "2", "--out", &games]);
    assert_eq!(fs::read_to_string(&games).unwrap().lines().count(), 2);
}

#[test]
fn a_book_may_be_named_before_learning_is_switched_on() {
    let folder = Folder::new();
    let book = folder.path("u.zug");
    let talk = |options: [&str; 2]| {
        let script = format!("{}\n{}\ngo depth 1\nquit\n", options[0], options[1]);
        text(&zug_with(&["engine", "uci"], &script).stdout)
    };
    let (named, on) =
        (format!("setoption name Book value {book}"), "setoption name Learn value true");
    let out = talk([&named, on]);
    assert!(out.contains("it begins when Learn is on"), "{out}");
    assert!(!out.contains("error") && out.contains("bestmove "), "{out}");
    let out = talk([on, &named]);
    assert!(!out.contains("info string") && out.contains("bestmove "), "{out}");
    let out = talk([&named, "isready"]);
    assert!(out.contains("error: there is no book") && out.contains("bestmove "), "{out}");
}
