//! `zug explore`: what was played in this position before?

use super::learn::{failed, threads_of};
use super::places::{claim, insist_on_apart};
use crate::cli::ExploreArgs;
use crate::progress::progress;
use crate::registry;
use crate::stop;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use zug_core::GameEntry;
use zug_learn::explore::{ExploreOrder, Explorer, IndexOrder, Part, Span};

pub fn run(args: &ExploreArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let (game, explorer) = (entry.game.spec(), explorer(&entry)?);
    insist_on_apart(args.build.as_deref(), args.data.iter().map(AsRef::as_ref))?;
    let span = Span { from: args.from, until: args.until };
    let _claimed = claim(args.build.as_deref(), args.overwrite)?;
    let (flag, bar) = (stop::on_interrupt(), progress("files"));
    let result = match &args.build {
        Some(out) => {
            let order = IndexOrder {
                data: args.data.clone(),
                out: out.clone(),
                span,
                size: args.size,
                names: args.names.clone(),
                command: command(&game, args),
            };
            explorer.index(&order, bar.as_ref(), &flag)
        }
        None => {
            let Some(query) = &args.query else {
                bail!("what is asked about? Expected a position, FILE:MOVE, moves, or 'start'");
            };
            let part = match (&args.corner, &args.region) {
                (Some(corner), _) => Part::Corner(corner.clone()),
                (_, Some(region)) => Part::Region(region.clone()),
                _ => Part::Whole,
            };
            let order = ExploreOrder {
                data: args.data.clone(),
                query: query.clone(),
                part,
                exchange: args.colours.as_ref().map(|c| c == "both"),
                span,
                player: args.player.clone(),
                latest: args.latest,
                names: args.names.clone(),
                top: usize::from(args.top),
                games: usize::from(args.games),
                depth: usize::from(args.depth),
                threads: threads_of(args.threads),
            };
            explorer.explore(&order, bar.as_ref(), &flag)
        }
    };
    drop(bar);
    let account = match result {
        Ok(account) => account,
        Err(error) => return failed(error),
    };
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut report = json!({"game": game});
        for (key, value) in account.figures {
            report[key] = value;
        }
        if let Some(path) = &args.build {
            report["written"] = json!(path.display().to_string());
        }
        writeln!(out, "{report:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", account.text)?;
    if let Some(path) = &args.build {
        writeln!(out, "{} written", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a game can look up.
fn explorer(entry: &GameEntry) -> Result<Explorer> {
    let explorer = entry.extension::<Explorer>().cloned();
    explorer.with_context(|| format!("{} does not look up positions", entry.game.spec()))
}

/// The command line without what does not change the file. Names without folders: where the records
/// lay says nothing about them.
fn command(game: &str, args: &ExploreArgs) -> String {
    let mut text = format!("zug explore {game}");
    let mut add = |word: &str, value: &str| {
        text.push_str(&format!(" {word} {}", super::db::quoted(value)));
    };
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    args.data.iter().for_each(|path| add("--data", &name(path)));
    args.names.iter().for_each(|path| add("--names", &name(path)));
    for (word, value) in [
        ("--build", args.build.as_deref().map(name)),
        ("--from", args.from.map(|n| n.to_string())),
        ("--until", args.until.map(|n| n.to_string())),
        ("--size", args.size.map(|n| n.to_string())),
    ] {
        if let Some(value) = value {
            add(word, &value);
        }
    }
    text
}
