//! The real binary, run as a user or a script would.

mod support;

use std::process::{Command, Output};
use support::zug_with;

/// Runs `zug`, expects success, gives its output.
fn zug(words: &[&str]) -> String {
    let output = zug_with(words, "");
    let (out, err) = texts(&output);
    assert!(output.status.success(), "zug {words:?} failed: {err}\n{out}");
    out
}

/// Runs `zug`, expects a failure that is no panic, gives its complaint.
fn complaint(words: &[&str]) -> String {
    let output = zug_with(words, "");
    let (out, err) = texts(&output);
    assert!(!output.status.success(), "zug {words:?} should fail, but printed {out}");
    assert!(!err.contains("panicked"), "zug {words:?} panicked: {err}");
    err
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("not JSON ({e}): {text}"))
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("")
}

#[test]
fn perft_ends_with_the_bare_number() {
    assert_eq!(last_line(&zug(&["perft", "othello", "--depth", "7"])), "55092");
    assert_eq!(last_line(&zug(&["perft", "chess", "--depth", "4"])), "197281");
    assert_eq!(last_line(&zug(&["perft", "connect4", "--depth", "6"])), "117649");
    for attacks in ["magic", "rotated"] {
        let words = ["perft", "chess", "--attacks", attacks, "--depth", "4"];
        assert_eq!(last_line(&zug(&words)), "197281");
    }
    let words = ["perft", "othello", "--attacks", "rotated", "--depth", "1"];
    assert!(complaint(&words).contains("for chess"));
}

#[test]
fn perft_divides_and_speaks_json() {
    let report = json(&zug(&["perft", "chess", "--depth", "3", "--divide", "--json"]));
    assert_eq!(report["leaves"], 8902);
    assert_eq!(report["moves"]["e2e4"], 600);
    assert_eq!(report["depths"][1]["leaves"], 400);
}

#[test]
fn the_catalogue_lists_every_game_and_each_opens_again() {
    let games = json(&zug(&["games", "--json"]));
    let games = games.as_array().expect("a list");
    let names: Vec<&str> = games.iter().filter_map(|g| g["name"].as_str()).collect();
    for name in ["othello", "chess", "go", "dodgem", "tictactoe", "connect4", "morris"] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    for game in games {
        let spec = game["spec"].as_str().expect("a spec");
        let again = json(&zug(&["games", "show", spec, "--json"]));
        assert_eq!(again["spec"], game["spec"]);
        assert!(!game["players"].as_array().expect("players").is_empty());
        assert!(!game["formats"].as_array().expect("formats").is_empty(), "{spec} has no format");
    }
}

#[test]
fn every_game_passes_its_own_checks() {
    let games = json(&zug(&["games", "--json"]));
    for game in games.as_array().expect("a list") {
        let spec = game["spec"].as_str().expect("a spec");
        let report = json(&zug(&["games", "check", spec, "--json"]));
        assert_eq!(report["ok"], true, "{spec}: {report:#}");
        assert!(report["checks"].as_array().expect("checks").len() >= 3);
    }
}

#[test]
fn dodgem_is_checked_for_symmetry_index_and_un_moves() {
    let text = zug(&["games", "check", "dodgem:4x4"]);
    for word in ["play", "notation", "index", "un-move"] {
        assert!(text.contains(word), "no '{word}' in {text}");
    }
}

#[test]
fn machines_play_every_game_to_the_end() {
    let games = json(&zug(&["games", "--json"]));
    for game in games.as_array().expect("a list") {
        let spec = match game["name"].as_str().expect("a name") {
            "go" => "go:5x5",
            _ => game["spec"].as_str().expect("a spec"),
        };
        let words = [
            "match",
            "zug:nodes=50",
            "random",
            "--game",
            spec,
            "--games",
            "2",
            "--seed",
            "3",
            "--json",
        ];
        let report = json(&zug(&words));
        assert_eq!(report["games"], 2, "{spec}: {report:#}");
        assert_eq!(report["crashes"], 0, "{spec}: {report:#}");
        assert_eq!(report["illegal"], 0, "{spec}: {report:#}");
    }
}

#[test]
fn search_beats_random_play_and_a_seed_repeats_the_match() {
    let words = [
        "match",
        "zug:depth=3",
        "random",
        "--game",
        "othello",
        "--games",
        "20",
        "--seed",
        "1",
        "--json",
    ];
    let first = json(&zug(&words));
    assert_eq!(first["games"], 20);
    assert!(first["wins"].as_u64().expect("wins") >= 17, "{first:#}");
    let again = json(&zug(&words));
    assert_eq!(first["wins"], again["wins"]);
    assert_eq!(first["pentanomial"], again["pentanomial"]);
}

#[test]
fn a_uci_client_gets_a_best_move() {
    let script = "uci\nisready\nposition startpos moves e2e4\ngo depth 4\nquit\n";
    let (out, _) = texts(&zug_with(&["engine", "uci"], script));
    assert!(out.contains("uciok") && out.contains("readyok"), "{out}");
    assert!(out.lines().any(|l| l.starts_with("bestmove ")), "{out}");
    assert!(out.contains("info depth 4"), "quit cut the search short: {out}");
}

#[test]
fn python_chess_is_served_as_a_gui_of_both_protocols() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for (script, protocol) in [("uci_client.py", "uci"), ("xboard_client.py", "cecp")] {
        let script = format!("{folder}/{script}");
        let words = [&*script, env!("CARGO_BIN_EXE_zug"), "engine", protocol];
        match Command::new("python3").args(words).output() {
            Ok(output) => {
                let (out, err) = texts(&output);
                assert!(output.status.success(), "{out}{err}");
                println!("{out}");
            }
            Err(error) => println!("skipped: no python3 here ({error})"),
        }
    }
}

#[test]
fn a_command_of_a_protocol_may_stand_on_the_command_line() {
    let (out, _) = texts(&zug_with(&["engine", "uci", "go", "perft", "2"], ""));
    assert!(out.ends_with("Nodes searched: 400\n"), "{out}");
    let (out, _) = texts(&zug_with(&["engine", "cecp", "ping", "3"], ""));
    assert_eq!(out, "pong 3\n");
    let (bench, _) = texts(&zug_with(&["engine", "uci", "bench", "3"], ""));
    let nodes = bench.lines().find_map(|line| line.strip_prefix("Nodes searched  : "));
    let report = zug_with(&["bench", "chess", "--signature", "--depth", "3", "--json"], "");
    let report: serde_json::Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(nodes.unwrap().parse::<u64>().unwrap(), report["nodes"], "{bench} {report}");
    assert!(report["signature"].is_null() && report["same"] == true, "{report}");
}

#[test]
fn a_gtp_client_gets_a_move_for_every_command_an_answer() {
    let script = "boardsize 9\nclear_board\ngenmove b\nnonsense\nquit\n";
    let (out, _) =
        texts(&zug_with(&["engine", "gtp", "--game", "go", "--player", "zug:nodes=200"], script));
    let answers: Vec<&str> =
        out.lines().filter(|l| l.starts_with('=') || l.starts_with('?')).collect();
    assert_eq!(answers.len(), 5, "{out}");
    assert!(answers[3].starts_with('?'), "{out}");
}

#[test]
fn an_nboard_client_gets_a_move() {
    let script = "nboard 2\nset depth 3\ngo\nping 4\nquit\n";
    let (out, _) = texts(&zug_with(&["engine", "nboard"], script));
    assert!(out.lines().any(|l| l.starts_with("===")), "{out}");
    assert!(out.contains("pong 4"), "{out}");
}

#[test]
fn bad_words_are_refused_in_plain_words() {
    assert!(complaint(&["perft", "halma", "--depth", "1"]).contains("no game 'halma'"));
    assert!(complaint(&["perft", "othello:7x7", "--depth", "1"]).contains("othello"));
    assert!(complaint(&["perft", "chess", "--position", "8/8", "--depth", "1"]).contains("8/8"));
    assert!(complaint(&["match", "zug", "nobody", "--games", "2"]).contains("nobody"));
    assert!(complaint(&["match", "zug:depth=deep", "random"]).contains("depth"));
    assert!(complaint(&["play", "chess", "--load", "missing.pgn"]).contains("missing.pgn"));
    assert!(
        complaint(&[
            "match",
            "uci:cmd=/no/such/engine",
            "random",
            "--game",
            "chess",
            "--games",
            "2"
        ])
        .contains("/no/such/engine")
    );
}

#[test]
fn a_person_plays_takes_back_saves_and_loads() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.pgn");
    let save = format!("e2e4\nundo\nd2d4\nhint\neval\nmoves\nsave {}\nfoo\nquit\n", file.display());
    let words = ["play", "chess", "--white", "human", "--black", "human", "--depth", "2"];
    let (out, err) = texts(&zug_with(&words, &save));
    assert!(out.contains("Record written"), "{out}{err}");
    assert!(out.contains("neither a command"), "{out}");
    let record = std::fs::read_to_string(&file).expect("the record is there");
    assert!(record.contains("d4") && !record.contains("e4"), "{record}");
    let load = format!("load {}\nposition\nquit\n", file.display());
    let (out, _) = texts(&zug_with(&words, &load));
    assert!(out.contains("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b"), "{out}");
}

#[test]
fn records_are_counted_and_converted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("a.txt"), "f5d6c3d3c4\n").expect("written");
    zug(&["data", "othello", "convert", &path("a.txt"), &path("a.ggf")]);
    let report = json(&zug(&["data", "othello", "stats", &path("a.ggf"), "--json"]));
    assert_eq!((&report["records"], &report["plies"]), (&1.into(), &5.into()), "{report:#}");
    std::fs::write(path("b.txt"), "f5d6a1\n").expect("written");
    assert!(
        complaint(&["data", "othello", "convert", &path("b.txt"), &path("b.ggf")]).contains("a1")
    );
    assert!(!folder.path().join("b.ggf").exists(), "a failed conversion leaves no file");
}

#[test]
fn help_completions_and_manual_come_from_the_same_words() {
    for verb in ["games", "play", "analyse", "perft", "match", "engine", "data", "bench"] {
        let help = zug(&[verb, "--help"]);
        assert!(help.contains("Example"), "{verb} has no example");
    }
    assert!(zug(&["completions", "bash"]).contains("perft"));
    assert!(zug(&["man"]).contains(".TH zug"));
}

#[test]
fn positions_come_from_words_and_files() {
    let start = "---------------------------OX------XO--------------------------- X";
    assert_eq!(last_line(&zug(&["perft", "othello", "--position", start, "--depth", "3"])), "56");
    let report = json(&zug(&["analyse", "othello", start, "--depth", "2", "--json"]));
    assert_eq!(report["position"], start);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mates.epd");
    let mates = "7k/8/5K2/6Q1/8/8/8/8 w - - bm Qg7#; id \"one\";\n\n\
                 6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"two\";\n";
    std::fs::write(&file, mates).expect("written");
    let name = file.to_string_lossy();
    let reports = json(&zug(&["analyse", "chess", &name, "--depth", "3", "--json"]));
    assert_eq!(reports[0]["move"], "g5g7");
    assert_eq!(reports[1]["lines"][0]["value"]["won_in"], 1);
    assert!(complaint(&["analyse", "chess", "missing.pgn"]).contains("no file"));
}

#[test]
fn a_proven_draw_is_told_from_an_even_position() {
    let report = json(&zug(&["analyse", "tictactoe", "start", "--depth", "9", "--json"]));
    assert_eq!(report["lines"][0]["value"]["draw"], true, "{report:#}");
    let report = json(&zug(&["analyse", "chess", "start", "--depth", "2", "--json"]));
    assert_eq!(report["lines"][0]["proven"], false, "{report:#}");
}

#[test]
fn warnings_carry_no_colour_into_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("b.txt"), "f5d6c3\nf5a1\n").expect("written");
    let words = ["data", "othello", "convert", &path("b.txt"), &path("b.ggf"), "--skip-broken"];
    let (_, err) = texts(&zug_with(&words, ""));
    assert!(err.contains("a1") && !err.contains('\x1b'), "{err:?}");
}
