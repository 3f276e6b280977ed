//! `zug data openings`: openings that are fair to both sides.

use super::generate::{model_file, write_games};
use super::threads;
use crate::cli::OpeningsArgs;
use crate::commands::places::{claim_one, insist_on_apart};
use crate::commands::record_files;
use crate::progress::progress;
use crate::stop;
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::GameEntry;
use zug_core::checks::thousands;
use zug_othello::engine::{Fair, hundredths_of_discs};
use zug_othello::examples::ExampleError;
use zug_othello::examples::player::Judge;

pub fn run(entry: &GameEntry, args: &OpeningsArgs) -> Result<ExitCode> {
    record_files::format_for(entry, &args.out)?;
    insist_on_apart([args.out.as_path()], model_file(args.model.as_deref()))?;
    let _claimed = claim_one(&args.out, args.overwrite)?;
    let judge = Judge::open(args.model.as_deref())?;
    let within = hundredths_of_discs(judge.unit(), (100.0 * args.within).round() as i32);
    let fair = Fair { plies: args.plies, depth: args.depth, within };
    let begun = Instant::now();
    let flag = stop::on_interrupt();
    let bar = progress("openings");
    let count = args.count as usize;
    let threads = threads(args.threads);
    let found = judge.fair_openings(fair, count, args.seed, threads, bar.as_ref(), &flag);
    drop(bar);
    let found = match found {
        Err(ExampleError::Stopped) => {
            tell!("zug: stopped");
            return Ok(ExitCode::from(130));
        }
        found => found?,
    };
    if found.len() < count {
        bail!(
            "only {} openings of {} plies are worth at most {} discs; a smaller --count, more \
             --plies or a larger --within helps",
            thousands(found.len() as u64),
            args.plies,
            args.within
        );
    }
    write_games(entry, &args.out, &found)?;
    let seconds = begun.elapsed().as_secs_f64();
    let file = args.out.display();
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = json!({"file": file.to_string(), "openings": count, "seconds": seconds});
        writeln!(out, "{report:#}")?;
    } else {
        let count = thousands(count as u64);
        writeln!(
            out,
            "{count} openings of {} plies written to {file} in {seconds:.1} s.",
            args.plies
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
