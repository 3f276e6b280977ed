//! What did a run look like? Learning curves with error bars, the figures of the thesis beside ours,
//! types and their rates, the weights from game to game, and the games.

use super::experiment::GameRow;
use super::run::{ExperimentResult, Results, VariantResult};
use super::trials::mean_and_error;
use super::{look, replay, tables, viewer};
use crate::model::Model;
use crate::model::page::Scale;
use crate::types::Scheme;
use std::collections::BTreeMap;
use zug_learn::face::TaskError;
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// How many games are listed of each experiment.
const GAMES: usize = 1000;

/// The page of a run.
pub fn of_run(results: &Results<'_>, command: &str) -> Result<Page, TaskError> {
    let name = &results.plan.name;
    let mut page = Page::new(format!("Chess learned by temporal differences: {name}"));
    page.preformatted(command);
    if !results.plan.printed.is_empty() {
        page.heading("What the thesis says");
        page.facts(results.plan.printed.iter().copied());
    }
    if results.plan.single_step {
        steps(&mut page, results);
    } else {
        strength(&mut page, results);
        duels(&mut page, results);
        games(&mut page, results);
        for variant in &results.variants {
            types(&mut page, variant);
        }
        replays(&mut page, results);
        weights(&mut page, results)?;
        for variant in &results.variants {
            list(&mut page, variant);
        }
    }
    page.heading("All options");
    for variant in &results.variants {
        page.folded(&variant.settings.name, |page| page.facts(variant.settings.facts()));
    }
    Ok(page)
}

fn strength(page: &mut Page, results: &Results<'_>) {
    page.heading("Strength");
    let drawn: Vec<&VariantResult<'_>> =
        results.variants.iter().filter(|v| !v.curve.is_empty()).collect();
    for variant in results.variants.iter().filter(|v| v.broken_tests() > 0) {
        let why = variant.experiments.iter().find_map(|e| e.tested.why.clone());
        page.paragraph(&format!(
            "{}: test games that were broken, and left out with the other games of their pairs: {} \
             (the first: {}).",
            variant.settings.name,
            variant.broken_tests(),
            why.unwrap_or_else(|| "for an unknown reason".to_string())
        ));
    }
    if drawn.is_empty() {
        page.paragraph("No test games have been played to their ends.");
        return;
    }
    page.paragraph(
        "The weights are frozen at each point and play fixed opponents, the same openings from both \
         sides. Elo is counted from the learner as it began, on one scale with all its opponents \
         (maximum likelihood); the bars are 95 % intervals of the test games. Where several \
         experiments learned the same from other random beginnings, their tests are put together, \
         and the spread between them is told below.",
    );
    let mut plot = Plot::new("Learning curve").x("games").y("Elo above the beginning");
    for variant in &drawn {
        let points = variant.curve.iter().map(|p| (p.games as f64, p.elo));
        plot = plot
            .line(variant.settings.name.clone(), points)
            .errors(variant.curve.iter().map(|p| p.error_95));
    }
    page.plot(&plot);
    let mut table = Table::new([
        "variant",
        "games",
        "Elo",
        "score against the testers",
        "test games",
        "broken",
    ]);
    for variant in &drawn {
        for point in &variant.curve {
            let share =
                |s: &Option<f64>| s.map_or("–".to_string(), |s| format!("{:.1} %", 100.0 * s));
            table.row([
                variant.settings.name.clone(),
                point.games.to_string(),
                format!("{:+.1} ± {:.1}{}", point.elo, point.error_95, bound(point.bounded)),
                point.scores.iter().map(share).collect::<Vec<_>>().join(", "),
                point.test_games.to_string(),
                point.broken.to_string(),
            ]);
        }
    }
    page.table(&table);
    for variant in &drawn {
        let testers = variant.settings.testers.join(", ");
        page.paragraph(&format!("{}: testers {testers}.", variant.settings.name));
    }
    if drawn.iter().any(|v| v.gains.len() > 1) {
        let mut table = Table::new(["variant", "experiments", "mean gain (Elo)", "gains"])
            .caption("Spread between experiments");
        for variant in &drawn {
            let Some((mean, error)) = mean_and_error(&variant.gains) else { continue };
            let error = error.map_or(String::new(), |e| format!(" ± {e:.1}"));
            let gains: Vec<String> = variant.gains.iter().map(|g| format!("{g:+.0}")).collect();
            table.row([
                variant.settings.name.clone(),
                variant.gains.len().to_string(),
                format!("{mean:+.1}{error}"),
                gains.join(", "),
            ]);
        }
        page.table(&table);
    }
}

fn bound(bounded: bool) -> &'static str {
    if bounded { " (a bound)" } else { "" }
}

fn duels(page: &mut Page, results: &Results<'_>) {
    if results.duels.is_empty() {
        return;
    }
    page.heading("Against each other");
    let mut table =
        Table::new(["", "against", "games", "broken", "score", "95 %", "Elo", "by experiment"]);
    for duel in &results.duels {
        let s = duel.outcome.tally.summary();
        let share = |x: f64| format!("{:.1} %", 100.0 * x);
        let elo = match (s.elo, s.elo_error_95) {
            (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1}"),
            _ => "–".to_string(),
        };
        table.row([
            duel.of.clone(),
            duel.against.clone(),
            s.games.to_string(),
            duel.outcome.broken.to_string(),
            s.score.map_or("–".into(), share),
            s.score_interval_95
                .map_or("–".into(), |[a, b]| format!("{} to {}", share(a), share(b))),
            elo,
            duel.scores.iter().map(|&x| share(x)).collect::<Vec<_>>().join(", "),
        ]);
    }
    page.table(&table);
}

fn games(page: &mut Page, results: &Results<'_>) {
    page.heading("Games");
    let mut table = Table::new([
        "variant",
        "games",
        "won",
        "drawn",
        "lost",
        "broken",
        "learned from",
        "not learned from",
        "positions",
        "proven",
        "resolved",
    ]);
    for variant in &results.variants {
        let t = variant.tallied();
        let why: Vec<String> = t.rejected.iter().map(|(k, n)| format!("{k} {n}")).collect();
        let [won, drawn, lost] = t.results;
        table.row([
            variant.settings.name.clone(),
            t.games.to_string(),
            won.to_string(),
            drawn.to_string(),
            lost.to_string(),
            t.broken.to_string(),
            t.learned.to_string(),
            why.join(", "),
            t.positions.to_string(),
            t.proven.to_string(),
            t.resolved.to_string(),
        ]);
    }
    page.table(&table);
    page.paragraph(
        "Proven are positions whose value came from mate or a draw, so that no weight had a part in \
         it; resolved are those whose variation had to be played out further to explain its score.",
    );
    let mut by: BTreeMap<(&str, &str), [u64; 4]> = BTreeMap::new();
    for variant in &results.variants {
        for row in variant.experiments.iter().flat_map(|e| &e.rows) {
            let key = (variant.settings.name.as_str(), row.opponent.as_str());
            let place = if row.broken() { 3 } else { 2 - row.half_points.min(2) };
            by.entry(key).or_default()[place] += 1;
        }
    }
    let mut table = Table::new(["variant", "opponent", "won", "drawn", "lost", "broken"]);
    for ((variant, opponent), counts) in by {
        let [won, drawn, lost, broken] = counts.map(|n| n.to_string());
        table.row([variant.to_string(), opponent.to_string(), won, drawn, lost, broken]);
    }
    page.table(&table);
    let mut plot = Plot::new("How much the weights move")
        .x("games")
        .y("sum of changes (hundredths of a pawn)");
    for variant in &results.variants {
        let Some(first) = variant.experiments.first().filter(|e| !e.rows.is_empty()) else {
            continue;
        };
        plot = plot.line(first.name.clone(), smooth(&first.rows, |r| r.total));
    }
    page.plot(&plot);
}

/// Means over fortieths of the games.
fn smooth(rows: &[GameRow], of: impl Fn(&GameRow) -> f64) -> Vec<(f64, f64)> {
    let each = rows.len().div_ceil(40).max(1);
    let mean = |part: &[GameRow]| part.iter().map(&of).sum::<f64>() / part.len() as f64;
    rows.chunks(each).map(|part| (part[part.len() / 2].game as f64, mean(part))).collect()
}

fn types(page: &mut Page, variant: &VariantResult<'_>) {
    let Some(first) = variant.experiments.iter().find(|e| !e.seen.is_empty()) else { return };
    if first.seen.len() < 2 {
        return;
    }
    page.heading(&format!("Types of {}", variant.settings.name));
    let scheme = scheme_of(first);
    let title = |column: usize| title(scheme.as_ref(), column);
    let learned = first.rows.iter().filter(|r| r.learned()).count() as u64;
    let games = |column: usize| first.games_with(column);
    tables::types(page, &first.name, &first.seen, &title, &games, learned);
}

fn scheme_of(experiment: &ExperimentResult) -> Option<Scheme> {
    Model::open(&experiment.folder.join("weights/000000.zug")).map(|m| m.scheme).ok()
}

fn title(scheme: Option<&Scheme>, column: usize) -> String {
    match scheme {
        Some(scheme) if column < scheme.columns() => scheme.column_name(column),
        _ => (column + 1).to_string(),
    }
}

/// An experiment and its models, each with the games before it.
type Kept<'a> = (&'a ExperimentResult, Vec<(u64, Model)>);

/// All models that were kept of the first experiment of each variant that kept any.
fn kept<'a>(results: &'a Results<'_>) -> Result<Vec<Kept<'a>>, TaskError> {
    let mut all = Vec::new();
    for variant in &results.variants {
        let Some(first) = variant.experiments.iter().find(|e| e.kept.len() > 1) else { continue };
        let mut models = Vec::new();
        for game in look::kept(&first.folder)? {
            let path = first.folder.join(format!("weights/{game:06}.zug"));
            models.push((game, Model::open(&path).map_err(TaskError::below)?));
        }
        all.push((first, models));
    }
    Ok(all)
}

fn weights(page: &mut Page, results: &Results<'_>) -> Result<(), TaskError> {
    let all = kept(results)?;
    let last = all.iter().filter_map(|(_, models)| models.last());
    let scale = Scale::of(last.map(|(_, model)| model));
    for (experiment, models) in &all {
        page.heading(&format!("Weights of {}", experiment.name));
        tables::weights(page, models, &experiment.seen, scale);
    }
    page.script(replay::SCRIPT);
    Ok(())
}

/// Games move by move, from all experiments, as many of each as there is room for.
fn replays(page: &mut Page, results: &Results<'_>) {
    let experiments: Vec<(&VariantResult<'_>, &ExperimentResult)> = (results.variants.iter())
        .flat_map(|v| v.experiments.iter().map(move |e| (v, e)))
        .filter(|(_, e)| e.rows.iter().any(GameRow::learned))
        .take(viewer::MOST)
        .collect();
    if experiments.is_empty() {
        return;
    }
    page.heading("Games move by move");
    let (mut games, mut learned) = (Vec::new(), 0);
    let each = viewer::MOST / experiments.len();
    for (variant, experiment) in &experiments {
        let scheme = scheme_of(experiment);
        let column = |column: usize| title(scheme.as_ref(), column);
        let rule = &variant.settings.teaching.rule;
        let (found, failed) = viewer::of_experiment(experiment, rule, &column, each);
        games.extend(found);
        learned += experiment.rows.iter().filter(|r| r.learned()).count();
        if let Some(why) = failed {
            page.paragraph(&format!("Not all games can be replayed: {why}."));
        }
    }
    page.paragraph(&format!(
        "{} of {learned} games that were learned from: of each experiment the newest, and those that \
         moved the weights most.",
        games.len()
    ));
    for (_, experiment) in &experiments {
        page.link("All moves, with the scores (PGN):", &format!("{}/games.pgn", experiment.name));
    }
    let rule = &experiments[0].0.settings.teaching.rule;
    viewer::add(page, &games, &viewer::values(rule));
}

fn points(row: &GameRow) -> &'static str {
    if row.broken() { "–" } else { ["0", "½", "1"][row.half_points.min(2)] }
}

fn list(page: &mut Page, variant: &VariantResult<'_>) {
    for experiment in variant.experiments.iter().filter(|e| !e.rows.is_empty()) {
        let rows = &experiment.rows;
        let shown = rows.len().min(GAMES);
        let title = format!("Games of {}: the last {shown} of {}", experiment.name, rows.len());
        page.folded(&title, |page| {
            let file = format!("{}/games.pgn", experiment.name);
            page.link("The moves of all games, with the learner's scores (PGN):", &file);
            let mut table = Table::new([
                "game",
                "opponent",
                "colour",
                "points",
                "plies",
                "end",
                "learned",
                "weights moved",
                "largest (hundredths)",
                "foretold",
            ]);
            for row in rows.iter().rev().take(GAMES) {
                table.row([
                    row.game.to_string(),
                    row.opponent.clone(),
                    row.own.clone(),
                    points(row).to_string(),
                    row.plies.to_string(),
                    row.reason.clone(),
                    row.rejected.clone().map_or("yes".to_string(), |why| format!("no: {why}")),
                    row.visible.to_string(),
                    format!("{:.1}", row.largest),
                    format!("{} of {}", row.predicted, row.positions),
                ]);
            }
            page.table(&table);
        });
    }
}

fn steps(page: &mut Page, results: &Results<'_>) {
    page.heading("One lost game");
    for line in super::step::told(&results.steps).lines() {
        page.paragraph(line);
    }
    let mut table = Table::new([
        "game",
        "colour",
        "points",
        "plies",
        "weights changed",
        "types",
        "deviates at move",
        "points of the repetition",
        "its plies",
    ])
    .caption("Weights that change as whole numbers with a pawn of 200, as the thesis counts them");
    for row in &results.steps {
        let points = |h: usize| ["0", "½", "1"][h.min(2)].to_string();
        let mut cells = vec![
            row.game.to_string(),
            row.own.clone(),
            points(row.first),
            row.first_plies.to_string(),
        ];
        if let Some(step) = &row.step {
            cells.extend([
                step.visible.to_string(),
                step.types.to_string(),
                step.deviates.map_or("never".to_string(), |ply| ply.div_ceil(2).to_string()),
                points(step.second),
                step.second_plies.to_string(),
            ]);
        }
        table.row(cells);
    }
    page.table(&table);
}
