//! The engine for Othello GUIs (NBoard, GTP), and such engines in a match, as a user would run them.

mod support;
#[path = "support/talk.rs"]
mod talk;

use support::zug_with;
use talk::{Folder, complaint, json, text, zug};

const LATE: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";

fn nboard(script: &str) -> String {
    text(&zug_with(&["engine", "nboard"], script).stdout)
}

/// A `set game` with this board, these times and these moves.
fn game(board: &str, time: &str, moves: &str) -> String {
    let (squares, side) = board.split_once(' ').unwrap();
    let mark = |text: &str| text.replace('X', "*");
    format!(
        "set game (;GM[Othello]PC[own]PB[a]PW[b]RE[?]TI[{time}]TY[8]BO[8 {} {}]{moves};)",
        mark(squares),
        mark(side)
    )
}

fn lines<'a>(out: &'a str, head: &str) -> Vec<Vec<&'a str>> {
    let rows = out.lines().filter_map(|l| l.strip_prefix(head));
    rows.map(|l| l.split_whitespace().collect()).collect()
}

#[test]
fn a_late_position_is_hinted_exactly_in_discs() {
    let out = nboard(&format!("nboard 2\nset depth 8\n{}\nhint 4\n", game(LATE, "0", "")));
    let found = lines(&out, "search ");
    // The values of all four moves, as the solver knows them.
    for (mv, value) in [("H5", "6.00"), ("G6", "-2.00"), ("F6", "-4.00"), ("H6", "-10.00")] {
        let last = found.iter().rfind(|w| w[0].starts_with(mv));
        let last = last.unwrap_or_else(|| panic!("{mv} in {out}"));
        assert_eq!((last[1], last[2], last[3]), (value, "0", "100%"), "{out}");
    }
    assert!(!lines(&out, "nodestats ").is_empty(), "{out}");
    let out = nboard(&format!("nboard 2\nset depth 8\n{}\ngo\n", game(LATE, "0", "")));
    assert!(lines(&out, "=== ")[0][0].starts_with("H5/6.00/"), "{out}");
}

#[test]
fn depth_is_kept_to_and_contempt_is_answered() {
    let script = "nboard 2\nset depth 3\nset contempt 0\nset contempt 1.5\nhint 2\n";
    let out = nboard(script);
    let depths: Vec<u32> = lines(&out, "search ").iter().map(|w| w[3].parse().unwrap()).collect();
    assert_eq!(depths.iter().max(), Some(&3), "{out}");
    assert_eq!(out.matches("contempt has no effect").count(), 1, "{out}");
    assert!(out.contains("set myname Zug3") && !out.contains("error"), "{out}");
}

#[test]
fn an_analysis_has_a_value_for_every_position_of_a_whole_game() {
    let folder = Folder::new();
    let path = folder.path("own.ggf");
    let words = ["match", "random", "random", "--game", "othello", "--games", "1", "--seed", "4"];
    zug(&[&words[..], &["--out", &path]].concat());
    let ggf = std::fs::read_to_string(&path).unwrap().replace('\n', "");
    let plies = ggf.matches("B[").count() + ggf.matches("W[").count()
        - ggf.matches("PB[").count()
        - ggf.matches("PW[").count();
    let out = nboard(&format!("nboard 2\nset depth 1\nset game {ggf}\nanalyze\nlearn\n"));
    let analysis = lines(&out, "analysis ");
    let numbers: Vec<usize> = analysis.iter().map(|w| w[0].parse().unwrap()).collect();
    let expected: Vec<usize> = (0..=plies).rev().collect();
    assert_eq!(numbers, expected, "{out}");
    assert!(analysis.iter().all(|w| w[1].parse::<f64>().unwrap().abs() <= 64.0), "{out}");
    assert!(out.contains("learned"), "{out}");
}

#[test]
fn the_clock_of_the_game_limits_a_move() {
    // Neither depth nor time is set: only the clock, all but used up, ends the search.
    let start = "---------------------------OX------XO--------------------------- X";
    let set = game(start, "0:10", "B[F5//9.9]W[D6//1]");
    let out = nboard(&format!("nboard 2\n{set}\ngo\nmove C3/0/0.1\ngo\n"));
    assert_eq!(lines(&out, "=== ").len(), 2, "{out}");
    assert!(!out.contains("error"), "{out}");
}

#[test]
fn gtp_plays_othello_with_the_usual_commands() {
    let folder = Folder::new();
    let file = folder.path("own.ggf");
    std::fs::write(
        &file,
        "(;GM[Othello]PB[a]PW[b]RE[?]TY[8]BO[8 \
         ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)\n",
    )
    .unwrap();
    let commands: Vec<(String, &str)> = [
        ("protocol_version", "= 2"),
        ("known_command genmove", "= true"),
        ("known_command teleport", "= false"),
        ("list_games", "= Othello"),
        ("set_game Othello", "="),
        ("boardsize 8", "="),
        ("boardsize 7", "? unacceptable size"),
        ("clear_board", "="),
        ("komi 6.5", "="),
        ("time_settings 0 1 1", "="),
        ("time_left b 1 1", "="),
        ("play b a1", "? illegal move"),
        ("play w f5", "? illegal move: it is black's turn"),
        ("play b f5", "="),
        ("undo", "="),
        ("undo", "? cannot undo"),
        ("final_score", "? cannot score"),
        ("reg_genmove b", "= "),
        ("genmove b", "= "),
        ("genmove white", "= "),
        ("showboard", "="),
        (&format!("zug-load {file} 3"), "="),
        ("zug-print", "= (;GM[Othello]"),
        ("zug-load nothing.ggf", "? cannot load file"),
        ("loadsgf nothing.sgf", "? cannot load file"),
        (&format!("zug-set_position {LATE}"), "="),
        ("reg_genmove b", "= h5"),
        ("genmove b", "= h5"),
        ("final_score", "= B+6"),
        ("genmove w", "? the game has ended"),
    ]
    .map(|(command, answer)| (command.to_string(), answer))
    .to_vec();
    let script: String = commands.iter().map(|(c, _)| format!("{c}\n")).collect();
    let words = ["engine", "gtp", "--game", "othello", "--player", "zug:depth=8"];
    let out = text(&zug_with(&words, &script).stdout);
    let answers: Vec<&str> = out.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), commands.len(), "{out}");
    for ((command, expected), answer) in commands.iter().zip(answers) {
        assert!(answer.starts_with(expected), "{command}: {answer}, expected {expected}");
    }
    // A late game is played to its solved end, with passes: white loses by two.
    let mut script = format!("zug-set_position {}\n", LATE.replace(" X", " O"));
    script.push_str(&"genmove w\ngenmove b\n".repeat(4));
    script.push_str("final_score\n");
    let out = text(&zug_with(&words, &script).stdout);
    assert_eq!(out.split_terminator("\n\n").last(), Some("= B+2"), "{out}");
    assert!(out.contains("= pass"), "{out}");
}

/// A player that runs this very program over a protocol.
fn own(protocol: &str, more: &str) -> String {
    let program = env!("CARGO_BIN_EXE_zug");
    format!(
        "{protocol}:cmd=\"{program} engine {protocol} --game othello --player zug:depth=1\"{more}"
    )
}

fn matched(first: &str, second: &str, more: &[&str]) -> serde_json::Value {
    let words = ["match", first, second, "--game", "othello", "--games", "2", "--json"];
    json(&zug(&[&words[..], more].concat()))
}

#[test]
fn both_protocols_play_a_clean_match() {
    let (nboard, gtp) = (own("nboard", ",name=n"), own("gtp", ",name=g"));
    for more in [&["--movetime", "200ms"][..], &["--tc", "20+1", "--opening-plies", "4"]] {
        let report = matched(&nboard, &gtp, more);
        assert_eq!(report["games"], 2);
        let ends = report["terminations"].as_object().unwrap();
        for bad in ["illegal_move", "crash", "no_answer", "time"] {
            assert!(!ends.contains_key(bad), "{bad}: {report:#}");
        }
    }
}

#[test]
fn programs_that_hang_die_or_cheat_lose_and_are_named() {
    let folder = Folder::new();
    // What each program does when it is asked for a move.
    for (behaviour, act, word) in [
        ("hangs", "sleep 3600", "no_answer"),
        ("dies", "exit 3", "crash"),
        ("cheats", "move A1", "illegal_move"),
    ] {
        for protocol in ["nboard", "gtp"] {
            let script = folder.path(&format!("{protocol}-{behaviour}.sh"));
            let act = match (protocol, act) {
                ("nboard", "move A1") => "echo '=== A1/0.00/0.1'",
                ("gtp", "move A1") => "printf '=%s a1\\n\\n' \"$id\"",
                (_, act) => act,
            };
            let body = match protocol {
                "nboard" => format!(
                    "while read -r word rest; do case \"$word\" in \
                     nboard) echo 'set myname Bad';; ping) echo \"pong $rest\";; \
                     go) {act};; quit) exit;; esac; done\n"
                ),
                _ => format!(
                    "while read -r id word rest; do case \"$word\" in \
                     list_commands) printf '=%s set_game\\nplay\\ngenmove\\n\\n' \"$id\";; \
                     genmove) {act};; quit) exit;; *) printf '=%s \\n\\n' \"$id\";; esac; done\n"
                ),
            };
            std::fs::write(&script, body).unwrap();
            let bad =
                format!("{protocol}:cmd=\"sh {script}\",movetime=10ms,timeout=300ms,name=bad");
            let report = matched(&bad, "random", &[]);
            assert_eq!(report["terminations"][word], 2, "{protocol} {behaviour}: {report:#}");
            assert_eq!(report["losses"], 2, "{protocol} {behaviour}");
        }
    }
    let said = complaint(&["match", "nboard:cmd=/no/such/engine", "random", "--games", "2"]);
    assert!(said.contains("/no/such/engine"), "{said}");
}
