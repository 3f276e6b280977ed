//! How did the weights change from game to game? Six boards of the square tables that go through
//! the kept weights in a loop (the thesis's Visual Eval, section 6.2), without any script.

use crate::factors::layout::SQUARES;
use crate::model::Model;
use crate::model::page::colour;
use std::fmt::Write as _;

const CELL: usize = 24;
const BOARD: usize = 8 * CELL + 14;
const PIECES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
/// Seconds for which weights are shown.
const SECONDS: f64 = 0.8;
/// Seconds of a loop, at most.
const LOOP: f64 = 20.0;

/// How much each square's weight differs from the first model, by column; one picture a model, in a
/// loop. Nothing where there are fewer than two models.
pub fn drawing(models: &[(u64, Model)], column: usize) -> Option<String> {
    let (_, first) = models.first()?;
    if models.len() < 2 {
        return None;
    }
    let change = |model: &Model, at: usize| {
        f64::from(model.column(column)[SQUARES + at] - first.column(column)[SQUARES + at])
    };
    let largest = (models.iter())
        .flat_map(|(_, m)| (0..6 * 64).map(move |at| change(m, at).abs()))
        .fold(1e-9, f64::max);
    let (width, height) = (3 * BOARD + 8, 2 * (BOARD + 18) + 24);
    let time = format!(
        "dur=\"{:.1}s\" repeatCount=\"indefinite\" calcMode=\"discrete\"",
        (SECONDS * models.len() as f64).min(LOOP)
    );
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" \
         fill=\"currentColor\">"
    );
    for (frame, (game, _)) in models.iter().enumerate() {
        let part = |f: usize| format!("{:.5}", f as f64 / models.len() as f64);
        // What a drawing that does not move shows, such as on paper.
        let (values, times, resting) = match frame {
            0 => ("visible;hidden".to_string(), format!("0;{}", part(1)), "hidden"),
            f if f + 1 == models.len() => {
                ("hidden;visible".to_string(), format!("0;{}", part(f)), "visible")
            }
            f => {
                let times = format!("0;{};{}", part(f), part(f + 1));
                ("hidden;visible;hidden".to_string(), times, "hidden")
            }
        };
        let _ = write!(
            out,
            "<text x=\"8\" y=\"14\" visibility=\"{resting}\">after {game} games \
             <animate attributeName=\"visibility\" values=\"{values}\" keyTimes=\"{times}\" \
             {time}/></text>"
        );
    }
    for (piece, name) in PIECES.iter().enumerate() {
        let (left, top) = (8 + piece % 3 * BOARD, 24 + piece / 3 * (BOARD + 18));
        let _ = write!(out, "<text x=\"{left}\" y=\"{}\">{name}</text>", top + 12);
        for square in 0..64 {
            let (x, y) = (left + square % 8 * CELL, top + 16 + (7 - square / 8) * CELL);
            let at = piece * 64 + square;
            let colors: Vec<String> =
                models.iter().map(|(_, m)| color(change(m, at) / largest)).collect();
            let last = colors.last().cloned().unwrap_or_default();
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{last}\" \
                 stroke=\"#888888\" stroke-width=\"0.3\">"
            );
            if colors.iter().any(|c| *c != last) {
                let _ = write!(
                    out,
                    "<animate attributeName=\"fill\" values=\"{}\" {time}/>",
                    colors.join(";")
                );
            }
            out.push_str("</rect>");
        }
    }
    out.push_str("</svg>");
    Some(out)
}

/// The colours of the tables: near white for nothing, orange for more, blue for less.
fn color(share: f64) -> String {
    let strength = share.abs().min(1.0).sqrt().copysign(share);
    let [r, g, b] = colour(strength as f32, -1.0, 1.0);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Start;
    use crate::types::Scheme;

    #[test]
    fn the_replay_is_well_formed_and_shows_what_moved() {
        let first = Model::start(Scheme::One, Start::Zero);
        let mut second = first.clone();
        second.weights[SQUARES + 64 + 18] = 12.0;
        assert_eq!(drawing(&[(0, first.clone())], 0), None);
        let svg = drawing(&[(0, first), (50, second)], 0).unwrap();
        zug_learn::markup::check(&svg).unwrap();
        assert_eq!(svg.matches("values=\"#f5f5f0;#e98a3c\"").count(), 1);
        assert!(svg.contains("after 50 games"));
        assert!(!svg.contains("<script"));
    }
}
