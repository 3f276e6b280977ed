//! How do the tables of one type differ from those of another? A part of a page on which the reader
//! chooses two types and sees every weight of the first, or the difference, as coloured boards.
//!
//! No script is needed. Every cell carries its weight of each type as a variable of the style
//! sheet; which of them counts is told by the chosen options, and colours and numbers are worked
//! out by the browser. Variables are thousandths of a pawn, since style sheets count in whole
//! numbers; hundredths with a digit behind the point are shown.

use super::Model;
use super::page::Scale;
use crate::factors::{GROUPS, Group, Shape};
use std::fmt::Write as _;
use zug_learn::markup::escape;

/// What the page does with its variables. `--a` minus `--b` is shown, and has the full colour at
/// `--k`.
const STYLE: &str = "\
@counter-style minus{system:fixed -1;symbols:'\u{2212}' ''}\
.cw{container-type:inline-size}.cw label{margin-right:1rem}.cw select{max-width:100%;font:inherit}\
.cw .g{display:inline-block;vertical-align:top;margin:.6rem .6rem .6rem 0;max-width:100%}\
.cw .g b{display:block;font-weight:normal;font-size:.85rem;color:var(--soft)}\
.cw .q{display:grid;grid-template-columns:.9rem repeat(8,2.14rem)}\
.cw .q u{font:.66rem/2.1rem system-ui,sans-serif;color:var(--soft);text-decoration:none;\
text-align:center}.cw .q u.f{line-height:1.1rem}\
.cw .l{display:grid;grid-template-columns:auto 3.4rem;gap:1px .6rem;font-size:.85rem}\
.cw i{font:.62rem/2.1rem system-ui,sans-serif;color:#111;text-align:center;overflow:hidden;\
--v:calc(var(--a) - var(--b));\
--n:sqrt(clamp(0,-1*var(--v)/var(--k),1));--p:sqrt(clamp(0,var(--v)/var(--k),1));\
background:rgb(calc(245 - 154*var(--n) - 12*var(--p)),calc(245 - 104*var(--n) - 107*var(--p)),\
calc(240 - 41*var(--n) - 180*var(--p)))}\
.cw .l i{font-size:.75rem;line-height:1.35rem}\
.cw i::after{--m:max(var(--v),-1*var(--v));--w:round(down,(var(--m) + .5)/10,1);\
counter-reset:s clamp(-1,var(--v),0) w var(--w) t calc(var(--m) - 10*var(--w));\
content:counter(s,minus) counter(w) '.' counter(t)}\
@media (max-width:30rem){.cw .q{grid-template-columns:.8rem repeat(8,2.05rem)}.cw i{font-size:.55rem}}";

/// The drawing of a model, with the type that is shown first; `before` is what it is compared with.
#[must_use]
pub fn chooser(model: &Model, before: Option<&Model>, first: usize, scale: Scale) -> String {
    let columns = model.scheme.columns();
    let before = before.filter(|b| b.weights.len() == model.weights.len());
    let full = (scale.most * 10.0).round();
    let mut out = format!(
        "<div class=\"cw\" style=\"--k:{full}\"><style>{STYLE}{}</style><p>",
        rules(columns, before)
    );
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
    out.push_str(&scale.legend());
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
    let mut out = String::from(".cw i{--a:var(--z);--b:0}");
    for k in 0..columns {
        let chosen = format!(".cw:has(.a [value='{k}']:checked)");
        let _ = write!(
            out,
            "{chosen} i{{--a:var(--t{k},var(--z))}}\
             .cw:has(.b [value='{k}']:checked) i{{--b:var(--t{k},var(--z))}}"
        );
        if before.is_some() {
            let _ = write!(
                out,
                "{chosen}:has(.b [value='u']:checked) i{{--b:var(--u{k},var(--t{k},var(--z)))}}"
            );
        }
    }
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
    let mut out = format!("<div class=\"g\"><b title=\"{help}\">{word}</b>");
    if let Shape::Squares(row) = group.shape {
        out.push_str("<div class=\"q\">");
        for line in (0..group.count / 8).rev() {
            let _ = write!(out, "<u>{}</u>", line + usize::from(row));
            for file in 0..8 {
                let name = format!("{}{}", char::from(b"abcdefgh"[file]), line + usize::from(row));
                let _ = write!(out, "<i title=\"{name}\" style=\"{}\"></i>", cell(line * 8 + file));
            }
        }
        out.push_str("<u></u>");
        for file in 'a'..='h' {
            let _ = write!(out, "<u class=\"f\">{file}</u>");
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
        let html = chooser(&after, Some(&before), 22, Scale { most: 50.0 });
        markup::check(&html).unwrap();
        assert_eq!(html.matches("<option").count(), 33 + 2 + 33);
        assert!(html.contains("value=\"22\" selected=\"selected\">23: "));
        // 7.25 hundredths are 73 thousandths, after what they were.
        let was = (before.weights[22 * FACTORS + KNIGHT_SQUARE + 21] * 10.0).round();
        assert!(
            html.contains(&format!("<i title=\"f3\" style=\"--z:{was};--t22:73;--u22:{was}\">"))
        );
        assert_eq!(html.matches("--t22:").count(), 1);
        assert!(html.contains("<u>8</u>") && html.contains("<u class=\"f\">h</u>"));
        assert!(!html.contains("<script"));
    }

    #[test]
    fn a_model_of_zeros_has_no_tables() {
        let html = chooser(&Model::start(Scheme::One, Start::Zero), None, 0, Scale { most: 1.0 });
        markup::check(&html).unwrap();
        assert!(html.contains(", material, isolated, doubled, "));
        assert!(!html.contains("class=\"g\""));
    }
}
