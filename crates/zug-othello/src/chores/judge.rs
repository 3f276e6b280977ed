//! Are the marks of the judge right?
//!
//! Tournament games are judged as `zug analyse` judges them, and every `?` and `??` is put to a test:
//! with at most [`LATE`] empty squares by a search to the end of each move, before that by a long
//! search of the move that was played and of the better one. Long searches take long, so they are made
//! for a sample of the marks, and the share that they confirm has an interval.
//!
//! Every game and every long search is a task of its own, and what is done is kept: the same command
//! goes on where it was stopped.

use crate::examples::ExampleError;
use crate::examples::journalled::{Tasks, do_all};
use crate::records::wthor::{self, StoredGame};
use crate::records::{Ending, StreamError};
use crate::{Board, Othello};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;
use zug_book::review::{Grading, Reviewer, Step, Sure, Told, Worth};
use zug_core::exact::{ExactSearch, Question, Searcher, Settings};
use zug_core::seed::RngExt;
use zug_core::{
    AnyLine, Game, GameEntry, Info, Limits, Mark, Player, Progress, Scale, Spec, StopFlag, Watch,
    rng,
};

/// With at most so many empty squares a mark is tested by searches to the end.
const LATE: usize = 24;
/// Marks on moves with fewer discs on the board are not tested.
const FIRST_DISCS: usize = 28;
/// Memory of the searches, in MiB.
const HASH_MIB: usize = 64;

/// What to judge.
pub struct JudgeOrder<'a> {
    /// An archive of WTHOR files.
    pub archive: &'a Path,
    /// Which games of a random order.
    pub games: Range<usize>,
    /// How many of them are judged twice.
    pub twice: usize,
    /// The time for a position.
    pub time: Duration,
    /// The time of a long search.
    pub long: Duration,
    /// How many marks get one.
    pub sample: usize,
    /// Seed of the order of the games and of the sample.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Where to keep what is done; more files beside it.
    pub journal: &'a Path,
}

/// A mark that the judge gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Marked {
    /// The position.
    position: String,
    discs: usize,
    mark: String,
    played: String,
    best: String,
    loss: f64,
}

/// A judged game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct JudgedGame {
    /// Moves where there was a choice.
    moves: u64,
    /// Moves that raised the value of their own side.
    raised: u64,
    marks: Vec<Marked>,
}

/// A share of a whole, with what is known about how far it may be off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Share {
    /// The part.
    pub part: u64,
    /// The whole.
    pub whole: u64,
    /// The share, and the interval of 95 % (Wilson).
    pub share: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Share {
    /// So many of so many.
    #[must_use]
    pub fn of(part: u64, whole: u64) -> Share {
        if whole == 0 {
            return Share { high: 1.0, ..Share::default() };
        }
        let (n, p, z) = (whole as f64, part as f64 / whole as f64, 1.96_f64);
        let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        Share { part, whole, share: p, low: middle - half, high: middle + half }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JudgeReport {
    /// Games.
    pub games: u64,
    /// Moves where there was a choice.
    pub moves: u64,
    /// Moves that raised the value of their own side.
    pub raised: u64,
    /// Games that were judged twice, and those of them with other marks or losses the second time.
    pub twice: u64,
    /// See [`twice`](JudgeReport::twice).
    pub differ: u64,
    /// Marks `?` and `??` before 28 discs, which nobody tested.
    pub early: u64,
    /// Marks with 28 to 39 discs.
    pub middle: u64,
    /// Marks from 40 discs on.
    pub late: u64,
    /// Of the last, those on a move that the search to the end calls best.
    pub late_on_best: u64,
    /// Of the late ones, those that lose enough for their mark.
    pub late_confirmed: u64,
    /// Of the sample of those in the middle, those that the long search confirms: it finds a loss that
    /// is worth a mark.
    pub middle_confirmed: Share,
    /// The same with a loss of half as much.
    pub middle_doubtful: Share,
    /// All marks from 28 discs on together: the share that is confirmed, and its interval.
    pub confirmed: [f64; 3],
}

/// Judges games and tests the marks.
pub fn judge(
    order: &JudgeOrder<'_>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<JudgeReport, ExampleError> {
    let other = |e: io::Error| ExampleError::Other(format!("{}: {e}", order.archive.display()));
    let games = chosen(order).map_err(other)?;
    let twice = order.twice.min(games.len());
    let entry = entry()?;
    let plan = |what: &str| {
        format!(
            "{what}: games {:?}, twice {twice}, {:?} a position, {:?} a long search of {} marks, seed {}",
            order.games, order.time, order.long, order.sample, order.seed
        )
    };
    progress.message("games");
    let texts = do_all(
        &Tasks {
            count: games.len() + twice,
            plan: &plan("games"),
            journal: Some(&order.journal.with_extension("games.jsonl")),
            threads: order.threads,
            units: &|_| 1,
        },
        &|| (),
        &|(), task| {
            let game = judged(&entry, &games[task % games.len()], order.time, stop)?;
            Some(serde_json::to_string(&game).unwrap_or_default())
        },
        progress,
        stop,
    )?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (first, again) = texts.split_at(games.len());
    let mut report = JudgeReport {
        games: games.len() as u64,
        twice: twice as u64,
        differ: first.iter().zip(again).filter(|(one, other)| one != other).count() as u64,
        ..JudgeReport::default()
    };
    let (mut middle, mut late) = (Vec::new(), Vec::new());
    for text in first {
        let game: JudgedGame = serde_json::from_str(text)
            .map_err(|_| ExampleError::Other(format!("the journal holds no game: '{text}'")))?;
        report.moves += game.moves;
        report.raised += game.raised;
        for mark in game.marks {
            match mark.discs {
                discs if discs + LATE >= 64 => late.push(mark),
                FIRST_DISCS.. => middle.push(mark),
                _ => report.early += 1,
            }
        }
    }
    (report.middle, report.late) = (middle.len() as u64, late.len() as u64);
    progress.message("marks");
    // Random ones: the first so many of a random order.
    let mut dice = rng(order.seed, 2);
    let mut sample: Vec<Marked> = Vec::new();
    while sample.len() < order.sample && !middle.is_empty() {
        sample.push(middle.swap_remove(dice.random_range(0..middle.len())));
    }
    let marks: Vec<&Marked> = sample.iter().chain(&late).collect();
    let losses = do_all(
        &Tasks {
            count: marks.len(),
            plan: &plan("marks"),
            journal: Some(&order.journal.with_extension("marks.jsonl")),
            threads: order.threads,
            units: &|_| 1,
        },
        &|| searcher(&entry),
        &|searcher, task| {
            let marked = marks[task];
            let loss = match task < sample.len() {
                true => long_loss(&entry, marked, order.long, stop)?,
                false => f64::from(exact_loss(&entry, &mut **searcher.as_mut()?, marked, stop)?),
            };
            Some(loss.to_string())
        },
        progress,
        stop,
    )?;
    let losses: Vec<f64> = losses.iter().filter_map(|text| text.parse().ok()).collect();
    let (of_middle, of_late) = losses.split_at(sample.len().min(losses.len()));
    let least = Grading::usual(Scale::Discs);
    let count = |losses: &[f64], least: f64| losses.iter().filter(|&&l| l >= least).count() as u64;
    report.late_on_best = of_late.iter().filter(|&&loss| loss <= 0.0).count() as u64;
    report.late_confirmed = count(of_late, least.error - 1e-9);
    let tested = of_middle.len() as u64;
    report.middle_confirmed = Share::of(count(of_middle, least.error - 1e-9), tested);
    report.middle_doubtful = Share::of(count(of_middle, least.doubtful() - 1e-9), tested);
    let all = (report.middle + report.late).max(1) as f64;
    let together = |share: f64| (report.late_confirmed as f64 + share * report.middle as f64) / all;
    let Share { share, low, high, .. } = report.middle_confirmed;
    report.confirmed = [share, low, high].map(together);
    Ok(report)
}

fn entry() -> Result<GameEntry, ExampleError> {
    crate::open(&Spec::default()).map_err(|e| ExampleError::Other(e.to_string()))
}

/// The complete games of an archive in a random order, as far as they were asked for.
fn chosen(order: &JudgeOrder<'_>) -> io::Result<Vec<StoredGame>> {
    let input = zstd::Decoder::new(BufReader::new(File::open(order.archive)?))?;
    let mut archive = tar::Archive::new(input);
    let mut all = Vec::new();
    for file in archive.entries()? {
        let file = file?;
        if !file.path()?.to_string_lossy().to_lowercase().ends_with(".wtb") {
            continue;
        }
        let stream = |error: StreamError| io::Error::other(error.to_string());
        for game in wthor::Reader::new(BufReader::new(file)).map_err(stream)? {
            let game = game.map_err(stream)?;
            if matches!(game.replay().ending, Ending::Complete) {
                all.push(game);
            }
        }
    }
    let mut dice = rng(order.seed, 1);
    let mut games = Vec::new();
    while games.len() < order.games.end && !all.is_empty() {
        games.push(all.swap_remove(dice.random_range(0..all.len())));
    }
    if games.len() <= order.games.start {
        return Err(io::Error::other(format!("there are only {} complete games", games.len())));
    }
    Ok(games.split_off(order.games.start))
}

/// The player that judges.
fn player(entry: &GameEntry) -> Option<Box<dyn Player>> {
    entry.player(&Spec::parse("zug").ok()?).ok()
}

/// A game as `zug analyse` judges it; `None` when stopped.
fn judged(
    entry: &GameEntry,
    game: &StoredGame,
    time: Duration,
    stop: &StopFlag,
) -> Option<JudgedGame> {
    let mut end = entry.game.new_line();
    for mv in &game.replay().moves {
        end.play(&mv.to_string()).ok()?;
    }
    let limits = Limits { movetime: Some(time), ..Limits::default() };
    let settings = Settings { hash_mib: HASH_MIB, threads: 1, model: None };
    let mut reviewer =
        Reviewer::new(entry, player(entry)?, limits).to_the_end(entry, &settings).ok()?;
    reviewer.begin(&*end, stop).ok()??;
    let mut steps = std::collections::BTreeMap::new();
    while let Some(Told { step, again, .. }) = reviewer.step(stop).ok()? {
        steps.extend(again.into_iter().chain([step]).map(|step| (step.ply, step)));
    }
    if stop.is_set() {
        return None;
    }
    let mut judged = JudgedGame::default();
    for step in steps.values().rev() {
        while end.ply() > step.ply && end.undo() {}
        let (before, after) = (step.before.worth, step.played);
        judged.moves += u64::from(step.choice);
        let raises =
            after.chance > before.chance + 1e-9 || after.points(64.0) > before.points(64.0) + 0.006;
        judged.raised += u64::from(raises);
        judged.marks.extend(marked(&*end, step));
    }
    Some(judged)
}

fn marked(line: &dyn AnyLine, step: &Step) -> Option<Marked> {
    let mark = step.mark.filter(|mark| matches!(mark, Mark::Mistake | Mark::Blunder))?;
    let position = line.position_text();
    let board = Board::from(&Othello::default().read_position(&position).ok()?);
    Some(Marked {
        discs: board.discs() as usize,
        position,
        mark: mark.sign().to_string(),
        played: step.mv.clone(),
        best: step.best().to_string(),
        loss: step.loss,
    })
}

/// The search to the end.
fn searcher(entry: &GameEntry) -> Option<Box<dyn Searcher>> {
    let settings = Settings { hash_mib: HASH_MIB, threads: 1, model: None };
    entry.extension::<ExactSearch>()?.searcher(&settings).ok()
}

/// What a move loses, by searches to the end that begin with nothing known.
fn exact_loss(
    entry: &GameEntry,
    searcher: &mut dyn Searcher,
    marked: &Marked,
    stop: &StopFlag,
) -> Option<i32> {
    let mut score = |position: &str| {
        searcher.clear();
        Some(searcher.solve(position, Question::Score, stop).ok()??.score)
    };
    let mut line = entry.game.line_from(&marked.position).ok()?;
    let (best, mover) = (score(&marked.position)?, line.to_move());
    line.play(&marked.played).ok()?;
    let after = match line.outcome() {
        Some(outcome) => {
            let margin = outcome.margin.unwrap_or(0.0) as i32;
            if outcome.winner == Some(line.to_move()) { margin } else { -margin }
        }
        None => score(&line.position_text())?,
    };
    Some(best - if line.to_move() == mover { after } else { -after })
}

/// What a move loses against the better one, by a long search of the two.
fn long_loss(entry: &GameEntry, marked: &Marked, time: Duration, stop: &StopFlag) -> Option<f64> {
    let line = entry.game.line_from(&marked.position).ok()?;
    let mut player = player(entry)?;
    player.new_game(&*line).ok()?;
    let limits = Limits {
        movetime: Some(time),
        lines: 2,
        only: vec![marked.best.clone(), marked.played.clone()],
        ..Limits::default()
    };
    let mut told: std::collections::HashMap<String, f64> = std::collections::HashMap::new();
    let mut keep = |info: &Info| {
        if let (Some(score), Some(mv)) = (info.score, info.line.first()) {
            let worth = Worth::of_score(score, Sure::Estimate, Scale::Discs);
            told.insert(mv.clone(), worth.points(64.0));
        }
    };
    player.choose(&*line, &limits, &mut Watch::new(stop.shared(), &mut keep)).ok()?;
    if stop.is_set() {
        return None;
    }
    Some(told.get(&marked.best)? - told.get(&marked.played)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::testing::random_record;
    use crate::records::wthor::Wthor;
    use zug_core::{RecordFormat, Silent};

    #[test]
    fn games_are_judged_marks_are_tested_and_stopped_work_goes_on() {
        let game = Othello::default();
        let records: Vec<_> = (0..3).map(|s| random_record(&game, s, usize::MAX)).collect();
        let base = Wthor.write(&records).unwrap();
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(base.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, "a.wtb", &base[..]).unwrap();
        let archive = zstd::encode_all(&archive.into_inner().unwrap()[..], 1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (path, journal) = (folder.path().join("a.tar.zst"), folder.path().join("judge"));
        std::fs::write(&path, archive).unwrap();
        let order = |threads| JudgeOrder {
            archive: &path,
            games: 0..1,
            twice: 1,
            time: Duration::from_millis(4),
            long: Duration::from_millis(40),
            sample: 3,
            seed: 1,
            threads,
            journal: &journal,
        };
        let report = judge(&order(2), &Silent, &StopFlag::new()).unwrap();
        assert_eq!((report.games, report.twice, report.differ), (1, 1, 0), "{report:?}");
        assert_eq!((report.raised, report.late_on_best), (0, 0), "{report:?}");
        assert!(report.moves > 40 && report.late > 3, "a random game has mistakes: {report:?}");
        assert_eq!(report.late_confirmed, report.late, "{report:?}");
        assert_eq!(report.middle_confirmed.whole, report.middle.min(3));
        let stop = StopFlag::new();
        stop.set();
        std::fs::remove_file(journal.with_extension("games.jsonl")).ok();
        assert!(judge(&order(1), &Silent, &stop).is_err());
        assert!(judge(&JudgeOrder { games: 7..9, ..order(1) }, &Silent, &StopFlag::new()).is_err());
    }

    #[test]
    fn a_share_has_an_interval_that_holds_it() {
        let share = Share::of(90, 100);
        assert!(share.low > 0.82 && share.low < 0.9 && share.high > 0.9 && share.high < 0.95);
        assert_eq!((Share::of(0, 0).low, Share::of(0, 0).high), (0.0, 1.0));
    }
}
