//! What did a run of self-play look like? A page with the learning curve and the weights.

use super::learner::Figures;
use super::linear::Linear;
use super::shown;
use crate::face::TaskError;
use crate::plot::Plot;
use crate::report::{Page, Table};
use serde::Deserialize;
use std::path::Path;
use zug_core::Game;
use zug_core::files::read_journal;
use zug_core::run::inspect;

#[derive(Deserialize)]
struct Entry {
    step: u64,
    #[serde(flatten)]
    figures: Figures,
}

/// The page of a run in a folder.
pub(crate) fn page<G: Game>(
    game: &G,
    folder: &Path,
    model: Option<&Linear<G>>,
) -> Result<Page, TaskError> {
    let run = inspect(folder).map_err(TaskError::below)?;
    let path = folder.join("metrics.jsonl");
    let entries: Vec<Entry> = match path.exists() {
        true => read_journal(&path).map_err(TaskError::below)?.entries,
        false => Vec::new(),
    };
    let mut page = Page::new(format!("{}: learned by self-play", game.title()));
    page.heading("The run");
    page.facts([
        ("command", run.config.command.join(" ")),
        ("state", format!("{}, {} games", run.status.state, run.status.step)),
        ("seed", run.config.seed.to_string()),
        ("version", run.config.version.clone()),
    ]);
    curves(&mut page, &entries);
    page.heading("Figures");
    page.table(&table(&entries));
    if let Some(model) = model {
        weights(&mut page, game, model);
    }
    page.folded("All options of the run", |page| page.facts(&run.config.options));
    Ok(page)
}

fn series(entries: &[Entry], of: impl Fn(&Figures) -> Option<f64>) -> Vec<(f64, f64)> {
    let point = |e: &Entry| of(&e.figures).map(|y| (e.step as f64, 100.0 * y));
    entries.iter().filter_map(point).collect()
}

/// A line of a plot: its name, and the figure that it draws.
type Curve = (&'static str, fn(&Figures) -> Option<f64>);

fn plot(page: &mut Page, entries: &[Entry], title: &str, y: &str, caption: &str, curves: &[Curve]) {
    let mut plot = Plot::new(title).x("games").y(y).y_range(0.0, 100.0);
    let mut drawn = false;
    for (name, of) in curves {
        let points = series(entries, of);
        if !points.is_empty() {
            plot = plot.line(*name, points);
            drawn = true;
        }
    }
    if drawn {
        page.plot_with_caption(&plot, caption);
    }
}

fn curves(page: &mut Page, entries: &[Entry]) {
    let judged = entries.iter().any(|e| e.figures.optimal.is_some());
    if judged {
        page.heading("Right moves");
        let all = entries.iter().any(|e| e.figures.judged_all);
        let where_from =
            if all { "all positions of the game" } else { "positions of random games" };
        page.paragraph(&format!(
            "A move is right if it keeps the value of the position under perfect play. It is judged \
             in {where_from} and in those of the learner's own games; and once more in those of \
             them where some move would be wrong."
        ));
        let curves: [Curve; 4] = [
            (where_from, |f| f.optimal),
            ("… of them that matter", |f| f.optimal_decisive),
            ("own games", |f| f.optimal_own),
            ("own, those that matter", |f| f.optimal_own_decisive),
        ];
        let caption = "The share of right moves over the games that were learned from.";
        plot(page, entries, "Right moves", "per cent", caption, &curves);
    }
    page.heading("Strength");
    let curves: [Curve; 3] = [
        ("random moves", |f| f.against_random),
        ("hand-made evaluation", |f| f.against_reference),
        ("champion", |f| f.against_champion),
    ];
    let caption = "The share of the points against random moves, the hand-made evaluation and the \
                   champion (the learner's own earlier self), with random openings that are played \
                   from both sides.";
    plot(page, entries, "Strength against", "points, per cent", caption, &curves);
    let matches = entries.iter().filter(|e| e.figures.against_champion.is_some());
    let won = entries.iter().filter(|e| e.figures.new_champion).count();
    if let matches @ 1.. = matches.count() {
        page.paragraph(&format!(
            "Matches against the champion: {matches}; the learner took its place after {won} of \
             them (those with 'yes' in the figures below)."
        ));
    }
    let curves: [Curve; 3] = [
        ("points of first side", |f| Some(f.first_points)),
        ("draws", |f| Some(f.drawn)),
        ("error", |f| Some(f.error)),
    ];
    let played = &entries[entries.len().min(1)..];
    let caption = "Points of the first side, draws, and the root of the mean squared error.";
    plot(page, played, "The games that were learned from", "per cent", caption, &curves);
}

fn table(entries: &[Entry]) -> Table {
    let mut table = Table::new([
        "games",
        "right",
        "matter",
        "own",
        "own matter",
        "rand.",
        "ref.",
        "champ.",
        "new",
        "error",
        "plies",
        "draws",
    ])
    .caption(
        "Per cent. right: right moves, of all positions and of those that matter, then the same in \
         own games; rand., ref., champ.: points against random moves, the hand-made evaluation and \
         the champion; new: the learner took the champion's place",
    );
    let share = |x: Option<f64>| x.map_or(String::new(), |x| format!("{:.1}", 100.0 * x));
    for Entry { step, figures: f } in entries {
        table.row([
            step.to_string(),
            share(f.optimal),
            share(f.optimal_decisive),
            share(f.optimal_own),
            share(f.optimal_own_decisive),
            share(f.against_random),
            share(f.against_reference),
            share(f.against_champion),
            if f.new_champion { "yes".to_string() } else { String::new() },
            format!("{:.3}", f.error),
            format!("{:.1}", f.plies),
            share(Some(f.drawn)),
        ]);
    }
    table
}

fn weights<G: Game>(page: &mut Page, game: &G, model: &Linear<G>) {
    let (features, weights) = (model.features(), model.weights());
    page.heading("Weights");
    let used = weights.iter().filter(|w| **w != 0.0).count();
    let length: f64 = weights.iter().map(|w| f64::from(*w) * f64::from(*w)).sum();
    page.facts([
        ("features", format!("{} ({})", features.name(), features.help())),
        ("in use", format!("{used} of {}", weights.len())),
        ("mean square of those", format!("{:.4}", length / used.max(1) as f64)),
    ]);
    for shown in shown::every_type(game, model) {
        page.weights(&shown);
    }
}
