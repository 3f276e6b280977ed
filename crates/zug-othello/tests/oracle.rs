//! The rules against numbers that others have published.

use std::collections::HashSet;
use zug_core::{Game, Symmetric};
use zug_othello::{Othello, Position};

#[test]
fn the_leaves_from_the_start_are_those_published() {
    let game = Othello::default();
    let leaves =
        [1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800];
    for (depth, expected) in leaves.into_iter().enumerate() {
        assert_eq!(game.perft(&game.start(), depth as u32), expected, "depth {depth}");
    }
}

#[test]
fn the_positions_after_n_moves_up_to_symmetry_are_those_published() {
    let game = Othello::default();
    let smallest = |position: &Position| {
        let key = |p: &Position| (p.own(), p.other());
        (0..8).map(|s| game.map_position(s, position)).min_by_key(key).expect("eight images")
    };
    let mut layer = HashSet::from([smallest(&game.start())]);
    let mut moves = Vec::new();
    for expected in [1, 1, 3, 14, 60, 322, 1773, 10_649] {
        assert_eq!(layer.len(), expected);
        let mut next = HashSet::new();
        for position in &layer {
            moves.clear();
            game.moves(position, &mut moves);
            for &mv in &moves {
                let mut after = *position;
                game.play(&mut after, mv);
                next.insert(smallest(&after));
            }
        }
        layer = next;
    }
}
