//! The words of `zug data`.

use super::Overwrite;
use super::db::size;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:
  zug data chess stats games.pgn
  zug data chess label games.pgn.zst --out examples.zug
  zug data chess generate --games 20000 --nodes 5000 --model model.zug --out examples.zug
  zug data othello convert games.wtb games.ggf
  zug data othello label games.wtb --out examples.zug --exact-from 44
  zug data othello openings --out openings.txt")]
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
        after_help = "Complete games, games that stop early, games with illegal moves and records that cannot be read are told apart. Games that merely stop early are no failure; illegal and unreadable ones are, since this verb is there to find them (label leaves them out and goes on). Files and archives in folders that cannot be read are named, counted and passed over.

Examples:
  zug data chess stats games.pgn
  zug data go stats records/ --json
  zug data othello stats wthor.tar.zst
  zug data othello stats examples.zug
  zug data chess stats examples.zug --json"
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
        #[command(flatten)]
        overwrite: Overwrite,
        /// Leave broken records out instead of stopping
        #[arg(long)]
        skip_broken: bool,
    },
    /// Make labelled examples of games, to learn from
    Label(Box<LabelArgs>),
    /// Play training games, an engine against itself (chess: as labelled examples)
    Generate(Box<GenerateArgs>),
    /// Look for mistakes that changed the outcome of games, and play the better lines out
    Correct(Box<CorrectArgs>),
    /// Find openings that are fair to both sides, for matches
    Openings(Box<OpeningsArgs>),
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
    after_help = "The label of a position is its NegaMax value in the tree of all games, positions that differ by a symmetry being one; with --exact-from, late positions are solved and the tree builds on them. Games that are broken or illegal are counted, the first ten are told about, and the rest is labelled; it is a failure only if no example is left, and then no file is written. Games are dealt to 20 folds by their moves. Interrupted work lies in a folder beside the result (OUT.work), and --resume goes on with it.
In chess the label of a position is the result of its game. Games are read from PGN, labelled positions from EPD (c9 \"1-0\", c0, [0.5], and ce as the score of a search). Only quiet positions become examples: nobody is in check, and no sequence of captures gains anything by the evaluation of --model (the hand-made one unless said otherwise).

Examples:
  zug data chess label games.pgn.zst positions.epd --out examples.zug --skip 16 --share 0.3
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
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Othello: solve every position with at least so many discs
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u32).range(4..=64))]
    pub exact_from: Option<u32>,
    /// Othello: label earlier positions by a search of so many plies instead of by the tree
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub search_depth: Option<u32>,
    /// The evaluation of that search (chess: the one by which positions are quiet): the name or file of a model, or 'hand'
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Chess: leave out so many plies at the beginning of each game; 12 unless said otherwise
    #[arg(long, value_name = "PLIES")]
    pub skip: Option<usize>,
    /// Chess: take this share of the other positions, by lot; 1 unless said otherwise
    #[arg(long, value_parser = share)]
    pub share: Option<f64>,
    /// Othello: what to do with games that stop early; skip unless said otherwise
    #[arg(long, value_enum)]
    pub unfinished: Option<UnfinishedGames>,
    /// Seed of the dealing to folds
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Othello: memory for sorting (256M, 4G); 1G unless said otherwise
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// Othello: memory of each thread's solver; 64M unless said otherwise
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub hash: Option<u64>,
    /// Othello: threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Othello: go on with interrupted work
    #[arg(long)]
    pub resume: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl LabelArgs {
    pub fn unfinished(&self) -> UnfinishedGames {
        self.unfinished.unwrap_or(UnfinishedGames::Skip)
    }

    pub fn memory(&self) -> u64 {
        self.memory.unwrap_or(1 << 30)
    }

    pub fn hash(&self) -> u64 {
        self.hash.unwrap_or(64 << 20)
    }
}

/// Who plays, and with how much of the machine.
#[derive(Args)]
pub struct TrainingPlayerArgs {
    /// The evaluation: the name or file of a model, or 'hand'; the one that comes with the program unless said otherwise
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Othello: plies of search for each move; 4 unless said otherwise
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub depth: Option<u32>,
    /// Othello: play perfectly from so many discs on; 50 unless said otherwise
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u32).range(4..=64))]
    pub exact_from: Option<u32>,
    /// Othello: memory of each thread's engine; 16M unless said otherwise
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub hash: Option<u64>,
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

impl TrainingPlayerArgs {
    pub fn depth(&self) -> u32 {
        self.depth.unwrap_or(4)
    }

    pub fn exact_from(&self) -> u32 {
        self.exact_from.unwrap_or(50)
    }

    pub fn hash(&self) -> u64 {
        self.hash.unwrap_or(16 << 20)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TrainingPlayer {
    /// The engine, as --model and --depth say
    Engine,
    /// The evaluation made by hand, one ply ahead: weak and quick
    Fast,
}

#[derive(Args)]
#[command(
    after_help = "In chess, games begin with --random-plies random moves (8 unless said otherwise, or one more) that are about equal, both sides look at --nodes positions for each move, and what is written is a file of labelled examples: every quiet position with the score of its search and the result of its game.
Othello: openings that differ by a symmetry are one: there are 10,649 of 7 plies. The same seed gives the same games, whatever the number of threads. Interrupted work lies beside the result, and --resume goes on with it.

Examples:
  zug data othello generate --openings 7 --out games.txt --depth 6 --exact-from 44
  zug data othello generate --random-plies 12 --games 20000 --noise 0.05 --seed 7 --out mixed.txt
  zug data othello generate --openings 7 --out games.txt --player fast
  zug data chess generate --games 20000 --nodes 5000 --model model.zug --out examples.zug
  zug data chess generate --games 1000000 --time 120s --nodes 300 --model zero --shake 50 --out first.zug"
)]
pub struct GenerateArgs {
    /// Begin with every opening of so many plies (at most 9)
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=9), conflicts_with = "random_plies")]
    pub openings: Option<u32>,
    /// Begin with so many random plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=60))]
    pub random_plies: Option<u32>,
    /// Games with each opening
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "openings")]
    pub games_per_opening: u32,
    /// Games in all, with random openings
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000), conflicts_with = "openings")]
    pub games: u32,
    /// Write the games here; the ending chooses the format
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Othello: who plays; the engine unless said otherwise
    #[arg(long, value_enum)]
    pub player: Option<TrainingPlayer>,
    /// The share of moves before --exact-from that are random ones: 0 to 1
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    pub noise: f64,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub playing: TrainingPlayerArgs,
    #[command(flatten)]
    pub chess: ChessGenerateArgs,
}

impl GenerateArgs {
    pub fn player(&self) -> TrainingPlayer {
        self.player.unwrap_or(TrainingPlayer::Engine)
    }
}

/// What only games of chess have.
#[derive(Args)]
#[command(next_help_heading = "Chess")]
pub struct ChessGenerateArgs {
    /// Positions to look at for each move; 5000 unless said otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: Option<u64>,
    /// Begin no game after this time (how many games there are then depends on the machine)
    #[arg(long, value_name = "TIME", value_parser = super::duration)]
    pub time: Option<std::time::Duration>,
    /// Shake the evaluation by up to so many hundredths of a pawn, another way in each game
    #[arg(long, value_name = "HUNDREDTHS", value_parser = clap::value_parser!(i32).range(0..=10_000))]
    pub shake: Option<i32>,
    /// Draw an opening anew that is better than this for one side; 300 unless said otherwise
    #[arg(long, value_name = "HUNDREDTHS", value_parser = clap::value_parser!(i32).range(0..=100_000))]
    pub balance: Option<i32>,
    /// A game is won when the scores of both sides agree on this much for five plies; 1000 unless said otherwise
    #[arg(long, value_name = "HUNDREDTHS", value_parser = clap::value_parser!(i32).range(100..=400_000))]
    pub win_score: Option<i32>,
    /// Late in a game, so many plies with scores near 0 are a draw; never unless said otherwise
    #[arg(long, value_name = "PLIES")]
    pub draw_plies: Option<u32>,
    /// Games that last longer are drawn; 400 plies unless said otherwise
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(10..=10_000))]
    pub most_plies: Option<u32>,
}

impl ChessGenerateArgs {
    /// Is anything of it asked for?
    pub fn is_given(&self) -> bool {
        self.nodes.is_some()
            || self.time.is_some()
            || self.shake.is_some()
            || self.balance.is_some()
            || self.win_score.is_some()
            || self.draw_plies.is_some()
            || self.most_plies.is_some()
    }
}

fn share(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number from 0 to 1".to_string())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("expected 0 to 1".to_string()) }
}

#[derive(Args)]
#[command(
    after_help = "The games become one tree. Where its mover loses or draws by it, the engine looks for a move that no game has tried and that changes the outcome; the latest such mistake of each game is corrected, and the new lines are written. Label them together with the old games, and repeat as long as something is found.

Examples:
  zug data othello correct games.txt --model model.zug --depth 8 --out corrected.txt
  zug data othello label games.txt corrected.txt --out examples.zug --exact-from 44"
)]
pub struct CorrectArgs {
    /// Record files, folders or archives (.tar, .tar.zst) of them
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Write the new games here; the ending chooses the format
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Look for mistakes from so many discs on
    #[arg(long, value_name = "DISCS", default_value_t = 16, value_parser = clap::value_parser!(u32).range(4..=64))]
    pub from: u32,
    /// ... and up to so many
    #[arg(long, value_name = "DISCS", default_value_t = 58, value_parser = clap::value_parser!(u32).range(4..=64))]
    pub to: u32,
    /// How sure a search that does not see the end must be, in discs (for models of log-odds: in hundredths of them)
    #[arg(long, value_name = "DISCS", default_value_t = 4.0)]
    pub margin: f64,
    #[command(flatten)]
    pub playing: TrainingPlayerArgs,
}

#[derive(Args)]
#[command(
    after_help = "An opening is fair if a search finds it worth about nothing for either side. No two lead to positions that differ by a symmetry only, and the same seed gives the same openings, whatever the number of threads.

Examples:
  zug data othello openings --plies 8 --count 200 --out openings.txt
  zug match zug:model=new.zug,depth=6 zug:model=old.zug,depth=6 --game othello --openings openings.txt --games 400"
)]
pub struct OpeningsArgs {
    /// The length of the openings
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=9))]
    pub plies: u32,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=400_000))]
    pub count: u32,
    /// Write them here; the ending chooses the format
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Plies of search for each opening
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=60))]
    pub depth: u32,
    /// The most that an opening may be worth for either side (models of log-odds: ten discs are one)
    #[arg(long, value_name = "DISCS", default_value_t = 1.0, value_parser = discs, allow_negative_numbers = true)]
    pub within: f64,
    /// The evaluation: the name or file of a model, or 'hand'; the one that comes with the program unless said otherwise
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// The seed of the choice
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

fn discs(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "expected a number of discs".to_string())?;
    if (0.0..=64.0).contains(&value) { Ok(value) } else { Err("expected 0 to 64 discs".into()) }
}
