//! `zug db verify`: is every byte what was written, and every value what the rules make it?

use super::{Opened, insist_on_whole, open, threads};
use crate::cli::DbVerifyArgs;
use crate::progress::progress;
use crate::stop;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::process::ExitCode;
use zug_core::checks::thousands;
use zug_solve::store::manifest::MANIFEST;
use zug_solve::verify::{Fault, Findings};
use zug_solve::{Code, Measure};

pub fn run(args: &DbVerifyArgs) -> Result<ExitCode> {
    if !args.dir.join(MANIFEST).exists() {
        // Nothing to verify is another matter than something that is wrong.
        open(&args.dir)?;
    }
    let opened = match open(&args.dir).and_then(|opened| {
        insist_on_whole(&args.dir, opened.database.as_ref())?;
        opened.database.verify_files()?;
        Ok(opened)
    }) {
        Ok(opened) => opened,
        Err(error) => return broken(args, &crate::in_words(&error)),
    };
    if args.files {
        return report(args, &opened, None);
    }
    if opened.database.manifest().one_side && !args.json {
        tell!(
            "zug: one side to move is stored; the other is found by looking ahead, which takes longer"
        );
    }
    let flag = stop::on_interrupt();
    let bar = progress(&opened.database.manifest().game);
    let found = opened.database.verify_values(threads(args.threads), bar.as_ref(), &flag);
    drop(bar);
    let found = match found {
        Ok(found) => found,
        Err(error) => return broken(args, &error.to_string()),
    };
    if flag.is_set() {
        tell!("zug: stopped after {} slots; nothing is proven", thousands(found.checked));
        return Ok(ExitCode::from(130));
    }
    report(args, &opened, Some(&found))
}

/// A database that cannot be read is wrong, which is the answer and not a failure to answer.
fn broken(args: &DbVerifyArgs, why: &str) -> Result<ExitCode> {
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", json!({ "ok": false, "error": why }))?;
    } else {
        writeln!(out, "WRONG: {why}")?;
    }
    Ok(ExitCode::from(1))
}

fn report(args: &DbVerifyArgs, opened: &Opened, found: Option<&Findings>) -> Result<ExitCode> {
    let ok = found.is_none_or(|f| f.wrong == 0);
    let database = &opened.database;
    let words = |code: Code| code.value().map_or("nothing".to_string(), |v| v.to_string());
    let position = |fault: &Fault| database.position(fault.slot).unwrap_or_default();
    let mut out = anstream::stdout().lock();
    if args.json {
        let faults = |found: &Findings| -> Vec<Json> {
            let fault = |f: &Fault| {
                json!({
                    "slot": f.slot,
                    "position": position(f),
                    "found": words(f.found),
                    "expected": words(f.expected),
                })
            };
            found.first.iter().map(fault).collect()
        };
        let value = json!({
            "ok": ok,
            "game": database.manifest().game,
            "files": database.manifest().stages.len(),
            "checked": found.map(|f| f.checked),
            "wrong": found.map(|f| f.wrong),
            "first": found.map(faults),
        });
        writeln!(out, "{value:#}")?;
    } else {
        let files = database.manifest().stages.len();
        let plural = if files == 1 { "file" } else { "files" };
        writeln!(out, "{files} {plural}: all checksums are right.")?;
        if let Some(found) = found {
            let what = match database.manifest().metric {
                Measure::Wdl => "no value contradicts its successors",
                _ => "every value follows from its successors",
            };
            let slots = thousands(found.checked);
            if ok {
                writeln!(out, "{slots} slots: {what}.")?;
            } else {
                writeln!(out, "{slots} slots: {} are WRONG, the first:", thousands(found.wrong))?;
            }
            for fault in &found.first {
                writeln!(
                    out,
                    "  slot {}: {} but should be {}   {}",
                    fault.slot,
                    words(fault.found),
                    words(fault.expected),
                    position(fault)
                )?;
            }
        }
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
