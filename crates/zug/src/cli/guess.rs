//! The words of `zug guess`.

use super::Overwrite;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Three kinds of questions:
One position: of a record (FILE, --move N: the position in which move N was made, so that the move can be shown with its rank; without it the end of the game), in the game's notation (--position), or after lines of the Go Text Protocol (--gtp: boardsize, play, undo, fixed_handicap, loadsgf; 'genmove COLOUR' at the end says who is asked). Handicap and set-up stones are welcome.
A whole game: --annotate writes the record again with the rank and the probability of each move of the main line and the likeliest moves, as comments and labels; all else in the file stays.
Many games: --test FILES reads records (files, folders, archives) and tells how often the move that was played was among the first 1 to 50 guesses, its mean rank and its mean log-likelihood (natural logarithm), for each stage of the game and in all. Passes are not guessed. Moves that are equally likely share their places. A move that the model gives no chance counts with a probability of 0.000001. Intervals hold the truth 95 times of 100; positions of one game depend on each other, so games are the units (errors of ratios, clustered by game).
Models: a name or a file; 'zug guess GAME --models' lists the names. A player with a limit, such as zug:playouts=1000, is a model too: a move is as likely as the share of its visits. It is slow, so --games and --every choose fewer positions.

With --json, for a position: model, source, size, move, moves_in_game, to_move, position, last_move, guesses_in_all, guesses (rank, move, probability), played (move, rank, equally_likely, probability; null at the end of a game) and microseconds. With --annotate: model and games (for black, white and both: moves, top1, top5, top10, mean_rank, log_likelihood). With --test: model, games, positions, skipped (a count for each reason), faults (name, why), microseconds_per_position and positions_per_second (on one thread, guessing alone), total and stages (from, to), each with games, positions, given_no_chance, accuracy (m, value, low, high for m = 1 to 50), mean_rank and log_likelihood; and baseline with the same.

Examples:
  zug guess go game.sgf --move 40 --top 10
  zug guess go game.sgf --move 40 --svg heat.svg --png heat.png --json
  zug guess go --position '9/9/2X3O2/9/4X4/9/2O3X2/9/9 white' --model uniform
  printf 'boardsize 9\\nplay b e5\\n' | zug guess go --gtp -
  zug guess go game.sgf --annotate remarks.sgf
  zug guess go --test games/ --from 2012 --games 1000 --seed 1 --model model.zug --baseline uniform --json
  zug guess go --test games/ --from 2012 --games 100 --every 40 --model zug:playouts=1000 --baseline patterns")]
pub struct GuessArgs {
    /// The game
    pub game: String,
    /// A record
    #[arg(conflicts_with_all = ["position", "gtp", "test", "models"])]
    pub file: Option<PathBuf>,
    /// Ask about the position in which this move was made, from 1 on
    #[arg(long = "move", value_name = "N", requires = "file", conflicts_with = "annotate")]
    pub at: Option<u32>,
    /// Which game of the file, from 1 on
    #[arg(
        long,
        value_name = "N",
        requires = "file",
        conflicts_with = "annotate",
        default_value_t = 1
    )]
    pub record: usize,
    /// Ask about a position in the game's notation
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["gtp", "test"], allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Ask about the position after lines of the Go Text Protocol; '-' reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    pub gtp: Option<PathBuf>,
    /// Judge the guesses on records: files, folders, archives
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<PathBuf>,
    /// A model by name or file; the one that comes with the program unless said otherwise
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// How many moves to tell (and to note at each move of an annotated game)
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=361))]
    pub top: u16,
    /// Draw the position with its guesses as SVG
    #[arg(long, value_name = "FILE", conflicts_with_all = ["test", "annotate"])]
    pub svg: Option<PathBuf>,
    /// Draw the position with its guesses as PNG
    #[arg(long, value_name = "FILE", conflicts_with_all = ["test", "annotate"])]
    pub png: Option<PathBuf>,
    /// Write the record with remarks at each move
    #[arg(long, value_name = "FILE", requires = "file")]
    pub annotate: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// With --test: another model, judged on the same positions
    #[arg(long, value_name = "MODEL", requires = "test")]
    pub baseline: Option<String>,
    /// With --test: only games from this year on
    #[arg(long, value_name = "YEAR", requires = "test")]
    pub from: Option<u16>,
    /// With --test: only games up to this year
    #[arg(long, value_name = "YEAR", requires = "test")]
    pub until: Option<u16>,
    /// With --test: only boards of this size; all that the model knows unless said otherwise
    #[arg(long, value_name = "N", requires = "test")]
    pub size: Option<usize>,
    /// With --test: so many games, drawn at random
    #[arg(long, value_name = "N", requires = "test", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// With --test: moves of a stage; 50, or 15 on small boards, unless said otherwise
    #[arg(long, value_name = "N", requires = "test", value_parser = clap::value_parser!(u32).range(1..))]
    pub stage: Option<u32>,
    /// With --test: ask about every Nth position only, in each game from a random one of the first N on
    #[arg(long, value_name = "N", requires = "test", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Seed of the drawing of games and positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads for --test
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// List the models that can be named
    #[arg(long, conflicts_with_all = ["test", "position", "gtp", "annotate"])]
    pub models: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
