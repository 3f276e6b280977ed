//! `zug data`, run as a user would: what goes in comes out.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs `zug data` in a folder; whether it succeeded, its output and its complaints.
fn run(folder: &Path, words: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_zug"))
        .arg("data")
        .args(words)
        .current_dir(folder)
        .output()
        .expect("zug starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// Runs `zug data`, expects success, gives its complaints.
fn data(folder: &Path, words: &[&str]) -> String {
    let (good, out, err) = run(folder, words);
    assert!(good, "zug data {words:?} failed: {err}\n{out}");
    err
}

fn folder_with(name: &str, content: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), content).expect("a file");
    folder
}

fn read(folder: &TempDir, name: &str) -> String {
    String::from_utf8(fs::read(folder.path().join(name)).expect("the file is there")).unwrap()
}

const SGF: &str = "(;GM[1]SZ[9]XY[odd]C[root](;B[ee]C[main];W[cc])(;B[dd]N[other]))\n";

#[test]
fn sgf_to_sgf_keeps_variations_comments_and_unknown_properties_and_invents_nothing() {
    let folder = folder_with("v.sgf", SGF);
    assert_eq!(data(folder.path(), &["go", "convert", "v.sgf", "v2.sgf"]), "");
    assert_eq!(read(&folder, "v2.sgf"), SGF);
}

#[test]
fn pgn_to_pgn_keeps_variations_and_glyphs() {
    let moves = "1. e4 $1 {good} (1. d4 d5 {solid}) 1... e5 $6 *";
    let folder = folder_with("v.pgn", format!("[White \"A\"]\n\n{moves}\n"));
    assert_eq!(data(folder.path(), &["chess", "convert", "v.pgn", "v2.pgn"]), "");
    assert!(read(&folder, "v2.pgn").contains(moves));
}

#[test]
fn broken_games_stop_a_rewriting_or_are_left_out() {
    let folder = folder_with("v.sgf", format!("{SGF}(;GM[1]SZ[9];B[ee];W[ee])\n{SGF}"));
    let (good, _, err) = run(folder.path(), &["go", "convert", "v.sgf", "v2.sgf"]);
    assert!(!good && err.contains("record 2") && err.contains("--skip-broken"), "{err}");
    assert!(!folder.path().join("v2.sgf").exists());
    data(folder.path(), &["go", "convert", "v.sgf", "v2.sgf", "--skip-broken"]);
    assert_eq!(read(&folder, "v2.sgf"), format!("{SGF}{SGF}"));
}

#[test]
fn what_the_other_format_cannot_hold_is_told_in_one_line() {
    let folder = folder_with("v.sgf", SGF);
    let err = data(folder.path(), &["go", "convert", "v.sgf", "v.zgr"]);
    assert_eq!(err, "1 game has variations, which text files cannot hold\n");
    assert!(!data(folder.path(), &["go", "convert", "v.zgr", "back.sgf"]).contains("hold"));
    let back = read(&folder, "back.sgf");
    assert!(!back.contains("KM[") && !back.contains("RU["), "{back}");
    assert!(back.contains("C[main]"), "{back}");

    let game = "(;GM[Othello]PB[ada]PW[grace]RE[+2.00:r]TY[8]B[f5/+1.00]W[d6];)\n";
    let folder = folder_with("g.ggf", game);
    let err = data(folder.path(), &["othello", "convert", "g.ggf", "g.txt"]);
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.contains("1 game has remarks") && err.contains("Black"), "{err}");
}
