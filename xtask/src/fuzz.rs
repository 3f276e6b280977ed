//! `fuzz-million`: every parser against a million mutated inputs.

use crate::stop;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use zug_core::{Silent, StopFlag};
use zug_fuzz::campaign::{self, Bounds, Failure, Report};
use zug_fuzz::{TARGETS, Target, allocations, corpus};

/// What to feed to whom.
#[derive(clap::Args)]
pub struct Options {
    /// Inputs for each target
    #[arg(long, default_value_t = 1_000_000)]
    inputs: u64,
    /// Only these targets
    #[arg(long, value_name = "NAME", num_args = 1..)]
    target: Vec<String>,
    /// The seed of the mutator
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Try one file instead, such as a saved failure
    #[arg(long, value_name = "FILE", requires = "target")]
    file: Option<PathBuf>,
    /// List the targets
    #[arg(long)]
    list: bool,
}

/// An input that runs longer than this hangs: the process is ended.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs the campaigns; the result is a line that sums them up.
pub fn run(options: &Options) -> Result<String> {
    if options.list {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        return Ok(names.join("\n"));
    }
    let targets = chosen(&options.target)?;
    if let Some(file) = &options.file {
        return try_file(targets[0], file);
    }
    let stop = stop::on_interrupt()?;
    let fuzz = corpus::fuzz_folder();
    let (mut inputs, mut failed) = (0, 0);
    println!(
        "{:<20} {:>9} {:>7} {:>10} {:>11}  failures",
        "target", "inputs", "time", "slowest", "memory"
    );
    for target in &targets {
        let report = campaign(target, options, &fuzz, &stop)?;
        inputs += report.inputs;
        failed += report.failures.len();
        print_report(target, &report, &fuzz)?;
        if stop.is_set() {
            break;
        }
    }
    let ended = if stop.is_set() { ", interrupted" } else { "" };
    let summary = format!("{inputs} inputs for {} targets{ended}", targets.len());
    if failed > 0 {
        bail!("{summary}: {failed} failures, see fuzz/artifacts");
    }
    Ok(format!("{summary}: no failure"))
}

/// Writes the files that the games play by themselves.
pub fn write_corpus() -> Result<String> {
    let files = corpus::write_seeds(&corpus::fuzz_folder()).context("cannot write the corpus")?;
    Ok(format!("{files} files written"))
}

fn chosen(names: &[String]) -> Result<Vec<&'static Target>> {
    if names.is_empty() {
        return Ok(TARGETS.iter().collect());
    }
    let find = |name: &String| {
        zug_fuzz::target(name).with_context(|| format!("there is no target '{name}' (--list)"))
    };
    names.iter().map(find).collect()
}

fn try_file(target: &Target, file: &Path) -> Result<String> {
    let input = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    campaign::hush_panics();
    match campaign::try_input(target, &input, &Bounds::default()) {
        Ok((elapsed, memory)) => Ok(format!("survived in {elapsed:?} with {memory} bytes")),
        Err(failure) => bail!("{}", failure.what),
    }
}

/// Runs a campaign on a thread of its own, and ends the process when an input hangs.
fn campaign(target: &Target, options: &Options, fuzz: &Path, stop: &StopFlag) -> Result<Report> {
    let corpus = corpus::load(fuzz, target.name)
        .with_context(|| format!("cannot read the corpus of {}", target.name))?;
    std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let bounds = Bounds::default();
            campaign::run(target, &corpus, options.inputs, options.seed, &bounds, &Silent, stop)
        });
        while !work.is_finished() {
            std::thread::sleep(Duration::from_millis(20));
            if let Some(failure) = campaign::stuck(PATIENCE) {
                let path = save(fuzz, target, "stuck", &failure.input);
                eprintln!("{}: {}; the input is {path:?}", target.name, failure.what);
                std::process::exit(1);
            }
        }
        Ok(work.join().expect("a campaign catches panics"))
    })
}

fn print_report(target: &Target, report: &Report, fuzz: &Path) -> Result<()> {
    let memory = if allocations::is_counting() {
        format!("{} KiB", report.largest.0 >> 10)
    } else {
        "unknown".into()
    };
    println!(
        "{:<20} {:>9} {:>6.1}s {:>7.1} ms {memory:>11}  {}",
        target.name,
        report.inputs,
        report.elapsed.as_secs_f64(),
        report.slowest.0.as_secs_f64() * 1000.0,
        report.failures.len()
    );
    for (number, Failure { what, input }) in report.failures.iter().enumerate() {
        let path = save(fuzz, target, &format!("failure-{number}"), input)?;
        println!("    {what}\n    input: {}", path.display());
    }
    if report.slowest.0 > Duration::from_millis(500) {
        let path = save(fuzz, target, "slowest", &report.slowest.1)?;
        println!("    the slowest input is {}", path.display());
    }
    Ok(())
}

fn save(fuzz: &Path, target: &Target, name: &str, input: &[u8]) -> Result<PathBuf> {
    let folder = fuzz.join("artifacts").join(target.name);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, input).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
