//! Fits against solutions found in plainer ways.

use super::*;
use proptest::prelude::*;
use std::time::Duration;
use zug_core::checkpoint::Checkpoints;
use zug_core::progress::Counter;
use zug_core::seed::RngExt;
use zug_core::{Progress, Silent, StopFlag, rng};

const CELLS: usize = 7;
const KNOTS: usize = 3;
const WIDTH: usize = 4;

/// Rows of random cells at random places, with noisy targets.
fn problem(seed: u64, chunks: usize, loss: Loss) -> TablesInMemory {
    let mut rng = rng(seed, 1);
    let truth: Vec<f64> = (0..CELLS * KNOTS).map(|_| rng.random_range(-1.0..1.0)).collect();
    let mut places: Vec<Place> = (0..chunks)
        .map(|_| {
            let knot = rng.random_range(0..KNOTS);
            let last = knot + 1 == KNOTS;
            let share = if last { 0.0 } else { f64::from(rng.random_range(0..4)) / 4.0 };
            Place { knot, share }
        })
        .collect();
    places.sort_by(|a, b| (a.knot, a.share).partial_cmp(&(b.knot, b.share)).unwrap());
    let chunk = |place: Place| {
        let rows = 20;
        // The last cell is never met.
        let cells: Vec<u32> =
            (0..rows * WIDTH).map(|_| rng.random_range(0..CELLS as u32 - 1)).collect();
        let targets = cells
            .chunks_exact(WIDTH)
            .map(|row| {
                let sum = sum_of(&truth, row, place) + rng.random_range(-0.5..0.5);
                match loss {
                    Loss::Squared => sum as f32,
                    Loss::Logistic => f32::from(u8::from(rng.random::<f64>() < chance(sum))),
                }
            })
            .collect();
        let weights = (0..rows).map(|_| rng.random_range(0.5..2.0)).collect();
        TableChunk { place, cells, targets, weights }
    };
    let chunks = places.into_iter().map(chunk).collect();
    TablesInMemory { cells: CELLS, knots: KNOTS, width: WIDTH, chunks }
}

fn sum_of(weights: &[f64], row: &[u32], place: Place) -> f64 {
    row.iter()
        .map(|&c| {
            let w = &weights[c as usize * KNOTS..];
            let next = if place.share > 0.0 { w[place.knot + 1] } else { 0.0 };
            w[place.knot] * (1.0 - place.share) + next * place.share
        })
        .sum()
}

/// Rows as dense vectors, with target and weight.
fn dense(data: &TablesInMemory) -> Vec<(Vec<f64>, f64, f64)> {
    let mut rows = Vec::new();
    for chunk in &data.chunks {
        for (i, list) in chunk.cells.chunks_exact(WIDTH).enumerate() {
            let mut row = vec![0.0; CELLS * KNOTS];
            for &cell in list {
                let at = cell as usize * KNOTS + chunk.place.knot;
                row[at] += 1.0 - chunk.place.share;
                if chunk.place.share > 0.0 {
                    row[at + 1] += chunk.place.share;
                }
            }
            rows.push((row, f64::from(chunk.targets[i]), f64::from(chunk.weights[i])));
        }
    }
    rows
}

/// The matrix of the penalty.
fn penalty_matrix(ridge: f64, smooth: f64) -> Vec<Vec<f64>> {
    let size = CELLS * KNOTS;
    let mut matrix = vec![vec![0.0; size]; size];
    for i in 0..size {
        matrix[i][i] += ridge;
        if i % KNOTS + 1 < KNOTS {
            matrix[i][i] += smooth;
            matrix[i + 1][i + 1] += smooth;
            matrix[i][i + 1] -= smooth;
            matrix[i + 1][i] -= smooth;
        }
    }
    matrix
}

/// Gaussian elimination with the largest pivot.
fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let above = a[k].clone();
            a[i].iter_mut().zip(&above).skip(k).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|j| a[k][j] * b[j]).sum::<f64>()) / a[k][k];
    }
    b
}

fn options(loss: Loss, ridge: f64, smooth: f64) -> TableFit {
    TableFit {
        loss,
        ridge,
        smooth,
        iterations: 400,
        inner: 50,
        tolerance: 1e-10,
        ..TableFit::default()
    }
}

fn plain_fit(data: &dyn TableExamples, options: &TableFit) -> Result<Fitted, TableError> {
    fit(data, None, options, None, &Silent, &StopFlag::new())
}

fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= tolerance)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn squared_error_is_fitted_as_by_a_direct_solution(
        seed: u64, chunks in 1usize..12, ridge in 0.01..3.0f64, smooth in 0.0..3.0f64,
    ) {
        let data = problem(seed, chunks, Loss::Squared);
        let mut matrix = penalty_matrix(ridge, smooth);
        let mut right = vec![0.0; CELLS * KNOTS];
        for (row, target, weight) in dense(&data) {
            for i in 0..row.len() {
                right[i] += weight * row[i] * target;
                for j in 0..row.len() {
                    matrix[i][j] += weight * row[i] * row[j];
                }
            }
        }
        let expected = solved(matrix, right);
        let found = plain_fit(&data, &options(Loss::Squared, ridge, smooth)).unwrap();
        prop_assert!(close(&found.weights, &expected, 1e-6), "{:?}\n{expected:?}", found.weights);
    }

    #[test]
    fn the_training_error_told_is_that_of_the_weights(seed: u64, loss in prop_oneof![
        Just(Loss::Squared), Just(Loss::Logistic)
    ]) {
        let data = problem(seed, 5, loss);
        let limited = TableFit { iterations: 3, ..options(loss, 0.5, 0.5) };
        let found = plain_fit(&data, &limited).unwrap();
        let (mut sum, mut all) = (0.0, 0.0);
        for (row, target, weight) in dense(&data) {
            let value: f64 = row.iter().zip(&found.weights).map(|(x, w)| x * w).sum();
            sum += weight * loss.value(value, target);
            all += weight;
        }
        let told = found.iterations.last().unwrap();
        prop_assert!((told.training - loss.readable(sum / all)).abs() < 1e-9);
        prop_assert_eq!(told.step, found.iterations.len() as u64 - 1);
    }
}

#[test]
fn logistic_loss_is_fitted_as_by_gradient_descent() {
    for seed in 0..4 {
        let data = problem(seed, 8, Loss::Logistic);
        let (ridge, smooth) = (0.8, 0.4);
        let rows = dense(&data);
        let matrix = penalty_matrix(ridge, smooth);
        let mut weights = vec![0.0; CELLS * KNOTS];
        for _ in 0..20_000 {
            let mut slope: Vec<f64> = matrix
                .iter()
                .map(|row| row.iter().zip(&weights).map(|(a, w)| a * w).sum())
                .collect();
            for (row, target, weight) in &rows {
                let sum: f64 = row.iter().zip(&weights).map(|(x, w)| x * w).sum();
                let factor = weight * (chance(sum) - target);
                slope.iter_mut().zip(row).for_each(|(s, x)| *s += factor * x);
            }
            weights.iter_mut().zip(&slope).for_each(|(w, s)| *w -= 0.003 * s);
        }
        let found = plain_fit(&data, &options(Loss::Logistic, ridge, smooth)).unwrap();
        assert_eq!(found.ended, Ended::Converged);
        assert!(close(&found.weights, &weights, 1e-5), "{:?}\n{weights:?}", found.weights);
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    for loss in [Loss::Squared, Loss::Logistic] {
        let data = problem(7, 40, loss);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let limited = TableFit { iterations: 9, ..options(loss, 0.1, 0.1) };
            pool.install(|| plain_fit(&data, &limited).unwrap().weights)
        };
        let one = run(1);
        assert!(one.iter().any(|&w| w != 0.0));
        assert_eq!(one, run(2));
        assert_eq!(one, run(3));
    }
}

/// Sets the flag when so many units are done.
struct StopAfter<'a>(Counter, u64, &'a StopFlag);

impl Progress for StopAfter<'_> {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, units: u64) {
        self.0.advance(units);
        if self.0.done() >= self.1 {
            self.2.set();
        }
    }
    fn message(&self, _: &str) {}
    fn finish(&self) {}
}

#[test]
fn an_interrupted_fit_goes_on_as_if_it_had_not_been() {
    for loss in [Loss::Squared, Loss::Logistic] {
        let (data, held_out) = (problem(3, 12, loss), problem(3, 6, loss));
        let options =
            TableFit { iterations: 12, patience: 100, inner: 3, ..options(loss, 0.1, 0.3) };
        let whole = fit(&data, Some(&held_out), &options, None, &Silent, &StopFlag::new()).unwrap();
        assert!(whole.iterations.len() > 6, "{:?}", whole.iterations);

        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::open(folder.path(), 2).unwrap();
        let saving = Saving {
            checkpoints: &checkpoints,
            game: "none",
            data: "problem 3",
            every: Duration::ZERO,
        };
        let stop = StopFlag::new();
        let progress = StopAfter(Counter::default(), 3, &stop);
        let part = fit(&data, Some(&held_out), &options, Some(&saving), &progress, &stop).unwrap();
        assert_eq!((part.ended, part.iterations.len()), (Ended::Stopped, 4));
        let rest = fit(&data, Some(&held_out), &options, Some(&saving), &Silent, &StopFlag::new())
            .unwrap();
        assert_eq!(rest.iterations, whole.iterations);
        assert_eq!(rest.weights, whole.weights);
        assert_eq!((rest.best, rest.ended), (whole.best, whole.ended));

        let other = TableFit { ridge: 0.2, ..options.clone() };
        let error = fit(&data, None, &other, Some(&saving), &Silent, &StopFlag::new()).unwrap_err();
        assert!(error.to_string().contains("another fit"), "{error}");
    }
}

#[test]
fn the_best_iteration_on_the_validation_examples_is_given_back() {
    // Few noisy rows without penalty: later iterations learn the noise.
    let data = problem(11, 2, Loss::Squared);
    let held_out = problem(12, 4, Loss::Squared);
    let options = TableFit { patience: 3, ..options(Loss::Squared, 1e-6, 0.0) };
    let found = fit(&data, Some(&held_out), &options, None, &Silent, &StopFlag::new()).unwrap();
    let errors: Vec<f64> = found.iterations.iter().map(|i| i.validation.unwrap()).collect();
    let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(errors[found.best as usize], least);
    assert_eq!(found.ended, Ended::Patience);
    assert_eq!(found.iterations.len() as u64, found.best + 3 + 1);
}

#[test]
fn cells_never_seen_stay_zero_or_take_the_value_of_the_next_knot() {
    // Cell 0 is worth 2 and seen at the first knot alone; cell 1 is never seen.
    let place = Place { knot: 0, share: 0.0 };
    let chunk =
        TableChunk { place, cells: vec![0; 50], targets: vec![2.0; 50], weights: vec![1.0; 50] };
    let data = TablesInMemory { cells: 2, knots: 3, width: 1, chunks: vec![chunk] };
    let found = plain_fit(&data, &options(Loss::Squared, 0.0, 0.0)).unwrap();
    assert!(close(&found.weights, &[2.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-9), "{:?}", found.weights);
    let found = plain_fit(&data, &options(Loss::Squared, 0.0, 1.0)).unwrap();
    assert!(close(&found.weights, &[2.0, 2.0, 2.0, 0.0, 0.0, 0.0], 1e-9), "{:?}", found.weights);
    assert_eq!(found.seen, [50.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(found.by_knot(3)[..2], [2.0, 0.0]);
    let rare = TableFit { rarest: 51.0, ..options(Loss::Squared, 0.0, 1.0) };
    assert_eq!(plain_fit(&data, &rare).unwrap().weights, [0.0; 6]);
}

#[test]
fn bad_rows_and_options_are_named() {
    let message = |change: &dyn Fn(&mut TablesInMemory)| {
        let mut data = problem(1, 3, Loss::Squared);
        change(&mut data);
        plain_fit(&data, &options(Loss::Squared, 1.0, 1.0)).unwrap_err().to_string()
    };
    let text = message(&|d| d.chunks[1].targets[7] = f32::NAN);
    assert_eq!(text, "chunk 1, row 7: the target is NaN; expected a finite number");
    let text = message(&|d| d.chunks[2].weights[0] = -1.0);
    assert!(text.starts_with("chunk 2, row 0: the weight is -1"), "{text}");
    let text = message(&|d| d.chunks[0].cells[5] = 99);
    assert_eq!(text, "chunk 0, row 1: cell 99 where there are 7");
    let text = message(&|d| d.chunks[0].cells.truncate(5));
    assert!(text.contains("5 cells, 20 targets"), "{text}");
    let text = message(&|d| d.chunks[0].place.knot = 3);
    assert_eq!(text, "chunk 0: knot 3 of 3");
    let text = message(&|d| d.chunks[0].place.share = f64::NAN);
    assert!(text.contains("share of NaN"), "{text}");
    let text = message(&|d| d.chunks.clear());
    assert_eq!(text, "there are no training examples");
    let text = message(&|d| d.chunks.iter_mut().for_each(|c| c.weights.fill(0.0)));
    assert_eq!(text, "there are no training examples");
    let text = message(&|d| d.knots = 0);
    assert!(text.contains("knots is 0"), "{text}");

    let data = problem(1, 3, Loss::Squared);
    let bad = TableFit { ridge: f64::NAN, ..TableFit::default() };
    assert!(plain_fit(&data, &bad).unwrap_err().to_string().starts_with("ridge is NaN"));
    let bad = TableFit { iterations: 0, ..TableFit::default() };
    assert!(plain_fit(&data, &bad).unwrap_err().to_string().starts_with("iterations is 0"));
    let logistic = plain_fit(&data, &options(Loss::Logistic, 1.0, 1.0)).unwrap_err().to_string();
    assert!(logistic.contains("a chance from 0 to 1"), "{logistic}");
    let other = TablesInMemory { cells: 8, ..data.clone() };
    let all = options(Loss::Squared, 1.0, 1.0);
    let error = fit(&data, Some(&other), &all, None, &Silent, &StopFlag::new()).unwrap_err();
    assert!(error.to_string().contains("8 cells"), "{error}");
}

#[test]
fn separable_examples_have_finite_weights_under_a_penalty() {
    let place = Place { knot: 0, share: 0.0 };
    let chunk = TableChunk {
        place,
        cells: vec![0, 1, 0, 1],
        targets: vec![1.0, 0.0, 1.0, 0.0],
        weights: vec![1.0; 4],
    };
    let data = TablesInMemory { cells: 2, knots: 1, width: 1, chunks: vec![chunk] };
    let found = plain_fit(&data, &options(Loss::Logistic, 0.01, 0.0)).unwrap();
    assert!(found.weights[0] > 1.0 && found.weights[0] < 100.0);
    assert!((found.weights[0] + found.weights[1]).abs() < 1e-6);
}
