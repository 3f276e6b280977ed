//! Nobody reads stderr any more, or some games of a file are broken: the work goes on.

mod support;

use std::fs;
use std::process::{Command, Stdio};
use support::zug_with;

#[test]
fn work_goes_on_when_nobody_reads_stderr() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [
        ("small", &["learn", "tic-tac-toe", "td", "--games", "200"][..]),
        ("chess", &["learn", "chess", "td", "--experiment", "fusc", "--games", "2"][..]),
    ] {
        let out = folder.path().join(name);
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(words)
            .args(["--out", out.to_str().unwrap()])
            .args((name == "chess").then_some(["--set", "nodes=50"]).into_iter().flatten())
            .args((name == "chess").then_some(["--set", "test-games=0"]).into_iter().flatten())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stderr.take());
        assert!(child.wait().unwrap().success(), "{name}");
        let status = fs::read_to_string(out.join("status.toml")).unwrap();
        assert!(status.contains("finished"), "{status}");
    }
    // An error has no reader either; it is still an error and no panic.
    let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["runs", "show", "no-such-run"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn broken_games_among_openings_are_told_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pgn");
    let play = |text: &str| {
        fs::write(&file, text).unwrap();
        let words = ["match", "random", "random", "--game", "chess", "--games", "4", "--json"];
        zug_with(&[&words[..], &["--openings", file.to_str().unwrap()]].concat(), "")
    };
    let (sound, illegal) = ("[Event \"a\"]\n\n1. e4 e5 *\n\n", "[Event \"b\"]\n\n1. e4 Ke4 *\n\n");
    let fen = "[Event \"c\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n\n";
    let output = play(&[sound, illegal, fen, sound].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("a.pgn: game 2, ply 1: ") && told.contains("a.pgn: game 3: "), "{told}");
    let output = play(&[illegal, fen].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && told.contains("game 1, ply 1: "), "{told}");
}
