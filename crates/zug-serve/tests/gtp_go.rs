//! What Go GUIs and servers ask of GTP: turns out of order, analysis in KataGo's words, rules,
//! cleaning up, interrupts.

mod common;

use common::{Client, Run, say};
use std::time::{Duration, Instant};
use zug_serve::gtp;

const RUN: Run = gtp::run;
const QUICK: &str = "zug:playouts=60";

fn responses(game: &str, player: &str, input: &str) -> Vec<String> {
    say(RUN, game, player, input).split_terminator("\n\n").map(String::from).collect()
}

/// The last response to these commands on a 9×9 board.
fn last(input: &str) -> String {
    responses("go:9x9", QUICK, input).pop().unwrap()
}

/// The numbers that follow a word on a line, one for each time it is there.
fn numbers(line: &str, word: &str) -> Vec<f64> {
    let words: Vec<&str> = line.split(' ').collect();
    let found = words.windows(2).filter(|pair| pair[0] == word);
    found.map(|pair| pair[1].parse().unwrap_or_else(|_| panic!("{word} {}", pair[1]))).collect()
}

/// Four corner stones, and a colour that moves out of turn: Black is to move.
const FOUR: &str = "komi 7.5\nplay b Q16\nplay w D4\nplay b Q4\nplay w D16\n";

#[test]
fn a_turn_out_of_order_is_no_pass_of_the_opponent() {
    let found = |command: &str| {
        let text = say(RUN, "go", "zug:playouts=40", format!("{FOUR}{command}\nzug-outcome\n"));
        let answers: Vec<String> = text.split_terminator("\n\n").map(String::from).collect();
        assert_eq!(answers.last().unwrap(), "= none", "{command}");
        answers[5].clone()
    };
    for command in ["genmove w", "reg_genmove w", "kgs-genmove_cleanup w"] {
        let mv = found(command);
        assert!(mv.starts_with("= ") && mv != "= pass" && mv != "= resign", "{command}: {mv}");
    }
    for command in ["lz-genmove_analyze w 10", "kata-genmove_analyze w 10"] {
        let said = found(command);
        let moves = said.matches("info move").count();
        assert!(moves > 0 && !said.contains("play pass"), "{command}: {said}");
    }
    // Without a colour it is the turn of the side to move; with one, that side's.
    for command in ["lz-analyze", "lz-analyze w 10", "kata-analyze w 10", "kata-analyze b 10"] {
        let mut gui = Client::start(RUN, "go", "zug");
        FOUR.lines().for_each(|line| drop(gui.ask(line, "=")));
        gui.send(&format!("{command} minmoves 5"));
        let line = gui.wait_for("info move");
        assert!(line.matches("info move").count() >= 5, "{command}: {line}");
        assert!(!line.starts_with("info move pass"), "{command}: {line}");
        gui.close();
    }
}

#[test]
fn a_turn_out_of_order_does_not_bring_the_end_nearer() {
    // White did not pass, so Black's pass is the first of two.
    let answers = responses(
        "go:9x9",
        QUICK,
        "play b D4\nplay b pass\nzug-outcome\nplay w pass\nzug-outcome\nundo\nundo\nzug-outcome\n\
         play w E5\nzug-position\n",
    );
    assert_eq!(answers[2], "= none");
    assert!(answers[4].contains("two passes"), "{}", answers[4]);
    assert_eq!(answers[7], "= none");
    assert!(answers[9].contains("passes=0"), "{}", answers[9]);
    // After the end the two passes go, and only they.
    let answers = responses(
        "go:9x9",
        QUICK,
        "play b D4\nplay b pass\nplay w pass\nplay w E5\nzug-outcome\nundo\nzug-outcome\nundo\n\
         undo\nundo\nundo\n",
    );
    assert_eq!(answers[4], "= none");
    assert!(answers[6].contains("two passes"), "{}", answers[6]);
    assert_eq!(answers[7..], ["= ", "= ", "= ", "? cannot undo"]);
    // Komi may change afterwards, and the turns stay what they were.
    let answers = responses(
        "go:9x9",
        QUICK,
        "play b D4\nplay b E5\nkomi 3.5\nzug-position\nplay w pass\nplay w pass\nzug-outcome\nkomi 2\nzug-outcome\n",
    );
    assert!(answers[3].contains("passes=0"), "{}", answers[3]);
    assert_eq!((&answers[6][..], &answers[8][..]), ("= none", "= none"));
}

#[test]
fn superko_holds_through_a_turn_that_was_handed_over() {
    // White takes the ko at E5; Black may retake only after the board has changed.
    let ko = "set_position b D5 b E6 b E4 w F6 w G5 w F4 w E5\nplay b F5\n";
    assert!(last(&format!("{ko}play w E5\n")).starts_with("? illegal move"));
    // Black moves elsewhere twice, White not at all in between: then White may take again.
    assert_eq!(last(&format!("{ko}play b A1\nplay w E5\n")), "= ");
    // A turn handed over to and fro changes no stone, so the ban stands.
    let refused = last(&format!("{ko}play b pass\nplay w E5\n"));
    assert!(refused.starts_with("? illegal move"), "{refused}");
}

#[test]
fn stones_that_were_set_up_have_no_history() {
    let answers = responses(
        "go:9x9",
        QUICK,
        "set_free_handicap C3 G7 E5\nzug-position\nundo\ngenmove w\ngenmove w\nzug-outcome\n",
    );
    assert!(answers[1].contains("white") && answers[1].contains("passes=0"), "{}", answers[1]);
    assert_eq!(answers[2], "? cannot undo");
    for answer in &answers[3..5] {
        assert!(!answer.contains("pass") && !answer.starts_with('?'), "{answer}");
    }
    assert_eq!(answers[5], "= none");
    let answers = responses("go:9x9", QUICK, "fixed_handicap 4\ngenmove b\nzug-outcome\n");
    assert!(answers[1].starts_with("= ") && answers[1] != "= pass", "{}", answers[1]);
}

#[test]
fn each_move_of_an_analysis_has_its_own_visits() {
    for player in ["zug:playouts=400", "mcts:playouts=400"] {
        for command in
            ["lz-genmove_analyze b 0 maxmoves 20", "kata-genmove_analyze b 0 maxmoves 20"]
        {
            let text = say(RUN, "go:5x5", player, format!("{command}\n"));
            let line = text.lines().rfind(|l| l.starts_with("info move")).unwrap();
            let visits = numbers(line, "visits");
            assert!(visits.len() > 2 && visits[0] > *visits.last().unwrap(), "{line}");
            assert!(visits.is_sorted_by(|a, b| a >= b), "{line}");
            assert!(visits.iter().sum::<f64>() <= 400.0, "{line}");
        }
    }
}

#[test]
fn an_analysis_says_what_katago_would() {
    let command = "kata-genmove_analyze b 0 rootInfo true ownership true pvVisits true";
    let text = say(RUN, "go:5x5", "zug:playouts=300", format!("{command}\n"));
    let line = text.lines().rfind(|l| l.starts_with("info move")).unwrap();
    let (moves, rest) = line.split_once(" rootInfo ").expect(line);
    let (root, owned) = rest.split_once(" ownership ").expect(line);
    let priors = numbers(moves, "prior");
    assert!(priors.iter().all(|p| *p > 0.0 && *p < 1.0), "{moves}");
    assert_eq!(priors.len(), numbers(moves, "scoreLead").len(), "{moves}");
    for (rate, lcb) in numbers(moves, "winrate").iter().zip(numbers(moves, "lcb")) {
        assert!(lcb <= *rate && lcb >= 0.0, "{moves}");
    }
    let entry = moves.split(" info ").next().unwrap();
    let (pv, visits) = entry.split_once(" pv ").unwrap().1.split_once(" pvVisits ").unwrap();
    assert_eq!(pv.split(' ').count(), visits.split(' ').count(), "{entry}");
    assert_eq!(numbers(root, "visits"), [300.0], "{root}");
    assert_eq!(numbers(root, "scoreLead").len(), 1, "{root}");
    let owned: Vec<f64> = owned.split(' ').map(|o| o.parse().unwrap()).collect();
    assert_eq!(owned.len(), 25);
    assert!(owned.iter().all(|o| (-1.0..=1.0).contains(o)), "{owned:?}");
    // Without the wish nothing of it.
    let plain = say(RUN, "go:5x5", "zug:playouts=300", "kata-genmove_analyze b 0\n");
    assert!(!["rootInfo", "ownership", "pvVisits"].iter().any(|word| plain.contains(word)));
    let leela = say(RUN, "go:5x5", "zug:playouts=300", "lz-genmove_analyze b 0\n");
    let line = leela.lines().rfind(|l| l.starts_with("info move")).unwrap();
    for word in ["winrate", "prior", "lcb"] {
        let all = numbers(line, word);
        assert!(
            !all.is_empty() && all.iter().all(|n| n.fract() == 0.0 && *n <= 10_000.0),
            "{line}"
        );
    }
}

#[test]
fn ownership_and_lead_are_those_of_the_side_that_is_asked_about() {
    // Black owns the whole board.
    let script = "set_position b A4 b B4 b C4 b D4 b E4 b A2 b B2 b C2 b D2 b E2\n";
    for (colour, sign) in [("b", 1.0), ("w", -1.0)] {
        let command = format!("kata-genmove_analyze {colour} 0 rootInfo true ownership true");
        let text = say(RUN, "go:5x5", "zug:playouts=200", format!("{script}{command}\n"));
        let line = text.lines().rfind(|l| l.starts_with("info move")).unwrap();
        let owned = line.split_once(" ownership ").unwrap().1;
        // The middle of the upper line of stones.
        let stone: f64 = owned.split(' ').nth(7).unwrap().parse().unwrap();
        assert!(stone * sign > 0.5, "{colour}: {owned}");
        let root = line.split_once(" rootInfo ").unwrap().1;
        assert!(numbers(root, "scoreLead")[0] * sign > 5.0, "{colour}: {root}");
        assert!((numbers(root, "winrate")[0] - 0.5) * sign > 0.3, "{colour}: {root}");
    }
}

#[test]
fn reports_go_on_as_often_as_was_asked_for() {
    let mut gui = Client::start(RUN, "go:9x9", "zug:hash=16");
    gui.send("kata-analyze b 5");
    gui.wait_for("info move");
    // By the player's own choice the reports would become fewer and fewer: the tenth after seconds.
    for _ in 0..10 {
        gui.wait_for("info move");
    }
    gui.send("name");
    gui.wait_for("= Zug");
    gui.close();
}

#[test]
fn moves_are_allowed_and_avoided() {
    let shown = |wish: &str| {
        let text =
            say(RUN, "go:5x5", "zug:playouts=300", format!("lz-genmove_analyze b 0 {wish}\n"));
        let line = text.lines().rfind(|l| l.starts_with("info move")).map(String::from);
        line.unwrap_or(text)
    };
    let first = shown("maxmoves 1");
    let best = first.split(' ').nth(2).unwrap().to_string();
    assert!(!shown(&format!("avoid b {best} 1")).contains(&format!("info move {best} ")));
    let other = shown(&format!("allow b {best},A1 5 avoid b {best} 5"));
    assert!(
        other.starts_with("info move A1 ") && other.matches("info move").count() == 1,
        "{other}"
    );
    // The other side's moves are not ours.
    assert!(shown(&format!("avoid w {best} 1 maxmoves 1")).contains(&format!("info move {best} ")));
    for bad in ["allow b Z9 1", "allow b A1", "avoid red A1 1", "minmoves x", "ownership maybe"] {
        assert!(shown(bad).starts_with("? "), "{bad}: {}", shown(bad));
    }
    let all = "A1,B1,C1,D1,E1,A2,B2,C2,D2,E2,A3,B3,C3,D3,E3,A4,B4,C4,D4,E4,A5,B5,C5,D5,E5,pass";
    assert!(shown(&format!("avoid b {all} 1")).contains("no legal move"));
    assert!(shown("minmoves 12 maxmoves 12").matches("info move").count() == 12);
}

#[test]
fn dead_stones_are_taken_before_a_pass() {
    // White's stone at A9 is dead in Black's area, and both have passed.
    let mut script = String::from("boardsize 7\nkomi 0.5\nplay w A7\n");
    for row in 1..=7 {
        script.push_str(&format!("play b D{row}\nplay w E{row}\n"));
    }
    script.push_str("play b pass\nplay w pass\nfinal_status_list dead\n");
    let mut gui = Client::start(RUN, "go:7x7", "zug:playouts=100");
    script.lines().for_each(|line| drop(gui.ask(line, "=")));
    assert!(gui.heard.iter().any(|l| l == "= A7"), "{:?}", gui.heard);
    let mut dead = true;
    for _ in 0..12 {
        let mv = gui.ask("kgs-genmove_cleanup b", "= ");
        assert!(mv != "= resign", "{mv}");
        let drawn = gui.ask("zug-position", "= ");
        dead = drawn.starts_with("= O");
        assert!(!dead || mv != "= pass", "a pass while A7 is on the board: {drawn}");
        if !dead {
            break;
        }
        gui.ask("play w pass", "=");
    }
    assert!(!dead, "the dead stone is still there");
    gui.close();
    // Where nothing is dead it is a move like any other.
    assert!(last("komi 30\nkgs-genmove_cleanup b\n").starts_with("= "));
}

#[test]
fn territory_is_listed_with_the_points_of_dead_stones() {
    let mut script = String::from("boardsize 5\nkomi 0.5\nplay w A5\n");
    for row in 1..=5 {
        script.push_str(&format!("play b C{row}\nplay w D{row}\n"));
    }
    let answers = responses(
        "go:5x5",
        QUICK,
        &format!(
            "{script}final_status_list black_territory\nfinal_status_list white_territory\nfinal_status_list dead\n"
        ),
    );
    let [black, white, dead] = &answers[answers.len() - 3..] else { panic!() };
    assert_eq!(dead, "= A5");
    assert_eq!(black, "= A5 B5 A4 B4 A3 B3 A2 B2 A1 B1");
    assert_eq!(white, "= E5 E4 E3 E2 E1");
}

#[test]
fn rules_are_told_and_changed_with_the_moves_kept() {
    let told = |answer: &str| -> serde_json::Value {
        serde_json::from_str(answer.trim_start_matches("= "))
            .unwrap_or_else(|e| panic!("{answer}: {e}"))
    };
    let rules = told(&last("kata-get-rules\n"));
    assert_eq!((&rules["ko"], &rules["scoring"]), (&"POSITIONAL".into(), &"AREA".into()));
    assert_eq!(rules["suicide"], false);
    let answers = responses(
        "go:9x9",
        QUICK,
        "komi 6.5\nplay b D4\nkata-set-rules japanese\nkata-get-rules\nget_komi\nzug-legal_moves\nundo\n\
         kata-set-rule suicide true\nkata-get-rules\nzug-game\nclear_board\nzug-game\n\
         kata-set-rules {\"ko\": \"POSITIONAL\", \"scoring\": \"AREA\", \"suicide\": false, \"tax\": \"NONE\"}\nzug-game\n\
         kgs-rules new_zealand\nzug-game\nkgs-rules chinese\nzug-game\n",
    );
    let rules = told(&answers[3]);
    assert_eq!((&rules["ko"], &rules["scoring"]), (&"SIMPLE".into(), &"TERRITORY".into()));
    assert_eq!(answers[4], "= 6.5");
    assert!(!answers[5].contains(" D4 ") && answers[6] == "= ", "{answers:?}");
    assert_eq!(told(&answers[8])["suicide"], true);
    let territory = "= go:9x9,komi=6.5,ko=simple,suicide=yes,scoring=territory";
    assert_eq!((&answers[9][..], &answers[11][..]), (territory, territory));
    assert_eq!(answers[13], "= go:9x9,komi=6.5");
    assert_eq!(answers[15], "= go:9x9,komi=6.5,suicide=yes");
    assert_eq!(answers[17], "= go:9x9,komi=6.5");
    for bad in [
        "kata-set-rules klingon",
        "kata-set-rules {\"ko\": \"SITUATIONAL\"}",
        "kata-set-rules {\"ko\"",
        "kata-set-rules {\"tax\": \"ALL\"}",
        "kata-set-rules {\"fly\": true}",
        "kata-set-rule ko",
        "kata-set-rule hasButton true",
        "kgs-rules klingon",
        "kgs-rules",
    ] {
        let answers = responses("go:9x9", QUICK, &format!("{bad}\nzug-game\n"));
        assert!(answers[0].starts_with("? ") && answers[1] == "= go:9x9", "{bad}: {answers:?}");
    }
    assert!(responses("othello", "random", "kata-get-rules\n")[0].starts_with("? "));
    assert!(responses("othello", "random", "kata-set-rules chinese\n")[0].starts_with("? "));
}

#[test]
fn a_comment_interrupts_the_command_before_it() {
    let mut gui = Client::start(RUN, "go:9x9", "zug:movetime=10m,hash=16");
    for command in
        ["genmove b", "reg_genmove w", "lz-genmove_analyze w 10", "kgs-genmove_cleanup b"]
    {
        let begin = Instant::now();
        gui.send(command);
        gui.send("# interrupt");
        let answer = if command.starts_with("lz") { "play " } else { "= " };
        gui.wait_for(answer);
        assert!(begin.elapsed() < Duration::from_secs(100), "{command}");
        while !gui.line().is_empty() {}
    }
    // One that comes when nothing runs interrupts nothing, and is not answered.
    gui.send("# interrupt");
    assert_eq!(gui.ask("gogui-interrupt", "="), "= ");
    gui.send("lz-analyze b 10");
    gui.wait_for("info move");
    gui.send("# interrupt");
    gui.wait_for("");
    gui.ask("name", "= Zug");
    gui.close();
}

#[test]
fn a_game_that_is_over_is_heard_of() {
    assert_eq!(last("play b D4\nkgs-game_over\n"), "= ");
    assert!(last("genmove b\nkgs-game_over\ngenmove w\n").starts_with("= "));
}
