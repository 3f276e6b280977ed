//! `zug learn go patterns --method bt`: from the words of a command to a job, and from what was
//! learned to what is told.

use super::fields::{FIELDS, KEYS, key_name};
use super::learn::{Job, LearnError, Learned, learn};
use super::trainer::Settings;
use crate::corpus::CorpusError;
use crate::guess::tally::Figure;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use zug_core::{Progress, StopFlag};
use zug_learn::choices::Choices;
use zug_learn::face::{Account, Named, Order, TaskError};
use zug_learn::plot::Plot;
use zug_learn::records::RecordOrder;
use zug_learn::report::{Page, Table};

/// The options, with their defaults.
#[must_use]
pub fn options() -> Vec<Named> {
    [
        ("passes", "passes over the games, each over a part of the positions; 52"),
        ("thin", "a pass takes every so manieth position; 32, so 52 passes see each 1.6 times"),
        ("least", "how often a pattern must have been played to get a weight; 20"),
        ("rows", "features with factors, the most frequent ones; 40000, and 0 is a plain Bradley-Terry model"),
        ("rate", "steps of the weights; 0.15"),
        ("factor-rate", "steps of the factors; 0.12"),
        ("layer-rate", "steps of the layers behind the factors; 0.003"),
        ("batch", "games of each of the 16 lanes between two steps; 8"),
        ("hide", "how often wide patterns are hidden from a position, so that narrow ones learn too; 0.2"),
        ("games", "learn from at most so many games, taken evenly from all; all"),
        ("tests", "test on at most so many games of later years than --until, taken evenly; 1000"),
    ]
    .map(|(name, help)| Named::new(name, help))
    .to_vec()
}

fn job(order: &RecordOrder, size: usize) -> Result<Job, TaskError> {
    let words = Order { options: order.options.clone(), ..Order::default() };
    let mut choices = Choices::new(&words)?;
    let settings = Settings {
        passes: choices.number("passes", 52, 1..=100_000)?,
        thin: choices.number("thin", 32, 1..=1000)?,
        rows: choices.number("rows", 40_000, 0..=10_000_000)?,
        rates: [
            choices.number("rate", 0.15, 0.0..=10.0)?,
            choices.number("factor-rate", 0.12, 0.0..=10.0)?,
            choices.number("layer-rate", 0.003, 0.0..=1.0)?,
        ],
        batch: choices.number("batch", 8, 1..=10_000)?,
        hide: choices.number("hide", 0.2, 0.0..=1.0)?,
    };
    let least = choices.number("least", 20u8, 1..=250)?;
    let games = match choices.take("games") {
        Some(text) if text != "all" => {
            text.parse().ok().filter(|&n: &usize| n > 0).ok_or_else(|| {
                TaskError::Unfit(format!(
                    "expected 'all' or a number of games for games, found '{text}'"
                ))
            })?
        }
        _ => usize::MAX,
    };
    let tests = choices.number("tests", 1000, 0..=10_000_000)?;
    choices.finish()?;
    Ok(Job {
        data: order.data.clone(),
        size,
        from: order.from,
        until: order.until,
        games,
        tests,
        least,
        settings: Settings {
            // Either all plain features have factors or none.
            rows: if settings.rows == 0 { 0 } else { settings.rows.max(super::fields::PLAIN) },
            ..settings
        },
        seed: order.seed,
        out: order.out.clone(),
        resume: order.resume,
        command: order.command.clone(),
    })
}

/// Learns a model for boards of this size.
pub fn run(
    order: &RecordOrder,
    size: usize,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let job = job(order, size)?;
    if order.out.is_dir() {
        return Err(TaskError::Unfit(format!(
            "{}: this is a folder; --out takes the file of a model",
            order.out.display()
        )));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(order.threads)
        .build()
        .map_err(TaskError::below)?;
    match pool.install(|| learn(&job, progress, stop)) {
        Ok(learned) => Ok(account(&job, &learned)),
        Err(LearnError::Stopped | LearnError::Corpus(CorpusError::Stopped)) => {
            Err(TaskError::Stopped { resumable: true })
        }
        Err(LearnError::Unfit(why)) => Err(TaskError::Unfit(why)),
        Err(error) => Err(TaskError::below(error)),
    }
}

fn percent(figure: Figure) -> String {
    in_words(figure, 100.0, 1)
}

/// A figure with half of its interval: `42.3 ± 0.8`.
fn in_words(figure: Figure, times: f64, digits: usize) -> String {
    let error = figure.error.map_or(String::new(), |e| format!(" ± {:.digits$}", times * e));
    format!("{:.digits$}{error}", times * figure.value)
}

fn account(job: &Job, learned: &Learned) -> Account {
    let mut text = String::new();
    let Learned { games, plies, skipped, harvest, passes, test, notes } = learned;
    let _ = writeln!(text, "{games} games, {plies} moves; {} patterns", harvest.keys.len());
    if skipped.count() > 0 {
        let _ = writeln!(text, "passed over: {skipped}");
    }
    for (name, why) in skipped.faults.iter().take(5) {
        let _ = writeln!(text, "  {name}: {}", why.told());
    }
    for note in notes {
        let _ = writeln!(text, "{note}");
    }
    let curve: Vec<(f64, f64)> = passes
        .iter()
        .enumerate()
        .map(|(i, t)| ((i + 1) as f64, 100.0 * t.hits / t.positions.max(1) as f64))
        .collect();
    if let Some(&(_, hits)) = curve.last() {
        let _ = writeln!(text, "while learning: {hits:.1} % of the moves were the first guess");
    }
    let mut figures = Map::new();
    let mut page = Page::new(format!("Go patterns, {0}×{0}", job.size));
    page.facts([
        ("command", job.command.clone()),
        ("games", games.to_string()),
        ("moves", plies.to_string()),
        ("patterns", harvest.keys.len().to_string()),
        (
            "passed over",
            if skipped.count() > 0 { skipped.to_string() } else { "nothing".to_string() },
        ),
    ]);
    for (key, value) in [
        ("games", json!(games)),
        ("moves", json!(plies)),
        ("passed_over", json!(skipped.reasons)),
        (
            "faults",
            skipped
                .faults
                .iter()
                .map(|(name, why)| json!({"name": name, "why": why.told()}))
                .collect(),
        ),
        ("patterns", json!(harvest.keys.len())),
        (
            "passes",
            json!(
                passes
                    .iter()
                    .map(|t| json!({
                        "positions": t.positions,
                        "first_guess": t.hits / t.positions.max(1) as f64,
                        "log_likelihood": -t.nats / t.positions.max(1) as f64,
                    }))
                    .collect::<Vec<Value>>()
            ),
        ),
    ] {
        figures.insert(key.to_string(), value);
    }
    page.heading("Learning");
    page.plot(
        &Plot::new("Moves that were the first guess, on the games it learns from")
            .x("pass")
            .y("%")
            .line("first guess", curve),
    );
    if let Some(t) = test {
        let [first, five] = [t.accuracy(1), t.accuracy(5)].map(percent);
        let nats = in_words(t.log_likelihood(), 1.0, 3);
        let _ = writeln!(
            text,
            "on {} later games, {} positions: {first} % the first guess, {five} % among five, \
             log-likelihood {nats} (± 95 %, games being the units)",
            t.games, t.positions
        );
        page.heading("Test on later games");
        let mut table =
            Table::new(["games", "positions", "first guess", "among five", "log-likelihood"]);
        table.row([
            t.games.to_string(),
            t.positions.to_string(),
            format!("{first} %"),
            format!("{five} %"),
            nats,
        ]);
        page.table(&table);
        figures.insert("test".to_string(), t.json());
    }
    page.heading("What is looked at");
    let mut table = Table::new(["field", "features"]);
    for (name, answers) in FIELDS {
        table.row([name.to_string(), answers.to_string()]);
    }
    for field in 0..KEYS {
        table.row([key_name(field), harvest.by_field[field].to_string()]);
    }
    page.table(&table);
    Account { text, figures, page: page.html() }
}
