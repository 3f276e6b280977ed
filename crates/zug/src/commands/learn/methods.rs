//! `zug learn GAME methods`: what can be named.

use anyhow::Result;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use zug_learn::face::Learner;

pub fn run(learner: &Learner, as_json: bool) -> Result<ExitCode> {
    let (methods, features, models) = (learner.methods(), learner.features(), learner.models());
    let mut out = std::io::stdout().lock();
    if as_json {
        let all = json!({"methods": methods, "features": features, "models": models});
        writeln!(out, "{all:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    for (title, list) in [("Methods", methods), ("Features", features), ("Models", models)] {
        writeln!(out, "{title}:")?;
        let width = list.iter().map(|n| n.name.len()).max().unwrap_or(0);
        for named in list {
            writeln!(out, "  {:width$}  {}", named.name, named.help)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
