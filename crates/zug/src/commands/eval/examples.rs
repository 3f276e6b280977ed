//! How far is a model from the labels of a file of examples?

use super::errors::Errors;
use crate::cli::EvalArgs;
use crate::progress::progress;
use crate::stop;
use crate::terminal::count;
use anyhow::{Result, bail};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use zug_core::checks::thousands;
use zug_learn::discordance::{Discordance, Ranked, discordance};
use zug_learn::face::{AnyEvaluation, Choice, Evaluated, TaskError};
use zug_learn::rows::Class;

/// Is this a file of examples, by its ending or by how it begins?
pub fn is_example_file(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut beginning = [0; 4];
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("zug"))
        || File::open(path).and_then(|mut f| f.read_exact(&mut beginning)).is_ok()
            && beginning == *b"\x89ZUG"
}

/// One stage of the game, summed up.
struct Stage {
    stage: u32,
    errors: Errors,
    discordance: Discordance,
}

/// What is summed up while examples come in, stage by stage.
#[derive(Default)]
struct Sums {
    ended: Vec<Stage>,
    /// The stage at hand.
    stage: u32,
    errors: Errors,
    /// How often each value was met with each class: models have few different values, so this
    /// stays small however many examples there are.
    met: HashMap<(u64, Class), u64>,
}

impl Sums {
    fn add(&mut self, seen: &Evaluated) -> Result<()> {
        let Some(label) = seen.exact else { return Ok(()) };
        if seen.stage != self.stage {
            self.end_stage()?;
            self.stage = seen.stage;
        }
        self.errors.add(seen.value, label);
        let class = match label {
            l if l < 0.0 => Class::Loss,
            l if l > 0.0 => Class::Win,
            _ => Class::Draw,
        };
        *self.met.entry((seen.value.to_bits(), class)).or_default() += 1;
        Ok(())
    }

    fn end_stage(&mut self) -> Result<()> {
        if self.met.is_empty() {
            return Ok(());
        }
        let ranked = |((bits, class), count)| Ranked { value: f64::from_bits(bits), class, count };
        let mut ranked: Vec<Ranked> = self.met.drain().map(ranked).collect();
        let discordance = discordance(&mut ranked)?;
        let errors = std::mem::take(&mut self.errors);
        self.ended.push(Stage { stage: self.stage, errors, discordance });
        Ok(())
    }

    fn all(&self) -> Errors {
        self.ended.iter().fold(Errors::default(), |all, stage| all.with(&stage.errors))
    }

    /// The mean of the stages' discordances, over the examples: pairs are of one stage.
    fn mean_discordance(&self) -> f64 {
        let weighed = self.ended.iter().map(|s| s.discordance.value() * s.errors.positions as f64);
        weighed.sum::<f64>() / self.all().positions.max(1) as f64
    }
}

pub fn run(
    game: &str,
    model: &dyn AnyEvaluation,
    path: &Path,
    args: &EvalArgs,
) -> Result<ExitCode> {
    let choice = Choice { fold: args.fold, exact: args.exact };
    let flag = stop::on_interrupt();
    let bar = progress("eval");
    let (mut sums, mut wrong) = (Sums::default(), Ok(()));
    let threads = usize::from(args.threads);
    let seconds =
        model.evaluate_examples(path, choice, threads, bar.as_ref(), &flag, &mut |part| {
            if wrong.is_ok() {
                wrong = part.iter().try_for_each(|seen| sums.add(seen));
            }
        });
    drop(bar);
    let seconds = match seconds {
        Ok(seconds) => seconds,
        Err(TaskError::Stopped { .. }) => {
            tell!("zug: stopped");
            return Ok(ExitCode::from(130));
        }
        Err(error) => return Err(super::plain(error)),
    };
    wrong?;
    sums.end_stage()?;
    let positions = sums.all().positions;
    if positions == 0 {
        bail!("{}: {}", path.display(), nothing(choice));
    }
    let speed = positions as f64 / seconds.max(1e-9);
    let in_discs = model.unit() == "discs";
    let mut out = std::io::stdout().lock();
    if args.json {
        let figures = |errors: &Errors, discordance: f64| {
            let mut figures = errors.json(in_discs);
            figures["discordance"] = discordance.into();
            figures
        };
        let stages = sums.ended.iter().map(|stage| {
            let mut figures = figures(&stage.errors, stage.discordance.value());
            figures["stage"] = stage.stage.into();
            figures
        });
        let report = json!({
            "game": game,
            "model": model.name(),
            "unit": model.unit(),
            "file": path.display().to_string(),
            "fold": args.fold.map_or(Value::Null, Value::from),
            "exact": args.exact,
            "positions": positions,
            "seconds": seconds,
            "positions_per_second": speed,
            "threads": args.threads,
            "errors": figures(&sums.all(), sums.mean_discordance()),
            "by_stage": stages.collect::<Vec<_>>(),
        });
        writeln!(out, "{report:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{:>8}  {:>12}", model.stage(), "positions")?;
    let mut line = |name: String, errors: &Errors, discordance: f64| {
        let (positions, errors) = (thousands(errors.positions), errors.text(in_discs));
        writeln!(out, "{name:>8}  {positions:>12}   {errors}   discordance {discordance:.4}")
    };
    for stage in &sums.ended {
        line(stage.stage.to_string(), &stage.errors, stage.discordance.value())?;
    }
    line("all".into(), &sums.all(), sums.mean_discordance())?;
    let (positions, speed) = (thousands(positions), count(speed as u64));
    writeln!(out, "{positions} positions, {speed} a second in {}", model.name())?;
    Ok(ExitCode::SUCCESS)
}

/// Why nothing was left to evaluate.
fn nothing(choice: Choice) -> String {
    let solved = if choice.exact { " that was solved" } else { "" };
    match choice.fold {
        Some(fold) => format!("no example{solved} belongs to fold {fold} alone"),
        None => format!("there is no example{solved} in it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(stage: u32, value: f64, label: f64) -> Evaluated {
        Evaluated { stage, value, exact: Some(label), over: false }
    }

    #[test]
    fn stages_are_summed_up_one_by_one_and_together() {
        let mut sums = Sums::default();
        // At 10 discs every pair of different values is in order; at 12 the only one is not.
        for one in [
            seen(10, 1.0, 2.0),
            seen(10, 1.0, 4.0),
            seen(10, -1.0, -2.0),
            seen(12, 5.0, -1.0),
            seen(12, -5.0, 1.0),
        ] {
            sums.add(&one).unwrap();
        }
        sums.end_stage().unwrap();
        let stages: Vec<u32> = sums.ended.iter().map(|s| s.stage).collect();
        assert_eq!(stages, [10, 12]);
        assert_eq!(sums.ended[0].discordance.value(), 0.0);
        // Each example with itself, and the wrong pair: one of three.
        assert!((sums.ended[1].discordance.value() - 1.0 / 3.0).abs() < 1e-12);
        assert!((sums.mean_discordance() - 2.0 / 15.0).abs() < 1e-12);
        assert_eq!(sums.all().positions, 5);
        assert_eq!(sums.all().right_winner(), Some(0.6));
    }
}
