//! Files of games in and out.

use super::asked::{Asked, Few, Sent, Words, from_objects};
use super::error::Refusal;
use super::site::Site;
use super::tree::{StudyRequest, StudyView};
use super::view::MOST_MOVES;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use zug_core::study::Bounds;
use zug_core::{GameEntry, RecordError, RecordFormat};

/// A file of games is no larger.
const MOST_FILE: usize = 4 << 20;
/// A game with all its variations and remarks is no larger.
const MOST_GAME: usize = 2 << 20;
/// Games of a file that are shown, or written at once.
const MOST_GAMES: usize = 200;
/// Moves of all these together.
const MOST_SHOWN: usize = 50_000;
/// What is kept of a game while it is read; of its variations the rest is left out.
const KEPT: Bounds = Bounds { parts: 40_000 };

/// What a file is said to be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct FileName {
    game: String,
    #[serde(default)]
    name: String,
}

from_objects!(FileName, WriteRequest);

/// `POST /records/read`.
#[derive(Serialize)]
pub struct Read {
    format: &'static str,
    games: Vec<StudyView>,
    problems: Vec<Problem>,
    more: usize,
    /// Variations that could not be played, and were left out.
    left_out: usize,
}

#[derive(Serialize)]
struct Problem {
    game: usize,
    message: String,
    /// How far into the text the reader came.
    #[serde(skip)]
    reached: usize,
    /// Is it sound, but more than can be kept?
    #[serde(skip)]
    is_too_much: bool,
}

pub async fn read(
    State(site): State<Arc<Site>>,
    Words(file): Words<FileName>,
    Sent(upload): Sent<MOST_FILE>,
) -> Result<Json<Read>, Refusal> {
    let entry = site.open(&file.game)?;
    let ending = file.name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    let opener = Arc::clone(&site);
    let work = move || read_all(&opener, &entry, ending.as_deref(), upload.bytes());
    site.engines.work(work).await?.map(Json)
}

fn read_all(
    site: &Site,
    entry: &Arc<GameEntry>,
    ending: Option<&str>,
    bytes: &[u8],
) -> Result<Read, Refusal> {
    let all = || entry.formats.iter().map(|f| &**f);
    let named = all().find(|f| ending.is_some_and(|ending| f.extensions().contains(&ending)));
    // Without a name the format is the one that understands most of it.
    let candidates: Vec<&dyn RecordFormat> = match named {
        Some(format) => vec![format],
        None => all().collect(),
    };
    let mut best: Option<Read> = None;
    for format in candidates {
        let read = read_as(site, format, entry, bytes);
        // Where nothing can be read, the format that was meant is the one whose reader came furthest.
        let score = |r: &Read| {
            let read = r.games.iter().map(|g| g.moves + 1).sum::<usize>();
            (read, r.problems.iter().map(|p| p.reached).max().unwrap_or(0))
        };
        if best.as_ref().is_none_or(|b| score(&read) > score(b)) {
            best = Some(read);
        }
    }
    let read = best.ok_or_else(|| Refusal::bad("this game has no format of records"))?;
    if read.games.is_empty() {
        let is_too_much = read.problems.iter().any(|p| p.is_too_much);
        let why = read.problems.first().map_or_else(
            || format!("expected a game in {}, found none", read.format),
            |p| format!("no game could be read as {}: {}", read.format, p.message),
        );
        let refused = if is_too_much { Refusal::too_much(why) } else { Refusal::bad(why) };
        return Err(refused.at("file"));
    }
    Ok(read)
}

fn read_as(site: &Site, format: &dyn RecordFormat, entry: &Arc<GameEntry>, bytes: &[u8]) -> Read {
    let mut read = Read {
        format: format.name(),
        games: Vec::new(),
        problems: Vec::new(),
        more: 0,
        left_out: 0,
    };
    let (mut number, mut shown) = (0, 0);
    format.read_studies(bytes, KEPT, &mut |study| {
        number += 1;
        let problem = |message: String, reached, is_too_much| Problem {
            game: number,
            message,
            reached,
            is_too_much,
        };
        match study {
            Ok(_) if read.games.len() >= MOST_GAMES || shown >= MOST_SHOWN => read.more += 1,
            Ok(study) => match StudyView::of(site, entry, &study) {
                Ok(view) => {
                    read.left_out += view.left_out;
                    shown += view.size();
                    read.games.push(view);
                }
                Err(error) if read.problems.len() < MOST_GAMES => {
                    let is_too_much = study.main_nodes().count() > MOST_MOVES;
                    read.problems.push(problem(error, usize::MAX, is_too_much));
                }
                Err(_) => {}
            },
            Err(error) if read.problems.len() < MOST_GAMES => {
                let is_too_much = matches!(error, RecordError::TooLong { .. });
                let reached = reached(&error);
                read.problems.push(problem(error.to_string(), reached, is_too_much));
            }
            Err(_) => {}
        }
        true
    });
    read
}

/// `POST /records/write`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct WriteRequest {
    game: String,
    format: String,
    records: Few<StudyRequest, MOST_GAMES>,
}

pub async fn write(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<WriteRequest, MOST_GAME>,
) -> Result<Response, Refusal> {
    let entry = site.open(&request.game)?;
    site.engines.work(move || written(&entry, request)).await?
}

fn written(entry: &GameEntry, request: WriteRequest) -> Result<Response, Refusal> {
    let size: usize = request.records.0.iter().map(StudyRequest::size).sum();
    if size > MOST_SHOWN {
        let message = format!("expected at most {MOST_SHOWN} moves in all, found {size}");
        return Err(Refusal::too_much(message).at("records"));
    }
    let names: Vec<&str> = entry.formats.iter().map(|f| f.name()).collect();
    let format =
        entry.formats.iter().find(|f| f.name().eq_ignore_ascii_case(&request.format)).ok_or_else(
            || {
                let message =
                    format!("expected one of {}, found '{}'", names.join(", "), request.format);
                Refusal::bad(message).at("format")
            },
        )?;
    let mut studies = Vec::new();
    for (i, asked) in request.records.0.into_iter().enumerate() {
        studies
            .push(asked.study(entry).map_err(|refusal| refusal.within(&format!("records[{i}]")))?);
    }
    let bytes = format.write_studies(&studies).map_err(|e| Refusal::bad(e).at("records"))?;
    let ending = format.extensions().first().copied().unwrap_or("txt");
    let name = format!("attachment; filename=\"game.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, bytes).into_response())
}

/// How far did a reader come? A move that cannot be played is further than any letter.
fn reached(error: &RecordError) -> usize {
    match error {
        RecordError::Move { ply, .. } => usize::MAX / 2 + ply,
        RecordError::Text(error) => error.byte + 1000 * error.line.unwrap_or(1).saturating_sub(1),
        RecordError::TooLong { .. } => usize::MAX / 2,
        RecordError::Unsupported(_) => 0,
    }
}
