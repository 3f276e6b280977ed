//! Is a game definition sound? Checks that hold the rules against themselves, for
//! `zug games check`.
//!
//! Every entry gets the [`basic`] checks; [`symmetry`] and [`retro`] are added by
//! [`GameEntry::symmetric`](crate::GameEntry::symmetric) and
//! [`GameEntry::retro`](crate::GameEntry::retro) for games with those traits. Each works on
//! positions from random play, says what it has counted, and names the position when something is
//! wrong.

mod history;
mod maps;
mod play;
mod text;

pub use maps::retro_holds;

use crate::entry::Check;
use crate::seed::RngExt;
use crate::{Game, Line, Repetition, Retro, Rng, Symmetric, rng};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Random games are broken off after this many plies.
const LONGEST_GAME: usize = 400;
/// Positions that a check looks at.
const POSITIONS: usize = 2_000;
/// Moves that a check looks at: bounds the work in games with hundreds of moves a position.
const MOVES: usize = 20_000;
/// Leaves that a plain tree may have in the perft check.
const LEAVES: u64 = 20_000;

/// A check from a function; a panic of the game becomes a finding.
pub fn check<G: Game>(
    name: &'static str,
    game: &G,
    run: impl Fn(&G, u64) -> Result<String, String> + Send + Sync + 'static,
) -> Check {
    let game = game.clone();
    let run = move |seed| match catch_unwind(AssertUnwindSafe(|| run(&game, seed))) {
        Ok(result) => result,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?");
            Err(format!("the game panicked: {text}"))
        }
    };
    Check { name, run: Box::new(run) }
}

/// The checks that every game gets.
#[must_use]
pub fn basic<G: Game>(game: &G) -> Vec<Check> {
    vec![
        check("random play", game, play::random_play),
        check("notation", game, text::notation),
        check("garbage", game, text::garbage),
        check("keys", game, history::keys),
        check("perft", game, play::perft),
        check("repetition", game, history::repetition),
        check("picture", game, text::picture),
    ]
}

/// The check of [`Symmetric`].
#[must_use]
pub fn symmetry<G: Symmetric>(game: &G) -> Check {
    check("symmetry", game, maps::symmetry_holds)
}

/// The check of [`Retro`].
#[must_use]
pub fn retro<G: Retro>(game: &G) -> Check {
    check("un-move", game, |game, seed| {
        let positions = sample(game, &mut rng(seed, 7), POSITIONS);
        retro_holds(game, &positions)
    })
}

/// A number for people: 13,412.
#[must_use]
pub fn thousands(n: impl TryInto<u64>) -> String {
    let digits = n.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Positions met in random play from the start position, ends of games among them.
pub fn sample<G: Game>(game: &G, rng: &mut Rng, count: usize) -> Vec<G::Position> {
    let mut positions = vec![game.start()];
    while positions.len() < count {
        let line = random_line(game, rng);
        let last = line.positions().len() - 1;
        for (ply, position) in line.positions().iter().enumerate().skip(1) {
            // A share of each game, so that long games do not fill the sample alone.
            if ply == last || rng.random_range(0..4) == 0 {
                positions.push(position.clone());
            }
        }
        if last == 0 {
            break;
        }
    }
    positions.truncate(count);
    positions
}

/// A random game. Where repetition is forbidden, only the chosen move is tried against the history:
/// asking [`Line::legal_moves`] would play every move of every position.
fn random_line<G: Game>(game: &G, rng: &mut Rng) -> Line<G> {
    let mut line = Line::new(game.clone());
    while line.moves().len() < LONGEST_GAME && line.outcome().is_none() {
        let mut moves = moves_of(game, line.position());
        let before = line.moves().len();
        while !moves.is_empty() && line.moves().len() == before {
            let chosen = rng.random_range(0..moves.len());
            line.play(moves.swap_remove(chosen));
            if game.repetition() == Repetition::Forbidden && has_come_back(&line) {
                line.undo();
            }
        }
        if line.moves().len() == before {
            break;
        }
    }
    line
}

/// Does the last move bring back a position? A pass does not count.
fn has_come_back<G: Game>(line: &Line<G>) -> bool {
    match line.keys() {
        [earlier @ .., before, now] => now != before && earlier.contains(now),
        _ => false,
    }
}

fn moves_of<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

fn after<G: Game>(game: &G, position: &G::Position, mv: G::Move) -> G::Position {
    let mut next = position.clone();
    game.play(&mut next, mv);
    next
}

fn at<G: Game>(game: &G, position: &G::Position) -> String {
    format!("at '{}'", game.write_position(position))
}

#[cfg(test)]
mod tests;
