//! `zug book add`.

use super::{moves_of, team};
use crate::cli::{BookAddArgs, ResultWord};
use crate::commands::data::sources::Inputs;
use crate::progress::progress;
use crate::{registry, stop};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use zug_book::build::{Selection, complete, read_games};
use zug_book::team::Diary;
use zug_book::{Book, Places};
use zug_core::{AnyLine, GameEntry, RecordResult, Side};

pub fn run(args: &BookAddArgs) -> Result<ExitCode> {
    let begins = !args.book.exists();
    let (entry, places, mut book) = if begins {
        let Some(game) = &args.game else {
            bail!(
                "{} is not there; with --game GAME it begins with these games",
                args.book.display()
            );
        };
        crate::commands::places::insist_on_writable(&args.book)?;
        let entry = registry::open(game)?;
        let (places, book) = (Places::of(&entry), Book::new(&entry.game.spec()));
        (entry, places, book)
    } else {
        super::open(&args.book.to_string_lossy(), "")?
    };
    let games = games(&entry, args)?;
    let before = (book.len(), book.games());
    let stop = stop::on_interrupt();
    let bar = progress("positions");
    let team = team(&entry, &args.judge, &*bar, &stop)?;
    read_games(&mut book, &places, &Selection::default(), &team, &mut |sink| {
        for (line, result) in &games {
            if !sink(&**line, *result) {
                return;
            }
        }
    });
    let whole = complete(&mut book, &places, &team, 0, &mut Diary::none())?;
    bar.finish();
    if !whole {
        eprintln!("zug: stopped; the book is as it was");
        return Ok(ExitCode::from(130));
    }
    book.save(&args.book)?;
    let mut out = std::io::stdout().lock();
    let (positions, added) = (book.len() - before.0, book.games() - before.1);
    if args.json {
        let told = json!({
            "book": args.book.display().to_string(), "game": book.spec(), "games_added": added,
            "positions_added": positions, "games": book.games(), "positions": book.len(),
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else {
        writeln!(
            out,
            "{added} games added, {positions} new positions; {} holds {} positions of {} games",
            args.book.display(),
            book.len(),
            book.games()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

type Played = (Box<dyn AnyLine>, RecordResult);

/// The games that the arguments name: files of records, or moves.
fn games(entry: &GameEntry, args: &BookAddArgs) -> Result<Vec<Played>> {
    let stated = args.result.map(|word| RecordResult::Known {
        winner: match word {
            ResultWord::First => Some(Side::First),
            ResultWord::Second => Some(Side::Second),
            ResultWord::Draw => None,
        },
        margin: None,
    });
    let mut games: Vec<Played> = Vec::new();
    for text in &args.games {
        let path = PathBuf::from(text);
        if path.exists() {
            for input in Inputs::new(entry, &[path]) {
                let input = input?;
                for (number, record) in input.format.read(&input.bytes).into_iter().enumerate() {
                    let place = || format!("{}: game {}", input.name, number + 1);
                    let record = record.with_context(place)?;
                    if record.game != entry.game.spec() {
                        bail!(
                            "{}: a game of {}, not of {}",
                            place(),
                            record.game,
                            entry.game.spec()
                        );
                    }
                    let line = record
                        .replay(&*entry.game)
                        .map_err(|(ply, e)| anyhow::anyhow!("{}: ply {ply}: {e}", place()))?;
                    games.push((line, record.result));
                }
            }
        } else {
            let line = moves_of(entry, text).with_context(|| {
                let text = zug_core::error::shorten(text);
                format!("'{text}' is neither a file nor a game of {}", entry.game.spec())
            })?;
            games.push((line, RecordResult::Unknown));
        }
    }
    for (number, (line, result)) in games.iter_mut().enumerate() {
        if *result == RecordResult::Unknown {
            *result = stated.unwrap_or_default();
        }
        let number = number + 1;
        if line.ply() == 0 {
            bail!("game {number} has no moves");
        }
    }
    Ok(games)
}
