//! `zug book check`.

use super::{SHIPPED, counted, open};
use crate::cli::BookCheckArgs;
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use zug_book::{Book, BookError};

pub fn run(args: &BookCheckArgs) -> Result<ExitCode> {
    // The file itself is on trial, and not the one before it.
    if args.book != SHIPPED
        && let Err(error) = Book::open(Path::new(&args.book), None)
    {
        if !error.is_damage() {
            return Err(error.into());
        }
        return tell_damage(&error, args.json);
    }
    let (entry, places, book) = open(&args.book, &args.game)?;
    let report = zug_book::check(&book, &*entry.game, &places);
    let good = report.is_good();
    let mut out = std::io::stdout().lock();
    if args.json {
        let faults: Vec<Value> = report
            .faults
            .iter()
            .map(|f| json!({ "key": format!("{:016x}", f.key), "position": f.position, "what": f.what }))
            .collect();
        let told = json!({
            "game": book.spec(),
            "positions": report.positions,
            "games": report.games,
            "leaves": report.leaves,
            "exact": report.exact,
            "edges": report.edges,
            "alternatives": report.alternatives,
            "names": report.names,
            "good": good,
            "faults": faults,
            "more_faults": report.more,
            "made": { "command": book.made.command, "seed": book.made.seed, "data": book.made.data, "version": book.made.version },
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else {
        writeln!(
            out,
            "{}: {} of {}, {} at an end, {} exact, {} with an alternative; {}",
            book.spec(),
            counted(report.positions, "position"),
            counted(report.games, "game"),
            report.leaves,
            report.exact,
            report.alternatives,
            counted(report.names, "name")
        )?;
        for fault in &report.faults {
            writeln!(out, "{fault}")?;
        }
        if report.more > 0 {
            writeln!(out, "… and {} more", report.more)?;
        }
        writeln!(out, "{}", if good { "the book is good" } else { "the book is not good" })?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A file that cannot be read as a book.
fn tell_damage(error: &BookError, as_json: bool) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    if as_json {
        let fault = json!({ "key": null, "position": null, "what": error.to_string() });
        let told = json!({ "good": false, "faults": [fault], "more_faults": 0 });
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else {
        writeln!(out, "{error}\nthe book is not good")?;
    }
    Ok(ExitCode::from(1))
}
