//! What do collections of records say about a position, and how did one of their games go on?

use super::asked::{Named, Whole, Words, from_objects};
use super::error::Refusal;
use super::site::Site;
use super::study::{ExploreRequest, PartOfBoard, Year};
use super::view::LineRequest;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Value as Figures, json};
use std::path::PathBuf;
use std::sync::Arc;
use zug_core::{AnyLine, GameEntry, RecordResult, Silent, StopFlag};
use zug_learn::explore::{ExploreOrder, Explorer, Part, Span};
use zug_learn::face::TaskError;

/// A name is no longer.
const MOST_NAME: usize = 200;

/// The index of a game's records, if there is one, and who reads it.
pub fn index_of(site: &Site, entry: &GameEntry) -> Option<(Explorer, PathBuf)> {
    let explorer = entry.extension::<Explorer>()?.clone();
    let spec = entry.game.spec();
    let family = spec.split(':').next().unwrap_or(&spec);
    let fits = |game: &str| game == spec || (explorer.spans_variants() && game == family);
    let (_, path) = site.folders.records.iter().find(|(game, _)| fits(game))?;
    Some((explorer.clone(), path.clone()))
}

fn open(site: &Site, entry: &GameEntry) -> Result<(Explorer, PathBuf), Refusal> {
    let missing = || Refusal::missing("there are no records of this game here").at("source");
    index_of(site, entry).ok_or_else(missing)
}

/// `POST /explore` with `records`.
pub async fn look_up(site: &Site, request: &ExploreRequest) -> Result<Figures, Refusal> {
    let (entry, line) = request.line.replay(site)?;
    let (explorer, index) = open(site, &entry)?;
    let corner = |name: &str| Part::Corner(Some(name.to_string()));
    let part = match request.part {
        None | Some(PartOfBoard::Whole) => Part::Whole,
        Some(PartOfBoard::Corner) => Part::Corner(None),
        Some(PartOfBoard::TopLeft) => corner("top-left"),
        Some(PartOfBoard::TopRight) => corner("top-right"),
        Some(PartOfBoard::BottomLeft) => corner("bottom-left"),
        Some(PartOfBoard::BottomRight) => corner("bottom-right"),
    };
    let player = request.player.as_deref().map(str::trim).filter(|name| !name.is_empty());
    if player.is_some_and(|name| name.len() > MOST_NAME) {
        return Err(Refusal::bad("expected the name of a player").at("player"));
    }
    let query = match line.starts_at_start() {
        true if line.ply() == 0 => "start".to_string(),
        true => line.moves().join(" "),
        false => line.position_text(),
    };
    let order = ExploreOrder {
        data: vec![index],
        query,
        part,
        span: Span { from: year(request.from), until: year(request.until) },
        player: player.map(ToString::to_string),
        latest: request.latest,
        top: 40,
        games: 30,
        depth: 1,
        threads: 1,
        ..ExploreOrder::default()
    };
    let here = order.data[0].display().to_string();
    let work = move || explorer.explore(&order, &Silent, &StopFlag::new());
    // Where the records lie is nobody's business on the page.
    let plain = |refusal: Refusal| refusal.without(&here, "the records here");
    let account = site.engines.work(work).await?.map_err(refusal).map_err(plain)?;
    let mut figures = account.figures;
    figures.insert("source".to_string(), "records".into());
    Ok(Figures::Object(figures))
}

fn year(asked: Option<Year>) -> Option<u16> {
    asked.map(|year| year.get() as u16)
}

/// A file that cannot be read is no fault of whoever asks.
fn refusal(error: TaskError) -> Refusal {
    match error {
        TaskError::Below(error) => Refusal::broken(error),
        error => Refusal::bad(error),
    }
}

/// `GET /explore/{spec}/game`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct GameRequest {
    number: Whole<0, { u32::MAX as u64 }>,
}

from_objects!(GameRequest);

/// A whole game of the records.
pub async fn game(
    State(site): State<Arc<Site>>,
    Named(spec): Named,
    Words(request): Words<GameRequest>,
) -> Result<Json<Figures>, Refusal> {
    let line = LineRequest::new(spec);
    let (entry, _) = line.replay(&site)?;
    let (explorer, index) = open(&site, &entry)?;
    let games = Arc::clone(&site);
    let work = move || -> Result<Figures, Refusal> {
        let record =
            explorer.game(&index, request.number.get() as u32).map_err(|error| match error {
                TaskError::Below(error) => Refusal::broken(error),
                _ => {
                    Refusal::missing("there is no game of that number in the records").at("number")
                }
            })?;
        // It may have been played by other rules than the table has: another komi.
        let entry = games.open(&record.game).unwrap_or(entry);
        let mut line = match &record.start {
            Some(start) => entry.game.line_from(start).map_err(Refusal::broken)?,
            None => entry.game.new_line(),
        };
        for mv in &record.moves {
            match line.play(&mv.text) {
                Ok(_) => {}
                // Some played on after a draw that nobody claimed; a board here does not.
                Err(_) if line.outcome().is_some() => break,
                Err(error) => return Err(Refusal::broken(error)),
            }
        }
        let tags: Map<String, Figures> =
            record.tags.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let winner = match record.result {
            RecordResult::Known { winner, .. } => json!(winner.map(zug_core::Side::index)),
            RecordResult::Unknown => Figures::Null,
        };
        Ok(json!({
            "game": entry.game.spec(), "start": record.start, "tags": tags, "winner": winner,
            "known": record.result != RecordResult::Unknown,
            "moves": AnyLine::moves(&*line), "texts": line.shown_moves(),
        }))
    };
    site.engines.work(work).await?.map(Json)
}
