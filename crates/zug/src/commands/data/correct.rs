//! `zug data correct`: games in which nobody misses what the engine sees.

use super::generate::{mebibytes, model_digest, model_file, player, remove, stopped, write_games};
use super::sources::{self, Input, Inputs};
use super::threads;
use crate::cli::CorrectArgs;
use crate::commands::places::{claim_one, insist_on_apart};
use crate::commands::record_files;
use crate::progress::progress;
use crate::stop;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::GameEntry;
use zug_core::checks::thousands;
use zug_othello::examples::ExampleError;
use zug_othello::examples::correct::{CorrectOrder, correct, digest};
use zug_othello::examples::import::{ImportCounts, Met, read_games};
use zug_othello::examples::player::Judge;
use zug_othello::{Board, Move};

pub fn run(entry: &GameEntry, args: &CorrectArgs) -> Result<ExitCode> {
    record_files::format_for(entry, &args.out)?;
    let inputs = sources::files(entry, &args.files)?;
    let model = model_file(args.playing.model.as_deref());
    insist_on_apart([args.out.as_path()], inputs.iter().map(PathBuf::as_path).chain(model))?;
    let claimed = claim_one(&args.out, args.overwrite)?;
    if args.from > args.to {
        bail!("--from {} is above --to {}", args.from, args.to);
    }
    let playing = &args.playing;
    let judge = Judge::open(playing.model.as_deref())?;
    let found = claimed.unfinished("mistakes", playing.resume)?;
    let played = claimed.unfinished("games", playing.resume)?;
    let (games, counts) = finished_games(entry, args)?;
    let command = command(args, &games)?;
    let order = CorrectOrder {
        judge: &judge,
        depth: playing.depth(),
        exact: 64 - playing.exact_from(),
        hash_mib: mebibytes(playing.hash()),
        discs: args.from..=args.to,
        margin: (100.0 * args.margin).round().clamp(1.0, 1e6) as i32,
        threads: threads(playing.threads),
        journals: Some((&found, &played)),
        command: &command,
    };
    let begun = Instant::now();
    let flag = stop::on_interrupt();
    let bar = progress("correct");
    let corrected = correct(&order, &games, bar.as_ref(), &flag);
    drop(bar);
    let corrected = match corrected {
        Err(ExampleError::Stopped) => return Ok(stopped()),
        corrected => corrected?,
    };
    write_games(entry, &args.out, &corrected.games)?;
    remove(&found)?;
    remove(&played)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    let new_games = corrected.games.len();
    if playing.json {
        let report = json!({
            "file": args.out.display().to_string(), "seconds": seconds,
            "games": counts.games, "complete": counts.complete,
            "positions": corrected.positions, "searched": corrected.searched,
            "mistakes": corrected.mistakes, "new_games": new_games,
        });
        writeln!(out, "{report:#}")?;
    } else {
        writeln!(
            out,
            "{} complete games, {} positions; {} searched, {} mistakes found; {} new games \
             written to {} in {seconds:.1} s.",
            thousands(counts.complete),
            thousands(corrected.positions as u64),
            thousands(corrected.searched as u64),
            thousands(corrected.mistakes as u64),
            thousands(new_games as u64),
            args.out.display()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The finished games from the start position.
fn finished_games(entry: &GameEntry, args: &CorrectArgs) -> Result<(Vec<Vec<Move>>, ImportCounts)> {
    let (mut games, mut counts) = (Vec::new(), ImportCounts::default());
    for input in Inputs::new(entry, &args.files) {
        let Input { name, format, mut input } = input?;
        counts.files += 1;
        let read = read_games(format, &mut input, &mut |met| {
            counts.count(&met);
            match met {
                Met::Game(game) if game.is_finished && game.start == Board::START => {
                    games.push(game.moves);
                }
                Met::Game(_) => {}
                Met::Illegal(why) | Met::Broken(why) => tracing::warn!("{name}: {why}"),
            }
            true
        });
        read.with_context(|| format!("cannot read {name}"))?;
    }
    Ok((games, counts))
}

/// The command line without what does not change the result.
fn command(args: &CorrectArgs, games: &[Vec<Move>]) -> Result<String> {
    let (from, to, margin) = (args.from, args.to, args.margin);
    let player = player(&args.playing);
    let (count, games) = (games.len(), digest(games));
    let model = model_digest(args.playing.model.as_deref())?;
    Ok(format!(
        "zug data othello correct ({count} games, {games}) --from {from} --to {to} --margin \
         {margin}{player} (model {model})"
    ))
}
