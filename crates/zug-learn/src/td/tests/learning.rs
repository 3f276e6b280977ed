//! The steps of TD(λ) against what is known about them.

use crate::td::chain::{Chain, Growing, Lesson, Sample};
use crate::td::linear::Squash;
use crate::td::rates::{Own, Rates, Schedule, Weights};
use proptest::prelude::*;
use zug_core::rng;
use zug_core::seed::RngExt;

fn lesson(lambda: f64, squash: Squash) -> Lesson {
    Lesson { lambda, squash, normalise: false }
}

fn plain(weights: &[f32]) -> Weights {
    Weights::new(weights.to_vec(), Own::Same)
}

/// A walk over five states in a row from the middle, which ends on the left with 0 and on the right
/// with 1 (Sutton 1988): the states are worth 1/6 to 5/6.
fn walk(number: u64) -> (Vec<usize>, f64) {
    let (mut rng, mut at, mut seen) = (rng(1988, number), 2i32, Vec::new());
    while (0..5).contains(&at) {
        seen.push(at as usize);
        at += if rng.random() { 1 } else { -1 };
    }
    (seen, if at < 0 { 0.0 } else { 1.0 })
}

fn chain(states: &[usize], goal: f64, weights: &[f32]) -> Chain {
    let sample = |&state: &usize| Sample {
        features: vec![(state as u32, 1.0)],
        view: 1.0,
        value: f64::from(weights[state]),
    };
    Chain { samples: states.iter().map(sample).collect(), goal }
}

#[test]
fn the_random_walk_of_five_states_comes_to_its_known_values() {
    for lambda in [0.0, 0.3, 0.8, 1.0] {
        let lesson = lesson(lambda, Squash::Plain);
        let rates = Rates { first: 0.1, last: 0.002, schedule: Schedule::Decay };
        let (mut ended, mut online) = (plain(&[0.5; 5]), plain(&[0.5; 5]));
        let walks = 6000;
        for number in 0..walks {
            let (states, goal) = walk(number);
            let rate = rates.at(number, walks);
            let whole = chain(&states, goal, &ended.now);
            lesson.learn(&mut ended, &whole, rate);
            let mut growing = Growing::new(lesson, rate);
            for &state in &states {
                let value = f64::from(online.now[state]);
                let features = vec![(state as u32, 1.0)];
                growing.visit(&mut online, Sample { features, view: 1.0, value });
            }
            growing.end(&mut online, goal);
        }
        for (state, (a, b)) in ended.now.iter().zip(&online.now).enumerate() {
            let known = (state as f32 + 1.0) / 6.0;
            assert!((a - known).abs() < 0.04, "{lambda} after games: {:?}", ended.now);
            assert!((b - known).abs() < 0.04, "{lambda} after moves: {:?}", online.now);
        }
    }
}

#[test]
fn one_step_of_td_0_is_what_the_hand_computes() {
    // Two positions: the first side sees (1, 2), the second side (0, 3); the first side wins.
    let weights = [0.5f32, -0.25];
    let first = 0.5 * 1.0 - 0.25 * 2.0_f64; // 0
    let second = -0.25 * 3.0_f64; // -0.75 for the second side
    let (a, b) = (first.tanh(), -second.tanh());
    let chain = Chain {
        samples: vec![
            Sample { features: vec![(0, 1.0), (1, 2.0)], view: 1.0, value: a },
            Sample { features: vec![(1, 3.0)], view: -1.0, value: b },
        ],
        goal: 1.0,
    };
    let mut learned = plain(&weights);
    lesson(0.0, Squash::Tanh).learn(&mut learned, &chain, 0.1);
    let pull = [(b - a) * (1.0 - a * a), -(1.0 - b) * (1.0 - b * b)];
    let expected = [0.5 + 0.1 * pull[0], -0.25 + 0.1 * (2.0 * pull[0] + 3.0 * pull[1])];
    for (found, expected) in learned.now.iter().zip(expected) {
        assert!((f64::from(*found) - expected).abs() < 1e-6, "{:?}", learned.now);
    }
}

#[test]
fn a_normalised_step_at_rate_one_takes_the_whole_error_away() {
    let features = vec![(0, 1.0), (1, -2.0), (2, 0.5)];
    let chain = Chain { samples: vec![Sample { features, view: -1.0, value: 0.0 }], goal: 0.8 };
    let mut learned = plain(&[0.0; 3]);
    let lesson = Lesson { normalise: true, ..lesson(0.7, Squash::Plain) };
    assert!((lesson.learn(&mut learned, &chain, 1.0) - 0.64).abs() < 1e-12);
    let value: f32 = learned.now[0] - 2.0 * learned.now[1] + 0.5 * learned.now[2];
    assert!((-value - 0.8).abs() < 1e-6);
}

/// Chains over five states with real features, their values under some weights.
fn chains() -> impl Strategy<Value = (Vec<f32>, Vec<(f64, f32, f32)>, f64)> {
    let weights = prop::collection::vec(-0.5f32..0.5, 2);
    let samples = prop::collection::vec((any::<bool>(), -1.0f32..1.0, -1.0f32..1.0), 1..12);
    (weights, samples, -1.0..1.0f64).prop_map(|(weights, samples, goal)| {
        let samples = samples
            .into_iter()
            .map(|(first, x, y)| (if first { 1.0 } else { -1.0 }, x, y))
            .collect();
        (weights, samples, goal)
    })
}

fn build(weights: &[f32], samples: &[(f64, f32, f32)], goal: f64, squash: Squash) -> Chain {
    let sample = |&(view, x, y): &(f64, f32, f32)| {
        let sum = f64::from(weights[0] * x) + f64::from(weights[1] * y);
        Sample { features: vec![(0, x), (1, y)], view, value: view * squash.value(sum) }
    };
    Chain { samples: samples.iter().map(sample).collect(), goal }
}

proptest! {
    #[test]
    fn td_1_is_the_step_of_least_squares_towards_the_result((weights, samples, goal) in chains()) {
        // The gradient of half the sum of squares of (goal - w·x) over the positions.
        let whole = build(&weights, &samples, goal, Squash::Plain);
        let mut learned = plain(&weights);
        lesson(1.0, Squash::Plain).learn(&mut learned, &whole, 0.01);
        let mut expected: Vec<f64> = weights.iter().map(|&w| f64::from(w)).collect();
        for (sample, &(view, x, y)) in whole.samples.iter().zip(&samples) {
            let miss = 0.01 * (goal - sample.value) * view;
            expected[0] += miss * f64::from(x);
            expected[1] += miss * f64::from(y);
        }
        for (found, expected) in learned.now.iter().zip(expected) {
            prop_assert!((f64::from(*found) - expected).abs() < 1e-5);
        }
    }

    #[test]
    fn learning_by_moves_and_by_games_agree_for_small_steps(
        (weights, samples, goal) in chains(), lambda in 0.0..=1.0f64
    ) {
        let rate = 1e-3;
        let lesson = lesson(lambda, Squash::Tanh);
        let whole = build(&weights, &samples, goal, Squash::Tanh);
        let (mut ended, mut online) = (plain(&weights), plain(&weights));
        lesson.learn(&mut ended, &whole, rate);
        let mut growing = Growing::new(lesson, rate);
        for sample in &whole.samples {
            growing.visit(&mut online, sample.clone());
        }
        growing.end(&mut online, goal);
        // The values change along the way by about the rate; so the steps differ by its square.
        for (a, b) in ended.now.iter().zip(&online.now) {
            prop_assert!((a - b).abs() < 2e-4, "{:?} {:?}", ended.now, online.now);
        }
    }
}

#[test]
fn td_1_over_many_games_comes_to_the_mean_result_of_each_state() {
    // Three chains through two states: the least squares are the means 2/3 and 0.
    let games = [(vec![0], 1.0), (vec![0, 1], 0.0), (vec![0], 1.0)];
    let mut weights = plain(&[0.0; 2]);
    let lesson = lesson(1.0, Squash::Plain);
    for _ in 0..4000 {
        let before = weights.now.clone();
        for (states, goal) in &games {
            lesson.learn(&mut weights, &chain(states, *goal, &before), 0.01);
        }
    }
    assert!((weights.now[0] - 2.0 / 3.0).abs() < 1e-4 && weights.now[1].abs() < 1e-4);
}
