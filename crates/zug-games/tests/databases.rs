//! Small games solved, stored, opened again and played: what the database says is what happens.

use std::path::Path;
use zug_core::seed::RngExt;
use zug_core::{Indexed, Retro, rng};
use zug_games::{Dodgem, KInARow};
use zug_solve::solve::{Settings, solve_all};
use zug_solve::{Code, Database, FolderWriter, GameCells, Index, Measure, Options, Plan, Value};

fn plan<G: Indexed>(game: &G, options: Options, measure: Measure) -> Plan {
    Plan { game: game.spec(), options, metric: measure, command: None }
}

/// Solves a game and stores it; gives back all codes.
fn build<G: Indexed + Retro>(folder: &Path, game: &G, measure: Measure) -> Vec<Code> {
    build_with(folder, game, measure, Options::default(), false)
}

fn build_with<G: Indexed + Retro>(
    folder: &Path,
    game: &G,
    measure: Measure,
    options: Options,
    one_side: bool,
) -> Vec<Code> {
    let cells = GameCells::new(Index::new(game, options).unwrap());
    let space = cells.index().space();
    let settings = Settings::default();
    let solved = solve_all(&cells, &game.layout(), space, &settings).unwrap();
    let mut writer = FolderWriter::create(folder, &plan(game, options, measure), space).unwrap();
    writer.set_one_side(one_side).unwrap();
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
    for (slot, &code) in codes.iter().enumerate() {
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

#[test]
fn a_side_that_is_left_out_is_found_by_one_ply_of_search() {
    let game = Dodgem::new(3).unwrap();
    // Without the colour swap both sides to move have parts of their own.
    let options = Options { mirror: false, ..Options::default() };
    for measure in [Measure::Dtm, Measure::Wdl] {
        let sizes = [false, true].map(|one_side| {
            let folder = tempfile::tempdir().unwrap();
            let codes = build_with(folder.path(), &game, measure, options, one_side);
            let database = Database::open(folder.path(), &game).unwrap();
            for (slot, code) in codes.iter().enumerate() {
                let found = database.code(slot as u64).unwrap();
                let same = match (measure, found.value(), code.value()) {
                    (Measure::Wdl, Some(found), Some(value)) => {
                        std::mem::discriminant(&found) == std::mem::discriminant(&value)
                    }
                    _ => found == *code,
                };
                assert!(same, "slot {slot}: {found:?}, not {code:?}");
            }
            let counted: u64 = database.histograms().flat_map(|h| h.counts).map(|(_, n)| n).sum();
            assert_eq!(counted, codes.len() as u64);
            database.sizes().map(|part| part.stored).sum::<u64>()
        });
        assert!(sizes[1] < sizes[0], "{sizes:?}");
    }
}

#[test]
fn what_is_not_this_database_is_refused_with_a_reason() {
    let game = Dodgem::new(3).unwrap();
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), &game, Measure::Dtm);
    let other = Database::open(folder.path(), &Dodgem::new(4).unwrap()).unwrap_err().to_string();
    assert!(other.contains("dodgem:4x4") && other.contains("dodgem:3x3"), "{other}");
    let nowhere = Database::open(&folder.path().join("nowhere"), &game).unwrap_err().to_string();
    assert!(nowhere.contains("nowhere"), "{nowhere}");
    // A stage of another database of the same game.
    let wdl = tempfile::tempdir().unwrap();
    build(wdl.path(), &game, Measure::Wdl);
    let database = Database::open(folder.path(), &game).unwrap();
    let file = &database.manifest().stages.last().unwrap().file;
    std::fs::copy(wdl.path().join(file), folder.path().join(file)).unwrap();
    let mixed = Database::open(folder.path(), &game).unwrap_err().to_string();
    assert!(mixed.contains(file) && mixed.contains("metric"), "{mixed}");
    std::fs::remove_file(folder.path().join(file)).unwrap();
    let missing = Database::open(folder.path(), &game).unwrap_err().to_string();
    assert!(missing.contains(file), "{missing}");
}

#[test]
fn many_threads_get_the_same_answers() {
    let game = Dodgem::new(3).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let codes = build(folder.path(), &game, Measure::Dtm);
    // Room for next to nothing, so that blocks come and go all the time.
    let database = Database::open_with(folder.path(), &game, 1 << 12).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (database, codes) = (&database, &codes);
            scope.spawn(move || {
                for (slot, &code) in codes.iter().enumerate().skip(thread).step_by(3) {
                    assert_eq!(database.code(slot as u64).unwrap(), code);
                }
            });
        }
    });
}
