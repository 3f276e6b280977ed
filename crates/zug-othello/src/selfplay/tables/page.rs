//! How does a run look? The learning curve, and what it was made with.

use super::shown;
use super::train::MODEL;
use serde::Deserialize;
use std::path::Path;
use zug_core::checks::thousands;
use zug_core::files;
use zug_core::run::{RunSummary, inspect};
use zug_learn::face::TaskError;
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};
use zug_learn::td::face::Look;

/// A line of the metrics.
#[derive(Deserialize)]
struct Figures {
    step: u64,
    score: f64,
    score_error: f64,
    distance: f64,
    reference_distance: f64,
    td_error: f64,
    rate: f64,
    cells_seen: u64,
}

/// The page of a run, if it is one of these.
pub fn report(folder: &Path) -> Result<Option<Page>, TaskError> {
    let summary = inspect(folder).map_err(TaskError::below)?;
    if summary.config.options.get("features").map(String::as_str) != Some("patterns") {
        return Ok(None);
    }
    let mut curve: Vec<Figures> = Vec::new();
    let path = folder.join("metrics.jsonl");
    if path.exists() {
        curve = files::read_journal(&path).map_err(TaskError::below)?.entries;
    }
    let mut page = page(&summary, &curve, folder);
    if let Some(weights) = shown::weights(folder, &Look::default())? {
        page.heading("Weights");
        page.weights(&weights);
    }
    Ok(Some(page))
}

fn page(summary: &RunSummary, curve: &[Figures], folder: &Path) -> Page {
    let options = &summary.config.options;
    let option = |name: &str| options.get(name).cloned().unwrap_or_default();
    let mut page = Page::new("Othello: pattern tables by self-play alone");
    page.facts([
        ("Command", summary.config.command.join(" ")),
        ("State", summary.status.state.to_string()),
        ("Games", format!("{} of {}", thousands(summary.status.step), option("games"))),
        ("Seed", summary.config.seed.to_string()),
    ]);
    if folder.join(MODEL).exists() {
        page.paragraph(&format!(
            "The model is {MODEL} in the folder of the run; zug:model={} plays with it.",
            folder.join(MODEL).display()
        ));
    }
    if curve.is_empty() {
        page.paragraph("Nothing has been measured yet.");
    } else {
        learned(&mut page, curve, &option("against"), &option("measure-depth"));
    }
    page.heading("Options");
    let mut table = Table::new(["option", "value"]);
    for (name, value) in options {
        table.row([name.as_str(), value.as_str()]);
    }
    page.table(&table);
    page
}

fn learned(page: &mut Page, curve: &[Figures], against: &str, depth: &str) {
    let points = |y: fn(&Figures) -> f64| -> Vec<(f64, f64)> {
        curve.iter().map(|f| (f.step as f64, y(f))).collect()
    };
    page.heading("Learning curve");
    page.plot_with_caption(
        &Plot::new(format!("Score against {against}, both {depth} plies ahead"))
            .x("games")
            .y("score in %")
            .line("score", points(|f| 100.0 * f.score))
            .errors(curve.iter().map(|f| 100.0 * f.score_error)),
        "Fair random openings, each with both colours; the bars are one standard error, from pair to \
         pair. The opponent is for measuring only: nothing is learned from these games.",
    );
    page.plot_with_caption(
        &Plot::new("Distance from exact values")
            .x("games")
            .y("discs")
            .line("learned", points(|f| f.distance))
            .line(against, points(|f| f.reference_distance)),
        "The mean distance between the evaluation and the exact value of late positions that do not \
         change over the run.",
    );
    page.plot_with_caption(
        &Plot::new("Errors that are learned from")
            .x("games")
            .y("discs")
            .line("root of the mean square", points(|f| f.td_error).into_iter().skip(1)),
        "How far values were from what came after them, in the last batch before each measurement.",
    );
    let mut table =
        Table::new(["games", "score", "±", "distance", "error", "rate", "weights seen"])
            .caption("The same in numbers: score in %, distance and error in discs");
    for f in curve {
        table.row([
            thousands(f.step),
            format!("{:.1}", 100.0 * f.score),
            format!("{:.1}", 100.0 * f.score_error),
            format!("{:.2}", f.distance),
            format!("{:.2}", f.td_error),
            format!("{:.3}", f.rate),
            thousands(f.cells_seen),
        ]);
    }
    page.table(&table);
}
