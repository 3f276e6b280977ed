//! `zug bench`: the published figures of speed, measured here and now.
//!
//! Each measurement repeats a fixed piece of work until its time is over and tells work a second.
//! Machines are shared and noisy: compare figures of one run only.

use crate::cli::BenchArgs;
use crate::registry::{self, families};
use crate::terminal::count;
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zug_core::{Game, Info, Limits, Spec, Watch};

/// Work a second.
struct Rate {
    units: u64,
    seconds: f64,
}

impl Rate {
    fn per_second(&self) -> f64 {
        self.units as f64 / self.seconds.max(1e-9)
    }
}

type Measure = Box<dyn Fn(Duration) -> Result<Rate>>;

struct Benchmark {
    name: String,
    unit: &'static str,
    measure: Measure,
}

pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!("--seconds must lie between 0 and 3600");
    }
    let wanted = |b: &Benchmark| args.only.as_ref().is_none_or(|text| b.name.contains(text));
    let chosen: Vec<Benchmark> = benchmarks()?.into_iter().filter(wanted).collect();
    if chosen.is_empty() {
        bail!("no measurement has '{}' in its name", args.only.as_deref().unwrap_or(""));
    }
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    for benchmark in chosen {
        let rate = (benchmark.measure)(Duration::from_secs_f64(args.seconds))?;
        if args.json {
            rows.push(json!({
                "name": benchmark.name, "unit": benchmark.unit, "per_second": rate.per_second(),
                "units": rate.units, "seconds": rate.seconds,
            }));
        } else {
            let speed = count(rate.per_second() as u64);
            writeln!(out, "{:<34} {speed:>10} {}/s", benchmark.name, benchmark.unit)?;
            out.flush()?;
        }
    }
    if args.json {
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "threads": 1, "measurements": rows,
        });
        writeln!(out, "{report:#}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn benchmarks() -> Result<Vec<Benchmark>> {
    let mut all = vec![
        perft("othello", 10)?,
        perft("chess", 5)?,
        bare_chess_perft(),
        perft("go:9x9", 3)?,
        perft("connect4", 8)?,
        perft("dodgem:4x4", 9)?,
        perft("morris", 4)?,
        playouts(9),
        playouts(19),
    ];
    for family in families() {
        for player in ["pvs", "mcts"] {
            all.push(search(family.name, player)?);
        }
    }
    Ok(all)
}

/// Repeats `work` until the time is over; it tells how many units it did.
fn repeat(time: Duration, mut work: impl FnMut() -> u64) -> Rate {
    let begin = Instant::now();
    let mut units = 0;
    loop {
        units += work();
        if begin.elapsed() >= time {
            return Rate { units, seconds: begin.elapsed().as_secs_f64() };
        }
    }
}

fn perft(game: &'static str, depth: u32) -> Result<Benchmark> {
    let entry = registry::open(game)?;
    Ok(Benchmark {
        name: format!("perft {game} depth {depth}"),
        unit: "leaves",
        measure: Box::new(move |time| {
            let line = entry.game.new_line();
            Ok(repeat(time, || entry.game.perft(line.as_ref(), depth)))
        }),
    })
}

/// The chess crate alone, without our rules around it: the measure of what those cost.
fn bare_chess_perft() -> Benchmark {
    Benchmark {
        name: "perft cozy-chess alone depth 5".to_string(),
        unit: "leaves",
        measure: Box::new(|time| {
            let board = cozy_chess::Board::default();
            Ok(repeat(time, || bare_perft(&board, 5)))
        }),
    }
}

fn bare_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            leaves += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += bare_perft(&next, depth - 1);
            }
        }
        false
    });
    leaves
}

/// Random games of Go to the end.
fn playouts(size: usize) -> Benchmark {
    Benchmark {
        name: format!("playouts go:{size}x{size}"),
        unit: "playouts",
        measure: Box::new(move |time| {
            use zug_search::Rollout;
            let rules = zug_go::Rules::new(size).expect("a size that Go is played on");
            let game = zug_go::Go::new(rules);
            let (start, mut rng) = (Game::start(&game), zug_core::rng(1, 0));
            let light = zug_go::rollout::Playouts(zug_go::playout::Light);
            Ok(repeat(time, || {
                for _ in 0..64 {
                    std::hint::black_box(light.rollout(&game, &start, &mut rng));
                }
                64
            }))
        }),
    }
}

/// Positions (or playouts) a second of a whole search from the start position.
fn search(game: &'static str, player: &'static str) -> Result<Benchmark> {
    let entry = registry::open(game)?;
    Ok(Benchmark {
        name: format!("search {game} {player}"),
        unit: if player == "mcts" { "playouts" } else { "nodes" },
        measure: Box::new(move |time| {
            let line = entry.game.new_line();
            let mut searcher = entry.player(&Spec::parse(player)?)?;
            let limits = Limits { movetime: Some(time), ..Limits::default() };
            let mut last = Info::default();
            let mut keep = |info: &Info| last = info.clone();
            let mut watch = Watch::new(Arc::default(), &mut keep);
            let choice = searcher.choose(line.as_ref(), &limits, &mut watch)?;
            let info = choice.info.unwrap_or(last);
            Ok(Rate { units: info.nodes, seconds: info.elapsed.as_secs_f64() })
        }),
    })
}
