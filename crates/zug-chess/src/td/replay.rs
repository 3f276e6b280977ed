//! How did the weights change from game to game? Six boards of the square tables that go through
//! the kept weights in a loop (the thesis's Visual Eval, section 6.2). The loop needs no script; with
//! one it can be stopped, and every point chosen.

use crate::factors::layout::SQUARES;
use crate::model::Model;
use crate::model::page::Scale;
use std::fmt::Write as _;

const CELL: usize = 24;
/// Room for the names of rows and files.
const EDGE: usize = 14;
const BOARD: usize = 8 * CELL + 14 + EDGE;
const PIECES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
/// Seconds for which weights are shown.
const SECONDS: f64 = 0.8;
/// Seconds of a loop, at most.
const LOOP: f64 = 20.0;

/// What stops a loop and chooses a point of it, for all loops of a page.
pub const SCRIPT: &str = include_str!("replay.js");

/// How much each square's weight differs from the first model, by column; one picture a model, in a
/// loop. Nothing where there are fewer than two models.
pub fn drawing(models: &[(u64, Model)], column: usize, scale: Scale) -> Option<String> {
    let (_, first) = models.first()?;
    if models.len() < 2 {
        return None;
    }
    let change = |model: &Model, at: usize| {
        model.column(column)[SQUARES + at] - first.column(column)[SQUARES + at]
    };
    let (width, height) = (3 * BOARD + 8, 2 * (BOARD + 18) + 24);
    let seconds = (SECONDS * models.len() as f64).min(LOOP);
    let time = format!("dur=\"{seconds:.2}s\" repeatCount=\"indefinite\" calcMode=\"discrete\"");
    let mut out = format!(
        "<div class=\"loop\" data-seconds=\"{seconds:.2}\"><style>.loop input{{width:min(28rem,60%);\
         vertical-align:middle}}.loop button{{font:inherit;min-width:5rem;margin-right:1rem}}.loop \
         svg{{max-width:100%;height:auto}}</style><p hidden=\"hidden\"><button>Pause</button><input \
         type=\"range\" min=\"0\" max=\"{}\" value=\"0\" aria-label=\"point\"/></p>{}",
        models.len() - 1,
        scale.legend()
    );
    let _ = write!(
        out,
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
        let (left, top) = (8 + EDGE + piece % 3 * BOARD, 24 + piece / 3 * (BOARD + 18));
        let _ = write!(out, "<text x=\"{left}\" y=\"{}\">{name}</text>", top + 12);
        for (line, file) in (0..8).zip('a'..='h') {
            let (x, y) = (left + line * CELL + CELL / 2, top + 16 + line * CELL + CELL / 2 + 4);
            let bottom = top + 16 + 8 * CELL + 12;
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"10\">{}</text>\
                 <text x=\"{x}\" y=\"{bottom}\" text-anchor=\"middle\" font-size=\"10\">{file}</text>",
                left - 7,
                8 - line
            );
        }
        for square in 0..64 {
            let (x, y) = (left + square % 8 * CELL, top + 16 + (7 - square / 8) * CELL);
            let at = piece * 64 + square;
            let colors: Vec<String> =
                models.iter().map(|(_, m)| color(scale, change(m, at))).collect();
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
    out.push_str("</svg></div>");
    Some(out)
}

fn color(scale: Scale, change: f32) -> String {
    let [r, g, b] = scale.colour(change);
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
        let scale = Scale { most: 10.0 };
        assert_eq!(drawing(&[(0, first.clone())], 0, scale), None);
        let svg = drawing(&[(0, first), (50, second)], 0, scale).unwrap();
        zug_learn::markup::check(&svg).unwrap();
        assert_eq!(svg.matches("values=\"#f5f5f0;#e98a3c\"").count(), 1);
        assert!(svg.contains("after 50 games"));
        assert!(svg.contains("type=\"range\" min=\"0\" max=\"1\""));
        assert_eq!(svg.matches(">h</text>").count(), 6);
    }
}
