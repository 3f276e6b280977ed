//! Learning runs, as far as their folder may be looked into: what they are, where they stand, and
//! their figures as they come.

use super::error::Refusal;
use super::site::Site;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use zug_core::files::read_journal;
use zug_core::run::{RunSummary, inspect, list_runs};

/// Figures of a run that are sent: a plot cannot show more points.
const MOST_FIGURES: usize = 4000;
/// How often a live run is looked at.
const OFTEN: Duration = Duration::from_secs(2);
/// A page of a run is no larger.
const MOST_PAGE: u64 = 32 << 20;

fn summary(run: &RunSummary) -> Value {
    let name = run.folder.file_name().map(|n| n.to_string_lossy().into_owned());
    json!({
        "name": name,
        "task": run.config.task,
        "game": run.config.game,
        "state": run.status.state,
        "message": run.status.message,
        "step": run.status.step,
        "updated": run.status.updated,
    })
}

/// `GET /runs`.
pub async fn list(State(site): State<Arc<Site>>) -> Result<Json<Value>, Refusal> {
    let Some(folder) = &site.folders.runs else { return Ok(Json(json!({"runs": []}))) };
    let mut runs = Vec::new();
    for run in list_runs(folder).map_err(Refusal::broken)? {
        match run {
            Ok(run) => runs.push(summary(&run)),
            Err(error) => {
                runs.push(json!({"name": null, "state": "broken", "message": error.to_string()}))
            }
        }
    }
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

fn figures(folder: &std::path::Path) -> Vec<Value> {
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

/// `GET /runs/{name}`.
pub async fn show(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let folder = folder_of(&site, &name)?;
    let told = site
        .engines
        .work(move || -> Result<Value, String> {
            let run = inspect(&folder).map_err(|e| e.to_string())?;
            let mut told = summary(&run);
            told["config"] = serde_json::to_value(&run.config).unwrap_or_default();
            told["metrics"] = figures(&folder).into();
            told["report"] = folder.join("report.html").is_file().into();
            Ok(told)
        })
        .await?;
    told.map(Json).map_err(Refusal::broken)
}

/// `GET /runs/{name}/report`.
pub async fn report(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let path = folder_of(&site, &name)?.join("report.html");
    let read = move || {
        let size = std::fs::metadata(&path)?.len();
        if size > MOST_PAGE {
            return Err(std::io::Error::other("the report is too large to show"));
        }
        std::fs::read(&path)
    };
    let page = site.engines.work(read).await?;
    let page = page.map_err(|e| Refusal::missing(format!("no report of the run '{name}': {e}")))?;
    // Reports draw themselves with a script of their own, which the page's policy would forbid.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                  img-src data:; frame-ancestors 'self'";
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok((headers, page).into_response())
}

/// `GET /runs/{name}/live`: figures since the last look, until the run ends.
pub async fn live(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let folder = folder_of(&site, &name)?;
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(4);
    tokio::spawn(async move {
        let mut known = 0;
        loop {
            let path = folder.clone();
            let look = tokio::task::spawn_blocking(move || {
                let journal = read_journal::<Value>(&path.join("metrics.jsonl"));
                (journal.map(|j| j.entries).unwrap_or_default(), inspect(&path).ok())
            });
            let Ok((lines, run)) = look.await else { return };
            let news = &lines[known.min(lines.len())..];
            known = lines.len();
            let running = run.as_ref().is_some_and(|r| summary(r)["state"] == "running");
            let told = json!({"metrics": news, "run": run.as_ref().map(summary)});
            let Ok(event) = Event::default().event("metrics").json_data(told) else { return };
            if sender.send(Ok(event)).await.is_err() || !running {
                return;
            }
            tokio::select! {
                () = tokio::time::sleep(OFTEN) => {}
                () = sender.closed() => return,
            }
        }
    });
    let events = Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default());
    Ok(events.into_response())
}
