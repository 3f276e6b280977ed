//! Othello as the workbench sees it.

use zug_core::player::choose_quietly;
use zug_core::{GameEntry, Limits, Record, Side, Spec};

fn open(spec: &str) -> GameEntry {
    zug_othello::open(&Spec::parse(spec).unwrap()).unwrap_or_else(|e| panic!("{spec}: {e}"))
}

#[test]
fn the_boards_are_opened_by_name() {
    for (asked, spec, cells) in [
        ("othello", "othello", 64),
        ("othello:8x8", "othello", 64),
        ("othello:6x6", "othello:6x6", 36),
        ("othello:4x4", "othello:4x4", 16),
    ] {
        let entry = open(asked);
        assert_eq!(entry.game.spec(), spec);
        assert_eq!(entry.game.new_line().picture().cells.len(), cells);
        assert_eq!(entry.game.side_name(Side::First), "black");
    }
    for bad in ["othello:5x5", "othello:10x10", "othello:komi=3", "othello:6x6,4x4"] {
        assert!(zug_othello::open(&Spec::parse(bad).unwrap()).is_err(), "{bad}");
    }
}

#[test]
fn every_check_of_the_rules_passes_on_every_board() {
    for spec in ["othello", "othello:6x6", "othello:4x4"] {
        for (name, result) in open(spec).run_checks(1) {
            assert!(result.is_ok(), "{spec}, {name}: {result:?}");
        }
    }
}

/// Plays a game and gives back the points of the first player.
fn play(entry: &GameEntry, first: &str, second: &str, depth: u32) -> f64 {
    let make = |spec: &str| entry.player(&Spec::parse(spec).unwrap()).unwrap();
    let mut players = [make(first), make(second)];
    let mut line = entry.game.new_line();
    let limits = Limits { depth: Some(depth), nodes: Some(20_000), ..Limits::default() };
    while line.outcome().is_none() {
        let player = &mut players[line.to_move().index()];
        let choice = choose_quietly(player.as_mut(), line.as_ref(), &limits).unwrap();
        line.play(&choice.mv).unwrap();
    }
    line.outcome().unwrap().points(Side::First)
}

#[test]
fn the_default_player_beats_the_random_one_with_both_colours() {
    let entry = open("othello");
    for seed in 1..=3 {
        let random = format!("random:seed={seed}");
        assert_eq!(play(&entry, "zug", &random, 3), 1.0, "seed {seed}");
        assert_eq!(play(&entry, &random, "zug", 3), 0.0, "seed {seed}");
    }
}

#[test]
fn the_small_board_is_solved_by_search() {
    // Perfect play on 4x4 is a win for white by 8 discs (3 black, 11 white, 2 empty squares that
    // go to the winner make 10).
    let entry = open("othello:4x4");
    let mut zug = entry.player(&Spec::parse("zug").unwrap()).unwrap();
    let limits = Limits { depth: Some(20), ..Limits::default() };
    let line = entry.game.new_line();
    let choice = choose_quietly(zug.as_mut(), line.as_ref(), &limits).unwrap();
    let score = choice.info.and_then(|info| info.score).unwrap();
    assert_eq!(score.to_string(), "lost by 10");
}

#[test]
fn records_of_every_format_play_through_again() {
    for spec in ["othello", "othello:6x6", "othello:4x4"] {
        let entry = open(spec);
        let mut random = entry.player(&Spec::parse("random:seed=5").unwrap()).unwrap();
        let mut line = entry.game.new_line();
        while line.outcome().is_none() {
            let choice = choose_quietly(random.as_mut(), line.as_ref(), &Limits::default());
            line.play(&choice.unwrap().mv).unwrap();
        }
        let record = Record::of_line(line.as_ref());
        for format in &entry.formats {
            let bytes = format.write(std::slice::from_ref(&record)).unwrap();
            let read = format.read(&bytes);
            let again = read[0].as_ref().unwrap().replay(entry.game.as_ref()).unwrap();
            assert_eq!(again.moves(), line.moves(), "{spec}, {}", format.name());
            assert_eq!(read[0].as_ref().unwrap().result, record.result);
        }
    }
}
