//! `zug book add`.

use super::{counted, moves_of, team};
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
use zug_core::{AnyLine, GameEntry, Record, RecordResult, Side};

pub fn run(args: &BookAddArgs) -> Result<ExitCode> {
    super::insist_on_file(&args.book)?;
    zug_book::shelf::insist_on_writable(&args.book).map_err(anyhow::Error::msg)?;
    if !args.book.exists() && args.game.is_none() {
        bail!("{} is not there; with --game GAME it begins with these games", args.book.display());
    }
    // From here to the end, so that no game of another process is lost.
    let _hold = super::hold(&args.book)?;
    let begins = !args.book.exists();
    let (entry, places, mut book) = if begins {
        let Some(game) = &args.game else {
            bail!(
                "{} is not there; with --game GAME it begins with these games",
                args.book.display()
            );
        };
        let entry = registry::open(game)?;
        let (places, book) = (Places::of(&entry), Book::new(&entry.game.spec()));
        (entry, places, book)
    } else {
        let (entry, places, book) = super::open(&args.book.to_string_lossy(), "")?;
        if let Some(game) = &args.game {
            let said = registry::open(game)?.game.spec();
            if said != book.spec() {
                bail!("{} is a book of {}, not of {said}", args.book.display(), book.spec());
            }
        }
        (entry, places, book)
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
        tell!("zug: stopped; the book is as it was");
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
            "{} added, {}; {} holds {} of {}",
            counted(added, "game"),
            counted(positions, "new position"),
            args.book.display(),
            counted(book.len(), "position"),
            counted(book.games(), "game")
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

type Played = (Box<dyn AnyLine>, RecordResult);

/// A record played through.
fn played(entry: &GameEntry, record: &Record, place: &str) -> Result<Played> {
    if record.game != entry.game.spec() {
        bail!("{place}: a game of {}, not of {}", record.game, entry.game.spec());
    }
    let line = record.replay(&*entry.game);
    let line = line.map_err(|(ply, e)| anyhow::anyhow!("{place}: ply {ply}: {e}"))?;
    Ok((line, record.result))
}

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
                let mut input = input?;
                let (name, mut number) = (input.name.clone(), 0);
                let mut bad = None;
                input.for_each(&mut |record| {
                    number += 1;
                    let place = || format!("{name}: game {number}");
                    match record
                        .with_context(place)
                        .and_then(|record| played(entry, &record, &place()))
                    {
                        Ok(game) => games.push(game),
                        Err(error) => bad = Some(error),
                    }
                    bad.is_none()
                })?;
                if let Some(bad) = bad {
                    return Err(bad);
                }
            }
        } else {
            let line = moves_of(entry, text).map_err(|illegal| {
                let text = zug_core::error::shorten(text);
                let spec = entry.game.spec();
                match illegal {
                    Some(illegal) => anyhow::anyhow!("'{text}': {illegal}"),
                    None => anyhow::anyhow!("'{text}' is neither a file nor a game of {spec}"),
                }
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
