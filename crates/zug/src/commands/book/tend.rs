//! `zug book tend` and `zug book reevaluate`.

use super::show::{in_json, standing_word};
use super::{hold, insist_on_file, journal_of, open, stopped, team};
use crate::cli::{BookReevaluateArgs, BookTendArgs};
use crate::progress::progress;
use crate::stop;
use anyhow::{Context, Result};
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use zug_book::team::{Diary, Team};
use zug_book::tend::{
    Suspect, Tended, correct_by_play, correct_endings, reevaluate as again, suspicious,
};
use zug_book::{Book, Places};

pub fn run(args: &BookTendArgs) -> Result<ExitCode> {
    if !args.list {
        insist_on_file(&args.book)?;
    }
    let _hold = if args.list { None } else { Some(hold(&args.book)?) };
    let (entry, places, mut book) = open(&args.book.to_string_lossy(), &args.game)?;
    let stop = stop::on_interrupt();
    let bar = progress("tending");
    let team = team(&entry, &args.judge, &*bar, &stop)?;
    let least = (args.least * 100.0).round() as i32;
    if args.list {
        return list(&book, &places, &team, &suspicious(&book, &places, &team, least), args.json);
    }
    let before = (book.len(), book.games());
    let work = format!("tend {:?}", (before, args.games, least, args.earlier));
    let mut diary = diary(&args.book, &team, &work, args.resume, args.force)?;
    let Some(endings) = correct_endings(&mut book, &places, &team, args.earlier, &mut diary)?
    else {
        return Ok(stopped(&args.book));
    };
    let games = args.games as usize;
    let played = match games {
        0 => Some(Tended::default()),
        _ => correct_by_play(&mut book, &places, &team, games, least, &mut diary)?,
    };
    let Some(played) = played else { return Ok(stopped(&args.book)) };
    bar.finish();
    finish(&args.book, &mut book, diary)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let told = json!({
            "book": args.book.display().to_string(),
            "games": played.games, "standings_changed": played.changed,
            "solved": endings.solved, "corrected": endings.corrected,
            "positions": book.len(), "positions_before": before.0,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else {
        writeln!(
            out,
            "{} endgames solved, {} of them otherwise than played; {} games from suspicious positions, \
             which changed how {} positions stand; {} positions, {} before",
            endings.solved,
            endings.corrected,
            played.games,
            played.changed,
            book.len(),
            before.0
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The journal of work on a book.
fn diary(path: &Path, team: &Team<'_>, work: &str, resume: bool, force: bool) -> Result<Diary> {
    Ok(Diary::open(&journal_of(path), &team.describe(work), resume, force)?)
}

/// Writes the book; the journal has served.
fn finish(path: &Path, book: &mut Book, diary: Diary) -> Result<()> {
    book.save(path)?;
    drop(diary);
    let journal = journal_of(path);
    std::fs::remove_file(&journal).with_context(|| format!("cannot remove {}", journal.display()))
}

fn list(
    book: &Book,
    places: &Places,
    team: &Team<'_>,
    suspects: &[Suspect],
    as_json: bool,
) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    for suspect in suspects {
        let Some(line) = book.line_to(&*team.entry.game, places, suspect.key) else { continue };
        let step = places.steps(&*line).into_iter().find(|s| s.key == suspect.after);
        let mv = step.map_or(String::new(), |s| s.mv);
        if as_json {
            rows.push(json!({
                "position": line.position_text(), "moves": line.moves().join(" "),
                "standing": standing_word(suspect.standing), "alternative": mv,
                "chance": in_json(suspect.chance), "games": suspect.games, "ply": suspect.ply,
            }));
        } else {
            writeln!(
                out,
                "{} in {} games, but {mv} is worth {}: {}",
                standing_word(suspect.standing),
                suspect.games,
                suspect.chance,
                line.moves().join(" ")
            )?;
        }
    }
    if as_json {
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
    } else if suspects.is_empty() {
        writeln!(out, "no position is suspicious")?;
    }
    Ok(ExitCode::SUCCESS)
}

pub fn reevaluate(args: &BookReevaluateArgs) -> Result<ExitCode> {
    insist_on_file(&args.book)?;
    let _hold = hold(&args.book)?;
    let (entry, places, mut book) = open(&args.book.to_string_lossy(), "")?;
    let stop = stop::on_interrupt();
    let bar = progress("positions");
    let team = team(&entry, &args.judge, &*bar, &stop)?;
    let work = format!("reevaluate {:?}", (book.len(), book.games()));
    let mut diary = diary(&args.book, &team, &work, args.resume, args.force)?;
    let Some(done) = again(&mut book, &places, &team, &mut diary)? else {
        return Ok(stopped(&args.book));
    };
    bar.finish();
    finish(&args.book, &mut book, diary)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let told = json!({ "book": args.book.display().to_string(), "searched": done.searched });
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
    } else {
        writeln!(out, "{} positions searched anew", done.searched)?;
    }
    Ok(ExitCode::SUCCESS)
}
