//! What do weights look like? All tables of a model as coloured boards, as the thesis's *Visual
//! Eval* showed them (section 6.2), on a page without scripts.
//!
//! Colours go from the smallest to the largest value of each table. Which type is shown, and what
//! is taken from it (another type, or the same one before), is chosen on the page.

use super::{Model, chooser, look};
use crate::factors::FACTORS;
use zug_learn::report::{Page, Table};

/// A whole page with the tables of a model, beside what changed since another of the same scheme.
#[must_use]
pub fn tables(model: &Model, before: Option<&Model>) -> String {
    let mut page = Page::new("Weights of a chess model");
    add(&mut page, model, before, None);
    page.html()
}

/// Adds the tables of a model to a page; `first` is the column that is shown before another is
/// chosen.
pub fn add(page: &mut Page, model: &Model, before: Option<&Model>, first: Option<usize>) {
    let scheme = &model.scheme;
    let columns = scheme.columns();
    let before = before.filter(|b| b.weights.len() == model.weights.len());
    let changes: Vec<Change> = (0..columns).map(|c| Change::of(model, before, c)).collect();
    if columns > 1 || before.is_some() {
        page.table(&summary(model, &changes, before.is_some()));
    }
    let first = first.unwrap_or_else(|| look::most_changed(model, before));
    page.drawing(
        &chooser::chooser(model, before, first),
        &format!(
            "{columns} columns of {FACTORS} weights ({}), in thousandths of a pawn. Squares are \
             White's; Black's are mirrored. Colours go from the smallest weight of a table (blue) to \
             the largest (orange); of differences, from less to more about nothing (white).",
            scheme.word()
        ),
    );
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

/// Values from the smallest to the largest as colours from blue over near white to orange.
pub(crate) fn colour(value: f32, least: f32, most: f32) -> [u8; 3] {
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
    [part(0), part(1), part(2)]
}

pub(super) fn range(values: &[f32]) -> (f32, f32) {
    values.iter().fold((f32::MAX, f32::MIN), |(least, most), &v| (least.min(v), most.max(v)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factors::GROUPS;
    use crate::model::Start;
    use crate::types::{Scheme, Zones};
    use zug_learn::markup;

    #[test]
    fn the_page_is_sound_and_opens_with_the_type_that_changed_most() {
        let before = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
        let mut after = before.clone();
        after.weights[22 * FACTORS + 9] += 3.0;
        let page = tables(&after, Some(&before));
        markup::check(&page).unwrap();
        assert!(page.contains("isolated/c"));
        assert!(page.contains("selected=\"selected\">23: queens"));
    }

    #[test]
    fn every_group_of_two_phases_can_be_drawn() {
        let model = Model::start(Scheme::Phases, Start::KnightCap2);
        let page = tables(&model, None);
        markup::check(&page).unwrap();
        for group in GROUPS {
            assert!(page.contains(&format!(">{}</b>", group.word)), "{}", group.word);
        }
    }

    #[test]
    fn colours_go_from_the_smallest_to_the_largest_value() {
        assert_eq!(colour(-3.0, -3.0, 5.0), [0x5b, 0x8d, 0xc7]);
        assert_eq!(colour(5.0, -3.0, 5.0), [0xe9, 0x8a, 0x3c]);
        assert_eq!(colour(1.0, 1.0, 1.0), [0xf5, 0xf5, 0xf0]);
    }
}
