//! `zug learn GAME td`: learn from games against oneself.

use super::{failed, give_up, refuse_foreign, threads_of};
use crate::cli::LearnTdArgs;
use crate::progress::long_progress;
use crate::registry::{self, families};
use crate::stop;
use anyhow::{Result, bail};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::GameEntry;
use zug_learn::face::{Account, Named, TaskError};
use zug_learn::td::face::{SelfPlay, TdOrder};

pub fn run(entry: &GameEntry, args: &LearnTdArgs) -> Result<ExitCode> {
    let (game, learner) = (entry.game.spec(), self_play(entry)?);
    let known = |what, name: &Option<String>, list: Vec<Named>| match name {
        // Sets of features may be joined.
        Some(name) if !name.split('+').all(|part| list.iter().any(|n| n.name == part)) => {
            Err(TaskError::unknown(what, name, list.iter().map(|n| n.name.as_str())))
        }
        _ => Ok(()),
    };
    if let (Some(group), true) = (&args.group, learner.groups().is_empty()) {
        bail!("{game} has no groups; leave --group {group} away");
    }
    known("group", &args.group, learner.groups())?;
    known("method", &args.method, learner.methods())?;
    known("set of features", &args.features, learner.features())?;
    let mut keys = BTreeSet::new();
    if let Some((key, _)) = args.options.iter().find(|(key, _)| !keys.insert(key)) {
        bail!("--set {key} is given twice; which of the two is meant?");
    }
    refuse_foreign(&args.out)?;
    if args.restart {
        give_up(&args.out)?;
    }
    let order = TdOrder {
        group: args.group.clone(),
        method: args.method.clone(),
        features: args.features.clone(),
        experiments: args.experiments,
        games: args.games,
        seed: args.seed,
        threads: threads_of(args.threads),
        out: args.out.clone(),
        resume: args.resume,
        options: args.options.clone(),
        command: command(&game, args),
    };
    let (flag, bar, began) = (stop::on_interrupt(), long_progress("games"), Instant::now());
    let result = learner.learn(&order, bar.as_ref(), &flag);
    drop(bar);
    let account = match result {
        Ok(account) => account,
        Err(error) => {
            // What was found until then is not lost for who has no patience.
            if let (TaskError::Stopped { .. }, Ok(Some(account))) =
                (&error, learner.so_far(&args.out))
            {
                tell(args, &game, &account, began.elapsed().as_secs_f64(), true)?;
            }
            return failed(error);
        }
    };
    tell(args, &game, &account, began.elapsed().as_secs_f64(), false)?;
    Ok(ExitCode::SUCCESS)
}

fn tell(
    args: &LearnTdArgs,
    game: &str,
    account: &Account,
    seconds: f64,
    stopped: bool,
) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if args.json {
        let mut all = json!({
            "game": game,
            "run": args.out.display().to_string(),
            "seconds": seconds,
            "figures": account.figures,
        });
        if stopped {
            all["stopped"] = json!(true);
        }
        writeln!(out, "{all:#}")?;
        return Ok(());
    }
    writeln!(out, "{}", account.text.trim_end())?;
    let how = if stopped { "stopped after" } else { "written in" };
    writeln!(out, "{} {how} {}", args.out.display(), super::super::db::span(seconds))?;
    Ok(())
}

/// What a game can learn from its own play, or which games can.
fn self_play(entry: &GameEntry) -> Result<SelfPlay> {
    if let Some(learner) = entry.extension::<SelfPlay>() {
        return Ok(learner.clone());
    }
    let with: Vec<&str> = families()
        .iter()
        .filter(|f| registry::open(f.name).is_ok_and(|e| e.extension::<SelfPlay>().is_some()))
        .map(|f| f.name)
        .collect();
    bail!(
        "{} does not learn from its own play yet; these games do: {}",
        entry.game.spec(),
        with.join(", ")
    )
}

/// The command line without what does not change the result.
fn command(game: &str, args: &LearnTdArgs) -> String {
    let mut text = format!("zug learn {game} td");
    let mut add = |word: &str, value: &str| {
        text.push_str(&format!(" {word} {}", super::super::db::quoted(value)));
    };
    for (word, value) in
        [("--group", &args.group), ("--method", &args.method), ("--features", &args.features)]
    {
        if let Some(value) = value {
            add(word, value);
        }
    }
    if let Some(experiments) = args.experiments {
        add("--experiments", &experiments.to_string());
    }
    if let Some(games) = args.games {
        add("--games", &games.to_string());
    }
    for (key, value) in &args.options {
        add("--set", &format!("{key}={value}"));
    }
    add("--seed", &args.seed.to_string());
    text
}
