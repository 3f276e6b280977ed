//! `zug runs`: what learning runs are there, where do they stand, how did their figures go, and what
//! do the learned weights look like?

use super::places::{claim, claim_one};
use crate::cli::{LookArgs, Overwrite, RunsArgs, RunsCommand};
use crate::registry;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zug_core::container::{Container, Expect, Kind};
use zug_core::files::write_atomically;
use zug_core::run::{RunSummary, inspect, list_runs};
use zug_learn::face::Account;
use zug_learn::runs;
use zug_learn::td::face::{Look, SelfPlay, TASK};

pub fn run(args: &RunsArgs) -> Result<ExitCode> {
    match &args.what {
        RunsCommand::List { dir, json } => list(dir, *json),
        RunsCommand::Show { dir, look, json } if !holds_run(dir) => {
            let weights = weights_of(dir, &look_of(look, *json))?;
            let mut out = std::io::stdout().lock();
            if *json {
                writeln!(out, "{:#}", Value::Object(weights.figures))?;
            } else {
                write!(out, "{}", weights.text)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        RunsCommand::Show { dir, look, json } => show(dir, &look_of(look, *json), *json),
        RunsCommand::Report { dir, against, out, overwrite } if dir.is_file() || is_name(dir) => {
            let look = Look { against: against.clone(), ..Look::default() };
            let weights = weights_of(dir, &look)?;
            let Some(out) = out else {
                bail!("{}: the page of a model needs --out FILE", dir.display());
            };
            let _claimed = claim_one(out, *overwrite)?;
            write_atomically(out, weights.page.as_bytes())?;
            writeln!(std::io::stdout(), "{}", out.display())?;
            Ok(ExitCode::SUCCESS)
        }
        RunsCommand::Report { dir, against: Some(other), out, overwrite } => {
            comparison(dir, other, out.as_deref(), *overwrite)
        }
        RunsCommand::Report { dir, out, overwrite, .. } => report(dir, out.as_deref(), *overwrite),
    }
}

/// Colours are for people at a terminal who have not asked for none.
fn look_of(args: &LookArgs, as_json: bool) -> Look {
    let plain = as_json || crate::terminal::is_plain_wanted();
    Look {
        experiment: args.experiment.clone(),
        types: args.types.clone(),
        games: args.games.clone(),
        against: args.against.clone(),
        groups: args.groups.clone(),
        colours: !plain && std::io::stdout().is_terminal(),
    }
}

/// Is something else meant than a run: a model, by file or name, or a folder in which a player learns?
fn holds_run(path: &Path) -> bool {
    !(path.is_file() || is_name(path) || player_model(path).is_some())
}

/// Is it a word that no file has? It may be the name of a model.
fn is_name(path: &Path) -> bool {
    let word = path.to_string_lossy();
    !path.exists() && !word.is_empty() && !word.contains(['.', '/', '\\'])
}

/// The model of a folder in which a player learns.
fn player_model(folder: &Path) -> Option<PathBuf> {
    let model = folder.join("model.zug");
    (!folder.join("run.toml").exists() && model.is_file()).then_some(model)
}

/// What the game of a model can learn from its own play.
fn learner_of(model: &Path) -> Result<(String, Option<SelfPlay>)> {
    let game = Container::open(model, &Expect::kind(Kind::Model))?.header().game.clone();
    let learner = registry::open(&game)?.extension::<SelfPlay>().cloned();
    Ok((game, learner))
}

/// The weights of a model in a file or by its name, or of the folder of a player that learns.
fn weights_of(path: &Path, look: &Look) -> Result<Account> {
    if is_name(path) {
        for family in registry::families() {
            let Ok(entry) = registry::open(family.name) else { continue };
            let Some(learner) = entry.extension::<SelfPlay>() else { continue };
            if let Some(shown) = learner.look(path, look)? {
                return Ok(shown);
            }
        }
        bail!("{}: there is no such run or file, and no model of that name", path.display());
    }
    let model = player_model(path).unwrap_or_else(|| path.to_path_buf());
    let (game, learner) = learner_of(&model)?;
    let shown = match learner {
        Some(learner) => learner.look(path, look)?,
        None => None,
    };
    let Some(shown) = shown else {
        bail!("{}: the weights of {game} cannot be shown", path.display());
    };
    Ok(shown)
}

/// The weights of a run, where its game can show them.
fn run_weights(run: &RunSummary, look: &Look) -> Result<Option<Account>> {
    let shown = match registry::open(&run.config.game)?.extension::<SelfPlay>() {
        Some(learner) if run.config.task == TASK => learner.look(&run.folder, look)?,
        _ => None,
    };
    if shown.is_none() && look.is_particular() {
        bail!("{}: this run has no weights to show", run.folder.display());
    }
    Ok(shown)
}

fn list(dir: &Path, as_json: bool) -> Result<ExitCode> {
    let runs = list_runs(dir)?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let all: Vec<Value> = runs
            .iter()
            .map(|run| match run {
                Ok(run) => summary_json(run),
                Err(error) => json!({"error": error.to_string()}),
            })
            .collect();
        writeln!(out, "{:#}", Value::from(all))?;
        return Ok(ExitCode::SUCCESS);
    }
    if runs.is_empty() {
        writeln!(out, "no runs in {}", dir.display())?;
    }
    for run in &runs {
        match run {
            Ok(run) => {
                let (status, config) = (&run.status, &run.config);
                writeln!(
                    out,
                    "{:24} {:10} {:10} {:11} step {:<8} {}",
                    runs::name(run),
                    config.task,
                    config.game,
                    status.state.to_string(),
                    runs::step(run),
                    status.updated
                )?;
            }
            Err(error) => writeln!(out, "{error}")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn summary_json(run: &RunSummary) -> Value {
    json!({
        "folder": run.folder.display().to_string(),
        "task": run.config.task,
        "game": run.config.game,
        "state": run.status.state.to_string(),
        "step": runs::step(run),
        "updated": run.status.updated,
        "message": run.status.message,
    })
}

fn show(dir: &Path, look: &Look, as_json: bool) -> Result<ExitCode> {
    let run = inspect(dir)?;
    let figures = runs::figures(dir)?;
    let weights = run_weights(&run, look)?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let mut all = summary_json(&run);
        all["config"] = serde_json::to_value(&run.config)?;
        all["lines"] = figures.entries.len().into();
        all["last"] = figures.entries.last().cloned().map_or(Value::Null, Value::Object);
        if let Some(weights) = weights {
            all["weights"] = Value::Object(weights.figures);
        }
        writeln!(out, "{all:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(weights) = weights.as_ref().filter(|_| look.is_particular()) {
        write!(out, "{}", weights.text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (config, status) = (&run.config, &run.status);
    writeln!(out, "{}: {} of {}", run.folder.display(), config.task, config.game)?;
    writeln!(out, "  state    {}, step {}, {}", status.state, runs::step(&run), status.updated)?;
    if !status.message.is_empty() {
        writeln!(out, "  message  {}", status.message)?;
    }
    writeln!(out, "  command  {}", config.command.join(" "))?;
    // Nought where the result is the same for any number.
    let threads = match config.threads {
        0 => String::new(),
        threads => format!(", {threads} threads"),
    };
    writeln!(out, "  seed     {}{threads}, version {}", config.seed, config.version)?;
    if let Some(data) = &config.data {
        writeln!(out, "  data     {data}")?;
    }
    for (key, value) in &config.options {
        writeln!(out, "  {key:8} {value}")?;
    }
    if let Some(note) = &figures.note {
        writeln!(out, "  note     {note}")?;
    }
    writeln!(out, "  figures  {} lines", figures.entries.len())?;
    if let Some(last) = figures.entries.last() {
        for (key, value) in last {
            writeln!(out, "    {key} {value}")?;
        }
    }
    if let Some(weights) = weights {
        write!(out, "\n{}", weights.text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a folder in which a player learns.
fn players_page(dir: &Path, model: &Path) -> Result<String> {
    let (game, learner) = learner_of(model)?;
    let page = match learner {
        Some(learner) => learner.report(dir)?,
        None => None,
    };
    match page {
        Some(page) => Ok(page.html()),
        None => bail!("{}: what {game} has learned here cannot be drawn", dir.display()),
    }
}

fn runs_page(dir: &Path) -> Result<String> {
    let run = inspect(dir)?;
    Ok(runs::page(&registry::open(&run.config.game)?, &run)?.html())
}

/// Draws two runs side by side.
fn comparison(
    dir: &Path,
    against: &str,
    out: Option<&Path>,
    overwrite: Overwrite,
) -> Result<ExitCode> {
    let (run, other) = (inspect(dir)?, inspect(Path::new(against))?);
    let entries = (registry::open(&run.config.game)?, registry::open(&other.config.game)?);
    let page = runs::comparison((&entries.0, &run), (&entries.1, &other))?;
    let Some(path) = out else {
        bail!("the page of two runs needs --out FILE");
    };
    let _claimed = claim_one(path, overwrite)?;
    write_atomically(path, page.html().as_bytes())?;
    writeln!(std::io::stdout(), "{}", path.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Draws what a run has found: as its game does, or every figure that is a number, over the steps.
fn report(dir: &Path, out: Option<&Path>, overwrite: Overwrite) -> Result<ExitCode> {
    let _claimed = claim(out, overwrite)?;
    let page = match player_model(dir) {
        Some(model) => players_page(dir, &model)?,
        None => runs_page(dir)?,
    };
    let path = out.map_or_else(|| dir.join("report.html"), Path::to_path_buf);
    write_atomically(&path, page.as_bytes())?;
    writeln!(std::io::stdout(), "{}", path.display())?;
    Ok(ExitCode::SUCCESS)
}
