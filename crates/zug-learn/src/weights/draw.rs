//! Weights on a page: coloured boards with their numbers, and lists with bars. Needs no script.

use super::{Board, List, Weights, colour};
use crate::markup::escape;
use crate::report::Page;
use std::fmt::Write as _;

const STYLE: &str = "<style>.boards{display:flex;flex-wrap:wrap;gap:1.2rem}\
.board{border-collapse:separate;border-spacing:1px;width:auto;margin:0;font-size:.72rem}\
.board caption{font-weight:600;color:var(--text)}.board th{border:0;padding:0 .25rem;font-weight:400;color:var(--soft);text-align:center}\
.board tbody tr:nth-child(even){background:none}.board td{border:0;padding:0;width:2.35rem;height:1.9rem;text-align:center;vertical-align:middle;color:#111}\
.scale{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem;font-size:.85rem;color:var(--soft)}\
.scale em{font:.8rem/1.5rem system-ui,sans-serif;min-width:3.2rem;text-align:center;color:#111}\
.weights td.bar{min-width:8rem}.weights i{display:block;height:.8rem}</style>";

impl Page {
    /// Adds weights: boards with one scale of colours, then lists.
    pub fn weights(&mut self, weights: &Weights) {
        let about = match weights.unit.as_str() {
            "" => weights.about.clone(),
            unit => format!("{}, in {unit}", weights.about),
        };
        let (head, rest) = about.split_at(about.chars().next().map_or(0, char::len_utf8));
        self.paragraph(&format!("{}{rest}.", head.to_uppercase()));
        self.raw(STYLE);
        let most = weights.largest();
        if !weights.boards.is_empty() {
            self.raw(&legend(most));
            let boards: String = weights.boards.iter().map(|b| board(b, most)).collect();
            self.raw(&format!("<div class=\"boards\">{boards}</div>"));
        }
        for list in &weights.lists {
            self.raw(&bars(list));
        }
    }
}

/// As few digits as tell something, for numbers up to `most`.
#[must_use]
pub(crate) fn number(value: f64, most: f64) -> String {
    let digits = match most {
        m if m >= 20.0 => 0,
        m if m >= 2.0 => 1,
        m if m >= 0.2 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') {
        return "0".to_string();
    }
    text.replace('-', "−")
}

fn hex(value: f64, most: f64) -> String {
    let [r, g, b] = colour(value, most);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn legend(most: f64) -> String {
    let mut out = String::from("<p class=\"scale\"><span>Colours:</span>");
    for part in [-1.0, -0.5, -0.2, 0.0, 0.2, 0.5, 1.0] {
        let value = part * most;
        let (hex, text) = (hex(value, most), number(value, most));
        let _ = write!(out, "<em style=\"background:{hex}\">{text}</em>");
    }
    out.push_str("</p>");
    out
}

fn board(board: &Board, most: f64) -> String {
    let about = match board.about.as_str() {
        "" => String::new(),
        about => format!(" title=\"{}\"", escape(about)),
    };
    let title = escape(&board.title);
    let mut out = format!("<table class=\"board\"{about}><caption>{title}</caption><tbody>");
    for row in 0..board.height {
        let label = board.rows.get(row).map_or("", String::as_str);
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escape(label));
        for column in 0..board.width {
            match board.cells.get(row * board.width + column).copied().flatten() {
                Some(value) => {
                    let name = escape(&board.cell_name(row * board.width + column));
                    let (hex, text) = (hex(value, most), number(value, most));
                    let exact = number(value, most / 100.0);
                    let _ = write!(
                        out,
                        "<td style=\"background:{hex}\" title=\"{name}: {exact}\">{text}</td>"
                    );
                }
                None => out.push_str("<td></td>"),
            }
        }
        out.push_str("</tr>");
    }
    if !board.columns.is_empty() {
        out.push_str("<tr><th></th>");
        for column in &board.columns {
            let _ = write!(out, "<th scope=\"col\">{}</th>", escape(column));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    out
}

fn bars(list: &List) -> String {
    let most = list.items.iter().fold(0.0, |most: f64, i| most.max(i.value.abs()));
    let about = if list.about.is_empty() { "" } else { ": " };
    let caption = escape(&format!("{}{about}{}", list.title, list.about));
    let mut out = format!(
        "<div class=\"scroll\"><table class=\"weights\"><caption>{caption}</caption><tbody>"
    );
    for item in &list.items {
        let width = if most > 0.0 { 100.0 * item.value.abs() / most } else { 0.0 };
        let (name, text) = (escape(&item.name), number(item.value, most / 10.0));
        let colour = if item.value < 0.0 { hex(-1.0, 1.0) } else { hex(1.0, 1.0) };
        let _ = write!(
            out,
            "<tr><th scope=\"row\">{name}</th><td class=\"number\">{text}</td><td class=\"bar\">\
             <i style=\"width:{width:.0}%;background:{colour}\"></i></td></tr>"
        );
    }
    out.push_str("</tbody></table></div>");
    out
}
