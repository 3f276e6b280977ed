//! `zug learn GAME examples`: fit a model.

use super::{failed, give_up, order};
use crate::cli::LearnExamplesArgs;
use crate::commands::places::{claim, insist_on_apart};
use crate::progress::progress;
use crate::stop;
use anyhow::Result;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::files::write_atomically;
use zug_learn::face::{FitOrder, Learner, TaskError};

pub fn run(game: &str, learner: &Learner, args: &LearnExamplesArgs) -> Result<ExitCode> {
    let methods = learner.methods();
    if !methods.iter().any(|m| m.name == args.method) {
        let known = methods.iter().map(|m| m.name.as_str());
        return Err(TaskError::unknown("method", &args.method, known).into());
    }
    let outputs = || args.report.iter().chain([&args.out]).map(PathBuf::as_path);
    insist_on_apart(outputs(), args.data.data.iter().map(PathBuf::as_path))?;
    let _claimed = claim(outputs(), args.overwrite)?;
    if let (true, Some(folder)) = (args.restart, &args.run) {
        give_up(folder)?;
    }
    let mut order = order(game, "examples", Some(&args.method), &args.data, &args.features)?;
    order.run = args.run.clone();
    order.resume = args.resume;
    let order = FitOrder { method: args.method.clone(), out: args.out.clone(), order };
    let (flag, bar, began) = (stop::on_interrupt(), progress(&args.method), Instant::now());
    let result = learner.fit(&order, bar.as_ref(), &flag);
    drop(bar);
    let account = match result {
        Ok(account) => account,
        Err(error) => return failed(error),
    };
    if let Some(report) = &args.report {
        write_atomically(report, account.page.as_bytes())?;
    }
    let seconds = began.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if args.json {
        let all = json!({
            "game": game,
            "method": args.method,
            "model": args.out.display().to_string(),
            "report": args.report.as_ref().map(|r| r.display().to_string()),
            "seconds": seconds,
            "figures": account.figures,
        });
        writeln!(out, "{all:#}")?;
    } else {
        writeln!(out, "{}", account.text.trim_end())?;
        writeln!(out, "{} written in {}", args.out.display(), super::super::db::span(seconds))?;
    }
    Ok(ExitCode::SUCCESS)
}
