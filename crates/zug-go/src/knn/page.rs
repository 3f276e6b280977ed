//! What did an experiment find? A page with the table, the curve and what the thesis had.

use super::plan::{EXPERIMENTS, Experiment};
use super::results::{Line, Results, Timing};
use std::path::Path;
use zug_core::files::{read_journal, read_text};
use zug_core::run::{RunSummary, inspect};
use zug_learn::face::TaskError;
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// The file of speeds in the folder of a run.
pub(super) const SPEED: &str = "speed.json";

/// What the folder of a run holds.
pub fn results(folder: &Path) -> Result<Results, TaskError> {
    let mut results = Results::default();
    let path = folder.join("metrics.jsonl");
    if path.exists() {
        let journal = read_journal::<Line>(&path).map_err(TaskError::below)?;
        journal.entries.into_iter().for_each(|line| results.add(line));
    }
    let path = folder.join(SPEED);
    if path.exists() {
        let text = read_text(&path, 1 << 20).map_err(TaskError::below)?;
        results.timing = serde_json::from_str::<Timing>(&text)
            .map_err(|e| TaskError::Unfit(format!("{}: {e}", path.display())))?;
    }
    Ok(results)
}

/// The page of a run, finished or not; `None` if it is none of ours.
pub fn page(folder: &Path) -> Result<Option<Page>, TaskError> {
    let run = inspect(folder).map_err(TaskError::below)?;
    let name = run.config.options.get("experiment");
    let Some(experiment) = EXPERIMENTS.iter().find(|e| Some(e.name) == name.map(String::as_str))
    else {
        return Ok(None);
    };
    Ok(Some(draw(&run, experiment, &results(folder)?)))
}

fn draw(run: &RunSummary, experiment: &Experiment, results: &Results) -> Page {
    let mut page = Page::new(format!("Go patterns of nearest neighbours: {}", experiment.name));
    page.paragraph(&format!("The experiment: {}.", experiment.help));
    let draws = results.units.iter().map(|u| u.draw).max().unwrap_or(0);
    page.facts([
        ("command", run.config.command.join(" ")),
        ("state", run.status.state.to_string()),
        ("seed", run.config.seed.to_string()),
        ("draws of games", draws.to_string()),
        ("version", run.config.version.clone()),
    ]);
    if !run.status.message.is_empty() {
        page.paragraph(&run.status.message);
    }
    page.heading("Figures");
    if draws > 1 {
        page.paragraph("Mean of all draws ± standard deviation of one.");
    }
    let arms = results.arms();
    let mut table = Table::new(std::iter::once("").chain(arms.iter().copied()));
    for (name, cells) in results.rows(experiment) {
        table.row(std::iter::once(name).chain(cells));
    }
    page.table(&table);
    page.subheading("What the thesis has");
    page.facts(experiment.thesis.iter().copied());
    curve(&mut page, results);
    stages(&mut page, results, &arms);
    sizes(&mut page, results, &arms);
    page.folded("All options of the run", |page| page.facts(&run.config.options));
    page
}

fn curve(page: &mut Page, results: &Results) {
    let longest = results.longest();
    if longest == 0 {
        return;
    }
    page.heading("Accuracy over the number of guesses");
    let mut plot = Plot::new("Moves found").x("guesses").y("per cent").y_range(0.0, 100.0);
    let last = longest.min(MOST_GUESSES);
    for arm in results.arms() {
        let points = (1..=last).map(|m| (m as f64, 100.0 * results.accuracy(arm, m).mean));
        plot = plot.line(arm, points);
    }
    let first = results.arms()[0].to_string();
    let random = |m: usize| results.mean(&first, |u| u.accuracy.all.random(m)).mean;
    plot = plot.line("random moves", (1..=last).map(|m| (m as f64, 100.0 * random(m))));
    if let Some(gnugo) = results.gnugo() {
        let height = 100.0 * gnugo;
        plot = plot.line("GNU Go, one move", [(1.0, height), (last as f64, height)]);
    }
    page.plot_with_caption(
        &plot,
        "The share of test examples in which the professional's move is among the first m guesses.",
    );
    page.folded("All numbers", |page| {
        let arms = results.arms();
        let header = std::iter::once("guesses").chain(arms.iter().copied());
        let mut table = Table::new(header.chain(["random"]));
        for m in 1..=longest {
            let mut row = vec![m.to_string()];
            row.extend(arms.iter().map(|arm| results.accuracy(arm, m).text(100.0, 2)));
            row.push(format!("{:.2}", 100.0 * random(m)));
            table.row(row);
        }
        page.table(&table);
    });
}

/// The curve is flat long before all moves of a 19×19 board are guessed.
const MOST_GUESSES: usize = 200;

fn stages(page: &mut Page, results: &Results, arms: &[&str]) {
    page.heading("Stages of the game");
    for arm in arms {
        let header =
            ["stage", "examples", "1 guess", "5", "20", "ever proposed", "mean place if so"];
        let mut table = Table::new(header).caption(format!("{arm}; accuracy in per cent"));
        for (stage, cells) in results.stages(arm).into_iter().enumerate() {
            table.row(std::iter::once((stage + 1).to_string()).chain(cells));
        }
        page.table(&table);
    }
}

fn sizes(page: &mut Page, results: &Results, arms: &[&str]) {
    page.heading("Sizes of patterns");
    page.paragraph("How many patterns have so many stones and sides, before and after filtering.");
    for arm in arms {
        let of = |counts: &[usize], k: usize| counts.get(k).copied().unwrap_or(0) as f64;
        let units = || results.units.iter().filter(|u| u.arm == *arm);
        let most = units().map(|u| u.gathered.len()).max().unwrap_or(0);
        let ks: Vec<usize> =
            (0..most).filter(|&k| results.mean(arm, |u| of(&u.gathered, k)).mean > 0.0).collect();
        let mut table = Table::new(["k", "gathered", "kept"]).caption((*arm).to_string());
        let (mut gathered, mut kept) = (Vec::new(), Vec::new());
        for (i, &k) in ks.iter().enumerate() {
            let before = results.mean(arm, |u| of(&u.gathered, k));
            let after = results.mean(arm, |u| of(&u.kept, k));
            gathered.push((i as f64, before.mean));
            kept.push((i as f64, after.mean));
            table.row([k.to_string(), before.text(1.0, 0), after.text(1.0, 0)]);
        }
        page.plot(
            &Plot::new(format!("Patterns by size: {arm}"))
                .x("stones and sides")
                .y("patterns")
                .categories(ks.iter().map(usize::to_string))
                .bars("gathered", gathered)
                .bars("kept", kept),
        );
        page.table(&table);
    }
}
