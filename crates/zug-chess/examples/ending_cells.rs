//! How long does the solver wait for the cells of an ending?
//!
//! `cargo run --release -p zug-chess --example ending_cells [ENDING]...` prints nanoseconds for
//! each cell surveyed, each count of successors and each list of predecessors.

use std::hint::black_box;
use std::time::{Duration, Instant};
use zug_chess::Chess;
use zug_chess::endings::{EndingCells, Material, Scope};
use zug_core::Indexed;
use zug_solve::{Cells, Content, Options, Space};

/// Cells that are looked at, spread over the last stage.
const SAMPLE: u64 = 2_000_000;
/// Neighbours that are looked at together.
const RUN: u64 = 1 << 14;

/// Processor time where the system tells it, since a busy machine makes the clock useless.
struct Timer {
    begun: Instant,
    used: Option<u64>,
}

impl Timer {
    fn used() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok()
    }

    fn start() -> Timer {
        Timer { begun: Instant::now(), used: Timer::used() }
    }

    fn elapsed(&self) -> Duration {
        match (self.used, Timer::used()) {
            (Some(before), Some(now)) => Duration::from_nanos(now.saturating_sub(before)),
            _ => self.begun.elapsed(),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["KRvKN", "KRBvKR"].map(String::from).to_vec();
    }
    for name in names {
        let game = Chess::ending(Scope::Material(Material::parse(&name)?));
        let space = Space::new(&game.layout(), Options::default())?;
        let cells = EndingCells::new(&game, &space).ok_or("no fast cells")?;
        let stage = space.stages().last().ok_or("no stage")?.slots.clone();
        let size = stage.end - stage.start;
        let runs = (SAMPLE / RUN).min(size.div_ceil(RUN)).max(1);
        let mut scratch = cells.scratch();
        let mut open = Vec::new();
        let (mut seen, start) = (0u64, Timer::start());
        for run in 0..runs {
            let first = stage.start + size / runs * run;
            let range = first..(first + RUN).min(stage.end);
            cells.survey(range, &mut scratch, &mut |cell, content| {
                seen += 1;
                if content == Content::Open {
                    open.push(cell);
                }
            });
        }
        let survey = start.elapsed().as_nanos() as f64 / seen as f64;

        let (mut moves, start) = (0u64, Timer::start());
        for &cell in &open {
            moves += u64::from(cells.count_successors(cell, &mut scratch));
        }
        let count = start.elapsed().as_nanos() as f64 / open.len() as f64;

        let (mut before, mut total, start) = (Vec::new(), 0, Timer::start());
        for &cell in &open {
            before.clear();
            cells.predecessors(cell, &stage, &mut scratch, &mut before);
            total += black_box(&before).len();
        }
        let list = start.elapsed().as_nanos() as f64 / open.len() as f64;
        println!(
            "{name}: {size} cells, {seen} seen, {:.1} % open; survey {survey:.1} ns a cell; \
             count {count:.1} ns ({:.1} moves); predecessors {list:.1} ns ({:.1} each)",
            100.0 * open.len() as f64 / seen as f64,
            moves as f64 / open.len() as f64,
            total as f64 / open.len() as f64,
        );
    }
    Ok(())
}
