//! `zug db play`: a person against the database.

use super::probe::{moves, words};
use super::{insist_on_whole, open};
use crate::cli::{DbOutcome, DbPlayArgs};
use crate::commands::line_at;
use crate::commands::play::{Seat, Table};
use crate::terminal::Style;
use anyhow::{Context, Result};
use std::process::ExitCode;
use std::sync::Arc;
use zug_core::{AnyLine, Limits, Side, Spec};
use zug_solve::Value;
use zug_solve::face::AnyDatabase;

pub fn run(args: &DbPlayArgs) -> Result<ExitCode> {
    let opened = open(&args.dir)?;
    insist_on_whole(&args.dir, opened.database.as_ref())?;
    let database: Arc<dyn AnyDatabase> = opened.database.into();
    let drawn = match args.random {
        None => None,
        Some(outcome) => {
            let wanted = |value: Value| match outcome {
                DbOutcome::Won => matches!(value, Value::Win(_)),
                DbOutcome::Drawn => value == Value::Draw,
                DbOutcome::Lost => matches!(value, Value::Loss(_)),
            };
            let found = database.sample(&wanted, 1, args.seed)?;
            Some(found.into_iter().next().context("no such position was found")?)
        }
    };
    let position = drawn.as_deref().or(args.position.as_deref());
    let line = line_at(&opened.entry, position)?;
    // Asked now, so that a wrong position is named before the game.
    let text = line.position_text();
    database.probe(&text).with_context(|| format!("the position '{text}'"))?;
    let person = (!args.both).then(|| line.to_move());
    let mut perfect = Spec { name: "perfect".to_string(), ..Spec::default() };
    perfect.options.push(("db".to_string(), args.dir.display().to_string()));
    perfect.options.push(("seed".to_string(), args.seed.to_string()));
    let seat = |side: Side| -> Result<(Seat, String)> {
        Ok(match person {
            Some(person) if person == side => (Seat::Person, "you".to_string()),
            _ => (Seat::Machine(opened.entry.player(&perfect)?), "the database".to_string()),
        })
    };
    let [(first, first_name), (second, second_name)] = [seat(Side::First)?, seat(Side::Second)?];
    let mut table = Table {
        seats: [first, second],
        names: [first_name, second_name],
        line,
        limits: Limits::default(),
        style: Style::of_stdout(args.ascii),
        hints: true,
        seed: args.seed,
        resigned: None,
        adviser: Some(Adviser { database, blind: args.blind }),
        entry: opened.entry,
        saved: None,
    };
    let finished = table.play()?;
    Ok(if finished { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Tells what positions are worth, at a board.
pub struct Adviser {
    database: Arc<dyn AnyDatabase>,
    blind: bool,
}

impl Adviser {
    /// What to say below a drawn board, if anything.
    pub fn remark(&self, line: &dyn AnyLine) -> Option<String> {
        if self.blind || line.outcome().is_some() {
            return None;
        }
        self.value(line).ok()
    }

    /// The value of the position, in words.
    pub fn value(&self, line: &dyn AnyLine) -> Result<String> {
        let probe = self.database.probe(&line.position_text())?;
        let metric = self.database.manifest().metric;
        Ok(format!("{} to move: {}", line.side_name(probe.side), words(probe.value, metric)))
    }

    /// What each move is worth.
    pub fn values(&self, line: &dyn AnyLine) -> Result<String> {
        let probe = self.database.probe(&line.position_text())?;
        Ok(moves(&probe, self.database.manifest().metric).trim_end().to_string())
    }
}
