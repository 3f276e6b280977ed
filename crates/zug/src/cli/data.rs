//! The words of `zug data`.

use super::db::size;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  zug data chess stats games.pgn
  zug data othello convert games.wtb games.ggf
  zug data othello label games.wtb --out examples.zug --exact-from 44")]
pub struct DataArgs {
    /// The game
    pub game: String,
    #[command(subcommand)]
    pub what: DataCommand,
}

#[derive(Subcommand)]
pub enum DataCommand {
    /// Read files of records or of examples and tell what is in them; broken ones are reported with their place
    #[command(
        after_help = "Complete games, games that stop early, games with illegal moves and records that cannot be read are told apart. Games that merely stop early are no failure.

Examples:
  zug data chess stats games.pgn
  zug data go stats records/ --json
  zug data othello stats wthor.tar.zst
  zug data othello stats examples.zug"
    )]
    Stats {
        /// Record files, folders or archives (.tar, .tar.zst) of them; or files of examples
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Show every reason, not only the first ten
        #[arg(long)]
        all: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Convert records from one format to another
    #[command(after_help = "Example:\n  zug data othello convert games.wtb games.ggf")]
    Convert {
        /// What to read
        input: PathBuf,
        /// What to write; the ending chooses the format
        output: PathBuf,
        /// Leave broken records out instead of stopping
        #[arg(long)]
        skip_broken: bool,
    },
    /// Merge games into one tree and label its positions, to learn from
    Label(Box<LabelArgs>),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnfinishedGames {
    /// Leave them out
    Skip,
    /// Take their positions as far as they can be labelled
    Solve,
}

#[derive(Args)]
#[command(
    after_help = "The label of a position is its NegaMax value in the tree of all games, positions that differ by a symmetry being one; with --exact-from, late positions are solved and the tree builds on them. Games are dealt to 20 folds by their moves. Interrupted work lies in a folder beside the result, and --resume goes on with it.

Examples:
  zug data othello label games.wtb more.ggf records/ --out examples.zug
  zug data othello label wthor.tar.zst --out examples.zug --exact-from 44 --threads 8
  zug data othello label wthor.tar.zst --out examples.zug --exact-from 44 --resume"
)]
pub struct LabelArgs {
    /// Record files, folders or archives (.tar, .tar.zst) of them
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The file of examples
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Solve every position with at least so many discs
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u32).range(4..=64))]
    pub exact_from: Option<u32>,
    /// What to do with games that stop early
    #[arg(long, value_enum, default_value = "skip")]
    pub unfinished: UnfinishedGames,
    /// Seed of the dealing to folds
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Memory for sorting: 256M, 4G
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "1G")]
    pub memory: u64,
    /// Memory of each thread's solver
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "64M")]
    pub hash: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Go on with interrupted work
    #[arg(long)]
    pub resume: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
