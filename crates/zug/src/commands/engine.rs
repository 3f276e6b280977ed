//! `zug engine`: a protocol over standard input and output.

use crate::cli::{EngineArgs, Protocol};
use crate::registry;
use anyhow::{Context, Result, anyhow, bail};
use std::io::{BufRead, BufReader, Cursor, ErrorKind};
use std::process::ExitCode;
use zug_core::Spec;

pub fn run(args: &EngineArgs) -> Result<ExitCode> {
    let default = match args.protocol {
        Protocol::Uci | Protocol::Cecp => "chess",
        Protocol::Gtp => "go",
        Protocol::Nboard => "othello",
    };
    let entry = registry::open(args.game.as_deref().unwrap_or(default))?;
    let spec = entry.game.spec();
    if args.protocol == Protocol::Nboard && !spec.starts_with("othello") {
        bail!("NBoard is a protocol for Othello, not for {spec}");
    }
    let player =
        Spec::parse(&args.player).with_context(|| format!("in the player '{}'", args.player))?;
    let open = |spec: &str| registry::open(spec).map_err(|e| format!("{e:#}"));
    if args.protocol == Protocol::Cecp && !spec.starts_with("chess") {
        bail!("CECP is served for chess, not for {spec}");
    }
    let input: Box<dyn BufRead + Send> = match args.command.as_slice() {
        [] => Box::new(BufReader::new(std::io::stdin())),
        words => Box::new(Cursor::new(words.join(" ") + "\n")),
    };
    let output = std::io::stdout();
    let ended = match args.protocol {
        Protocol::Uci => zug_serve::uci::run(entry, &player, &open, input, output),
        Protocol::Cecp => zug_serve::cecp::run(entry, &player, &open, input, output),
        Protocol::Gtp => zug_serve::gtp::run(entry, &player, &open, input, output),
        Protocol::Nboard => zug_serve::nboard::run(entry, &player, &open, input, output),
    };
    ended.map_err(|error| match error.kind() {
        // Only the player is refused like this.
        ErrorKind::InvalidInput => {
            anyhow!(error).context(format!("in the player '{}'", args.player))
        }
        _ => anyhow!(error),
    })?;
    Ok(ExitCode::SUCCESS)
}
