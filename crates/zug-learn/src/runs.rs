//! Runs as they are shown: their figures, their page, their weights, and two of them side by side.
//! The game of a run draws it where it can; otherwise every figure that is a number is drawn over the
//! steps. The command line and the board in the browser both ask here, so they show the same.

mod compare;
mod curves;

pub use compare::comparison;

use crate::face::{Learner, TaskError};
use crate::plot::Plot;
use crate::records::{self, Records};
use crate::report::{Figure, Page};
use crate::td::face::{Look, SelfPlay, TASK};
use crate::weights::Weights;
use serde_json::{Map, Value};
use std::path::Path;
use zug_core::GameEntry;
use zug_core::files::{JournalContents, read_journal};
use zug_core::run::RunSummary;

/// A line of figures.
pub type Figures = Map<String, Value>;

/// The name of a run: that of its folder.
#[must_use]
pub fn name(run: &RunSummary) -> String {
    let last = run.folder.file_name().unwrap_or(run.folder.as_os_str());
    last.to_string_lossy().into_owned()
}

/// The figures of a run; none if it has recorded none yet.
pub fn figures(folder: &Path) -> Result<JournalContents<Figures>, TaskError> {
    let path = folder.join("metrics.jsonl");
    if !path.exists() {
        return Ok(JournalContents { entries: Vec::new(), note: None });
    }
    read_journal(&path).map_err(TaskError::below)
}

/// How far a run is: its last figures may be later than its last checkpoint.
#[must_use]
pub fn step(run: &RunSummary) -> u64 {
    let figures = figures(&run.folder).map(|f| f.entries).unwrap_or_default();
    let last = figures.last().and_then(|entry| entry.get("step")?.as_u64());
    last.unwrap_or(0).max(run.status.step)
}

/// The page of a run: that which its game makes, or the general one.
pub fn page(entry: &GameEntry, run: &RunSummary) -> Result<Page, TaskError> {
    if let Some(page) = own_page(entry, run)? {
        return Ok(page);
    }
    let figures = figures(&run.folder)?;
    if figures.entries.is_empty() {
        let message = "the run has recorded no figures yet";
        return Err(TaskError::Unfit(format!("{}: {message}", run.folder.display())));
    }
    let mut page = plain_page(run, &figures.entries);
    if let Some(weights) = weights(entry, run, &Look::default())? {
        page.heading("Weights");
        page.weights(&weights);
    }
    Ok(page)
}

/// The plots of a run's page, each with at most so many points in a series; none where there is
/// nothing to plot yet.
pub fn plots(entry: &GameEntry, run: &RunSummary, points: usize) -> Result<Vec<Figure>, TaskError> {
    let all = match own_page(entry, run)? {
        Some(page) => page.figures().to_vec(),
        None => plain_page(run, &figures(&run.folder)?.entries).figures().to_vec(),
    };
    let drawn = all.into_iter().filter(|f| !f.plot.is_empty());
    Ok(drawn.map(|f| Figure { plot: f.plot.thinned(points), ..f }).collect())
}

/// The page that the game itself makes of a run of this kind, if it makes one.
fn own_page(entry: &GameEntry, run: &RunSummary) -> Result<Option<Page>, TaskError> {
    let page = match run.config.task.as_str() {
        TASK => entry.extension::<SelfPlay>().map(|learner| learner.report(&run.folder)),
        records::TASK => entry.extension::<Records>().map(|learner| learner.report(&run.folder)),
        _ => None,
    };
    Ok(page.transpose()?.flatten())
}

/// The weights of a run, where its game can show them.
pub fn weights(
    entry: &GameEntry,
    run: &RunSummary,
    look: &Look,
) -> Result<Option<Weights>, TaskError> {
    match run.config.task.as_str() {
        TASK => match entry.extension::<SelfPlay>() {
            Some(learner) => learner.weights(&run.folder, look),
            None => Ok(None),
        },
        records::TASK => Ok(None),
        _ => match entry.extension::<Learner>() {
            Some(learner) => learner.weights(&run.folder, look),
            None => Ok(None),
        },
    }
}

fn plain_page(run: &RunSummary, entries: &[Figures]) -> Page {
    let (config, status) = (&run.config, &run.status);
    let mut page = Page::new(format!("Run {}: {} of {}", name(run), config.task, config.game));
    page.facts([
        ("State", format!("{}, step {}", status.state, step(run))),
        ("Begun", config.created.clone().unwrap_or_default()),
        ("Updated", status.updated.clone()),
        ("Seed", config.seed.to_string()),
        ("Version", config.version.clone()),
        ("Data", config.data.clone().unwrap_or_default()),
    ]);
    page.preformatted(&config.command.join(" "));
    page.facts(config.options.iter());
    page.heading("Figures");
    for chart in curves::charts(entries) {
        let mut plot = Plot::new(chart.title).x(chart.x);
        for (name, points) in chart.lines {
            plot = plot.line(name, points);
        }
        page.plot(&plot);
    }
    page
}

#[cfg(test)]
mod tests;
