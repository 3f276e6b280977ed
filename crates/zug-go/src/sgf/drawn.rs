//! What is drawn on the board, and what is thought of the position: properties of a node in a file,
//! [commands](zug_core::commands) in a comment of a study.

use super::main_line::coordinate;
use super::text::{escape, simple_text};
use super::tree::{Node, Property};
use crate::point::{Point, read_point};
use std::collections::{BTreeMap, BTreeSet};
use zug_core::commands::{self, Command, GLYPHS};

/// Commands and properties that are lists of points.
const SHAPES: [(&str, &str); 6] =
    [("csl", "CR"), ("tri", "TR"), ("sqr", "SQ"), ("crs", "MA"), ("sel", "SL"), ("dim", "DD")];

/// Commands and properties that are lists of two points each.
const LINKS: [(&str, &str); 2] = [("cal", "AR"), ("lin", "LN")];

/// Properties with the glyphs of PGN that say the same; `2` emphasises.
const SIGNS: [(&str, &str, u8); 6] = [
    ("DM", "1", 10),
    ("UC", "1", 13),
    ("GW", "2", 18),
    ("GW", "1", 16),
    ("GB", "2", 19),
    ("GB", "1", 17),
];

/// The colours of circles and arrows in a comment; SGF has none.
const COLOURS: [char; 4] = ['G', 'R', 'Y', 'B'];

/// Points that the rectangles of a file may grow to: a few letters stand for the whole board, and a file
/// may have them at every node.
pub(super) const ROOM: usize = 1 << 20;

/// Drawings and signs. They are sets, so that what was read, written and read is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Drawn {
    shapes: [BTreeSet<Point>; SHAPES.len()],
    links: [BTreeSet<(Point, Point)>; LINKS.len()],
    labels: BTreeMap<Point, String>,
    glyphs: BTreeSet<u8>,
}

impl Drawn {
    /// The drawings of a node; `room` is what rectangles may still grow to. What cannot be read is left out.
    pub fn of_node(node: &Node, size: usize, room: &mut usize) -> Drawn {
        let mut drawn = Drawn::default();
        for property in &node.properties {
            drawn.add_property(property, size, room);
        }
        drawn
    }

    fn add_property(&mut self, property: &Property, size: usize, room: &mut usize) {
        let name = property.name.as_str();
        if let Some(i) = SHAPES.iter().position(|shape| shape.1 == name) {
            for value in &property.values {
                add_points(value, size, room, &mut self.shapes[i]);
            }
        } else if let Some(i) = LINKS.iter().position(|link| link.1 == name) {
            let ends = |value: &String| {
                let (from, to) = value.split_once(':')?;
                Some((point(from, size)?, point(to, size)?)).filter(|(from, to)| from != to)
            };
            self.links[i].extend(property.values.iter().filter_map(ends));
        } else if name == "LB" {
            for value in &property.values {
                let Some((at, text)) = value.split_once(':') else { continue };
                if let (Some(at), Some(text)) = (point(at, size), label(&simple_text(text))) {
                    self.labels.entry(at).or_insert(text);
                }
            }
        } else {
            let value = property.value().trim();
            let says = |sign: &&(&str, &str, u8)| {
                sign.0 == name && (sign.1 == value || (sign.1 == "1" && value.is_empty()))
            };
            // Only some have a glyph for the emphasis.
            let plain = |sign: &&(&str, &str, u8)| sign.0 == name && value == "2";
            let sign = SIGNS.iter().find(says).or_else(|| SIGNS.iter().find(plain));
            self.glyphs.extend(sign.map(|sign| sign.2));
        }
    }

    /// Takes drawings out of a comment. A command that cannot be read as a whole stays where it is.
    pub fn take(comment: &str, size: usize) -> (String, Drawn) {
        let mut drawn = Drawn::default();
        let rest = commands::take(comment, |command| drawn.add_command(command, size).is_some());
        (rest, drawn)
    }

    /// All of a command or nothing.
    fn add_command(&mut self, command: &Command<'_>, size: usize) -> Option<()> {
        let field = |text: &str| read_point(text.trim(), size).ok();
        let name = command.name;
        // Where there are colours, they stand before the field.
        let coloured = matches!(name, "csl" | "cal");
        let plain = |item| if coloured { str::strip_prefix(item, COLOURS) } else { Some(item) };
        if let Some(i) = SHAPES.iter().position(|shape| shape.0 == name) {
            let points: Option<Vec<Point>> =
                command.items().map(|item| field(plain(item)?)).collect();
            self.shapes[i].extend(points?);
        } else if let Some(i) = LINKS.iter().position(|link| link.0 == name) {
            let ends = |item| {
                let (from, to) = commands::pair(plain(item)?)?;
                Some((field(from)?, field(to)?)).filter(|(from, to)| from != to)
            };
            let links: Option<Vec<(Point, Point)>> = command.items().map(ends).collect();
            self.links[i].extend(links?);
        } else if name == "lbl" {
            let one = |item: &str| {
                let (at, text) = item.split_once('=')?;
                Some((field(at)?, label(&commands::decode(text))?))
            };
            let labels: Option<Vec<(Point, String)>> = command.items().map(one).collect();
            for (at, text) in labels? {
                self.labels.entry(at).or_insert(text);
            }
        } else {
            self.glyphs.extend(command.glyphs()?);
        }
        Some(())
    }

    /// As commands with blanks between them; nothing for nothing.
    pub fn to_commands(&self, size: usize) -> String {
        let mut all = Vec::new();
        for ((name, _), points) in SHAPES.iter().zip(&self.shapes) {
            let colour = if *name == "csl" { "G" } else { "" };
            all.extend(commands::write(
                name,
                points.iter().map(|p| format!("{colour}{}", p.name(size))),
            ));
        }
        for ((name, _), links) in LINKS.iter().zip(&self.links) {
            let colour = if *name == "cal" { "G" } else { "" };
            let item = |(from, to): &(Point, Point)| {
                format!("{colour}{}-{}", from.name(size), to.name(size))
            };
            all.extend(commands::write(name, links.iter().map(item)));
        }
        let labels = self.labels.iter();
        let item =
            |(at, text): (&Point, &String)| format!("{}={}", at.name(size), commands::encode(text));
        all.extend(commands::write("lbl", labels.map(item)));
        all.extend(commands::write(GLYPHS, &self.glyphs));
        all.join(" ")
    }

    /// As properties, and the glyphs for which SGF has none.
    pub fn to_properties(&self) -> (Vec<Property>, Vec<u8>) {
        let mut all: Vec<Property> = Vec::new();
        let mut rest = self.glyphs.clone();
        for (name, value, glyph) in SIGNS {
            // A node has at most one property of a name.
            if rest.contains(&glyph) && all.iter().all(|property| property.name != name) {
                rest.remove(&glyph);
                all.push(Property::new(name, value));
            }
        }
        let mut put = |name: &str, values: Vec<String>| {
            if !values.is_empty() {
                all.push(Property { name: name.to_string(), values });
            }
        };
        for ((_, name), points) in SHAPES.iter().zip(&self.shapes) {
            put(name, points.iter().copied().map(letters).collect());
        }
        for ((_, name), links) in LINKS.iter().zip(&self.links) {
            let value = |&(from, to): &(Point, Point)| format!("{}:{}", letters(from), letters(to));
            put(name, links.iter().map(value).collect());
        }
        let labels = self.labels.iter();
        let value = |(&at, text): (&Point, &String)| {
            format!("{}:{}", letters(at), escape(text).replace(':', "\\:"))
        };
        put("LB", labels.map(value).collect());
        (all, rest.into_iter().collect())
    }
}

/// A label as SGF can hold it: on one line, and not empty.
fn label(text: &str) -> Option<String> {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    (!text.is_empty()).then_some(text)
}

/// A point, or a rectangle `aa:cc` as far as it is on the board.
fn add_points(value: &str, size: usize, room: &mut usize, out: &mut BTreeSet<Point>) {
    let Some((a, b)) = value.split_once(':') else {
        out.extend(point(value, size));
        return;
    };
    // The largest board of the format, since corners may lie outside ours.
    let (Some(a), Some(b)) = (place(a, 52), place(b, 52)) else { return };
    for y in a.1.min(b.1)..=a.1.max(b.1).min(size.saturating_sub(1)) {
        for x in a.0.min(b.0)..=a.0.max(b.0).min(size.saturating_sub(1)) {
            let Some(left) = room.checked_sub(1) else { return };
            *room = left;
            out.extend(Point::new(x, y));
        }
    }
}

fn place(value: &str, size: usize) -> Option<(usize, usize)> {
    let &[x, y] = value.trim().as_bytes() else { return None };
    Some((coordinate(x, size)?.into(), coordinate(y, size)?.into()))
}

fn point(value: &str, size: usize) -> Option<Point> {
    place(value, size).and_then(|(x, y)| Point::new(x, y))
}

fn letters(p: Point) -> String {
    [p.x(), p.y()].map(|i| char::from(b'a' + i as u8)).iter().collect()
}

#[cfg(test)]
mod tests;
