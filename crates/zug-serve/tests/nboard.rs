//! Conversations over NBoard with the real Othello player.

mod common;

use common::{Client, Run, open, say};
use proptest::prelude::*;
use zug_core::seed::RngExt;
use zug_serve::nboard;

const RUN: Run = nboard::run;
const START: &str = "set game (;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 \
    ---------------------------O*------*O--------------------------- *];)";

fn nboard_says(input: &str) -> String {
    say(RUN, "othello", "zug", input)
}

/// The move after `=== `.
fn played(text: &str) -> String {
    let line = text.lines().find_map(|l| l.strip_prefix("=== "));
    let line = line.unwrap_or_else(|| panic!("no move in:\n{text}"));
    line.split('/').next().unwrap().to_string()
}

#[test]
fn the_engine_tells_its_name_and_depth() {
    let text = nboard_says("nboard 2\nset depth 6\nping 3\nquit\n");
    assert_eq!(text, "set myname Zug\nset myname Zug6\npong 3\n");
}

#[test]
fn go_names_a_move_and_leaves_the_board() {
    let text = nboard_says(&format!("nboard 2\nset depth 3\n{START}\ngo\nmove F5\ngo\n"));
    let line = text.lines().find(|l| l.starts_with("=== ")).unwrap();
    assert!(["D3", "C4", "F5", "E6"].contains(&played(line).as_str()), "{line}");
    let parts: Vec<&str> = line[4..].split('/').collect();
    assert!(parts[1].parse::<f64>().is_ok() && parts[2].parse::<f64>().is_ok(), "{line}");
    // The first `go` did not play: F5 was still legal, and the second answer is white's.
    assert!(!text.contains("error"), "{text}");
    let replies: Vec<String> = text.lines().filter(|l| l.starts_with("=== ")).map(played).collect();
    assert!(["F4", "D6", "F6"].contains(&replies[1].as_str()), "{replies:?}");
    assert!(text.contains("\nsearch ") && text.contains("\nnodestats "), "{text}");
}

#[test]
fn hints_rank_several_moves() {
    let text = nboard_says(&format!("nboard 2\nset depth 2\n{START}\nmove F5/0.5/1\nhint 3\n"));
    let searched: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("search ")).collect();
    for mv in ["F4", "D6", "F6"] {
        assert!(searched.iter().any(|l| l.starts_with(mv)), "{mv} in {searched:?}");
    }
    for line in &searched {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words.len(), 4, "{line}");
        assert!(words[1].parse::<f64>().is_ok() && words[2] == "0", "{line}");
    }
    assert!(text.ends_with("status\n"));
}

#[test]
fn a_ping_stops_the_thinking_before_its_pong() {
    let mut gui = Client::start(RUN, "othello", "zug");
    gui.send("nboard 2");
    gui.send("set depth 60");
    gui.send("hint 1");
    gui.wait_for("search ");
    gui.ask("ping 7", "pong 7");
    let at = gui.heard.len();
    gui.send("set depth 1");
    gui.ask("go", "=== ");
    let after = &gui.heard[at..];
    assert!(after.iter().filter(|l| l.starts_with("search ")).count() <= 2, "{after:?}");
    gui.close();
}

/// These would hang if a command kept the next from being heard: nobody lives to see the end of a
/// search of depth 60.
#[test]
fn ping_and_quit_are_heard_behind_commands_that_wait() {
    for thought in ["hint 1", "go", "analyze"] {
        let mut gui = Client::start(RUN, "othello", "zug");
        gui.send("set depth 60");
        gui.send(thought);
        gui.wait_for("status ");
        gui.send("set depth 50");
        gui.send("nboard 2");
        gui.ask("ping 7", "pong 7");
        assert_eq!(gui.has_heard("=== "), thought == "go");
        let end = gui.heard.iter().rposition(|l| l == "status").unwrap();
        assert_eq!(gui.heard[end + 1..], ["set myname Zug50", "set myname Zug50", "pong 7"]);
        gui.send(thought);
        gui.send("set depth 40");
        gui.send(thought);
        gui.send("learn");
        gui.send("quit");
        let heard = gui.close();
        assert_eq!(heard.last().unwrap(), "learned");
    }
}

#[test]
fn who_changes_the_board_need_not_wait_for_a_deep_thought() {
    for thought in ["hint 2", "go", "analyze"] {
        let mut gui = Client::start(RUN, "othello", "zug");
        gui.send("set depth 60");
        for change in [START, "move F5", "hint 1", "go", "analyze"] {
            gui.send(START);
            gui.send(thought);
            gui.wait_for("status ");
            gui.send(change);
            gui.wait_for("status");
        }
        gui.send(START);
        gui.ask("ping 1", "pong 1");
        assert!(!gui.has_heard("status error"), "{:#?}", gui.heard);
        gui.send("quit");
        gui.close();
    }
}

#[test]
fn every_go_is_answered_in_its_order_even_when_stopped() {
    let text = nboard_says(&format!("set depth 60\n{START}\ngo\nmove F5\ngo\nmove D6\ngo\nquit\n"));
    let replies: Vec<String> = text.lines().filter(|l| l.starts_with("=== ")).map(played).collect();
    assert_eq!(replies.len(), 3, "{text}");
    assert!(["D3", "C4", "F5", "E6"].contains(&replies[0].as_str()), "{text}");
    assert!(["F4", "D6", "F6"].contains(&replies[1].as_str()), "{text}");
    assert!(!text.contains("error"), "{text}");
}

#[test]
fn a_script_gets_whole_answers_at_a_modest_depth() {
    let text = nboard_says(&format!("set depth 5\n{START}\nhint 1\nmove F5\nhint 1\nlearn\n"));
    let deepest = text.lines().filter(|l| l.starts_with("search ") && l.ends_with(" 5")).count();
    assert_eq!(deepest, 2, "{text}");
    assert!(text.ends_with("status\nlearned\n"), "{text}");
}

#[test]
fn a_game_is_read_with_its_moves_and_analysed() {
    let game = "set game (;GM[Othello]PB[a]PW[b]RE[?]TY[8]BO[8 \
        ---------------------------O*------*O--------------------------- *]B[F5]W[D6//1.5]B[C3/0.5];)";
    let text = nboard_says(&format!("nboard 2\nset depth 1\n{game}\nanalyze\n"));
    let plies: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("analysis "))
        .map(|l| l.split(' ').next().unwrap())
        .collect();
    assert_eq!(plies, ["3", "2", "1", "0"], "{text}");
    let text = nboard_says(&format!("set depth 1\n{game}\ngo\nlearn\n"));
    assert!(["D3", "F3", "F4", "G5"].contains(&played(&text).as_str()), "{text}");
    assert!(text.ends_with("learned\n"), "{text}");
}

#[test]
fn nonsense_is_said_in_the_status_line_and_changes_nothing() {
    for nonsense in [
        "xyzzy",
        "set game (;",
        "set game",
        "move A1",
        "move",
        "set depth x",
        "ping",
        "set game (;GM[Othello]BO[8 * O *];)",
    ] {
        let text = nboard_says(&format!("set depth 1\n{nonsense}\ngo\nquit\n"));
        assert!(text.contains("\nstatus error: "), "{nonsense}: {text}");
        assert!(["D3", "C4", "F5", "E6"].contains(&played(&text).as_str()), "{text}");
    }
}

/// The moves of a random game up to a position where its side must pass.
fn moves_to_a_pass() -> Vec<String> {
    let game = open("othello").unwrap().game;
    for seed in 0.. {
        let (mut rng, mut line) = (zug_core::rng(seed, 0), game.new_line());
        while line.outcome().is_none() {
            let moves = line.legal_moves();
            if moves == ["pass"] {
                return line.moves();
            }
            line.play(&moves[rng.random_range(0..moves.len())]).unwrap();
        }
    }
    unreachable!("some random game has a pass")
}

#[test]
fn a_forced_pass_is_read_and_written_as_pa() {
    let moves: String = moves_to_a_pass().iter().map(|mv| format!("move {mv}\n")).collect();
    let text = nboard_says(&format!("set depth 1\n{moves}go\nmove PA\ngo\n"));
    let replies: Vec<String> = text.lines().filter(|l| l.starts_with("=== ")).map(played).collect();
    assert_eq!(replies[0], "PA");
    assert_ne!(replies[1], "PA");
    assert!(!text.contains("error"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_break_the_engine(bytes: Vec<u8>) {
        let mut input = bytes;
        input.extend(b"\nping 5\nquit\n");
        let text = say(RUN, "othello", "random", input);
        prop_assert!(text.ends_with("pong 5\n"), "{}", text);
    }

    #[test]
    fn no_commands_break_the_engine(lines in proptest::collection::vec(line(), 0..12)) {
        let input = format!("{}\nping 5\nquit\n", lines.join("\n"));
        let text = say(RUN, "othello", "random", input);
        prop_assert!(text.ends_with("pong 5\n"), "{}", text);
    }
}

/// A line that looks like NBoard.
fn line() -> impl Strategy<Value = String> {
    let heads = [
        "nboard",
        "set depth",
        "set game",
        "set contempt",
        "set time",
        "move",
        "hint",
        "go",
        "ping",
        "learn",
        "analyze",
    ];
    let tails = [
        "",
        "1",
        "-3",
        "F5",
        "F5/1/2",
        "PA",
        "D6//",
        "99999999999",
        "1e300",
        "(;GM[Othello]BO[6 -- *];)",
        "(;)",
    ];
    (proptest::sample::select(heads.to_vec()), proptest::sample::select(tails.to_vec()))
        .prop_map(|(head, tail)| format!("{head} {tail}"))
}
