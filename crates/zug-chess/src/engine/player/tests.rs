//! The player as the workbench meets it.

use super::engine_player;
use crate::Chess;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use zug_core::erased::SharedGame;
use zug_core::player::choose_quietly;
use zug_core::{AnyLine, Info, Limits, Player, Score, Spec, Watch};

fn game() -> SharedGame {
    zug_core::GameEntry::new(Chess::new()).game
}

fn player(spec: &str) -> Box<dyn Player> {
    (engine_player("zug").make)(&Spec::parse(spec).unwrap()).unwrap()
}

fn at(text: &str) -> Box<dyn AnyLine> {
    game().line_from(text).unwrap()
}

#[test]
fn options_are_read_changed_and_refused_with_their_name() {
    for spec in [
        "zug:threads=0",
        "zug:hash=0",
        "zug:ponder=perhaps",
        "zug:off=magic",
        "zug:search=ancient",
        "zug:tables=1",
        "zug:polyglot=no/such/file",
        "zug:syzygy=no/such/folder",
        "zug:oracle=no/such/folder",
        "zug:lmr=perhaps",
        "zug:movetime=0",
        "zug:mate=perhaps",
        "zug:elo=10",
        "zug:elo=9999",
        "zug:elo=strong",
        "zug:handicap=300",
        "zug:syzygy-depth=101",
        "zug:syzygy-fifty=perhaps",
        "zug:endings=perhaps",
        "zug:off=",
        "zug:syzygy=",
    ] {
        let error = (engine_player("zug").make)(&Spec::parse(spec).unwrap()).err();
        let said = error.unwrap_or_else(|| panic!("{spec}")).to_string();
        let name = spec[4..].split('=').next().unwrap();
        assert!(said.contains(name), "{spec}: {said}");
    }
    let mut zug = player("zug:depth=2,search=thesis,on=pvs+lmr,null=off,hash=1");
    assert!(zug.set_option("Threads", "2").is_ok());
    assert!(zug.set_option("LMR", "off").is_ok());
    assert!(zug.set_option("threads", "many").is_err());
    assert!(zug.set_option("magic", "on").is_err());
    let choice = choose_quietly(zug.as_mut(), game().new_line().as_ref(), &Limits::default());
    assert_eq!(choice.unwrap().info.unwrap().depth, 2);
}

#[test]
fn several_lines_come_best_first_and_begin_with_different_moves() {
    let mut zug = player("zug:depth=4,hash=1");
    let line = game().new_line();
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
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 3);
}

#[test]
fn a_player_that_is_stopped_at_once_still_moves() {
    let mut zug = player("zug:threads=2,hash=1");
    let mut line = game().new_line();
    let stop = Arc::new(AtomicBool::new(true));
    let mut ignore = |_: &Info| {};
    let mut watch = Watch::new(stop, &mut ignore);
    let choice = zug.choose(line.as_ref(), &Limits::default(), &mut watch).unwrap();
    line.play(&choice.mv).unwrap();
}

#[test]
fn only_the_moves_asked_for_are_chosen_and_a_finished_game_is_refused() {
    let mut zug = player("zug:depth=3,hash=1");
    let line = game().new_line();
    for mv in ["a2a3", "g1h3", "f2f3"] {
        let limits = Limits { only: vec![mv.to_string()], ..Limits::default() };
        assert_eq!(choose_quietly(zug.as_mut(), line.as_ref(), &limits).unwrap().mv, mv);
    }
    let mate = at("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    assert!(choose_quietly(zug.as_mut(), mate.as_ref(), &Limits::default()).is_err());
}

#[test]
fn a_repetition_is_avoided_by_who_stands_better() {
    // White is a queen up; after the knights went out and back once more the game would be drawn.
    let mut line = at("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6"] {
        line.play(mv).unwrap();
    }
    let mut zug = player("zug:depth=4,hash=1");
    let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
    assert_ne!(choice.mv, "f3g1");
    assert!(choice.info.unwrap().score.unwrap() > Score::estimate(300));
}

#[test]
fn pondering_changes_no_rule_and_ends_when_asked() {
    let mut zug = player("zug:ponder=on,depth=3,hash=1");
    let mut line = game().new_line();
    zug.new_game(line.as_ref()).unwrap();
    for _ in 0..4 {
        let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
        line.play(&choice.mv).unwrap();
        let reply = line.legal_moves()[0].clone();
        line.play(&reply).unwrap();
    }
    zug.game_over(line.as_ref(), None);
    assert!(choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).is_ok());
    // Dropped while it ponders.
}

/// A book that knows the start position with all twenty moves of it, alike in weight.
fn book_of_first_moves(folder: &Path) -> PathBuf {
    let mut bytes: Vec<u8> = Vec::new();
    let mut moves: Vec<u16> =
        (0..8).flat_map(|file| [16, 24].map(|to| (8 + file) << 6 | (to + file))).collect();
    moves.extend([1 << 6 | 16, 1 << 6 | 18, 6 << 6 | 21, 6 << 6 | 23]);
    for mv in moves {
        bytes.extend(0x463B_9618_1691_FC9C_u64.to_be_bytes());
        bytes.extend(mv.to_be_bytes());
        bytes.extend([0, 1, 0, 0, 0, 0]);
    }
    let file = folder.join("book.bin");
    std::fs::write(&file, bytes).unwrap();
    file
}

#[test]
fn an_analysis_is_not_answered_from_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let file = book_of_first_moves(folder.path());
    let mut zug = player(&format!("zug:depth=2,hash=1,polyglot={}", file.display()));
    let line = game().new_line();
    let depth = |zug: &mut dyn Player, lines| {
        let limits = Limits { lines, ..Limits::default() };
        choose_quietly(zug, line.as_ref(), &limits).unwrap().info.unwrap().depth
    };
    assert_eq!((depth(zug.as_mut(), 1), depth(zug.as_mut(), 2)), (0, 2));
    for option in ["analyse", "mate"] {
        zug.set_option(option, "on").unwrap();
        assert_eq!(depth(zug.as_mut(), 1), 2, "{option}");
        zug.set_option(option, "off").unwrap();
        assert_eq!(depth(zug.as_mut(), 1), 0, "{option}");
    }
    assert!(zug.set_option("analyse", "perhaps").is_err());
}

#[test]
fn a_book_is_drawn_from_anew_in_each_game_and_alike_for_the_same_seed() {
    let folder = tempfile::tempdir().unwrap();
    let file = book_of_first_moves(folder.path());
    let games = |seed: u64| {
        let mut zug =
            player(&format!("zug:depth=1,hash=1,seed={seed},polyglot={}", file.display()));
        let line = game().new_line();
        let each = (0..8).map(|_| {
            zug.new_game(line.as_ref()).unwrap();
            let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
            assert_eq!(choice.info.unwrap().nodes, 0, "not from the book");
            choice.mv
        });
        each.collect::<Vec<String>>()
    };
    assert_eq!(games(1), games(1));
    assert_ne!(games(1), games(2));
    assert!(games(1).iter().any(|mv| *mv != games(1)[0]));
}

#[test]
fn noise_is_repeated_by_its_seed() {
    let moves = |seed| {
        let mut zug = player(&format!("zug:depth=1,noise=200,hash=1,seed={seed}"));
        let mut line = game().new_line();
        for _ in 0..8 {
            let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
            line.play(&choice.mv).unwrap();
        }
        line.moves()
    };
    assert_eq!(moves(1), moves(1));
    assert!((2..6).any(|seed| moves(seed) != moves(1)));
}

#[test]
fn chess960_castles_as_its_rules_say() {
    let chess = Chess::from_spec(&Spec::parse("chess:960=0").unwrap()).unwrap();
    let entry = zug_core::GameEntry::new(chess);
    let mut line = entry.game.new_line();
    let mut zug = player("zug:nodes=500,hash=1");
    for _ in 0..40 {
        if line.outcome().is_some() {
            break;
        }
        let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap();
        line.play(&choice.mv).unwrap();
    }
    assert!(line.moves().len() >= 20);
}

#[test]
fn bishop_and_knight_mate_a_bare_king() {
    // Starts that are drawn without the knowledge, so that it is this that wins them.
    let starts = [
        "8/8/8/8/3k3B/8/5K2/1N6 w - - 0 1",
        "8/8/8/1N6/8/2B2K2/k7/8 w - - 0 1",
        "4kN2/8/K7/8/8/7B/8/8 w - - 0 1",
    ];
    let mates = |spec: &str| {
        let won = |start: &&&str| {
            let (mut line, mut zug) = (at(start), player(spec));
            while line.outcome().is_none() {
                let choice = choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default());
                line.play(&choice.unwrap().mv).unwrap();
            }
            line.outcome().unwrap().reason == "checkmate"
        };
        starts.iter().filter(won).count()
    };
    let (knowing, not) =
        (mates("zug:nodes=3000,hash=1"), mates("zug:nodes=3000,hash=1,endings=off"));
    assert!(knowing >= 2 && not < knowing, "{knowing} mates with the knowledge, {not} without");
}

#[test]
fn what_is_known_of_endings_can_be_switched_and_the_thesis_does_without() {
    let bare = at("8/8/3k4/8/8/2K5/8/5BN1 w - - 0 1");
    let score = |zug: &mut dyn Player| {
        let choice = choose_quietly(zug, bare.as_ref(), &Limits::default()).unwrap();
        choice.info.unwrap().score.unwrap()
    };
    let knows = Score::estimate(1500);
    for (spec, known) in [
        ("zug:depth=1,hash=1", true),
        ("zug:depth=1,hash=1,endings=off", false),
        ("zug:depth=1,hash=1,off=endings", false),
        ("zug:depth=1,hash=1,search=thesis", false),
        ("zug:depth=1,hash=1,search=thesis,on=endings", true),
    ] {
        assert_eq!(score(player(spec).as_mut()) > knows, known, "{spec}");
    }
    let mut zug = player("zug:depth=1,hash=1");
    assert!(score(zug.as_mut()) > knows);
    zug.set_option("Endings", "off").unwrap();
    assert!(score(zug.as_mut()) < knows);
    zug.set_option("endings", "on").unwrap();
    assert!(score(zug.as_mut()) > knows);
}

#[test]
fn another_model_can_be_chosen_while_it_plays_and_the_first_one_again() {
    let line = at("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    let score = |zug: &mut dyn Player| {
        let choice = choose_quietly(zug, line.as_ref(), &Limits::default()).unwrap();
        choice.info.unwrap().score.unwrap()
    };
    let mut zug = player("zug:depth=3,hash=1");
    let first = score(zug.as_mut());
    let hand = score(player("zug:depth=3,hash=1,model=hand").as_mut());
    assert_ne!(first, hand);
    zug.set_option("Model", "hand").unwrap();
    assert_eq!(score(zug.as_mut()), hand);
    let said = zug.set_option("model", "dreams").unwrap_err().to_string();
    assert!(said.contains("dreams") && said.contains("learned, td-leaf, hand"), "{said}");
    assert_eq!(score(zug.as_mut()), hand);
    zug.set_option("model", "").unwrap();
    assert_eq!(score(zug.as_mut()), first);
}

#[test]
fn a_rating_limits_positions_and_not_an_analysis() {
    let line = at("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    let think = |zug: &mut dyn Player| {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let choice = choose_quietly(zug, line.as_ref(), &limits).unwrap();
        (choice.mv, choice.info.unwrap().nodes)
    };
    let mut zug = player("zug:handicap=200:60,hash=1,threads=2");
    let first = think(zug.as_mut());
    assert!(first.1 < 1000, "{first:?}");
    // The same seed plays the same.
    assert_eq!(think(player("zug:handicap=200:60,hash=1").as_mut()), first);
    zug.set_option("analyse", "on").unwrap();
    assert!(think(zug.as_mut()).1 >= 20_000);
    zug.set_option("analyse", "off").unwrap();
    assert!(think(zug.as_mut()).1 < 1000);
    zug.set_option("elo", "none").unwrap();
    assert!(think(zug.as_mut()).1 >= 20_000);
    let least = super::elo_range().least;
    zug.set_option("Elo", &least.to_string()).unwrap();
    assert!(think(zug.as_mut()).1 < 1000);
    assert!(zug.set_option("elo", &(least - 1).to_string()).is_err());
    assert!(zug.pace().is_none() && player("zug").pace().is_some());
}

#[test]
fn what_is_a_little_worse_is_played_too_by_other_seeds() {
    let line = game().new_line();
    let mut played = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let mut zug = player(&format!("zug:handicap=50:200,hash=1,seed={seed}"));
        played.insert(choose_quietly(zug.as_mut(), line.as_ref(), &Limits::default()).unwrap().mv);
    }
    assert!(played.len() > 2, "{played:?}");
}

#[test]
fn a_search_shows_signs_of_life_and_ends_with_a_value() {
    let line = at("r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 0 12");
    let mut zug = player("zug:hash=1");
    let (stop, mut pulses, mut last) = (Arc::new(AtomicBool::new(false)), Vec::new(), None);
    let mut report = |info: &Info| last = Some(info.clone());
    let ends = Arc::clone(&stop);
    let mut pulse = |pulse: &zug_core::Pulse| {
        pulses.push(pulse.clone());
        // Ends where what was told last may be a bound.
        let enough = pulses.iter().any(|p| p.current.is_some()) && pulses.len() > 3;
        ends.store(enough, std::sync::atomic::Ordering::Relaxed);
    };
    let mut watch = Watch::new(stop, &mut report).with_pulse(&mut pulse);
    let choice = zug.choose(line.as_ref(), &Limits::default(), &mut watch).unwrap();
    for pulse in &pulses {
        assert!(pulse.info.hash_full.is_some() && pulse.info.nodes > 0 && pulse.info.depth > 0);
        if let Some((mv, number)) = &pulse.current {
            assert!(line.legal_moves().contains(mv) && (1..=50).contains(number), "{pulse:?}");
            assert!(pulse.info.score.is_none());
        }
        if pulse.info.score.is_some() {
            assert!(pulse.info.bound != zug_core::Bound::Exact && !pulse.info.line.is_empty());
        }
    }
    assert!(pulses.windows(2).all(|two| two[0].info.nodes <= two[1].info.nodes));
    let last = last.unwrap();
    assert_eq!(last.bound, zug_core::Bound::Exact);
    assert_eq!(last.line.first(), Some(&choice.mv));
}
