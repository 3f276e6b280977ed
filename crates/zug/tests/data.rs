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
    assert!(!good && err.contains("game 2") && err.contains("--skip-broken"), "{err}");
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

#[test]
fn a_missing_file_is_called_missing_and_endings_are_listed_once() {
    let folder = folder_with("games.odd", "1. e4 *");
    for words in [&["chess", "stats", "none"][..], &["chess", "convert", "none", "out.pgn"]] {
        let (good, _, err) = run(folder.path(), words);
        assert!(!good && err.contains("No such file") && !err.contains("end in"), "{err}");
    }
    let (good, _, err) = run(folder.path(), &["othello", "stats", "games.odd"]);
    assert!(!good && err.matches(".txt").count() == 1, "{err}");
}

#[test]
fn compressed_records_are_read_and_written() {
    let pgn = "[White \"A\"]\n\n1. e4 e5 *\n\n";
    let folder = folder_with("games.pgn.zst", zstd::encode_all(pgn.as_bytes(), 0).unwrap());
    for path in ["games.pgn.zst", "."] {
        let (good, out, err) = run(folder.path(), &["chess", "stats", path]);
        assert!(good && out.contains("1 file, 1 records, 2 plies"), "{out}{err}");
    }
    data(folder.path(), &["chess", "convert", "games.pgn.zst", "plain.pgn"]);
    assert!(read(&folder, "plain.pgn").contains("1. e4 e5 *"));
    data(folder.path(), &["chess", "convert", "plain.pgn", "again.pgn.zst"]);
    let packed = fs::read(folder.path().join("again.pgn.zst")).unwrap();
    assert_eq!(zstd::decode_all(packed.as_slice()).unwrap(), read(&folder, "plain.pgn").as_bytes());
    fs::write(folder.path().join("bad.pgn.zst"), "1. e4 *").unwrap();
    let (good, _, err) = run(folder.path(), &["chess", "stats", "bad.pgn.zst"]);
    assert!(!good && err.contains("bad.pgn.zst"), "{err}");
}

/// A few kilobytes that unpack to far more than the memory that `zug` may have here.
#[cfg(target_os = "linux")]
#[test]
fn packed_files_are_read_in_little_memory() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let pack = |name: &str, piece: &[u8]| {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        let mut packer = zstd::Encoder::new(file, 1).unwrap();
        for _ in 0..(1200 << 20) / piece.len() {
            packer.write_all(piece).unwrap();
        }
        packer.finish().unwrap();
    };
    for (game, name, piece) in [
        ("chess", "x.pgn.zst", vec![0; 1 << 20]),
        ("go", "x.sgf.zst", vec![0; 1 << 20]),
        ("tictactoe", "x.zgr.zst", vec![b'a'; 1 << 20]),
        ("othello", "x.txt.zst", vec![b'\t'; 1 << 20]),
    ] {
        pack(name, &piece);
        let zug = env!("CARGO_BIN_EXE_zug");
        let command = format!("ulimit -v 900000; exec '{zug}' data {game} stats {name}");
        let run = Command::new("bash").args(["-c", &command]).current_dir(folder.path()).output();
        let run = run.unwrap();
        let said = [run.stdout, run.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(matches!(run.status.code(), Some(0..=2)), "{name}: {:?} {said}", run.status);
        assert!(!said.contains("memory allocation"), "{name}: {said}");
    }
}

#[test]
fn names_beside_a_tournament_base_are_written_and_numbers_come_back() {
    use zug_othello::records::names::{Kind, write};
    let mut game = [0; 16 + 68];
    game[4] = 1;
    game[10..15].copy_from_slice(&[0xD4, 0x07, 8, 0, 22]);
    // Tournament 1, black 1, white 0, 40 discs, 36 at best; f5.
    game[16..25].copy_from_slice(&[1, 0, 1, 0, 0, 0, 40, 36, 56]);
    let folder = folder_with("WTH_2004.wtb", game);
    let save = |name: &str, bytes: Vec<u8>| fs::write(folder.path().join(name), bytes).unwrap();
    save("WTH.JOU", write(Kind::Players, &["Ada", "Grace"]).unwrap());
    save("wth.trn", write(Kind::Tournaments, &["Open", "Cup"]).unwrap());
    data(folder.path(), &["othello", "convert", "WTH_2004.wtb", "w.ggf"]);
    let ggf = read(&folder, "w.ggf");
    assert!(ggf.contains("PB[Grace]PW[Ada]") && ggf.contains("EV[Cup]"), "{ggf}");
    let err = data(folder.path(), &["othello", "convert", "w.ggf", "back.wtb"]);
    assert!(err.contains("(Black, Event, White)"), "names are left out, numbers are not: {err}");
    assert_eq!(fs::read(folder.path().join("back.wtb")).unwrap(), game);
}
