//! A board as a drawing for a page: any game, from its picture.

use crate::markup::escape;
use std::fmt::Write as _;
use zug_core::{Owner, Picture, Side};

/// The size of a cell in pixels.
const CELL: usize = 36;
const MARGIN: usize = 22;

/// Cells to point at.
#[derive(Default)]
pub struct Pointed {
    /// What was played: a red frame.
    pub played: Vec<usize>,
    /// What was best: a green frame, dashed, so that colour alone does not tell them apart.
    pub best: Vec<usize>,
}

/// Draws a board as SVG with its own colours, which suit light and dark pages.
pub fn svg(picture: &Picture, pointed: &Pointed, about: &str) -> String {
    let (width, height) = (picture.width * CELL + MARGIN, picture.height * CELL + MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{}\" \
         viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         style=\"max-width:100%;height:auto;font:15px system-ui,sans-serif\">",
        escape(about)
    );
    for (index, cell) in picture.cells.iter().enumerate() {
        let (x, y) = place(picture, index);
        if cell.owner != Owner::Outside {
            let dark = (index % picture.width + index / picture.width) % 2 == 1;
            let ground = match (picture.chequered, dark) {
                (false, _) => "#2f7d4f",
                (true, false) => "#e8dcc0",
                (true, true) => "#a98459",
            };
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{ground}\" \
                 stroke=\"#1c4d30\" stroke-width=\"1\"/>"
            );
        }
        piece(&mut out, cell.owner, cell.glyph, (x + CELL / 2, y + CELL / 2));
    }
    frames(&mut out, picture, &pointed.best, "stroke=\"#7dff9b\" stroke-dasharray=\"6 4\"", 4);
    frames(&mut out, picture, &pointed.played, "stroke=\"#ff5252\"", 1);
    labels(&mut out, picture);
    out.push_str("</svg>");
    out
}

fn place(picture: &Picture, index: usize) -> (usize, usize) {
    (index % picture.width * CELL + MARGIN, index / picture.width * CELL)
}

fn piece(out: &mut String, owner: Owner, glyph: char, (x, y): (usize, usize)) {
    let _ = match (owner, glyph) {
        (Owner::Piece(side), '●' | '○') => {
            let fill = if side == Side::First { "#111111" } else { "#f7f7f7" };
            write!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\" stroke=\"#444444\"/>",
                CELL * 2 / 5
            )
        }
        (Owner::Piece(_), glyph) => write!(
            out,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"{}\" fill=\"#111111\">{}</text>",
            y + CELL / 4,
            CELL * 3 / 4,
            escape(&glyph.to_string())
        ),
        (Owner::Outside, glyph) => write!(
            out,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\">{}</text>",
            y + 5,
            escape(&glyph.to_string())
        ),
        (Owner::Empty, _) => Ok(()),
    };
}

fn frames(out: &mut String, picture: &Picture, cells: &[usize], stroke: &str, inset: usize) {
    for &index in cells.iter().filter(|&&i| i < picture.cells.len()) {
        let (x, y) = place(picture, index);
        let side = CELL - 2 * inset;
        let (x, y) = (x + inset, y + inset);
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"none\" \
             stroke-width=\"3\" {stroke}/>"
        );
    }
}

fn labels(out: &mut String, picture: &Picture) {
    let mut label = |x: usize, y: usize, text: &str| {
        let _ = write!(
            out,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"currentColor\">{}</text>",
            escape(text)
        );
    };
    for (column, text) in picture.column_labels.iter().enumerate() {
        label(MARGIN + column * CELL + CELL / 2, picture.height * CELL + 16, text);
    }
    for (row, text) in picture.row_labels.iter().enumerate() {
        label(MARGIN / 2 - 2, row * CELL + CELL / 2 + 5, text);
    }
}
