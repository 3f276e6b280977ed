//! What is told of one position.

use super::heat::{board_text, heat_map};
use super::place::Place;
use super::story::Moment;
use crate::policy::{self, Guess, Policy};
use crate::position::side_word;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::time::Instant;
use zug_learn::guess::{GuessOrder, Guessed};

/// Asks about one moment. `source` says where it comes from, `moves` how long the game is.
#[must_use]
pub fn answer(
    moment: &Moment,
    source: &str,
    moves: usize,
    policy: &dyn Policy,
    order: &GuessOrder,
) -> Guessed {
    let mut guesses: Vec<Guess> = Vec::new();
    let began = Instant::now();
    policy.guesser().guess(moment.scene(), &mut guesses);
    let micros = began.elapsed().as_secs_f64() * 1e6;
    policy::sort(&mut guesses);
    let size = moment.position.board().size();
    let played = moment.played.map(|at| {
        let place = at.and_then(|p| Place::of(&guesses, p, &moment.position));
        (at.map_or("pass".to_string(), |p| p.name(size)), place)
    });
    let side = side_word(moment.position.to_move());
    let text = text(moment, source, side, &guesses, played.as_ref(), policy, order);
    let shown = guesses.iter().take(order.top).enumerate().map(|(i, g)| {
        json!({"rank": i + 1, "move": g.point.name(size), "probability": round(g.probability)})
    });
    let mut figures = Map::new();
    let mut put = |key: &str, value: Value| {
        figures.insert(key.to_string(), value);
    };
    put("model", json!(policy.name()));
    put("source", json!(source));
    put("size", json!(size));
    put("move", json!(moment.number));
    put("moves_in_game", json!(moves));
    put("to_move", json!(side));
    put("position", json!(moment.position.to_text()));
    put("last_move", json!(moment.recent[0].map(|p| p.name(size))));
    put("guesses_in_all", json!(guesses.len()));
    put("guesses", shown.collect());
    put("played", played.as_ref().map_or(Value::Null, |(name, place)| played_json(name, place)));
    put("microseconds", json!(micros));
    let caption = caption(moment, side, played.as_ref());
    let drawing = (order.svg || order.png).then(|| heat_map(moment, &guesses, &caption));
    Guessed {
        text,
        figures,
        svg: drawing.as_ref().filter(|_| order.svg).map(super::drawing::Drawing::svg),
        png: drawing.as_ref().filter(|_| order.png).map(super::drawing::Drawing::png),
    }
}

/// Without the digits that nobody means.
fn round(probability: f32) -> f64 {
    (f64::from(probability) * 1e6).round() / 1e6
}

fn played_json(name: &str, place: &Option<Place>) -> Value {
    json!({
        "move": name,
        "rank": place.map(|p| p.rank()),
        "equally_likely": place.map(|p| p.equal),
        "probability": place.map(|p| (p.probability * 1e6).round() / 1e6),
    })
}

/// `guess 3`, or where several are equally likely `guess 4 to 9`.
#[must_use]
pub fn rank_words(place: &Place) -> String {
    match place.equal {
        1 => format!("guess {}", place.better + 1),
        n => format!("guess {} to {}", place.better + 1, place.better + n),
    }
}

fn caption(moment: &Moment, side: &str, played: Option<&(String, Option<Place>)>) -> String {
    let mut caption = format!("move {}: {side}", moment.number);
    if let Some((name, place)) = played {
        let _ = write!(caption, ", played {name}");
        if let Some(place) = place {
            let _ = write!(caption, " ({}, {:.1} %)", rank_words(place), 100.0 * place.probability);
        }
    }
    caption
}

fn text(
    moment: &Moment,
    source: &str,
    side: &str,
    guesses: &[Guess],
    played: Option<&(String, Option<Place>)>,
    policy: &dyn Policy,
    order: &GuessOrder,
) -> String {
    let size = moment.position.board().size();
    let mut text =
        format!("{source}, move {} of {side}, guessed by {}\n", moment.number, policy.name());
    text.push_str(&board_text(moment, guesses, order.top, order.colours));
    if guesses.is_empty() {
        text.push_str("no guess: there is no legal move that the model would look at\n");
    }
    let best = guesses.first().map_or(1.0, |g| g.probability);
    for (i, guess) in guesses.iter().take(order.top).enumerate() {
        let bar = "█".repeat((20.0 * guess.probability / best.max(1e-9)).round() as usize);
        let _ = writeln!(
            text,
            "{:>4}  {:<4} {:>5.1} %  {bar}",
            i + 1,
            guess.point.name(size),
            100.0 * guess.probability
        );
    }
    match played {
        Some((name, Some(place))) => {
            let percent = 100.0 * place.probability;
            let _ = writeln!(
                text,
                "played: {name}, {} of {} ({percent:.1} %)",
                rank_words(place),
                guesses.len()
            );
        }
        Some((name, None)) => {
            let _ = writeln!(text, "played: {name}, which is not guessed");
        }
        None => {}
    }
    text
}
