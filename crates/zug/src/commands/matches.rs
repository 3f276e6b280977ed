//! `zug match`.

use super::places;
use crate::cli::{MatchArgs, Schedule};
use crate::progress::progress;
use crate::{registry, stop};
use anyhow::{Context, Result, anyhow, bail};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use zug_arena::{
    Adjudication, DrawRule, MatchConfig, MatchReport, Openings, ResignRule, Sprt, TimeControl,
};
use zug_core::{GameEntry, Spec};
use zug_learn::plot::Plot;

/// Random plies before the players begin, when no opening is given: deterministic players would
/// otherwise play the same two games over and over.
fn usual_opening_plies(entry: &GameEntry) -> u32 {
    // Small games are decided by a few bad moves; their openings stay short.
    let first_moves = entry.game.new_line().legal_moves().len();
    if first_moves <= 4 && !entry.game.spec().starts_with("othello") { 2 } else { 4 }
}

pub fn run(args: &MatchArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let specs = args
        .players
        .iter()
        .map(|text| Spec::parse(text).with_context(|| format!("in the player '{text}'")))
        .collect::<Result<Vec<Spec>>>()?;
    let participants = zug_arena::participants(&entry, &specs).map_err(|error| {
        let whose = specs.iter().zip(&args.players).find_map(|(spec, text)| {
            let wrong = zug_arena::player(&entry, spec).err()?;
            Some(anyhow!(wrong).context(format!("in the player '{text}'")))
        });
        whose.unwrap_or_else(|| anyhow!(error))
    })?;
    if args.sprt.is_some() && participants.len() != 2 {
        bail!("--sprt compares two players, not {}", participants.len());
    }
    let learns = participants.iter().any(|p| p.factory.learns());
    if let Some(path) = &args.plot {
        if !learns {
            bail!("--plot shows how a score rises by learning, and nobody learns here (learn=on)");
        }
        let others = args.out.iter().chain(&args.journal).map(PathBuf::as_path);
        places::insist_on_apart([path.as_path()], others)?;
    }
    let _claimed = places::claim(args.plot.as_deref(), args.overwrite)?;
    let stop = stop::on_interrupt();
    let config = MatchConfig {
        schedule: match args.schedule {
            Schedule::RoundRobin => zug_arena::Schedule::RoundRobin,
            Schedule::Gauntlet => zug_arena::Schedule::Gauntlet,
        },
        games: args.games as usize,
        openings: openings(&entry, args, learns)?,
        limit: limit(args)?,
        time_margin: args.margin,
        adjudication: adjudication(args),
        seed: args.seed,
        concurrency: args.concurrency as usize,
        sprt: args.sprt.as_deref().map(Sprt::parse).transpose().context("in --sprt")?,
        anchor: args.anchor.map(|elo| (participants[0].name.clone(), elo)),
        journal: args.journal.clone(),
        records: args.out.clone(),
        replace: args.overwrite.force,
        stop: stop.shared(),
        ..MatchConfig::default()
    };
    let bar = progress("games");
    let mut shown = 0;
    let report = zug_arena::run_match(&entry, &participants, &config, &mut |p| {
        bar.set_length(Some(p.total as u64));
        // A resumed match begins with the games of earlier sittings.
        bar.advance((p.done - shown) as u64);
        shown = p.done;
        bar.message(&p.report.one_line());
    })?;
    bar.finish();
    if let Some(path) = &args.plot {
        let svg = course(&report).svg();
        zug_core::files::write_atomically(path, svg.as_bytes())?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{}", report.to_table())?;
    }
    if stop.is_set() {
        // A script must be able to tell a match that was stopped from one that was finished.
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}

/// Games over which the score of a learner is averaged, beside the score since the beginning.
const WINDOW: usize = 20;

/// How the score of the first player went along.
fn course(report: &MatchReport) -> Plot {
    let percent = |games: &[u8]| {
        let half_points: u32 = games.iter().map(|&p| u32::from(p)).sum();
        50.0 * f64::from(half_points) / games.len() as f64
    };
    let games = &report.course;
    let upto = |from: &dyn Fn(usize) -> usize| -> Vec<(f64, f64)> {
        (1..=games.len()).map(|n| (n as f64, percent(&games[from(n)..n]))).collect()
    };
    Plot::new(report.players.join(" against "))
        .x("games")
        .y("score of the first player, %")
        .y_range(0.0, 100.0)
        .line("since the beginning", upto(&|_| 0))
        .line(format!("last {WINDOW} games"), upto(&|n| n.saturating_sub(WINDOW)))
}

fn openings(entry: &GameEntry, args: &MatchArgs, learns: bool) -> Result<Openings> {
    match &args.openings {
        Some(path) => {
            Ok(Openings::List(zug_arena::read_openings(entry, path, args.opening_plies)?))
        }
        // A book learns what it meets again.
        None if learns && args.opening_plies.is_none() => Ok(Openings::Random { plies: 0 }),
        None => Ok(Openings::Random {
            plies: args.opening_plies.unwrap_or_else(|| usual_opening_plies(entry)),
        }),
    }
}

fn limit(args: &MatchArgs) -> Result<TimeControl> {
    // Without any limit the arena gives everyone a short time for each move and loses nobody by it.
    let mut limit = match &args.tc {
        Some(text) => TimeControl::parse(text).context("in --tc")?,
        None => TimeControl::default(),
    };
    limit.depth = args.limits.depth.or(limit.depth);
    limit.nodes = args.limits.nodes.or(limit.nodes);
    limit.movetime = args.limits.movetime.or(limit.movetime);
    Ok(limit)
}

fn adjudication(args: &MatchArgs) -> Adjudication {
    let mut rules = Adjudication {
        resign: args.resign_score.map(|score| ResignRule {
            score: score.abs(),
            moves: args.resign_moves,
            both: false,
        }),
        draw: args.draw_score.map(|score| DrawRule {
            score: score.abs(),
            moves: args.draw_moves,
            after: args.draw_after,
        }),
        ..Adjudication::default()
    };
    if let Some(plies) = args.max_plies {
        rules.max_plies = plies;
    }
    rules
}
