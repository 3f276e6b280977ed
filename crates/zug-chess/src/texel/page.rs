//! The pages that tell about a fit and about clusters.

use super::learn::{MEN, Story};
use crate::types::Clusters;
use serde_json::{Value, json};
use zug_learn::face::Account;
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

pub(super) fn page(story: &Story<'_>) -> String {
    let mut page = Page::new("Weights from labelled positions");
    let losses = story.losses();
    page.facts([
        ("command", story.command.to_string()),
        ("positions", story.rows.to_string()),
        ("scheme", story.model.scheme.word()),
        ("steps", format!("{} ({})", story.fitted.curve.len() - 1, story.fitted.ended)),
        ("loss", format!("{:.5}", losses.training)),
        ("loss on games not learned from", losses.told()),
        ("log-odds of a pawn", format!("{:.3}", story.unit)),
        ("scale of the scores", story.scale.map_or("none".into(), |s| format!("{s:.0}"))),
        ("seconds", format!("{:.1}", story.seconds)),
    ]);
    page.heading("Loss");
    let points = |of: fn(&super::fit::Losses) -> f64| {
        story.fitted.curve.iter().enumerate().map(move |(i, l)| (i as f64, of(l)))
    };
    let mut plot = Plot::new("Loss after each step")
        .x("step")
        .y("cross entropy")
        .line("learned from", points(|l| l.training));
    if losses.judged().is_some() {
        plot = plot.line("not learned from", points(|l| l.held_out));
    }
    page.plot(&plot);
    page.heading("Comparison");
    page.paragraph(&format!(
        "How well evaluations foretell the results of games that were {}learned from: the mean \
         cross entropy, each with the scale that suits it best.",
        if losses.judged().is_some() { "not " } else { "" }
    ));
    let mut table = Table::new(["evaluation", "loss", "scale", "positions"]);
    for c in story.compared {
        table.row([
            c.name.clone(),
            format!("{:.5}", c.loss),
            format!("{:.0}", c.scale),
            c.examples.to_string(),
        ]);
    }
    page.table(&table);
    page.heading("What men are worth");
    page.paragraph(
        "By how much the value falls, on average over positions of the data, when the man is taken \
         off the board. The unit is chosen such that a pawn is worth 100.",
    );
    let mut table = Table::new(["man", "worth"]);
    for (name, worth) in MEN.iter().zip(story.men) {
        table.row([(*name).to_string(), format!("{worth:.0}")]);
    }
    page.table(&table);
    page.heading("Weights");
    let scale = crate::model::page::Scale::of([story.model]);
    crate::model::page::add(&mut page, story.model, None, None, scale);
    page.html()
}

/// The account of a search for clusters.
pub(super) fn clusters(
    found: &Clusters,
    shares: &[u64],
    curve: &[f64],
    digest: &str,
    command: &str,
) -> Account {
    let total: u64 = shares.iter().sum::<u64>().max(1);
    let share = |c: usize| shares[c] as f64 / total as f64;
    let kings = |c: usize| {
        let squares: Vec<String> = found.likely_kings(c).iter().map(ToString::to_string).collect();
        squares.join(" ")
    };
    let likelihood = curve.last().copied().unwrap_or(0.0);
    let text = format!(
        "{} clusters after {} steps; log-likelihood {likelihood:.4} a position; the largest has \
         {:.1} %, the smallest {:.1} %",
        found.len(),
        curve.len(),
        100.0 * (0..found.len()).map(share).fold(0.0, f64::max),
        100.0 * (0..found.len()).map(share).fold(1.0, f64::min),
    );
    let mut page = Page::new("Types of positions, found by expectation maximisation");
    page.facts([("command", command), ("data", digest)]);
    page.heading("Likelihood");
    let points = curve.iter().enumerate().map(|(i, l)| (i as f64, *l));
    page.plot(
        &Plot::new("Log-likelihood a position").x("step").y("log-likelihood").line("", points),
    );
    page.heading("Clusters");
    let mut table = Table::new(["cluster", "share", "likely squares of kings"]);
    for c in 0..found.len() {
        table.row([(c + 1).to_string(), format!("{:.1} %", 100.0 * share(c)), kings(c)]);
    }
    page.table(&table);
    let list: Vec<Value> =
        (0..found.len()).map(|c| json!({"share": share(c), "kings": kings(c)})).collect();
    let figures = json!({
        "data": digest, "clusters": list, "steps": curve.len(), "log_likelihood": curve,
    });
    let Value::Object(figures) = figures else { unreachable!("an object was written") };
    Account { text, figures, page: page.html() }
}
