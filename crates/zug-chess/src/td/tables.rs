//! What did learning make of types and weights? The parts of a page that runs and players have in
//! common.

use super::rates::Seen;
use super::replay;
use crate::factors::{self, FACTORS};
use crate::model::Model;
use crate::model::page::{self, Scale};
use zug_learn::plot::Plot;
use zug_learn::report::{Page, Table};

/// How many of the largest changes are listed.
const LISTED: usize = 24;
/// The types, of those that occurred most, whose change is replayed.
const REPLAYED: usize = 4;

/// How often the types occurred, and their rates. `games` tells in how many games one did.
pub fn types(
    page: &mut Page,
    name: &str,
    seen: &[(Seen, f64)],
    title: &dyn Fn(usize) -> String,
    games: &dyn Fn(usize) -> u64,
    learned: u64,
) {
    let numbers = 1..=seen.len();
    let mut plot = Plot::new("Positions of each type").y("positions");
    plot = plot.categories(numbers.map(|n| n.to_string()));
    let bars = seen.iter().enumerate().map(|(i, (s, _))| (i as f64, s.positions as f64));
    page.plot_with_caption(
        &plot.bars("positions", bars),
        &format!("{name}: leaves that were learned from, by type (numbered from 1)."),
    );
    let mut table = Table::new(["type", "games", "share of games", "positions", "rate"]);
    let mut never = Vec::new();
    for (column, (seen, rate)) in seen.iter().enumerate() {
        if seen.positions == 0 {
            never.push(title(column));
            continue;
        }
        let games = games(column);
        table.row([
            title(column),
            games.to_string(),
            format!("{:.0} %", 100.0 * games as f64 / learned.max(1) as f64),
            seen.positions.to_string(),
            format!("{rate:.3}"),
        ]);
    }
    page.table(&table);
    if !never.is_empty() {
        let types = if never.len() == 1 { "type" } else { "types" };
        let title = format!("{} {types} never occurred", never.len());
        page.folded(&title, |page| page.list(&never));
    }
}

/// How the weights changed, from the first of the models (each with the games before it) to the last.
pub fn weights(page: &mut Page, models: &[(u64, Model)], seen: &[(Seen, f64)], scale: Scale) {
    let (Some((_, before)), Some((games, after))) = (models.first(), models.last()) else {
        return;
    };
    let often = by_use(seen);
    page.paragraph(&format!(
        "The weights were kept at {} points of {games} games, the first before any game; the tables \
         below go through all of them.",
        models.len()
    ));
    for (place, &column) in often.iter().take(REPLAYED).enumerate() {
        let Some(svg) = replay::drawing(models, column, scale) else { continue };
        let name = before.scheme.column_name(column);
        let caption = format!(
            "How the square tables moved away from the beginning, in the type {name}: orange is \
             more, blue is less."
        );
        if place == 0 {
            page.drawing(&svg, &caption);
        } else {
            page.folded(&format!("The same in the type {name}"), |p| p.drawing(&svg, &caption));
        }
    }
    let mut changes: Vec<(usize, f32, f32)> = (before.weights.iter().zip(&after.weights))
        .enumerate()
        .map(|(i, (&a, &b))| (i, a, b))
        .filter(|(_, a, b)| a != b)
        .collect();
    page.paragraph(&format!(
        "{} of {} weights differ from the beginning after {games} games.",
        changes.len(),
        before.weights.len()
    ));
    changes.sort_by(|a, b| (b.2 - b.1).abs().total_cmp(&(a.2 - a.1).abs()).then(a.0.cmp(&b.0)));
    let mut table = Table::new(["factor", "type", "before", "after", "change"])
        .caption("The largest changes, in hundredths of a pawn");
    for &(i, a, b) in changes.iter().take(LISTED) {
        table.row([
            factors::name(i % FACTORS).to_string(),
            before.scheme.column_name(i / FACTORS),
            format!("{a:.1}"),
            format!("{b:.1}"),
            format!("{:+.1}", b - a),
        ]);
    }
    page.table(&table);
    material(page, before, after, seen);
    page::worth(page, after);
    page.subheading("All tables");
    page::add(page, after, Some(before), often.first().copied(), scale);
}

/// Piece values of every type that occurred.
fn material(page: &mut Page, before: &Model, after: &Model, seen: &[(Seen, f64)]) {
    let mut table = Table::new(["type", "pawn", "knight", "bishop", "rook", "queen"]).caption(
        "Piece values by the material factor alone, after learning, in hundredths of a pawn",
    );
    let row = |name: String, model: &Model, column: usize| {
        let values = model.column(column)[1..6].iter().map(|w| format!("{w:.0}"));
        std::iter::once(name).chain(values).collect::<Vec<_>>()
    };
    table.row(row("(before)".to_string(), before, 0));
    for (column, (seen, _)) in seen.iter().enumerate() {
        if seen.positions > 0 {
            table.row(row(after.scheme.column_name(column), after, column));
        }
    }
    page.table(&table);
}

/// The types that occurred, the most frequent first.
fn by_use(seen: &[(Seen, f64)]) -> Vec<usize> {
    let positions = |c: &usize| seen[*c].0.positions;
    let mut all: Vec<usize> = (0..seen.len()).filter(|c| positions(c) > 0).collect();
    all.sort_by_key(|c| std::cmp::Reverse(positions(c)));
    all
}
