//! The words of `zug explore`.

use super::Overwrite;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "A question is a position in the game's notation, FILE:MOVE (the position in which that move of a record was made; without a number the end of the game), a list of moves ('e4 c5', 'f5d6c3', 'Q16 D4 Q3'), or 'start'.
The answer: the moves that were played there, how often, with what results, in which years and whose games. Positions that other orders of moves or a turned board lead to are one; moves are shown as the question lies. A game counts once for a position.
--depth shows how the three most frequent moves go on; games are counted position by position, whatever the order of moves that led there.
--build writes an index of all games, which answers in milliseconds; without one all records are read first. Records that are broken are counted and named, and do not end the work; of games that are there twice (same moves, players, event, date and round) one counts.
--names gives openings their names: lines with a name, a tab and moves, or the columns eco, name and pgn. A folder means its .tsv and .txt files. With --build they go into the index; names that come with the program (Othello) are there without it.

Go alone: positions that are the same but for turning and mirroring are one; where the question is symmetric itself, moves are shown in the upper right. Ko and captured stones are not looked at. --corner and --region ask about a part of the board: its stones must be as in the question, all others may lie anywhere. As long as the stones of the part do not change it is one find, at the first position in which the side to move of the question is to move. Moves outside the part are counted as 'elsewhere'. Corners are quarters of the board with the lines in the middle; finds with exchanged colours count too unless --colours same is given.

With --json: game, source, games_searched, position, to_move, sides, name, games_found, wins (of the first side, draws, of the second), unknown, moves (move, shown, kind, times, share, wins, unknown, won_by_mover: points with draws as halves, first_year, last_year, rating, performance), moves_in_all, games (number, players, ratings, event, date, year, winner, result, file, game_in_file, ply, played, shown), lines (move, shown, times, share, won_by_mover, then) and milliseconds (search, all); without an index also skipped and faults. With --build: games, files, moves, positions, positions_shared, names, bytes, bytes_per_game, bytes_per_position, seconds, skipped, faults.
Go with --json: game, source, games_searched, position, to_move, part, colours_exchanged, finds, games_found, moves (move, kind, times, share, wins, losses, undecided, won_by_mover, first_year, last_year, decades, games: the last three), moves_in_all, games (number: with an index, black, white, event, date, year, result, file, ply, move_number, played), lines and milliseconds. With --build: games, files, moves, positions_listed, corners_listed, bytes, seconds, skipped.

Examples:
  zug explore chess --data games.pgn 'e4 c5'
  zug explore chess --data games.pgn.zst --names eco/ --build index.zug
  zug explore chess --data index.zug 'd4 Nf6 c4 e6' --player carlsen --from 2010
  zug explore othello --data wthor.tar.zst f5d6
  zug explore go --data games/ --build index.zug
  zug explore go --data index.zug game.sgf:12 --depth 4 --json
  zug explore go --data index.zug 'Q16 D4 R14' --corner top-right
  zug explore go --data index.zug 'Q16 D4 Q3' --player 'cho chikun'
  zug explore go --data index.zug 'R16 R14' --region L10:T19 --colours same --from 2000"
)]
pub struct ExploreArgs {
    /// The game; its options say which board a list of moves is for: chess, othello:6x6, go:9x9
    pub game: String,
    /// A position, FILE:MOVE, a list of moves, or 'start'
    #[arg(conflicts_with = "build", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// An index, or records: a file, a folder or an archive; --data again for more of them
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// Write an index of the records here
    #[arg(long, value_name = "FILE")]
    pub build: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Names of openings: a file or a folder; --names again for more of them
    #[arg(long, value_name = "FILE")]
    pub names: Vec<PathBuf>,
    /// Only games of players whose names have these words
    #[arg(long, value_name = "NAME", conflicts_with = "build")]
    pub player: Option<String>,
    /// Go: only a corner: top-left, top-right, bottom-left, bottom-right; that of the last move unless said
    #[arg(long, value_name = "CORNER", num_args = 0..=1, conflicts_with_all = ["region", "build"])]
    pub corner: Option<Option<String>>,
    /// Go: only a rectangle, by two of its corners: L10:T19
    #[arg(long, value_name = "FROM:TO", conflicts_with = "build")]
    pub region: Option<String>,
    /// Go: do positions with the colours exchanged count? 'both' for parts of the board unless said otherwise
    #[arg(long, value_parser = ["same", "both"], conflicts_with = "build")]
    pub colours: Option<String>,
    /// Only games from this year on
    #[arg(long, value_name = "YEAR")]
    pub from: Option<u16>,
    /// Only games up to this year
    #[arg(long, value_name = "YEAR")]
    pub until: Option<u16>,
    /// With --build, Go: only boards of this size
    #[arg(long, value_name = "N", requires = "build")]
    pub size: Option<usize>,
    /// How many moves to tell
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub top: u16,
    /// How many games to name
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(0..=10000))]
    pub games: u16,
    /// Name the latest games, not those of the strongest players; Go always does
    #[arg(long, conflicts_with = "build")]
    pub latest: bool,
    /// How many moves the lines go on
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=12))]
    pub depth: u8,
    /// Threads; all cores unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
