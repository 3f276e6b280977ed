//! The words of `zug runs`.

use super::Overwrite;
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
    /// One run: how it was begun, where it stands, its last figures, its weights; or a model, or a player that learns
    #[command(
        after_help = "Weights are shown of runs of chess (td), of its models and of folders in which a player learns (zug:td=FOLDER): square tables as boards, coloured on a terminal, and the largest changes.\n\nWith --json: an object with folder, config (what run.toml holds), state, step, updated, message, lines (of figures), last (the last of them) and weights (of, types, shown, minus, values by factor, changed, largest); of a model the weights alone, of a player also folder, learned, won, drawn, lost and seen (its types).\n\nExamples:\n  zug runs show runs/first --json\n  zug runs show runs/fusc --types 23,5            # the difference between two types\n  zug runs show runs/fusc --games 0,119           # what was learned\n  zug runs show model.zug --against td-leaf --groups all  # models of the same types\n  zug runs show learned --types ending --against one.zug  # a type and a model of one column"
    )]
    Show {
        /// The folder of a run or of a player that learns, or a model by name or file
        #[arg(value_name = "RUN|MODEL")]
        dir: PathBuf,
        #[command(flatten)]
        look: LookArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Draw the figures and weights of a run or of two, or the weights of a model, on a page
    #[command(
        after_help = "Examples:\n  zug runs report runs/first --out first.html\n  zug runs report runs/first --against runs/second --out both.html\n  zug runs report model.zug --against td-leaf --out model.html"
    )]
    Report {
        /// The folder of a run or of a player that learns, or a model by name or file
        #[arg(value_name = "RUN|MODEL")]
        dir: PathBuf,
        /// A run that the run is compared with, by its folder; or a model for a model, by name or file
        #[arg(long, value_name = "RUN|MODEL")]
        against: Option<String>,
        /// Where the page goes; report.html in the folder, drawn again each time, unless said otherwise
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        overwrite: Overwrite,
    },
}

/// Which weights are shown.
#[derive(Args, Default)]
pub struct LookArgs {
    /// Weights of this type (by number or name), or the first type minus the second
    #[arg(long, value_name = "A[,B]", value_delimiter = ',')]
    pub types: Vec<String>,
    /// Weights after so many games, or the change between two such points
    #[arg(long, value_name = "A[,B]", value_delimiter = ',')]
    pub games: Vec<u64>,
    /// The difference to another model, by name or file
    #[arg(long, value_name = "MODEL")]
    pub against: Option<String>,
    /// Groups of weights, or all; material and square tables unless said otherwise
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    pub groups: Vec<String>,
    /// The experiment of the run; the first unless said otherwise
    #[arg(long, value_name = "NAME")]
    pub experiment: Option<String>,
}
