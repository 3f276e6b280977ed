//! Small games solved, stored, opened again and played: what the database says is what happens.

use std::path::Path;
use zug_core::seed::RngExt;
use zug_core::{Indexed, Retro, rng};
use zug_games::{Dodgem, KInARow};
use zug_solve::solve::{Settings, solve_all};
use zug_solve::{Code, Database, FolderWriter, GameCells, Index, Measure, Options, Plan, Value};

fn plan<G: Indexed>(game: &G, measure: Measure) -> Plan {
    Plan { game: game.spec(), options: Options::default(), metric: measure, command: None }
}

/// Solves a game and stores it; gives back all codes.
fn build<G: Indexed + Retro>(folder: &Path, game: &G, measure: Measure) -> Vec<Code> {
    let cells = GameCells::new(Index::new(game, Options::default()).unwrap());
    let space = cells.index().space();
    let settings = Settings::default();
    let solved = solve_all(&cells, &game.layout(), space, &settings).unwrap();
    let mut writer = FolderWriter::create(folder, &plan(game, measure), space).unwrap();
    for (stage, solved) in space.stages().iter().zip(&solved) {
        writer.add(space, stage, &solved.table).unwrap();
    }
    let tables = solved.iter().map(|s| &s.table);
    tables.flat_map(|t| t.range().map(|slot| t.code(slot))).collect()
}

/// Plays perfectly from many positions; every game ends after as many plies as was said.
fn check_games<G: Indexed + Retro>(game: &G, games: usize) {
    let folder = tempfile::tempdir().unwrap();
    let codes = build(folder.path(), game, Measure::Dtm);
    let database = Database::open(folder.path(), game).unwrap();
    database.verify_files().unwrap();
    let mut rng = rng(1, 0);
    for (slot, &code) in codes.iter().enumerate().step_by(7) {
        assert_eq!(database.code(slot as u64).unwrap(), code, "slot {slot}");
    }
    let mut played = 0;
    while played < games {
        let slot = rng.random_range(0..codes.len() as u64);
        let value = codes[slot as usize].value();
        let Some(plies) = value.and_then(Value::plies) else { continue };
        played += 1;
        let mut position = database.index().position(slot).unwrap();
        let first = game.to_move(&position);
        let wins = matches!(value, Some(Value::Win(_)));
        for ply in 0..plies {
            assert!(game.outcome(&position).is_none(), "ended {ply} plies early");
            let best = database.best_moves(&position).unwrap().unwrap();
            let stored = database.value(&position).unwrap().unwrap();
            assert!(best.iter().all(|&(_, value)| value == stored));
            let (mv, _) = best[rng.random_range(0..best.len())];
            game.play(&mut position, mv);
        }
        let winner = game.outcome(&position).expect("the game has ended").winner;
        assert_eq!(winner, Some(if wins { first } else { first.other() }));
    }
}

#[test]
fn perfect_dodgem_ends_when_the_database_says() {
    check_games(&Dodgem::new(4).unwrap(), 300);
}

#[test]
fn perfect_losing_tictactoe_ends_when_the_database_says() {
    check_games(&KInARow::new(4, 4, 3, true).unwrap(), 300);
}

#[test]
fn a_win_draw_loss_database_agrees_about_who_wins() {
    let game = Dodgem::new(3).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let codes = build(folder.path(), &game, Measure::Wdl);
    let database = Database::open(folder.path(), &game).unwrap();
    for (slot, code) in codes.iter().enumerate() {
        let expected = match code.value() {
            None => continue,
            Some(Value::Win(_)) => Value::Win(0),
            Some(Value::Draw) => Value::Draw,
            Some(Value::Loss(_)) => Value::Loss(0),
        };
        let position = database.index().position(slot as u64).unwrap();
        assert_eq!(database.value(&position).unwrap(), Some(expected));
        let best = database.best_moves(&position).unwrap().unwrap();
        assert!(best.iter().all(|&(_, value)| value == expected));
    }
}
