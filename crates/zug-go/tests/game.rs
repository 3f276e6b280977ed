//! The game as the workbench sees it.

use zug_core::player::choose_quietly;
use zug_core::{AnyGame, Game, Limits, Line, Outcome, Repetition, Side, Spec, Verdict};
use zug_go::{Go, Move};

fn entry(spec: &str) -> zug_core::GameEntry {
    zug_go::open(&Spec::parse(spec).unwrap()).unwrap()
}

#[test]
fn the_self_checks_of_the_workbench_hold() {
    for spec in ["go:3x3", "go:5x5,suicide=yes", "go:7x7,ko=simple,scoring=territory,handicap=2"] {
        for (name, result) in entry(spec).run_checks(1) {
            assert!(result.is_ok(), "{spec}, {name}: {result:?}");
        }
    }
}

/// The best that Black can reach, as "more than this?", by plain search with superko.
fn black_gets_more_than(line: &mut Line<Go>, bound: f32, nodes: &mut u64) -> bool {
    *nodes += 1;
    if let Some(Outcome { winner, margin, .. }) = line.outcome() {
        let margin = margin.unwrap();
        return if winner == Some(Side::First) { margin > bound } else { -margin > bound };
    }
    let wanted = line.to_move() == Side::First;
    let mut moves = line.legal_moves();
    // A pass often settles it, and costs little to try.
    moves.sort_by_key(|&mv| mv != Move::Pass);
    for mv in moves {
        line.play(mv);
        let more = black_gets_more_than(line, bound, nodes);
        line.undo();
        if more == wanted {
            return wanted;
        }
    }
    !wanted
}

#[test]
fn black_wins_two_by_two_by_one_point() {
    let mut line = Line::new(Go::open("go:2x2,komi=0").unwrap());
    let mut nodes = 0;
    assert!(black_gets_more_than(&mut line, 0.5, &mut nodes));
    assert!(!black_gets_more_than(&mut line, 1.5, &mut nodes));
}

#[test]
fn superko_forbids_what_simple_ko_allows() {
    let play = |spec: &str, moves: &str| {
        let mut line = Go::open(spec).unwrap().new_line();
        moves.split(' ').map(|mv| line.play(mv).map(|_| ())).collect::<Result<Vec<()>, _>>()
    };
    // Two, one, three and again two stones are captured; no single ko, but the board comes back.
    let cycle = "A1 B2 A2 B1 A2 A1 A2 B1 A1 B2";
    let simple = play("go:2x2,ko=simple", cycle);
    let superko = play("go:2x2,ko=superko", cycle);
    assert!(simple.is_ok(), "{simple:?}");
    assert!(superko.unwrap_err().expected.contains("superko"));
    assert_eq!(Go::open("go:2x2").unwrap().repetition(), Repetition::Forbidden);
}

#[test]
fn two_passes_end_the_game_and_komi_decides_an_empty_board() {
    let game = Go::open("go:9x9").unwrap();
    let mut line = game.new_line();
    line.play("pass").unwrap();
    assert_eq!(line.outcome(), None);
    line.play("PASS").unwrap();
    let outcome = line.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.margin), (Some(Side::Second), Some(7.0)));
    assert!(line.play("E5").is_err());
    assert!(line.legal_moves().is_empty());
}

#[test]
fn endless_play_is_broken_off() {
    let game = Go::open("go:9x9,ko=simple").unwrap();
    let text = format!("{} black moves=242", ["9"; 9].join("/"));
    let mut line = game.line_from(&text).unwrap();
    assert_eq!(line.outcome(), None);
    line.play("E5").unwrap();
    assert_eq!(line.outcome().unwrap().reason, "move limit");
}

#[test]
fn handicap_stones_lie_on_the_board_and_white_begins() {
    let line = Go::open("go:9x9,handicap=4").unwrap().new_line();
    assert_eq!(line.to_move(), Side::Second);
    let picture = line.picture();
    assert_eq!(picture.letters().matches('X').count(), 4);
    assert_eq!(picture.column_labels.concat(), "ABCDEFGHJ");
    assert_eq!(picture.row_labels[0], "9");
}

#[test]
fn pictures_show_star_points_captures_and_ko() {
    let game = Go::open("go:9x9").unwrap();
    let picture = game.new_line().picture();
    assert_eq!(picture.letters().matches('+').count(), 5);
    let text = "9/9/9/9/9/9/1XO6/XO1O5/1XO6 black ko=C2 caps=0,1";
    let picture = game.line_from(text).unwrap().picture();
    assert_eq!(picture.notes, ["captured: black 0, white 1", "ko at C2"]);
}

#[test]
fn every_player_plays_a_whole_game() {
    let entry = entry("go:4x4");
    for (black, white) in
        [("zug:playouts=30", "random:seed=1"), ("pvs:depth=2", "mcts:playouts=20,style=light")]
    {
        let mut players = [black, white].map(|p| entry.player(&Spec::parse(p).unwrap()).unwrap());
        let mut line = entry.game.new_line();
        while line.outcome().is_none() {
            let player = &mut players[line.to_move().index()];
            let choice = choose_quietly(&mut **player, &*line, &Limits::default()).unwrap();
            line.play(&choice.mv).unwrap();
        }
    }
    let bad = Spec::parse("zug:style=loud").unwrap();
    assert!(entry.player(&bad).is_err());
}

#[test]
fn the_monte_carlo_player_beats_the_random_one() {
    let entry = entry("go:6x6,komi=0.5");
    for side in Side::BOTH {
        let mut line = entry.game.new_line();
        let mut zug = entry.player(&Spec::parse("zug:playouts=60,seed=1").unwrap()).unwrap();
        let mut random = entry.player(&Spec::parse("random:seed=2").unwrap()).unwrap();
        while line.outcome().is_none() {
            let player = if line.to_move() == side { &mut zug } else { &mut random };
            let choice = choose_quietly(&mut **player, &*line, &Limits::default()).unwrap();
            line.play(&choice.mv).unwrap();
        }
        assert_eq!(line.outcome().unwrap().winner, Some(side));
    }
}

#[test]
fn alpha_beta_passes_when_that_wins() {
    let entry = entry("go:5x5,komi=0.5");
    let line = entry.game.line_from("1X1O1/XX1O1/1X1OO/XX1OO/1X1O1 black passes=1").unwrap();
    let mut player = entry.player(&Spec::parse("pvs:depth=1").unwrap()).unwrap();
    let choice = choose_quietly(&mut *player, &*line, &Limits::default()).unwrap();
    // Ten points against ten, and komi: Black must not pass. With one stone more it may.
    assert_ne!(choice.mv, "pass");
    let line = entry.game.line_from("1X1O1/XX1O1/1X1OO/XXXOO/1X1O1 black passes=1").unwrap();
    let mut player = entry.player(&Spec::parse("pvs:depth=1").unwrap()).unwrap();
    let choice = choose_quietly(&mut *player, &*line, &Limits::default()).unwrap();
    let score = choice.info.and_then(|i| i.score).unwrap();
    assert_eq!((choice.mv.as_str(), score.verdict()), ("pass", Verdict::WonBy(0.5)));
}

#[test]
fn keys_tell_apart_what_the_rules_tell_apart() {
    let game = Go::open("go:4x4").unwrap();
    let key = |text: &str| game.key(&game.read_position(text).unwrap());
    let base = "1XO1/XO1O/1XO1/4 black";
    assert_ne!(key(base), key("1XO1/XO1O/1XO1/4 white"));
    assert_ne!(key(base), key(&format!("{base} ko=C3")));
    assert_ne!(key(base), key(&format!("{base} passes=1")));
    assert_eq!(key(base), key(&format!("{base} caps=3,0")));
    let territory = Go::open("go:4x4,scoring=territory").unwrap();
    let key = |text: &str| territory.key(&territory.read_position(text).unwrap());
    assert_ne!(key(base), key(&format!("{base} caps=3,0")));
    assert_eq!(key(&format!("{base} caps=3,1")), key(&format!("{base} caps=2,0")));
}
