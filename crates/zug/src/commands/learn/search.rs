//! `zug learn GAME pattern-search`: which patterns help a joint fit most?

use super::{failed, order};
use crate::cli::LearnSearchArgs;
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
use zug_learn::face::Learner;

pub fn run(game: &str, learner: &Learner, args: &LearnSearchArgs) -> Result<ExitCode> {
    insist_on_apart(args.report.as_deref(), args.data.data.iter().map(PathBuf::as_path))?;
    let _claimed = claim(args.report.as_deref(), args.overwrite)?;
    let order = order(game, "pattern-search", None, &args.data, &args.features)?;
    let (flag, bar, began) = (stop::on_interrupt(), progress("patterns"), Instant::now());
    let result = learner.search_patterns(&order, bar.as_ref(), &flag);
    drop(bar);
    let account = match result {
        Ok(account) => account,
        Err(error) => return failed(error),
    };
    if let Some(report) = &args.report {
        write_atomically(report, account.page.as_bytes())?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let all = json!({
            "game": game,
            "report": args.report.as_ref().map(|r| r.display().to_string()),
            "seconds": began.elapsed().as_secs_f64(),
            "figures": account.figures,
        });
        writeln!(out, "{all:#}")?;
    } else {
        writeln!(out, "{}", account.text.trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}
