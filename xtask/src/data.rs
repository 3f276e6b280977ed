//! Chores that hold our rules and readers against large files of counts and games.
//!
//! The files are not part of the repository; `--data DIR` says where they are.

use crate::stop;
use anyhow::{Result, bail};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where the files are.
#[derive(clap::Args)]
pub struct Options {
    /// The folder that holds `chess`, `go` and `othello`
    #[arg(long, value_name = "DIR", default_value = "../shared/data")]
    data: PathBuf,
}

/// Where the files are, and how much to count.
#[derive(clap::Args)]
pub struct PerftOptions {
    #[command(flatten)]
    files: Options,
    /// Skip counts of more leaves than this
    #[arg(long, value_name = "N", default_value_t = u64::MAX)]
    most: u64,
}

impl Options {
    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.data.join(name);
        if !folder.is_dir() {
            bail!("there is no folder {} (--data DIR)", folder.display());
        }
        Ok(folder)
    }
}

/// All published counts of chess moves.
pub fn perft_chess(options: &PerftOptions) -> Result<String> {
    stop::sum_up_on_interrupt("perft-chess")?;
    if cfg!(debug_assertions) {
        eprintln!("this counts billions of moves; `cargo xtask-fast perft-chess` is faster");
    }
    let folder = options.files.folder("chess")?.join("perft");
    let report = zug_chess::chores::perft_files(&folder, options.most, &mut io::stdout())?;
    let summary = format!(
        "{} counts of {} positions, {} left out, {} leaves in {:.1?}",
        report.counted, report.positions, report.skipped, report.nodes, report.elapsed
    );
    if !report.mismatches.is_empty() {
        bail!("{summary}: {} differ", report.mismatches.len());
    }
    Ok(format!("{summary}: all agree"))
}

/// Suites, books and games of chess.
pub fn chess(options: &Options) -> Result<String> {
    check(options, "chess", |folder, out| {
        let wrong = zug_chess::chores::read_data(folder, out)?;
        for line in &wrong {
            writeln!(out, "{line}")?;
        }
        Ok(wrong.is_empty())
    })
}

/// Games of Go.
pub fn go(options: &Options) -> Result<String> {
    check(options, "go", zug_go::chores::check_data)
}

/// Games and positions of Othello.
pub fn othello(options: &Options) -> Result<String> {
    check(options, "othello", zug_othello::chores::check_data)
}

fn check(
    options: &Options,
    game: &str,
    read: impl Fn(&Path, &mut dyn Write) -> io::Result<bool>,
) -> Result<String> {
    stop::sum_up_on_interrupt(game)?;
    let (folder, began) = (options.folder(game)?, Instant::now());
    let sound = read(&folder, &mut io::stdout().lock())?;
    let summary = format!("{} read in {:.1?}", folder.display(), began.elapsed());
    if !sound {
        bail!("{summary}: not all is as expected");
    }
    Ok(format!("{summary}: all as expected"))
}
