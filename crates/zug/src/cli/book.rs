//! The words of `zug book`.

use super::{LimitArgs, Overwrite};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "A book holds the positions of stored games, what each is worth by their results, and for each the best move that was not played yet. Players use it with zug:book=FILE, and with learn=on they add their games to it.

Examples:
  zug book build othello games.wtb --min-games 3 --plies 24 --out book.zug
  zug book show book.zug f5d6c3
  zug match zug:depth=4,book=book.zug,learn=on zug:depth=8 --game othello --games 100"
)]
pub struct BookArgs {
    #[command(subcommand)]
    pub what: BookCommand,
}

#[derive(Subcommand)]
pub enum BookCommand {
    /// Make a book from records of games, and let it play against itself
    Build(Box<BookBuildArgs>),
    /// Add games to a book, and search the alternatives of their positions
    Add(BookAddArgs),
    /// What a book knows of a position: moves, values, chances, names
    Show(BookShowArgs),
    /// Test a book: whole, without circles, legal, in agreement with itself
    Check(BookCheckArgs),
    /// Look into suspicious positions by self-play, and solve endgames a few plies earlier
    Tend(BookTendArgs),
    /// Search every alternative anew, as after a change of the evaluation
    Reevaluate(BookReevaluateArgs),
    /// Write the lines of a book as records, or its positions as JSON lines
    Export(BookExportArgs),
    /// Copy a book, such as the shipped one, so that it can learn
    Copy(BookCopyArgs),
}

/// Who judges, and how hard.
#[derive(Args, Clone)]
pub struct BookJudge {
    /// Who searches the alternatives and plays
    #[arg(long, value_name = "PLAYER", default_value = "zug")]
    pub player: String,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Where a game can be solved: cut games at the first position with so many empty squares, and solve it (0: never)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub exact: u32,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

#[derive(Args)]
#[command(
    after_help = "Each game goes in up to the first position that can be solved, or its end; or up to the first position that --min-games, --plies or --positions leave out, which then counts as not decided and is valued by search. Without a limit, alternatives are searched to a depth of 10 plies. Work goes to OUT.journal as it is done; after a crash or Ctrl-C the same command with --resume goes on, and ends with the same bytes (with limits by depth or nodes).

Examples:
  zug book build othello wthor.tar.zst --min-games 4 --plies 24 --positions 20000 --depth 14 --out book.zug
  zug book build chess games.pgn --plies 20 --min-games 2 --depth 8 --out chess-book.zug
  zug book build connect4 --self-play 50 --depth 6 --out c4.zug"
)]
pub struct BookBuildArgs {
    /// The game, with options
    pub game: String,
    /// Records: files, folders, archives; none for a book by self-play alone
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Only positions that were seen in so many games
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub min_games: u32,
    /// Only the first plies of each game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub plies: Option<u32>,
    /// Only the most frequent positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    pub positions: u32,
    /// Games of the book against itself, after the records
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub self_play: u32,
    /// Seed of the self-play
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Names of openings: lines of a name, a tab and its moves
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    #[command(flatten)]
    pub judge: BookJudge,
    /// Go on where the same command was broken off
    #[arg(long)]
    pub resume: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Where there is no such book yet, it begins with these games: say --game then.

Examples:
  zug book add book.zug game.ggf
  zug book add book.zug f5d6c3d3c4f4f6 --result 0-1
  zug book add new.zug games.pgn --game chess --depth 6"
)]
pub struct BookAddArgs {
    /// The book
    pub book: PathBuf,
    /// Files of records, or the moves of a game
    #[arg(required = true, value_name = "GAME")]
    pub games: Vec<String>,
    /// The result of games that do not tell it: 1-0 (the first side won), 0-1 or 1/2
    #[arg(long, value_name = "RESULT", value_enum)]
    pub result: Option<ResultWord>,
    /// The game of a book that is not there yet
    #[arg(long)]
    pub game: Option<String>,
    #[command(flatten)]
    pub judge: BookJudge,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResultWord {
    /// The first side won
    #[value(name = "1-0")]
    First,
    /// The second side won
    #[value(name = "0-1")]
    Second,
    /// A draw
    #[value(name = "1/2")]
    Draw,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DrawsWord {
    /// As draws
    Neutral,
    /// As lost for the side to move
    Avoid,
}

#[derive(Args)]
#[command(
    after_help = "Values are from the view of the side to move. 'tree' is the result of the stored games with best play, 'chance' what the line leads to if both sides know the book: a result, or the value of the position where one of them leaves it.

Examples:
  zug book show book.zug
  zug book show book.zug f5d6c3d3c4 --json
  zug book show shipped '---------------------------OX------XO--------------------------- X'"
)]
pub struct BookShowArgs {
    /// The book: a file, or 'shipped'
    pub book: String,
    /// A position in notation, moves from the start, or 'start'
    #[arg(default_value = "start", allow_hyphen_values = true)]
    pub position: String,
    /// How draws count
    #[arg(long, value_enum, default_value = "neutral")]
    pub draws: DrawsWord,
    /// The game whose shipped book is meant
    #[arg(long, default_value = "othello")]
    pub game: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Exit status 1 when something is wrong with the book.

Example:
  zug book check book.zug")]
pub struct BookCheckArgs {
    /// The book: a file, or 'shipped'
    pub book: String,
    /// The game whose shipped book is meant
    #[arg(long, default_value = "othello")]
    pub game: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "Suspicious are positions that are not won for the side to move in the stored games, but have an alternative of good chances. The alternative is played out by self-play, and the game is stored.

Examples:
  zug book tend book.zug --list
  zug book tend book.zug --games 32 --depth 12
  zug book tend book.zug --games 0 --earlier 3"
)]
pub struct BookTendArgs {
    /// The book
    pub book: PathBuf,
    /// Games from suspicious positions, at most
    #[arg(long, default_value_t = 16, value_name = "N")]
    pub games: u32,
    /// What an alternative must be worth to be good, in the unit of the evaluation
    #[arg(long, default_value_t = 0.5, value_name = "X", allow_hyphen_values = true, value_parser = worth)]
    pub least: f64,
    /// Solve positions so many plies before those where games are cut
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=8))]
    pub earlier: u32,
    /// Only list the suspicious positions; then the book may be 'shipped'
    #[arg(long)]
    pub list: bool,
    /// The game whose shipped book is meant
    #[arg(long, default_value = "othello")]
    pub game: String,
    #[command(flatten)]
    pub judge: BookJudge,
    /// Go on where the same command was broken off
    #[arg(long)]
    pub resume: bool,
    /// Give up the work of a command that was broken off, and begin again
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:
  zug book reevaluate book.zug --player zug:model=new.zug --depth 14 --threads 16")]
pub struct BookReevaluateArgs {
    /// The book
    pub book: PathBuf,
    #[command(flatten)]
    pub judge: BookJudge,
    /// Go on where the same command was broken off
    #[arg(long)]
    pub resume: bool,
    /// Give up the work of a command that was broken off, and begin again
    #[arg(long, conflicts_with = "resume")]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(
    after_help = "The ending chooses: .jsonl for one position a line, a format of records for the lines of the book.

Examples:
  zug book export book.zug --out lines.txt
  zug book export shipped --out positions.jsonl"
)]
pub struct BookExportArgs {
    /// The book: a file, or 'shipped'
    pub book: String,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// The game whose shipped book is meant
    #[arg(long, default_value = "othello")]
    pub game: String,
}

#[derive(Args)]
#[command(after_help = "Example:
  zug book copy shipped my.zug")]
pub struct BookCopyArgs {
    /// The book: a file, or 'shipped'
    pub from: String,
    /// The file to write
    pub to: PathBuf,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// The game whose shipped book is meant
    #[arg(long, default_value = "othello")]
    pub game: String,
}

/// What a position may be worth: a number with a meaning as hundredths.
fn worth(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let number = number.filter(|x| x.abs() <= 1e6);
    number.ok_or_else(|| "expected a number from -1000000 to 1000000".to_string())
}
