//! Boards and scores on a terminal. Colour is dropped by `anstream` when the output is no
//! terminal.

use std::fmt::Write as _;
use zug_book::review::{proven_text, proven_winner};
use zug_core::{AnyGame, AnyLine, Bound, Info, Owner, Picture, Score, Side};

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Letters instead of Unicode signs.
    pub ascii: bool,
    /// Colours will be seen, so pieces need not be told apart by their outline.
    pub coloured: bool,
}

impl Style {
    /// For standard output as it is now.
    pub fn of_stdout(ascii: bool) -> Style {
        let choice = anstream::AutoStream::choice(&std::io::stdout());
        Style { ascii, coloured: choice != anstream::ColorChoice::Never }
    }
}

/// What to point at.
#[derive(Default)]
pub struct Marks {
    /// Cells of the last move.
    pub last: Vec<usize>,
    /// Cells where a legal move would go.
    pub hints: Vec<usize>,
}

/// Has the user asked for no colours (<https://no-color.org>)?
pub fn is_plain_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";

/// Draws a position with labels on the left and below.
pub fn draw(game: &dyn AnyGame, picture: &Picture, marks: &Marks, style: Style) -> String {
    let mut out = String::new();
    let margin = picture.row_labels.iter().map(String::len).max().unwrap_or(0);
    for row in 0..picture.height {
        let label = picture.row_labels.get(row).map_or("", String::as_str);
        let _ = write!(out, " {DIM}{label:>margin$}{RESET} ");
        for column in 0..picture.width {
            out.push_str(&cell(game, picture, marks, style, row, column));
        }
        out.push('\n');
    }
    if !picture.column_labels.is_empty() {
        let _ = write!(out, " {:>margin$} {DIM}", "");
        for label in &picture.column_labels {
            let _ = write!(out, " {label:<2}");
        }
        let _ = writeln!(out, "{RESET}");
    }
    for note in &picture.notes {
        let _ = writeln!(out, " {:>margin$} {note}", "");
    }
    out
}

/// One cell, three characters wide.
fn cell(
    game: &dyn AnyGame,
    picture: &Picture,
    marks: &Marks,
    style: Style,
    row: usize,
    column: usize,
) -> String {
    let index = row * picture.width + column;
    let cell = &picture.cells[index];
    let hint = cell.owner == Owner::Empty && marks.hints.contains(&index);
    if cell.owner == Owner::Outside {
        let c = if style.ascii { cell.letter } else { cell.glyph };
        let (left, right) = joins(c);
        return format!("{DIM}{left}{c}{right}{RESET}");
    }
    let background = if marks.last.contains(&index) {
        100
    } else if !picture.chequered {
        22
    } else if (row + column).is_multiple_of(2) {
        144
    } else {
        65
    };
    let sign = match (hint, style.ascii) {
        (true, true) => '*',
        (true, false) => '•',
        (false, true) => cell.letter,
        (false, false) if style.coloured => filled(cell.glyph),
        (false, false) => cell.glyph,
    };
    let foreground = match cell.owner {
        Owner::Piece(side) => ink(game.side_name(side), side),
        _ if hint => "38;5;221",
        _ if picture.chequered => "38;5;242",
        _ => "38;5;65",
    };
    // The last move is also marked by brackets: colour alone does not survive a pipe.
    let (left, right) = if marks.last.contains(&index) { ('[', ']') } else { (' ', ' ') };
    format!("\x1b[48;5;{background};{foreground}m{left}{sign}{right}{RESET}")
}

/// The filled form of a sign that is drawn in outline: in colour, white ink makes a white piece.
fn filled(sign: char) -> char {
    match sign {
        '○' => '●',
        '♔' => '♚',
        '♕' => '♛',
        '♖' => '♜',
        '♗' => '♝',
        '♘' => '♞',
        '♙' => '♟',
        sign => sign,
    }
}

/// The colour of a side's pieces.
fn ink(name: &str, side: Side) -> &'static str {
    match (name, side) {
        ("black", _) => "1;38;5;16",
        ("white", _) => "1;38;5;231",
        (_, Side::First) => "1;38;5;226",
        (_, Side::Second) => "1;38;5;203",
    }
}

/// Line signs are drawn through to their neighbours.
fn joins(sign: char) -> (char, char) {
    match sign {
        '─' | '┼' | '┬' | '┴' => ('─', '─'),
        '├' | '┌' | '└' => (' ', '─'),
        '┤' | '┐' | '┘' => ('─', ' '),
        '-' => ('-', '-'),
        _ => (' ', ' '),
    }
}

/// "depth 8  +0.35  1.2 Mn  e2e4 e7e5": what is thought of the present position of a line. The unit of
/// values is named where it is not that of the game.
pub fn thought(info: &Info, line: &dyn AnyLine, foreign_unit: Option<&str>) -> String {
    let mut out = String::new();
    if info.depth > 0 {
        let _ = write!(out, "depth {}  ", info.depth);
    }
    if let Some(winner) = proven_winner(info, line.to_move()) {
        let _ = write!(out, "{}  ", proven_text(line.side_name(winner)));
    } else {
        match info.bound {
            Bound::Exact => {}
            Bound::AtLeast => out.push_str("at least "),
            Bound::AtMost => out.push_str("at most "),
        }
        match (info.score, foreign_unit) {
            (Some(Score::DRAW), _) if info.proven => out.push_str("a draw  "),
            (Some(score), Some(unit)) if !info.proven && !score.is_proven() => {
                let _ = write!(out, "{score} {unit}  ");
            }
            (Some(score), _) => {
                let _ = write!(out, "{score}  ");
            }
            (None, _) => {}
        }
    }
    if let Some(rate) = info.win_rate {
        let _ = write!(out, "wins {:.1} %  ", rate * 100.0);
    }
    let _ = write!(out, "{} nodes  {}", count(info.nodes), info.line.join(" "));
    out.trim_end().to_string()
}

/// 1234567 as "1.23 M".
pub fn count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{:.1} k", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} M", n as f64 / 1e6),
        _ => format!("{:.2} G", n as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::erased::SharedGame;

    #[test]
    fn a_proof_without_a_score_is_words_and_foreign_units_are_named() {
        let game: SharedGame = std::sync::Arc::new(zug_othello::Othello::default());
        let line = game.new_line();
        let info =
            |score, bound, proven| Info { score: Some(score), bound, proven, ..Info::default() };
        let told = |info: &Info, unit| thought(info, line.as_ref(), unit);
        let lost = info(-Score::won_by(2.0), Bound::AtMost, true);
        assert_eq!(told(&lost, None), "White wins, proven  0 nodes");
        let won = info(Score::won_by(2.0), Bound::AtLeast, true);
        assert_eq!(told(&won, None), "Black wins, proven  0 nodes");
        let drawn = info(Score::DRAW, Bound::AtLeast, true);
        assert!(told(&drawn, None).starts_with("at least "), "{}", told(&drawn, None));
        let exact = info(Score::won_by(2.0), Bound::Exact, true);
        assert_eq!(told(&exact, Some("percent")), "won by 2  0 nodes");
        let guess = info(Score::estimate(150), Bound::Exact, false);
        assert_eq!(told(&guess, Some("percent of a win")), "+1.50 percent of a win  0 nodes");
        assert_eq!(told(&guess, None), "+1.50  0 nodes");
    }
}
