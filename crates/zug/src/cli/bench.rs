//! The words of `zug bench`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use zug_core::limits::parse_duration;

#[derive(Args)]
#[command(
    after_help = "Without --experiment: speed of rules, evaluations and searches, of all games or of one. Speeds are measured on one thread unless the name says otherwise. Ratios hold within one run only: machines differ, and are busy.
Experiments (Othello); the first three repeat those of the thesis and print its figures beside ours:
  probcut     selective search against full width at equal time and at half the time
  percentile  the same for several confidences: is there a best one?
  endcut      decision searches with and without cuts on positions that a heuristic search gets wrong
  depth       the depth reached in 1 s and 10 s (or --movetime), from the start and from 20 openings
  scaling     the cost of exact solving by empty squares (--games positions of each), with its growth
Limits by time depend on the load of the machine; '--by nodes' gives every move the same number of positions instead. Matches are resumed from the folder of --run. Ctrl-C ends the experiment with what has been played.
With --json: an object with version and measurements (name, unit, per_second, per_cpu_second, units, seconds, cpu_seconds); for an experiment an object with experiment, settings, points (or positions and rows) and, beside each, what the thesis found.

A suite (chess): the player looks at each position for --movetime, --nodes or --depth. A position is solved if the move that it chooses at the end is right; told are also the time and the nodes after which it chose this move and stayed with it. Points are told where the file gives them.
With --json: an object with suite, player, limit, positions, solved, points, most_points (null without points), nodes, seconds (of searching), wall_seconds and results (line, id, expected, move, solved, points, score, depth, nodes, seconds, solved_seconds, solved_nodes).

The signature (--signature, chess): the positions that a fixed search counts, which are the same on every machine until the search, the evaluation or the model changes. The exit code is 1 when they are not those of this version's own list. 'zug engine uci bench' counts the same.
With --json: an object with game, depth, nodes, seconds, nodes_per_second, signature (null at another depth) and same.

The server (--clients): so many clients analyse positions of several games at once, each for --movetime (1s) of thinking, at a 'zug serve' that is started for this. Every one must get lines and an end.
With --json: an object with clients, answered, failed, failures (the first few, in words), first_lines_ms and done_ms (median, p95, most), wall_seconds, server_peak_mib.

Examples:
  zug bench
  zug bench --only perft --json
  zug bench othello --seconds 1
  zug bench chess --signature
  zug bench othello --experiment probcut --quick --json
  zug bench othello --experiment percentile --games 400 --movetime 20ms --threads 16 --run percentile
  zug bench othello --experiment endcut --positions critical.txt --json
  zug bench chess --suite wac.epd --movetime 1s --json
  zug bench chess --suite sts.epd --nodes 100000 --player zug:off=null --threads 4
  zug bench --clients 200 --json"
)]
pub struct BenchArgs {
    /// Only what belongs to this game
    pub game: Option<String>,
    /// An experiment instead of measurements of speed
    #[arg(long, value_enum, group = "work")]
    pub experiment: Option<Experiment>,
    /// Solve the positions of a chess suite (EPD with bm, am or points) instead
    #[arg(long, value_name = "FILE", groups = ["work", "plies"])]
    pub suite: Option<PathBuf>,
    /// Count the positions of the fixed search that tells whether the engine is still the same
    #[arg(long, groups = ["work", "plies"])]
    pub signature: bool,
    /// Load 'zug serve' with so many analysing clients at once instead
    #[arg(long, value_name = "N", group = "work", value_parser = clap::value_parser!(u32).range(1..=2000))]
    pub clients: Option<u32>,
    /// Who solves the suite
    #[arg(long, value_name = "PLAYER", default_value = "zug", requires = "suite")]
    pub player: String,
    /// Plies for each position of a suite or of the signature
    #[arg(long, value_name = "N", requires = "plies", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub depth: Option<u32>,
    /// Only the measurements, or the points of an experiment, whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Seconds to spend on each measurement
    #[arg(long, default_value_t = 2.0)]
    pub seconds: f64,
    /// An experiment of a few seconds: shows that it works, and nothing else
    #[arg(long, requires = "experiment")]
    pub quick: bool,
    /// Games for each point of an experiment (400; quick: 2)
    #[arg(long, requires = "experiment", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: Option<u32>,
    /// What is the same for both sides of a match
    #[arg(long, value_enum, default_value_t = Equal::Time)]
    pub by: Equal,
    /// Time for a move (20ms; quick: 2ms), for each position of a suite or of each client (1s)
    #[arg(long, requires = "work", value_name = "TIME", value_parser = time)]
    pub movetime: Option<Duration>,
    /// Nodes for a move, with '--by nodes' (50000; quick: 1000), or for each position of a suite
    #[arg(long, requires = "work", value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    pub nodes: Option<u64>,
    /// Openings of the games, each played with both colours; fair ones of its own otherwise
    #[arg(long, requires = "experiment", value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Critical positions of endcut: read from here if the file is there, else made and written here
    #[arg(long, requires = "experiment", value_name = "FILE")]
    pub positions: Option<PathBuf>,
    /// Keep the games in this folder, and go on with those that are there
    #[arg(long, requires = "experiment", value_name = "DIR")]
    pub run: Option<PathBuf>,
    /// Games or positions at once; all cores unless said otherwise (one for a suite by time)
    #[arg(long, requires = "work", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Seed of openings and positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Experiment {
    /// Selective search against full width
    Probcut,
    /// How certain should cuts be?
    Percentile,
    /// Decision searches on critical positions
    Endcut,
    /// How deep a player looks in one second and in ten
    Depth,
    /// How the cost of solving grows with the empty squares
    Scaling,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Equal {
    /// The same time for every move
    Time,
    /// The same number of positions for every move
    Nodes,
}

fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text)
        .filter(|t| !t.is_zero())
        .ok_or_else(|| "expected a time such as 20ms or 1.5s".to_string())
}
