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

fn slow_steps(model: &Model, board: &Board, shares: Shares) -> i64 {
    let mut counts = Vec::new();
    factors::count(board, &mut counts);
    let column = |c: usize| -> i64 {
        let weight = |f: u16| i64::from(rounded(model.column(c)[usize::from(f)]));
        counts.iter().map(|&(f, n)| i64::from(n) * weight(f)).sum()
    };
    shares.iter().map(|(c, parts)| i64::from(parts) * column(c)).sum()
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
        let played: i64 = model.parts(&board).iter().map(Part::product).sum();
        assert_eq!(played, model.fast().steps(&board));
    }
}

#[test]
fn equal_columns_play_exactly_like_one_vector() {
    for start in Start::ALL {
        let column = start.column();
        let one = Model::new(Scheme::One, column).unwrap().fast();
        let many = Model::start(start.scheme(), start).fast();
        let (mut one, mut many) = (one.eye(), many.eye());
        for seed in 0..200 {
            let board = random_board(seed);
            assert_eq!(many.steps(&board), one.steps(&board), "{} {board}", start.word());
            assert_eq!(many.evaluate(&board), one.evaluate(&board));
        }
    }
}

/// All that White can have, far out on an open board, and random positions.
fn rich_boards() -> Vec<Board> {
    let rich = [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "k7/2PPPPPP/8/3NB3/8/3B4/4R1NQ/3QK2R w - - 0 1",
    ];
    let rich = rich.iter().map(|text| crate::fen::parse(text).unwrap().board().clone());
    rich.chain((0..60).map(random_board)).collect()
}

#[test]
fn no_weights_however_large_make_a_sum_leave_its_bits() {
    let mut counts = Vec::new();
    for board in rich_boards() {
        factors::count(&board, &mut counts);
        let all: i64 = counts.iter().map(|&(_, n)| i64::from(n.abs())).sum();
        assert!(all < 2048, "{all} of the 4096 that there is room for in {board}");
        for scheme in [Scheme::One, Scheme::Phases, Scheme::KnightCap] {
            // The signs are such that everything adds up.
            let mut column = vec![f32::MAX; FACTORS];
            for &(factor, n) in counts.iter().filter(|&&(_, n)| n < 0) {
                column[usize::from(factor)] = f32::from(n.signum()) * f32::MAX;
            }
            let weights = column.repeat(scheme.columns());
            let model = Model::new(scheme, weights).unwrap();
            let slow = slow_steps(&model, &board, model.scheme.shares(&board));
            assert!(slow > 0 || counts.is_empty());
            assert_eq!(model.fast().steps(&board), slow);
            let value = hundredths(slow, board.side_to_move());
            assert_eq!(i64::from(value.abs()), slow / i64::from(16 * WHOLE));
        }
    }
}
