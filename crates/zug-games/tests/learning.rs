//! Every game of this crate learns from its own play, and plays with what it has learned.

use std::path::Path;
use zug_core::player::choose_quietly;
use zug_core::seed::RngExt;
use zug_core::{Game, GameEntry, Limits, Silent, Spec, StopFlag, Symmetric, rng};
use zug_games::{Connect4, KInARow, Morris, open};
use zug_learn::td::face::{SelfPlay, TdOrder};
use zug_learn::td::tuples::picture_maps;
use zug_learn::td::{Board, Features, NTuples};

fn entry(spec: &str) -> GameEntry {
    open(&Spec::parse(spec).unwrap()).expect("a game of this crate").unwrap()
}

/// Learns; gives back the share of right moves before and after.
fn learn(spec: &str, games: u64, out: &Path, set: &[(&str, &str)]) -> (f64, f64) {
    let small = [("rounds", "2"), ("gate-games", "10"), ("test-games", "10"), ("sample", "300")];
    let order = TdOrder {
        games: Some(games),
        seed: 1,
        threads: 2,
        out: out.to_path_buf(),
        options: small.iter().chain(set).map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        ..TdOrder::default()
    };
    let entry = entry(spec);
    let learner = entry.extension::<SelfPlay>().expect("every game learns");
    let account = learner.learn(&order, &Silent, &StopFlag::new()).unwrap();
    let metrics = std::fs::read_to_string(out.join("metrics.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(metrics.lines().next().unwrap()).unwrap();
    let share = |figures: &serde_json::Value| figures["optimal"].as_f64().unwrap_or(f64::NAN);
    (share(&first), share(&account.figures.into()))
}

#[test]
fn noughts_and_crosses_are_learned_to_perfection() {
    let dir = tempfile::tempdir().unwrap();
    let (before, after) = learn("tictactoe", 6000, &dir.path().join("run"), &[]);
    assert!(before < 0.85 && after > 0.98, "{before} {after}");
}

#[test]
fn small_games_of_every_kind_learn_something() {
    for (spec, games, least) in [
        ("hexapawn:3x3", 1000, 0.98),
        ("matches:n=16", 600, 0.98),
        ("nim:2-3-4", 2000, 0.95),
        ("dodgem:3x3", 1500, 0.85),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (before, after) = learn(spec, games, &dir.path().join("run"), &[]);
        assert!(after > before && after >= least, "{spec}: {before} {after}");
    }
}

#[test]
fn what_was_learned_plays_and_no_other_game_takes_it() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    learn("tictactoe", 3000, &out, &[("keep", "average")]);
    let model = out.join("model.zug").display().to_string();
    let (entry, other) = (entry("tictactoe"), entry("hexapawn:3x3"));
    for kind in ["zug", "pvs", "learned"] {
        let spec = Spec::parse(&format!("{kind}:model=\"{model}\"")).unwrap();
        let mut player = entry.player(&spec).unwrap();
        // X completes its row.
        let line = entry.game.line_from("XX1/OO1/3 x").unwrap();
        let limits = Limits { depth: Some(2), ..Limits::default() };
        assert_eq!(choose_quietly(player.as_mut(), line.as_ref(), &limits).unwrap().mv, "c3");
        let refused = other.player(&spec).err().unwrap().to_string();
        assert!(refused.contains("'hexapawn:3x3'"), "{refused}");
    }
    let missing = entry.player(&Spec::parse("learned").unwrap()).err().unwrap().to_string();
    assert!(missing.contains("model"), "{missing}");
    let missing = Spec::parse("zug:model=nowhere.zug").unwrap();
    assert!(entry.player(&missing).err().unwrap().to_string().contains("nowhere.zug"));
}

fn seen<G: Game>(features: &impl Features<G>, game: &G, position: &G::Position) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    features.extract(game, position, &mut out);
    let mut all: Vec<(u32, u32)> = out.iter().map(|&(i, x)| (i, x.to_bits())).collect();
    all.sort_unstable();
    all
}

/// Features must not tell a position from its mirror image, and must stay within their number.
fn check_tuples<G: Symmetric>(game: &G, least_maps: usize) {
    let maps = picture_maps(game);
    assert!(maps.len() >= least_maps, "{}: {maps:?}", game.spec());
    let features = NTuples::of_symmetric(game);
    let (mut rng, mut moves) = (rng(5, 0), Vec::new());
    let mut position = game.start();
    for _ in 0..300 {
        let here = seen(&features, game, &position);
        assert!(here.iter().all(|&(i, _)| (i as usize) < features.count()));
        if maps.len() == game.symmetries() {
            for symmetry in 0..game.symmetries() {
                let image = game.map_position(symmetry, &position);
                assert_eq!(seen(&features, game, &image), here, "{}", game.spec());
            }
        }
        moves.clear();
        game.moves(&position, &mut moves);
        match moves.len() {
            0 => position = game.start(),
            n => game.play(&mut position, moves[rng.random_range(0..n)]),
        }
    }
    for feature in [0, 1, features.count() / 2, features.count() - 1] {
        assert!(!features.describe(feature).is_empty());
    }
}

#[test]
fn tables_know_the_symmetries_of_the_board() {
    check_tuples(&KInARow::new(3, 3, 3, false).unwrap(), 8);
    check_tuples(&KInARow::new(4, 3, 3, true).unwrap(), 4);
    check_tuples(&Connect4::new(7, 6, 4).unwrap(), 2);
    // Turning the board inside out is no turn of the picture; the other eight are.
    check_tuples(&Morris::new(9).unwrap(), 8);
}

#[test]
fn one_line_is_enough_for_a_game_of_which_nothing_else_is_known() {
    let game = KInARow::new(3, 3, 3, false).unwrap();
    let plain = NTuples::of(&game);
    // Nine cells with three contents each and a constant, for each side.
    assert_eq!(plain.count(), 2 * (19_683 + 1));
    assert!(plain.describe(19_683 + 1 + 1).contains("the second side to move"));
    let walks = Board::pictured(&Connect4::new(7, 6, 4).unwrap()).walks(30, 5);
    assert!(walks.len() == 30 && walks.iter().all(|w| w.len() == 5));
}
