//! Playouts a second on one thread, from the empty board. Counts processor time where the system
//! tells it, so that other work on the machine matters less.

use std::time::Instant;
use zug_core::{Side, rng};
use zug_go::engine::field::Field;
use zug_go::engine::shipped::{LOCALITY, playout_weights};
use zug_go::engine::simulate::{Manner, Simulator};
use zug_go::heavy::Heavy;
use zug_go::playout::{Light, MoveChooser, play_out};
use zug_go::{Board, Position, Rules};

fn main() {
    for size in [9, 13, 19] {
        measure("light", size, &Light);
        measure("heavy", size, &Heavy);
        measure_learned("learned", size, Manner::Weighed);
        measure_learned("mixed", size, Manner::Mixed);
    }
}

/// The playouts of the player.
fn measure_learned(name: &str, size: usize, manner: Manner) {
    let weights = playout_weights(size, 1.0, LOCALITY);
    let start = Field::new(&Position::new(size), &weights);
    let mut simulator = Simulator::new(&weights, manner);
    let mut rng = rng(1, size as u64);
    let mut trace = Vec::new();
    let (mut count, mut moves, mut black) = (0u64, 0u64, 0u64);
    let begin = Instant::now();
    let seconds = || cpu_seconds().unwrap_or_else(|| begin.elapsed().as_secs_f64());
    let start_seconds = seconds();
    let points = size * size;
    while seconds() < start_seconds + 1.0 {
        for _ in 0..20 {
            let mut field = start.clone();
            trace.clear();
            let far = (points * 2 / 5) as i32;
            let mercy = 7 - far..=7 + far;
            simulator.play_out(&mut field, 0, 0, points * 3, mercy, &mut rng, &mut trace);
            moves += trace.len() as u64;
            black += u64::from(field.area() > 7);
            count += 1;
        }
    }
    let seconds = seconds() - start_seconds;
    println!(
        "{size}x{size} {name}: {:.0} playouts/s, {:.1} moves each, {:.1} ns a move, black wins {:.1} %",
        count as f64 / seconds,
        moves as f64 / count as f64,
        seconds * 1e9 / moves as f64,
        100.0 * black as f64 / count as f64
    );
}

fn measure(name: &str, size: usize, chooser: &impl MoveChooser) {
    let rules = Rules::new(size).expect("a board size");
    let start = Board::new(size);
    let mut rng = rng(1, size as u64);
    let (mut count, mut moves, mut black) = (0u64, 0u64, 0u64);
    let begin = Instant::now();
    let seconds = || cpu_seconds().unwrap_or_else(|| begin.elapsed().as_secs_f64());
    let start_seconds = seconds();
    while seconds() < start_seconds + 1.0 {
        for _ in 0..20 {
            let mut board = start.clone();
            let end = play_out(chooser, &mut board, Side::First, 0, &rules, &mut rng);
            moves += u64::from(end.moves);
            black += u64::from(end.lead > 0.0);
            count += 1;
        }
    }
    let seconds = seconds() - start_seconds;
    println!(
        "{size}x{size} {name}: {:.0} playouts/s, {:.1} moves each, {:.1} ns a move, \
         black wins {:.1} %",
        count as f64 / seconds,
        moves as f64 / count as f64,
        seconds * 1e9 / moves as f64,
        100.0 * black as f64 / count as f64
    );
}

/// Processor time of this thread, on Linux.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|ns| ns / 1e9)
}
