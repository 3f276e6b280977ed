//! What is known about a position without searching: a policy, a book, records, a solved database.

use super::asked::{Asked, Whole, from_objects, from_words};
use super::collected;
use super::error::Refusal;
use super::site::Site;
use super::value::Value;
use super::view::LineRequest;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value as Figures, json};
use std::sync::Arc;
use zug_book::review::scale_of_game;
use zug_book::{Book, Chance, Draws, Places, ShippedBook, Values, every_move};
use zug_core::{GameEntry, Score};
use zug_learn::guess::{GuessOrder, Guesses, Question};

/// `POST /guess`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct GuessRequest {
    line: LineRequest,
    /// So many moves.
    #[serde(default)]
    top: Option<Whole<1, 400>>,
}

from_objects!(GuessRequest);

/// A year.
pub type Year = Whole<0, 9999>;

pub async fn guess(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<GuessRequest>,
) -> Result<Json<Figures>, Refusal> {
    let (entry, line) = request.line.replay(&site)?;
    let Some(guesses) = entry.extension::<Guesses>().cloned() else {
        let message = format!("{} has no model that guesses moves", entry.game.spec());
        return Err(Refusal::missing(message).at("line.game"));
    };
    // As a record, so that the model knows which moves were the last.
    let format = entry.formats.first().ok_or_else(|| Refusal::missing("no format of records"))?;
    let record = zug_core::record::Record::of_line(line.as_ref());
    let bytes = format.write(&[record]).map_err(Refusal::broken)?;
    let order = GuessOrder {
        question: Question::Record { name: "the line".to_string(), bytes },
        game: 1,
        at: None,
        top: request.top.map_or(10, Whole::size),
        model: None,
        colours: false,
        svg: false,
        png: false,
    };
    let told = site.engines.work(move || guesses.guess(&order)).await?;
    let told = told.map_err(Refusal::bad)?;
    Ok(Json(Figures::Object(told.figures)))
}

/// The book of a game, if one comes with the program.
pub fn book(_: &Site, entry: &GameEntry) -> Option<&'static [u8]> {
    entry.extension::<ShippedBook>().map(|book| book.0)
}

/// `POST /explore`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct ExploreRequest {
    pub(super) line: LineRequest,
    source: Source,
    /// Records: which games count, and how much of the board.
    #[serde(default)]
    pub(super) part: Option<PartOfBoard>,
    #[serde(default)]
    pub(super) from: Option<Year>,
    #[serde(default)]
    pub(super) until: Option<Year>,
    #[serde(default)]
    pub(super) player: Option<String>,
    /// The latest games, not those of the strongest players.
    #[serde(default)]
    pub(super) latest: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", remote = "Self")]
enum Source {
    Book,
    Records,
    Database,
}

/// How much of the board counts, for records of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", remote = "Self")]
pub(super) enum PartOfBoard {
    Whole,
    Corner,
    TopLeft,
    TopRight,
    BottomLeft,
    BottomRight,
}

from_objects!(ExploreRequest);
from_words!(Source, PartOfBoard);

pub async fn explore(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<ExploreRequest>,
) -> Result<Json<Figures>, Refusal> {
    match request.source {
        Source::Book => from_book(&site, &request).await,
        Source::Records => collected::look_up(&site, &request).await,
        Source::Database => from_database(&site, &request).await,
    }
    .map(Json)
}

/// A book with what its games say.
pub struct Shelved {
    book: Book,
    values: Values,
}

async fn from_book(site: &Arc<Site>, request: &ExploreRequest) -> Result<Figures, Refusal> {
    let (entry, line) = request.line.replay(site)?;
    let Some(bytes) = book(site, &entry) else {
        return Err(Refusal::missing("there is no book of this game").at("source"));
    };
    let scale = scale_of_game(&entry);
    let shelf = Arc::clone(site);
    let work = move || -> Result<Figures, String> {
        let shelved = shelf.books.get(&entry.game.spec(), || {
            let book = Book::from_bytes(bytes, None).map_err(|e| e.to_string())?;
            let values = Values::of(&book, Draws::Neutral);
            Ok::<_, String>(Shelved { book, values })
        })?;
        let (places, Shelved { book, values }) = (Places::of(&entry), &*shelved);
        let side = line.to_move();
        let mut moves = every_move(book, values, &places, line.as_ref());
        moves.retain(|m| m.games > 0 || m.chance.is_some());
        moves.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| b.chance.cmp(&a.chance)));
        let value = |chance: Chance| {
            let score = match chance {
                Chance::Estimate(hundredths) => Score::estimate(hundredths),
                Chance::Won(end) => Score::won_by(end.margin as f32),
                Chance::Lost(end) => -Score::won_by(end.margin as f32),
            };
            Value { text: chance.to_string(), ..Value::of_score(score, false, side, scale) }
        };
        let moves: Vec<Figures> = moves
            .iter()
            .map(|m| {
                let own = [m.wins, m.draws, m.losses];
                let by_side = if side.index() == 0 { own } else { [own[2], own[1], own[0]] };
                json!({"move": m.mv, "count": m.games, "wins": by_side,
                    "value": m.chance.map(value)})
            })
            .collect();
        let name = book.names.name_of(&places, line.as_ref());
        Ok(json!({"source": "book", "name": name, "moves": moves,
            "position": {"value": values.chance(places.key(line.as_ref())).map(value)}}))
    };
    site.engines.work(work).await?.map_err(Refusal::broken)
}

async fn from_database(site: &Arc<Site>, request: &ExploreRequest) -> Result<Figures, Refusal> {
    let (entry, line) = request.line.replay(site)?;
    let (side, scale) = (line.to_move(), scale_of_game(&entry));
    let (position, shelf) = (line.position_text(), Arc::clone(site));
    let probe = site.engines.work(move || shelf.exact(&entry, &position)).await?;
    let missing = || Refusal::missing("no database knows this position").at("source");
    let probe = probe.ok_or_else(missing)?;
    let value = |v: zug_solve::Value| Value::of_score(v.score(), true, side, scale);
    let moves: Vec<Figures> = probe
        .moves
        .iter()
        .map(|m| json!({"move": m.mv, "value": value(m.value), "best": m.best}))
        .collect();
    Ok(json!({"source": "database", "name": null, "moves": moves,
        "position": {"value": value(probe.value)}}))
}
