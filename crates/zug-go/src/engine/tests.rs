//! The player as a whole.

use super::go_player;
use super::options::EngineOptions;
use super::search::{Found, Search};
use super::shipped::{LOCALITY, local_policy, playout_weights};
use super::walk::Style;
use crate::game::Go;
use crate::point::Move;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use zug_core::player::choose_quietly;
use zug_core::{AnyGame, Game, Info, Limits, Line, Player, Spec, Watch};

fn search_with(size: usize, change: impl FnOnce(&mut EngineOptions)) -> Search {
    let mut options = EngineOptions { hash: 16, ..EngineOptions::for_size(size) };
    change(&mut options);
    Search::new(options, local_policy(size), playout_weights(size, 1.0, LOCALITY))
}

fn think(search: &mut Search, line: &Line<Go>, playouts: u64) -> Found {
    let limits = Limits { nodes: Some(playouts), lines: 3, ..Limits::default() };
    let mut ignore = |_: &Info| {};
    search.search(line, &limits, &mut Watch::new(Arc::default(), &mut ignore)).unwrap()
}

fn line_at(spec: &str, text: &str) -> Line<Go> {
    let game = Go::open(spec).unwrap();
    let position = game.read_position(text).unwrap();
    Line::from_position(game, position)
}

fn best(line: &Line<Go>, playouts: u64) -> String {
    let mut search = search_with(line.game().rules().size(), |_| {});
    let found = think(&mut search, line, playouts);
    line.game().write_move(line.position(), found.moves[0].line[0])
}

fn player(game: &Go, spec: &str) -> Box<dyn Player> {
    (go_player("zug", game).make)(&Spec::parse(spec).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn whole_games_are_legal_on_every_size(
        size in 2usize..=19,
        seed in 0u64..1000,
        heavy: bool,
        suicide: bool,
        simple: bool,
        territory: bool,
    ) {
        let spec = format!(
            "go:{size}x{size},ko={},suicide={},scoring={}",
            if simple { "simple" } else { "superko" },
            if suicide { "yes" } else { "no" },
            if territory { "territory" } else { "area" },
        );
        let mut line = Line::new(Go::open(&spec).unwrap());
        let mut search = search_with(size, |o| {
            o.seed = seed;
            o.style = if heavy { Style::Heavy } else { Style::Learned };
        });
        // Large boards are not played to the end here: it would take long.
        for _ in 0..60 {
            if line.outcome().is_some() {
                break;
            }
            let found = think(&mut search, &line, 6);
            let mv = found.moves[0].line[0];
            prop_assert!(line.legal_moves().contains(&mv), "{mv:?}");
            line.play(mv);
        }
    }
}

#[test]
fn the_same_seed_and_threads_give_the_same_search() {
    for threads in [1, 3] {
        let run = || {
            let mut line = Line::new(Go::open("go:9x9").unwrap());
            let mut search = search_with(9, |o| o.threads = threads);
            for _ in 0..3 {
                let found = think(&mut search, &line, 300);
                line.play(found.moves[0].line[0]);
            }
            think(&mut search, &line, 300).moves
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn a_tree_is_carried_over_to_the_next_move() {
    let mut line = Line::new(Go::open("go:7x7").unwrap());
    let mut search = search_with(7, |_| {});
    let first = think(&mut search, &line, 2000);
    let expected = first.moves[0].visits;
    line.play(first.moves[0].line[0]);
    let second = think(&mut search, &line, 10);
    let total: u64 = second.moves.iter().map(|m| m.visits).sum();
    // The first visits of a move come before it has children.
    assert!(total + 10 >= expected && total <= expected + 10, "{total} {expected}");
    let mut fresh = search_with(7, |o| o.reuse = false);
    think(&mut fresh, &Line::new(line.game().clone()), 2000);
    let total: u64 = think(&mut fresh, &line, 10).moves.iter().map(|m| m.visits).sum();
    assert_eq!(total, 10);
}

const THREE_IN_THE_CORNER: &str = "3OX2/OOOOX2/XXXXX1X/7/XXXXXXX/1X1X1X1/X1X1X1X";

#[test]
fn three_points_in_a_row_live_or_die_by_the_middle() {
    for side in ["black", "white"] {
        let line = line_at("go:7x7,komi=40.5", &format!("{THREE_IN_THE_CORNER} {side}"));
        assert_eq!(best(&line, 2000), "B7", "{side}");
    }
}

#[test]
fn stones_in_atari_are_taken_and_saved() {
    // Two chains have one liberty each, at E5 and E4. Black must take; White may take or lengthen, since
    // the chain in the corner cannot run.
    let text = "XXXX1/OOOO1/XXXX1/5/5";
    let black = line_at("go:5x5", &format!("{text} black moves=12"));
    assert_eq!(best(&black, 500), "E4");
    let white = line_at("go:5x5", &format!("{text} white moves=12"));
    let found = best(&white, 500);
    assert!(found == "E5" || found == "E4", "{found}");
}

#[test]
fn a_won_game_is_passed_and_one_that_is_not_won_yet_is_not() {
    // As the board lies nobody has an area, and White wins by komi; with the dead stone at B2 taken
    // Black wins.
    let text = "3XO2/3XO2/3XO1X/3XO2/3XO2/1O1XO2/3XO2 black passes=1";
    let line = line_at("go:7x7,komi=4", text);
    assert_ne!(best(&line, 500), "pass");
    let won = "3XO2/3XO2/3XO2/3XO2/3XO2/3XO2/3XO2 black passes=1";
    let line = line_at("go:7x7,komi=4", won);
    assert_eq!(best(&line, 50), "pass");
    // Nobody has passed, and there is nothing left to do.
    let line = line_at(
        "go:7x7,komi=4",
        "1X1XO1O/XXXXOOO/1X1XO1O/XXXXOOO/1X1XO1O/XXXXOOO/1X1XO1O black moves=40",
    );
    let mut player = player(line.game(), "zug:playouts=400");
    assert_eq!(choose_quietly(&mut *player, &line, &Limits::default()).unwrap().mv, "pass");
}

#[test]
fn own_eyes_are_never_filled() {
    let text = "1X1X1/XXXXX/5/5/5 black";
    let line = line_at("go:5x5", text);
    let mut search = search_with(5, |_| {});
    let found = think(&mut search, &line, 200);
    for candidate in &found.moves {
        let name = line.game().write_move(line.position(), candidate.line[0]);
        assert!(!["A5", "C5", "E5"].contains(&name.as_str()));
    }
}

#[test]
fn lost_games_are_given_up_after_a_while_but_not_early() {
    let lost = "3XO2/3XO2/3XO2/3XO2/3XO2/3XO2/3XO2 black";
    let game = Go::open("go:7x7,komi=30").unwrap();
    let mut player = player(&game, "zug:playouts=200");
    let limits = Limits::default();
    let early = game.line_from(lost).unwrap();
    let late = game.line_from(&format!("{lost} moves=30")).unwrap();
    let mut resigns =
        |line: &dyn zug_core::AnyLine| choose_quietly(&mut *player, line, &limits).unwrap().resigns;
    assert!((0..5).all(|_| !resigns(&*early)));
    let said: Vec<bool> = (0..4).map(|_| resigns(&*late)).collect();
    assert_eq!(said, [false, false, true, true]);
}

#[test]
fn memory_is_bounded_and_the_search_goes_on_when_it_is_full() {
    let line = Line::new(Go::open("go:5x5").unwrap());
    let mut search = search_with(5, |o| {
        o.hash = 1;
        o.threads = 64;
    });
    let found = think(&mut search, &line, 64 * 3000);
    assert_eq!(found.playouts, 64 * 3000);
    assert!(found.full <= 1000 && found.full > 500, "{}", found.full);
}

#[test]
fn a_search_stops_when_its_time_is_up_or_when_it_is_told_to() {
    let line = Line::new(Go::open("go:9x9").unwrap());
    let mut search = search_with(9, |_| {});
    let limits = Limits { movetime: Some(Duration::from_millis(30)), ..Limits::default() };
    let mut ignore = |_: &Info| {};
    let mut watch = Watch::new(Arc::default(), &mut ignore);
    let found = search.search(&line, &limits, &mut watch).unwrap();
    assert!(found.elapsed < Duration::from_secs(5) && found.playouts > 0);
    watch.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let found = search.search(&line, &Limits::default(), &mut watch).unwrap();
    assert!(found.playouts <= 8);
    assert!(matches!(found.moves[0].line[0], Move::Play(_)));
}

#[test]
fn options_are_read_and_bad_ones_refused() {
    let game = Go::open("go:9x9").unwrap();
    for good in ["zug:style=heavy,rave=0,c=1.5", "zug:patterns=off", "zug:model=none,expand=9"] {
        let mut player = player(&game, &format!("{good},playouts=5"));
        let line = game.line_from("9/9/9/9/9/9/9/9/9 black").unwrap();
        assert!(choose_quietly(&mut *player, &*line, &Limits::default()).is_ok());
        assert!(player.set_option("Threads", "2").is_ok());
        assert!(player.set_option("threads", "none").is_err());
    }
    for bad in ["zug:style=wild", "zug:c=-1", "zug:model=", "zug:luck=1", "zug:expand=0"] {
        let spec = Spec::parse(bad).unwrap();
        assert!((go_player("zug", &game).make)(&spec).is_err(), "{bad}");
    }
}
