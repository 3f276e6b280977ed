//! `estimates` and `memory`: does `zug db` keep what it says about time and memory?
//!
//! Both run the program itself, so that what is compared is what a user sees: `zug db estimate`
//! beside the processor time of `zug db build`, and the memory that a build with `--memory` had
//! resident beside what it was allowed.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Databases of many kinds, that are built in seconds or a few minutes: endings with and without
/// pawns, won ones and drawn ones, games on the general path, one with all symmetries left out.
const ESTIMATED: [&str; 20] = [
    "chess:KRvK",
    "chess:KPvK",
    "chess:KQvKR",
    "chess:KRvKN",
    "chess:KBNvK",
    "chess:KBvKN",
    "chess:KNvKP",
    "morris:men=3",
    "chess:KRPvK",
    "chess:KRvKR --no-symmetry",
    "dodgem:3x3",
    "dodgem:4x4",
    "dodgem:4x4 --no-mirror",
    "losing-ttt:3x3",
    "losing-ttt:4x4",
    "losing-ttt:4x4 --no-symmetry",
    "tictactoe",
    "hexapawn:4x4",
    "connect4:4x4",
    "connect4:5x4",
];

/// Which program to ask, and about what.
#[derive(clap::Args)]
pub struct EstimateOptions {
    /// The program; the one beside this one unless said otherwise
    #[arg(long, value_name = "FILE")]
    zug: Option<PathBuf>,
    /// Only these games, each with options of its index; without any, twenty of all kinds
    game: Vec<String>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
}

/// Which program to run, and with how much memory.
#[derive(clap::Args)]
pub struct MemoryOptions {
    /// The program; the one beside this one unless said otherwise
    #[arg(long, value_name = "FILE")]
    zug: Option<PathBuf>,
    /// The game
    #[arg(default_value = "chess:KRPvKR")]
    game: String,
    /// The memory that is allowed, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    memory: u64,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Build it without a bound, too, and compare all files
    #[arg(long)]
    compare: bool,
    /// Where to build: a folder that is created and removed
    #[arg(long, value_name = "DIR", default_value = "memory-chore")]
    out: PathBuf,
}

/// Compares what is estimated with what is then measured.
pub fn estimates(options: &EstimateOptions) -> Result<String> {
    let program = program(options.zug.as_deref())?;
    let games = match &options.game[..] {
        [] => ESTIMATED.map(String::from).to_vec(),
        some => some.to_vec(),
    };
    let threads = options.threads.to_string();
    let folder = std::env::temp_dir().join(format!("zug-estimates-{}", std::process::id()));
    println!("| database | slots | estimated, s | measured, s | ratio |\n|---|--:|--:|--:|--:|");
    let mut wrong = Vec::new();
    for game in &games {
        let words: Vec<&str> = game.split_whitespace().chain(["--threads", &threads]).collect();
        let estimate = ask(&program, "estimate", &words)?;
        let out = folder.to_string_lossy().into_owned();
        let built = ask(&program, "build", &[&words[..], &["--out", &out]].concat());
        std::fs::remove_dir_all(&folder).context("the folder of the database")?;
        let number = |value: &Value, key: &str| {
            value[key].as_f64().with_context(|| format!("{game}: no number '{key}' in {value}"))
        };
        let built = built?;
        let (said, took) =
            (number(&estimate, "cpu_seconds_estimate")?, number(&built, "cpu_seconds")?);
        let (slots, ratio) = (number(&built, "slots")?, said / took);
        println!("| {game} | {slots} | {said:.3} | {took:.3} | {ratio:.2} |");
        if !(0.5..=2.0).contains(&ratio) {
            wrong.push(game.as_str());
        }
    }
    let summary =
        format!("{} of {} within a factor of two", games.len() - wrong.len(), games.len());
    if wrong.is_empty() { Ok(summary) } else { bail!("{summary}; not {}", wrong.join(", ")) }
}

/// Builds with little memory and looks how much it was.
pub fn memory(options: &MemoryOptions) -> Result<String> {
    let program = program(options.zug.as_deref())?;
    let (threads, memory) = (options.threads.to_string(), format!("{}M", options.memory));
    if options.out.exists() {
        bail!("{} is there already", options.out.display());
    }
    let build = |name: &str, more: &[&str]| {
        let out = options.out.join(name);
        std::fs::create_dir_all(&out)?;
        let out = out.to_string_lossy().into_owned();
        let words = [&[options.game.as_str(), "--threads", &threads, "--out", &out], more].concat();
        let built = ask(&program, "build", &words)?;
        let peak = built["peak_resident_bytes"].as_f64().context("the peak is not told")?;
        let took = built["cpu_seconds"].as_f64().unwrap_or_default();
        println!("{name}: {:.1} MiB resident at most, {took:.1} s of processor time", peak / MIB);
        anyhow::Ok(peak)
    };
    let run = || {
        let peak = build("bounded", &["--memory", &memory])?;
        if options.compare {
            build("unbounded", &[])?;
            compare(&options.out.join("bounded"), &options.out.join("unbounded"))?;
        }
        anyhow::Ok(peak)
    };
    let result = run();
    let _ = std::fs::remove_dir_all(&options.out);
    let ratio = result? / MIB / options.memory as f64;
    let summary = format!("{} with {memory}: {ratio:.2} times that resident", options.game);
    if ratio <= 1.1 { Ok(summary) } else { bail!("{summary}, and 1.1 are allowed") }
}

const MIB: f64 = (1 << 20) as f64;

/// Are the stages of two databases the same to the byte?
fn compare(one: &Path, other: &Path) -> Result<()> {
    for entry in std::fs::read_dir(one)? {
        let path = entry?.path();
        let name = path.file_name().context("a name")?;
        if name == "build.jsonl" {
            continue;
        }
        if std::fs::read(&path)? != std::fs::read(other.join(name))? {
            bail!("{} differs", name.to_string_lossy());
        }
    }
    println!("all files are the same to the byte");
    Ok(())
}

/// The program that was named, or the one that was built together with this one.
fn program(named: Option<&Path>) -> Result<PathBuf> {
    let beside = || anyhow::Ok(std::env::current_exe()?.with_file_name("zug"));
    let program = named.map_or_else(beside, |path| Ok(path.to_path_buf()))?;
    if !program.exists() {
        bail!("{}: no such program; build it first, or name one (--zug FILE)", program.display());
    }
    Ok(program)
}

/// What a verb of `zug db` says as JSON.
fn ask(program: &Path, verb: &str, words: &[&str]) -> Result<Value> {
    let output = Command::new(program).args(["db", verb]).args(words).arg("--json").output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("zug db {verb} {}: {said}", words.join(" "));
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
