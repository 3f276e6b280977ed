//! The words of `zug db`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  zug db build chess:KRvKN --out krkn
  zug db stats krkn
  zug db probe krkn '8/8/8/8/8/2k5/1n6/K6R w - - 0 1'
  zug db play krkn")]
pub struct DbArgs {
    #[command(subcommand)]
    pub what: DbCommand,
}

#[derive(Subcommand)]
pub enum DbCommand {
    /// Solve a game, or every ending of some chess men, and keep the value of every position
    Build(DbBuildArgs),
    /// How many positions are won, lost and drawn, and in how many plies
    Stats(DbStatsArgs),
    /// The value of a position and of every move
    Probe(DbProbeArgs),
    /// Prove a database: all checksums, and that every value follows from its successors
    Verify(DbVerifyArgs),
    /// What is in a database, how large it is, how it was made
    Info(DbInfoArgs),
    /// Memory, disk and time that a build would take, and how good the index is
    Estimate(DbEstimateArgs),
    /// Play against the perfect player, with the value of every position
    Play(DbPlayArgs),
}

/// What the values of a database tell.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DbMetric {
    /// Plies to the end of the game
    Dtm,
    /// Plies to the end of the game or to the next capture or promotion
    Dtc,
    /// Won, drawn or lost
    Wdl,
}

/// How to solve.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DbMethod {
    /// Messages between regions of cells: all cores, stage by stage
    Fast,
    /// The basic algorithm of the thesis
    Basic,
    /// The counter algorithm of the thesis
    Counters,
}

/// Which kind of piece carries the symmetry table.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum DbReference {
    /// The one with the fewest pieces: a small table
    #[default]
    Fewest,
    /// The one with the most pieces: a larger table, often fewer slots
    Most,
}

/// How positions are numbered.
#[derive(Args, Clone)]
pub struct DbIndexArgs {
    /// Chess: all endings of up to so many men, both kings counted
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=8))]
    pub men: Option<u8>,
    /// Number every position by itself, also those that differ by a turn or reflection of the board
    #[arg(long)]
    pub no_symmetry: bool,
    /// Number both of two positions that differ by a swap of colours
    #[arg(long)]
    pub no_mirror: bool,
    /// The kind of piece that carries the symmetry table
    #[arg(long, value_enum, default_value = "fewest")]
    pub reference: DbReference,
}

#[derive(Args)]
#[command(
    after_help = "A build that is stopped (Ctrl-C) or killed goes on with the same command and --resume, behind the last finished stage; the files come out the same to the byte.

Examples:
  zug db build dodgem:4x4 --out dodgem
  zug db build chess:KRvKN --out krkn --threads 2
  zug db build chess --men 4 --out four --resume
  zug db build losing-ttt:4x4 --out ttt --method counters --cache 2.5%"
)]
pub struct DbBuildArgs {
    /// The game, with options: dodgem:4x4, losing-ttt:4x4, chess:KRvKN, ...
    pub game: String,
    /// The folder of the database; must be new or empty
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    pub index: DbIndexArgs,
    /// What the values tell
    #[arg(long, value_enum, default_value = "dtm")]
    pub metric: DbMetric,
    /// Store one side to move only; a look one ply ahead gives the other: half the size, slower to ask
    #[arg(long)]
    pub one_side: bool,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Memory that the program may have resident: 256M, 4G; at least 40M is used. What does not fit is
    /// solved in files, on as many of the threads as the memory allows
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// Go on with what an earlier run has left in the folder
    #[arg(long)]
    pub resume: bool,
    /// How to solve
    #[arg(long, value_enum, default_value = "fast")]
    pub method: DbMethod,
    /// With the methods of the thesis: keep the values in a file, with a cache of this share of it
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub cache: Option<f64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "'Reduced' counts positions that differ by a symmetry once, 'full' counts each of them. The CSV table has the counts as they are stored unless --full or --reduced says otherwise.

Examples:
  zug db stats krkn
  zug db stats krkn --csv --full > krkn.csv
  zug db stats krkn --stages"
)]
pub struct DbStatsArgs {
    /// The folder of the database
    pub dir: PathBuf,
    /// Every position counted
    #[arg(long, conflicts_with = "reduced")]
    pub full: bool,
    /// Each class of equivalent positions counted once
    #[arg(long)]
    pub reduced: bool,
    /// A line for each stage, too
    #[arg(long)]
    pub stages: bool,
    /// Print a table of comma-separated values
    #[arg(long, conflicts_with_all = ["json", "stages"])]
    pub csv: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Examples:
  zug db probe krkn '8/8/8/8/8/2k5/1n6/K6R w - - 0 1'
  zug db probe dodgem start --json")]
pub struct DbProbeArgs {
    /// The folder of the database
    pub dir: PathBuf,
    /// A position in the game's notation, or 'start'
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "The exit code is 1 if anything is wrong.

Examples:
  zug db verify krkn
  zug db verify krkn --files --json")]
pub struct DbVerifyArgs {
    /// The folder of the database
    pub dir: PathBuf,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Checksums only
    #[arg(long)]
    pub files: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:\n  zug db info krkn --json")]
pub struct DbInfoArgs {
    /// The folder of the database
    pub dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Slots and stages are exact. Fill and processor time come from a short try on cells drawn at random; memory and disk from what other databases took. Nothing is built.

Examples:
  zug db estimate chess:KRPvKR
  zug db estimate chess --men 5 --memory 8G
  zug db estimate morris --reference most --placed --min-men 3"
)]
pub struct DbEstimateArgs {
    /// The game, with options
    pub game: String,
    #[command(flatten)]
    pub index: DbIndexArgs,
    /// Only positions with nothing left in reserve (all men placed)
    #[arg(long)]
    pub placed: bool,
    /// Only positions with at least so many men on each side
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_men: u32,
    /// Would it fit into so much memory?
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Seconds for the try
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,
    /// A line for each part: piece counts and side to move
    #[arg(long)]
    pub parts: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DbOutcome {
    /// Won for the side to move
    Won,
    /// Drawn
    Drawn,
    /// Lost for the side to move
    Lost,
}

#[derive(Args)]
#[command(after_help = "You play the side to move; type 'values' to see what each move is worth.

Examples:
  zug db play dodgem
  zug db play krkn --position '4n3/8/3K4/7k/8/8/2R5/8 w - - 0 1'
  zug db play krkn --random won --seed 3")]
pub struct DbPlayArgs {
    /// The folder of the database
    pub dir: PathBuf,
    /// Begin at this position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Begin at a position of this value, drawn at random
    #[arg(long, value_name = "OUTCOME", value_enum, conflicts_with = "position")]
    pub random: Option<DbOutcome>,
    /// Let the database play both sides
    #[arg(long)]
    pub both: bool,
    /// Seed of the dice
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Do not show values unless asked
    #[arg(long)]
    pub blind: bool,
    /// Draw with plain letters
    #[arg(long)]
    pub ascii: bool,
}

/// "256M", "4G", "1000000": bytes.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as 256M or 4G".to_string();
    let text = text.trim().trim_end_matches(['B', 'b', 'i']);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(wrong()),
    };
    let number: f64 = digits.parse().map_err(|_| wrong())?;
    let bytes = number * (1u64 << shift) as f64;
    if bytes >= 1.0 && bytes < 2f64.powi(63) { Ok(bytes as u64) } else { Err(wrong()) }
}

/// "2.5%" or "2.5".
fn percent(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.trim().trim_end_matches('%').parse();
    number
        .ok()
        .filter(|n| *n >= 0.0 && *n <= 100.0)
        .ok_or_else(|| "expected a share from 0% to 100%".to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.parse();
    number
        .ok()
        .filter(|n| *n > 0.0 && *n <= 3600.0)
        .ok_or_else(|| "expected seconds, up to 3600".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_shares_are_read_with_their_units() {
        assert_eq!(size("256M"), Ok(256 << 20));
        assert_eq!(size("1.5GiB"), Ok(3 << 29));
        assert_eq!(size("4k"), Ok(4096));
        assert_eq!(size("77"), Ok(77));
        for bad in ["", "M", "0", "-1G", "12X", "1e99", "nan"] {
            assert!(size(bad).is_err(), "{bad}");
        }
        assert_eq!(percent("2.5%"), Ok(2.5));
        for bad in ["", "%", "101", "-1%", "nan"] {
            assert!(percent(bad).is_err(), "{bad}");
        }
    }
}
