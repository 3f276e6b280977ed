//! Conversations over UCI with the real chess player.

mod common;

use common::{Client, Run, open, say};
use proptest::prelude::*;
use zug_core::{AnyLine, Choice, Limits, Player, PlayerError, PlayerKind, Spec, Watch};
use zug_serve::uci;

const RUN: Run = uci::run;

fn uci_says(input: &str) -> String {
    say(uci::run, "chess", "zug", input)
}

fn best_move(text: &str) -> &str {
    let mut best = text.lines().filter_map(|l| l.strip_prefix("bestmove "));
    let line = best.next_back().unwrap_or_else(|| panic!("no bestmove in:\n{text}"));
    line.split(' ').next().unwrap()
}

#[test]
fn the_handshake_names_the_engine_and_its_options() {
    let text = uci_says("uci\nisready\nquit\n");
    assert!(text.starts_with("id name Zug "));
    for option in ["Hash type spin", "Threads type spin", "MultiPV type spin", "Ponder type check"]
    {
        assert!(text.contains(&format!("option name {option}")), "{option}");
    }
    assert!(text.ends_with("uciok\nreadyok\n"));
}

#[test]
fn quit_in_the_middle_of_a_search_still_gives_a_move() {
    let text = uci_says("uci\nisready\nposition startpos moves e2e4\ngo depth 4\nquit\n");
    let mut line = open("chess").unwrap().game.new_line();
    line.play("e2e4").unwrap();
    assert!(line.legal_moves().contains(&best_move(&text).to_string()));
    assert!(text.lines().last().unwrap().starts_with("bestmove "));
}

#[test]
fn the_end_of_the_input_lets_a_search_reach_its_depth() {
    let text = uci_says("position startpos\r\ngo depth 3");
    let info = text.lines().rfind(|l| l.starts_with("info depth 3 ")).unwrap();
    for word in [" seldepth ", " multipv 1 ", " score cp ", " nodes ", " nps ", " time ", " pv "] {
        assert!(info.contains(word), "{word} in {info}");
    }
    assert!(text.contains("bestmove "));
}

#[test]
fn the_end_of_the_input_stops_a_search_without_limits() {
    for go in ["go infinite", "go", "go ponder wtime 1000 btime 1000"] {
        assert!(uci_says(&format!("{go}\n")).contains("bestmove "), "{go}");
    }
}

#[test]
fn an_infinite_search_answers_when_it_is_stopped_and_not_before() {
    let mut gui = Client::start(RUN, "chess", "zug");
    gui.send("position startpos");
    // With a depth it has nothing left to do after a moment, and must still wait.
    gui.send("go infinite depth 1");
    gui.wait_for("info depth 1");
    for _ in 0..20 {
        gui.ask("isready", "readyok");
    }
    assert!(!gui.has_heard("bestmove"));
    gui.ask("stop", "bestmove ");
    gui.send("quit");
    assert_eq!(gui.close().iter().filter(|l| l.starts_with("bestmove")).count(), 1);
}

#[test]
fn an_engine_is_ready_while_it_searches() {
    let mut gui = Client::start(RUN, "chess", "zug");
    gui.send("go infinite");
    gui.wait_for("info depth");
    gui.ask("isready", "readyok");
    assert!(gui.ask("go depth 2", "info string").contains("not while searching"));
    assert!(gui.ask("setoption name Hash value 8", "info string").contains("not while searching"));
    gui.ask("stop", "bestmove ");
    gui.ask("go depth 1", "bestmove ");
    gui.close();
}

#[test]
fn a_script_gets_an_answer_to_every_search() {
    for end in ["", "quit\n"] {
        let text = uci_says(&format!(
            "position startpos moves e2e4\ngo depth 4\nposition startpos\ngo depth 4 searchmoves a2a3\n\
             setoption name MultiPV value 2\nucinewgame\nposition fen 7k/5K2/8/8/8/8/8/6R1 w - - 0 1\n\
             go depth 2\n{end}"
        ));
        assert!(!text.contains("error"), "{text}");
        let best: Vec<&str> = text.lines().filter(|l| l.starts_with("bestmove ")).collect();
        assert_eq!(best.len(), 3, "{text}");
        // Each search is about the position and under the options that came before it.
        let mut line = open("chess").unwrap().game.new_line();
        line.play("e2e4").unwrap();
        line.play(best[0].split(' ').nth(1).unwrap()).unwrap();
        assert!(best[1].starts_with("bestmove a2a3"), "{text}");
        assert!(best[2].starts_with("bestmove g1h1"), "{text}");
        let (first, last) = text.split_once("bestmove a2a3").unwrap();
        assert!(!first.contains("multipv 2") && last.contains("multipv 2"), "{text}");
    }
}

#[test]
fn a_search_that_waits_keeps_nobody_from_hearing_stop() {
    let mut gui = Client::start(RUN, "chess", "zug");
    gui.send("go nodes 1000000000000");
    gui.wait_for("info depth 1 ");
    gui.send("go depth 2 searchmoves a2a3");
    gui.send("go movetime 100000000 searchmoves h2h4");
    gui.send("go infinite searchmoves b2b3");
    gui.ask("isready", "readyok");
    assert!(!gui.has_heard("bestmove") && !gui.has_heard("info string error"));
    // All that was asked for before is stopped; what comes after is not.
    gui.send("stop");
    gui.send("go depth 2 searchmoves g2g3");
    gui.wait_for("bestmove ");
    for mv in ["a2a3", "h2h4", "b2b3", "g2g3"] {
        let answer = gui.wait_for("bestmove ");
        assert!(answer.starts_with(&format!("bestmove {mv}")), "{answer} for {mv}");
    }
    let info = gui.heard.iter().rfind(|l| l.starts_with("info depth")).unwrap();
    assert!(info.starts_with("info depth 2 "), "{info}");
    gui.close();
}

#[test]
fn after_the_hit_a_search_is_waited_for() {
    let mut gui = Client::start(RUN, "chess", "zug");
    gui.send("go ponder wtime 2000 btime 2000");
    gui.wait_for("info depth 1 ");
    assert!(gui.ask("go depth 1", "info string").contains("not while searching"));
    gui.send("ponderhit");
    gui.send("go depth 1 searchmoves a2a3");
    gui.wait_for("bestmove ");
    assert!(gui.wait_for("bestmove ").starts_with("bestmove a2a3"));
    gui.close();
}

#[test]
fn more_waits_than_is_kept_and_is_still_answered() {
    let moves = " g1f3 g8f6 f3g1 f6g8".repeat(2000);
    let script = format!("position startpos moves{moves}\ngo nodes 1\n").repeat(40);
    let text = say(RUN, "chess", "random", format!("go perft 4\n{script}"));
    assert!(!text.contains("error"), "{text}");
    assert_eq!(text.lines().filter(|l| l.starts_with("bestmove ")).count(), 40);
}

#[test]
fn pondering_waits_for_the_hit_and_then_answers() {
    let mut gui = Client::start(RUN, "chess", "zug");
    assert!(gui.ask("ponderhit", "info string").contains("without 'go ponder'"));
    gui.send("position startpos moves e2e4 e7e5");
    gui.send("go ponder depth 1 wtime 60000 btime 60000");
    gui.wait_for("info depth 1");
    gui.ask("isready", "readyok");
    assert!(!gui.has_heard("bestmove"));
    gui.ask("ponderhit", "bestmove ");
    // Without a depth it is the clock that ends it after the hit.
    gui.send("go ponder wtime 200 btime 200");
    gui.wait_for("info depth 1");
    gui.ask("ponderhit", "bestmove ");
    gui.send("go ponder wtime 60000 btime 60000");
    gui.wait_for("info depth 1");
    gui.ask("stop", "bestmove ");
    gui.close();
}

#[test]
fn the_best_move_comes_with_the_reply_to_ponder_on() {
    let text = uci_says("go depth 3\n");
    let words: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    assert_eq!((words[0], words[2]), ("bestmove", "ponder"));
    let mut line = open("chess").unwrap().game.new_line();
    line.play(words[1]).unwrap();
    line.play(words[3]).unwrap();
}

#[test]
fn clocks_and_move_times_end_a_search() {
    for go in [
        "movetime 30",
        "wtime 500 btime 500 winc 10 binc 10",
        "wtime 300 movestogo 10",
        "nodes 500",
        "wtime -5 btime 0",
    ] {
        assert!(uci_says(&format!("go {go}\n")).contains("bestmove "), "{go}");
    }
}

#[test]
fn an_illegal_move_is_reported_and_leaves_the_position() {
    let text =
        uci_says("position startpos moves e2e4\nposition startpos moves d2d4 d7d3\nd\nquit\n");
    assert!(text.contains("info string error: move 2 of 'position' (byte 29)"), "{text}");
    assert!(text.contains("4P3"), "{text}");
    let text = uci_says("position startpos moves e2e4\nposition fen 9/8/8 w - -\nd\nquit\n");
    assert!(text.contains("info string error: in the FEN, byte"), "{text}");
    assert!(text.contains("4P3"), "{text}");
}

#[test]
fn a_search_after_a_refused_position_says_what_it_searches() {
    let refused = "position startpos moves e2e4\nposition startpos moves d2d5\n";
    let text = uci_says(&format!("{refused}go depth 1\n"));
    assert!(text.contains("the last position was refused; searching rnbqkbnr"), "{text}");
    assert!(best_move(&text).ends_with(['5', '6']), "{text}");
    for mended in ["position startpos", "ucinewgame"] {
        let text = uci_says(&format!("{refused}{mended}\ngo depth 1\n"));
        assert!(!text.contains("was refused"), "{mended}: {text}");
    }
}

#[test]
fn a_mate_that_is_asked_for_is_found_or_denied() {
    let fen = "position fen r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1\n";
    let text = uci_says(&format!("{fen}go mate 2\n"));
    assert!(text.contains(" score mate 2 ") && !text.contains("no mate"), "{text}");
    assert_eq!(best_move(&text), "d2h6");
    let text = uci_says(&format!("{fen}go mate 1\ngo depth 1\n"));
    assert!(text.contains("info string there is no mate in 1\nbestmove "), "{text}");
    assert_eq!(text.matches("no mate").count(), 1, "{text}");
}

#[test]
fn nonsense_gets_an_error_line() {
    for nonsense in [
        "xyzzy",
        "position",
        "setoption name Nothing value 3",
        "debug",
        "ponderhit",
        "setoption name Hash value lots",
    ] {
        let text = uci_says(&format!("{nonsense}\nisready\nquit\n"));
        assert!(text.starts_with("info string error: "), "{nonsense}: {text}");
        assert!(text.ends_with("readyok\n"));
    }
    assert_eq!(uci_says("\n  \nstop\nquit\n"), "");
}

#[test]
fn a_search_that_is_asked_for_badly_still_gives_a_move() {
    for (go, said) in [
        ("go foo nodes 100", "info string ignored after 'go': 'foo'\n"),
        ("go depth 1 foo bar", "info string ignored after 'go': 'foo', 'bar'\n"),
        ("go depth abc nodes 100", "byte 9: expected a number after 'depth', found 'abc'"),
        ("go depth", "expected a number after 'depth', found the end of the line"),
        ("go searchmoves", "expected moves after 'searchmoves'"),
        ("go searchmoves depth 1", "expected moves after 'searchmoves', found 'depth'"),
        ("go searchmoves e2e5", "none of the moves of 'searchmoves' is legal"),
        ("go searchmoves e2e5 depth 1", "none of the moves of 'searchmoves' is legal"),
        ("go perft x", "expected a number after 'perft'"),
    ] {
        // It ends by itself: nobody sends 'stop', and the next command waits for it.
        let mut gui = Client::start(RUN, "chess", "zug");
        gui.ask(go, "bestmove ");
        let text = gui.heard.join("\n") + "\n";
        assert!(text.contains(said), "{go}: {text}");
        let lost = ["depth", "searchmoves", "searchmoves e2e5", "perft x"].contains(&&go[3..]);
        assert_eq!(text.contains("without a limit that can be read: 1 s"), lost, "{go}: {text}");
        gui.close();
    }
    // What goes on until 'stop' still does.
    for go in ["go foo", "go infinite depth x", "go infinite searchmoves e2e5"] {
        let mut gui = Client::start(RUN, "chess", "zug");
        gui.send(go);
        gui.wait_for("info depth 1 ");
        assert!(gui.ask("go depth 2", "info string").contains("not while searching"), "{go}");
        gui.ask("stop", "bestmove ");
        gui.close();
    }
    assert_eq!(uci_says("joho isready\nquit\n"), "readyok\n");
}

#[test]
fn what_a_search_is_limited_by_is_said_in_words() {
    for (go, said) in [
        ("depth 1", "to depth 1"),
        ("depth 1 nodes 50", "to depth 1, to 50 nodes"),
        ("movetime 30 searchmoves a2a3", "for 0.02 s, only a2a3"),
        (
            "wtime 1010 btime 510 winc 100 movestogo 9 depth 1",
            "to depth 1, by the clocks (white 1 s + 0.1 s, black 0.5 s + 0 s, 9 moves to go)",
        ),
        ("infinite", "until 'stop'"),
        ("", "until 'stop'"),
        ("ponder depth 1", "to depth 1, until 'ponderhit' or 'stop'"),
    ] {
        let text = uci_says(&format!("debug on\ngo {go}\n"));
        assert!(text.contains(&format!("info string searching {said}\n")), "{go}: {text}");
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let text = uci_says("go depth 2 searchmoves a2a3 h2h4\n");
    assert!(["a2a3", "h2h4"].contains(&best_move(&text)));
    let text = uci_says("go searchmoves a2a5 a2a3 depth 2\n");
    assert!(text.contains("info string error: searchmoves (byte 15)"), "{text}");
    assert_eq!(best_move(&text), "a2a3");
}

#[test]
fn several_lines_are_shown_when_asked_for() {
    let text = uci_says("setoption name MultiPV value 3\ngo depth 2\n");
    let ranked = |rank: usize| {
        let key = format!(" multipv {rank} ");
        let line = text.lines().rfind(|l| l.starts_with("info depth 2 ") && l.contains(&key));
        line.unwrap_or_else(|| panic!("no {key} in:\n{text}")).to_string()
    };
    let first =
        |line: String| line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap().to_string();
    let moves = [1, 2, 3].map(|rank| first(ranked(rank)));
    assert_ne!(moves[0], moves[1]);
    assert_ne!(moves[1], moves[2]);
    assert_eq!(moves[0], best_move(&text));
}

#[test]
fn a_mate_is_found_and_said_in_moves() {
    let mate_in_two = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let text = uci_says(&format!("position fen {mate_in_two}\ngo depth 5\n"));
    assert!(text.contains(" score mate 2 "), "{text}");
    assert_eq!(best_move(&text), "a1a6");
    let text = uci_says(&format!("position fen {mate_in_two}\ngo mate 2\n"));
    assert_eq!(best_move(&text), "a1a6");
}

#[test]
fn a_mate_found_in_an_infinite_search_waits_for_its_stop() {
    let mut gui = Client::start(RUN, "chess", "zug");
    gui.send("position fen 7k/5K2/8/8/8/8/8/6R1 w - - 0 1");
    gui.send("go infinite mate 1");
    while !gui.wait_for("info depth").contains(" score mate 1 ") {}
    assert!(gui.ask("go depth 1", "info string").contains("not while searching"));
    assert!(!gui.has_heard("bestmove"));
    gui.ask("stop", "bestmove ");
    gui.close();
}

#[test]
fn where_the_game_is_over_there_is_no_move() {
    let mated = "position startpos moves f2f3 e7e5 g2g4 d8h4\ngo depth 3\n";
    assert_eq!(uci_says(mated), "info depth 0 score mate 0\nbestmove (none)\n");
    let stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo\nstop\n";
    assert_eq!(uci_says(stalemate), "info depth 0 score cp 0\nbestmove (none)\n");
}

#[test]
fn play_goes_on_where_nobody_claims_the_draw() {
    let knights = " g1f3 g8f6 f3g1 f6g8";
    let repeated = format!("position startpos moves{}", knights.repeat(4));
    let text = uci_says(&format!("{repeated}\ngo depth 1\n"));
    assert!(!text.contains("error") && best_move(&text) != "(none)", "{text}");
    let fifty = "position fen 7k/8/8/8/8/8/R7/K7 w - - 99 80 moves a2b2 h8g8\ngo depth 1\n";
    let text = uci_says(fifty);
    assert!(!text.contains("error") && best_move(&text) != "(none)", "{text}");
}

#[test]
fn chess960_writes_castling_as_king_takes_rook() {
    let ready = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ngo depth 1 searchmoves e1h1\n";
    assert_eq!(best_move(&uci_says(ready)), "e1g1");
    let on = format!("setoption name UCI_Chess960 value true\n{ready}");
    assert_eq!(best_move(&uci_says(&on)), "e1h1");
    let off = format!(
        "setoption name UCI_Chess960 value true\nsetoption name UCI_Chess960 value false\n{ready}"
    );
    assert_eq!(best_move(&uci_says(&off)), "e1g1");
}

#[test]
fn options_reach_the_player_and_a_new_game_begins() {
    let text = uci_says(
        "setoption name Hash value 2\nsetoption name Threads value 2\nsetoption name Clear Hash\n\
         setoption name Move Overhead value 20\nsetoption name Ponder value true\nucinewgame\n\
         debug on\ngo depth 2\n",
    );
    assert!(!text.contains("error"), "{text}");
    assert!(text.contains("info string searching to depth 2\n"), "{text}");
}

#[test]
fn leaves_are_counted_and_the_count_can_be_stopped() {
    let text = uci_says("go perft 3\n");
    assert!(text.contains("\ne2e4: 600\n") || text.starts_with("e2e4: 600\n"), "{text}");
    assert!(text.ends_with("Nodes searched: 8902\n"), "{text}");
    let text = uci_says("go perft 5\n");
    assert!(text.ends_with("Nodes searched: 4865609\n"), "{text}");
    assert!(uci_says("go perft 30\nquit\n").ends_with("info string perft was stopped\n"));
}

/// Has no memory to give.
struct Poor;

impl Player for Poor {
    fn name(&self) -> String {
        "poor".into()
    }
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        _: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        Ok(Choice::of(line.legal_moves().remove(0)))
    }
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        if value == "2" {
            panic!("this panic is part of a test");
        }
        Err(PlayerError::Option(format!("{name}: there is no memory for {value} MiB")))
    }
}

#[test]
fn an_option_that_the_player_cannot_take_is_an_error_line() {
    let make = |_: &Spec| -> Result<Box<dyn Player>, _> { Ok(Box::new(Poor)) };
    let poor = PlayerKind { name: "poor", help: String::new(), make: Box::new(make) };
    let mut gui = Client::start_with(RUN, open("chess").unwrap().with_player(poor), "poor");
    for (value, why) in [("4096", "no memory for 4096 MiB"), ("2", "crashed")] {
        let answer = gui.ask(&format!("setoption name Hash value {value}"), "info string error: ");
        assert!(answer.contains(why), "{answer}");
        gui.ask("go depth 1", "bestmove ");
    }
    let answer = gui.ask("setoption name Hash value 65536", "info string error: ");
    assert!(answer.contains("from 1 to 16384"), "{answer}");
    gui.close();
}

/// Breaks down on its first move of every game, to see that the engine does not.
struct Brittle(u32);

impl Player for Brittle {
    fn name(&self) -> String {
        "brittle".into()
    }
    fn choose(
        &mut self,
        _: &dyn AnyLine,
        _: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        match self.0 {
            0 => panic!("this panic is part of a test"),
            1 => Ok(Choice::of("e2e5")),
            _ => Err(PlayerError::TimedOut(std::time::Duration::from_secs(1))),
        }
    }
}

#[test]
fn a_player_that_breaks_down_costs_a_move_and_not_the_engine() {
    for (kind, why) in [(0, "crashed"), (1, "illegal move"), (2, "no answer")] {
        let make = move |_: &Spec| -> Result<Box<dyn Player>, _> { Ok(Box::new(Brittle(kind))) };
        let brittle = PlayerKind { name: "brittle", help: String::new(), make: Box::new(make) };
        let entry = open("chess").unwrap().with_player(brittle);
        let mut gui = Client::start_with(RUN, entry, "brittle");
        for _ in 0..2 {
            assert!(gui.ask("go depth 1", "info string error").contains(why));
            gui.wait_for("bestmove ");
        }
        gui.close();
    }
}

#[test]
fn a_bad_player_is_an_error_before_the_first_word() {
    let player = Spec::parse("nobody").unwrap();
    let mut output = Vec::new();
    let error = uci::run(open("chess").unwrap(), &player, &open, &b"uci\n"[..], &mut output);
    assert!(error.unwrap_err().to_string().contains("'nobody'"));
    assert!(output.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_break_the_engine(bytes: Vec<u8>) {
        let mut input = bytes;
        input.extend(b"\nisready\nquit\n");
        let text = say(uci::run, "chess", "random", input);
        prop_assert!(text.contains("readyok\n"));
    }

    #[test]
    fn no_commands_break_the_engine(lines in proptest::collection::vec(line(), 0..12)) {
        let text = say(uci::run, "chess", "random", format!("{}\nisready\nstop\nquit\n", lines.join("\n")));
        prop_assert!(text.contains("readyok\n"));
    }
}

/// A line that looks like UCI.
fn line() -> impl Strategy<Value = String> {
    let words = [
        "uci",
        "debug",
        "on",
        "isready",
        "setoption",
        "name",
        "value",
        "Hash",
        "MultiPV",
        "UCI_Chess960",
        "true",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "perft",
        "stop",
        "ponderhit",
        "d",
        "e2e4",
        "e7e5",
        "g1f3",
        "1",
        "3",
        "-7",
        "100",
        "99999999999999999999",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..6)
        .prop_map(|words| words.join(" "))
}
