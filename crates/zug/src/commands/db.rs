//! `zug db`: perfect-play databases. One file a verb; here is what they share.

mod build;
mod estimate;
mod info;
mod play;
mod probe;
mod stats;
mod verify;

pub use play::Adviser;

use crate::cli::{DbArgs, DbCommand, DbIndexArgs, DbReference};
use crate::registry::{self, families};
use anyhow::{Context, Result, anyhow, bail};
use std::path::Path;
use std::process::ExitCode;
use zug_core::{GameEntry, Spec};
use zug_solve::face::AnyDatabase;
use zug_solve::store::manifest::MANIFEST;
use zug_solve::{DEFAULT_CACHE, Manifest, Measure, Options, Reference, Solver, Value};

pub fn run(args: &DbArgs) -> Result<ExitCode> {
    match &args.what {
        DbCommand::Build(args) => build::run(args),
        DbCommand::Stats(args) => stats::run(args),
        DbCommand::Probe(args) => probe::run(args),
        DbCommand::Verify(args) => verify::run(args),
        DbCommand::Info(args) => info::run(args),
        DbCommand::Estimate(args) => estimate::run(args),
        DbCommand::Play(args) => play::run(args),
    }
}

/// The game that a build or an estimate is about, with its solver.
fn solvable(game: &str, index: &DbIndexArgs) -> Result<(GameEntry, Solver)> {
    let spec = match index.men {
        None => game.to_string(),
        Some(men) if game == "chess" => format!("chess:men={men}"),
        Some(_) => bail!("--men is for the endings of plain 'chess', not for '{game}'"),
    };
    let entry = registry::open(&spec)?;
    let solver = solver(&entry)?;
    Ok((entry, solver))
}

/// The solver of a game, or which games have one.
fn solver(entry: &GameEntry) -> Result<Solver> {
    if let Some(solver) = entry.extension::<Solver>() {
        return Ok(solver.clone());
    }
    let spec = entry.game.spec();
    if Spec::parse(&spec)?.name == "chess" {
        bail!(
            "all of chess has too many positions; name an ending, such as chess:KRvKN, or the \
             number of men: zug db build chess --men 4"
        );
    }
    let name = Spec::parse(&spec)?.name;
    if let Some((_, part, example)) = registry::numbered_part(&name) {
        bail!("{spec} has too many positions for a database; it works for {part}: {example}");
    }
    let with: Vec<String> = families()
        .iter()
        .filter_map(|f| match registry::numbered_part(f.name) {
            Some((_, part, example)) => Some(format!("{part} ({example})")),
            None => registry::open(f.name)
                .is_ok_and(|e| e.extension::<Solver>().is_some())
                .then(|| f.name.to_string()),
        })
        .collect();
    bail!(
        "the positions of {spec} are not numbered, so it cannot have a database; these games can: \
         {}",
        with.join(", ")
    )
}

fn options(index: &DbIndexArgs) -> Options {
    Options {
        mirror: !index.no_mirror,
        symmetry: !index.no_symmetry,
        reference: match index.reference {
            DbReference::Fewest => Reference::Fewest,
            DbReference::Most => Reference::Most,
        },
        ..Options::default()
    }
}

fn threads(asked: Option<u16>) -> usize {
    match asked {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    }
}

/// An open database with its game.
struct Opened {
    entry: GameEntry,
    database: Box<dyn AnyDatabase>,
}

/// Opens a database; what it is a database of stands in its folder.
fn open(folder: &Path) -> Result<Opened> {
    if !folder.join(MANIFEST).exists() {
        let why = match folder {
            folder if folder.is_dir() => format!("there is no database in it (no {MANIFEST})"),
            folder if folder.exists() => "this is a file; a database is a folder".to_string(),
            _ => "no such folder".to_string(),
        };
        bail!("{}: {why}", folder.display());
    }
    let manifest = Manifest::read(folder)?;
    let entry = registry::open(&manifest.game)
        .with_context(|| format!("{}: its game", folder.join(MANIFEST).display()))?;
    let database = solver(&entry)?.open(folder, DEFAULT_CACHE)?;
    Ok(Opened { entry, database })
}

/// A complaint unless all stages are there.
fn insist_on_whole(folder: &Path, database: &dyn AnyDatabase) -> Result<()> {
    if database.is_complete() {
        return Ok(());
    }
    let (have, all) = (database.manifest().stages.len(), database.outline().stages.len());
    Err(anyhow!(
        "{}: only {have} of {all} stages are built; go on with {}",
        folder.display(),
        resume_command(folder, database.manifest())
    ))
}

/// The command that goes on with an unfinished database, with everything that makes it this one.
fn resume_command(folder: &Path, manifest: &Manifest) -> String {
    let mut text = format!("zug db build {}", quoted(&manifest.game));
    for (given, word) in [
        (!manifest.index.symmetry, "--no-symmetry"),
        (!manifest.index.mirror, "--no-mirror"),
        (manifest.index.reference == "most", "--reference most"),
        (manifest.one_side, "--one-side"),
        (manifest.metric == Measure::Dtc, "--metric dtc"),
        (manifest.metric == Measure::Wdl, "--metric wdl"),
    ] {
        if given {
            text.push(' ');
            text.push_str(word);
        }
    }
    format!("{text} --out {} --resume", quoted(&folder.display().to_string()))
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-:,=+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// What the values tell, in the words of the game: only chess has a mate.
fn metric(opened: &Opened) -> String {
    let metric = opened.database.manifest().metric;
    let chess = opened.database.manifest().game.starts_with("chess");
    if metric == Measure::Dtm && !chess {
        "distance to the end of the game".to_string()
    } else {
        metric.to_string()
    }
}

/// "won", "drawn", "lost".
fn outcome(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "won",
        Value::Draw => "drawn",
        Value::Loss(_) => "lost",
    }
}

/// 12345678 bytes as "11.8 MiB".
fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut size = n as f64;
    let mut unit = "bytes";
    for next in UNITS {
        if size < 1024.0 {
            break;
        }
        (size, unit) = (size / 1024.0, next);
    }
    if unit == "bytes" { format!("{n} bytes") } else { format!("{size:.1} {unit}") }
}

/// 4000 seconds as "1 h 7 min".
pub(super) fn span(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.2} s"),
        10..120 => format!("{whole} s"),
        120..7_200 => format!("{} min {} s", whole / 60, whole % 60),
        7_200..172_800 => format!("{} h {} min", whole / 3600, whole / 60 % 60),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_spaces_and_quotes_are_written_as_a_shell_reads_them() {
        assert_eq!(quoted("games/chess:KRvK"), "games/chess:KRvK");
        assert_eq!(quoted("my games"), "'my games'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn sizes_and_times_are_written_for_people() {
        assert_eq!(bytes(77), "77 bytes");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
        assert_eq!(span(0.034), "0.03 s");
        assert_eq!(span(4000.0), "66 min 40 s");
        assert_eq!(span(1e6), "11.6 days");
    }
}
