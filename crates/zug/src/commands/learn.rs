//! `zug learn`: evaluations from labelled examples and from self-play, moves from records. One file a verb;
//! here is what they share.

mod discordance;
mod examples;
mod methods;
mod patterns;
mod probcut;
mod search;
mod td;
mod tempo;

use crate::cli::{LearnArgs, LearnCommand, LearnDataArgs};
use crate::registry::{self, families};
use anyhow::{Context, Result, anyhow, bail};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use zug_core::GameEntry;
use zug_core::error::shorten;
use zug_learn::face::{Learner, Order, TaskError};

pub fn run(args: &LearnArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let game = entry.game.spec();
    match &args.what {
        LearnCommand::Methods { json } => methods::run(&entry, *json),
        LearnCommand::Examples(args) => examples::run(&game, &learner(&entry)?, args),
        LearnCommand::Texel(args) => examples::run(&game, &learner(&entry)?, &args.by("texel")),
        LearnCommand::Clusters(args) => {
            examples::run(&game, &learner(&entry)?, &args.by("clusters"))
        }
        LearnCommand::Discordance(args) => discordance::run(&game, &learner(&entry)?, args),
        LearnCommand::PatternSearch(args) => search::run(&game, &learner(&entry)?, args),
        LearnCommand::Probcut(args) => probcut::run(&entry, args),
        LearnCommand::Tempo(args) => tempo::run(&entry, args),
        LearnCommand::Td(args) => td::run(&entry, args),
        LearnCommand::Patterns(args) => patterns::run(&entry, args),
    }
}

/// The learner of a game, or which games have one.
pub(super) fn learner(entry: &GameEntry) -> Result<Learner> {
    if let Some(learner) = entry.extension::<Learner>() {
        return Ok(learner.clone());
    }
    let with: Vec<&str> = families()
        .iter()
        .filter(|f| registry::open(f.name).is_ok_and(|e| e.extension::<Learner>().is_some()))
        .map(|f| f.name)
        .collect();
    bail!(
        "{} does not learn from examples yet; these games do: {}",
        entry.game.spec(),
        with.join(", ")
    )
}

/// What the words about data say.
fn order(
    game: &str,
    verb: &str,
    method: Option<&str>,
    args: &LearnDataArgs,
    features: &[String],
) -> Result<Order> {
    for file in &args.data {
        if file.is_dir() {
            bail!("{}: this is a folder; --data takes files of examples", file.display());
        }
        if !file.exists() {
            bail!("{}: there is no such file", file.display());
        }
    }
    if !features.is_empty() && features.iter().all(|f| f.trim().is_empty()) {
        bail!("the list of features is empty; leave the word away to use those of the method");
    }
    let features: Vec<String> =
        features.iter().map(|f| f.trim().to_string()).filter(|f| !f.is_empty()).collect();
    let mut command = format!("zug learn {game} {verb}");
    let mut add = |word: &str, value: &str| {
        command.push_str(&format!(" {word} {}", super::db::quoted(value)));
    };
    if let Some(method) = method {
        add("--method", method);
    }
    // Names without folders: where the files lay says nothing about what was learned.
    for file in &args.data {
        add("--data", &file.file_name().unwrap_or_default().to_string_lossy());
    }
    if !features.is_empty() {
        add("--features", &features.join(","));
    }
    for pattern in &args.pattern {
        add("--pattern", pattern);
    }
    if let Some(fold) = args.fold {
        add("--fold", &fold.to_string());
    }
    for (key, value) in &args.options {
        add("--set", &format!("{key}={value}"));
    }
    add("--seed", &args.seed.to_string());
    Ok(Order {
        data: args.data.clone(),
        features,
        patterns: args.pattern.clone(),
        fold: args.fold,
        seed: args.seed,
        threads: threads_of(args.threads),
        memory: args.memory,
        run: None,
        resume: false,
        command,
        options: args.options.clone(),
    })
}

/// Refuses a folder that holds things but no run: files of ours would be mixed with others. What a
/// run leaves that was killed while it began is not foreign.
fn refuse_foreign(folder: &Path) -> Result<()> {
    if !folder.is_dir() || folder.join("run.toml").exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        let ours = ["run.lock", "status.toml", "metrics.jsonl", "checkpoints"];
        let temporary = name.starts_with('.') && name.ends_with(".tmp");
        if !temporary && !ours.contains(&&*name) {
            bail!(
                "{}: this folder is not empty and holds no run (it has '{}'); --out takes a new \
                 folder, or an empty one",
                folder.display(),
                shorten(&name)
            );
        }
    }
    Ok(())
}

/// Lets a run whose checkpoints are all damaged or gone begin again, and says so.
fn give_up(folder: &Path) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let removed = match folder.join("run.toml").exists() {
        true => zug_core::run::restart(folder)?,
        false => zug_core::checkpoint::give_up(folder)?,
    };
    for path in removed {
        tell!("zug: removed {}, of which nothing good is left", path.display());
    }
    Ok(())
}

/// Threads as asked for, or all cores.
pub fn threads_of(asked: Option<u16>) -> usize {
    let all_cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    asked.map_or_else(all_cores, usize::from)
}

/// The exit of a failure; a wish to stop is none.
pub fn failed(error: TaskError) -> Result<ExitCode> {
    match error {
        TaskError::Stopped { resumable } => {
            let how = match resumable {
                true => "the same command with --resume goes on",
                false => "nothing was written",
            };
            tell!("zug: stopped; {how}");
            Ok(ExitCode::from(130))
        }
        TaskError::Below(error) => Err(anyhow!(error)),
        error => Err(error.into()),
    }
}
