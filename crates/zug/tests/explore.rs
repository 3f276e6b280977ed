//! `zug explore` for games other than Go: records of our own making.

mod support;
#[path = "support/talk.rs"]
mod talk;

use serde_json::Value;
use std::fs;
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};

const GAMES: &str = r#"[Event "Cup"]
[White "Ann"]
[Black "Bob"]
[Date "1999.03.02"]
[WhiteElo "2400"]
[BlackElo "2300"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 1-0

[White "Cid"]
[Black "Ann"]
[Date "2005.??.??"]

1. Nf3 c5 2. e4 d6 3. Bb5+ 1/2-1/2

[White "Dan"]
[Black "Eve"]
[Date "2010.01.01"]

1. d4 d5 2. Ke3 0-1

[White "Eve"]
[Black "Dan"]

1. d4 d5 0-1
"#;

fn chess(folder: &Folder) -> String {
    let path = folder.path("games.pgn");
    fs::write(&path, GAMES).unwrap();
    path
}

fn ask(game: &str, data: &str, words: &[&str]) -> Value {
    let mut all = vec!["explore", game, "--data", data, "--json"];
    all.extend(words);
    let mut told = json(&zug(&all));
    for key in ["milliseconds", "source"] {
        assert!(told.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    for key in ["skipped", "faults"] {
        told.as_object_mut().unwrap().remove(key);
    }
    told
}

#[test]
fn games_of_chess_are_looked_up_with_and_without_an_index() {
    let folder = Folder::new();
    let (games, index, names) = (chess(&folder), folder.path("index.zug"), folder.path("eco.tsv"));
    fs::write(&names, "eco\tname\tpgn\nB20\tSicilian Defence\t1. e4 c5\n").unwrap();
    let words =
        ["explore", "chess", "--data", &games, "--names", &names, "--build", &index, "--json"];
    let built = json(&zug(&words));
    assert_eq!((&built["games"], &built["skipped"]["unreadable"]), (&3.into(), &1.into()));
    assert!(built["faults"][0].as_str().unwrap().contains("games.pgn: game 3"), "{built}");
    let bytes = fs::read(&index).unwrap();
    zug(&[&words[..], &["--force"]].concat());
    assert!(bytes == fs::read(&index).unwrap(), "the same records, the same bytes");
    let file = format!("{games}:3");
    for words in [
        vec!["start"],
        vec!["e4 c5"],
        vec!["1. e4 c5 2. Nf3 d6", "--depth", "3", "--games", "1", "--top", "1"],
        vec!["rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3"],
        vec!["start", "--player", "ann", "--from", "2000"],
        vec![&*file],
        vec!["h4"],
    ] {
        let mut plain = words.clone();
        plain.extend(["--names", &names]);
        // Without an index games of other years are not even read.
        let (mut a, mut b) = (ask("chess", &games, &plain), ask("chess", &index, &words));
        if words.contains(&"--from") {
            for told in [&mut a, &mut b] {
                for game in told["games"].as_array_mut().unwrap() {
                    game["number"] = Value::Null;
                }
            }
        }
        assert_eq!(a, b, "{words:?}");
    }
    let told = ask("chess", &index, &["e4 c5 Nf3 d6"]);
    assert_eq!((&told["games_found"], &told["name"]), (&2.into(), &"B20 Sicilian Defence".into()));
    assert_eq!(told["games"][0]["players"][0], "Ann");
    let words = zug(&["explore", "chess", "--data", &index, "e4 c5 Nf3 d6"]);
    assert!(words.contains("B20 Sicilian Defence") && words.contains("Bb5+"), "{words}");
    assert!(words.contains("Ann (2400) - Bob (2300): 1999.03.02, Cup, white won"), "{words}");
}

#[test]
fn turned_boards_are_one_and_every_game_with_records_takes_part() {
    let folder = Folder::new();
    let path = folder.path("games.txt");
    fs::write(&path, "f5d6c3\nd3c5f6\nc4e3f6\n").unwrap();
    let told = ask("othello", &path, &["f5d6"]);
    assert_eq!(told["games_found"], 3, "{told}");
    assert_eq!(told["moves"].as_array().unwrap().len(), 1, "{told}");
    let told = ask("othello", &path, &["start"]);
    assert_eq!(told["moves"][0]["times"], 3, "four first moves are one");
    let path = folder.path("games.zgr");
    fs::write(&path, "[Game \"tictactoe\"]\n1. b2 a1 c3 0-1\n[Game \"tictactoe\"]\n1. b2 c3 *\n")
        .unwrap();
    let told = ask("tictactoe", &path, &["b2"]);
    assert_eq!(
        (&told["games_found"], &told["moves"][0]["times"]),
        (&2.into(), &2.into()),
        "{told}"
    );
}

#[test]
fn bad_questions_end_with_a_reason_and_code_2() {
    let folder = Folder::new();
    let (games, index) = (chess(&folder), folder.path("index.zug"));
    zug(&["explore", "chess", "--data", &games, "--build", &index]);
    let (cut, newer) = (folder.path("cut.zug"), folder.path("newer.zug"));
    let bytes = fs::read(&index).unwrap();
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let mut other = bytes.clone();
    other[8] = 9;
    fs::write(&newer, &other).unwrap();
    let bad_names = folder.path("names.txt");
    fs::write(&bad_names, "Odd\te4 e4\n").unwrap();
    for (words, said) in [
        (vec!["--data", &*index, "e4 e4"], "move 2"),
        (vec!["--data", &*index, "none.pgn:3"], "none.pgn"),
        (vec!["--data", &*index], "what is asked about?"),
        (vec!["--data", &*cut, "start"], "cut off"),
        (vec!["--data", &*newer, "start"], "newer"),
        (vec!["--data", &*index, "start", "--corner"], "whole board only"),
        (vec!["--data", &*index, "--build", "x.zug"], "this is an index"),
        (vec!["--data", &*games, "start", "--from", "2000", "--until", "1999"], "no year"),
        (vec!["--data", &*games, "start", "--names", &*bad_names], "names.txt: line 1"),
        (
            vec!["--data", &*games, "--build", &*cut, "--force", "--size", "8"],
            "part of the game's name",
        ),
        (vec!["--data", &*games, "--build", &*cut], "--force replaces it"),
    ] {
        let mut all = vec!["explore", "chess"];
        all.extend(&words);
        let output = zug_with(&all, "");
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {err}");
        assert!(err.contains(said) && !err.contains("panicked"), "{words:?}: {err}");
    }
    let said = complaint(&["explore", "othello", "--data", &index, "start"]);
    assert!(said.contains("chess") && said.contains("othello"), "{said}");
}
