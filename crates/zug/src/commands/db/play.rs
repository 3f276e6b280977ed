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
use zug_core::seed::RngExt;
use zug_core::{AnyLine, Choice, Info, Limits, Player, PlayerError, Rng, Score, Side, Watch, rng};
use zug_solve::face::AnyDatabase;
use zug_solve::{Measure, Value};

pub fn run(args: &DbPlayArgs) -> Result<ExitCode> {
    let opened = open(&args.dir)?;
    insist_on_whole(&args.dir, opened.database.as_ref())?;
    let database: Arc<dyn AnyDatabase> = opened.database.into();
    let drawn = match args.random {
        None => None,
        Some(outcome) => {
            let wanted = |value: Value| match outcome {
                DbOutcome::Won => matches!(value, Value::Win(n) if n > 0),
                DbOutcome::Drawn => value == Value::Draw,
                DbOutcome::Lost => matches!(value, Value::Loss(n) if n > 0),
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
    let seat = |side: Side| match person {
        Some(person) if person == side => (Seat::Person, "you".to_string()),
        _ => {
            let player = Perfect { database: database.clone(), rng: rng(args.seed, 51) };
            (Seat::Machine(Box::new(player)), "the database".to_string())
        }
    };
    let [(first, first_name), (second, second_name)] = Side::BOTH.map(seat);
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

/// The plain perfect player: the fastest win, any drawing move, the longest resistance.
struct Perfect {
    database: Arc<dyn AnyDatabase>,
    rng: Rng,
}

impl Player for Perfect {
    fn name(&self) -> String {
        "perfect".to_string()
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        _: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let probe = self
            .database
            .probe(&line.position_text())
            .map_err(|e| PlayerError::Unsupported(e.to_string()))?;
        let best: Vec<_> = probe.moves.iter().filter(|m| m.best).collect();
        if best.is_empty() {
            return Err(PlayerError::Unsupported("the game has ended".to_string()));
        }
        let choice = best[self.rng.random_range(0..best.len())];
        let exact = self.database.manifest().metric == Measure::Dtm;
        let score = match choice.value {
            Value::Draw => Some(Score::DRAW),
            value => exact.then(|| value.score()),
        };
        let info = Info {
            rank: 1,
            score,
            proven: true,
            nodes: probe.moves.len() as u64,
            line: vec![choice.mv.clone()],
            ..Info::default()
        };
        Ok(Choice { info: Some(info), ..Choice::of(choice.mv.clone()) })
    }
}
