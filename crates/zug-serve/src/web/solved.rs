//! Solved games: which database knows a position, what is in it, and where is it on the disk?
//!
//! Databases come from the folder that the server was given. A game that is small is solved here when
//! somebody first asks, in a second or two; so is an ending of a large game, where the game can name it.

use super::asked::{Named, Whole, Words, from_objects};
use super::error::Refusal;
use super::site::Site;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value as Figures, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tempfile::TempDir;
use zug_core::{GameEntry, Silent, StopFlag};
use zug_solve::face::{AnyDatabase, BuildOrder, Endings, Method, Probe, Solver};
use zug_solve::store::{Manifest, Measure};
use zug_solve::{Options, Value as Exact};

/// Memory for unpacked blocks of a database; many may be open.
const CACHE: usize = 8 << 20;
/// Games with at most so many slots are solved while somebody waits.
const SMALL: u64 = 6_000_000;
/// Games that are solved here for those who ask: each takes room on the disk, and anybody can think up another.
const MOST_SOLVED: usize = 200;
/// More folders than this are not looked into.
const MOST_FOLDERS: usize = 1000;

/// A database with what is in it, counted once.
pub struct Opened {
    database: Box<dyn AnyDatabase>,
    folder: PathBuf,
    contents: OnceLock<Result<Figures, String>>,
}

/// Where games are solved that come without a database. It goes with the server.
#[derive(Default)]
pub struct Workshop {
    folder: OnceLock<Result<TempDir, String>>,
    /// Two must not build in one folder.
    building: Mutex<()>,
}

/// Where a database is, or comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Folder(PathBuf),
    /// It is made when it is needed.
    Small,
}

/// Does some database know positions of this game?
pub fn is_solved(site: &Site, entry: &GameEntry) -> bool {
    place(site, entry).is_some() || !relatives(site, &entry.game.spec()).is_empty()
}

/// Is all of this game solved, so that somebody can play it perfectly?
pub fn is_playable(site: &Site, entry: &GameEntry) -> bool {
    place(site, entry).is_some()
}

/// Where the database of exactly this game is.
fn place(site: &Site, entry: &GameEntry) -> Option<Place> {
    let solver = entry.extension::<Solver>()?;
    let spec = entry.game.spec();
    let listed = databases(site).into_iter().find(|(game, _)| *game == spec);
    match listed {
        Some((_, folder)) => Some(Place::Folder(folder)),
        None => is_small(solver).then_some(Place::Small),
    }
}

fn is_small(solver: &Solver) -> bool {
    solver.is_small(SMALL)
}

/// All databases of the folder, with the specs of their games. It is read each time, since databases are
/// built while the server runs.
fn databases(site: &Site) -> Vec<(String, PathBuf)> {
    let Some(folder) = &site.folders.databases else { return Vec::new() };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).take(MOST_FOLDERS);
    let own = std::iter::once(folder.clone());
    let mut found: Vec<(String, PathBuf)> = own
        .chain(paths)
        .filter_map(|path| Some((Manifest::read(&path).ok()?.game, path)))
        .collect();
    found.sort();
    found
}

/// Databases of other games of the same family, such as the endings of chess.
fn relatives(site: &Site, spec: &str) -> Vec<(String, PathBuf)> {
    let family = |spec: &str| spec.split(':').next().unwrap_or(spec).to_string();
    let (mut all, own) = (databases(site), family(spec));
    all.retain(|(game, _)| game != spec && family(game) == own);
    all
}

impl Site {
    /// Opens the database of a game, which is made first where it is small.
    fn opened(&self, entry: &GameEntry, place: &Place) -> Result<Arc<Opened>, String> {
        let spec = entry.game.spec();
        let solver = entry.extension::<Solver>().ok_or("this game cannot be solved")?;
        self.databases.get(&spec, || {
            let whole = |folder: PathBuf| -> Result<Opened, String> {
                let database = solver.open(&folder, CACHE).map_err(|e| e.to_string())?;
                if !database.is_complete() {
                    return Err(format!("{}: it is not finished", folder.display()));
                }
                Ok(Opened { database, folder, contents: OnceLock::new() })
            };
            match place {
                // One that is damaged or not finished is as good as none.
                Place::Folder(folder) => match whole(folder.clone()) {
                    Err(_) if is_small(solver) => whole(self.workshop.build(&spec, solver)?),
                    opened => opened,
                },
                Place::Small => whole(self.workshop.build(&spec, solver)?),
            }
        })
    }

    /// What a database says of a position; `None` where none knows it. This may take a second or two.
    pub(crate) fn exact(&self, entry: &GameEntry, position: &str) -> Option<Probe> {
        let ask = |entry: &GameEntry, place: &Place| {
            self.opened(entry, place).ok()?.database.probe(position).ok()
        };
        if let Some(place) = place(self, entry) {
            return ask(entry, &place);
        }
        let spec = entry.game.spec();
        for (game, folder) in relatives(self, &spec) {
            let Ok(relative) = self.open(&game) else { continue };
            if let Some(probe) = ask(&relative, &Place::Folder(folder)) {
                return Some(probe);
            }
        }
        let ending = (entry.extension::<Endings>()?.0)(position)?;
        let ending = self.open(&ending).ok()?;
        ask(&ending, &place(self, &ending)?)
    }

    /// The folder of a game's database, for a player that needs it.
    pub(crate) async fn database_folder(
        self: &Arc<Self>,
        entry: &Arc<GameEntry>,
    ) -> Result<PathBuf, Refusal> {
        let place = place(self, entry).ok_or_else(none)?;
        let (site, entry) = (Arc::clone(self), Arc::clone(entry));
        let work = move || site.opened(&entry, &place).map(|opened| opened.folder.clone());
        self.engines.work(work).await?.map_err(Refusal::broken)
    }
}

fn none() -> Refusal {
    Refusal::missing("there is no database of this game here").at("source")
}

impl Workshop {
    /// Takes the folder away. Whoever still asks a database of it gets an error.
    pub(super) fn clear(&self) {
        if let Some(Ok(home)) = self.folder.get() {
            let _ = std::fs::remove_dir_all(home.path());
        }
    }

    /// Solves a game, unless that was done before.
    fn build(&self, spec: &str, solver: &Solver) -> Result<PathBuf, String> {
        let make = || TempDir::with_prefix("zug-serve-").map_err(|e| e.to_string());
        let home = self.folder.get_or_init(make).as_ref().map_err(Clone::clone)?;
        let _one = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        let name: String =
            spec.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = home.path().join(name);
        if solver.open(&folder, CACHE).is_ok_and(|database| database.is_complete()) {
            return Ok(folder);
        }
        if std::fs::read_dir(home.path()).map_err(|e| e.to_string())?.count() >= MOST_SOLVED {
            return Err(format!("{MOST_SOLVED} games have been solved here; no more are"));
        }
        let order = BuildOrder {
            options: Options::default(),
            measure: Measure::Dtm,
            one_side: false,
            threads: 1,
            method: Method::Fast,
            cache_percent: None,
            memory: None,
            resume: false,
            command: format!("zug db build {spec}"),
        };
        let built = solver.build(&folder, &order, &Silent, &StopFlag::new());
        built.map_err(|e| e.to_string())?;
        Ok(folder)
    }
}

async fn with_database<T: Send + 'static>(
    site: &Arc<Site>,
    spec: &str,
    ask: impl FnOnce(&Opened) -> Result<T, String> + Send + 'static,
) -> Result<T, Refusal> {
    let entry = site.open(spec)?;
    let place = place(site, &entry).ok_or_else(none)?;
    let site_of_work = Arc::clone(site);
    let work = move || ask(&*site_of_work.opened(&entry, &place)?);
    site.engines.work(work).await?.map_err(Refusal::bad)
}

/// `GET /databases/{spec}`.
pub async fn database(
    State(site): State<Arc<Site>>,
    Named(spec): Named,
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
    let far = move |v: Exact| v.plies().is_some_and(|n| usize::from(n) >= longest);
    let positions = database.sample(&far, 5, 1).map_err(|e| e.to_string())?;
    Ok(json!({"distances": distances, "longest": positions,
        "draws": counts.of(Exact::Draw).iter().sum::<u64>()}))
}

/// `GET /databases/{spec}/random`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct RandomRequest {
    value: String,
    plies: Option<Whole<0, { u16::MAX as u64 }>>,
    seed: Option<Whole<0, { u64::MAX }>>,
}

from_objects!(RandomRequest);

pub async fn random(
    State(site): State<Arc<Site>>,
    Named(spec): Named,
    Words(request): Words<RandomRequest>,
) -> Result<Json<Figures>, Refusal> {
    let RandomRequest { value, plies, seed } = request;
    let (plies, seed) = (plies.map(|n| n.get() as u16), seed.map_or(0, Whole::get));
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
