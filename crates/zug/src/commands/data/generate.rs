//! `zug data generate`: training games.

use super::threads;
use crate::cli::{GenerateArgs, TrainingPlayer, TrainingPlayerArgs};
use crate::commands::places::{claim_one, insist_on_apart};
use crate::commands::record_files;
use crate::progress::progress;
use crate::stop;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::checks::thousands;
use zug_core::{GameEntry, Record};
use zug_othello::Move;
use zug_othello::examples::ExampleError;
use zug_othello::examples::generate::{GenerateOrder, Starts, generate};
use zug_othello::examples::player::{EngineChooser, HAND, Judge, NewChooser};
use zug_othello::models;

pub fn run(entry: &GameEntry, args: &GenerateArgs) -> Result<ExitCode> {
    if args.chess.is_given() {
        bail!(
            "--nodes and the other words of chess are for chess; othello looks --depth plies ahead"
        );
    }
    record_files::format_for(entry, &args.out)?;
    let playing = &args.playing;
    insist_on_apart([args.out.as_path()], model_file(playing.model.as_deref()))?;
    let claimed = claim_one(&args.out, args.overwrite)?;
    let (judge, depth) = match args.player() {
        TrainingPlayer::Fast => (Judge::hand(), 1),
        TrainingPlayer::Engine => (Judge::open(playing.model.as_deref())?, playing.depth()),
    };
    let starts = match (args.openings, args.random_plies) {
        (Some(plies), _) => Starts::All { plies, games: args.games_per_opening },
        (None, Some(plies)) => Starts::Random { plies, games: args.games },
        (None, None) => bail!("say how the games begin: --openings or --random-plies"),
    };
    let journal = claimed.unfinished("games", playing.resume)?;
    let command = command(args)?;
    let order = GenerateOrder {
        starts,
        noise: args.noise,
        noise_below: playing.exact_from(),
        seed: args.seed,
        threads: threads(playing.threads),
        journal: Some(&journal),
        command: &command,
    };
    let (hash, exact) = (mebibytes(playing.hash()), 64 - playing.exact_from());
    let chooser: &NewChooser = &|| Box::new(EngineChooser::new(judge.engine(hash), depth, exact));
    let begun = Instant::now();
    let flag = stop::on_interrupt();
    let bar = progress("generate");
    let games = generate(&order, chooser, bar.as_ref(), &flag);
    drop(bar);
    let games = match games {
        Err(ExampleError::Stopped) => return Ok(stopped()),
        games => games?,
    };
    write_games(entry, &args.out, &games)?;
    remove(&journal)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if playing.json {
        let file = args.out.display().to_string();
        writeln!(out, "{:#}", json!({"file": file, "games": games.len(), "seconds": seconds}))?;
    } else {
        let count = thousands(games.len() as u64);
        writeln!(out, "{count} games written to {} in {seconds:.1} s.", args.out.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line without what does not change the result.
fn command(args: &GenerateArgs) -> Result<String> {
    let mut text = "zug data othello generate".to_string();
    match (args.openings, args.random_plies) {
        (Some(plies), _) => {
            let games = args.games_per_opening;
            text.push_str(&format!(" --openings {plies} --games-per-opening {games}"));
        }
        (None, plies) => {
            let (plies, games) = (plies.unwrap_or(0), args.games);
            text.push_str(&format!(" --random-plies {plies} --games {games}"));
        }
    }
    if args.player() == TrainingPlayer::Fast {
        text.push_str(" --player fast");
    }
    text.push_str(&format!(" --noise {} --seed {}", args.noise, args.seed));
    text.push_str(&player(&args.playing));
    if args.player() == TrainingPlayer::Engine {
        text.push_str(&format!(" (model {})", model_digest(args.playing.model.as_deref())?));
    }
    Ok(text)
}

/// The digest of the model that is asked for: its name alone does not say that it is still the same.
pub fn model_digest(name: Option<&str>) -> Result<String> {
    match name {
        Some(HAND) => Ok(HAND.to_string()),
        name => models::digest(name)
            .with_context(|| format!("cannot read {}", name.unwrap_or("the model"))),
    }
}

/// The file of a model, unless it is one that comes with the program.
pub fn model_file(name: Option<&str>) -> Option<&Path> {
    name.filter(|name| models::SHIPPED.iter().all(|s| s.name != *name)).map(Path::new)
}

/// What of a player changes the games.
pub fn player(args: &TrainingPlayerArgs) -> String {
    let model = args.model.as_ref().map_or(String::new(), |model| format!(" --model {model}"));
    // The table can decide between moves of equal value.
    format!(
        " --depth {} --exact-from {} --hash {}M{model}",
        args.depth(),
        args.exact_from(),
        mebibytes(args.hash())
    )
}

pub fn mebibytes(bytes: u64) -> usize {
    (bytes >> 20).max(1) as usize
}

pub fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        // Quick work leaves none.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => Ok(removed.map_err(zug_core::files::FileError::io("remove", path))?),
    }
}

pub fn stopped() -> ExitCode {
    tell!("zug: stopped; the same command with --resume goes on");
    ExitCode::from(130)
}

/// Writes games in the format that the name asks for.
pub fn write_games(entry: &GameEntry, path: &Path, games: &[Vec<Move>]) -> Result<()> {
    let format = record_files::format_for(entry, path)?;
    let mut records = Vec::with_capacity(games.len());
    for game in games {
        let mut line = entry.game.new_line();
        for mv in game {
            line.play(&mv.to_string())?;
        }
        records.push(Record::of_line(&*line));
    }
    record_files::write(path, format.write(&records)?)
}
