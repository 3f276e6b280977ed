//! How do the results look? Pages with tables and plots.

use super::data::Data;
use crate::joint::errors::Errors;
use crate::joint::{JointReport, Search};
use crate::patterns::PatternModel;
use crate::thesis::report::{Classes, Covariances, DiscReport, FitReport};
use crate::thesis::{Curve, ThesisReport};
use zug_core::checks::thousands;
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

const DISCS: &str = "discs on the board";

/// A number of a table; nothing where there is none.
fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or(String::new(), |v| format!("{v:.digits$}"))
}

fn count(classes: &Classes) -> usize {
    classes.wins + classes.draws + classes.losses
}

fn plot(title: &str, y: &str) -> Plot {
    Plot::new(title).x(DISCS).y(y)
}

/// The page of a player of the thesis.
pub(super) fn thesis(report: &ThesisReport, data: &Data, command: &str) -> String {
    let mut page = Page::new(format!("Othello: {} learned from examples", report.method.player()));
    let sum = |part: fn(&DiscReport) -> &Classes| {
        thousands(report.discs.iter().map(|d| count(part(d)) as u64).sum::<u64>())
    };
    let folds: Vec<String> = report.held_out.iter().map(u8::to_string).collect();
    page.facts([
        ("Method", format!("{} ({})", report.method.player(), report.method)),
        ("Features", report.features.join(", ")),
        ("Learned from", format!("{} examples", sum(|d| &d.training))),
        ("Held out", format!("{} examples of fold {}", sum(|d| &d.held_out), folds.join(", "))),
        ("Digest of the data", data.digest.clone()),
    ]);
    page.preformatted(command);

    page.heading("Weights");
    page.plot_with_caption(
        &by_feature(report, "Standardised weights", "weight", |fit, f| fit.standardised[f]),
        "The weights that the features would have if each had variance 1: the larger, the more a \
         feature decides (Figures 3.5 and 3.6 of the thesis).",
    );
    page.plot(&by_feature(report, "Weights", "weight", |fit, f| fit.weights[f]));
    let used = |d: &DiscReport| {
        let fit = d.fit.as_ref()?;
        Some((f64::from(d.discs), fit.weights.iter().filter(|w| **w != 0.0).count() as f64))
    };
    let used = plot("Features with a weight", "features")
        .line(report.method.player(), report.discs.iter().filter_map(used));
    page.plot(&used);

    page.heading("Discordance");
    let held_out = report.discs.iter().any(|d| count(&d.held_out) > 0);
    page.paragraph(&format!(
        "Of all pairs of positions that are put in an order, the share whose true order is the other \
         way round: 0 is perfect, 0.25 is blind. Measured on {}.",
        if held_out { "games that were held out" } else { "the games that were learned from" }
    ));
    let mut curves = plot("Discordance of the features and of all together", "discordance");
    for (f, name) in report.features.iter().enumerate() {
        let value = |d: &DiscReport| {
            let both = d.features.get(f)?;
            Some((f64::from(d.discs), if held_out { both.held_out? } else { both.training? }))
        };
        curves = curves.line(name.clone(), report.discs.iter().filter_map(value));
    }
    let together = |d: &DiscReport| {
        let both = d.combined?;
        Some((f64::from(d.discs), if held_out { both.held_out? } else { both.training? }))
    };
    page.plot(&curves.line(report.method.player(), report.discs.iter().filter_map(together)));
    if held_out {
        let training = |d: &DiscReport| Some((f64::from(d.discs), d.combined?.training?));
        let both = plot("Learned from and held out", "discordance")
            .line("learned from", report.discs.iter().filter_map(training))
            .line("held out", report.discs.iter().filter_map(together));
        page.plot(&both);
    }

    page.heading("The classes");
    page.paragraph(
        "How far the covariances of wins and losses differ, in units of the deviations within the \
         classes. Where they hardly do, a quadratic form gains nothing.",
    );
    let covariance = |of: fn(&Covariances) -> f64| {
        let point = move |d: &DiscReport| {
            Some((f64::from(d.discs), of(d.fit.as_ref()?.covariances.as_ref()?)))
        };
        report.discs.iter().filter_map(point).collect::<Vec<_>>()
    };
    let covariances = plot("Covariances of the classes", "difference")
        .line("largest", covariance(|c| c.largest.abs()))
        .line("root mean square", covariance(|c| c.root_mean_square));
    page.plot(&covariances);
    let share = |d: &DiscReport| {
        let all = count(&d.training);
        let won = d.training.wins as f64 + d.training.draws as f64 / 2.0;
        (all > 0).then(|| (f64::from(d.discs), won / all as f64))
    };
    let share = plot("Won for the side to move", "share")
        .line("examples learned from", report.discs.iter().filter_map(share));
    page.plot(&share);

    page.heading("All disc counts");
    page.table(&thesis_table(report));
    page.html()
}

fn by_feature(
    report: &ThesisReport,
    title: &str,
    y: &str,
    value: fn(&FitReport, usize) -> f64,
) -> Plot {
    let mut drawn = plot(title, y);
    for (f, name) in report.features.iter().enumerate() {
        let point = |d: &DiscReport| Some((f64::from(d.discs), value(d.fit.as_ref()?, f)));
        drawn = drawn.line(name.clone(), report.discs.iter().filter_map(point));
    }
    drawn
}

fn thesis_table(report: &ThesisReport) -> Table {
    let head = [
        "discs",
        "won",
        "drawn",
        "lost",
        "held out",
        "features",
        "discordance",
        "held out",
        "notes",
    ];
    let mut table = Table::new(head);
    for d in &report.discs {
        let fit = d.fit.as_ref();
        let used = fit.map(|f| f.weights.iter().filter(|w| **w != 0.0).count().to_string());
        let mut notes: Vec<String> = Vec::new();
        for (name, why) in fit.map(|f| f.left_out.as_slice()).unwrap_or_default() {
            let why = match why {
                crate::thesis::report::Left::Constant => "is constant",
                crate::thesis::report::Left::Dependent => "follows from others",
                crate::thesis::report::Left::WrongSign => "has the wrong sign",
            };
            notes.push(format!("{name} {why}"));
        }
        notes.extend(d.problem.clone());
        notes.extend(d.borrowed_from.map(|other| format!("uses the weights of {other} discs")));
        table.row([
            d.discs.to_string(),
            d.training.wins.to_string(),
            d.training.draws.to_string(),
            d.training.losses.to_string(),
            count(&d.held_out).to_string(),
            used.unwrap_or_default(),
            number(d.combined.and_then(|c| c.training), 4),
            number(d.combined.and_then(|c| c.held_out), 4),
            notes.join("; "),
        ]);
    }
    table
}

fn curve_plot(title: &str, curves: &[Curve]) -> Plot {
    let mut drawn = plot(title, "discordance");
    for curve in curves {
        let points = curve.points.iter().map(|p| (f64::from(p.discs), p.value));
        drawn = drawn.line(curve.feature.clone(), points);
    }
    drawn
}

/// The page of discordances.
pub(super) fn discordance(curves: &[Curve], data: &Data, command: &str) -> String {
    let mut page = Page::new("Othello: discordance of features");
    page.facts([("Examples", thousands(data.len())), ("Digest of the data", data.digest.clone())]);
    page.preformatted(command);
    page.paragraph(
        "Of all pairs of positions that a feature puts in an order, the share whose true order is \
         the other way round: 0 is perfect, 0.25 is blind.",
    );
    page.plot(&curve_plot("Discordance by disc count", curves));
    let head = ["feature", "discs", "examples", "discordance", "standard error"];
    page.folded("All numbers", |page| {
        let mut table = Table::new(head);
        for curve in curves {
            for point in &curve.points {
                table.row([
                    curve.feature.clone(),
                    point.discs.to_string(),
                    point.examples.to_string(),
                    format!("{:.5}", point.value),
                    format!("{:.5}", point.error),
                ]);
            }
        }
        page.table(&table);
    });
    page.html()
}

/// The page of a joint fit.
pub(super) fn joint(
    model: &PatternModel,
    report: &JointReport,
    features: &[Curve],
    data: &Data,
    command: &str,
) -> String {
    let mut page = Page::new("Othello: all tables fitted together");
    let judged_on = if report.validation > 0 { "held-out games" } else { "the games learned from" };
    let cells = model.set().cells();
    page.facts([
        ("Patterns", model.set().list().join(", ")),
        ("Knots", model.phases().to_string()),
        ("Weights", format!("{} cells × {} knots", thousands(cells as u64), model.phases().len())),
        ("Learned from", format!("{} examples", thousands(report.training))),
        ("Held out", format!("{} examples", thousands(report.validation))),
        ("Error", format!("{:.3} discs on average on {judged_on}", report.all.mean_absolute)),
        ("Digest of the data", data.digest.clone()),
    ]);
    page.preformatted(command);

    page.heading("The fit");
    let step = |i: &zug_learn::joint::Iteration| i.step as f64;
    let training = report.iterations.iter().map(|i| (step(i), i.training));
    let validation = report.iterations.iter().filter_map(|i| Some((step(i), i.validation?)));
    let curve = Plot::new("Error by iteration")
        .x("iteration")
        .y("error")
        .line("learned from", training)
        .line("held out", validation);
    let best = format!("The weights of iteration {} were taken.", report.best);
    page.plot_with_caption(&curve, &best);

    page.heading("Error by disc count");
    let by = |of: fn(&Errors) -> f64| {
        let point = move |e: &Errors| Some((f64::from(e.discs?), of(e)));
        report.by_discs.iter().filter_map(point).collect::<Vec<_>>()
    };
    let errors = plot(&format!("Errors on {judged_on}"), "discs")
        .line("mean absolute error", by(|e| e.mean_absolute))
        .line("root mean square error", by(|e| e.root_mean_square))
        .line("root mean square label", by(|e| e.labels))
        .line("bias", by(|e| e.bias));
    page.plot(&errors);
    let mut table =
        Table::new(["discs", "examples", "mean absolute", "root mean square", "bias", "label"]);
    for e in report.by_discs.iter().chain([&report.all]) {
        table.row([
            e.discs.map_or("all".to_string(), |d| d.to_string()),
            thousands(e.count),
            format!("{:.3}", e.mean_absolute),
            format!("{:.3}", e.root_mean_square),
            format!("{:+.3}", e.bias),
            format!("{:.3}", e.labels),
        ]);
    }
    page.folded("All numbers", |page| page.table(&table));

    page.heading("Calibration");
    page.paragraph(&format!("Are positions worth what the model says? Measured on {judged_on}."));
    let bins = report.calibration.iter();
    let calibration = Plot::new("Label by value")
        .x("value of the model, discs")
        .y("mean label, discs")
        .line("label", bins.map(|b| (b.value, b.label)))
        .guide("perfect", [(-64.0, -64.0), (64.0, 64.0)]);
    page.plot(&calibration);
    let mut chances = Plot::new("Wins by the chance that the value means, phase by phase")
        .x("chance")
        .y("share won, draws as halves");
    for curve in &report.win {
        let points = curve.bins.iter().filter_map(|&(_, chance, won)| Some((chance?, won?)));
        chances = chances.line(format!("{}–{} discs", curve.first_discs, curve.last_discs), points);
    }
    page.plot(&chances.guide("perfect", [(0.0, 0.0), (1.0, 1.0)]));
    let mut table = Table::new([
        "discs",
        "examples",
        "log-odds a disc",
        "log-odds at 0",
        "log loss",
        "Brier",
        "off by",
    ]);
    for curve in &report.win {
        table.row([
            format!("{}–{}", curve.first_discs, curve.last_discs),
            thousands(curve.count),
            format!("{:.4}", curve.slope),
            format!("{:+.4}", curve.offset),
            number(curve.log_loss, 4),
            number(curve.brier, 4),
            number(curve.calibration_error, 4),
        ]);
    }
    page.table(&table);

    page.heading("Discordance");
    page.paragraph(&format!(
        "Of all pairs of positions that are put in an order, the share whose true order is the \
         other way round, for the model and for features alone, on {judged_on}."
    ));
    let mut curves = curve_plot("Discordance by disc count", features);
    for (number, name) in report.compared.iter().enumerate() {
        let point = |row: &crate::joint::compare::DiscordanceRow| {
            Some((f64::from(row.discs), *row.values.get(number)?))
        };
        curves = curves.line(name.clone(), report.discordance.iter().filter_map(point));
    }
    page.plot(&curves);

    page.heading("The tables");
    let mut table = Table::new(["pattern", "cells", "seen", "share of the spread"]);
    for t in &report.tables {
        table.row([
            t.name.clone(),
            thousands(t.cells),
            thousands(t.seen),
            format!("{:.1} %", 100.0 * t.share),
        ]);
    }
    page.table(&table);
    let names = report.tables.iter().map(|t| t.name.clone());
    let shares = report.tables.iter().enumerate().map(|(i, t)| (i as f64, 100.0 * t.share));
    let shares = Plot::new("Share of the spread of values")
        .y("percent")
        .categories(names)
        .bars("share", shares);
    page.plot(&shares);
    page.html()
}

/// The page of a search for patterns.
pub(super) fn search(found: &Search, data: &Data, command: &str) -> String {
    let mut page = Page::new("Othello: a search for patterns");
    page.facts([
        ("Best patterns", found.patterns.join(" ")),
        ("Error on held-out games", format!("{:.4}", found.error)),
        ("Sets tried", thousands(found.trials.len())),
        ("Digest of the data", data.digest.clone()),
    ]);
    page.preformatted(command);
    let point = |(number, error): (usize, f64)| (number as f64, error);
    let tried = found.trials.iter().map(|t| t.error).enumerate().map(point);
    let taken = found.trials.iter().enumerate().filter(|(_, t)| t.taken);
    let progress = Plot::new("Error of every set tried")
        .x("trial")
        .y("error on held-out games")
        .points("tried", tried)
        .line("taken", taken.map(|(number, t)| (number as f64, t.error)));
    page.plot(&progress);
    page.heading("All trials");
    let mut table = Table::new(["round", "left out", "added", "lanes", "error", "change", "taken"]);
    for t in &found.trials {
        table.row([
            t.round.to_string(),
            t.without.clone().unwrap_or_default(),
            t.with.clone().unwrap_or_default(),
            t.lanes.to_string(),
            format!("{:.4}", t.error),
            format!("{:+.4}", t.change),
            if t.taken { "yes" } else { "" }.to_string(),
        ]);
    }
    page.table(&table);
    page.html()
}
