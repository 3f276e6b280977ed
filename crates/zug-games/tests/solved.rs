//! Two games solved through their index, against the published distributions of values.
//!
//! This holds rules, moves backwards, index, colour swap and board symmetry against figures that
//! were computed independently.

use std::collections::BTreeMap;
use zug_core::{Game, Indexed, Retro, Side};
use zug_games::{Dodgem, KInARow};
use zug_solve::{Index, Options, Slot};

/// How many slots have which value: plies to the end, and whether the side to move wins.
type Table = BTreeMap<(u16, bool), u64>;

fn successors<G: Game>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let after = |mv| {
        let mut next = position.clone();
        game.play(&mut next, mv);
        next
    };
    moves.into_iter().map(after).collect()
}

#[test]
fn losing_tictactoe_has_the_published_distribution() {
    const DRAW: u16 = 998;
    const EMPTY: u16 = 999;
    let game = KInARow::new(4, 4, 3, true).unwrap();
    let index = Index::new(&game, Options::default()).unwrap();
    let mut values = vec![EMPTY; index.size() as usize];
    let (mut illegal, mut duplicates) = (0, 0);
    let mut tables = [Table::new(), Table::new()];
    let mut drawn = [0, 0];
    // A move adds a stone, so going from full boards to the empty one meets successors first.
    let mut parts: Vec<_> = index.space().parts().iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.counts().iter().sum::<u32>()));
    for part in parts {
        for slot in part.base()..part.base() + part.size() {
            let position = match index.slot(slot) {
                Slot::Position(position) => position,
                Slot::Duplicate(_) => {
                    duplicates += 1;
                    continue;
                }
                Slot::Illegal => {
                    illegal += 1;
                    continue;
                }
            };
            let side = game.to_move(&position);
            // The last mover loses: wins have even distances, losses odd ones.
            let value = match game.outcome(&position) {
                Some(outcome) if outcome.winner.is_none() => DRAW,
                Some(outcome) => {
                    assert_eq!(outcome.winner, Some(side));
                    0
                }
                None => {
                    let next = successors(&game, &position);
                    let found = next.iter().map(|p| values[index.index_of(p).unwrap() as usize]);
                    let found: Vec<u16> = found.collect();
                    assert!(!found.contains(&EMPTY));
                    let lost = found.iter().filter(|&&v| v != DRAW && v % 2 == 1).min();
                    let won = found.iter().filter(|&&v| v != DRAW).max();
                    match (lost, found.contains(&DRAW)) {
                        (Some(v), _) => v + 1,
                        (None, true) => DRAW,
                        (None, false) => won.unwrap() + 1,
                    }
                }
            };
            values[slot as usize] = value;
            if value == DRAW {
                drawn[side.index()] += 1;
            } else {
                *tables[side.index()].entry((value, value % 2 == 0)).or_default() += 1;
            }
        }
    }
    assert_eq!((illegal, duplicates), (520_702, 54_043));
    let column = |side: Side| tables[side.index()].values().copied().collect::<Vec<u64>>();
    assert_eq!(
        column(Side::First),
        [
            135_867, 3_131, 8_531, 23_356, 31_177, 52_238, 33_292, 39_395, 15_270, 10_267, 3_068,
            935, 228, 26, 5, 1
        ]
    );
    assert_eq!(
        column(Side::Second),
        [
            204_836, 1_717, 13_400, 10_809, 51_008, 18_253, 61_577, 11_679, 26_406, 3_182, 3_996,
            296, 197, 6, 3
        ]
    );
    assert_eq!(drawn, [6_775, 3_985]);
    let start = index.index_of(&game.start()).unwrap();
    assert_eq!(values[start as usize], 15, "the empty board is lost in 15 plies");
}

/// A plain retrograde analysis with counters: slots whose value is known, in the order of their
/// distance, tell their predecessors.
fn solve<G: Indexed + Retro>(index: &Index<G>) -> (Table, Vec<Option<(u16, bool)>>, u64) {
    let game = index.game();
    let size = index.size() as usize;
    let mut values: Vec<Option<(u16, bool)>> = vec![None; size];
    let mut unresolved = vec![0u8; size];
    let mut wave = Vec::new();
    let mut illegal = 0;
    for slot in 0..size {
        let Slot::Position(position) = index.slot(slot as u64) else {
            illegal += 1;
            continue;
        };
        if let Some(outcome) = game.outcome(&position) {
            if let Some(winner) = outcome.winner {
                values[slot] = Some((0, winner == game.to_move(&position)));
                wave.push(slot);
            }
            continue;
        }
        unresolved[slot] = distinct(index, successors(game, &position)).len() as u8;
    }
    let mut before = Vec::new();
    while !wave.is_empty() {
        let mut next = Vec::new();
        for slot in wave {
            let (distance, won) = values[slot].unwrap();
            before.clear();
            game.predecessors(&index.position(slot as u64).unwrap(), &mut before);
            for earlier in distinct(index, before.clone()) {
                if values[earlier].is_some() {
                    continue;
                }
                unresolved[earlier] -= 1;
                if !won || unresolved[earlier] == 0 {
                    values[earlier] = Some((distance + 1, !won));
                    next.push(earlier);
                }
            }
        }
        wave = next;
    }
    let mut table = Table::new();
    for value in values.iter().flatten() {
        *table.entry(*value).or_default() += 1;
    }
    (table, values, illegal)
}

fn distinct<G: Indexed>(index: &Index<G>, positions: Vec<G::Position>) -> Vec<usize> {
    let mut slots: Vec<usize> =
        positions.iter().map(|p| index.index_of(p).unwrap() as usize).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

fn total(table: &Table, won: bool) -> u64 {
    table.iter().filter(|((_, w), _)| *w == won).map(|(_, n)| n).sum()
}

#[test]
fn dodgem_has_the_recomputed_distribution() {
    let game = Dodgem::new(4).unwrap();
    let index = Index::new(&game, Options::default()).unwrap();
    let (table, values, illegal) = solve(&index);
    assert_eq!((index.size(), illegal), (277_992, 0));
    assert_eq!(values.iter().filter(|value| value.is_none()).count(), 43_670, "drawn");
    assert_eq!(total(&table, true), 141_161);
    assert_eq!(total(&table, false), 93_161);
    let column: Vec<u64> = table.values().copied().collect();
    assert_eq!(
        column,
        [
            696, 2_300, 2_285, 4_655, 4_304, 8_874, 7_509, 14_535, 11_861, 17_816, 12_921, 19_215,
            12_433, 17_915, 10_909, 14_903, 8_782, 11_969, 6_446, 8_793, 4_803, 6_241, 3_173,
            4_096, 2_041, 2_628, 1_303, 1_860, 866, 1_305, 690, 1_021, 495, 742, 391, 570, 321,
            464, 252, 368, 208, 338, 169, 231, 110, 121, 58, 61, 34, 39, 26, 23, 17, 22, 22, 19,
            12, 15, 13, 9, 7, 7, 4, 6
        ]
    );
    assert_eq!(table.keys().last(), Some(&(63, true)), "the longest win");
    let value = |text: &str| {
        let position = game.read_position(text).unwrap();
        values[index.index_of(&position).unwrap() as usize]
    };
    assert_eq!(value("W3/W3/W3/1BBB w"), None, "the start is a draw");
    // After a2-b2, three replies.
    assert_eq!(value("W3/W3/1W1B/1BB1 w"), Some((31, true)));
    assert_eq!(value("W3/W3/1W2/B1BB w"), Some((29, true)));
    assert_eq!(value("W3/W3/1WB1/1B1B w"), None);
}

#[test]
fn the_small_board_of_dodgem_is_a_win_in_19() {
    let game = Dodgem::new(3).unwrap();
    let full = Index::new(&game, Options::full()).unwrap();
    let index = Index::new(&game, Options::default()).unwrap();
    let (table, values, _) = solve(&index);
    assert_eq!((index.size(), total(&table, true), total(&table, false)), (1_422, 803, 574));
    assert_eq!(table.keys().last(), Some(&(21, true)));
    let start = index.index_of(&game.start()).unwrap();
    assert_eq!(values[start as usize], Some((19, true)));
    // Without the colour swap every value is found twice.
    let (twice, _, _) = solve(&full);
    assert_eq!(twice, table.into_iter().map(|(value, n)| (value, 2 * n)).collect());
}

#[test]
fn losing_tictactoe_without_symmetry_has_the_published_number_of_illegal_slots() {
    let game = KInARow::new(4, 4, 3, true).unwrap();
    let index = Index::new(&game, Options::full()).unwrap();
    assert_eq!(index.size(), 10_165_779);
    let legal = (0..index.size()).filter(|&slot| index.position(slot).is_some()).count();
    assert_eq!(legal, 6_183_394);
}
