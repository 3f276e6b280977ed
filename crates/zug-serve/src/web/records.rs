//! Files of games in and out.

use super::error::Refusal;
use super::site::Site;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use zug_core::record::{Record, RecordFormat, RecordMove, RecordResult};
use zug_core::{AnyLine, GameEntry, Side};

/// So many games of a file are shown.
const MOST_GAMES: usize = 200;

/// What a file is said to be.
#[derive(Debug, Deserialize)]
pub struct FileName {
    game: String,
    #[serde(default)]
    name: String,
}

/// `POST /records/read`.
#[derive(Serialize)]
pub struct Read {
    format: &'static str,
    games: Vec<GameView>,
    problems: Vec<Problem>,
    more: usize,
    /// Games whose variations were left behind.
    variations: usize,
}

#[derive(Serialize)]
struct Problem {
    game: usize,
    message: String,
}

#[derive(Serialize)]
struct GameView {
    game: String,
    tags: BTreeMap<String, String>,
    start: Option<String>,
    tree: Node,
    result: Option<String>,
    moves: usize,
}

/// A move with what follows it.
#[derive(Debug, Default, Serialize)]
struct Node {
    #[serde(rename = "move")]
    mv: Option<String>,
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    children: Vec<Node>,
}

pub async fn read(
    State(site): State<Arc<Site>>,
    Query(file): Query<FileName>,
    bytes: Bytes,
) -> Result<Json<Read>, Refusal> {
    let entry = site.open(&file.game)?;
    let ending = file.name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
    let work = move || read_all(&entry, ending.as_deref(), &bytes);
    site.engines.work(work).await?.map(Json)
}

fn read_all(entry: &GameEntry, ending: Option<&str>, bytes: &[u8]) -> Result<Read, Refusal> {
    let all = || entry.formats.iter().map(|f| &**f);
    let named = all().find(|f| ending.is_some_and(|ending| f.extensions().contains(&ending)));
    // Without a name the format is the one that understands most of it.
    let candidates: Vec<&dyn RecordFormat> = match named {
        Some(format) => vec![format],
        None => all().collect(),
    };
    let mut best: Option<Read> = None;
    for format in candidates {
        let read = read_as(format, entry, bytes);
        let score = |r: &Read| r.games.iter().map(|g| g.moves + 1).sum::<usize>();
        if best.as_ref().is_none_or(|b| score(&read) > score(b)) {
            best = Some(read);
        }
    }
    let read = best.ok_or_else(|| Refusal::bad("this game has no format of records"))?;
    if read.games.is_empty() {
        let why = read.problems.first().map_or_else(
            || format!("expected a game in {}, found none", read.format),
            |p| format!("no game could be read as {}: {}", read.format, p.message),
        );
        return Err(Refusal::bad(why).at("file"));
    }
    Ok(read)
}

fn read_as(format: &dyn RecordFormat, entry: &GameEntry, bytes: &[u8]) -> Read {
    let mut read = Read {
        format: format.name(),
        games: Vec::new(),
        problems: Vec::new(),
        more: 0,
        variations: format.games_with_variations(bytes),
    };
    let mut number = 0;
    format.for_each(bytes, &mut |record| {
        number += 1;
        let problem = |message: String| Problem { game: number, message };
        match record {
            Ok(_) if read.games.len() >= MOST_GAMES => read.more += 1,
            Ok(record) => match record.replay(entry.game.as_ref()) {
                Ok(line) => read.games.push(game_view(&record, line.as_ref())),
                Err((ply, error)) => {
                    read.problems.push(problem(format!("move {}: {error}", ply + 1)));
                }
            },
            Err(error) if read.problems.len() < MOST_GAMES => {
                read.problems.push(problem(error.to_string()));
            }
            Err(_) => {}
        }
        true
    });
    read
}

fn game_view(record: &Record, line: &dyn AnyLine) -> GameView {
    let mut tree = Node::default();
    let mut tail: Option<Node> = None;
    let (moves, texts) = (line.moves(), line.shown_moves());
    for ((mv, text), said) in moves.iter().zip(&texts).zip(&record.moves).rev() {
        let children = tail.take().into_iter().collect();
        let (mv, text) = (Some(mv.clone()), Some(text.clone()));
        tail = Some(Node { mv, text, comment: said.comment.clone(), children });
    }
    tree.children.extend(tail);
    GameView {
        game: record.game.clone(),
        tags: record.tags.iter().cloned().collect(),
        start: record.start.clone(),
        tree,
        result: result_text(&record.result),
        moves: moves.len(),
    }
}

fn result_text(result: &RecordResult) -> Option<String> {
    match result {
        RecordResult::Unknown => None,
        RecordResult::Known { winner, margin } => {
            let by = margin.map_or_else(String::new, |m| format!(" by {m}"));
            Some(match winner {
                Some(side) => format!("{}{by}", side.index()),
                None => "draw".to_string(),
            })
        }
    }
}

/// `POST /records/write`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteRequest {
    game: String,
    format: String,
    records: Vec<RecordRequest>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordRequest {
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    start: Option<String>,
    moves: Vec<MoveRequest>,
    /// The side that won, or null for a draw; the rules decide where it is missing.
    #[serde(default)]
    result: Option<ResultRequest>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultRequest {
    winner: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveRequest {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default)]
    comment: Option<String>,
}

pub async fn write(
    State(site): State<Arc<Site>>,
    Json(request): Json<WriteRequest>,
) -> Result<Response, Refusal> {
    let entry = site.open(&request.game)?;
    let names: Vec<&str> = entry.formats.iter().map(|f| f.name()).collect();
    let format =
        entry.formats.iter().find(|f| f.name().eq_ignore_ascii_case(&request.format)).ok_or_else(
            || {
                let message =
                    format!("expected one of {}, found '{}'", names.join(", "), request.format);
                Refusal::bad(message).at("format")
            },
        )?;
    let mut records = Vec::new();
    for (i, asked) in request.records.into_iter().enumerate() {
        let mut record = Record {
            game: entry.game.spec(),
            tags: asked.tags.into_iter().collect(),
            start: asked.start,
            moves: asked
                .moves
                .into_iter()
                .map(|m| RecordMove { text: m.mv, comment: m.comment })
                .collect(),
            result: RecordResult::Unknown,
        };
        let line = record
            .replay(entry.game.as_ref())
            .map_err(|(ply, error)| Refusal::bad(error).at(format!("records[{i}].moves[{ply}]")))?;
        record.result = match asked.result {
            Some(ResultRequest { winner }) => RecordResult::Known {
                winner: winner.and_then(|w| Side::BOTH.get(w).copied()),
                margin: None,
            },
            None => line.outcome().map_or(RecordResult::Unknown, RecordResult::from),
        };
        records.push(record);
    }
    let bytes = format.write(&records).map_err(|e| Refusal::bad(e).at("records"))?;
    let ending = format.extensions().first().copied().unwrap_or("txt");
    let name = format!("attachment; filename=\"game.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, bytes).into_response())
}
