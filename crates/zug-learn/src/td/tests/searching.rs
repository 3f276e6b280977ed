//! The look-ahead against plain minimax.

use super::games::{Node, Thicket};
use crate::td::leaf::{LARGEST_ESTIMATE, look_ahead, result};
use proptest::prelude::*;
use zug_core::Game;

/// The value for the side to move, by looking at everything.
fn minimax(game: &Thicket, position: &Node, depth: u32, ply: u32) -> f64 {
    let side = game.to_move(position);
    if let Some(outcome) = game.outcome(position) {
        return result(&outcome, side) * (1.0 - 1e-7 * f64::from(ply));
    }
    if depth == 0 {
        return game.guess(position).clamp(-LARGEST_ESTIMATE, LARGEST_ESTIMATE);
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let value = |&mv: &u8| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        let value = minimax(game, &child, depth - 1, ply + 1);
        if game.to_move(&child) == side { value } else { -value }
    };
    moves.iter().map(value).fold(f64::NEG_INFINITY, f64::max)
}

fn search(game: &Thicket, depth: u32) -> crate::td::leaf::Found<Thicket> {
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let mut guess = |game: &Thicket, position: &Node| game.guess(position);
    look_ahead(game, &mut guess, &game.start(), &moves, depth, |_| false)
}

proptest! {
    #[test]
    fn the_look_ahead_is_minimax_and_its_leaf_is_worth_what_the_root_is(
        seed: u64, depth in 0u32..7
    ) {
        let game = Thicket(seed);
        let found = search(&game, depth);
        prop_assert_eq!(found.value, minimax(&game, &game.start(), depth, 0));

        let leaf = &found.leaf;
        let same = game.to_move(&leaf.position) == game.to_move(&game.start());
        let sign = if same { 1.0 } else { -1.0 };
        prop_assert_eq!(leaf.ended, game.outcome(&leaf.position).is_some());
        prop_assert_eq!(leaf.ply, u32::from(leaf.position.1));
        let there = minimax(&game, &leaf.position, 0, leaf.ply);
        prop_assert_eq!(found.value, sign * there);
        prop_assert!(leaf.ended || leaf.ply == depth);
    }

    #[test]
    fn the_best_move_leads_to_the_value_of_the_root(seed: u64, depth in 1u32..6) {
        let game = Thicket(seed);
        let found = search(&game, depth);
        let mut child = game.start();
        game.play(&mut child, found.best.unwrap());
        let value = minimax(&game, &child, depth - 1, 1);
        let same = game.to_move(&child) == game.to_move(&game.start());
        prop_assert_eq!(found.value, if same { value } else { -value });
    }
}

#[test]
fn a_quick_win_is_better_than_a_late_one_and_both_than_any_estimate() {
    use super::games::{Left, Sticks};
    let game = Sticks(9);
    let root = Left(3, zug_core::Side::First);
    let mut hopeful = |_: &Sticks, _: &Left| -0.99999;
    let found = look_ahead(&game, &mut hopeful, &root, &[1, 2, 3], 4, |_| false);
    assert_eq!((found.best, found.leaf.ply, found.leaf.ended), (Some(3), 1, true));
    // A move that is drawn by repetition is worth nothing, whatever lies behind it.
    let found = look_ahead(&game, &mut hopeful, &root, &[3], 4, |_| true);
    assert_eq!((found.value, found.leaf.ended), (0.0, true));
}
