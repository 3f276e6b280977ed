//! `zug bench`: the published figures of speed, measured here and now.
//!
//! Each measurement repeats a fixed piece of work until its time is over and tells work a second,
//! by the clock on the wall and by the processor time that this program got. On a busy machine the
//! second is the better figure; still, compare figures of one run only.

mod book;
mod endcut;
mod go;
mod load;
mod matches;
mod othello;
mod reach;
mod scaling;
mod signature;
mod suite;

use crate::cli::{BenchArgs, Experiment};
use crate::registry::{self, families};
use crate::terminal::count;
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zug_chess::attacks::Attacks;
use zug_core::usage::process_seconds;
use zug_core::{Game, GameEntry, Info, Limits, Spec, Watch};

/// Work done, and the time it took.
struct Rate {
    units: u64,
    seconds: f64,
    cpu_seconds: f64,
}

impl Rate {
    fn per_second(&self) -> f64 {
        self.units as f64 / self.seconds.max(1e-9)
    }

    fn per_cpu_second(&self) -> f64 {
        self.units as f64 / self.cpu_seconds.max(1e-9)
    }
}

/// Starts both clocks.
struct Watches {
    wall: Instant,
    cpu: f64,
}

impl Watches {
    fn start() -> Watches {
        Watches { wall: Instant::now(), cpu: process_seconds() }
    }

    fn rate(&self, units: u64) -> Rate {
        let seconds = self.wall.elapsed().as_secs_f64();
        Rate { units, seconds, cpu_seconds: process_seconds() - self.cpu }
    }
}

type Measure = Box<dyn Fn(Duration) -> Result<Rate>>;

struct Benchmark {
    name: String,
    unit: &'static str,
    measure: Measure,
}

pub fn run(args: &BenchArgs) -> Result<ExitCode> {
    let entry = args.game.as_deref().map(registry::open).transpose()?;
    if let Some(experiment) = args.experiment {
        return experiment_of(entry.as_ref(), experiment, args);
    }
    if let Some(clients) = args.clients {
        return load::run(clients as usize, args);
    }
    if args.signature {
        return match entry {
            Some(entry) => signature::run(&entry, args),
            None => bail!("say which game: 'zug bench chess --signature'"),
        };
    }
    if let Some(file) = &args.suite {
        return match entry {
            Some(entry) => suite::run(&entry, file, args),
            None => bail!("say which game: 'zug bench chess --suite FILE'"),
        };
    }
    if !(args.seconds > 0.0 && args.seconds <= 3600.0) {
        bail!("--seconds must lie between 0 and 3600");
    }
    let family = args.game.as_deref().map(|game| game.split(':').next().unwrap_or(game));
    let wanted = |b: &Benchmark| {
        let has = |text: &str| b.name.contains(text);
        args.only.as_deref().is_none_or(has) && family.is_none_or(has)
    };
    let chosen: Vec<Benchmark> = benchmarks()?.into_iter().filter(wanted).collect();
    if chosen.is_empty() {
        let words: Vec<&str> = args.only.as_deref().into_iter().chain(family).collect();
        bail!("no measurement has '{}' in its name", words.join("' and '"));
    }
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    for benchmark in chosen {
        let rate = (benchmark.measure)(Duration::from_secs_f64(args.seconds))?;
        if args.json {
            rows.push(json!({
                "name": benchmark.name, "unit": benchmark.unit, "per_second": rate.per_second(),
                "per_cpu_second": rate.per_cpu_second(),
                "units": rate.units, "seconds": rate.seconds, "cpu_seconds": rate.cpu_seconds,
            }));
        } else {
            let (wall, cpu) =
                (count(rate.per_second() as u64), count(rate.per_cpu_second() as u64));
            let (name, unit) = (&benchmark.name, benchmark.unit);
            writeln!(out, "{name:<32} {wall:>9} {unit}/s {cpu:>9} {unit}/CPU s")?;
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

/// Experiments are Othello's.
fn experiment_of(
    entry: Option<&GameEntry>,
    experiment: Experiment,
    args: &BenchArgs,
) -> Result<ExitCode> {
    let game = zug_othello::examples::file::GAME;
    match entry {
        Some(entry) if entry.game.spec() == game => match experiment {
            Experiment::Probcut | Experiment::Percentile => matches::run(entry, experiment, args),
            Experiment::Endcut => endcut::run(args),
            Experiment::Depth => reach::run(entry, args),
            Experiment::Scaling => scaling::run(args),
        },
        Some(entry) => bail!("this is an experiment of {game}, not of '{}'", entry.game.spec()),
        None => bail!("say which game: 'zug bench {game} --experiment ...'"),
    }
}

fn benchmarks() -> Result<Vec<Benchmark>> {
    let mut all = vec![
        perft("othello", 10)?,
        perft("chess", 5)?,
        bare_chess_perft(),
        plain_chess_perft(Attacks::Magic),
        plain_chess_perft(Attacks::Rotated),
        perft("go:9x9", 3)?,
        perft("connect4", 8)?,
        perft("dodgem:4x4", 9)?,
        perft("morris", 4)?,
        playouts(9),
        playouts(19),
    ];
    all.extend(othello::benchmarks());
    all.extend(book::benchmarks()?);
    all.extend(go::benchmarks());
    all.push(search("go", "zug")?);
    for family in families() {
        for player in ["pvs", "mcts"] {
            all.push(search(family.name, player)?);
        }
    }
    Ok(all)
}

/// Repeats `work` until the time is over; it tells how many units it did.
fn repeat(time: Duration, mut work: impl FnMut() -> u64) -> Rate {
    let watches = Watches::start();
    let mut units = 0;
    loop {
        units += work();
        if watches.wall.elapsed() >= time {
            return watches.rate(units);
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

/// A board that makes moves and takes them back: what each way to find attacks costs.
fn plain_chess_perft(attacks: Attacks) -> Benchmark {
    Benchmark {
        name: format!("perft chess {} attacks depth 4", attacks.name()),
        unit: "leaves",
        measure: Box::new(move |time| {
            let start = zug_chess::Position::start();
            Ok(repeat(time, || attacks.perft(&start, 4)))
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
        unit: if player == "mcts" || game == "go" && player == "zug" {
            "playouts"
        } else {
            "nodes"
        },
        measure: Box::new(move |time| {
            let line = entry.game.new_line();
            let mut searcher = entry.player(&Spec::parse(player)?)?;
            let limits = Limits { movetime: Some(time), ..Limits::default() };
            let mut last = Info::default();
            let mut keep = |info: &Info| last = info.clone();
            let mut watch = Watch::new(Arc::default(), &mut keep);
            let watches = Watches::start();
            let choice = searcher.choose(line.as_ref(), &limits, &mut watch)?;
            Ok(watches.rate(choice.info.unwrap_or(last).nodes))
        }),
    })
}
