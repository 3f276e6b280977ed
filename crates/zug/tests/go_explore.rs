//! `zug explore go`: openings and corners in games of our own making.

mod support;
#[path = "support/talk.rs"]
mod talk;

use serde_json::Value;
use std::fs;
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};

/// Four games that begin in corners of 9×9, two of them the same but for turning the board.
fn games(folder: &Folder) -> String {
    let dir = folder.path("games");
    fs::create_dir(&dir).unwrap();
    for (name, game) in [
        ("a.sgf", "(;SZ[9]DT[1961-03-02]PB[Ann]PW[Bob]RE[B+R]EV[Cup];B[gc];W[cg];B[cc];W[gg])"),
        ("b.sgf", "(;SZ[9]DT[1987]PB[Cid]PW[Dan]RE[W+2.5];B[cc];W[gg];B[gc];W[ee];B[cg])"),
        ("c.sgf", "(;SZ[9]DT[2002]PB[Eve]PW[Fay]RE[W+R];B[cg];W[gc];B[dd])"),
        ("d.sgf", "(;SZ[9]PB[Gus]PW[Hal];B[ee];W[gc];B[fc])"),
        ("bad.sgf", "(;SZ[9];B[ee];W[ee])"),
    ] {
        fs::write(format!("{dir}/{name}"), game).unwrap();
    }
    dir
}

fn ask(data: &str, words: &[&str]) -> Value {
    let mut all = vec!["explore", "go:9x9", "--data", data, "--json"];
    all.extend(words);
    let mut told = json(&zug(&all));
    told.as_object_mut().unwrap().values_mut().for_each(without_numbers);
    for key in ["milliseconds", "source"] {
        assert!(told.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    told
}

/// The numbers of games, which an index alone has.
fn without_numbers(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(without_numbers),
        Value::Object(all) => {
            all.remove("number");
            all.values_mut().for_each(without_numbers);
        }
        _ => {}
    }
}

#[test]
fn an_index_and_the_records_give_the_same_answers() {
    let folder = Folder::new();
    let (dir, index) = (games(&folder), folder.path("index.zug"));
    let built = json(&zug(&["explore", "go", "--data", &dir, "--build", &index, "--json"]));
    assert_eq!((&built["games"], &built["skipped"]["illegal-occupied"]), (&4.into(), &1.into()));
    let file = format!("{dir}/a.sgf:3");
    for words in [
        vec!["start"],
        vec!["G7 C3"],
        vec!["G7 C3", "--depth", "3", "--games", "1", "--top", "1"],
        vec!["G7", "--corner"],
        vec!["G7", "--corner", "top-right", "--colours", "same"],
        vec!["G7 C3", "--region", "E5:J9", "--from", "1970"],
        vec!["9/9/6X2/9/9/9/2O6/9/9 black"],
        vec![&*file],
        vec!["A1"],
        vec!["G7 C3", "--player", "ANN"],
        vec!["G7", "--corner", "--player", "ann", "--depth", "2"],
        vec!["G7", "--region", "E5:J9", "--player", "d", "--from", "1970"],
    ] {
        assert_eq!(ask(&dir, &words), ask(&index, &words), "{words:?}");
    }
}

#[test]
fn turned_positions_are_one_and_moves_are_counted_with_results() {
    let folder = Folder::new();
    let dir = games(&folder);
    // Three games begin at a 3-3 point, wherever it is, and answer across the board.
    let told = ask(&dir, &["C7 G3"]);
    assert_eq!((&told["finds"], &told["games_found"]), (&3.into(), &3.into()));
    let moves = told["moves"].as_array().unwrap();
    assert_eq!(moves[0]["times"], 2);
    assert_eq!(moves[0]["won_by_mover"], 0.5);
    assert_eq!((&moves[0]["first_year"], &moves[0]["last_year"]), (&1961.into(), &1987.into()));
    assert_eq!(moves[0]["decades"]["1960"], 1);
    assert_eq!(told["games"][0]["black"], "Eve");
    assert_eq!(told["games"][0]["file"], "games/c.sgf");
    let words = zug(&["explore", "go:9x9", "--data", &dir, "C7 G3"]);
    assert!(words.contains("3 finds in 3 of 4 games") && words.contains("An index"), "{words}");
    // A stone alone in its corner, of either colour: what does the other side do there?
    let corner = ask(&dir, &["G7", "--corner", "top-right", "--colours", "both"]);
    assert!(corner["moves"].as_array().unwrap().iter().any(|m| m["kind"] == "elsewhere"));
}

#[test]
fn games_of_one_player_are_told_with_the_ply_and_a_number() {
    let folder = Folder::new();
    let (dir, index) = (games(&folder), folder.path("index.zug"));
    zug(&["explore", "go", "--data", &dir, "--build", &index]);
    let told = ask(&index, &["C7 G3", "--player", "DAN"]);
    assert_eq!((&told["games_searched"], &told["games_found"]), (&1.into(), &1.into()));
    assert_eq!((&told["games"][0]["black"], &told["games"][0]["ply"]), (&"Cid".into(), &2.into()));
    assert_eq!(ask(&dir, &["start", "--player", "nobody"])["games_searched"], 0);
    let words = ["explore", "go:9x9", "--data", &index, "C7 G3", "--player", "dan", "--json"];
    assert_eq!(json(&zug(&words))["games"][0]["number"], 2);
}

#[test]
fn bad_questions_end_with_a_reason_and_code_2() {
    let folder = Folder::new();
    let dir = games(&folder);
    let index = folder.path("index.zug");
    zug(&["explore", "go", "--data", &dir, "--build", &index]);
    let damaged = folder.path("damaged.zug");
    let mut bytes = fs::read(&index).unwrap();
    let half = bytes.len() / 2;
    bytes.truncate(half);
    fs::write(&damaged, &bytes).unwrap();
    let empty = folder.path("empty");
    fs::create_dir(&empty).unwrap();
    let other = folder.path("other.zug");
    fs::write(&other, "nonsense").unwrap();
    for (words, said) in [
        (vec!["--data", &*index, "Z1"], "move 1"),
        (vec!["--data", &*index, "E5 E5"], "the point is occupied"),
        (vec!["--data", &*index, "9/9 black"], "in the position"),
        (vec!["--data", &*index, "none.sgf:3"], "none.sgf"),
        (vec!["--data", &*index, "start", "--corner"], "which corner"),
        (vec!["--data", &*index, "start", "--corner", "middle"], "there is no corner 'middle'"),
        (vec!["--data", &*index, "start", "--region", "A1"], "expected two points"),
        (vec!["--data", &*index], "what is asked about?"),
        (vec!["--data", &*damaged, "start"], "cut off"),
        (vec!["--data", &*other, "start"], "no Zug file"),
        (vec!["--data", &*empty, "start"], "no game is left of 0 files"),
        (vec!["--data", "none", "start"], "none"),
        (vec!["--data", &*index, "--build", &*other], "--force replaces it"),
        (vec!["--data", &*index, "--build", &*other, "--force"], "this is an index"),
        (vec!["--data", &*dir, "start", "--from", "2000", "--until", "1999"], "no year"),
    ] {
        let mut all = vec!["explore", "go:9x9"];
        all.extend(&words);
        let output = zug_with(&all, "");
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {err}");
        assert!(err.contains(said) && !err.contains("panicked"), "{words:?}: {err}");
    }
    let said = complaint(&["explore", "go", "--data", &index, "start"]);
    assert!(said.contains("no games on boards of 19×19"), "{said}");
    let said = complaint(&["explore", "chess", "--data", &index, "start"]);
    assert!(said.contains("chess") && said.contains("go"), "{said}");
    let said = complaint(&["explore", "go:9x9", "--data", &index, "start", "--names", &dir]);
    assert!(said.contains("without names of openings"), "{said}");
}
