//! `zug learn othello probcut`: how well do shallow searches foretell deep ones, and which cuts
//! follow from that?

use crate::cli::{LearnProbcutArgs, PliesBelow};
use crate::commands::data::generate::{mebibytes, model_digest, model_file, remove, stopped};
use crate::commands::data::sources::{self, Input, Inputs};
use crate::commands::data::threads;
use crate::commands::places::{claim, claim_one, insist_on_apart};
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
use zug_core::files::write_atomically;
use zug_othello::examples::import::{Met, read_games};
use zug_othello::examples::player::Judge;
use zug_othello::models;
use zug_othello::probcut::{Below, Games, LearnError, LearnOrder, Reach, learn};

pub fn run(entry: &GameEntry, args: &LearnProbcutArgs) -> Result<ExitCode> {
    let spec = entry.game.spec();
    if spec != zug_othello::examples::file::GAME {
        bail!("cuts are learned for othello on the 8x8 board, not for '{spec}'");
    }
    let files = sources::files(entry, &args.games)?;
    let inputs = files.iter().map(PathBuf::as_path).chain(model_file(args.model.as_deref()));
    insist_on_apart(args.report.iter().chain([&args.out]).map(PathBuf::as_path), inputs)?;
    let claimed = claim_one(&args.out, args.overwrite)?;
    let _report = claim(args.report.as_deref(), args.overwrite)?;
    let model = args.model.as_deref().unwrap_or(models::SHIPPED[0].name);
    let judge = Judge::open(Some(model))?;
    let digest = model_digest(Some(model))?;
    let (flag, begun) = (stop::on_interrupt(), Instant::now());
    let games = match args.games.is_empty() {
        true => None,
        false => Some(read(entry, &args.games, args.positions, args.seed)?),
    };

    let (reach, deep) = (Reach { depth: args.depth, end: args.end }, deep(args));
    let (positions, deep_positions) = (args.positions, deep_positions(args));
    let journal = claimed.unfinished("probcut", args.resume)?;
    let command = command(args, deep);
    let order = LearnOrder {
        judge: &judge,
        model,
        model_digest: &digest,
        positions: positions as usize,
        reach,
        deep_positions: deep_positions as usize,
        deep_reach: deep,
        every: args.every,
        below: match args.below {
            PliesBelow::Ranked => Below::Ranked,
            PliesBelow::Random => Below::Random,
        },
        seed: args.seed,
        threads: threads(args.threads),
        hash_mib: mebibytes(args.hash),
        journal: Some(&journal),
        command: &command,
    };
    let bar = progress("positions");
    let learned = learn(&order, games.as_ref(), bar.as_ref(), &flag);
    drop(bar);
    let learned = match learned {
        Err(LearnError::Stopped) => return Ok(stopped()),
        Err(LearnError::TooLittle(why)) => {
            // The same command would come to the same end.
            remove(&journal)?;
            bail!(why);
        }
        learned => learned?,
    };
    let mut header = learned.file.header();
    header.made.command = Some(command.clone());
    header.made.seed = Some(args.seed);
    header.made.data = Some(learned.digest.clone());
    header.notes.insert("positions".into(), learned.measured.len().to_string());
    learned.file.write(&args.out, &header)?;
    if let Some(report) = &args.report {
        write_atomically(report, learned.page(&command).as_bytes())?;
    }
    remove(&journal)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if args.json {
        let all = json!({
            "game": spec,
            "cuts": args.out.display().to_string(),
            "report": args.report.as_ref().map(|r| r.display().to_string()),
            "games": games.as_ref().map(Games::count),
            "seconds": seconds,
            "figures": learned.figures(),
        });
        writeln!(out, "{all:#}")?;
    } else {
        if let Some(games) = &games {
            writeln!(out, "{} games read.", thousands(games.count()))?;
        }
        write!(out, "{}", learned.text())?;
        let span = super::super::db::span(seconds);
        writeln!(out, "{} written in {span}", args.out.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How far some positions are searched beyond the rest.
fn deep(args: &LearnProbcutArgs) -> Reach {
    Reach {
        depth: args.deep_depth.unwrap_or(args.depth + 4).max(args.depth),
        end: args.deep_end.unwrap_or(args.end + 4).max(args.end),
    }
}

fn deep_positions(args: &LearnProbcutArgs) -> u32 {
    args.deep_positions.unwrap_or(args.positions / 10).min(args.positions)
}

/// Positions of the games of all files, so many of each disc count.
pub(super) fn read(
    entry: &GameEntry,
    files: &[PathBuf],
    positions: u32,
    seed: u64,
) -> Result<Games> {
    let mut games = Games::new(positions as usize, seed);
    for input in Inputs::new(entry, files) {
        let Input { name, format, mut input } = input?;
        let read = read_games(format, &mut input, &mut |met| {
            // What is broken in a large collection is no reason to leave the rest.
            if let Met::Game(game) = met {
                games.add(&game);
            }
            true
        });
        read.with_context(|| format!("cannot read {name}"))?;
    }
    if games.count() == 0 {
        bail!("no games in the files that were given");
    }
    Ok(games)
}

/// The command line without what does not change the result. Names of files without folders: where
/// they lay says nothing about what was learned.
fn command(args: &LearnProbcutArgs, deep: Reach) -> String {
    let mut text = "zug learn othello probcut".to_string();
    let mut add = |word: &str, value: String| {
        text.push_str(&format!(" {word} {}", super::super::db::quoted(&value)));
    };
    for file in &args.games {
        add("--games", file.file_name().unwrap_or_default().to_string_lossy().into_owned());
    }
    if let Some(model) = &args.model {
        let file = model_file(Some(model));
        let name = file.and_then(|f| f.file_name()).map(|f| f.to_string_lossy().into_owned());
        add("--model", name.unwrap_or_else(|| model.clone()));
    }
    for (word, number) in [
        ("--positions", args.positions),
        ("--depth", args.depth),
        ("--end", args.end),
        ("--deep-positions", deep_positions(args)),
        ("--deep-depth", deep.depth),
        ("--deep-end", deep.end),
        ("--every", args.every),
    ] {
        add(word, number.to_string());
    }
    let below = match args.below {
        PliesBelow::Ranked => Below::Ranked,
        PliesBelow::Random => Below::Random,
    };
    add("--below", below.name().to_string());
    // The memory decides how many nodes are visited, and they decide which cuts are chosen.
    add("--hash", format!("{}M", mebibytes(args.hash)));
    add("--seed", args.seed.to_string());
    text
}
