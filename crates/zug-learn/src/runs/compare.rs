//! Two runs on one page: what was chosen differently, their curves in the same plots, their weights
//! and the difference of those.

use super::{name, plots, step, weights};
use crate::face::TaskError;
use crate::report::{Page, Table};
use crate::td::face::Look;
use std::collections::BTreeSet;
use zug_core::GameEntry;
use zug_core::run::RunSummary;

/// Points of a series on a page for people.
const POINTS: usize = 2000;

/// The page of two runs. The first is the one that is looked at, the second what it is compared with.
pub fn comparison(
    (entry, run): (&GameEntry, &RunSummary),
    (other_entry, other): (&GameEntry, &RunSummary),
) -> Result<Page, TaskError> {
    let names = two_names(run, other);
    let mut page = Page::new(format!("Runs {} and {}", names[0], names[1]));
    page.heading("The runs");
    page.table(&settings([run, other], &names));
    let (ours, theirs) = (plots(entry, run, POINTS)?, plots(other_entry, other, POINTS)?);
    let mut section = String::new();
    let mut begin = |page: &mut Page, next: &str| {
        if section != next {
            section = next.to_string();
            page.heading(if next.is_empty() { "Figures" } else { next });
        }
    };
    for figure in &ours {
        let twin = theirs.iter().find(|t| t.plot.title() == figure.plot.title());
        if let Some(twin) = twin {
            begin(&mut page, &figure.section);
            page.plot(&figure.plot.clone().beside(&names[0], &twin.plot, &names[1]));
        }
    }
    for (own, foreign, whose) in [(&ours, &theirs, &names[0]), (&theirs, &ours, &names[1])] {
        let lonely =
            |f: &&crate::report::Figure| foreign.iter().all(|o| o.plot.title() != f.plot.title());
        for figure in own.iter().filter(lonely) {
            begin(&mut page, &format!("Only of {whose}"));
            page.plot_with_caption(&figure.plot, &figure.caption);
        }
    }
    let look = Look::default();
    let (ours, theirs) = (weights(entry, run, &look)?, weights(other_entry, other, &look)?);
    for (weights, name) in [(&ours, &names[0]), (&theirs, &names[1])] {
        if let Some(weights) = weights {
            page.heading(&format!("Weights of {name}"));
            page.weights(weights);
        }
    }
    if let (Some(ours), Some(theirs)) = (ours, theirs) {
        let difference = ours.minus(&theirs);
        if !difference.boards.is_empty() || !difference.lists.is_empty() {
            page.heading("Difference of the weights");
            page.paragraph(&format!("{} minus {}.", names[0], names[1]));
            page.weights(&difference);
        }
    }
    Ok(page)
}

/// The names of two runs, told apart even where folders elsewhere have the same.
fn two_names(run: &RunSummary, other: &RunSummary) -> [String; 2] {
    let names = [name(run), name(other)];
    match names[0] == names[1] {
        true => [run, other].map(|r| r.folder.display().to_string()),
        false => names,
    }
}

/// What the runs are, and every option that differs.
fn settings(runs: [&RunSummary; 2], names: &[String; 2]) -> Table {
    let mut table = Table::new(["", names[0].as_str(), names[1].as_str()])
        .caption("What they are, and the options that differ");
    let mut row = |name: &str, of: &dyn Fn(&RunSummary) -> String| {
        table.row([name.to_string(), of(runs[0]), of(runs[1])]);
    };
    row("game", &|r| r.config.game.clone());
    row("task", &|r| r.config.task.clone());
    row("state", &|r| format!("{}, step {}", r.status.state, step(r)));
    row("seed", &|r| r.config.seed.to_string());
    row("version", &|r| r.config.version.clone());
    row("data", &|r| r.config.data.clone().unwrap_or_default());
    let keys: BTreeSet<&String> = runs.iter().flat_map(|r| r.config.options.keys()).collect();
    for key in keys {
        let of = |r: &RunSummary| r.config.options.get(key).cloned().unwrap_or_default();
        if of(runs[0]) != of(runs[1]) {
            row(key, &of);
        }
    }
    row("command", &|r| r.config.command.join(" "));
    table
}
