//! How many positions of a test suite does a player solve?

use crate::cli::BenchArgs;
use crate::progress::progress;
use crate::terminal::count;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zug_arena::PlayerFactory;
use zug_chess::suite::{self, Problem};
use zug_chess::{fen, san, uci};
use zug_core::packed;
use zug_core::{GameEntry, Info, Limits, Player, Progress, Spec, StopFlag, Watch};

/// Time for each position where no limit is given.
const USUAL: Duration = Duration::from_secs(1);

/// No suite is larger than this.
const MOST_BYTES: u64 = 256 << 20;

/// What the player made of one position.
struct Attempt {
    /// The move that it chose, in SAN and as it wrote it.
    mv: String,
    solved: bool,
    points: u32,
    info: Info,
    /// When it first chose its right move and stayed with it.
    settled: Option<(Duration, u64)>,
}

pub fn run(entry: &GameEntry, file: &Path, args: &BenchArgs) -> Result<ExitCode> {
    if entry.game.spec() != "chess" {
        bail!("suites are of chess, not of '{}'", entry.game.spec());
    }
    let problems = suite::read(&text(file)?).with_context(|| format!("{}", file.display()))?;
    let chosen: Vec<&Problem> = match &args.only {
        Some(part) => problems.iter().filter(|p| p.id.contains(part)).collect(),
        None => problems.iter().collect(),
    };
    if chosen.is_empty() {
        let part = args.only.as_deref().unwrap_or_default();
        bail!("{}: no position has '{part}' in its name", file.display());
    }
    let (limits, words) = limits(args);
    let spec = Spec::parse(&args.player)?;
    let factory = zug_arena::player(entry, &spec)?;
    // Made once before the work, so that a bad option is told at once.
    factory.make(args.seed)?;
    let flag = on_interrupt();
    // By time each position wants a core to itself, and more than that nobody has promised.
    let timed = limits.movetime.is_some();
    let usual = if timed { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let threads = args.threads.map_or(usual, usize::from).min(chosen.len());
    let bar = progress("positions");
    bar.set_length(Some(chosen.len() as u64));
    let work = Work { entry, factory, limits, seed: args.seed, flag: &flag, bar: bar.as_ref() };
    let began = Instant::now();
    let attempts = work.solve(&chosen, threads);
    let wall = began.elapsed().as_secs_f64();
    bar.finish();
    drop(work);
    drop(bar);
    let attempts = attempts?;
    let rows = chosen.into_iter().zip(attempts).collect();
    let report = Report { file, args, words: &words, wall, rows };
    if args.json {
        report.json()?
    } else {
        report.text()?
    }
    if flag.is_set() {
        tell!("zug: stopped");
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}

/// A flag that the first Ctrl-C (or a termination signal) sets; what was solved is told even where
/// another follows at once, as when a whole group of processes is ended and each of them passes it
/// on. One that comes later ends the program.
fn on_interrupt() -> StopFlag {
    const AT_ONCE: Duration = Duration::from_secs(1);
    let flag = StopFlag::new();
    let seen = flag.clone();
    let mut first = None;
    let installed = ctrlc::set_handler(move || match first {
        None => {
            first = Some(Instant::now());
            seen.set();
            tell!("zug: stopping; press Ctrl-C again to stop at once");
        }
        Some(first) if first.elapsed() < AT_ONCE => {}
        Some(_) => std::process::exit(130),
    });
    if let Err(error) = installed {
        tracing::warn!("Ctrl-C will end the program at once: {error}");
    }
    flag
}

fn text(file: &Path) -> Result<String> {
    let cannot = || format!("cannot read {}", file.display());
    let opened = packed::open(file).and_then(|input| packed::read_all(input, MOST_BYTES));
    let bytes = opened.with_context(cannot)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        anyhow::anyhow!("{}: expected text (UTF-8), but byte {at} is none", file.display())
    })
}

fn limits(args: &BenchArgs) -> (Limits, String) {
    let mut words = Vec::new();
    words.extend(args.depth.map(|n| format!("{n} plies")));
    words.extend(args.nodes.map(|n| format!("{n} nodes")));
    let movetime = match (args.movetime, words.is_empty()) {
        (None, true) => Some(USUAL),
        (time, _) => time,
    };
    words.extend(movetime.map(|time| format!("{time:?}")));
    let limits = Limits { depth: args.depth, nodes: args.nodes, movetime, ..Limits::default() };
    (limits, words.join(", "))
}

struct Work<'a> {
    entry: &'a GameEntry,
    factory: PlayerFactory<'a>,
    limits: Limits,
    seed: u64,
    flag: &'a StopFlag,
    bar: &'a dyn Progress,
}

impl Work<'_> {
    /// All attempts, in order; `None` for those that a stop has prevented.
    fn solve(&self, problems: &[&Problem], threads: usize) -> Result<Vec<Option<Attempt>>> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<Option<Attempt>>> =
            Mutex::new(std::iter::repeat_with(|| None).take(problems.len()).collect());
        let worker = || -> Result<()> {
            // Told of a new game before each position, so that nothing is known from the one
            // before; to make a player, with its tables, takes longer than a short search.
            let mut player = self.factory.make(self.seed)?;
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                if i >= problems.len() || self.flag.is_set() {
                    return Ok(());
                }
                let problem = problems[i];
                let attempt = self
                    .attempt(player.as_mut(), problem)
                    .with_context(|| format!("line {} ({})", problem.line, problem.id))?;
                // A search that was cut short says nothing about the limit that was asked for.
                if !self.flag.is_set() {
                    done.lock().expect("no worker panics")[i] = Some(attempt);
                    self.bar.advance(1);
                }
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().try_for_each(|w| w.join().expect("a worker does not panic"))
        })?;
        Ok(done.into_inner().expect("no worker panics"))
    }

    fn attempt(&self, player: &mut dyn Player, problem: &Problem) -> Result<Attempt> {
        let line = self.entry.game.line_from(&fen::write(&problem.position))?;
        player.new_game(line.as_ref())?;
        let right = |text: &str| {
            uci::parse(&problem.position, text).is_ok_and(|mv| problem.is_solved_by(mv))
        };
        let mut settled: Option<(Duration, u64)> = None;
        let mut last = Info::default();
        let mut follow = |info: &Info| {
            if info.rank > 1 {
                return;
            }
            if let Some(first) = info.line.first() {
                settled = right(first).then(|| settled.unwrap_or((info.elapsed, info.nodes)));
            }
            last = info.clone();
        };
        let mut watch = Watch::new(self.flag.shared(), &mut follow);
        let choice = player.choose(line.as_ref(), &self.limits, &mut watch)?;
        let mv = uci::parse(&problem.position, &choice.mv)?;
        let solved = problem.is_solved_by(mv);
        let info = choice.info.unwrap_or(last);
        let settled = solved.then(|| settled.unwrap_or((info.elapsed, info.nodes)));
        let points = problem.points_of(mv);
        Ok(Attempt { mv: san::write(&problem.position, mv), solved, points, info, settled })
    }
}

struct Report<'a> {
    file: &'a Path,
    args: &'a BenchArgs,
    words: &'a str,
    /// From the first position to the last, whatever ran side by side.
    wall: f64,
    rows: Vec<(&'a Problem, Option<Attempt>)>,
}

impl Report<'_> {
    fn attempts(&self) -> impl Iterator<Item = (&Problem, &Attempt)> {
        self.rows.iter().filter_map(|(problem, attempt)| Some((*problem, attempt.as_ref()?)))
    }

    fn solved(&self) -> usize {
        self.attempts().filter(|(_, a)| a.solved).count()
    }

    /// Points, and the most that there were; nothing for a suite without points.
    fn points(&self) -> Option<(u32, u32)> {
        let most = self.attempts().map(|(p, _)| p.most_points()).sum();
        (most > 0).then(|| (self.attempts().map(|(_, a)| a.points).sum(), most))
    }

    fn nodes(&self) -> u64 {
        self.attempts().map(|(_, a)| a.info.nodes).sum()
    }

    fn seconds(&self) -> f64 {
        self.attempts().map(|(_, a)| a.info.elapsed.as_secs_f64()).sum()
    }

    fn json(&self) -> Result<()> {
        let results: Vec<Value> = self
            .attempts()
            .map(|(p, a)| {
                json!({
                    "line": p.line, "id": p.id, "position": fen::write(&p.position),
                    "expected": p.expected(), "move": a.mv, "solved": a.solved,
                    "points": (p.most_points() > 0).then_some(a.points),
                    "score": a.info.score.map(|s| s.to_string()), "depth": a.info.depth,
                    "nodes": a.info.nodes, "seconds": a.info.elapsed.as_secs_f64(),
                    "solved_seconds": a.settled.map(|(time, _)| time.as_secs_f64()),
                    "solved_nodes": a.settled.map(|(_, nodes)| nodes),
                })
            })
            .collect();
        let points = self.points();
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"), "suite": self.file.display().to_string(),
            "player": self.args.player, "limit": self.words,
            "planned": self.rows.len(), "complete": results.len() == self.rows.len(),
            "positions": results.len(), "solved": self.solved(),
            "points": points.map(|p| p.0), "most_points": points.map(|p| p.1),
            "nodes": self.nodes(), "seconds": self.seconds(), "wall_seconds": self.wall,
            "results": results,
        });
        writeln!(std::io::stdout().lock(), "{report:#}")?;
        Ok(())
    }

    /// The positions that were not solved, then the sums.
    fn text(&self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        for (p, a) in self.attempts().filter(|(_, a)| !a.solved) {
            let score = a.info.score.map_or(String::new(), |s| s.to_string());
            writeln!(
                out,
                "{:<28} {:<10} {:<17} {:>8} depth {}",
                p.id,
                a.mv,
                p.fault(),
                score,
                a.info.depth
            )?;
        }
        let (tried, nodes, seconds) = (self.attempts().count(), self.nodes(), self.seconds());
        write!(out, "{} of {tried} solved", self.solved())?;
        if tried < self.rows.len() {
            write!(out, " ({} more were not tried)", self.rows.len() - tried)?;
        }
        if let Some((points, most)) = self.points() {
            write!(out, ", {points} of {most} points")?;
        }
        let speed = count((nodes as f64 / seconds.max(1e-9)) as u64);
        writeln!(
            out,
            ", by {} with {}; {} nodes, {seconds:.1} s, {speed} nodes/s",
            self.args.player,
            self.words,
            count(nodes)
        )?;
        Ok(())
    }
}
