//! A move as an engine writes it, turned into the game's own notation.

use zug_core::AnyLine;

/// The move in the game's notation; the text as it is if no reading of it is legal here (the
/// referee will say so).
pub(crate) fn adopt(line: &dyn AnyLine, text: &str) -> String {
    let mut trial = line.boxed_clone();
    // Reads the move, undoing it at once; the trial line stays where it was.
    let mut read = |text: &str| {
        let played = trial.play(text).ok()?;
        trial.undo();
        Some(played)
    };
    let mut found = read(text);
    for candidate in candidates(line, text) {
        found = found.or_else(|| read(&candidate));
    }
    found.unwrap_or_else(|| text.to_string())
}

/// Castling that is written as the king's move of two squares, written as the king taking its rook;
/// `None` for every other move.
pub(crate) fn king_takes_rook(line: &dyn AnyLine, text: &str) -> Option<String> {
    ["e1g1", "e1c1", "e8g8", "e8c8"].contains(&text).then(|| other_castling(line, text)).flatten()
}

fn candidates(line: &dyn AnyLine, text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let mut out = vec![lower.clone(), text.to_ascii_uppercase()];
    // e7e8Q, e7e8=Q
    let plain: String = lower.chars().filter(|c| !"=+#-".contains(*c)).collect();
    out.push(plain.clone());
    out.extend(other_castling(line, &plain));
    // 0-0 with zeros
    if text.starts_with("0-0") {
        out.push(text.replace('0', "O"));
    }
    out
}

/// Some engines castle as "king takes rook", others as "king moves two squares"; if this is one of
/// the two with a king on the square, the other one.
fn other_castling(line: &dyn AnyLine, text: &str) -> Option<String> {
    let other = match text {
        "e1h1" => "e1g1",
        "e1g1" => "e1h1",
        "e1a1" => "e1c1",
        "e1c1" => "e1a1",
        "e8h8" => "e8g8",
        "e8g8" => "e8h8",
        "e8a8" => "e8c8",
        "e8c8" => "e8a8",
        _ => return None,
    };
    let king = if text.starts_with("e1") { 'K' } else { 'k' };
    let row = if king == 'K' { 7 } else { 0 };
    let fen = line.position_text();
    let rank = fen.split_whitespace().next()?.split('/').nth(row)?;
    let mut file = 0;
    for c in rank.chars() {
        match c.to_digit(10) {
            Some(n) => file += n,
            None if file == 4 => return (c == king).then(|| other.to_string()),
            None => file += 1,
        }
    }
    None
}
