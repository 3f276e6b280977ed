//! Conversations over GTP: Go above all, and the same commands for other games.

mod common;

use common::{Client, Run, open, say};
use proptest::prelude::*;
use zug_core::{Choice, Limits, Player, PlayerError, PlayerKind, Spec, Watch};
use zug_serve::gtp::{self, COMMANDS};

const RUN: Run = gtp::run;
/// Strong enough to test with, and quick.
const QUICK: &str = "zug:playouts=60";

/// The responses to these commands, without their final blank lines.
fn responses(game: &str, player: &str, input: &str) -> Vec<String> {
    let text = say(RUN, game, player, input);
    assert!(text.is_empty() || text.ends_with("\n\n"), "{text:?}");
    text.split_terminator("\n\n").map(String::from).collect()
}

fn go(input: &str) -> Vec<String> {
    responses("go:9x9", QUICK, input)
}

/// The last response to these commands on a 9×9 board.
fn last(input: &str) -> String {
    go(input).pop().unwrap()
}

#[test]
fn a_stone_that_cannot_live_is_dead_and_does_not_count() {
    // Black holds the left, White the right; the white stone at A9 has nowhere to live.
    let mut script = String::from("boardsize 9\nkomi 0\nplay w A9\n");
    for row in 1..=9 {
        script.push_str(&format!("play b E{row}\nplay w F{row}\n"));
    }
    for (column, row) in [("B", 9), ("B", 8), ("C", 5), ("D", 3)] {
        script.push_str(&format!("play b {column}{row}\n"));
    }
    script.push_str("final_status_list dead\nfinal_score\n");
    let answers = go(&script);
    let tail: Vec<&str> = answers.iter().rev().take(2).map(|a| a.trim()).collect();
    assert_eq!(tail, ["= B+9", "= A9"]);
}

#[test]
fn the_piped_example_answers_with_a_legal_move() {
    let text = say(RUN, "go", QUICK, "boardsize 9\nclear_board\ngenmove b\nquit\n");
    let answers: Vec<&str> = text.split_terminator("\n\n").collect();
    assert_eq!((answers.len(), answers[0], answers[1], answers[3]), (4, "= ", "= ", "= "));
    let mv = answers[2].strip_prefix("= ").unwrap();
    assert!(
        open("go:9x9").unwrap().game.new_line().legal_moves().contains(&mv.to_string()),
        "{mv}"
    );
}

#[test]
fn numbers_are_echoed_and_comments_are_not_answered() {
    let answers = go("# hello\n\n10 name # who\n\t11\tprotocol_version\n12 nonsense\n13\n");
    assert_eq!(
        answers,
        ["=10 Zug", "=11 2", "?12 unknown command", "?13 syntax error: a number without a command"]
    );
}

#[test]
fn the_commands_are_listed_and_known() {
    let list = last("list_commands\n");
    let mut names: Vec<&str> = list.trim_start_matches("= ").lines().collect();
    assert_eq!(names, COMMANDS);
    names.sort_unstable();
    assert_eq!(names, COMMANDS, "the list is in order");
    assert_eq!(last("known_command genmove\n"), "= true");
    assert_eq!(last("known_command fly\n"), "= false");
    for name in COMMANDS {
        assert_ne!(last(&format!("{name}\n")), "? unknown command", "{name}");
    }
}

#[test]
fn moves_are_played_shown_and_taken_back() {
    let answers = go("play b D4\nplay white e5\nzug-legal_moves\nshowboard\nundo\nundo\nundo\n");
    assert_eq!(&answers[..2], ["= ", "= "]);
    assert!(!answers[2].contains("D4") && answers[2].contains("pass"));
    assert!(answers[3].starts_with("= \n9 . . "), "{}", answers[3]);
    assert!(answers[3].contains("\n4 . . . X . . . . ."), "{}", answers[3]);
    assert!(answers[3].contains("\n5 . . . . O "), "{}", answers[3]);
    assert!(answers[3].contains("A B C D E F G H J"), "{}", answers[3]);
    assert_eq!(&answers[4..], ["= ", "= ", "? cannot undo"]);
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let answers = go("play b D4\nplay w D4\nplay w Z9\nplay w\nplay red D5\nplay\nplay w D5\n");
    assert!(answers[1].starts_with("? illegal move"), "{}", answers[1]);
    assert!(answers[2].starts_with("? illegal move"), "{}", answers[2]);
    assert!(answers[3..6].iter().all(|a| a.starts_with("? syntax error")), "{answers:?}");
    assert_eq!(answers[6], "= ");
}

#[test]
fn a_colour_may_move_twice_in_a_row() {
    let answers = go("play b D4\nplay b E5\nzug-position\nundo\nzug-legal_moves\nplay w E5\n");
    assert_eq!(&answers[..2], ["= ", "= "]);
    assert!(answers[4].contains("E5"));
    assert_eq!(answers[5], "= ");
    // A pass before is no obstacle, and the game does not end by the one in between.
    let answers = go("play b pass\nplay b D4\nzug-outcome\nundo\nplay w pass\nzug-outcome\n");
    assert_eq!(&answers[..3], ["= ", "= ", "= none"]);
    assert!(answers[5].contains("two passes"), "{}", answers[5]);
    let answers = go("genmove w\ngenmove w\n");
    assert!(answers.iter().all(|a| a.starts_with("= ")), "{answers:?}");
}

#[test]
fn play_goes_on_after_both_have_passed_and_can_be_taken_back() {
    let ended = "komi 0.5\nplay b D4\nplay w pass\nplay b pass\n";
    for mv in ["w E5", "b E5"] {
        let answers = go(&format!(
            "{ended}zug-outcome\nplay {mv}\nzug-outcome\nzug-legal_moves\nundo\nzug-outcome\n\
             undo\nzug-outcome\nundo\nundo\nundo\n"
        ));
        assert!(answers[4].contains("two passes"), "{}", answers[4]);
        assert_eq!(answers[5..7], ["= ", "= none"], "{mv}");
        assert!(!answers[7].contains("D4") && !answers[7].contains("E5"), "{}", answers[7]);
        assert_eq!(answers[8], "= ");
        assert_eq!(answers[9], answers[4], "the passes are back");
        assert_eq!(answers[10..], ["= ", "= none", "= ", "= ", "? cannot undo"]);
    }
    // A move that cannot be played leaves the game where it ended, with its score.
    let answers = go(&format!("{ended}final_score\nplay w D4\nzug-outcome\nfinal_score\n"));
    assert!(answers[5].starts_with("? illegal move"), "{}", answers[5]);
    assert!(answers[6].contains("two passes"), "{}", answers[6]);
    assert_eq!((&answers[4][..], &answers[7][..]), ("= B+80.5", "= B+80.5"));
    // Two more passes end it again.
    let answers = go(&format!("{ended}play w E5\nplay b pass\nplay w pass\nzug-outcome\n"));
    assert!(answers[7].contains("two passes"), "{}", answers[7]);
}

#[test]
fn moves_are_found_after_both_have_passed() {
    for command in ["genmove", "kgs-genmove_cleanup", "reg_genmove"] {
        // Komi makes passing lose on the empty board.
        for (colour, komi) in [("b", 30), ("w", -30)] {
            let found =
                last(&format!("komi {komi}\nplay b pass\nplay w pass\n{command} {colour}\n"));
            let mv = found.strip_prefix("= ").unwrap_or_else(|| panic!("{command}: {found}"));
            assert!(!["pass", "resign"].contains(&mv), "{command} {colour}: {mv}");
        }
    }
    let text = say(RUN, "go:5x5", QUICK, "play b pass\nplay w pass\nlz-genmove_analyze b 0\n");
    assert!(text.contains("\nplay "), "{text}");
}

#[test]
fn a_position_that_begins_after_two_passes_has_nothing_to_take_back() {
    let ended = "zug-set_position 5/5/2X2/5/5 white ko=- caps=0,0 passes=2 moves=3\n";
    let answers = responses("go:5x5", "random", &format!("{ended}genmove w\nplay w A1\nundo\n"));
    assert_eq!(answers[..2], ["= ", "= pass"]);
    assert!(answers[2].starts_with("? illegal move"), "{}", answers[2]);
    assert_eq!(answers[3], "? cannot undo");
}

#[test]
fn size_and_komi_change_the_game() {
    let answers = go("boardsize 7\nkomi 3.5\nget_komi\nzug-game\nshowboard\n");
    assert_eq!(answers[2], "= 3.5");
    assert_eq!(answers[3], "= go:7x7,komi=3.5");
    assert!(answers[4].contains("A B C D E F G\n"), "{}", answers[4]);
    assert_eq!(last("boardsize 1\n"), "? unacceptable size");
    assert_eq!(
        last("boardsize 99999999999999999999\n"),
        "? syntax error: boardsize not an integer"
    );
    assert_eq!(last("komi much\n"), "? syntax error: komi not a float");
    assert!(last("komi nan\n").starts_with("? "));
    // The moves stay when komi changes.
    let answers = go("play b D4\nkomi 5.5\nzug-legal_moves\nundo\n");
    assert!(!answers[2].contains("D4 "), "{}", answers[2]);
    assert_eq!(answers[3], "= ");
}

#[test]
fn the_score_is_counted_and_living_stones_are_listed() {
    assert_eq!(last("komi 5.5\nfinal_score\n"), "= W+5.5");
    assert_eq!(last("komi 0\nfinal_score\n"), "= 0");
    assert_eq!(last("komi 5.5\nplay b E5\nfinal_score\n"), "= B+75.5");
    let answers = go(
        "play b D4\nplay w F6\nplay b D5\nfinal_status_list alive\nfinal_status_list dead\nfinal_status_list what\n",
    );
    assert_eq!(answers[3], "= F6\nD5 D4");
    assert_eq!(answers[4], "= ");
    assert!(answers[5].starts_with("? syntax error"));
}

#[test]
fn handicap_stones_lie_where_they_should() {
    let answers = go("komi 5.5\nfixed_handicap 2\nget_komi\nplay w E5\nclear_board\nzug-game\n");
    let mut stones: Vec<&str> = answers[1].trim_start_matches("= ").split(' ').collect();
    stones.sort_unstable();
    assert_eq!(stones, ["C3", "G7"]);
    assert_eq!(answers[2], "= 5.5");
    assert_eq!(answers[3], "= ");
    assert_eq!(answers[5], "= go:9x9,komi=5.5");
    assert_eq!(last("fixed_handicap 1\n"), "? invalid number of stones");
    assert_eq!(last("boardsize 5\nfixed_handicap 2\n"), "? invalid number of stones");
    assert_eq!(last("play b A1\nfixed_handicap 2\n"), "? board not empty");
    let placed = last("place_free_handicap 30\n");
    assert_eq!(placed.trim_start_matches("= ").split(' ').count(), 9);
    let answers = go("set_free_handicap A1 B2 C3\nplay w D4\nset_free_handicap A1 A2\n");
    assert_eq!(answers, ["= ", "= ", "? board not empty"]);
    assert!(last("set_free_handicap A1 A1\n").starts_with("? bad vertex list"));
    assert!(last("set_free_handicap A1\n").starts_with("? bad vertex list"));
}

#[test]
fn a_position_can_be_set_up() {
    let answers = go("set_position b D4 b D5 w F6\nfinal_status_list alive\nundo\n");
    assert_eq!(answers, ["= ", "= F6\nD5 D4", "? cannot undo"]);
    assert!(last("set_position b A1 b\n").starts_with("? syntax error"));
    assert!(last("set_position b A1 w A2 w B1\n").contains("capture"));
    let answers = go("play b D4\nzug-position\n");
    let text = answers[1].trim_start_matches("= ");
    assert_eq!(go(&format!("zug-set_position {text}\nzug-position\n")), ["= ", &answers[1]]);
    assert!(last("zug-set_position what\n").starts_with("? "));
}

#[test]
fn time_is_told_and_kept() {
    for settings in [
        "time_settings 2 0 0",
        "time_settings 0 1 25",
        "time_settings 0 1 0",
        "kgs-time_settings byoyomi 0 1 3",
        "kgs-time_settings canadian 1 2 5",
        "kgs-time_settings absolute 3",
        "kgs-time_settings none",
    ] {
        let answers = go(&format!("{settings}\ngenmove b\ncputime\n"));
        assert_eq!(answers[0], "= ", "{settings}");
        assert!(answers[1].starts_with("= "), "{settings}: {}", answers[1]);
    }
    let answers = go(
        "time_settings 1 2\ntime_left b 1 0\ntime_left b x 0\ntime_left\nkgs-time_settings hourglass 3\n",
    );
    assert_eq!(answers[1], "= ");
    assert!([0, 2, 3, 4].iter().all(|&i| answers[i].starts_with("? ")), "{answers:?}");
}

#[test]
fn games_go_out_and_come_in_as_sgf() {
    let sgf = last("boardsize 5\nkomi 1.5\nplay b C3\nplay w D4\nprintsgf\n");
    let sgf = sgf.trim_start_matches("= ");
    assert!(sgf.contains("SZ[5]") && sgf.contains(";B[cc]") && sgf.contains(";W[db]"), "{sgf}");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), sgf).unwrap();
    let name = file.path().display();
    let answers = go(&format!(
        "loadsgf {name}\nzug-game\nfinal_status_list alive\nundo\nloadsgf {name} 2\nfinal_status_list alive\n"
    ));
    assert_eq!(answers, ["= ", "= go:5x5,komi=1.5", "= D4\nC3", "= ", "= ", "= C3"]);
    assert!(last("loadsgf /no/such/file\n").starts_with("? cannot load file"));
    assert!(last("loadsgf\n").starts_with("? syntax error"));
}

#[test]
fn an_analysis_speaks_until_the_next_line_and_the_board_stays() {
    let mut gui = Client::start(RUN, "go:5x5", "zug");
    for (command, rate) in
        [("lz-analyze b 0", "winrate"), ("7 kata-analyze interval 0 maxmoves 2", "scoreLead")]
    {
        gui.send(command);
        let number = command.split(' ').next().filter(|n| *n == "7").unwrap_or("");
        assert_eq!(gui.line(), format!("={number}"));
        let info = gui.wait_for("info move ");
        assert!(info.contains(" visits ") && info.contains(" order 0 pv "), "{info}");
        assert!(info.contains(" winrate "), "{info} {rate}");
        gui.send("name");
        gui.wait_for("= Zug");
        assert_eq!(gui.heard[gui.heard.len() - 2], "", "the analysis ends with a blank line");
        assert_eq!(gui.line(), "");
    }
    gui.ask("zug-legal_moves", "= ");
    gui.send("lz-genmove_analyze b 0 maxmoves 1");
    let played = gui.wait_for("play ");
    assert_eq!(gui.line(), "");
    let legal = gui.ask("zug-legal_moves", "= ");
    let mv = played.strip_prefix("play ").unwrap();
    assert!(mv == "pass" || !legal.split(' ').any(|l| l == mv), "{mv} in {legal}");
    gui.close();
}

#[test]
fn an_analysis_says_what_it_cannot_do() {
    let mate = "gogui-play_sequence w f2f3 b e7e5 w g2g4 b d8h4\nlz-analyze\n";
    assert_eq!(responses("chess", "random", mate)[1], "? the game has ended: checkmate");
    assert!(last("lz-analyze b 10x\n").starts_with("? syntax error"));
    assert!(last("kata-analyze b interval\n").starts_with("? syntax error"));
    let text = say(RUN, "go:5x5", QUICK, "lz-analyze b 0 allow b A1,B2 1\nname\n");
    assert!(text.contains("info move "), "{text}");
    for mv in text.lines().filter_map(|l| l.strip_prefix("info move ")) {
        assert!(mv.starts_with("A1 ") || mv.starts_with("B2 "), "{mv}");
    }
}

#[test]
fn other_games_are_played_with_the_same_commands() {
    let answers = responses(
        "othello",
        "zug:depth=2",
        "boardsize 8\nplay b f5\nzug-legal_moves\ngenmove w\nplay w a1\nundo\nzug-game\nfinal_score\n",
    );
    assert_eq!(&answers[..2], ["= ", "= "]);
    assert!(answers[3].starts_with("= "), "{answers:?}");
    assert!(answers[4].starts_with("? illegal move"), "{answers:?}");
    assert_eq!(&answers[5..], ["= ", "= othello", "? cannot score: the game has not ended"]);
    let answers = responses(
        "chess",
        "zug:depth=1",
        "play w e2e4\nplay w d2d4\ngenmove b\nzug-position\nprintsgf\nkomi 3\nboardsize 8\nboardsize 9\nfinal_status_list dead\n",
    );
    assert_eq!(answers[1], "? illegal move: it is black's turn");
    assert!(answers[2].starts_with("= ") && answers[3].contains(" w "), "{answers:?}");
    assert!(answers[4].contains("SGF"), "{answers:?}");
    assert_eq!((&answers[6][..], &answers[7][..]), ("= ", "? unacceptable size"));
    // Tournament managers send komi for every game; where it means nothing it does nothing.
    assert!(answers[5] == "= " && answers[8].starts_with("? "), "{answers:?}");
}

#[test]
fn a_finished_game_is_said_to_be_over() {
    let answers = responses(
        "chess",
        "random",
        "gogui-play_sequence w f2f3 b e7e5 w g2g4 b d8h4\ngenmove w\nzug-outcome\nfinal_score\n",
    );
    assert_eq!(answers[1], "? the game has ended: checkmate");
    assert_eq!(answers[2], "= B+ checkmate");
    assert_eq!(answers[3], "= B+");
    // All moves of a sequence or none.
    let answers =
        responses("chess", "random", "gogui-play_sequence w e2e4 b e2e4\nzug-legal_moves\n");
    assert!(answers[0].starts_with("? illegal move") && answers[1].contains("e2e4"), "{answers:?}");
}

#[test]
fn another_game_can_be_opened() {
    let answers =
        responses("go:9x9", "random", "zug-game othello\nplay b f5\nzug-game nothing\nzug-game\n");
    assert_eq!(
        (&answers[0][..], &answers[1][..], &answers[3][..]),
        ("= othello", "= ", "= othello")
    );
    assert!(answers[2].starts_with("? "));
}

/// Gives up at once.
struct Humble;

impl Player for Humble {
    fn name(&self) -> String {
        "humble".into()
    }
    fn choose(
        &mut self,
        _: &dyn zug_core::AnyLine,
        _: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        Ok(Choice { resigns: true, ..Choice::of("") })
    }
}

#[test]
fn a_player_may_resign() {
    let make = |_: &Spec| -> Result<Box<dyn Player>, _> { Ok(Box::new(Humble)) };
    let humble = PlayerKind { name: "humble", help: String::new(), make: Box::new(make) };
    let mut gui = Client::start_with(RUN, open("go:9x9").unwrap().with_player(humble), "humble");
    assert_eq!(gui.ask("genmove b", "="), "= resign");
    assert_eq!(gui.ask("lz-genmove_analyze b", "play"), "play resign");
    gui.close();
}

/// How many responses a text deserves: one for each line with a command.
fn commands_in(text: &str) -> usize {
    let mut count = 0;
    for line in text.split('\n') {
        if let Some(command) = gtp::command::parse(line) {
            count += 1;
            if command.name == "quit" {
                break;
            }
        }
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_gets_one_response_for_each_command(text: String) {
        let answers = responses("go:5x5", "random", &text);
        prop_assert_eq!(answers.len(), commands_in(&text));
    }

    #[test]
    fn any_bytes_get_one_response_for_each_command(bytes: Vec<u8>) {
        let text = say(RUN, "go:5x5", "random", bytes.clone());
        let expected = commands_in(&String::from_utf8_lossy(&bytes));
        prop_assert_eq!(text.matches("\n\n").count(), expected, "{:?}", text);
    }

    #[test]
    fn any_commands_get_one_response_each(
        game in proptest::sample::select(&["go:5x5", "othello", "chess"][..]),
        lines in proptest::collection::vec(line(), 0..16),
    ) {
        let text = lines.join("\n");
        let answers = responses(game, "random", &text);
        prop_assert_eq!(answers.len(), commands_in(&text), "{:#?}", answers);
    }
}

/// A line that looks like GTP.
fn line() -> impl Strategy<Value = String> {
    let arguments = [
        "b", "w", "black", "A1", "C3", "pass", "e2e4", "f5", "5", "9", "0", "-1", "2.5", "1e99",
        "alive", "interval", "maxmoves", "allow", "none", "byoyomi", "go:3x3", "othello", "#",
        "12",
    ];
    let arguments = proptest::collection::vec(proptest::sample::select(arguments.to_vec()), 0..5);
    (proptest::option::of(0..100u32), proptest::sample::select(COMMANDS), arguments).prop_map(
        |(id, name, arguments)| {
            let id = id.map_or(String::new(), |n| format!("{n} "));
            format!("{id}{name} {}", arguments.join(" "))
        },
    )
}
