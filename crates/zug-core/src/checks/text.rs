//! Do positions, moves and pictures say what they mean?

use super::play::one_position;
use super::{MOVES, POSITIONS, at, moves_of, sample, thousands};
use crate::seed::RngExt;
use crate::{Game, Rng, Spec, rng};
use std::collections::HashSet;

/// Positions and moves survive being written and read; different moves are written differently.
pub(super) fn notation<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    if let Err(e) = Spec::parse(&game.spec()) {
        return Err(format!("the game's own name '{}' cannot be read: {e}", game.spec()));
    }
    let (mut positions, mut count) = (0, 0);
    for position in sample(game, &mut rng(seed, 2), POSITIONS) {
        let text = game.write_position(&position);
        if text.contains(['\n', '\r']) {
            return Err(format!("a position is written on several lines: '{text}'"));
        }
        let read = game.read_position(&text).map_err(|e| format!("cannot read '{text}': {e}"))?;
        if read != position {
            let again = game.write_position(&read);
            return Err(format!("'{text}' is read as another position ('{again}')"));
        }
        let moves = moves_of(game, &position);
        if moves_of(game, &read) != moves {
            return Err(format!("'{text}', once read, has its moves in another order"));
        }
        let mut texts = HashSet::new();
        for &mv in &moves {
            let text = game.write_move(&position, mv);
            let read = game
                .read_move(&position, &text)
                .map_err(|e| format!("cannot read move '{text}' {}: {e}", at(game, &position)))?;
            if read != mv {
                return Err(format!("move '{text}' is read as another {}", at(game, &position)));
            }
            if !texts.insert(text.clone()) {
                return Err(format!("two moves are written '{text}' {}", at(game, &position)));
            }
        }
        positions += 1;
        count += moves.len();
        if count > MOVES {
            break;
        }
    }
    Ok(format!("{} positions, {} moves", thousands(positions), thousands(count)))
}

/// Damaged text is refused or means something legal.
pub(super) fn garbage<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let mut rng = rng(seed, 3);
    let (mut refused, mut accepted) = (0, 0);
    let mut note = |ok: bool| if ok { accepted += 1 } else { refused += 1 };
    for position in sample(game, &mut rng, 200) {
        let moves = moves_of(game, &position);
        let texts: Vec<String> =
            moves.iter().map(|&mv| game.write_move(&position, mv)).take(8).collect();
        let mut attempts: Vec<String> = texts.iter().map(|t| damage(t, &mut rng)).collect();
        attempts.extend(["", " ", "\u{0}", "ß", "pass pass", "-1"].map(String::from));
        for text in attempts {
            let read = game.read_move(&position, &text);
            note(read.is_ok());
            if let Ok(mv) = read
                && !moves.contains(&mv)
            {
                return Err(format!("illegal move '{text}' is accepted {}", at(game, &position)));
            }
        }
        let text = game.write_position(&position);
        for _ in 0..8 {
            let text = damage(&text, &mut rng);
            let read = game.read_position(&text);
            note(read.is_ok());
            let Ok(read) = read else { continue };
            one_position(game, &read).map_err(|e| format!("after reading '{text}': {e}"))?;
            let written = game.write_position(&read);
            if game.read_position(&written).as_ref() != Ok(&read) {
                return Err(format!("'{text}' is accepted, but written as '{written}'"));
            }
        }
    }
    Ok(format!("{} texts refused, {} accepted", thousands(refused), thousands(accepted)))
}

/// A few bytes changed, removed, doubled or added, always valid UTF-8.
fn damage(text: &str, rng: &mut Rng) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..4) {
        let i = rng.random_range(0..=chars.len());
        match rng.random_range(0..5) {
            0 if i < chars.len() => drop(chars.remove(i)),
            1 if i < chars.len() => chars[i] = chars[i].to_ascii_uppercase(),
            2 if i < chars.len() => chars.insert(i, chars[i]),
            3 => chars.truncate(i),
            _ => chars.insert(i, char::from(rng.random_range(b' '..b'\x7f'))),
        }
    }
    chars.into_iter().collect()
}

/// The picture is whole and moves touch cells that are on it.
pub(super) fn picture<G: Game>(game: &G, seed: u64) -> Result<String, String> {
    let (mut pictures, mut cells) = (0, 0);
    for position in sample(game, &mut rng(seed, 8), POSITIONS / 10) {
        let picture = game.picture(&position);
        let size = picture.width * picture.height;
        let labels = [
            (picture.column_labels.len(), picture.width),
            (picture.row_labels.len(), picture.height),
        ];
        if picture.cells.len() != size || labels.iter().any(|&(n, full)| n != 0 && n != full) {
            return Err(format!("the picture lacks cells or labels {}", at(game, &position)));
        }
        for mv in moves_of(game, &position) {
            let touched = game.move_cells(&position, mv);
            if let Some(cell) = touched.iter().find(|&&c| c >= size) {
                let text = game.write_move(&position, mv);
                return Err(format!("move '{text}' touches cell {cell} of {size}"));
            }
            cells += touched.len();
        }
        pictures += 1;
    }
    Ok(format!("{} pictures, {} cells touched", thousands(pictures), thousands(cells)))
}
