//! Developer chores that are too long for CI. `cargo xtask help` lists them.
//!
//! Each chore can be interrupted with Ctrl-C and ends with one line that sums it up; it fails when
//! something is wrong.

mod data;
mod databases;
mod fuzz;
mod judge;
mod licences;
mod picture;
mod stop;
mod tablebases;

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use zug_fuzz::allocations::CountingAllocator;

// Only fuzzing looks at the counters; the other chores do not notice.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Developer chores that are too long for CI.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Make every published count of chess moves and compare
    PerftChess(data::PerftOptions),
    /// Read all suites, books and games of chess
    ChessData(data::Options),
    /// Read all games of Go
    GoData(data::Options),
    /// Read all games and positions of Othello
    OthelloData(data::Options),
    /// Judge tournament games of Othello, and test every mark by longer searches
    OthelloJudge(judge::Options),
    /// Feed mutated inputs to every parser, within bounds of memory and time
    FuzzMillion(fuzz::Options),
    /// Write the part of the fuzz corpus that the games play by themselves
    FuzzCorpus,
    /// Check that no dependency has a licence that we cannot take
    Licences,
    /// Compare our chess endings with the tables of Syzygy and Gaviota, position by position
    Tablebases(tablebases::Options),
    /// Compare what `zug db estimate` says with the processor time of twenty builds
    Estimates(databases::EstimateOptions),
    /// Build a database with little memory and look how much was resident
    Memory(databases::MemoryOptions),
    /// Draw terminal output from standard input as an SVG picture for the documentation
    Picture {
        /// What to write
        file: std::path::PathBuf,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.chore {
        Chore::PerftChess(options) => data::perft_chess(&options),
        Chore::ChessData(options) => data::chess(&options),
        Chore::GoData(options) => data::go(&options),
        Chore::OthelloData(options) => data::othello(&options),
        Chore::OthelloJudge(options) => judge::run(&options),
        Chore::FuzzMillion(options) => fuzz::run(&options),
        Chore::FuzzCorpus => fuzz::write_corpus(),
        Chore::Licences => licences::run(),
        Chore::Tablebases(options) => tablebases::run(&options),
        Chore::Estimates(options) => databases::estimates(&options),
        Chore::Memory(options) => databases::memory(&options),
        Chore::Picture { file } => picture::run(&file),
    };
    match done {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
