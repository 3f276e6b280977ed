//! The words of `zug runs`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "A run is the folder of one learning job: how it was begun, where it stands, its figures and checkpoints.

Examples:
  zug runs list runs
  zug runs show runs/first
  zug runs report runs/first"
)]
pub struct RunsArgs {
    #[command(subcommand)]
    pub what: RunsCommand,
}

#[derive(Subcommand)]
pub enum RunsCommand {
    /// All runs in a folder
    #[command(
        after_help = "With --json: a list of objects with folder, task, game, state, step, updated and message, or with folder and error for a run that cannot be read.\n\nExample:\n  zug runs list runs --json"
    )]
    List {
        /// A folder of runs
        #[arg(default_value = ".")]
        dir: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// One run: how it was begun, where it stands, its last figures
    #[command(
        after_help = "With --json: an object with folder, config (what run.toml holds), state, step, updated, message, lines (of figures) and last (the last of them).\n\nExample:\n  zug runs show runs/first --json"
    )]
    Show {
        /// The folder of the run
        dir: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Draw the figures of a run: a page with a plot for each
    #[command(after_help = "Example:\n  zug runs report runs/first --out first.html")]
    Report {
        /// The folder of the run
        dir: PathBuf,
        /// Where the page goes; report.html in the folder unless said otherwise
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}
