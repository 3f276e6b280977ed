//! What do weights look like? All tables of a model as coloured boards, as the thesis's *Visual
//! Eval* showed them (section 6.2), on a page that needs no scripts.
//!
//! All numbers are hundredths of a pawn, and all tables of a page have one scale of colours, on which
//! nought has none. Which type is shown, and what is taken from it (another type, or the same one
//! before), is chosen on the page.

use super::{Model, chooser, look};
use crate::factors::FACTORS;
use crate::factors::layout::SQUARES;
use std::fmt::Write as _;
use zug_learn::report::{Page, Table};

/// A whole page with the tables of a model, beside what changed since another of the same scheme.
#[must_use]
pub fn tables(model: &Model, before: Option<&Model>) -> String {
    let mut page = Page::new("Weights of a chess model");
    worth(&mut page, model);
    add(&mut page, model, before, None, Scale::of([model]));
    page.html()
}

/// Says what men are worth by all factors together.
pub fn worth(page: &mut Page, model: &Model) {
    page.paragraph(&format!("{} (hundredths of a pawn).", look::worth(model)));
}

/// Adds the tables of a model to a page; `first` is the column that is shown before another is
/// chosen.
pub fn add(
    page: &mut Page,
    model: &Model,
    before: Option<&Model>,
    first: Option<usize>,
    scale: Scale,
) {
    let scheme = &model.scheme;
    let columns = scheme.columns();
    let before = before.filter(|b| b.weights.len() == model.weights.len());
    let changes: Vec<Change> = (0..columns).map(|c| Change::of(model, before, c)).collect();
    if columns > 1 || before.is_some() {
        page.table(&summary(model, &changes, before.is_some()));
    }
    let first = first.unwrap_or_else(|| look::most_changed(model, before));
    page.drawing(
        &chooser::chooser(model, before, first, scale),
        &format!(
            "{columns} columns of {FACTORS} weights ({}), in hundredths of a pawn. Squares are \
             White's; Black's are mirrored. All tables have the same scale of colours: blue is less \
             than nought, orange is more.",
            scheme.word()
        ),
    );
}

/// The scale of colours of a page, in hundredths of a pawn: from blue over near white, which is
/// nought, to orange. Small numbers are told apart better than large ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Whatever is as large as this has the full colour.
    pub most: f32,
}

impl Scale {
    /// The scale on which the square tables of these models can be told apart: at most a pawn, since
    /// men are worth so much more than their squares.
    pub fn of<'a>(models: impl IntoIterator<Item = &'a Model>) -> Scale {
        let boards = |model: &'a Model| {
            let squares = SQUARES..SQUARES + 6 * 64;
            (0..model.scheme.columns()).flat_map(move |c| model.column(c)[squares.clone()].iter())
        };
        let largest = models.into_iter().flat_map(boards).fold(0.0_f32, |m, w| m.max(w.abs()));
        let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0];
        Scale { most: steps.into_iter().find(|&s| largest <= s).unwrap_or(100.0) }
    }

    /// The colour of a number.
    #[must_use]
    pub fn colour(self, value: f32) -> [u8; 3] {
        zug_learn::weights::colour(f64::from(value), f64::from(self.most))
    }

    /// The scale as a drawing.
    #[must_use]
    pub fn legend(self) -> String {
        let mut out = String::from(
            "<p class=\"scale\"><style>.scale{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem;\
             font-size:.85rem;color:var(--soft)}.scale em{font:.8rem/1.5rem system-ui,sans-serif;\
             width:3.2rem;text-align:center;color:#111}</style><span>Colours, in hundredths of a \
             pawn:</span>",
        );
        let parts = [1.0_f32, 0.5, 0.2, 0.05];
        let values = parts.map(|p| -p).into_iter().chain([0.0]).chain(parts.into_iter().rev());
        for part in values {
            let value = part * self.most;
            let [r, g, b] = self.colour(value);
            let text = match part {
                -1.0 => format!("≤ −{}", self.most),
                1.0 => format!("≥ {}", self.most),
                _ => format!("{value}").replace('-', "−"),
            };
            let _ = write!(out, "<em style=\"background:#{r:02x}{g:02x}{b:02x}\">{text}</em>");
        }
        out.push_str("</p>");
        out
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
    let mut table =
        Table::new(["column", what, "by, in sum (hundredths of a pawn)", "most: the factor"]);
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
    fn nought_has_no_colour_and_all_tables_have_one_scale() {
        let scale = Scale { most: 20.0 };
        assert_eq!(scale.colour(0.0), [0xf5, 0xf5, 0xf0]);
        assert_eq!(scale.colour(-20.0), [0x5b, 0x8d, 0xc7]);
        assert_eq!(scale.colour(900.0), [0xe9, 0x8a, 0x3c]);
        assert_eq!(scale.colour(5.0), [0xef, 0xc0, 0x96]);
        let mut model = Model::start(Scheme::One, Start::Zero);
        assert_eq!(Scale::of([&model]).most, 1.0);
        model.weights[SQUARES + 7] = -12.0;
        model.weights[1] = 900.0;
        assert_eq!(Scale::of([&model]).most, 20.0);
        let html = tables(&model, None);
        assert_eq!(html.matches("--k:200").count(), 1);
        assert!(html.contains(">≤ −20</em>") && html.contains(">0</em>"));
        markup::check(&html).unwrap();
    }
}
