//! `zug book build`.

use super::{counted, journal_of, stopped, team};
use crate::cli::BookBuildArgs;
use crate::commands::Replayer;
use crate::commands::data::sources::{Input, Inputs, files};
use crate::commands::places::{claim_one, insist_on_apart};
use crate::progress::progress;
use crate::{registry, stop};
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;
use zug_book::build::{Selection, complete, read_games, self_play};
use zug_book::team::Diary;
use zug_book::{Book, Names, Places};
use zug_core::packed::Hashed;
use zug_core::{AnyLine, GameEntry, RecordResult};

/// Files of names are small.
const MOST_NAMES: u64 = 16 << 20;

pub fn run(args: &BookBuildArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    if args.files.is_empty() && args.self_play == 0 {
        bail!("a book is made of records, or of games against itself (--self-play N)");
    }
    let inputs = files(&entry, &args.files)?;
    insist_on_apart([args.out.as_path()], inputs.iter().map(AsRef::as_ref))?;
    let _claimed = claim_one(&args.out, args.overwrite)?;
    let places = Places::of(&entry);
    let names = names(args, &entry, &places)?;
    let stop = stop::on_interrupt();
    let bar = progress("games");
    let mut team = team(&entry, &args.judge, &*bar, &stop)?;
    let selection = Selection {
        min_games: args.min_games,
        plies: args.plies.map_or(usize::MAX, |n| n as usize),
        positions: args.positions as usize,
    };
    let begin = Instant::now();
    let mut book = Book::new(&entry.game.spec());
    let mut tally = Tally::default();
    let read = if args.files.is_empty() {
        0
    } else {
        // A first look tells what cannot be read before anything is counted twice.
        read_games(&mut book, &places, &selection, &team, &mut |sink| {
            tally = Tally::default();
            tally.error = each_game(&entry, args, &mut tally, sink).err();
        })
    };
    bar.finish();
    if let Some(error) = tally.error.take() {
        return Err(error);
    }
    if stop.is_set() {
        tell!("zug: stopped before anything was searched");
        return Ok(ExitCode::from(130));
    }
    if tally.broken > 0 {
        tell!(
            "zug: {} records could not be read and were left out; the first: {}",
            tally.broken,
            tally.first
        );
    }
    if !args.files.is_empty() && read == 0 {
        bail!("no game of {} with such positions in the records", entry.game.spec());
    }
    let work = format!(
        "build {:?} self-play {} seed {} from {} games, {} positions",
        (args.min_games, args.plies, args.positions),
        args.self_play,
        args.seed,
        tally.games,
        book.len()
    );
    let journal = journal_of(&args.out);
    let (resume, force) = (args.resume, args.overwrite.force);
    let mut diary = Diary::open(&journal, &team.describe(&work), resume, force)?;
    let searching = progress("positions");
    team.progress = &*searching;
    let before = book.games();
    let played = complete(&mut book, &places, &team, 0, &mut diary)?
        && self_play(
            &mut book,
            &places,
            &team,
            args.self_play as usize,
            args.seed,
            10,
            &mut diary,
        )?;
    searching.finish();
    if !played {
        return Ok(stopped(&args.out));
    }
    let by_itself = book.games().saturating_sub(before);
    if by_itself < u64::from(args.self_play) {
        tell!(
            "zug: {by_itself} of {} games of self-play: the book finds no other way that is not decided",
            args.self_play
        );
    }
    let named = names.len();
    book.names.merge(names);
    book.made.command = Some(command(args));
    book.made.seed = (args.self_play > 0).then_some(args.seed);
    book.made.data = (!args.files.is_empty()).then(|| tally.digest.finalize().to_hex().to_string());
    book.save(&args.out)?;
    drop(diary);
    std::fs::remove_file(&journal)
        .with_context(|| format!("cannot remove {}", journal.display()))?;
    let bytes = std::fs::metadata(&args.out)?.len();
    let seconds = begin.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if args.json {
        let told = json!({
            "book": args.out.display().to_string(), "game": book.spec(), "positions": book.len(),
            "games": book.games(), "records": tally.games, "self_play": by_itself, "left_out": tally.broken,
            "names": named, "bytes": bytes, "seconds": seconds,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else {
        writeln!(
            out,
            "{}: {} of {} ({}), {}, {bytes} bytes, {seconds:.0} s",
            args.out.display(),
            counted(book.len(), "position"),
            counted(book.games(), "game"),
            counted(tally.games, "record"),
            counted(named, "name")
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The words that make the same book again. What only says where things lie or how fast they go is
/// left out, so that the bytes do not depend on it.
fn command(args: &BookBuildArgs) -> String {
    let mut words = vec!["zug book build".to_string(), args.game.clone()];
    for file in &args.files {
        words.push(file.file_name().unwrap_or_default().to_string_lossy().into_owned());
    }
    if args.min_games > 1 {
        words.push(format!("--min-games {}", args.min_games));
    }
    words.extend(args.plies.map(|n| format!("--plies {n}")));
    if args.positions < 1_000_000 {
        words.push(format!("--positions {}", args.positions));
    }
    let judge = &args.judge;
    words.push(format!("--player {} --exact {}", judge.player, judge.exact));
    words.extend(judge.limits.depth.map(|n| format!("--depth {n}")));
    words.extend(judge.limits.nodes.map(|n| format!("--nodes {n}")));
    words.extend(judge.limits.movetime.map(|t| format!("--movetime {t:?}")));
    words.extend(
        args.names.as_ref().map(|file| {
            format!("--names {}", file.file_name().unwrap_or_default().to_string_lossy())
        }),
    );
    if args.self_play > 0 {
        words.push(format!("--self-play {} --seed {}", args.self_play, args.seed));
    }
    words.join(" ")
}

fn names(args: &BookBuildArgs, entry: &GameEntry, places: &Places) -> Result<Names> {
    let Some(path) = &args.names else { return Ok(Names::default()) };
    let text = zug_core::files::read_text(path, MOST_NAMES)?;
    Ok(Names::read(&text, &path.display().to_string(), &*entry.game, places)?)
}

/// What was read.
#[derive(Default)]
struct Tally {
    games: u64,
    broken: u64,
    first: String,
    error: Option<anyhow::Error>,
    /// Of the files, one after the other.
    digest: blake3::Hasher,
}

/// Hands over every game of the files.
fn each_game(
    entry: &GameEntry,
    args: &BookBuildArgs,
    tally: &mut Tally,
    sink: &mut dyn FnMut(&dyn AnyLine, RecordResult) -> bool,
) -> Result<()> {
    let spec = entry.game.spec();
    let mut replayer = Replayer::default();
    for input in Inputs::new(entry, &args.files) {
        let Input { name, format, input } = input?;
        let mut input = Hashed::new(input, &mut tally.digest);
        let mut number = 0;
        let mut goes_on = true;
        let cannot = || format!("cannot read {name}");
        let read = format.stream(&mut input, &mut |record| {
            number += 1;
            let played = record.map_err(|e| e.to_string()).and_then(|record| {
                if record.game != spec {
                    return Err(format!("a game of {}", record.game));
                }
                replayer.replay(&record).map(|line| (line, record.result))
            });
            match played {
                Ok((line, result)) => {
                    tally.games += 1;
                    goes_on = sink(&*line, result);
                }
                Err(why) => {
                    if tally.broken == 0 {
                        tally.first = format!("{name}: game {number}: {why}");
                    }
                    tally.broken += 1;
                }
            }
            goes_on
        });
        read.with_context(cannot)?;
        if !goes_on {
            break;
        }
        input.finish().with_context(cannot)?;
    }
    Ok(())
}
