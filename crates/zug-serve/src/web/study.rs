//! What is known about a position without searching: a policy, a book, records, a solved database.

use super::error::Refusal;
use super::site::{Kind, Site};
use super::value::Value;
use super::view::LineRequest;
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use serde_json::{Value as Figures, json};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use zug_book::{Book, Chance, Draws, Places, ShippedBook, Values, every_move};
use zug_core::{GameEntry, Score, Silent, StopFlag};
use zug_learn::explore::{ExploreOrder, Explorer, Part};
use zug_learn::guess::{GuessOrder, Guesses, Question};
use zug_solve::face::{AnyDatabase, Solver};

/// Memory for unpacked blocks of a database.
const CACHE: usize = 64 << 20;

/// `POST /guess`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuessRequest {
    line: LineRequest,
    #[serde(default = "ten")]
    top: usize,
}

const fn ten() -> usize {
    10
}

pub async fn guess(
    State(site): State<Arc<Site>>,
    Json(request): Json<GuessRequest>,
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
        top: request.top.clamp(1, 400),
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

/// The folder of a game's database, if there is one.
pub fn database_folder(site: &Site, spec: &str) -> Option<PathBuf> {
    let folder = site.folders.databases.as_ref()?;
    // A spec has a colon and commas, which not every system likes in names.
    let name: String =
        spec.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    [spec.to_string(), name].into_iter().map(|n| folder.join(n)).find(|path| path.is_dir())
}

/// `POST /explore`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploreRequest {
    line: LineRequest,
    source: Source,
    #[serde(default)]
    part: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    Book,
    Records,
    Database,
}

pub async fn explore(
    State(site): State<Arc<Site>>,
    Json(request): Json<ExploreRequest>,
) -> Result<Json<Figures>, Refusal> {
    match request.source {
        Source::Book => from_book(&site, &request).await,
        Source::Records => from_records(&site, &request).await,
        Source::Database => from_database(&site, &request).await,
    }
    .map(Json)
}

/// A book with what its games say.
pub struct Shelved {
    book: Book,
    values: Values,
}

/// A database with what is in it, counted once.
pub struct Opened {
    database: Box<dyn AnyDatabase>,
    contents: OnceLock<Result<Figures, String>>,
}

async fn from_book(site: &Arc<Site>, request: &ExploreRequest) -> Result<Figures, Refusal> {
    let (entry, line) = request.line.replay(site)?;
    let Some(bytes) = book(site, &entry) else {
        return Err(Refusal::missing("there is no book of this game").at("source"));
    };
    let scale = Kind::of(&entry.game.spec()).scale();
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

async fn from_records(site: &Site, request: &ExploreRequest) -> Result<Figures, Refusal> {
    let (entry, line) = request.line.replay(site)?;
    let spec = entry.game.spec();
    let family = spec.split(':').next().unwrap_or(&spec);
    let index = site.folders.records.iter().find(|(game, _)| game == family);
    let (Some(explorer), Some((_, index))) = (entry.extension::<Explorer>().cloned(), index) else {
        return Err(Refusal::missing("there are no records of this game here").at("source"));
    };
    let part = match request.part.as_deref() {
        None | Some("whole") => Part::Whole,
        Some("corner") => Part::Corner(None),
        Some(other) => {
            let message = format!("expected whole or corner, found '{other}'");
            return Err(Refusal::bad(message).at("part"));
        }
    };
    let order = ExploreOrder {
        data: vec![index.clone()],
        query: line.moves().join(" "),
        part,
        top: 20,
        games: 20,
        depth: 8,
        threads: 1,
        ..ExploreOrder::default()
    };
    let work = move || explorer.explore(&order, &Silent, &StopFlag::new());
    let account = site.engines.work(work).await?.map_err(Refusal::bad)?;
    let mut figures = account.figures;
    figures.insert("source".to_string(), "records".into());
    Ok(Figures::Object(figures))
}

fn open_database(site: &Site, spec: &str) -> Result<(PathBuf, Solver), Refusal> {
    let missing = || Refusal::missing("there is no database of this game here").at("source");
    let entry = site.open(spec)?;
    let folder = database_folder(site, &entry.game.spec()).ok_or_else(missing)?;
    let solver = entry.extension::<Solver>().cloned().ok_or_else(missing)?;
    Ok((folder, solver))
}

async fn with_database<T: Send + 'static>(
    site: &Arc<Site>,
    spec: &str,
    ask: impl FnOnce(&Opened) -> Result<T, String> + Send + 'static,
) -> Result<T, Refusal> {
    let (folder, solver) = open_database(site, spec)?;
    let (site_of_work, spec) = (Arc::clone(site), spec.to_string());
    let work = move || {
        let opened = site_of_work.databases.get(&spec, || {
            let database = solver.open(&folder, CACHE).map_err(|e| e.to_string())?;
            Ok::<_, String>(Opened { database, contents: OnceLock::new() })
        })?;
        ask(&opened)
    };
    site.engines.work(work).await?.map_err(Refusal::bad)
}

async fn from_database(site: &Arc<Site>, request: &ExploreRequest) -> Result<Figures, Refusal> {
    let (entry, line) = request.line.replay(site)?;
    let (side, scale) = (line.to_move(), Kind::of(&entry.game.spec()).scale());
    let position = line.position_text();
    with_database(site, &request.line.game, move |opened| {
        let probe = opened.database.probe(&position).map_err(|e| e.to_string())?;
        let value = |v: zug_solve::Value| Value::of_score(v.score(), true, side, scale);
        let moves: Vec<Figures> = probe
            .moves
            .iter()
            .map(|m| json!({"move": m.mv, "value": value(m.value), "best": m.best}))
            .collect();
        Ok(json!({"source": "database", "name": null, "moves": moves,
            "position": {"value": value(probe.value)}}))
    })
    .await
}

/// `GET /databases/{spec}`.
pub async fn database(
    State(site): State<Arc<Site>>,
    Path(spec): Path<String>,
) -> Result<Json<Figures>, Refusal> {
    let told = with_database(&site, &spec, |opened| {
        opened.contents.get_or_init(|| contents(&*opened.database)).clone()
    })
    .await?;
    Ok(Json(told))
}

fn contents(database: &dyn AnyDatabase) -> Result<Figures, String> {
    let stats = database.statistics(1, &Silent, &StopFlag::new()).map_err(|e| e.to_string())?;
    let counts = &stats.total.stored;
    let distances: Vec<Figures> = counts
        .rows()
        .map(|row| {
            json!({"value": if row.won { "won" } else { "lost" }, "plies": row.plies,
                "count": row.counts.iter().sum::<u64>()})
        })
        .collect();
    let longest = counts.longest();
    let far = move |v: zug_solve::Value| v.plies().is_some_and(|n| usize::from(n) >= longest);
    let positions = database.sample(&far, 5, 1).map_err(|e| e.to_string())?;
    Ok(json!({"distances": distances, "longest": positions,
        "draws": counts.of(zug_solve::Value::Draw).iter().sum::<u64>()}))
}

/// `GET /databases/{spec}/random`.
#[derive(Debug, Deserialize)]
pub struct RandomRequest {
    value: String,
    plies: Option<u16>,
    #[serde(default)]
    seed: u64,
}

pub async fn random(
    State(site): State<Arc<Site>>,
    Path(spec): Path<String>,
    Query(request): Query<RandomRequest>,
) -> Result<Json<Figures>, Refusal> {
    use zug_solve::Value as Exact;
    let RandomRequest { value, plies, seed } = request;
    if !["won", "lost", "draw"].contains(&value.as_str()) {
        let message = format!("expected won, lost or draw, found '{value}'");
        return Err(Refusal::bad(message).at("value"));
    }
    let found = with_database(&site, &spec, move |opened| {
        let wanted = move |v: Exact| {
            let kind = match v {
                Exact::Win(_) => "won",
                Exact::Loss(_) => "lost",
                Exact::Draw => "draw",
            };
            kind == value && plies.is_none_or(|n| v.plies() == Some(n))
        };
        opened.database.sample(&wanted, 1, seed).map_err(|e| e.to_string())
    })
    .await?;
    let position = found.into_iter().next();
    let position = position.ok_or_else(|| Refusal::missing("there is no such position"))?;
    Ok(Json(json!({ "position": position })))
}
