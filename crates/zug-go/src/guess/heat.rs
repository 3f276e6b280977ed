//! What does a position look like with its guesses: a board for the terminal, a heat map for files.

use super::drawing::{Drawing, Ink, Shape};
use super::story::Moment;
use crate::colour::Colour;
use crate::point::{Point, column_letter};
use crate::policy::Guess;
use crate::position::side_word;
use crate::rules::star_points;
use zug_core::Side;

/// From one line to the next, in pixels.
const STEP: f64 = 40.0;
/// Around the outer lines.
const MARGIN: f64 = 50.0;
/// Guesses below are not coloured.
const FAINT: f32 = 0.005;
const WOOD: Ink = [236, 200, 130];
const DARK: Ink = [40, 30, 20];
const BLACK: Ink = [20, 20, 20];
const WHITE: Ink = [248, 248, 244];
const HOT: Ink = [210, 30, 30];
const PLAYED: Ink = [20, 60, 220];

/// The heat map of a position; guesses in order.
#[must_use]
pub fn heat_map(moment: &Moment, guesses: &[Guess], caption: &str) -> Drawing {
    let board = moment.position.board();
    let size = board.size();
    let span = STEP * (size - 1) as f64;
    let at = |i: usize| MARGIN + STEP * i as f64;
    let far = MARGIN + span;
    let mut shapes = Vec::new();
    for i in 0..size {
        shapes.push(Shape::Line(at(i), MARGIN, at(i), far, 1.0, DARK));
        shapes.push(Shape::Line(MARGIN, at(i), far, at(i), 1.0, DARK));
        let (letter, number) = (column_letter(i).to_string(), (size - i).to_string());
        for edge in [MARGIN / 2.6, far + MARGIN - MARGIN / 2.6] {
            shapes.push(Shape::Text(at(i), edge, 10.0, letter.clone(), DARK));
            shapes.push(Shape::Text(edge, at(i), 10.0, number.clone(), DARK));
        }
    }
    let stars = star_points(size).into_iter().filter(|&p| board.at(p) == Colour::Empty);
    shapes.extend(stars.map(|p| Shape::Disc(at(p.x()), at(p.y()), 3.5, DARK)));
    let best = guesses.iter().map(|g| g.probability).fold(0.0, f32::max);
    for guess in guesses.iter().filter(|g| g.probability >= FAINT) {
        let (x, y) = (at(guess.point.x()), at(guess.point.y()));
        // The square root lets small chances be seen beside a large one.
        let heat = f64::from((guess.probability / best.max(FAINT)).sqrt());
        let mix =
            |i: usize| (f64::from(WOOD[i]) + (f64::from(HOT[i]) - f64::from(WOOD[i])) * heat) as u8;
        shapes.push(Shape::Disc(x, y, STEP * 0.46, [mix(0), mix(1), mix(2)]));
        let ink = if heat > 0.6 { WHITE } else { DARK };
        shapes.push(Shape::Text(x, y, 10.0, percent(guess.probability), ink));
    }
    for p in board.points() {
        let Some(side) = board.at(p).side() else { continue };
        let (fill, other) = if side == Side::First { (BLACK, WHITE) } else { (WHITE, BLACK) };
        let (x, y) = (at(p.x()), at(p.y()));
        shapes.push(Shape::Disc(x, y, STEP * 0.47, BLACK));
        shapes.push(Shape::Disc(x, y, STEP * 0.45, fill));
        if moment.recent[0] == Some(p) {
            shapes.push(Shape::Ring(x, y, STEP * 0.22, 2.5, other));
        }
    }
    if let Some(Some(p)) = moment.played {
        shapes.push(Shape::Ring(at(p.x()), at(p.y()), STEP * 0.46, 3.0, PLAYED));
    }
    let width = (2.0 * MARGIN + span) as usize;
    // Long captions are made smaller rather than cut off.
    let letters = caption.chars().count().max(1) as f64;
    let height = (width as f64 - 20.0) / letters / 6.0 * 7.0;
    let centre = width as f64 / 2.0;
    let below = 2.0 * MARGIN + span + 8.0;
    shapes.push(Shape::Text(centre, below, height.min(12.0), caption.to_string(), DARK));
    Drawing { width, height: width + 30, background: WOOD, shapes }
}

/// `23`, `4.1`, `0.6`: a chance in percent, short enough for a point.
fn percent(probability: f32) -> String {
    let percent = 100.0 * probability;
    if percent >= 9.95 { format!("{percent:.0}") } else { format!("{percent:.1}") }
}

/// The board for a terminal: stones, the last move in parentheses, guesses by rank, the move that was
/// played in brackets.
#[must_use]
pub fn board_text(moment: &Moment, guesses: &[Guess], top: usize, colours: bool) -> String {
    let board = moment.position.board();
    let size = board.size();
    let stars = star_points(size);
    let best = guesses.first().map_or(0.0, |g| g.probability);
    let columns: String = (0..size).map(|x| format!(" {} ", column_letter(x))).collect();
    let mut out = format!("   {columns}\n");
    for y in 0..size {
        out.push_str(&format!("{:>2} ", size - y));
        for x in 0..size {
            let p = Point::at(x, y);
            let rank = guesses.iter().take(top.min(RANKS.len())).position(|g| g.point == p);
            let sign = match (board.at(p), rank) {
                (Colour::Black, _) => 'X',
                (Colour::White, _) => 'O',
                (_, Some(rank)) => char::from(RANKS[rank]),
                _ if stars.contains(&p) => '+',
                _ => '.',
            };
            let (left, right) = match () {
                () if moment.recent[0] == Some(p) => ('(', ')'),
                () if moment.played == Some(Some(p)) => ('[', ']'),
                () => (' ', ' '),
            };
            let cell = format!("{left}{sign}{right}");
            match rank.filter(|_| colours) {
                Some(rank) => {
                    let heat = (guesses[rank].probability / best.max(1e-9)).sqrt();
                    // From grey to red in the colour cube of terminals.
                    let shade = [236, 52, 88, 124, 160][(heat * 4.0) as usize % 5];
                    out.push_str(&format!("\x1b[1;38;5;231;48;5;{shade}m{cell}\x1b[0m"));
                }
                None => out.push_str(&cell),
            }
        }
        out.push_str(&format!(" {}\n", size - y));
    }
    out.push_str(&format!("   {columns}\n"));
    let side = side_word(moment.position.to_move());
    out.push_str(&format!("   X black, O white; {side} to move; (x) the last move"));
    if matches!(moment.played, Some(Some(_))) {
        out.push_str("; [x] what was played");
    }
    out.push('\n');
    out
}

/// The signs of the first guesses.
const RANKS: &[u8] = b"123456789abcdefghijklmnpqrstuvwyz";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn moment() -> (Moment, Vec<Guess>) {
        let position = Position::from_text("5/1X3/5/3O1/5 black", 5).unwrap();
        let recent = [Some(Point::at(3, 3)), None];
        let played = Some(Some(Point::at(4, 0)));
        let guess = |x, y, probability| Guess { point: Point::at(x, y), probability };
        let guesses = vec![guess(2, 2, 0.7), guess(4, 0, 0.25), guess(0, 0, 0.001)];
        (Moment { number: 3, position, recent, played }, guesses)
    }

    #[test]
    fn the_terminal_shows_stones_ranks_and_what_was_played() {
        let (moment, guesses) = moment();
        let text = board_text(&moment, &guesses, 2, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], " 5  .  .  .  . [2] 5");
        assert_eq!(lines[2], " 4  .  X  .  .  .  4");
        assert_eq!(lines[3], " 3  .  .  1  .  .  3");
        assert_eq!(lines[4], " 2  .  .  . (O) .  2");
        assert!(text.contains("black to move"));
        assert!(board_text(&moment, &guesses, 2, true).contains("\x1b[0m"));
    }

    #[test]
    fn the_heat_map_is_sound_and_names_percentages() {
        let (moment, guesses) = moment();
        let drawing = heat_map(&moment, &guesses, "move 3 <x>");
        let svg = drawing.svg();
        zug_learn::markup::check(&svg).unwrap();
        assert!(svg.contains(">70<") && svg.contains(">25<") && !svg.contains(">0.1<"));
        assert_eq!(&drawing.png()[1..4], b"PNG");
    }
}
