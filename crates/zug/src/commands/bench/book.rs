//! What the shipped book of Othello costs a player.

use super::{Benchmark, repeat};
use crate::registry;
use anyhow::{Context, Result};
use std::hint::black_box;
use zug_book::{Book, Draws, Places, ShippedBook, Values, advise};
use zug_core::{AnyLine, GameEntry};

/// Positions of the book that are probed in turn.
const PROBED: usize = 1000;

/// Reading the book, working out all its values, and a probe: the places of all moves, what is known
/// of them, and the choice.
pub fn benchmarks() -> Result<Vec<Benchmark>> {
    let entry = registry::open("othello")?;
    Ok(vec![
        Benchmark {
            name: "book othello open".to_string(),
            unit: "books",
            measure: Box::new(|time| {
                let entry = registry::open("othello")?;
                Ok(repeat(time, || u64::from(black_box(shipped(&entry)).is_ok())))
            }),
        },
        Benchmark {
            name: "book othello values".to_string(),
            unit: "positions",
            measure: Box::new(|time| {
                let book = shipped(&registry::open("othello")?)?;
                Ok(repeat(time, || {
                    black_box(Values::of(&book, Draws::Neutral));
                    book.len() as u64
                }))
            }),
        },
        Benchmark {
            name: "book othello probe".to_string(),
            unit: "probes",
            measure: Box::new(move |time| {
                let (book, places) = (shipped(&entry)?, Places::of(&entry));
                let values = Values::of(&book, Draws::Neutral);
                let step = (book.len() / PROBED).max(1);
                let lines: Vec<Box<dyn AnyLine>> = book
                    .nodes()
                    .step_by(step)
                    .filter_map(|node| book.line_to(&*entry.game, &places, node.key))
                    .collect();
                Ok(repeat(time, || {
                    for line in &lines {
                        black_box(advise(&book, &values, &places, &**line));
                    }
                    lines.len() as u64
                }))
            }),
        },
    ])
}

fn shipped(entry: &GameEntry) -> Result<Book> {
    let bytes = entry.extension::<ShippedBook>().context("no book is part of the program")?;
    Ok(Book::from_bytes(bytes.0, Some(&entry.game.spec()))?)
}
