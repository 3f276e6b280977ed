//! The words of `zug learn`.

use super::Overwrite;
use super::db::size;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  zug learn othello methods
  zug learn othello examples --method joint --data examples.zug --out model.zug --report report.html
  zug learn othello discordance --data examples.zug --feature mobility,edge --csv
  zug learn othello probcut --games wthor.tar.zst --out cuts.zug --report cuts.html
  zug learn othello tempo --games wthor.tar.zst --out corrected.zug --report tempo.html
  zug learn othello td --group F --experiments 3 --games 6500 --seed 1 --out runs/f
  zug learn connect-four td --games 20000 --out runs/four
  zug learn chess texel --data examples.zug --out model.zug --report report.html
  zug learn go patterns --method knn --experiment 9x9 --data games --out runs/nine")]
pub struct LearnArgs {
    /// The game
    pub game: String,
    #[command(subcommand)]
    pub what: LearnCommand,
}

#[derive(Subcommand)]
pub enum LearnCommand {
    /// The methods of fitting, and the features and models that can be named
    #[command(
        after_help = "With --json: an object with the lists methods, features and models, each of \
                      objects with name and help; and the same under td for learning by self-play, \
                      with the lists groups, methods, features and options; \
                      and under patterns for learning from records, a list of methods with name, help, \
                      experiments and options.\n\nExample:\n  zug learn othello methods"
    )]
    Methods {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Fit a model to labelled examples
    Examples(Box<LearnExamplesArgs>),
    /// Chess: fit the weights of all factors to results and scores, from zero
    #[command(
        after_help = "The same as 'examples --method texel'. White's expected points are a sigmoid of the sum of counts times weights; the weights begin at zero (or with --set start=MODEL) and make the cross entropy least, one fold of games being held out to judge by. Afterwards they are scaled such that losing a pawn costs 100 on average.
Settings (--set): scheme=phases|phases-plus|one|knightcap|thesis|clusters; target=result|score|mix:SHARE (the share of the results; the rest are scores of searches, through a sigmoid whose scale is fitted or given as scale=); ridge and tie (how strongly weights are pulled to zero, and the columns of a factor together); steps, patience, tolerance; compare=MODEL+MODEL; for clusters: clusters=FILE, or k= and soft=0|1; held-out=FOLD|none.
The result is the same for any number of threads.

Examples:
  zug learn chess texel --data examples.zug --out model.zug --report report.html --json
  zug learn chess texel --data a.zug b.zug --out model.zug --set target=mix:0.5 --set scheme=phases-plus
  zug learn chess texel --data a.zug --out model.zug --run run --resume"
    )]
    Texel(Box<LearnFitArgs>),
    /// Chess: find types of positions by expectation maximisation
    #[command(
        after_help = "The same as 'examples --method clusters'. The result is a model whose weights are zero; 'texel --set scheme=clusters --set clusters=FILE' and td learn weights for its types.
Settings (--set): k (the number of clusters), soft=0|1 (do positions between clusters belong to several?), em-steps.

Example:
  zug learn chess clusters --data examples.zug --set k=33 --out clusters.zug --report clusters.html"
    )]
    Clusters(Box<LearnFitArgs>),
    /// How often a feature orders two positions wrongly, at each stage of the game
    Discordance(LearnDiscordanceArgs),
    /// Look for the patterns with which a joint fit errs least on games that it has not seen
    PatternSearch(LearnSearchArgs),
    /// How well shallow searches foretell deep ones, and which cuts follow from that
    Probcut(Box<LearnProbcutArgs>),
    /// How much too well a model thinks of the side to move, and a model where that is taken off
    Tempo(Box<LearnTempoArgs>),
    /// Learn from games that one plays, against oneself or others, by temporal differences
    Td(Box<LearnTdArgs>),
    /// Learn from records which moves good players make
    Patterns(Box<LearnPatternsArgs>),
}

/// On what to learn, and with how much of the machine.
#[derive(Args, Clone)]
pub struct LearnDataArgs {
    /// Files of examples (see 'zug data GAME label')
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub data: Vec<PathBuf>,
    /// The fold of games that is held out to measure the error on (0 to 19)
    #[arg(long, value_name = "N")]
    pub fold: Option<u8>,
    /// A pattern: squares and runs of squares, or a name; may be given several times
    #[arg(long, value_name = "SQUARES")]
    pub pattern: Vec<String>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Memory that may be used: 256M, 4G; a joint fit that needs more is refused
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// An option of the method ('zug learn GAME methods' lists them); may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub options: Vec<(String, String)>,
}

#[derive(Args)]
#[command(
    after_help = "The model says in its header how it was made: command, seed, digest of the data, version.
With --json: an object with game, method, model, report (null without --report), seconds and figures. Figures holds data (the digest of the examples), examples (their number) and fit: what the method found, stage by stage. In Othello the methods of the thesis add training_examples, held_out_examples and discordance (training, held_out), and joint adds features (discordance curves to compare with).
A fit that is stopped (Ctrl-C) and has a folder (--run) goes on with the same command and --resume, where the method can.

Examples:
  zug learn othello examples --method logistic-plus --data examples.zug --out log-plus.zug --report log-plus.html
  zug learn othello examples --method fisher --data examples.zug --out f.zug --features mobility,edge --pattern a1-d1,a2-d2
  zug learn othello examples --method joint --data a.zug b.zug --out model.zug --report report.html --run run --memory 4G"
)]
pub struct LearnExamplesArgs {
    /// The method ('zug learn GAME methods' lists them)
    #[arg(long)]
    pub method: String,
    #[command(flatten)]
    pub data: LearnDataArgs,
    /// Where the model goes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Features by name, with commas; the method's own unless said otherwise
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// Keep the figures and checkpoints of the fit in this folder (see 'zug runs')
    #[arg(long, value_name = "DIR")]
    pub run: Option<PathBuf>,
    /// Go on with what an earlier fit has left in the folder of --run
    #[arg(long, requires = "run")]
    pub resume: bool,
    /// With --resume: begin again where no checkpoint is good any more
    #[arg(long, requires = "resume")]
    pub restart: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// A fit whose method is the verb itself.
#[derive(Args)]
pub struct LearnFitArgs {
    #[command(flatten)]
    pub data: LearnDataArgs,
    /// Where the model goes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Keep the figures and checkpoints of the fit in this folder (see 'zug runs')
    #[arg(long, value_name = "DIR")]
    pub run: Option<PathBuf>,
    /// Go on with what an earlier fit has left in the folder of --run
    #[arg(long, requires = "run")]
    pub resume: bool,
    /// With --resume: begin again where no checkpoint is good any more
    #[arg(long, requires = "resume")]
    pub restart: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl LearnFitArgs {
    /// The same as a fit by a method of this name.
    pub fn by(&self, method: &str) -> LearnExamplesArgs {
        LearnExamplesArgs {
            method: method.to_string(),
            data: self.data.clone(),
            out: self.out.clone(),
            report: self.report.clone(),
            features: Vec::new(),
            run: self.run.clone(),
            overwrite: self.overwrite,
            resume: self.resume,
            restart: self.restart,
            json: self.json,
        }
    }
}

#[derive(Args)]
#[command(
    after_help = "Of all pairs of positions where the feature of the first is at least as large, the share in which the first is in truth worse: 0 is perfect, 0.25 is blind.
With --json: an object with game, stage (what stages are counted in), features, and rows of stage, examples, values (null where there are no examples) and errors (standard errors of the values).

Examples:
  zug learn othello discordance --data examples.zug --feature mobility,potential-mobility,edge,corner2x4,corner2x5 --csv
  zug learn othello discordance --data examples.zug --pattern a1-d1,a2-d2 --report patterns.html"
)]
pub struct LearnDiscordanceArgs {
    #[command(flatten)]
    pub data: LearnDataArgs,
    /// Features by name, with commas
    #[arg(
        long = "feature",
        visible_alias = "features",
        value_name = "NAMES",
        value_delimiter = ','
    )]
    pub features: Vec<String>,
    /// Write a page with the curves
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print a table of comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Begins with the patterns named by --features (those of the joint fit unless said otherwise) and given by --pattern. In each round every pattern is left out once and every candidate is tried; the change that lowers the error on held-out games most is made.
Settings (--set), besides those of the joint fit: rounds, generated (random candidates a round), named=yes|no, least-gain.
Ctrl-C ends the search with what it has found.
With --json: an object with game, report, seconds and figures (data, examples, stopped, and search with patterns, error and trials).

Example:
  zug learn othello pattern-search --data examples.zug --set rounds=2 --set sample=0.1 --report search.html --json"
)]
pub struct LearnSearchArgs {
    #[command(flatten)]
    pub data: LearnDataArgs,
    /// Begin with these patterns, with commas between their names
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub features: Vec<String>,
    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PliesBelow {
    /// The better a move looks the likelier, as in the tree of an ordered search
    Ranked,
    /// All moves alike
    Random,
}

#[derive(Args)]
#[command(
    after_help = "Positions six plies below those of games are searched at full width to every depth, and late ones to the end. The value of each deep search is fitted as a line of the value of each shallow one; from the errors follows when a search may be left out (ProbCut). Without --games it plays games of its own. --deep-positions of each disc count are searched to --deep-depth and --deep-end, the others to --depth and --end; what lies beyond is carried on by a surface that is tried on the deepest searches.
A run that is stopped (Ctrl-C) goes on with the same command and --resume. The file is the same for any number of threads.
With --json: an object with game, cuts, report, games, seconds and figures: data (digest of the positions), positions, unit, steps_per_unit, model, model_digest, midgame and end (lists of discs, deep, shallow, n, a, b, sigma, r2, spread; the deep value of end is in hundredths of a disc) and validation (fitted_to_depth, tried_to_depth, pairs, bias, error).
Players use the file with cuts=FILE.

Examples:
  zug learn othello probcut --games wthor-1977-2023.tar.zst --out cuts.zug --report cuts.html
  zug learn othello probcut --positions 100 --depth 6 --every 4 --out quick.zug
  zug learn othello probcut --model logistic-plus --games games.txt --out log-plus-cuts.zug --json"
)]
pub struct LearnProbcutArgs {
    /// Files, folders or archives of games; without them it plays its own
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub games: Vec<PathBuf>,
    /// The evaluation: a shipped model or a file; the default one unless said otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub model: Option<String>,
    /// Positions of each disc count
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(4..=1_000_000))]
    pub positions: u32,
    /// Search them to all depths up to this one
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(3..=24))]
    pub depth: u32,
    /// Search them to the end with at most so many empty squares
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=30))]
    pub end: u32,
    /// So many of each disc count are searched deeper; a tenth unless said otherwise
    #[arg(long, value_name = "POSITIONS")]
    pub deep_positions: Option<u32>,
    /// Search these to all depths up to this one; four plies more unless said otherwise
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(3..=24))]
    pub deep_depth: Option<u32>,
    /// Search these to the end with at most so many empty squares; four more unless said otherwise
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u32).range(0..=30))]
    pub deep_end: Option<u32>,
    /// Only every so many disc counts
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub every: u32,
    /// How the six plies below a position of a game are played
    #[arg(long, value_enum, default_value_t = PliesBelow::Ranked)]
    pub below: PliesBelow,
    /// Memory of the tables of each thread
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    pub hash: u64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Where the cuts go
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Go on with what an interrupted run has left
    #[arg(long)]
    pub resume: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Positions of games are searched at full width to every depth. At odd depths one side is to move at the leaves, at even depths the other: half of the mean difference of neighbouring depths is what the evaluation thinks too well of the side to move, about the disc count of the leaves. With --out a table with a number for each disc count is fitted to half of the positions; the model with this table goes to --out, and the curve before and after is measured on the other half. Without --out the model is only measured. Without --games it plays games of its own.
The table is taken off each value, which costs no time. Cuts (probcut) that were fitted to the model before go on to be right.
A run that is stopped (Ctrl-C) goes on with the same command and --resume. The file is the same for any number of threads.
With --json: an object with game, model, out (null without --out), report, games, seconds and figures: data (digest of the positions), positions, before and after (lists of discs at the leaves, pairs, mean and its standard error, in discs), swing_before and swing_after (by how much neighbouring depths lie apart on average for no reason but the depth), taken_off (for 0 to 64 discs).

Examples:
  zug learn othello tempo --games wthor.tar.zst --out corrected.zug --report tempo.html
  zug learn othello tempo --model self-play --positions 40 --depth 6 --every 4"
)]
pub struct LearnTempoArgs {
    /// Files, folders or archives of games; without them it plays its own
    #[arg(long, num_args = 1.., value_name = "PATH")]
    pub games: Vec<PathBuf>,
    /// The model: a shipped one that is a sum of tables, or a file; the default one unless said otherwise
    #[arg(long, value_name = "NAME|FILE")]
    pub model: Option<String>,
    /// Positions of each disc count
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub positions: u32,
    /// Search them to all depths up to this one
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(3..=24))]
    pub depth: u32,
    /// Only every so many disc counts
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub every: u32,
    /// Memory of the tables of each thread
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    pub hash: u64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Where the corrected model goes
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page with tables and plots
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Go on with what an interrupted run has left
    #[arg(long, requires = "out")]
    pub resume: bool,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "The work happens in the folder of a run: how it was begun, where it stands, figures, checkpoints, results. 'zug runs report RUN' draws it. A run that was stopped (Ctrl-C) or killed goes on with the same command and --resume, and ends with the same files; chess tells what was found until then.
Chess: tests between learning often take longer than learning itself: test-games (100) against each of the testers (3) at each point of the curve (tests-at=4). --set test-games=20 --set tests-at=1 is quicker, test-games=0 leaves them out. All learn first; then the ends of the curves are tested, duels are played, and the rest of the curves is filled in.
'zug learn GAME methods' lists groups, methods, features and options with their defaults.
With --json: an object with game, run, seconds and figures (what the method found).

Examples:
  zug learn othello td --group F --experiments 3 --games 6500 --seed 1 --out runs/f
  zug learn othello td --method td-leaf --features patterns --games 100000 --out runs/patterns
  zug learn connect-four td --games 20000 --out runs/four --set lambda=0.7
  zug learn tic-tac-toe td --games 20000 --out runs/three
  zug learn chess td --experiment knightcap1 --games 308 --experiments 4 --seed 1 --out runs/knightcap1
  zug learn chess td --experiment fusc --games 119 --out runs/fusc --set nodes=5000 --set opponents='uci:cmd=stockfish,UCI_Elo=1350;zug:model=hand,nodes=400'"
)]
pub struct LearnTdArgs {
    /// A named configuration ('zug learn GAME methods' lists them)
    #[arg(long, visible_alias = "experiment", value_name = "NAME")]
    pub group: Option<String>,
    /// The method
    #[arg(long)]
    pub method: Option<String>,
    /// The set of features
    #[arg(long, value_name = "NAME")]
    pub features: Option<String>,
    /// Learn the same several times from other random beginnings
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub experiments: Option<u32>,
    /// Games of each experiment
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub games: Option<u64>,
    /// An option of the method; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub options: Vec<(String, String)>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The folder of the run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Go on with what an interrupted run has left in the folder
    #[arg(long)]
    pub resume: bool,
    /// With --resume: begin again where no checkpoint is good any more
    #[arg(long, requires = "resume")]
    pub restart: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Records are files, folders and tar archives of games, packed with zstd or not. What cannot be used (broken, of another size, with illegal moves, set up, twice the same) is counted by its reason and left out; it is an error only if nothing is left.
The result is the same for any number of threads. A run that was stopped (Ctrl-C) or killed goes on with the same command and --resume, and ends with the same model.
Go, --method knn: patterns of the k nearest neighbours, after a thesis; --out is the folder of a run (model.zug, report.html, figures; see 'zug runs'). Experiments: 9x9, 19x19, opening, stages, filtering, k.
Go, --method bt (the default): a model of patterns in many sizes, tactics and factors; --out is the file of the model, the state of the work lies beside it (FILE.parts) until it is done. The board size is that of the game: go, go:9x9. Games after --until are what the model is tested on.
'zug learn GAME methods' lists methods, experiments and options with their defaults.
With --json: an object with game, method, out, seconds and figures (what the method found).

Examples:
  zug learn go patterns --method bt --data games --until 2011 --out model.zug --report model.html
  zug learn go:9x9 patterns --method bt --data games9 --until 2017 --out nine.zug --set least=8 --set thin=8 --set passes=20 --set batch=3
  zug learn go patterns --method knn --experiment 9x9 --data games --out runs/nine
  zug learn go patterns --method knn --experiment 19x19 --data games --out runs/large --set draws=3 --set gnugo=off
  zug learn go patterns --method knn --experiment k --data games/pro9.tar.zst --out runs/k --json"
)]
pub struct LearnPatternsArgs {
    /// The method ('zug learn GAME methods' lists them)
    #[arg(long)]
    pub method: Option<String>,
    /// A named configuration of the method
    #[arg(long, value_name = "NAME")]
    pub experiment: Option<String>,
    /// Files, folders and archives of records
    #[arg(long, required = true, num_args = 1.., value_name = "PATH")]
    pub data: Vec<PathBuf>,
    /// Only games of this year and later
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1..=9999))]
    pub from: Option<u16>,
    /// Only games of this year and before
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1..=9999))]
    pub until: Option<u16>,
    /// Where the result goes: the folder of a run, or the file of a model, as the method has it
    #[arg(long, value_name = "PATH")]
    pub out: PathBuf,
    /// Write a page with tables and plots, where the result is no run with a page of its own
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// An option of the method; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = key_value)]
    pub options: Vec<(String, String)>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Go on with what an interrupted process has left
    #[arg(long)]
    pub resume: bool,
    /// With --resume: begin again where no checkpoint is good any more
    #[arg(long, requires = "resume")]
    pub restart: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("expected KEY=VALUE".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_pairs() {
        assert_eq!(key_value("steps = 4"), Ok(("steps".into(), "4".into())));
        assert_eq!(key_value("a=b=c"), Ok(("a".into(), "b=c".into())));
        assert!(key_value("steps").is_err());
        assert!(key_value("=4").is_err());
    }
}
