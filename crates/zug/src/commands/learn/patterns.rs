//! `zug learn GAME patterns`: learn from records which moves good players make.

use super::{failed, give_up, refuse_foreign, threads_of};
use crate::cli::LearnPatternsArgs;
use crate::commands::places::{claim, insist_on_apart};
use crate::progress::long_progress;
use crate::registry::{self, families};
use crate::stop;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use zug_core::GameEntry;
use zug_core::files::write_atomically;
use zug_learn::face::{Named, TaskError};
use zug_learn::records::{RecordOrder, Records};

pub fn run(entry: &GameEntry, args: &LearnPatternsArgs) -> Result<ExitCode> {
    let (game, learner) = (entry.game.spec(), records(entry)?);
    let known = |what, name: &str, list: &[Named]| match list.iter().any(|n| n.name == name) {
        true => Ok(()),
        false => Err(TaskError::unknown(what, name, list.iter().map(|n| n.name.as_str()))),
    };
    let methods = learner.methods();
    // An experiment belongs to a method; without either it is the first.
    let has = |m: &&Named| args.experiment.is_none() || !learner.experiments(&m.name).is_empty();
    let first = methods.iter().find(has).map(|m| m.name.clone()).unwrap_or_default();
    let method = args.method.clone().unwrap_or(first);
    known("method", &method, &methods)?;
    let experiments = learner.experiments(&method);
    match &args.experiment {
        Some(name) if experiments.is_empty() => {
            bail!("the method {method} has no experiments; leave --experiment {name} away")
        }
        Some(name) => known("experiment", name, &experiments)?,
        None => {}
    }
    for (key, _) in &args.options {
        known("option", key, &learner.options(&method))?;
    }
    let mut keys = BTreeSet::new();
    if let Some((key, _)) = args.options.iter().find(|(key, _)| !keys.insert(key)) {
        bail!("--set {key} is given twice; which of the two is meant?");
    }
    if let Some(path) = args.data.iter().find(|path| !path.exists()) {
        bail!("{}: there is no such file or folder", path.display());
    }
    if let (Some(from), Some(until)) = (args.from, args.until)
        && from > until
    {
        bail!("no year is from {from} on and until {until}");
    }
    // What has experiments leaves a run behind; the others leave a file.
    let is_run = !experiments.is_empty();
    if is_run {
        refuse_foreign(&args.out)?;
    }
    let file = Some(args.out.as_path()).filter(|_| !is_run);
    insist_on_apart(
        args.report.as_deref().into_iter().chain(file),
        args.data.iter().map(PathBuf::as_path),
    )?;
    let _claimed = claim(args.report.as_deref().into_iter().chain(file), args.overwrite)?;
    let parts = parts_of(&args.out);
    if args.overwrite.force && !args.resume && !is_run && parts.is_dir() {
        std::fs::remove_dir_all(&parts).with_context(|| parts.display().to_string())?;
    }
    if args.restart {
        give_up(&if is_run { args.out.clone() } else { parts })?;
    }
    let order = RecordOrder {
        experiment: args.experiment.clone(),
        data: args.data.clone(),
        from: args.from,
        until: args.until,
        out: args.out.clone(),
        resume: args.resume,
        seed: args.seed,
        threads: threads_of(args.threads),
        options: args.options.clone(),
        command: command(&game, &method, args),
        method: method.clone(),
    };
    let (flag, bar, began) = (stop::on_interrupt(), long_progress("games"), Instant::now());
    let result = learner.learn(&order, bar.as_ref(), &flag);
    drop(bar);
    let account = match result {
        Ok(account) => account,
        Err(error) => return failed(error),
    };
    if let Some(report) = &args.report {
        if account.page.is_empty() {
            tell!("zug: the page is in the folder of the run; {} is not written", report.display());
        } else {
            write_atomically(report, account.page.as_bytes())?;
        }
    }
    let (seconds, mut out) = (began.elapsed().as_secs_f64(), std::io::stdout().lock());
    if args.json {
        let all = json!({
            "game": game,
            "method": method,
            "out": args.out.display().to_string(),
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

/// The folder of unfinished work of a learner that makes a file.
fn parts_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_os_string();
    name.push(".parts");
    PathBuf::from(name)
}

/// What a game can learn from records, or which games can.
fn records(entry: &GameEntry) -> Result<Records> {
    if let Some(learner) = entry.extension::<Records>() {
        return Ok(learner.clone());
    }
    let with: Vec<&str> = families()
        .iter()
        .filter(|f| registry::open(f.name).is_ok_and(|e| e.extension::<Records>().is_some()))
        .map(|f| f.name)
        .collect();
    bail!(
        "{} does not learn from records yet; these games do: {}",
        entry.game.spec(),
        with.join(", ")
    )
}

/// The command line without what does not change the result.
fn command(game: &str, method: &str, args: &LearnPatternsArgs) -> String {
    let mut text = format!("zug learn {game} patterns --method {method}");
    let mut add = |word: &str, value: &str| {
        text.push_str(&format!(" {word} {}", super::super::db::quoted(value)));
    };
    if let Some(experiment) = &args.experiment {
        add("--experiment", experiment);
    }
    // Names without folders: where the files lay says nothing about what was learned.
    for path in &args.data {
        add("--data", &path.file_name().unwrap_or_default().to_string_lossy());
    }
    for (word, year) in [("--from", args.from), ("--until", args.until)] {
        if let Some(year) = year {
            add(word, &year.to_string());
        }
    }
    for (key, value) in &args.options {
        add("--set", &format!("{key}={value}"));
    }
    add("--seed", &args.seed.to_string());
    text
}
