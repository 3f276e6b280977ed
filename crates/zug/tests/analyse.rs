//! `zug analyse` of whole games, run as a user would.

mod support;
#[path = "support/talk.rs"]
mod talk;

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};
use zug_core::Game;
use zug_othello::{Board, Othello};

/// Two games of our own, in a file of this ending.
fn games(folder: &Folder, ending: &str) -> String {
    let (ggf, path) = (folder.path("own.ggf"), folder.path(&format!("games.{ending}")));
    let words = ["match", "zug:depth=1", "random", "--game", "othello", "--games", "2"];
    zug(&[&words[..], &["--seed", "5", "--out", &ggf]].concat());
    zug(&["data", "othello", "convert", &ggf, &path]);
    path
}

fn analysed(path: &str, more: &[&str]) -> Value {
    json(&zug(&[&["analyse", "othello", path, "--depth", "2", "--json"], more].concat()))
}

#[test]
fn every_move_of_a_game_is_valued_and_the_end_exactly() {
    let folder = Folder::new();
    let path = games(&folder, "wtb");
    let report = analysed(&path, &[]);
    assert_eq!((&report["unit"], &report["stopped"]), (&"discs".into(), &false.into()));
    let game = &report["games"][0];
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len() as u64, game["plies"].as_u64().unwrap());
    let exact_from = game["exact_from"].as_u64().unwrap();
    assert!(exact_from < game["plies"].as_u64().unwrap() - 5, "{exact_from}");
    let mut lost = [0.0, 0.0];
    for mv in moves {
        let (best, played) = (&mv["best_value"], &mv["played"]);
        let value = |v: &Value| v["value"].as_f64();
        let loss = mv["lost"].as_f64().unwrap();
        // Only where the winner alone is proven there is no value.
        for worth in [best, played] {
            assert_eq!(value(worth).is_none(), !worth["proven_winner"].is_null(), "{mv}");
        }
        if let (Some(best), Some(played)) = (value(best), value(played)) {
            let unexplained = mv["unexplained"].as_f64().unwrap();
            // No value is more than the whole board.
            let most = (64.0 - played).min(loss + unexplained);
            assert!((best - played - most).abs() < 0.011, "{mv}");
            assert!(mv["exact"] == false || unexplained == 0.0, "{mv}");
        }
        assert!(loss >= 0.0 && (mv["choice"] == true || loss == 0.0), "{mv}");
        lost[usize::from(mv["side"] == "white")] += loss;
        if mv["ply"].as_u64().unwrap() > exact_from {
            assert_eq!((&best["exact"], &mv["exact"]), (&true.into(), &true.into()), "{mv}");
        }
        // An exact value is what the solver says.
        let position = Othello::default().read_position(mv["position"].as_str().unwrap()).unwrap();
        let board = Board::from(&position);
        if board.empties() <= 10 {
            assert_eq!(value(best), Some(f64::from(zug_othello::solve::score(board))), "{mv}");
        }
        let mark = match (loss, mv["threw_away"].as_str()) {
            (l, _) if l >= 6.0 => "blunder".into(),
            (_, Some("the win")) => mv["mark"].clone(),
            (l, thrown) if l >= 2.0 || thrown.is_some() => "error".into(),
            _ => Value::Null,
        };
        assert_eq!(mv["mark"], mark);
        assert!(mv["threw_away"].is_null() || !mv["mark"].is_null(), "{mv}");
        assert_eq!(mv["line"][0], mv["best"]);
    }
    for (side, sum) in ["black", "white"].iter().zip(lost) {
        let account = &game["sides"][side];
        assert!((account["lost"].as_f64().unwrap() - sum).abs() < 1e-6);
        let marks = moves.iter().filter(|m| m["side"] == *side && !m["mark"].is_null()).count();
        let told = account["errors"].as_u64().unwrap() + account["blunders"].as_u64().unwrap();
        assert_eq!(told as usize, marks);
    }
    // A random player throws something away.
    assert!(lost[0] + lost[1] > 10.0, "{lost:?}");
}

/// In every kind of game and unit: what comes of a move is what the next position is worth, and that is
/// never more than the position before it.
#[test]
fn no_move_raises_the_value_of_its_own_side_and_two_runs_agree() {
    let folder = Folder::new();
    for (game, players, more) in [
        ("othello", ["zug:depth=2", "random"], &["--movetime", "5ms"][..]),
        ("othello", ["zug:depth=3", "zug:depth=1,noise=300,seed=3"], &["--nodes", "20000"]),
        ("othello", ["random", "random"], &["--nodes", "2000", "--player", "zug:model=logistic"]),
        ("chess", ["zug:depth=1", "random"], &["--movetime", "10ms"]),
        ("go:5x5", ["random", "random"], &["--movetime", "5ms"]),
        ("connect-four", ["zug:depth=3", "random"], &["--movetime", "4ms"]),
    ] {
        let format = match game {
            "chess" => "pgn",
            "go:5x5" => "sgf",
            "othello" => "ggf",
            _ => "txt",
        };
        let path = folder.path(&format!("{}.{format}", game.replace(':', "-")));
        std::fs::remove_file(&path).ok();
        let words = ["match", players[0], players[1], "--game", game, "--games", "1"];
        zug(&[&words[..], &["--seed", "3", "--out", &path]].concat());
        let words = [&["analyse", game, &path, "--json"], more].concat();
        let report = json(&zug(&words));
        assert_eq!(report, json(&zug(&words)), "{game}: another run says something else");
        let unit = match (game, more.len()) {
            ("othello", 2) => "discs",
            _ => "percent",
        };
        assert_eq!(report["unit"], unit, "{game}");
        let moves = report["games"][0]["moves"].as_array().unwrap();
        assert!(moves.len() > 6, "{game}");
        let chance = |mv: &Value, which: &str| mv[which]["chance"].as_f64().unwrap();
        for (mv, next) in moves.iter().zip(&moves[1..]) {
            let (best, played) = (chance(mv, "best_value"), chance(mv, "played"));
            assert!(best >= played - 1e-9, "{game}: {mv}");
            let passed_on = if mv["side"] == next["side"] { played } else { 1.0 - played };
            assert!((chance(next, "best_value") - passed_on).abs() < 1e-9, "{game}: {mv} {next}");
            // Between exact discs and estimated log-odds there is no more or less.
            let is_one_scale = report["value_unit"] != "tenths of log-odds";
            let value =
                |mv: &Value, which: &str| mv[which]["value"].as_f64().filter(|_| is_one_scale);
            if let (Some(best), Some(played)) = (value(mv, "best_value"), value(mv, "played")) {
                assert!(best >= played - 0.006, "{game}: {mv}");
            }
        }
    }
}

/// The first move of a game of Othello is one of four that are one by symmetry.
#[test]
fn moves_that_a_symmetry_exchanges_have_one_value_everywhere() {
    for (game, wanted) in [("othello", 4), ("tic-tac-toe", 9), ("go:5x5", 9), ("connect-four", 7)] {
        let words = ["analyse", game, "start", "--nodes", "3000", "--lines", "60", "--json"];
        let report = json(&zug(&words));
        let lines = report["lines"].as_array().unwrap();
        assert!(lines.len() >= wanted, "{game}: {report}");
        let value = |mv: &str| {
            let line = lines.iter().find(|line| line["move"] == mv);
            let line = line.unwrap_or_else(|| panic!("{game}: no {mv} in {report}"));
            (
                line["value"].clone(),
                line["win_rate"].clone(),
                line["line"].as_array().unwrap().len(),
            )
        };
        let classes: &[&[&str]] = match game {
            "othello" => &[&["c4", "d3", "e6", "f5"]],
            "tic-tac-toe" => &[&["a1", "a3", "c1", "c3"], &["a2", "b1", "b3", "c2"]],
            "go:5x5" => &[&["C4", "B3", "D3", "C2"], &["B2", "B4", "D2", "D4"]],
            _ => &[&["a", "g"], &["b", "f"], &["c", "e"]],
        };
        for class in classes {
            for mv in *class {
                assert_eq!(value(mv), value(class[0]), "{game}: {class:?}");
            }
        }
    }
}

/// What a player counts that is no unit of the game is named with each value.
#[test]
fn foreign_units_are_named() {
    for (player, word, unit) in [
        ("zug:model=logistic,depth=2", "tenths of log-odds", "tenths of log-odds"),
        ("mcts:playouts=50", "wins ", "percent above an even chance"),
    ] {
        let words = ["analyse", "othello", "start", "--lines", "1", "--player", player];
        let told = zug(&words);
        assert!(told.contains(word), "{told}");
        assert_eq!(json(&zug(&[&words[..], &["--json"]].concat()))["unit"], unit);
        let words = ["analyse", "othello", "f5d6c3", "--nodes", "50", "--player", player];
        assert!(zug(&words).contains(&format!("values in {unit}, losses in percent")));
    }
    let told = zug(&["analyse", "othello", "start", "--depth", "2"]);
    assert!(!told.contains("discs") && !told.contains("percent"), "{told}");
}

#[test]
fn thresholds_are_in_the_unit_of_the_losses() {
    let folder = Folder::new();
    let path = games(&folder, "ggf");
    let words = ["analyse", "othello", &path, "--depth", "1"];
    let marks = |more: &[&str]| {
        let report = json(&zug(&[&words[..], &["--json"], more].concat()));
        let moves = report["games"][0]["moves"].as_array().unwrap().clone();
        let count = |mark: &str| moves.iter().filter(|mv| mv["mark"] == mark).count();
        (count("error"), count("blunder"), report["error_from"].clone())
    };
    let (usual, strict) = (marks(&[]), marks(&["--error", "60", "--blunder", "64"]));
    assert!(usual.0 + usual.1 > strict.0 + strict.1, "{usual:?} {strict:?}");
    assert_eq!((&usual.2, &strict.2), (&2.0.into(), &60.0.into()));
    let said = complaint(&[&words[..], &["--error", "200", "--blunder", "300"]].concat());
    assert!(said.contains("discs here") && said.contains("at most 128"), "{said}");
    let said = complaint(&["analyse", "chess", "e4 e5", "--depth", "1", "--blunder", "120"]);
    assert!(said.contains("percent of the chance to win"), "{said}");
}

#[test]
fn the_report_is_one_page_with_graph_and_boards() {
    let folder = Folder::new();
    let (path, page) = (games(&folder, "ggf"), folder.path("report.html"));
    let words = ["analyse", "othello", &path, "--depth", "1", "--game", "1-2"];
    let out = zug(&[&words[..], &["--report", &page, "--error", "1", "--blunder", "8"]].concat());
    assert!(out.contains("exact from move") && out.contains("discs lost"), "{out}");
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(zug_learn::markup::check(&html), Ok(()));
    assert!(html.contains("<circle") && html.contains("Best line"), "boards at errors");
    assert!(html.contains("Value for black") && html.contains("prefers-color-scheme:dark"));
    assert!(html.contains("width=device-width"));
    assert!(!html.contains("<script"));
    let links = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http"), "nothing is fetched");
    assert_eq!(html.matches("Value for black").count() % 2, 0, "two games");
}

#[test]
fn games_are_chosen_by_number_and_moves_come_from_words() {
    let folder = Folder::new();
    let path = games(&folder, "txt");
    let output = zug_with(&["analyse", "othello", &path, "--depth", "1"], "");
    assert!(text(&output.stderr).contains("the first of 2 games"), "{}", text(&output.stderr));
    let both = analysed(&path, &["--game", "1-2"]);
    assert_eq!(both["games"].as_array().unwrap().len(), 2);
    assert_eq!(analysed(&path, &["--game", "2"])["games"][0]["moves"], both["games"][1]["moves"]);
    for (game, word) in [("3", "only 2 games"), ("2-1", "--game"), ("0", "--game"), ("x", "--game")]
    {
        let said = complaint(&["analyse", "othello", &path, "--game", game]);
        assert!(said.contains(word), "{said}");
    }
    let said = complaint(&["analyse", "othello", "f5d6c3", "--depth", "1", "--game", "2"]);
    assert!(said.contains("games of a file"), "{said}");
    let told = zug(&["analyse", "othello", "f5d6", "--depth", "1"]);
    assert!(told.contains("lost in 1 move with a choice") && told.contains("2 moves"), "{told}");
    let report = analysed("f5d6c3d3c4f4f6f3e6e7", &[]);
    assert_eq!(report["games"][0]["plies"], 10);
    assert_eq!(report["games"][0]["result"], "not finished");
    assert_eq!(report["games"][0]["exact_from"], Value::Null);
    let broken = complaint(&["analyse", "othello", "f5d6a1"]);
    assert!(broken.contains("a1"), "{broken}");
    let at = json(&zug(&["analyse", "othello", &path, "--ply", "20", "--depth", "1", "--json"]));
    assert!(at["lines"].as_array().unwrap().len() > 1 && at["move"].is_string());
    for option in ["--report", "--game", "--error", "--blunder"] {
        let said = complaint(&["analyse", "othello", "start", option, "5"]);
        assert!(said.contains("whole games"), "{option}: {said}");
    }
    let said = complaint(&["analyse", "othello", &path, "--error", "5", "--blunder", "1"]);
    assert!(said.contains("--blunder"), "{said}");
    let said = complaint(&["analyse", "othello", &path, "--depth", "1", "--report", &path]);
    assert!(said.contains("another name"), "{said}");
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_work() {
    let folder = Folder::new();
    let missing = folder.path("missing/report.html");
    let here = folder.path("");
    for (path, word) in [(&missing, "there is no folder"), (&here, "this is a folder")] {
        // The work would take hours.
        let words = ["analyse", "othello", "f5d6c3", "--movetime", "9000s", "--report", path];
        let said = complaint(&words);
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn players_that_cannot_be_made_are_named_and_protocols_keep_to_their_games() {
    let player = "zug:cuts=nofile";
    for words in [
        vec!["match", "random", player, "--game", "othello"],
        vec!["engine", "nboard", "--player", player],
        vec!["engine", "gtp", "--game", "othello", "--player", player],
        vec!["analyse", "othello", "start", "--player", player],
    ] {
        let said = complaint(&words);
        assert!(said.contains("in the player 'zug:cuts=nofile'"), "{words:?}: {said}");
    }
    let said = complaint(&["analyse", "othello", "start", "--player", player]);
    assert!(said.contains("found 'nofile' (there is no file"), "{said}");
    zug(&["analyse", "othello", "start", "--depth", "1", "--player", "zug:hash=2M"]);
    assert!(complaint(&["engine", "nboard", "--game", "chess"]).contains("for Othello"));
}

#[test]
fn a_position_shows_a_value_for_every_move() {
    let words = ["analyse", "othello", "start", "--depth", "2", "--lines", "60", "--json"];
    let report = json(&zug(&words));
    let moves: Vec<&str> =
        report["lines"].as_array().unwrap().iter().filter_map(|l| l["move"].as_str()).collect();
    assert_eq!(moves.len(), 4, "{moves:?}");
    for mv in ["c4", "d3", "e6", "f5"] {
        assert!(moves.contains(&mv), "{mv} in {moves:?}");
    }
}

#[test]
fn games_of_other_kinds_are_analysed_in_their_units() {
    let folder = Folder::new();
    let path = folder.path("mate.pgn");
    std::fs::write(&path, "[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let report = json(&zug(&["analyse", "chess", &path, "--depth", "2", "--json"]));
    assert_eq!((&report["unit"], &report["value_unit"]), (&"percent".into(), &"pawns".into()));
    let moves = report["games"][0]["moves"].as_array().unwrap().clone();
    assert_eq!(moves.len(), 4);
    // White's last move lets black mate.
    assert_eq!(moves[2]["mark"], "blunder");
    assert_eq!(moves[3]["lost"], 0.0);
    let page = folder.path("mate.html");
    zug(&["analyse", "chess", &path, "--depth", "2", "--report", &page]);
    assert_eq!(zug_learn::markup::check(&std::fs::read_to_string(&page).unwrap()), Ok(()));
}

#[test]
fn ctrl_c_tells_what_is_known() {
    let folder = Folder::new();
    let path = games(&folder, "ggf");
    let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["analyse", "othello", &path, "--movetime", "100s", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The end of the game is known at once; the beginning takes hours.
    let mut note = String::new();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    err.read_line(&mut note).unwrap();
    assert!(note.contains("the first of 2 games"), "{note}");
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(json(&text(&output.stdout))["stopped"], true);
}
