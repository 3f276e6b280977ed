//! Which games are there, and what can be done with each?

use super::asked::{Asked, Named};
use super::error::Refusal;
use super::levels::{Level, levels};
use super::site::{Kind, Site};
use super::view::{LineRequest, OutcomeView, View};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;
use zug_core::Side;
use zug_learn::guess::Guesses;

/// `GET /games`.
#[derive(Serialize)]
pub struct List {
    version: &'static str,
    games: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: String,
    title: String,
    help: String,
    specs: Vec<String>,
    kind: Kind,
}

pub async fn list(State(site): State<Arc<Site>>) -> Result<Json<List>, Refusal> {
    let mut games = Vec::new();
    for family in &site.families {
        let entry = site.open(family.specs.first().unwrap_or(&family.name))?;
        games.push(Listed {
            name: family.name.clone(),
            title: entry.game.title(),
            help: family.help.clone(),
            specs: family.specs.clone(),
            kind: Kind::of(&family.name),
        });
    }
    Ok(Json(List { version: env!("CARGO_PKG_VERSION"), games }))
}

/// `GET /games/{spec}`.
#[derive(Serialize)]
pub struct Detail {
    spec: String,
    title: String,
    kind: Kind,
    sides: [&'static str; 2],
    players: Vec<PlayerView>,
    levels: Vec<Level>,
    formats: Vec<FormatView>,
    can: Can,
    unit: &'static str,
    view: View,
}

#[derive(Serialize)]
struct PlayerView {
    name: &'static str,
    help: String,
}

#[derive(Serialize)]
struct FormatView {
    name: &'static str,
    extensions: &'static [&'static str],
}

#[derive(Serialize)]
struct Can {
    guess: bool,
    explore: bool,
    book: bool,
    database: bool,
    /// Late positions with few pieces are known exactly.
    endings: bool,
    settle: bool,
}

pub async fn detail(
    State(site): State<Arc<Site>>,
    Named(spec): Named,
) -> Result<Json<Detail>, Refusal> {
    let request = LineRequest::new(spec);
    let (entry, line) = request.replay(&site)?;
    let spec = entry.game.spec();
    let kind = Kind::of(&spec);
    Ok(Json(Detail {
        title: entry.game.title(),
        kind,
        sides: Side::BOTH.map(|s| entry.game.side_name(s)),
        players: entry
            .players
            .iter()
            .map(|p| PlayerView { name: p.name, help: p.help.clone() })
            .collect(),
        levels: levels(&entry, super::solved::is_playable(&site, &entry)),
        formats: entry
            .formats
            .iter()
            .map(|f| FormatView { name: f.name(), extensions: f.extensions() })
            .collect(),
        can: Can {
            guess: entry.extension::<Guesses>().is_some(),
            explore: super::collected::index_of(&site, &entry).is_some(),
            book: super::study::book(&site, &entry).is_some(),
            database: super::solved::is_solved(&site, &entry),
            endings: entry.extension::<zug_solve::face::Endings>().is_some(),
            settle: kind == Kind::Go,
        },
        unit: kind.unit(),
        view: View::of(&entry, line.as_ref()),
        spec,
    }))
}

/// `POST /view`.
pub async fn view(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<LineRequest>,
) -> Result<Json<View>, Refusal> {
    let (entry, line) = request.replay(&site)?;
    Ok(Json(View::of(&entry, line.as_ref())))
}

/// `POST /settle`.
#[derive(Serialize)]
pub struct Settled {
    outcome: OutcomeView,
    dead: Vec<usize>,
}

/// The judgement of dead stones throws dice; the same position must always be judged alike.
const SETTLE_SEED: u64 = 1;

/// Who would have won if nobody played on, and what would be taken off the board?
pub async fn settle(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<LineRequest>,
) -> Result<Json<Settled>, Refusal> {
    let (_, line) = request.replay(&site)?;
    let settled = site.engines.work(move || line.settle(SETTLE_SEED)).await?;
    let none = || Refusal::missing("in this game nothing is counted at the end").at("game");
    let settled = settled.ok_or_else(none)?;
    Ok(Json(Settled { outcome: settled.outcome.into(), dead: settled.dead }))
}

/// `POST /views`. The boards are made as they are sent: all of them at once take tens of megabytes.
pub async fn views(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<LineRequest>,
) -> Result<Response, Refusal> {
    let (entry, mut line) = request.replay(&site)?;
    let moves = line.moves();
    while line.undo() {}
    let mut ahead = moves.into_iter();
    let mut next = Some(line);
    let boards = std::iter::from_fn(move || {
        let mut line = next.take()?;
        let comma = if line.ply() == 0 { "" } else { "," };
        let board = serde_json::to_string(&View::plain(&entry, line.as_ref())).unwrap_or_default();
        next = ahead.next().and_then(|mv| line.play(&mv).ok().map(|_| line));
        Some(format!("{comma}{board}"))
    });
    let ends = |text: &str| std::iter::once(text.to_string());
    let text = ends("{\"views\":[").chain(boards).chain(ends("]}"));
    let body = Body::from_stream(tokio_stream::iter(text.map(Ok::<_, std::convert::Infallible>)));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}
