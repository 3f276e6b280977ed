//! `zug data`: records in and out of every format, and examples to learn from.

mod chess;
mod convert;
mod correct;
pub(super) mod generate;
mod label;
mod openings;
pub(super) mod sources;
mod stats;

use crate::cli::{DataArgs, DataCommand};
use crate::registry;
use anyhow::{Result, bail};
use std::process::ExitCode;
use zug_core::GameEntry;

pub fn run(args: &DataArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    match &args.what {
        DataCommand::Stats { files, all, json } => stats::run(&entry, files, *all, *json),
        DataCommand::Convert { input, output, overwrite, skip_broken } => {
            convert::run(&entry, input, output, *skip_broken, *overwrite)
        }
        DataCommand::Label(args) if is_chess(&entry) => chess::label(args),
        DataCommand::Label(args) => {
            has_examples(&entry)?;
            label::run(&entry, args)
        }
        DataCommand::Generate(args) if is_chess(&entry) => chess::generate(args),
        DataCommand::Generate(args) => {
            has_examples(&entry)?;
            generate::run(&entry, args)
        }
        DataCommand::Correct(args) => {
            has_examples(&entry)?;
            correct::run(&entry, args)
        }
        DataCommand::Openings(args) => {
            has_examples(&entry)?;
            openings::run(&entry, args)
        }
    }
}

/// Is this chess by its usual rules, of which there are examples?
fn is_chess(entry: &GameEntry) -> bool {
    entry.game.spec() == zug_chess::texel::file::GAME
}

/// Refuses games without examples.
fn has_examples(entry: &GameEntry) -> Result<()> {
    let spec = entry.game.spec();
    if spec != zug_othello::examples::file::GAME {
        bail!("this is for othello on the 8x8 board, not for '{spec}'");
    }
    Ok(())
}

/// The threads that were asked for, or all there are.
pub(super) fn threads(asked: Option<u16>) -> usize {
    match asked {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
    }
}
