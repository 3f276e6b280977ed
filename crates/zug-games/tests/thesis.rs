//! The solver of the thesis on real games: both algorithms, every store and every cache give what
//! the fast engine gives, and Dodgem has its published table.

use std::collections::BTreeMap;
use zug_core::{Game, Indexed, Retro, Silent, StopFlag};
use zug_games::{Connect4, Dodgem, Hexapawn, KInARow, Morris, Nim};
use zug_solve::thesis::{
    Algorithm, BLOCK, CacheSize, CachedFile, Ends, Figures, MemoryStore, Settings, Store, solve,
};
use zug_solve::{Cells, Code, Content, GameCells, Index, Options, Value, solve_all};

fn cells<G: Indexed + Retro>(game: &G, options: Options) -> GameCells<G> {
    GameCells::new(Index::new(game, options).unwrap())
}

fn run<C: Cells>(cells: &C, store: impl Store, algorithm: Algorithm) -> (Vec<Code>, Figures, Ends) {
    let settings = Settings { algorithm, ..Settings::default() };
    let solved = solve(cells, store, &settings, &Silent, &StopFlag::new()).unwrap();
    let (figures, ends) = (*solved.figures(), solved.ends());
    (solved.codes().unwrap(), figures, ends)
}

fn in_memory<C: Cells>(cells: &C, algorithm: Algorithm) -> (Vec<Code>, Figures, Ends) {
    run(cells, MemoryStore::new(cells.size(), 1), algorithm)
}

/// What the fast engine finds, stage by stage.
fn fast<G: Indexed + Retro>(cells: &GameCells<G>) -> Vec<Code> {
    let (layout, space) = (cells.index().game().layout(), cells.index().space());
    let solved = solve_all(cells, &layout, space, &zug_solve::Settings::default()).unwrap();
    solved.iter().flat_map(|s| s.table.range().map(|slot| s.table.code(slot))).collect()
}

/// Both algorithms and the fast engine find the same; gives back the codes.
fn check<G: Indexed + Retro>(game: &G, ends: Ends) -> Vec<Code> {
    let mut found = Vec::new();
    for options in [Options::default(), Options::full()] {
        let cells = cells(game, options);
        let name = game.title();
        let (codes, basic, kind) = in_memory(&cells, Algorithm::Basic);
        assert_eq!(kind, ends, "{name}");
        let (same, counters, _) = in_memory(&cells, Algorithm::Counters);
        assert!(codes == same, "{name}: the algorithms differ");
        // Where a game ends both ways, every distance needs a scan with counters, too.
        let [few, many] = [counters, basic].map(|figures| figures.traffic.accesses());
        assert!(few < many || ends == Ends::Both, "{name}: {few} and {many} accesses");
        assert_eq!(basic.longest, counters.longest);
        assert!(fast(&cells) == codes, "{name}: the fast engine differs");
        if found.is_empty() {
            found = codes;
        }
    }
    found
}

fn value<G: Indexed>(game: &G, codes: &[Code], text: &str) -> Value {
    let index = Index::new(game, Options::default()).unwrap();
    let position = game.read_position(text).unwrap();
    codes[index.index_of(&position).unwrap() as usize].value().unwrap()
}

#[test]
fn both_algorithms_and_the_fast_engine_agree_on_small_games() {
    check(&Dodgem::new(3).unwrap(), Ends::LastMoverWins);
    let tictactoe = KInARow::new(3, 3, 3, false).unwrap();
    let codes = check(&tictactoe, Ends::LastMoverWins);
    assert_eq!(value(&tictactoe, &codes, "3/3/3 x"), Value::Draw);
    check(&KInARow::new(3, 3, 3, true).unwrap(), Ends::LastMoverLoses);
    check(&Nim::new(&[16], 2, true).unwrap(), Ends::LastMoverLoses);
    check(&Nim::new(&[3, 4, 5], 60, false).unwrap(), Ends::LastMoverWins);
    check(&Hexapawn::new(3, 3).unwrap(), Ends::LastMoverWins);
    check(&Connect4::new(3, 3, 3).unwrap(), Ends::LastMoverWins);
}

#[test]
fn a_game_that_ends_both_ways_is_solved_too() {
    check(&Dodgem::new(3).unwrap().blocked_wins(), Ends::Both);
}

#[test]
fn matches_have_the_value_that_theory_knows() {
    let game = Nim::new(&[60], 2, true).unwrap();
    let codes = check(&game, Ends::LastMoverLoses);
    for n in 1..=60 {
        let lost = matches!(value(&game, &codes, &format!("{n} first")), Value::Loss(_));
        assert_eq!(lost, n % 3 == 1, "{n} matches");
    }
}

/// How many slots have which value, by plies; draws and what is no position apart.
fn table(codes: &[Code]) -> (BTreeMap<u16, u64>, [u64; 4]) {
    let (mut plies, mut sums) = (BTreeMap::new(), [0; 4]);
    for code in codes {
        match code.value() {
            None => sums[3] += 1,
            Some(Value::Draw) => sums[2] += 1,
            Some(Value::Loss(n)) => {
                sums[1] += 1;
                *plies.entry(n).or_default() += 1;
            }
            Some(Value::Win(n)) => {
                sums[0] += 1;
                *plies.entry(n).or_default() += 1;
            }
        }
    }
    (plies, sums)
}

#[test]
fn dodgem_4x4_has_the_published_table_with_both_algorithms() {
    let game = Dodgem::new(4).unwrap();
    let cells = cells(&game, Options::default());
    let (codes, counters, ends) = in_memory(&cells, Algorithm::Counters);
    assert_eq!(ends, Ends::LastMoverWins);
    let (plies, sums) = table(&codes);
    assert_eq!(sums, [141_161, 93_161, 43_670, 0], "won, lost, drawn, illegal");
    let rows: Vec<u64> = plies.into_values().collect();
    assert_eq!(
        rows,
        [
            696, 2_300, 2_285, 4_655, 4_304, 8_874, 7_509, 14_535, 11_861, 17_816, 12_921, 19_215,
            12_433, 17_915, 10_909, 14_903, 8_782, 11_969, 6_446, 8_793, 4_803, 6_241, 3_173,
            4_096, 2_041, 2_628, 1_303, 1_860, 866, 1_305, 690, 1_021, 495, 742, 391, 570, 321,
            464, 252, 368, 208, 338, 169, 231, 110, 121, 58, 61, 34, 39, 26, 23, 17, 22, 22, 19,
            12, 15, 13, 9, 7, 7, 4, 6
        ]
    );
    assert_eq!((counters.longest, counters.width, counters.widened), (63, 1, false));
    assert!(fast(&cells) == codes, "the fast engine differs");
    let (same, basic, _) = in_memory(&cells, Algorithm::Basic);
    assert!(codes == same);
    // 64 distances; with counters the first losses and the wins.
    assert_eq!((basic.scans, counters.scans), (64, 33));
    assert!(counters.traffic.accesses() < basic.traffic.accesses());
}

#[test]
fn every_cache_size_gives_the_same_database() {
    let game = KInARow::new(4, 3, 3, true).unwrap();
    let cells = cells(&game, Options::full());
    let (expected, _, _) = in_memory(&cells, Algorithm::Counters);
    let folder = tempfile::tempdir().unwrap();
    let all = cells.size().div_ceil(BLOCK as u64);
    assert!(all > 2, "several blocks, or there is nothing to cache");
    let mut reads = Vec::new();
    for size in [
        CacheSize::percent(cells.size(), 1, 100.0),
        CacheSize::percent(cells.size(), 1, 50.0),
        CacheSize { values: 16, blocks: 2 },
        CacheSize::LEAST,
    ] {
        for algorithm in [Algorithm::Basic, Algorithm::Counters] {
            let path = folder.path().join("Losing Tic Tac Toe.rasd");
            let store = CachedFile::create(&path, cells.size(), 1, size).unwrap();
            let (codes, figures, _) = run(&cells, store, algorithm);
            assert!(codes == expected, "{size:?}");
            reads.push(figures.traffic.blocks_read);
        }
    }
    assert_eq!(reads[..2], [all, all], "with all blocks in memory each is read once");
    assert!(reads[2..].iter().all(|&n| n > 10 * all), "{reads:?}");
}

#[test]
fn losing_tictactoe_4x4_is_lost_in_15() {
    let game = KInARow::new(4, 4, 3, true).unwrap();
    let cells = cells(&game, Options::default());
    let (codes, figures, ends) = in_memory(&cells, Algorithm::Counters);
    assert_eq!((ends, figures.longest), (Ends::LastMoverLoses, 15));
    let (_, sums) = table(&codes);
    assert_eq!(sums, [588_861, 175_291, 10_760, 520_702 + 54_043]);
    assert_eq!(value(&game, &codes, "4/4/4/4 x"), Value::Loss(15));
    assert!(fast(&cells) == codes, "the fast engine differs");
}

#[test]
fn small_boards_of_connect_four_are_solved() {
    let game = Connect4::new(4, 4, 4).unwrap();
    let cells = cells(&game, Options::default());
    let (codes, _, _) = in_memory(&cells, Algorithm::Counters);
    assert!(fast(&cells) == codes, "the fast engine differs");
    assert_eq!(value(&game, &codes, &game.write_position(&game.start())), Value::Draw);
}

#[test]
fn values_of_morris_follow_from_their_successors() {
    // The colour swap holds only when all men are placed: symmetries change along a move.
    let game = Morris::new(3).unwrap();
    let cells = cells(&game, Options::default());
    let (codes, mut scratch) = (fast(&cells), cells.scratch());
    let mut after = Vec::new();
    for slot in (0..cells.size()).step_by(7) {
        if cells.content(slot, &mut scratch) != Content::Open {
            continue;
        }
        after.clear();
        cells.successors(slot, &mut scratch, &mut after);
        let best = after.iter().map(|&q| codes[q as usize].value().unwrap().for_mover()).max();
        assert_eq!(codes[slot as usize].value(), best, "slot {slot}");
    }
}
