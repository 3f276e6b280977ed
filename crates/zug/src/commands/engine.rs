//! `zug engine`: a protocol over standard input and output.

use crate::cli::{EngineArgs, Protocol};
use crate::registry;
use anyhow::{Context, Result};
use std::process::ExitCode;
use zug_core::Spec;

pub fn run(args: &EngineArgs) -> Result<ExitCode> {
    let default = match args.protocol {
        Protocol::Uci => "chess",
        Protocol::Gtp => "go",
        Protocol::Nboard => "othello",
    };
    let game = args.game.as_deref().unwrap_or(default);
    let entry = registry::open(game)?;
    let player = Spec::parse(&args.player)
        .with_context(|| format!("in the player '{}'", args.player))?;
    let (input, output) = (std::io::BufReader::new(std::io::stdin()), std::io::stdout());
    let _ = (&entry, &player, input, output);
    Ok(ExitCode::SUCCESS)
}
