//! What do weights look like? All tables of a model as coloured boards and bars, as the thesis's
//! *Visual Eval* showed them (section 6.2), on a page without scripts.
//!
//! Colours go from the smallest to the largest value of each table. Every column is behind a line
//! that the reader can open. Beside a model of many types its difference to another model is shown,
//! and only of types that differ most: who has learned a little wants to see what.

use super::Model;
use crate::factors::{FACTORS, GROUPS, Group, Shape};
use std::fmt::Write as _;
use zug_learn::markup::escape;
use zug_learn::report::{Page, Table};

/// Columns that are drawn at most; the others are told in numbers.
const MOST_DRAWN: usize = 8;

/// A whole page with the tables of a model, beside what changed since another of the same scheme.
#[must_use]
pub fn tables(model: &Model, before: Option<&Model>) -> String {
    let mut page = Page::new("Weights of a chess model");
    add(&mut page, model, before);
    page.html()
}

/// Adds the tables of a model to a page.
pub fn add(page: &mut Page, model: &Model, before: Option<&Model>) {
    let scheme = &model.scheme;
    let columns = scheme.columns();
    page.paragraph(&format!(
        "{columns} columns of {FACTORS} weights ({}), in hundredths of a pawn. Squares are White's; \
         Black's are mirrored. Colours go from the smallest weight of a table (blue) to the largest \
         (orange).",
        scheme.word()
    ));
    let before = before.filter(|b| b.weights.len() == model.weights.len());
    let changes: Vec<Change> = (0..columns).map(|c| Change::of(model, before, c)).collect();
    page.table(&summary(model, &changes, before.is_some()));
    let mut drawn: Vec<usize> = (0..columns).collect();
    if columns > MOST_DRAWN {
        drawn.sort_by(|&a, &b| changes[b].size.total_cmp(&changes[a].size).then(a.cmp(&b)));
        drawn.truncate(MOST_DRAWN);
        page.paragraph(&format!("Drawn are the {MOST_DRAWN} columns that differ most."));
    }
    for &column in &drawn {
        let name = scheme.column_name(column);
        let weights = model.column(column);
        page.folded(&format!("Weights: {name}"), |page| draw(page, weights));
        if let Some(before) = before.filter(|_| changes[column].weights > 0) {
            let change = difference(weights, before.column(column));
            page.folded(&format!("Change: {name}"), |page| draw(page, &change));
        }
    }
    if let [first, second, ..] = drawn[..] {
        let apart = difference(model.column(second), model.column(first));
        let title = format!(
            "Difference: {} minus {}",
            scheme.column_name(second),
            scheme.column_name(first)
        );
        page.folded(&title, |page| draw(page, &apart));
    }
}

/// How much a column differs: from another model, or else from the mean of all columns.
struct Change {
    weights: usize,
    size: f64,
    largest: Option<usize>,
}

impl Change {
    fn of(model: &Model, before: Option<&Model>, column: usize) -> Change {
        let mean = |factor: usize| {
            let columns = model.scheme.columns();
            (0..columns).map(|c| model.column(c)[factor]).sum::<f32>() / columns as f32
        };
        let by = |factor: usize| {
            let other = before.map_or_else(|| mean(factor), |b| b.column(column)[factor]);
            f64::from(model.column(column)[factor] - other)
        };
        let mut change = Change { weights: 0, size: 0.0, largest: None };
        let mut most = 0.0;
        for factor in 0..FACTORS {
            let by = by(factor).abs();
            change.weights += usize::from(by > 0.0);
            change.size += by;
            if by > most {
                most = by;
                change.largest = Some(factor);
            }
        }
        change
    }
}

fn summary(model: &Model, changes: &[Change], compared: bool) -> Table {
    let what = if compared { "changed" } else { "other than the mean" };
    let mut table = Table::new(["column", what, "by, in sum", "most"]);
    for (column, change) in changes.iter().enumerate() {
        table.row([
            model.scheme.column_name(column),
            change.weights.to_string(),
            format!("{:.1}", change.size),
            change.largest.map_or(String::new(), |f| crate::factors::name(f).to_string()),
        ]);
    }
    table
}

fn difference(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Draws all groups of one column that are not 0 throughout.
fn draw(page: &mut Page, weights: &[f32]) {
    let mut silent = Vec::new();
    for group in GROUPS {
        let values = &weights[group.first..][..group.count];
        if values.iter().all(|&w| w == 0.0) {
            silent.push(group.word);
        } else {
            page.drawing(&drawing(group, values), &format!("{}: {}", group.word, group.help));
        }
    }
    if !silent.is_empty() {
        page.paragraph(&format!("All 0: {}.", silent.join(", ")));
    }
}

/// One group as an SVG drawing: squares as a board, everything else as a list of bars.
#[must_use]
pub fn drawing(group: &Group, values: &[f32]) -> String {
    match group.shape {
        Shape::Squares(_) => board(values),
        _ => bars(group, values),
    }
}

/// Values from the smallest to the largest as colours from blue over near white to orange.
fn colour(value: f32, least: f32, most: f32) -> String {
    let at = if most > least { (value - least) / (most - least) } else { 0.5 };
    let mix = |from: f32, to: f32, at: f32| (from + (to - from) * at).round() as u8;
    let (low, middle, high) = ([91.0, 141.0, 199.0], [245.0, 245.0, 240.0], [233.0, 138.0, 60.0]);
    let part = |i: usize| {
        if at < 0.5 {
            mix(low[i], middle[i], at * 2.0)
        } else {
            mix(middle[i], high[i], at * 2.0 - 1.0)
        }
    };
    format!("#{:02x}{:02x}{:02x}", part(0), part(1), part(2))
}

fn range(values: &[f32]) -> (f32, f32) {
    values.iter().fold((f32::MAX, f32::MIN), |(least, most), &v| (least.min(v), most.max(v)))
}

fn board(values: &[f32]) -> String {
    const CELL: usize = 40;
    let (least, most) = range(values);
    let rows = values.len() / 8;
    let (width, height) = (8 * CELL, rows * CELL);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-size=\"12\" text-anchor=\"middle\">"
    );
    for (i, &value) in values.iter().enumerate() {
        let (x, y) = (i % 8 * CELL, (rows - 1 - i / 8) * CELL);
        let fill = colour(value, least, most);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            x + CELL / 2,
            y + CELL / 2 + 4,
            number(value)
        );
    }
    svg.push_str("</svg>");
    svg
}

fn bars(group: &Group, values: &[f32]) -> String {
    const LABEL: usize = 220;
    const BAR: usize = 300;
    const LINE: usize = 18;
    let (least, most) = range(values);
    let (low, high) = (least.min(0.0), most.max(0.0));
    let scale = BAR as f32 / (high - low).max(f32::MIN_POSITIVE);
    let (width, height) = (LABEL + BAR + 70, LINE * values.len());
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-size=\"12\">"
    );
    for (i, &value) in values.iter().enumerate() {
        let name = group.name(i);
        let short = name.strip_prefix(group.word).map_or(name.as_str(), |s| s.trim_matches('/'));
        let short = if short.is_empty() { group.word } else { short };
        let from = LABEL as f32 + (value.min(0.0) - low) * scale;
        let fill = colour(value, least, most);
        let y = i * LINE;
        let _ = write!(
            svg,
            "<text x=\"0\" y=\"{}\">{}</text>\
             <rect x=\"{from:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"{fill}\" \
             stroke=\"#888\" stroke-width=\"0.5\"/><text x=\"{}\" y=\"{}\">{}</text>",
            y + 13,
            escape(short),
            y + 2,
            (value.abs() * scale).max(0.5),
            LINE - 4,
            LABEL + BAR + 6,
            y + 13,
            number(value)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// As few digits as tell something.
fn number(value: f32) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if size < 10.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Start;
    use crate::types::{Scheme, Zones};
    use zug_learn::markup;

    #[test]
    fn the_page_is_sound_and_shows_only_what_changed() {
        let before = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
        let mut after = before.clone();
        after.weights[22 * FACTORS + 9] += 3.0;
        let page = tables(&after, Some(&before));
        markup::check(&page).unwrap();
        assert!(page.contains("isolated/c"));
        assert_eq!(page.matches("Change: ").count(), 1);
        assert!(page.contains("Change: 23: queens"));
    }

    #[test]
    fn every_group_of_two_phases_can_be_drawn() {
        let model = Model::start(Scheme::Phases, Start::KnightCap2);
        let page = tables(&model, None);
        markup::check(&page).unwrap();
        for group in GROUPS {
            assert!(page.contains(group.word), "{}", group.word);
        }
        assert!(page.contains("Difference: ending minus middlegame"));
    }

    #[test]
    fn colours_go_from_the_smallest_to_the_largest_value() {
        assert_eq!(colour(-3.0, -3.0, 5.0), "#5b8dc7");
        assert_eq!(colour(5.0, -3.0, 5.0), "#e98a3c");
        assert_eq!(colour(1.0, 1.0, 1.0), "#f5f5f0");
    }
}
