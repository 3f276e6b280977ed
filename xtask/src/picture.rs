//! Terminal output as a picture for the documentation: text with colour codes in, SVG out.

use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::Path;

/// Reads standard input, writes the picture.
pub fn run(file: &Path) -> Result<String> {
    let text = std::io::read_to_string(std::io::stdin()).context("cannot read standard input")?;
    zug_core::files::write_atomically(file, svg(&text).as_bytes())?;
    Ok(format!("{} written", file.display()))
}

/// Width and height of a character in the picture.
const CELL: (f32, f32) = (8.4, 19.0);

#[derive(Clone, Copy, Default, PartialEq)]
struct Ink {
    foreground: Option<u8>,
    background: Option<u8>,
    bold: bool,
    dim: bool,
}

/// Draws text that may hold ANSI colour codes of the 256-colour palette.
#[must_use]
pub fn svg(text: &str) -> String {
    let lines: Vec<Vec<(char, Ink)>> = coloured_lines(text);
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let (width, height) = (columns as f32 * CELL.0 + 24.0, lines.len() as f32 * CELL.1 + 24.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e1e1e\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = 12.0 + row as f32 * CELL.1;
        for (column, &(sign, ink)) in line.iter().enumerate() {
            let x = 12.0 + column as f32 * CELL.0;
            if let Some(colour) = ink.background {
                let (w, h) = (CELL.0 + 0.3, CELL.1 + 0.3);
                let fill = hex(colour);
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{fill}\"/>"
                );
            }
            if sign != ' ' {
                let fill = ink.foreground.map_or("#d4d4d4".to_string(), hex);
                let weight = if ink.bold { " font-weight=\"bold\"" } else { "" };
                let opacity = if ink.dim { " opacity=\"0.6\"" } else { "" };
                let (x, y) = (x + CELL.0 / 2.0, y + 14.0);
                let _ = writeln!(
                    out,
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"{fill}\"{weight}{opacity}>{}</text>",
                    escape(sign)
                );
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

fn coloured_lines(text: &str) -> Vec<Vec<(char, Ink)>> {
    let (mut lines, mut ink) = (vec![Vec::new()], Ink::default());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => {
                let code: String = chars.by_ref().skip(1).take_while(|c| *c != 'm').collect();
                ink = changed(ink, &code);
            }
            '\n' => lines.push(Vec::new()),
            '\r' => {}
            c => lines.last_mut().expect("there is a line").push((c, ink)),
        }
    }
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

fn changed(mut ink: Ink, code: &str) -> Ink {
    let mut numbers = code.split(';').map(|n| n.parse::<u8>().unwrap_or(0));
    while let Some(n) = numbers.next() {
        match n {
            0 => ink = Ink::default(),
            1 => ink.bold = true,
            2 => ink.dim = true,
            38 => ink.foreground = numbers.nth(1),
            48 => ink.background = numbers.nth(1),
            _ => {}
        }
    }
    ink
}

/// A colour of the 256-colour palette: 16 named ones, a 6×6×6 cube, 24 greys.
fn hex(colour: u8) -> String {
    let (r, g, b) = match colour {
        0..16 => {
            let on = if colour < 8 { 0xcd } else { 0xff };
            let part = |bit: u8| if colour >> bit & 1 == 1 { on } else { 0 };
            (part(0), part(1), part(2))
        }
        16..232 => {
            let step = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let n = colour - 16;
            (step(n / 36), step(n / 6 % 6), step(n % 6))
        }
        232.. => {
            let grey = 8 + 10 * (colour - 232);
            (grey, grey, grey)
        }
    };
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn escape(c: char) -> String {
    match c {
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_signs_arrive_in_the_picture() {
        let picture = svg("\x1b[48;5;22;38;5;231m<\x1b[0m\nab");
        assert!(picture.contains("#005f00") && picture.contains("#ffffff"), "{picture}");
        assert!(picture.contains("&lt;") && picture.contains(">b<"), "{picture}");
        assert_eq!(picture.matches("<text").count(), 3);
    }
}
