//! Developer chores that are too long for CI. `cargo xtask help` lists them.
//!
//! Each chore can be interrupted with Ctrl-C and ends with one line that sums it up; it fails when
//! something is wrong.

mod fuzz;
mod licences;
mod stop;

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
    /// Feed mutated inputs to every parser, within bounds of memory and time
    FuzzMillion(fuzz::Options),
    /// Check that no dependency has a licence that we cannot take
    Licences,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.chore {
        Chore::FuzzMillion(options) => fuzz::run(&options),
        Chore::Licences => licences::run(),
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
