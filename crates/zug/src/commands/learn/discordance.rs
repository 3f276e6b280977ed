//! `zug learn GAME discordance`: how often does a feature order two positions wrongly?

use super::{failed, order};
use crate::cli::LearnDiscordanceArgs;
use crate::commands::places::{claim, insist_on_apart};
use crate::progress::progress;
use crate::stop;
use anyhow::{Result, bail};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use zug_core::files::write_atomically;
use zug_learn::face::{Discordances, Learner};

pub fn run(game: &str, learner: &Learner, args: &LearnDiscordanceArgs) -> Result<ExitCode> {
    insist_on_apart(args.report.as_deref(), args.data.data.iter().map(PathBuf::as_path))?;
    let _claimed = claim(args.report.as_deref(), args.overwrite)?;
    let order = order(game, "discordance", None, &args.data, &args.features)?;
    if order.features.is_empty() && order.patterns.is_empty() {
        let names: Vec<String> = learner.features().into_iter().map(|f| f.name).collect();
        bail!("name features (--feature) or patterns (--pattern); known are: {}", names.join(", "));
    }
    let (flag, bar) = (stop::on_interrupt(), progress("discordance"));
    let result = learner.discordance(&order, bar.as_ref(), &flag);
    drop(bar);
    let table = match result {
        Ok(table) => table,
        Err(error) => return failed(error),
    };
    if let Some(report) = &args.report {
        write_atomically(report, table.page.as_bytes())?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", as_json(game, &table))?;
    } else if args.csv {
        write!(out, "{}", as_csv(&table))?;
    } else {
        write!(out, "{}", as_text(&table))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(game: &str, table: &Discordances) -> serde_json::Value {
    let rows = table.rows.iter().map(|row| {
        json!({
            "stage": row.stage,
            "examples": row.examples,
            "values": row.values,
            "errors": row.errors,
        })
    });
    json!({
        "game": game,
        "stage": table.stage,
        "features": table.features,
        "rows": rows.collect::<Vec<_>>(),
    })
}

fn as_csv(table: &Discordances) -> String {
    // The squares of a pattern are written with commas.
    let quoted = |name: &String| {
        if name.contains([',', '"']) {
            format!("\"{}\"", name.replace('"', "\"\""))
        } else {
            name.clone()
        }
    };
    let names: Vec<String> = table.features.iter().map(quoted).collect();
    let mut text = format!("{},examples,{}\n", table.stage, names.join(","));
    for row in &table.rows {
        let _ = write!(text, "{},{}", row.stage, row.examples);
        for value in &row.values {
            text.push(',');
            if let Some(value) = value {
                let _ = write!(text, "{value:.6}");
            }
        }
        text.push('\n');
    }
    text
}

fn as_text(table: &Discordances) -> String {
    let widths: Vec<usize> = table.features.iter().map(|f| f.chars().count().max(7)).collect();
    let mut text = format!("{:>6} {:>10}", table.stage, "examples");
    for (name, &width) in table.features.iter().zip(&widths) {
        let _ = write!(text, "  {name:>width$}");
    }
    text.push('\n');
    for row in &table.rows {
        let _ = write!(text, "{:>6} {:>10}", row.stage, row.examples);
        for (value, &width) in row.values.iter().zip(&widths) {
            let _ = match value {
                Some(value) => write!(text, "  {value:>width$.4}"),
                None => write!(text, "  {:>width$}", "-"),
            };
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_learn::face::DiscordanceRow;

    #[test]
    fn tables_are_printed_with_gaps_where_nothing_is_known() {
        let row = DiscordanceRow {
            stage: 12,
            examples: 6,
            values: vec![Some(0.25), None],
            errors: vec![Some(0.01), None],
        };
        let table = Discordances {
            stage: "discs",
            features: vec!["edge".into(), "a1-d1,a2-d2".into()],
            rows: vec![row],
            page: String::new(),
        };
        assert_eq!(as_csv(&table), "discs,examples,edge,\"a1-d1,a2-d2\"\n12,6,0.250000,\n");
        assert_eq!(
            as_text(&table),
            " discs   examples     edge  a1-d1,a2-d2\n    12          6   0.2500            -\n"
        );
        assert_eq!(as_json("othello", &table)["rows"][0]["values"][1], serde_json::Value::Null);
    }
}
