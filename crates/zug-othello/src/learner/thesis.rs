//! The players of the thesis: fitted, written, told about.

use super::data::{Data, held_out, labels};
use crate::patterns::NAMED;
use crate::thesis::{
    Colours, Curve, CurveOptions, Division, Feature, Method, Part, TableOptions, ThesisError,
    ThesisOptions, ThesisReport, discordance, fit,
};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use zug_core::error::shorten;
use zug_core::{Progress, StopFlag};
use zug_learn::Grouping;
use zug_learn::choices::{Choices, on_threads};
use zug_learn::face::{Account, DiscordanceRow, Discordances, FitOrder, Named, Order, TaskError};

fn wrapped(error: ThesisError) -> TaskError {
    match error {
        ThesisError::Stopped => TaskError::Stopped { resumable: false },
        error => TaskError::below(error),
    }
}

/// The names that features have.
pub(super) fn features() -> Vec<Named> {
    let plain = [
        ("mobility", "moves along each of the 38 rays, own minus the other side's, by look-up"),
        (
            "potential-mobility",
            "empty squares beside the other side's discs along the rays, by look-up",
        ),
        ("potential-mobility-twice", "the same, a square between two such discs counted twice"),
        ("exact-mobility", "legal moves, own minus the other side's"),
        ("exact-potential-1", "empty squares beside discs of the other side"),
        ("exact-potential-2", "discs of the other side beside empty squares"),
        ("exact-potential-3", "pairs of such a disc and an empty square beside it"),
    ];
    let patterns =
        NAMED.iter().map(|(name, squares)| Named::new(*name, format!("the pattern {squares}")));
    plain.iter().map(|(name, help)| Named::new(*name, *help)).chain(patterns).collect()
}

/// The features that an order names, patterns last.
fn chosen(order: &Order) -> Result<Vec<Feature>, TaskError> {
    let known = || features().into_iter().map(|f| f.name).collect::<Vec<_>>().join(", ");
    let mut all = match order.features.as_slice() {
        [] => Vec::new(),
        names => Feature::parse_list(&names.join(",")).map_err(|error| {
            TaskError::Unfit(format!("in the features: {error}; known are: {}", known()))
        })?,
    };
    for pattern in &order.patterns {
        let is_named = NAMED.iter().any(|(name, _)| name == pattern);
        let prefix = if is_named { "" } else { "pattern:" };
        let feature = Feature::parse(&format!("{prefix}{pattern}")).map_err(|mut error| {
            // The byte that the user counts.
            error.byte = error.byte.saturating_sub(prefix.len());
            TaskError::Unfit(format!("in the pattern '{}': {error}", shorten(pattern)))
        })?;
        if all.iter().any(|f: &Feature| f.name() == feature.name()) {
            return Err(TaskError::Unfit(format!("the pattern '{pattern}' is given twice")));
        }
        all.push(feature);
    }
    Ok(all)
}

fn tables(settings: &mut Choices) -> Result<TableOptions, TaskError> {
    let default = TableOptions::default();
    Ok(TableOptions {
        colours: settings
            .word("colours", &[("symmetric", Colours::Symmetric), ("mover", Colours::Mover)])?,
        decay: settings.value("decay", default.decay)?,
        strength: settings.value("strength", default.strength)?,
        prior: settings.value("prior", default.prior)?,
    })
}

/// Fits a player of the thesis and writes it.
pub(super) fn learn(
    method: Method,
    order: &FitOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let FitOrder { out, order, .. } = order;
    let mut settings = Choices::new(order)?;
    let mut features = chosen(order)?;
    if order.features.is_empty() {
        let own = features;
        features = Feature::logistello();
        features.extend(own);
    }
    let options = ThesisOptions {
        method,
        features,
        division: Division {
            held_out: held_out(order, &mut settings)?,
            least: labels(&mut settings)?,
        },
        table: tables(&mut settings)?,
        grouping: settings.word(
            "grouping",
            &[
                ("sliding", Grouping::Sliding),
                ("pairs", Grouping::Pairs),
                ("single", Grouping::Single),
            ],
        )?,
        least_examples: settings
            .value("least-examples", ThesisOptions::default().least_examples)?,
    };
    settings.finish()?;
    if order.run.is_some() {
        let message = format!("--run is of no use here: {method} is fitted in one go");
        return Err(TaskError::Unfit(message));
    }
    let data = Data::open(order)?;
    if !options.division.held_out.is_empty() {
        data.insist_on_folds(&options.division.held_out)?;
    }
    let (model, report) =
        on_threads(order.threads, || fit(&data.files, &options, progress, stop).map_err(wrapped))?;
    let mut header = model.header();
    header.made.command = Some(order.command.clone());
    header.made.seed = Some(order.seed);
    header.made.data = Some(data.digest.clone());
    header.notes.insert("examples".into(), data.len().to_string());
    model.write(out, &header).map_err(TaskError::below)?;
    Ok(Account {
        text: text(&report),
        figures: figures(&report, &data)?,
        page: super::pages::thesis(&report, &data, &order.command),
    })
}

/// The mean of a figure over disc counts, each counted with its examples.
fn mean(pairs: impl Iterator<Item = (Option<f64>, usize)>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for (value, examples) in pairs {
        if let Some(value) = value {
            sum += value * examples as f64;
            count += examples;
        }
    }
    (count > 0).then(|| sum / count as f64)
}

fn figures(report: &ThesisReport, data: &Data) -> Result<Map<String, Value>, TaskError> {
    let all = |c: &crate::thesis::report::Classes| c.wins + c.draws + c.losses;
    let training =
        report.discs.iter().map(|d| (d.combined.and_then(|c| c.training), all(&d.training)));
    let held_out =
        report.discs.iter().map(|d| (d.combined.and_then(|c| c.held_out), all(&d.held_out)));
    let figures = json!({
        "data": data.digest,
        "examples": data.len(),
        "training_examples": report.discs.iter().map(|d| all(&d.training)).sum::<usize>(),
        "held_out_examples": report.discs.iter().map(|d| all(&d.held_out)).sum::<usize>(),
        "discordance": {"training": mean(training), "held_out": mean(held_out)},
        "fit": serde_json::to_value(report).map_err(TaskError::below)?,
    });
    match figures {
        Value::Object(figures) => Ok(figures),
        _ => unreachable!("an object was written"),
    }
}

fn text(report: &ThesisReport) -> String {
    let mut text =
        format!("{} with the features {}\n", report.method.player(), report.features.join(", "));
    let _ = writeln!(text, " discs   examples  weights  discordance  on held-out games");
    for discs in &report.discs {
        let examples = discs.training.wins + discs.training.draws + discs.training.losses;
        let kept = discs.fit.as_ref().map_or("-".to_string(), |f| {
            f.weights.iter().filter(|w| **w != 0.0).count().to_string()
        });
        let shown = |v: Option<f64>| v.map_or("-".to_string(), |v| format!("{v:.4}"));
        let _ = write!(
            text,
            "{:>6} {examples:>10} {kept:>8} {:>12} {:>18}",
            discs.discs,
            shown(discs.combined.and_then(|c| c.training)),
            shown(discs.combined.and_then(|c| c.held_out)),
        );
        if let Some(other) = discs.borrowed_from {
            let _ = write!(text, "   as with {other} discs");
        }
        text.push('\n');
    }
    if let Some(problem) = report.discs.iter().find_map(|d| Some((d.discs, d.problem.as_ref()?))) {
        let _ = writeln!(text, "with {} discs: {}", problem.0, problem.1);
    }
    text
}

/// Measures features.
pub(super) fn measure(
    order: &Order,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Discordances, TaskError> {
    let mut settings = Choices::new(order)?;
    let features = chosen(order)?;
    let measured_on = settings
        .word("measured-on", &[("held-out", Part::HeldOut), ("training", Part::Training)])?;
    let options = CurveOptions {
        features,
        division: Division {
            held_out: held_out(order, &mut settings)?,
            least: labels(&mut settings)?,
        },
        table: tables(&mut settings)?,
        measured_on,
        ..CurveOptions::default()
    };
    settings.finish()?;
    let data = Data::open(order)?;
    if measured_on == Part::HeldOut {
        if options.division.held_out.is_empty() {
            let message =
                "held-out=none leaves nothing to measure on; add --set measured-on=training";
            return Err(TaskError::Unfit(message.into()));
        }
        data.insist_on_folds(&options.division.held_out)?;
    }
    let curves = on_threads(order.threads, || {
        discordance(&data.files, &options, progress, stop).map_err(wrapped)
    })?;
    let mut rows: Vec<DiscordanceRow> = Vec::new();
    let nothing = || vec![None; curves.len()];
    for (number, curve) in curves.iter().enumerate() {
        for point in &curve.points {
            let place = match rows.binary_search_by_key(&point.discs, |r| r.stage) {
                Ok(place) => place,
                Err(place) => {
                    let (stage, examples) = (point.discs, point.examples as u64);
                    let (values, errors) = (nothing(), nothing());
                    rows.insert(place, DiscordanceRow { stage, examples, values, errors });
                    place
                }
            };
            rows[place].values[number] = Some(point.value);
            rows[place].errors[number] = Some(point.error);
        }
    }
    Ok(Discordances {
        stage: "discs",
        features: curves.iter().map(|c| c.feature.clone()).collect(),
        page: super::pages::discordance(&curves, &data, &order.command),
        rows,
    })
}

/// The features that a joint model is set beside: the mobilities, the corner blocks and the edges.
const BESIDE: [&str; 6] =
    ["mobility", "potential-mobility", "edge", "corner2x4", "corner2x5", "edge2x"];

/// The discordances of some features on the folds that a joint fit holds out; on what it learns from
/// if it holds out none.
pub(super) fn beside(
    data: &Data,
    folds: &[u8],
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<Curve>, TaskError> {
    progress.message("measuring features beside the model");
    let options = CurveOptions {
        features: BESIDE.map(|name| Feature::parse(name).expect("the name of a feature")).to_vec(),
        division: Division { held_out: folds.to_vec(), ..Division::default() },
        measured_on: if folds.is_empty() { Part::Training } else { Part::HeldOut },
        ..CurveOptions::default()
    };
    match discordance(&data.files, &options, progress, stop) {
        // The model may have learned from early or late positions alone.
        Err(ThesisError::TooFew(_)) => Ok(Vec::new()),
        curves => curves.map_err(wrapped),
    }
}
