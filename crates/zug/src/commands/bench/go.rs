//! What the knowledge learned from records of Go costs: a guess, and a playout.

use super::{Benchmark, repeat};
use std::hint::black_box;
use zug_core::seed::RngExt;
use zug_core::{Line, rng};
use zug_go::engine::field::Field;
use zug_go::engine::shipped::{LOCALITY, playout_weights};
use zug_go::engine::simulate::{Manner, Simulator};
use zug_go::policy::{Policy, Scene};
use zug_go::{Go, Move, Position, Rules, models};

pub fn benchmarks() -> Vec<Benchmark> {
    let mut all = Vec::new();
    for size in [9, 19] {
        all.push(Benchmark {
            name: format!("guess go:{size}x{size}"),
            unit: "positions",
            measure: Box::new(move |time| {
                let model = models::open(None)?;
                let lines = lines(&*model, size);
                let (mut guesser, mut guesses) = (model.guesser(), Vec::new());
                Ok(repeat(time, || {
                    for line in &lines {
                        guesser.guess(Scene::of_line(line), &mut guesses);
                        black_box(&guesses);
                    }
                    lines.len() as u64
                }))
            }),
        });
        all.push(Benchmark {
            name: format!("playouts go:{size}x{size}, learned"),
            unit: "playouts",
            measure: Box::new(move |time| {
                let weights = playout_weights(size, 1.0, LOCALITY);
                let start = Field::new(&Position::new(size), &weights);
                let mut simulator = Simulator::new(&weights, Manner::Mixed);
                let (mut rng, mut trace, mut field) = (rng(1, 0), Vec::new(), start.clone());
                let far = (size * size * 2 / 5) as i32;
                Ok(repeat(time, || {
                    for _ in 0..64 {
                        field.clone_from(&start);
                        trace.clear();
                        let (limit, mercy) = (3 * size * size, 7 - far..=7 + far);
                        simulator.play_out(&mut field, 0, 0, limit, mercy, &mut rng, &mut trace);
                        black_box(field.area());
                    }
                    64
                }))
            }),
        });
    }
    all
}

/// Positions as they occur: every third of a game in which moves are drawn as likely as they are.
fn lines(model: &dyn Policy, size: usize) -> Vec<Line<Go>> {
    let mut line = Line::new(Go::new(Rules::new(size).expect("a size that Go is played on")));
    let (mut rng, mut guesser, mut guesses) = (rng(1, 0), model.guesser(), Vec::new());
    let mut lines = Vec::new();
    for ply in 0..size * size * 2 / 3 {
        guesser.guess(Scene::of_line(&line), &mut guesses);
        let mut left: f32 = rng.random();
        let drawn = guesses.iter().find(|g| {
            left -= g.probability;
            left < 0.0
        });
        let Some(guess) = drawn.or(guesses.last()) else { break };
        line.play(Move::Play(guess.point));
        if ply % 3 == 2 {
            lines.push(line.clone());
        }
    }
    lines
}
