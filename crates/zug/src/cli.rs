//! The words of the command line. Help texts, completions and the manual page all come from here.

// What a word means is in its help, which clap takes from the doc comments; the rest needs no other.
#![allow(missing_docs)]

mod analyse;
mod bench;
mod book;
mod data;
mod db;
mod eval;
mod explore;
mod guess;
mod learn;
mod runs;
mod serve;
mod solve;

pub use analyse::AnalyseArgs;
pub use bench::*;
pub use book::*;
pub use data::*;
pub use db::*;
pub use eval::EvalArgs;
pub use explore::ExploreArgs;
pub use guess::GuessArgs;
pub use learn::*;
pub use runs::*;
pub use serve::ServeArgs;
pub use solve::*;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// A workbench for two-player board games: play, measure, learn.
#[derive(Parser)]
#[command(name = "zug", version, propagate_version = true)]
#[command(after_help = "Examples:
  zug play othello                       # play against Zug in the terminal
  zug games                              # what is here, and what each game can do
  zug match zug:depth=4 random --game chess --games 10
  zug engine uci                         # be a chess engine for any GUI")]
pub struct Cli {
    /// Say more about what is going on (-vv: much more); goes to stderr
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// What games are here, and what each can do
    Games(GamesArgs),
    /// Play in the terminal
    Play(PlayArgs),
    /// The board in the browser: play, analyse, look things up, watch learning
    Serve(ServeArgs),
    /// Values and best lines for the moves of a position; what each move of a game has cost
    Analyse(AnalyseArgs),
    /// The exact value of a late position by search, or of each position of a file
    Solve(SolveArgs),
    /// Perfect-play databases: solve a game, ask for the value of any position
    Db(DbArgs),
    /// Learn evaluations from labelled examples or from self-play; judge features
    Learn(LearnArgs),
    /// What a model makes of a position, or of each position of a file
    Eval(EvalArgs),
    /// Which moves would a good player look at? In a position, in a game, in many games
    Guess(Box<GuessArgs>),
    /// What was played in this position before? Openings and corners in game records
    Explore(Box<ExploreArgs>),
    /// Books that learn: make, show, check, tend
    Book(BookArgs),
    /// Learning runs: list, show, draw
    Runs(RunsArgs),
    /// Count the leaves of the move tree: correctness and speed of the rules
    Perft(PerftArgs),
    /// Let players play each other, with Elo and error bars
    Match(Box<MatchArgs>),
    /// Be an engine for a GUI, over standard input and output
    Engine(EngineArgs),
    /// Records of games in and out of every format; examples to learn from
    Data(DataArgs),
    /// The published figures of speed, measured here and now
    Bench(BenchArgs),
    /// Completions for a shell, printed
    #[command(
        after_help = "Example:\n  zug completions bash > ~/.local/share/bash-completion/completions/zug"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The manual page, printed, or all pages written to a folder
    #[command(after_help = "Example:\n  zug man | man -l -")]
    Man {
        /// Write one page for each verb into this folder
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  zug games
  zug games --json
  zug games show dodgem:4x4
  zug games check dodgem:4x4"
)]
pub struct GamesArgs {
    #[command(subcommand)]
    pub what: Option<GamesCommand>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum GamesCommand {
    /// Test the rules of a game against themselves: random play, notation, symmetry, index, un-move against move
    #[command(after_help = "Example:\n  zug games check dodgem:4x4 --seed 7")]
    Check {
        /// The game, with options: dodgem:4x4
        game: String,
        /// Seed of the random games
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// One game: its start position, players, formats
    #[command(after_help = "Example:\n  zug games show go:9x9")]
    Show {
        /// The game, with options
        game: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// How long the players think.
#[derive(Args, Clone, Default)]
pub struct LimitArgs {
    /// Plies of search for each move
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Positions (or playouts) for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Time for each move: 50ms, 2s, 1m
    #[arg(long, value_parser = duration)]
    pub movetime: Option<Duration>,
}

impl LimitArgs {
    /// As limits, with a default when nothing was said.
    pub fn limits(&self, default: Duration) -> zug_core::Limits {
        let unsaid = self.depth.is_none() && self.nodes.is_none() && self.movetime.is_none();
        zug_core::Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.or(unsaid.then_some(default)),
            ..Default::default()
        }
    }
}

/// What is there already is never overwritten unasked.
#[derive(Args, Clone, Copy, Default)]
pub struct Overwrite {
    /// Replace files that are there already, and give up interrupted work
    #[arg(long)]
    pub force: bool,
}

fn duration(text: &str) -> Result<Duration, String> {
    zug_core::limits::parse_duration(text)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a duration such as 50ms, 2s or 1m".to_string())
}

#[derive(Args)]
#[command(
    after_help = "A player is NAME[:key=value,...]: human, zug, zug:depth=4, mcts, random, uci:cmd=stockfish, ...
The first side is played by a person unless said otherwise; type 'help' while playing.

Examples:
  zug play othello
  zug play chess --white zug --black human --movetime 2s
  zug play go:9x9 --white gtp:cmd=\"gnugo --mode gtp\"
  zug play dodgem:4x4 --first zug --second random"
)]
pub struct PlayArgs {
    /// The game, with options: othello, chess, go:9x9, tictactoe, ...
    pub game: String,
    /// Who plays black
    #[arg(long, value_name = "PLAYER")]
    pub black: Option<String>,
    /// Who plays white
    #[arg(long, value_name = "PLAYER")]
    pub white: Option<String>,
    /// Who moves first (for games without black and white)
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["black", "white"])]
    pub first: Option<String>,
    /// Who moves second
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["black", "white"])]
    pub second: Option<String>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Begin at this position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Begin with the first game of this record file
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub load: Option<PathBuf>,
    /// Write the record here when the game ends
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Seed of players that throw dice
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Draw with plain letters
    #[arg(long)]
    pub ascii: bool,
    /// Do not mark the legal moves
    #[arg(long)]
    pub no_hints: bool,
}

#[derive(Args)]
#[command(after_help = "The last line is the number of leaves alone.

Examples:
  zug perft othello --depth 9
  zug perft chess --depth 5 --divide
  zug perft chess --position '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' --depth 4
  zug perft chess --attacks rotated --depth 5")]
pub struct PerftArgs {
    /// The game
    pub game: String,
    /// How deep to count
    #[arg(long)]
    pub depth: u32,
    /// Begin at this position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Show the leaves below each move
    #[arg(long)]
    pub divide: bool,
    /// Chess on a plain board, with this way to find the attacks of rooks and bishops
    #[arg(long, value_enum, conflicts_with = "divide")]
    pub attacks: Option<AttacksBy>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AttacksBy {
    /// Occupied squares in one order, hashed by a multiplication
    Magic,
    /// Occupied squares in four orders (rotated bitboards)
    Rotated,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// Universal Chess Interface
    Uci,
    /// Chess Engine Communication Protocol, of xboard and WinBoard
    Cecp,
    /// Go Text Protocol; serves every game
    Gtp,
    /// NBoard, for Othello
    Nboard,
}

#[derive(Args)]
#[command(after_help = "Examples:
  zug engine uci
  zug engine uci bench
  xboard -fcp 'zug engine cecp'
  zug engine gtp --game go:9x9 --player mcts:playouts=5000
  zug engine gtp --game dodgem:4x4
  zug engine nboard")]
pub struct EngineArgs {
    /// The protocol to speak
    pub protocol: Protocol,
    /// A command of the protocol, which is all that is heard; standard input otherwise
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,
    /// The game; chess for uci and cecp, go for gtp, othello for nboard unless said otherwise
    #[arg(long)]
    pub game: Option<String>,
    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "zug")]
    pub player: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Schedule {
    /// Everyone against everyone
    RoundRobin,
    /// The first player against each of the others
    Gauntlet,
}

#[derive(Args)]
#[command(
    after_help = "A player is NAME[:key=value,...]. Built in: zug, pvs, mcts, random (see 'zug games show GAME').
Foreign engines: uci:cmd=PROGRAM,Option=value  cecp:cmd=PROGRAM  gtp:cmd=\"PROGRAM ARGS\"  nboard:cmd=PROGRAM
Openings are played twice with colours swapped. A player that learns from game to game (zug:book=FILE,learn=on) meets the same opening again and again: games then begin at the start unless openings are asked for, and are played one after the other. Limits in a player's own options come before those of the match.

Examples:
  zug match zug:depth=3 random --game othello --games 20 --seed 1 --json
  zug match zug:movetime=50ms uci:cmd=/usr/games/stockfish,UCI_LimitStrength=true,UCI_Elo=1350 --game chess --games 4
  zug match zug zug:null=off --game chess --tc 10+0.1 --sprt 0,10 --games 2000 --out games.pgn --journal m.jsonl
  zug match zug mcts random --game connect4 --schedule round-robin --games 20 --movetime 50ms"
)]
pub struct MatchArgs {
    /// Two or more players
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    pub players: Vec<String>,
    /// The game, with options
    #[arg(long, default_value = "othello")]
    pub game: String,
    /// Games for each pair of players; an even number is fair to the colours
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Who meets whom when there are more than two players
    #[arg(long, value_enum, default_value = "round-robin")]
    pub schedule: Schedule,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Clocks: SECONDS+INCREMENT or MOVES/SECONDS+INCREMENT, such as 10+0.1 or 40/60
    #[arg(long, value_name = "CLOCK", conflicts_with = "movetime")]
    pub tc: Option<String>,
    /// Time over the limit that is forgiven
    #[arg(long, value_parser = duration, default_value = "100ms", value_name = "TIME")]
    pub margin: Duration,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub concurrency: u32,
    /// Openings: a file of positions or records (EPD, FEN, PGN, SGF, transcripts, ...)
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Without a file: begin with so many random plies (each opening is different)
    #[arg(long, value_name = "PLIES")]
    pub opening_plies: Option<u32>,
    /// Seed of openings and of players that throw dice
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Stop early by a sequential test: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA
    #[arg(long, value_name = "ELO0,ELO1")]
    pub sprt: Option<String>,
    /// Call a game lost when a player's own value stays below this for --resign-moves moves (in hundredths)
    #[arg(long, value_name = "SCORE")]
    pub resign_score: Option<i32>,
    /// See --resign-score
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub resign_moves: u32,
    /// Call a game drawn when both players' values stay within this for --draw-moves moves (in hundredths)
    #[arg(long, value_name = "SCORE")]
    pub draw_score: Option<i32>,
    /// See --draw-score
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub draw_moves: u32,
    /// Not before this move of the game: see --draw-score
    #[arg(long, default_value_t = 34, value_name = "N")]
    pub draw_after: u32,
    /// Call a game drawn after so many plies
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u32>,
    /// Write the games here; the ending chooses the format
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Keep results here; the same command goes on where it was stopped (--force begins again)
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,
    /// Where a player learns: draw the first player's score, game after game, into this file (SVG)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Elo of the first player, to which the ratings of a tournament are fixed
    #[arg(long, value_name = "ELO")]
    pub anchor: Option<f64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
