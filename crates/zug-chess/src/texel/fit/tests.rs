use super::*;
use crate::Board;
use crate::texel::{Example, GameResult};
use zug_core::seed::RngExt;
use zug_core::{Silent, rng};

const WIDTH: usize = 12;
const COLUMNS: usize = 2;

/// Rows whose results follow known weights.
fn made_up(truth: &[f64], rows: u32) -> Vec<Chunk> {
    let mut rng = rng(5, 0);
    let truth: Vec<f32> = truth.iter().map(|&w| w as f32).collect();
    let mut chunks = Vec::new();
    for first in (0..rows).step_by(500) {
        let mut chunk = Chunk::new();
        for game in first..(first + 500).min(rows) {
            let mut counts = Vec::new();
            for factor in 0..WIDTH as u16 {
                // The last factors are rare.
                let often = if factor < 9 { 0.5 } else { 0.02 };
                if rng.random_bool(often) {
                    counts.push((factor, rng.random_range(-3..=3)));
                }
            }
            let phase = rng.random_range(0..=24_u8);
            let shares = [(0, phase), (1, 24 - phase)];
            let mut blank = Chunk::new();
            let mut example =
                Example { board: Board::startpos(), result: GameResult::Won, score: None, game };
            blank.push(&counts, shares, &example);
            let value = blank.row(0).value(&truth, WIDTH);
            let wins = rng.random_bool(f64::from(sigmoid(value)));
            example.result = if wins { GameResult::Won } else { GameResult::Lost };
            example.score = Some((value * 150.0) as i16);
            chunk.push(&counts, shares, &example);
        }
        chunks.push(chunk);
    }
    chunks
}

fn truth() -> Vec<f64> {
    (0..WIDTH * COLUMNS).map(|i| ((i * 7 % 11) as f64 - 5.0) / 8.0).collect()
}

fn run(chunks: &[Chunk], settings: &Settings) -> Fitted {
    let problem = Problem::new(chunks, WIDTH, COLUMNS, settings);
    let start = vec![0.0; WIDTH * COLUMNS];
    fit(problem, start, None, &Silent, &StopFlag::new(), &mut |_| Ok(())).unwrap()
}

#[test]
fn known_weights_are_found_again_from_nothing() {
    let chunks = made_up(&truth(), 20_000);
    let settings = Settings { ridge: 0.1, tie: 0.0, ..Settings::default() };
    let fitted = run(&chunks, &settings);
    for (i, (found, true_weight)) in fitted.weights.iter().zip(truth()).enumerate() {
        let allowed = if i % WIDTH < 9 { 0.12 } else { 0.6 };
        assert!((found - true_weight).abs() < allowed, "{i}: {found} for {true_weight}");
    }
    let (first, last) = (fitted.curve[0], fitted.curve[fitted.best as usize]);
    assert!((first.training - 2_f64.ln()).abs() < 1e-6, "knowing nothing costs ln 2");
    assert!(last.held_out < first.held_out && last.training < first.training);
}

#[test]
fn the_gradient_is_that_of_the_value() {
    let chunks = made_up(&truth(), 700);
    let settings = Settings { ridge: 3.0, tie: 5.0, fold: None, ..Settings::default() };
    let mut problem = Problem::new(&chunks, WIDTH, COLUMNS, &settings);
    let point: Vec<f64> = truth().iter().map(|w| w * 0.5 + 0.1).collect();
    let (mut gradient, mut ignored) = (vec![0.0; point.len()], vec![0.0; point.len()]);
    problem.at(&point, &mut gradient);
    for i in 0..point.len() {
        // Weights are rounded to f32 for the rows, so the steps must not be too small.
        let step = 0.0625;
        let mut shifted = point.clone();
        shifted[i] += step;
        let above = problem.at(&shifted, &mut ignored);
        shifted[i] -= 2.0 * step;
        let below = problem.at(&shifted, &mut ignored);
        let slope = (above - below) / (2.0 * step);
        assert!(
            (slope - gradient[i]).abs() < 0.02 * slope.abs() + 0.3,
            "{i}: {slope} {}",
            gradient[i]
        );
    }
}

#[test]
fn any_number_of_threads_gives_the_same_weights_and_ridge_shrinks_the_rare() {
    let chunks = made_up(&truth(), 5_000);
    let with_threads = |threads, settings: &Settings| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&chunks, settings).weights)
    };
    let settings = Settings { steps: 25, ridge: 5.0, tie: 5.0, ..Settings::default() };
    assert_eq!(with_threads(1, &settings), with_threads(3, &settings));
    let strong = Settings { ridge: 200.0, ..settings.clone() };
    let (weak, strong) = (with_threads(2, &settings), with_threads(2, &strong));
    let size = |weights: &[f64]| weights[9..12].iter().map(|w| w.abs()).sum::<f64>();
    assert!(size(&strong) < 0.5 * size(&weak));
}

#[test]
fn a_tie_pulls_the_columns_of_a_factor_together() {
    let chunks = made_up(&truth(), 4_000);
    let apart = |tie| {
        let settings = Settings { tie, ..Settings::default() };
        let weights = run(&chunks, &settings).weights;
        (0..WIDTH).map(|f| (weights[f] - weights[WIDTH + f]).abs()).sum::<f64>()
    };
    assert!(apart(2000.0) < 0.4 * apart(0.0));
}

#[test]
fn work_that_was_interrupted_ends_with_the_same_weights() {
    let chunks = made_up(&truth(), 3_000);
    let settings = Settings { steps: 20, patience: 50, ..Settings::default() };
    let whole = run(&chunks, &settings);
    let (stop, mut kept) = (StopFlag::new(), None);
    let start = vec![0.0; WIDTH * COLUMNS];
    let problem = || Problem::new(&chunks, WIDTH, COLUMNS, &settings);
    let stopped = fit(problem(), start.clone(), None, &Silent, &stop, &mut |now| {
        if now.state.steps == 5 {
            kept = Some(now.clone());
            stop.set();
        }
        Ok(())
    });
    assert!(stopped.is_err());
    let rest = fit(problem(), start, kept, &Silent, &StopFlag::new(), &mut |_| Ok(())).unwrap();
    assert_eq!(rest.weights, whole.weights);
    assert_eq!(rest.curve, whole.curve);
}

#[test]
fn the_scale_of_scores_is_found_and_targets_are_mixed() {
    let mut chunks = made_up(&truth(), 8_000);
    let scale = fit_scale(&chunks, |row| row.score.map(f64::from)).unwrap();
    assert!((130.0..170.0).contains(&scale), "{scale}");
    set_targets(&mut chunks, Aim::parse("mix:0.25").unwrap(), Some(scale));
    let row = chunks[0].row(3);
    let seen = sigmoid((f64::from(row.score.unwrap()) / scale) as f32);
    assert!((row.target - (0.25 * row.result + 0.75 * seen)).abs() < 1e-6);
    assert_eq!(Aim::parse("mix:2"), None);
    assert_eq!(Aim::parse("result"), Some(Aim::RESULT));
    assert_eq!(fit_scale(&chunks, |_| None), None);
}
