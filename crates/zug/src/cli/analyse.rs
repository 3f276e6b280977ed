//! The words of `zug analyse`.

use super::{LimitArgs, Overwrite};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "A position is shown with its best moves. A game (a file of records, or its moves on the command line) is walked through from the end to the beginning: every position is valued, and what each move cost is told for both sides. Values with decimals are estimates; late positions are searched to the end where the game has such a search and --movetime suffices, and these are exact. Where it is proven who wins, but not by how much, that is told in words. A move is worth what the position after it is worth, and a position at least as much as the move that was played there; so no move raises the value of its own side. What a move cost is found by one search of the move and the best one; before it counts as an error, a search of four times that length must agree, in Othello with at most 24 empty squares a search to the end. So a game takes longer than its positions times --movetime. Times are turned into numbers of positions: with one thread, two runs say the same. Accuracy is the share of moves, where there was a choice, that were no errors.
Losses are graded in discs where values are discs (Othello), elsewhere in percent of the chance to win (chess, Go, all others). --error and --blunder take that unit. A move that provably turns a won game into a lost one is a blunder, and one that throws away the win or the draw an error, however little it costs.

With --json, for one position: an object with game, position, to_move, move, unit (what estimates count), and lines (objects with rank, move, value (null where only the winner is proven), proven, proven_winner (the side that wins, where it is not known by how much; else null), bound (null, at_least or at_most), win_rate, lead, depth, nodes, visits, prior, seconds, line); for a file of positions a list of these, with text.
For games: an object with game, player, limits, unit (of losses: discs or percent), value_unit, error_from, blunder_from, stopped, and games: objects with number, tags, result, plies, exact_from (the first move before which every value is exact, or null), sides (by name: moves, lost, lost_exactly, errors, blunders, accuracy) and moves: objects with ply (from 1), side, position, move, played and best_value (objects with value, for the side that moves, null where only the winner is proven, exact, chance to win from 0 to 1, and proven_winner), best, line, others (with --lines), depth, choice, lost, exact, unexplained (what the value fell by without a fault in this move), mark (error, blunder or null), threw_away.

Examples:
  zug analyse othello start --depth 8
  zug analyse othello game.wtb --movetime 200ms --report report.html
  zug analyse othello games.ggf --game 3-5 --json
  zug analyse othello f5d6c3d3c4f4f6f3e6e7 --report report.html
  zug analyse chess 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 3' --lines 3
  zug analyse chess game.pgn --ply 20
  zug analyse chess wac.epd --movetime 200ms
  zug analyse othello fforum.obf --json"
)]
pub struct AnalyseArgs {
    /// The game
    pub game: String,
    /// A position in the game's notation, 'start', a record file, the moves of a game, or a file of positions (EPD, OBF)
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Of a record: only the position after this many plies
    #[arg(long)]
    pub ply: Option<usize>,
    /// Of a record file: this game, or these (3-7); the first unless said otherwise
    #[arg(long = "game", value_name = "N", conflicts_with = "ply")]
    pub games: Option<String>,
    /// Write the analysis of games as a page of HTML
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// A move that costs this much is an error: discs in Othello (2), else percent of the chance to win (10)
    #[arg(long, value_name = "LOSS")]
    pub error: Option<f64>,
    /// A move that costs this much is a blunder: discs in Othello (6), else percent of the chance to win (20)
    #[arg(long, value_name = "LOSS")]
    pub blunder: Option<f64>,
    /// Who analyses
    #[arg(long, value_name = "PLAYER", default_value = "zug")]
    pub player: String,
    /// Seed of players that throw dice
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many best moves to show: 5 for a position, 1 for those of a game unless said otherwise
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub lines: Option<u16>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
