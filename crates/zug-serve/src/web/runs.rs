//! Learning runs, as far as their folder may be looked into: what they are, where they stand, their
//! plots as they grow, their weights, and their pages.

use super::asked::{Named, Whole, Words, from_objects};
use super::error::Refusal;
use super::site::Site;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use zug_core::GameEntry;
use zug_core::files::read_journal;
use zug_core::run::{RunSummary, inspect, list_runs};
use zug_learn::face::TaskError;
use zug_learn::report::Figure;
use zug_learn::runs as learned;
use zug_learn::td::face::Look;

/// Figures of a run that are sent: a plot cannot show more points.
const MOST_FIGURES: usize = 4000;
/// Points of a series that are sent.
const MOST_POINTS: usize = 500;
/// How often a live run is looked at; less often where drawing it takes long.
const OFTEN: Duration = Duration::from_secs(2);
/// A page of a run is no larger.
const MOST_PAGE: u64 = 32 << 20;
/// No word of a choice is longer.
const MOST_WORD: usize = 200;

fn summary(run: &RunSummary) -> Value {
    let name = run.folder.file_name().map(|n| n.to_string_lossy().into_owned());
    json!({
        "name": name,
        "task": run.config.task,
        "game": run.config.game,
        "state": run.status.state,
        "message": run.status.message,
        "step": learned::step(run),
        "updated": run.status.updated,
    })
}

/// `GET /runs`.
pub async fn list(State(site): State<Arc<Site>>) -> Result<Json<Value>, Refusal> {
    let Some(folder) = site.folders.runs.clone() else { return Ok(Json(json!({"runs": []}))) };
    let look = move || -> Result<Vec<Value>, String> {
        let all = list_runs(&folder).map_err(|e| e.to_string())?;
        let told = all.iter().map(|run| match run {
            Ok(run) => summary(run),
            Err(error) => json!({"name": null, "state": "broken", "message": error.to_string()}),
        });
        Ok(told.collect())
    };
    let looked = tokio::task::spawn_blocking(look).await;
    let runs = looked.map_err(Refusal::broken)?.map_err(Refusal::broken)?;
    Ok(Json(json!({ "runs": runs })))
}

/// The folder of a run. A name is one part of a path, so nobody looks elsewhere.
fn folder_of(site: &Site, name: &str) -> Result<PathBuf, Refusal> {
    let missing = || Refusal::missing(format!("there is no run '{name}'")).at("name");
    let plain = !name.is_empty()
        && name != "."
        && name != ".."
        && !name.contains(['/', '\\', '\0'])
        && name.len() < 256;
    let folder = site.folders.runs.as_ref().filter(|_| plain).ok_or_else(missing)?.join(name);
    if folder.is_dir() { Ok(folder) } else { Err(missing()) }
}

/// A run and its game.
struct Opened {
    run: RunSummary,
    entry: Arc<GameEntry>,
}

/// Opens a run; one whose files make no sense, or whose game is not here, is told.
fn open(site: &Site, folder: &FilePath) -> Result<Opened, Refusal> {
    let run = inspect(folder).map_err(Refusal::broken)?;
    let entry = site.open(&run.config.game)?;
    Ok(Opened { run, entry })
}

/// What a run refuses: a choice that it does not have is the asker's fault, a file that cannot be read
/// is not.
fn refused(error: TaskError) -> Refusal {
    match error {
        TaskError::Unknown { .. } | TaskError::Unfit(_) => Refusal::bad(error),
        other => Refusal::broken(other),
    }
}

fn figures(folder: &FilePath) -> Vec<Value> {
    let path = folder.join("metrics.jsonl");
    let all: Vec<Value> = read_journal(&path).map(|j| j.entries).unwrap_or_default();
    let step = all.len().div_ceil(MOST_FIGURES).max(1);
    let last = all.len().saturating_sub(1);
    all.into_iter()
        .enumerate()
        .filter(|(i, _)| i % step == 0 || *i == last)
        .map(|(_, value)| value)
        .collect()
}

/// The plots of a run, the same as on its page; or why there are none.
fn plots(opened: &Opened) -> (Vec<Figure>, Option<String>) {
    match learned::plots(&opened.entry, &opened.run, MOST_POINTS) {
        Ok(plots) if plots.is_empty() => (plots, Some(why_empty(&opened.run))),
        Ok(plots) => (plots, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    }
}

fn why_empty(run: &RunSummary) -> String {
    use zug_core::run::State;
    match (run.status.state, run.config.task.as_str()) {
        (State::Running, "examples") => "A fit tells its errors when it has ended.",
        (State::Running, _) => "Nothing has been measured yet.",
        (State::Finished, _) => "This run has measured nothing that could be drawn as a curve.",
        _ => "This run ended before anything was measured.",
    }
    .to_string()
}

/// `GET /runs/{name}`.
pub async fn show(
    State(site): State<Arc<Site>>,
    Named(name): Named,
) -> Result<Json<Value>, Refusal> {
    let folder = folder_of(&site, &name)?;
    let shared = Arc::clone(&site);
    let look = move || -> Result<Value, Refusal> {
        let run = inspect(&folder).map_err(Refusal::broken)?;
        let mut told = summary(&run);
        told["config"] = serde_json::to_value(&run.config).unwrap_or_default();
        told["metrics"] = figures(&folder).into();
        let (plots, note) = match shared.open(&run.config.game) {
            Ok(entry) => plots(&Opened { run, entry }),
            // Its figures can be told all the same.
            Err(_) => (Vec::new(), Some("The game of this run is not here.".to_string())),
        };
        told["plots"] = serde_json::to_value(plots).unwrap_or_default();
        told["note"] = note.into();
        Ok(told)
    };
    site.engines.work(look).await?.map(Json)
}

/// What is chosen when weights are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Chosen {
    experiment: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    games: Option<Whole<0, { u64::MAX }>>,
    group: Option<String>,
}

from_objects!(Chosen, Wanted);

impl Chosen {
    fn look(self) -> Result<Look, Refusal> {
        let words =
            [("experiment", &self.experiment), ("type", &self.kind), ("group", &self.group)];
        for (place, word) in words {
            if word.as_ref().is_some_and(|w| w.len() > MOST_WORD) {
                return Err(Refusal::bad("expected a name, found a very long one").at(place));
            }
        }
        Ok(Look {
            experiment: self.experiment,
            types: self.kind.into_iter().collect(),
            games: self.games.map(Whole::get).into_iter().collect(),
            groups: self.group.into_iter().collect(),
            ..Look::default()
        })
    }
}

/// `GET /runs/{name}/weights`.
pub async fn weights(
    State(site): State<Arc<Site>>,
    Named(name): Named,
    Words(chosen): Words<Chosen>,
) -> Result<Json<Value>, Refusal> {
    let folder = folder_of(&site, &name)?;
    let look = chosen.look()?;
    let shared = Arc::clone(&site);
    let work = move || -> Result<Value, Refusal> {
        let Opened { run, entry } = open(&shared, &folder)?;
        let weights = learned::weights(&entry, &run, &look).map_err(refused)?;
        let note = match (&weights, run.status.state) {
            (Some(_), _) => None,
            (None, zug_core::run::State::Running) => Some("No weights have been kept yet."),
            (None, _) => Some("Runs of this kind keep no weights that could be shown."),
        };
        Ok(json!({ "weights": weights, "note": note }))
    };
    site.engines.work(work).await?.map(Json)
}

/// Which page is wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Wanted {
    against: Option<String>,
    #[serde(default)]
    download: bool,
}

/// `GET /runs/{name}/report`: the page that `zug runs report` writes, as it stands in the folder if
/// nothing has happened since, or else drawn now by the same code; or that of two runs.
pub async fn report(
    State(site): State<Arc<Site>>,
    Named(name): Named,
    Words(wanted): Words<Wanted>,
) -> Result<Response, Refusal> {
    let folder = folder_of(&site, &name)?;
    let other = match &wanted.against {
        Some(other) => Some(folder_of(&site, other).map_err(|refusal| refusal.at("against"))?),
        None => None,
    };
    let shared = Arc::clone(&site);
    let draw = move || -> Result<Vec<u8>, Refusal> {
        if let Some(other) = other {
            let (a, b) = (open(&shared, &folder)?, open(&shared, &other)?);
            let page = learned::comparison((&a.entry, &a.run), (&b.entry, &b.run));
            return Ok(page.map_err(refused)?.html().into_bytes());
        }
        if let Some(page) = fresh(&folder) {
            return Ok(page);
        }
        let Opened { run, entry } = open(&shared, &folder)?;
        let page = learned::page(&entry, &run).map_err(|e| match e {
            TaskError::Unfit(what) => Refusal::missing(what),
            other => Refusal::broken(other),
        })?;
        Ok(page.html().into_bytes())
    };
    let page = site.engines.work(draw).await??;
    // Reports draw themselves with a script of their own, which the page's policy would forbid.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                  img-src data:; frame-ancestors 'self'; sandbox allow-scripts";
    let mut response = page.into_response();
    let headers = response.headers_mut();
    headers
        .insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CONTENT_SECURITY_POLICY, header::HeaderValue::from_static(policy));
    if wanted.download {
        let both = wanted.against.map_or(String::new(), |other| format!("-and-{other}"));
        let file = plain_name(&format!("{name}{both}.html"));
        let value = format!("attachment; filename=\"{file}\"");
        if let Ok(value) = header::HeaderValue::from_str(&value) {
            headers.insert(header::CONTENT_DISPOSITION, value);
        }
    }
    Ok(response)
}

/// A name that every file system takes.
fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

/// The page in the folder, unless figures or state are newer or it is too large.
fn fresh(folder: &FilePath) -> Option<Vec<u8>> {
    let changed = |name: &str| -> Option<(SystemTime, u64)> {
        let data = std::fs::metadata(folder.join(name)).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    let (drawn, size) = changed("report.html")?;
    let newer = |name: &str| changed(name).is_some_and(|(when, _)| when > drawn);
    if size > MOST_PAGE || newer("metrics.jsonl") || newer("status.toml") {
        return None;
    }
    std::fs::read(folder.join("report.html")).ok()
}

/// `GET /runs/{name}/live`: new figures and the plots as they are now, until the run ends.
pub async fn live(State(site): State<Arc<Site>>, Named(name): Named) -> Result<Response, Refusal> {
    let folder = folder_of(&site, &name)?;
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(4);
    tokio::spawn(async move {
        let mut known = 0;
        let mut drawn: Option<Vec<Figure>> = None;
        loop {
            let (path, site, began) = (folder.clone(), Arc::clone(&site), Instant::now());
            let look = tokio::task::spawn_blocking(move || {
                let journal = read_journal::<Value>(&path.join("metrics.jsonl"));
                let plots = open(&site, &path).ok().map(|opened| plots(&opened));
                (journal.map(|j| j.entries).unwrap_or_default(), inspect(&path).ok(), plots)
            });
            let Ok((lines, run, plots)) = look.await else { return };
            let news = &lines[known.min(lines.len())..];
            known = lines.len();
            let running = run.as_ref().is_some_and(|r| summary(r)["state"] == "running");
            let mut told = json!({"metrics": news, "run": run.as_ref().map(summary)});
            if let Some((plots, note)) = plots.filter(|(plots, _)| drawn.as_ref() != Some(plots)) {
                told["plots"] = serde_json::to_value(&plots).unwrap_or_default();
                told["note"] = note.into();
                drawn = Some(plots);
            }
            let Ok(event) = Event::default().event("metrics").json_data(told) else { return };
            if sender.send(Ok(event)).await.is_err() || !running {
                return;
            }
            // Looking takes a small part of the time, however long it takes.
            let pause = OFTEN.max(10 * began.elapsed());
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = sender.closed() => return,
            }
        }
    });
    let events = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default());
    Ok(events.into_response())
}
