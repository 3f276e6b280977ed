//! Putting a plot into SVG.

use std::fmt::Write as _;

use super::scale::{Scale, tip};
use super::{Mark, Plot, Series};
use crate::markup::{coordinate, escape};

/// Colours for light and dark backgrounds, after Okabe and Ito: apart for most eyes.
const COLOURS: [(&str, &str); 8] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff9152"),
    ("#009e73", "#35d0a5"),
    ("#a3478f", "#e79fce"),
    ("#a87500", "#f0c24a"),
    ("#4a4a4a", "#d0d0d0"),
    ("#3d32a3", "#a9a2ff"),
    ("#7a4a1e", "#d2a679"),
];

/// Dashes of lines; together with the colours they make 32 kinds of line.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// A series of more points gets no tips and no marks on its line: they would cover each other.
const MARKED: usize = 120;

/// Rough width of a character of the labels.
const CHARACTER: f64 = 6.6;

/// The style of plots; several on a page share it.
fn style(out: &mut String) {
    let colours = |out: &mut String, dark: bool| {
        for (i, (light, night)) in COLOURS.iter().enumerate() {
            let _ = write!(out, "--zp{i}:{};", if dark { night } else { light });
        }
    };
    out.push_str("<style>.zug-plot{--zp-back:#ffffff;--zp-text:#222222;--zp-grid:#dddddd;");
    colours(out, false);
    out.push_str("font:12px system-ui,sans-serif;max-width:100%;height:auto}");
    out.push_str("@media (prefers-color-scheme:dark){.zug-plot{--zp-back:#17181b;--zp-text:#e4e4e4;--zp-grid:#3a3c42;");
    colours(out, true);
    out.push_str(
        "}}.zug-plot text{fill:var(--zp-text)}.zug-plot .grid{stroke:var(--zp-grid);fill:none}",
    );
    out.push_str(
        ".zug-plot .axis{stroke:var(--zp-text);fill:none}.zug-plot .back{fill:var(--zp-back)}",
    );
    out.push_str(".zug-plot .guide{stroke:var(--zp-text);stroke-opacity:0.6;stroke-dasharray:4 4;fill:none}</style>");
}

struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Where the name of the horizontal axis stands.
    foot: f64,
}

pub fn svg(plot: &Plot) -> String {
    let (width, height) = (f64::from(plot.size.0), f64::from(plot.size.1));
    let legend = Legend::of(plot, width);
    let category_room = if plot.categories.is_empty() {
        0.0
    } else {
        let longest = plot.categories.iter().map(|c| shown(c).chars().count()).max().unwrap_or(0);
        longest as f64 * CHARACTER * 0.55
    };
    let total = height + legend.height + category_room;
    let frame = Frame {
        left: 64.0,
        right: width - 18.0,
        top: 36.0 + legend.height,
        bottom: total - 48.0 - category_room,
        foot: total - 10.0,
    };
    let (x, y) = scales(plot, &frame);

    let mut out = String::new();
    let title = escape(&plot.title);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"zug-plot\" role=\"img\" \
         aria-label=\"{title}\" viewBox=\"0 0 {width} {total:.0}\" width=\"{width}\" \
         height=\"{total:.0}\">"
    );
    style(&mut out);
    let _ = write!(out, "<rect class=\"back\" width=\"{width}\" height=\"{total:.0}\"/>");
    text(
        &mut out,
        (width / 2.0, 20.0),
        "middle",
        " font-size=\"15\" font-weight=\"600\"",
        &plot.title,
    );
    legend.draw(&mut out, plot);
    axes(&mut out, plot, &frame, &x, &y);
    let bars = Bars::of(plot, &x);
    let mut bar_series = 0;
    let mut any = false;
    for (i, series) in plot.series.iter().enumerate() {
        out.push_str("<g>");
        any |= series.points.iter().any(|p| finite(*p));
        match series.mark {
            Mark::Line | Mark::Guide => line(&mut out, series, i, &x, &y),
            Mark::Points => {}
            Mark::Bars => {
                bars.draw(&mut out, series, i, bar_series, &x, &y);
                bar_series += 1;
            }
        }
        error_bars(&mut out, series, i, bars.shift(series, bar_series), &x, &y);
        if series.mark == Mark::Points
            || (series.mark == Mark::Line && series.points.len() <= MARKED)
        {
            marks(&mut out, series, i, &x, &y);
        }
        out.push_str("</g>");
    }
    if !any {
        let middle = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
        text(&mut out, middle, "middle", "", "no data");
    }
    out.push_str("</svg>");
    out
}

fn finite((x, y): (f64, f64)) -> bool {
    x.is_finite() && y.is_finite()
}

fn scales(plot: &Plot, frame: &Frame) -> (Scale, Scale) {
    let all = || plot.series.iter().flat_map(|s| &s.points).copied().filter(|p| finite(*p));
    let has_bars = plot.series.iter().any(|s| s.mark == Mark::Bars);
    let wide = (frame.right - frame.left) / 90.0;
    let x_fixed = match plot.categories.len() {
        0 => plot.x_range,
        n => Some((-0.6, n as f64 - 0.4)),
    };
    // Bars have a width, and a foot at 0.
    let step = Bars::step(plot);
    let margin = if has_bars { step / 2.0 } else { 0.0 };
    let xs = all().flat_map(move |(x, _)| [x - margin, x + margin]);
    let with_errors = plot
        .series
        .iter()
        .flat_map(|s| s.points.iter().zip(&s.errors).flat_map(|((_, y), e)| [y - e, y + e]));
    let ys = all().map(|p| p.1).chain(with_errors).chain(has_bars.then_some(0.0));
    (
        Scale::new(xs, x_fixed, (frame.left, frame.right), wide.max(2.0)),
        Scale::new(
            ys,
            plot.y_range,
            (frame.bottom, frame.top),
            ((frame.bottom - frame.top) / 50.0).max(2.0),
        ),
    )
}

fn axes(out: &mut String, plot: &Plot, frame: &Frame, x: &Scale, y: &Scale) {
    let rule = |out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)| {
        let _ = write!(out, "<line class=\"{class}\"");
        for (name, value) in [("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)] {
            attribute(out, name, value);
        }
        out.push_str("/>");
    };
    for (value, written) in y.ticks() {
        let at = y.place(value);
        rule(out, "grid", (frame.left, at), (frame.right, at));
        text(out, (frame.left - 7.0, at + 4.0), "end", "", &written);
    }
    if plot.categories.is_empty() {
        for (value, written) in x.ticks() {
            let at = x.place(value);
            rule(out, "grid", (at, frame.top), (at, frame.bottom));
            text(out, (at, frame.bottom + 17.0), "middle", "", &written);
        }
    } else {
        for (i, name) in plot.categories.iter().enumerate() {
            let at = (x.place(i as f64) + 4.0, frame.bottom + 14.0);
            let turn = format!(" transform=\"rotate(-33 {:.1} {:.1})\"", at.0, at.1);
            text(out, at, "end", &turn, &shown(name));
        }
    }
    if y.covers(0.0) && y.from < 0.0 {
        rule(out, "axis", (frame.left, y.place(0.0)), (frame.right, y.place(0.0)));
    }
    rule(out, "axis", (frame.left, frame.bottom), (frame.right, frame.bottom));
    rule(out, "axis", (frame.left, frame.top), (frame.left, frame.bottom));
    let middle = ((frame.left + frame.right) / 2.0, (frame.top + frame.bottom) / 2.0);
    text(out, (middle.0, frame.foot), "middle", "", &plot.x_label);
    let turn = format!(" transform=\"rotate(-90 14 {:.1})\"", middle.1);
    text(out, (14.0, middle.1), "middle", &turn, &plot.y_label);
}

/// A label of a category, cut where it would take the room of the plot.
fn shown(name: &str) -> String {
    match name.char_indices().nth(26) {
        None => name.to_string(),
        Some((cut, _)) => format!("{}…", &name[..cut]),
    }
}

fn attribute(out: &mut String, name: &str, value: f64) {
    let _ = write!(out, " {name}=\"");
    coordinate(out, value);
    out.push('"');
}

fn text(out: &mut String, at: (f64, f64), anchor: &str, more: &str, content: &str) {
    if content.is_empty() {
        return;
    }
    out.push_str("<text");
    attribute(out, "x", at.0);
    attribute(out, "y", at.1);
    let _ = write!(out, " text-anchor=\"{anchor}\"{more}>{}</text>", escape(content));
}

fn stroke(index: usize, mark: Mark) -> String {
    if mark == Mark::Guide {
        return " class=\"guide\"".into();
    }
    let dash = match DASHES[(index / COLOURS.len() + index) % DASHES.len()] {
        "" => String::new(),
        dash => format!(";stroke-dasharray:{dash}"),
    };
    format!(" style=\"stroke:var(--zp{}){dash};stroke-width:1.8;fill:none\"", index % COLOURS.len())
}

fn fill(index: usize) -> String {
    format!(" style=\"fill:var(--zp{})\"", index % COLOURS.len())
}

fn line(out: &mut String, series: &Series, index: usize, x: &Scale, y: &Scale) {
    let inside = |p: (f64, f64)| finite(p) && x.covers(p.0) && y.covers(p.1);
    for run in series.points.chunk_by(|a, b| inside(*a) && inside(*b)) {
        let run: Vec<(f64, f64)> =
            run.iter().filter(|p| inside(**p)).map(|p| (x.place(p.0), y.place(p.1))).collect();
        if run.len() < 2 {
            continue;
        }
        let _ = write!(out, "<polyline{} points=\"", stroke(index, series.mark));
        let mut separator = "";
        for (px, py) in thinned(&run) {
            out.push_str(separator);
            coordinate(out, px);
            out.push(',');
            coordinate(out, py);
            separator = " ";
        }
        out.push_str("\"/>");
    }
}

/// Of many points in one column of pixels the first, the highest, the lowest and the last show all
/// that can be seen.
fn thinned(run: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if run.len() <= 2000 {
        return run.to_vec();
    }
    let mut out = Vec::new();
    for column in run.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let by = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        out.extend(column.first());
        if column.len() > 2 {
            out.extend(column.iter().min_by(by));
            out.extend(column.iter().max_by(by));
        }
        if column.len() > 1 {
            out.extend(column.last());
        }
    }
    out
}

fn marks(out: &mut String, series: &Series, index: usize, x: &Scale, y: &Scale) {
    let tips = series.points.len() <= MARKED;
    // Points on the same spot are drawn once: a million of them must not make a million circles.
    let mut taken = std::collections::HashSet::new();
    for &(px, py) in &series.points {
        if !(finite((px, py)) && x.covers(px) && y.covers(py)) {
            continue;
        }
        let (cx, cy) = (x.place(px), y.place(py));
        if !tips && !taken.insert(((cx / 1.5) as i64, (cy / 1.5) as i64)) {
            continue;
        }
        let about = format!("{}: {}, {}", series.name, tip(px), tip(py));
        shape(out, index, (cx, cy), if tips { 3.0 } else { 1.6 }, tips.then_some(&about));
    }
}

/// A mark: circle, square, triangle, diamond in turn.
fn shape(out: &mut String, index: usize, (x, y): (f64, f64), r: f64, about: Option<&str>) {
    let name = match index % 4 {
        0 => {
            out.push_str("<circle");
            attribute(out, "cx", x);
            attribute(out, "cy", y);
            attribute(out, "r", r);
            "circle"
        }
        1 => {
            out.push_str("<rect");
            attribute(out, "x", x - r);
            attribute(out, "y", y - r);
            attribute(out, "width", 2.0 * r);
            attribute(out, "height", 2.0 * r);
            "rect"
        }
        kind => {
            let up = 1.3 * r;
            let corners: &[(f64, f64)] = if kind == 2 {
                &[(x, y - up), (x + up, y + r), (x - up, y + r)]
            } else {
                &[(x, y - up), (x + up, y), (x, y + up), (x - up, y)]
            };
            out.push_str("<polygon points=\"");
            for (i, corner) in corners.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { " " });
                coordinate(out, corner.0);
                out.push(',');
                coordinate(out, corner.1);
            }
            out.push('"');
            "polygon"
        }
    };
    out.push_str(&fill(index));
    match about {
        None => out.push_str("/>"),
        Some(about) => {
            let _ = write!(out, "><title>{}</title></{name}>", escape(about));
        }
    }
}

fn error_bars(out: &mut String, series: &Series, index: usize, shift: f64, x: &Scale, y: &Scale) {
    // On a bar its own colour could not be seen.
    let colour = match series.mark {
        Mark::Bars => "var(--zp-text)".to_string(),
        _ => format!("var(--zp{})", index % COLOURS.len()),
    };
    for (&(px, py), &e) in series.points.iter().zip(&series.errors) {
        if !(finite((px, py)) && e.is_finite() && x.covers(px)) {
            continue;
        }
        let at = x.place(px) + shift;
        // Cut to the frame: half a bar is still information.
        let [low, high] = [py - e.abs(), py + e.abs()].map(|v| y.place(v.clamp(y.from, y.to)));
        let _ = write!(out, "<line style=\"stroke:{colour};stroke-opacity:0.7\"");
        for (name, value) in [("x1", at), ("y1", low), ("x2", at), ("y2", high)] {
            attribute(out, name, value);
        }
        out.push_str("/>");
    }
}

/// Bars of several series side by side.
struct Bars {
    /// Width of a bar in pixels.
    width: f64,
    series: usize,
}

impl Bars {
    /// The smallest distance of two bars of a series.
    fn step(plot: &Plot) -> f64 {
        let bars = plot.series.iter().filter(|s| s.mark == Mark::Bars);
        let gaps = bars.flat_map(|s| {
            let mut xs: Vec<f64> = s.points.iter().map(|p| p.0).filter(|x| x.is_finite()).collect();
            xs.sort_unstable_by(f64::total_cmp);
            xs.windows(2).map(|w| w[1] - w[0]).filter(|g| *g > 0.0).reduce(f64::min)
        });
        gaps.reduce(f64::min).filter(|g| g.is_finite()).unwrap_or(1.0)
    }

    fn of(plot: &Plot, x: &Scale) -> Bars {
        let series = plot.series.iter().filter(|s| s.mark == Mark::Bars).count();
        let pixels = Bars::step(plot) / (x.to - x.from) * (x.end - x.start);
        Bars { width: (0.8 * pixels / series.max(1) as f64).clamp(0.5, 80.0), series }
    }

    /// How far the middle of a bar is from its number; `after` counts the series up to this one.
    fn shift(&self, series: &Series, after: usize) -> f64 {
        match series.mark {
            Mark::Bars => (after as f64 - 0.5 - self.series as f64 / 2.0) * self.width,
            _ => 0.0,
        }
    }

    fn draw(
        &self,
        out: &mut String,
        s: &Series,
        index: usize,
        number: usize,
        x: &Scale,
        y: &Scale,
    ) {
        let shift = self.shift(s, number + 1);
        let foot = y.place(0f64.clamp(y.from, y.to));
        for &(px, py) in s.points.iter().filter(|p| finite(**p) && x.covers(p.0)) {
            let head = y.place(py.clamp(y.from, y.to));
            out.push_str("<rect");
            attribute(out, "x", x.place(px) + shift - self.width / 2.0);
            attribute(out, "y", head.min(foot));
            attribute(out, "width", self.width);
            attribute(out, "height", (head - foot).abs());
            let about = escape(&format!("{}: {}, {}", s.name, tip(px), tip(py)));
            let _ = write!(out, "{}><title>{about}</title></rect>", fill(index));
        }
    }
}

/// Names of the series under the title, in as many rows as they need.
struct Legend {
    /// Where each entry stands.
    places: Vec<(f64, f64)>,
    height: f64,
}

impl Legend {
    fn of(plot: &Plot, width: f64) -> Legend {
        let mut legend = Legend { places: Vec::new(), height: 0.0 };
        if plot.series.iter().all(|s| s.name.is_empty()) {
            return legend;
        }
        let (mut x, mut row) = (64.0, 0.0);
        for series in &plot.series {
            let room = 40.0 + shown(&series.name).chars().count() as f64 * CHARACTER;
            if x > 64.0 && x + room > width - 10.0 {
                x = 64.0;
                row += 1.0;
            }
            legend.places.push((x, 38.0 + 18.0 * row));
            x += room;
        }
        legend.height = 18.0 * (row + 1.0) + 4.0;
        legend
    }

    fn draw(&self, out: &mut String, plot: &Plot) {
        for (i, (series, &(x, y))) in plot.series.iter().zip(&self.places).enumerate() {
            match series.mark {
                Mark::Line | Mark::Guide => {
                    let _ = write!(out, "<line{}", stroke(i, series.mark));
                    for (name, value) in [("x1", x), ("y1", y), ("x2", x + 22.0), ("y2", y)] {
                        attribute(out, name, value);
                    }
                    out.push_str("/>");
                    if series.mark == Mark::Line && series.points.len() <= MARKED {
                        shape(out, i, (x + 11.0, y), 3.0, None);
                    }
                }
                Mark::Points => shape(out, i, (x + 11.0, y), 3.5, None),
                Mark::Bars => {
                    out.push_str("<rect");
                    for (name, value) in
                        [("x", x + 4.0), ("y", y - 6.0), ("width", 14.0), ("height", 12.0)]
                    {
                        attribute(out, name, value);
                    }
                    let _ = write!(out, "{}/>", fill(i));
                }
            }
            text(out, (x + 27.0, y + 4.0), "start", "", &shown(&series.name));
        }
    }
}
