use super::*;
use crate::Othello;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_core::player::choose_quietly;
use zug_core::{AnyGame, Bound, GameEntry, Info, Score, Spec};

/// Eight empty squares, Black to move.
const LATE: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// Black has no move, White has.
const PASS: &str = "OX-------------------------------------------------------------- X";

fn player(spec: &str) -> Box<dyn Player> {
    let spec = Spec::parse(spec).unwrap();
    (engine_player("zug").make)(&spec).unwrap()
}

fn game() -> Arc<dyn AnyGame> {
    GameEntry::new(Othello::default()).game
}

fn at(position: &str) -> Box<dyn AnyLine> {
    game().line_from(position).unwrap()
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for spec in [
        "zug:selectivity=much",
        "zug:selectivity=-1",
        "zug:selectivity=13",
        "zug:selectivity=inf",
        "zug:cuts=nowhere",
        "zug:model=nowhere",
        "zug:threads=0",
        "zug:hash=0",
        "zug:ponder=perhaps",
        "zug:lmr=off",
    ] {
        let error = (engine_player("zug").make)(&Spec::parse(spec).unwrap()).err();
        assert!(error.is_some(), "{spec}");
    }
    let mut zug = player("zug:depth=2");
    assert!(zug.set_option("Threads", "2").is_ok());
    assert!(zug.set_option("threads", "many").is_err());
    assert!(zug.set_option("model", "hand").is_err());
}

#[test]
fn every_evaluation_plays() {
    for model in ["patterns", "logistic-plus", "hand", "mobility-and-corners"] {
        for more in ["", ",selectivity=off", ",selectivity=1.1,threads=2"] {
            let mut zug = player(&format!("zug:model={model},depth=6{more}"));
            let mut line = game().new_line();
            zug.new_game(line.as_ref()).unwrap();
            for _ in 0..4 {
                let choice =
                    choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
                line.play(&choice.mv).unwrap();
                assert!(choice.info.unwrap().depth >= 6);
            }
        }
    }
}

#[test]
fn a_late_position_is_proven_and_said_to_be() {
    let mut zug = player("zug");
    let choice = choose_quietly(zug.as_mut(), at(LATE).as_ref(), &Limits::default()).unwrap();
    let info = choice.info.unwrap();
    assert_eq!(info.score, Some(Score::won_by(6.0)));
    assert!(info.proven && info.bound == Bound::Exact);
    assert_eq!(choice.mv, "h5");
}

#[test]
fn several_lines_come_best_first_and_begin_with_different_moves() {
    let mut zug = player("zug:depth=4");
    let line = at(LATE);
    let mut last: Vec<Info> = Vec::new();
    let mut report = |info: &Info| {
        if info.rank == 1 {
            last.clear();
        }
        last.push(info.clone());
    };
    let limits = Limits { lines: 3, ..Limits::default() };
    let mut watch = Watch::new(Arc::default(), &mut report);
    zug.choose(line.as_ref(), &limits, &mut watch).unwrap();
    assert_eq!(last.len(), 3);
    assert!(last.is_sorted_by_key(|info| std::cmp::Reverse(info.score)));
    let mut firsts: Vec<&String> = last.iter().map(|info| &info.line[0]).collect();
    firsts.dedup();
    assert_eq!(firsts.len(), 3);
}

#[test]
fn a_player_that_is_stopped_at_once_still_moves() {
    let mut zug = player("zug:threads=2");
    for text in ["start", LATE, PASS] {
        let line = if text == "start" { game().new_line() } else { at(text) };
        let stop = Arc::new(AtomicBool::new(true));
        let mut ignore = |_: &Info| {};
        let mut watch = Watch::new(stop, &mut ignore);
        let choice = zug.choose(line.as_ref(), &Limits::default(), &mut watch).unwrap();
        let mut line = line;
        line.play(&choice.mv).unwrap();
    }
}

#[test]
fn a_side_without_moves_passes_and_a_finished_game_is_refused() {
    let mut zug = player("zug:depth=8");
    let choice = choose_quietly(zug.as_mut(), at(PASS).as_ref(), &Limits::default()).unwrap();
    assert_eq!(choice.mv, "pass");
    let over = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X";
    assert!(choose_quietly(zug.as_mut(), at(over).as_ref(), &Limits::default()).is_err());
}

#[test]
fn only_the_moves_asked_for_are_chosen() {
    let mut zug = player("zug:depth=5");
    let line = game().new_line();
    for mv in ["c4", "d3", "e6", "f5"] {
        let limits = Limits { only: vec![mv.to_string()], ..Limits::default() };
        assert_eq!(choose_quietly(zug.as_mut(), line.as_ref(), &limits).unwrap().mv, mv);
    }
}

#[test]
fn pondering_changes_no_rule_and_ends_when_asked() {
    let mut zug = player("zug:ponder=on,depth=4");
    let mut line = game().new_line();
    zug.new_game(line.as_ref()).unwrap();
    for _ in 0..6 {
        let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
        line.play(&choice.mv).unwrap();
        let reply = line.legal_moves()[0].clone();
        line.play(&reply).unwrap();
    }
    zug.game_over(line.as_ref(), None);
    let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
    assert!(choice.info.is_some());
    // Dropped while it ponders.
}

#[test]
fn noise_is_repeated_by_its_seed() {
    let moves = |seed| {
        let mut zug = player(&format!("zug:depth=2,noise=2000,seed={seed}"));
        let mut line = game().new_line();
        for _ in 0..12 {
            let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
            line.play(&choice.mv).unwrap();
        }
        line.moves()
    };
    assert_eq!(moves(1), moves(1));
    assert!((2..6).any(|seed| moves(seed) != moves(1)));
}
