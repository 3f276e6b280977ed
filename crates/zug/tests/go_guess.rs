//! `zug guess go`: positions, games and collections of our own making, and what is wrong with others.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};

const GAME: &str =
    "(;GM[1]SZ[9]PB[Ann]PW[Bob]XX[kept](;B[ee]C[first];W[cc];B[gg];W[];B[cg])(;B[dd]))";

fn game(folder: &Folder) -> String {
    let path = folder.path("game.sgf");
    fs::write(&path, GAME).unwrap();
    path
}

#[test]
fn the_move_that_was_played_is_shown_with_its_rank() {
    let folder = Folder::new();
    let game = game(&folder);
    let told = json(&zug(&[
        "guess", "go", &game, "--move", "3", "--top", "4", "--model", "uniform", "--json",
    ]));
    assert_eq!((&told["move"], &told["to_move"]), (&3.into(), &"black".into()));
    assert_eq!(told["guesses"].as_array().unwrap().len(), 4);
    assert_eq!(told["guesses_in_all"], 79);
    assert_eq!(
        (&told["played"]["move"], &told["played"]["equally_likely"]),
        (&"G3".into(), &79.into())
    );
    let words = zug(&["guess", "go", &game, "--move", "3", "--model", "uniform"]);
    assert!(words.contains("played: G3, guess 1 to 79 of 79 (1.3 %)"), "{words}");
    assert!(words.contains("(O)") && words.contains("[+]"), "{words}");
    // The end of the game, and a pass.
    let end = json(&zug(&["guess", "go", &game, "--model", "uniform", "--json"]));
    assert_eq!((&end["move"], &end["played"]), (&6.into(), &serde_json::Value::Null));
    let pass = zug(&["guess", "go", &game, "--move", "4", "--model", "uniform"]);
    assert!(pass.contains("played: pass, which is not guessed"), "{pass}");
}

#[test]
fn positions_and_protocol_lines_are_asked_about_too() {
    let position = "5/1O3/2X2/5/5 black";
    let told = json(&zug(&["guess", "go", "--position", position, "--model", "uniform", "--json"]));
    assert_eq!((&told["size"], &told["guesses_in_all"]), (&5.into(), &23.into()));
    let lines = "boardsize 5\nplay b c3\nplay w b4\n";
    let output = zug_with(&["guess", "go", "--gtp", "-", "--model", "uniform", "--json"], lines);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(json(&text(&output.stdout))["guesses"], told["guesses"]);
}

#[test]
fn heat_maps_are_written() {
    let folder = Folder::new();
    let (game, svg, png) = (game(&folder), folder.path("heat.svg"), folder.path("heat.png"));
    zug(&["guess", "go", &game, "--move", "2", "--svg", &svg, "--png", &png, "--model", "uniform"]);
    let drawn = fs::read_to_string(&svg).unwrap();
    zug_learn::markup::check(&drawn).unwrap();
    assert!(drawn.contains("1.2"), "the percentage of 80 equal moves");
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_game_is_written_again_with_remarks_and_all_else_stays() {
    let folder = Folder::new();
    let (game, out) = (game(&folder), folder.path("out.sgf"));
    let told = json(&zug(&[
        "guess",
        "go",
        &game,
        "--annotate",
        &out,
        "--top",
        "2",
        "--model",
        "uniform",
        "--json",
    ]));
    assert_eq!(told["games"][0]["black"]["moves"], 3);
    assert_eq!(told["games"][0]["white"]["moves"], 1);
    let written = fs::read_to_string(&out).unwrap();
    for kept in ["XX[kept]", "(;B[dd])", "first\n\nuniform: E5 is guess 1 to 81 (1.2 %)", "LB["] {
        assert!(written.contains(kept), "{kept} in {written}");
    }
    // What was written is a game that can be asked about.
    zug(&["guess", "go", &out, "--model", "uniform"]);
}

#[test]
fn a_collection_gives_accuracy_rank_and_likelihood_by_stage() {
    let folder = Folder::new();
    for i in 0..4 {
        let moves: String = ["ee", "cc", "gg", "gc", "cg"][..5 - i]
            .iter()
            .enumerate()
            .map(|(n, at)| format!(";{}[{at}]", if n % 2 == 0 { "B" } else { "W" }))
            .collect();
        let year = 1990 + 10 * i;
        fs::write(folder.path(&format!("{i}.sgf")), format!("(;SZ[9]DT[{year}]{moves})")).unwrap();
    }
    fs::write(folder.path("bad.sgf"), "(;SZ[9];B[ee];W[ee])").unwrap();
    let dir = folder.path("");
    let ask = |more: &[&str]| {
        let mut words = vec!["guess", "go", "--test", &dir, "--model", "uniform", "--json"];
        words.extend(more);
        let mut told = json(&zug(&words));
        // Times differ from run to run.
        for key in ["seconds", "microseconds_per_position", "positions_per_second", "threads"] {
            told.as_object_mut().unwrap().remove(key);
        }
        told
    };
    let told = ask(&[]);
    assert_eq!((&told["games"], &told["positions"]), (&4.into(), &14.into()));
    assert_eq!(told["skipped"]["illegal-occupied"], 1);
    let accuracy = told["total"]["accuracy"].as_array().unwrap();
    assert_eq!(accuracy.len(), 50);
    // Four games with a first move, four with a second, and so on: 4/81 + 4/80 + 3/79 + …
    let expected = (4.0 / 81.0 + 4.0 / 80.0 + 3.0 / 79.0 + 2.0 / 78.0 + 1.0 / 77.0) / 14.0;
    assert!((accuracy[0]["value"].as_f64().unwrap() - expected).abs() < 1e-6);
    assert!(accuracy[0]["low"].as_f64().unwrap() <= expected);
    assert_eq!(told["stages"][0]["from"], 1);
    assert_eq!(told, ask(&["--threads", "3"]));
    assert_eq!(ask(&["--from", "2000", "--until", "2010"])["games"], 2);
    assert_eq!(ask(&["--games", "3", "--seed", "5"]), ask(&["--games", "3", "--seed", "5"]));
    assert_eq!(ask(&["--baseline", "uniform"])["baseline"]["total"], told["total"]);
    let stages = ask(&["--stage", "2"]);
    assert_eq!(stages["stages"].as_array().unwrap().len(), 3);
    let words = zug(&["guess", "go", "--test", &dir, "--model", "uniform"]);
    assert!(
        words.contains("passed over: 1 illegal-occupied") && words.contains("top 1"),
        "{words}"
    );
}

#[test]
fn bad_questions_end_with_a_reason_and_code_2() {
    let folder = Folder::new();
    let game = game(&folder);
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let illegal = write("illegal.sgf", b"(;SZ[9];B[ee];W[ee];B[aa])");
    let broken = write("broken.sgf", b"(;SZ[9];B[ee");
    let chess = write("chess.sgf", b"(;GM[3]SZ[9];B[ee])");
    let large = write("large.sgf", b"(;SZ[25];B[ee])");
    let late = write("late.sgf", b"(;SZ[9];B[ee];AB[aa];W[cc])");
    let deep = write("deep.sgf", "(;B[aa]".repeat(200_000).as_bytes());
    let other = write("other.zug", b"nonsense");
    let huge = folder.path("huge.sgf");
    fs::File::create(&huge).unwrap().set_len(100 << 20).unwrap();
    let (empty, remarks) = (folder.path("empty"), folder.path("remarks.sgf"));
    fs::create_dir(&empty).unwrap();
    let lines = write("lines.gtp", b"boardsize 9\nplay b E5\nplay w E5\n");
    for (words, said) in [
        (vec![&*game, "--move", "0"], "there is no move 0"),
        (vec![&*game, "--move", "999"], "there is no move 999"),
        (vec![&*game, "--record", "2"], "there is no game 2"),
        (vec![&*illegal], "move 2 (white E5): the point is occupied"),
        (vec![&*illegal, "--annotate", &empty], "this is a folder"),
        (vec![&*illegal, "--annotate", &*remarks], "move 2"),
        (vec![&*broken], "broken.sgf"),
        (vec![&*chess], "GM"),
        (vec![&*large], "25×25"),
        (vec![&*late], "before move 2"),
        (vec![&*deep], "deep.sgf"),
        (vec![&*huge], "huge.sgf"),
        (vec![&*empty], "this is a folder"),
        (vec!["none.sgf"], "none.sgf"),
        (vec!["--position", "9/9 black"], "in the position"),
        (vec!["--gtp", &*lines], "line 3"),
        (vec!["--test", &*empty], "no game is left of 0 files"),
        (vec!["--test", &*illegal], "illegal-occupied"),
        (vec!["--test", &*game, "--from", "2000", "--until", "1990"], "no year"),
        (vec!["--test", &*game, "--size", "13"], "no game is left"),
        (vec![], "what is asked about?"),
        (vec![&*game, "--model", &other], "no Zug file"),
        (vec![&*game, "--model", "nonsense"], "there is no model 'nonsense'"),
    ] {
        let mut all = vec!["guess", "go"];
        all.extend(&words);
        if !words.contains(&"--model") {
            all.extend(["--model", "uniform"]);
        }
        let output = zug_with(&all, "");
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {err}");
        assert!(err.contains(said) && !err.contains("panicked"), "{words:?}: {err}");
    }
    let said = complaint(&["guess", "chess", &game]);
    assert!(said.contains("chess does not guess moves yet; these games do: go"), "{said}");
}

#[test]
fn handicap_games_are_asked_about() {
    let folder = Folder::new();
    let path = folder.path("handicap.sgf");
    fs::write(&path, "(;SZ[9]HA[2]AB[cg][gc];W[ee];B[gg])").unwrap();
    let told = json(&zug(&["guess", "go", &path, "--move", "1", "--model", "uniform", "--json"]));
    assert_eq!((&told["to_move"], &told["guesses_in_all"]), (&"white".into(), &79.into()));
}
