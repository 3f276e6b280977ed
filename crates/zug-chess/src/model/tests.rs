//! The quick evaluation must be exactly the sum that the counts and weights make.

use super::fast::{hundredths, rounded};
use super::*;
use crate::engine::evaluation::{Evaluation, Eye};
use crate::factors::testing::{random_board, turned};
use crate::types::clusters::DESCRIPTORS;
use crate::types::{Clusters, Zones};
use proptest::prelude::*;
use std::sync::Arc;
use zug_core::seed::RngExt;

fn schemes() -> Vec<Scheme> {
    let mut rng = zug_core::rng(5, 0);
    let mut clusters = |soft| {
        let bias: Vec<f32> = (0..5).map(|_| rng.random::<f32>()).collect();
        let weights = (0..5 * DESCRIPTORS).map(|_| rng.random::<f32>() - 0.5).collect();
        Scheme::Clusters(Arc::new(Clusters::new(bias, weights, soft).unwrap()))
    };
    vec![
        Scheme::One,
        Scheme::Phases,
        Scheme::PhasesPlus,
        Scheme::KnightCap,
        Scheme::Thesis(Zones::default()),
        clusters(false),
        clusters(true),
    ]
}

fn random_model(scheme: Scheme, seed: u64) -> Model {
    let mut rng = zug_core::rng(seed, 1);
    let weights =
        (0..scheme.columns() * FACTORS).map(|_| (rng.random::<f32>() - 0.5) * 4000.0).collect();
    Model::new(scheme, weights).unwrap()
}

fn slow_steps(model: &Model, board: &Board, shares: Shares) -> i32 {
    let mut counts = Vec::new();
    factors::count(board, &mut counts);
    let column = |c: usize| -> i32 {
        counts.iter().map(|&(f, n)| i32::from(n) * rounded(model.column(c)[usize::from(f)])).sum()
    };
    shares.iter().map(|(c, parts)| parts * column(c)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_quick_value_is_exactly_the_sum_of_counts_and_rounded_weights(seed: u64) {
        let boards: Vec<Board> = (0..8).map(|i| random_board(seed.wrapping_add(i))).collect();
        let root = random_board(!seed);
        for scheme in schemes() {
            let model = random_model(scheme, seed);
            let fast = model.fast();
            let (mut eye, mut rooted) = (fast.eye(), fast.at_root(&root).eye());
            // Twice, so that what the eye remembers is used.
            for board in boards.iter().chain(&boards) {
                let slow = slow_steps(&model, board, model.scheme.shares(board));
                prop_assert_eq!(fast.steps(board), slow);
                prop_assert_eq!(eye.steps(board), slow);
                prop_assert_eq!(eye.evaluate(board), hundredths(slow, board.side_to_move()));
                let fixed = slow_steps(&model, board, model.scheme.shares(&root));
                prop_assert_eq!(rooted.steps(board), fixed);
            }
        }
    }

    #[test]
    fn with_one_vector_the_value_changes_its_sign_with_the_colours(seed: u64) {
        let board = random_board(seed);
        for scheme in [Scheme::One, Scheme::Phases] {
            let fast = random_model(scheme, seed).fast();
            prop_assert_eq!(fast.steps(&turned(&board)), -fast.steps(&board));
            prop_assert_eq!(fast.eye().evaluate(&turned(&board)), fast.eye().evaluate(&board));
        }
    }
}

#[test]
fn the_parts_of_a_value_add_up_to_it() {
    for (i, scheme) in schemes().into_iter().enumerate() {
        let model = random_model(scheme, i as u64);
        let board = random_board(77 + i as u64);
        let sum: f64 = model.parts(&board).iter().map(Part::adds).sum();
        let value = model.value(&board);
        assert!((sum - value).abs() < 1e-6 * (1.0 + value.abs()), "{sum} {value}");
    }
}

#[test]
fn no_sum_of_a_position_leaves_thirty_two_bits() {
    let most = (0..400).map(|seed| {
        let mut counts = Vec::new();
        factors::count(&random_board(seed), &mut counts);
        counts.iter().map(|&(_, n)| i64::from(n.abs())).sum::<i64>()
    });
    let most = most.max().unwrap();
    // A column may be cut at 2^21 only where it is one of few that are so large: weights of a
    // thousand pawns everywhere are allowed for.
    assert!(most * i64::from(rounded(1.0)) * 1000 * i64::from(WHOLE) < i64::from(i32::MAX));
}
