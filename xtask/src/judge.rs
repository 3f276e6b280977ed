//! Are the marks right that Othello games get?

use crate::stop;
use anyhow::{Context, Result, bail};
use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use zug_core::Progress;
use zug_othello::chores::{JudgeOrder, judge};

/// What to judge.
#[derive(clap::Args)]
pub struct Options {
    /// The folder that holds `othello/wthor-1977-2023.tar.zst`, or an archive of WTHOR files
    #[arg(long, value_name = "PATH", default_value = "../shared/data")]
    data: PathBuf,
    /// Which games of a random order
    #[arg(long, value_name = "A..B", default_value = "0..200", value_parser = range)]
    games: Range<usize>,
    /// Judge so many of them a second time and compare
    #[arg(long, default_value_t = 10)]
    twice: usize,
    /// The time for a position
    #[arg(long, default_value = "300ms", value_parser = duration)]
    time: Duration,
    /// The time of a long search
    #[arg(long, default_value = "60s", value_parser = duration)]
    long: Duration,
    /// So many marks between 28 and 39 discs get a long search; later ones are searched to the end
    #[arg(long, default_value_t = 60)]
    sample: usize,
    /// Seed of the order of the games and of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Keep what is done in OUT.games.jsonl and OUT.marks.jsonl; the same command goes on from there
    #[arg(long, value_name = "OUT", default_value = "othello-judge")]
    out: PathBuf,
}

/// Judges, tests, prints what was found as JSON.
pub fn run(options: &Options) -> Result<String> {
    let flag = stop::on_interrupt()?;
    let archive = match options.data.is_dir() {
        true => options.data.join("othello/wthor-1977-2023.tar.zst"),
        false => options.data.clone(),
    };
    if !archive.is_file() {
        bail!("there is no archive {} (--data PATH)", archive.display());
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (ticker, began) = (Ticker::default(), Instant::now());
    let report = judge(
        &JudgeOrder {
            archive: &archive,
            games: options.games.clone(),
            twice: options.twice,
            time: options.time,
            long: options.long,
            sample: options.sample,
            seed: options.seed,
            threads: options.threads.map_or(cores, NonZero::get),
            journal: &options.out,
        },
        &ticker,
        &flag,
    )
    .context("the same command goes on with what is done")?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    let [share, low, high] = report.confirmed.map(|share| 100.0 * share);
    let summary = format!(
        "{} games, {} moves: {} marks from 40 discs on, {} of them on a best move; {} marks with 28 to 39 \
         discs; {share:.1} % of all from 28 discs on confirmed ({low:.1} to {high:.1} %); {} moves raised \
         the value of their own side; {} of {} games judged twice differ; {:.0?}",
        report.games,
        report.moves,
        report.late,
        report.late_on_best,
        report.middle,
        report.raised,
        report.differ,
        report.twice,
        began.elapsed()
    );
    if report.late_on_best + report.raised + report.differ > 0 {
        bail!("{summary}: not all is as expected");
    }
    Ok(summary)
}

fn range(text: &str) -> Result<Range<usize>, String> {
    let ends = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    ends.filter(|range: &Range<usize>| !range.is_empty())
        .ok_or_else(|| format!("expected a range such as 0..200, found '{text}'"))
}

fn duration(text: &str) -> Result<Duration, String> {
    zug_core::limits::parse_duration(text)
        .ok_or_else(|| format!("expected a duration such as 300ms or 60s, found '{text}'"))
}

/// Says now and then how much is done.
#[derive(Default)]
struct Ticker(Mutex<(u64, Option<Instant>)>);

impl Progress for Ticker {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, units: u64) {
        let Ok(mut state) = self.0.lock() else { return };
        state.0 += units;
        if state.1.is_none_or(|last| last.elapsed() > Duration::from_secs(10)) {
            eprintln!("{} done", state.0);
            state.1 = Some(Instant::now());
        }
    }
    fn message(&self, text: &str) {
        if let Ok(mut state) = self.0.lock() {
            *state = (0, None);
        }
        eprintln!("{text}");
    }
    fn finish(&self) {}
}
