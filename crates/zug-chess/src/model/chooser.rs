//! How do the tables of one type differ from those of another? A part of a page on which the reader
//! chooses two types and sees every weight of the first, or the difference, as coloured boards.
//!
//! Pages have no scripts. Every cell carries its weight of each type as a variable of the style
//! sheet; which of them counts is told by the chosen options, and colours and numbers are worked
//! out by the browser. Numbers are thousandths of a pawn, since style sheets print whole numbers.

use super::Model;
use crate::factors::{GROUPS, Group, Shape};
use std::fmt::Write as _;
use zug_learn::markup::escape;

/// What the page does with its variables. `--a` minus `--b` is shown, coloured between `--lo` and
/// `--hi`.
const STYLE: &str = "\
.cw{container-type:inline-size}.cw label{margin-right:1rem}.cw select{max-width:100%;font:inherit}\
.cw .g{display:inline-block;vertical-align:top;margin:.6rem 1.1rem .6rem 0;max-width:100%}\
.cw .g b{display:block;font-weight:normal;font-size:.85rem;color:var(--soft)}\
.cw .q{display:grid;grid-template-columns:repeat(8,2.2rem)}\
.cw .l{display:grid;grid-template-columns:auto 3.4rem;gap:1px .6rem;font-size:.85rem}\
.cw i{font:.66rem/2.1rem system-ui,sans-serif;color:#111;text-align:center;overflow:hidden;\
--at:calc((var(--a) - var(--b) - var(--lo)) / (var(--hi) - var(--lo)));\
--n:clamp(0,1 - 2*var(--at),1);--p:clamp(0,2*var(--at) - 1,1);\
background:rgb(calc(245 - 154*var(--n) - 12*var(--p)),calc(245 - 104*var(--n) - 107*var(--p)),\
calc(240 - 41*var(--n) - 180*var(--p)))}\
.cw .l i{line-height:1.35rem}\
.cw i::after{counter-reset:v calc(var(--a) - var(--b));content:counter(v)}\
@media (max-width:30rem){.cw .q{grid-template-columns:repeat(8,2.1rem)}.cw i{font-size:.58rem}}";

/// The drawing of a model, with the type that is shown first; `before` is what it is compared with.
#[must_use]
pub fn chooser(model: &Model, before: Option<&Model>, first: usize) -> String {
    let columns = model.scheme.columns();
    let before = before.filter(|b| b.weights.len() == model.weights.len());
    let mut out = format!("<div class=\"cw\"><style>{STYLE}{}</style><p>", rules(columns, before));
    let option = |out: &mut String, value: &str, name: &str, chosen: bool| {
        let chosen = if chosen { " selected=\"selected\"" } else { "" };
        let _ = write!(out, "<option value=\"{value}\"{chosen}>{}</option>", escape(name));
    };
    out.push_str("<label>Weights of <select class=\"a\">");
    for column in 0..columns {
        let name = model.scheme.column_name(column);
        option(&mut out, &column.to_string(), &name, column == first);
    }
    out.push_str("</select></label> <label>minus <select class=\"b\">");
    option(&mut out, "n", "nothing", true);
    if before.is_some() {
        option(&mut out, "u", "the same type before", false);
    }
    for column in 0..columns {
        option(&mut out, &column.to_string(), &model.scheme.column_name(column), false);
    }
    out.push_str("</select></label></p>");
    let mut silent = Vec::new();
    // Boards first: lists of all lengths between them would tear holes.
    let boards = |g: &&Group| matches!(g.shape, Shape::Squares(_));
    let lists = GROUPS.iter().filter(|g| !boards(g));
    for group in GROUPS.iter().filter(boards).chain(lists) {
        match table(model, before, group) {
            Some(table) => out.push_str(&table),
            None => silent.push(group.word),
        }
    }
    if !silent.is_empty() {
        let _ = write!(out, "<p>All 0: {}.</p>", escape(&silent.join(", ")));
    }
    out.push_str("</div>");
    out
}

/// Which variables count for which options. What a cell does not tell is as in the first type
/// (`--z`), and was so before (`--uN` is `--tN`).
fn rules(columns: usize, before: Option<&Model>) -> String {
    let mut out = String::from(".cw i{--a:var(--z);--b:0}.cw .g{--lo:var(--l);--hi:var(--h)}");
    for k in 0..columns {
        let chosen = format!(".cw:has(.a [value='{k}']:checked)");
        let _ = write!(
            out,
            "{chosen} i{{--a:var(--t{k},var(--z))}}\
             {chosen} .g{{--lo:var(--l{k},var(--l));--hi:var(--h{k},var(--h))}}\
             .cw:has(.b [value='{k}']:checked) i{{--b:var(--t{k},var(--z))}}"
        );
        if before.is_some() {
            let _ = write!(
                out,
                "{chosen}:has(.b [value='u']:checked) i{{--b:var(--u{k},var(--t{k},var(--z)))}}"
            );
        }
    }
    out.push_str(".cw:not(:has(.b [value='n']:checked)) .g{--lo:calc(-1*var(--d));--hi:var(--d)}");
    out
}

/// One group of factors; nothing if all its weights are 0.
fn table(model: &Model, before: Option<&Model>, group: &Group) -> Option<String> {
    let columns = model.scheme.columns();
    let weights = |model: &Model, column: usize| -> Vec<i64> {
        let all = &model.column(column)[group.first..][..group.count];
        all.iter().map(|w| (f64::from(*w) * 10.0).round() as i64).collect()
    };
    let now: Vec<Vec<i64>> = (0..columns).map(|c| weights(model, c)).collect();
    let then: Option<Vec<Vec<i64>>> = before.map(|b| (0..columns).map(|c| weights(b, c)).collect());
    let all = now.iter().chain(then.iter().flatten()).flatten();
    if all.clone().all(|&w| w == 0) {
        return None;
    }
    let largest = (0..columns)
        .flat_map(|c| {
            let from_first = now[c].iter().zip(&now[0]).map(|(a, b)| (a - b).abs());
            let since = then.as_ref().map(|then| then[c].iter().zip(&now[c]));
            from_first.chain(since.into_iter().flatten().map(|(a, b)| (a - b).abs()))
        })
        .max();
    let range = |column: usize| {
        let least = now[column].iter().min().copied().unwrap_or(0);
        let most = now[column].iter().max().copied().unwrap_or(0);
        // A table of one colour is neither high nor low.
        if least == most { (least - 1, most + 1) } else { (least, most) }
    };
    let mut style = format!("--d:{};", largest.unwrap_or(0).max(1));
    let (l, h) = range(0);
    let _ = write!(style, "--l:{l};--h:{h}");
    for column in 1..columns {
        let (low, high) = range(column);
        if (low, high) != (l, h) {
            let _ = write!(style, ";--l{column}:{low};--h{column}:{high}");
        }
    }
    let cell = |i: usize| {
        let mut style = format!("--z:{}", now[0][i]);
        for column in 0..columns {
            if now[column][i] != now[0][i] {
                let _ = write!(style, ";--t{column}:{}", now[column][i]);
            }
            if let Some(then) = then.as_ref().filter(|then| then[column][i] != now[column][i]) {
                let _ = write!(style, ";--u{column}:{}", then[column][i]);
            }
        }
        style
    };
    let (word, help) = (escape(group.word), escape(group.help));
    let mut out = format!("<div class=\"g\" style=\"{style}\"><b title=\"{help}\">{word}</b>");
    if let Shape::Squares(row) = group.shape {
        out.push_str("<div class=\"q\">");
        for line in (0..group.count / 8).rev() {
            for file in 0..8 {
                let name = format!("{}{}", char::from(b"abcdefgh"[file]), line + usize::from(row));
                let _ = write!(out, "<i title=\"{name}\" style=\"{}\"></i>", cell(line * 8 + file));
            }
        }
    } else {
        out.push_str("<div class=\"l\">");
        for i in 0..group.count {
            let name = group.name(i);
            let short = name.strip_prefix(group.word).unwrap_or(&name).trim_matches('/');
            let short = if short.is_empty() { group.word } else { short };
            let _ = write!(out, "<span>{}</span><i style=\"{}\"></i>", escape(short), cell(i));
        }
    }
    out.push_str("</div></div>");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factors::FACTORS;
    use crate::factors::layout::KNIGHT_SQUARE;
    use crate::model::Start;
    use crate::types::{Scheme, Zones};
    use zug_learn::markup;

    #[test]
    fn every_type_can_be_chosen_and_only_what_differs_is_told_twice() {
        let before = Model::start(Scheme::Thesis(Zones::default()), Start::Thesis);
        let mut after = before.clone();
        after.weights[22 * FACTORS + KNIGHT_SQUARE + 21] = 7.25;
        let html = chooser(&after, Some(&before), 22);
        markup::check(&html).unwrap();
        assert_eq!(html.matches("<option").count(), 33 + 2 + 33);
        assert!(html.contains("value=\"22\" selected=\"selected\">23: "));
        // 7.25 hundredths are 73 thousandths, after what they were.
        let was = (before.weights[22 * FACTORS + KNIGHT_SQUARE + 21] * 10.0).round();
        assert!(
            html.contains(&format!("<i title=\"f3\" style=\"--z:{was};--t22:73;--u22:{was}\">"))
        );
        assert_eq!(html.matches("--t22:").count(), 1);
        assert!(!html.contains("<script"));
    }

    #[test]
    fn a_model_of_zeros_has_no_tables() {
        let html = chooser(&Model::start(Scheme::One, Start::Zero), None, 0);
        markup::check(&html).unwrap();
        assert!(html.contains(", material, isolated, doubled, "));
        assert!(!html.contains("class=\"g\""));
    }
}
