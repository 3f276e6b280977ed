//! Where are we? The `position` command, and going on where the rules would call a draw.
//!
//! Our lines end at a repetition or after fifty moves without progress. Over UCI it is the GUI that
//! ends games: where a draw must be claimed and nobody claims it, play goes on, and so do we, with
//! the history forgotten that would end the game.

use zug_core::{AnyGame, AnyLine};

/// The line that a `position` command describes.
pub(crate) fn set_up(
    game: &dyn AnyGame,
    fen: Option<&str>,
    moves: &[(usize, String)],
) -> Result<Box<dyn AnyLine>, String> {
    let mut line = match fen {
        None => game.new_line(),
        Some(fen) => game.line_from(fen).map_err(|e| format!("in the FEN, {e}"))?,
    };
    for (number, (byte, text)) in moves.iter().enumerate() {
        line = playable_line(game, line);
        line.play(text).map_err(|e| {
            let place = format!("move {} of 'position' (byte {byte})", number + 1);
            format!(
                "{place}: expected {}, found {}; the position stays as it was",
                e.expected, e.found
            )
        })?;
    }
    Ok(line)
}

/// The line itself, or one that goes on from its position where it has ended in a draw.
pub(crate) fn playable(game: &dyn AnyGame, line: &dyn AnyLine) -> Box<dyn AnyLine> {
    playable_line(game, line.boxed_clone())
}

fn playable_line(game: &dyn AnyGame, line: Box<dyn AnyLine>) -> Box<dyn AnyLine> {
    if line.outcome().is_none_or(|o| o.winner.is_some()) {
        return line;
    }
    let position = line.position_text();
    [position.clone(), without_clock(&position)]
        .iter()
        .filter_map(|text| game.line_from(text).ok())
        .find(|fresh| fresh.outcome().is_none())
        .unwrap_or(line)
}

/// The FEN with its count of plies without progress set to zero.
fn without_clock(fen: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    if let Some(clock) = fields.get_mut(4) {
        *clock = "0";
    }
    fields.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_the_fifth_field() {
        assert_eq!(without_clock("8/8 w - - 99 80"), "8/8 w - - 0 80");
        assert_eq!(without_clock("8/8 w - -"), "8/8 w - -");
    }
}
