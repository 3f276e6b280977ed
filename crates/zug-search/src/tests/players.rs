//! Players as the arena sees them: made from a spec, fed with lines, asked for moves.

use crate::testing::{Blind, Matches, OpenRows, TicTacToe, to_depth, to_nodes};
use crate::{Defaults, RandomRollout, mcts_player, pvs_player, random_player};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_core::player::choose_quietly;
use zug_core::{
    AnyGame, AnyLine, Clock, Game, GameEntry, Info, Limits, Line, Player, PlayerError, Side, Spec,
    Watch,
};

const DEFAULTS: Defaults = Defaults { moves_in_game: 5 };

fn entry<G: Game>(game: G) -> GameEntry {
    GameEntry::new(game.clone())
        .with_player(pvs_player("zug", &game, Arc::new(Blind), DEFAULTS))
        .with_player(mcts_player(
            "mcts",
            &game,
            Arc::new(RandomRollout { max_plies: 50 }),
            DEFAULTS,
        ))
        .with_player(random_player(&game))
}

fn player<G: Game>(game: G, spec: &str) -> Box<dyn Player> {
    entry(game).player(&Spec::parse(spec).unwrap()).unwrap()
}

/// Plays a game and tells the points of the first player.
fn play(game: &dyn AnyGame, players: [&mut dyn Player; 2], limits: &Limits) -> f64 {
    let mut line = game.new_line();
    let [first, second] = players;
    first.new_game(&*line).unwrap();
    second.new_game(&*line).unwrap();
    while line.outcome().is_none() {
        let player = if line.to_move() == Side::First { &mut *first } else { &mut *second };
        let choice = choose_quietly(player, &*line, limits).unwrap();
        line.play(&choice.mv).unwrap();
    }
    line.outcome().unwrap().points(Side::First)
}

/// Follows every move of the opponent and counts the games that `player` does not win or draw.
fn losses(line: &mut dyn AnyLine, player: &mut dyn Player, side: Side, limits: &Limits) -> u32 {
    if let Some(outcome) = line.outcome() {
        return u32::from(outcome.points(side) == 0.0);
    }
    let moves = if line.to_move() == side {
        vec![choose_quietly(player, line, limits).unwrap().mv]
    } else {
        line.legal_moves()
    };
    let mut count = 0;
    for mv in moves {
        line.play(&mv).unwrap();
        count += losses(line, player, side, limits);
        assert!(line.undo());
    }
    count
}

#[test]
fn alpha_beta_never_loses_tic_tac_toe_against_any_play() {
    for side in Side::BOTH {
        let mut player = player(TicTacToe, "zug:depth=9");
        let mut line = TicTacToe.new_line();
        assert_eq!(losses(&mut *line, &mut *player, side, &Limits::default()), 0);
    }
}

#[test]
fn alpha_beta_without_any_aid_never_loses_either() {
    let spec = "zug:depth=9,tt=off,aspiration=off,history=off";
    let mut player = player(TicTacToe, spec);
    let mut line = TicTacToe.new_line();
    line.play("b2").unwrap();
    assert_eq!(losses(&mut *line, &mut *player, Side::Second, &Limits::default()), 0);
}

#[test]
fn alpha_beta_with_every_hint_never_loses_either() {
    let kind = pvs_player("hinted", &TicTacToe, Arc::new(OpenRows), DEFAULTS);
    for side in Side::BOTH {
        let mut player = (kind.make)(&Spec::parse("hinted:depth=9").unwrap()).unwrap();
        let mut line = TicTacToe.new_line();
        assert_eq!(losses(&mut *line, &mut *player, side, &Limits::default()), 0);
    }
}

#[test]
fn monte_carlo_never_loses_tic_tac_toe_against_any_play() {
    for side in Side::BOTH {
        let mut player = player(TicTacToe, "mcts:playouts=3000,seed=1");
        let mut line = TicTacToe.new_line();
        assert_eq!(losses(&mut *line, &mut *player, side, &Limits::default()), 0);
    }
}

#[test]
fn the_second_player_wins_the_lost_piles_of_matches_against_every_play() {
    for pile in [4, 7, 10, 13, 16] {
        for spec in ["zug:depth=16", "mcts:playouts=2000"] {
            let mut player = player(Matches(pile), spec);
            let mut line = Matches(pile).new_line();
            let limits = Limits::default();
            assert_eq!(losses(&mut *line, &mut *player, Side::Second, &limits), 0, "{pile} {spec}");
        }
    }
}

#[test]
fn random_games_are_repeated_by_a_seed() {
    let games = |seed: &str| {
        let mut a = player(TicTacToe, seed);
        let mut b = player(TicTacToe, "random:seed=9");
        (0..20)
            .map(|_| play(&TicTacToe, [&mut *a, &mut *b], &Limits::default()))
            .collect::<Vec<f64>>()
    };
    assert_eq!(games("random:seed=1"), games("random:seed=1"));
    assert_ne!(games("random:seed=1"), games("random:seed=2"));
}

#[test]
fn search_beats_chance() {
    for spec in ["zug:depth=4", "mcts:nodes=300"] {
        let mut strong = player(TicTacToe, spec);
        let mut weak = player(TicTacToe, "random");
        let mut points = 0.0;
        for _ in 0..15 {
            points += play(&TicTacToe, [&mut *strong, &mut *weak], &Limits::default());
            points += 1.0 - play(&TicTacToe, [&mut *weak, &mut *strong], &Limits::default());
        }
        assert!(points > 24.0, "{spec} scored {points} of 30");
    }
}

#[test]
fn a_move_comes_even_when_there_is_no_time_at_all() {
    let line = Line::new(TicTacToe);
    let clock = Clock { remaining: [Duration::ZERO; 2], ..Clock::default() };
    for spec in ["zug", "mcts", "random", "zug:threads=2", "mcts:threads=2"] {
        for limits in [
            Limits { movetime: Some(Duration::ZERO), ..Limits::default() },
            Limits { clock: Some(clock), ..Limits::default() },
            to_nodes(1),
            to_depth(0),
        ] {
            let mut player = player(TicTacToe, spec);
            let choice = choose_quietly(&mut *player, &line, &limits).unwrap();
            assert!(line.legal_moves().len() == 9 && choice.mv.len() == 2, "{spec} {limits:?}");
        }
    }
}

#[test]
fn a_player_without_limits_thinks_until_it_is_stopped() {
    // Stopped from the start: what remains is the least that every search does.
    for spec in ["zug", "mcts"] {
        let mut player = player(Matches(200), spec);
        let stop = Arc::new(AtomicBool::new(true));
        let mut ignore = |_: &Info| {};
        let mut watch = Watch::new(stop, &mut ignore);
        let line = Line::new(Matches(200));
        let choice = player.choose(&line, &Limits::default(), &mut watch).unwrap();
        assert!(["1", "2"].contains(&choice.mv.as_str()));
    }
}

#[test]
fn only_the_moves_asked_for_are_chosen() {
    let line = Line::new(TicTacToe);
    for spec in ["zug:depth=3", "mcts:playouts=50", "random"] {
        let mut player = player(TicTacToe, spec);
        let only = vec!["a2".to_string()];
        let limits = Limits { only, ..Limits::default() };
        assert_eq!(choose_quietly(&mut *player, &line, &limits).unwrap().mv, "a2", "{spec}");
        let limits = Limits { only: vec!["z9".to_string()], ..Limits::default() };
        let error = choose_quietly(&mut *player, &line, &limits).unwrap_err();
        assert!(matches!(error, PlayerError::Illegal(_)), "{spec}: {error}");
    }
}

#[test]
fn players_refuse_other_games_and_finished_ones() {
    for spec in ["zug:depth=2", "mcts:playouts=10", "random"] {
        let mut player = player(TicTacToe, spec);
        let other = Line::new(Matches(3));
        let error = choose_quietly(&mut *player, &other, &Limits::default()).unwrap_err();
        assert!(matches!(error, PlayerError::Unsupported(_)));
        let mut over = Line::new(TicTacToe);
        for text in ["a1", "a2", "b1", "b2", "c1"] {
            over.play_text(text).unwrap();
        }
        let error = choose_quietly(&mut *player, &over, &Limits::default()).unwrap_err();
        assert!(matches!(error, PlayerError::Unsupported(_)));
    }
}

#[test]
fn bad_options_are_refused_by_name() {
    let entry = entry(TicTacToe);
    for (spec, words) in [
        ("zug:depth=deep", "'depth'"),
        ("zug:depth=0", "'depth'"),
        ("zug:threads=0", "'threads'"),
        ("zug:hash=999999999", "'hash'"),
        ("zug:null=perhaps", "on or off"),
        ("zug:movetime=soon", "duration"),
        ("zug:colour=red", "'colour'"),
        ("mcts:c=-1", "'c'"),
        ("mcts:c=nan", "'c'"),
        ("mcts:playouts=0", "'playouts'"),
        ("random:seed=x", "'seed'"),
        ("random:depth=3", "'depth'"),
    ] {
        let error = entry.player(&Spec::parse(spec).unwrap()).err().expect(spec);
        assert!(error.to_string().contains(words), "{spec}: {error}");
    }
}

#[test]
fn options_of_a_running_player_are_set_in_any_case() {
    let mut zug = player(TicTacToe, "zug");
    for (name, value) in [("Hash", "1"), ("THREADS", "2"), ("depth", "3"), ("Null", "false")] {
        zug.set_option(name, value).unwrap();
    }
    assert!(zug.set_option("Hash", "lots").is_err());
    assert!(zug.set_option("Contempt", "1").unwrap_err().to_string().contains("Contempt"));
    let line = Line::new(TicTacToe);
    let choice = choose_quietly(&mut *zug, &line, &Limits::default()).unwrap();
    assert_eq!(choice.info.unwrap().depth, 3);
}

#[test]
fn several_lines_are_reported_in_order() {
    let mut line = Line::new(TicTacToe);
    line.play_text("b2").unwrap();
    for spec in ["zug", "mcts"] {
        let mut player = player(TicTacToe, spec);
        let mut reports: Vec<Info> = Vec::new();
        let mut collect = |info: &Info| reports.push(info.clone());
        let mut watch = Watch::new(Arc::default(), &mut collect);
        let limits = Limits { lines: 3, depth: Some(6), ..Limits::default() };
        player.choose(&line, &limits, &mut watch).unwrap();
        let last: Vec<&Info> = reports.iter().rev().take(3).rev().collect();
        assert_eq!(last.iter().map(|i| i.rank).collect::<Vec<_>>(), [1, 2, 3], "{spec}");
        let firsts: std::collections::BTreeSet<&String> = last.iter().map(|i| &i.line[0]).collect();
        assert_eq!(firsts.len(), 3, "{spec}: three different moves");
        for info in last {
            let mut replay = line.clone();
            for text in &info.line {
                replay.play_text(text).expect("lines are legal");
            }
        }
    }
}
