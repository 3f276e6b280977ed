//! Conversations over CECP with the real chess player.

mod common;

use common::{Client, Run, open, say};
use proptest::prelude::*;
use zug_serve::cecp;

const RUN: Run = cecp::run;

fn says(input: &str) -> String {
    say(cecp::run, "chess", "zug", input)
}

/// The moves that the engine made.
fn moves(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("move ")).collect()
}

#[test]
fn the_features_are_told_and_end() {
    let text = says("xboard\nprotover 2\naccepted ping\nnew\nquit\n");
    assert!(text.starts_with("feature done=0\n") && text.ends_with("feature done=1\n"), "{text}");
    for feature in [
        "ping=1",
        "setboard=1",
        "usermove=1",
        "analyze=1",
        "memory=1",
        "smp=1",
        "egt=\"syzygy\"",
        "variants=\"normal,fischerandom\"",
        "option=\"MultiPV -spin 1 1 256\"",
        "option=\"Learn -check 0\"",
        "option=\"Search -combo *modern /// thesis\"",
    ] {
        assert!(text.contains(feature), "{feature} in {text}");
    }
    assert!(!text.contains("\"Hash ") && !text.contains("Error"), "{text}");
}

#[test]
fn it_answers_a_move_with_a_move_and_a_ping_after_it() {
    let text = says("new\nsd 4\nusermove e2e4\nping 7\n");
    let [mv] = moves(&text)[..] else { panic!("{text}") };
    let mut line = open("chess").unwrap().game.new_line();
    line.play("e2e4").unwrap();
    line.play(mv).unwrap();
    assert!(text.ends_with("pong 7\n"), "{text}");
    // Bare moves are those of version 1, and `go` lets it play White.
    assert_eq!(moves(&says("new\nsd 2\ne2e4\n")).len(), 1);
    assert_eq!(moves(&says("new\nsd 2\ngo\nusermove e7e5\n")).len(), 2);
    assert!(moves(&says("new\nsd 2\nplayother\n")).is_empty());
}

#[test]
fn forced_it_only_follows_and_goes_on_from_there() {
    let text = says("new\nforce\nusermove e2e4\nusermove e7e5\nping 1\nsd 3\ngo\nping 2\n");
    assert!(text.starts_with("pong 1\nmove ") && text.ends_with("pong 2\n"), "{text}");
    // Back to the start, where a white move is legal again.
    let text = says(
        "new\nforce\nusermove e2e4\nusermove e7e5\nremove\nusermove e2e4\nundo\n\
                     usermove d2d4\nusermove d2d4\nundo\nundo\n",
    );
    let said: Vec<&str> = text.lines().collect();
    assert_eq!(said.len(), 2, "{text}");
    assert!(said[0].starts_with("Illegal move (") && said[0].ends_with("): d2d4"), "{text}");
    assert!(said[1].contains("no move to take back"), "{text}");
}

#[test]
fn a_position_is_set_up_or_refused() {
    let mate = "new\nforce\nsetboard 7k/5K2/8/8/8/8/8/6R1 w - - 0 1\nsd 3\npost\ngo\n";
    let text = says(mate);
    assert!(text.contains("move g1h1\n1-0 {White wins: checkmate}\n"), "{text}");
    assert!(
        text.lines().any(|line| line.contains(" 100001 ") && line.ends_with(" g1h1")),
        "{text}"
    );
    let text = says("new\nforce\nsetboard 7k/5K2/8 w\nusermove e2e4\n");
    assert!(text.starts_with("tellusererror Illegal position"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn thoughts_are_shown_when_they_are_asked_for() {
    let shown = |text: &str| {
        let is_thought = |line: &&str| line.split(' ').take(4).all(|w| w.parse::<i64>().is_ok());
        text.lines().filter(is_thought).count()
    };
    assert!(shown(&says("new\npost\nsd 4\nusermove e2e4\n")) >= 4);
    assert_eq!(shown(&says("new\npost\nnopost\nsd 4\nusermove e2e4\n")), 0);
}

#[test]
fn an_analysis_follows_the_position_until_it_is_left() {
    let mut gui = Client::start(RUN, "chess", "zug");
    gui.send("new");
    gui.send("analyze");
    gui.wait_for("3 ");
    let status = gui.ask(".", "stat01: ");
    assert_eq!(status.split(' ').nth(5), Some("20"), "{status}");
    gui.send("usermove e2e4");
    // Soon what is shown is about Black's move.
    let reply = |line: &str| line.split(' ').nth(4).is_some_and(|mv| mv.ends_with(['5', '6']));
    while !reply(&gui.line()) {}
    assert!(gui.ask("usermove e2e4", "Illegal move").ends_with("e2e4"));
    gui.send("undo");
    gui.send("option MultiPV=2");
    gui.send("new");
    gui.wait_for("2 ");
    gui.send("exit");
    gui.ask("ping 2", "pong 2");
    assert!(!gui.has_heard("move ") && !gui.has_heard("Error"));
    gui.send("sd 2");
    gui.ask("go", "move ");
    gui.close();
}

#[test]
fn a_thought_is_hurried_by_a_question_mark_and_ended_by_other_words() {
    let mut gui = Client::start(RUN, "chess", "zug");
    gui.send("new\nst 100000\nusermove e2e4");
    gui.ask("?", "move ");
    gui.send("new\nst 100000\npost\nusermove e2e4");
    gui.wait_for("2 ");
    gui.send("force");
    gui.ask("ping 3", "pong 3");
    let heard = gui.heard.iter().filter(|line| line.starts_with("move ")).count();
    assert_eq!(heard, 1);
    gui.send("go");
    gui.wait_for("2 ");
    gui.send("quit");
    gui.close();
}

#[test]
fn clocks_times_and_positions_limit_a_move() {
    for limit in ["level 40 0:01 0\ntime 20\notim 20", "st 1\ntime 5", "level 0 0:02 0.01"] {
        let text = says(&format!("new\n{limit}\nusermove e2e4\n"));
        assert_eq!(moves(&text).len(), 1, "{limit}: {text}");
    }
    let text = says("new\npost\nnps 3000\nst 1\nusermove e2e4\n");
    let thought = text.lines().rfind(|line| !line.starts_with("move ")).unwrap();
    let nodes: u64 = thought.split(' ').nth(3).unwrap().parse().unwrap();
    assert!((300..3100).contains(&nodes), "{text}");
}

#[test]
fn castling_in_chess960_is_written_as_xboard_wants_it() {
    let position = "new\nvariant fischerandom\nforce\n\
                    setboard 5k2/8/8/8/8/8/5PPP/4K2R w K - 0 1\n";
    let text = says(&format!("{position}usermove O-O\nusermove f8e7\nundo\nundo\nusermove e1h1\n"));
    assert_eq!(text, "");
    let text = says("new\nvariant giveaway\nping 1\n");
    assert_eq!(text, "Error (unknown variant): giveaway\npong 1\n");
    let text = says(&format!("{position}new\nusermove e1h1\n"));
    assert!(text.starts_with("Illegal move"), "{text}");
}

#[test]
fn a_draw_is_accepted_by_who_is_not_better() {
    // Knights go to and fro until move 20; then Black lacks a queen.
    let (to, fro) = ("usermove g1f3\nusermove g8f6\n", "usermove f3g1\nusermove f6g8\n");
    let waltz = format!("{to}{fro}").repeat(10);
    let lost = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let begin = format!("new\nforce\nsetboard {lost}\nsd 2\n{waltz}");
    for (side, answers) in [("usermove a2a3\n", true), ("", false)] {
        let mut gui = Client::start(RUN, "chess", "zug");
        gui.send(&format!("{begin}{side}go"));
        gui.ask("ping 1", "pong 1");
        gui.send("draw");
        gui.ask("ping 2", "pong 2");
        assert_eq!(gui.has_heard("offer draw"), answers, "{side}");
        gui.close();
    }
    // All of it can be taken back, over the draws that nobody claimed.
    let text = says(&format!("{begin}{}undo\nping 1\n", "remove\n".repeat(20)));
    assert_eq!(text, "Error (there is no move to take back): undo\npong 1\n");
}

#[test]
fn what_makes_no_sense_is_said_and_changes_nothing() {
    for (line, said) in [
        ("xyzzy", "Error (unknown command): xyzzy\n"),
        ("sd six", "Error (byte 3: expected a number, found 'six'): sd\n"),
        ("e2e5", "Illegal move: e2e5\n"),
        ("egtpath nalimov /x", "Error (no such tables are read): nalimov\n"),
        ("undo", "Error (there is no move to take back): undo\n"),
        ("option Nothing=3", "Error (there is no option 'Nothing'): option\n"),
    ] {
        assert_eq!(says(&format!("new\n{line}\n")), said);
    }
    let text = says("new\nmemory 99999999\ncores 0\negtpath syzygy no/such/folder\nsd 1\ngo\n");
    assert_eq!(text.matches("Error (").count(), 3, "{text}");
    assert!(text.contains("no/such/folder") && moves(&text).len() == 1, "{text}");
    assert_eq!(
        says("new\nmemory 24\ncores 2\neasy\nhard\nbk\nping 1\n"),
        " no book knows this position\n\npong 1\n"
    );
}

#[test]
fn an_illegal_move_of_the_opponent_leaves_it_waiting() {
    let text = says("new\nsd 2\nusermove e2e5\nusermove e2e4\n");
    assert!(text.starts_with("Illegal move (") && moves(&text).len() == 1, "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_break_the_engine(bytes: Vec<u8>) {
        let mut input = bytes;
        input.extend(b"\nping 77\n");
        let text = say(cecp::run, "chess", "random", input);
        prop_assert!(text.ends_with("pong 77\n") || text.contains("pong 77\n"));
    }

    #[test]
    fn no_commands_break_the_engine(lines in proptest::collection::vec(line(), 0..12)) {
        let text = say(cecp::run, "chess", "random", format!("{}\nping 77\n", lines.join("\n")));
        prop_assert!(text.contains("pong 77\n"), "{}", text);
    }
}

/// A line that looks like CECP.
fn line() -> impl Strategy<Value = String> {
    let lines = [
        "xboard",
        "protover 2",
        "new",
        "variant fischerandom",
        "variant normal",
        "force",
        "go",
        "playother",
        "level 40 5 0",
        "st 1",
        "sd 3",
        "nps 100",
        "time 100",
        "otim -3",
        "usermove e2e4",
        "e7e5",
        "O-O",
        "?",
        "ping 3",
        "draw",
        "result 1-0 {x}",
        "setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "setboard nonsense",
        "hint",
        "bk",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "analyze",
        "exit",
        ".",
        "memory 32",
        "cores 2",
        "option MultiPV=3",
        "egtpath syzygy /none",
    ];
    proptest::sample::select(lines.to_vec()).prop_map(str::to_string)
}
