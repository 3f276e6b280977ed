//! `zug eval`: what a model makes of a position, or of each position of a file, without search.

mod errors;
mod examples;

use super::learn::learner;
use crate::cli::EvalArgs;
use crate::registry;
use crate::stop;
use crate::terminal::count;
use anyhow::{Context, Result, anyhow, bail};
use errors::Errors;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use zug_core::packed;
use zug_learn::face::{AnyEvaluation, Closely, Evaluated, TaskError, number};

pub fn run(args: &EvalArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let game = entry.game.spec();
    let model = learner(&entry)?.open(args.model.as_deref()).map_err(plain)?;
    let path = Path::new(&args.position);
    if args.position == "-" && args.fold.is_none() && !args.exact {
        let name = "standard input";
        return file(&game, &*model, &mut std::io::stdin().lock(), name, args);
    }
    let is_packed = packed::is_compressed(path);
    let inner = if is_packed { path.with_extension("") } else { path.to_path_buf() };
    let has_ending = |e| inner.extension().is_some_and(|x| x.eq_ignore_ascii_case(e));
    if ["obf", "txt", "zug", "epd", "fen"].into_iter().any(has_ending) && !path.exists() {
        bail!("there is no file {}", path.display());
    }
    if examples::is_example_file(path) {
        return examples::run(&game, &*model, path, args);
    }
    if args.fold.is_some() || args.exact {
        bail!("--fold and --exact choose from a file of examples (.zug), which this is not");
    }
    if path.exists() && !path.is_dir() {
        let mut input =
            packed::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        return file(&game, &*model, &mut *input, &path.display().to_string(), args);
    }
    if path.is_dir() {
        bail!("{}: this is a folder; expected a position or a file of positions", path.display());
    }
    let seen = model.evaluate(&args.position).map_err(plain);
    let seen = seen.with_context(|| {
        format!("in the position '{}'", zug_core::error::shorten(&args.position))
    })?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", position_json(&game, &*model, &seen))?;
    } else {
        write!(out, "{}", seen.in_words(&*model))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn plain(error: TaskError) -> anyhow::Error {
    match error {
        TaskError::Below(error) => anyhow!(error),
        error => error.into(),
    }
}

fn position_json(game: &str, model: &dyn AnyEvaluation, seen: &Closely) -> Value {
    let moves = seen.moves.iter().map(|(mv, value)| json!({"move": mv, "value": value}));
    let mut report = json!({
        "game": game,
        "model": model.name(),
        "unit": model.unit(),
        "position": seen.position,
        "to_move": seen.to_move,
        model.stage(): seen.evaluated.stage,
        "value": seen.evaluated.value,
        "win_probability": model.win_probability(seen.evaluated.stage, seen.evaluated.value),
        "exact": seen.evaluated.exact,
        "over": seen.evaluated.over,
        "moves": moves.collect::<Vec<_>>(),
    });
    for (word, figure) in &seen.figures {
        report[word] = figure.clone();
    }
    report
}

/// What is kept of a position of a file.
struct Kept {
    value: f32,
    exact: Option<i16>,
}

fn file(
    game: &str,
    model: &dyn AnyEvaluation,
    input: &mut dyn BufRead,
    name: &str,
    args: &EvalArgs,
) -> Result<ExitCode> {
    if input.fill_buf().with_context(|| format!("cannot read {name}"))?.is_empty() {
        bail!("{name}: the file is empty");
    }
    // Only a scale that the truth is told on has errors.
    let in_discs = model.unit() == "discs";
    let (mut all, mut by_stage) = (Errors::default(), BTreeMap::<u32, Errors>::new());
    let (mut positions, mut kept) = (0u64, Vec::new());
    let flag = stop::on_interrupt();
    let threads = usize::from(args.threads);
    let seconds = model.evaluate_all(input, threads, &flag, &mut |part: &[Evaluated]| {
        for seen in part {
            positions += 1;
            if let Some(exact) = seen.exact {
                all.add(seen.value, exact);
                by_stage.entry(seen.stage).or_default().add(seen.value, exact);
            }
            if !args.summary {
                let exact = seen.exact.map(|e| e as i16);
                kept.push(Kept { value: seen.value as f32, exact });
            }
        }
    });
    let seconds = match seconds {
        Ok(seconds) => seconds,
        Err(TaskError::Stopped { .. }) => {
            tell!("zug: stopped");
            return Ok(ExitCode::from(130));
        }
        Err(error) => return Err(plain(error).context(name.to_string())),
    };
    if positions == 0 {
        bail!("{name}: no position in this file");
    }
    let speed = positions as f64 / seconds.max(1e-9);
    let mut out = std::io::stdout().lock();
    if args.json {
        let stages = by_stage.iter().map(|(stage, errors)| {
            let mut figures = errors.json(in_discs);
            figures["stage"] = (*stage).into();
            figures
        });
        let mut report = json!({
            "game": game,
            "model": model.name(),
            "unit": model.unit(),
            "positions": positions,
            "seconds": seconds,
            "positions_per_second": speed,
            "threads": args.threads,
            "errors": all.json(in_discs),
            "by_stage": stages.collect::<Vec<_>>(),
        });
        if !args.summary {
            let value = |k: &Kept| json!({"value": round(k.value), "exact": k.exact});
            report["values"] = kept.iter().map(value).collect();
        }
        writeln!(out, "{report:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    for one in &kept {
        match one.exact {
            Some(exact) => writeln!(out, "{} {exact:+}", number(model, one.value.into()))?,
            None => writeln!(out, "{}", number(model, one.value.into()))?,
        }
    }
    let speed = count(speed as u64);
    writeln!(out, "{positions} positions, {speed} a second in {}", model.name())?;
    if all.positions > 0 {
        writeln!(out, "{:>8}  {:>9}", model.stage(), "positions")?;
        for (stage, errors) in &by_stage {
            writeln!(out, "{stage:>8}  {:>9}   {}", errors.positions, errors.text(in_discs))?;
        }
        writeln!(out, "{:>8}  {:>9}   {}", "all", all.positions, all.text(in_discs))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Without the digits that 32 bits do not hold.
fn round(value: f32) -> f64 {
    (f64::from(value) * 10_000.0).round() / 10_000.0
}
